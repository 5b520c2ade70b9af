//! What a careful person would do with a case.
//!
//! Operators know what they did; whether enough is left to be sure of the place is the same question for all of
//! them, and is answered here, from the items alone and without the engine's words.

use std::collections::HashMap;

use apply_patch::patch::LineKind;

use crate::scene::{Blanks, Item, Likeness, Scene, Sees};
use crate::words::letters;

/// The right answer to a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Expectation {
    /// The place is clear: the edit has to be made.
    #[default]
    Applied,
    /// The edit may be made, or refused: people would differ. Any other tree is wrong all the same.
    Open,
    /// The edit has to be refused.
    Refused,
}

/// The right answer; `None` where people would differ even about the tree, so that there is none. Says also how
/// exactly blank lines are compared.
pub(crate) fn judge(scene: &mut Scene) -> Option<Expectation> {
    let mut expected = scene.expected;
    for chunk in scene.chunks.clone() {
        let lines = scene.chunk(chunk);
        for (start, end) in runs(&lines, |kind| kind == LineKind::Add) {
            let run = Run::new(scene, &lines, start, end);
            scene.blanks = scene.blanks.max(run.blanks(scene));
            expected = expected.max(run.expectation(scene)?);
        }
        expected = expected.max(of_removals(scene, &lines));
        expected = expected.max(of_evidence(scene, &lines)?);
    }
    // A removal whose result stands somewhere cannot be told from one that has been made.
    if expected == Expectation::Refused && scene.chunks.iter().any(|chunk| seems_made(scene, *chunk)) {
        return None;
    }
    // Where the result stands there already, what is wrong with the patch does no harm any more. Whether that is
    // called a success or a failure, people would differ; the file must not be changed again.
    Some(if scene.applied { Expectation::Open } else { expected })
}

/// Whether a chunk, or a part of it, adds nothing, and what it leaves stands in the file, line for line.
fn seems_made(scene: &Scene, chunk: usize) -> bool {
    let lines = scene.chunk(chunk);
    let meant = |nth: usize| {
        let item = &scene.items[nth];
        item.file.as_deref().filter(|_| item.likeness <= Likeness::Alike).unwrap_or(scene.quote(nth))
    };
    // A line that stands for others parts the chunk in two.
    let mut parts = lines.split(|(kind, nth)| *kind == LineKind::Context && scene.items[*nth].is_phantom());
    parts.any(|part| {
        let context = part.iter().filter(|(kind, _)| *kind == LineKind::Context);
        let left: Vec<&str> = context.map(|(_, nth)| meant(*nth)).collect();
        left.len() < part.len() && part.iter().all(|(kind, _)| *kind != LineKind::Add) && stands(scene, &left)
    })
}

/// Whether these lines stand in the file before, one after the other.
fn stands(scene: &Scene, wanted: &[&str]) -> bool {
    times(scene, wanted) > 0
}

/// How many times they do.
pub(crate) fn times(scene: &Scene, wanted: &[&str]) -> usize {
    let file = scene.items.iter().filter(|item| item.kind != LineKind::Add);
    let file: Vec<&str> = file.filter_map(|item| item.file.as_deref()).collect();
    if wanted.is_empty() { 0 } else { file.windows(wanted.len()).filter(|lines| *lines == wanted).count() }
}

type Line = (LineKind, usize);

/// A run of added lines, and the quoted lines on either side of it.
struct Run {
    before: Option<Line>,
    behind: Option<Line>,
    /// What of the file lies between the two and is not quoted.
    skipped: Vec<Item>,
}

impl Run {
    fn new(scene: &Scene, lines: &[Line], start: usize, end: usize) -> Self {
        let before = start.checked_sub(1).map(|at| lines[at]);
        let behind = lines.get(end).copied();
        let from = before.map_or(lines[start].1, |(_, nth)| nth);
        let to = behind.map_or(lines[end - 1].1, |(_, nth)| nth);
        let skipped = scene.items[from..to].iter().filter(|item| item.is_skipped()).cloned().collect();
        Run { before, behind, skipped }
    }

    fn sides(&self) -> impl Iterator<Item = Line> {
        [self.before, self.behind].into_iter().flatten()
    }

    /// Whether the lines take the place of removed ones.
    fn replaces(&self) -> bool {
        self.sides().any(|(kind, _)| kind == LineKind::Remove)
    }

    /// Above or below a blank line, or with one of their own instead of it: all are right.
    fn blanks(&self, scene: &Scene) -> Blanks {
        let phantom = |(_, nth): Line| scene.items[nth].file.is_none() && scene.items[nth].is_blank();
        match self.skipped.iter().any(Item::is_blank) || self.sides().any(phantom) {
            true if self.replaces() => Blanks::Squeezed,
            true => Blanks::Ignored,
            false => Blanks::Counted,
        }
    }

    /// Whether it is known where the lines go. `None`: the quote is true of another place.
    fn expectation(&self, scene: &Scene) -> Option<Expectation> {
        let skipped = || self.skipped.iter().filter(|item| !item.is_blank());
        if self.replaces() {
            return Some(Expectation::Applied);
        }
        // Without a line on the other side nothing shows that a line was skipped.
        if self.sides().count() < 2 && !self.skipped.is_empty() {
            return None;
        }
        let mut expected = Expectation::Applied;
        for (_, nth) in self.sides() {
            let item = &scene.items[nth];
            if item.is_phantom() {
                // With a line beside it that is not quoted, or differs, it looks like that line in other words.
                let other = |nth: usize| {
                    let item = scene.items.get(nth);
                    item.is_some_and(|item| item.is_skipped() || item.likeness == Likeness::Differs)
                };
                if skipped().next().is_some() || other(nth + 1) || nth.checked_sub(1).is_some_and(other) {
                    return None;
                }
                // The settled rule: beside a line that is not there, the place of an addition is open.
                expected = Expectation::Refused;
            } else if item.likeness == Likeness::Differs {
                expected = expected.max(Expectation::Open);
            }
        }
        // A skipped line like the one beside it may be the one that is meant.
        let text = |item: &Item| item.file.as_deref().map(|text| text.trim().to_owned());
        let like_a_side = |item: &&Item| self.sides().any(|(_, nth)| text(&scene.items[nth]) == text(item));
        if skipped().any(|item| like_a_side(&item)) {
            expected = expected.max(Expectation::Open);
        } else if skipped().next().is_some() {
            expected = Expectation::Refused;
        }
        Some(expected)
    }
}

/// Whether the lines to be removed are those that were quoted.
fn of_removals(scene: &Scene, lines: &[Line]) -> Expectation {
    let mut expected = Expectation::Applied;
    for (start, end) in runs(lines, |kind| kind != LineKind::Context) {
        let removed: Vec<usize> = lines[start..end]
            .iter()
            .filter(|(kind, _)| *kind == LineKind::Remove)
            .map(|(_, nth)| *nth)
            .collect();
        for pair in removed.windows(2) {
            if scene.items[pair[0] + 1..pair[1]].iter().any(Item::is_skipped) {
                expected = Expectation::Refused;
            }
        }
        let beside = [start.checked_sub(1), (end < lines.len()).then_some(end)];
        // A line that is not there, right beside a change, may be one that is to be added and has lost its sign.
        if beside.into_iter().flatten().any(|at| scene.items[lines[at].1].is_phantom()) {
            expected = expected.max(Expectation::Open);
        }
    }
    let misspelt = |line: &&Line| scene.items[line.1].likeness == Likeness::Misspelt;
    let of_removed = lines.iter().filter(|(kind, _)| *kind == LineKind::Remove).filter(misspelt).count();
    // A misspelt removed line is forgiven in an otherwise exact block, and nowhere else.
    if of_removed > 1 || of_removed == 1 && differences(scene, lines) > 1 {
        expected = expected.max(Expectation::Open);
    }
    expected
}

/// How many lines do not say the same in the patch and in the file.
fn differences(scene: &Scene, lines: &[Line]) -> usize {
    let differs =
        |(kind, nth): &&Line| *kind != LineKind::Add && scene.items[*nth].likeness >= Likeness::Misspelt;
    lines.iter().filter(differs).count() + skipped(scene, lines)
}

/// How many lines of the file stand between the quoted ones and are not quoted.
fn skipped(scene: &Scene, lines: &[Line]) -> usize {
    let (Some((_, first)), Some((_, last))) = (lines.first(), lines.last()) else { return 0 };
    scene.items[*first..*last].iter().filter(|item| item.is_skipped()).count()
}

/// How much of a quote has to be as the file has it for the place to be beyond doubt, where not all of it is: two
/// lines that say something, and of all letters the most.
const LEAST_LINES: usize = 2;
const LEAST_LETTERS: usize = 24;
const LEAST_PERCENT: usize = 60;

/// Below this many letters a line says nothing: `}`, `end`, `else {`.
const SAYS_SOMETHING: usize = 5;

/// Whether enough of the quote is in the file, and not nearly as much of it in another place. `None`: there is more of
/// it in another place, so that it is true of that one; or nearly as much, and the patch says that it means that one.
fn of_evidence(scene: &Scene, lines: &[Line]) -> Option<Expectation> {
    let old: Vec<&Item> =
        lines.iter().filter(|(kind, _)| *kind != LineKind::Add).map(|(_, nth)| &scene.items[*nth]).collect();
    let quotes: Vec<&str> = old.iter().filter_map(|item| item.quote.as_deref()).collect();
    if scene.sees != Sees::After && times(scene, &quotes) > 1 {
        // What an operator left of it is true of another place, too.
        return None;
    }
    let clean = old.iter().all(|item| item.likeness <= Likeness::Unseen) && skipped(scene, lines) == 0;
    if clean || scene.sees == Sees::After {
        // The quote has one place, by construction, however little it says.
        return Some(Expectation::Applied);
    }
    let sound: Vec<usize> = old
        .iter()
        .filter(|item| item.likeness <= Likeness::Alike)
        .filter_map(|item| item.file.as_deref().map(letters))
        .filter(|letters| *letters >= SAYS_SOMETHING)
        .collect();
    let all: usize = old.iter().filter_map(|item| item.quote.as_deref()).map(letters).sum();
    let said: usize = sound.iter().sum();
    let enough = sound.len() >= LEAST_LINES && said >= LEAST_LETTERS && 100 * said >= LEAST_PERCENT * all;
    match rival(scene, lines, &quotes) {
        _ if stands(scene, &quotes) => None,
        rival if rival > said => None,
        rival if enough && 2 * rival < said && !names_other_block(scene, lines) => Some(Expectation::Applied),
        rival if rival > 0 && scene.is_misled() => None,
        _ => Some(Expectation::Open),
    }
}

/// Checks whether a line that differs opens a block in which something changes: the name of another block may be quoted, whose
/// lines are the same.
fn names_other_block(scene: &Scene, lines: &[Line]) -> bool {
    let depth = |text: &str| text.len() - text.trim_start().len();
    let text = |nth: usize| {
        scene.items[nth].quote.as_deref().or(scene.items[nth].file.as_deref()).unwrap_or_default()
    };
    (0..lines.len()).any(|at| {
        let (kind, nth) = lines[at];
        let differs = kind == LineKind::Context && scene.items[nth].likeness >= Likeness::Misspelt;
        let deeper =
            |(_, below): &&Line| text(*below).trim().is_empty() || depth(text(*below)) > depth(text(nth));
        let mut block = lines[at + 1..].iter().take_while(deeper);
        differs && block.any(|(kind, _)| *kind != LineKind::Context)
    })
}

/// How many letters of the quote stand together at the best other place.
fn rival(scene: &Scene, lines: &[Line], quotes: &[&str]) -> usize {
    let (Some((_, first)), Some((_, last))) = (lines.first(), lines.last()) else { return 0 };
    let window = last - first + 3;
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in quotes.iter().map(|text| text.trim()).filter(|text| letters(text) >= SAYS_SOMETHING) {
        *counts.entry(text).or_default() += 1;
    }
    let elsewhere = |nth: &usize| nth < first || nth > last;
    let hits: Vec<(usize, &str)> = scene
        .places(|item| item.kind != LineKind::Add && item.file.is_some())
        .into_iter()
        .filter(elsewhere)
        .filter_map(|nth| Some((nth, scene.items[nth].file.as_deref()?.trim())))
        .filter(|(_, text)| counts.contains_key(text))
        .collect();
    let weight = |from: usize| {
        let mut left = counts.clone();
        let near = hits[from..].iter().take_while(|(nth, _)| *nth < hits[from].0 + window);
        let counted = near.filter(|(_, text)| {
            let left = left.entry(text).or_default();
            let counts = *left > 0;
            *left = left.saturating_sub(1);
            counts
        });
        counted.map(|(_, text)| letters(text)).sum::<usize>()
    };
    (0..hits.len()).map(weight).max().unwrap_or(0)
}

/// The runs of lines of some kind: where each begins, and behind which line it ends.
fn runs(lines: &[Line], of: impl Fn(LineKind) -> bool) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let len = lines[at..].iter().take_while(|(kind, _)| of(*kind)).count();
        if len > 0 {
            runs.push((at, at + len));
        }
        at += len.max(1);
    }
    runs
}
