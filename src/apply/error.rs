//! What can go wrong between a plan and the disk.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::Committed;
use super::step::Step;
use crate::plan::ReadError;

/// Why a plan was not carried out, or not to its end.
///
/// In every case but [`CleanUp`](ApplyError::CleanUp) and [`RollBack`](ApplyError::RollBack) the tree is
/// as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// Somebody changed the file, or a folder on the way to it, after the plan was made.
    Changed {
        /// The path of the change.
        path: Utf8PathBuf,
    },
    /// Something is where a new file is to go.
    Exists {
        /// The path of the change.
        path: Utf8PathBuf,
    },
    /// Nothing is where the plan found a file.
    Missing {
        /// The path of the change.
        path: Utf8PathBuf,
    },
    /// A file is where a folder is needed.
    NotAFolder {
        /// The path of the change.
        path: Utf8PathBuf,
        /// The part of it that is not a folder.
        at: Utf8PathBuf,
    },
    /// The path leads out of the roots.
    OutsideRoot {
        /// The path of the change.
        path: Utf8PathBuf,
    },
    /// The path leads to what no patch may touch, such as `.git`.
    Protected {
        /// The path of the change.
        path: Utf8PathBuf,
    },
    /// Two changes name one path; a plan holds one for each.
    Twice {
        /// The path of the changes.
        path: Utf8PathBuf,
    },
    /// The system refused.
    Io {
        /// What was tried, as a verb.
        operation: &'static str,
        /// The path of the change, or the root.
        path: Utf8PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another run works on a root, and this one was not to wait for it.
    Busy {
        /// The base root.
        root: Utf8PathBuf,
    },
    /// An earlier run was interrupted, and what it began cannot be finished: somebody changed a file
    /// since. Nothing was done.
    Unfinished {
        /// The path that is not as either run left it.
        path: Utf8PathBuf,
        /// What is wrong with it.
        reason: Obstacle,
    },
    /// An earlier run was interrupted, or may have been, and the system refused while this run went on with it. Files may be
    /// half done.
    Halted {
        /// The list of what the interrupted run had begun, or the base root.
        list: Utf8PathBuf,
        /// Why it cannot go on.
        #[source]
        cause: Box<ApplyError>,
    },
    /// Everything was applied, but side files could not be removed, or something could not be synced.
    CleanUp {
        /// What was applied.
        committed: Box<Committed>,
        /// What is still there. Never empty.
        left: Vec<Leftover>,
    },
    /// A step failed, and what had been done before could not be undone wholly. The list of it is still
    /// there: the next run, or [`Roots::recover`](super::Roots::recover), goes on putting it back.
    RollBack {
        /// Why it was to be undone.
        #[source]
        cause: Box<ApplyError>,
        /// What is not as it was. Never empty.
        left: Vec<Leftover>,
    },
}

impl ApplyError {
    /// Whether somebody changed the tree between plan and commit, rather than the system refusing.
    pub fn is_meanwhile(&self) -> bool {
        if let ApplyError::RollBack { cause, .. } = self {
            return cause.is_meanwhile();
        }
        matches!(
            self,
            ApplyError::Changed { .. }
                | ApplyError::Exists { .. }
                | ApplyError::Missing { .. }
                | ApplyError::NotAFolder { .. }
                | ApplyError::OutsideRoot { .. }
                | ApplyError::Protected { .. }
                | ApplyError::Twice { .. }
        )
    }

    /// Whether files are half done, and [`recover`](super::Roots::recover) has to go on with them. After
    /// every other error the tree is as it was, or wholly new; at most a side file is left.
    pub fn is_half_done(&self) -> bool {
        match self {
            ApplyError::Unfinished { .. } | ApplyError::Halted { .. } => true,
            ApplyError::RollBack { left, .. } => {
                left.iter().any(|left| matches!(left.what, Left::NotBack(_) | Left::Journal))
            }
            _ => false,
        }
    }

    /// Checks whether this run may have changed a file before it stopped.
    pub fn may_have_changed(&self) -> bool {
        self.is_half_done() && !matches!(self, ApplyError::Unfinished { .. })
    }

    pub(super) fn io(operation: &'static str, path: &Utf8Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| ApplyError::Io { operation, path, source }
    }

    pub(super) fn in_step(step: &Step, error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::AlreadyExists {
            ApplyError::Exists { path: step.path.clone() }
        } else {
            ApplyError::io(step.verb(), &step.path)(error)
        }
    }

    /// What a failure to look a path up says about a path that had been read when the plan was made.
    pub(super) fn from_reading(error: ReadError) -> Self {
        match error {
            ReadError::OutsideRoot { path } => ApplyError::OutsideRoot { path },
            ReadError::Protected { path } => ApplyError::Protected { path },
            ReadError::NotAFolder { path, at } => ApplyError::NotAFolder { path, at },
            ReadError::LinkLoop { path }
            | ReadError::NotAsExpected { path, .. }
            | ReadError::TooLong { path, .. } => ApplyError::Changed { path },
            ReadError::Io { path, source } => ApplyError::Io { operation: "read", path, source },
        }
    }
}

/// What keeps an interrupted run from being finished, at one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// The list of what the run had begun is damaged.
    DamagedList,
    /// What the run left could not be removed.
    NotCleaned,
    /// No root of this run holds the path.
    OutsideRoot,
    /// The root that holds the path has no counterpart of the list: the run did nothing there, or the counterpart was
    /// removed.
    NoCounterpart,
    /// No patch may touch the path.
    Protected,
    /// The path cannot be reached any more.
    Unreachable,
    /// A file that was to be deleted was changed since.
    ChangedBeforeDelete,
    /// The new content that the run had written is damaged.
    DamagedStage,
    /// The new content that the run had written is gone, and the file does not have it.
    MissingStage,
    /// The file was changed since.
    Changed,
    /// The old content that the run had kept was changed since.
    ChangedOld,
    /// What is there is no file any more.
    NotAFile,
}

/// Something that is still there, or is not as it was.
#[derive(Debug)]
pub struct Leftover {
    /// Where, as an absolute path.
    pub path: Utf8PathBuf,
    /// What it is.
    pub what: Left,
    /// Why it could not be helped.
    pub source: io::Error,
}

/// What a [`Leftover`] is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Left {
    /// A stage file that holds nothing of value, and may be deleted.
    StageFile,
    /// A folder that was made for a new file.
    Folder,
    /// The list of what a run has begun. While it is there, the next run goes on with it.
    Journal,
    /// A folder whose names may not have reached the disk.
    Unsynced,
    /// A file that is not back as it was; its old content, if it had one, is kept under the second name.
    NotBack(Utf8PathBuf),
}
