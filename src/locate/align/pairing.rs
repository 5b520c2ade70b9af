//! Which line of the file is the partner of a row of the quote.

/// The partner of a quoted row. Lines are 0-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Pairing {
    /// The file has no line for the row.
    Missing,
    /// This line.
    Line(usize),
}

impl Pairing {
    /// Returns the line; `None` if the file has none.
    pub(crate) fn line(self) -> Option<usize> {
        match self {
            Pairing::Line(line) => Some(line),
            Pairing::Missing => None,
        }
    }

    /// Checks whether the file has the row.
    pub(crate) fn is_found(self) -> bool {
        self != Pairing::Missing
    }
}
