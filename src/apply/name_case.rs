//! How a folder spells a name that was asked for.
//!
//! Some file systems take `Foo` and `foo`, or two Unicode forms of `é`, for one name. A file must have one
//! path all the same: else two changes of it would be made from the same old bytes, and one would be lost.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use unicode_normalization::UnicodeNormalization;

use crate::fs::{Fs, Meta};

/// The folders that were just seen to tell `Foo` from `foo`: what is found there by a name of ASCII has no other one.
///
/// A folder may be exchanged for one that does not, so nothing is known for long.
#[derive(Debug, Default)]
pub(super) struct CaseSensitiveDirs(Mutex<Seen>);

/// Folders, and when the first of them was seen.
#[derive(Debug, Default)]
struct Seen {
    folders: BTreeSet<String>,
    since: Option<Instant>,
}

impl CaseSensitiveDirs {
    /// For how long a folder is taken to be what it was.
    const LASTS: Duration = Duration::from_secs(1);

    fn lock(&self) -> MutexGuard<'_, Seen> {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.since.is_some_and(|since| since.elapsed() >= Self::LASTS) {
            *seen = Seen::default();
        }
        seen
    }

    fn has(&self, folder: &Utf8Path) -> bool {
        self.lock().folders.contains(folder.as_str())
    }

    /// Whether what is found as `name` in a folder is known to have no other name there.
    pub(super) fn tell(&self, folder: &Utf8Path, name: &str) -> bool {
        name.is_ascii() && self.has(folder)
    }

    fn add(&self, folder: &Utf8Path) {
        let mut seen = self.lock();
        seen.since.get_or_insert_with(Instant::now);
        seen.folders.insert(folder.as_str().to_owned());
    }
}

/// The path of what was found as `name` in a folder, as the folder spells it.
pub(super) fn spelt(
    fs: &dyn Fs,
    case_sensitive: &CaseSensitiveDirs,
    folder: &Utf8Path,
    name: &str,
    found: &Meta,
) -> io::Result<Utf8PathBuf> {
    let asked = folder.join(name);
    if case_sensitive.tell(folder, name) {
        return Ok(asked);
    }
    for other in other_spellings(name) {
        let there = fs.look(&folder.join(other))?;
        if there.is_none() && name.is_ascii() {
            case_sensitive.add(folder);
        }
        let is_same = there.is_some_and(|there| there.id == found.id);
        // Rare from here on: the file system takes both for one name, or somebody has linked them.
        if is_same {
            let names = fs.names(folder)?;
            let alike = || names.iter().find(|there| folded(there) == folded(name));
            let spelling = names.iter().find(|there| *there == name).or_else(alike);
            return Ok(spelling.map_or(asked, |spelling| folder.join(spelling)));
        }
    }
    Ok(asked)
}

/// The name in the other case, and in the other Unicode form, where it has one.
fn other_spellings(name: &str) -> impl Iterator<Item = String> {
    let upper = name.to_uppercase();
    let case = if upper == name { name.to_lowercase() } else { upper };
    let form = (!name.is_ascii()).then(|| {
        let composed: String = name.nfc().collect();
        if composed == name { name.nfd().collect() } else { composed }
    });
    let asked = name.to_owned();
    std::iter::once(case).chain(form).filter(move |other| *other != asked)
}

/// What is alike in all names that any of these file systems takes for one.
pub(crate) fn folded(name: &str) -> String {
    name.nfd().collect::<String>().to_uppercase().to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply::Naming;
    use crate::fs::Memory;

    /// A folder with one file in it, and what `name` is found as.
    fn found(naming: Naming, name: &str, case_sensitive: &CaseSensitiveDirs) -> Utf8PathBuf {
        let memory = Memory::new(naming);
        let folder = Utf8Path::new("/root");
        memory.create_folder(folder).unwrap();
        memory.put(&folder.join("Notes.txt"), b"").unwrap();
        let meta = memory.look(&folder.join(name)).unwrap().unwrap();
        spelt(&memory, case_sensitive, folder, name, &meta).unwrap()
    }

    #[test]
    fn a_folder_that_tells_cases_apart_is_asked_once() {
        let case_sensitive = CaseSensitiveDirs::default();
        assert_eq!(found(Naming::Exact, "Notes.txt", &case_sensitive), "/root/Notes.txt");
        assert!(case_sensitive.has("/root".into()));
        assert!(!case_sensitive.has("/root/sub".into()));
        assert_eq!(
            found(Naming::AnyCase, "notes.TXT", &case_sensitive),
            "/root/notes.TXT",
            "it was not asked again"
        );
    }

    #[test]
    fn a_folder_that_does_not_is_asked_each_time() {
        let case_sensitive = CaseSensitiveDirs::default();
        assert_eq!(found(Naming::AnyCase, "notes.TXT", &case_sensitive), "/root/Notes.txt");
        assert!(!case_sensitive.has("/root".into()));
    }

    #[test]
    fn what_was_seen_is_known_for_a_moment_only() {
        let case_sensitive = CaseSensitiveDirs::default();
        case_sensitive.add("/root".into());
        assert!(case_sensitive.has("/root".into()));
        case_sensitive.lock().since = Instant::now().checked_sub(2 * CaseSensitiveDirs::LASTS);
        assert!(!case_sensitive.has("/root".into()));
    }
}
