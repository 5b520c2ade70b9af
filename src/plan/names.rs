//! Which file a name in the patch means.

use camino::{Utf8Path, Utf8PathBuf};

use super::overlay::Overlay;
use super::path::{self, Borders, Outside, PathError};
use super::{FailureKind, Files, NameNote, Node};
use crate::patch::{Action, Hunk, Patch};

/// A name that was read.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) path: Utf8PathBuf,
    pub(super) notes: Vec<NameNote>,
}

/// What a name may have too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extra {
    Nothing,
    /// The first folder of a unified diff.
    Prefix,
    /// A slash, as if the root was the root of the file system.
    Slash,
    /// Backticks, quotation marks or stars around the name.
    Marks,
}

/// Resolves the names of a patch.
pub(super) struct Names<'f> {
    files: &'f dyn Files,
    borders: Borders,
    /// What all names of files that are there have too much.
    extra: Extra,
    /// Whether names are used unchanged.
    literal: bool,
}

impl<'f> Names<'f> {
    pub(super) fn new(patch: &Patch<'_>, files: &'f dyn Files, literal: bool) -> Self {
        let mut names = Names { files, borders: Borders::of(files), extra: Extra::Nothing, literal };
        let existing = patch.hunks.iter().filter(|hunk| !matches!(hunk.action, Action::Add(_)));
        let existing = existing.filter(|hunk| hunk.dialect.may_prefix_names());
        let mut extras = existing.filter_map(|hunk| names.extra_of(&hunk.path));
        let first = extras.next().unwrap_or(Extra::Nothing);
        // Almost always the first name shows that nothing is too much, and the others are not read.
        let is_of_all = first != Extra::Nothing && extras.all(|extra| extra == first);
        names.extra = if is_of_all { first } else { Extra::Nothing };
        names
    }

    /// Returns what the name of a file that is there has too much; `None` for a name that is refused.
    fn extra_of(&self, raw: &str) -> Option<Extra> {
        if self.only_without_marks(raw).is_some() {
            return Some(Extra::Marks);
        }
        let Ok(checked) = path::check(raw, &self.borders) else {
            return self.only_without_slash(raw).map(|_| Extra::Slash);
        };
        let without = self.only_without_prefix(&checked.path);
        Some(without.map_or(Extra::Nothing, |_| Extra::Prefix))
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
        let name = match self.checked(raw) {
            Ok(name) => name,
            Err(refusal) => {
                let without = self.only_without_slash(raw).or_else(|| self.only_without_marks(raw));
                return without.ok_or(refusal);
            }
        };
        if overlay.knows(&name.path) {
            return Ok(name);
        }
        Ok(match self.only_without_prefix(&name.path) {
            Some(path) => without_prefix(name, path, raw),
            None => self.only_without_marks(raw).unwrap_or(name),
        })
    }

    /// Returns the name of a file that will be added. Its first directory, the slash at its beginning or the marks around it are
    /// dropped only if those of every other file of the patch are dropped.
    pub(super) fn of_new(&self, hunk: &Hunk<'_>) -> Result<Name, FailureKind> {
        let extra = if hunk.dialect.may_prefix_names() { self.extra } else { Extra::Nothing };
        self.of_new_with(extra, &hunk.path)
    }

    /// Returns the new name of a file: what is dropped of the old name is dropped of the new name.
    pub(super) fn of_moved(&self, raw: &str, old: &Name) -> Result<Name, FailureKind> {
        let extra = old.notes.iter().find_map(|note| match note {
            NameNote::DiffPrefix { .. } => Some(Extra::Prefix),
            NameNote::RootSlash { .. } => Some(Extra::Slash),
            NameNote::Marks { .. } => Some(Extra::Marks),
            NameNote::Repaired(_) => None,
        });
        self.of_new_with(extra.unwrap_or(Extra::Nothing), raw)
    }

    fn of_new_with(&self, extra: Extra, raw: &str) -> Result<Name, FailureKind> {
        if let Some(name) = self.without_marks(raw).filter(|_| extra == Extra::Marks) {
            return Ok(name);
        }
        let name = match self.checked(raw) {
            Ok(name) => name,
            Err(refusal) => {
                let without = self.without_slash(raw).filter(|_| extra == Extra::Slash);
                return without.ok_or(refusal);
            }
        };
        Ok(match prefix_dropped(&name.path) {
            Some(path) if extra == Extra::Prefix && self.lacks_first_folder(&name.path) => {
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
        (self.lacks_first_folder(path) && self.is_file(rest)).then(|| rest.to_owned())
    }

    /// Returns the name without the slash at its beginning, if a file of that name exists, and no other reading of the name does: the
    /// machine has nothing at the first folder of the absolute name, and no shorter end of the name is a file here, as it is if the
    /// name begins with the root of another machine.
    fn only_without_slash(&self, raw: &str) -> Option<Name> {
        let name = self.without_slash(raw)?;
        let path = name.path.as_str();
        let mut ends = path.match_indices('/').map(|(at, _)| Utf8Path::new(&path[at + 1..]));
        let is_one = self.is_file(&name.path) && !ends.any(|end| self.is_file(end));
        is_one.then_some(name)
    }

    /// Returns the name without the slash at its beginning, if the absolute name is in no root, and nothing is at its first folder.
    fn without_slash(&self, raw: &str) -> Option<Name> {
        let checked = path::check(raw, &self.borders);
        let is_outside = matches!(checked, Err(PathError::OutsideRoot { reason: Outside::Absolute, .. }));
        let rest = raw.strip_prefix('/').filter(|_| is_outside && !self.literal)?;
        // A name that needs another repair is none that has only a slash too much.
        let checked = path::check(rest, &self.borders).ok().filter(|checked| checked.path == rest)?;
        let first = Utf8Path::new("/").join(checked.path.components().next()?);
        let notes = vec![NameNote::RootSlash { name: raw.to_owned() }];
        self.files.is_free_outside(&first).then_some(Name { path: checked.path, notes })
    }

    /// Returns the name without the marks around it, if a file of that name exists, and none whose name has the marks.
    fn only_without_marks(&self, raw: &str) -> Option<Name> {
        let name = self.without_marks(raw).filter(|name| self.is_file(&name.path))?;
        let marked = path::check(raw, &self.borders);
        (!marked.is_ok_and(|marked| self.is_file(&marked.path))).then_some(name)
    }

    /// Returns the name without the marks around it; `None` if there are none.
    fn without_marks(&self, raw: &str) -> Option<Name> {
        let inner = marks_dropped(raw).filter(|_| !self.literal)?;
        let mut name = self.checked(inner).ok()?;
        name.notes.push(NameNote::Marks { name: raw.to_owned() });
        Some(name)
    }

    fn is_file(&self, path: &Utf8Path) -> bool {
        self.is(path, |node| matches!(node, Node::File { .. }))
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

/// Returns a name without the backticks, quotation marks or stars around it; `None` if there are none.
pub(super) fn marks_dropped(name: &str) -> Option<&str> {
    let inside = |mark: &&str| {
        let inner = name.strip_prefix(*mark)?.strip_suffix(*mark)?.trim();
        (!inner.is_empty() && !inner.contains(*mark)).then_some(inner)
    };
    ["`", "\"", "'", "**"].iter().find_map(inside)
}

fn without_prefix(name: Name, path: Utf8PathBuf, raw: &str) -> Name {
    let mut notes = name.notes;
    notes.push(NameNote::DiffPrefix { name: raw.to_owned() });
    Name { path, notes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Options as Reading, parse};
    use crate::plan::{self, Found, Options, ReadError};

    /// A tree with a single file, `src/a.rs`, on a machine that has some folders.
    struct Machine(&'static [&'static str]);

    impl Files for Machine {
        fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
            let bytes = || b"one\n".to_vec().into();
            let node =
                if path == "src/a.rs" { Node::File { bytes: bytes(), link: false } } else { Node::Missing };
            Ok(Found { path: path.to_owned(), node })
        }

        fn is_free_outside(&self, path: &Utf8Path) -> bool {
            assert_eq!(path.components().count(), 2, "only the first folder is looked at");
            !self.0.contains(&path.as_str())
        }
    }

    fn code(files: &dyn Files) -> Option<&'static str> {
        let text = "*** Begin Patch\n*** Update File: /src/a.rs\n@@\n-one\n+two\n*** End Patch\n";
        let parsed = parse(text, &Reading::default());
        let outcome = plan::plan(&parsed.patch, files, &Options::default());
        outcome.err().map(|failed| failed.failures[0].kind.code())
    }

    #[test]
    fn a_slash_is_dropped_only_if_the_machine_has_nothing_there() {
        assert_eq!(code(&Machine(&["/etc"])), None);
        assert_eq!(code(&Machine(&["/etc", "/src"])), Some("outside-root"));
        let unknown = std::collections::BTreeMap::from([(Utf8PathBuf::from("src/a.rs"), b"one\n".to_vec())]);
        assert_eq!(code(&unknown), Some("outside-root"), "a view that knows no machine");
    }
}
