//! The first half of a transaction: everything is checked and written, and no target is touched.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};

use camino::{Utf8Path, Utf8PathBuf};

use super::root::Place;
use super::stage::Stage;
use super::{ApplyError, Roots};
use crate::fs::{Attributes, Kind, Meta};
use crate::plan::{After, Change, Content, Precondition};

/// A plan that is ready to be carried out: all new content is on the disk, beside where it goes.
///
/// Dropping it removes every stage file, and every folder that was made.
#[derive(Debug)]
#[must_use = "a Prepared that is dropped takes everything back; `commit` carries it out"]
pub struct Prepared<'a> {
    pub(super) roots: &'a Roots,
    pub(super) steps: Vec<Step>,
    pub(super) stage: Stage<'a>,
}

/// A change, with what has been done for it.
#[derive(Debug)]
pub(super) struct Step {
    /// As the plan names it.
    pub(super) path: Utf8PathBuf,
    pub(super) before: Precondition,
    pub(super) action: Action,
}

/// What the commit has to do for a change.
#[derive(Debug)]
pub(super) enum Action {
    /// Nothing: the file is already what it is to be.
    Keep,
    /// Put the stage file in the target's place.
    Write { target: Utf8PathBuf, staged: Utf8PathBuf },
    /// Remove the target, the link itself if it is one.
    Remove { target: Utf8PathBuf },
}

impl Roots {
    /// Checks every precondition, then writes every new content beside its target.
    ///
    /// # Errors
    /// Where the disk is not as the plan has it, or the system refuses. Nothing is left behind then.
    pub fn prepare(&self, changes: &[Change]) -> Result<Prepared<'_>, ApplyError> {
        refuse_twice(changes)?;
        // Nothing is made before all of it is known to fit.
        for change in changes {
            self.check(&change.path, &change.before, matches!(change.after, After::Gone))?;
        }
        let stage = Stage::new(&*self.fs);
        let mut prepared = Prepared { roots: self, steps: Vec::with_capacity(changes.len()), stage };
        match changes.iter().try_for_each(|change| prepared.add(change)) {
            Ok(()) => Ok(prepared),
            Err(cause) => Err(prepared.take_back(Vec::new(), cause)),
        }
    }

    /// Checks a precondition against the disk.
    pub(super) fn check(&self, path: &Utf8Path, before: &Precondition, gone: bool) -> Result<(), ApplyError> {
        let Place { target, .. } = self.place(path)?;
        let meta = self.fs.look(&target).map_err(ApplyError::io("look at", path))?;
        match (before, meta) {
            (Precondition::MustNotExist, None) => Ok(()),
            (Precondition::MustNotExist, Some(_)) => Err(ApplyError::Exists { path: path.to_owned() }),
            (Precondition::MustBe(_), None) => Err(ApplyError::Missing { path: path.to_owned() }),
            (Precondition::MustBe(bytes), Some(meta)) => self.check_bytes(path, &target, &meta, bytes, gone),
        }
    }

    fn check_bytes(
        &self,
        path: &Utf8Path,
        target: &Utf8Path,
        meta: &Meta,
        bytes: &[u8],
        gone: bool,
    ) -> Result<(), ApplyError> {
        let same = match meta.kind {
            Kind::File => self.holds(target, meta, bytes).map_err(ApplyError::io("read", path))?,
            // A link is deleted by its own name, and read through it. What is written goes to a
            // resolved path, so a link found there is new.
            Kind::Link if gone => self.leads_to(path, bytes)?,
            Kind::Link | Kind::Folder | Kind::Other(_) => false,
        };
        if same { Ok(()) } else { Err(ApplyError::Changed { path: path.to_owned() }) }
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
        Ok(meta.len == bytes.len() as u64 && same_bytes(self.fs.open(file)?, bytes)?)
    }

    fn attributes(&self, path: &Utf8Path) -> Result<Attributes, ApplyError> {
        let resolved = self.resolve(path).map_err(ApplyError::from_reading)?;
        let missing = || ApplyError::Missing { path: path.to_owned() };
        resolved.meta.map(|meta| meta.attributes).ok_or_else(missing)
    }
}

impl Prepared<'_> {
    fn add(&mut self, change: &Change) -> Result<(), ApplyError> {
        let action = match &change.after {
            After::Gone => self.removal(change)?,
            After::File { mode_of, .. } if mode_of.as_ref().is_some_and(|of| *of != change.path) => {
                self.write(change, mode_of.as_deref())?
            }
            After::File { content, executable, .. }
                if is_in_place(change, content) && self.has_mode(&change.path, *executable)? =>
            {
                Action::Keep
            }
            After::File { .. } => self.write(change, None)?,
        };
        self.steps.push(Step { path: change.path.clone(), before: change.before.clone(), action });
        Ok(())
    }

    fn removal(&self, change: &Change) -> Result<Action, ApplyError> {
        match change.before {
            Precondition::MustNotExist => Ok(Action::Keep),
            Precondition::MustBe(_) => Ok(Action::Remove { target: self.roots.place(&change.path)?.target }),
        }
    }

    /// Whether the file at a path is executable as wanted.
    fn has_mode(&self, path: &Utf8Path, executable: Option<bool>) -> Result<bool, ApplyError> {
        let Some(executable) = executable else { return Ok(true) };
        let attributes = self.roots.attributes(path)?;
        Ok(with_executable(attributes, executable) == attributes)
    }

    /// The attributes for a new content. What a new file usually has, the system shows on one that is made for it.
    fn with_mode(
        &mut self,
        target: &Utf8Path,
        like: Option<Attributes>,
        executable: Option<bool>,
    ) -> io::Result<Option<Attributes>> {
        let Some(executable) = executable else { return Ok(like) };
        let like = if like.is_some() {
            like
        } else {
            let usual = self.stage.claim(target)?;
            self.roots.fs.look(&usual)?.map(|meta| meta.attributes)
        };
        Ok(like.map(|like| with_executable(like, executable)))
    }

    fn write(&mut self, change: &Change, mode_of: Option<&Utf8Path>) -> Result<Action, ApplyError> {
        let After::File { content, executable, .. } = &change.after else { return Ok(Action::Keep) };
        let path = change.path.as_path();
        let like = match (mode_of, &change.before) {
            (Some(of), _) => Some(self.roots.attributes(of)?),
            (None, Precondition::MustBe(_)) => Some(self.roots.attributes(path)?),
            (None, Precondition::MustNotExist) => None,
        };
        let Place { target, missing } = self.roots.place(path)?;
        self.stage.make_folders(&missing).map_err(ApplyError::io("make the folders of", path))?;
        let like = self.with_mode(&target, like, *executable).map_err(ApplyError::io("write", path))?;
        let staged = self.stage.write(&target, content, like).map_err(ApplyError::io("write", path))?;
        Ok(Action::Write { target, staged })
    }
}

/// The mode bits, executable or not by those who may read the file.
fn with_executable(attributes: Attributes, executable: bool) -> Attributes {
    let readers = (attributes.mode & 0o444) >> 2;
    let mode = if executable { attributes.mode | readers } else { attributes.mode & !0o111 };
    Attributes { mode, ..attributes }
}

fn refuse_twice(changes: &[Change]) -> Result<(), ApplyError> {
    let mut seen = BTreeSet::new();
    match changes.iter().find(|change| !seen.insert(&change.path)) {
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

impl Write for Expected<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest = self.rest.strip_prefix(bytes).ok_or(io::ErrorKind::InvalidData)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Compares what is read with `bytes`, in pieces: the file is never in memory a second time.
fn same_bytes(mut file: impl Read, mut bytes: &[u8]) -> io::Result<bool> {
    let mut piece = vec![0; bytes.len().clamp(1, 1 << 16)];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(bytes.is_empty()),
            Ok(count) => match bytes.strip_prefix(&piece[..count]) {
                Some(rest) => bytes = rest,
                None => return Ok(false),
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
