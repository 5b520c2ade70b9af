//! Two trees to compare, and what reading them reports.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::stop::Stop;
use crate::generate::{Tree, What};
use crate::run::Status;
use crate::text::shown;

/// Two trees, reduced to the entries that differ.
#[derive(Debug, Default)]
pub(super) struct Pair {
    pub(super) old: Tree,
    pub(super) new: Tree,
    /// What is in either and cannot be in a tree: a name that is not text.
    pub(super) beyond: Vec<(Utf8PathBuf, What)>,
    /// What was left out, and why that is no matter of the format: a line each.
    pub(super) left_out: Vec<String>,
}

/// Returns a name as text; if the bytes are not text, an approximation for the message as `Err`.
pub(super) fn name_of(bytes: &[u8]) -> Result<&str, Utf8PathBuf> {
    std::str::from_utf8(bytes).map_err(|_| String::from_utf8_lossy(bytes).into_owned().into())
}

pub(super) fn unreadable(path: &Utf8Path, error: &io::Error) -> Stop {
    Stop::new(Status::System, format!("cannot read `{}`: {error}\n", shown(path.as_str())))
}

pub(super) fn too_long(path: &Utf8Path, len: u64, longest: u64) -> Stop {
    let path = shown(path.as_str()).to_string();
    let words = format!(
        "`{path}` is {len} bytes long, more than the {longest} that are allowed; --max-file-size allows more\n"
    );
    Stop::new(Status::System, words)
}
