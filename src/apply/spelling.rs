//! How a folder spells a name that was asked for.
//!
//! Some file systems take `Foo` and `foo`, or two Unicode forms of `é`, for one name. A file must have one
//! path all the same: else two changes of it would be made from the same old bytes, and one would be lost.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use unicode_normalization::UnicodeNormalization;

use crate::fs::{Fs, Meta};

/// The path of what was found as `name` in a folder, as the folder spells it.
pub(super) fn spelt(fs: &dyn Fs, folder: &Utf8Path, name: &str, found: &Meta) -> io::Result<Utf8PathBuf> {
    let asked = folder.join(name);
    for other in other_spellings(name) {
        let is_same = match fs.look(&folder.join(other))? {
            Some(meta) => meta.id == found.id,
            None => false,
        };
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
