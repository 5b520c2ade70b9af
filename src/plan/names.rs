//! Which file a name in the patch means.

use camino::{Utf8Path, Utf8PathBuf};

use super::overlay::Overlay;
use super::path::{self, Borders};
use super::{FailureKind, Files, NameNote, Node};
use crate::patch::{Action, Hunk, Patch};

/// A name that was read.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) path: Utf8PathBuf,
    pub(super) notes: Vec<NameNote>,
}

/// Resolves the names of a patch.
pub(super) struct Names<'f> {
    files: &'f dyn Files,
    borders: Borders,
    /// Whether the names of files that are there carry the first folder of a unified diff.
    prefixed: bool,
    /// Whether names are used unchanged.
    literal: bool,
}

impl<'f> Names<'f> {
    pub(super) fn new(patch: &Patch<'_>, files: &'f dyn Files, literal: bool) -> Self {
        let mut names = Names { files, borders: Borders::of(files), prefixed: false, literal };
        let existing = patch.hunks.iter().filter(|hunk| !matches!(hunk.action, Action::Add(_)));
        let existing = existing.filter(|hunk| hunk.dialect.may_prefix_names());
        let paths = existing.filter_map(|hunk| path::check(&hunk.path, &names.borders).ok());
        let mut prefixed = paths.map(|checked| names.only_without_prefix(&checked.path).is_some()).peekable();
        names.prefixed = prefixed.peek().is_some() && prefixed.all(|prefixed| prefixed);
        names
    }

    /// Returns the name of the file of a hunk, which must exist.
    pub(super) fn of_hunk(&self, hunk: &Hunk<'_>, overlay: &Overlay<'_>) -> Result<Name, FailureKind> {
        if hunk.dialect.may_prefix_names() {
            self.of_existing(&hunk.path, overlay)
        } else {
            self.checked(&hunk.path)
        }
    }

    /// Returns the name of a file that must exist.
    pub(super) fn of_existing(&self, raw: &str, overlay: &Overlay<'_>) -> Result<Name, FailureKind> {
        let name = self.checked(raw)?;
        if overlay.knows(&name.path) {
            return Ok(name);
        }
        Ok(match self.only_without_prefix(&name.path) {
            Some(path) => without_prefix(name, path, raw),
            None => name,
        })
    }

    /// Returns the name of a file that will be added. Its first directory is dropped only if the first directory of
    /// every other file of the patch is dropped, and does not exist.
    pub(super) fn of_new(&self, hunk: &Hunk<'_>) -> Result<Name, FailureKind> {
        self.of_new_where(self.prefixed && hunk.dialect.may_prefix_names(), &hunk.path)
    }

    /// Returns the new name of a file: the first directory is dropped if that of the old name is dropped.
    pub(super) fn of_moved(&self, raw: &str, old: &Name) -> Result<Name, FailureKind> {
        let is_prefix = |note: &NameNote| matches!(note, NameNote::DiffPrefix { .. });
        self.of_new_where(old.notes.iter().any(is_prefix), raw)
    }

    fn of_new_where(&self, prefixed: bool, raw: &str) -> Result<Name, FailureKind> {
        let name = self.checked(raw)?;
        Ok(match prefix_dropped(&name.path) {
            Some(path) if prefixed && self.lacks_first_folder(&name.path) => {
                let path = path.to_owned();
                without_prefix(name, path, raw)
            }
            _ => name,
        })
    }

    fn checked(&self, raw: &str) -> Result<Name, FailureKind> {
        let checked = path::check(raw, &self.borders)?;
        if let Some(repair) = checked.repairs.first().filter(|_| self.literal) {
            return Err(FailureKind::Repaired { note: NameNote::Repaired(*repair) });
        }
        let notes = checked.repairs.into_iter().map(NameNote::Repaired).collect();
        Ok(Name { path: checked.path, notes })
    }

    /// Returns the path without `a/` or `b/`, if a file exists there and that first folder does not exist; otherwise
    /// `None`. A folder that exists is part of the name: its file is gone, and the file outside is another file.
    fn only_without_prefix(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let rest = prefix_dropped(path).filter(|_| !self.literal)?;
        let is_file = |node: &Node| matches!(node, Node::File { .. });
        (self.lacks_first_folder(path) && self.is(rest, is_file)).then(|| rest.to_owned())
    }

    /// Checks whether nothing exists at the first folder of a path.
    fn lacks_first_folder(&self, path: &Utf8Path) -> bool {
        let first = path.components().next().map(|first| Utf8Path::new(first.as_str()));
        first.is_some_and(|first| self.is(first, |node| *node == Node::Missing))
    }

    fn is(&self, path: &Utf8Path, test: impl Fn(&Node) -> bool) -> bool {
        self.files.look_up(path).is_ok_and(|found| test(&found.node))
    }
}

/// Returns a checked path without `a/` or `b/`; `None` if the path does not begin so.
pub(super) fn prefix_dropped(path: &Utf8Path) -> Option<&Utf8Path> {
    let path = path.as_str();
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).map(Utf8Path::new)
}

fn without_prefix(name: Name, path: Utf8PathBuf, raw: &str) -> Name {
    let mut notes = name.notes;
    notes.push(NameNote::DiffPrefix { name: raw.to_owned() });
    Name { path, notes }
}
