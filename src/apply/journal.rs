//! The list of the changes of a run, written before the changes.
//!
//! There is a single list, and its name shows the progress of the run:
//! - `.apply-patch-pending`: the side files and directories that the run makes. No other file was touched; the next run
//!   removes the listed files.
//! - `.apply-patch-journal`: everything is staged, and the patch counts as applied. The next run continues.
//! - `.apply-patch-undo`: a step failed. The next run rolls everything back.
//!
//! So each change of direction is a single rename. The list is in the base root, with the paths of the plan, so that
//! the list stays valid when the root is moved or mounted elsewhere. The contents are checked like a plan, see
//! [`recover`](super::recover). If a foreign list has one of these names, the own list has a mark behind the name, see
//! [`list`](super::list).
//!
//! A list that names files of a further root has an `id`, and each further root contains a *counterpart*: an empty file
//! `.apply-patch-part-ID`. Without the counterpart a list does not apply to that root.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::checksum::Checksum;
use crate::plan::path::STAGE_PREFIX;

/// The longest list, in bytes. 10⁵ files come to some 40 MiB.
pub(super) const LONGEST: u64 = 64 << 20;

const VERSION: u64 = 2;

/// The number of digits of [`fresh_mark`].
const MARK: usize = 16;

/// About as long as a step is, with its side files, in bytes.
const A_STEP: usize = 384;

/// The files that a run makes, and its steps. Paths are those of the plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Journal {
    /// Which counterparts in further roots belong to the list.
    pub(super) id: Option<String>,
    /// All side files.
    pub(super) files: Vec<Utf8PathBuf>,
    /// The folders that have to be made, the outermost first.
    pub(super) folders: Vec<Utf8PathBuf>,
    /// The steps in order; empty if a single step needs no journal.
    pub(super) steps: Vec<Entry>,
}

/// A journal in its file format.
#[derive(Serialize)]
struct Written<'j> {
    version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'j str>,
    files: &'j [Utf8PathBuf],
    folders: &'j [Utf8PathBuf],
    steps: &'j [Entry],
}

/// A journal as parsed. Any other shape ends the parsing at once, before memory is allocated.
#[derive(Deserialize)]
struct Read {
    version: u64,
    #[serde(default)]
    id: Option<String>,
    files: Vec<SideFile>,
    folders: Vec<Utf8PathBuf>,
    steps: Vec<Entry>,
}

/// The path of a side file.
#[derive(Deserialize)]
#[serde(try_from = "Utf8PathBuf")]
struct SideFile(Utf8PathBuf);

impl TryFrom<Utf8PathBuf> for SideFile {
    type Error = &'static str;

    fn try_from(path: Utf8PathBuf) -> Result<Self, Self::Error> {
        if path.file_name().is_some_and(is_side_name) { Ok(SideFile(path)) } else { Err("no side file") }
    }
}

/// A step in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) path: Utf8PathBuf,
    #[serde(serialize_with = "write_was", deserialize_with = "read_was")]
    pub(super) was: Was,
    /// The stage file beside the path. `None`: the path is removed.
    pub(super) staged: Option<Staged>,
    /// The name beside the path under which the old file is kept.
    #[serde(deserialize_with = "side_name")]
    pub(super) kept: String,
}

impl Entry {
    /// Returns whether the checksum of the file is the same before and after the step.
    pub(super) fn keeps_checksum(&self) -> bool {
        matches!((&self.was, &self.staged), (Was::File(was), Some(staged)) if *was == staged.file)
    }
}

/// A stage file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Staged {
    /// The name of the side file.
    #[serde(deserialize_with = "side_name")]
    pub(super) name: String,
    /// The checksum of its content.
    pub(super) file: Checksum,
}

/// What was at a path before the patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Was {
    Nothing,
    File(Checksum),
    /// A link that leads there.
    Link(Utf8PathBuf),
}

impl Journal {
    /// Writes the list.
    ///
    /// # Errors
    /// The list is longer than [`LONGEST`]: no run would read it.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let Journal { id, files, folders, steps } = self;
        let written = Written { version: VERSION, id: id.as_deref(), files, folders, steps };
        let mut bytes = Vec::with_capacity(A_STEP * (steps.len() + 1));
        serde_json::to_writer(&mut bytes, &written)?;
        bytes.push(b'\n');
        if bytes.len() as u64 > LONGEST {
            let words = format!("the list of all changes has {} bytes, more than {LONGEST}", bytes.len());
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, words));
        }
        Ok(bytes)
    }

    /// Parses a list; `None` if the list is damaged, or was not written by a run.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let Read { version, id, files, folders, steps } = serde_json::from_slice(bytes).ok()?;
        let is_ours = version == VERSION && id.as_deref().is_none_or(is_mark);
        let files = files.into_iter().map(|SideFile(path)| path).collect();
        is_ours.then_some(Journal { id, files, folders, steps })
    }

    /// Returns the name of the counterparts in further roots, if the list has any.
    pub(super) fn counterpart(&self) -> Option<String> {
        self.id.as_ref().map(|id| format!("{STAGE_PREFIX}part-{id}"))
    }
}

fn write_was<S: Serializer>(was: &Was, serializer: S) -> Result<S::Ok, S::Error> {
    if *was == Was::Nothing { serializer.serialize_none() } else { was.serialize(serializer) }
}

fn read_was<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Was, D::Error> {
    Ok(Option::<Was>::deserialize(deserializer)?.unwrap_or(Was::Nothing))
}

fn side_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    if is_side_name(&name) { Ok(name) } else { Err(serde::de::Error::custom("no name of a side file")) }
}

/// Returns whether a name is the name of a side file: a run touches no other file as a side file.
pub(super) fn is_side_name(name: &str) -> bool {
    name.strip_prefix(STAGE_PREFIX).is_some_and(is_mark)
}

/// Returns whether a text is a number in the format of [`fresh_mark`].
pub(super) fn is_mark(text: &str) -> bool {
    text.len() == MARK && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns an unpredictable name beside `target`. Short, so that the name fits wherever the name of the target fits.
pub(super) fn fresh_name() -> String {
    let mut name = String::with_capacity(STAGE_PREFIX.len() + MARK);
    name.push_str(STAGE_PREFIX);
    HEXLOWER.encode_append(&random_bytes(), &mut name);
    name
}

/// Returns an unpredictable number, in 16 digits.
pub(super) fn fresh_mark() -> String {
    HEXLOWER.encode(&random_bytes())
}

fn random_bytes() -> [u8; MARK / 2] {
    use std::hash::{BuildHasher, Hasher};

    // Every `RandomState` has its own keys, which are random enough for a name.
    std::collections::hash_map::RandomState::new().build_hasher().finish().to_be_bytes()
}

/// Returns the path of a side file beside a path without `..` at its end. Works on the text, because taking a path
/// apart takes many times as long.
pub(super) fn beside(path: &Utf8Path, name: &str) -> Utf8PathBuf {
    let folder = path.as_str().len() - last_name(path).len();
    [&path.as_str()[..folder], name].concat().into()
}

/// Returns the name behind the last separator.
pub(super) fn last_name(path: &Utf8Path) -> &str {
    let path = path.as_str();
    let separator = path.bytes().rposition(|byte| std::path::is_separator(char::from(byte)));
    separator.map_or(path, |separator| &path[separator + 1..])
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
            id: Some(fresh_mark()),
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
        // As runs of an earlier version wrote the list.
        assert!(!text.contains("\"id\""), "{text}");
    }

    #[test]
    fn a_list_that_no_run_would_read_is_not_written() {
        let long = "x".repeat(1 << 20);
        let journal = Journal { folders: vec![long.into(); 64], ..Journal::default() };
        assert_eq!(journal.to_bytes().unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
