//! Which line of the file is the partner of a row of the quote.

/// The partner of a quoted row. Lines are 0-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Pairing {
    /// The file has no line for the row.
    Missing,
    /// This line.
    Line(usize),
    /// This line and the next: the quote has both as a single line.
    Joined(usize),
    /// This line, together with a neighbouring row: the quote has the line as two.
    Part(usize),
}

impl Pairing {
    /// Returns the line, if the row is a whole line; otherwise `None`.
    pub(crate) fn line(self) -> Option<usize> {
        match self {
            Pairing::Line(line) => Some(line),
            _ => None,
        }
    }

    /// Returns the first line that belongs to the row.
    pub(crate) fn first(self) -> Option<usize> {
        match self {
            Pairing::Missing => None,
            Pairing::Line(line) | Pairing::Joined(line) | Pairing::Part(line) => Some(line),
        }
    }

    /// Returns the last line that belongs to the row.
    pub(crate) fn last(self) -> Option<usize> {
        match self {
            Pairing::Joined(line) => Some(line + 1),
            other => other.first(),
        }
    }

    /// Checks whether the file has the row.
    pub(crate) fn is_found(self) -> bool {
        self != Pairing::Missing
    }

    /// Checks whether a line belongs to the row.
    pub(crate) fn contains(self, line: usize) -> bool {
        self.first().is_some_and(|first| first <= line) && self.last().is_some_and(|last| line <= last)
    }
}
