//! The notation of a hunk.

/// The notation of a hunk. The format of the patch text decides it; no later stage guesses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Lines with signs under `@@` headers, as in an envelope.
    #[default]
    Envelope,
    /// Lines with signs under line numbers and a heading, as in a unified diff.
    Diff,
    /// The same, with names from which the first folders of the two sides, `a/` and `b/`, were dropped.
    BareDiff,
    /// Old and new texts without signs and headers, as in SEARCH/REPLACE blocks and lists of old/new edits.
    Texts,
    /// A single old and a single new text, as in a call that replaces a text. The old text quotes every line.
    WholeText,
}

impl Dialect {
    /// Returns whether the hunk is made of old and new texts. A comparison of the texts finds which lines stay.
    pub fn is_text(self) -> bool {
        matches!(self, Dialect::Texts | Dialect::WholeText)
    }

    /// Returns whether no line of the file may be between the quoted lines without being quoted.
    pub fn is_contiguous(self) -> bool {
        self == Dialect::WholeText
    }

    /// Returns whether a header only names a line somewhere above the position, as the heading of a unified diff does.
    /// The position may be outside the block that the header begins, and the first position behind the header is not
    /// preferred.
    pub fn has_loose_headers(self) -> bool {
        self.is_diff()
    }

    /// Returns whether the hunk is part of a unified diff.
    pub fn is_diff(self) -> bool {
        matches!(self, Dialect::Diff | Dialect::BareDiff)
    }

    /// Returns whether a name may still have a first folder `a/` or `b/` that is not in the tree.
    pub fn may_prefix_names(self) -> bool {
        self != Dialect::BareDiff
    }
}
