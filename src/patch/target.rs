//! Where an edit by text applies.

/// Which places of a file an edit by text changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// The only place of the old text.
    #[default]
    Only,
    /// Every position of the tightest comparison that matches.
    All,
    /// Every place, of which there must be this many.
    Exactly(usize),
    /// Behind this line, 1-based; 0 for the beginning of the file. There is no old text.
    AfterLine(usize),
}

impl Target {
    /// Returns the line behind which the text is inserted, 1-based; 0 for the beginning of the file.
    pub fn line(self) -> Option<usize> {
        match self {
            Target::AfterLine(line) => Some(line),
            _ => None,
        }
    }

    /// Returns whether more than one position may change.
    pub fn is_every(self) -> bool {
        matches!(self, Target::All | Target::Exactly(_))
    }
}
