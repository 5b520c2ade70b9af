//! The lists of interrupted runs: their names, and their owners.
//!
//! A list is a file in the tree, so a hostile tree may contain a list, and another user of a shared directory may
//! create a list. A list counts only if this user wrote the file: the file belongs to this user, is private, and has a
//! single name. Archives and version control set different modes. Every other list is ignored, and a run that finds
//! such a list uses a different name.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::journal::{fresh_mark, is_mark};
use super::{ApplyError, Roots};
use crate::fs::{Attributes, Fs, Kind, Meta, NewFile, NewMode};
use crate::plan::path::STAGE_PREFIX;

/// The bits of a mode that give rights to anybody but the owner.
const OF_OTHERS: u32 = 0o077;

/// How far the run of a list has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// A step failed: everything is to be put back.
    Undo,
    /// The patch counts as applied.
    Journal,
    /// Only side files and folders have been made.
    Pending,
}

impl State {
    const ALL: [State; 3] = [State::Undo, State::Journal, State::Pending];

    fn word(self) -> &'static str {
        match self {
            State::Undo => "undo",
            State::Journal => "journal",
            State::Pending => "pending",
        }
    }
}

/// The name of a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct List {
    pub(super) state: State,
    /// Distinguishes the list from a foreign list with the usual name.
    mark: Option<String>,
}

impl List {
    fn usual(state: State) -> Self {
        List { state, mark: None }
    }

    /// Returns a list with an unpredictable name.
    fn marked() -> Self {
        List { state: State::Pending, mark: Some(fresh_mark()) }
    }

    pub(super) fn name(&self) -> String {
        let mark = self.mark.as_ref().map(|mark| format!("-{mark}")).unwrap_or_default();
        format!("{STAGE_PREFIX}{}{mark}", self.state.word())
    }

    /// Parses a name; `None` for a name that no list has.
    fn parse(name: &str) -> Option<Self> {
        let rest = name.strip_prefix(STAGE_PREFIX)?;
        let (word, mark) = rest.split_once('-').map_or((rest, None), |(word, mark)| (word, Some(mark)));
        let state = State::ALL.into_iter().find(|state| state.word() == word)?;
        mark.is_none_or(is_mark).then(|| List { state, mark: mark.map(str::to_owned) })
    }

    /// Returns the name of the same list in another state.
    pub(super) fn in_state(&self, state: State) -> Self {
        List { state, mark: self.mark.clone() }
    }
}

/// The lists of a root.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The list of an interrupted run of this user that comes first.
    pub(super) own: Option<List>,
    /// The names of all foreign lists.
    pub(super) foreign: Vec<Foreign>,
}

/// A list that no run of this user wrote.
#[derive(Debug)]
pub(super) struct Foreign {
    pub(super) name: Utf8PathBuf,
    /// Whether the file belongs to this user, so that it came with the tree.
    pub(super) is_of_user: bool,
}

impl Lists {
    /// Returns the name for the list of a new run.
    pub(super) fn next(&self) -> List {
        if self.foreign.is_empty() { List::usual(State::Pending) } else { List::marked() }
    }

    pub(super) fn foreign_names(&self) -> Vec<Utf8PathBuf> {
        self.foreign.iter().map(|foreign| foreign.name.clone()).collect()
    }
}

impl Roots {
    /// Finds the lists in the base root. In a folder where only this user makes files, the usual names are looked up.
    pub(super) fn lists(&self) -> Result<Lists, ApplyError> {
        if self.is_shared()? {
            return self.all_lists();
        }
        let lists = self.lists_of(State::ALL.map(List::usual).to_vec())?;
        // A run that found a foreign list has its own name.
        if lists.foreign.is_empty() { Ok(lists) } else { self.all_lists() }
    }

    /// Finds the lists of all names in the base root.
    pub(super) fn all_lists(&self) -> Result<Lists, ApplyError> {
        let mut named: Vec<List> = match self.fs.names(self.base()) {
            Ok(names) => names.iter().filter_map(|name| List::parse(name)).collect(),
            // A folder may be entered and not listed.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                State::ALL.map(List::usual).to_vec()
            }
            Err(error) => return Err(ApplyError::io("look at", self.base())(error)),
        };
        named.sort_unstable();
        self.lists_of(named)
    }

    fn lists_of(&self, named: Vec<List>) -> Result<Lists, ApplyError> {
        let mut lists = Lists::default();
        for list in named {
            let path = self.list_path(&list);
            let Some(meta) = self.fs.look(&path).map_err(ApplyError::io("look at", &path))? else { continue };
            if !self.is_own(&path, &meta)? {
                let is_of_user = self.is_of_user(&meta);
                lists.foreign.push(Foreign { name: list.name().into(), is_of_user });
            } else if lists.own.is_none() {
                lists.own = Some(list);
            }
        }
        Ok(lists)
    }

    pub(super) fn list_path(&self, list: &List) -> Utf8PathBuf {
        self.base().join(list.name())
    }

    /// Returns whether other users may create files in the base root.
    fn is_shared(&self) -> Result<bool, ApplyError> {
        let meta = self.fs.look(self.base()).map_err(ApplyError::io("look at", self.base()))?;
        Ok(meta.is_some_and(|meta| !self.is_of_user(&meta) || meta.attributes.mode & 0o022 != 0))
    }

    fn is_of_user(&self, meta: &Meta) -> bool {
        let owner = meta.attributes.owner.zip(self.fs.user());
        owner.is_none_or(|((owner, _), user)| owner == user)
    }

    /// Returns whether a run of this user wrote a private file.
    pub(super) fn is_own(&self, path: &Utf8Path, meta: &Meta) -> Result<bool, ApplyError> {
        if meta.kind != Kind::File || meta.links > 1 {
            return Ok(false);
        }
        let is_private = |meta: &Meta| {
            let has_modes = meta.attributes.owner.is_some();
            !has_modes || self.is_of_user(meta) && meta.attributes.mode & OF_OTHERS == 0
        };
        if is_private(meta) {
            return Ok(true);
        }
        // A file system may assign the same mode or owner to all files.
        let Some(probe) = self.probe(path)? else { return Ok(false) };
        Ok(!is_private(&probe) && probe.attributes == meta.attributes)
    }

    /// Returns the metadata of a private file in the directory of a path; `None` if no file can be created.
    fn probe(&self, path: &Utf8Path) -> Result<Option<Meta>, ApplyError> {
        let probe = path.with_file_name(format!("{STAGE_PREFIX}{}", fresh_mark()));
        let made = create_private(&*self.fs, &probe).and_then(|file| file.finish(false));
        let seen = made.and_then(|()| self.fs.look(&probe));
        match self.fs.remove_file(&probe) {
            Err(error) if error.kind() != io::ErrorKind::NotFound && seen.is_ok() => {
                Err(ApplyError::io("remove", &probe)(error))
            }
            _ => Ok(seen.ok().flatten()),
        }
    }
}

/// Creates a private file.
pub(super) fn create_private(fs: &dyn Fs, path: &Utf8Path) -> io::Result<Box<dyn NewFile>> {
    fs.create(path, NewMode::Like(Attributes { mode: 0o600, owner: None, is_plain: true }), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_parsed_as_it_was_made() {
        for list in [List::usual(State::Undo), List::marked(), List::marked().in_state(State::Journal)] {
            assert_eq!(List::parse(&list.name()), Some(list));
        }
        assert_eq!(List::usual(State::Journal).name(), ".apply-patch-journal");
        for other in
            [".apply-patch-0123456789abcdef", ".apply-patch-journal-", ".apply-patch-undo-12", "journal"]
        {
            assert_eq!(List::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_run_that_is_to_be_put_back_comes_first() {
        let mut lists = [List::marked(), List::usual(State::Journal), List::usual(State::Undo)];
        lists.sort_unstable();
        assert_eq!(lists.map(|list| list.state), State::ALL);
    }
}
