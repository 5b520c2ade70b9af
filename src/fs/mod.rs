//! The few calls to the file system that [`apply`](crate::apply) needs.
//!
//! A seam, private to the crate, so that what cannot be had from a disk at will (a call that fails, a
//! file system without hard links or with names that differ by case) can be put in its place. It says
//! *what* is done to one path; the order of the calls, and what follows from a failure, is `apply`'s.

mod real;

use std::{fmt, io};

use camino::{Utf8Path, Utf8PathBuf};

pub(crate) use real::Real;

/// A file system. No call follows a symbolic link in the last component, [`canonical`](Fs::canonical)
/// and [`open`](Fs::open) excepted.
pub(crate) trait Fs: fmt::Debug + Send + Sync {
    /// The absolute path with every link resolved.
    fn canonical(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf>;

    /// What is at a path; `None` where nothing is.
    fn look(&self, path: &Utf8Path) -> io::Result<Option<Meta>>;

    /// Where a symbolic link points.
    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf>;

    /// The names in a folder, in any order.
    fn names(&self, folder: &Utf8Path) -> io::Result<Vec<String>>;

    /// Opens a regular file. The caller has looked: opening a fifo would wait for ever.
    fn open(&self, path: &Utf8Path) -> io::Result<Box<dyn io::Read>>;

    /// Makes a file where nothing is. With attributes to take, it is the owner's alone until
    /// [`NewFile::finish`]; else it has the usual mode of a new file.
    fn create(&self, path: &Utf8Path, like: Option<Attributes>) -> io::Result<Box<dyn NewFile>>;

    /// Makes a folder where nothing is.
    fn create_folder(&self, path: &Utf8Path) -> io::Result<()>;

    /// Renames, and replaces a file that is in the way.
    fn rename(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()>;

    /// Gives a file a second name where nothing is.
    fn link(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()>;

    /// Removes a file or a symbolic link.
    fn remove_file(&self, path: &Utf8Path) -> io::Result<()>;

    /// Removes an empty folder.
    fn remove_folder(&self, path: &Utf8Path) -> io::Result<()>;
}

/// A file that is being written.
pub(crate) trait NewFile: io::Write {
    /// Hands everything to the system, and sets the attributes.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// What [`Fs::look`] tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meta {
    /// What it is.
    pub(crate) kind: Kind,
    /// Its length in bytes.
    pub(crate) len: u64,
    /// What a file that takes its place should keep.
    pub(crate) attributes: Attributes,
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    /// What is never opened, by its name.
    Other(&'static str),
}

/// What a file keeps when it is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Attributes {
    /// The permission bits. Those that lend a program its owner's rights (`0o7000`) are left out: a
    /// write in place drops them too, and the new file may have another owner.
    pub(crate) mode: u32,
    /// User and group, where the system has them.
    pub(crate) owner: Option<(u32, u32)>,
}
