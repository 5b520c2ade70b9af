//! What can go wrong between a plan and the disk.

use std::error::Error;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::Committed;
use super::step::Step;
use crate::plan::ReadError;

/// Why a plan was not applied, or not completely.
///
/// In every case except [`CleanUp`](ApplyError::CleanUp) and [`RollBack`](ApplyError::RollBack) the tree is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The file, or a directory of its path, was changed after the plan was made.
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
        /// The part of the path that is not a directory.
        at: Utf8PathBuf,
    },
    /// The path leads out of the roots.
    OutsideRoot {
        /// The path of the change.
        path: Utf8PathBuf,
    },
    /// The path leads to an entry that no patch may touch, such as `.git`.
    Protected {
        /// The path of the change.
        path: Utf8PathBuf,
    },
    /// Two changes name the same path; a plan has one change for each path.
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
        /// The error of the system.
        source: io::Error,
    },
    /// Another run holds the lock of a root, and this run was not allowed to wait.
    Busy {
        /// The base root.
        root: Utf8PathBuf,
    },
    /// An earlier run was interrupted and cannot be finished, because a file was changed since. Nothing was done.
    Unfinished {
        /// The path that differs from both the old and the new state.
        path: Utf8PathBuf,
        /// The problem with the path.
        reason: Obstacle,
    },
    /// An earlier run was, or may have been, interrupted, and the system refused while this run continued. Files may be
    /// half changed.
    Halted {
        /// The list of what the interrupted run had begun, or the base root.
        list: Utf8PathBuf,
        /// The error that stopped the run.
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
    /// A step failed, and the rollback of the previous steps failed in part. The list still exists: the next run, or
    /// [`Roots::recover`](super::Roots::recover), continues the rollback.
    RollBack {
        /// The reason for the rollback.
        #[source]
        cause: Box<ApplyError>,
        /// The paths that are not restored. Never empty.
        left: Vec<Leftover>,
    },
}

impl ApplyError {
    /// Returns whether the tree was changed between plan and commit; `false` if the system refused.
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

    /// Returns whether files are half changed, so that [`recover`](super::Roots::recover) must continue. After every
    /// other error the tree is either old or new; at most a side file is left.
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

    /// Converts the failed look-up of a path that could be read when the plan was made.
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

/// The reason why an interrupted run cannot be finished, for a path.
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
    /// The new content of the run is gone, and is not in the file.
    MissingStage,
    /// The file was changed since.
    Changed,
    /// The old content that the run had kept was changed since.
    ChangedOld,
    /// What is there is no file any more.
    NotAFile,
}

/// A file that still exists, or is not restored.
#[derive(Debug)]
pub struct Leftover {
    /// Where, as an absolute path.
    pub path: Utf8PathBuf,
    /// The kind of leftover.
    #[cfg(feature = "internals")]
    pub what: Left,
    #[cfg(not(feature = "internals"))]
    pub(crate) what: Left,
    /// The error that prevented the removal or the rollback.
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
    /// The list of an interrupted run. While the list exists, the next run continues.
    Journal,
    /// A folder whose names may not have reached the disk.
    Unsynced,
    /// A file that is not restored; its old content, if any, is kept under the second name.
    NotBack(Utf8PathBuf),
}

/// An error with all its causes, on one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words.extend([": ", &error.to_string()]);
        cause = error.source();
    }
    words
}
