//! The alignment table: the cheapest ways to pair the old rows of a quote with lines of the file, for a given
//! indentation map.
//!
//! Rows and lines without a partner form gaps with affine costs (Gotoh, "An improved algorithm for matching biological
//! sequences", 1982). In addition to the table from the beginning there is a table from the end (Myers and Miller,
//! "Optimal alignments in linear space", 1988). Both together give the cheapest alignment through any given pair, and
//! through any given row without a partner, for the cost of a second table. So the cheapest alignment with a
//! *different* decision is exact, and no list of the k best alignments is needed.
//!
//! All costs are integers, so that backtracking can compare for equality.

use super::cost::Costs;
use super::map::IndentMap;
use super::pairing::Pairing;
use super::window::{Cell, Window};

/// A cost that no way has.
const NEVER: i32 = 10_000_000;

/// Adds costs; either may be [`NEVER`].
fn plus(a: i32, b: i32) -> i32 {
    if a >= NEVER || b >= NEVER { NEVER } else { a + b }
}

/// The costs of the cheapest ways from the beginning to each cell and from each cell to the end.
///
/// A cell `(i, j)` lies before row `i` and before line `j`, both 0-based. Cells exist for the diagonals `j - i` of the
/// window only.
pub(crate) struct Table<'w, 'q> {
    window: &'w Window<'w, 'q>,
    pub(crate) map: IndentMap,
    /// The cost of pairing a row with a line, for the diagonals of the window.
    pair: Vec<i32>,
    /// What a row without a partner costs: the first, and each further in a row.
    missing: Vec<(i32, i32)>,
    /// The cost of lines without a partner before each row: the first line, and each further line.
    skip: Vec<(i32, i32)>,
    blank: i32,
    join: i32,
    forward: Layer,
    backward: Layer,
    /// The cheapest cost from the beginning to a cell, in whatever state.
    best: Vec<i32>,
    /// The cost of the cheapest alignment.
    pub(crate) cost: i32,
    /// The line behind the last line of the cheapest alignment.
    end: usize,
}

/// The costs of the three states: the last row has a partner (or both sides are at a blank line), the last row has no
/// partner, the last line has no partner.
struct Layer {
    paired: Vec<i32>,
    missing: Vec<i32>,
    skipped: Vec<i32>,
}

impl Layer {
    fn new(cells: usize, cost: i32) -> Self {
        Layer { paired: vec![cost; cells], missing: vec![cost; cells], skipped: vec![cost; cells] }
    }
}

/// What the last step of a way was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Any,
    Paired,
    Missing,
    Skipped,
}

/// An alignment, and its cost without the map and the reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) cost: i32,
    /// The partner of each old row.
    pub(crate) pairs: Vec<Pairing>,
}

/// How many alternative partners of a row are followed.
const MOST_WAYS: usize = 6;

impl<'w, 'q> Table<'w, 'q> {
    /// Computes both tables. Without a map, indentation is ignored.
    pub(crate) fn new(costs: &Costs, window: &'w Window<'w, 'q>, map: Option<IndentMap>) -> Self {
        let rows = window.rows();
        let rule = map.filter(|map| map.is_rule());
        let mut table = Table {
            window,
            map: map.unwrap_or(IndentMap::Free),
            pair: window.pair_costs(costs, rule),
            missing: (0..rows).map(|row| window.missing_cost(costs, row)).collect(),
            skip: (0..=rows).map(|row| window.skip_cost(costs, row)).collect(),
            blank: costs.blank,
            join: costs.join,
            forward: Layer::new(window.cells(), NEVER),
            backward: Layer::new(window.cells(), NEVER),
            best: vec![NEVER; window.cells()],
            cost: NEVER,
            end: 0,
        };
        table.fill_forward();
        table.fill_backward();
        table
    }

    fn rows(&self) -> usize {
        self.window.rows()
    }

    fn at(costs: &[i32], cell: Option<Cell>) -> i32 {
        cell.map_or(NEVER, |cell| costs[cell.0])
    }

    /// Returns the cost of the cheapest way from the beginning to a cell.
    fn best_before(&self, i: usize, j: usize) -> i32 {
        Self::at(&self.best, self.window.cell(i, j))
    }

    /// Returns the cost of the cheapest way from a cell to the end, behind a pair.
    fn paired_behind(&self, i: usize, j: usize) -> i32 {
        Self::at(&self.backward.paired, self.window.cell(i, j))
    }

    /// Returns the cost of pairing row `i` with line `j`.
    fn pair_cost(&self, i: usize, j: usize) -> i32 {
        self.window.pair(i, j).map_or(NEVER, |cell| self.pair[cell.0])
    }

    /// Returns the cost if row `i` is the lines `j` and `j + 1`, or if rows `i` and `i + 1` are line `j`.
    fn joined_cost(&self, is_join: bool, i: usize, j: usize) -> i32 {
        let is_one = if is_join { self.window.is_joined(i, j) } else { self.window.is_split(i, j) };
        if is_one { self.join + self.window.joined_misfit(i, j, self.map) } else { NEVER }
    }

    fn fill_forward(&mut self) {
        for j in self.window.lines_before_row(0) {
            if let Some(cell) = self.window.cell(0, j) {
                self.forward.paired[cell.0] = 0;
                self.best[cell.0] = 0;
            }
        }
        for i in 1..=self.rows() {
            for j in self.window.lines_before_row(i) {
                self.fill_forward_cell(i, j);
            }
        }
        let last = self.rows();
        let ends = self.window.lines_before_row(last).map(|j| {
            let cell = self.window.cell(last, j);
            (Self::at(&self.forward.paired, cell).min(Self::at(&self.forward.missing, cell)), j)
        });
        if let Some((cost, end)) = ends.min() {
            (self.cost, self.end) = (cost, end);
        }
    }

    fn fill_forward_cell(&mut self, i: usize, j: usize) {
        let Some(cell) = self.window.cell(i, j) else { return };
        let above = self.window.cell(i - 1, j);
        let left = j.checked_sub(1).and_then(|j| self.window.cell(i, j));
        let paired = self.forward_paired(i, j, above, left);
        let (open, more) = self.missing[i - 1];
        let missing =
            plus(Self::at(&self.best, above), open).min(plus(Self::at(&self.forward.missing, above), more));
        let (open, more) = self.skip[i];
        let skipped =
            plus(Self::at(&self.best, left), open).min(plus(Self::at(&self.forward.skipped, left), more));
        self.forward.paired[cell.0] = paired;
        self.forward.missing[cell.0] = missing;
        self.forward.skipped[cell.0] = skipped;
        self.best[cell.0] = paired.min(missing).min(skipped);
    }

    fn forward_paired(&self, i: usize, j: usize, above: Option<Cell>, left: Option<Cell>) -> i32 {
        let mut paired = NEVER;
        if let Some(line) = j.checked_sub(1) {
            let before = self.window.cell(i - 1, line);
            paired = plus(Self::at(&self.best, before), self.pair_cost(i - 1, line));
            if i < self.rows() && self.window.is_blank_line(line) {
                paired = paired.min(plus(Self::at(&self.forward.paired, left), self.blank));
            }
            if i > 1 && self.window.has_joins() {
                let before = self.best_before(i - 2, line);
                paired = paired.min(plus(before, self.joined_cost(false, i - 2, line)));
            }
        }
        if self.window.is_blank_row(i - 1) {
            paired = paired.min(plus(Self::at(&self.forward.paired, above), self.blank));
        }
        if let Some(line) = j.checked_sub(2).filter(|_| self.window.has_joins()) {
            let before = self.best_before(i - 1, line);
            paired = paired.min(plus(before, self.joined_cost(true, i - 1, line)));
        }
        paired
    }

    fn fill_backward(&mut self) {
        let last = self.rows();
        for j in self.window.lines_before_row(last) {
            if let Some(cell) = self.window.cell(last, j) {
                self.backward.paired[cell.0] = 0;
                self.backward.missing[cell.0] = 0;
            }
        }
        for i in (0..last).rev() {
            for j in self.window.lines_before_row(i).rev() {
                self.fill_backward_cell(i, j);
            }
        }
    }

    fn fill_backward_cell(&mut self, i: usize, j: usize) {
        let Some(cell) = self.window.cell(i, j) else { return };
        let below = self.window.cell(i + 1, j);
        let right = self.window.cell(i, j + 1);
        let (open, more) = self.missing[i];
        let behind_missing = Self::at(&self.backward.missing, below);
        let mut paired = plus(behind_missing, open);
        let behind = self.paired_behind(i + 1, j + 1);
        paired = paired.min(plus(behind, self.pair_cost(i, j)));
        if i > 0 {
            if self.window.is_blank_line(j) {
                paired = paired.min(plus(Self::at(&self.backward.paired, right), self.blank));
            }
            paired = paired.min(plus(Self::at(&self.backward.skipped, right), self.skip[i].0));
        }
        if self.window.is_blank_row(i) {
            paired = paired.min(plus(Self::at(&self.backward.paired, below), self.blank));
        }
        if self.window.has_joins() {
            let behind_join = self.paired_behind(i + 1, j + 2);
            let behind_split = self.paired_behind(i + 2, j + 1);
            paired = paired.min(plus(behind_join, self.joined_cost(true, i, j)));
            paired = paired.min(plus(behind_split, self.joined_cost(false, i, j)));
        }
        self.backward.paired[cell.0] = paired;
        self.backward.missing[cell.0] = paired.min(plus(behind_missing, more));
        self.backward.skipped[cell.0] =
            paired.min(plus(Self::at(&self.backward.skipped, right), self.skip[i].1));
    }

    /// Returns the cheapest alignment.
    pub(crate) fn cheapest(&self) -> Way {
        let mut pairs = vec![Pairing::Missing; self.rows()];
        let cell = self.window.cell(self.rows(), self.end);
        let is_paired = Self::at(&self.forward.paired, cell) <= Self::at(&self.forward.missing, cell);
        let state = if is_paired { State::Paired } else { State::Missing };
        self.trace_back(self.rows(), self.end, state, &mut pairs);
        Way { cost: self.cost, pairs }
    }

    /// Returns the cheapest alignments in which a row has a partner other than `than`, once for each partner, and the
    /// cheapest in which the row has no partner; all at most `limit`.
    pub(crate) fn otherwise(&self, row: usize, than: Pairing, limit: i32) -> Vec<Way> {
        let mut partners: Vec<(i32, usize)> = self
            .window
            .lines_of_row(row)
            .filter(|line| !than.contains(*line))
            .map(|line| (self.cost_through(row, line), line))
            .filter(|(cost, _)| *cost <= limit)
            .collect();
        partners.sort_unstable();
        partners.truncate(MOST_WAYS);
        let mut ways: Vec<Way> =
            partners.into_iter().map(|(cost, line)| self.way_through(row, line, cost)).collect();
        ways.extend(self.ways_joined(row, than).filter(|way| way.cost <= limit));
        if !self.window.is_blank_row(row) && than != Pairing::Missing {
            ways.extend(self.way_without(row).filter(|way| way.cost <= limit));
        }
        ways
    }

    fn cost_through(&self, row: usize, line: usize) -> i32 {
        let before = self.best_before(row, line);
        let behind = self.paired_behind(row + 1, line + 1);
        plus(plus(before, self.pair_cost(row, line)), behind)
    }

    fn way_through(&self, row: usize, line: usize, cost: i32) -> Way {
        let mut pairs = vec![Pairing::Missing; self.rows()];
        pairs[row] = Pairing::Line(line);
        self.trace_back(row, line, State::Any, &mut pairs);
        self.trace_ahead(row + 1, line + 1, State::Paired, &mut pairs);
        Way { cost, pairs }
    }

    /// Returns the alignments in which a row is two lines.
    fn ways_joined(&self, row: usize, than: Pairing) -> impl Iterator<Item = Way> {
        let lines = self.window.lines_of_row(row).filter(move |line| {
            self.window.has_joins() && self.window.is_joined(row, *line) && than != Pairing::Joined(*line)
        });
        lines.map(move |line| {
            let before = self.best_before(row, line);
            let behind = self.paired_behind(row + 1, line + 2);
            let mut pairs = vec![Pairing::Missing; self.rows()];
            pairs[row] = Pairing::Joined(line);
            self.trace_back(row, line, State::Any, &mut pairs);
            self.trace_ahead(row + 1, line + 2, State::Paired, &mut pairs);
            Way { cost: plus(plus(before, self.joined_cost(true, row, line)), behind), pairs }
        })
    }

    fn way_without(&self, row: usize) -> Option<Way> {
        let through = self.window.lines_before_row(row + 1).map(|j| {
            let cell = self.window.cell(row + 1, j);
            (plus(Self::at(&self.forward.missing, cell), Self::at(&self.backward.missing, cell)), j)
        });
        let (cost, j) = through.min()?;
        if cost >= NEVER {
            return None;
        }
        let mut pairs = vec![Pairing::Missing; self.rows()];
        self.trace_back(row + 1, j, State::Missing, &mut pairs);
        self.trace_ahead(row + 1, j, State::Missing, &mut pairs);
        Some(Way { cost, pairs })
    }

    /// Follows the cheapest alignment from the beginning to a cell, and records its pairs.
    fn trace_back(&self, mut i: usize, mut j: usize, mut state: State, pairs: &mut [Pairing]) {
        while i > 0 {
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
                        return;
                    }
                    j -= 1;
                }
                State::Any | State::Paired => (i, j, state) = self.back_from_paired(i, j, pairs),
            }
        }
    }

    fn back_from_paired(&self, i: usize, j: usize, pairs: &mut [Pairing]) -> (usize, usize, State) {
        let cost = Self::at(&self.forward.paired, self.window.cell(i, j));
        if cost >= NEVER {
            return (0, j, State::Paired);
        }
        if j > 0 && cost == plus(self.best_before(i - 1, j - 1), self.pair_cost(i - 1, j - 1)) {
            pairs[i - 1] = Pairing::Line(j - 1);
            return (i - 1, j - 1, State::Any);
        }
        if j > 1 && cost == plus(self.best_before(i - 1, j - 2), self.joined_cost(true, i - 1, j - 2)) {
            pairs[i - 1] = Pairing::Joined(j - 2);
            return (i - 1, j - 2, State::Any);
        }
        if j > 0
            && i > 1
            && cost == plus(self.best_before(i - 2, j - 1), self.joined_cost(false, i - 2, j - 1))
        {
            (pairs[i - 1], pairs[i - 2]) = (Pairing::Part(j - 1), Pairing::Part(j - 1));
            return (i - 2, j - 1, State::Any);
        }
        let above = Self::at(&self.forward.paired, self.window.cell(i - 1, j));
        if j == 0 || self.window.is_blank_row(i - 1) && cost == plus(above, self.blank) {
            return (i - 1, j, State::Paired);
        }
        (i, j - 1, State::Paired)
    }

    /// Follows the cheapest alignment from a cell to the end, and records its pairs.
    fn trace_ahead(&self, mut i: usize, mut j: usize, mut state: State, pairs: &mut [Pairing]) {
        while i < self.rows() && j <= self.window.last_line() {
            let cell = self.window.cell(i, j);
            let paired = Self::at(&self.backward.paired, cell);
            match state {
                State::Missing if Self::at(&self.backward.missing, cell) != paired => i += 1,
                State::Skipped if Self::at(&self.backward.skipped, cell) != paired => j += 1,
                _ => (i, j, state) = self.ahead_from_paired(i, j, paired, pairs),
            }
        }
    }

    fn ahead_from_paired(
        &self,
        i: usize,
        j: usize,
        cost: i32,
        pairs: &mut [Pairing],
    ) -> (usize, usize, State) {
        // No way leads on from here: costs that are never reached are all equal.
        if cost >= NEVER {
            return (self.rows(), j, State::Paired);
        }
        if cost == plus(self.pair_cost(i, j), self.paired_behind(i + 1, j + 1)) {
            pairs[i] = Pairing::Line(j);
            return (i + 1, j + 1, State::Paired);
        }
        if cost == plus(self.joined_cost(true, i, j), self.paired_behind(i + 1, j + 2)) {
            pairs[i] = Pairing::Joined(j);
            return (i + 1, j + 2, State::Paired);
        }
        if i + 1 < self.rows()
            && cost == plus(self.joined_cost(false, i, j), self.paired_behind(i + 2, j + 1))
        {
            (pairs[i], pairs[i + 1]) = (Pairing::Part(j), Pairing::Part(j));
            return (i + 2, j + 1, State::Paired);
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
