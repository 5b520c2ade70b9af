//! Lines whose indentation was lost in the quote and in the new text: that of the first line, or that of all lines that change.
//!
//! Such a line is at the margin, and the file has it at a single depth, while the other quoted lines are as deep as in the file. The new
//! line in its place gets the same depth. Whether the new lines below have lost theirs as well, their own depths tell.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::quote::{Reading, Row};
use super::shifted::only_depth;
use crate::locate::align::file::File;
use crate::locate::syntax::{begins_block, closes, depth_of_line};

/// Returns the quote with the indentation of the file for the lines that lost it; `None` if none did.
pub(super) fn with_indentation<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let runs = trimmed_runs(file, reading);
    let is_shown = shows_depth(file, reading, &runs)?;
    let mut rows = reading.rows.clone();
    for run in runs {
        for row in run.moved(file, &reading.rows, is_shown)? {
            rows[row] = rows[row].with_text(format!("{}{}", run.depth, rows[row].line.text()));
        }
    }
    // Lines that all lost the same indentation are mapped.
    let mut pairs = reading.rows.iter().zip(&rows);
    if !pairs.any(|(before, after)| before.has_text() && Rc::ptr_eq(before, after)) {
        return None;
    }
    let mut read = reading.with_rows(rows, file.costs.shift);
    let mut pairs = reading.rows.iter().zip(&read.rows);
    read.undone.trimmed = pairs.any(|(before, after)| before.adds() && !Rc::ptr_eq(before, after));
    read.undone.shifted = !read.undone.trimmed;
    Some(read)
}

/// Returns whether quoted lines apart from the runs show that the quote is as deep as the file; `None` if there is no run, or if the whole
/// quote may have lost its indentation.
fn shows_depth(file: &File<'_>, reading: &Reading<'_>, runs: &[Run<'_>]) -> Option<bool> {
    let mut is_in_run = vec![false; reading.rows.len()];
    for run in runs {
        is_in_run[run.rows.clone()].fill(true);
    }
    let others = reading.rows.iter().zip(&is_in_run).filter(|(row, is_in_run)| row.is_old() && !**is_in_run);
    let others: Vec<&Row<'_>> = others.map(|(row, _)| &**row).collect();
    let mut filled = others.iter().filter(|row| row.has_text());
    // Lines at the margin show nothing.
    let is_shown = filled.clone().any(|row| !row.line.indent().is_empty());
    let mut added = reading.rows.iter().enumerate().filter(|(_, row)| row.adds() && row.has_text());
    let are_in_first = added.all(|(row, _)| runs.first().is_some_and(|run| run.rows.contains(&row)));
    let is_flat = reading.rows.iter().all(|row| row.line.indent().is_empty());
    let is_known = !runs.is_empty()
        && filled.all(|row| file.has_exactly(row.line.text()))
        && !is_flat
        && (is_shown || are_in_first)
        && !runs.iter().any(|run| run.is_left(file, reading, &others));
    is_known.then_some(is_shown)
}

/// A run of rows that begins with an old line at the margin, which the file has deeper.
struct Run<'f> {
    rows: Range<usize>,
    /// The indentation that the file has for the first line.
    depth: Cow<'f, str>,
}

/// Returns the runs of changed rows that lost their indentation. A kept line at the start is of a run as well, with the lines that are
/// added right below.
fn trimmed_runs<'f>(file: &'f File<'f>, reading: &Reading<'_>) -> Vec<Run<'f>> {
    let rows = &reading.rows;
    let mut runs = Vec::new();
    let mut start = 0;
    for run in rows.chunk_by(|one, other| one.is_context() == other.is_context()) {
        let all = start..start + run.len();
        start = all.end;
        let first = all.start + run.iter().take_while(|row| row.is_blank()).count();
        let added = || rows[first + 1..].iter().take_while(|row| row.adds()).count();
        if !rows.get(first).is_some_and(|row| row.is_context()) {
            runs.extend(Run::at_margin(file, reading, all));
        } else if rows[..first].iter().all(|row| row.is_blank()) {
            runs.extend(Run::at_margin(file, reading, first..first + 1 + added()));
        }
    }
    runs
}

impl<'f> Run<'f> {
    /// Returns some rows as a run, if its first line is at the margin, and the file has the first old line deeper.
    fn at_margin(file: &'f File<'f>, reading: &Reading<'_>, rows: Range<usize>) -> Option<Self> {
        let mut run = Run { rows, depth: Cow::Borrowed("") };
        let is_at_margin = |row: &Row<'_>| row.line.indent().is_empty();
        let mut new = reading.rows[run.rows.clone()].iter().filter(|row| !row.removes() && row.has_text());
        let first = run.first(reading).filter(|row| is_at_margin(row))?;
        new.next().filter(|row| is_at_margin(row))?;
        // The edit may put the line into a block.
        if new.any(|row| row.line.body() == first.line.body() && file.has_exactly(row.line.text())) {
            return None;
        }
        run.depth = only_depth(file, first).filter(|depth| !depth.is_empty())?;
        Some(run)
    }

    /// Returns the first old row with text.
    fn first<'r, 'q>(&self, reading: &'r Reading<'q>) -> Option<&'r Row<'q>> {
        let mut old = reading.rows[self.rows.clone()].iter().filter(|row| row.is_old());
        old.find(|row| row.has_text()).map(|row| &**row)
    }

    /// Checks whether the run opens a block, and another quoted line at the margin ends the block, so that the whole quote is less deep, or a
    /// line that is added apart from the run is not inside.
    fn is_left(&self, file: &File<'_>, reading: &Reading<'_>, others: &[&Row<'_>]) -> bool {
        let depth = depth_of_line(self.depth.as_bytes());
        let is_added_apart = |(nth, row): (usize, &Rc<Row<'_>>)| {
            row.adds() && row.has_text() && !self.rows.contains(&nth) && row.line.depth() <= depth
        };
        self.first(reading).is_some_and(|row| opens(file, row))
            && (others.iter().any(|row| !row.is_blank() && row.line.indent().is_empty())
                || reading.rows.iter().enumerate().any(is_added_apart))
    }

    /// Returns the rows of the run that lost their indentation; `None` if that is not known. `is_shown`: whether other quoted lines show that
    /// the quote is as deep as the file.
    fn moved(&self, file: &File<'_>, rows: &[Rc<Row<'_>>], is_shown: bool) -> Option<BTreeSet<usize>> {
        let old = self.filled(rows, Row::is_old);
        let new = self.filled(rows, |row| !row.removes());
        let (first, others) = old.split_first()?;
        let text = |row: &usize| rows[*row].line.text();
        let mut telling = others.iter().filter(|row| rows[**row].has_text());
        let are_as_written = telling.clone().all(|row| file.has_exactly(text(row)));
        let is_shown = is_shown || are_as_written && telling.clone().next().is_some();
        let is_new_as_deep = self.are_as_deep(file, rows, &new, is_shown);
        if is_new_as_deep && are_as_written {
            return Some([*first, *new.first()?].into());
        }
        if !telling.all(|row| file.has_exactly(&format!("{}{}", self.depth, text(row)))) {
            return None;
        }
        let new = new.into_iter().take(if is_new_as_deep { 1 } else { usize::MAX });
        Some(old.into_iter().chain(new).collect())
    }

    fn filled<'q>(&self, rows: &[Rc<Row<'q>>], is_wanted: impl Fn(&Row<'q>) -> bool) -> Vec<usize> {
        self.rows.clone().filter(|row| !rows[*row].is_blank() && is_wanted(&rows[*row])).collect()
    }

    /// Checks whether the new rows below the first are as deep as they are meant: none is less deep than the file has the first line. What
    /// is below a line that opens a block may be deeper by that line as written, unless other quoted lines or the end of the block show the
    /// depth.
    fn are_as_deep(&self, file: &File<'_>, rows: &[Rc<Row<'_>>], new: &[usize], is_shown: bool) -> bool {
        let depth = depth_of_line(self.depth.as_bytes());
        let Some((first, others)) = new.split_first() else { return false };
        let deep = |row: &usize| rows[*row].line.depth();
        let closes = |row: &usize| deep(row) == depth && closes(rows[*row].line.body().as_bytes());
        let Some(next) = others.first() else { return true };
        let is_below = match deep(next).cmp(&depth) {
            Ordering::Less => false,
            Ordering::Equal => !opens(file, &rows[*first]) || is_shown && others.iter().any(closes),
            Ordering::Greater => is_shown || others.iter().any(closes),
        };
        is_below && others.iter().all(|row| deep(row) >= depth)
    }
}

/// Checks whether a line opens a block, by its signs or in the file.
fn opens(file: &File<'_>, row: &Row<'_>) -> bool {
    let has_deeper = |line: usize| {
        let next = file.first_filled(line + 1..file.len());
        next.is_some_and(|next| file.line(next).depth() > file.line(line).depth())
    };
    begins_block(row.line.text()) || row.is_old() && file.squashed_lines(&row.line).take(1).any(has_deeper)
}
