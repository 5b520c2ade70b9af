//! The shape of a diagnosis in the JSON report: why a chunk has no position.

use serde::Serialize;

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
    /// The line of the file in question.
    pub line: Option<usize>,
    /// The first line of each place, where several are alike; the first thousand.
    pub places: Vec<usize>,
    /// The innermost `@@` header that was found.
    pub header: Option<JsonHeader>,
    /// The first lines that the chunk removes or adds, and where the file has them.
    pub changed: Vec<JsonChanged>,
    /// The explanations that decided: two with different results, or one.
    pub explanations: Vec<JsonExplanation>,
    /// The first few positions, with the differences between them.
    pub alternatives: Vec<JsonAlternative>,
    /// The refused position, or otherwise the nearest.
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
    /// The text of the line.
    pub text: String,
    /// The first lines of the file that the header leads to.
    pub lines: Vec<usize>,
}

/// A line that a chunk removes or adds, and where the file has it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "ChangedLine", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonChanged {
    /// The line in the patch text; 0 if the line is not known.
    pub patch_line: usize,
    /// `remove` or `add`.
    pub kind: JsonLineKind,
    /// The text, verbatim.
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

/// One of several positions.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Alternative", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonAlternative {
    /// The first line.
    pub line: usize,
    /// A line above that distinguishes the position.
    pub above: Option<JsonTelling>,
}

/// A line that distinguishes a position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "TellingLine", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonTelling {
    /// The number of the line in the file.
    pub line: usize,
    /// The text.
    pub text: String,
    /// Whether the line selects the position as a `@@` header.
    pub header: bool,
}

/// A place that comes near.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Nearest", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonNearest {
    /// The first line.
    pub first: usize,
    /// The last line.
    pub last: usize,
    /// Whether the lines are the result of the edit, because the edit seems to be already made.
    pub made: bool,
    /// How many quoted lines the file contains there, in any spelling.
    pub alike: usize,
    /// How many lines were quoted.
    pub of: usize,
    /// Which of `lines`, from 0, is the first that differs.
    pub first_difference: Option<usize>,
    /// Which of `lines`, from 0, the question of the guard is about.
    pub in_doubt: Option<usize>,
    /// The quoted lines beside the lines of the file.
    pub lines: Vec<JsonNearLine>,
    /// Lines of the file above, if the first quoted lines are missing.
    pub before: Vec<JsonFileLine>,
    /// Lines of the file below, if the last quoted lines are missing.
    pub after: Vec<JsonFileLine>,
}

/// A line of the file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "FileLine", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonFileLine {
    /// The line number in the file.
    pub line: usize,
    /// The text, verbatim.
    pub text: String,
}

/// A quoted line and the line of the file; either may be missing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "NearLine", deny_unknown_fields))]
#[non_exhaustive]
pub struct JsonNearLine {
    /// The line number in the patch text; 0 if there is no line.
    pub patch_line: usize,
    /// `context`, `remove` or `add`, of a quoted line.
    pub kind: Option<JsonLineKind>,
    /// What was quoted.
    pub quoted: Option<String>,
    /// The line number in the file; 0 if there is no line.
    pub line: usize,
    /// The text of the file, verbatim.
    pub actual: Option<String>,
    /// The difference as a stable name, `same` for equal lines.
    pub difference: &'static str,
    /// The pieces that differ, for small differences.
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

/// A piece of a quoted line, and the text of the file at its position: bytes of UTF-8, 0-based, the end excluded.
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
