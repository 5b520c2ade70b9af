//! From explanations to data: the position of a chosen explanation with its drift, whether the level allows it, and the
//! explanation as a candidate of a report.

use std::rc::Rc;

use super::chunk::{Chunk, is_at_end};
use crate::locate::align::file::File;
use crate::locate::align::pairing::Pairing;
use crate::locate::align::relation::Kind;
use crate::locate::explanation::evidence::null_cost;
use crate::locate::explanation::{Aligned, Effect, Explanation, State};
use crate::locate::outcome::{Candidate, CandidateRow, Drift, Placement};
use crate::locate::reading::{Row, Undone};
use crate::locate::search::headers::HeaderMatch;
use crate::locate::{Level, Tier};
use crate::patch::LineKind;
use crate::text::{Document, Encoding, Replacement};

/// Reports the position of a chunk, and what differed.
pub(super) fn placement(file: &File<'_>, chunk: &Chunk<'_>, explanation: &Explanation<'_>) -> Placement {
    let aligned = explanation.aligned(file);
    let (tier, mut drift) = match explanation.state {
        State::Made => (Tier::Exact, vec![Drift::AlreadyApplied]),
        State::ToMake => text_drift(&aligned),
    };
    if explanation.state == State::ToMake {
        drift.extend(partly_made(chunk, explanation));
        drift.extend(reading_drift(explanation));
        drift.extend(header_drift(file, chunk, explanation));
        drift.extend(explanation.effect.iter().flat_map(rewriting_drift));
    }
    let replacements = explanation.replacements(file);
    if replacements.is_empty() && explanation.state == State::ToMake && chunk.changes() {
        // What was to be removed is what was to be added, or the file has been changed so already.
        drift.push(if is_no_op(explanation) { Drift::NoChange } else { Drift::AlreadyApplied });
    }
    Placement {
        tier,
        cost: u32::try_from(explanation.cost).unwrap_or_default(),
        start: explanation.lines.start,
        added: replacements.iter().map(|replacement| replacement.lines.len()).sum(),
        removed: replacements.iter().map(|replacement| replacement.removed).sum(),
        drift,
    }
}

/// Checks whether an edit removes and adds the same lines.
fn is_no_op(explanation: &Explanation<'_>) -> bool {
    let rows = &explanation.reading.rows;
    let removed = rows.iter().filter(|row| row.removes()).map(|row| row.line.text());
    removed.eq(rows.iter().filter(|row| row.adds()).map(|row| row.line.text()))
}

/// Returns the loosest comparison needed for any row, and all differences.
fn text_drift(aligned: &Aligned<'_, '_>) -> (Tier, Vec<Drift>) {
    let mut drift = Vec::new();
    let rows = 0..aligned.pairs.len();
    let tiers: Vec<(usize, Tier)> = rows.clone().filter_map(|row| tier_of(aligned, row)).collect();
    let mut tier = tiers.iter().map(|(_, tier)| *tier).max().unwrap_or_default();
    let lines: Vec<usize> =
        tiers.iter().filter(|(_, tier)| *tier > Tier::Exact).map(|(line, _)| *line).collect();
    if !lines.is_empty() {
        drift.push(Drift::Lines { tier, lines, of: aligned.pairs.len() });
    }
    let missing = rows.filter(|row| aligned.pairs[*row] == Pairing::Missing).count();
    if missing > 0 {
        drift.push(Drift::Missing { lines: missing });
    }
    let skipped = skipped_lines(aligned);
    if !skipped.is_empty() {
        drift.push(Drift::Skipped { lines: skipped });
    }
    if !drift.is_empty() && !matches!(drift[..], [Drift::Lines { .. }]) {
        tier = Tier::Alignment;
    }
    (tier, drift)
}

/// Returns the paired line of a row, and the comparison needed; `None` if the row has no partner.
fn tier_of(aligned: &Aligned<'_, '_>, row: usize) -> Option<(usize, Tier)> {
    let line = aligned.pairs[row].line()?;
    let (quoted, actual) = (&aligned.reading.old(row).line, aligned.file.line(line));
    if quoted.text() == actual.text() && aligned.pairs[row].line().is_some() {
        return Some((line, Tier::Exact));
    }
    let tier = match aligned.relation(row)?.kind {
        _ if aligned.pairs[row].line().is_none() => Tier::Alignment,
        Kind::Equal if quoted.is_blank() || quoted.text().trim_end() == actual.text().trim_end() => {
            Tier::TrailingSpace
        }
        Kind::Equal => Tier::IgnoreIndentation,
        Kind::LookAlikes => Tier::LookAlikes,
        Kind::Spacing | Kind::CodePage => Tier::Spelling,
        Kind::Annotation | Kind::Misspelt | Kind::Words | Kind::Other => Tier::Alignment,
    };
    Some((line, tier))
}

/// Returns the unquoted lines between quoted lines, except for lines that dots replace.
fn skipped_lines(aligned: &Aligned<'_, '_>) -> Vec<usize> {
    let mut skipped = Vec::new();
    let mut last: Option<usize> = None;
    for row in 0..aligned.pairs.len() {
        let Some(line) = aligned.pairs[row].line() else { continue };
        if let Some(last) = last.filter(|_| !aligned.reading.is_free(row)) {
            skipped.extend(last + 1..line);
        }
        last = Some(line);
    }
    skipped
}

/// Returns the lines that the edit adds, and that the file has in their position.
fn partly_made(chunk: &Chunk<'_>, explanation: &Explanation<'_>) -> Option<Drift> {
    if !explanation.reading.undone.partly_made {
        return None;
    }
    let is_added =
        |row: &Row<'_>| chunk.edit.lines.get(row.nth).is_some_and(|line| line.kind == LineKind::Add);
    let rows = explanation.reading.old_rows().zip(explanation.pairs.iter());
    let made = rows.filter(|(row, _)| is_added(row)).filter_map(|(_, pair)| pair.line());
    Some(Drift::PartlyMade { lines: made.collect() })
}

fn reading_drift(explanation: &Explanation<'_>) -> impl Iterator<Item = Drift> {
    let undone = explanation.reading.undone;
    let is_unsigned = explanation.reading.old_rows().any(|row| !row.signed && !row.is_blank());
    let drift = [
        (undone.blank_ends, Drift::BlankEnds),
        (undone.line_numbers, Drift::LineNumbersDropped),
        (undone.signs || undone.items || is_unsigned, Drift::Signs),
        (undone.added_signs, Drift::AddedWithoutSign),
        (undone.line_breaks || undone.wrapped, Drift::Rewrapped),
        (undone.repeats, Drift::Repeated),
        (undone.shifted, Drift::QuoteReindented),
        (undone.trimmed, Drift::Reindented),
        (undone.dots, Drift::Elided),
        (undone.entities, Drift::Entities),
        (undone.escapes, Drift::Reescaped),
    ];
    drift.into_iter().filter(|(is_shown, _)| *is_shown).map(|(_, drift)| drift)
}

fn rewriting_drift(effect: &Effect) -> impl Iterator<Item = Drift> {
    let rewritten = effect.rewritten;
    let drift = [
        (rewritten.indentation, Drift::Reindented),
        (rewritten.spelling, Drift::LookAlikesMended),
        (rewritten.characters, Drift::Ungarbled),
    ];
    drift.into_iter().filter(|(is_shown, _)| *is_shown).map(|(_, drift)| drift)
}

fn header_drift(file: &File<'_>, chunk: &Chunk<'_>, explanation: &Explanation<'_>) -> Vec<Drift> {
    let missing = chunk.headers.missing.iter().map(|header| Drift::HeaderMissing { header: header.clone() });
    let mut drift: Vec<Drift> = missing.collect();
    let mut parts = chunk.headers.found.iter().filter(|(_, how)| *how != HeaderMatch::Whole);
    if let (Some([scope]), Some((header, _))) = (chunk.headers.scopes.as_deref(), parts.next_back()) {
        drift.push(Drift::HeaderInPart { header: header.clone(), line: scope.line });
    }
    if !chunk.is_inside(explanation) {
        drift.push(Drift::OutsideHeader);
    }
    if chunk.edit.end_of_file && !is_at_end(file, explanation) {
        drift.push(Drift::NotAtEnd);
    }
    drift
}

/// Returns a line that would be changed, or that new lines would be appended to, and that is not completely text.
pub(super) fn not_text(
    document: &Document,
    explanation: &Explanation<'_>,
    replacements: &[Replacement<'_>],
) -> Option<usize> {
    if replacements.is_empty() {
        return None;
    }
    let touched =
        replacements.iter().flat_map(|r| r.start..r.end()).chain(explanation.removed.iter().copied());
    let removed = touched.into_iter().find(|line| document.text(*line).is_none());
    // Behind an odd last byte of UTF-16 no character can be put.
    let last = document.len().checked_sub(1)?;
    let appends = replacements.last().is_some_and(|r| r.start == document.len() && !r.lines.is_empty());
    let is_broken = document.encoding() != Encoding::Utf8 && document.text(last).is_none();
    removed.or((appends && is_broken).then_some(last))
}

/// Checks whether an explanation differs from the file by no more than the level allows.
pub(super) fn fits_level(level: Level, file: &File<'_>, explanation: &Explanation<'_>) -> bool {
    if level >= Level::Guarded {
        return true;
    }
    if !fits_reading(level, explanation.reading.undone) {
        return false;
    }
    match explanation.state {
        State::ToMake => fits_aligned(level, &explanation.aligned(file)),
        State::Made => {
            let result = Rc::new(explanation.reading.result());
            let aligned = Aligned { file, reading: &result, map: explanation.map, pairs: &explanation.pairs };
            fits_aligned(level, &aligned)
        }
    }
}

/// Checks whether a level allows what was undone in a reading. A lost sign column is a difference in whitespace.
fn fits_reading(level: Level, undone: Undone) -> bool {
    let is_whitespace = level == Level::Whitespace;
    let whitespace = Undone {
        signs: undone.signs && is_whitespace,
        shifted: undone.shifted && is_whitespace,
        trimmed: undone.trimmed && is_whitespace,
        ..Undone::default()
    };
    Undone { blank_ends: false, entities: false, escapes: false, ..undone } == whitespace
}

/// Returns the loosest comparison needed for a row.
pub(super) fn tier(file: &File<'_>, explanation: &Explanation<'_>) -> Tier {
    match explanation.state {
        State::ToMake => text_drift(&explanation.aligned(file)).0,
        State::Made => Tier::Alignment,
    }
}

fn fits_aligned(level: Level, aligned: &Aligned<'_, '_>) -> bool {
    // An empty line at the end may only separate chunks.
    let last = aligned.pairs.len().saturating_sub(1);
    let is_frame =
        aligned.pairs.last() == Some(&Pairing::Missing) && last > 0 && aligned.reading.old(last).is_blank();
    let rows = if is_frame { last } else { aligned.pairs.len() };
    let is_contiguous =
        aligned.pairs[..rows].windows(2).all(|pair| pair[0].line().map(|line| line + 1) == pair[1].line());
    is_contiguous && (0..rows).all(|row| fits_row(level, aligned, row))
}

fn fits_row(level: Level, aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let Pairing::Line(line) = aligned.pairs[row] else { return false };
    let is_exact = aligned.reading.old(row).line.text() == aligned.file.line(line).text();
    is_exact
        || level.tiers().contains(&Tier::LookAlikes)
            && aligned.relation(row).is_some_and(|relation| relation.kind <= Kind::LookAlikes)
}

/// Describes an explanation.
pub(super) fn candidate(file: &File<'_>, explanation: &Explanation<'_>) -> Candidate {
    let is_made = explanation.state == State::Made;
    let result = Rc::new(explanation.reading.result());
    let reading = if is_made { &result } else { &explanation.reading };
    let aligned = Aligned { file, reading, map: explanation.map, pairs: &explanation.pairs };
    let rows = aligned.rows().map(|row| candidate_row(&aligned, row)).collect();
    let null = null_cost(&aligned);
    Candidate {
        lines: explanation.lines.clone(),
        cost: explanation.cost.cast_unsigned(),
        null: null.cast_unsigned(),
        made: is_made,
        indentation: explanation.map.name(),
        rows,
        result: match explanation.effect {
            Ok(_) => Ok(explanation.replacements(file)),
            Err(obstacle) => Err(obstacle.doubt()),
        },
    }
}

fn candidate_row(aligned: &Aligned<'_, '_>, row: usize) -> CandidateRow {
    let quoted = aligned.reading.old(row);
    let costs = aligned.file.costs;
    let relation = aligned.relation(row).filter(|_| aligned.pairs[row].is_found());
    let cost = match relation {
        Some(relation) => relation.cost,
        None if quoted.is_blank() => costs.blank,
        None => costs.missing + aligned.file.content(&quoted.line),
    };
    let slip = if aligned.fits_map(row) { 0 } else { costs.slip };
    CandidateRow {
        kind: quoted.kind,
        text: quoted.line.text().to_owned(),
        line: aligned.pairs[row].line(),
        cost: (cost + slip).cast_unsigned(),
        evidence: if relation.is_some_and(|relation| relation.kind < Kind::Words) {
            quoted.chance(aligned.file)
        } else {
            0
        }
        .cast_unsigned(),
    }
}
