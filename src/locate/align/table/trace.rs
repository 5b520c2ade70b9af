//! Alignments from a table: the cheapest, and others as the rows in which they differ.
//!
//! An alignment that is followed from a cell of the cheapest alignment is the cheapest from there on. So an alignment
//! through another pair is followed only up to the first such cell, because a quote of thousands of lines has thousands
//! of such alignments.

use std::ops::Range;

use super::super::pairing::Pairing;
use super::{NEVER, Table, plus};

/// What the last step of a way was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Any,
    Paired,
    Missing,
    Skipped,
}

/// The cheapest alignment, and its cost without the map and the reading.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) cost: i32,
    /// The partner of each old row.
    pub(crate) pairs: Vec<Pairing>,
    /// Where the alignment comes to each row from the end.
    back: Route,
    /// Where the alignment from the beginning comes to each row, its partners, and the last row whose partner differs from
    /// `pairs`: of equally cheap steps the two directions may take different ones.
    ahead: Route,
    pairs_ahead: Vec<Pairing>,
    last_difference: Option<usize>,
}

/// An alignment as the rows in which it differs from the cheapest.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Detour {
    pub(crate) cost: i32,
    pub(crate) first: usize,
    /// The partners of the rows from `first` on.
    pub(crate) pairs: Vec<Pairing>,
}

impl Detour {
    /// Returns the partner of each old row.
    pub(crate) fn applied_to(&self, cheapest: &Way) -> Vec<Pairing> {
        let mut pairs = cheapest.pairs.clone();
        pairs[self.first..self.first + self.pairs.len()].copy_from_slice(&self.pairs);
        pairs
    }
}

/// The first cell of each row that an alignment comes to.
type Route = Vec<Option<(usize, State)>>;

/// Notes a cell of a route; returns `false`, because the alignment goes on.
fn note(route: &mut Route, i: usize, j: usize, state: State) -> bool {
    route[i].get_or_insert((j, state));
    false
}

/// A row, and its partner.
type Step = (usize, Pairing);

/// Returns the partner of each of some rows.
fn placed(steps: &[Step], rows: Range<usize>) -> Vec<Pairing> {
    let mut pairs = vec![Pairing::Missing; rows.len()];
    for (row, pair) in steps {
        pairs[row - rows.start] = *pair;
    }
    pairs
}

/// Returns the alignment with these partners of some rows. The rows above are those of the cheapest, the rows below those of
/// the cheapest from the beginning.
fn detour(cheapest: &Way, cost: i32, rows: Range<usize>, steps: &[Step]) -> Detour {
    let mut pairs = placed(steps, rows.clone());
    let last = cheapest.last_difference.map_or(rows.end, |last| rows.end.max(last + 1));
    pairs.extend_from_slice(&cheapest.pairs_ahead[rows.end..last]);
    let is_other = |(nth, pair): (usize, &Pairing)| cheapest.pairs[rows.start + nth] != *pair;
    let first = pairs.iter().enumerate().position(is_other).unwrap_or(pairs.len());
    let end = pairs.iter().enumerate().rposition(is_other).map_or(first, |last| last + 1);
    pairs.truncate(end);
    Detour { cost, first: rows.start + first, pairs: pairs.split_off(first) }
}

/// How many alternative partners of a row are followed.
const MOST_WAYS: usize = 6;

impl Table<'_, '_> {
    /// Returns the cheapest alignment.
    pub(crate) fn cheapest(&self) -> Way {
        let rows = self.rows();
        let cell = self.window.cell(rows, self.end);
        let is_paired = Self::at(&self.forward.paired, cell) <= Self::at(&self.forward.missing, cell);
        let state = if is_paired { State::Paired } else { State::Missing };
        let (mut back, mut ahead) = (vec![None; rows + 1], vec![None; rows + 1]);
        let mut steps = Vec::new();
        self.trace_back(rows, self.end, state, &mut steps, &mut |i, j, state| note(&mut back, i, j, state));
        let pairs = placed(&steps, 0..rows);
        steps.clear();
        let start = back[0].map_or(0, |(j, _)| j);
        self.trace_ahead(0, start, State::Paired, &mut steps, &mut |i, j, state| {
            note(&mut ahead, i, j, state)
        });
        let pairs_ahead = placed(&steps, 0..rows);
        let last_difference = (0..rows).rev().find(|row| pairs[*row] != pairs_ahead[*row]);
        Way { cost: self.cost, pairs, back, ahead, pairs_ahead, last_difference }
    }

    /// Returns the cheapest alignments in which a row has another partner than in `cheapest`, once for each partner, and the
    /// cheapest in which the row has no partner; all at most `limit`.
    pub(crate) fn otherwise(&self, row: usize, cheapest: &Way, limit: i32) -> Vec<Detour> {
        let than = cheapest.pairs[row];
        let mut partners: Vec<(i32, usize)> = self
            .window
            .lines_of_row(row)
            .filter(|line| than.line() != Some(*line))
            .map(|line| (self.cost_through(row, line), line))
            .filter(|(cost, _)| *cost <= limit)
            .collect();
        partners.sort_unstable();
        partners.truncate(MOST_WAYS);
        let mut ways: Vec<Detour> =
            partners.into_iter().map(|(cost, line)| self.through(cheapest, cost, row, line)).collect();
        if !self.window.is_blank_row(row) && than != Pairing::Missing {
            ways.extend(self.way_without(row, cheapest).filter(|way| way.cost <= limit));
        }
        ways
    }

    fn cost_through(&self, row: usize, line: usize) -> i32 {
        let before = self.best_before(row, line);
        let behind = self.paired_behind(row + 1, line + 1);
        plus(plus(before, self.pair_cost(row, line)), behind)
    }

    /// Returns the cheapest alignment through a pair.
    fn through(&self, cheapest: &Way, cost: i32, row: usize, line: usize) -> Detour {
        let mut steps = vec![(row, Pairing::Line(line))];
        let first = self.back_to(cheapest, (row, line, State::Any), &mut steps);
        let end = self.ahead_to(cheapest, (row + 1, line + 1, State::Paired), &mut steps);
        detour(cheapest, cost, first..end, &steps)
    }

    fn way_without(&self, row: usize, cheapest: &Way) -> Option<Detour> {
        let through = self.window.lines_before_row(row + 1).map(|j| {
            let cell = self.window.cell(row + 1, j);
            (plus(Self::at(&self.forward.missing, cell), Self::at(&self.backward.missing, cell)), j)
        });
        let (cost, j) = through.min()?;
        if cost >= NEVER {
            return None;
        }
        let mut steps = Vec::new();
        let first = self.back_to(cheapest, (row + 1, j, State::Missing), &mut steps);
        let end = self.ahead_to(cheapest, (row + 1, j, State::Missing), &mut steps);
        Some(detour(cheapest, cost, first.min(row)..end, &steps))
    }

    /// Follows an alignment from a cell backwards, up to a cell of the cheapest; returns the row of that cell.
    fn back_to(&self, cheapest: &Way, (i, j, state): (usize, usize, State), steps: &mut Vec<Step>) -> usize {
        self.trace_back(i, j, state, steps, &mut |i, j, state| cheapest.back[i] == Some((j, state)))
    }

    /// Follows an alignment from a cell onwards, up to a cell of the cheapest; returns the row of that cell.
    fn ahead_to(&self, cheapest: &Way, (i, j, state): (usize, usize, State), steps: &mut Vec<Step>) -> usize {
        self.trace_ahead(i, j, state, steps, &mut |i, j, state| cheapest.ahead[i] == Some((j, state)))
    }

    /// Follows the cheapest alignment from the beginning to a cell backwards, and records its pairs, until `is_known`
    /// accepts a cell. Returns the row that the rest begins with.
    fn trace_back(
        &self,
        mut i: usize,
        mut j: usize,
        mut state: State,
        pairs: &mut Vec<Step>,
        is_known: &mut dyn FnMut(usize, usize, State) -> bool,
    ) -> usize {
        while !is_known(i, j, state) && i > 0 {
            let cell = self.window.cell(i, j);
            if state == State::Any {
                let best = Self::at(&self.best, cell);
                state = if best == Self::at(&self.forward.paired, cell) {
                    State::Paired
                } else if best == Self::at(&self.forward.missing, cell) {
                    State::Missing
                } else {
                    State::Skipped
                };
            }
            match state {
                State::Missing => {
                    let above = self.best_before(i - 1, j);
                    if Self::at(&self.forward.missing, cell) == plus(above, self.missing[i - 1].0) {
                        state = State::Any;
                    }
                    i -= 1;
                }
                State::Skipped => {
                    let left = Self::at(&self.best, j.checked_sub(1).and_then(|j| self.window.cell(i, j)));
                    if Self::at(&self.forward.skipped, cell) == plus(left, self.skip[i].0) {
                        state = State::Any;
                    }
                    if j == 0 {
                        return 0;
                    }
                    j -= 1;
                }
                State::Any | State::Paired => (i, j, state) = self.back_from_paired(i, j, pairs),
            }
        }
        i
    }

    fn back_from_paired(&self, i: usize, j: usize, pairs: &mut Vec<Step>) -> (usize, usize, State) {
        let cost = Self::at(&self.forward.paired, self.window.cell(i, j));
        if cost >= NEVER {
            return (0, j, State::Paired);
        }
        if j > 0 && cost == plus(self.best_before(i - 1, j - 1), self.pair_cost(i - 1, j - 1)) {
            pairs.push((i - 1, Pairing::Line(j - 1)));
            return (i - 1, j - 1, State::Any);
        }
        let above = Self::at(&self.forward.paired, self.window.cell(i - 1, j));
        if j == 0 || self.window.is_blank_row(i - 1) && cost == plus(above, self.blank) {
            return (i - 1, j, State::Paired);
        }
        (i, j - 1, State::Paired)
    }

    /// Follows the cheapest alignment from a cell to the end, and records its pairs, until `is_known` accepts a cell.
    /// Returns the row that the rest begins with.
    fn trace_ahead(
        &self,
        mut i: usize,
        mut j: usize,
        mut state: State,
        pairs: &mut Vec<Step>,
        is_known: &mut dyn FnMut(usize, usize, State) -> bool,
    ) -> usize {
        while i < self.rows() && j <= self.window.last_line() {
            if is_known(i, j, state) {
                return i;
            }
            let cell = self.window.cell(i, j);
            let paired = Self::at(&self.backward.paired, cell);
            match state {
                State::Missing if Self::at(&self.backward.missing, cell) != paired => i += 1,
                State::Skipped if Self::at(&self.backward.skipped, cell) != paired => j += 1,
                _ => (i, j, state) = self.ahead_from_paired(i, j, paired, pairs),
            }
        }
        self.rows()
    }

    fn ahead_from_paired(
        &self,
        i: usize,
        j: usize,
        cost: i32,
        pairs: &mut Vec<Step>,
    ) -> (usize, usize, State) {
        // No way leads on from here: costs that are never reached are all equal.
        if cost >= NEVER {
            return (self.rows(), j, State::Paired);
        }
        if cost == plus(self.pair_cost(i, j), self.paired_behind(i + 1, j + 1)) {
            pairs.push((i, Pairing::Line(j)));
            return (i + 1, j + 1, State::Paired);
        }
        let missing = Self::at(&self.backward.missing, self.window.cell(i + 1, j));
        if cost == plus(missing, self.missing[i].0) {
            return (i + 1, j, State::Missing);
        }
        if self.window.is_blank_row(i) && cost == plus(self.paired_behind(i + 1, j), self.blank) {
            return (i + 1, j, State::Paired);
        }
        if i > 0 && self.window.is_blank_line(j) && cost == plus(self.paired_behind(i, j + 1), self.blank) {
            return (i, j + 1, State::Paired);
        }
        (i, j + 1, State::Skipped)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::locate::align::cost::Costs;
    use crate::locate::align::file::File;
    use crate::locate::align::window::Window;
    use crate::locate::reading::Reading;
    use crate::locate::search::Index;
    use crate::patch::edit::Edit;
    use crate::text::Document;

    /// Returns the alignment through a pair, followed to both ends.
    fn whole(table: &Table<'_, '_>, row: usize, pair: Pairing) -> Option<Vec<Pairing>> {
        let mut steps = vec![(row, pair)];
        table.trace_back(row, pair.line()?, State::Any, &mut steps, &mut |_, _, _| false);
        table.trace_ahead(row + 1, pair.line()? + 1, State::Paired, &mut steps, &mut |_, _, _| false);
        Some(placed(&steps, 0..table.rows()))
    }

    proptest! {
        #[test]
        fn a_detour_is_the_alignment_that_is_followed_to_both_ends(
            text in prop::collection::vec("|one two|one|two|three words here|three wrods here", 1..20),
            quote in prop::collection::vec("|one two|one|two|three words here", 1..12),
        ) {
            let document = Document::from(&*(text.join("\n") + "\n"));
            let old = quote.join("\n") + "\n";
            let edit = Edit::diff(&old, "");
            let reading = Reading::plain(&edit);
            let index = Index::new(&document);
            let file = File::new(&index, &Costs::DEFAULT);
            let window = Window::new(&file, &reading, &(-4..12));
            let table = Table::new(&Costs::DEFAULT, &window, None);
            let cheapest = table.cheapest();
            for row in 0..table.rows() {
                for way in table.otherwise(row, &cheapest, NEVER - 1) {
                    let pairs = way.applied_to(&cheapest);
                    prop_assert_ne!(pairs[row], cheapest.pairs[row]);
                    if let Some(whole) = whole(&table, row, pairs[row]) {
                        prop_assert_eq!(pairs, whole);
                    }
                }
            }
        }
    }
}
