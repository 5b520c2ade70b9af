//! The shape of the JSON, without a word about how it is filled: what `docs/report.schema.json` is made from.

use serde::Serialize;

/// What became of a patch, or of a replacement.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Report", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonReport {
    /// The version of this shape.
    pub version: u32,
    /// How it ended.
    pub outcome: JsonOutcome,
    /// Whether anything was changed on the disk.
    pub changed: bool,
    /// The exit status of the command.
    pub status: u8,
    /// What happened, where no other field says it: the message of a run that was stopped, or of wrong usage.
    pub message: Option<String>,
    /// What was repaired in the text of the patch.
    pub repairs: Vec<JsonRepair>,
    /// The hunks that were carried out, or would be; of a refused patch those that would have worked.
    pub hunks: Vec<JsonHunk>,
    /// The net change to each path.
    pub files: Vec<JsonFile>,
    /// How many chunks there are, and how many of them were not quoted as the file has them; of a patch that fits.
    pub exactness: Option<JsonExactness>,
    /// What keeps the text from being a patch.
    pub errors: Vec<JsonError>,
    /// How many errors the text has; `errors` contains the first 100.
    pub errors_in_all: usize,
    /// What keeps the patch from fitting the files.
    pub failures: Vec<JsonFailure>,
    /// A patch that can be sent instead of a refused one, quoted from the files. It is to be checked first: it may not
    /// be what was meant.
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

/// Something in the patch text that was read although the grammar does not allow it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Repair", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonRepair {
    /// A stable name.
    pub code: &'static str,
    /// Its first line in the patch text.
    pub first: usize,
    /// Its last line in the patch text.
    pub last: usize,
    /// What was done, in words.
    pub message: String,
}

/// What a hunk does to its file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Hunk", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonHunk {
    /// Its line in the patch text; 0 for a replacement.
    pub patch_line: usize,
    /// What it does.
    pub kind: JsonHunkKind,
    /// The file, as it was read from the patch.
    pub path: String,
    /// Its new name, if it has one.
    pub moved_to: Option<String>,
    /// How many lines it adds.
    pub added: usize,
    /// How many lines it removes.
    pub removed: usize,
    /// Whether the content is the same afterwards.
    pub unchanged: bool,
    /// How the names were read, and what the file is besides its lines, in words.
    pub notes: Vec<String>,
    /// How its chunks were placed, in order.
    pub chunks: Vec<JsonChunk>,
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
    /// Renames a file, and perhaps changes it.
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
    /// Its line in the patch text; 0 for a replacement.
    pub patch_line: usize,
    /// The first line of its place, in the file as it was, or as the chunks before it left it (drift `after-earlier`);
    /// 0 where it has none.
    pub line: usize,
    /// How its lines were compared with the file's.
    pub tier: JsonTier,
    /// What the differences cost together, in tenths of a misspelt word.
    pub cost: u32,
    /// How many lines it adds.
    pub added: usize,
    /// How many lines it removes.
    pub removed: usize,
    /// Whether it was quoted as the file has it, where it stands.
    pub exact: bool,
    /// How the quote differs from the file.
    pub drift: Vec<JsonDrift>,
}

/// A way of comparing lines, from exact to loose.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Tier"))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum JsonTier {
    /// Byte for byte.
    Exact,
    /// Without trailing whitespace.
    TrailingSpace,
    /// Without leading and trailing whitespace.
    Indentation,
    /// With characters that look alike taken as equal.
    LookAlikes,
    /// With escapes and encodings undone.
    Spelling,
    /// By the cheapest alignment of all lines.
    Alignment,
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
    /// The lines of the file that it is about.
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
    pub changes: Vec<JsonRun>,
}

/// Lines that are written in place of others.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Run", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonRun {
    /// The first of them in the file as it is afterwards; of a removal the line that stands there then.
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
    /// Its first line in the patch text; one past the last line where something is missing at the end.
    pub first: usize,
    /// Its last line in the patch text.
    pub last: usize,
    /// What stood there, shortened.
    pub found: String,
    /// What may stand there.
    pub expected: String,
    /// What is wrong, in words.
    pub message: String,
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
    /// What may be done about it, in words.
    pub advice: Option<String>,
    /// Which hunk of the patch it is, from 1.
    pub hunk: usize,
    /// The line in the patch text of the chunk, or else of the hunk; 0 for a replacement.
    pub patch_line: usize,
    /// The file, as the patch spells it.
    pub path: String,
    /// Files that may be meant, where there is none of that name.
    pub similar: Vec<String>,
    /// What is wrong with a chunk.
    pub chunk: Option<JsonMiss>,
}

/// Why a chunk, or the old text of a replacement, has no place.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Miss", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonMiss {
    /// Which chunk of the hunk, from 1.
    pub number: usize,
    /// How many chunks the hunk has.
    pub of: usize,
    /// The ways in which lines were compared, tightest first.
    pub tried: Vec<JsonTier>,
    /// The `@@` headers that are not in the file.
    pub missing_headers: Vec<String>,
    /// The question of the guard that a place did not pass.
    pub question: Option<&'static str>,
    /// The line of the file that it is about.
    pub line: Option<usize>,
    /// The first line of each place, where several are alike; the first thousand.
    pub places: Vec<usize>,
    /// The innermost `@@` header that was found.
    pub header: Option<JsonHeader>,
    /// The first lines that the chunk removes or adds, and where the file has them.
    pub changed: Vec<JsonChanged>,
    /// The explanations that decided: two with different results, or one.
    pub explanations: Vec<JsonExplanation>,
    /// The same, the first few, with what tells each from the others.
    pub alternatives: Vec<JsonAlternative>,
    /// The place that was not taken, or else the one that comes nearest.
    pub nearest: Option<JsonNearest>,
    /// The same whenever the same lines are asked of the same file: a model that goes round in circles. Hexadecimal.
    pub fingerprint: String,
}

/// A `@@` header, and where it leads.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Header", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonHeader {
    /// Its text.
    pub text: String,
    /// The first lines of the file that it leads to.
    pub lines: Vec<usize>,
}

/// A line that a chunk removes or adds, and where the file has it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "ChangedLine", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonChanged {
    /// Its line in the patch text; 0 if it is not known.
    pub patch_line: usize,
    /// `remove` or `add`.
    pub kind: JsonLineKind,
    /// Its text, verbatim.
    pub text: String,
    /// The first lines of the file that equal it apart from whitespace and look-alikes.
    pub lines: Vec<usize>,
}

/// A position of a chunk, and what the chunk would change there.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Explanation", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonExplanation {
    /// The first line of the file.
    pub first: usize,
    /// The last line of the file.
    pub last: usize,
    /// What the differences cost together.
    pub cost: u32,
    /// Whether the change is taken for made already.
    pub made: bool,
    /// What the chunk would change; `null` if that is not known.
    pub changes: Option<Vec<JsonReplacement>>,
}

/// Lines that replace lines of the file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Replacement", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonReplacement {
    /// The first removed line, or the line before which the lines are inserted.
    pub line: usize,
    /// How many lines are removed.
    pub removed: usize,
    /// The added lines.
    pub added: Vec<String>,
}

/// One of several places.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Alternative", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonAlternative {
    /// Its first line.
    pub line: usize,
    /// A line above it that tells it from the others.
    pub above: Option<JsonTelling>,
}

/// A line that tells a place from others.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "TellingLine", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonTelling {
    /// Its number in the file.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// Whether it leads there as a `@@` header.
    pub header: bool,
}

/// A place that comes near.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Nearest", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonNearest {
    /// Its first line.
    pub first: usize,
    /// Its last line.
    pub last: usize,
    /// Whether its lines are those that the edit makes, since it seems to be made.
    pub made: bool,
    /// Of the quoted lines, how many stand there, however they are written.
    pub alike: usize,
    /// How many lines were quoted.
    pub of: usize,
    /// Which of `lines`, from 0, is the first that differs.
    pub first_difference: Option<usize>,
    /// Which of `lines`, from 0, the question of the guard is about.
    pub in_doubt: Option<usize>,
    /// The quoted lines beside the lines of the file.
    pub lines: Vec<JsonNearLine>,
}

/// A quoted line beside the file's; one of the two may be missing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "NearLine", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonNearLine {
    /// Its line in the patch text; 0 where there is none.
    pub patch_line: usize,
    /// `context`, `remove` or `add`, of a quoted line.
    pub kind: Option<JsonLineKind>,
    /// What was quoted.
    pub quoted: Option<String>,
    /// Its line in the file; 0 where there is none.
    pub line: usize,
    /// What stands there, verbatim.
    pub actual: Option<String>,
    /// How they differ: a stable name, `same` if they do not.
    pub difference: &'static str,
    /// The pieces that differ, where they are small.
    pub pieces: Vec<JsonPiece>,
}

/// What a quoted line does.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "LineKind"))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum JsonLineKind {
    /// The line stays.
    Context,
    /// The line is removed.
    Remove,
    /// The line is added.
    Add,
}

/// A piece of a quoted line, and what the file has in its place: bytes of UTF-8, from 0, the end not included.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Piece", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonPiece {
    /// Start and end in the quoted line.
    pub quoted: [usize; 2],
    /// Start and end in the line of the file.
    pub actual: [usize; 2],
}
