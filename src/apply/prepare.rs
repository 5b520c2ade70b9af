//! The first half of a transaction: everything is checked and written, and no target is touched.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};

use super::checksum::Checksum;
use super::journal::{Entry, Journal, Staged, Was};
use super::root::Destination;
use super::stage::Stage;
use super::step::Step;
use super::{ApplyError, Roots};
use crate::fs::{Attributes, Kind, Lock, Meta, NewMode, OpenFile};
use crate::parallel;
use crate::plan::{After, Change, Content, Precondition};

/// A plan that is ready to be carried out: all new content is on the disk, beside where it goes.
///
/// It holds the lock of the roots: no other run works there until it is committed or dropped. Dropping it
/// removes every stage file, and every folder that was made.
#[derive(Debug)]
#[must_use = "a Prepared that is dropped takes everything back; `commit` carries it out"]
pub struct Prepared<'a> {
    pub(super) roots: &'a Roots,
    /// What has to be true until the first step is taken.
    pub(super) conditions: Vec<Condition>,
    /// What the commit does, in the order of the plan.
    pub(super) steps: Vec<Step>,
    /// What holds already what it is to hold.
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
    /// With how many files it is done.
    pub done: usize,
    /// Of how many.
    pub of: usize,
}

/// What takes time when a plan is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// New contents are written beside their targets.
    Writing,
    /// They take their targets' places.
    Publishing,
}

/// Who hears how far it is.
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

/// What has to be true of a path.
#[derive(Debug)]
pub(super) struct Condition {
    path: Utf8PathBuf,
    before: Precondition,
    /// Whether the path goes, the link itself if it is one.
    gone: bool,
}

impl Condition {
    /// What checking it costs, in bytes read.
    fn weight(&self) -> usize {
        parallel::A_FILE + self.before.len()
    }
}

impl Roots {
    /// Takes the lock, finishes what an earlier run left, checks every precondition, then writes every
    /// new content beside its target.
    ///
    /// Waits while another run holds the lock, and so for a [`Prepared`] of the same thread for ever:
    /// commit or drop it first.
    ///
    /// # Errors
    /// Where the disk is not as the plan has it, or the system refuses. Nothing is left behind then.
    pub fn prepare(&self, changes: &[Change]) -> Result<Prepared<'_>, ApplyError> {
        self.prepare_watched(changes, &|_| {})
    }

    /// As [`prepare`](Roots::prepare); `on_step` hears before each file how far that and the commit are; a commit of one
    /// file is one step, of which it hears nothing.
    ///
    /// # Errors
    /// As [`prepare`](Roots::prepare).
    pub fn prepare_watched<'a>(
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
        self.recover_locked()?;
        let condition = |change: &Change| Condition {
            path: change.path.clone(),
            before: change.before.clone(),
            gone: matches!(change.after, After::Gone),
        };
        let conditions: Vec<_> = changes.iter().map(condition).collect();
        // Nothing is made before all of it is known to fit, as far as a look tells.
        let mut outline = Outline::of(self, changes)?;
        let journal = outline.journal(self);
        let Outline { steps, writes, unchanged, folders, .. } = outline;
        let stage = Stage::new(self);
        let watch = Watch(on_step);
        let mut prepared = Prepared { roots: self, conditions, steps, unchanged, stage, watch, _lock: lock };
        if prepared.steps.is_empty() {
            return Ok(prepared);
        }
        match prepared.open(&journal).and_then(|()| prepared.stage_all(&writes, &folders)) {
            Ok(()) => Ok(prepared),
            Err(cause) => Err(prepared.take_back(cause)),
        }
    }

    pub(super) fn lock(&self) -> Result<Lock, ApplyError> {
        self.fs.lock(self.options.wait).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => ApplyError::Busy { root: self.base().to_owned() },
            _ => ApplyError::io("lock", self.base())(error),
        })
    }

    /// Checks all preconditions, then drops the old contents; they are not needed any more.
    pub(super) fn check_all(&self, conditions: Vec<Condition>) -> Result<(), ApplyError> {
        let bytes = conditions.iter().map(Condition::weight).sum();
        let check = |Condition { path, before, gone }: &Condition| self.check(path, before, *gone);
        parallel::try_map(&conditions, bytes, check)?;
        let held = conditions.iter().map(|condition| condition.before.len()).sum();
        if self.options.drop_in_background {
            parallel::drop_in_background(held, conditions);
        }
        Ok(())
    }

    /// Checks a precondition against the disk, to the byte.
    fn check(&self, path: &Utf8Path, before: &Precondition, gone: bool) -> Result<(), ApplyError> {
        // Nearly always the file is there, and to open it tells that. If it does not open, a look tells what is there.
        if let (Precondition::MustBe(bytes), false) = (before, gone)
            && let Ok(file) = self.fs.open(&self.target(path)?)
        {
            let same = same_bytes(&*file, bytes).map_err(ApplyError::io("read", path))?;
            return if same { Ok(()) } else { Err(ApplyError::Changed { path: path.to_owned() }) };
        }
        let Seen { place, meta } = self.look_at(path, before, gone)?;
        let (Precondition::MustBe(bytes), Some(meta)) = (before, meta) else { return Ok(()) };
        let same = match meta.kind {
            Kind::Link => self.leads_to(path, bytes)?,
            _ => self.holds(&place.target, &meta, bytes).map_err(ApplyError::io("read", path))?,
        };
        if same { Ok(()) } else { Err(ApplyError::Changed { path: path.to_owned() }) }
    }

    /// Checks as much of a precondition as can be seen without reading: what is there, and how long it is.
    fn look_at(&self, path: &Utf8Path, before: &Precondition, gone: bool) -> Result<Seen, ApplyError> {
        let target = self.target(path)?;
        let looked = self.fs.look(&target);
        // What is there has all of its folders, and none of them is a link.
        let missing = if let Ok(Some(_)) = looked { Vec::new() } else { self.missing_folders(path)? };
        let meta = looked.map_err(ApplyError::io("look at", path))?;
        let place = Destination { target, missing };
        let path = || path.to_owned();
        match (before, &meta) {
            (Precondition::MustNotExist, Some(_)) => return Err(ApplyError::Exists { path: path() }),
            (Precondition::MustBe(_), None) => return Err(ApplyError::Missing { path: path() }),
            (Precondition::MustBe(bytes), Some(meta)) => {
                let may_be = match meta.kind {
                    Kind::File => meta.len == bytes.len() as u64,
                    // A link is deleted by its own name, and read through it. What is written goes to a
                    // resolved path, so a link found there is new.
                    Kind::Link => gone,
                    Kind::Folder | Kind::Other(_) => false,
                };
                if !may_be {
                    return Err(ApplyError::Changed { path: path() });
                }
            }
            (Precondition::MustNotExist, None) => {}
        }
        Ok(Seen { place, meta })
    }

    fn leads_to(&self, link: &Utf8Path, bytes: &[u8]) -> Result<bool, ApplyError> {
        let resolved = self.resolve(link).map_err(ApplyError::from_reading)?;
        match resolved.meta {
            Some(meta) if meta.kind == Kind::File => {
                self.holds(&resolved.path, &meta, bytes).map_err(ApplyError::io("read", link))
            }
            _ => Ok(false),
        }
    }

    fn holds(&self, file: &Utf8Path, meta: &Meta, bytes: &[u8]) -> io::Result<bool> {
        // Most changes show in the length, and then nothing has to be read.
        Ok(meta.len == bytes.len() as u64 && same_bytes(&*self.fs.open(file)?, bytes)?)
    }

    fn attributes(&self, path: &Utf8Path) -> Result<Attributes, ApplyError> {
        let resolved = self.resolve(path).map_err(ApplyError::from_reading)?;
        let missing = || ApplyError::Missing { path: path.to_owned() };
        resolved.meta.map(|meta| meta.attributes).ok_or_else(missing)
    }
}

/// What a look at a path shows.
struct Seen {
    place: Destination,
    meta: Option<Meta>,
}

/// What a plan comes to: decided before anything is made, so that it can be written down.
#[derive(Default)]
struct Outline<'c> {
    steps: Vec<Step>,
    /// For each step what it writes.
    writes: Vec<Option<Written<'c>>>,
    unchanged: Vec<Utf8PathBuf>,
    /// The folders to be made, the outermost first.
    folders: Vec<Utf8PathBuf>,
    /// The steps as the journal has them, where there may be several.
    entries: Vec<Entry>,
}

/// The content of a new file, and its mode.
type Written<'c> = (&'c Content, NewMode);

/// What a change comes to.
struct Part<'c> {
    step: Step,
    write: Option<Written<'c>>,
    /// The folders that it lacks, the outermost first.
    missing: Vec<Utf8PathBuf>,
    /// Where the path leads, if it is a link.
    link: Option<Utf8PathBuf>,
}

impl<'c> Outline<'c> {
    fn of(roots: &Roots, changes: &'c [Change]) -> Result<Self, ApplyError> {
        let bytes =
            changes.iter().map(|change| parallel::A_FILE + change.before.len() + after_len(change)).sum();
        let several = changes.len() > 1;
        let parts = parallel::try_map(changes, bytes, |change| {
            let Some(part) = Part::of(roots, change)? else { return Ok(None) };
            let entry = several.then(|| part.entry(&change.before)).transpose();
            Ok(Some((part, entry.map_err(ApplyError::io("make a journal for", roots.base()))?)))
        })?;
        let mut outline = Outline::default();
        let mut known = BTreeSet::new();
        for (change, part) in changes.iter().zip(parts) {
            let Some((Part { step, write, missing, .. }, entry)) = part else {
                outline.unchanged.push(change.path.clone());
                continue;
            };
            outline.folders.extend(missing.into_iter().filter(|folder| known.insert(folder.clone())));
            outline.steps.push(step);
            outline.writes.push(write);
            outline.entries.extend(entry);
        }
        Ok(outline)
    }

    /// What is written down before anything is made.
    fn journal(&mut self, roots: &Roots) -> Journal {
        let has_journal = has_journal(&self.steps);
        let name = |path: &Utf8PathBuf| roots.name(path);
        let side_files = |step: &Step| {
            let kept = (step.existed && has_journal).then(|| name(&step.kept));
            step.staged.as_ref().map(name).into_iter().chain(kept)
        };
        let files = self.steps.iter().flat_map(side_files).collect();
        let folders = self.folders.iter().map(name).collect();
        let steps = std::mem::take(&mut self.entries);
        Journal { files, folders, steps: if has_journal { steps } else { Vec::new() } }
    }
}

/// About how many bytes a change writes.
fn after_len(change: &Change) -> usize {
    match &change.after {
        After::Gone => 0,
        After::File { content, .. } => content.about_len(),
    }
}

impl<'c> Part<'c> {
    /// What has to be done for a change; `None` if nothing has.
    fn of(roots: &Roots, change: &'c Change) -> Result<Option<Self>, ApplyError> {
        let path = change.path.as_path();
        let gone = matches!(change.after, After::Gone);
        let Seen { place: Destination { target, missing }, meta } =
            roots.look_at(path, &change.before, gone)?;
        let was = meta.map(|meta| meta.attributes);
        let (content, mode_of, executable) = match &change.after {
            After::Gone => return meta.map(|meta| Part::of_removal(roots, path, target, meta)).transpose(),
            After::File { content, mode_of, executable } => {
                (content, mode_of.as_deref().filter(|of| *of != change.path), *executable)
            }
        };
        let like = match mode_of {
            Some(of) => Some(roots.attributes(of)?),
            None => was,
        };
        let mode = NewMode::of(like, executable);
        if was.is_some_and(|was| mode == NewMode::Like(was)) && is_in_place(change, content) {
            return Ok(None);
        }
        let step = Step::write(path, target, was.is_some());
        Ok(Some(Part { step, write: Some((content, mode)), missing, link: None }))
    }

    fn of_removal(
        roots: &Roots,
        path: &Utf8Path,
        target: Utf8PathBuf,
        meta: Meta,
    ) -> Result<Self, ApplyError> {
        let link = match meta.kind {
            Kind::Link => Some(roots.fs.read_link(&target).map_err(ApplyError::io("read", path))?),
            _ => None,
        };
        Ok(Part { step: Step::removal(path, target, true), write: None, missing: Vec::new(), link })
    }

    fn entry(&self, before: &Precondition) -> io::Result<Entry> {
        let Part { step, write, link, .. } = self;
        let was = match (link, before) {
            (Some(target), _) => Was::Link(target.clone()),
            (None, Precondition::MustBe(bytes)) => Was::File(Checksum::of(bytes)),
            (None, Precondition::MustNotExist) => Was::Nothing,
        };
        let staged = match (&step.staged, write) {
            (Some(staged), Some((content, _))) => {
                Some(Staged { name: last_name(staged), file: Checksum::of_content(content)? })
            }
            _ => None,
        };
        Ok(Entry { path: step.path.clone(), was, staged, kept: last_name(&step.kept) })
    }
}

/// Whether several names change, so that it takes a journal to make one change of them.
fn has_journal(steps: &[Step]) -> bool {
    steps.len() > 1
}

fn last_name(path: &Utf8Path) -> String {
    path.file_name().unwrap_or_default().to_owned()
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
            if let (Some(staged), Some((content, mode))) = (&step.staged, written) {
                let written = self.stage.write(staged, content, *mode, sync);
                written.map_err(ApplyError::io("write", &step.path))?;
            }
            Ok(keeps(step) && self.stage.keep(&step.target, &step.kept))
        };
        let all: Vec<_> = self.steps.iter().zip(writes).collect();
        let len = |written: &Option<Written<'_>>| written.map_or(0, |(content, _)| content.about_len());
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

    /// Whether there are so many files that one wait for the whole file system costs less than one for each, and the
    /// system has such a wait.
    fn syncs_together(&self) -> bool {
        let many = self.roots.options.sync && self.steps.len() >= self.roots.together;
        many && self.roots.fs.syncs_contents()
    }

    /// Writes down what will be made. A run of one step does without where the base root may not be
    /// written: all that a kill could leave is a stage file.
    fn open(&mut self, journal: &Journal) -> Result<(), ApplyError> {
        let has_journal = self.has_journal();
        let shut = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
        };
        match self.stage.open(journal, has_journal && self.roots.options.sync) {
            Err(error) if !has_journal && shut(&error) => Ok(()),
            result => result.map_err(ApplyError::io("write a journal in", self.roots.base())),
        }
    }
}

fn refuse_twice(changes: &[Change]) -> Result<(), ApplyError> {
    // Paths, not texts: a caller may spell one path in two ways.
    let mut seen = HashSet::with_capacity(changes.len());
    match changes.iter().find(|change| !seen.insert(change.path.as_path())) {
        Some(change) => Err(ApplyError::Twice { path: change.path.clone() }),
        None => Ok(()),
    }
}

/// Whether a file is to hold what it holds already.
fn is_in_place(change: &Change, content: &Content) -> bool {
    match &change.before {
        Precondition::MustNotExist => false,
        Precondition::MustBe(bytes) => {
            let mut rest = Expected { rest: bytes };
            content.write_to(&mut rest).is_ok() && rest.rest.is_empty()
        }
    }
}

/// Takes the bytes that are expected and refuses others: compares a content without making it.
struct Expected<'a> {
    rest: &'a [u8],
}

impl<'a> Expected<'a> {
    fn behind(&self, bytes: &[u8]) -> io::Result<&'a [u8]> {
        Ok(self.rest.strip_prefix(bytes).ok_or(io::ErrorKind::InvalidData)?)
    }
}

impl Write for Expected<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // What an edit keeps is written from where it was read: the very same bytes need no comparing.
        let is_itself = std::ptr::eq(bytes.as_ptr(), self.rest.as_ptr()) && bytes.len() <= self.rest.len();
        self.rest = if is_itself { &self.rest[bytes.len()..] } else { self.behind(bytes)? };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Compares a file with `bytes`, in pieces: it is never in memory a second time.
fn same_bytes(file: &dyn OpenFile, bytes: &[u8]) -> io::Result<bool> {
    let same = |range: &Range<usize>| same_range(file, bytes, range.clone());
    let ranges = parallel::try_map(&parallel::ranges(bytes.len()), bytes.len(), same)?;
    Ok(ranges.into_iter().all(|same| same))
}

/// Compares a range; the last one also has to end where the file does.
fn same_range(file: &dyn OpenFile, bytes: &[u8], range: Range<usize>) -> io::Result<bool> {
    let end = range.end + usize::from(range.end == bytes.len());
    let mut at = range.start;
    let mut piece = vec![0; (end - at).min(1 << 16)];
    while at < end {
        let wanted = piece.len().min(end - at);
        match file.read_at(&mut piece[..wanted], at as u64) {
            Ok(0) => return Ok(at == bytes.len()),
            Ok(count) if bytes[at..].starts_with(&piece[..count]) => {
                at += count;
                // A regular file that gives less than was asked for has ended.
                if at == bytes.len() && count < wanted {
                    return Ok(true);
                }
            }
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}
