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

mod trace;

pub(crate) use self::trace::{Detour, Way};
use super::cost::Costs;
use super::map::IndentMap;
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

    pub(crate) fn window(&self) -> &'w Window<'w, 'q> {
        self.window
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
        }
        if self.window.is_blank_row(i - 1) {
            paired = paired.min(plus(Self::at(&self.forward.paired, above), self.blank));
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
        self.backward.paired[cell.0] = paired;
        self.backward.missing[cell.0] = paired.min(plus(behind_missing, more));
        self.backward.skipped[cell.0] =
            paired.min(plus(Self::at(&self.backward.skipped, right), self.skip[i].1));
    }
}
