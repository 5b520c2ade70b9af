//! The price of coincidence: adding lines that already exist right next to their position is unlikely, and has a cost.

use std::borrow::Cow;
use std::collections::HashSet;

use super::made::{Moved, TOUCHED, TOUCHED_OF, is_telling};
use super::types::{Explanation, Insertion, State};
use super::unmade::shows_no_addition;
use crate::locate::align::edit_script::equal_runs;
use crate::locate::align::file::File;
use crate::locate::align::relation::Class;
use crate::locate::reading::Row;
use crate::locate::syntax::begins_control;

/// How far away added lines may be that were moved, as many times as there are added lines.
const NEAR: usize = 4;

/// Returns the cost of adding lines that already exist right next to their position.
pub(crate) fn coincidence(file: &File<'_>, explanation: &Explanation<'_>, moved: &Moved) -> i32 {
    let coincidence = Coincidence { file, explanation, moved };
    let cost = coincidence.cost();
    let costs = file.costs;
    if cost == 0 {
        0
    } else {
        // Where the result is, any added line leaves open whether the edit was made.
        cost.max(costs.made - costs.margin + 1)
    }
}

struct Coincidence<'a, 'q> {
    file: &'a File<'a>,
    explanation: &'a Explanation<'q>,
    moved: &'a Moved,
}

impl Coincidence<'_, '_> {
    fn cost(&self) -> i32 {
        let reading = &self.explanation.reading;
        let added: Vec<&Row<'_>> = reading.filled_added_rows().collect();
        if added.is_empty() || self.explanation.state == State::Made {
            return 0;
        }
        let there = match (&self.explanation.effect, self.explanation.removed.is_empty()) {
            (Err(_), _) => self.around_open(&added),
            (Ok(_), false) => self.around_replaced(&added),
            (Ok(effect), true) => {
                let each: Option<i32> =
                    effect.insertions.iter().map(|insertion| self.worth_beside(insertion)).sum();
                let most = effect.insertions.iter().map(|insertion| self.beside(insertion.at, &added)).max();
                // A single insertion is weighed against the quote.
                if effect.insertions.len() > 1 { each.max(most) } else { most }
            }
        };
        self.file.costs.coincidence * there.unwrap_or(0)
    }

    /// Returns the worth of added lines that already exist. A line that the quote also has is worth a sign.
    fn worth(&self, rows: &[&Row<'_>]) -> i32 {
        let quoted: HashSet<&str> =
            self.explanation.reading.old_rows().map(|row| row.line.squashed()).collect();
        let mut worth = 0;
        for row in rows {
            let is_quoted = quoted.contains(row.line.squashed());
            worth += if is_quoted { self.file.costs.content_sign } else { row.chance(self.file) };
        }
        worth
    }

    /// Returns the worth of the lines around an alignment without bytes, if at least half of the added lines are there.
    fn around_open(&self, added: &[&Row<'_>]) -> Option<i32> {
        let aligned = self.explanation.aligned(self.file);
        let same = aligned.rows().filter(|row| aligned.class(*row) == Some(Class::Same));
        let quoted: HashSet<usize> = same.filter_map(|row| aligned.pairs[row].line()).collect();
        let reach = added.len() + 1;
        let lines = &self.explanation.lines;
        let around = lines.start.saturating_sub(reach)..(lines.end + reach).min(self.file.len());
        let around = around.filter(|line| !quoted.contains(line));
        let there: HashSet<&str> = around.map(|line| self.file.line(line).squashed()).collect();
        let got: Vec<&Row<'_>> =
            added.iter().copied().filter(|row| there.contains(row.line.squashed())).collect();
        (2 * got.len() >= added.len()).then(|| self.worth(&got))
    }

    /// Returns, for a replacement, the worth of the new lines right around, if most new lines are there.
    fn around_replaced(&self, added: &[&Row<'_>]) -> Option<i32> {
        let removed: HashSet<&str> =
            self.explanation.removed.iter().map(|line| self.file.line(*line).squashed()).collect();
        let new: Vec<&Row<'_>> =
            added.iter().copied().filter(|row| !removed.contains(row.line.squashed())).collect();
        if let [only] = new[..] {
            return self.around_only(only);
        }
        let span = &self.explanation.span;
        let reach = new.len() + 3;
        let below = span.end..(span.end + reach).min(self.file.len());
        let above = span.start.saturating_sub(reach)..span.start;
        self.most_of(&new, &[self.texts(below), self.texts(above)])
    }

    /// Returns the lines that are not blank.
    fn texts(&self, lines: impl Iterator<Item = usize>) -> Vec<Cow<'_, str>> {
        self.filled(lines).map(|line| self.file.line(line).normalized()).collect()
    }

    /// Returns, for a replacement with a single new line, its worth between the quoted lines, or, if the removed lines
    /// are all added again, right next to the quoted lines.
    fn around_only(&self, row: &Row<'_>) -> Option<i32> {
        let aligned = self.explanation.aligned(self.file);
        let mut lines = self.explanation.lines.clone();
        let is_inside = lines.any(|line| self.file.is_same(line, &row.line) && !aligned.is_quoted(line));
        let added: HashSet<&str> =
            self.explanation.reading.added_rows().map(|row| row.line.squashed()).collect();
        let removed = &self.explanation.removed;
        let is_insertion = removed.iter().all(|line| added.contains(self.file.line(*line).squashed()));
        let span = &self.explanation.span;
        let below = self.file.first_filled(span.end..self.file.len());
        let above = self.file.first_filled((0..span.start).rev());
        let mut beside = [below, above].into_iter().flatten();
        let is_beside = is_insertion && beside.any(|line| self.file.is_same(line, &row.line));
        (is_inside || is_beside).then(|| self.worth(&[row]))
    }

    /// Returns the worth of the lines of an insertion, one of several, if all lines are right behind or before its
    /// position.
    fn worth_beside(&self, insertion: &Insertion) -> Option<i32> {
        let filled = insertion.filled();
        let is_there = insertion.is_beside(self.file, &filled, |_| true);
        is_there.then(|| filled.iter().map(|added| self.file.content(added)).sum())
    }

    /// Returns, for an insertion, the worth of the added lines in order right behind or before their position.
    fn beside(&self, at: usize, added: &[&Row<'_>]) -> i32 {
        let count = added.len();
        let below = self.texts(self.filled(at..self.file.len()).take(count + 2));
        let mut above = self.texts(self.filled((0..at).rev()).take(count + 2));
        above.reverse();
        let wanted: Vec<Cow<'_, str>> = added.iter().map(|row| row.line.normalized()).collect();
        if below.starts_with(&wanted) || above.ends_with(&wanted) {
            return self.worth(added);
        }
        // A check is made after each of several calls.
        let is_check = || added.first().is_some_and(|row| begins_control(row.line.body()));
        if is_check() && self.is_between_quoted(at) {
            return 0;
        }
        if shows_no_addition(self.file, self.explanation) {
            let is_moved = self.is_single_block(added) && self.is_near(at, &wanted, added[0].line.depth());
            return if is_moved { self.worth(added) } else { 0 };
        }
        self.most_of(added, &[below, above]).unwrap_or(0)
    }

    /// Checks whether several distinctive lines are added, at one position.
    fn is_single_block(&self, added: &[&Row<'_>]) -> bool {
        let is_single = self.explanation.effect.as_ref().is_ok_and(|effect| effect.insertions.len() == 1);
        is_single && self.telling(added.iter().copied()).len() >= 2
    }

    /// Checks whether some lines are together near a position, in the same block: they may have been moved behind the lines beside.
    fn is_near(&self, at: usize, wanted: &[Cow<'_, str>], depth: usize) -> bool {
        let most = NEAR * wanted.len();
        let is_in = |line: &usize| self.file.line(*line).depth() >= depth;
        let below = self.texts(self.filled(at..self.file.len()).take_while(is_in).take(most));
        let mut above = self.texts(self.filled((0..at).rev()).take_while(is_in).take(most));
        above.reverse();
        [below, above].iter().any(|side| side.windows(wanted.len()).any(|lines| lines == wanted))
    }

    /// Checks whether the lines above and below a position are quoted as they are.
    fn is_between_quoted(&self, at: usize) -> bool {
        let aligned = self.explanation.aligned(self.file);
        let is_quoted = |line: usize| line < self.file.len() && aligned.is_quoted_alike(line);
        at.checked_sub(1).is_some_and(is_quoted) && is_quoted(at)
    }

    /// Returns the worth of the lines on either of two sides, in order, if most of the distinctive lines are there.
    fn most_of(&self, new: &[&Row<'_>], sides: &[Vec<Cow<'_, str>>; 2]) -> Option<i32> {
        let wanted: Vec<Cow<'_, str>> = new.iter().map(|row| row.line.normalized()).collect();
        let there = sides.iter().map(|side| rows_in(&wanted, side)).max_by_key(Vec::len)?;
        let there = self.telling(there.into_iter().map(|nth| new[nth]));
        let all = self.telling(new.iter().copied());
        let is_most = there.len() >= 2 && self.content(&there) * TOUCHED_OF >= self.content(&all) * TOUCHED;
        is_most.then(|| self.worth(&there))
    }

    fn filled(&self, lines: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
        lines.filter(|line| !self.file.is_blank(*line))
    }

    /// Returns the rows that tell whether an edit was made.
    fn telling<'r, 'q>(&self, rows: impl Iterator<Item = &'r Row<'q>>) -> Vec<&'r Row<'q>>
    where
        'q: 'r,
    {
        rows.filter(|row| is_telling(self.file, row) && !self.moved.has(row)).collect()
    }

    fn content(&self, rows: &[&Row<'_>]) -> i32 {
        rows.iter().map(|row| self.file.content(&row.line)).sum()
    }
}

/// Returns the indices of the wanted lines that a side has, in order.
fn rows_in(wanted: &[Cow<'_, str>], side: &[Cow<'_, str>]) -> Vec<usize> {
    let runs = equal_runs(wanted, side);
    runs.into_iter().flat_map(|(start, _, length)| start..start + length).collect()
}
