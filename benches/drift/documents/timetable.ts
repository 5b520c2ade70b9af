import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";

export interface Stop {
  id: string;
  name: string;
  zone: number;
  shelter?: boolean;
}

export interface Departure {
  line: string;
  stop: Stop;
  minutes: number;
  days: Weekday[];
}

export interface TimetableOptions {
  folder: string;
  cache: boolean;
  limit: number;
}

const DEFAULTS: TimetableOptions = {
  folder: "./timetables",
  cache: true,
  limit: 20,
};

const WEEKDAYS: Weekday[] = ["mon", "tue", "wed", "thu", "fri"];
const WEEKEND: Weekday[] = ["sat", "sun"];

export class TimetableError extends Error {
  constructor(message: string, readonly stop?: string) {
    super(message);
    this.name = "TimetableError";
  }
}

export class Timetable {
  private readonly stops = new Map<string, Stop>();
  private readonly departures: Departure[] = [];

  constructor(private readonly options: TimetableOptions = DEFAULTS) {}

  addStop(stop: Stop): void {
    if (this.stops.has(stop.id)) {
      throw new TimetableError(`stop ${stop.id} exists`, stop.id);
    }
    this.stops.set(stop.id, stop);
  }

  addDeparture(departure: Departure): void {
    if (!this.stops.has(departure.stop.id)) {
      throw new TimetableError(`stop ${departure.stop.id} is unknown`, departure.stop.id);
    }
    this.departures.push(departure);
    this.departures.sort((a, b) => a.minutes - b.minutes);
  }

  weekdayDepartures(stopId: string): Departure[] {
    const found: Departure[] = [];
    for (const departure of this.departures) {
      if (departure.stop.id !== stopId) {
        continue;
      }
      if (departure.days.some((day) => WEEKDAYS.includes(day))) {
        found.push(departure);
      }
    }
    return found.slice(0, this.options.limit);
  }

  weekendDepartures(stopId: string): Departure[] {
    const found: Departure[] = [];
    for (const departure of this.departures) {
      if (departure.stop.id !== stopId) {
        continue;
      }
      if (departure.days.some((day) => WEEKEND.includes(day))) {
        found.push(departure);
      }
    }
    return found.slice(0, this.options.limit);
  }

  nextDeparture(stopId: string, after: number): Departure | undefined {
    return this.departures.find(
      (departure) => departure.stop.id === stopId && departure.minutes > after,
    );
  }

  async save(name: string): Promise<void> {
    const path = join(this.options.folder, `${name}.json`);
    const data = {
      stops: [...this.stops.values()],
      departures: this.departures,
    };
    await writeFile(path, JSON.stringify(data, null, 2), "utf8");
  }

  async load(name: string): Promise<void> {
    const path = join(this.options.folder, `${name}.json`);
    const text = await readFile(path, "utf8");
    const data = JSON.parse(text);
    for (const stop of data.stops) {
      this.addStop(stop);
    }
    for (const departure of data.departures) {
      this.addDeparture(departure);
    }
  }
}

export function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return `${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}

export function parseMinutes(text: string): number {
  const match = /^(\d{1,2}):(\d{2})$/.exec(text.trim());
  if (match === null) {
    throw new TimetableError(`"${text}" is no time`);
  }
  const hours = Number(match[1]);
  const rest = Number(match[2]);
  if (hours > 23 || rest > 59) {
    throw new TimetableError(`"${text}" is out of range`);
  }
  return hours * 60 + rest;
}

export function describe(departure: Departure): string {
  const time = formatMinutes(departure.minutes);
  const shelter = departure.stop.shelter ? " (shelter)" : "";
  return `${time} ${departure.line} from ${departure.stop.name}${shelter}`;
}

export function groupByLine(departures: Departure[]): Map<string, Departure[]> {
  const groups = new Map<string, Departure[]>();
  for (const departure of departures) {
    const group = groups.get(departure.line) ?? [];
    group.push(departure);
    groups.set(departure.line, group);
  }
  return groups;
}

export function groupByZone(departures: Departure[]): Map<number, Departure[]> {
  const groups = new Map<number, Departure[]>();
  for (const departure of departures) {
    const group = groups.get(departure.stop.zone) ?? [];
    group.push(departure);
    groups.set(departure.stop.zone, group);
  }
  return groups;
}
