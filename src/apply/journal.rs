//! What a run is about to do, written down before it does it.
//!
//! There is one list, and its name says how far the run has come:
//! - `.apply-patch-pending`: the side files and folders that the run makes. Nothing else has been touched;
//!   whoever finds it removes them.
//! - `.apply-patch-journal`: everything is staged, and from here on the patch counts as applied. Whoever
//!   finds it goes on.
//! - `.apply-patch-undo`: a step failed. Whoever finds it puts everything back.
//!
//! So each change of direction is one rename. The list is in the base root; paths in it are as a plan has
//! them, so that it stays good when the root is moved or mounted elsewhere. It is a file in the tree, and
//! somebody hostile may have put it there: what it says is checked like a plan, see
//! [`recover`](super::recover).

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::checksum::Checksum;
use crate::plan::path::STAGE_PREFIX;

/// The list of what will have to be removed if the run goes no further.
pub(super) const PENDING: &str = ".apply-patch-pending";
/// The list once the patch counts as applied.
pub(super) const JOURNAL: &str = ".apply-patch-journal";
/// The list once the patch is to be undone.
pub(super) const UNDO: &str = ".apply-patch-undo";

/// A longer list is none of ours: 10⁵ files come to some 40 MiB.
pub(super) const LONGEST: u64 = 256 << 20;

const VERSION: u64 = 2;

/// What a run makes, and does. Paths are as a plan has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Journal {
    /// All side files.
    pub(super) files: Vec<Utf8PathBuf>,
    /// The folders that have to be made, the outermost first.
    pub(super) folders: Vec<Utf8PathBuf>,
    /// The steps in the order in which they are taken; none where a single one needs no journal.
    pub(super) steps: Vec<Entry>,
}

/// A journal, as it is written.
#[derive(Serialize)]
struct List<'j> {
    version: u64,
    files: &'j [Utf8PathBuf],
    folders: &'j [Utf8PathBuf],
    steps: &'j [Entry],
}

/// A step, as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Entry {
    pub(super) path: Utf8PathBuf,
    #[serde(serialize_with = "was")]
    pub(super) was: Was,
    /// The stage file beside the path. `None`: the path is removed.
    pub(super) staged: Option<Staged>,
    /// The name beside the path under which the old file is kept.
    pub(super) kept: String,
}

/// A stage file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Staged {
    /// Its name.
    pub(super) name: String,
    /// What it holds.
    pub(super) file: Checksum,
}

/// What was at a path before the patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Was {
    Nothing,
    File(Checksum),
    /// A link that leads there.
    Link(Utf8PathBuf),
}

impl Journal {
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let Journal { files, folders, steps } = self;
        let mut bytes = serde_json::to_vec(&List { version: VERSION, files, folders, steps })?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads a list; `None` where it is damaged, or none of ours.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let list: Value = serde_json::from_str(str::from_utf8(bytes).ok()?).ok()?;
        if list["version"] != VERSION {
            return None;
        }
        let paths = |key: &str| list[key].as_array()?.iter().map(path).collect::<Option<Vec<_>>>();
        let steps = list["steps"].as_array()?.iter().map(Entry::from_value).collect::<Option<_>>()?;
        let journal = Journal { files: paths("files")?, folders: paths("folders")?, steps };
        journal.files.iter().all(|file| file.file_name().is_some_and(is_side_name)).then_some(journal)
    }
}

impl Entry {
    fn from_value(value: &Value) -> Option<Self> {
        let checksum = |value: &Value| Checksum::parse(value.as_str()?);
        let was = match &value["was"] {
            Value::Null => Was::Nothing,
            was => match path(&was["link"]) {
                Some(target) => Was::Link(target),
                None => Was::File(checksum(&was["file"])?),
            },
        };
        let staged = match &value["staged"] {
            Value::Null => None,
            staged => Some(Staged { name: side_name(&staged["name"])?, file: checksum(&staged["file"])? }),
        };
        Some(Entry { path: path(&value["path"])?, was, staged, kept: side_name(&value["kept"])? })
    }
}

fn was<S: Serializer>(was: &Was, serializer: S) -> Result<S::Ok, S::Error> {
    if *was == Was::Nothing { serializer.serialize_none() } else { was.serialize(serializer) }
}

fn path(value: &Value) -> Option<Utf8PathBuf> {
    value.as_str().map(Utf8PathBuf::from)
}

fn side_name(value: &Value) -> Option<String> {
    value.as_str().filter(|name| is_side_name(name)).map(str::to_owned)
}

/// Whether a name is one that a run makes up: no other file is ever touched as a side file.
pub(super) fn is_side_name(name: &str) -> bool {
    name.strip_prefix(STAGE_PREFIX).is_some_and(|rest| {
        rest.len() == 16 && rest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// A name beside `target` that nobody can foresee. Short, so that it fits where the target's name does.
pub(super) fn fresh_name() -> String {
    use std::hash::{BuildHasher, Hasher};

    // Every `RandomState` has keys of its own, which is randomness enough for a name.
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{STAGE_PREFIX}{random:016x}")
}

/// A side file, as the plan would name it.
pub(super) fn beside(path: &Utf8Path, name: &str) -> Utf8PathBuf {
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_is_read_as_it_was_written() {
        let checksum = Checksum::of(b"x");
        let entry = |path: &str, was, staged: bool| Entry {
            path: path.into(),
            was,
            staged: staged.then(|| Staged { name: fresh_name(), file: checksum }),
            kept: fresh_name(),
        };
        let journal = Journal {
            files: vec![beside("a/b\n\"c\"".into(), &fresh_name())],
            folders: vec!["a".into(), "a/é".into()],
            steps: vec![
                entry("a/b\n\"c\"", Was::Nothing, true),
                entry("x", Was::File(checksum), true),
                entry("/further/y", Was::Link("../z".into()), false),
            ],
        };
        assert_eq!(Journal::from_bytes(&journal.to_bytes().unwrap()), Some(journal));
    }

    #[test]
    fn what_is_damaged_or_names_other_files_is_no_journal() {
        let whole = Journal { files: vec![fresh_name().into()], ..Journal::default() };
        let bytes = whole.to_bytes().unwrap();
        assert!(Journal::from_bytes(&bytes).is_some());
        for len in 0..bytes.len() - 1 {
            assert_eq!(Journal::from_bytes(&bytes[..len]), None, "{len} bytes");
        }
        let text = String::from_utf8(bytes).unwrap();
        for bad in [text.replace("\"version\":2", "\"version\":1"), text.replace(".apply-patch-", ".env-")] {
            assert_eq!(Journal::from_bytes(bad.as_bytes()), None, "{bad}");
        }
    }
}
