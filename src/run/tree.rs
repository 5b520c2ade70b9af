//! Where the files are.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;

use crate::apply::Roots;
use crate::plan::{After, Change, Files};
use crate::text::Bytes;

/// The files that a run reads and changes.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one tree for many files")]
pub enum Tree {
    /// Directories on the disk. Several runs in the same directory wait for each other.
    Disk(Roots),
    /// Files in memory, by path relative to the base. There are no links and no mode bits, and names are compared byte
    /// for byte.
    Memory(BTreeMap<Utf8PathBuf, Bytes>),
}

impl Tree {
    /// Returns the view that a plan reads through.
    pub fn files(&self) -> &dyn Files {
        match self {
            Tree::Disk(roots) => roots,
            Tree::Memory(files) => files,
        }
    }
}

impl From<Roots> for Tree {
    fn from(roots: Roots) -> Self {
        Tree::Disk(roots)
    }
}

/// Files in memory, of any paths and contents.
impl<P: Into<Utf8PathBuf>, B: Into<Bytes>> FromIterator<(P, B)> for Tree {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Self {
        Tree::Memory(files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect())
    }
}

/// Makes all changes. No change can fail, so all changes are made.
pub(super) fn change_all(files: &mut BTreeMap<Utf8PathBuf, Bytes>, changes: &[Change]) {
    for Change { path, after, .. } in changes {
        match after {
            After::Gone => files.remove(path),
            After::File { content, .. } => files.insert(path.clone(), content.to_bytes()),
        };
    }
}
