//! A step of a commit, and its rollback.
//!
//! Recovery can repeat both any number of times, from wherever the last attempt stopped, because the disk shows the
//! progress: a missing stage file has become its target; an existing kept file has the old content.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::checksum::Checksum;
use super::journal::{beside, fresh_name};
use crate::fs::{Fs, Kind};

/// What the commit has to do for a change.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// The path in the plan.
    pub(super) path: Utf8PathBuf,
    /// The absolute path; of a link that is removed the link's own.
    pub(super) target: Utf8PathBuf,
    /// Whether something is there before.
    pub(super) existed: bool,
    /// The file that takes the target's place. `None`: the target is removed.
    pub(super) staged: Option<Utf8PathBuf>,
    /// The name under which the old file is kept until all is done.
    pub(super) kept: Utf8PathBuf,
    /// Whether the old file is known to have that name.
    pub(super) is_kept: bool,
}

impl Step {
    pub(super) fn write(path: &Utf8Path, target: Utf8PathBuf, existed: bool) -> Self {
        let staged = Some(beside(&target, &fresh_name()));
        Step { staged, ..Step::removal(path, target, existed) }
    }

    pub(super) fn removal(path: &Utf8Path, target: Utf8PathBuf, existed: bool) -> Self {
        let kept = beside(&target, &fresh_name());
        Step { path: path.to_owned(), target, existed, staged: None, kept, is_kept: false }
    }

    /// Returns the attempted operation, as a verb.
    pub(super) fn verb(&self) -> &'static str {
        match (&self.staged, self.existed) {
            (None, _) => "delete",
            (Some(_), true) => "replace",
            (Some(_), false) => "create",
        }
    }

    /// Takes the only step of a commit: a single call, without a kept file.
    pub(super) fn take_alone(&self, fs: &dyn Fs) -> io::Result<()> {
        match (&self.staged, self.existed) {
            (None, _) => fs.remove_file(&self.target),
            (Some(staged), true) => fs.rename(staged, &self.target),
            (Some(staged), false) => put_new(fs, staged, &self.target),
        }
    }

    /// Takes the step for the first time: the old file is kept, so that the step can be taken back.
    pub(super) fn take(&self, fs: &dyn Fs) -> io::Result<()> {
        self.go(fs, true)
    }

    /// Takes the step of an interrupted run, which may already have been taken.
    pub(super) fn take_again(&self, fs: &dyn Fs) -> io::Result<()> {
        match &self.staged {
            Some(staged) if fs.look(staged)?.is_none() => Ok(()),
            _ => self.go(fs, false),
        }
    }

    fn go(&self, fs: &dyn Fs, keep: bool) -> io::Result<()> {
        let goes = || -> io::Result<bool> { Ok(keep && !self.is_kept && fs.look(&self.kept)?.is_none()) };
        match &self.staged {
            Some(staged) if !self.existed => put_new(fs, staged, &self.target),
            Some(staged) => {
                if goes()? {
                    // A second name was impossible; for an instant nothing is at the target.
                    put_new(fs, &self.target, &self.kept)?;
                }
                fs.rename(staged, &self.target)
            }
            None if fs.look(&self.target)?.is_none() => Ok(()),
            None if goes()? => {
                put_new(fs, &self.target, &self.kept)?;
                // The file may have a second name instead of a new name.
                if is_same(fs, &self.target, &self.kept)? { fs.remove_file(&self.target) } else { Ok(()) }
            }
            None => fs.remove_file(&self.target),
        }
    }

    /// Takes the step back.
    pub(super) fn undo(&self, fs: &dyn Fs) -> io::Result<()> {
        if !self.existed {
            return self.uncreate(fs);
        }
        if fs.look(&self.kept)?.is_none() || is_same(fs, &self.kept, &self.target)? {
            // The step was not taken.
            Ok(())
        } else if self.staged.is_some() {
            fs.rename(&self.kept, &self.target)
        } else {
            // A deleted file is restored like a new file: never over an existing entry.
            put_new(fs, &self.kept, &self.target)
        }
    }

    fn uncreate(&self, fs: &dyn Fs) -> io::Result<()> {
        let Some(staged) = &self.staged else { return Ok(()) };
        if fs.look(staged)?.is_some() && !is_same(fs, staged, &self.target)? {
            // The stage file never became the target, so the existing entry belongs to another program.
            return Ok(());
        }
        match fs.remove_file(&self.target) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }
}

/// Returns whether two names are names of the same file. Without file numbers, files with equal contents count as the
/// same.
pub(super) fn is_same(fs: &dyn Fs, one: &Utf8Path, other: &Utf8Path) -> io::Result<bool> {
    let (Some(first), Some(second)) = (fs.look(one)?, fs.look(other)?) else { return Ok(false) };
    match (first.id, second.id) {
        (None, None) if first.kind == Kind::File && second.kind == Kind::File => Ok(first.len == second.len
            && Checksum::of_file(fs.open(one)?)? == Checksum::of_file(fs.open(other)?)?),
        (first, second) => Ok(first.is_some() && first == second),
    }
}

/// Renames a file to a free name. If the system cannot do this in a single call, the file gets a second name, which
/// also preserves an existing entry, and the first name is removed with the stage, but only when the second name is
/// synced. Without hard links, the free name is checked before. The last attempt may have left both names.
pub(super) fn put_new(fs: &dyn Fs, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    match fs.rename_new(from, to) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
        Err(error) => return spare(fs, from, to, error),
        Ok(()) => return Ok(()),
    }
    match fs.link(from, to) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => spare(fs, from, to, error),
        Err(_) if fs.look(to)?.is_some() => spare(fs, from, to, io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs.rename(from, to),
    }
}

/// Returns the error, unless something is in the way that is the file itself, under both names.
fn spare(fs: &dyn Fs, from: &Utf8Path, to: &Utf8Path, error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::AlreadyExists && is_same(fs, from, to)? { Ok(()) } else { Err(error) }
}
