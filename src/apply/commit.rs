//! The second half of a transaction: the stage files replace their targets, or everything is rolled back.

use std::cell::Cell;
use std::{io, mem};

use camino::{Utf8Path, Utf8PathBuf};

use super::prepare::{Phase, Prepared};
use super::stage::Stage;
use super::step::Step;
use super::{ApplyError, Committed, Left, Leftover, Roots};
use crate::fs::Fs;
use crate::parallel;

impl Prepared<'_> {
    /// Applies the whole plan, or nothing.
    ///
    /// # Errors
    /// Returns an error if a file was changed meanwhile, or the system refuses. The tree is then unchanged, except for
    /// [`ApplyError::RollBack`]; [`ApplyError::CleanUp`] means that everything was applied.
    pub fn commit(mut self) -> Result<Committed, ApplyError> {
        parallel::within(self.roots.options.threads, || match self.carry_out() {
            Ok(()) => self.settle(),
            Err(cause) => Err(self.take_back(cause)),
        })
    }

    fn carry_out(&mut self) -> Result<(), ApplyError> {
        self.roots.check_all(mem::take(&mut self.conditions))?;
        match self.steps.as_slice() {
            [] => Ok(()),
            [only] => {
                only.take_alone(&*self.roots.fs).map_err(|error| ApplyError::in_step(only, error))?;
                // From here on nothing is taken back.
                self.stage.disarm();
                Ok(())
            }
            steps => {
                self.stage.seal().map_err(ApplyError::io("write a journal in", self.roots.base()))?;
                let done = Cell::new(0);
                let take = |step: &Step, fs: &dyn Fs| {
                    self.watch.tell(Phase::Publishing, done.replace(done.get() + 1), steps.len());
                    step.take(fs)
                };
                take_all(self.roots, steps, take)
            }
        }
    }

    fn settle(mut self) -> Result<Committed, ApplyError> {
        let folders = self.stage.forget_folders();
        let left = clean(&mut self.stage, &self.steps, &folders);
        let mut committed = Committed { unchanged: self.unchanged, ..Committed::default() };
        committed.folders = folders.iter().map(|folder| self.roots.name(folder)).collect();
        for step in self.steps {
            if step.staged.is_some() {
                committed.written.push(step.path);
            } else {
                committed.removed.push(step.path);
            }
        }
        if left.is_empty() {
            Ok(committed)
        } else {
            Err(ApplyError::CleanUp { committed: Box::new(committed), left })
        }
    }

    /// Undoes what was done, and removes what was made.
    pub(super) fn take_back(mut self, cause: ApplyError) -> ApplyError {
        let left = if self.stage.is_sealed() {
            match self.stage.turn_back() {
                Ok(()) => undo_all(&mut self.stage, self.roots, &self.steps),
                Err(source) => {
                    vec![Leftover { path: self.roots.base().to_owned(), what: Left::Journal, source }]
                }
            }
        } else {
            self.stage.clear()
        };
        if left.is_empty() { cause } else { ApplyError::RollBack { cause: Box::new(cause), left } }
    }
}

/// Takes all steps, the deletions last: whatever happens in between, a moved file is there twice
/// rather than not at all.
pub(super) fn take_all(
    roots: &Roots,
    steps: &[Step],
    take: impl Fn(&Step, &dyn Fs) -> io::Result<()>,
) -> Result<(), ApplyError> {
    let (writes, removals): (Vec<_>, Vec<_>) = steps.iter().partition(|step| step.staged.is_some());
    let mut all = writes.into_iter().chain(removals);
    all.try_for_each(|step| take(step, &*roots.fs).map_err(|error| ApplyError::in_step(step, error)))
}

/// Syncs the new names, and removes everything that was kept for a rollback. The list is removed last: as long as the
/// list exists, the next run repeats this step.
pub(super) fn clean(stage: &mut Stage<'_>, steps: &[Step], folders: &[Utf8PathBuf]) -> Vec<Leftover> {
    // An old file that was set aside must not be removed before the new file is synced.
    if let Some(left) = unsynced(stage.sync(parents(steps, folders))) {
        return vec![left];
    }
    for step in steps.iter().filter(|step| step.existed) {
        stage.forget(step.staged.as_deref().unwrap_or(&step.target));
    }
    stage.clear_and_sync()
}

/// Rolls back all steps in reverse order, and removes the staged files.
pub(super) fn undo_all(stage: &mut Stage<'_>, roots: &Roots, steps: &[Step]) -> Vec<Leftover> {
    let undo = |step: &Step| {
        let result = step.undo(&*roots.fs);
        let not_back =
            |source| Leftover { path: step.target.clone(), what: Left::NotBack(step.kept.clone()), source };
        result.err().map(not_back)
    };
    let mut left: Vec<_> = steps.iter().rev().filter_map(undo).collect();
    if left.is_empty() {
        left.extend(unsynced(stage.sync(parents(steps, &[]))));
    }
    // If a file is not restored, its kept copy stays, and so does the list.
    if left.is_empty() { stage.clear_and_sync() } else { left }
}

/// Returns the directories whose names have changed.
fn parents<'s>(steps: &'s [Step], folders: &'s [Utf8PathBuf]) -> impl Iterator<Item = &'s Utf8Path> {
    let targets = steps.iter().filter_map(|step| step.target.parent());
    targets.chain(folders.iter().filter_map(|folder| folder.parent()))
}

fn unsynced(result: Result<(), (Utf8PathBuf, io::Error)>) -> Option<Leftover> {
    result.err().map(|(path, source)| Leftover { path, what: Left::Unsynced, source })
}
