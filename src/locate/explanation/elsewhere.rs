//! Whether the lines of an addition are elsewhere in the file by now: sorted into their list, moved, or followed by a change.

use std::collections::HashSet;
use std::ops::Range;

use super::defined::is_defined;
use super::made::{TELLING_LETTERS, TOUCHED, TOUCHED_OF, is_telling};
use super::types::{Explanation, Insertion};
use crate::locate::align::file::{File, MOST_COMPARED};
use crate::locate::align::line_text::indent;
use crate::locate::reading::Row;
use crate::locate::syntax::{begins_control, is_attribute, uncommented, without_separator};
use crate::text::Fold;

/// How many insertions of an edit are compared with the blocks around.
const MOST_INSERTIONS: usize = 64;

/// Checks whether lines that an edit adds are in the file: one of several among the lines that the quote skips, a single
/// distinctive line in the same list, the opening line and most of several without a removal, anywhere.
/// A line that another chunk removes is moved. `removed`: the lines that chunks remove.
pub(crate) fn is_added_elsewhere(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    removed: &HashSet<usize>,
) -> bool {
    let Ok(effect) = &explanation.effect else { return false };
    let Some(first) = effect.insertions.first() else { return false };
    let reading = &explanation.reading;
    // An item that only gets its comma is not new.
    let is_kept = |row: &Row<'_>| {
        reading.old_rows().any(|old| old.removes() && item(old.line.text()) == item(row.line.text()))
    };
    let new: Vec<&Row<'_>> = reading.filled_added_rows().filter(|row| !is_kept(row)).collect();
    let telling: Vec<&Row<'_>> = new.iter().copied().filter(|row| is_telling(file, row)).collect();
    let (skipped, beside) = (skipped(file, explanation), beside(file, explanation, &effect.insertions));
    let stays = |line: &usize| !removed.contains(line);
    let is_among = |row: &Row<'_>, lines: &[usize]| {
        let mut there = item_lines(file, row).into_iter();
        there.any(|line| stays(&line) && lines.contains(&line))
    };
    let is_there = |row: &&Row<'_>| is_among(row, &skipped) || is_among(row, &beside);
    // Lines that other blocks have as well are here by chance, unless the quote skips all of them.
    let mut lettered = new.iter().filter(|row| row.line.letters() > 0);
    let are_skipped = new.iter().any(|row| row.line.letters() >= TELLING_LETTERS)
        && lettered.all(|row| is_among(row, &skipped));
    let is_beside = |insertion: &Insertion| {
        let replaces = [insertion.at, insertion.at.wrapping_sub(1)].iter().any(|line| !stays(line));
        !replaces && is_right_beside(file, explanation, insertion)
            || is_defined(file, explanation, insertion, removed, replaces)
    };
    if are_skipped
        || telling.iter().any(is_there)
        || effect.insertions.iter().take(MOST_INSERTIONS).any(is_beside)
    {
        return true;
    }
    match new[..] {
        [row] => {
            // A line that the quote has is not the line that is added.
            let aligned = explanation.aligned(file);
            let mut there = item_lines(file, row);
            there.retain(|line| stays(line) && !aligned.is_quoted_alike(*line));
            !telling.is_empty() && !there.is_empty() && {
                let list = list_around(file, first);
                there.iter().any(|line| list.contains(line))
            }
        }
        _ if explanation.removed.is_empty() && telling.len() > 1 => is_block_elsewhere(file, &new, stays),
        _ => false,
    }
}

/// Checks whether the line that opens several rows, and most of the others, are in the file in lines that stay.
fn is_block_elsewhere(file: &File<'_>, rows: &[&Row<'_>], stays: impl Fn(&usize) -> bool) -> bool {
    let lettered = rows.iter().copied().filter(|row| row.line.letters() > 0);
    let rows: Vec<&Row<'_>> = lettered.skip_while(|row| is_attribute(row.line.body())).collect();
    let Some(head) = rows.first() else { return false };
    // Beside a line that is repeated, or names nothing, most lines may be those of another block.
    let is_name = file.occurrences(&head.line) <= 1 && !begins_control(head.line.text());
    let least = if is_name { most(rows.len()) } else { rows.len() };
    file.squashed_lines(&head.line).any(|line| stays(&line) && count_from(file, &rows, line) >= least)
}

/// Checks whether most of several rows are in the file right behind a position, from the first row, or the first that is neither a
/// comment nor an attribute.
pub(crate) fn is_begun_at(file: &File<'_>, rows: &[&Row<'_>], at: usize) -> bool {
    let is_about_next = |row: &&Row<'_>| uncommented(row.line.text()).1 || is_attribute(row.line.body());
    let lettered: Vec<&Row<'_>> = rows.iter().copied().filter(|row| row.line.letters() > 0).collect();
    let from_head = &lettered[lettered.iter().take_while(|row| is_about_next(row)).count()..];
    let near = at..(at + rows.len() + 1).min(file.len());
    let begins = |rows: &[&Row<'_>], line: usize| {
        let is_first = rows.len() > 1 && file.is_same(line, &rows[0].line);
        is_first && count_from(file, rows, line) >= most(rows.len())
    };
    near.into_iter().any(|line| begins(&lettered, line) || begins(from_head, line))
}

/// Returns the lines with text between quoted lines that the quote does not have, and no dots replace.
fn skipped(file: &File<'_>, explanation: &Explanation<'_>) -> Vec<usize> {
    let aligned = explanation.aligned(file);
    let found = aligned.found_rows();
    let gaps = found.windows(2).filter(|rows| !aligned.is_free_between(rows[0], rows[1]));
    gaps.flat_map(|rows| aligned.between(rows[0], rows[1])).filter(|line| !file.is_blank(*line)).collect()
}

/// Returns the lines with text that are not quoted and are beside each insertion, as many as are added there.
fn beside(file: &File<'_>, explanation: &Explanation<'_>, insertions: &[Insertion]) -> Vec<usize> {
    let aligned = explanation.aligned(file);
    let is_unquoted = |line: &usize| !aligned.is_quoted(*line);
    let beside = insertions.iter().flat_map(|Insertion { at, lines }| {
        let above = (at.saturating_sub(lines.len())..*at).rev().take_while(is_unquoted);
        above.chain((*at..(at + lines.len()).min(file.len())).take_while(is_unquoted))
    });
    beside.filter(|line| !file.is_blank(*line)).collect()
}

/// Checks whether the lines of an insertion are right above or below its position, and the quote does not have these lines.
fn is_right_beside(file: &File<'_>, explanation: &Explanation<'_>, insertion: &Insertion) -> bool {
    let aligned = explanation.aligned(file);
    let filled = insertion.filled();
    filled.iter().any(|line| line.letters() > 0)
        && insertion.is_beside(file, &filled, |line| !aligned.is_quoted_alike(line))
}

/// Returns the lines that are a row, apart from their indentation and the sign behind an item of a list.
fn item_lines(file: &File<'_>, row: &Row<'_>) -> Vec<usize> {
    let own = item(row.line.text());
    let places = file.index.line_places(Fold::Skeleton, row.line.text());
    let lines = places.iter().take(MOST_COMPARED).map(|line| *line as usize);
    lines.filter(|line| item(file.line(*line).text()) == own).collect()
}

/// Returns a line without its indentation, and without the sign that separates items.
fn item(line: &str) -> &str {
    without_separator(line.trim_start())
}

/// Returns how many of several rows are most of the rows.
fn most(rows: usize) -> usize {
    (rows * TOUCHED as usize).div_ceil(TOUCHED_OF as usize)
}

/// Counts the rows that are among as many lines with letters from a line on, and one more line if there are several rows.
fn count_from(file: &File<'_>, rows: &[&Row<'_>], line: usize) -> usize {
    let lines = (line..file.len()).filter(|line| file.line(*line).letters() > 0);
    let lines: Vec<usize> = lines.take(rows.len() + usize::from(rows.len() > 2)).collect();
    rows.iter().filter(|row| lines.iter().any(|line| file.is_same(*line, &row.line))).count()
}

/// Returns the lines around an insertion that are as deep as its last line, without a blank line between.
fn list_around(file: &File<'_>, insertion: &Insertion) -> Range<usize> {
    let at = insertion.at;
    let Some(depth) =
        insertion.lines.iter().rev().find(|line| !line.trim().is_empty()).map(|line| indent(line))
    else {
        return at..at;
    };
    let is_in = |line: &usize| !file.is_blank(*line) && file.line(*line).indent() == depth;
    let start = at - (0..at).rev().take_while(is_in).count();
    start..at + (at..file.len()).take_while(is_in).count()
}
