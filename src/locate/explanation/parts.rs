//! Whether the lines at a position show the position by themselves, without the quoted lines that are far away or not in the file.

use super::aligned::Aligned;
use super::evidence::evidence;
use super::made::TELLING_LETTERS;
use super::types::Obstacle;
use crate::locate::align::line_text::LineText;
use crate::locate::align::words::only_replaced_word;
use crate::locate::syntax::{are_among, begins_control, is_comment};

/// How many lines a quote may skip and still be of one part: lines that a model left out, or that are new.
const MOST_SKIPPED: usize = 2;

/// Finds a part of the quote that changes something, is apart from the other quoted lines, and is not shown by its own lines.
///
/// The lines of such a part may be those of a twin: the lines that were meant are gone, and the other quoted lines are still there.
pub(crate) fn apart_from_quote(aligned: &Aligned<'_, '_>) -> Option<Obstacle> {
    let found: Vec<usize> = aligned.rows().filter(|row| aligned.is_filled_pair(*row)).collect();
    let passing = found.windows(2).find(|rows| {
        passes_sibling(aligned, rows[0], rows[1]) && !removes_only_above(aligned, rows[0], rows[1])
    });
    if let Some(line) = passing.and_then(|rows| aligned.pairs[rows[1]].line()) {
        return Some(Obstacle::ApartFromQuote { line });
    }
    let costs = aligned.file.costs;
    let is_told = |part: &[usize]| part.iter().any(|row| aligned.is_telling(*row));
    let is_little =
        |part: &[usize]| shown(aligned, part) < if is_told(part) { costs.apart } else { costs.apart_vague };
    let far = parts(&found, |one, other| is_far(aligned, one, other));
    let first = open_part(aligned, &far, is_little)?;
    Some(Obstacle::ApartFromQuote { line: aligned.pairs[first].line()? })
}

/// Finds a quoted line behind the change that is behind a block like the one around the change, from which the quote jumps to that line.
/// The first jump behind the change counts.
pub(crate) fn behind_copy(aligned: &Aligned<'_, '_>) -> Option<Obstacle> {
    let reading = aligned.reading;
    let last = (0..aligned.pairs.len()).rev().find(|row| reading.old(*row).removes());
    let found: Vec<usize> = aligned.rows().filter(|row| aligned.is_filled_pair(*row)).collect();
    let (above, row) = found.windows(2).map(|rows| (rows[0], rows[1])).find(|(above, row)| {
        last.is_none_or(|last| last < *row)
            && skips_more(aligned, *above, *row, MOST_SKIPPED)
            && !aligned.is_free_between(*above, *row)
            && (!changes_between(aligned, Some(above), None) || reading.old(*above).removes())
    })?;
    let line = aligned.pairs[row].line().filter(|_| passes_copy(aligned, above, row))?;
    Some(Obstacle::ApartFromQuote { line })
}

/// Returns the parts of the rows that are in the file. `is_apart`: whether a row and the next belong to different parts.
fn parts(found: &[usize], is_apart: impl Fn(usize, usize) -> bool) -> Vec<&[usize]> {
    found.chunk_by(|one, other| !is_apart(*one, *other)).collect()
}

/// Checks whether a row is far from the row above, whatever is between.
fn is_far(aligned: &Aligned<'_, '_>, above: usize, row: usize) -> bool {
    let is_dotted = || aligned.is_free_between(above, row) && !aligned.leaves_block(above, row);
    let skips_much = || {
        skips_more(aligned, above, row, MOST_SKIPPED)
            && !is_in_quoted_block(aligned, above, row)
            && !skips_comment(aligned, above, row)
    };
    (skips_much() || skips_sibling(aligned, above, row)) && !is_dotted()
}

/// Checks whether all rows are in the file as quoted, and a row is in the block that the row above opens, and in no block inside of
/// that block: what is between is new.
fn is_in_quoted_block(aligned: &Aligned<'_, '_>, above: usize, row: usize) -> bool {
    let depth = |line: usize| aligned.file.line(line).depth();
    let Some(line) = aligned.pairs[row].line() else { return false };
    let is_as_deep = |between: usize| aligned.file.is_blank(between) || depth(between) >= depth(line);
    aligned.reading.openers().contains(&above)
        && aligned.between(above, row).all(is_as_deep)
        && aligned.rows().all(|row| aligned.is_alike(row) || aligned.reading.old(row).is_blank())
}

/// Checks whether what is between two rows is a comment, or a text that documents the block: models leave these out.
fn skips_comment(aligned: &Aligned<'_, '_>, above: usize, row: usize) -> bool {
    /// The marks that begin and end a comment, or a text that documents a block.
    const MARKS: [(&str, &str); 4] = [("\"\"\"", "\"\"\""), ("'''", "'''"), ("/*", "*/"), ("<!--", "-->")];
    let lines =
        aligned.between(above, row).map(|line| aligned.file.line(line)).filter(|line| !line.is_blank());
    let bodies: Vec<&str> = lines.map(LineText::body).collect();
    let is_one = |(begin, end): &(&str, &str)| {
        let [first, inner @ .., last] = &bodies[..] else { return false };
        first.starts_with(begin) && last.ends_with(end) && !inner.iter().any(|line| line.contains(end))
    };
    MARKS.iter().any(is_one) || bodies.iter().all(|line| is_comment(line))
}

/// Checks whether a row is far from the row above, opens no block, and goes on where a sibling of the block above does: at one end of what
/// is between is the row at the other end, or a line that is this row but for a word.
fn passes_sibling(aligned: &Aligned<'_, '_>, above: usize, row: usize) -> bool {
    let (file, reading) = (aligned.file, aligned.reading);
    let gap = aligned.between(above, row);
    let is_like = |row: usize, line: Option<usize>| {
        let (Some(line), quoted) = (line, &reading.old(row).line) else { return false };
        let actual = file.line(line);
        let is_other = || only_replaced_word(quoted, actual).is_some();
        quoted.letters() >= TELLING_LETTERS
            && quoted.depth() == actual.depth()
            && (file.is_same(line, quoted) || is_other())
    };
    skips_more(aligned, above, row, MOST_SKIPPED)
        && !aligned.is_free_between(above, row)
        && !reading.openers().contains(&row)
        && (is_like(row, file.first_filled(gap.clone())) || is_like(above, file.first_filled(gap.rev())))
}

/// Checks whether a block between two rows, at whose end the second goes on, has most of the quoted lines above, or all but two, equal or
/// but for a word: that block may be the one that was meant, and has changed since. A line that opens the block of the change, and that
/// the file has once, names the block, and so do two context lines.
fn passes_copy(aligned: &Aligned<'_, '_>, above: usize, row: usize) -> bool {
    /// So many lines above the second row are looked at, and so many rows above the jump.
    const NEAR: (usize, usize) = (200, 50);
    let (file, reading) = (aligned.file, aligned.reading);
    let is_told = |row: &usize| aligned.is_alike(*row) && aligned.is_telling(*row);
    let names = |row: &usize| is_told(row) && reading.old(*row).is_context();
    let mut heads = reading.openers().iter().filter(|row| !begins_control(reading.old(**row).line.text()));
    if heads.any(is_told) || (0..=above).filter(names).nth(1).is_some() {
        return false;
    }
    let Some(below) = aligned.pairs[row].line() else { return false };
    let gap = aligned.between(above, row);
    let gap = gap.start.max(gap.end.saturating_sub(NEAR.0))..gap.end;
    let begins_block = |line: &usize| {
        let line = file.line(*line);
        line.letters() > 0 && line.depth() <= file.line(below).depth()
    };
    let Some(head) = gap.clone().find(begins_block) else { return false };
    let is_copied = |quoted: &&LineText<'_>| {
        (head + 1..gap.end).any(|line| {
            let actual = file.line(line);
            let is_same = file.is_same(line, quoted) || only_replaced_word(quoted, actual).is_some();
            is_same && quoted.depth() == actual.depth()
        })
    };
    let quoted = (0..=above).rev().take(NEAR.1).map(|row| &reading.old(row).line);
    let quoted: Vec<_> = quoted.filter(|line| line.letters() >= TELLING_LETTERS).collect();
    let copied = quoted.iter().filter(|line| is_copied(line)).count();
    copied > 0 && copied + 2.max(quoted.len() / 2) >= quoted.len()
}

/// Checks whether lines are removed above a row, and nothing changes from this row on.
fn removes_only_above(aligned: &Aligned<'_, '_>, above: usize, row: usize) -> bool {
    let removes = |row: usize| aligned.reading.old(row).removes();
    (0..above).any(removes)
        && !removes(above)
        && !removes(row)
        && !changes_between(aligned, Some(&above), None)
}

/// Checks whether a removed row beside a gap is the line at the other end of the gap but for a word, at the same depth. The quote has
/// the row right beside the context there, so that line may be the one that was meant, and has changed since.
fn skips_sibling(aligned: &Aligned<'_, '_>, above: usize, row: usize) -> bool {
    let (file, reading) = (aligned.file, aligned.reading);
    let gap = aligned.between(above, row);
    let removes =
        |row: Option<usize>| row.is_some_and(|row| row < aligned.pairs.len() && reading.old(row).removes());
    let is_like = |row: usize, beside: Option<usize>, line: Option<usize>| {
        let Some((own, other)) = aligned.pairs[row].line().zip(line) else { return false };
        let (own, other) = (file.line(own), file.line(other));
        let is_alone = removes(Some(row)) && !removes(beside);
        is_alone
            && own.indent() == other.indent()
            && only_replaced_word(&reading.old(row).line, other).is_some()
    };
    is_like(row, Some(row + 1), file.first_filled(gap.clone()))
        || is_like(above, above.checked_sub(1), file.first_filled(gap.rev()))
}

/// Checks whether more than so many lines with text are between the lines of two rows.
fn skips_more(aligned: &Aligned<'_, '_>, above: usize, row: usize, most: usize) -> bool {
    let skipped = aligned.between(above, row).filter(|line| !aligned.file.is_blank(*line));
    skipped.take(most + 1).count() > most
}

/// Returns the first row of the first of several parts that changes something and is open.
fn open_part(
    aligned: &Aligned<'_, '_>,
    parts: &[&[usize]],
    is_open: impl Fn(&[usize]) -> bool,
) -> Option<usize> {
    let changes = |nth: usize| {
        let above = nth.checked_sub(1).and_then(|above| parts[above].last());
        changes_between(aligned, above, parts.get(nth + 1).and_then(|below| below.first()))
    };
    let open =
        (0..parts.len()).filter(|_| parts.len() > 1).find(|nth| changes(*nth) && is_open(parts[*nth]))?;
    parts[open].first().copied()
}

/// Checks whether a quoted line is not in the file, or a line of the file was skipped, and the quoted lines that are there are too
/// little without the line. `header`: the evidence of headers.
///
/// A line at an end of the quote may be what tells the lines that were meant, and are gone, from a twin. If the file has each kept line
/// of the quote several times, the lines that were meant may have lost the removed line only: any line that differs may tell.
/// `is_numbered`: whether a line number leads to the position.
pub(crate) fn is_cut_short(aligned: &Aligned<'_, '_>, header: i32, is_numbered: bool) -> bool {
    let found = aligned.found_rows();
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return false };
    let costs = aligned.file.costs;
    let is_missing = |row: usize| aligned.reading.old(row).has_text() && !aligned.pairs[row].is_found();
    let mut outside = (0..*first).chain(last + 1..aligned.pairs.len());
    let is_cut = outside.any(|row| is_missing(row) && !is_beside(aligned, row));
    let is_loose = aligned.rows().any(is_missing) || skips(aligned, &found);
    let needed = if is_loose && !is_numbered && removes_without_context(aligned) {
        costs.apart_vague
    } else if is_cut {
        costs.apart
    } else {
        return false;
    };
    shown(aligned, &found) + header < needed
}

/// Checks whether the quote skips a line of the file with text that no dots replace.
fn skips(aligned: &Aligned<'_, '_>, found: &[usize]) -> bool {
    let skips = |above, row| skips_more(aligned, above, row, 0) && !aligned.is_free_between(above, row);
    found.windows(2).any(|rows| skips(rows[0], rows[1]))
}

/// Checks whether lines are removed, and the file has each kept line several times, and at most one removed line once: where a twin
/// is, the removed line of the twin is alone after that of the target has changed.
fn removes_without_context(aligned: &Aligned<'_, '_>) -> bool {
    let is_told = |row: &usize| aligned.is_telling(*row) && aligned.is_alike(*row);
    let told: Vec<usize> = aligned.rows().filter(is_told).take(2).collect();
    let is_removed_alone = match told[..] {
        [] => true,
        [row] => aligned.reading.old(row).removes(),
        _ => false,
    };
    is_removed_alone && aligned.filled_removals().next().is_some()
}

/// Checks whether the line beside the other quoted lines has all words and signs of a row at an end of the quote, in order: a line
/// that was quoted in part, or has grown since, is there.
fn is_beside(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let file = aligned.file;
    let line = match (aligned.line_above(row), aligned.line_below(row)) {
        (None, Some(below)) => file.first_filled((0..below).rev()),
        (Some(above), None) => file.first_filled(above + 1..file.len()),
        _ => None,
    };
    let quoted = &aligned.reading.old(row).line;
    line.is_some_and(|line| are_among(quoted.tokens(), file.line(line).tokens(), str::eq))
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
