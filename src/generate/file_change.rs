//! A change of a file, and the ways to write the change.

use camino::Utf8Path;

use super::unrepresentable::What;
use crate::plan::{After, Change, Precondition};

/// A way to write a change down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    /// How many unchanged lines surround a change.
    pub(super) context: usize,
    /// Whether added or removed lines are shifted as far up as possible instead of down.
    pub(super) slid: bool,
}

/// A change, with the second change that belongs to the same file.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileChange<'p> {
    /// What becomes of the file.
    pub(super) change: &'p Change,
    /// The change that removes the file from its old name.
    pub(super) source: Option<&'p Change>,
}

impl FileChange<'_> {
    /// Returns the name of the file before the change.
    pub(super) fn old_path(&self) -> &Utf8Path {
        self.source.map_or(&self.change.path, |source| &source.path)
    }

    /// Returns whether any property of the file differs afterwards.
    pub(super) fn changes_anything(&self) -> bool {
        let (after, executable) = match &self.change.after {
            After::Gone => (None, None),
            After::File { content, executable, .. } => (Some(content.bytes()), *executable),
        };
        self.source.is_some() || executable.is_some() || self.before() != after.as_deref()
    }

    /// Returns the difference between the bytes before and after that is not in the lines; `None` if there is no such
    /// difference.
    pub(super) fn unwritten(&self) -> Option<What> {
        let After::File { content, .. } = &self.change.after else { return None };
        difference(self.before()?, &content.bytes())
    }

    /// Returns the bytes before; `None` if there is no file.
    pub(super) fn before(&self) -> Option<&[u8]> {
        match &self.source.unwrap_or(self.change).before {
            Precondition::MustNotExist => None,
            Precondition::MustBe(bytes) => Some(bytes),
        }
    }
}

/// Returns the difference between the result of the parsed text and the wanted bytes; `None` if both are equal.
pub(super) fn difference(made: &[u8], wanted: &[u8]) -> Option<What> {
    pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
        let lines = bytes.split(|byte| *byte == b'\n');
        lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }
    let trimmed = |bytes: &[u8]| {
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        bytes.strip_suffix(b"\r").unwrap_or(bytes).to_vec()
    };
    if made == wanted {
        None
    } else if trimmed(made) == trimmed(wanted) && made.ends_with(b"\n") != wanted.ends_with(b"\n") {
        Some(What::FinalNewline)
    } else if lines(made).eq(lines(wanted)) {
        Some(What::LineEnds)
    } else {
        Some(What::Exactly)
    }
}
