//! The words for what can go wrong between a plan and the disk.

use std::fmt::{self, Display, Formatter};

use crate::apply::{ApplyError, Left, Leftover, Obstacle};

impl Display for ApplyError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ApplyError::Changed { path } => write!(f, "{path:?} was changed after it was read"),
            ApplyError::Exists { path } => write!(f, "{path:?} exists already"),
            ApplyError::Missing { path } => write!(f, "{path:?} does not exist any more"),
            ApplyError::NotAFolder { path, at } => {
                write!(f, "{path:?} cannot exist: {at:?} is not a folder")
            }
            ApplyError::OutsideRoot { path } => write!(f, "{path:?} leads out of the root"),
            ApplyError::Protected { path } => write!(f, "{path:?} leads into a protected place"),
            ApplyError::Twice { path } => write!(f, "{path:?} is changed twice"),
            ApplyError::Io { operation, path, .. } => write!(f, "cannot {operation} {path:?}"),
            ApplyError::Busy { root } => write!(f, "another run is at work in {root:?}"),
            ApplyError::Unfinished { path, reason } => {
                write!(f, "an earlier run was interrupted, and cannot be finished: {path:?} {reason}")
            }
            ApplyError::Halted { .. } => f.write_str(
                "an earlier run was interrupted, or may have been, and cannot be finished now; files may be half \
                 changed",
            ),
            ApplyError::CleanUp { left, .. } => {
                write!(f, "applied, but the clean-up failed: {}", list(left))
            }
            ApplyError::RollBack { left, .. } => {
                write!(f, "a step failed, and not everything could be put back yet: {}", list(left))
            }
        }
    }
}

/// Returns the words about a path, behind the name.
impl Display for Obstacle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Obstacle::DamagedList => "is damaged",
            Obstacle::NotCleaned => "could not be cleaned",
            Obstacle::OutsideRoot => "is in no root of this run",
            Obstacle::NoCounterpart => "is in a root where the interrupted run left no sign of itself",
            Obstacle::Protected => "is protected",
            Obstacle::Unreachable => "cannot be reached any more",
            Obstacle::ChangedBeforeDelete => "was to be deleted, and was changed since",
            Obstacle::DamagedStage => "has a new content that is damaged",
            Obstacle::MissingStage => "did not get the new content, which was removed",
            Obstacle::Changed => "was changed since",
            Obstacle::ChangedOld => "has an old content that was changed since",
            Obstacle::NotAFile => "is no file any more",
        })
    }
}

impl Display for Leftover {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Leftover { path, what, source } = self;
        match what {
            Left::StageFile => write!(f, "the temporary file {path:?} is left ({source})"),
            Left::Folder => write!(f, "the new folder {path:?} is left ({source})"),
            Left::Journal => write!(f, "the list {path:?} is left ({source})"),
            Left::Unsynced => write!(f, "{path:?} may not be on the disk yet ({source})"),
            Left::NotBack(kept) => {
                write!(f, "{path:?} is not as before; the old content is kept in {kept:?} ({source})")
            }
        }
    }
}

fn list(left: &[Leftover]) -> String {
    left.iter().map(Leftover::to_string).collect::<Vec<_>>().join("; ")
}
