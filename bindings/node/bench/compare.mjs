// Measures a call in Rust, Node and Python by turns, and prints the medians as a table, with their ratios to the loop in Rust.
// PYTHON names an interpreter that has the package; without it, that row is missing.
//
//     PYTHON=python3 npm run bench -- 9     # nine turns

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const TURNS = Number(process.argv[2] ?? 9);
const ROUNDS = "3";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
execFileSync("cargo", ["build", "--quiet", "--release", "--example", "loop"], { cwd: here(".."), stdio: "inherit" });
const programs = [
  [here("../target/release/examples/loop"), ROUNDS],
  [process.execPath, here("speed.mjs"), ROUNDS],
  ...(process.env.PYTHON ? [[process.env.PYTHON, here("loop.py"), ROUNDS]] : []),
];

/** Returns the median of some numbers. */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

const measured = new Map();
for (let turn = 0; turn < TURNS; turn += 1) {
  for (const [program, ...args] of programs) {
    for (const row of execFileSync(program, args, { encoding: "utf8" }).trim().split("\n")) {
      const [, name, figure] = /^(.*): ([0-9.]+)$/.exec(row);
      measured.set(name, [...(measured.get(name) ?? []), Number(figure)]);
    }
  }
}
const least = median(measured.get("run"));
console.log(`| call | µs | by the loop in Rust |\n|---|---|---|`);
for (const [name, figures] of measured) {
  console.log(`| \`${name}\` | ${median(figures).toFixed(1)} | ${(median(figures) / least).toFixed(2)} |`);
}
