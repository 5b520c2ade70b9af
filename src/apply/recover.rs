//! What an earlier run left, finished or put back.
//!
//! The list of an interrupted run says what is to be done ([`journal`](super::journal)). Time has passed
//! since, so nothing of it is believed: every path is checked as a plan's is, every side file has to have
//! a name that we make up and to be beside its target, and every file that is to be replaced or removed
//! has to hold what the interrupted run left there. So a list that came with a hostile tree can turn that
//! tree into another one that could have come as well, and no more. All is checked before anything is
//! done: at a file that somebody changed meanwhile recovery stops, and has touched nothing.

use std::io::{self, Read};

use camino::{Utf8Path, Utf8PathBuf};

use super::checksum::Checksum;
use super::commit::{clean, take_all, undo_all};
use super::journal::{Entry, JOURNAL, Journal, LONGEST, PENDING, Staged, UNDO, Was, beside};
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
    /// A run had been interrupted before it touched a file: what it had made was removed.
    Cleared,
    /// A run had been interrupted while its patch was being applied: now it is applied.
    Finished {
        /// The paths of the patch, as its plan had them.
        paths: Vec<Utf8PathBuf>,
    },
    /// A run had been interrupted while it put everything back after an error: now it is back.
    PutBack {
        /// The paths of the patch, as its plan had them.
        paths: Vec<Utf8PathBuf>,
    },
}

impl Roots {
    /// Finishes or takes back what an interrupted run left in the base root. Where nothing is left this is
    /// three look-ups. It never needs the patch, but the same further roots.
    ///
    /// Call it before planning, so that the plan is made from a whole tree;
    /// [`prepare`](Roots::prepare) does it in any case.
    ///
    /// # Errors
    /// [`ApplyError::Unfinished`] at a file that somebody changed since; and what the system says.
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
        if self.interrupted()?.is_none() {
            return Ok(Recovery::Nothing);
        }
        let _lock = self.lock()?;
        self.recover_locked()
    }

    /// Whether an interrupted run left the tree between old and new. Nothing is touched; a run that is at
    /// work is waited for.
    ///
    /// # Errors
    /// [`ApplyError::Busy`], and those of the system.
    pub fn is_torn(&self) -> Result<bool, ApplyError> {
        let is_torn = || Ok(self.interrupted()?.is_some_and(|list| list != PENDING));
        if !is_torn()? {
            return Ok(false);
        }
        // Perhaps its run is at work, and takes it away when it is done.
        let _lock = self.lock()?;
        is_torn()
    }

    /// Gives an interrupted run up: the files stay as they are, half done perhaps; the list and all side
    /// files are removed, old contents that were kept among them. Gives the paths of the run.
    ///
    /// # Errors
    /// Those of the system.
    pub fn abandon(&self) -> Result<Vec<Utf8PathBuf>, ApplyError> {
        let _lock = self.lock()?;
        let Some(list) = self.interrupted()? else { return Ok(Vec::new()) };
        let journal = self.read_list(list)?.unwrap_or_default();
        let files = journal.files.iter().filter_map(|file| self.side_file(file).ok()).collect();
        let left = Stage::found(self, list, files, Vec::new()).clear_and_sync();
        match left.into_iter().next() {
            None => Ok(journal.steps.into_iter().map(|entry| entry.path).collect()),
            Some(left) => Err(ApplyError::io("remove", &left.path)(left.source)),
        }
    }

    pub(super) fn recover_locked(&self) -> Result<Recovery, ApplyError> {
        let Some(list) = self.interrupted()? else { return Ok(Recovery::Nothing) };
        let recovery = match (list, self.read_list(list)?) {
            (PENDING, journal) => self.clear_pending(&journal.unwrap_or_default())?,
            (_, None) => {
                let reason = Obstacle::DamagedList;
                return Err(ApplyError::Unfinished { path: list.into(), reason });
            }
            (list, Some(journal)) => self.go_on(list, &journal)?,
        };
        Ok(recovery)
    }

    /// The name of the list that is there.
    fn interrupted(&self) -> Result<Option<&'static str>, ApplyError> {
        for list in [UNDO, JOURNAL, PENDING] {
            let path = self.base().join(list);
            match self.fs.look(&path).map_err(ApplyError::io("look at", &path))? {
                None => {}
                Some(meta) if meta.kind == Kind::File && meta.len <= LONGEST => return Ok(Some(list)),
                Some(_) => {
                    let reason = Obstacle::ForeignList;
                    return Err(ApplyError::Unfinished { path: list.into(), reason });
                }
            }
        }
        Ok(None)
    }

    fn read_list(&self, list: &str) -> Result<Option<Journal>, ApplyError> {
        let path = self.base().join(list);
        let read = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            self.fs.open(&path)?.take(LONGEST).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        Ok(Journal::from_bytes(&read().map_err(ApplyError::io("read", &path))?))
    }

    /// The run had touched nothing yet. A list that is cut off is from before anything was made.
    fn clear_pending(&self, journal: &Journal) -> Result<Recovery, ApplyError> {
        // What is no longer where it was made cannot be found again, and is no reason to stop.
        let files = journal.files.iter().filter_map(|file| self.side_file(file).ok()).collect();
        let folders = journal.folders.iter().filter_map(|path| Some(self.place(path).ok()?.target)).collect();
        let left = Stage::found(self, PENDING, files, folders).clear();
        match left.into_iter().next() {
            None => Ok(Recovery::Cleared),
            Some(left) => Err(ApplyError::io("remove", &left.path)(left.source)),
        }
    }

    fn go_on(&self, list: &'static str, journal: &Journal) -> Result<Recovery, ApplyError> {
        let mut stage = self.stage_of(list, journal)?;
        let steps = journal.steps.iter().map(|entry| self.step(entry)).collect::<Result<Vec<_>, _>>()?;
        let pairs = || steps.iter().zip(&journal.steps);
        let paths = steps.iter().map(|step| step.path.clone()).collect();
        if list == UNDO {
            pairs().try_for_each(|(step, entry)| self.check_back(step, entry))?;
            let left = undo_all(&mut stage, self, &steps);
            return self.ended(left, Recovery::PutBack { paths });
        }
        pairs().try_for_each(|(step, entry)| self.check_forward(step, entry))?;
        take_all(self, &steps, Step::take_again)?;
        let folders = stage.forget_folders();
        let left = clean(&mut stage, &steps, &folders);
        self.ended(left, Recovery::Finished { paths })
    }

    fn ended(&self, left: Vec<super::Leftover>, recovery: Recovery) -> Result<Recovery, ApplyError> {
        if left.is_empty() {
            return Ok(recovery);
        }
        let cause = ApplyError::Unfinished { path: self.base().to_owned(), reason: Obstacle::NotCleaned };
        Err(ApplyError::RollBack { cause: Box::new(cause), left })
    }

    fn stage_of(&self, list: &str, journal: &Journal) -> Result<Stage<'_>, ApplyError> {
        let files = journal.files.iter().map(|file| self.side_file(file));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        let folder = |path: &Utf8PathBuf| Ok(self.reach(path)?.target);
        let folders = journal.folders.iter().map(folder).collect::<Result<Vec<_>, ApplyError>>()?;
        Ok(Stage::found(self, list, files, folders))
    }

    /// Where a path of the list leads now.
    fn reach(&self, path: &Utf8Path) -> Result<Destination, ApplyError> {
        self.place(path).map_err(|error| {
            let reason = match error {
                ApplyError::OutsideRoot { .. } => Obstacle::OutsideRoot,
                ApplyError::Protected { .. } => Obstacle::Protected,
                _ => Obstacle::Unreachable,
            };
            ApplyError::Unfinished { path: path.to_owned(), reason }
        })
    }

    /// Where a side file of the list is. Its name was checked when the list was read; here its folder is.
    fn side_file(&self, path: &Utf8Path) -> Result<Utf8PathBuf, ApplyError> {
        // A plain name stands in for the side file's, which no plan may name.
        let stand_in = beside(path, "x");
        let Destination { target, .. } = self.reach(&stand_in)?;
        Ok(target.with_file_name(path.file_name().unwrap_or_default()))
    }

    fn step(&self, entry: &Entry) -> Result<Step, ApplyError> {
        let target = self.reach(&entry.path)?.target;
        Ok(Step {
            path: entry.path.clone(),
            existed: entry.was != Was::Nothing,
            staged: entry.staged.as_ref().map(|staged| beside(&target, &staged.name)),
            kept: beside(&target, &entry.kept),
            target,
            // Whoever recovers looks what there is.
            is_kept: false,
        })
    }

    /// Whether a step can be taken, or has been.
    fn check_forward(&self, step: &Step, entry: &Entry) -> Result<(), ApplyError> {
        let refuse = |reason| Err(ApplyError::Unfinished { path: step.path.clone(), reason });
        let there = self.now(step, &step.target)?;
        let Some(Staged { file: becomes, .. }) = &entry.staged else {
            return if there == Was::Nothing || there == entry.was {
                Ok(())
            } else {
                refuse(Obstacle::ChangedBeforeDelete)
            };
        };
        let Some(staged) = &step.staged else { return Ok(()) };
        match self.now(step, staged)? {
            // It is done; what is there by now is nobody's business.
            Was::Nothing => return Ok(()),
            Was::File(checksum) if checksum == *becomes => {}
            _ => return refuse(Obstacle::DamagedStage),
        }
        let set_aside = there == Was::Nothing && self.now(step, &step.kept)? == entry.was;
        let is_ours = there == Was::File(*becomes) && self.is_same(step, staged, &step.target)?;
        if there == entry.was || is_ours || set_aside { Ok(()) } else { refuse(Obstacle::Changed) }
    }

    /// Whether a step can be taken back, or has been.
    fn check_back(&self, step: &Step, entry: &Entry) -> Result<(), ApplyError> {
        let refuse = |reason| Err(ApplyError::Unfinished { path: step.path.clone(), reason });
        let there = self.now(step, &step.target)?;
        let is_new = |now: &Was| match &entry.staged {
            Some(staged) => *now == Was::File(staged.file),
            None => *now == Was::Nothing,
        };
        let is_known = there == Was::Nothing || there == entry.was || is_new(&there);
        let kept = self.now(step, &step.kept)?;
        if !is_known {
            refuse(Obstacle::Changed)
        } else if kept != Was::Nothing && kept != entry.was {
            refuse(Obstacle::ChangedOld)
        } else {
            Ok(())
        }
    }

    fn is_same(&self, step: &Step, one: &Utf8Path, other: &Utf8Path) -> Result<bool, ApplyError> {
        is_same(&*self.fs, one, other).map_err(ApplyError::io("look at", &step.path))
    }

    /// What is at a path now. What is neither file nor link is like nothing that a run leaves.
    fn now(&self, step: &Step, path: &Utf8Path) -> Result<Was, ApplyError> {
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
