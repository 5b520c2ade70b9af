// Made from docs/report.schema.json by `npm run types`.

/**
 * A way of comparing lines, from exact to loose.
 */
export type Tier = "exact" | "trailing-space" | "indentation" | "look-alikes" | "spelling" | "alignment";
/**
 * What a quoted line does.
 */
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
   * The outcome.
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
   * The cause, if no other field contains the cause: the message of a stopped run, or of wrong usage.
   */
  message: string | null;
  /**
   * What was repaired in the text of the patch.
   */
  repairs: Repair[];
  /**
   * The hunks that were applied, or would be; for a refused patch the hunks that would have worked.
   */
  hunks: Hunk[];
  /**
   * The net change to each path.
   */
  files: File[];
  /**
   * The number of chunks, and of chunks with an inexact quote; for a patch that fits.
   */
  exactness: Exactness | null;
  /**
   * What keeps the text from being a patch.
   */
  errors: Error[];
  /**
   * How many errors the text has; `errors` contains the first 100.
   */
  errors_in_all: number;
  /**
   * What keeps the patch from fitting the files.
   */
  failures: Failure[];
  /**
   * A patch that can be sent instead of a refused patch, quoted from the files. Check the suggestion first, because
   * it may not be what was meant.
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
 * A departure of the patch text from the grammar that was accepted.
 */
export interface Repair {
  /**
   * A stable name.
   */
  code: string;
  /**
   * The first line in the patch text.
   */
  first: number;
  /**
   * The last line in the patch text.
   */
  last: number;
  /**
   * What was done, in words.
   */
  message: string;
}
/**
 * The effect of a hunk on its file.
 */
export interface Hunk {
  /**
   * The line in the patch text; 0 for a replacement.
   */
  patch_line: number;
  /**
   * The kind of change.
   */
  kind: "add" | "update" | "delete" | "move" | "copy";
  /**
   * The file, as parsed from the patch.
   */
  path: string;
  /**
   * The new name, for a move or copy.
   */
  moved_to: string | null;
  /**
   * How many lines the hunk adds.
   */
  added: number;
  /**
   * How many lines the hunk removes.
   */
  removed: number;
  /**
   * Whether the content is the same afterwards.
   */
  unchanged: boolean;
  /**
   * Notes on the names, and on the properties of the file apart from its lines, as sentences.
   */
  notes: string[];
  /**
   * The positions of the chunks, in order.
   */
  chunks: Chunk[];
}
/**
 * How a chunk was placed.
 */
export interface Chunk {
  /**
   * The line in the patch text; 0 for a replacement.
   */
  patch_line: number;
  /**
   * The first line of the position, in the file before the patch, or in the result of the previous chunks (drift
   * `after-earlier`); 0 without a position.
   */
  line: number;
  /**
   * The comparison that matched.
   */
  tier: "exact" | "trailing-space" | "indentation" | "look-alikes" | "spelling" | "alignment";
  /**
   * What the differences cost together, in tenths of a misspelt word.
   */
  cost: number;
  /**
   * How many lines the chunk adds.
   */
  added: number;
  /**
   * How many lines the chunk removes.
   */
  removed: number;
  /**
   * Whether the quote and its position were exact.
   */
  exact: boolean;
  /**
   * How the quote differs from the file.
   */
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
   * The lines of the file in question.
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
 * Added lines and the lines that they replace.
 */
export interface Run {
  /**
   * The first added line in the new file; for a removal, the line that follows.
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
/**
 * How well a patch was quoted.
 */
export interface Exactness {
  /**
   * All chunks.
   */
  chunks: number;
  /**
   * The chunks that were quoted inexactly.
   */
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
   * The first line in the patch text; one past the last line if something is missing at the end.
   */
  first: number;
  /**
   * The last line in the patch text.
   */
  last: number;
  /**
   * The text found, shortened.
   */
  found: string;
  /**
   * The text expected.
   */
  expected: string;
  /**
   * What is wrong, in words.
   */
  message: string;
  /**
   * The tool, if the text is a call, shortened.
   */
  tool: string | null;
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
   * What to do, as a sentence.
   */
  advice: string | null;
  /**
   * The number of the hunk in the patch, 1-based.
   */
  hunk: number;
  /**
   * The line in the patch text of the chunk, or else of the hunk; 0 for a replacement.
   */
  patch_line: number;
  /**
   * The file, as the patch spells the name.
   */
  path: string;
  /**
   * The tool, if the hunk is of a call, shortened.
   */
  tool: string | null;
  /**
   * Files that may be meant, if the file does not exist.
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
   * The line of the file in question.
   */
  line: number | null;
  /**
   * The first line of each place, where several are alike; the first thousand.
   */
  places: number[];
  /**
   * The innermost `@@` header that was found.
   */
  header: Header | null;
  /**
   * The first lines that the chunk removes or adds, and where the file has them.
   */
  changed: ChangedLine[];
  /**
   * The explanations that decided: two with different results, or one.
   */
  explanations: Explanation[];
  /**
   * The first few positions, with the differences between them.
   */
  alternatives: Alternative[];
  /**
   * The refused position, or otherwise the nearest.
   */
  nearest: Nearest | null;
  /**
   * The same whenever the same lines are asked of the same file: a model that goes round in circles. Hexadecimal.
   */
  fingerprint: string;
}
/**
 * A `@@` header, and where it leads.
 */
export interface Header {
  /**
   * The text of the line.
   */
  text: string;
  /**
   * The first lines of the file that the header leads to.
   */
  lines: number[];
}
/**
 * A line that a chunk removes or adds, and where the file has it.
 */
export interface ChangedLine {
  /**
   * The line in the patch text; 0 if the line is not known.
   */
  patch_line: number;
  /**
   * `remove` or `add`.
   */
  kind: "context" | "remove" | "add";
  /**
   * The text, verbatim.
   */
  text: string;
  /**
   * The first lines of the file that equal it apart from whitespace and look-alikes.
   */
  lines: number[];
}
/**
 * A position of a chunk, and what the chunk would change there.
 */
export interface Explanation {
  /**
   * The first line of the file.
   */
  first: number;
  /**
   * The last line of the file.
   */
  last: number;
  /**
   * What the differences cost together.
   */
  cost: number;
  /**
   * Whether the change is taken for made already.
   */
  made: boolean;
  /**
   * What the chunk would change; `null` if that is not known.
   */
  changes: Replacement[] | null;
}
/**
 * Lines that replace lines of the file.
 */
export interface Replacement {
  /**
   * The first removed line, or the line before which the lines are inserted.
   */
  line: number;
  /**
   * How many lines are removed.
   */
  removed: number;
  /**
   * The added lines.
   */
  added: string[];
}
/**
 * One of several positions.
 */
export interface Alternative {
  /**
   * The first line.
   */
  line: number;
  /**
   * A line above that distinguishes the position.
   */
  above: TellingLine | null;
}
/**
 * A line that distinguishes a position.
 */
export interface TellingLine {
  /**
   * The number of the line in the file.
   */
  line: number;
  /**
   * The text.
   */
  text: string;
  /**
   * Whether the line selects the position as a `@@` header.
   */
  header: boolean;
}
/**
 * A place that comes near.
 */
export interface Nearest {
  /**
   * The first line.
   */
  first: number;
  /**
   * The last line.
   */
  last: number;
  /**
   * Whether the lines are the result of the edit, because the edit seems to be already made.
   */
  made: boolean;
  /**
   * How many quoted lines the file contains there, in any spelling.
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
  /**
   * The quoted lines beside the lines of the file.
   */
  lines: NearLine[];
  /**
   * Lines of the file above, if the first quoted lines are missing.
   */
  before: FileLine[];
  /**
   * Lines of the file below, if the last quoted lines are missing.
   */
  after: FileLine[];
}
/**
 * A quoted line and the line of the file; either may be missing.
 */
export interface NearLine {
  /**
   * The line number in the patch text; 0 if there is no line.
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
   * The line number in the file; 0 if there is no line.
   */
  line: number;
  /**
   * The text of the file, verbatim.
   */
  actual: string | null;
  /**
   * The difference as a stable name, `same` for equal lines.
   */
  difference: string;
  /**
   * The pieces that differ, for small differences.
   */
  pieces: Piece[];
}
/**
 * A piece of a quoted line, and the text of the file at its position: bytes of UTF-8, 0-based, the end excluded.
 */
export interface Piece {
  /**
   * Start and end in the quoted line.
   *
   * @minItems 2
   * @maxItems 2
   */
  quoted: [number, number];
  /**
   * Start and end in the line of the file.
   *
   * @minItems 2
   * @maxItems 2
   */
  actual: [number, number];
}
/**
 * A line of the file.
 */
export interface FileLine {
  /**
   * The line number in the file.
   */
  line: number;
  /**
   * The text, verbatim.
   */
  text: string;
}
