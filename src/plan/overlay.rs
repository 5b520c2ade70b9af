//! The tree as the hunks so far leave the files.
//!
//! Files are identified by the path with links resolved, so that a link and its target are the same file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::{After, Change, Content, FailureKind, Files, Found, Node, NotAFile, Precondition, ReadError};
use crate::text::{Bytes, Document, replaced};

/// Changes over a [`Files`] that is never written to.
pub(super) struct Overlay<'f> {
    files: &'f dyn Files,
    /// Changed files, by identity; removed links, by their own path. The keys are texts, because comparing paths splits
    /// both each time.
    entries: BTreeMap<String, Entry>,
}

/// What was at a path, and what is there now.
struct Entry {
    before: Option<Bytes>,
    now: Now,
}

enum Now {
    Missing,
    /// A link that was removed; the target still exists.
    NoLink,
    File {
        content: Content,
        mode: Mode,
    },
}

/// Which file that is there a new one may replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MayReplace {
    None,
    /// A file of 0 bytes: there is nothing to lose in it. It keeps its mode.
    Empty,
    Any,
}

/// What is at the place of a file that will be added.
#[derive(Debug)]
pub(super) enum Place {
    /// Nothing.
    Free(Target),
    /// This file.
    Taken(Box<File>),
}

impl Place {
    /// Returns the location for a new file.
    pub(super) fn target(self, may_replace: MayReplace) -> Result<Target, FailureKind> {
        let file = match self {
            Place::Free(target) => return Ok(target),
            Place::Taken(file) => file,
        };
        let mode = match may_replace {
            MayReplace::Any => Mode::default(),
            MayReplace::Empty if file.bytes().is_empty() => file.mode,
            _ => return Err(FailureKind::AlreadyExists { earlier: None }),
        };
        Ok(Target { identity: file.identity, before: file.before, mode })
    }
}

/// The mode bits of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Mode {
    /// The path, on the disk, of the file that the bits are taken from.
    pub(super) of: Option<Utf8PathBuf>,
    /// Whether the file is executable, if a hunk sets this.
    pub(super) executable: Option<bool>,
}

impl Mode {
    /// Returns the mode with the executable bit that a hunk sets.
    pub(super) fn with(self, executable: Option<bool>) -> Self {
        Mode { executable: executable.or(self.executable), ..self }
    }
}

/// A file that is there now.
#[derive(Debug, Clone)]
pub(super) struct File {
    pub(super) identity: Utf8PathBuf,
    pub(super) content: Content,
    pub(super) mode: Mode,
    /// Whether the name that led here is a symbolic link.
    pub(super) link: bool,
    before: Option<Bytes>,
}

/// Where a file is to be written.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) identity: Utf8PathBuf,
    /// What was there before the first hunk.
    before: Option<Bytes>,
    /// The mode that a new file has there.
    pub(super) mode: Mode,
}

impl File {
    /// Returns whether the file was there before the patch.
    pub(super) fn was_there(&self) -> bool {
        self.before.is_some()
    }

    /// Returns the location of the file itself.
    pub(super) fn target(&self) -> Target {
        Target { identity: self.identity.clone(), before: self.before.clone(), mode: self.mode.clone() }
    }

    /// Does what [`target`](File::target) does, without copies.
    pub(super) fn into_target(self) -> Target {
        Target { identity: self.identity, before: self.before, mode: self.mode }
    }

    pub(super) fn bytes(&self) -> Bytes {
        match &self.content {
            Content::Bytes(bytes) => bytes.clone(),
            edited @ Content::Edited { .. } => match edited.bytes() {
                Cow::Borrowed(bytes) => Bytes::copy_from_slice(bytes),
                Cow::Owned(bytes) => bytes.into(),
            },
        }
    }

    pub(super) fn document(&self) -> Document {
        match &self.content {
            Content::Bytes(bytes) => Document::new(bytes.clone()),
            Content::Edited { document, replacements } => replaced(document, replacements),
        }
    }
}

impl<'f> Overlay<'f> {
    pub(super) fn new(files: &'f dyn Files) -> Self {
        Overlay { files, entries: BTreeMap::new() }
    }

    /// Returns whether an earlier hunk changed the entry at a path.
    pub(super) fn knows(&self, path: &Utf8Path) -> bool {
        self.entries.contains_key(path.as_str())
    }

    /// Returns the file at a path.
    pub(super) fn file(&self, path: &Utf8Path) -> Result<File, FailureKind> {
        self.file_of(path, self.look_up(path))
    }

    /// Returns the file at a path that was already looked up.
    pub(super) fn file_of(
        &self,
        path: &Utf8Path,
        found: Result<Found, ReadError>,
    ) -> Result<File, FailureKind> {
        if matches!(self.entries.get(path.as_str()), Some(Entry { now: Now::NoLink, .. })) {
            return Err(no_such_file());
        }
        let Found { path: identity, node } = match found {
            Err(ReadError::NotAFolder { .. }) => return Err(no_such_file()),
            found => found?,
        };
        let link = matches!(node, Node::File { link: true, .. });
        match (self.entries.get(identity.as_str()), node) {
            (Some(Entry { now: Now::File { content, mode }, before }), _) => {
                let (content, mode, before) = (content.clone(), mode.clone(), before.clone());
                Ok(File { identity, content, mode, link, before })
            }
            (None, Node::File { bytes, .. }) => {
                let (content, before) = (Content::Bytes(bytes.clone()), Some(bytes));
                let mode = Mode { of: Some(identity.clone()), executable: None };
                Ok(File { identity, content, mode, link, before })
            }
            (None, Node::Missing) if self.holds_files(&identity) => {
                Err(FailureKind::NotAFile { what: NotAFile::Folder })
            }
            (Some(_), _) | (None, Node::Missing) => Err(no_such_file()),
            (None, Node::Folder) => Err(FailureKind::NotAFile { what: NotAFile::Folder }),
            (None, Node::Other(what)) => Err(FailureKind::NotAFile { what: NotAFile::Other(what) }),
        }
    }

    /// Returns the file at a path before the patch; for a file that the patch added, its current state.
    pub(super) fn original(&self, path: &Utf8Path) -> Result<File, FailureKind> {
        let before = self.look_up(path).ok().and_then(|found| {
            let bytes = self.entries.get(found.path.as_str())?.before.clone()?;
            Some((found.path, bytes))
        });
        let Some((identity, bytes)) = before else { return self.file(path) };
        let mode = Mode { of: Some(identity.clone()), executable: None };
        let content = Content::Bytes(bytes.clone());
        Ok(File { identity, content, mode, link: false, before: Some(bytes) })
    }

    /// Returns the location of a file that will be added at a path.
    pub(super) fn target(&self, path: &Utf8Path, may_replace: MayReplace) -> Result<Target, FailureKind> {
        self.place(path)?.target(may_replace)
    }

    /// Returns what is at a path where a file will be added.
    pub(super) fn place(&self, path: &Utf8Path) -> Result<Place, FailureKind> {
        match self.file(path) {
            Ok(file) => return Ok(Place::Taken(Box::new(file))),
            Err(FailureKind::NoSuchFile { .. }) => {}
            Err(kind) => return Err(kind),
        }
        let identity = self.look_up(path)?.path;
        let own = self.own_path(path)?;
        if matches!(self.entries.get(own.as_str()), Some(Entry { now: Now::NoLink, .. })) {
            return Err(FailureKind::NotAFile { what: NotAFile::RemovedLink });
        }
        // A link that points at nothing.
        if own != identity {
            return Err(FailureKind::AlreadyExists { earlier: None });
        }
        let before = self.entries.get(identity.as_str()).and_then(|entry| entry.before.clone());
        Ok(Place::Free(Target { identity, before, mode: Mode::default() }))
    }

    /// Writes a file.
    pub(super) fn write(&mut self, target: Target, content: Content, mode: Mode) {
        self.set(target.identity, target.before, Now::File { content, mode });
    }

    /// Sets the content of a file, and its identity to that of the target.
    pub(super) fn rename(&mut self, file: File, target: Target, content: Content) {
        if file.identity != target.identity {
            self.set(file.identity, file.before, Now::Missing);
        }
        self.write(target, content, file.mode);
    }

    /// Removes what is at a path; of a link the link.
    pub(super) fn remove(&mut self, path: &Utf8Path, file: File) -> Result<(), FailureKind> {
        if file.link {
            let own = self.own_path(path)?;
            self.set(own, Some(file.bytes()), Now::NoLink);
        } else {
            self.set(file.identity, file.before, Now::Missing);
        }
        Ok(())
    }

    fn set(&mut self, identity: Utf8PathBuf, before: Option<Bytes>, now: Now) {
        self.entries.insert(identity.into_string(), Entry { before, now });
    }

    /// Returns the entry in the underlying files, unless a file that an earlier hunk added is in the way.
    pub(super) fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        self.overlaid(path, self.files.look_up(path))
    }

    /// Returns the entries at many paths.
    pub(super) fn look_up_all(&self, paths: &[&Utf8Path]) -> Vec<Result<Found, ReadError>> {
        let found = self.files.look_up_all(paths).into_iter();
        found.zip(paths).map(|(found, path)| self.overlaid(path, found)).collect()
    }

    fn overlaid(&self, path: &Utf8Path, found: Result<Found, ReadError>) -> Result<Found, ReadError> {
        let file = |at: &&Utf8Path| {
            matches!(self.entries.get(at.as_str()), Some(Entry { now: Now::File { .. }, .. }))
        };
        if let Some(at) = path.ancestors().skip(1).find(file) {
            return Err(ReadError::NotAFolder { path: path.to_owned(), at: at.to_owned() });
        }
        let found = found?;
        if found.path.as_str() == path.as_str() {
            return Ok(found);
        }
        // A `Files` implementation may spell the same path in two ways.
        Ok(Found { path: found.path.components().collect(), ..found })
    }

    /// Returns the files that earlier hunks added or changed.
    pub(super) fn written(&self) -> impl Iterator<Item = &Utf8Path> {
        let files = self.entries.iter().filter(|(_, entry)| matches!(entry.now, Now::File { .. }));
        files.map(|(path, _)| Utf8Path::new(path))
    }

    /// Returns whether earlier hunks added files below a path.
    fn holds_files(&self, path: &Utf8Path) -> bool {
        let folder = if path.as_str().is_empty() { String::new() } else { format!("{path}/") };
        let mut below = self.entries.range(folder.clone()..).take_while(|(key, _)| key.starts_with(&folder));
        below.any(|(_, entry)| matches!(entry.now, Now::File { .. }))
    }

    /// Returns a path with the links in its directories resolved, but not a link at the path itself.
    fn own_path(&self, path: &Utf8Path) -> Result<Utf8PathBuf, FailureKind> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Ok(path.to_owned());
        };
        Ok(self.look_up(parent)?.path.join(name))
    }

    /// Returns the net change to each path.
    pub(super) fn into_changes(self) -> Vec<Change> {
        self.entries.into_iter().filter_map(|(path, entry)| change(path.into(), entry)).collect()
    }
}

fn no_such_file() -> FailureKind {
    FailureKind::NoSuchFile { similar: Vec::new(), earlier: None }
}

fn change(path: Utf8PathBuf, entry: Entry) -> Option<Change> {
    let before = entry.before.map_or(Precondition::MustNotExist, Precondition::MustBe);
    let after = match entry.now {
        Now::Missing | Now::NoLink if before == Precondition::MustNotExist => return None,
        Now::Missing | Now::NoLink => After::Gone,
        Now::File { content, mode: Mode { of, executable } } => {
            let mode_of = of.filter(|of| *of != path);
            After::File { content, mode_of, executable }
        }
    };
    Some(Change { path, before, after })
}

#[cfg(test)]
mod tests {
    use crate::format::{self, parse};
    use crate::plan::{Files, Found, Node, Options, ReadError, plan};
    use camino::Utf8Path;

    /// A file that is found under two names, and spelt in two ways.
    struct Linked;

    impl Files for Linked {
        fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
            let path = if path == "link" { "folder//file".into() } else { path.to_owned() };
            Ok(Found { path, node: Node::File { bytes: "one\ntwo\n".into(), link: false } })
        }

        fn names(&self, _: &Utf8Path) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn a_path_that_is_spelt_in_two_ways_is_one_file() {
        let hunk =
            |path: &str, old: &str, new: &str| format!("*** Update File: {path}\n@@\n-{old}\n+{new}\n");
        let hunks = hunk("folder/file", "one", "1") + &hunk("link", "two", "2");
        let text = format!("*** Begin Patch\n{hunks}*** End Patch\n");
        let parsed = parse(&text, &format::Options::default());
        let plan = plan(&parsed.patch, &Linked, &Options::default()).unwrap();
        assert_eq!(plan.changes.len(), 1);
        let crate::plan::After::File { content, .. } = &plan.changes[0].after else { panic!("it is gone") };
        assert_eq!(&*content.bytes(), b"1\n2\n");
    }
}
