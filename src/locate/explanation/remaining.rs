//! Lines that an edit removes, and that the file still has where the result of the edit seems to be.

use std::collections::HashSet;

use super::aligned::Aligned;
use crate::locate::align::file::MOST_COMPARED;
use crate::locate::align::relation::{Class, relate};
use crate::locate::reading::{Reading, Row};

/// Returns the worth of the removed lines of a reading that are still there. `aligned`: the result of the reading.
pub(super) fn remaining(reading: &Reading<'_>, aligned: &Aligned<'_, '_>) -> i32 {
    Remaining { reading, aligned }.worth()
}

/// A row, and whether the file has it as a row of the result.
type RowOfResult<'s, 'q> = (&'s Row<'q>, bool);

struct Remaining<'a, 'r, 'q> {
    reading: &'a Reading<'q>,
    aligned: &'a Aligned<'r, 'q>,
}

impl<'q> Remaining<'_, '_, 'q> {
    /// Returns the worth of the removed lines that are still there: among the lines that the result does not have, or, at an end of
    /// the quote, among as many lines beyond as are removed, and a few that the quote may skip.
    fn worth(&self) -> i32 {
        /// How many lines a quote may skip.
        const SKIPPED: usize = 2;
        let kept: HashSet<&str> = self.aligned.reading.old_rows().map(|row| row.line.squashed()).collect();
        let is_gone = |row: &&Row<'_>| row.removes() && row.line.letters() > 0;
        let removed = self.reading.old_rows().filter(is_gone);
        let removed: Vec<&Row<'_>> = removed.filter(|row| !kept.contains(row.line.squashed())).collect();
        let lines = self.lines_beside(removed.len() + SKIPPED);
        let texts: HashSet<&str> =
            lines.iter().map(|line| self.aligned.file.line(*line).squashed()).collect();
        let may_compare = lines.len() * removed.len() <= MOST_COMPARED;
        let is_there = |row: &&&Row<'_>| {
            texts.contains(row.line.squashed())
                || may_compare && lines.iter().any(|line| self.is_slip(row, *line))
        };
        removed.iter().filter(is_there).map(|row| row.chance(self.aligned.file)).sum()
    }

    /// Returns the filled lines between those of the result, and so many beyond an end behind which lines may be removed.
    fn lines_beside(&self, most: usize) -> Vec<usize> {
        let is_filled = |line: &usize| !self.aligned.file.is_blank(*line);
        let shown: Vec<usize> = self
            .aligned
            .rows()
            .filter(|row| self.aligned.reading.old(*row).line.letters() > 0)
            .filter_map(|row| self.aligned.pairs[row].line())
            .collect();
        let (Some(first), Some(last)) = (shown.first(), shown.last()) else { return Vec::new() };
        let rows: Vec<RowOfResult<'_, 'q>> =
            self.rows_with_partners().filter(|(row, _)| !row.is_blank()).collect();
        let (above, below) =
            ((0..*first).rev().filter(is_filled), (*last + 1..self.aligned.file.len()).filter(is_filled));
        let (from_first, from_last) = (rows.iter().copied(), rows.iter().rev().copied());
        let above = above.clone().take(if self.removes_beyond(from_first, above) { most } else { 0 });
        let below = below.clone().take(if self.removes_beyond(from_last, below) { most } else { 0 });
        let between = self.aligned.unquoted_between().filter(is_filled).take(MOST_COMPARED);
        above.chain(between).chain(below).collect()
    }

    /// Returns all rows, and whether the file has each row of the result.
    fn rows_with_partners<'s>(&'s self) -> impl Iterator<Item = RowOfResult<'s, 'q>> {
        let mut nth = 0;
        self.reading.rows.iter().map(move |row| {
            let is_found = !row.removes() && self.aligned.pairs[nth].is_found();
            nth += usize::from(!row.removes());
            (&**row, is_found)
        })
    }

    /// Checks whether removed lines may be beyond the end of a result that its rows begin at: the file has no row with letters from
    /// there up to a change, or these rows are as well the other end of the removed lines, and the file has the others beyond.
    fn removes_beyond<'s>(
        &self,
        rows: impl Iterator<Item = RowOfResult<'s, 'q>> + Clone,
        beyond: impl Iterator<Item = usize>,
    ) -> bool
    where
        'q: 's,
    {
        let outer = rows.clone().take_while(|(row, _)| row.is_context());
        let is_shown = outer.clone().any(|(row, is_found)| is_found && row.line.letters() > 0);
        let changed = rows.skip_while(|(row, _)| row.is_context()).take_while(|(row, _)| !row.is_context());
        let removed: Vec<&Row<'_>> = changed.filter(|(row, _)| row.removes()).map(|(row, _)| row).collect();
        let Some(others) = removed.len().checked_sub(outer.clone().count()) else { return !is_shown };
        let (others, other_end) = removed.split_at(others);
        let slides =
            || outer.zip(other_end).all(|((row, _), removed)| row.line.text() == removed.line.text());
        let are_there = || {
            let lines: Vec<usize> = beyond.take(others.len() + 1).collect();
            self.are_there(others, &lines)
        };
        !is_shown || !others.is_empty() && slides() && are_there()
    }

    /// Checks whether words of a line are misspelt in a row.
    fn is_slip(&self, row: &Row<'_>, line: usize) -> bool {
        relate(self.aligned.file.costs, &row.line, self.aligned.file.line(line)).class == Class::Typo
    }

    /// Checks whether removed rows are at lines, the nearest of which are first and belong to the last rows. Of three rows or
    /// more, one row may be another line there, or may be missing on one side, but not the row that is first in the file. Words may be misspelt.
    fn are_there(&self, removed: &[&Row<'_>], lines: &[usize]) -> bool {
        let may_compare = removed.len() <= MOST_COMPARED;
        let is_same = |(row, line): &(&&Row<'_>, &usize)| {
            self.aligned.file.is_same(**line, &row.line) || may_compare && self.is_slip(row, **line)
        };
        let is_upward = removed.first().map(|row| row.nth) < removed.last().map(|row| row.nth);
        let most_other = usize::from(removed.len() > 2);
        (removed.len() - most_other..=removed.len() + most_other).any(|count| {
            lines.get(..count).is_some_and(|lines| {
                let near = removed.iter().rev().zip(lines).take_while(is_same).count();
                let far = removed.iter().zip(lines.iter().rev()).take_while(is_same).count();
                let has_first = if is_upward { far > 0 } else { near > 0 };
                has_first && near + far + most_other >= count.max(removed.len())
            })
        })
    }
}
