//! Lines of the patch text.

use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;

/// A run of lines of the patch text, both ends included, 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first line.
    pub first: usize,
    /// The last line; never before the first.
    pub last: usize,
}

impl Span {
    /// Returns the span of a single line.
    pub const fn line(number: usize) -> Self {
        Span { first: number, last: number }
    }

    /// Returns the lines as a range.
    pub(crate) const fn lines(self) -> RangeInclusive<usize> {
        self.first..=self.last
    }
}

impl Display for Span {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "line {}", self.first)
        } else {
            write!(f, "lines {}-{}", self.first, self.last)
        }
    }
}
