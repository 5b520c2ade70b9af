//! Windows: the regions of the file that a reading is aligned with, as bands of diagonals.
//!
//! The alignment uses no pairs of rows and lines outside the window.

use std::borrow::Cow;
use std::ops::Range;

use super::cost::Costs;
use super::file::File;
use super::map::IndentMap;
use super::pairing::Pairing;
use super::relation::{Class, Kind, Relation};
use crate::locate::reading::Reading;

/// The position of a cell, or of a pair, in the tables of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell(pub(crate) usize);

/// A band of diagonals, with the relation of each row and line in the band.
pub(crate) struct Window<'w, 'q> {
    pub(crate) file: &'w File<'w>,
    pub(crate) reading: &'w Reading<'q>,
    /// The first diagonal.
    first: isize,
    /// The number of diagonals.
    width: usize,
    relations: Vec<Relation>,
}

/// The relation of a blank row or line with a non-blank line or row, which are never paired.
const NO_PAIR: Relation = Relation { cost: i32::MAX, class: Class::Other, kind: Kind::Other };

impl<'w, 'q> Window<'w, 'q> {
    /// Compares the rows of a reading with the lines of a band of diagonals.
    pub(crate) fn new(file: &'w File<'w>, reading: &'w Reading<'q>, diagonals: &Range<isize>) -> Self {
        let width = usize::try_from(diagonals.end - diagonals.start).unwrap_or_default();
        let mut window = Window { file, reading, first: diagonals.start, width, relations: Vec::new() };
        window.relations = vec![NO_PAIR; window.rows() * width];
        for row in 0..window.rows() {
            for line in window.lines_of_row(row) {
                if let Some(pair) = window.pair(row, line) {
                    window.relations[pair.0] = window.compare(row, line);
                }
            }
        }
        window
    }

    fn compare(&self, row: usize, line: usize) -> Relation {
        let (quoted, actual) = (self.reading.old(row), self.file.line(line));
        if quoted.is_blank() == actual.is_blank() {
            quoted.relation(self.file.costs, actual)
        } else {
            NO_PAIR
        }
    }

    /// Checks whether a row shows an indentation with a partner: a row with text that is not completely different.
    pub(crate) fn shows_indentation(&self, row: usize, pair: Pairing) -> bool {
        let relation = |line| self.pair(row, line).map_or(NO_PAIR, |pair| self.relations[pair.0]);
        let is_related = match pair {
            Pairing::Missing => false,
            Pairing::Line(line) => relation(line).class != Class::Other,
        };
        is_related && !self.reading.old(row).is_blank()
    }

    /// Returns the number of old rows.
    pub(crate) fn rows(&self) -> usize {
        self.reading.old_len()
    }

    /// Returns the number of cells of a table.
    pub(crate) fn cells(&self) -> usize {
        (self.rows() + 1) * (self.width + 1)
    }

    /// Returns the cell before a row and before a line, if the cell is in the band.
    pub(crate) fn cell(&self, row: usize, line: usize) -> Option<Cell> {
        let diagonal = self.diagonal(row, line).filter(|diagonal| *diagonal <= self.width)?;
        (row <= self.rows() && line <= self.file.len()).then(|| Cell(row * (self.width + 1) + diagonal))
    }

    /// Returns the pair of a row and a line, if the pair is in the band.
    pub(crate) fn pair(&self, row: usize, line: usize) -> Option<Cell> {
        let diagonal = self.diagonal(row, line).filter(|diagonal| *diagonal < self.width)?;
        (row < self.rows() && line < self.file.len()).then(|| Cell(row * self.width + diagonal))
    }

    fn diagonal(&self, row: usize, line: usize) -> Option<usize> {
        usize::try_from(line.cast_signed() - row.cast_signed() - self.first).ok()
    }

    /// Returns the lines that have a cell before a row.
    pub(crate) fn lines_before_row(&self, row: usize) -> Range<usize> {
        self.clamped(row, self.width + 1, self.file.len() + 1)
    }

    /// Returns the lines that may be paired with a row.
    pub(crate) fn lines_of_row(&self, row: usize) -> Range<usize> {
        self.clamped(row, self.width, self.file.len())
    }

    fn clamped(&self, row: usize, width: usize, len: usize) -> Range<usize> {
        let start = row.cast_signed() + self.first;
        let end = start + width.cast_signed();
        usize::try_from(start).unwrap_or(0).min(len)..usize::try_from(end).unwrap_or(0).min(len)
    }

    /// Returns the line behind the last line of the file.
    pub(crate) fn last_line(&self) -> usize {
        self.file.len()
    }

    pub(crate) fn is_blank_line(&self, line: usize) -> bool {
        line < self.file.len() && self.file.is_blank(line)
    }

    /// Checks whether a row is blank context. A blank line to be removed is not dropped.
    pub(crate) fn is_blank_row(&self, row: usize) -> bool {
        let row = self.reading.old(row);
        row.is_context() && row.is_blank()
    }

    /// Returns the cost of each pair for a map; `None` ignores the indentation.
    pub(crate) fn pair_costs(&self, costs: &Costs, map: Option<IndentMap>) -> Vec<i32> {
        let mut pairs = vec![i32::MAX; self.rows() * self.width];
        for row in 0..self.rows() {
            let indent = self.reading.old(row).line.indent();
            let mapped = map.map(|map| Mapped(map.apply(&indent)));
            for line in self.lines_of_row(row) {
                if let Some(pair) = self.pair(row, line) {
                    pairs[pair.0] =
                        self.pair_cost(costs, (row, line), self.relations[pair.0], mapped.as_ref());
                }
            }
        }
        pairs
    }

    /// Returns the cost of a pair. `mapped` is the mapped indentation of the row, if there is a map.
    fn pair_cost(
        &self,
        costs: &Costs,
        (row, line): (usize, usize),
        relation: Relation,
        mapped: Option<&Mapped<'_>>,
    ) -> i32 {
        if relation == NO_PAIR {
            return i32::MAX;
        }
        let (row, actual) = (self.reading.old(row), self.file.line(line));
        let removed = if row.removes() { costs.removed } else { 0 };
        let mut cost = relation.cost;
        if relation.class != Class::Same {
            cost += removed;
        }
        if row.line.trailing() != actual.trailing() {
            cost += costs.trailing_space;
        }
        if let Some(Mapped(mapped)) = mapped.filter(|_| !row.line.is_blank()) {
            let mapped = mapped.as_deref();
            let indent = actual.indent();
            if mapped != Some(&*indent) {
                let slip = if relation.class == Class::Other {
                    costs.odd_depth
                } else {
                    self.file.slip_cost(mapped, &indent)
                };
                cost += slip + removed;
            }
        }
        cost
    }

    /// Returns the cost of a row without a partner: for the first in a run, and for each further row.
    pub(crate) fn missing_cost(&self, costs: &Costs, row: usize) -> (i32, i32) {
        let row = self.reading.old(row);
        let removed = if row.removes() { costs.removed } else { 0 };
        let content = self.file.content(&row.line) + removed;
        (costs.missing + content, costs.missing_more + content)
    }

    /// Returns the cost of lines without a partner before a row: for the first line, and for each further line. Before
    /// the first row and behind the last there is no gap.
    pub(crate) fn skip_cost(&self, costs: &Costs, row: usize) -> (i32, i32) {
        if row == 0 || row == self.rows() {
            (i32::MAX, i32::MAX)
        } else if self.reading.is_free(row) {
            (costs.dots, 0)
        } else {
            (costs.skip, costs.skip_more)
        }
    }
}

/// The mapped indentation of a row; `None` if the map has no result.
struct Mapped<'i>(Option<Cow<'i, str>>);
