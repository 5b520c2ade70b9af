//! Computes the changes from one tree to another.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::tree::{Entry, Tree};
use super::unrepresentable::What;
use crate::plan::path::{self, Borders};
use crate::plan::{After, Change, Content, Plan, Precondition};

/// How two trees differ.
#[derive(Debug, Clone, Default)]
pub struct Between {
    /// What makes the second tree of the first.
    pub plan: Plan,
    /// The changes that no patch can express, by path.
    pub beyond: Vec<(Utf8PathBuf, What)>,
}

/// Returns the changes that turn one tree into another. A deleted and an added file are a move if the contents are
/// equal, or if more than half of the bytes are lines of both. Directories without files do not count.
///
/// ```
/// use apply_patch::format::Format;
/// use apply_patch::generate::{Entry, Tree, plan_between, text};
/// use apply_patch::plan::Plan;
///
/// let file = |text: &str| Entry::File { bytes: text.as_bytes().to_vec().into(), executable: false };
/// let (mut old, mut new) = (Tree::default(), Tree::default());
/// old.insert("a.txt", file("one\ntwo\n"));
/// new.insert("b.txt", file("one\ntwo\n"));
/// let between = plan_between(&old, &new);
/// let text = text(&between.plan, &old, Format::Envelope).unwrap();
/// assert_eq!(text, "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n*** End Patch\n");
/// ```
pub fn plan_between(old: &Tree, new: &Tree) -> Between {
    let paths: BTreeSet<&str> = old.entries().chain(new.entries()).map(|(path, _)| path.as_str()).collect();
    let mut between = Between::default();
    let mut differ = Vec::new();
    for path in paths.into_iter().map(Utf8Path::new) {
        match (old.entry(path), new.entry(path)) {
            (old, new) if old == new => {}
            (old, new) => match beyond(path, [old, new]) {
                Some(what) => between.beyond.push((path.to_owned(), what)),
                None => differ.push(path),
            },
        }
    }
    let moves = moves(old, new, &differ);
    between.plan.changes = differ.iter().map(|path| change(path, old, new, &moves)).collect();
    between
}

/// Returns why no patch can express the change of a path; `None` if a patch can.
fn beyond(path: &Utf8Path, entries: [Option<&Entry>; 2]) -> Option<What> {
    let is_name = path::check(path.as_str(), &Borders::default())
        .is_ok_and(|checked| checked.path == path && path.as_str().trim() == path.as_str());
    let kind = entries.into_iter().flatten().find_map(|entry| match entry {
        Entry::File { .. } => None,
        Entry::Link(_) => Some(What::Link),
        Entry::Submodule(_) => Some(What::Submodule),
        Entry::Other(_) => Some(What::Kind),
    });
    kind.or((!is_name).then_some(What::Name))
}

/// Returns the change of a path whose file is added, deleted or modified.
fn change(path: &Utf8Path, old: &Tree, new: &Tree, moves: &HashMap<&Utf8Path, &Utf8Path>) -> Change {
    let source = moves.get(path).copied();
    let was_executable = old.file(source.unwrap_or(path)).is_some_and(|(_, executable)| executable);
    let before =
        old.file(path).map_or(Precondition::MustNotExist, |(bytes, _)| Precondition::MustBe(bytes.clone()));
    let after = new.file(path).map_or(After::Gone, |(bytes, executable)| After::File {
        content: Content::Bytes(bytes.clone()),
        mode_of: source.map(Utf8Path::to_owned),
        executable: (executable != was_executable).then_some(executable),
    });
    Change { path: path.to_owned(), before, after }
}

/// With more pairs of files than this, only a file with unchanged bytes is a move, because every pair would be
/// compared.
const PAIRS: usize = 40_000;

/// Returns the new names of moved files with their old names.
fn moves<'p>(old: &Tree, new: &Tree, differ: &[&'p Utf8Path]) -> HashMap<&'p Utf8Path, &'p Utf8Path> {
    let only = |here: &Tree, there: &Tree| -> Vec<&'p Utf8Path> {
        let is_only = |path: &&&Utf8Path| {
            // Nothing is like an empty file.
            here.file(path).is_some_and(|(bytes, _)| !bytes.is_empty()) && there.entry(path).is_none()
        };
        differ.iter().filter(is_only).copied().collect()
    };
    let (gone, come) = (only(old, new), only(new, old));
    let mut moves = Moves::default();
    // Files that keep their name come first, because they are certainly the same file.
    for keeps_name in [true, false] {
        moves.take_same(old, new, &gone, &come, keeps_name);
    }
    let gone: Vec<&Utf8Path> = gone.into_iter().filter(|path| !moves.taken.contains(path)).collect();
    let come: Vec<&Utf8Path> = come.into_iter().filter(|path| !moves.from.contains_key(path)).collect();
    if gone.len().saturating_mul(come.len()) <= PAIRS {
        for (from, to) in alike(old, new, &gone, &come) {
            moves.take(from, to);
        }
    }
    moves.from
}

/// Moves that were found so far.
#[derive(Default)]
struct Moves<'p> {
    /// The old names of files, by new name.
    from: HashMap<&'p Utf8Path, &'p Utf8Path>,
    taken: HashSet<&'p Utf8Path>,
}

impl<'p> Moves<'p> {
    fn take(&mut self, from: &'p Utf8Path, to: &'p Utf8Path) {
        if !self.from.contains_key(to) && self.taken.insert(from) {
            self.from.insert(to, from);
        }
    }

    /// Takes files that hold the same.
    fn take_same(
        &mut self,
        old: &Tree,
        new: &Tree,
        gone: &[&'p Utf8Path],
        come: &[&'p Utf8Path],
        keeps_name: bool,
    ) {
        let name = |path: &'p Utf8Path| path.file_name().filter(|_| keeps_name);
        let mut by_bytes: HashMap<(&[u8], Option<&str>), Vec<&'p Utf8Path>> = HashMap::new();
        for path in gone.iter().rev().filter(|path| !self.taken.contains(*path)) {
            if let Some((bytes, _)) = old.file(path) {
                by_bytes.entry((bytes, name(path))).or_default().push(path);
            }
        }
        for to in come.iter().filter(|path| !self.from.contains_key(*path)).collect::<Vec<_>>() {
            let Some((bytes, _)) = new.file(to) else { continue };
            if let Some(from) = by_bytes.get_mut(&(&**bytes, name(to))).and_then(Vec::pop) {
                self.take(from, to);
            }
        }
    }
}

/// Returns the pairs of files that are more than half equal, the most similar first.
fn alike<'p>(
    old: &Tree,
    new: &Tree,
    gone: &[&'p Utf8Path],
    come: &[&'p Utf8Path],
) -> Vec<(&'p Utf8Path, &'p Utf8Path)> {
    fn bags<'a>(tree: &'a Tree, paths: &[&Utf8Path]) -> Vec<Option<Bag<'a>>> {
        paths.iter().map(|path| tree.file(path).map(|(bytes, _)| Bag::of(bytes))).collect()
    }
    let (olds, news) = (bags(old, gone), bags(new, come));
    let mut pairs = Vec::new();
    for (from, old) in gone.iter().zip(&olds) {
        for (to, new) in come.iter().zip(&news) {
            let shared = old.as_ref().zip(new.as_ref()).and_then(|(old, new)| old.shares_half(new));
            let renamed = from.file_name() != to.file_name();
            pairs.extend(shared.map(|share| ((Reverse(share), renamed), *from, *to)));
        }
    }
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, from, to)| (from, to)).collect()
}

/// A file as a bag of lines.
struct Bag<'a> {
    len: usize,
    /// How often each line occurs.
    lines: HashMap<&'a [u8], usize>,
}

impl<'a> Bag<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let mut lines = HashMap::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            *lines.entry(line).or_default() += 1;
        }
        Bag { len: bytes.len(), lines }
    }

    /// Returns the share of the longer file that is in both files, in thousandths, if the share is more than half;
    /// otherwise `None`.
    fn shares_half(&self, other: &Bag<'_>) -> Option<usize> {
        let longer = self.len.max(other.len);
        if self.len.min(other.len) * 2 <= longer {
            return None;
        }
        let in_both =
            |(line, count): (&&[u8], &usize)| line.len() * *count.min(other.lines.get(line).unwrap_or(&0));
        let shared: usize = self.lines.iter().map(in_both).sum();
        (shared * 2 > longer).then(|| shared.saturating_mul(1000) / longer)
    }
}
