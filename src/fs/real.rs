//! The file system of the machine, for Unix.
//!
//! A root is a handle of a directory, and every call begins at a root. On Linux the kernel opens the directory of a
//! path below that handle and refuses every link (`openat2`); on other systems, and on kernels without that call, the
//! directories are opened step by step, each below its parent and never through a link. The call itself uses the open
//! directory and a name. So the checked directory is the used directory: a link cannot be inserted in between, and no
//! earlier check is trusted.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use camino::{Utf8Path, Utf8PathBuf};
use rustix::fs::{self as system, AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::attributes::{Model, umask};
use super::beneath::{FOLDER, READ_FOLDER, beneath, by_steps, is_without_openat2};
use super::new_file::DiskFile;
use super::plain::{Plain, id};
use super::{Attributes, Fs, Held, Kind, Lock, Meta, NewFile, NewMode, OpenFile, within};

/// A file that is read. Opening never waits, not even for a fifo that took the file's place.
const READ_FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// A file that is made: never through an existing name, nor through a link that somebody put there.
const NEW_FILE: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The file system of the machine.
#[derive(Debug, Default)]
pub(crate) struct Real {
    roots: Vec<Root>,
    plain: Plain,
    /// Whether to open step by step also if the kernel supports a single call; for tests.
    by_steps: bool,
}

#[derive(Debug)]
struct Root {
    path: Utf8PathBuf,
    handle: OwnedFd,
}

impl Real {
    /// Returns a file system that opens directories step by step, like systems other than Linux.
    #[cfg(test)]
    pub(crate) fn by_steps() -> Self {
        Real { by_steps: true, ..Real::default() }
    }

    /// Returns the root of a path, and the rest of the path.
    fn root<'s, 'p>(&'s self, path: &'p Utf8Path) -> io::Result<(&'s Root, &'p Utf8Path)> {
        let inside = |root: &'s Root| Some((root, within(path, &root.path)?));
        self.roots.iter().find_map(inside).ok_or_else(|| io::ErrorKind::PermissionDenied.into())
    }

    /// Opens a directory below its root, through no link.
    fn folder(&self, path: &Utf8Path, flags: OFlags) -> io::Result<OwnedFd> {
        let (root, rest) = self.root(path)?;
        self.folder_in(root, rest, flags)
    }

    fn folder_in(&self, root: &Root, rest: &Utf8Path, flags: OFlags) -> io::Result<OwnedFd> {
        let rest = if rest.as_str().is_empty() { Utf8Path::new(".") } else { rest };
        if !self.by_steps {
            match beneath(&root.handle, rest, flags, Mode::empty()) {
                Err(error) if is_without_openat2(error) => {}
                // What is found by going step by step: a link is no folder.
                Err(Errno::LOOP) => return Err(io::ErrorKind::NotADirectory.into()),
                opened => return Ok(opened?),
            }
        }
        by_steps(&root.handle, rest, flags)
    }

    /// Opens or creates a file below its root, through no link.
    fn file(&self, path: &Utf8Path, flags: OFlags, mode: Mode) -> io::Result<OwnedFd> {
        if !self.by_steps {
            let (root, rest) = self.root(path)?;
            match beneath(&root.handle, rest, flags, mode) {
                Err(error) if is_without_openat2(error) => {}
                opened => return Ok(opened?),
            }
        }
        let (folder, name) = self.parent(path)?;
        Ok(system::openat(&folder, name, flags, mode)?)
    }

    fn model(&self, attributes: Attributes, like: Option<&Utf8Path>) -> io::Result<Model> {
        let like = like
            .filter(|_| !attributes.is_plain)
            .map(|like| self.file(like, READ_FILE, Mode::empty()))
            .transpose()?;
        Model::new(attributes, like.map(File::from).as_ref())
    }

    /// Returns the metadata of a path, and whether its attributes are known.
    fn meta(&self, stat: &Stat) -> Meta {
        let mut meta = meta(stat);
        meta.attributes.is_plain = meta.kind == Kind::File && self.plain.holds(stat);
        meta
    }

    /// Makes a call with two names, each with its open directory; a common directory is opened once.
    fn with_both(
        &self,
        from: &Utf8Path,
        to: &Utf8Path,
        call: impl Fn(BorrowedFd<'_>, &str, BorrowedFd<'_>, &str) -> rustix::io::Result<()>,
    ) -> io::Result<()> {
        let (old, name) = self.parent(from)?;
        let (from_folder, to_folder) = (from.as_str().rsplit_once('/'), to.as_str().rsplit_once('/'));
        let (Some((old_folder, _)), Some((new_folder, new_name))) = (from_folder, to_folder) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let other = if old_folder == new_folder { None } else { Some(self.parent(to)?.0) };
        let new = other.as_ref().map_or(old.as_fd(), Folder::as_fd);
        Ok(call(old.as_fd(), name, new, new_name)?)
    }

    /// Returns the open directory of a path, and the name in the directory.
    fn parent<'p>(&self, path: &'p Utf8Path) -> io::Result<(Folder<'_>, &'p str)> {
        let (root, rest) = self.root(path)?;
        match rest.as_str().rsplit_once('/') {
            Some((folder, name)) => {
                Ok((Folder::Opened(self.folder_in(root, Utf8Path::new(folder), FOLDER)?), name))
            }
            None if rest.as_str().is_empty() => Err(io::ErrorKind::InvalidInput.into()),
            None => Ok((Folder::Root(&root.handle), rest.as_str())),
        }
    }
}

/// The folder that a name is in.
enum Folder<'r> {
    Root(&'r OwnedFd),
    Opened(OwnedFd),
}

impl AsFd for Folder<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Folder::Root(handle) => handle.as_fd(),
            Folder::Opened(handle) => handle.as_fd(),
        }
    }
}

/// Returns a file that was opened for reading, if the file is regular.
fn regular(opened: OwnedFd) -> io::Result<File> {
    let file = File::from(opened);
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok(file)
}

impl Fs for Real {
    fn open_root(&mut self, dir: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let path = dir.canonicalize_utf8()?;
        let handle = system::open(path.as_std_path(), FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
        self.roots.push(Root { path: path.clone(), handle });
        Ok(path)
    }

    /// The lock is on the root directories themselves, so that no lock file is needed. A file system without locks
    /// (some network file systems) is used without a lock.
    fn lock(&self, wait: bool) -> io::Result<Lock> {
        let mut folders = Vec::with_capacity(self.roots.len());
        for root in &self.roots {
            let folder = system::openat(&root.handle, ".", READ_FOLDER, Mode::empty())?;
            let stat = system::fstat(&folder)?;
            folders.push(((stat.st_dev, stat.st_ino), folder));
        }
        // All runs take the locks in the same order, and each lock once, because otherwise two runs could wait for each
        // other, or a run for itself.
        let mut taken = None;
        let next = |taken| folders.iter().filter(|(id, _)| Some(*id) > taken).min_by_key(|(id, _)| *id);
        while let Some((id, folder)) = next(taken) {
            flock(folder, wait)?;
            taken = Some(*id);
        }
        Ok(Box::new(Locked { _folders: folders.into_iter().map(|(_, folder)| folder).collect() }))
    }

    fn look(&self, path: &Utf8Path) -> io::Result<Option<Meta>> {
        let found = match self.root(path)? {
            (root, rest) if rest.as_str().is_empty() => Ok(system::fstat(&root.handle)?),
            _ => self
                .parent(path)
                .and_then(|(folder, name)| Ok(system::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?)),
        };
        match found {
            Ok(stat) => Ok(Some(self.meta(&stat))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let (folder, name) = self.parent(path)?;
        let target = system::readlinkat(&folder, name, Vec::new())?;
        target.into_string().map(Into::into).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    fn names(&self, folder: &Utf8Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in system::Dir::new(self.folder(folder, READ_FOLDER)?)? {
            // A name that is not UTF-8 cannot be in a patch.
            if let Ok(name) = entry?.file_name().to_str()
                && !matches!(name, "." | "..")
            {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    fn open(&self, path: &Utf8Path) -> io::Result<Box<dyn OpenFile>> {
        Ok(Box::new(regular(self.file(path, READ_FILE, Mode::empty())?)?))
    }

    fn open_if_file(&self, path: &Utf8Path) -> io::Result<Option<(Meta, Box<dyn OpenFile>)>> {
        let (folder, name) = self.parent(path)?;
        let stat = system::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let meta = meta(&stat);
        if meta.kind != Kind::File {
            return Ok(None);
        }
        let file = regular(system::openat(&folder, name, READ_FILE, Mode::empty())?)?;
        self.plain.note(&stat, &file);
        Ok(Some((meta, Box::new(file))))
    }

    fn create(
        &self,
        path: &Utf8Path,
        mode: NewMode,
        like: Option<&Utf8Path>,
    ) -> io::Result<Box<dyn NewFile>> {
        let model = mode.attributes().map(|attributes| self.model(attributes, like)).transpose()?;
        let first_mode = match (&model, mode) {
            (Some(model), _) => model.first_mode(),
            (None, NewMode::Executable) => 0o777,
            (None, _) => 0o666,
        };
        let file = self.file(path, NEW_FILE, Mode::from_bits_truncate(bits(first_mode)))?;
        let settle = |file: &File, sync: bool| {
            model.map_or(Ok(()), |model| model.take_on(file))?;
            if sync { file.sync_all() } else { Ok(()) }
        };
        Ok(Box::new(DiskFile::new(file.into(), Box::new(settle))))
    }

    fn user(&self) -> Option<u32> {
        Some(rustix::process::geteuid().as_raw())
    }

    fn usual_mode(&self) -> Option<u32> {
        Some(0o666 & !umask())
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        let (folder, name) = self.parent(path)?;
        Ok(system::mkdirat(&folder, name, Mode::from_bits_truncate(0o777))?)
    }

    fn rename(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        self.with_both(from, to, |old, name, new, new_name| system::renameat(old, name, new, new_name))
    }

    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    fn rename_new(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        use system::RenameFlags;

        self.with_both(from, to, |old, name, new, new_name| {
            let renamed = system::renameat_with(old, name, new, new_name, RenameFlags::NOREPLACE);
            renamed.map_err(|error| match error {
                Errno::INVAL | Errno::NOSYS => Errno::NOTSUP,
                error => error,
            })
        })
    }

    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    fn rename_new(&self, _: &Utf8Path, _: &Utf8Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn link(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        self.with_both(from, to, |old, name, new, new_name| {
            system::linkat(old, name, new, new_name, AtFlags::empty())
        })
    }

    fn remove_file(&self, path: &Utf8Path) -> io::Result<()> {
        let (folder, name) = self.parent(path)?;
        Ok(system::unlinkat(&folder, name, AtFlags::empty())?)
    }

    fn remove_side_files<'p>(&self, paths: &[&'p Utf8Path]) -> Vec<(&'p Utf8Path, io::Error)> {
        let mut failed = Vec::new();
        for row in paths.chunk_by(|one, next| one.parent() == next.parent()) {
            let folder = row.first().map(|first| self.parent(first));
            let remove = |path: &Utf8Path| match &folder {
                Some(Ok((folder, _))) => {
                    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
                    Ok(system::unlinkat(folder, name, AtFlags::empty())?)
                }
                _ => self.remove_file(path),
            };
            failed.extend(row.iter().filter_map(|path| Some((*path, remove(path).err()?))));
        }
        failed
    }

    fn remove_folder(&self, path: &Utf8Path) -> io::Result<()> {
        let (folder, name) = self.parent(path)?;
        Ok(system::unlinkat(&folder, name, AtFlags::REMOVEDIR)?)
    }

    fn sync_folder(&self, path: &Utf8Path) -> io::Result<()> {
        let folder = match self.folder(path, READ_FOLDER) {
            // The directory is writable but not readable: there is no way to sync.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
            folder => File::from(folder?),
        };
        match folder.sync_all() {
            // Some file systems have nothing to sync in a directory, and return this error.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            result => result,
        }
    }

    fn syncs_contents(&self) -> bool {
        cfg!(target_os = "linux")
    }

    fn sync_contents(&self, folder: &Utf8Path) -> io::Result<()> {
        sync_system(&self.folder(folder, READ_FOLDER)?)
    }
}

#[cfg(target_os = "linux")]
fn sync_system(folder: &OwnedFd) -> io::Result<()> {
    Ok(system::syncfs(folder)?)
}

#[cfg(not(target_os = "linux"))]
fn sync_system(_: &OwnedFd) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The directories of the roots; closing a directory releases its lock.
#[derive(Debug)]
struct Locked {
    _folders: Vec<OwnedFd>,
}

impl Held for Locked {}

fn flock(folder: &OwnedFd, wait: bool) -> io::Result<()> {
    let operation =
        if wait { FlockOperation::LockExclusive } else { FlockOperation::NonBlockingLockExclusive };
    loop {
        match system::flock(folder, operation) {
            Err(Errno::INTR) => {}
            Err(Errno::BADF | Errno::NOLCK | Errno::NOTSUP | Errno::NOSYS | Errno::INVAL) => return Ok(()),
            result => return Ok(result?),
        }
    }
}

/// The widths of these numbers differ between systems.
#[allow(clippy::unnecessary_cast, clippy::cast_sign_loss, clippy::cast_lossless, reason = "widths differ")]
fn meta(stat: &Stat) -> Meta {
    let attributes = Attributes {
        mode: stat.st_mode as u32 & 0o777,
        owner: Some((stat.st_uid, stat.st_gid)),
        ..Attributes::default()
    };
    let kind = kind(FileType::from_raw_mode(stat.st_mode));
    let is_sticky = stat.st_mode as u32 & 0o1000 != 0;
    Meta {
        kind,
        len: stat.st_size as u64,
        attributes,
        id: Some(id(stat)),
        links: stat.st_nlink as u64,
        is_sticky,
    }
}

#[allow(clippy::unnecessary_cast, clippy::cast_possible_truncation, reason = "widths differ")]
fn bits(mode: u32) -> system::RawMode {
    mode as system::RawMode
}

fn kind(found: FileType) -> Kind {
    match found {
        FileType::Symlink => Kind::Link,
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Fifo => Kind::Other("fifo"),
        FileType::Socket => Kind::Other("socket"),
        _ => Kind::Other("device"),
    }
}

#[cfg(test)]
mod tests;
