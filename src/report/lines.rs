//! Lines that both text reports contain: about a file, its notes, and the drift of a chunk.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Formatter};

use crate::format::Repair;
use crate::locate::Drift;
use crate::plan::{ChunkReport, Failure, FailureKind, Failures, HunkKind, HunkReport};
use crate::text::shown;

/// `M src/lib.rs +3 -1`
pub(super) struct FileLine<'h>(pub(super) &'h HunkReport);

impl Display for FileLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let hunk = self.0;
        let letter = match hunk.kind {
            HunkKind::Add => 'A',
            HunkKind::Update => 'M',
            HunkKind::Delete => 'D',
            HunkKind::Move => 'R',
            HunkKind::Copy => 'C',
        };
        write!(f, "{letter} {}", shown(hunk.path.as_str()))?;
        if let Some(target) = &hunk.moved_to {
            write!(f, " -> {}", shown(target.as_str()))?;
        }
        write!(f, " +{} -{}", hunk.added, hunk.removed)
    }
}

/// Returns the notes on a hunk apart from its chunks: the repairs of its names, whether a file to add has the content
/// already, and the properties of the file.
pub(super) fn notes(hunk: &HunkReport) -> impl Iterator<Item = String> {
    let names = hunk.names.iter().map(ToString::to_string);
    let is_made = hunk.kind == HunkKind::Add && hunk.unchanged;
    let made = is_made.then(|| "already applied: the file has this content".to_owned());
    names.chain(made).chain(hunk.properties.sentences().map(str::to_owned))
}

/// Returns the drift of a chunk, on a single line.
pub(super) fn drift(nth: usize, chunk: &ChunkReport) -> String {
    let ChunkReport { number, placement } = chunk;
    let what = match number {
        None => format!("place {}", nth + 1),
        Some(number) => format!("chunk {} (patch line {number})", nth + 1),
    };
    let nowhere = placement.drift.contains(&Drift::AnchorMissing);
    let line = if nowhere { String::new() } else { format!(" at line {}", placement.start + 1) };
    let drift: Vec<String> = placement.drift.iter().map(ToString::to_string).collect();
    format!("    {what}{line}: {}", drift.join("; "))
}

/// The longest excerpt of a file that a report shows without gaps, in lines.
pub(super) const EXCERPT: usize = 12;

/// How many names of files a line contains.
const MOST_NAMES: usize = 6;

/// How many lines of a patch a line about repairs contains.
const MOST_SPANS: usize = 6;

/// Returns the first line about a refusal: how many chunks do not match, or how many changes cannot be made.
pub(super) fn headline(failures: &Failures) -> String {
    if failures.of_replacement() {
        return "Nothing was changed: the replacement cannot be made.".to_owned();
    }
    let (hunks, all_hunks) = (failures.hunks(), failures.hunks() + failures.placed.len());
    let (missed, matched) = chunks(failures);
    let (failing, files) = files(failures);
    let only_chunks = failures.failures.len() == missed;
    let is_overlap = |failure: &Failure| failure.kind.code() == "overlap";
    let do_not = match missed {
        _ if failures.failures.iter().all(is_overlap) => "change the same lines",
        1 => "does not match",
        _ => "do not match",
    };
    match (only_chunks, files) {
        (true, 1) if missed + matched <= 1 => {
            "Nothing was changed: the patch does not fit the file.".to_owned()
        }
        (true, 1) => {
            format!("Nothing was changed: {} of the file {}.", of(missed, missed + matched, "chunk"), do_not)
        }
        (true, _) => format!(
            "Nothing was changed: {} {}, in {}.",
            of(missed, missed + matched, "chunk"),
            do_not,
            of(failing, files, "file")
        ),
        (false, _) if all_hunks == 1 => "Nothing was changed: the change cannot be made.".to_owned(),
        (false, _) => format!("Nothing was changed: {} cannot be made.", of(hunks, all_hunks, "change")),
    }
}

/// Counts the files with failures, and all files.
fn files(failures: &Failures) -> (usize, usize) {
    let mut names: HashSet<&str> = failures.failures.iter().map(|failure| &*failure.path).collect();
    let failing = names.len();
    names.extend(failures.placed.iter().map(|hunk| hunk.path.as_str()));
    (failing, names.len())
}

fn of(part: usize, all: usize, what: &str) -> String {
    let plural = if all == 1 { "" } else { "s" };
    format!("{part} of {all} {what}{plural}")
}

/// Counts the chunks that do not match, and those that do.
fn chunks(failures: &Failures) -> (usize, usize) {
    let mut missed = 0;
    let mut of_failed: HashMap<usize, usize> = HashMap::new();
    for failure in &failures.failures {
        if let FailureKind::Chunk { of, .. } = failure.kind {
            missed += 1;
            of_failed.insert(failure.hunk, of);
        }
    }
    let placed: usize = failures.placed.iter().map(|hunk| hunk.chunks.len()).sum();
    (missed, (of_failed.values().sum::<usize>() + placed).saturating_sub(missed))
}

/// Returns the line about what would have worked; `None` where nothing would.
pub(super) fn matching(failures: &Failures) -> Option<String> {
    let (_, matched) = chunks(failures);
    if failures.of_replacement() {
        return None;
    }
    // A file may have a hunk that fails and a hunk that does not.
    let fails =
        |hunk: &&HunkReport| failures.failures.iter().any(|failure| *failure.path == *hunk.path.as_str());
    let others = failures.placed.iter().take(MOST_NAMES).filter(|hunk| !fails(hunk));
    let names: Vec<String> = others.map(|hunk| shown(hunk.path.as_str()).to_string()).collect();
    if matched == 0 && names.is_empty() {
        return None;
    }
    let more = match failures.placed.len().checked_sub(MOST_NAMES + 1) {
        Some(left) => format!(" and {} more files", left + 1),
        None => String::new(),
    };
    let files = names.join(", ") + &more;
    let chunks = match matched {
        0 => None,
        1 => Some("The other chunk matches".to_owned()),
        count => Some(format!("The other {count} chunks match")),
    };
    Some(match chunks {
        Some(chunks) if files.is_empty() => format!("{chunks}."),
        Some(chunks) => format!("{chunks}; without failures: {files}."),
        None => format!("Without failures: {files}."),
    })
}

/// Returns a line for each kind of repair, with the lines of the patch.
pub(super) fn repair_lines(repairs: &[Repair]) -> Vec<String> {
    let mut kinds: Vec<(String, Vec<&Repair>)> = Vec::new();
    for repair in repairs {
        let words = repair.kind.to_string();
        match kinds.iter_mut().find(|(kind, _)| *kind == words) {
            Some((_, alike)) => alike.push(repair),
            None => kinds.push((words, vec![repair])),
        }
    }
    kinds.into_iter().map(|(words, alike)| repair_line(&words, &alike)).collect()
}

/// Returns a line about repairs of a single kind.
fn repair_line(words: &str, alike: &[&Repair]) -> String {
    if let [only] = alike {
        return only.to_string();
    }
    let firsts = alike.iter().take(MOST_SPANS).map(|repair| repair.span.first.to_string());
    let firsts: Vec<String> = firsts.collect();
    let more = if alike.len() > MOST_SPANS { ", …" } else { "" };
    format!("patch lines {}{more}: {words} ({} times)", firsts.join(", "), alike.len())
}
