//! For programs: one JSON object, versioned. `docs/report.md` describes it, `docs/report.schema.json` is its schema, made
//! from the types here.
//!
//! Lines are counted from 1 here, in files and in the patch text, as people count them; 0 is no line.

use std::fmt;

use serde::Serialize;

use super::people::notes;
use super::{Outcome, Report, advice, changes};
use crate::format::{ParseError, Repair};
use crate::locate::{Alternative, Drift, Level, Miss, NearLine, Nearest, Piece, Reason, Tier, pieces};
use crate::patch::LineKind;
use crate::plan::{Change, ChunkReport, Failure, FailureKind, Failures, HunkKind, HunkReport, Plan};

/// The version of the shape. It changes where a field goes, or changes its meaning; not where one is added.
pub const VERSION: u32 = 1;

/// The JSON Schema (2020-12) of the object that [`write()`] gives.
pub const SCHEMA: &str = include_str!("../../docs/report.schema.json");

/// Writes the report as one object on one line.
///
/// # Errors
/// Those of `out`.
///
/// ```
/// # use std::collections::BTreeMap;
/// # use apply_patch::{format, plan, report};
/// # use apply_patch::report::{Outcome, Report};
/// let files = BTreeMap::from([("a.txt".into(), b"one\ntwo\n".to_vec())]);
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
/// let parsed = format::parse(text, &format::Options::default());
/// let plan = plan::plan(&parsed.patch, &files, &plan::Options::default()).unwrap();
/// let report = Report::of(Outcome::Applied(&plan));
/// let mut json = String::new();
/// report::json::write(&report, &mut json).unwrap();
/// assert!(json.starts_with(r#"{"version":1,"outcome":"applied","changed":true,"#));
/// ```
pub fn write(report: &Report<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    let json = serde_json::to_string(&JsonReport::new(report)).map_err(|_| fmt::Error)?;
    writeln!(out, "{json}")
}

/// What became of a patch, or of a replacement.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Report", deny_unknown_fields))]
struct JsonReport {
    /// The version of this shape.
    version: u32,
    /// How it ended.
    outcome: JsonOutcome,
    /// Whether anything was changed on the disk.
    changed: bool,
    /// The exit status of the command.
    status: u8,
    /// What happened, where no other field says it: the message of a run that was stopped.
    message: Option<String>,
    /// What was repaired in the text of the patch.
    repairs: Vec<JsonRepair>,
    /// The hunks that were carried out, or would be; of a refused patch those that would have worked.
    hunks: Vec<JsonHunk>,
    /// The net change to each path.
    files: Vec<JsonFile>,
    /// How many chunks there are, and how many of them were not quoted as the file has them; of a patch that fits.
    exactness: Option<JsonExactness>,
    /// What keeps the text from being a patch.
    errors: Vec<JsonError>,
    /// What keeps the patch from fitting the files.
    failures: Vec<JsonFailure>,
    /// A patch that can be sent instead of a refused one, quoted from the files. It is to be checked first: it may not
    /// be what was meant.
    suggestion: Option<String>,
    /// What the plan changes, as a diff, where that was asked for.
    diff: Option<String>,
    /// What to do after a refusal.
    next: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Outcome"))]
#[serde(rename_all = "kebab-case")]
enum JsonOutcome {
    /// The patch was applied.
    Applied,
    /// The patch fits; nothing was touched, as was asked for.
    WouldApply,
    /// The patch does not fit the files; nothing was changed.
    Refused,
    /// The text is not a patch; nothing was changed.
    NotAPatch,
    /// Something else ended the run: see `message`, `status` and `changed`.
    Stopped,
}

/// Something in the patch text that was read although the grammar does not allow it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Repair", deny_unknown_fields))]
struct JsonRepair {
    /// Its first line in the patch text.
    first: usize,
    /// Its last line in the patch text.
    last: usize,
    /// What was done, in words.
    message: String,
}

/// What a hunk does to its file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Hunk", deny_unknown_fields))]
struct JsonHunk {
    /// Its line in the patch text; 0 for a replacement.
    patch_line: usize,
    kind: JsonHunkKind,
    /// The file, as it was read from the patch.
    path: String,
    /// Its new name, if it has one.
    moved_to: Option<String>,
    /// How many lines it adds.
    added: usize,
    /// How many lines it removes.
    removed: usize,
    /// Whether the content is the same afterwards.
    unchanged: bool,
    /// How the names were read, and what the file is besides its lines, in words.
    notes: Vec<String>,
    chunks: Vec<JsonChunk>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "HunkKind"))]
#[serde(rename_all = "kebab-case")]
enum JsonHunkKind {
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
struct JsonChunk {
    /// Its line in the patch text; 0 for a replacement.
    patch_line: usize,
    /// The first line of its place, in the file as it was, or as the chunks before it left it (drift `after-earlier`);
    /// 0 where it has none.
    line: usize,
    /// How its lines were compared with the file's.
    tier: JsonTier,
    /// What the differences cost together, in tenths of a misspelt word.
    cost: u32,
    added: usize,
    removed: usize,
    /// Whether it was quoted as the file has it, where it stands.
    exact: bool,
    drift: Vec<JsonDrift>,
}

/// A way of comparing lines, from exact to loose.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Tier"))]
#[serde(rename_all = "kebab-case")]
enum JsonTier {
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
struct JsonDrift {
    /// A stable name.
    code: &'static str,
    /// Whether the quote can be better next time.
    inexact: bool,
    /// The lines of the file that it is about.
    lines: Vec<usize>,
    /// In words.
    message: String,
}

/// The net change to a path.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "File", deny_unknown_fields))]
struct JsonFile {
    /// The path with links resolved.
    path: String,
    /// Whether a file is there before.
    existed: bool,
    /// Whether a file is there afterwards.
    exists: bool,
    /// The runs of lines that change, of a file that is there before and afterwards.
    changes: Vec<JsonRun>,
}

/// Lines that are written in place of others.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Run", deny_unknown_fields))]
struct JsonRun {
    /// The first of them in the file as it is afterwards; of a removal the line that stands there then.
    line: usize,
    /// How many lines go.
    removed: usize,
    /// How many lines come.
    added: usize,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Exactness", deny_unknown_fields))]
struct JsonExactness {
    chunks: usize,
    inexact: usize,
}

/// What keeps a text from being a patch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Error", deny_unknown_fields))]
struct JsonError {
    /// A stable name.
    code: &'static str,
    /// Its first line in the patch text; one past the last line where something is missing at the end.
    first: usize,
    /// Its last line in the patch text.
    last: usize,
    /// What stood there, shortened.
    found: String,
    /// What may stand there.
    expected: String,
    /// What is wrong, in words.
    message: String,
}

/// What keeps a hunk from being carried out.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Failure", deny_unknown_fields))]
struct JsonFailure {
    /// A stable name.
    code: &'static str,
    /// In words.
    message: String,
    /// What may be done about it, in words.
    advice: Option<String>,
    /// Which hunk of the patch it is, from 1.
    hunk: usize,
    /// The line in the patch text of the chunk, or else of the hunk; 0 for a replacement.
    patch_line: usize,
    /// The file, as the patch spells it.
    path: String,
    /// Files that may be meant, where there is none of that name.
    similar: Vec<String>,
    /// What is wrong with a chunk.
    chunk: Option<JsonMiss>,
}

/// Why a chunk, or the old text of a replacement, has no place.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Miss", deny_unknown_fields))]
struct JsonMiss {
    /// Which chunk of the hunk, from 1.
    number: usize,
    /// How many chunks the hunk has.
    of: usize,
    /// The ways in which lines were compared, tightest first.
    tried: Vec<JsonTier>,
    /// The `@@` headers that are not in the file.
    missing_headers: Vec<String>,
    /// The question of the guard that a place did not pass.
    question: Option<&'static str>,
    /// The line of the file that it is about.
    line: Option<usize>,
    /// The first line of each place, where several are alike; the first thousand.
    places: Vec<usize>,
    /// The same, the first few, with what tells each from the others.
    alternatives: Vec<JsonAlternative>,
    /// The place that was not taken, or else the one that comes nearest.
    nearest: Option<JsonNearest>,
    /// The same whenever the same lines are asked of the same file: a model that goes round in circles. Hexadecimal.
    fingerprint: String,
}

/// One of several places.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Alternative", deny_unknown_fields))]
struct JsonAlternative {
    /// Its first line.
    line: usize,
    /// A line above it that tells it from the others.
    above: Option<JsonTelling>,
}

/// A line that tells a place from others.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "TellingLine", deny_unknown_fields))]
struct JsonTelling {
    line: usize,
    text: String,
    /// Whether it leads there as a `@@` header.
    header: bool,
}

/// A place that comes near.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Nearest", deny_unknown_fields))]
struct JsonNearest {
    /// Its first line.
    first: usize,
    /// Its last line.
    last: usize,
    /// Whether its lines are those that the edit makes, since it seems to be made.
    made: bool,
    /// Of the quoted lines, how many stand there, however they are written.
    alike: usize,
    /// How many lines were quoted.
    of: usize,
    /// Which of `lines`, from 0, is the first that differs.
    first_difference: Option<usize>,
    /// Which of `lines`, from 0, the question of the guard is about.
    in_doubt: Option<usize>,
    lines: Vec<JsonNearLine>,
}

/// A quoted line beside the file's; one of the two may be missing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "NearLine", deny_unknown_fields))]
struct JsonNearLine {
    /// Its line in the patch text; 0 where there is none.
    patch_line: usize,
    /// `context`, `remove` or `add`, of a quoted line.
    kind: Option<JsonLineKind>,
    /// What was quoted.
    quoted: Option<String>,
    /// Its line in the file; 0 where there is none.
    line: usize,
    /// What stands there, verbatim.
    actual: Option<String>,
    /// How they differ: a stable name, `same` if they do not.
    difference: &'static str,
    /// The pieces that differ, where they are small.
    pieces: Vec<JsonPiece>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "LineKind"))]
#[serde(rename_all = "kebab-case")]
enum JsonLineKind {
    Context,
    Remove,
    Add,
}

/// A piece of a quoted line, and what the file has in its place: bytes of UTF-8, from 0, the end not included.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Piece", deny_unknown_fields))]
struct JsonPiece {
    quoted: [usize; 2],
    actual: [usize; 2],
}

impl JsonReport {
    fn new(report: &Report<'_>) -> Self {
        let outcome = &report.outcome;
        let empty = JsonReport {
            version: VERSION,
            outcome: JsonOutcome::Stopped,
            changed: outcome.changed(),
            status: outcome.status(),
            message: None,
            repairs: report.repairs.iter().map(JsonRepair::new).collect(),
            hunks: Vec::new(),
            files: Vec::new(),
            exactness: None,
            errors: Vec::new(),
            failures: Vec::new(),
            suggestion: report.suggestion.map(str::to_owned),
            diff: report.preview.map(str::to_owned),
            next: None,
        };
        match outcome {
            Outcome::Applied(plan) => empty.of_plan(plan, JsonOutcome::Applied),
            Outcome::WouldApply(plan) => empty.of_plan(plan, JsonOutcome::WouldApply),
            Outcome::Refused(failures) => empty.of_failures(failures),
            Outcome::NotAPatch(errors) => JsonReport {
                outcome: JsonOutcome::NotAPatch,
                errors: errors.0.iter().map(JsonError::new).collect(),
                ..empty
            },
            Outcome::Stopped { words, .. } => JsonReport { message: Some((*words).to_owned()), ..empty },
        }
    }

    fn of_plan(self, plan: &Plan, outcome: JsonOutcome) -> Self {
        let exactness = plan.exactness();
        JsonReport {
            outcome,
            hunks: plan.hunks.iter().map(JsonHunk::new).collect(),
            files: plan.changes.iter().map(JsonFile::new).collect(),
            exactness: Some(JsonExactness { chunks: exactness.chunks, inexact: exactness.inexact }),
            ..self
        }
    }

    fn of_failures(self, failures: &Failures) -> Self {
        let of_replacement = failures.of_replacement();
        JsonReport {
            outcome: JsonOutcome::Refused,
            hunks: failures.placed.iter().map(JsonHunk::new).collect(),
            failures: failures
                .failures
                .iter()
                .map(|failure| JsonFailure::new(failure, of_replacement))
                .collect(),
            next: Some(advice::next(failures, self.suggestion.is_some())),
            ..self
        }
    }
}

impl JsonRepair {
    fn new(repair: &Repair) -> Self {
        JsonRepair { first: repair.span.first, last: repair.span.last, message: repair.kind.to_string() }
    }
}

impl JsonHunk {
    fn new(hunk: &HunkReport) -> Self {
        JsonHunk {
            patch_line: hunk.number,
            kind: match hunk.kind {
                HunkKind::Add => JsonHunkKind::Add,
                HunkKind::Update => JsonHunkKind::Update,
                HunkKind::Delete => JsonHunkKind::Delete,
                HunkKind::Move => JsonHunkKind::Move,
                HunkKind::Copy => JsonHunkKind::Copy,
            },
            path: hunk.path.to_string(),
            moved_to: hunk.moved_to.as_ref().map(ToString::to_string),
            added: hunk.added,
            removed: hunk.removed,
            unchanged: hunk.unchanged,
            notes: notes(hunk).collect(),
            chunks: hunk.chunks.iter().map(JsonChunk::new).collect(),
        }
    }
}

impl JsonChunk {
    fn new(chunk: &ChunkReport) -> Self {
        let placement = &chunk.placement;
        let nowhere = placement.drift.contains(&Drift::AnchorMissing);
        JsonChunk {
            patch_line: chunk.number,
            line: if nowhere { 0 } else { placement.start + 1 },
            tier: JsonTier::new(placement.tier),
            cost: placement.cost,
            added: placement.added,
            removed: placement.removed,
            exact: !placement.drift.iter().any(Drift::is_inexact),
            drift: placement.drift.iter().map(JsonDrift::new).collect(),
        }
    }
}

impl JsonTier {
    fn new(tier: Tier) -> Self {
        match tier {
            Tier::Exact => JsonTier::Exact,
            Tier::TrailingSpace => JsonTier::TrailingSpace,
            Tier::Indentation => JsonTier::Indentation,
            Tier::LookAlikes => JsonTier::LookAlikes,
            Tier::Spelling => JsonTier::Spelling,
            Tier::Alignment => JsonTier::Alignment,
        }
    }

    /// All ways up to one.
    fn up_to(loosest: Tier) -> Vec<Self> {
        let all = Level::Guarded.tiers().iter().copied().chain([Tier::Alignment]);
        all.filter(|tier| *tier <= loosest).map(JsonTier::new).collect()
    }
}

impl JsonDrift {
    fn new(drift: &Drift) -> Self {
        let lines = match drift {
            Drift::Lines { lines, .. } | Drift::Skipped { lines } => {
                lines.iter().map(|line| line + 1).collect()
            }
            Drift::HeaderInPart { line, .. } => vec![line + 1],
            _ => Vec::new(),
        };
        JsonDrift { code: drift.code(), inexact: drift.is_inexact(), lines, message: drift.to_string() }
    }
}

impl JsonFile {
    fn new(change: &Change) -> Self {
        let run = |changed: changes::Changed| JsonRun {
            line: changed.line,
            removed: changed.removed,
            added: changed.added.len(),
        };
        JsonFile {
            path: change.path.to_string(),
            existed: change.existed(),
            exists: change.exists(),
            changes: changes::changed(change).into_iter().map(run).collect(),
        }
    }
}

impl JsonError {
    fn new(error: &ParseError) -> Self {
        JsonError {
            code: error.kind.code(),
            first: error.span.first,
            last: error.span.last,
            found: error.found.clone(),
            expected: error.kind.expected().to_owned(),
            message: error.kind.to_string(),
        }
    }
}

impl JsonFailure {
    fn new(failure: &Failure, of_replacement: bool) -> Self {
        let similar = match &failure.kind {
            FailureKind::NoSuchFile { similar } => similar.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        };
        let chunk = match &failure.kind {
            FailureKind::Chunk { nth, of, miss, .. } => Some(JsonMiss::new(*nth, *of, miss)),
            _ => None,
        };
        JsonFailure {
            code: failure.kind.code(),
            message: failure.to_string(),
            advice: advice::about(failure, of_replacement),
            hunk: failure.hunk + 1,
            patch_line: failure.line(),
            path: failure.path.clone(),
            similar,
            chunk,
        }
    }
}

impl JsonMiss {
    fn new(nth: usize, of: usize, miss: &Miss) -> Self {
        let (question, line) = match &miss.reason {
            Reason::Doubt { doubt, line, .. } => (Some(doubt.question()), line.map(|line| line + 1)),
            Reason::Overlap { line } | Reason::NotText { line } => (None, Some(line + 1)),
            _ => (None, None),
        };
        let places = match &miss.reason {
            Reason::Ambiguous { places } => places.iter().map(|place| place + 1).collect(),
            _ => Vec::new(),
        };
        JsonMiss {
            number: nth + 1,
            of,
            tried: JsonTier::up_to(miss.tried),
            missing_headers: miss.missing_headers.clone(),
            question,
            line,
            places,
            alternatives: miss.alternatives.iter().map(JsonAlternative::new).collect(),
            nearest: miss.nearest.as_deref().map(JsonNearest::new),
            fingerprint: format!("{:016x}", miss.fingerprint),
        }
    }
}

impl JsonAlternative {
    fn new(place: &Alternative) -> Self {
        let above = place.above.as_ref().map(|above| JsonTelling {
            line: above.line + 1,
            text: above.text.clone(),
            header: above.header,
        });
        JsonAlternative { line: place.start + 1, above }
    }
}

impl JsonNearest {
    fn new(nearest: &Nearest) -> Self {
        let (place, (alike, of)) = (nearest.place(), nearest.alike());
        JsonNearest {
            first: place.start + 1,
            last: place.end,
            made: nearest.made,
            alike,
            of,
            first_difference: nearest.first_difference(),
            in_doubt: nearest.in_doubt,
            lines: nearest.lines.iter().map(JsonNearLine::new).collect(),
        }
    }
}

impl JsonNearLine {
    fn new(line: &NearLine) -> Self {
        let both = line.quoted.as_ref().zip(line.actual.as_ref());
        let apart = both.map(|(quoted, actual)| pieces(&quoted.text, &actual.text)).unwrap_or_default();
        let piece = |Piece { quoted, actual }: Piece| JsonPiece {
            quoted: [quoted.start, quoted.end],
            actual: [actual.start, actual.end],
        };
        JsonNearLine {
            patch_line: line.quoted.as_ref().map_or(0, |quoted| quoted.number),
            kind: line.quoted.as_ref().map(|quoted| match quoted.kind {
                LineKind::Context => JsonLineKind::Context,
                LineKind::Remove => JsonLineKind::Remove,
                LineKind::Add => JsonLineKind::Add,
            }),
            quoted: line.quoted.as_ref().map(|quoted| quoted.text.clone()),
            line: line.actual.as_ref().map_or(0, |actual| actual.line + 1),
            actual: line.actual.as_ref().map(|actual| actual.text.clone()),
            difference: line.difference.code(),
            pieces: apart.into_iter().map(piece).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `UPDATE_SCHEMA=1 cargo test schema` writes it.
    #[test]
    fn the_schema_is_that_of_the_types() {
        let schema = schemars::generate::SchemaSettings::draft2020_12()
            .for_serialize()
            .into_generator()
            .into_root_schema_for::<JsonReport>();
        let schema = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/report.schema.json"), &schema).unwrap();
        } else {
            assert_eq!(SCHEMA, schema, "run `UPDATE_SCHEMA=1 cargo test schema`");
        }
    }
}
