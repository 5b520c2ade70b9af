//! The file system of the machine, through `std`: for systems that are not Unix.
//!
//! The directories of a path are checked before use; in between, a process of the same user can swap a directory for a
//! link, because `std` has no call that does both atomically. There is no lock on a directory; the caller must keep two
//! runs over the same tree apart.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::new_file::DiskFile;
use super::{Attributes, Fs, Held, Kind, Lock, Meta, NewFile, NewMode, OpenFile};

/// The file system of the machine.
#[derive(Debug, Default)]
pub(crate) struct Portable {
    roots: Vec<Utf8PathBuf>,
}

impl Portable {
    /// Refuses a path with a link among its directories, and a path outside the roots.
    fn checked<'p>(&self, path: &'p Utf8Path) -> io::Result<&'p Utf8Path> {
        let inside = |root: &&Utf8PathBuf| path.starts_with(root);
        let root = self.roots.iter().find(inside).ok_or(io::ErrorKind::PermissionDenied)?;
        let folders = path.ancestors().skip(1).take_while(|folder| *folder != root);
        for folder in folders.filter(|folder| folder.starts_with(root)) {
            if fs::symlink_metadata(folder)?.is_symlink() {
                return Err(io::Error::new(io::ErrorKind::NotADirectory, "a link is among the folders"));
            }
        }
        Ok(path)
    }
}

impl Fs for Portable {
    fn open_root(&mut self, dir: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let path = dir.canonicalize_utf8()?;
        if !fs::symlink_metadata(&path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        self.roots.push(path.clone());
        Ok(path)
    }

    fn lock(&self, _: bool) -> io::Result<Lock> {
        Ok(Box::new(Unlocked))
    }

    fn look(&self, path: &Utf8Path) -> io::Result<Option<Meta>> {
        match self.checked(path).and_then(fs::symlink_metadata) {
            Ok(found) => Ok(Some(meta(&found))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.checked(path)?.read_link_utf8()
    }

    fn names(&self, folder: &Utf8Path) -> io::Result<Vec<String>> {
        let name = |entry: fs::DirEntry| entry.file_name().into_string().ok();
        fs::read_dir(self.checked(folder)?)?.filter_map(|entry| entry.map(name).transpose()).collect()
    }

    fn open(&self, path: &Utf8Path) -> io::Result<Box<dyn OpenFile>> {
        if !fs::symlink_metadata(self.checked(path)?)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        Ok(Box::new(File::open(path)?))
    }

    fn create(&self, path: &Utf8Path, mode: NewMode, _: Option<&Utf8Path>) -> io::Result<Box<dyn NewFile>> {
        let file = OpenOptions::new().write(true).create_new(true).open(self.checked(path)?)?;
        let settle = move |file: &File, sync: bool| settle(file, mode.attributes(), sync);
        Ok(Box::new(DiskFile::new(file, Box::new(settle))))
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        fs::create_dir(self.checked(path)?)
    }

    fn rename(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        fs::rename(self.checked(from)?, self.checked(to)?)
    }

    fn rename_new(&self, _: &Utf8Path, _: &Utf8Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn link(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        fs::hard_link(self.checked(from)?, self.checked(to)?)
    }

    fn remove_file(&self, path: &Utf8Path) -> io::Result<()> {
        fs::remove_file(self.checked(path)?)
    }

    fn remove_folder(&self, path: &Utf8Path) -> io::Result<()> {
        fs::remove_dir(self.checked(path)?)
    }

    /// Syncing a directory is not possible everywhere; on Windows the file system logs changes of names.
    fn sync_folder(&self, path: &Utf8Path) -> io::Result<()> {
        if cfg!(windows) { Ok(()) } else { File::open(self.checked(path)?)?.sync_all() }
    }

    fn syncs_contents(&self) -> bool {
        false
    }

    fn sync_contents(&self, _: &Utf8Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// No lock at all.
#[derive(Debug)]
struct Unlocked;

impl Held for Unlocked {}

/// Syncs a new file, and sets its attributes: the file may become read-only.
fn settle(file: &File, like: Option<Attributes>, sync: bool) -> io::Result<()> {
    if sync {
        file.sync_all()?;
    }
    let Some(like) = like else { return Ok(()) };
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(like.mode & 0o200 == 0);
    file.set_permissions(permissions)
}

/// Only one bit of a mode exists: whether the file is writable.
fn meta(found: &Metadata) -> Meta {
    let mode = if found.permissions().readonly() { 0o444 } else { 0o666 };
    let kind = if found.is_symlink() {
        Kind::Link
    } else if found.is_file() {
        Kind::File
    } else if found.is_dir() {
        Kind::Folder
    } else {
        Kind::Other("device")
    };
    let attributes = Attributes { mode, owner: None, is_plain: false };
    Meta { kind, len: found.len(), attributes, id: None, links: 1, is_sticky: false }
}
