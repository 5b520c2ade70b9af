//! Writes the file of `--undo`.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::sync::OnceLock;

use camino::{Utf8Path, Utf8PathBuf};

use super::stop::message;
use crate::apply::Roots;
use crate::plan::Plan;
use crate::plan::path::protection;
use crate::run::{Status, Stopped};
use crate::text::shown;

/// An undo that is to be written.
#[derive(Debug)]
pub(super) struct Undo<'a> {
    file: &'a Utf8Path,
    /// The base root.
    base: Utf8PathBuf,
    sync: bool,
    /// Set once the file is written.
    written: OnceLock<()>,
}

impl<'a> Undo<'a> {
    pub(super) fn new(file: &'a Utf8Path, roots: &Roots, sync: bool) -> Self {
        Undo { file, base: roots.base().to_owned(), sync, written: OnceLock::new() }
    }

    pub(super) fn words(&self, text: &str, would: bool) -> String {
        let file = shown(self.file.as_str());
        match (text.is_empty(), would) {
            (true, _) => "undo: there is nothing to take back\n".to_owned(),
            (false, true) => format!("undo: would be written to `{file}`\n"),
            (false, false) => format!("undo: written to `{file}`\n"),
        }
    }

    /// Writes and syncs the file completely or not at all, and never over or through an existing entry. If there is
    /// nothing to undo, no file is written.
    pub(super) fn write(&self, text: &str) -> Result<(), Stopped> {
        if text.is_empty() {
            return Ok(());
        }
        self.put(text).map_err(|error| {
            let words = format!("cannot write the undo `{}`: {error}", shown(self.file.as_str()));
            message(Status::System, true, &words)
        })?;
        let _ = self.written.set(());
        Ok(())
    }

    /// Removes the file, if written, because nothing was changed.
    pub(super) fn withdraw(&self) {
        if self.written.get().is_some() {
            let _ = fs::remove_file(self.file);
        }
    }

    fn put(&self, text: &str) -> io::Result<()> {
        let folder = folder(self.file);
        // Returns an unpredictable name.
        let number = RandomState::new().build_hasher().finish();
        let beside = folder.join(format!(".apply-patch-{number:016x}"));
        let written = self.write_to(&beside, text).and_then(|()| name_new(&beside, self.file));
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written?;
        if self.sync && cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    }

    fn write_to(&self, path: &Utf8Path, text: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            // The undo contains the contents of private files.
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let mut file = options.open(path)?;
        file.write_all(text.as_bytes())?;
        if self.sync { file.sync_all() } else { Ok(()) }
    }

    /// Checks the path of the undo: nothing may exist there, and the plan must not create anything there.
    pub(super) fn check(&self, plan: &Plan) -> Result<(), Stopped> {
        let file = self.file;
        let wrong = |what: &str| {
            let words = format!("--undo `{}`: {what}", shown(file.as_str()));
            Err(message(Status::NotAPatch, true, &words))
        };
        if file == "-" {
            return wrong("it has to be on the disk before anything is changed, so it goes to a file");
        }
        if file.components().any(|part| protection(part.as_str()).is_some()) {
            return wrong("no patch may touch it");
        }
        if fs::symlink_metadata(file).is_ok() {
            return wrong("it is there already, and an undo is written over nothing");
        }
        let Ok(folder) = folder(file).canonicalize_utf8() else { return wrong("there is no such folder") };
        let Some(name) = file.file_name() else { return wrong("it is no name of a file") };
        let whole: Utf8PathBuf = folder.join(name);
        let is_in_the_way = |path: &Utf8Path| whole.starts_with(path) || path.starts_with(&whole);
        if plan.changes.iter().any(|change| is_in_the_way(&self.base.join(&change.path))) {
            return wrong("the patch itself makes or changes it");
        }
        Ok(())
    }
}

/// Gives a file another name where nothing is.
fn name_new(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A file system without second names.
        Err(_) if fs::symlink_metadata(to).is_err() => fs::rename(from, to),
        Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
    }
}

fn folder(file: &Utf8Path) -> &Utf8Path {
    file.parent().filter(|parent| !parent.as_str().is_empty()).unwrap_or(Utf8Path::new("."))
}
