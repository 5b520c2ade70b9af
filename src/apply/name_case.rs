//! Finds how a directory spells a requested name.
//!
//! Some file systems treat `Foo` and `foo`, or two Unicode forms of `é`, as the same name. A file must have a single
//! path: otherwise two changes would start from the same old bytes, and the first change would be lost.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use unicode_normalization::UnicodeNormalization;

use crate::fs::{Fs, Meta};

/// The directories that were recently found to distinguish `Foo` from `foo`: an ASCII name found there is the only
/// spelling.
///
/// A directory may be replaced by a directory with different rules, so an entry expires.
#[derive(Debug, Default)]
pub(super) struct CaseSensitiveDirs(Mutex<Seen>);

/// Directories, and when the first of these was added.
#[derive(Debug, Default)]
struct Seen {
    folders: BTreeSet<String>,
    since: Option<Instant>,
}

impl CaseSensitiveDirs {
    /// The lifetime of an entry.
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

    /// Returns whether the entry `name` of a directory is known to have no other spelling.
    pub(super) fn tell(&self, folder: &Utf8Path, name: &str) -> bool {
        name.is_ascii() && self.has(folder)
    }

    fn add(&self, folder: &Utf8Path) {
        let mut seen = self.lock();
        seen.since.get_or_insert_with(Instant::now);
        seen.folders.insert(folder.as_str().to_owned());
    }
}

/// Returns the path of the entry `name` of a directory, as the directory spells the name.
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
        // Rare from here on: the file system treats both names as equal, or both are hard links.
        if is_same {
            let names = fs.names(folder)?;
            let alike = || names.iter().find(|there| folded(there) == folded(name));
            let spelling = names.iter().find(|there| *there == name).or_else(alike);
            return Ok(spelling.map_or(asked, |spelling| folder.join(spelling)));
        }
    }
    Ok(asked)
}

/// Returns the name in the other case, and in the other Unicode form, if different.
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

/// Returns the part that is equal in all names that any of these file systems treats as equal.
pub(crate) fn folded(name: &str) -> String {
    name.nfd().collect::<String>().to_uppercase().to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply::Naming;
    use crate::fs::Memory;

    /// Returns how `name` is found in a directory with a single file.
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
