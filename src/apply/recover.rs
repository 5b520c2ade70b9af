//! Finishes or rolls back an interrupted run.
//!
//! The list of an interrupted run describes the remaining work ([`journal`](super::journal)). Only lists of this user
//! count ([`list`](super::list)). Time has passed since, so the list is not trusted: every path is checked like a path
//! of a plan, every side file must have a generated name and be beside its target, and every file that will be replaced
//! or removed must have the content that the interrupted run left. A list applies to a further root only if that root
//! contains the counterpart. Everything is checked before the first change: at a file that was changed meanwhile,
//! recovery stops without a change.

use std::io::{self, Read};

use camino::{Utf8Path, Utf8PathBuf};

use super::checksum::Checksum;
use super::commit::{clean, take_all, undo_all};
use super::journal::{Entry, Journal, LONGEST, Staged, Was, beside};
use super::list::{List, Lists, State};
use super::root::Destination;
use super::stage::Stage;
use super::step::{Step, is_same};
use super::{ApplyError, Obstacle, Roots};
use crate::fs::Kind;

/// What [`Roots::recover`] has done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recovery {
    /// No earlier run had left anything.
    #[default]
    Nothing,
    /// No earlier run of this user left anything. There are foreign lists, from the tree or from another user, which
    /// were ignored.
    LeftAlone {
        /// The names of the lists in the base root.
        lists: Vec<Utf8PathBuf>,
    },
    /// A run was interrupted before any change of a file: its side files were removed.
    Cleared,
    /// A run was interrupted during its commit: the patch is now applied.
    Finished {
        /// The paths of the patch, as in its plan.
        paths: Vec<Utf8PathBuf>,
    },
    /// A run was interrupted during its rollback: the old files are now restored.
    PutBack {
        /// The paths of the patch, as in its plan.
        paths: Vec<Utf8PathBuf>,
    },
}

impl Recovery {
    /// Returns the result if no run of this user left anything.
    fn of_none(lists: &Lists) -> Self {
        match lists.foreign_names() {
            lists if lists.is_empty() => Recovery::Nothing,
            lists => Recovery::LeftAlone { lists },
        }
    }
}

/// The roots that a list applies to: the base root, and the further roots with a counterpart.
pub(super) struct WithSay<'r> {
    roots: &'r Roots,
    pub(super) counterparts: Vec<Utf8PathBuf>,
}

impl WithSay<'_> {
    pub(super) fn is_over(&self, path: &Utf8Path) -> bool {
        let root = self.roots.further_root(path);
        root.is_none_or(|root| self.counterparts.iter().any(|counterpart| counterpart.parent() == Some(root)))
    }
}

impl Roots {
    /// Finishes or rolls back an interrupted run in the base root. Without such a run this is three look-ups. Needs the
    /// same further roots as the interrupted run, but not its patch.
    ///
    /// Call this before planning, so that the plan starts from a whole tree; [`prepare`](Roots::prepare) does the same.
    ///
    /// # Errors
    /// [`ApplyError::Unfinished`] at a file that was changed since, [`ApplyError::Halted`] if the system refuses during
    /// recovery; and the errors of the system before anything is found.
    ///
    /// ```
    /// # use apply_patch::apply::{Naming, Recovery, Roots};
    /// # let files = std::collections::BTreeMap::new();
    /// # let roots = Roots::in_memory(&files, Naming::Exact)?;
    /// match roots.recover()? {
    ///     Recovery::Finished { paths } => println!("an earlier patch is applied now: {paths:?}"),
    ///     Recovery::PutBack { paths } => println!("an earlier patch is taken back now: {paths:?}"),
    ///     _ => {}
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recover(&self) -> Result<Recovery, ApplyError> {
        let lists = self.lists()?;
        let Some(list) = &lists.own else { return Ok(Recovery::of_none(&lists)) };
        let recovered = self.lock().and_then(|lock| {
            let recovered = self.recover_locked();
            drop(lock);
            recovered
        });
        recovered.map(|(recovery, _)| recovery).map_err(|error| self.halted(list, error))
    }

    /// Does the work of [`recover`](Roots::recover), and also finds runs with a marked list, because a foreign list had
    /// the usual name, and was removed since.
    ///
    /// # Errors
    /// Those of [`recover`](Roots::recover).
    pub fn recover_all(&self) -> Result<Recovery, ApplyError> {
        let cannot_tell = |cause| match cause {
            busy @ ApplyError::Busy { .. } => busy,
            cause => ApplyError::Halted { list: self.base().to_owned(), cause: Box::new(cause) },
        };
        let _lock = self.lock().map_err(cannot_tell)?;
        let lists = self.all_lists().map_err(cannot_tell)?;
        self.recover_from(lists).map(|(recovery, _)| recovery)
    }

    /// Returns whether an interrupted run left the tree half changed. Nothing is touched; waits for an active run.
    ///
    /// # Errors
    /// [`ApplyError::Busy`], and the errors of the system.
    pub fn is_torn(&self) -> Result<bool, ApplyError> {
        let is_torn = || Ok(self.lists()?.own.is_some_and(|list| list.state != State::Pending));
        if !is_torn()? {
            return Ok(false);
        }
        // The run may be active, and removes the list at its end.
        let _lock = self.lock()?;
        is_torn()
    }

    /// Recovers, and returns also which lists are there by now.
    pub(super) fn recover_locked(&self) -> Result<(Recovery, Lists), ApplyError> {
        self.recover_from(self.lists()?)
    }

    fn recover_from(&self, mut lists: Lists) -> Result<(Recovery, Lists), ApplyError> {
        let mut recovery = Recovery::of_none(&lists);
        while let Some(list) = lists.own {
            let next = self.recover_list(list.clone())?;
            // A run that had changed nothing is not mentioned beside a second run.
            if !matches!(recovery, Recovery::Finished { .. } | Recovery::PutBack { .. }) {
                recovery = next;
            }
            lists = self.lists().map_err(|error| self.halted(&list, error))?;
        }
        Ok((recovery, lists))
    }

    /// Returns the error that files may be half changed.
    fn halted(&self, list: &List, error: ApplyError) -> ApplyError {
        match error {
            error if error.is_half_done() || list.state == State::Pending => error,
            error @ ApplyError::Busy { .. } => error,
            cause => ApplyError::Halted { list: self.list_path(list), cause: Box::new(cause) },
        }
    }

    fn recover_list(&self, list: List) -> Result<Recovery, ApplyError> {
        let journal = self.read_list(&list);
        if list.state == State::Pending {
            return self.clear_pending(list, &journal?.unwrap_or_default());
        }
        let recovered = journal.and_then(|journal| match journal {
            None => Err(ApplyError::Unfinished { path: list.name().into(), reason: Obstacle::DamagedList }),
            Some(journal) => self.go_on(list.clone(), &journal),
        });
        recovered.map_err(|error| self.halted(&list, error))
    }

    pub(super) fn read_list(&self, list: &List) -> Result<Option<Journal>, ApplyError> {
        let path = self.list_path(list);
        let read = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            self.fs.open(&path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(ApplyError::io("read", &path))?;
        Ok(Journal::from_bytes(&bytes).filter(|_| bytes.len() as u64 <= LONGEST))
    }

    /// Clears a run that had changed nothing. A truncated list is from before the first change.
    fn clear_pending(&self, list: List, journal: &Journal) -> Result<Recovery, ApplyError> {
        // A moved side file cannot be found again, and does not prevent the clean-up.
        let with_say = self.with_say(journal)?;
        let files = journal.files.iter().filter_map(|file| self.side_file(file).ok());
        let files = files.filter(|file| with_say.is_over(file)).collect();
        let folders = journal.folders.iter().filter_map(|path| Some(self.place(path).ok()?.target));
        let folders = folders.filter(|folder| with_say.is_over(folder)).collect();
        let left = Stage::found(self, list, with_say.counterparts, files, folders).clear();
        match left.into_iter().next() {
            None => Ok(Recovery::Cleared),
            Some(left) => Err(ApplyError::io("remove", &left.path)(left.source)),
        }
    }

    fn go_on(&self, list: List, journal: &Journal) -> Result<Recovery, ApplyError> {
        let is_undo = list.state == State::Undo;
        let with_say = self.with_say(journal)?;
        let mut steps = Vec::new();
        for entry in &journal.steps {
            let step = self.step(entry)?;
            if is_undo {
                self.check_back(&step, entry)?;
            } else {
                self.check_forward(&step, entry)?;
            }
            if with_say.is_over(&step.target) {
                steps.push(step);
            } else {
                self.check_settled(&step, is_undo)?;
            }
        }
        let paths = journal.steps.iter().map(|entry| entry.path.clone()).collect();
        let mut stage = self.stage_of(list, journal, with_say)?;
        if is_undo {
            let left = undo_all(&mut stage, self, &steps);
            return self.ended(left, Recovery::PutBack { paths });
        }
        take_all(self, &steps, Step::take_again)?;
        let folders = stage.forget_folders();
        let left = clean(&mut stage, &steps, &folders);
        self.ended(left, Recovery::Finished { paths })
    }

    /// Finds the roots that the list applies to.
    pub(super) fn with_say(&self, journal: &Journal) -> Result<WithSay<'_>, ApplyError> {
        let mut counterparts = Vec::new();
        for path in journal
            .counterpart()
            .iter()
            .flat_map(|name| self.further_roots().map(move |root| root.join(name)))
        {
            let io = ApplyError::io("look at", &path);
            if let Some(meta) = self.fs.look(&path).map_err(io)?
                && self.is_own(&path, &meta)?
            {
                counterparts.push(path);
            }
        }
        Ok(WithSay { roots: self, counterparts })
    }

    /// Checks that a step in a root without a counterpart leaves nothing to do there: the run removes the counterparts
    /// when all else is done.
    fn check_settled(&self, step: &Step, is_undo: bool) -> Result<(), ApplyError> {
        let is_missing = |path: &Utf8Path| Ok::<_, ApplyError>(self.now(step, path)? == Was::Nothing);
        let has_side_files = !is_missing(&step.kept)?
            || step.staged.as_deref().map(is_missing).transpose()?.is_some_and(|is_missing| !is_missing);
        let is_gone = step.staged.is_some() || is_undo || is_missing(&step.target)?;
        if has_side_files || !is_gone {
            let reason = Obstacle::NoCounterpart;
            return Err(ApplyError::Unfinished { path: step.path.clone(), reason });
        }
        Ok(())
    }

    fn ended(&self, left: Vec<super::Leftover>, recovery: Recovery) -> Result<Recovery, ApplyError> {
        if left.is_empty() {
            return Ok(recovery);
        }
        let cause = ApplyError::Unfinished { path: self.base().to_owned(), reason: Obstacle::NotCleaned };
        Err(ApplyError::RollBack { cause: Box::new(cause), left })
    }

    fn stage_of<'s>(
        &'s self,
        list: List,
        journal: &Journal,
        with_say: WithSay<'s>,
    ) -> Result<Stage<'s>, ApplyError> {
        let files = journal.files.iter().map(|file| self.side_file(file));
        let mut files = files.collect::<Result<Vec<_>, _>>()?;
        let folder = |path: &Utf8PathBuf| Ok(self.reach(path)?.target);
        let mut folders = journal.folders.iter().map(folder).collect::<Result<Vec<_>, ApplyError>>()?;
        files.retain(|file| with_say.is_over(file));
        folders.retain(|folder| with_say.is_over(folder));
        Ok(Stage::found(self, list, with_say.counterparts, files, folders))
    }

    /// Returns the current location of a path of the list.
    fn reach(&self, path: &Utf8Path) -> Result<Destination, ApplyError> {
        self.place(path).map_err(|error| {
            let reason = match error {
                // A path through a link, or through a file.
                ApplyError::Io { source, .. } if source.kind() != io::ErrorKind::NotADirectory => {
                    return ApplyError::io("look at", path)(source);
                }
                ApplyError::OutsideRoot { .. } => Obstacle::OutsideRoot,
                ApplyError::Protected { .. } => Obstacle::Protected,
                _ => Obstacle::Unreachable,
            };
            ApplyError::Unfinished { path: path.to_owned(), reason }
        })
    }

    /// Returns the location of a side file of the list. Its name was checked when the list was parsed; this checks its
    /// directory.
    pub(super) fn side_file(&self, path: &Utf8Path) -> Result<Utf8PathBuf, ApplyError> {
        // A plain name replaces the name of the side file, which no plan may use.
        let stand_in = beside(path, "x");
        let Destination { target, .. } = self.reach(&stand_in)?;
        Ok(target.with_file_name(path.file_name().unwrap_or_default()))
    }

    pub(super) fn step(&self, entry: &Entry) -> Result<Step, ApplyError> {
        let target = self.reach(&entry.path)?.target;
        Ok(Step {
            path: entry.path.clone(),
            existed: entry.was != Was::Nothing,
            staged: entry.staged.as_ref().map(|staged| beside(&target, &staged.name)),
            kept: beside(&target, &entry.kept),
            target,
            // Recovery checks which files exist.
            is_kept: false,
        })
    }

    /// Checks whether a step can be applied, or was already applied.
    fn check_forward(&self, step: &Step, entry: &Entry) -> Result<(), ApplyError> {
        let there = self.now(step, &step.target)?;
        let Some(Staged { file: becomes, .. }) = &entry.staged else {
            return if there == Was::Nothing || there == entry.was {
                Ok(())
            } else {
                unfinished(step, Obstacle::ChangedBeforeDelete)
            };
        };
        let Some(staged) = &step.staged else { return Ok(()) };
        match self.now(step, staged)? {
            Was::Nothing => return self.check_published(step, entry, &there, *becomes),
            Was::File(checksum) if checksum == *becomes => {}
            _ => return unfinished(step, Obstacle::DamagedStage),
        }
        let set_aside = there == Was::Nothing && self.now(step, &step.kept)? == entry.was;
        let is_ours = there == Was::File(*becomes) && self.is_same(step, staged, &step.target)?;
        if there == entry.was || is_ours || set_aside { Ok(()) } else { unfinished(step, Obstacle::Changed) }
    }

    /// Checks a step whose stage file is gone. The file has become the target, or was removed: then the target is
    /// unchanged. Any other content came later, and is not checked.
    fn check_published(
        &self,
        step: &Step,
        entry: &Entry,
        there: &Was,
        becomes: Checksum,
    ) -> Result<(), ApplyError> {
        let is_old = *there == entry.was && entry.was != Was::File(becomes);
        let is_aside = *there == Was::Nothing && self.now(step, &step.kept)? == entry.was;
        if !is_old && !is_aside {
            return Ok(());
        }
        unfinished(step, Obstacle::MissingStage)
    }

    /// Checks whether a step can be rolled back, or was already rolled back.
    fn check_back(&self, step: &Step, entry: &Entry) -> Result<(), ApplyError> {
        let there = self.now(step, &step.target)?;
        let is_new = |now: &Was| match &entry.staged {
            Some(staged) => *now == Was::File(staged.file),
            None => *now == Was::Nothing,
        };
        let is_known = there == Was::Nothing || there == entry.was || is_new(&there);
        let kept = self.now(step, &step.kept)?;
        if !is_known {
            unfinished(step, Obstacle::Changed)
        } else if kept != Was::Nothing && kept != entry.was {
            unfinished(step, Obstacle::ChangedOld)
        } else {
            Ok(())
        }
    }

    fn is_same(&self, step: &Step, one: &Utf8Path, other: &Utf8Path) -> Result<bool, ApplyError> {
        is_same(&*self.fs, one, other).map_err(ApplyError::io("look at", &step.path))
    }

    /// Returns the current state of a path. An entry that is neither file nor link never comes from a run.
    pub(super) fn now(&self, step: &Step, path: &Utf8Path) -> Result<Was, ApplyError> {
        let io = |error| ApplyError::io("read", &step.path)(error);
        match self.fs.look(path) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(Was::Nothing),
            Err(error) => Err(io(error)),
            Ok(None) => Ok(Was::Nothing),
            Ok(Some(meta)) if meta.kind == Kind::File => {
                let checksum = self.fs.open(path).and_then(Checksum::of_file);
                checksum.map(Was::File).map_err(io)
            }
            Ok(Some(meta)) if meta.kind == Kind::Link => self.fs.read_link(path).map(Was::Link).map_err(io),
            Ok(Some(_)) => {
                Err(ApplyError::Unfinished { path: step.path.clone(), reason: Obstacle::NotAFile })
            }
        }
    }
}

/// Refuses a step of an interrupted run.
fn unfinished(step: &Step, reason: Obstacle) -> Result<(), ApplyError> {
    Err(ApplyError::Unfinished { path: step.path.clone(), reason })
}
