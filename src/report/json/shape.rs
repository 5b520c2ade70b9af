//! The shape of the JSON report, from which `docs/report.schema.json` is generated.

use serde::Serialize;

use super::miss_shape::{JsonMiss, JsonTier};

/// What became of a patch, or of a replacement.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Report", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonReport {
    /// The version of this shape.
    pub version: u32,
    /// The outcome.
    #[cfg(feature = "internals")]
    pub outcome: JsonOutcome,
    #[cfg(not(feature = "internals"))]
    pub(crate) outcome: JsonOutcome,
    /// Whether anything was changed on the disk.
    pub changed: bool,
    /// The exit status of the command.
    pub status: u8,
    /// The cause, if no other field contains the cause: the message of a stopped run, or of wrong usage.
    pub message: Option<String>,
    /// What was repaired in the text of the patch.
    #[cfg(feature = "internals")]
    pub repairs: Vec<JsonRepair>,
    #[cfg(not(feature = "internals"))]
    pub(crate) repairs: Vec<JsonRepair>,
    /// The hunks that were applied, or would be; for a refused patch the hunks that would have worked.
    #[cfg(feature = "internals")]
    pub hunks: Vec<JsonHunk>,
    #[cfg(not(feature = "internals"))]
    pub(crate) hunks: Vec<JsonHunk>,
    /// The net change to each path.
    #[cfg(feature = "internals")]
    pub files: Vec<JsonFile>,
    #[cfg(not(feature = "internals"))]
    pub(crate) files: Vec<JsonFile>,
    /// The number of chunks, and of chunks with an inexact quote; for a patch that fits.
    #[cfg(feature = "internals")]
    pub exactness: Option<JsonExactness>,
    #[cfg(not(feature = "internals"))]
    pub(crate) exactness: Option<JsonExactness>,
    /// What keeps the text from being a patch.
    #[cfg(feature = "internals")]
    pub errors: Vec<JsonError>,
    #[cfg(not(feature = "internals"))]
    pub(crate) errors: Vec<JsonError>,
    /// How many errors the text has; `errors` contains the first 100.
    pub errors_in_all: usize,
    /// What keeps the patch from fitting the files.
    #[cfg(feature = "internals")]
    pub failures: Vec<JsonFailure>,
    #[cfg(not(feature = "internals"))]
    pub(crate) failures: Vec<JsonFailure>,
    /// A patch that can be sent instead of a refused patch, quoted from the files. Check the suggestion first, because
    /// it may not be what was meant.
    pub suggestion: Option<String>,
    /// What the plan changes, as a diff, where that was asked for.
    pub diff: Option<String>,
    /// What to do after a refusal, or wrong usage.
    pub next: Option<String>,
}

/// How a run ended.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Outcome"))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum JsonOutcome {
    /// The patch was applied.
    Applied,
    /// The patch fits; nothing was touched, as was asked for.
    WouldApply,
    /// The patch does not fit the files; nothing was changed.
    Refused,
    /// The text is not a patch; nothing was changed.
    NotAPatch,
    /// The arguments of the command make no sense; nothing was changed. See `message`.
    WrongUsage,
    /// Something else ended the run: see `message`, `status` and `changed`.
    Stopped,
}

/// A departure of the patch text from the grammar that was accepted.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Repair", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonRepair {
    /// A stable name.
    pub code: &'static str,
    /// The first line in the patch text.
    pub first: usize,
    /// The last line in the patch text.
    pub last: usize,
    /// What was done, in words.
    pub message: String,
}

/// The effect of a hunk on its file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Hunk", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonHunk {
    /// The line in the patch text; 0 for a replacement.
    pub patch_line: usize,
    /// The kind of change.
    pub kind: JsonHunkKind,
    /// The file, as parsed from the patch.
    pub path: String,
    /// The new name, for a move or copy.
    pub moved_to: Option<String>,
    /// How many lines the hunk adds.
    pub added: usize,
    /// How many lines the hunk removes.
    pub removed: usize,
    /// Whether the content is the same afterwards.
    pub unchanged: bool,
    /// Notes on the names, and on the properties of the file apart from its lines, as sentences.
    pub notes: Vec<String>,
    /// The positions of the chunks, in order.
    #[cfg(feature = "internals")]
    pub chunks: Vec<JsonChunk>,
    #[cfg(not(feature = "internals"))]
    pub(crate) chunks: Vec<JsonChunk>,
}

/// What a hunk does.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "HunkKind"))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum JsonHunkKind {
    /// Creates a file.
    Add,
    /// Changes a file.
    Update,
    /// Removes a file.
    Delete,
    /// Renames a file, with or without edits.
    Move,
    /// Copies a file, and perhaps changes the copy.
    Copy,
}

/// How a chunk was placed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Chunk", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonChunk {
    /// The line in the patch text; 0 for a replacement.
    pub patch_line: usize,
    /// The first line of the position, in the file before the patch, or in the result of the previous chunks (drift
    /// `after-earlier`); 0 without a position.
    pub line: usize,
    /// The comparison that matched.
    pub tier: JsonTier,
    /// What the differences cost together, in tenths of a misspelt word.
    pub cost: u32,
    /// How many lines the chunk adds.
    pub added: usize,
    /// How many lines the chunk removes.
    pub removed: usize,
    /// Whether the quote and its position were exact.
    pub exact: bool,
    /// How the quote differs from the file.
    pub drift: Vec<JsonDrift>,
}

/// A difference that was taken.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Drift", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonDrift {
    /// A stable name.
    pub code: &'static str,
    /// Whether the quote can be better next time.
    pub inexact: bool,
    /// The lines of the file in question.
    pub lines: Vec<usize>,
    /// In words.
    pub message: String,
}

/// The net change to a path.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "File", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonFile {
    /// The path with links resolved.
    pub path: String,
    /// Whether a file is there before.
    pub existed: bool,
    /// Whether a file is there afterwards.
    pub exists: bool,
    /// The runs of lines that change, of a file that is there before and afterwards.
    #[cfg(feature = "internals")]
    pub changes: Vec<JsonRun>,
    #[cfg(not(feature = "internals"))]
    pub(crate) changes: Vec<JsonRun>,
}

/// Added lines and the lines that they replace.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Run", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonRun {
    /// The first added line in the new file; for a removal, the line that follows.
    pub line: usize,
    /// How many lines go.
    pub removed: usize,
    /// How many lines come.
    pub added: usize,
}

/// How well a patch was quoted.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Exactness", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonExactness {
    /// All chunks.
    pub chunks: usize,
    /// The chunks that were quoted inexactly.
    pub inexact: usize,
}

/// What keeps a text from being a patch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Error", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonError {
    /// A stable name.
    pub code: &'static str,
    /// The first line in the patch text; one past the last line if something is missing at the end.
    pub first: usize,
    /// The last line in the patch text.
    pub last: usize,
    /// The text found, shortened.
    pub found: String,
    /// The text expected.
    pub expected: String,
    /// What is wrong, in words.
    pub message: String,
    /// The tool, if the text is a call, shortened.
    pub tool: Option<String>,
}

/// What keeps a hunk from being carried out.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Failure", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonFailure {
    /// A stable name.
    pub code: &'static str,
    /// In words.
    pub message: String,
    /// What to do, as a sentence.
    pub advice: Option<String>,
    /// The number of the hunk in the patch, 1-based.
    pub hunk: usize,
    /// The line in the patch text of the chunk, or else of the hunk; 0 for a replacement.
    pub patch_line: usize,
    /// The file, as the patch spells the name.
    pub path: String,
    /// The tool, if the hunk is of a call, shortened.
    pub tool: Option<String>,
    /// Files that may be meant, if the file does not exist.
    pub similar: Vec<String>,
    /// What is wrong with a chunk.
    #[cfg(feature = "internals")]
    pub chunk: Option<JsonMiss>,
    #[cfg(not(feature = "internals"))]
    pub(crate) chunk: Option<JsonMiss>,
}
