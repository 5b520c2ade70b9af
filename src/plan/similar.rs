//! Which files may be meant by a name that no file has.

use std::collections::{BTreeSet, VecDeque};

use camino::{Utf8Path, Utf8PathBuf};
use rapidfuzz::distance::osa;

use super::overlay::Overlay;
use super::path;
use super::{Earlier, FailureKind, Files, HunkKind, HunkReport, Node};

/// How many files are named.
const NAMED: usize = 3;

/// How many names are looked at: a tree may be large, and this is only help.
const VISITED: usize = 3000;

/// This many letters of a name are enough as an abbreviation: `conf` for `config`.
const SHORTENED: usize = 3;

/// A file name may have one wrong letter for this many letters.
const MISSPELT: usize = 3;

/// Adds the files that may be meant to a failure whose file does not exist.
pub(super) fn suggest(kind: &mut FailureKind, raw: &str, files: &dyn Files, overlay: &Overlay<'_>) {
    if let FailureKind::NoSuchFile { similar, .. } = kind
        && let Ok(checked) = path::check(raw, &path::Borders::of(files))
        && checked.path.is_relative()
    {
        *similar = alike(&checked.path, files, overlay);
    }
}

/// Adds the earlier hunk that adds, deletes or moves the file to a failure about the existence of the file. Returns whether
/// there is an earlier hunk.
pub(super) fn blame(kind: &mut FailureKind, raw: &str, files: &dyn Files, reports: &[HunkReport]) -> bool {
    let adds = matches!(kind, FailureKind::AlreadyExists { .. });
    let Ok(checked) = path::check(raw, &path::Borders::of(files)) else { return false };
    let is_cause = |hunk: &&HunkReport| match hunk.kind {
        _ if hunk.path != checked.path => false,
        HunkKind::Add => adds,
        kind => !adds && (kind == HunkKind::Delete || hunk.moved_to.is_some()),
    };
    let Some(hunk) = reports.iter().rev().find(is_cause) else { return false };
    let cause = Some(Earlier { number: hunk.number, kind: hunk.kind, moved_to: hunk.moved_to.clone() });
    match kind {
        FailureKind::NoSuchFile { similar, earlier } => {
            similar.extend(hunk.moved_to.clone());
            *earlier = cause;
        }
        FailureKind::AlreadyExists { earlier } => *earlier = cause,
        _ => return false,
    }
    true
}

fn alike(wanted: &Utf8Path, files: &dyn Files, overlay: &Overlay<'_>) -> Vec<Utf8PathBuf> {
    let mut all = walk(files);
    all.extend(overlay.written().map(Utf8Path::to_owned));
    let rank = |path: Utf8PathBuf| Some((likeness(wanted, &path)?, path));
    let mut ranked: Vec<(f64, Utf8PathBuf)> = all.into_iter().filter_map(rank).collect();
    // The most similar names come first, and names of equal similarity in their own order.
    ranked.sort_unstable_by(|(one, a), (other, b)| other.total_cmp(one).then_with(|| a.cmp(b)));
    let is_there = |path: &Utf8Path| overlay.file(path).is_ok() || is_file(files, path, overlay);
    ranked.into_iter().map(|(_, path)| path).filter(|path| is_there(path)).take(NAMED).collect()
}

/// Returns whether a file exists that no earlier hunk has removed.
fn is_file(files: &dyn Files, path: &Utf8Path, overlay: &Overlay<'_>) -> bool {
    let is_file = |found: super::Found| matches!(found.node, Node::File { .. });
    !overlay.knows(path) && files.look_up(path).is_ok_and(is_file)
}

/// Returns the similarity of a path and the wanted path; `None` if the paths are not similar.
fn likeness(wanted: &Utf8Path, path: &Utf8Path) -> Option<f64> {
    let similar =
        |a: &str, b: &str| osa::normalized_similarity(a.to_lowercase().chars(), b.to_lowercase().chars());
    let (name, other) = (wanted.file_name()?, path.file_name()?);
    let whole = similar(wanted.as_str(), path.as_str());
    if name.eq_ignore_ascii_case(other) {
        return Some(1.0 + whole);
    }
    // An extension that both names have carries no information.
    let (name, other) = if wanted.extension() == path.extension() {
        (wanted.file_stem()?, path.file_stem()?)
    } else {
        (name, other)
    };
    let (name, other) = (name.to_lowercase(), other.to_lowercase());
    let letters = name.chars().count().min(other.chars().count());
    let shortened = letters >= SHORTENED && (name.starts_with(&other) || other.starts_with(&name));
    let misspelt = osa::distance(name.chars(), other.chars()) <= (letters / MISSPELT).max(1);
    (shortened || misspelt && letters > 1).then_some(whole)
}

/// Large directories whose files are rarely edited.
const SKIPPED: [&str; 4] = ["node_modules", "target", "__pycache__", "venv"];

/// Returns the files of the tree and its empty directories, from the top down, up to a limit.
fn walk(files: &dyn Files) -> BTreeSet<Utf8PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = VecDeque::from([Utf8PathBuf::new()]);
    let mut left = VISITED;
    while let Some(dir) = open.pop_front() {
        let names = files.names(&dir);
        if names.is_empty() {
            found.insert(dir);
            continue;
        }
        let names =
            names.into_iter().filter(|name| !SKIPPED.contains(&name.as_str()) && !name.starts_with('.'));
        for name in names {
            if left == 0 {
                break;
            }
            left -= 1;
            open.push_back(dir.join(name));
        }
    }
    found
}
