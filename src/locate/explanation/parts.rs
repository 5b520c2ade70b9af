//! The parts of a quote: lines of the file that are not quoted separate the parts.

use super::aligned::Aligned;
use super::evidence::evidence;
use super::types::Obstacle;

/// How many lines a quote may skip and still be of one part: lines that a model left out, or that are new.
const MOST_SKIPPED: usize = 2;

/// Finds a part of the quote that changes something, is apart from the other quoted lines, and is not shown by its own lines.
///
/// The lines of such a part may be those of a twin: the lines that were meant are gone, and the other quoted lines are still there.
pub(crate) fn apart_from_quote(aligned: &Aligned<'_, '_>) -> Option<Obstacle> {
    let found: Vec<usize> = aligned.rows().filter(|row| aligned.is_filled_pair(*row)).collect();
    let is_apart = |one: &usize, other: &usize| {
        let skipped = aligned.between(*one, *other).filter(|line| !aligned.file.is_blank(*line));
        skipped.take(MOST_SKIPPED + 1).count() > MOST_SKIPPED
            && (!aligned.is_free_between(*one, *other) || aligned.leaves_block(*one, *other))
    };
    let parts: Vec<&[usize]> = found.chunk_by(|one, other| !is_apart(one, other)).collect();
    if parts.len() < 2 {
        return None;
    }
    let open = (0..parts.len()).find(|nth| {
        let part = parts[*nth];
        let from = nth.checked_sub(1).and_then(|above| parts[above].last());
        let until = parts.get(nth + 1).and_then(|below| below.first());
        changes_between(aligned, from, until) && shown(aligned, part) < aligned.file.costs.apart
    })?;
    let line = aligned.pairs[*parts[open].first()?].first()?;
    Some(Obstacle::ApartFromQuote { line })
}

/// Checks whether a line at an end of the quote is not in the file, and the other quoted lines are too little without it. The line
/// may be what tells the lines that were meant, and are gone, from a twin. `header`: the evidence of headers.
pub(crate) fn is_cut_short(aligned: &Aligned<'_, '_>, header: i32) -> bool {
    let found = aligned.found_rows();
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return false };
    let mut outside = (0..*first).chain(last + 1..aligned.pairs.len());
    outside.any(|row| aligned.reading.old(row).has_text() && !is_beside(aligned, row))
        && shown(aligned, &found) + header < aligned.file.costs.apart
}

/// Checks whether the line beside the other quoted lines begins with a row at an end of the quote: a line that was quoted only up to
/// its middle is there.
fn is_beside(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let file = aligned.file;
    let line = match (aligned.line_above(row), aligned.line_below(row)) {
        (None, Some(below)) => file.first_filled((0..below).rev()),
        (Some(above), None) => file.first_filled(above + 1..file.len()),
        _ => None,
    };
    let quoted = aligned.reading.old(row).line.body();
    line.is_some_and(|line| file.line(line).body().starts_with(quoted))
}

/// Checks whether anything changes between two old rows, or from the first row, or up to the last row. Added lines beside a removed
/// row replace that row.
fn changes_between(aligned: &Aligned<'_, '_>, above: Option<&usize>, below: Option<&usize>) -> bool {
    let reading = aligned.reading;
    let start = above.map_or(0, |row| reading.position_of_old(*row) + 1);
    let end = below.map_or(reading.rows.len(), |row| reading.position_of_old(*row));
    let removes = |row: Option<&usize>| row.is_some_and(|row| reading.old(*row).removes());
    let mut rows = &reading.rows[start..end];
    while let [first, rest @ ..] = rows
        && first.adds()
        && removes(above)
    {
        rows = rest;
    }
    while let [rest @ .., last] = rows
        && last.adds()
        && removes(below)
    {
        rows = rest;
    }
    rows.iter().any(|row| !row.is_context())
}

/// Returns how much the rows of a part show, less what the rows cost: a row that differs may contradict the others.
fn shown(aligned: &Aligned<'_, '_>, part: &[usize]) -> i32 {
    let cost = |row: usize| aligned.relation(row).map_or(0, |relation| relation.cost);
    part.iter().map(|row| evidence(aligned, *row) - cost(*row)).sum()
}
