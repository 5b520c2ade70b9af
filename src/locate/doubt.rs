//! Why a place that was found is not taken.

use std::ops::Range;

use super::outcome::Doubt;

/// A doubt, and what raises it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Objection {
    pub(super) doubt: Doubt,
    /// `None` where the question is about the place as a whole.
    pub(super) spot: Option<Spot>,
}

/// What raises a doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spot {
    /// A line of the document, 0-based, which may not be quoted.
    Line(usize),
    /// A line of the edit, counted from 0.
    Quoted(usize),
    /// The lines of the document where the edit's result stands.
    Made(Range<usize>),
}

impl From<Doubt> for Objection {
    fn from(doubt: Doubt) -> Self {
        Objection { doubt, spot: None }
    }
}

impl Doubt {
    /// The same, raised by this.
    pub(super) fn by(self, spot: Spot) -> Objection {
        Objection { doubt: self, spot: Some(spot) }
    }
}
