// Made from docs/report.schema.json by `npm run types`.

export type HunkKind = "add" | "update" | "delete" | "move" | "copy";
/**
 * A way of comparing lines, from exact to loose.
 */
export type Tier = "exact" | "trailing-space" | "indentation" | "look-alikes" | "spelling" | "alignment";
export type LineKind = "context" | "remove" | "add";

/**
 * What became of a patch, or of a replacement.
 */
export interface Report {
  /**
   * The version of this shape.
   */
  version: number;
  /**
   * How it ended.
   */
  outcome: "applied" | "would-apply" | "refused" | "not-a-patch" | "wrong-usage" | "stopped";
  /**
   * Whether anything was changed on the disk.
   */
  changed: boolean;
  /**
   * The exit status of the command.
   */
  status: number;
  /**
   * What happened, where no other field says it: the message of a run that was stopped, or of wrong usage.
   */
  message: string | null;
  /**
   * What was repaired in the text of the patch.
   */
  repairs: Repair[];
  /**
   * The hunks that were carried out, or would be; of a refused patch those that would have worked.
   */
  hunks: Hunk[];
  /**
   * The net change to each path.
   */
  files: File[];
  /**
   * How many chunks there are, and how many of them were not quoted as the file has them; of a patch that fits.
   */
  exactness: Exactness | null;
  /**
   * What keeps the text from being a patch.
   */
  errors: Error[];
  /**
   * What keeps the patch from fitting the files.
   */
  failures: Failure[];
  /**
   * A patch that can be sent instead of a refused one, quoted from the files. It is to be checked first: it may not
   * be what was meant.
   */
  suggestion: string | null;
  /**
   * What the plan changes, as a diff, where that was asked for.
   */
  diff: string | null;
  /**
   * What to do after a refusal, or wrong usage.
   */
  next: string | null;
}
/**
 * Something in the patch text that was read although the grammar does not allow it.
 */
export interface Repair {
  /**
   * A stable name.
   */
  code: string;
  /**
   * Its first line in the patch text.
   */
  first: number;
  /**
   * Its last line in the patch text.
   */
  last: number;
  /**
   * What was done, in words.
   */
  message: string;
}
/**
 * What a hunk does to its file.
 */
export interface Hunk {
  /**
   * Its line in the patch text; 0 for a replacement.
   */
  patch_line: number;
  kind: HunkKind;
  /**
   * The file, as it was read from the patch.
   */
  path: string;
  /**
   * Its new name, if it has one.
   */
  moved_to: string | null;
  /**
   * How many lines it adds.
   */
  added: number;
  /**
   * How many lines it removes.
   */
  removed: number;
  /**
   * Whether the content is the same afterwards.
   */
  unchanged: boolean;
  /**
   * How the names were read, and what the file is besides its lines, in words.
   */
  notes: string[];
  chunks: Chunk[];
}
/**
 * How a chunk was placed.
 */
export interface Chunk {
  /**
   * Its line in the patch text; 0 for a replacement.
   */
  patch_line: number;
  /**
   * The first line of its place, in the file as it was, or as the chunks before it left it (drift `after-earlier`);
   * 0 where it has none.
   */
  line: number;
  /**
   * How its lines were compared with the file's.
   */
  tier: "exact" | "trailing-space" | "indentation" | "look-alikes" | "spelling" | "alignment";
  /**
   * What the differences cost together, in tenths of a misspelt word.
   */
  cost: number;
  added: number;
  removed: number;
  /**
   * Whether it was quoted as the file has it, where it stands.
   */
  exact: boolean;
  drift: Drift[];
}
/**
 * A difference that was taken.
 */
export interface Drift {
  /**
   * A stable name.
   */
  code: string;
  /**
   * Whether the quote can be better next time.
   */
  inexact: boolean;
  /**
   * The lines of the file that it is about.
   */
  lines: number[];
  /**
   * In words.
   */
  message: string;
}
/**
 * The net change to a path.
 */
export interface File {
  /**
   * The path with links resolved.
   */
  path: string;
  /**
   * Whether a file is there before.
   */
  existed: boolean;
  /**
   * Whether a file is there afterwards.
   */
  exists: boolean;
  /**
   * The runs of lines that change, of a file that is there before and afterwards.
   */
  changes: Run[];
}
/**
 * Lines that are written in place of others.
 */
export interface Run {
  /**
   * The first of them in the file as it is afterwards; of a removal the line that stands there then.
   */
  line: number;
  /**
   * How many lines go.
   */
  removed: number;
  /**
   * How many lines come.
   */
  added: number;
}
export interface Exactness {
  chunks: number;
  inexact: number;
}
/**
 * What keeps a text from being a patch.
 */
export interface Error {
  /**
   * A stable name.
   */
  code: string;
  /**
   * Its first line in the patch text; one past the last line where something is missing at the end.
   */
  first: number;
  /**
   * Its last line in the patch text.
   */
  last: number;
  /**
   * What stood there, shortened.
   */
  found: string;
  /**
   * What may stand there.
   */
  expected: string;
  /**
   * What is wrong, in words.
   */
  message: string;
}
/**
 * What keeps a hunk from being carried out.
 */
export interface Failure {
  /**
   * A stable name.
   */
  code: string;
  /**
   * In words.
   */
  message: string;
  /**
   * What may be done about it, in words.
   */
  advice: string | null;
  /**
   * Which hunk of the patch it is, from 1.
   */
  hunk: number;
  /**
   * The line in the patch text of the chunk, or else of the hunk; 0 for a replacement.
   */
  patch_line: number;
  /**
   * The file, as the patch spells it.
   */
  path: string;
  /**
   * Files that may be meant, where there is none of that name.
   */
  similar: string[];
  /**
   * What is wrong with a chunk.
   */
  chunk: Miss | null;
}
/**
 * Why a chunk, or the old text of a replacement, has no place.
 */
export interface Miss {
  /**
   * Which chunk of the hunk, from 1.
   */
  number: number;
  /**
   * How many chunks the hunk has.
   */
  of: number;
  /**
   * The ways in which lines were compared, tightest first.
   */
  tried: Tier[];
  /**
   * The `@@` headers that are not in the file.
   */
  missing_headers: string[];
  /**
   * The question of the guard that a place did not pass.
   */
  question: string | null;
  /**
   * The line of the file that it is about.
   */
  line: number | null;
  /**
   * The first line of each place, where several are alike; the first thousand.
   */
  places: number[];
  /**
   * The same, the first few, with what tells each from the others.
   */
  alternatives: Alternative[];
  /**
   * The place that was not taken, or else the one that comes nearest.
   */
  nearest: Nearest | null;
  /**
   * The same whenever the same lines are asked of the same file: a model that goes round in circles. Hexadecimal.
   */
  fingerprint: string;
}
/**
 * One of several places.
 */
export interface Alternative {
  /**
   * Its first line.
   */
  line: number;
  /**
   * A line above it that tells it from the others.
   */
  above: TellingLine | null;
}
/**
 * A line that tells a place from others.
 */
export interface TellingLine {
  line: number;
  text: string;
  /**
   * Whether it leads there as a `@@` header.
   */
  header: boolean;
}
/**
 * A place that comes near.
 */
export interface Nearest {
  /**
   * Its first line.
   */
  first: number;
  /**
   * Its last line.
   */
  last: number;
  /**
   * Whether its lines are those that the edit makes, since it seems to be made.
   */
  made: boolean;
  /**
   * Of the quoted lines, how many stand there, however they are written.
   */
  alike: number;
  /**
   * How many lines were quoted.
   */
  of: number;
  /**
   * Which of `lines`, from 0, is the first that differs.
   */
  first_difference: number | null;
  /**
   * Which of `lines`, from 0, the question of the guard is about.
   */
  in_doubt: number | null;
  lines: NearLine[];
}
/**
 * A quoted line beside the file's; one of the two may be missing.
 */
export interface NearLine {
  /**
   * Its line in the patch text; 0 where there is none.
   */
  patch_line: number;
  /**
   * `context`, `remove` or `add`, of a quoted line.
   */
  kind: LineKind | null;
  /**
   * What was quoted.
   */
  quoted: string | null;
  /**
   * Its line in the file; 0 where there is none.
   */
  line: number;
  /**
   * What stands there, verbatim.
   */
  actual: string | null;
  /**
   * How they differ: a stable name, `same` if they do not.
   */
  difference: string;
  /**
   * The pieces that differ, where they are small.
   */
  pieces: Piece[];
}
/**
 * A piece of a quoted line, and what the file has in its place: bytes of UTF-8, from 0, the end not included.
 */
export interface Piece {
  /**
   * @minItems 2
   * @maxItems 2
   */
  quoted: [number, number];
  /**
   * @minItems 2
   * @maxItems 2
   */
  actual: [number, number];
}
