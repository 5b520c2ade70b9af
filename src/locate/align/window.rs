//! Windows: the regions of the file that a reading is aligned with, as bands of diagonals.
//!
//! Each row of the quote votes for the diagonals (line minus row) on which the file has the row, weighted by content
//! and rarity. Votes of agreeing rows add up to peaks. A window is the band around one or more peaks; the alignment
//! uses no pairs of rows and lines outside the window.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::cost::Costs;
use super::file::File;
use super::map::IndentMap;
use super::relation::{Class, Kind, Relation, relate};
use crate::locate::reading::Reading;
use crate::patch::LineKind;
use crate::text::Fold;

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
    /// The pairs of a row and a line where two lines begin which the quote has as a single row.
    joins: Vec<(usize, usize)>,
    /// The pairs of a row that begins two rows and the line that is both.
    splits: Vec<(usize, usize)>,
}

/// The relation of a blank row or line with a non-blank line or row, which are never paired.
const NO_PAIR: Relation = Relation { cost: i32::MAX, class: Class::Other, kind: Kind::Other };

impl<'w, 'q> Window<'w, 'q> {
    /// Compares the rows of a reading with the lines of a band of diagonals.
    pub(crate) fn new(file: &'w File<'w>, reading: &'w Reading<'q>, diagonals: &Range<isize>) -> Self {
        let width = usize::try_from(diagonals.end - diagonals.start).unwrap_or_default();
        let mut window = Window {
            file,
            reading,
            first: diagonals.start,
            width,
            relations: Vec::new(),
            joins: Vec::new(),
            splits: Vec::new(),
        };
        window.relations = vec![NO_PAIR; window.rows() * width];
        for row in 0..window.rows() {
            for line in window.lines_of_row(row) {
                if let Some(pair) = window.pair(row, line) {
                    window.relations[pair.0] = window.compare(row, line);
                }
            }
        }
        window.find_joins();
        window
    }

    fn compare(&self, row: usize, line: usize) -> Relation {
        let (quoted, actual) = (&self.reading.old(row).line, self.file.line(line));
        match (quoted.is_blank(), actual.is_blank()) {
            (true, true) => Relation::EQUAL,
            (false, false) => relate(self.file.costs, quoted, actual),
            _ => NO_PAIR,
        }
    }

    /// Finds two lines that are a single row, and two rows that are a single line. Only context rows are considered.
    fn find_joins(&mut self) {
        let is_context = |row: usize| {
            let row = self.reading.old(row);
            row.kind == LineKind::Context && !row.line.is_blank()
        };
        let mut joins = Vec::new();
        let mut splits = Vec::new();
        for row in (0..self.rows()).filter(|row| is_context(*row)) {
            let quoted = self.reading.old(row).line.squashed();
            for line in self.lines_of_row(row) {
                if self.is_blank_line(line) {
                    continue;
                }
                if line + 1 < self.file.len() && !self.is_blank_line(line + 1) {
                    let (one, other) = (self.file.line(line).squashed(), self.file.line(line + 1).squashed());
                    if is_both(quoted, one, other) || is_both_with_break(quoted, one, other) {
                        joins.push((row, line));
                    }
                }
                if row + 1 < self.rows() && is_context(row + 1) {
                    let next = self.reading.old(row + 1).line.squashed();
                    if is_both(self.file.line(line).squashed(), quoted, next) {
                        splits.push((row, line));
                    }
                }
            }
        }
        (self.joins, self.splits) = (joins, splits);
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
        let at = |line: isize| usize::try_from(line).unwrap_or(0).min(len);
        let start = row.cast_signed() + self.first;
        at(start)..at(start + width.cast_signed())
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
        row.kind == LineKind::Context && row.line.is_blank()
    }

    pub(crate) fn has_joins(&self) -> bool {
        !self.joins.is_empty() || !self.splits.is_empty()
    }

    pub(crate) fn is_joined(&self, row: usize, line: usize) -> bool {
        self.joins.binary_search(&(row, line)).is_ok()
    }

    pub(crate) fn is_split(&self, row: usize, line: usize) -> bool {
        self.splits.binary_search(&(row, line)).is_ok()
    }

    /// Returns the cost of the indentation of a joined or split line for a map.
    pub(crate) fn joined_misfit(&self, row: usize, line: usize, map: IndentMap) -> i32 {
        let (quoted, actual) = (self.reading.old(row).line.indent(), self.file.line(line).indent());
        if map.is_rule() && !map.maps(&quoted, &actual) { self.file.costs.slip } else { 0 }
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
        let removed = if row.kind == LineKind::Remove { costs.removed } else { 0 };
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
        let removed = if row.kind == LineKind::Remove { costs.removed } else { 0 };
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

/// Checks whether a text is the concatenation of two texts.
fn is_both(whole: &str, one: &str, other: &str) -> bool {
    whole.len() == one.len() + other.len() && whole.starts_with(one) && whole.ends_with(other)
}

/// Checks whether a text is the concatenation of two texts with `\n` as two characters between.
fn is_both_with_break(whole: &str, one: &str, other: &str) -> bool {
    whole.strip_prefix(one).and_then(|rest| rest.strip_prefix("\\n")) == Some(other)
}

/// The maximum number of lines that a row votes for: a more frequent row has no information about the position.
pub(crate) const MOST_LINES: usize = 64;

/// The most windows of a reading.
const MOST_WINDOWS: usize = 10;

/// The maximum distance of votes that add up to a peak, in lines.
const PEAK: isize = 4;

/// The share of the votes of the highest peak that another peak needs, as a divisor.
const LEAST_SHARE: i32 = 5;

/// The maximum distance of peaks in the same window, in lines; the same with dots; and the maximum width of a window.
const NEAR: isize = 60;
const NEAR_WITH_DOTS: isize = 500;
const WIDEST: isize = 260;
const WIDEST_WITH_DOTS: isize = 1100;

/// Returns the bands of diagonals in which a reading may match, ascending.
pub(crate) fn bands(file: &File<'_>, reading: &Reading<'_>) -> Vec<Range<isize>> {
    let votes = match votes(file, reading, 0..reading.old_len()) {
        votes if votes.is_empty() => votes_of_words(file, reading),
        votes => votes,
    };
    let mut peaks = peaks(&votes, MOST_WINDOWS);
    for part in reading.parts() {
        let of_part = self::peaks(&self::votes(file, reading, part), 3);
        for peak in of_part {
            if peaks.iter().all(|other| other.abs_diff(peak) > PEAK.unsigned_abs()) {
                peaks.push(peak);
            }
        }
    }
    let rows = reading.old_len().cast_signed();
    let pad = 6 + (rows / 3).min(20);
    let (near, widest) =
        if reading.has_dots() { (NEAR_WITH_DOTS, WIDEST_WITH_DOTS) } else { (NEAR, WIDEST + 2 * rows) };
    let joins_peaks = rows > 2 || reading.has_dots();
    let band = |peak: &isize| {
        let together =
            peaks.iter().filter(|other| joins_peaks && other.abs_diff(*peak) <= near.unsigned_abs());
        let (low, high) =
            together.fold((*peak, *peak), |(low, high), other| (low.min(*other), high.max(*other)));
        low - pad..high + pad + 1
    };
    let bands = within_bound(peaks.iter().map(band), reading.old_len());
    merged(bands, widest)
}

/// The most cells of all windows of a reading.
const MOST_CELLS: usize = 1 << 22;

/// Returns the first bands whose tables have at most [`MOST_CELLS`] cells together, ascending. The first band is always
/// there, and narrower if it alone has more.
fn within_bound(bands: impl Iterator<Item = Range<isize>>, rows: usize) -> Vec<Range<isize>> {
    let mut left = (MOST_CELLS / rows.max(1)).cast_signed();
    let mut kept: Vec<Range<isize>> = Vec::new();
    for band in bands {
        let width = band.end - band.start;
        let is_known = kept.iter().any(|other| other.start <= band.start && band.end <= other.end);
        if width <= left && !is_known {
            left -= width;
            kept.push(band);
        } else if kept.is_empty() {
            let middle = band.start + width / 2;
            let half = (left / 2).max(1);
            kept.push(middle - half..middle + half);
            break;
        }
    }
    kept.sort_by_key(|band| (band.start, band.end));
    kept
}

/// Merges overlapping bands, up to the maximum width.
fn merged(bands: Vec<Range<isize>>, widest: isize) -> Vec<Range<isize>> {
    let mut merged: Vec<Range<isize>> = Vec::new();
    for band in bands {
        match merged.last_mut() {
            Some(last) if band.end <= last.end => {}
            Some(last) if band.start <= last.end && band.end - last.start <= widest => last.end = band.end,
            _ => merged.push(band),
        }
    }
    merged
}

/// Returns the votes of some rows: each diagonal with its weight, ascending.
fn votes(file: &File<'_>, reading: &Reading<'_>, rows: Range<usize>) -> Vec<(isize, i32)> {
    let mut votes = Vec::new();
    for row in rows {
        let line = &reading.old(row).line;
        if line.is_blank() {
            continue;
        }
        let lines = file.index.line_places(Fold::Skeleton, line.text());
        if lines.len() > MOST_LINES {
            continue;
        }
        // A tenth less for each further line.
        let weight = 100 * file.content(line) / (10 + i32::try_from(lines.len()).unwrap_or(i32::MAX));
        votes.extend(lines.iter().map(|at| ((*at as usize).cast_signed() - row.cast_signed(), weight)));
    }
    votes.sort_unstable();
    votes
}

/// The maximum number of words of a quote that are searched for, the longest first, and of their positions.
const MOST_WORDS: usize = 32;
const MOST_POSITIONS: usize = 8;

/// The shortest word that votes, in bytes.
const SHORTEST_WORD: usize = 4;

/// Returns the votes of rare words, used if no row votes, because all lines are joined, misspelt or rewritten.
fn votes_of_words(file: &File<'_>, reading: &Reading<'_>) -> Vec<(isize, i32)> {
    if !file.index.take_search_budget() {
        return Vec::new();
    }
    let mut rows_of: HashMap<&str, Vec<usize>> = HashMap::new();
    for row in 0..reading.old_len() {
        for word in reading.old(row).line.tokens().filter(|word| word.len() >= SHORTEST_WORD) {
            rows_of.entry(word).or_default().push(row);
        }
    }
    let mut words: Vec<(&str, Vec<usize>)> = rows_of.into_iter().collect();
    words.sort_by_key(|(word, _)| (std::cmp::Reverse(word.len()), *word));
    let mut votes = Vec::new();
    for (word, rows) in words.into_iter().take(MOST_WORDS) {
        let lines = file.index.lines_with_word(word, MOST_POSITIONS + 1);
        if lines.is_empty() || lines.len() > MOST_POSITIONS {
            continue;
        }
        let weight = 100 / i32::try_from(lines.len()).unwrap_or(i32::MAX);
        for row in rows {
            votes.extend(lines.iter().map(|line| (line.cast_signed() - row.cast_signed(), weight)));
        }
    }
    votes.sort_unstable();
    votes
}

/// Returns the diagonals with the most votes, the best first.
fn peaks(votes: &[(isize, i32)], most: usize) -> Vec<isize> {
    let mut sums: Vec<(i32, isize)> = Vec::new();
    let (mut first, mut behind, mut sum) = (0, 0, 0_i32);
    let mut nth = 0;
    while nth < votes.len() {
        let diagonal = votes[nth].0;
        while behind < votes.len() && votes[behind].0 <= diagonal + PEAK {
            sum = sum.saturating_add(votes[behind].1);
            behind += 1;
        }
        while votes[first].0 < diagonal - PEAK {
            sum = sum.saturating_sub(votes[first].1);
            first += 1;
        }
        sums.push((sum, diagonal));
        while nth < votes.len() && votes[nth].0 == diagonal {
            nth += 1;
        }
    }
    sums.sort_by_key(|(sum, diagonal)| (std::cmp::Reverse(*sum), *diagonal));
    let least = sums.first().map_or(0, |(sum, _)| sum / LEAST_SHARE);
    let mut peaks: Vec<isize> = Vec::new();
    for (sum, diagonal) in sums {
        if sum < least || peaks.len() >= most {
            break;
        }
        if peaks.iter().all(|other| other.abs_diff(diagonal) > PEAK.unsigned_abs() + 1) {
            peaks.push(diagonal);
        }
    }
    peaks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_nearby_add_up() {
        let votes = [(10, 5), (12, 5), (30, 8), (90, 1)];
        assert_eq!(peaks(&votes, 10), [10, 30]);
    }

    #[test]
    fn bands_that_overlap_are_one() {
        assert_eq!(merged(vec![0..10, 5..20, 40..50, 41..45], 100), [0..20, 40..50]);
        assert_eq!(merged(vec![0..10, 5..20], 15), [0..10, 5..20]);
    }
}
