//! Fitting a whole quote into the document where no tier has it line for line.
//!
//! The quote is aligned with a stretch of the document, as two texts are in a diff: each quoted line stands for a
//! line of the document or for none, and lines of the document may be skipped. Every difference has a cost
//! ([`Relation::cost`] and the constants here), and the cheapest alignment is what the model most likely saw.
//!
//! Where to try is known from the lines that the quote and the document share: each votes for the line where the
//! quote would begin. Lines are compared by their [skeleton](Fold::Skeleton) for this, so that spacing,
//! escapes and code pages do not matter.

use std::borrow::Cow;

use super::pairing::{At, core};
use super::relation::{Relation, relate};
use super::search::Index;
use crate::patch::LineKind;
use crate::patch::edit::{Edit, EditLine};
use crate::text::{Document, Fold, is_blank};

/// One way to fit an edit into the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aligned {
    /// What each line of the edit stands for.
    pub(super) at: Vec<At>,
    /// What all differences cost together, in tenths of a misspelt word.
    pub(super) cost: u32,
}

/// A quoted line that the document does not have, and a line of the document that is not quoted.
const PHANTOM: u32 = 40;
const SKIPPED: u32 = 35;
/// The same for blank lines, which models drop and add without noticing.
const BLANK: u32 = 3;
/// What no model does.
const IMPOSSIBLE: u32 = 100_000;

/// How many places of one line vote: a line that stands everywhere points nowhere.
const VOTING: usize = 64;

/// How many stretches of the document are tried.
const TRIED: usize = 24;

/// How often a stretch is fitted until there is a second fit with another effect than the best: the two may be a few
/// lines apart, and some in between may differ by a blank line alone.
const ROUNDS: usize = 4;

/// How many pairs of lines are compared for one stretch at most; longer quotes get a narrower band.
const CELLS: usize = 200_000;

/// The ways to fit an edit into the document, the cheapest first, each with its own effect; and whether there are
/// more places that may fit as well than were tried, so that none of them can be told to be the best.
pub(super) fn align(index: &Index, edit: &Edit<'_>) -> (Vec<Aligned>, bool) {
    align_with(index, edit, &|_| false)
}

/// The same, where some of the edit's lines have to stand for one of the document that is like them.
pub(super) fn align_with(
    index: &Index,
    edit: &Edit<'_>,
    is_placed: &dyn Fn(usize) -> bool,
) -> (Vec<Aligned>, bool) {
    let olds = edit.lines.iter().enumerate().filter(|(_, line)| line.kind != LineKind::Add);
    let quote: Vec<Quoted<'_>> = olds.map(|(nth, line)| Quoted::new(index, line, is_placed(nth))).collect();
    let slack = SLACK + quote.len() / 8;
    let band = (2 * slack).min(CELLS / (2 * quote.len().max(1))).max(2);
    let mut found: Vec<Aligned> = Vec::new();
    let (starts, crowded) = stretches(index, &quote, slack);
    for start in starts {
        let mut fitting = Fitting::new(index, &quote, start, band);
        let mut effects: Vec<Aligned> = Vec::new();
        for _ in 0..ROUNDS {
            let Some((lines, cost)) = fitting.best() else { break };
            let aligned = Aligned { at: with_gaps(edit, &lines, index.document()), cost };
            fitting.forbid(changed(edit, &aligned.at));
            if !effects.iter().any(|other| same_effect(edit, &aligned, other, index.document())) {
                effects.push(aligned);
            }
            if effects.len() == 2 {
                break;
            }
        }
        for aligned in effects {
            let cost = aligned.cost;
            match found.iter_mut().find(|other| same_effect(edit, &aligned, other, index.document())) {
                Some(other) if other.cost <= cost => {}
                Some(other) => *other = aligned,
                None => found.push(aligned),
            }
        }
    }
    (cheapest_first(found), crowded)
}

/// The ways to fit an edit's old lines into the document whatever they say, the cheapest first: what a diagnosis shows,
/// and no place to edit. `near` are lines where the quote may begin besides those that its own lines point to.
pub(super) fn align_loosely(index: &Index, edit: &Edit<'_>, near: &[usize]) -> Vec<Aligned> {
    let olds = edit.lines.iter().filter(|line| line.kind != LineKind::Add);
    let free = |line| Quoted { need: Need::Nothing, ..Quoted::new(index, line, false) };
    let quote: Vec<Quoted<'_>> = olds.map(free).collect();
    let slack = SLACK + quote.len() / 8;
    let band = (2 * slack).min(CELLS / (2 * quote.len().max(1))).max(2);
    let (voted, _) = stretches(index, &quote, slack);
    // Of two fits that cost the same, the one line for line is meant.
    let near = near.iter().filter_map(|start| isize::try_from(*start).ok());
    let near = near.flat_map(|start| [(start, 0), (start, band)]);
    let mut found: Vec<Aligned> = Vec::new();
    for (start, band) in near.chain(voted.into_iter().take(SHOWN).map(|start| (start, band))) {
        let fitting = Fitting::new(index, &quote, start, band);
        let Some((lines, cost)) = fitting.best() else { continue };
        let aligned = Aligned { at: with_gaps(edit, &lines, index.document()), cost };
        if !found.iter().any(|other| other.at == aligned.at) {
            found.push(aligned);
        }
    }
    cheapest_first(found)
}

/// The fits by their cost; those of one cost stay in their order. They are few: a sort would be five kilobytes more.
fn cheapest_first(fits: Vec<Aligned>) -> Vec<Aligned> {
    let mut sorted: Vec<Aligned> = Vec::with_capacity(fits.len());
    for fit in fits {
        sorted.insert(sorted.partition_point(|other| other.cost <= fit.cost), fit);
    }
    sorted
}

/// How many stretches are tried for a diagnosis.
const SHOWN: usize = 6;

/// Whether two alignments change the document alike: the same lines, or additions with but blank lines between
/// the one place and the other.
pub(super) fn same_effect(edit: &Edit<'_>, one: &Aligned, other: &Aligned, document: &Document) -> bool {
    let (Some(one), Some(other)) =
        (core(edit, &one.at.iter().copied()), core(edit, &other.at.iter().copied()))
    else {
        return true;
    };
    let removes = edit.lines.iter().any(|line| line.kind == LineKind::Remove);
    let (first, last) = (one.start.min(other.start) / 2, one.start.max(other.start) / 2);
    one == other || !removes && (first..last).all(|line| is_blank(document.line(line)))
}

/// How many lines a quote may have drifted from its beginning to any of its lines, at the least.
const SLACK: usize = 4;

/// What a quoted line has to stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// A line, or none.
    Nothing,
    /// A line that is like it.
    Likeness,
    /// That very line, but for a slip: it is removed, or has no sign that says what it is.
    Itself,
}

/// A quoted old line.
struct Quoted<'q> {
    text: &'q str,
    /// Its bytes without white space at both ends.
    inner: &'q [u8],
    need: Need,
    signed: bool,
    blank: bool,
    /// The hash of its skeleton.
    skeleton: u64,
    /// Where lines of the same skeleton stand; empty for blank lines, and where it is everywhere.
    places: Vec<u32>,
}

impl<'q> Quoted<'q> {
    fn new(index: &Index, line: &'q EditLine<'_>, is_placed: bool) -> Self {
        let text = &*line.text;
        let blank = text.trim().is_empty();
        let places = if blank { Cow::default() } else { index.line_places(Fold::Skeleton, text) };
        let places = if places.len() > VOTING { Cow::default() } else { places };
        let need = match line.kind {
            LineKind::Remove => Need::Itself,
            _ if !line.signed && !blank => Need::Itself,
            _ if is_placed => Need::Likeness,
            _ => Need::Nothing,
        };
        let skeleton = index.skeleton(text);
        let (inner, places) = (text.as_bytes().trim_ascii(), places.into_owned());
        Quoted { text, inner, need, signed: line.signed, blank, skeleton, places }
    }
}

/// The lines where the quote may begin, those with most votes first; and whether there are more with nearly as many
/// votes as the first.
fn stretches(index: &Index, quote: &[Quoted<'_>], slack: usize) -> (Vec<isize>, bool) {
    let signed = |number: usize| isize::try_from(number).unwrap_or(isize::MAX);
    let mut votes: Vec<(isize, isize)> = Vec::new();
    for (nth, line) in quote.iter().enumerate() {
        // A rare line points to its place better than a common one, a long one better than a short one.
        let weight = signed(line.text.trim().len().min(40) * VOTING / line.places.len().max(1));
        votes.extend(line.places.iter().map(|place| (signed(*place as usize) - signed(nth), weight)));
    }
    votes.sort_unstable();
    // The weight is counted downwards, so that the first have most of it.
    let mut stretches: Vec<(isize, isize)> = Vec::new();
    let mut rest = &votes[..];
    while let Some((start, _)) = rest.first() {
        let near = rest.partition_point(|(other, _)| *other <= start + signed(slack));
        let weight: isize = rest[..near].iter().map(|(_, weight)| weight).sum();
        let middle =
            rest[..near].iter().max_by_key(|(_, weight)| *weight).map_or(*start, |(start, _)| *start);
        stretches.push((-weight, middle));
        rest = &rest[near..];
    }
    stretches.sort_unstable();
    let last = signed(index.document().len());
    stretches.retain(|(_, start)| *start < last);
    let most = stretches.first().map_or(0, |(weight, _)| *weight);
    let crowded = stretches.get(TRIED).is_some_and(|(weight, _)| 4 * weight <= 3 * most);
    (stretches.into_iter().map(|(_, start)| start).take(TRIED).collect(), crowded)
}

/// A line of the document that a quote is laid beside.
struct Actual<'d> {
    line: &'d [u8],
    /// Without white space at both ends.
    inner: &'d [u8],
    blank: bool,
    /// The hash of its skeleton.
    skeleton: Option<u64>,
}

/// A quote beside one stretch of the document.
struct Fitting<'f> {
    quote: &'f [Quoted<'f>],
    /// The line where the quote would begin without drift.
    start: isize,
    /// The lines of the stretch: looked at once, and compared with each quoted line.
    actual: Vec<Actual<'f>>,
    /// Which line of the document the first of these is.
    first: usize,
    /// How far a line may have drifted, up and down.
    band: usize,
    /// What it costs that a quoted line stands for the document line of a cell, row by row.
    pairs: Vec<Vec<u32>>,
}

/// How a cell of the table was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Begin,
    Pair,
    Phantom,
    Skip,
}

impl<'f> Fitting<'f> {
    fn new(index: &'f Index, quote: &'f [Quoted<'f>], start: isize, band: usize) -> Self {
        let end = start.saturating_add_unsigned(quote.len() + band);
        let end = usize::try_from(end).unwrap_or_default().min(index.document().len());
        let first = usize::try_from(start.saturating_sub_unsigned(band)).unwrap_or_default().min(end);
        let actual = (first..end).map(|line| Actual::new(index, line)).collect();
        let mut fitting =
            Fitting { quote, start, actual, first, band, pairs: Vec::with_capacity(quote.len()) };
        for (nth, quoted) in quote.iter().enumerate() {
            let cost = |cell| fitting.actual(nth, cell).map_or(IMPOSSIBLE, |actual| quoted.pair(actual));
            let row = (0..=2 * band).map(cost).collect();
            fitting.pairs.push(row);
        }
        fitting
    }

    /// Takes these pairs of a quoted and a document line no more.
    fn forbid(&mut self, pairs: Vec<(usize, usize)>) {
        for (nth, line) in pairs {
            if let Some(cell) = (0..self.pairs[nth].len()).find(|cell| self.line(nth, *cell) == Some(line)) {
                self.pairs[nth][cell] = IMPOSSIBLE;
            }
        }
    }

    /// The cheapest fit: for each quoted line its line of the document, and the cost. The dynamic programme of
    /// Needleman and Wunsch in a band, with free ends in the document.
    fn best(&self) -> Option<(Vec<Option<usize>>, u32)> {
        let width = 2 * self.band + 1;
        let mut costs = vec![0u32; width];
        let mut steps = vec![vec![Step::Begin; width]];
        for nth in 0..self.quote.len() {
            let (row, step) = self.row(nth, &costs);
            costs = row;
            steps.push(step);
        }
        let (cell, cost) = costs.into_iter().enumerate().min_by_key(|(_, cost)| *cost)?;
        (cost < IMPOSSIBLE).then(|| (self.trace(&steps, cell), cost))
    }

    /// The costs of having passed one more quoted line, for each number of document lines passed.
    fn row(&self, nth: usize, before: &[u32]) -> (Vec<u32>, Vec<Step>) {
        let width = before.len();
        let (mut costs, mut steps) = (vec![IMPOSSIBLE; width], vec![Step::Begin; width]);
        let last = nth + 1 == self.quote.len();
        for cell in 0..width {
            // After the quoted line, in this cell, the document line before `passed` was the last one.
            let Some(actual) = self.actual(nth, cell) else { continue };
            let mut best = (before[cell].saturating_add(self.pairs[nth][cell]), Step::Pair);
            if let Some(cost) = before.get(cell + 1) {
                best = best.min_cost((cost.saturating_add(self.phantom(nth)), Step::Phantom));
            }
            if !last && cell > 0 {
                best = best.min_cost((costs[cell - 1].saturating_add(actual.skipped()), Step::Skip));
            }
            (costs[cell], steps[cell]) = best;
        }
        (costs, steps)
    }

    /// The document line that is passed last when `nth` quoted lines before it and it have been passed.
    fn line(&self, nth: usize, cell: usize) -> Option<usize> {
        let nth = self.start.checked_add_unsigned(nth)?;
        let line = nth.checked_add_unsigned(cell)?.checked_sub_unsigned(self.band)?;
        usize::try_from(line).ok().filter(|line| *line < self.first + self.actual.len())
    }

    /// What stands there.
    fn actual(&self, nth: usize, cell: usize) -> Option<&Actual<'f>> {
        self.actual.get(self.line(nth, cell)? - self.first)
    }

    fn trace(&self, steps: &[Vec<Step>], cell: usize) -> Vec<Option<usize>> {
        let mut lines = vec![None; self.quote.len()];
        let (mut nth, mut cell) = (self.quote.len(), cell);
        while nth > 0 {
            match steps[nth][cell] {
                Step::Pair => {
                    lines[nth - 1] = self.line(nth - 1, cell);
                    nth -= 1;
                }
                Step::Phantom => {
                    nth -= 1;
                    cell += 1;
                }
                Step::Skip => cell -= 1,
                Step::Begin => break,
            }
        }
        lines
    }

    fn phantom(&self, nth: usize) -> u32 {
        match &self.quote[nth] {
            Quoted { need: Need::Likeness | Need::Itself, .. } => IMPOSSIBLE,
            Quoted { blank: true, .. } => BLANK,
            _ => PHANTOM,
        }
    }
}

impl<'d> Actual<'d> {
    fn new(index: &'d Index, line: usize) -> Self {
        let (skeleton, line) = (index.skeleton_at(line), index.document().line(line));
        Actual { line, inner: line.trim_ascii(), blank: is_blank(line), skeleton }
    }

    /// What it costs that it was not quoted.
    fn skipped(&self) -> u32 {
        if self.blank { BLANK } else { SKIPPED }
    }
}

impl Quoted<'_> {
    /// What it costs that it stands for a line of the document.
    fn pair(&self, actual: &Actual<'_>) -> u32 {
        if actual.line == self.text.as_bytes() {
            return 0;
        }
        match (self.blank, actual.blank) {
            (true, true) => return 0,
            (false, false) => {}
            _ => return IMPOSSIBLE,
        }
        let one_skeleton = actual.skeleton == Some(self.skeleton);
        let relation = if one_skeleton || ends_alike(self.inner, actual.inner) {
            str::from_utf8(actual.line).map_or(Relation::Other, |actual| relate(self.text, actual))
        } else {
            Relation::Other
        };
        // A line without a sign is context only if the file has it.
        let vouched = relation.says_same() || self.signed && matches!(relation, Relation::Misspelt(_));
        let fits = match self.need {
            Need::Nothing => true,
            Need::Likeness => relation != Relation::Other,
            Need::Itself => vouched,
        };
        if fits { relation.cost() } else { IMPOSSIBLE }
    }
}

trait MinCost {
    fn min_cost(self, other: Self) -> Self;
}

/// Pairs are preferred to lines too many, and those to lines too few, where the cost is the same.
impl MinCost for (u32, Step) {
    fn min_cost(self, other: Self) -> Self {
        if other.0 < self.0 { other } else { self }
    }
}

/// Whether two lines, without white space at their ends, begin or end alike: others are worth no closer look, if they are
/// not of one skeleton.
fn ends_alike(q: &[u8], d: &[u8]) -> bool {
    // So much has to be alike that the longer one is thrice the shorter one at most.
    if 3 * q.len().min(d.len()) < q.len().max(d.len()) {
        return false;
    }
    let head = q.iter().zip(d).take_while(|(q, d)| q == d).count();
    let tail = q[head..].iter().rev().zip(d[head..].iter().rev()).take_while(|(q, d)| q == d).count();
    3 * (head + tail) >= q.len().max(d.len())
}

/// Puts the added lines between the paired ones.
fn with_gaps(edit: &Edit<'_>, lines: &[Option<usize>], document: &Document) -> Vec<At> {
    let mut olds = lines.iter();
    let mut at: Vec<At> = edit
        .lines
        .iter()
        .map(|line| match line.kind {
            LineKind::Add => At::Gap(0),
            _ => olds.next().copied().flatten().map_or(At::Nowhere, At::Line),
        })
        .collect();
    for run in edit.runs(|kind| kind == LineKind::Add) {
        let gap = gap(edit, &at, run.clone(), document);
        at[run].fill(At::Gap(gap));
    }
    at
}

/// Where a run of added lines goes: behind the paired line before it, or right before the one behind it if
/// blank lines lie between and the run ends in a blank line of its own.
fn gap(edit: &Edit<'_>, at: &[At], run: std::ops::Range<usize>, document: &Document) -> usize {
    let before = at[..run.start].iter().rev().find_map(|at| at.line());
    let behind = at[run.end..].iter().find_map(|at| at.line());
    let blank = |nth: usize| edit.lines[nth].text.trim().is_empty();
    match (before, behind) {
        (Some(before), Some(behind)) => {
            let skipped_blank = (before + 1..behind).all(|line| is_blank(document.line(line)));
            let ends_blank = blank(run.end - 1) && !blank(run.start);
            if skipped_blank && ends_blank { behind } else { before + 1 }
        }
        (Some(before), None) => before + 1,
        (None, behind) => behind.unwrap_or_default(),
    }
}

/// The pairs that an alignment's effect hangs on: the removed lines, and the paired lines nearest to added ones.
fn changed(edit: &Edit<'_>, at: &[At]) -> Vec<(usize, usize)> {
    let mut matters: Vec<bool> = edit.lines.iter().map(|line| line.kind == LineKind::Remove).collect();
    for run in edit.runs(|kind| kind == LineKind::Add) {
        let above = at[..run.start].iter().rposition(|at| at.line().is_some());
        let below = at[run.end..].iter().position(|at| at.line().is_some()).map(|below| run.end + below);
        [above, below].into_iter().flatten().for_each(|nth| matters[nth] = true);
    }
    let olds = (0..edit.lines.len()).filter(|nth| edit.lines[*nth].kind != LineKind::Add);
    let pairs = olds.enumerate().filter(|(_, nth)| matters[*nth]);
    pairs.filter_map(|(old, nth)| at[nth].line().map(|line| (old, line))).collect()
}
