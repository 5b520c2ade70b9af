//! The file system of the machine, through `std`.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};

use camino::{Utf8Path, Utf8PathBuf};

use super::{Attributes, Fs, Kind, Meta, NewFile};

/// The file system of the machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Real;

impl Fs for Real {
    fn canonical(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        path.canonicalize_utf8()
    }

    fn look(&self, path: &Utf8Path) -> io::Result<Option<Meta>> {
        match fs::symlink_metadata(path) {
            Ok(found) => Ok(Some(meta(&found))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        path.read_link_utf8()
    }

    fn names(&self, folder: &Utf8Path) -> io::Result<Vec<String>> {
        let name = |entry: fs::DirEntry| entry.file_name().into_string().ok();
        // A name that is not UTF-8 cannot be in a patch, so nobody asks for it.
        fs::read_dir(folder)?.filter_map(|entry| entry.map(name).transpose()).collect()
    }

    fn open(&self, path: &Utf8Path) -> io::Result<Box<dyn io::Read>> {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        Ok(Box::new(file))
    }

    fn create(&self, path: &Utf8Path, like: Option<Attributes>) -> io::Result<Box<dyn NewFile>> {
        let mut options = OpenOptions::new();
        // Never through an existing name, nor through a link that somebody put there.
        options.write(true).create_new(true);
        if let Some(like) = like {
            private(&mut options, like);
        }
        Ok(Box::new(Fresh { out: BufWriter::with_capacity(1 << 16, options.open(path)?), like }))
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn rename(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove_file(&self, path: &Utf8Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_folder(&self, path: &Utf8Path) -> io::Result<()> {
        fs::remove_dir(path)
    }
}

/// A file that this run made.
#[derive(Debug)]
struct Fresh {
    out: BufWriter<File>,
    like: Option<Attributes>,
}

impl Write for Fresh {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl NewFile for Fresh {
    fn finish(self: Box<Self>) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        match self.like {
            Some(like) => take_on(&file, like),
            None => Ok(()),
        }
    }
}

fn meta(found: &Metadata) -> Meta {
    Meta { kind: kind(found.file_type()), len: found.len(), attributes: attributes(found) }
}

fn kind(found: FileType) -> Kind {
    if found.is_symlink() {
        Kind::Link
    } else if found.is_file() {
        Kind::File
    } else if found.is_dir() {
        Kind::Folder
    } else {
        Kind::Other(other(found))
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::{File, FileType, Metadata, OpenOptions, Permissions};
    use std::io;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};

    use crate::fs::Attributes;

    pub(super) fn other(found: FileType) -> &'static str {
        if found.is_fifo() {
            "fifo"
        } else if found.is_socket() {
            "socket"
        } else {
            "device"
        }
    }

    pub(super) fn attributes(found: &Metadata) -> Attributes {
        Attributes { mode: found.mode() & 0o777, owner: Some((found.uid(), found.gid())) }
    }

    pub(super) fn private(options: &mut OpenOptions, like: Attributes) {
        options.mode(like.mode & 0o700);
    }

    /// Sets the owner first: a change of owner may drop bits of the mode.
    pub(super) fn take_on(file: &File, like: Attributes) -> io::Result<()> {
        let made = file.metadata()?;
        if let Some((user, group)) = like.owner.filter(|owner| *owner != (made.uid(), made.gid())) {
            keep_owner(file, user, group);
        }
        file.set_permissions(Permissions::from_mode(like.mode))
    }

    /// Only root may give a file away, and others may only hand it to a group of theirs. What is not
    /// allowed is left: an edit by somebody who may write the folder is no reason to fail.
    fn keep_owner(file: &File, user: u32, group: u32) {
        if fchown(file, Some(user), Some(group)).is_err() {
            let _ = fchown(file, None, Some(group));
        }
    }
}

#[cfg(unix)]
use unix::{attributes, other, private, take_on};

#[cfg(not(unix))]
mod elsewhere {
    use std::fs::{File, FileType, Metadata, OpenOptions};
    use std::io;

    use crate::fs::Attributes;

    pub(super) fn other(_: FileType) -> &'static str {
        "device"
    }

    /// There is one bit: may the file be written?
    pub(super) fn attributes(found: &Metadata) -> Attributes {
        let mode = if found.permissions().readonly() { 0o444 } else { 0o666 };
        Attributes { mode, owner: None }
    }

    pub(super) fn private(_: &mut OpenOptions, _: Attributes) {}

    pub(super) fn take_on(file: &File, like: Attributes) -> io::Result<()> {
        let mut permissions = file.metadata()?.permissions();
        permissions.set_readonly(like.mode & 0o200 == 0);
        file.set_permissions(permissions)
    }
}

#[cfg(not(unix))]
use elsewhere::{attributes, other, private, take_on};
