//! The explanations of positions as JSON: `apply-patch explain --json`. Lines are counted from 1.

use std::fmt;
use std::num::NonZeroUsize;

use serde::Serialize;

use super::VERSION;
use crate::locate::{Candidate, Explanation};
use crate::patch::LineKind;
use crate::plan::HunkExplanation;
use crate::text::shown_json;

/// The object that `explain --json` prints.
#[derive(Serialize)]
struct JsonExplanations {
    version: u32,
    hunks: Vec<JsonHunk>,
}

#[derive(Serialize)]
struct JsonHunk {
    path: String,
    patch_line: Option<NonZeroUsize>,
    chunks: Vec<JsonChunk>,
    failures: Vec<JsonReason>,
}

/// A code and the words for the code.
#[derive(Serialize)]
struct JsonReason {
    code: &'static str,
    message: String,
}

#[derive(Serialize)]
struct JsonChunk {
    patch_line: Option<NonZeroUsize>,
    headers: Vec<JsonHeader>,
    /// By how much another result has to be more expensive, in tenths of a nat.
    margin: u32,
    /// The cheapest explanations, the cheapest first.
    candidates: Vec<JsonCandidate>,
    /// The line of the position; `null` if the chunk is refused.
    line: Option<usize>,
    refused: Option<JsonReason>,
}

#[derive(Serialize)]
struct JsonHeader {
    text: String,
    lines: Vec<usize>,
}

#[derive(Serialize)]
struct JsonCandidate {
    /// The first and the last line that is quoted.
    first: usize,
    last: usize,
    cost: u32,
    null: u32,
    made: bool,
    indentation: String,
    rows: Vec<JsonRow>,
    /// Why the result is not known; `null` if the result is known.
    obstacle: Option<JsonReason>,
}

#[derive(Serialize)]
struct JsonRow {
    kind: &'static str,
    text: String,
    line: Option<usize>,
    cost: u32,
    evidence: u32,
}

/// Writes explanations as a JSON object on a single line.
///
/// # Errors
/// Errors of `out`.
pub(crate) fn write_explanations(hunks: &[HunkExplanation], out: &mut dyn fmt::Write) -> fmt::Result {
    let hunks = hunks.iter().map(JsonHunk::new).collect();
    let json =
        serde_json::to_string(&JsonExplanations { version: VERSION, hunks }).map_err(|_| fmt::Error)?;
    writeln!(out, "{}", shown_json(&json))
}

impl JsonHunk {
    fn new(hunk: &HunkExplanation) -> Self {
        let failures = hunk
            .failures
            .iter()
            .map(|failure| JsonReason { code: failure.kind.code(), message: failure.to_string() });
        let chunks = hunk.chunks.iter().map(|(number, explanation)| JsonChunk::new(*number, explanation));
        JsonHunk {
            path: hunk.path.clone(),
            patch_line: hunk.number,
            chunks: chunks.collect(),
            failures: failures.collect(),
        }
    }
}

impl JsonChunk {
    fn new(patch_line: Option<NonZeroUsize>, explanation: &Explanation) -> Self {
        let headers = explanation.headers.iter().map(|(text, lines)| JsonHeader {
            text: text.clone(),
            lines: lines.iter().map(|line| line + 1).collect(),
        });
        let refused = explanation
            .outcome
            .as_ref()
            .err()
            .map(|miss| JsonReason { code: miss.reason.code(), message: miss.reason.to_string() });
        JsonChunk {
            patch_line,
            headers: headers.collect(),
            margin: explanation.margin,
            candidates: explanation.candidates.iter().map(JsonCandidate::new).collect(),
            line: explanation.outcome.as_ref().ok().map(|placement| placement.start + 1),
            refused,
        }
    }
}

impl JsonCandidate {
    fn new(candidate: &Candidate) -> Self {
        let rows = candidate.rows.iter().map(|row| JsonRow {
            kind: match row.kind {
                LineKind::Context => "context",
                LineKind::Remove => "remove",
                LineKind::Add => "add",
            },
            text: row.text.clone(),
            line: row.line.map(|line| line + 1),
            cost: row.cost,
            evidence: row.evidence,
        });
        let obstacle = candidate
            .result
            .as_ref()
            .err()
            .map(|doubt| JsonReason { code: doubt.code(), message: doubt.to_string() });
        JsonCandidate {
            first: candidate.lines.start + 1,
            last: candidate.lines.end,
            cost: candidate.cost,
            null: candidate.null,
            made: candidate.made,
            indentation: candidate.indentation.clone(),
            rows: rows.collect(),
            obstacle,
        }
    }
}
