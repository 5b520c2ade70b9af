//! Side files and new folders: made beside the targets, removed unless they are let go.

use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Left, Leftover};
use crate::fs::{Attributes, Fs, Kind, NewFile};
use crate::plan::Content;
use crate::plan::path::STAGE_PREFIX;

/// How often another name is tried where one is taken. Names are random: a second try is rare, and a
/// third one means that something is wrong.
const TRIES: usize = 8;

/// What a run has made and may have to take away again. Dropping it takes everything away.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    fs: &'a dyn Fs,
    files: BTreeSet<Utf8PathBuf>,
    /// In the order in which they were made.
    folders: Vec<Utf8PathBuf>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(fs: &'a dyn Fs) -> Self {
        Stage { fs, files: BTreeSet::new(), folders: Vec::new() }
    }

    /// Makes folders, the outermost first.
    pub(super) fn make_folders(&mut self, folders: &[Utf8PathBuf]) -> io::Result<()> {
        folders.iter().try_for_each(|folder| self.make_folder(folder))
    }

    fn make_folder(&mut self, folder: &Utf8Path) -> io::Result<()> {
        match self.fs.create_folder(folder) {
            Ok(()) => {
                self.folders.push(folder.to_owned());
                Ok(())
            }
            // Somebody else made it a moment ago: then it is not ours to remove.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && self.is_folder(folder) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn is_folder(&self, path: &Utf8Path) -> bool {
        matches!(self.fs.look(path), Ok(Some(meta)) if meta.kind == Kind::Folder)
    }

    /// Writes a content to a new file beside `target`.
    pub(super) fn write(
        &mut self,
        target: &Utf8Path,
        content: &Content,
        like: Option<Attributes>,
    ) -> io::Result<Utf8PathBuf> {
        let (path, mut file) = self.create(target, like)?;
        content.write_to(&mut file)?;
        file.finish()?;
        Ok(path)
    }

    /// Takes a fresh name beside `target`, for a file that is about to be renamed there.
    pub(super) fn claim(&mut self, target: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.create(target, None).map(|(path, _)| path)
    }

    /// Gives the file at `target` a second, fresh name beside it.
    pub(super) fn link(&mut self, target: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let fs = self.fs;
        self.with_fresh_name(target, |name| fs.link(target, name)).map(|(path, ())| path)
    }

    fn create(
        &mut self,
        target: &Utf8Path,
        like: Option<Attributes>,
    ) -> io::Result<(Utf8PathBuf, Box<dyn NewFile>)> {
        let fs = self.fs;
        self.with_fresh_name(target, |name| fs.create(name, like))
    }

    fn with_fresh_name<T>(
        &mut self,
        target: &Utf8Path,
        try_name: impl Fn(&Utf8Path) -> io::Result<T>,
    ) -> io::Result<(Utf8PathBuf, T)> {
        for _ in 0..TRIES {
            let name = fresh_name(target);
            match try_name(&name) {
                Ok(made) => {
                    self.files.insert(name.clone());
                    return Ok((name, made));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("found no free name for a temporary file"))
    }

    /// Lets a side file go: it has become a target, or is to stay.
    pub(super) fn let_go(&mut self, file: &Utf8Path) {
        self.files.remove(file);
    }

    /// Takes a side file in, to be removed with the others.
    pub(super) fn take_in(&mut self, file: Utf8PathBuf) {
        self.files.insert(file);
    }

    /// Lets the folders go: they are part of the tree now.
    pub(super) fn let_go_folders(&mut self) -> Vec<Utf8PathBuf> {
        std::mem::take(&mut self.folders)
    }

    /// Removes everything that was not let go, and tells what could not be removed.
    pub(super) fn clear(&mut self) -> Vec<Leftover> {
        let files = std::mem::take(&mut self.files).into_iter();
        let mut left: Vec<Leftover> = files.filter_map(|file| remove_file(self.fs, file)).collect();
        let folders = self.let_go_folders().into_iter().rev();
        left.extend(folders.filter_map(|folder| remove_folder(self.fs, folder)));
        left
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        // There is nobody to tell.
        let _ = self.clear();
    }
}

fn remove_file(fs: &dyn Fs, path: Utf8PathBuf) -> Option<Leftover> {
    match fs.remove_file(&path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Some(Leftover { path, what: Left::StageFile, source })
        }
        _ => None,
    }
}

fn remove_folder(fs: &dyn Fs, path: Utf8PathBuf) -> Option<Leftover> {
    match fs.remove_folder(&path) {
        // Somebody has put a file there: then the folder is theirs.
        Err(source) if source.kind() == io::ErrorKind::DirectoryNotEmpty => None,
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Some(Leftover { path, what: Left::Folder, source })
        }
        _ => None,
    }
}

/// A name beside `target` that nobody can foresee. Short, so that it fits where the target's name does.
fn fresh_name(target: &Utf8Path) -> Utf8PathBuf {
    // Every `RandomState` has keys of its own, which is randomness enough for a name.
    let random = RandomState::new().build_hasher().finish();
    target.with_file_name(format!("{STAGE_PREFIX}{random:016x}"))
}
