//! What keeps a patch from fitting the files.

use std::fmt::{self, Display, Formatter};

use camino::Utf8PathBuf;
use thiserror::Error;

use super::path::PathError;
use super::{HunkReport, NameNote, ReadError};
use crate::locate::Miss;
use crate::patch::Writing;
use crate::text::shown;

/// Everything that keeps a patch from being carried out, in the patch's order; never empty.
#[derive(Debug, Error)]
#[error("{} of the patch's changes cannot be made", failures.len())]
pub struct Failures {
    /// The failures.
    pub failures: Vec<Failure>,
    /// The hunks that would have worked.
    pub placed: Vec<HunkReport>,
}

impl Failures {
    /// Whether it was a replacement that failed, rather than a patch.
    pub fn of_replacement(&self) -> bool {
        self.failures.iter().all(|failure| failure.number == 0)
    }

    /// Whether the system refused something, rather than the patch not fitting the files.
    pub fn is_system(&self) -> bool {
        self.failures.iter().any(|failure| failure.kind.is_system())
    }

    /// How many hunks fail; each may do so in several ways.
    pub fn hunks(&self) -> usize {
        let mut hunks: Vec<usize> = self.failures.iter().map(|failure| failure.hunk).collect();
        hunks.dedup();
        hunks.len()
    }
}

/// One thing that keeps a hunk from being carried out.
#[derive(Debug, Error)]
pub struct Failure {
    /// Which hunk of the patch it is, 0-based.
    pub hunk: usize,
    /// Line of the hunk in the patch text, 1-based; 0 for a replacement, which comes from no patch.
    pub number: usize,
    /// The file's name, as the patch spells it. It may be hostile: escape it before showing it.
    pub path: String,
    /// How the hunk is written.
    pub writing: Writing,
    /// What is wrong.
    #[source]
    pub kind: FailureKind,
}

impl Failure {
    /// The line of the patch text that fails, 1-based: the chunk's, or else the hunk's; 0 for a replacement.
    pub fn line(&self) -> usize {
        match self.kind {
            FailureKind::Chunk { number, .. } => number,
            _ => self.number,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Failure { path, kind, .. } = self;
        if self.line() > 0 {
            write!(f, "patch line {}: ", self.line())?;
        }
        match kind {
            // These name the path themselves.
            FailureKind::Path(_) | FailureKind::Read(_) => write!(f, "{kind}"),
            FailureKind::Chunk { number: 1.., .. } => write!(f, "{}, {kind}", shown(path)),
            _ => write!(f, "{}: {kind}", shown(path)),
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
    /// The name would have been put right, were it not to be taken to the letter.
    Repaired {
        /// What would have been done.
        note: NameNote,
    },
    /// There is no file of this name.
    NoSuchFile {
        /// Files that may be meant, the likeliest first.
        similar: Vec<Utf8PathBuf>,
    },
    /// A file of this name is there, and the hunk would replace it.
    AlreadyExists,
    /// Something keeps the file from having the new name of a move.
    Target {
        /// The new name, as the patch spells it.
        path: String,
        /// What.
        kind: Box<FailureKind>,
    },
    /// What is there is no file.
    NotAFile {
        /// What it is.
        what: &'static str,
    },
    /// The patch deletes the file and quotes it, but not all of it.
    NotAllQuoted,
    /// The old text of a replacement is empty, or white space.
    EmptyOld,
    /// The old text of a replacement is the new one.
    SameText,
    /// A chunk has no place.
    Chunk {
        /// Which chunk of the hunk, 0-based.
        nth: usize,
        /// How many chunks the hunk has.
        of: usize,
        /// Line of the chunk in the patch text, 1-based.
        number: usize,
        /// Why.
        miss: Box<Miss>,
    },
}

impl FailureKind {
    /// A stable name for programs.
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
            FailureKind::AlreadyExists => "already-exists",
            FailureKind::Target { kind, .. } => kind.code(),
            FailureKind::NotAFile { .. } => "not-a-file",
            FailureKind::NotAllQuoted => "not-all-quoted",
            FailureKind::EmptyOld => "empty-old",
            FailureKind::SameText => "same-text",
            FailureKind::Chunk { miss, .. } => miss.reason.code(),
        }
    }

    /// Whether the system refused, rather than the patch not fitting the files.
    pub fn is_system(&self) -> bool {
        matches!(self, FailureKind::Read(ReadError::Io { .. }))
    }

    /// The same failure at the new name of a move.
    pub(super) fn of_move(self, path: &str) -> Self {
        FailureKind::Target { path: path.to_owned(), kind: Box::new(self) }
    }
}

impl Display for FailureKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            FailureKind::Path(error) => write!(f, "{error}"),
            FailureKind::Read(error) => write!(f, "{error}"),
            FailureKind::Repaired { note } => write!(f, "the name is not to the letter ({note})"),
            FailureKind::NoSuchFile { similar } => {
                f.write_str("there is no such file")?;
                for (nth, path) in similar.iter().enumerate() {
                    write!(
                        f,
                        "{}{}",
                        if nth == 0 { "; did you mean " } else { ", or " },
                        shown(path.as_str())
                    )?;
                }
                if similar.is_empty() { Ok(()) } else { f.write_str("?") }
            }
            FailureKind::AlreadyExists => {
                f.write_str("a file of this name is there already; update it, or delete it first")
            }
            FailureKind::Target { path, kind } => write!(f, "cannot move to {}: {kind}", shown(path)),
            FailureKind::NotAFile { what } => write!(f, "is not a file but a {what}"),
            FailureKind::NotAllQuoted => {
                f.write_str("the file to delete holds lines that the diff does not quote; look at it again")
            }
            FailureKind::EmptyOld => {
                f.write_str("the old text is empty; quote the lines to change, or add a file with a patch")
            }
            FailureKind::SameText => {
                f.write_str("the old and the new text are the same; there is nothing to change")
            }
            FailureKind::Chunk { number: 0, miss, .. } => write!(f, "{}", miss.reason),
            FailureKind::Chunk { nth, of, miss, .. } => {
                write!(f, "chunk {} of {of}: {}", nth + 1, miss.reason)
            }
        }
    }
}
