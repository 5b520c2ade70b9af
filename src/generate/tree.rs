//! A tree of files, from a directory or a version control system.

use std::collections::BTreeMap;
use std::ops::Bound;

use camino::{Utf8Path, Utf8PathBuf};

use crate::plan::{Files, Found, Node, ReadError};
use crate::text::Bytes;

/// Files and all further entries, by path. Directories are implied by the paths.
///
/// ```
/// use apply_patch::generate::{Entry, Tree};
/// let mut tree = Tree::default();
/// tree.insert("bin/run", Entry::File { bytes: b"#!/bin/sh\n".to_vec().into(), executable: true });
/// assert!(matches!(tree.entry("bin/run"), Some(Entry::File { executable: true, .. })));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    entries: BTreeMap<Utf8PathBuf, Entry>,
}

/// What has a name in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry {
    /// A regular file.
    File {
        /// The contents.
        bytes: Bytes,
        /// Whether the file is executable.
        executable: bool,
    },
    /// A symbolic link, by its target; never followed.
    Link(Vec<u8>),
    /// A submodule, by its commit.
    Submodule(String),
    /// Any further kind of entry, by name: "fifo", "socket", "device".
    Other(&'static str),
}

impl Tree {
    /// Puts something at a path, in place of what was there.
    pub fn insert(&mut self, path: impl Into<Utf8PathBuf>, entry: Entry) {
        self.entries.insert(path.into(), entry);
    }

    /// Returns the entry at a path; `None` if there is no entry.
    pub fn entry(&self, path: impl AsRef<Utf8Path>) -> Option<&Entry> {
        self.entries.get(path.as_ref())
    }

    /// Returns all entries, by path.
    pub fn entries(&self) -> impl Iterator<Item = (&Utf8Path, &Entry)> {
        self.entries.iter().map(|(path, entry)| (path.as_path(), entry))
    }

    /// Returns the bytes of a file and whether the file is executable; `None` if there is no file.
    pub(super) fn file(&self, path: &Utf8Path) -> Option<(&Bytes, bool)> {
        match self.entries.get(path)? {
            Entry::File { bytes, executable } => Some((bytes, *executable)),
            _ => None,
        }
    }
}

impl Extend<(Utf8PathBuf, Entry)> for Tree {
    fn extend<E: IntoIterator<Item = (Utf8PathBuf, Entry)>>(&mut self, entries: E) {
        self.entries.extend(entries);
    }
}

impl Files for Tree {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        if let Some(at) = path.ancestors().skip(1).find(|at| self.entries.contains_key(*at)) {
            return Err(ReadError::NotAFolder { path: path.to_owned(), at: at.to_owned() });
        }
        let behind = (Bound::Excluded(path), Bound::Unbounded);
        let next = || self.entries.range::<Utf8Path, _>(behind).map(|(other, _)| other).next();
        let node = match self.entries.get(path) {
            Some(Entry::File { bytes, .. }) => Node::File { bytes: bytes.clone(), link: false },
            Some(Entry::Link(_)) => Node::Other("symbolic link"),
            Some(Entry::Submodule(_)) => Node::Other("submodule"),
            Some(Entry::Other(what)) => Node::Other(what),
            None if path.as_str().is_empty() || next().is_some_and(|other| other.starts_with(path)) => {
                Node::Folder
            }
            None => Node::Missing,
        };
        Ok(Found { path: path.to_owned(), node })
    }
}
