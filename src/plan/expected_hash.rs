//! Files that must be equal to the version that the model read.

use crate::patch::Dialect;
use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::path::{self, Borders};
use super::{Digest, Failure, FailureKind, Failures, Files, Found, Node, NotAFile, ReadError};

/// A view of the tree in which some files must be equal to the version that the model read.
///
/// The digest is computed from the bytes that the plan is made from, and `apply` checks these bytes again before the
/// commit, so no other version of the file is used in between.
///
/// ```
/// use std::collections::BTreeMap;
/// use apply_patch::plan::{Digest, Pinned};
///
/// let files = BTreeMap::from([("a.txt".into(), b"one\n".to_vec())]);
/// let shown = |text: &[u8]| [("a.txt".to_owned(), Digest::of(text))];
/// assert!(Pinned::new(&files, &shown(b"one\n")).is_ok());
/// let failures = Pinned::new(&files, &shown(b"two\n")).err().unwrap();
/// assert_eq!(failures.failures[0].kind.code(), "not-as-expected");
/// ```
pub struct Pinned<'f> {
    files: &'f dyn Files,
    /// By identity, so that a link and its target are the same file.
    pins: BTreeMap<Utf8PathBuf, Digest>,
}

impl<'f> Pinned<'f> {
    /// Pins files by name, as a patch would spell the name, to the digest of what the model was shown. Checks each file at
    /// once, also a file that the patch does not name.
    ///
    /// # Errors
    /// Returns every file that is missing, unreadable or different.
    pub fn new(files: &'f dyn Files, pins: &[(String, Digest)]) -> Result<Self, Failures> {
        let borders = Borders::of(files);
        let mut pinned = Pinned { files, pins: BTreeMap::new() };
        let mut failures = Vec::new();
        for (name, sha256) in pins {
            if let Err(kind) = pinned.add(name, *sha256, &borders) {
                failures.push(Failure {
                    tool: None,
                    hunk: 0,
                    number: None,
                    path: name.clone(),
                    dialect: Dialect::Envelope,
                    kind,
                });
            }
        }
        if failures.is_empty() { Ok(pinned) } else { Err(Failures { failures, placed: Vec::new() }) }
    }

    fn add(&mut self, name: &str, sha256: Digest, borders: &Borders) -> Result<(), FailureKind> {
        let path = path::check(name, borders)?.path;
        let found = self.files.look_up(&path)?;
        match &found.node {
            Node::File { .. } => {}
            Node::Missing => return Err(FailureKind::NoSuchFile { similar: Vec::new(), earlier: None }),
            Node::Folder => return Err(FailureKind::NotAFile { what: NotAFile::Folder }),
            Node::Other(what) => return Err(FailureKind::NotAFile { what: NotAFile::Other(what) }),
        }
        self.pins.insert(found.path.clone(), sha256);
        Ok(self.check(&path, &found)?)
    }

    fn check(&self, path: &Utf8Path, found: &Found) -> Result<(), ReadError> {
        match (&found.node, self.pins.get(&found.path)) {
            (Node::File { bytes, .. }, Some(digest)) if Digest::of(bytes) != *digest => {
                Err(ReadError::NotAsExpected { path: path.to_owned(), found: Digest::of(bytes) })
            }
            _ => Ok(()),
        }
    }
}

impl Files for Pinned<'_> {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        let found = self.files.look_up(path)?;
        self.check(path, &found)?;
        Ok(found)
    }

    fn look_up_all(&self, paths: &[&Utf8Path]) -> Vec<Result<Found, ReadError>> {
        let mut all = self.files.look_up_all(paths);
        for (path, found) in paths.iter().zip(&mut all) {
            if let Some(error) = found.as_ref().ok().and_then(|there| self.check(path, there).err()) {
                *found = Err(error);
            }
        }
        all
    }

    fn names(&self, dir: &Utf8Path) -> Vec<String> {
        self.files.names(dir)
    }

    fn has_usual_mode(&self, path: &Utf8Path) -> bool {
        self.files.has_usual_mode(path)
    }

    fn borders(&self) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
        self.files.borders()
    }

    fn is_free_outside(&self, path: &Utf8Path) -> bool {
        self.files.is_free_outside(path)
    }
}
