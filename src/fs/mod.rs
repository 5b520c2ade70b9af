//! The file system calls that [`apply`](crate::apply) needs.
//!
//! A private trait, so that tests can replace the disk by situations that a disk does not produce on demand (a failing
//! call, a crash that loses unsynced data, a file system whose names ignore case). The trait defines operations on
//! single paths; the order of the calls, and the reaction to a failure, belong to `apply`.
//!
//! Every path is absolute and inside a root that [`Fs::open_root`] has opened, except for [`Fs::is_free`]. No call follows a symbolic link, neither
//! in the last component nor in any component before: a directory that is swapped for a link makes the call fail.

#[cfg(unix)]
mod attributes;
#[cfg(unix)]
mod beneath;
#[cfg(test)]
mod fault;
#[cfg(any(test, feature = "internals"))]
mod memory;
mod new_file;
#[cfg(unix)]
mod plain;
#[cfg(any(test, not(unix)))]
mod portable;
mod read_whole;
#[cfg(unix)]
mod real;
mod system;
#[cfg(any(test, feature = "internals"))]
mod tree;

use std::fs::File;
use std::{fmt, io};

use camino::{Utf8Path, Utf8PathBuf};

#[cfg(test)]
pub(crate) use fault::{Abilities, Fault, Faulty, crash_trees};
#[cfg(any(test, feature = "internals"))]
pub(crate) use memory::Memory;
#[cfg(test)]
pub(crate) use portable::Portable;
pub(crate) use read_whole::read_whole;
#[cfg(all(test, unix))]
pub(crate) use real::Real;
pub(crate) use system::system;
#[cfg(any(test, feature = "internals"))]
pub use tree::Naming;

/// Returns the rest of a path below a root; empty for the root itself. Both are absolute, with the spelling of
/// [`Fs::open_root`] and of joined names, so comparing the text is enough.
pub(crate) fn within<'p>(path: &'p Utf8Path, root: &Utf8Path) -> Option<&'p Utf8Path> {
    let rest = path.as_str().strip_prefix(root.as_str())?;
    let is_whole = rest.is_empty() || rest.starts_with(SEPARATOR) || root.as_str().ends_with(SEPARATOR);
    is_whole.then(|| Utf8Path::new(rest.trim_start_matches(SEPARATOR)))
}

const SEPARATOR: char = std::path::MAIN_SEPARATOR;

/// A file system.
pub(crate) trait Fs: fmt::Debug + Send + Sync {
    /// Opens a directory as a root, and returns its path with every link resolved. The only call that follows links.
    fn open_root(&mut self, dir: &Utf8Path) -> io::Result<Utf8PathBuf>;

    /// Takes the lock of every root until the result is dropped. If another run holds a lock, waits, or fails with
    /// [`io::ErrorKind::WouldBlock`].
    fn lock(&self, wait: bool) -> io::Result<Lock>;

    /// Returns the metadata of a path; `None` if there is no entry.
    fn look(&self, path: &Utf8Path) -> io::Result<Option<Meta>>;

    /// Returns whether nothing is at an absolute path, which may be outside of the roots; `false` if the system does not tell.
    fn is_free(&self, path: &Utf8Path) -> bool {
        path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    }

    /// Returns the target of a symbolic link.
    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf>;

    /// Returns the names in a directory, in any order.
    fn names(&self, folder: &Utf8Path) -> io::Result<Vec<String>>;

    /// Opens a regular file, and fails for any other kind of entry without blocking.
    fn open(&self, path: &Utf8Path) -> io::Result<Box<dyn OpenFile>>;

    /// Returns the metadata of a path, and the open file, if the entry is a regular file; otherwise `None`. Combines
    /// [`look`](Fs::look) and [`open`](Fs::open), so that a system can resolve the directories once.
    fn open_if_file(&self, path: &Utf8Path) -> io::Result<Option<(Meta, Box<dyn OpenFile>)>> {
        match self.look(path)? {
            Some(meta) if meta.kind == Kind::File => Ok(Some((meta, self.open(path)?))),
            _ => Ok(None),
        }
    }

    /// Creates a file at a free path. With attributes to copy, users other than the owner have, until
    /// [`NewFile::finish`], at most the rights that the attributes grant to everybody. The access list and the extended
    /// attributes are those of `like`.
    fn create(&self, path: &Utf8Path, mode: NewMode, like: Option<&Utf8Path>)
    -> io::Result<Box<dyn NewFile>>;

    /// Returns the number of the user whose rights this process has; `None` where files have no owners.
    fn user(&self) -> Option<u32> {
        None
    }

    /// Returns the permission bits of a file that is created with [`NewMode::Usual`]; `None` without permission bits.
    fn usual_mode(&self) -> Option<u32> {
        None
    }

    /// Makes a folder where nothing is.
    fn create_folder(&self, path: &Utf8Path) -> io::Result<()>;

    /// Renames, and replaces a file that is in the way.
    fn rename(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()>;

    /// Renames where nothing is; fails with [`io::ErrorKind::AlreadyExists`] where something is, and
    /// with [`io::ErrorKind::Unsupported`] where the file system cannot do that.
    fn rename_new(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()>;

    /// Gives a file a second name where nothing is.
    fn link(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()>;

    /// Removes a file or a symbolic link.
    fn remove_file(&self, path: &Utf8Path) -> io::Result<()>;

    /// Removes side files of this run, and returns the errors. The directory of files in a row may be opened once: a file with a
    /// mark of this run is to be removed wherever its directory has been moved to.
    fn remove_side_files<'p>(&self, paths: &[&'p Utf8Path]) -> Vec<(&'p Utf8Path, io::Error)> {
        paths.iter().filter_map(|path| Some((*path, self.remove_file(path).err()?))).collect()
    }

    /// Removes an empty folder.
    fn remove_folder(&self, path: &Utf8Path) -> io::Result<()>;

    /// Waits until the names in a folder are on the disk.
    fn sync_folder(&self, path: &Utf8Path) -> io::Result<()>;

    /// Returns whether [`sync_contents`](Fs::sync_contents) is supported.
    fn syncs_contents(&self) -> bool;

    /// Waits until the contents of all files are on the disk, in the file system of a directory: a single wait for many
    /// files. Fails with [`io::ErrorKind::Unsupported`] if there is no such call.
    fn sync_contents(&self, folder: &Utf8Path) -> io::Result<()>;
}

/// A file that is open for reading: from its beginning, or at any offset.
pub(crate) trait OpenFile: io::Read + Send + Sync {
    /// Reads from so many bytes behind the beginning. Where the next `read` goes on is left open.
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize>;
}

impl OpenFile for File {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, at)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, at)
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        use io::{Read, Seek};

        let mut file = self;
        file.seek(io::SeekFrom::Start(at))?;
        file.read(buffer)
    }
}

/// A lock that is released on drop.
pub(crate) type Lock = Box<dyn Held>;

/// What keeps a lock.
pub(crate) trait Held: fmt::Debug + Send + Sync {}

/// A file that is being written.
pub(crate) trait NewFile {
    /// Returns what writes to the file, without a buffer. For a file of the system this is the file itself: only the types
    /// of the standard library can tell a [`io::BufWriter`] that the system takes many pieces in one call.
    fn writer(&mut self) -> &mut dyn io::Write;

    /// Passes everything to the system, and sets the attributes; with `sync`, waits until everything is on the disk.
    fn finish(self: Box<Self>, sync: bool) -> io::Result<()>;
}

/// What [`Fs::look`] tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meta {
    /// The kind of entry.
    pub(crate) kind: Kind,
    /// The length in bytes.
    pub(crate) len: u64,
    /// The attributes that a replacement should keep.
    pub(crate) attributes: Attributes,
    /// The device and the inode number, if the system has both: equal for two names of the same file.
    pub(crate) id: Option<(u64, u64)>,
    /// How many names the file has; 1 if the system does not count names.
    pub(crate) links: u64,
    /// Whether only the owner of the directory or of the file may remove or rename the file, as in `/tmp`.
    pub(crate) is_sticky: bool,
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    /// A kind that is never opened, by name.
    Other(&'static str),
}

/// The attributes that a file keeps when replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Attributes {
    /// The permission bits, without the bits that lend a program the rights of its owner (`0o7000`): a write in place
    /// drops these too, and the new file may have another owner.
    pub(crate) mode: u32,
    /// User and group, if the system has both.
    pub(crate) owner: Option<(u32, u32)>,
    /// Whether the file is known to have no access list and no extended attributes.
    pub(crate) is_plain: bool,
}

/// The mode of a file that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NewMode {
    /// What the system gives to new files.
    Usual,
    /// The mode of a new program.
    Executable,
    /// The mode of another file, and its owner.
    Like(Attributes),
}

impl NewMode {
    /// Returns the mode for a file that copies the attributes `like`, if given, and is executable or not, if given.
    pub(crate) fn of(like: Option<Attributes>, executable: Option<bool>) -> Self {
        match (like, executable) {
            (None, Some(true)) => NewMode::Executable,
            (None, _) => NewMode::Usual,
            (Some(like), None) => NewMode::Like(like),
            (Some(like), Some(executable)) => NewMode::Like(like.with_executable(executable)),
        }
    }

    /// Returns the attributes to set after the content is written.
    pub(crate) fn attributes(self) -> Option<Attributes> {
        match self {
            NewMode::Like(attributes) => Some(attributes),
            NewMode::Usual | NewMode::Executable => None,
        }
    }
}

impl Attributes {
    /// Returns whether two files have the same mode and owner.
    pub(crate) fn has_rights_of(self, other: Attributes) -> bool {
        (self.mode, self.owner) == (other.mode, other.owner)
    }

    /// Returns the mode, executable for all users who may read the file, or for no user.
    fn with_executable(self, executable: bool) -> Self {
        let readers = (self.mode & 0o444) >> 2;
        let mode = if executable { self.mode | readers } else { self.mode & !0o111 };
        Attributes { mode, ..self }
    }
}
