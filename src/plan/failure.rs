//! What keeps a patch from fitting the files.

use std::num::NonZeroUsize;

use camino::Utf8PathBuf;
use thiserror::Error;

use super::path::PathError;
use super::{ActualLine, HunkKind, HunkReport, NameNote, ReadError};
use crate::locate::Miss;
use crate::patch::Dialect;

/// Everything that keeps a patch from being carried out, in the patch's order; never empty.
#[derive(Debug, Error)]
#[non_exhaustive]
pub struct Failures {
    /// The failures.
    pub failures: Vec<Failure>,
    /// The hunks that would have worked.
    pub placed: Vec<HunkReport>,
}

impl Failures {
    /// Returns whether a replacement failed and not a patch.
    pub fn of_replacement(&self) -> bool {
        self.failures.iter().all(|failure| failure.number.is_none())
    }

    /// Returns whether the system refused an operation; `false` if the patch does not fit the files.
    pub fn is_system(&self) -> bool {
        self.failures.iter().any(|failure| failure.kind.is_system())
    }

    /// Returns how many hunks fail; each may fail in several ways.
    pub fn hunks(&self) -> usize {
        let mut hunks: Vec<usize> = self.failures.iter().map(|failure| failure.hunk).collect();
        hunks.dedup();
        hunks.len()
    }
}

/// A reason why a hunk cannot be applied.
#[derive(Debug, Error)]
#[non_exhaustive]
pub struct Failure {
    /// The index of the hunk in the patch, 0-based.
    pub hunk: usize,
    /// Line of the hunk in the patch text, 1-based; `None` for a replacement, which was not read from a text.
    pub number: Option<NonZeroUsize>,
    /// The name of the file, as the patch spells the name. May be hostile: escape before display.
    pub path: String,
    /// The tool, if the hunk is of a call, shortened.
    pub tool: Option<String>,
    /// How the hunk is written.
    #[cfg(feature = "internals")]
    pub dialect: Dialect,
    #[cfg(not(feature = "internals"))]
    pub(crate) dialect: Dialect,
    /// What is wrong.
    #[source]
    #[cfg(feature = "internals")]
    pub kind: FailureKind,
    #[source]
    #[cfg(not(feature = "internals"))]
    pub(crate) kind: FailureKind,
}

impl Failure {
    /// Returns a stable code for programs; `docs/report.md` lists the codes.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// Returns the fingerprint of a chunk without a position: the same whenever the same quote fails in the same file.
    /// `None` for a failure that is not about a quote.
    pub fn fingerprint(&self) -> Option<u64> {
        match &self.kind {
            FailureKind::Chunk { miss, .. } => Some(miss.fingerprint),
            _ => None,
        }
    }

    /// Returns the line of the patch text that fails, 1-based: the line of the chunk, or else of the hunk; `None` for a
    /// replacement.
    pub fn line(&self) -> Option<NonZeroUsize> {
        match self.kind {
            FailureKind::Chunk { number, .. } => number,
            _ => self.number,
        }
    }
}

/// What keeps a hunk from being carried out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FailureKind {
    /// The name cannot be used.
    Path(#[from] PathError),
    /// The file cannot be looked up.
    Read(#[from] ReadError),
    /// The name could be repaired, but strict mode repairs nothing.
    Repaired {
        /// What would have been done.
        note: NameNote,
    },
    /// There is no file of this name.
    NoSuchFile {
        /// Files that may be meant, the likeliest first.
        similar: Vec<Utf8PathBuf>,
        /// The earlier hunk that deletes or moves the file, if any.
        earlier: Option<Earlier>,
    },
    /// A file of this name exists, and the hunk would replace the file.
    AlreadyExists {
        /// The earlier hunk that adds the file, if any.
        earlier: Option<Earlier>,
    },
    /// Something keeps the file from having the new name of a move.
    Target {
        /// The new name, as the patch spells the name.
        path: String,
        /// What.
        kind: Box<FailureKind>,
    },
    /// What is there is no file.
    NotAFile {
        /// The kind of entry at the path.
        what: NotAFile,
    },
    /// The patch deletes the file and quotes only a part of the file.
    NotAllQuoted {
        /// The lines that are not quoted; empty if only added lines are left.
        left: Vec<ActualLine>,
    },
    /// The old text of a replacement is empty, or white space.
    EmptyOld,
    /// The old text of a replacement equals the new text.
    SameText,
    /// The old text of a replacement is at another number of places than expected.
    WrongCount {
        /// How many places there must be.
        expected: usize,
        /// How many places there are.
        found: usize,
    },
    /// A text is to be inserted behind a line that the file does not have.
    NoSuchLine {
        /// The line, 1-based.
        line: usize,
        /// How many lines the file has.
        lines: usize,
    },
    /// A text is to be inserted behind a line, and an earlier edit has moved that line.
    LineMoved {
        /// The line, 1-based.
        line: usize,
    },
    /// A chunk has no place.
    Chunk {
        /// Which chunk of the hunk, 0-based.
        nth: usize,
        /// How many chunks the hunk has.
        of: usize,
        /// Line of the chunk in the patch text, 1-based; `None` for a replacement, which was not read from a text.
        number: Option<NonZeroUsize>,
        /// Why.
        miss: Box<Miss>,
    },
}

/// An earlier hunk of the same patch, because of which a later hunk cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    /// The line of the hunk in the patch text, 1-based; `None` if the patch was not read from a text.
    pub number: Option<NonZeroUsize>,
    /// What the hunk does to the file.
    pub kind: HunkKind,
    /// The new name of the file, if the hunk moves the file.
    pub moved_to: Option<Utf8PathBuf>,
}

/// What is at a path where a file has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotAFile {
    /// A folder.
    Folder,
    /// A symbolic link that the patch moves; only its target may be moved.
    MovedLink,
    /// A symbolic link that an earlier hunk removes.
    RemovedLink,
    /// Another kind of entry, by the name in [`Node::Other`](super::Node::Other).
    Other(&'static str),
}

impl FailureKind {
    /// Returns a stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            FailureKind::Path(error) => error.code(),
            FailureKind::Read(ReadError::OutsideRoot { .. }) => "outside-root",
            FailureKind::Read(ReadError::Protected { .. }) => "protected-path",
            FailureKind::Read(ReadError::LinkLoop { .. }) => "link-loop",
            FailureKind::Read(ReadError::NotAFolder { .. }) => "not-a-folder",
            FailureKind::Read(ReadError::NotAsExpected { .. }) => "not-as-expected",
            FailureKind::Read(ReadError::TooLong { .. }) => "too-long",
            FailureKind::Read(_) => "unreadable",
            FailureKind::Repaired { .. } => "repaired",
            FailureKind::NoSuchFile { .. } => "no-such-file",
            FailureKind::AlreadyExists { .. } => "already-exists",
            FailureKind::Target { kind, .. } => kind.code(),
            FailureKind::NotAFile { .. } => "not-a-file",
            FailureKind::NotAllQuoted { .. } => "not-all-quoted",
            FailureKind::EmptyOld => "empty-old",
            FailureKind::SameText => "same-text",
            FailureKind::WrongCount { .. } => "wrong-count",
            FailureKind::NoSuchLine { .. } => "no-such-line",
            FailureKind::LineMoved { .. } => "line-moved",
            FailureKind::Chunk { miss, .. } => miss.reason.code(),
        }
    }

    /// Returns whether the system refused an operation; `false` if the patch does not fit the files.
    pub fn is_system(&self) -> bool {
        matches!(self, FailureKind::Read(ReadError::Io { .. }))
    }

    /// Returns the same failure at the new name of a move.
    pub(super) fn of_move(self, path: &str) -> Self {
        FailureKind::Target { path: path.to_owned(), kind: Box::new(self) }
    }
}
