//! The shape of the JSON, without a word about how it is filled: what `docs/report.schema.json` is made from.

use serde::Serialize;

/// What became of a patch, or of a replacement.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Report", deny_unknown_fields))]
pub(super) struct JsonReport {
    /// The version of this shape.
    pub(super) version: u32,
    /// How it ended.
    pub(super) outcome: JsonOutcome,
    /// Whether anything was changed on the disk.
    pub(super) changed: bool,
    /// The exit status of the command.
    pub(super) status: u8,
    /// What happened, where no other field says it: the message of a run that was stopped, or of wrong usage.
    pub(super) message: Option<String>,
    /// What was repaired in the text of the patch.
    pub(super) repairs: Vec<JsonRepair>,
    /// The hunks that were carried out, or would be; of a refused patch those that would have worked.
    pub(super) hunks: Vec<JsonHunk>,
    /// The net change to each path.
    pub(super) files: Vec<JsonFile>,
    /// How many chunks there are, and how many of them were not quoted as the file has them; of a patch that fits.
    pub(super) exactness: Option<JsonExactness>,
    /// What keeps the text from being a patch.
    pub(super) errors: Vec<JsonError>,
    /// What keeps the patch from fitting the files.
    pub(super) failures: Vec<JsonFailure>,
    /// A patch that can be sent instead of a refused one, quoted from the files. It is to be checked first: it may not
    /// be what was meant.
    pub(super) suggestion: Option<String>,
    /// What the plan changes, as a diff, where that was asked for.
    pub(super) diff: Option<String>,
    /// What to do after a refusal, or wrong usage.
    pub(super) next: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Outcome"))]
#[serde(rename_all = "kebab-case")]
pub(super) enum JsonOutcome {
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
pub(super) struct JsonRepair {
    /// A stable name.
    pub(super) code: &'static str,
    /// Its first line in the patch text.
    pub(super) first: usize,
    /// Its last line in the patch text.
    pub(super) last: usize,
    /// What was done, in words.
    pub(super) message: String,
}

/// What a hunk does to its file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Hunk", deny_unknown_fields))]
pub(super) struct JsonHunk {
    /// Its line in the patch text; 0 for a replacement.
    pub(super) patch_line: usize,
    pub(super) kind: JsonHunkKind,
    /// The file, as it was read from the patch.
    pub(super) path: String,
    /// Its new name, if it has one.
    pub(super) moved_to: Option<String>,
    /// How many lines it adds.
    pub(super) added: usize,
    /// How many lines it removes.
    pub(super) removed: usize,
    /// Whether the content is the same afterwards.
    pub(super) unchanged: bool,
    /// How the names were read, and what the file is besides its lines, in words.
    pub(super) notes: Vec<String>,
    pub(super) chunks: Vec<JsonChunk>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "HunkKind"))]
#[serde(rename_all = "kebab-case")]
pub(super) enum JsonHunkKind {
    Add,
    Update,
    Delete,
    Move,
    Copy,
}

/// How a chunk was placed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Chunk", deny_unknown_fields))]
pub(super) struct JsonChunk {
    /// Its line in the patch text; 0 for a replacement.
    pub(super) patch_line: usize,
    /// The first line of its place, in the file as it was, or as the chunks before it left it (drift `after-earlier`);
    /// 0 where it has none.
    pub(super) line: usize,
    /// How its lines were compared with the file's.
    pub(super) tier: JsonTier,
    /// What the differences cost together, in tenths of a misspelt word.
    pub(super) cost: u32,
    pub(super) added: usize,
    pub(super) removed: usize,
    /// Whether it was quoted as the file has it, where it stands.
    pub(super) exact: bool,
    pub(super) drift: Vec<JsonDrift>,
}

/// A way of comparing lines, from exact to loose.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Tier"))]
#[serde(rename_all = "kebab-case")]
pub(super) enum JsonTier {
    Exact,
    TrailingSpace,
    Indentation,
    LookAlikes,
    Spelling,
    Alignment,
}

/// A difference that was taken.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Drift", deny_unknown_fields))]
pub(super) struct JsonDrift {
    /// A stable name.
    pub(super) code: &'static str,
    /// Whether the quote can be better next time.
    pub(super) inexact: bool,
    /// The lines of the file that it is about.
    pub(super) lines: Vec<usize>,
    /// In words.
    pub(super) message: String,
}

/// The net change to a path.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "File", deny_unknown_fields))]
pub(super) struct JsonFile {
    /// The path with links resolved.
    pub(super) path: String,
    /// Whether a file is there before.
    pub(super) existed: bool,
    /// Whether a file is there afterwards.
    pub(super) exists: bool,
    /// The runs of lines that change, of a file that is there before and afterwards.
    pub(super) changes: Vec<JsonRun>,
}

/// Lines that are written in place of others.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Run", deny_unknown_fields))]
pub(super) struct JsonRun {
    /// The first of them in the file as it is afterwards; of a removal the line that stands there then.
    pub(super) line: usize,
    /// How many lines go.
    pub(super) removed: usize,
    /// How many lines come.
    pub(super) added: usize,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Exactness", deny_unknown_fields))]
pub(super) struct JsonExactness {
    pub(super) chunks: usize,
    pub(super) inexact: usize,
}

/// What keeps a text from being a patch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Error", deny_unknown_fields))]
pub(super) struct JsonError {
    /// A stable name.
    pub(super) code: &'static str,
    /// Its first line in the patch text; one past the last line where something is missing at the end.
    pub(super) first: usize,
    /// Its last line in the patch text.
    pub(super) last: usize,
    /// What stood there, shortened.
    pub(super) found: String,
    /// What may stand there.
    pub(super) expected: String,
    /// What is wrong, in words.
    pub(super) message: String,
}

/// What keeps a hunk from being carried out.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Failure", deny_unknown_fields))]
pub(super) struct JsonFailure {
    /// A stable name.
    pub(super) code: &'static str,
    /// In words.
    pub(super) message: String,
    /// What may be done about it, in words.
    pub(super) advice: Option<String>,
    /// Which hunk of the patch it is, from 1.
    pub(super) hunk: usize,
    /// The line in the patch text of the chunk, or else of the hunk; 0 for a replacement.
    pub(super) patch_line: usize,
    /// The file, as the patch spells it.
    pub(super) path: String,
    /// Files that may be meant, where there is none of that name.
    pub(super) similar: Vec<String>,
    /// What is wrong with a chunk.
    pub(super) chunk: Option<JsonMiss>,
}

/// Why a chunk, or the old text of a replacement, has no place.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Miss", deny_unknown_fields))]
pub(super) struct JsonMiss {
    /// Which chunk of the hunk, from 1.
    pub(super) number: usize,
    /// How many chunks the hunk has.
    pub(super) of: usize,
    /// The ways in which lines were compared, tightest first.
    pub(super) tried: Vec<JsonTier>,
    /// The `@@` headers that are not in the file.
    pub(super) missing_headers: Vec<String>,
    /// The question of the guard that a place did not pass.
    pub(super) question: Option<&'static str>,
    /// The line of the file that it is about.
    pub(super) line: Option<usize>,
    /// The first line of each place, where several are alike; the first thousand.
    pub(super) places: Vec<usize>,
    /// The same, the first few, with what tells each from the others.
    pub(super) alternatives: Vec<JsonAlternative>,
    /// The place that was not taken, or else the one that comes nearest.
    pub(super) nearest: Option<JsonNearest>,
    /// The same whenever the same lines are asked of the same file: a model that goes round in circles. Hexadecimal.
    pub(super) fingerprint: String,
}

/// One of several places.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Alternative", deny_unknown_fields))]
pub(super) struct JsonAlternative {
    /// Its first line.
    pub(super) line: usize,
    /// A line above it that tells it from the others.
    pub(super) above: Option<JsonTelling>,
}

/// A line that tells a place from others.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "TellingLine", deny_unknown_fields))]
pub(super) struct JsonTelling {
    pub(super) line: usize,
    pub(super) text: String,
    /// Whether it leads there as a `@@` header.
    pub(super) header: bool,
}

/// A place that comes near.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Nearest", deny_unknown_fields))]
pub(super) struct JsonNearest {
    /// Its first line.
    pub(super) first: usize,
    /// Its last line.
    pub(super) last: usize,
    /// Whether its lines are those that the edit makes, since it seems to be made.
    pub(super) made: bool,
    /// Of the quoted lines, how many stand there, however they are written.
    pub(super) alike: usize,
    /// How many lines were quoted.
    pub(super) of: usize,
    /// Which of `lines`, from 0, is the first that differs.
    pub(super) first_difference: Option<usize>,
    /// Which of `lines`, from 0, the question of the guard is about.
    pub(super) in_doubt: Option<usize>,
    pub(super) lines: Vec<JsonNearLine>,
}

/// A quoted line beside the file's; one of the two may be missing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "NearLine", deny_unknown_fields))]
pub(super) struct JsonNearLine {
    /// Its line in the patch text; 0 where there is none.
    pub(super) patch_line: usize,
    /// `context`, `remove` or `add`, of a quoted line.
    pub(super) kind: Option<JsonLineKind>,
    /// What was quoted.
    pub(super) quoted: Option<String>,
    /// Its line in the file; 0 where there is none.
    pub(super) line: usize,
    /// What stands there, verbatim.
    pub(super) actual: Option<String>,
    /// How they differ: a stable name, `same` if they do not.
    pub(super) difference: &'static str,
    /// The pieces that differ, where they are small.
    pub(super) pieces: Vec<JsonPiece>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "LineKind"))]
#[serde(rename_all = "kebab-case")]
pub(super) enum JsonLineKind {
    Context,
    Remove,
    Add,
}

/// A piece of a quoted line, and what the file has in its place: bytes of UTF-8, from 0, the end not included.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Piece", deny_unknown_fields))]
pub(super) struct JsonPiece {
    pub(super) quoted: [usize; 2],
    pub(super) actual: [usize; 2],
}
