//! The words for why a path could not be looked up.

use std::fmt::{self, Display, Formatter};

use crate::plan::ReadError;

impl Display for ReadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::OutsideRoot { path } => {
                write!(f, "{path:?} leads out of the root through a symbolic link")
            }
            ReadError::Protected { path } => {
                write!(f, "{path:?} leads into a protected place through a symbolic link")
            }
            ReadError::LinkLoop { path } => write!(f, "{path:?} goes through too many symbolic links"),
            ReadError::NotAFolder { path, at } => {
                write!(f, "{path:?} cannot exist: {at:?} is not a folder")
            }
            ReadError::NotAsExpected { path, found } => {
                write!(f, "{path:?} is not the file that was expected: its SHA-256 is {found}")
            }
            ReadError::TooLong { path, len, limit } => {
                write!(f, "{path:?} is {len} bytes long, more than the {limit} that are allowed")
            }
            ReadError::Io { path, .. } => write!(f, "cannot read {path:?}"),
        }
    }
}
