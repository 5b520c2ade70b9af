//! The second half of a transaction: the stage files take their places, or everything is put back.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::prepare::{Action, Prepared, Step};
use super::{ApplyError, Left, Leftover};
use crate::plan::Precondition;

/// What a commit has done. Paths are as the plan has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Committed {
    /// Files that were made or replaced, in the order of the plan.
    pub written: Vec<Utf8PathBuf>,
    /// Files that were removed, in the order of the plan.
    pub removed: Vec<Utf8PathBuf>,
    /// Files that held already what they were to hold, and were not written.
    pub unchanged: Vec<Utf8PathBuf>,
    /// Folders that were made, the outermost first.
    pub folders: Vec<Utf8PathBuf>,
}

/// A step that was taken, and what undoes it. From here on the kept file is not the stage's: should the
/// process panic, what is dropped must not take the old content along.
#[derive(Debug)]
pub(super) enum Done {
    /// A file was replaced; the old one has the name `kept`.
    Replaced { target: Utf8PathBuf, kept: Utf8PathBuf },
    /// A file was made where nothing was.
    Created { target: Utf8PathBuf },
    /// A file was renamed to `kept`.
    Removed { target: Utf8PathBuf, kept: Utf8PathBuf },
}

impl Prepared<'_> {
    /// Carries the plan out: all of it, or none.
    ///
    /// # Errors
    /// Where somebody changed a file meanwhile, or the system refuses. The tree is then as it was,
    /// except for [`ApplyError::RollBack`]; and [`ApplyError::CleanUp`] says that all was applied.
    pub fn commit(mut self) -> Result<Committed, ApplyError> {
        let mut done = Vec::new();
        match self.check_again().and_then(|()| self.publish(&mut done)) {
            Ok(()) => self.settle(done),
            Err(cause) => Err(self.take_back(done, cause)),
        }
    }

    fn check_again(&self) -> Result<(), ApplyError> {
        let check = |step: &Step| {
            let gone = matches!(step.action, Action::Remove { .. });
            self.roots.check(&step.path, &step.before, gone)
        };
        self.steps.iter().try_for_each(check)
    }

    /// Takes all steps, the deletions last: whatever happens in between, a moved file is there twice
    /// rather than not at all.
    fn publish(&mut self, done: &mut Vec<Done>) -> Result<(), ApplyError> {
        let steps = std::mem::take(&mut self.steps);
        let result = self.publish_all(&steps, done);
        self.steps = steps;
        result
    }

    fn publish_all(&mut self, steps: &[Step], done: &mut Vec<Done>) -> Result<(), ApplyError> {
        let writes = steps.iter().filter(|step| matches!(step.action, Action::Write { .. }));
        let removals = steps.iter().filter(|step| matches!(step.action, Action::Remove { .. }));
        let mut all = writes.chain(removals).peekable();
        while let Some(step) = all.next() {
            // The last step needs no undoing: nothing comes after it that could fail. So a patch of
            // one file costs one rename.
            let last = all.peek().is_none();
            self.take(step, last, done)?;
        }
        Ok(())
    }

    fn take(&mut self, step: &Step, last: bool, done: &mut Vec<Done>) -> Result<(), ApplyError> {
        let path = &step.path;
        match (&step.action, &step.before) {
            (Action::Keep, _) => Ok(()),
            (Action::Write { target, staged }, Precondition::MustNotExist) => {
                self.create(staged, target, done).map_err(|error| exists(error, path))
            }
            (Action::Write { target, staged }, Precondition::MustBe(_)) => {
                self.replace(staged, target, last, done).map_err(ApplyError::io("replace", path))
            }
            (Action::Remove { target }, _) => {
                self.remove(target, last, done).map_err(ApplyError::io("delete", path))
            }
        }
    }

    /// A rename would replace what somebody put there a moment ago; a second name for the stage file
    /// cannot. The first name goes with the rest of the stage.
    fn create(&mut self, staged: &Utf8Path, target: &Utf8Path, done: &mut Vec<Done>) -> io::Result<()> {
        let fs = &self.roots.fs;
        match fs.link(staged, target) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
            Err(_) => {
                // No hard links here, it seems; if it is something else, this fails as well. An empty
                // file of our own takes the place, and only that one is replaced.
                fs.create(target, None)?;
                done.push(Done::Created { target: target.to_owned() });
                fs.rename(staged, target)?;
                self.stage.let_go(staged);
            }
            Ok(()) => done.push(Done::Created { target: target.to_owned() }),
        }
        Ok(())
    }

    fn replace(
        &mut self,
        staged: &Utf8Path,
        target: &Utf8Path,
        last: bool,
        done: &mut Vec<Done>,
    ) -> io::Result<()> {
        if last {
            self.roots.fs.rename(staged, target)?;
        } else if let Ok(kept) = self.stage.link(target) {
            self.roots.fs.rename(staged, target)?;
            self.stage.let_go(&kept);
            done.push(Done::Replaced { target: target.to_owned(), kept });
        } else {
            self.replace_without_links(staged, target, done)?;
        }
        self.stage.let_go(staged);
        Ok(())
    }

    /// Where the old file can have no second name (the file system has no hard links, or the file is
    /// somebody else's) it is renamed, and for an instant nothing is at the target.
    fn replace_without_links(
        &mut self,
        staged: &Utf8Path,
        target: &Utf8Path,
        done: &mut Vec<Done>,
    ) -> io::Result<()> {
        let kept = self.set_aside(target, done)?;
        self.roots.fs.rename(staged, target)?;
        done.pop();
        done.push(Done::Replaced { target: target.to_owned(), kept });
        Ok(())
    }

    fn remove(&mut self, target: &Utf8Path, last: bool, done: &mut Vec<Done>) -> io::Result<()> {
        if last { self.roots.fs.remove_file(target) } else { self.set_aside(target, done).map(drop) }
    }

    /// Renames a file to a stage name, over an empty file of our own: never over somebody else's.
    fn set_aside(&mut self, target: &Utf8Path, done: &mut Vec<Done>) -> io::Result<Utf8PathBuf> {
        let kept = self.stage.claim(target)?;
        self.roots.fs.rename(target, &kept)?;
        self.stage.let_go(&kept);
        done.push(Done::Removed { target: target.to_owned(), kept: kept.clone() });
        Ok(kept)
    }

    /// All is in place: removes what was kept for undoing.
    fn settle(mut self, done: Vec<Done>) -> Result<Committed, ApplyError> {
        for step in done {
            if let Done::Replaced { kept, .. } | Done::Removed { kept, .. } = step {
                self.stage.take_in(kept);
            }
        }
        let mut committed = Committed::default();
        for step in std::mem::take(&mut self.steps) {
            match step.action {
                Action::Keep => committed.unchanged.push(step.path),
                Action::Write { .. } => committed.written.push(step.path),
                Action::Remove { .. } => committed.removed.push(step.path),
            }
        }
        let folders = self.stage.let_go_folders();
        committed.folders = folders.iter().map(|folder| self.roots.name(folder)).collect();
        let left = self.stage.clear();
        if left.is_empty() {
            Ok(committed)
        } else {
            Err(ApplyError::CleanUp { committed: Box::new(committed), left })
        }
    }

    /// Undoes what was done, the last step first, and removes what was made.
    pub(super) fn take_back(mut self, done: Vec<Done>, cause: ApplyError) -> ApplyError {
        let mut left: Vec<Leftover> = done.into_iter().rev().filter_map(|step| self.undo(step)).collect();
        left.extend(self.stage.clear());
        if left.is_empty() { cause } else { ApplyError::RollBack { cause: Box::new(cause), left } }
    }

    fn undo(&mut self, step: Done) -> Option<Leftover> {
        let (target, kept, result) = match step {
            Done::Created { target } => return self.uncreate(target),
            Done::Replaced { target, kept } => {
                let result = self.roots.fs.rename(&kept, &target);
                (target, kept, result)
            }
            Done::Removed { target, kept } => {
                let result = self.return_to(&kept, &target);
                (target, kept, result)
            }
        };
        match result {
            Ok(()) => {
                // A second name may be left of it.
                self.stage.take_in(kept);
                None
            }
            Err(source) => Some(Leftover { path: target, what: Left::KeptAt(kept), source }),
        }
    }

    fn uncreate(&self, target: Utf8PathBuf) -> Option<Leftover> {
        match self.roots.fs.remove_file(&target) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Some(Leftover { path: target, what: Left::NewFile, source })
            }
            _ => None,
        }
    }

    /// A deleted file comes back as a new one goes in: not over what appeared meanwhile.
    fn return_to(&self, kept: &Utf8Path, target: &Utf8Path) -> io::Result<()> {
        let fs = &self.roots.fs;
        match fs.link(kept, target) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists && fs.look(target)?.is_none() => {
                fs.rename(kept, target)
            }
            result => result,
        }
    }
}

fn exists(error: io::Error, path: &Utf8Path) -> ApplyError {
    if error.kind() == io::ErrorKind::AlreadyExists {
        ApplyError::Exists { path: path.to_owned() }
    } else {
        ApplyError::io("create", path)(error)
    }
}
