//! Two folders, or two files, on the disk, as trees.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, FileType, Metadata};
use std::io;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::pair::{Pair, name_of, too_long, unreadable};
use super::stop::Stop;
use crate::generate::{Entry, What};
use crate::plan::path::protection;
use crate::run::Status;

/// Returns the differences between two folders, or between two files under the name of the first.
pub(super) fn pair(dir: &Utf8Path, [old, new]: [&Utf8Path; 2], longest: u64) -> Result<Pair, Stop> {
    let mut sides = Vec::new();
    for path in [old, new] {
        let whole = dir.join(path);
        let meta = fs::metadata(&whole).map_err(|error| unreadable(path, &error))?;
        sides.push((whole, meta));
    }
    let mut pair = Pair::default();
    let [(old_root, old_meta), (new_root, new_meta)] = &sides[..] else { return Ok(pair) };
    let (olds, news) = match (old_meta.is_dir(), new_meta.is_dir()) {
        (true, true) => (walk(old_root, &mut pair)?, walk(new_root, &mut pair)?),
        (false, false) => {
            let name = name_in_patch(old);
            let found = |whole: &Utf8Path, meta: &Metadata| {
                BTreeMap::from([(name.clone(), Found { whole: whole.to_owned(), meta: meta.clone() })])
            };
            (found(old_root, old_meta), found(new_root, new_meta))
        }
        _ => return Err(Stop::new(Status::NotAPatch, "OLD and NEW are two folders, or two files\n")),
    };
    let paths: BTreeSet<&str> = olds.keys().chain(news.keys()).map(|path| path.as_str()).collect();
    for path in paths.into_iter().map(Utf8Path::new) {
        let entry = |found: Option<&Found>| found.map(|found| found.entry(longest)).transpose();
        let (old, new) = (entry(olds.get(path))?, entry(news.get(path))?);
        // Of large trees only what differs is kept.
        if old != new {
            pair.old.extend(old.map(|entry| (path.to_owned(), entry)));
            pair.new.extend(new.map(|entry| (path.to_owned(), entry)));
        }
    }
    Ok(pair)
}

/// Returns the name of a file in a patch for the current folder: the given name, if it leads below the folder.
fn name_in_patch(given: &Utf8Path) -> Utf8PathBuf {
    let inside = |part: Utf8Component<'_>| matches!(part, Utf8Component::Normal(_) | Utf8Component::CurDir);
    if given.components().all(inside) {
        let parts = given.components().filter(|part| !matches!(part, Utf8Component::CurDir));
        return parts.collect();
    }
    given.file_name().unwrap_or(given.as_str()).into()
}

/// An entry of a folder, by its path on the disk. Links are not followed.
struct Found {
    whole: Utf8PathBuf,
    meta: Metadata,
}

impl Found {
    fn entry(&self, longest: u64) -> Result<Entry, Stop> {
        let failed = |error: io::Error| unreadable(&self.whole, &error);
        let kind = self.meta.file_type();
        if kind.is_symlink() {
            let target = fs::read_link(&self.whole).map_err(failed)?;
            return Ok(Entry::Link(target.into_os_string().into_encoded_bytes()));
        }
        if !kind.is_file() {
            return Ok(Entry::Other(name_of_kind(kind)));
        }
        if self.meta.len() > longest {
            return Err(too_long(&self.whole, self.meta.len(), longest));
        }
        let bytes = fs::read(&self.whole).map_err(failed)?;
        Ok(Entry::File { bytes: bytes.into(), executable: is_executable(&self.meta) })
    }
}

/// Returns all entries of a folder except for folders themselves, and for protected entries such as `.git`.
fn walk(root: &Utf8Path, pair: &mut Pair) -> Result<BTreeMap<Utf8PathBuf, Found>, Stop> {
    let mut found = BTreeMap::new();
    let mut open = vec![Utf8PathBuf::new()];
    while let Some(folder) = open.pop() {
        let whole = root.join(&folder);
        let failed = |error: io::Error| unreadable(&whole, &error);
        for entry in fs::read_dir(&whole).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let name = match name_of(name.as_encoded_bytes()) {
                Ok(name) if protection(name).is_some() => continue,
                Ok(name) => name,
                Err(lossy) => {
                    pair.beyond.push((folder.join(lossy), What::Name));
                    continue;
                }
            };
            let meta = entry.metadata().map_err(failed)?;
            if meta.is_dir() {
                open.push(folder.join(name));
            } else {
                found.insert(folder.join(name), Found { whole: whole.join(name), meta });
            }
        }
    }
    Ok(found)
}

#[cfg(unix)]
pub(super) fn is_executable(meta: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
pub(super) fn is_executable(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn name_of_kind(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_fifo() => "fifo",
        kind if kind.is_socket() => "socket",
        _ => "device",
    }
}

#[cfg(not(unix))]
fn name_of_kind(_: FileType) -> &'static str {
    "device"
}
