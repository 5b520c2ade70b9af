//! The first half of a transaction: everything is checked and written, and no target is touched.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::check::Condition;
use super::journal::Journal;
use super::list::List;
use super::outline::{Outline, Written, has_journal};
use super::stage::Stage;
use super::step::Step;
use super::{ApplyError, Roots};
use crate::fs::Lock;
use crate::parallel;
use crate::plan::{After, Change};

/// After this time the caller learns that the run waits for the lock. A patch to a few files holds the lock for
/// milliseconds.
const LONG_WAIT: Duration = Duration::from_secs(1);

/// A plan that is ready to be applied: all new content is on the disk, beside its target.
///
/// Holds the lock of the roots: no other run works there until commit or drop. Dropping the value removes every stage
/// file, and every directory that was made.
#[derive(Debug)]
#[must_use = "a Prepared that is dropped takes everything back; `commit` carries it out"]
pub struct Prepared<'a> {
    pub(super) roots: &'a Roots,
    /// What has to be true until the first step is taken.
    pub(super) conditions: Vec<Condition>,
    /// What the commit does, in the order of the plan.
    pub(super) steps: Vec<Step>,
    /// Paths that already have the new content.
    pub(super) unchanged: Vec<Utf8PathBuf>,
    pub(super) stage: Stage<'a>,
    pub(super) watch: Watch<'a>,
    /// Goes last, after the stage is cleared.
    _lock: Lock,
}

/// How far a plan is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is done just now.
    pub phase: Phase,
    /// How many files are done.
    pub done: usize,
    /// Of how many.
    pub of: usize,
}

/// What takes time when a plan is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Writing new contents beside their targets.
    Writing,
    /// Replacing the targets.
    Publishing,
}

/// The receiver of progress.
pub(super) struct Watch<'a>(&'a (dyn Fn(Progress) + Sync));

impl Watch<'_> {
    pub(super) fn tell(&self, phase: Phase, done: usize, of: usize) {
        (self.0)(Progress { phase, done, of });
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

impl Roots {
    /// Takes the lock, finishes an interrupted run, checks every precondition, then writes every new content beside its
    /// target.
    ///
    /// Waits while another run holds the lock, so a second [`Prepared`] in the same thread waits forever: commit or
    /// drop the first before.
    ///
    /// # Errors
    /// Returns an error if the disk differs from the plan, or the system refuses. Nothing is left behind.
    pub fn prepare(&self, changes: &[Change]) -> Result<Prepared<'_>, ApplyError> {
        self.prepare_with(changes, &|_| {})
    }

    /// Prepares as [`prepare`](Roots::prepare) does; calls `on_step` before each file with the progress of preparation
    /// and commit. A commit of a single file reports no progress.
    ///
    /// # Errors
    /// Those of [`prepare`](Roots::prepare).
    #[cfg(feature = "internals")]
    pub fn prepare_watched<'a>(
        &'a self,
        changes: &[Change],
        on_step: &'a (dyn Fn(Progress) + Sync),
    ) -> Result<Prepared<'a>, ApplyError> {
        self.prepare_with(changes, on_step)
    }

    /// Does the work of [`prepare`](Roots::prepare).
    pub(crate) fn prepare_with<'a>(
        &'a self,
        changes: &[Change],
        on_step: &'a (dyn Fn(Progress) + Sync),
    ) -> Result<Prepared<'a>, ApplyError> {
        parallel::within(self.options.threads, || self.prepare_all(changes, on_step))
    }

    fn prepare_all<'a>(
        &'a self,
        changes: &[Change],
        on_step: &'a (dyn Fn(Progress) + Sync),
    ) -> Result<Prepared<'a>, ApplyError> {
        refuse_twice(changes)?;
        let lock = self.lock()?;
        let (_, lists) = self.recover_locked()?;
        let condition = |change: &Change| Condition {
            path: change.path.clone(),
            before: change.before.clone(),
            gone: matches!(change.after, After::Gone),
        };
        let conditions: Vec<_> = changes.iter().map(condition).collect();
        // Nothing is made before all changes are known to fit, as far as metadata shows.
        let mut outline = Outline::of(self, changes)?;
        let further = outline.further(self);
        let journal = outline.journal(self, &further);
        let Outline { steps, writes, unchanged, folders, .. } = outline;
        let stage = Stage::new(self);
        let watch = Watch(on_step);
        let mut prepared = Prepared { roots: self, conditions, steps, unchanged, stage, watch, _lock: lock };
        if prepared.steps.is_empty() {
            return Ok(prepared);
        }
        match prepared
            .open(lists.next(), &journal, &further)
            .and_then(|()| prepared.stage_all(&writes, &folders))
        {
            Ok(()) => Ok(prepared),
            Err(cause) => Err(prepared.take_back(cause)),
        }
    }

    pub(super) fn lock(&self) -> Result<Lock, ApplyError> {
        let locked = match self.on_wait {
            Some(on_wait) if self.options.wait => self.lock_watched(on_wait),
            _ => self.fs.lock(self.options.wait),
        };
        locked.map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => ApplyError::Busy { root: self.base().to_owned() },
            _ => ApplyError::io("lock", self.base())(error),
        })
    }

    /// Waits for the lock, and calls `on_wait` if that takes long.
    fn lock_watched(&self, on_wait: fn(&Utf8Path)) -> io::Result<Lock> {
        match self.fs.lock(false) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            locked => return locked,
        }
        let base = self.base();
        let (waiting, ended) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let watch = move || {
                if ended.recv_timeout(LONG_WAIT) == Err(RecvTimeoutError::Timeout) {
                    on_wait(base);
                }
            };
            // If the system refuses the thread, this run waits without a word.
            let _ = thread::Builder::new().spawn_scoped(scope, watch);
            let locked = self.fs.lock(true);
            drop(waiting);
            locked
        })
    }
}

impl Prepared<'_> {
    pub(super) fn has_journal(&self) -> bool {
        has_journal(&self.steps)
    }

    fn stage_all(
        &mut self,
        writes: &[Option<Written<'_>>],
        folders: &[Utf8PathBuf],
    ) -> Result<(), ApplyError> {
        self.stage.make_folders(folders).map_err(ApplyError::io("make folders in", self.roots.base()))?;
        let together = self.syncs_together();
        let sync = self.roots.options.sync && !together;
        let keeps = |step: &Step| self.has_journal() && step.existed;
        let begun = AtomicUsize::new(0);
        let make = |(step, written): &(&Step, &Option<Written<'_>>)| {
            self.watch.tell(Phase::Writing, begun.fetch_add(1, Ordering::Relaxed), writes.len());
            if let (Some(staged), Some(Written { content, mode, like })) = (&step.staged, written) {
                let like = like.as_deref().or_else(|| step.existed.then_some(step.target.as_path()));
                let written = self.stage.write(staged, content, (*mode, like), sync);
                written.map_err(ApplyError::io("write", &step.path))?;
            }
            Ok(keeps(step) && self.stage.keep(&step.target, &step.kept))
        };
        let all: Vec<_> = self.steps.iter().zip(writes).collect();
        let len =
            |written: &Option<Written<'_>>| written.as_ref().map_or(0, |written| written.content.about_len());
        let bytes = writes.iter().map(|written| parallel::A_FILE + len(written)).sum();
        let kept = parallel::try_map(&all, bytes, make)?;
        self.steps.iter_mut().zip(kept).for_each(|(step, kept)| step.is_kept = kept);
        let unsynced = |(path, error): (Utf8PathBuf, _)| ApplyError::io("sync", &path)(error);
        if together {
            self.stage.sync_contents().map_err(unsynced)?;
        }
        if self.has_journal() {
            self.stage.sync_names().map_err(unsynced)?;
        }
        Ok(())
    }

    /// Returns whether there are so many files that a single wait for the whole file system costs less than a wait for
    /// each file, and the system supports this.
    fn syncs_together(&self) -> bool {
        let many = self.roots.options.sync && self.steps.len() >= self.roots.together;
        many && self.roots.fs.syncs_contents()
    }

    /// Writes the list. A run of a single step needs no list if the base root is read-only, because a kill could leave
    /// only a stage file.
    fn open(&mut self, list: List, journal: &Journal, further: &[&Utf8Path]) -> Result<(), ApplyError> {
        let has_journal = self.has_journal();
        let shut = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
        };
        match self.stage.open(list, journal, further, has_journal && self.roots.options.sync) {
            Err(error) if !has_journal && shut(&error) => Ok(()),
            result => result.map_err(ApplyError::io("write a journal in", self.roots.base())),
        }
    }
}

fn refuse_twice(changes: &[Change]) -> Result<(), ApplyError> {
    // Paths, not texts: a caller may spell the same path in two ways.
    let mut seen = HashSet::with_capacity(changes.len());
    match changes.iter().find(|change| !seen.insert(change.path.as_path())) {
        Some(change) => Err(ApplyError::Twice { path: change.path.clone() }),
        None => Ok(()),
    }
}
