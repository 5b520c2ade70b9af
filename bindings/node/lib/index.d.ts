import type { Error as ParseError, Exactness, Failure, Report } from "./report.js";

export type { Chunk, Drift, Exactness, Failure, Hunk, Miss, Repair, Report } from "./report.js";
export type { ParseError };

/** How a text is read, and where its edits go. The command has these options, too: see `docs/cli.md`. */
export interface PlacingOptions {
  /** The format of the text. By default the one that the text shows. */
  format?: "auto" | "envelope" | "search-replace" | "edit" | "unified" | "hunks" | "new-file";
  /** How much a quote may differ from the file. Default: `guarded`. */
  match?: "exact" | "whitespace" | "guarded";
  /** What is done where several positions match. Default: `refuse`. */
  ambiguity?: "refuse" | "first";
  /** Accept only the grammar: what would be repaired is an error. */
  strict?: boolean;
  /** Accept a text that ends before `*** End Patch`. */
  acceptTruncated?: boolean;
  /** The file that is meant where the text names none. */
  file?: string;
  /** How many first directories the names of a unified diff have too many. Guessed by default. */
  strip?: number;
  /** Whether Add and Move may replace a file. */
  overwrite?: boolean;
  /** The SHA-256 of files that have to be those that the model was shown, as hexadecimal digits by path. */
  expect?: Record<string, string>;
  /** The characters of the words for the model, at most. Default: 4000; 0 is no limit. */
  budget?: number;
  /** How many threads work on a large patch in a directory. By default one for each processor, 8 at most. */
  threads?: number;
}

/** How a patch is applied. */
export interface Options extends PlacingOptions {
  /** Change nothing: the result contains what would be done. */
  dryRun?: boolean;
  /** Return the changes as a unified diff. */
  diff?: boolean;
  /** Return the patch that takes the changes back. */
  undo?: boolean;
  /** After a refusal, look for a patch to send instead. Default: true. */
  suggestion?: boolean;
}

/** Options for files on the disk. */
export interface DiskOptions extends Options {
  /** Return the new contents in `files`, as `files` in memory does. */
  contents?: boolean;
  /** Further directories, whose files a patch names by absolute paths. */
  roots?: string[];
  /** Wait until the disk has everything, so that a power cut tears nothing. Default: true. */
  fsync?: boolean;
  /** Wait for another run in the same directory; otherwise the run is refused. Default: true. */
  wait?: boolean;
  /** The longest file that is read, in bytes. Default: 256 MiB. */
  maxFileSize?: number;
}

/** A content of a file. It comes out as the type that it came in as. */
export type Content = string | Uint8Array;

/** Files in memory by their paths, relative and with `/`. */
export type Files = Readonly<Record<string, Content>> | ReadonlyMap<string, Content>;

/** A patch for files in memory. The files are not changed: the result has those that differ. */
export interface MemoryRequest extends Options {
  files: Files;
  root?: undefined;
  /** The text that the model wrote. */
  patch: Content;
}

/** A patch for the files of a directory: all changes are made, or none. */
export interface DiskRequest extends DiskOptions {
  /** The directory. No path may lead out of it. */
  root: string | URL;
  files?: undefined;
  /** The text that the model wrote. */
  patch: Content;
}

/** A further option of a promise. */
export interface Abortable {
  /** A call that has not begun is not made. A call that has begun is finished. */
  signal?: AbortSignal;
}

/** The files that changed, or would change; `null` for a file that is removed. */
export type ChangedFiles<C extends Content = Content> = Record<string, C | null>;

/** The type of contents that come out: text for files that all came in as text. */
export type ContentOf<F> = F extends ReadonlyMap<string, infer C>
  ? [C] extends [string] ? string : Content
  : F extends Readonly<Record<string, infer C>>
    ? [C] extends [string] ? string : Content
    : Content;

/** What became of a patch that was applied, or would be. `JSON.stringify` gives the report. */
export class Result<F = ChangedFiles | undefined> {
  private constructor();
  /** The words for the model: what was done, and all that was not quoted exactly. */
  readonly report: string;
  /** 0, or 4 if the clean-up failed after everything was applied. */
  readonly status: 0 | 4;
  /** The paths of the files that changed, or would change, sorted. */
  readonly paths: string[];
  /** The contents of these files afterwards. For a directory only if `contents` asked for them. */
  readonly files: F;
  /** The patch that takes the changes back, if `undo` asked for it. */
  readonly undo?: string;
  /** The changes as a unified diff, if `diff` asked for it. */
  get diff(): string | undefined;
  /** Whether nothing had to change: the patch had been applied before, or changes nothing. */
  get isNoop(): boolean;
  /** How many chunks there are, and how many were not quoted as the file has them. */
  get exactness(): Exactness;
  /** Returns the report as an object. */
  toJSON(): Report;
}

/**
 * Applies a patch on another thread.
 *
 * @throws {@link ApplyPatchError} if the patch is not applied.
 */
export function applyPatch<F extends Files>(
  request: MemoryRequest & Abortable & { files: F },
): Promise<Result<ChangedFiles<ContentOf<F>>>>;
export function applyPatch(request: DiskRequest & Abortable & { contents: true }): Promise<Result<ChangedFiles>>;
export function applyPatch(request: DiskRequest & Abortable): Promise<Result<ChangedFiles | undefined>>;

/**
 * Applies a patch on this thread.
 *
 * @throws {@link ApplyPatchError} if the patch is not applied.
 */
export function applyPatchSync<F extends Files>(
  request: MemoryRequest & { files: F },
): Result<ChangedFiles<ContentOf<F>>>;
export function applyPatchSync(request: DiskRequest & { contents: true }): Result<ChangedFiles>;
export function applyPatchSync(request: DiskRequest): Result<ChangedFiles | undefined>;

/** A patch was not applied. `message` is `report`. */
export class ApplyPatchError extends Error {
  protected constructor();
  /** The words for the model: what is wrong, and what to do next. */
  readonly report: string;
  /** The exit status that the command would have. */
  readonly status: 1 | 2 | 3 | 5;
  /** Whether files were changed all the same: only if the system failed half way and nothing could be put back. */
  readonly changed: boolean;
  /** The stable codes of all reasons, each once. */
  readonly codes: string[];
  /** What keeps the patch from fitting the files. */
  readonly failures: Failure[];
  /** What keeps the text from being a patch. */
  readonly errors: ParseError[];
  /** A patch to send instead, quoted from the files, where the position of each edit is clear. */
  readonly suggestion: string | null;
  /** The same whenever the same lines are asked of the same file: a model that goes round in circles. */
  readonly fingerprint: string | null;
  /** Returns the report as an object. */
  toJSON(): Report;
}

/** The text is not a patch. Nothing was changed. */
export class NotAPatchError extends ApplyPatchError {
  readonly status: 2;
}

/** The patch does not fit the files. Nothing was changed. */
export class RefusedError extends ApplyPatchError {
  readonly status: 1;
}

/** The system refused, or an interrupted run is in the way. */
export class SystemRefusedError extends ApplyPatchError {
  readonly status: 3 | 5;
}

/** A bug of this package: its native part panicked. The process goes on. */
export class InternalError extends Error {}

/** What a line of a patch that is being written gives. Lines of the patch count from 1; 0 is no line. */
export type PatchEvent =
  | { type: "environment"; text: string }
  | {
      type: "hunk";
      kind: "add" | "update" | "delete" | "copy";
      path: string;
      moved_to: string | null;
      patch_line: number;
      /** The edits of a call that has an old and a new text. */
      edits: { old: string; new: string; patch_line: number }[];
    }
  | { type: "moved"; path: string; patch_line: number }
  | { type: "chunk"; patch_line: number }
  | { type: "header"; text: string; patch_line: number }
  | { type: "line"; kind: "context" | "remove" | "add"; text: string; patch_line: number }
  | { type: "chunk-end"; end_of_file: boolean }
  | { type: "chunk-dropped" }
  | { type: "hunk-end" }
  | { type: "check-only" }
  | { type: "call"; id: string | number | null; tool: string | null; patch_line: number }
  | { type: "repair"; code: string; first: number; last: number; message: string }
  | {
      type: "error";
      code: string;
      first: number;
      last: number;
      found: string;
      expected: string;
      message: string;
    };

/** What the complete chunks of a patch would do. */
export interface Preview {
  /** Which chunks fit, where, and with which drift; which chunks do not fit, and why. */
  report: Report;
  /** The contents that the files would have; empty if a chunk does not fit. For a directory only if `contents` is set. */
  files?: ChangedFiles;
}

/** Options of a stream. `preview` needs `files` or `root`. */
export type StreamOptions = PlacingOptions & { files?: Files; root?: string | URL; roots?: string[]; contents?: boolean };

/** Reads a patch while it is being written. */
export class PatchStream {
  constructor(options?: StreamOptions);
  /** Takes the next piece, of any length, and returns the events of the lines that are complete now. */
  feed(piece: Content): PatchEvent[];
  /** Takes the end of the text, and returns the events of what was left. */
  finish(): PatchEvent[];
  /**
   * Checks the chunks that are complete against the files as they were when the stream was opened (`files`), or as they are
   * (`root`). Changes nothing, and throws no refusal.
   */
  preview(): Preview;
  /** Returns the events of a text that arrives in pieces, such as the body of a response. */
  static from(
    pieces: AsyncIterable<Content> | Iterable<Content>,
    options?: StreamOptions,
  ): AsyncGenerator<PatchEvent, void, void>;
}

/** One operation of OpenAI's apply_patch tool. */
export type ApplyPatchOperation =
  | { type: "create_file"; path: string; diff: string }
  | { type: "update_file"; path: string; diff: string; moveTo?: string }
  | { type: "delete_file"; path: string };

/** The answer to an operation. */
export interface ApplyPatchAnswer {
  status: "completed" | "failed";
  /** The words for the model. */
  output: string;
}

/** An editor as `applyPatchTool` of `@openai/agents` takes it. */
export interface AgentsEditor {
  createFile(operation: Extract<ApplyPatchOperation, { type: "create_file" }>): Promise<ApplyPatchAnswer>;
  updateFile(operation: Extract<ApplyPatchOperation, { type: "update_file" }>): Promise<ApplyPatchAnswer>;
  deleteFile(operation: Extract<ApplyPatchOperation, { type: "delete_file" }>): Promise<ApplyPatchAnswer>;
}

/** Returns an editor for `applyPatchTool` of `@openai/agents`. */
export function agentsEditor(root: string | URL, options?: DiskOptions): AgentsEditor;

/** Returns an `execute` for `openai.tools.applyPatch` of the AI SDK. */
export function aiExecute(
  root: string | URL,
  options?: DiskOptions,
): (
  input: { callId: string; operation: ApplyPatchOperation },
  call?: { abortSignal?: AbortSignal },
) => Promise<ApplyPatchAnswer>;

/** The instructions about the format for a model, in Markdown. */
export const instructions: string;
