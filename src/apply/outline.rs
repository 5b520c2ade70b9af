//! The decisions for a plan, made before the first write so that the list can be written.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use camino::{Utf8Path, Utf8PathBuf};

use super::check::Seen;
use super::checksum::Checksum;
use super::journal::{Entry, Journal, Staged, Was, fresh_mark, last_name};
use super::root::Destination;
use super::step::Step;
use super::{ApplyError, Roots};
use crate::fs::{Attributes, Kind, Meta, NewMode};
use crate::parallel;
use crate::plan::{After, Change, Content, Precondition};

/// The most folders that a patch may make. Each is a name of up to 4096 bytes, which is kept to take the folder back.
const MOST_FOLDERS: usize = 100_000;

/// The user who may do everything.
const ROOT: u32 = 0;

/// What a plan comes to.
#[derive(Default)]
pub(super) struct Outline<'c> {
    pub(super) steps: Vec<Step>,
    /// The content that each step writes.
    pub(super) writes: Vec<Option<Written<'c>>>,
    pub(super) unchanged: Vec<Utf8PathBuf>,
    /// The folders to be made, the outermost first.
    pub(super) folders: Vec<Utf8PathBuf>,
    /// The steps as in the journal, if there may be several.
    entries: Vec<Entry>,
}

/// A new file.
pub(super) struct Written<'c> {
    pub(super) content: &'c Content,
    pub(super) mode: NewMode,
    /// The file whose access list and extended attributes are copied, if not those of the replaced file.
    pub(super) like: Option<Utf8PathBuf>,
}

/// What a change comes to.
struct Part<'c> {
    step: Step,
    write: Option<Written<'c>>,
    /// How many directories are missing: the last ones of the path.
    missing: usize,
    /// The target of the path, if the path is a link.
    link: Option<Utf8PathBuf>,
    /// Whether a file is written that has its mode and its owner already.
    keeps_attributes: bool,
}

impl<'c> Outline<'c> {
    pub(super) fn of(roots: &Roots, changes: &'c [Change]) -> Result<Self, ApplyError> {
        let bytes =
            changes.iter().map(|change| parallel::A_FILE + change.before.len() + after_len(change)).sum();
        let several = changes.len() > 1;
        let user = roots.fs.user().filter(|user| *user != ROOT);
        let parts = parallel::try_map(changes, bytes, |change| {
            let Some(part) = Part::of(roots, user, change)? else { return Ok(None) };
            let entry = several.then(|| part.entry(&change.before)).transpose();
            let entry = entry.map_err(ApplyError::io("make a journal for", roots.base()))?;
            Ok(if part.is_in_place(change, entry.as_ref()) { None } else { Some((part, entry)) })
        })?;
        let (steps, writes) = (Vec::with_capacity(parts.len()), Vec::with_capacity(parts.len()));
        let mut outline = Outline { steps, writes, ..Outline::default() };
        let (mut known, mut folders) = (HashSet::new(), Vec::new());
        let mut missing_of = Vec::new();
        for (change, part) in changes.iter().zip(parts) {
            let Some((Part { step, write, missing, .. }, entry)) = part else {
                outline.unchanged.push(change.path.clone());
                continue;
            };
            add_missing(&step.target, missing, &mut known, &mut folders)?;
            missing_of.push(missing);
            outline.steps.push(step);
            outline.writes.push(write);
            outline.entries.extend(entry);
        }
        outline.folders = folders;
        refuse_one_file(roots, &outline.steps, &missing_of)?;
        Ok(outline)
    }

    /// Returns the list that is written before anything is made.
    pub(super) fn journal(&mut self, roots: &Roots, further: &[&Utf8Path]) -> Journal {
        let has_journal = has_journal(&self.steps);
        let name = |path: &Utf8PathBuf| roots.name(path);
        let side_files = |step: &Step| {
            let kept = (step.existed && has_journal).then(|| name(&step.kept));
            step.staged.as_ref().map(name).into_iter().chain(kept)
        };
        let files = self.steps.iter().flat_map(side_files).collect();
        let folders = self.folders.iter().map(name).collect();
        let steps = std::mem::take(&mut self.entries);
        let id = (!further.is_empty()).then(fresh_mark);
        Journal { id, files, folders, steps: if has_journal { steps } else { Vec::new() } }
    }

    /// Returns the further roots in which anything is made.
    pub(super) fn further<'r>(&self, roots: &'r Roots) -> Vec<&'r Utf8Path> {
        let mut further = Vec::new();
        for step in &self.steps {
            further.extend(roots.further_root(&step.target).filter(|root| !further.contains(root)));
        }
        further
    }
}

/// Adds the missing directories of a target, the outermost first, except for known directories.
fn add_missing(
    target: &Utf8Path,
    missing: usize,
    known: &mut HashSet<Utf8PathBuf>,
    folders: &mut Vec<Utf8PathBuf>,
) -> Result<(), ApplyError> {
    let first = folders.len();
    // Where a folder is known, so are those around it.
    for folder in target.ancestors().skip(1).take(missing) {
        if !known.insert(folder.to_owned()) {
            break;
        }
        folders.push(folder.to_owned());
        if folders.len() > MOST_FOLDERS {
            let words = format!("a patch may make {MOST_FOLDERS} folders at the most");
            let source = io::Error::new(io::ErrorKind::InvalidInput, words);
            return Err(ApplyError::io("make the folders of", target)(source));
        }
    }
    folders[first..].reverse();
    Ok(())
}

/// Refuses two targets that are the same file, because a mount gives its directory two names. Two names of a file in
/// the same directory become two files, so only targets with equal names are checked.
fn refuse_one_file(roots: &Roots, steps: &[Step], missing: &[usize]) -> Result<(), ApplyError> {
    let names = steps.iter().map(|step| step.target.file_name().unwrap_or_default());
    let mut by_name: Vec<_> = names.zip(0..).collect();
    by_name.sort_unstable();
    let mut ids = HashMap::new();
    for alike in by_name.chunk_by(|one, next| one.0 == next.0).filter(|alike| alike.len() > 1) {
        let mut seen = HashSet::new();
        for &(_, nth) in alike {
            let target = &steps[nth].target;
            let Some(there) = target.ancestors().nth(1 + missing[nth]) else { continue };
            let id = if let Some(id) = ids.get(there) {
                *id
            } else {
                let meta = roots.fs.look(there).map_err(ApplyError::io("look at", there))?;
                *ids.entry(there).or_insert(meta.and_then(|meta| meta.id))
            };
            let rest = target.strip_prefix(there).unwrap_or(target);
            if id.is_some_and(|id| !seen.insert((id, rest))) {
                return Err(ApplyError::Twice { path: steps[nth].path.clone() });
            }
        }
    }
    Ok(())
}

/// Returns the approximate number of bytes that a change writes.
fn after_len(change: &Change) -> usize {
    match &change.after {
        After::Gone => 0,
        After::File { content, .. } => content.about_len(),
    }
}

impl<'c> Part<'c> {
    /// Returns the work for a change; `None` if there is none.
    fn of(roots: &Roots, user: Option<u32>, change: &'c Change) -> Result<Option<Self>, ApplyError> {
        let path = change.path.as_path();
        let gone = matches!(change.after, After::Gone);
        let Seen { place: Destination { target, missing }, meta } =
            roots.look_at(path, &change.before, gone)?;
        if let Some(meta) = &meta {
            roots.refuse_sticky(user, path, &target, meta)?;
        }
        let was = meta.map(|meta| meta.attributes);
        let (content, mode_of, executable) = match &change.after {
            After::Gone => return meta.map(|meta| Part::of_removal(roots, path, target, meta)).transpose(),
            After::File { content, mode_of, executable } => {
                (content, mode_of.as_deref().filter(|of| *of != change.path), *executable)
            }
        };
        let (attributes, like) = match mode_of {
            Some(of) => roots.attributes(of).map(|(attributes, like)| (Some(attributes), Some(like)))?,
            None => (was, None),
        };
        let mode = NewMode::of(attributes, executable);
        let keeps_attributes = was.zip(mode.attributes()).is_some_and(|(was, now)| now.has_rights_of(was));
        let step = Step::write(path, target, was.is_some());
        let write = Some(Written { content, mode, like });
        Ok(Some(Part { step, write, missing, link: None, keeps_attributes }))
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
        let step = Step::removal(path, target, true);
        Ok(Part { step, write: None, missing: 0, link, keeps_attributes: false })
    }

    /// Returns whether nothing has to be done, because the file has its content and its attributes already.
    fn is_in_place(&self, change: &Change, entry: Option<&Entry>) -> bool {
        // Different checksums show different contents, without a second pass over the content.
        let may_be = self.keeps_attributes && entry.is_none_or(Entry::keeps_checksum);
        let written = self.write.as_ref().filter(|_| may_be);
        written.is_some_and(|written| is_in_place(change, written.content))
    }

    fn entry(&self, before: &Precondition) -> io::Result<Entry> {
        let Part { step, write, link, .. } = self;
        let was = match (link, before) {
            (Some(target), _) => Was::Link(target.clone()),
            (None, Precondition::MustBe(bytes)) => Was::File(Checksum::of(bytes)),
            (None, Precondition::MustNotExist) => Was::Nothing,
        };
        let staged = match (&step.staged, write) {
            (Some(staged), Some(Written { content, .. })) => {
                Some(Staged { name: last_name(staged).to_owned(), file: Checksum::of_content(content)? })
            }
            _ => None,
        };
        Ok(Entry { path: step.path.clone(), was, staged, kept: last_name(&step.kept).to_owned() })
    }
}

/// Returns whether several names change, so that a journal is needed for a single commit point.
pub(super) fn has_journal(steps: &[Step]) -> bool {
    steps.len() > 1
}

/// Returns whether a file already has its new content.
fn is_in_place(change: &Change, content: &Content) -> bool {
    match &change.before {
        Precondition::MustNotExist => false,
        Precondition::MustBe(bytes) => {
            let mut rest = Expected { rest: bytes };
            content.write_to(&mut rest).is_ok() && rest.rest.is_empty()
        }
    }
}

/// Compares written bytes with the expected bytes: compares a content without building the content in memory.
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
        // Unchanged parts of an edit are slices of the document: the same memory needs no comparison.
        let is_itself = std::ptr::eq(bytes.as_ptr(), self.rest.as_ptr()) && bytes.len() <= self.rest.len();
        self.rest = if is_itself { &self.rest[bytes.len()..] } else { self.behind(bytes)? };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Roots {
    /// Returns the attributes of a file, and where it is.
    fn attributes(&self, path: &Utf8Path) -> Result<(Attributes, Utf8PathBuf), ApplyError> {
        let resolved = self.resolve(path).map_err(ApplyError::from_reading)?;
        match resolved.meta {
            Some(meta) => Ok((meta.attributes, resolved.path)),
            None => Err(ApplyError::Missing { path: path.to_owned() }),
        }
    }

    /// Refuses to replace a file of another user in a directory, such as `/tmp`, where only the owner may do that,
    /// because the system would refuse only after everything was written. `user` is `None` if the user may do everything.
    fn refuse_sticky(
        &self,
        user: Option<u32>,
        path: &Utf8Path,
        target: &Utf8Path,
        meta: &Meta,
    ) -> Result<(), ApplyError> {
        let (Some(user), Some((owner, _)), Some(folder)) = (user, meta.attributes.owner, target.parent())
        else {
            return Ok(());
        };
        if owner == user {
            return Ok(());
        }
        let folder = self.fs.look(folder).map_err(ApplyError::io("look at", path))?;
        let is_of_others = |folder: &Meta| folder.attributes.owner.is_none_or(|(owner, _)| owner != user);
        if !folder.is_some_and(|folder| folder.is_sticky && is_of_others(&folder)) {
            return Ok(());
        }
        let words = "another user owns it, and in its folder only the owner may replace a file";
        let source = io::Error::new(io::ErrorKind::PermissionDenied, words);
        Err(ApplyError::io("replace", path)(source))
    }
}
