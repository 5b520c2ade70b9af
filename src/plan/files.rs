//! The view of the tree that planning reads through.
//!
//! Planning writes nothing and opens nothing itself: all reads go through a [`Files`]. On the disk that is
//! [`Roots`](crate::apply::Roots); a harness with its own file system implements the trait, and a `BTreeMap` of paths
//! and bytes is enough for a test or an editor.

use std::collections::BTreeMap;
use std::io;
use std::ops::Bound;

use camino::{Utf8Path, Utf8PathBuf};

use crate::plan::Digest;
use crate::text::Bytes;

/// A read-only view of the tree.
pub trait Files {
    /// Returns the entry at a path.
    ///
    /// The path is relative to the base root and cleaned (no `.`, no `..`, no empty component), or absolute inside a
    /// further root.
    ///
    /// # Errors
    /// [`ReadError`] if the entry cannot be read, or must not be. A path without an entry is not an error but
    /// [`Node::Missing`].
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError>;

    /// Returns the entry at each path, in order, with the results of [`look_up`](Files::look_up). An implementation
    /// overrides this method if several paths can be looked up faster together.
    fn look_up_all(&self, paths: &[&Utf8Path]) -> Vec<Result<Found, ReadError>> {
        paths.iter().map(|path| self.look_up(path)).collect()
    }

    /// Returns the names in a directory, for "did you mean"; the directory `""` is the base root. Returns an empty list
    /// if the view cannot list directories.
    fn names(&self, dir: &Utf8Path) -> Vec<String> {
        let _ = dir;
        Vec::new()
    }

    /// Returns whether the file at a path has the mode bits of a new file. A view without mode bits returns `true`.
    fn has_usual_mode(&self, path: &Utf8Path) -> bool {
        let _ = path;
        true
    }

    /// Returns the absolute names of the roots, each with the path of the root in this view: `""` for the base root, so that
    /// a path inside becomes relative; an absolute path for a further root. The first root that contains a path counts. A
    /// view without such names accepts relative paths only.
    ///
    /// A root may have several names, because the name from the user may go through a link, and the model repeats that name.
    fn borders(&self) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
        Vec::new()
    }

    /// Returns whether nothing is at an absolute path outside of the roots. Only then may `/src/a.rs` be the name of `src/a.rs`.
    /// A view that does not know what is outside returns `false`, as this method does by default.
    fn is_free_outside(&self, path: &Utf8Path) -> bool {
        let _ = path;
        false
    }
}

/// What was found at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The path with links resolved: the identity of the file, also of a file that does not exist yet.
    pub path: Utf8PathBuf,
    /// What is there.
    pub node: Node,
}

/// What can be at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Node {
    /// Nothing. Also where a link points at nothing: [`Found::path`] is then where the file would be.
    Missing,
    /// A regular file.
    File {
        /// The contents.
        bytes: Bytes,
        /// Whether the last component of the requested path is a symbolic link to the file.
        link: bool,
    },
    /// A folder.
    Folder,
    /// An entry that is never opened, by name: "fifo", "socket", "device".
    Other(&'static str),
}

/// Why a path could not be looked up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A symbolic link leads out of the roots.
    OutsideRoot {
        /// The path that was asked for.
        path: Utf8PathBuf,
    },
    /// A symbolic link leads to a path that no patch may touch, such as `.git`.
    Protected {
        /// The path that was asked for.
        path: Utf8PathBuf,
    },
    /// More symbolic links in a row than any honest path has.
    LinkLoop {
        /// The path that was asked for.
        path: Utf8PathBuf,
    },
    /// Something on the way that is not a folder.
    NotAFolder {
        /// The path that was asked for.
        path: Utf8PathBuf,
        /// The part of the path that is a file.
        at: Utf8PathBuf,
    },
    /// The file differs from the version that the model read.
    NotAsExpected {
        /// The path that was asked for.
        path: Utf8PathBuf,
        /// The digest of what is there.
        found: Digest,
    },
    /// The file is longer than the caller allows.
    TooLong {
        /// The path that was asked for.
        path: Utf8PathBuf,
        /// The length of the file in bytes.
        len: u64,
        /// The longest that is allowed, in bytes.
        limit: u64,
    },
    /// The system refused.
    Io {
        /// The path that was asked for.
        path: Utf8PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// Files by path; directories are implied by the paths. Every look-up copies the bytes.
impl Files for BTreeMap<Utf8PathBuf, Vec<u8>> {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        look_up_in(self, path, |bytes| Bytes::from(bytes.clone()))
    }

    fn names(&self, dir: &Utf8Path) -> Vec<String> {
        names_in(self, dir)
    }
}

/// Files by path; directories are implied by the paths. The bytes are shared.
impl Files for BTreeMap<Utf8PathBuf, Bytes> {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        look_up_in(self, path, Bytes::clone)
    }

    fn names(&self, dir: &Utf8Path) -> Vec<String> {
        names_in(self, dir)
    }
}

fn look_up_in<B>(
    files: &BTreeMap<Utf8PathBuf, B>,
    path: &Utf8Path,
    bytes: impl Fn(&B) -> Bytes,
) -> Result<Found, ReadError> {
    if let Some(at) = path.ancestors().skip(1).find(|at| files.contains_key(*at)) {
        return Err(ReadError::NotAFolder { path: path.to_owned(), at: at.to_owned() });
    }
    let node = match files.get(path) {
        Some(content) => Node::File { bytes: bytes(content), link: false },
        None if is_folder(files, path) => Node::Folder,
        None => Node::Missing,
    };
    Ok(Found { path: path.to_owned(), node })
}

fn names_in<B>(files: &BTreeMap<Utf8PathBuf, B>, dir: &Utf8Path) -> Vec<String> {
    let first = |path: &Utf8PathBuf| {
        let inside = path.strip_prefix(dir).ok()?;
        Some(inside.components().next()?.as_str().to_owned())
    };
    let mut names: Vec<String> = below(files, dir).filter_map(first).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn is_folder<B>(files: &BTreeMap<Utf8PathBuf, B>, path: &Utf8Path) -> bool {
    path.as_str().is_empty() || below(files, path).next().is_some()
}

/// Returns the files in a directory at any depth: a contiguous range of keys, since paths are ordered by component.
fn below<'a, B>(
    files: &'a BTreeMap<Utf8PathBuf, B>,
    dir: &'a Utf8Path,
) -> impl Iterator<Item = &'a Utf8PathBuf> {
    let behind = (Bound::Excluded(dir), Bound::Unbounded);
    files.range::<Utf8Path, _>(behind).map(|(path, _)| path).take_while(move |path| path.starts_with(dir))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> BTreeMap<Utf8PathBuf, Vec<u8>> {
        ["a.txt", "src/lib.rs", "src/plan/mod.rs", "src.old"]
            .map(|path| (Utf8PathBuf::from(path), path.as_bytes().to_vec()))
            .into()
    }

    #[test]
    fn a_map_knows_its_files_and_the_folders_they_imply() {
        let node = |path: &str| tree().look_up(path.into()).unwrap().node;
        assert_eq!(node("a.txt"), Node::File { bytes: Bytes::from_static(b"a.txt"), link: false });
        assert_eq!(node("src"), Node::Folder);
        assert_eq!(node("src/plan"), Node::Folder);
        assert_eq!(node(""), Node::Folder);
        assert_eq!(node("sr"), Node::Missing);
        assert_eq!(node("src/lib"), Node::Missing);
    }

    #[test]
    fn nothing_is_below_a_file() {
        let error = tree().look_up("a.txt/b/c".into()).unwrap_err();
        assert!(matches!(error, ReadError::NotAFolder { at, .. } if at == "a.txt"));
    }

    #[test]
    fn names_are_those_of_one_folder() {
        assert_eq!(tree().names("".into()), ["a.txt", "src", "src.old"]);
        assert_eq!(tree().names("src".into()), ["lib.rs", "plan"]);
        assert!(tree().names("nowhere".into()).is_empty());
    }

    #[test]
    fn an_error_shows_a_hostile_name_escaped() {
        let error = ReadError::LinkLoop { path: "a\u{1b}[31m\n".into() };
        assert_eq!(error.to_string(), r#""a\u{1b}[31m\n" goes through too many symbolic links"#);
    }
}
