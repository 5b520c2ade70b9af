//! Matches a pattern in a stream of items: the algorithm of Knuth, Morris and Pratt.
//!
//! The replacers search for runs of lines, of words and of bytes. Trying every start costs the product of both lengths
//! on a document of equal lines; this costs the sum, and stores nothing of the stream.

/// How much of a pattern the items seen last are.
pub(super) struct Run {
    /// For each prefix of the pattern, the length of the longest proper prefix that is also a suffix of the prefix.
    borders: Vec<usize>,
    matched: usize,
}

impl Run {
    pub(super) fn new<T: PartialEq>(pattern: &[T]) -> Self {
        let mut run = Self { borders: Vec::with_capacity(pattern.len()), matched: 0 };
        for (at, item) in pattern.iter().enumerate() {
            if at > 0 {
                run.advance(|other| pattern[other] == *item);
            }
            run.borders.push(run.matched);
        }
        run.matched = 0;
        run
    }

    /// Advances by an item, for which `same` returns whether the item equals the item of the pattern at an index.
    /// Returns whether the pattern ends with this item. An empty pattern never ends.
    pub(super) fn step(&mut self, same: impl Fn(usize) -> bool) -> bool {
        if self.borders.is_empty() {
            return false;
        }
        if self.is_full() {
            self.matched = self.borders[self.matched - 1];
        }
        self.advance(same);
        self.is_full()
    }

    /// Returns whether no part of the pattern is open: the next match begins with the next item or later.
    pub(super) fn is_idle(&self) -> bool {
        self.matched == 0
    }

    /// Sets the state after a full match of the pattern.
    pub(super) fn fill(&mut self) {
        self.matched = self.borders.len();
    }

    fn is_full(&self) -> bool {
        self.matched == self.borders.len()
    }

    fn advance(&mut self, same: impl Fn(usize) -> bool) {
        while self.matched > 0 && !same(self.matched) {
            self.matched = self.borders[self.matched - 1];
        }
        self.matched += usize::from(same(self.matched));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn same_as_trying_every_start(
            items in prop::collection::vec(0u8..3, 0..60),
            pattern in prop::collection::vec(0u8..3, 1..6),
        ) {
            let mut run = Run::new(&pattern);
            let ends: Vec<_> = (0..items.len()).filter(|&at| run.step(|i| pattern[i] == items[at])).collect();
            let naive: Vec<_> = (0..items.len()).filter(|&at| items[..=at].ends_with(&pattern)).collect();
            prop_assert_eq!(ends, naive);
        }
    }
}
