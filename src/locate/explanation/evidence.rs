//! The explanation that the target is not in this file: the only measure of evidence.

use super::aligned::Aligned;
use super::other_name::OtherName;
use super::types::Explanation;
use crate::locate::align::map::IndentMap;
use crate::locate::align::relation::{Class, Kind, Relation};
use crate::locate::syntax::without_separator;
use crate::text::Fold;

/// Returns the cost of the assumption that the target is not in the file, and that the quoted lines match by chance.
///
/// A line that differs counts in part. A missing or rewritten line costs nothing, because a quote of another text is
/// free.
pub(crate) fn null_cost(aligned: &Aligned<'_, '_>) -> i32 {
    let rows = 0..aligned.pairs.len();
    let sum = rows.clone().map(|row| evidence(aligned, row)).sum::<i32>();
    // At another depth, lines that the file has several times, and brackets, are no evidence by themselves.
    let is_shown = aligned.map == IndentMap::Same || rows.into_iter().any(|row| aligned.is_telling(row));
    aligned.file.costs.null + if is_shown { sum } else { 0 }
}

/// Returns how much a row supports the alignment.
pub(super) fn evidence(aligned: &Aligned<'_, '_>, row: usize) -> i32 {
    let quoted = aligned.reading.old(row);
    if quoted.is_blank() {
        return 0;
    }
    let relation = aligned.relation(row);
    let mut chance = quoted.chance(aligned.file);
    if let Some(line) = aligned.pairs[row].line()
        && relation.is_some_and(|relation| relation.kind == Kind::Annotation)
    {
        chance = chance.min(aligned.file.chance(aligned.file.line(line)));
    }
    match relation {
        None => 0,
        // Brackets are evidence only at their own depth.
        Some(_) if quoted.line.letters() == 0 && aligned.map != IndentMap::Same => 0,
        // A line that occurs several times is weak evidence at another depth.
        Some(_) if aligned.map != IndentMap::Same && aligned.file.occurrences(&quoted.line) > 1 => chance / 2,
        Some(relation) => match relation.class {
            Class::Same | Class::Typo => chance,
            _ if aligned.pairs[row].line().is_none() => chance,
            Class::Other => 0,
            Class::Differs => {
                let most = aligned.file.costs.rewritten + aligned.file.content(&quoted.line);
                chance * (most - relation.cost).max(0) / most
            }
        },
    }
}

impl Aligned<'_, '_> {
    /// Returns the cost of quoted lines that differ from their partner, or have no partner, and occur exactly elsewhere
    /// in the file. A file with both spellings of a line distinguishes both.
    pub(crate) fn exact_elsewhere(&self) -> i32 {
        let rows = 0..self.pairs.len();
        let deeper = rows.clone().map(|row| self.depth_elsewhere(row)).max().unwrap_or_default();
        self.file.costs.coincidence * deeper
            + rows
                .filter(|row| !self.is_swapped(*row))
                .map(|row| self.row_elsewhere(row) + self.missing_but_there(row) + self.word_elsewhere(row))
                .sum::<i32>()
    }

    /// Returns the cost of a row that differs from its line in a single name, if the file has the quoted name elsewhere.
    fn word_elsewhere(&self, row: usize) -> i32 {
        if self.class(row) != Some(Class::Differs) {
            return 0;
        }
        let line = self.pairs[row].line();
        match line.and_then(|line| OtherName::new(self, row, line)) {
            Some(name) if self.file.index.holds_word(&name.quoted) => self.file.costs.word_known,
            _ => 0,
        }
    }

    /// Checks whether a context row and the row beside are in the other order in the file.
    fn is_swapped(&self, row: usize) -> bool {
        let quoted = self.reading.old(row);
        if !quoted.is_context() || quoted.line.letters() == 0 || self.pairs[row].is_found() {
            return false;
        }
        let is_filled = |row: &usize| !self.reading.old(*row).is_blank();
        let line_of = |row: Option<usize>| row.and_then(|row| self.pairs[row].line());
        let above = line_of((0..row).rev().find(is_filled));
        let below = line_of((row + 1..self.pairs.len()).find(is_filled));
        let before = above.and_then(|line| self.file.first_filled((0..line).rev()));
        let behind = below.and_then(|line| self.file.first_filled(line + 1..self.file.len()));
        let is_row = |line: usize| self.file.line(line).text() == quoted.line.text() && !self.is_quoted(line);
        [before, behind].into_iter().flatten().any(is_row)
    }

    /// What it costs that a context row is missing, and that the file has it at its position, with another indentation.
    fn missing_but_there(&self, row: usize) -> i32 {
        let quoted = self.reading.old(row);
        if !quoted.is_context() || quoted.is_blank() || self.pairs[row].is_found() {
            return 0;
        }
        let behind = self.line_above(row).and_then(|line| self.file.first_filled(line + 1..self.file.len()));
        let before = self.line_below(row).and_then(|line| self.file.first_filled((0..line).rev()));
        let mut near = [behind, before].into_iter().flatten();
        let is_there = near.any(|line| self.file.is_same(line, &quoted.line) && !self.is_quoted(line));
        if is_there { self.file.costs.coincidence * quoted.chance(self.file) } else { 0 }
    }

    /// Returns the worth of a line that is at another depth here, and at its own depth elsewhere. Blocks share these
    /// lines, so that only a single line counts.
    fn depth_elsewhere(&self, row: usize) -> i32 {
        let quoted = self.reading.old(row);
        let is_same = self.relation(row).is_some_and(|relation| relation.kind == Kind::Equal);
        let Some(line) = self.pairs[row].line().filter(|_| is_same && !quoted.is_blank()) else { return 0 };
        let is_alone = || self.reading.filled_old_rows().nth(1).is_none();
        // Where the sign column is read as a part of the line, the line as written has a space less.
        let as_written = quoted.line.text().strip_prefix(' ').filter(|_| self.reading.undone.signs);
        let actual = self.file.line(line);
        let is_here = actual.indent() == quoted.line.indent()
            || as_written.is_some_and(|text| text == actual.text())
            || is_alone();
        let is_in_file = |text: &str| !self.file.index.line_places(Fold::Exact, text).is_empty();
        let is_elsewhere = || is_in_file(quoted.line.text()) || as_written.is_some_and(is_in_file);
        if is_here || !is_elsewhere() { 0 } else { quoted.chance(self.file) }
    }

    /// Counts the lines elsewhere that are a quoted line, whatever separator is at the end; none if the line is here. The lines
    /// are as deep as quoted, or at any depth if the file has the quote at another depth.
    pub(super) fn count_elsewhere(&self, row: usize) -> usize {
        let quoted = &self.reading.old(row).line;
        let is_as_deep = self.map == IndentMap::Same;
        let (fold, text) =
            if is_as_deep { (Fold::Exact, quoted.text()) } else { (Fold::Trim, quoted.body()) };
        let text = without_separator(text);
        let is_here = |line: usize| without_separator(&fold.apply(self.file.line(line).text())) == text;
        if self.pairs[row].line().is_some_and(is_here) {
            return 0;
        }
        let count = |separator: &str| self.file.index.line_places(fold, &format!("{text}{separator}")).len();
        ["", ",", ";"].into_iter().map(count).sum()
    }

    fn row_elsewhere(&self, row: usize) -> i32 {
        let (quoted, costs) = (self.reading.old(row), self.file.costs);
        let relation = self.relation(row);
        let is_here =
            relation.is_some_and(|relation| relation.kind == Kind::Equal && relation.class == Class::Same);
        if is_here || quoted.is_blank() || self.count_elsewhere(row) == 0 {
            return 0;
        }
        let told_apart = relation.is_some_and(|relation| relation.class == Class::Same);
        costs.coincidence * quoted.chance(self.file) + if told_apart { costs.word } else { 0 }
    }
}

impl Explanation<'_> {
    /// Checks whether enough of the quote is in the file: the explanation beats the assumption that the target is not
    /// there. `header` is the evidence of headers. `is_outside` is whether headers, or the end of the file, contradict
    /// the position.
    pub(crate) fn has_enough_evidence(
        &self,
        aligned: &Aligned<'_, '_>,
        header: i32,
        is_outside: bool,
    ) -> bool {
        let cost = self.cost - self.coincidence - self.reading.cost - stale_content(aligned);
        let margin = if !is_outside && says_same(aligned) { 0 } else { aligned.file.costs.margin };
        cost + margin <= null_cost(aligned) + header
    }
}

/// Returns the content of missing context lines that does not count in the comparison with the null explanation. A line
/// that the file has nowhere is as likely in a quote of an older version of this block as in a quote of another text.
fn stale_content(aligned: &Aligned<'_, '_>) -> i32 {
    let (file, rows) = (aligned.file, aligned.reading.old_rows().zip(aligned.pairs.iter()));
    let stale = rows
        .filter(|(row, pair)| row.is_context() && !pair.is_found() && !file.has_squashed(&row.line))
        .map(|(row, _)| file.content(&row.line))
        .sum::<i32>();
    stale * file.costs.null_stale / 100
}

/// Checks whether all quoted lines are in the file consecutively, apart from whitespace and look-alikes: then no margin
/// of doubt is needed.
pub(crate) fn says_same(aligned: &Aligned<'_, '_>) -> bool {
    let Some(lines) = aligned.lines() else { return false };
    let has_letters = aligned.rows().any(|row| aligned.is_telling(row));
    (has_letters || aligned.map == IndentMap::Same)
        && lines.len() == aligned.pairs.len()
        && aligned.rows().all(|row| {
            let is_same =
                |relation: Relation| relation.class == Class::Same && relation.kind != Kind::Annotation;
            aligned.pairs[row].line() == Some(lines.start + row) && aligned.relation(row).is_some_and(is_same)
        })
}
