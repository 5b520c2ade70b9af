//! Explains to a person why a chunk matched at its position, or did not match.

use std::fmt::{self, Write};
use std::num::NonZeroUsize;

use super::words::miss::lines;
use crate::locate::{Candidate, CandidateRow, Explanation, Placement};
use crate::plan::HunkExplanation;
use crate::text::shown;

/// Writes the explanation of each chunk: the lines that its headers select, its cheapest explanations with their costs,
/// the contribution of each quoted line, and the result.
///
/// # Errors
/// Returns the errors of `out`.
pub(crate) fn write(hunks: &[HunkExplanation], out: &mut dyn Write) -> fmt::Result {
    for hunk in hunks {
        writeln!(out, "{}{}", shown(&hunk.path), patch_line(hunk.number))?;
        for (nth, (number, explanation)) in hunk.chunks.iter().enumerate() {
            writeln!(out, "  chunk {}{}", nth + 1, patch_line(*number))?;
            write_chunk(explanation, out)?;
        }
        for failure in &hunk.failures {
            writeln!(out, "  refused: {failure} [{}]", failure.kind.code())?;
        }
        if hunk.failures.is_empty() {
            writeln!(out, "  fits")?;
        }
    }
    Ok(())
}

/// Returns the line in the patch text, in brackets; empty if the patch was not parsed from a text.
fn patch_line(number: Option<NonZeroUsize>) -> String {
    number.map_or_else(String::new, |number| format!(" (patch line {number})"))
}

fn write_chunk(explanation: &Explanation, out: &mut dyn Write) -> fmt::Result {
    for (header, lines) in &explanation.headers {
        let lines: Vec<String> = lines.iter().map(|line| (line + 1).to_string()).collect();
        let leads =
            if lines.is_empty() { "is not there".to_owned() } else { format!("line {}", lines.join(", ")) };
        writeln!(out, "    header `{}`: {leads}", shown(header))?;
    }
    for (nth, candidate) in explanation.candidates.iter().enumerate() {
        write_candidate(candidate, nth == 0, out)?;
    }
    if let [best, second, ..] = &explanation.candidates[..] {
        let (apart, margin) = (second.cost - best.cost, explanation.margin);
        writeln!(out, "    the cheapest is {apart} cheaper than the next; the margin is {margin}")?;
    }
    match &explanation.outcome {
        Ok(placement) => write_placement(placement, out),
        Err(miss) => writeln!(out, "    not placed: {}", miss.reason),
    }
}

/// Writes an explanation; for the cheapest also the contribution of each line.
fn write_candidate(candidate: &Candidate, is_cheapest: bool, out: &mut dyn Write) -> fmt::Result {
    let Candidate { cost, null, .. } = candidate;
    let state = if candidate.made { "made before" } else { "to be made" };
    write!(out, "    {}: cost {cost}, not in the file {null}, {state}", lines(&candidate.lines))?;
    write!(out, ", indentation: {}", candidate.indentation)?;
    match &candidate.result {
        Ok(_) => writeln!(out)?,
        Err(doubt) => writeln!(out, ", no result: {doubt} [{}]", doubt.code())?,
    }
    let mut rows = candidate.rows.iter().filter(|_| is_cheapest);
    rows.try_for_each(|row| write_row(row, out))
}

fn write_row(row: &CandidateRow, out: &mut dyn Write) -> fmt::Result {
    let line = row.line.map_or("not in the file".to_owned(), |line| format!("line {}", line + 1));
    let (sign, text) = (row.kind.sign(), shown(&row.text));
    writeln!(out, "      {sign}{text}  ({line}, cost {}, evidence {})", row.cost, row.evidence)
}

fn write_placement(placement: &Placement, out: &mut dyn Write) -> fmt::Result {
    let (line, added, removed) = (placement.start + 1, placement.added, placement.removed);
    write!(out, "    placed at line {line}, cost {}, +{added} -{removed}", placement.cost)?;
    for (nth, drift) in placement.drift.iter().enumerate() {
        write!(out, "{} {drift}", if nth == 0 { ":" } else { ";" })?;
    }
    writeln!(out)
}
