//! Which file a name in the patch means.

use camino::{Utf8Path, Utf8PathBuf};

use super::overlay::Overlay;
use super::path::{self, Borders};
use super::{FailureKind, Files, NameNote, Node};
use crate::patch::{Action, Patch};

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
        let paths = existing.filter_map(|hunk| path::check(&hunk.path, &names.borders).ok());
        let mut prefixed = paths.map(|checked| names.only_without_prefix(&checked.path).is_some()).peekable();
        names.prefixed = prefixed.peek().is_some() && prefixed.all(|prefixed| prefixed);
        names
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
    pub(super) fn of_new(&self, raw: &str) -> Result<Name, FailureKind> {
        self.of_new_where(self.prefixed, raw)
    }

    /// Returns the new name of a file: the first directory is dropped if that of the old name is dropped.
    pub(super) fn of_moved(&self, raw: &str, old: &Name) -> Result<Name, FailureKind> {
        let is_prefix = |note: &NameNote| matches!(note, NameNote::DiffPrefix { .. });
        self.of_new_where(self.prefixed || old.notes.iter().any(is_prefix), raw)
    }

    fn of_new_where(&self, prefixed: bool, raw: &str) -> Result<Name, FailureKind> {
        let name = self.checked(raw)?;
        let missing = |path: &Utf8Path| {
            let first = path.components().next().map(|first| first.as_str().to_owned());
            first.is_some_and(|first| !self.is(Utf8Path::new(&first), |node| *node != Node::Missing))
        };
        Ok(match prefix_dropped(&name.path) {
            Some(path) if prefixed && missing(&name.path) => {
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

    /// Returns the path without `a/` or `b/`, if a file exists there and no file exists at the whole path; otherwise
    /// `None`.
    fn only_without_prefix(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let rest = prefix_dropped(path).filter(|_| !self.literal)?;
        let is_file = |node: &Node| matches!(node, Node::File { .. });
        (!self.is(path, |node| *node != Node::Missing) && self.is(rest, is_file)).then(|| rest.to_owned())
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
