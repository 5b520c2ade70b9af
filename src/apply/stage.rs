//! Side files and new folders: made beside the targets, and written down before.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, BufWriter, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};

use super::journal::Journal;
use super::list::{List, State, create_private};
use super::{Left, Leftover, Roots};
use crate::fs::{Fs, Kind, Meta, NewMode};
use crate::plan::Content;

/// Contents of fewer bytes are put together in memory, and written in a single call.
const SHORT: usize = 1 << 16;

/// The files that a run has made and may have to remove. Dropping the value removes everything, until the stage is
/// [sealed](Stage::seal).
#[derive(Debug)]
pub(super) struct Stage<'a> {
    roots: &'a Roots,
    /// The list of the files, if there is a list.
    list: Option<List>,
    /// The counterparts of the list in further roots, removed after all other side files, because recovery needs the
    /// counterparts.
    counterparts: Vec<Utf8PathBuf>,
    /// The paths of all side files that are or may be made; as texts, because comparing paths splits both each time.
    files: Mutex<BTreeSet<String>>,
    /// The directories in the order of creation.
    pub(super) folders: Vec<Utf8PathBuf>,
    sealed: bool,
}

impl<'a> Stage<'a> {
    pub(super) fn new(roots: &'a Roots) -> Self {
        let (files, folders, counterparts) = (Mutex::default(), Vec::new(), Vec::new());
        Stage { roots, list: None, counterparts, files, folders, sealed: false }
    }

    /// Returns the files of an earlier run, from its list.
    pub(super) fn found(
        roots: &'a Roots,
        list: List,
        counterparts: Vec<Utf8PathBuf>,
        files: Vec<Utf8PathBuf>,
        folders: Vec<Utf8PathBuf>,
    ) -> Self {
        let files = Mutex::new(files.into_iter().map(Utf8PathBuf::into_string).collect());
        Stage { roots, list: Some(list), counterparts, files, folders, sealed: true }
    }

    fn files(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fs(&self) -> &'a dyn Fs {
        &*self.roots.fs
    }

    /// Writes the list of new entries under this name, and its counterpart into each of these further roots.
    pub(super) fn open(
        &mut self,
        list: List,
        journal: &Journal,
        further: &[&Utf8Path],
        sync: bool,
    ) -> io::Result<()> {
        let bytes = journal.to_bytes()?;
        // The list contains the contents of private files, if only as digests.
        let mut file = create_private(self.fs(), &self.roots.list_path(&list))?;
        self.list = Some(list);
        file.writer().write_all(&bytes)?;
        file.finish(sync)?;
        for counterpart in
            journal.counterpart().iter().flat_map(|name| further.iter().map(move |root| root.join(name)))
        {
            let file = create_private(self.fs(), &counterpart)?;
            self.counterparts.push(counterpart);
            file.finish(sync)?;
        }
        Ok(())
    }

    /// Makes folders, the outermost first.
    pub(super) fn make_folders(&mut self, folders: &[Utf8PathBuf]) -> io::Result<()> {
        folders.iter().try_for_each(|folder| self.make_folder(folder))
    }

    fn make_folder(&mut self, folder: &Utf8Path) -> io::Result<()> {
        match self.fs().create_folder(folder) {
            Ok(()) => {
                self.folders.push(folder.to_owned());
                Ok(())
            }
            // An earlier change or another program made the directory, so this run must not remove it.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && self.is_folder(folder) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn is_folder(&self, path: &Utf8Path) -> bool {
        matches!(self.fs().look(path), Ok(Some(meta)) if meta.kind == Kind::Folder)
    }

    /// Writes a content to a new file; with `sync`, waits until the content is on the disk.
    pub(super) fn write(
        &self,
        path: &Utf8Path,
        content: &Content,
        (mode, like): (NewMode, Option<&Utf8Path>),
        sync: bool,
    ) -> io::Result<()> {
        let mut file = self.fs().create(path, mode, like)?;
        self.files().insert(path.as_str().to_owned());
        if content.about_len() < SHORT {
            file.writer().write_all(&content.bytes())?;
        } else {
            // Long pieces bypass the buffer.
            let mut out = BufWriter::new(file.writer());
            content.write_to(&mut out)?;
            out.flush()?;
        }
        file.finish(sync)
    }

    /// Waits until all written contents are on the disk, with a single wait for each file system.
    pub(super) fn sync_contents(&self) -> Result<(), (Utf8PathBuf, io::Error)> {
        let mut systems = HashSet::new();
        let files = self.files();
        let parents = distinct(files.iter().filter_map(|file| Utf8Path::new(file).parent()));
        for parent in parents.into_iter().map(Utf8Path::new) {
            let told = |error| (parent.to_owned(), error);
            let meta = self.fs().look(parent).map_err(told)?;
            let device = meta.and_then(|meta| meta.id).map(|(device, _)| device);
            // If the system reports no device, each directory may be on a different device.
            if device.is_none_or(|device| systems.insert(device)) {
                self.fs().sync_contents(parent).map_err(told)?;
            }
        }
        Ok(())
    }

    /// Links a second name to a file for a rollback. If this fails (the file system has no hard links, or the file has
    /// another owner), the file is renamed in its step instead. Returns whether there is a second name.
    pub(super) fn keep(&self, target: &Utf8Path, kept: &Utf8Path) -> bool {
        self.files().insert(kept.as_str().to_owned());
        self.fs().link(target, kept).is_ok()
    }

    /// Waits until the names of all that was made are on the disk.
    pub(super) fn sync_names(&self) -> Result<(), (Utf8PathBuf, io::Error)> {
        let files = self.files();
        let files = files.iter().map(Utf8Path::new).chain(self.counterparts.iter().map(|path| &**path));
        self.sync(files.chain(self.folders.iter().map(|folder| &**folder)).filter_map(Utf8Path::parent))
    }

    /// Waits until the names in these folders are on the disk, if that is wanted; a folder may be given many times.
    pub(super) fn sync<'p>(
        &self,
        folders: impl IntoIterator<Item = &'p Utf8Path>,
    ) -> Result<(), (Utf8PathBuf, io::Error)> {
        if !self.roots.options.sync {
            return Ok(());
        }
        let folders = distinct(folders);
        folders.into_iter().map(Utf8Path::new).try_for_each(|folder| match self.fs().sync_folder(folder) {
            Ok(()) => Ok(()),
            Err(error) => Err((folder.to_owned(), error)),
        })
    }

    /// Marks the commit point: the patch counts as applied. All staged files stay, whatever happens to this process.
    pub(super) fn seal(&mut self) -> io::Result<()> {
        self.rename_list(State::Journal)
    }

    /// Marks the beginning of the rollback.
    pub(super) fn turn_back(&mut self) -> io::Result<()> {
        self.rename_list(State::Undo)
    }

    pub(super) fn is_sealed(&self) -> bool {
        self.sealed
    }

    fn rename_list(&mut self, state: State) -> io::Result<()> {
        let Some(old) = &self.list else { return Ok(()) };
        let new = old.in_state(state);
        let path = self.roots.list_path(&new);
        let renamed = self.fs().rename(&self.roots.list_path(old), &path);
        // After an error the rename may still have happened.
        if renamed.is_ok() || !matches!(self.fs().look(&path), Ok(None)) {
            self.list = Some(new);
            self.sealed = true;
        }
        renamed?;
        self.sync([self.roots.base()]).map_err(|(_, error)| error)
    }

    /// Keeps the directories, which are part of the tree now.
    pub(super) fn forget_folders(&mut self) -> Vec<Utf8PathBuf> {
        std::mem::take(&mut self.folders)
    }

    /// Keeps all staged files, also on drop, because the only step was taken.
    pub(super) fn disarm(&mut self) {
        self.sealed = true;
    }

    /// Keeps a side file, which has become a target.
    pub(super) fn forget(&mut self, file: &Utf8Path) {
        self.files().remove(file.as_str());
    }

    /// Removes everything that was not kept, the list last: if a file is left, the list stays, and the next run tries
    /// again. Side files that cannot be removed by any run do not keep the list. Returns the files that could not be
    /// removed.
    pub(super) fn clear(&mut self) -> Vec<Leftover> {
        self.sealed = true;
        let files = std::mem::take(&mut *self.files());
        let mut left = self.remove_files(files.iter().map(Utf8Path::new));
        let folders = self.forget_folders();
        left.extend(folders.into_iter().rev().filter_map(|folder| remove_folder(self.fs(), folder)));
        if left.iter().all(|left| self.is_denied(left)) {
            let counterparts = std::mem::take(&mut self.counterparts);
            left.extend(self.remove_files(counterparts.iter().map(|file| &**file)));
        }
        if left.iter().all(|left| self.is_denied(left)) {
            left.extend(self.remove_list());
        }
        left
    }

    /// Runs [`clear`](Stage::clear), and syncs the removal of the list after a commit with a journal: otherwise the
    /// list could reappear after a power cut, and undo or redo the finished run.
    pub(super) fn clear_and_sync(&mut self) -> Vec<Leftover> {
        let was_pending = self.list.as_ref().is_none_or(|list| list.state == State::Pending);
        let mut left = self.clear();
        if left.is_empty() && !was_pending {
            let unsynced = |(path, source)| Leftover { path, what: Left::Unsynced, source };
            left.extend(self.sync([self.roots.base()]).err().map(unsynced));
        }
        left
    }

    /// Returns whether only another user may remove a side file, which is the second name of a file of that user.
    fn is_denied(&self, left: &Leftover) -> bool {
        let owner = |meta: &Meta| meta.attributes.owner.map(|(owner, _)| owner);
        left.what == Left::StageFile
            && left.source.kind() == io::ErrorKind::PermissionDenied
            && matches!(self.fs().look(&left.path), Ok(Some(meta)) if owner(&meta) != self.fs().user())
    }

    /// Removes side files; returns those that are left.
    fn remove_files<'p>(&self, files: impl Iterator<Item = &'p Utf8Path>) -> Vec<Leftover> {
        let failed = self.fs().remove_side_files(&files.collect::<Vec<_>>()).into_iter();
        let left = |(path, source): (&Utf8Path, _)| Leftover {
            path: path.to_owned(),
            what: Left::StageFile,
            source,
        };
        failed.filter(|(_, error)| !is_gone(error)).map(left).collect()
    }

    fn remove_list(&mut self) -> Option<Leftover> {
        let list = self.roots.list_path(&self.list.take()?);
        match self.fs().remove_file(&list) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Some(Leftover { path: list, what: Left::Journal, source })
            }
            _ => None,
        }
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        if !self.sealed {
            // There is no caller for an error; and the list remains for the next run.
            let _ = self.clear();
        }
    }
}

/// Returns whether there is nothing to remove, also if a file or a link has replaced a directory.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn remove_folder(fs: &dyn Fs, path: Utf8PathBuf) -> Option<Leftover> {
    match fs.remove_folder(&path) {
        // Somebody has put a file there: then the folder is theirs.
        Err(source) if source.kind() == io::ErrorKind::DirectoryNotEmpty => None,
        Err(source) if !is_gone(&source) => Some(Leftover { path, what: Left::Folder, source }),
        _ => None,
    }
}

/// Returns the different paths, sorted.
fn distinct<'p>(paths: impl IntoIterator<Item = &'p Utf8Path>) -> Vec<&'p str> {
    let mut paths: Vec<&str> = paths.into_iter().map(Utf8Path::as_str).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}
