//! Finds blocks between two anchors: a line that equals the first quoted line and a later line that equals the last.

use std::collections::VecDeque;
use std::ops::Range;

use super::lines::{Line, lines};
use super::trim::trim;

/// A block of whole lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) place: Range<usize>,
    /// The number of lines in the block, both anchors included.
    pub(super) lines: usize,
}

/// Returns, for each line that equals `first`, the block up to the nearest line that equals `last`, at least two lines
/// below.
///
/// Lines are compared trimmed. The nearest line is the rule of seed 000 and the behaviour of seed 003. A single pass
/// over the lines, for any number of anchors.
pub(super) fn nearest_blocks<'a>(
    content: &'a str,
    first: &'a str,
    last: &'a str,
) -> impl Iterator<Item = Block> + use<'a> {
    NearestBlocks { lines: lines(content).enumerate(), first, last, open: VecDeque::new(), close: None }
}

struct NearestBlocks<'a, I> {
    lines: I,
    first: &'a str,
    last: &'a str,
    /// Index and offset of the first anchors that have no last anchor yet.
    open: VecDeque<(usize, usize)>,
    /// Index and end of the last anchor that was met last.
    close: Option<(usize, usize)>,
}

impl<'a, I: Iterator<Item = (usize, Line<'a>)>> Iterator for NearestBlocks<'a, I> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        loop {
            if let Some(block) = self.closed() {
                return Some(block);
            }
            let (index, line) = self.lines.next()?;
            let text = trim(line.text);
            self.close = (text == self.last).then(|| (index, line.end()));
            if text == self.first {
                self.open.push_back((index, line.start));
            }
        }
    }
}

impl<I> NearestBlocks<'_, I> {
    /// Returns the next block that ends with the current line.
    fn closed(&mut self) -> Option<Block> {
        let (last, end) = self.close?;
        let (first, start) = *self.open.front().filter(|(first, _)| *first + 2 <= last)?;
        self.open.pop_front();
        Some(Block { place: start..end, lines: last - first + 1 })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(content: &str) -> Vec<(usize, usize)> {
        nearest_blocks(content, "a", "b").map(|block| (block.place.start / 2, block.lines)).collect()
    }

    #[test]
    fn the_nearest_last_anchor_ends_a_block() {
        assert_eq!(found("a\nx\nb\nb\n"), [(0, 3)]);
    }

    #[test]
    fn a_last_anchor_right_below_does_not_count() {
        assert_eq!(found("a\nb\nb\n"), [(0, 3)]);
        assert_eq!(found("a\nb\n"), []);
    }

    proptest! {
        #[test]
        fn same_as_trying_every_pair(letters in "[abx]{0,30}", same in any::<bool>()) {
            let last = if same { "a" } else { "b" };
            let content: Vec<_> = letters.split_inclusive(|_| true).collect();
            let naive: Vec<_> = (0..content.len())
                .filter(|&i| content[i] == "a")
                .filter_map(|i| (i + 2..content.len()).find(|&j| content[j] == last).map(|j| 2 * i..2 * j + 1))
                .collect();
            let content = content.join("\n");
            let found: Vec<_> = nearest_blocks(&content, "a", last).map(|block| block.place).collect();
            prop_assert_eq!(found, naive);
        }
    }
}
