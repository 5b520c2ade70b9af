//! The files of a row in memory: how their names and contents were given, so that the answer gives them back alike.

use std::collections::BTreeMap;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::row::{Answer, Changed, Given};
use crate::plan::{HunkKind, HunkReport};
use crate::run::{Outcome, Report};
use crate::text::Bytes;

/// Files by their plain names, with what is remembered of each.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The files, by plain names such as `a/b.py`.
    pub(super) files: BTreeMap<Utf8PathBuf, Bytes>,
    /// The name that was given for a plain name, where the two differ: `./a/b.py`.
    spelled: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    /// The files that were given as bytes, by their plain names, sorted.
    as_bytes: Vec<Utf8PathBuf>,
    /// Whether there are files, and all were given as bytes: a new file is then given as bytes, too.
    only_bytes: bool,
    /// The name and the content of the only file, if the row has one text.
    one: Option<(Utf8PathBuf, Given)>,
}

impl Memory {
    /// Takes files in. Fails with words if two names are the same file.
    pub(super) fn of(files: BTreeMap<Utf8PathBuf, Given>) -> Result<Self, String> {
        let mut memory = Memory::default();
        for (name, Given { bytes, is_text }) in files {
            let plain: Utf8PathBuf =
                name.components().filter(|part| *part != Utf8Component::CurDir).collect();
            if memory.files.insert(plain.clone(), bytes).is_some() {
                return Err(format!("two files have the name {:?}", plain.as_str()));
            }
            if !is_text {
                memory.as_bytes.push(plain.clone());
            }
            if plain.as_str() != name.as_str() {
                memory.spelled.insert(plain, name);
            }
        }
        memory.as_bytes.sort_unstable();
        memory.only_bytes = !memory.files.is_empty() && memory.as_bytes.len() == memory.files.len();
        Ok(memory)
    }

    /// Takes the only file of a row in.
    pub(super) fn of_one(path: Utf8PathBuf, text: Given) -> Result<Self, String> {
        let memory = Memory::of([(path.clone(), text.clone())].into_iter().collect())?;
        Ok(Memory { one: Some((path, text)), ..memory })
    }

    /// Makes the answer of a report, and moves the contents from the report into the answer.
    pub(super) fn answer(self, mut report: Report) -> Answer {
        let (Outcome::Applied(changes) | Outcome::WouldApply(changes)) = &mut report.outcome else {
            return Answer::of(report);
        };
        let mut files = Vec::with_capacity(changes.files.len());
        for file in &mut changes.files {
            let from = source_of(&file.path, file.existed, &changes.hunks);
            let content = file.content.take().map(|bytes| {
                let was_text = from.map_or(!self.only_bytes, |from| !self.is_bytes(from));
                Given { is_text: was_text && str::from_utf8(&bytes).is_ok(), bytes }
            });
            let path = self.spelled.get(&file.path).unwrap_or(&file.path).clone();
            files.push(Changed { path, content });
        }
        let text = self.one.map(|(path, text)| match files.iter().position(|file| file.path == path) {
            Some(nth) => files.remove(nth).content,
            None => Some(text),
        });
        Answer { report, files: Some(files), text }
    }

    fn is_bytes(&self, plain: &Utf8Path) -> bool {
        self.as_bytes.binary_search_by(|other| other.as_path().cmp(plain)).is_ok()
    }
}

/// Returns the file that a changed file was, or was moved from, through all moves of the patch; `None` for a new file.
fn source_of<'a>(path: &'a Utf8Path, existed: bool, hunks: &'a [HunkReport]) -> Option<&'a Utf8Path> {
    let mut from = None;
    for hunk in hunks.iter().rev() {
        let sought = from.unwrap_or(path);
        if hunk.moved_to.as_deref() == Some(sought) {
            from = Some(hunk.path.as_path());
        } else if hunk.kind == HunkKind::Add && hunk.path == sought {
            return None;
        }
    }
    from.or(existed.then_some(path))
}
