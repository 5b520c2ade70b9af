//! Whether the lines of an addition are elsewhere in the file by now: sorted into their list, moved, or followed by a change.

use std::collections::HashSet;
use std::ops::Range;

use super::begun::{begins_beside, begun_below};
use super::defined::{LONGEST_LIST, REACH, block, defined, defined_in_record};
use super::extended::extended_beside;
use super::made::{TELLING_LETTERS, TOUCHED, TOUCHED_OF, is_telling};
use super::named::in_other_form;
use super::types::{Explanation, Insertion, Obstacle};
use super::unmade::has_once;
use crate::locate::align::file::{File, MOST_COMPARED};
use crate::locate::align::line_text::{LineText, indent};
use crate::locate::reading::Row;
use crate::locate::syntax::{
    begins_control, closes, imports, is_about_next, is_statement, without_separator,
};
use crate::text::Fold;

/// How many insertions of an edit are compared with the blocks around.
const MOST_INSERTIONS: usize = 64;

/// Returns the obstacle if lines that an edit adds are in the file: one of several among the lines that the quote skips, a single
/// distinctive line in the same list, what it defines in the same block, the same items in the same list.
/// A line that another chunk removes is moved. `removed`: the lines that chunks remove.
pub(crate) fn obstacle_elsewhere(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    removed: &HashSet<usize>,
) -> Option<Obstacle> {
    let added = Added::new(file, explanation, removed)?;
    let is_there = added.are_skipped()
        || added.is_unquoted_beside()
        || added.telling.iter().any(|row| added.is_among(row, &added.skipped) || added.is_beside(row))
        || added.is_in_list()
        || added.is_block_around()
        || added.is_wrapped();
    let obstacle = is_there.then_some(Obstacle::MadeSince);
    obstacle.or_else(|| added.defined_within(REACH)).or_else(|| added.in_other_form())
}

/// Returns the obstacle if lines that an exact quote adds are beside their position: all lines, a name that they define, a single
/// distinctive line or the same items in the same list, or a block in the same block. Records share lines, and the file shows no other
/// sign of a change. A removed line that is there as quoted shows that the edit was not made, unless only its separator
/// changes, or lines that are added apart from it at an end of the quote are there.
pub(crate) fn obstacle_beside(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    removed: &HashSet<usize>,
) -> Option<Obstacle> {
    let added = Added::new(file, explanation, removed)?;
    if !added.only_adds() {
        return added.is_doubled_at_end().then_some(Obstacle::MadeSince);
    }
    // A short line may be there by chance, unless the lines have names.
    if !added.has_words() {
        return added.defined_in_record();
    }
    let longest = added.insertions.iter().map(|insertion| insertion.lines.len()).max();
    let is_there = added.is_in_list() || added.is_block_around() || added.is_wrapped();
    let obstacle = is_there.then_some(Obstacle::MadeSince);
    obstacle.or_else(|| added.defined_within(longest?)).or_else(|| added.in_other_form())
}

/// The lines that an edit adds, without the items that only get their separator.
struct Added<'a, 'e, 'q> {
    file: &'a File<'a>,
    explanation: &'e Explanation<'q>,
    insertions: &'e [Insertion],
    /// The lines that chunks remove.
    removed: &'e HashSet<usize>,
    new: Vec<&'e Row<'q>>,
    /// The distinctive rows.
    telling: Vec<&'e Row<'q>>,
    /// The lines that the quote skips.
    skipped: Vec<usize>,
    /// The lines beside the insertions.
    beside: Vec<usize>,
}

impl<'a, 'e, 'q> Added<'a, 'e, 'q> {
    /// Collects the lines; `None` if nothing is inserted.
    fn new(
        file: &'a File<'a>,
        explanation: &'e Explanation<'q>,
        removed: &'e HashSet<usize>,
    ) -> Option<Self> {
        let insertions: &[Insertion] = &explanation.effect.as_ref().ok()?.insertions;
        insertions.first()?;
        let reading = &explanation.reading;
        // An item that only gets its comma is not new.
        let is_kept = |row: &Row<'_>| reading.old_rows().any(|old| old.removes() && is_same_item(old, row));
        let new: Vec<&Row<'q>> = reading.filled_added_rows().filter(|row| !is_kept(row)).collect();
        let telling = new.iter().copied().filter(|row| is_telling(file, row)).collect();
        let (skipped, beside) = (skipped(file, explanation), beside(file, explanation, insertions));
        Some(Added { file, explanation, insertions, removed, new, telling, skipped, beside })
    }

    /// Checks whether a line is more than a few letters.
    fn has_words(&self) -> bool {
        self.new.iter().any(|row| row.line.letters() >= TELLING_LETTERS)
    }

    /// Checks whether nothing is removed but separators of items.
    fn only_adds(&self) -> bool {
        let reading = &self.explanation.reading;
        let mut removed = reading.filled_old_rows().filter(|row| row.removes());
        removed.all(|old| reading.filled_added_rows().any(|row| is_same_item(old, row)))
    }

    /// Checks whether a line of the file is not moved by a chunk.
    fn stays(&self, line: usize) -> bool {
        !self.removed.contains(&line)
    }

    /// Checks whether a row is among some lines, apart from its indentation and its separator.
    fn is_among(&self, row: &Row<'_>, lines: &[usize]) -> bool {
        let mut there = item_lines(self.file, row).into_iter();
        there.any(|line| self.stays(line) && lines.contains(&line))
    }

    fn is_beside(&self, row: &Row<'_>) -> bool {
        self.is_among(row, &self.beside)
    }

    /// Checks whether the quote skips all lines. Lines that other blocks have as well may be here by chance.
    fn are_skipped(&self) -> bool {
        let mut lettered = self.new.iter().filter(|row| row.line.letters() > 0);
        self.has_words() && lettered.all(|row| self.is_among(row, &self.skipped))
    }

    /// Checks whether the line right beside an insertion is the added line on that side, and the quote skips that line or has another: the
    /// line was quoted with the wrong sign, and would be there twice.
    fn is_unquoted_beside(&self) -> bool {
        let aligned = self.explanation.aligned(self.file);
        let stays = |line: &usize| self.stays(*line);
        let is_there = |line: Option<usize>, added: Option<&LineText<'_>>| {
            let pair = line.filter(|line| self.explanation.lines.contains(line)).zip(added);
            pair.is_some_and(|(line, added)| {
                let is_same = added.letters() > 0 && self.file.line(line).text() == added.text();
                is_same && !aligned.is_quoted_alike(line)
            })
        };
        self.insertions.iter().take(MOST_INSERTIONS).any(|insertion| {
            let filled = insertion.filled();
            let above = (0..insertion.at).rev().find(stays);
            let below = (insertion.at..self.file.len()).find(stays);
            is_there(above, filled.first()) || is_there(below, filled.last())
        })
    }

    /// Returns the obstacle if the lines of an insertion are right beside its position, or what it defines is defined at most `reach` lines
    /// away.
    fn defined_within(&self, reach: usize) -> Option<Obstacle> {
        let Added { file, explanation, removed, .. } = *self;
        self.insertions.iter().take(MOST_INSERTIONS).find_map(|insertion| {
            let replaces = [insertion.at, insertion.at.wrapping_sub(1)].iter().any(|line| !self.stays(*line));
            let is_beside = !replaces
                && (is_right_beside(file, explanation, insertion)
                    || begins_beside(file, explanation, insertion));
            let made = is_beside.then_some(Obstacle::MadeSince);
            made.or_else(|| defined(file, explanation, insertion, removed, replaces, reach))
        })
    }

    /// Checks whether the lines that are added at an end of the quote, beside a line that stays, are right beyond, or the first of these that
    /// is no comment is, and the file has that line once: the other lines were changed since, or are still to be added.
    fn is_doubled_at_end(&self) -> bool {
        let Added { file, explanation, .. } = *self;
        let is_telling = |line: &LineText<'_>| line.letters() >= TELLING_LETTERS;
        let insertions = self.insertions.iter().take(MOST_INSERTIONS);
        insertions.flat_map(|insertion| self.at_ends(insertion)).any(|insertion| {
            let filled = insertion.filled();
            let is_whole = || filled.iter().any(is_telling) && is_right_beside(file, explanation, &insertion);
            let is_begun = |at: usize| is_telling(&filled[at]);
            is_whole() || begun_below(file, explanation, &insertion).is_some_and(is_begun)
        })
    }

    /// Checks whether the lines that are added around the quoted lines are around these lines, less deep than they are added: the edit was
    /// made, and its quote was deeper than the file.
    fn is_wrapped(&self) -> bool {
        let file = self.file;
        let is_telling = |line: &LineText<'_>| line.letters() >= TELLING_LETTERS;
        self.insertions.iter().take(MOST_INSERTIONS).any(|insertion| {
            let ends = self.at_ends(insertion);
            let [head, tail] = &ends[..] else { return false };
            let (opening, closing) = (head.filled(), tail.filled());
            let mut above = (0..head.at).rev().filter(|line| !file.is_blank(*line));
            let mut below = (tail.at..file.len()).filter(|line| !file.is_blank(*line));
            let is_less_deep = |line: Option<usize>, added: &LineText<'_>| {
                let line = line.map(|line| file.line(line));
                line.is_some_and(|line| line.squashed() == added.squashed() && line.depth() < added.depth())
            };
            !opening.is_empty()
                && opening.iter().chain(&closing).any(is_telling)
                && opening.iter().rev().all(|added| is_less_deep(above.next(), added))
                && closing.iter().all(|added| is_less_deep(below.next(), added))
        })
    }

    /// Returns the lines of an insertion that go to an end of the quote, beside a line that stays or is added again.
    fn at_ends(&self, insertion: &Insertion) -> Vec<Insertion> {
        let quoted = &self.explanation.lines;
        let (at, above) = (insertion.at, insertion.at.wrapping_sub(1));
        if self.stays(at) && self.stays(above) {
            let is_at_end = at == quoted.start || at == quoted.end;
            return if is_at_end { vec![insertion.clone()] } else { Vec::new() };
        }
        let removed = &self.explanation.removed;
        let ends = [removed.first().copied(), removed.last().map(|line| line + 1)];
        if ends != [Some(quoted.start), Some(quoted.end)] {
            return Vec::new();
        }
        let texts: HashSet<&str> = removed.iter().map(|line| self.file.line(*line).squashed()).collect();
        let is_kept = |line: &String| {
            let line = LineText::new(&**line);
            line.letters() > 0 && texts.contains(line.squashed())
        };
        let first = insertion.lines.iter().position(is_kept);
        let last = insertion.lines.iter().rposition(is_kept);
        let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
        let of = |at: usize, rows: Range<usize>| Insertion { at, lines: insertion.lines[rows].to_vec() };
        vec![of(quoted.start, 0..first), of(quoted.end, last + 1..insertion.lines.len())]
    }

    /// Returns the obstacle if the record of an insertion has a field of the name of an added field.
    fn defined_in_record(&self) -> Option<Obstacle> {
        let Added { file, explanation, removed, .. } = *self;
        let mut insertions = self.insertions.iter().take(MOST_INSERTIONS);
        insertions.find_map(|insertion| defined_in_record(file, explanation, insertion, removed))
    }

    /// Returns the obstacle if the list of an insertion has its lines, one of them in another form, or if the line beside the insertion
    /// is its only line, extended or broken.
    fn in_other_form(&self) -> Option<Obstacle> {
        let Added { file, explanation, removed, .. } = *self;
        let mut insertions = self.insertions.iter().take(MOST_INSERTIONS).filter(|_| self.only_adds());
        let line = insertions.find_map(|insertion| {
            in_other_form(file, explanation, insertion, removed)
                .or_else(|| extended_beside(file, explanation, insertion, removed))
        })?;
        Some(Obstacle::InOtherForm { line })
    }

    /// Checks whether a single distinctive line is in the list of its position, and the quote does not have that line.
    fn is_in_list(&self) -> bool {
        let ([row], [_], [first, ..]) = (&self.new[..], &self.telling[..], self.insertions) else {
            return false;
        };
        if self.is_call_among_others(row, first) {
            return false;
        }
        let aligned = self.explanation.aligned(self.file);
        let mut there = item_lines(self.file, row);
        there.retain(|line| self.stays(*line) && !aligned.is_quoted_alike(*line));
        let list = if there.is_empty() { 0..0 } else { list_around(self.file, first) };
        there.iter().any(|line| list.contains(line))
    }

    /// Checks whether a row is a call between two quoted lines that call something else: the order of statements matters, and a
    /// statement may be there twice, while a list has each item once.
    fn is_call_among_others(&self, row: &Row<'_>, insertion: &Insertion) -> bool {
        let aligned = self.explanation.aligned(self.file);
        let Some(own) = callee(row.line.body()) else { return false };
        [insertion.at.checked_sub(1), Some(insertion.at)].into_iter().all(|line| {
            let quoted = line.filter(|line| aligned.is_quoted_alike(*line));
            quoted.is_some_and(|line| callee(self.file.line(line).body()) != Some(own))
        })
    }

    /// Checks whether a block that is inserted is in the block around its insertion.
    fn is_block_around(&self) -> bool {
        let Added { file, explanation, .. } = *self;
        let aligned = explanation.aligned(file);
        let stays = |line: &usize| self.stays(*line) && !aligned.is_quoted_alike(*line);
        self.insertions.iter().take(MOST_INSERTIONS).any(|insertion| {
            let filled = insertion.filled();
            let Some(first) = filled.first() else { return false };
            let is_apart = insertion.is_paragraph() || filled.iter().any(|line| line.depth() > first.depth());
            let lines = block(file, insertion.at, first.depth(), None, REACH);
            if is_apart && is_whole_at(file, &filled, lines, stays) {
                return true;
            }
            let Some(rows) = added_block(file, insertion, &filled) else { return false };
            let is_head = |line: &usize| file.line(*line).text().trim_end() == rows[0].text().trim_end();
            let lines = block(file, insertion.at, first.depth(), insertion.section(), REACH);
            let lines = lines.filter(is_head).filter(stays);
            is_block_at(file, &rows, lines, |head| has_once(file, explanation, head))
        })
    }
}

/// Returns what a statement calls: the text in front of its arguments.
fn callee(body: &str) -> Option<&str> {
    let (callee, _) = body.split_once('(')?;
    (!body.trim_end().ends_with(',') && !callee.contains('=') && is_statement(body)).then_some(callee)
}

/// Checks whether one of some lines begins a block that has most of several rows; all rows if the first is repeated:
/// most of them may be those of another block.
fn is_block_at(
    file: &File<'_>,
    rows: &[&LineText<'_>],
    mut lines: impl Iterator<Item = usize>,
    is_once: impl Fn(&str) -> bool,
) -> bool {
    let is_name = |head: &&LineText<'_>| file.occurrences(head) <= 1 && is_once(head.body());
    let least = if rows.first().is_some_and(is_name) { most(rows.len()) } else { rows.len() };
    lines.any(|line| count_from(file, rows, line) >= least)
}

/// Checks whether several added lines are together among some lines. What controls statements may be there several times. `stays`: which lines
/// count.
fn is_whole_at(
    file: &File<'_>,
    added: &[LineText<'_>],
    lines: Range<usize>,
    stays: impl Fn(&usize) -> bool,
) -> bool {
    let lettered: Vec<&LineText<'_>> = added.iter().filter(|line| line.letters() > 0).collect();
    let [head, _, ..] = lettered[..] else { return false };
    let is_telling = lettered.iter().any(|line| line.letters() >= TELLING_LETTERS);
    if begins_control(head.body()) || !is_telling {
        return false;
    }
    let is_at = |start: usize| {
        let mut filled = (start..file.len()).filter(|line| file.line(*line).letters() > 0);
        lettered.iter().all(|row| filled.next().is_some_and(|line| stays(&line) && file.is_same(line, row)))
    };
    file.squashed_lines(head).filter(|line| lines.contains(line)).any(is_at)
}

/// Returns the lines with letters of an added block, from the line that opens the block. A paragraph of its own is a block, too, if its
/// first line is no statement, and the file has that line at most once: a definition of one line, or at column 0 a section or a definition
/// without deeper lines.
fn added_block<'l, 't>(
    file: &File<'_>,
    insertion: &Insertion,
    filled: &'l [LineText<'t>],
) -> Option<Vec<&'l LineText<'t>>> {
    let lettered = filled.iter().filter(|line| line.letters() > 0);
    let rows: Vec<_> = lettered.skip_while(|line| is_about_next(line.text())).collect();
    let is_block = match rows[..] {
        [] => false,
        // What controls statements names nothing, and a block may have it several times.
        [head, _, ..] if begins_control(head.body()) => false,
        [head, next, ..] if next.depth() > head.depth() || is_record(filled, head) => true,
        [head, ref others @ ..] => {
            (others.is_empty() || head.indent().is_empty())
                && head.letters() >= TELLING_LETTERS
                && (insertion.section().is_some() || !is_statement(head.body()))
                && insertion.is_paragraph()
                && file.occurrences(head) <= 1
        }
    };
    is_block.then_some(rows)
}

/// Checks whether a bracket alone opens the record that a line is in.
fn is_record(filled: &[LineText<'_>], line: &LineText<'_>) -> bool {
    filled.first().is_some_and(|opener| opener.letters() == 0 && opener.depth() < line.depth())
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
    // Added lines may replace lines on either side of their position.
    let is_replaced = |line: &usize| explanation.removed.binary_search(line).is_ok();
    let beside = insertions.iter().take(MOST_INSERTIONS).flat_map(|Insertion { at, lines }| {
        let above = (0..*at).rev().skip_while(is_replaced).take(lines.len());
        let below = (*at..file.len()).skip_while(is_replaced).take(lines.len());
        above.take_while(is_unquoted).chain(below.take_while(is_unquoted))
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

/// Returns the lines that are a row, apart from their whitespace and the sign behind an item of a list.
fn item_lines(file: &File<'_>, row: &Row<'_>) -> Vec<usize> {
    let places = file.index.line_places(Fold::Skeleton, row.line.text());
    let lines = places.iter().take(MOST_COMPARED).map(|line| *line as usize);
    lines.filter(|line| item(file.line(*line).text()).eq(item(row.line.text()))).collect()
}

/// Checks whether two rows are the same item of a list.
fn is_same_item(one: &Row<'_>, other: &Row<'_>) -> bool {
    item(one.line.text()).eq(item(other.line.text()))
}

/// Returns the words of a line, without the sign that separates items. Fields of a record may be aligned in columns.
fn item(line: &str) -> impl Iterator<Item = &str> {
    without_separator(line.trim_start()).split_whitespace()
}

/// Returns how many of several rows are most of the rows.
fn most(rows: usize) -> usize {
    (rows * TOUCHED as usize).div_ceil(TOUCHED_OF as usize)
}

/// Counts the rows that are among as many lines with letters from a line on, and one more line if there are several rows.
fn count_from(file: &File<'_>, rows: &[&LineText<'_>], line: usize) -> usize {
    let lines = (line..file.len()).filter(|line| file.line(*line).letters() > 0);
    let lines: Vec<usize> = lines.take(rows.len() + usize::from(rows.len() > 2)).collect();
    rows.iter().filter(|row| lines.iter().any(|line| file.is_same(*line, row))).count()
}

/// Returns the lines around an insertion that are as deep as its last line, without a blank line between, at most [`LONGEST_LIST`] on
/// each side. The imports of a file are one list, with blank lines between groups, and with deeper lines.
fn list_around(file: &File<'_>, insertion: &Insertion) -> Range<usize> {
    let at = insertion.at;
    let Some(last) = insertion.lines.iter().rev().find(|line| !line.trim().is_empty()) else {
        return at..at;
    };
    let (depth, is_import) = (indent(last), imports(last.trim()));
    let is_as_deep = |line: usize| !file.is_blank(line) && file.line(line).indent() == depth;
    let is_of_imports = |line: usize| {
        let text = file.line(line);
        let is_deeper = || !is_as_deep(line) && text.indent().starts_with(&*depth);
        file.is_blank(line) || is_deeper() || imports(text.body()) || closes(text.body().as_bytes())
    };
    let is_in = |line: &usize| if is_import { is_of_imports(*line) } else { is_as_deep(*line) };
    let start = at - (0..at).rev().take(LONGEST_LIST).take_while(is_in).count();
    start..at + (at..file.len()).take(LONGEST_LIST).take_while(is_in).count()
}
