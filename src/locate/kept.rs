//! Whether it is clear which lines of an edit stay, where that was found by comparing an old text with a new one.
//!
//! Two texts do not say which of the lines that they share was meant to stay, and which was written anew. As long as the
//! quote is exact, that makes no difference. Where the file spells such a line otherwise, one way of comparing leaves the
//! file's spelling and another the new text's: then all ways have to write the same lines.

use similar::DiffTag;

use super::doubt::{Objection, Spot};
use super::outcome::Doubt;
use super::pairing::Candidate;
use super::relation::{Relation, relate};
use crate::patch::edit::{Edit, EditLine};
use crate::patch::{Gaps, LineKind};
use crate::text::{Document, compare};

/// For each new line the old line that it is, where it is one; both counted from 0.
type Kept = Vec<Option<usize>>;

/// Asks whether the result is the same in every way of comparing the two texts.
pub(super) fn vet(candidate: &Candidate<'_>, document: &Document) -> Result<(), Objection> {
    if candidate.edit.gaps == Gaps::Anywhere {
        return Ok(());
    }
    let texts = Texts::new(candidate, document);
    if texts.old.iter().zip(&texts.actual).all(|(quoted, actual)| is_line(quoted, *actual)) {
        return Ok(());
    }
    let ours = kept(candidate.edit);
    let mut others = without_chance(candidate.edit, &ours);
    others.push(texts.compared_backwards());
    let possible = others.iter().filter(|other| texts.is_possible(&ours, other));
    match possible.filter_map(|other| texts.difference(&ours, other)).min() {
        Some(nth) => Err(Doubt::SeveralWays.by(Spot::Quoted(position(candidate.edit, nth)))),
        None => Ok(()),
    }
}

/// Whether the document's line is the quoted one but for its indentation, which added lines take from it.
fn is_line(quoted: &str, actual: Option<&str>) -> bool {
    actual.is_some_and(|actual| actual.trim_start() == quoted.trim_start())
}

/// The two texts of an edit, and what the document has for the lines of the old one.
struct Texts<'c> {
    old: Vec<&'c str>,
    actual: Vec<Option<&'c str>>,
    new: Vec<&'c str>,
}

impl<'c> Texts<'c> {
    fn new(candidate: &'c Candidate<'_>, document: &'c Document) -> Self {
        let edit = candidate.edit;
        let lines = edit.lines.iter().zip(&candidate.at);
        let old = lines.filter(|(line, _)| line.kind != LineKind::Add);
        Texts {
            actual: old.map(|(_, at)| at.line().and_then(|at| document.text(at))).collect(),
            old: edit.old_lines().map(|line| &*line.text).collect(),
            new: edit.new_lines().map(|line| &*line.text).collect(),
        }
    }

    /// What is kept where the texts are compared from their ends on: of lines of one text, the last.
    fn compared_backwards(&self) -> Kept {
        let old: Vec<&str> = self.old.iter().rev().copied().collect();
        let new: Vec<&str> = self.new.iter().rev().copied().collect();
        let mut kept = vec![None; new.len()];
        for op in compare(&old, &new, None) {
            let (tag, olds, news) = op.as_tag_tuple();
            for (one, other) in olds.zip(news).filter(|_| tag == DiffTag::Equal) {
                kept[new.len() - 1 - other] = Some(old.len() - 1 - one);
            }
        }
        kept
    }

    /// Whether another way may be meant: a line that only that one removes has to be in the document.
    fn is_possible(&self, ours: &Kept, other: &Kept) -> bool {
        let removed = ours.iter().flatten().filter(|old| !other.contains(&Some(**old)));
        removed.copied().all(|old| {
            let actual = self.actual[old];
            is_line(self.old[old], actual)
                || actual.is_some_and(|actual| relate(self.old[old], actual).says_same())
        })
    }

    /// The first new line that is written otherwise in another way of comparing.
    fn difference(&self, ours: &Kept, other: &Kept) -> Option<usize> {
        (0..self.new.len()).find(|nth| match (ours[*nth], other[*nth]) {
            (Some(one), Some(other)) => {
                self.actual[one].map(str::trim_start) != self.actual[other].map(str::trim_start)
            }
            (Some(kept), None) | (None, Some(kept)) => !self.is_rewritten(kept),
            (None, None) => false,
        })
    }

    /// Whether a line that is removed and added again is written as the document has it: of what an added line copies from
    /// the quote, indentation, look-alikes, escapes and characters are mended, and nobody means white space at its end.
    fn is_rewritten(&self, old: usize) -> bool {
        let Some(actual) = self.actual[old] else { return false };
        let quoted = self.old[old];
        let bare = actual.trim_end() == actual;
        let mended = matches!(
            relate(quoted.trim_end(), actual),
            Relation::LookAlikes | Relation::CodePage | Relation::Escapes
        );
        is_line(quoted, Some(actual)) || bare && (mended || is_line(quoted.trim_end(), Some(actual)))
    }
}

/// Where the new line stands in the edit.
fn position(edit: &Edit<'_>, nth: usize) -> usize {
    let new = edit.lines.iter().enumerate().filter(|(_, line)| line.kind != LineKind::Remove);
    new.map(|(at, _)| at).nth(nth).unwrap_or_default()
}

/// What the edit keeps.
fn kept(edit: &Edit<'_>) -> Kept {
    let mut old = 0;
    let mut kept = Kept::new();
    for line in &edit.lines {
        if line.kind != LineKind::Remove {
            kept.push((line.kind == LineKind::Context).then_some(old));
        }
        old += usize::from(line.kind != LineKind::Add);
    }
    kept
}

/// What is kept besides lines that the texts may share by chance: for each run of kept lines between changes that
/// outweigh it, the edit without that run.
fn without_chance(edit: &Edit<'_>, ours: &Kept) -> Vec<Kept> {
    let stays = |line: &EditLine<'_>| line.kind == LineKind::Context;
    let runs: Vec<_> = edit.lines.chunk_by(|one, other| stays(one) == stays(other)).collect();
    let count = |run: &[EditLine<'_>], kind| run.iter().filter(|line| line.kind == kind).count();
    let changed = |run: &[EditLine<'_>]| count(run, LineKind::Add).max(count(run, LineKind::Remove));
    let mut ways = Vec::new();
    let mut next = 0;
    for (nth, run) in runs.iter().enumerate() {
        let begin = next;
        next += run.len() - count(run, LineKind::Remove);
        let (Some(above), Some(below)) = (nth.checked_sub(1), runs.get(nth + 1)) else { continue };
        let (above, below) = (changed(runs[above]), changed(below));
        if stays(&run[0]) && above.min(below) >= run.len() && above.max(below) > run.len() {
            let mut way = ours.clone();
            way[begin..next].fill(None);
            ways.push(way);
        }
    }
    ways
}
