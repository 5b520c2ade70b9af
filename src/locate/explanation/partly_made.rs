//! The reading of an edit of which a part was made before: the file has some of the added lines at their position, between the quoted lines
//! above and below, and the other changes are still to be made.
//!
//! A model often repeats a part of an earlier edit together with the next one. Each line of the file between the two quoted lines has to be
//! an added line, or a line that the edit removes there: then nothing in between is unknown, and what is left of the edit has one reading.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use similar::DiffTag;

use super::aligned::Aligned;
use super::made::is_telling;
use crate::locate::align::line_text::LineText;
use crate::locate::align::relation::{Class, relate};
use crate::locate::reading::{Reading, Row};
use crate::text::compare;

/// Returns the edit without the changes that were made before, their lines as context; `None` if no change was, or each was, or no quoted line
/// shows the position.
pub(crate) fn partly_made<'q>(aligned: &Aligned<'_, 'q>) -> Option<Reading<'q>> {
    let rows = &aligned.reading.rows;
    // What dots replace is unknown, and the positions of dots are counted in the rows.
    if aligned.reading.has_dots()
        || !aligned.rows().any(|row| aligned.is_alike(row) && aligned.is_telling(row))
    {
        return None;
    }
    let mut read: Vec<Rc<Row<'q>>> = Vec::with_capacity(rows.len());
    let known = OnceCell::new();
    let (mut at, mut is_made) = (0, false);
    while at < rows.len() {
        let end = at + rows[at..].iter().take_while(|row| !row.is_context()).count();
        let left = Run::new(aligned, at..end, &known).and_then(|run| run.what_is_left());
        is_made |= left.is_some();
        let mut left = left.unwrap_or_else(|| rows[at..end].to_vec());
        keep_blank_lines(aligned, at..end, &mut left);
        read.extend(left);
        read.extend(rows.get(end).map(Rc::clone));
        at = end + 1;
    }
    let changes_text = read.iter().any(|row| !row.is_context() && row.has_text());
    let mut reading = aligned.reading.with_rows(read, aligned.file.costs.made_in_part);
    reading.undone.partly_made = true;
    (is_made && changes_text).then_some(reading)
}

/// Reads blank rows to be added as context, as many as the file has blank lines more than the quote between the lines with text around.
fn keep_blank_lines<'q>(aligned: &Aligned<'_, 'q>, run: Range<usize>, left: &mut [Rc<Row<'q>>]) {
    let reading = aligned.reading;
    let line_of = |row: usize| aligned.pairs[row].line();
    let (before, behind) = (reading.old_before(run.start), reading.old_before(run.end));
    let above = (0..before).rev().find(|row| !reading.old(*row).is_blank());
    let below = (behind..aligned.pairs.len()).find(|row| !reading.old(*row).is_blank());
    let (Some(above), Some(below)) = (above, below) else { return };
    let (Some(first), Some(end)) = (line_of(above), line_of(below)) else { return };
    let there = (first + 1..end).filter(|line| aligned.file.is_blank(*line)).count();
    let around = (before - above - 1) + (below - behind);
    let quoted = around + left.iter().filter(|row| row.is_old() && row.is_blank()).count();
    let added = left.iter_mut().filter(|row| row.adds() && row.is_blank());
    for row in added.take(there.saturating_sub(quoted)) {
        *row = row.as_kept();
    }
}

/// A changed row, as the file would have it.
struct Changed<'a, 'q> {
    row: &'a Rc<Row<'q>>,
    text: String,
}

/// What the edit knows of the lines of the file.
struct Known<'a> {
    /// The lines of the file (0-based) that are context.
    kept: HashSet<usize>,
    /// The texts of all rows, without indentation.
    bodies: HashSet<&'a str>,
}

impl<'a> Known<'a> {
    fn new(aligned: &'a Aligned<'_, '_>) -> Self {
        let context = aligned.rows().filter(|row| aligned.reading.old(*row).is_context());
        Known {
            kept: context.filter_map(|row| aligned.pairs[row].line()).collect(),
            bodies: aligned.reading.rows.iter().map(|row| row.line.body()).collect(),
        }
    }
}

/// A run of changed rows, and the lines of the file in the position.
struct Run<'a, 'q> {
    aligned: &'a Aligned<'a, 'q>,
    /// Made once for all runs of the edit.
    known: &'a OnceCell<Known<'a>>,
    removed: Vec<Changed<'a, 'q>>,
    added: Vec<Changed<'a, 'q>>,
    there: Range<usize>,
}

impl<'a, 'q> Run<'a, 'q> {
    fn new(
        aligned: &'a Aligned<'a, 'q>,
        range: Range<usize>,
        known: &'a OnceCell<Known<'a>>,
    ) -> Option<Self> {
        let rows = aligned.reading.rows[range.clone()].iter().map(|row| {
            let quoted = row.line.indent();
            let indent = aligned.map.apply(&quoted);
            Changed { row, text: format!("{}{}", indent.as_ref().unwrap_or(&quoted), row.line.body()) }
        });
        let (removed, added): (Vec<_>, Vec<_>) = rows.partition(|changed| changed.row.removes());
        let mut run = Run { aligned, known, removed, added, there: 0..0 };
        run.there = run.lines(&range)?;
        (!run.added.is_empty() && run.there.len() <= range.len()).then_some(run)
    }

    /// Returns the lines of the file between the quoted lines on both sides. At an end of the quote, the made lines reach as far as lines are
    /// replaced line by line, to the outermost added line, or to the end of the block: what follows elsewhere may be such a line, changed
    /// since, or an equal line that was not quoted.
    fn lines(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let (aligned, len) = (self.aligned, self.aligned.file.len());
        let row_below = aligned.reading.old_before(range.end);
        let line_of = |row: usize| aligned.pairs[row].line().filter(|_| aligned.is_alike(row));
        let above = aligned.reading.old_before(range.start).checked_sub(1).map(line_of);
        let below = (row_below < aligned.pairs.len()).then(|| line_of(row_below));
        let (replaced, most) = (self.removed.len(), range.len());
        let mut filled = self.added.iter().filter(|added| added.row.has_text());
        let lines = match (above, below) {
            (Some(above), Some(below)) => above? + 1..below?,
            (Some(above), None) => {
                let start = above? + 1;
                let all = start..start + replaced;
                let mut added =
                    || Some(start..start + self.made_at_end(start..len, most, filled.next_back()?)?);
                if self.is_line_by_line(&all) { all } else { added()? }
            }
            (None, Some(below)) => {
                let end = below?;
                let all = end.saturating_sub(replaced)..end;
                let mut added = || Some(end - self.made_at_end((0..end).rev(), most, filled.next()?)?..end);
                if self.is_line_by_line(&all) { all } else { added()? }
            }
            (None, None) => return None,
        };
        (!lines.is_empty()).then_some(lines)
    }

    /// Returns how many added lines, at most `most`, are the first of some lines beyond the quote; `None` if the lines behind these may belong
    /// to the edit. `outermost`: the added row that is farthest from the quote.
    fn made_at_end(
        &self,
        lines: impl Iterator<Item = usize> + Clone,
        most: usize,
        outermost: &Changed<'_, '_>,
    ) -> Option<usize> {
        let added: HashSet<&str> = self.added.iter().map(|added| &*added.text).collect();
        let is_added = |line: &usize| added.contains(self.text(*line));
        let made: Vec<usize> = lines.clone().take(most).take_while(is_added).collect();
        let mut behind = lines.skip(made.len());
        let next = self.aligned.file.first_filled(&mut behind);
        let is_removed =
            next.is_some_and(|next| self.removed.iter().any(|removed| removed.text == self.text(next)));
        let is_whole = made.last().is_some_and(|line| self.text(*line) == outermost.text);
        (!is_removed && (is_whole || self.is_outside(next))).then_some(made.len())
    }

    /// Checks whether a line is less deep than each added line, or there is none.
    fn is_outside(&self, line: Option<usize>) -> bool {
        let filled = self.added.iter().filter(|added| added.row.has_text());
        let depth = filled.map(|added| LineText::new(&*added.text).depth()).min();
        line.is_none_or(|line| Some(self.aligned.file.line(line).depth()) < depth)
    }

    fn text(&self, line: usize) -> &'a str {
        self.aligned.file.line(line).text().trim_end()
    }

    /// Returns the rows with those that were made as context; `None` if none was, or something else is there.
    fn what_is_left(&self) -> Option<Vec<Rc<Row<'q>>>> {
        let file = self.aligned.file;
        let there: Vec<&str> = self.there.clone().map(|line| self.text(line)).collect();
        let wanted: Vec<&str> = self.added.iter().map(|added| &*added.text).collect();
        let removed: HashSet<&str> = self.removed.iter().map(|old| old.row.line.body()).collect();
        let mut old = self.removed.iter();
        let mut left: Vec<Rc<Row<'q>>> = Vec::with_capacity(self.removed.len() + self.added.len());
        let mut is_made = false;
        for op in compare(&there, &wanted, None) {
            let (tag, of_file, of_added) = op.as_tag_tuple();
            let added = &self.added[of_added];
            if tag == DiffTag::Equal {
                let is_new = |row: &Row<'_>| !removed.contains(row.line.body());
                is_made |= added.iter().any(|added| is_telling(file, added.row) && is_new(added.row));
                left.extend(added.iter().map(|added| added.row.as_kept()));
                continue;
            }
            for line in &there[of_file] {
                left.push(Rc::clone(old.find(|removed| removed.text == *line)?.row));
            }
            left.extend(added.iter().map(|added| Rc::clone(added.row)));
        }
        let is_clear = || self.is_next_step(&left) && self.adds_once(&left) && !self.is_changed_since(&left);
        (is_made && is_clear()).then_some(left)
    }

    /// Checks whether what is left adds lines, or removes a telling line, and lines of which the file has each. Where all lines that are
    /// added are there, a line that may still be removed is rather an equal line that was not quoted.
    fn is_next_step(&self, left: &[Rc<Row<'q>>]) -> bool {
        let mut removed = left.iter().filter(|row| row.removes() && row.has_text()).peekable();
        let is_whole = left.iter().filter(|row| row.removes()).count() == self.removed.len();
        removed.peek().is_none()
            || removed.any(|row| is_telling(self.aligned.file, row))
                && (is_whole || left.iter().any(|row| row.adds()))
    }

    /// Checks whether the lines with text that are still to be added are next to each other, or replace line by line.
    fn adds_once(&self, left: &[Rc<Row<'q>>]) -> bool {
        let filled = || left.iter().filter(|row| !row.removes() && row.has_text());
        let begins = filled().zip(filled().skip(1)).filter(|(one, next)| !one.adds() && next.adds());
        let first = filled().next().is_some_and(|row| row.adds());
        self.is_line_by_line(&self.there) || begins.count() + usize::from(first) <= 1
    }

    /// Checks whether as many lines are added as removed, and the file has one of each two.
    fn is_line_by_line(&self, lines: &Range<usize>) -> bool {
        let is_either = |(nth, line): (usize, usize)| {
            [&self.removed[nth], &self.added[nth]].iter().any(|changed| changed.text == self.text(line))
        };
        self.removed.len() == self.added.len()
            && lines.len() == self.added.len()
            && lines.end <= self.aligned.file.len()
            && lines.clone().enumerate().all(is_either)
    }

    /// Checks whether a line beside the lines that are there may be a line that is still to be added, as it reads since, or the line next to
    /// these a line that was to be removed.
    fn is_changed_since(&self, left: &[Rc<Row<'q>>]) -> bool {
        /// So many lines on either side are looked at.
        const NEAR: usize = 5;
        let file = self.aligned.file;
        let known = self.known.get_or_init(|| Known::new(self.aligned));
        let is_of_edit =
            |line: usize| known.kept.contains(&line) || known.bodies.contains(file.line(line).body());
        let is_other = |line: &usize| !file.is_blank(*line) && !is_of_edit(*line);
        let above = (self.there.start.saturating_sub(NEAR)..self.there.start).rev().filter(is_other);
        let below = (self.there.end..(self.there.end + NEAR).min(file.len())).filter(is_other);
        let is_like = |row: &Row<'_>, line: usize| {
            row.has_text() && relate(file.costs, &row.line, file.line(line)).class != Class::Other
        };
        let is_left = |row: &Rc<Row<'q>>| left.iter().any(|left| Rc::ptr_eq(left, row));
        let may_be_removed = |line: usize| {
            let mut like = self.removed.iter().map(|old| old.row).filter(|row| is_like(row, line));
            like.any(|row| !is_left(row))
        };
        let may_be_added = |line: usize| left.iter().filter(|row| row.adds()).any(|row| is_like(row, line));
        above.clone().take(1).chain(below.clone().take(1)).any(may_be_removed)
            || above.chain(below).any(may_be_added)
    }
}
