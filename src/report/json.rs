//! Renders a report for programs: a JSON object with a version. `docs/report.md` describes the object,
//! `docs/report.schema.json` is the schema, generated from the types of `shape`.
//!
//! Lines are 1-based here, in files and in the patch text; 0 means no line.

#[cfg(feature = "cli")]
mod explain;
mod miss_shape;
mod shape;

use std::fmt;
use std::num::NonZeroUsize;

use serde::{Serialize, Serializer};

#[cfg(feature = "cli")]
pub(crate) use self::explain::write_explanations;
pub use self::miss_shape::{
    JsonAlternative, JsonChanged, JsonExplanation, JsonFileLine, JsonHeader, JsonLineKind, JsonMiss,
    JsonNearLine, JsonNearest, JsonPiece, JsonReplacement, JsonTelling, JsonTier,
};
pub use self::shape::{
    JsonChunk, JsonDrift, JsonError, JsonExactness, JsonFailure, JsonFile, JsonHunk, JsonHunkKind,
    JsonOutcome, JsonRepair, JsonReport, JsonRun,
};
use super::diff;
use super::lines::notes;
use super::style::Look;
use super::words::advice;
use crate::apply::chain;
use crate::format::{ParseError, Repair};
use crate::locate::{
    ActualLine, Alternative, Candidate, ChangedLine, Drift, Level, Miss, NearLine, Nearest, Piece, Reason,
    Tier, pieces,
};
use crate::patch::LineKind;
use crate::plan::{ChunkReport, Failure, FailureKind, Failures, HunkKind, HunkReport, LineRun};
use crate::run::{Caller, Changes, FileChange, Outcome, Preview, Report};
use crate::text::{Replacement, shown_json};

/// The version of the shape. The version changes when a field is removed or changes its meaning, not when a field is
/// added.
pub const VERSION: u32 = 1;

/// Writes the report as an object on a single line.
///
/// # Errors
/// Returns the errors of `out`.
///
/// ```
/// # use apply_patch::report;
/// # use apply_patch::run::{Options, Tree, run};
/// let mut tree: Tree = [("a.txt", "one\ntwo\n")].into_iter().collect();
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
/// let report = run(text, &Options::default(), &mut tree);
/// let mut json = String::new();
/// report::json::write(&report, &mut json).unwrap();
/// assert!(json.starts_with(r#"{"version":1,"outcome":"applied","changed":true,"#));
/// ```
pub fn write(report: &Report, out: &mut dyn fmt::Write) -> fmt::Result {
    let json = serde_json::to_string(report).map_err(|_| fmt::Error)?;
    writeln!(out, "{}", shown_json(&json))
}

/// A report serializes as the object that [`Report::to_json`] returns.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        JsonReport::new(self).serialize(serializer)
    }
}

impl JsonReport {
    /// The JSON Schema (2020-12) of the object that [`Report::to_json`] returns.
    pub const SCHEMA: &'static str = include_str!("../../docs/report.schema.json");

    /// Returns the object of a report, as a value.
    ///
    /// ```
    /// # use apply_patch::report::json::{JsonOutcome, JsonReport};
    /// # use apply_patch::run::{Options, Tree, run};
    /// let report = run("Sorry, I cannot do that.", &Options::default(), &mut Tree::Memory([].into()));
    /// let json = JsonReport::new(&report);
    /// assert!(matches!(json.outcome, JsonOutcome::NotAPatch));
    /// assert_eq!(json.errors[0].code, "no-envelope");
    /// ```
    pub fn new(report: &Report) -> Self {
        let empty = JsonReport {
            version: VERSION,
            outcome: JsonOutcome::Stopped,
            changed: report.changed(),
            status: report.status().code(),
            message: report.unclean.as_ref().map(|error| chain(error)),
            repairs: report.repairs.iter().map(JsonRepair::new).collect(),
            hunks: Vec::new(),
            files: Vec::new(),
            exactness: None,
            errors: Vec::new(),
            errors_in_all: 0,
            failures: Vec::new(),
            suggestion: report.suggestion.clone(),
            diff: plain_diff(&report.preview),
            next: None,
        };
        match &report.outcome {
            Outcome::Applied(changes) => empty.of_changes(changes, JsonOutcome::Applied),
            Outcome::WouldApply(changes) => empty.of_changes(changes, JsonOutcome::WouldApply),
            Outcome::Refused(failures) => empty.of_failures(failures, &report.caller),
            Outcome::NotAPatch(errors) => JsonReport {
                errors_in_all: errors.in_all,
                outcome: JsonOutcome::NotAPatch,
                errors: errors.kept.iter().map(|error| JsonError::new(error, &report.caller)).collect(),
                ..empty
            },
            Outcome::WrongUsage { words } => JsonReport {
                outcome: JsonOutcome::WrongUsage,
                message: Some(words.clone()),
                next: Some(advice::after_wrong_usage(&report.caller)),
                ..empty
            },
            Outcome::Stopped(stopped) => JsonReport { message: Some(stopped.words(&report.caller)), ..empty },
        }
    }

    fn of_changes(self, changes: &Changes, outcome: JsonOutcome) -> Self {
        let exactness = changes.exactness();
        JsonReport {
            outcome,
            hunks: changes.hunks.iter().map(JsonHunk::new).collect(),
            files: changes.files.iter().map(JsonFile::new).collect(),
            exactness: Some(JsonExactness { chunks: exactness.chunks, inexact: exactness.inexact }),
            ..self
        }
    }

    fn of_failures(self, failures: &Failures, caller: &Caller) -> Self {
        let of_replacement = failures.of_replacement();
        JsonReport {
            outcome: JsonOutcome::Refused,
            hunks: failures.placed.iter().map(JsonHunk::new).collect(),
            failures: failures
                .failures
                .iter()
                .map(|failure| JsonFailure::new(failure, of_replacement, caller))
                .collect(),
            next: Some(advice::next(failures, self.suggestion.is_some(), caller)),
            ..self
        }
    }
}

/// Returns the requested diff as a text, which can be applied unless trimmed.
fn plain_diff(preview: &Preview) -> Option<String> {
    let mut words = String::new();
    // Writing to a string does not fail.
    let _ = diff::write_files(preview.diff.as_ref()?, &Look::PLAIN, preview.trim, &mut words);
    Some(words)
}

impl JsonRepair {
    fn new(repair: &Repair) -> Self {
        JsonRepair {
            code: repair.kind.code(),
            first: repair.span.first,
            last: repair.span.last,
            message: repair.kind.to_string(),
        }
    }
}

impl JsonHunk {
    fn new(hunk: &HunkReport) -> Self {
        JsonHunk {
            patch_line: or_zero(hunk.number),
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
            patch_line: or_zero(chunk.number),
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
            Tier::IgnoreIndentation => JsonTier::Indentation,
            Tier::LookAlikes => JsonTier::LookAlikes,
            Tier::Spelling => JsonTier::Spelling,
            Tier::Alignment => JsonTier::Alignment,
        }
    }

    /// Returns all comparisons up to a comparison.
    fn up_to(loosest: Tier) -> Vec<Self> {
        let all = Level::Guarded.tiers().iter().copied().chain([Tier::Alignment]);
        all.filter(|tier| *tier <= loosest).map(JsonTier::new).collect()
    }
}

impl JsonDrift {
    fn new(drift: &Drift) -> Self {
        let lines = match drift {
            Drift::Lines { lines, .. } | Drift::Skipped { lines } | Drift::PartlyMade { lines } => {
                lines.iter().map(|line| line + 1).collect()
            }
            Drift::HeaderInPart { line, .. } => vec![line + 1],
            _ => Vec::new(),
        };
        JsonDrift { code: drift.code(), inexact: drift.is_inexact(), lines, message: drift.to_string() }
    }
}

impl JsonFile {
    fn new(file: &FileChange) -> Self {
        let run = |run: &LineRun| JsonRun { line: run.line, removed: run.removed, added: run.added.len() };
        JsonFile {
            path: file.path.to_string(),
            existed: file.existed,
            exists: file.exists,
            changes: file.lines.iter().map(run).collect(),
        }
    }
}

impl JsonError {
    fn new(error: &ParseError, caller: &Caller) -> Self {
        JsonError {
            code: error.kind.code(),
            first: error.span.first,
            last: error.span.last,
            found: error.found.clone(),
            expected: caller.expected(&error.kind),
            message: error.kind.to_string(),
            tool: error.tool.clone(),
        }
    }
}

impl JsonFailure {
    fn new(failure: &Failure, of_replacement: bool, caller: &Caller) -> Self {
        let similar = match &failure.kind {
            FailureKind::NoSuchFile { similar, .. } => similar.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        };
        let chunk = match &failure.kind {
            FailureKind::Chunk { nth, of, miss, .. } => Some(JsonMiss::new(*nth, *of, miss)),
            _ => None,
        };
        JsonFailure {
            code: failure.kind.code(),
            message: caller.failure(failure),
            advice: advice::about(failure, of_replacement, caller),
            hunk: failure.hunk + 1,
            patch_line: or_zero(failure.line()),
            path: failure.path.clone(),
            tool: failure.tool.clone(),
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
            missing_headers: miss.missing_headers.to_vec(),
            question,
            line,
            places,
            header: miss
                .lines
                .header
                .as_ref()
                .map(|(text, lines)| JsonHeader { text: text.clone(), lines: from_one(lines) }),
            changed: miss.lines.changed.iter().map(JsonChanged::new).collect(),
            explanations: miss.candidates.iter().map(JsonExplanation::new).collect(),
            alternatives: miss.alternatives.iter().map(JsonAlternative::new).collect(),
            nearest: miss.nearest.as_deref().map(JsonNearest::new),
            fingerprint: format!("{:016x}", miss.fingerprint),
        }
    }
}

impl JsonChanged {
    fn new(line: &ChangedLine) -> Self {
        JsonChanged {
            patch_line: or_zero(line.number),
            kind: JsonLineKind::new(line.kind),
            text: line.text.clone(),
            lines: from_one(&line.lines),
        }
    }
}

impl JsonExplanation {
    fn new(candidate: &Candidate) -> Self {
        let replacement = |replacement: &Replacement<'static>| JsonReplacement {
            line: replacement.start + 1,
            removed: replacement.removed,
            added: replacement.lines.iter().map(ToString::to_string).collect(),
        };
        let result = candidate.result.as_deref().ok();
        JsonExplanation {
            first: candidate.lines.start + 1,
            last: candidate.lines.end,
            cost: candidate.cost,
            made: candidate.made,
            changes: result.map(|result| result.iter().map(replacement).collect()),
        }
    }
}

impl JsonLineKind {
    fn new(kind: LineKind) -> Self {
        match kind {
            LineKind::Context => JsonLineKind::Context,
            LineKind::Remove => JsonLineKind::Remove,
            LineKind::Add => JsonLineKind::Add,
        }
    }
}

/// Returns lines counted from 1.
fn from_one(lines: &[usize]) -> Vec<usize> {
    lines.iter().map(|line| line + 1).collect()
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
            before: nearest.before.iter().map(JsonFileLine::new).collect(),
            after: nearest.after.iter().map(JsonFileLine::new).collect(),
        }
    }
}

impl JsonFileLine {
    fn new(line: &ActualLine) -> Self {
        JsonFileLine { line: line.line + 1, text: line.text.clone() }
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
            patch_line: or_zero(line.quoted.as_ref().and_then(|quoted| quoted.number)),
            kind: line.quoted.as_ref().map(|quoted| JsonLineKind::new(quoted.kind)),
            quoted: line.quoted.as_ref().map(|quoted| quoted.text.clone()),
            line: line.actual.as_ref().map_or(0, |actual| actual.line + 1),
            actual: line.actual.as_ref().map(|actual| actual.text.clone()),
            difference: line.difference.code(),
            pieces: apart.into_iter().map(piece).collect(),
        }
    }
}

/// Returns a line number for the schema: 0 for `None`.
fn or_zero(number: Option<NonZeroUsize>) -> usize {
    number.map_or(0, NonZeroUsize::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `UPDATE_SCHEMA=1 cargo test schema` writes the schema.
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
            assert_eq!(JsonReport::SCHEMA, schema, "run `UPDATE_SCHEMA=1 cargo test schema`");
        }
    }
}
