//! The file for alignments: its lines prepared for comparison, and the occurrences of each quoted line.

use std::cell::OnceCell;

use super::cost::Costs;
use super::line_text::LineText;
use crate::locate::search::Index;
use crate::text::{Document, Fold};

/// The lines of a document, each prepared at its first comparison.
pub(crate) struct File<'d> {
    pub(crate) index: &'d Index,
    document: &'d Document,
    len: usize,
    pub(crate) costs: &'d Costs,
    /// With owned texts, so that a view of the file may be as short as a borrow of the file.
    blocks: OnceCell<Vec<OnceCell<Vec<LineText<'static>>>>>,
    step: OnceCell<usize>,
}

/// How many lines are prepared together.
const BLOCK: usize = 8;

/// The most lines that are looked at for the indentation step of the file.
const LINES_FOR_STEP: usize = 20_000;

impl<'d> File<'d> {
    pub(crate) fn new(index: &'d Index, costs: &'d Costs) -> Self {
        let document = index.document();
        File { index, document, len: document.len(), costs, blocks: OnceCell::new(), step: OnceCell::new() }
    }

    pub(crate) fn document(&self) -> &'d Document {
        self.document
    }

    /// Returns the number of lines.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns a line, 0-based, which has to exist.
    pub(crate) fn line(&self, line: usize) -> &LineText<'static> {
        let first = line - line % BLOCK;
        let blocks = self.blocks.get_or_init(|| vec![OnceCell::new(); self.len.div_ceil(BLOCK)]);
        let block = blocks[line / BLOCK].get_or_init(|| {
            let end = (first + BLOCK).min(self.len());
            (first..end).map(|line| LineText::of(self.document, line)).collect()
        });
        &block[line - first]
    }

    /// Checks whether a line has nothing but whitespace.
    pub(crate) fn is_blank(&self, line: usize) -> bool {
        self.line(line).is_blank()
    }

    /// Checks whether a line is equal to a text apart from whitespace and look-alikes.
    pub(crate) fn is_same(&self, line: usize, text: &LineText<'_>) -> bool {
        // To compare a line as it is takes less than to prepare the line.
        self.document.line(line) == text.text().as_bytes() || self.line(line).squashed() == text.squashed()
    }

    /// Returns the first line of some lines that is not blank.
    pub(crate) fn first_filled(&self, mut lines: impl Iterator<Item = usize>) -> Option<usize> {
        lines.find(|line| !self.is_blank(*line))
    }

    /// Returns how often a line occurs in the file, ignoring whitespace and punctuation.
    pub(crate) fn occurrences(&self, line: &LineText<'_>) -> usize {
        self.index.line_places(Fold::Skeleton, line.text()).len()
    }

    /// Returns the cost of finding a line in this file by chance: less for lines that occur more than once.
    pub(crate) fn chance(&self, line: &LineText<'_>) -> i32 {
        let content = self.content(line);
        match self.occurrences(line) {
            0 | 1 => content,
            occurrences => content.min(self.rarity(occurrences)),
        }
    }

    /// Returns the evidence of a line, by its letters.
    pub(crate) fn content(&self, line: &LineText<'_>) -> i32 {
        self.costs.content_of(line.letters(), line.is_blank())
    }

    /// Returns the evidence of a line with this number of occurrences.
    pub(crate) fn rarity(&self, occurrences: usize) -> i32 {
        #[expect(clippy::cast_precision_loss, reason = "files have fewer than 2^52 lines")]
        let share = self.len().max(2) as f64 / occurrences as f64;
        let evidence = f64::from(self.costs.null_found) * libm::log(share).max(0.0);
        #[expect(clippy::cast_possible_truncation, reason = "the logarithm of a number of lines is below 50")]
        let evidence = evidence as i32;
        evidence
    }

    /// Checks whether the file has a line byte for byte.
    pub(crate) fn has_exactly(&self, line: &str) -> bool {
        !self.index.line_places(Fold::Exact, line).is_empty()
    }

    /// Checks whether the file has a line that is equal but for whitespace and look-alikes.
    pub(crate) fn has_squashed(&self, line: &LineText<'_>) -> bool {
        self.squashed_lines(line).next().is_some()
    }

    /// Returns the lines that are equal apart from whitespace and look-alikes, ascending.
    pub(crate) fn squashed_lines<'l>(&'l self, line: &'l LineText<'_>) -> impl Iterator<Item = usize> + 'l {
        let same_letters = self.index.line_places(Fold::Skeleton, line.text());
        let lines: Vec<u32> = same_letters.iter().take(MOST_COMPARED).copied().collect();
        lines.into_iter().map(|at| at as usize).filter(|at| self.is_same(*at, line))
    }

    /// Returns the step of the indentation, in columns: the most frequent increase from a line to the next.
    pub(crate) fn step(&self) -> usize {
        *self.step.get_or_init(|| self.find_step())
    }

    fn find_step(&self) -> usize {
        /// The widest step that is counted.
        const WIDEST: usize = 16;
        /// The step of a file without indentation.
        const USUAL: usize = 4;
        let mut counts = [0_usize; WIDEST + 1];
        let mut last = 0;
        for line in self.document.lines().take(LINES_FOR_STEP) {
            let width = line.iter().take_while(|byte| **byte == b' ').count();
            // A line with a tab, or a blank line, has no information about columns.
            if matches!(line.get(width), None | Some(b'\t')) {
                continue;
            }
            if let Some(count) =
                width.checked_sub(last).filter(|more| *more > 0).and_then(|more| counts.get_mut(more))
            {
                *count += 1;
            }
            last = width;
        }
        // The narrower of two equally common steps.
        let most = counts.iter().copied().max().unwrap_or_default();
        if most == 0 { USUAL } else { counts.iter().position(|count| *count == most).unwrap_or(USUAL) }
    }

    /// Returns the cost of an indentation that differs from the map; `None` if the map has no result.
    pub(crate) fn slip_cost(&self, mapped: Option<&str>, actual: &str) -> i32 {
        let Some(mapped) = mapped else { return self.costs.slip_odd };
        let has = |sign: char| mapped.contains(sign) || actual.contains(sign);
        let is_whole =
            if has('\t') { !has(' ') } else { mapped.len().abs_diff(actual.len()) % self.step() == 0 };
        if is_whole { self.costs.slip } else { self.costs.slip_odd }
    }
}

/// How many lines of equal letters are compared.
pub(crate) const MOST_COMPARED: usize = 1024;
