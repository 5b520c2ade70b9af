//! Finds explanations of two chunks that exclude each other.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::chunk::Chunk;
use crate::locate::align::file::File;
use crate::locate::explanation::{Explanation, State};
use crate::text::Replacement;

/// What two explanations of different chunks have in common, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Conflict {
    /// Both make the same change.
    SameChange,
    /// Both change the same lines, or add lines at the same point; or one chunk removes lines that another chunk has
    /// already made; or both have already made the same lines, below different headers.
    Clash,
}

/// An explanation of a chunk: the chunk, and the number of the explanation.
type Choice = (usize, usize);

/// All pairs of explanations that conflict.
///
/// Two chunks with a single explanation each are in conflict in all assignments or in none, so their conflict changes no
/// comparison of assignments. Of these chunks only those that clash are known, because many chunks at the same position
/// have too many pairs.
#[derive(Debug, Default)]
pub(super) struct Conflicts {
    of: HashMap<Choice, Vec<(usize, usize, Conflict)>>,
    /// The chunks with a single explanation that clash with another such chunk.
    single: HashSet<usize>,
}

/// An explanation of a chunk with the lines that it changes.
type Reaching<'e, 'q> = (Range<usize>, Choice, &'e Explanation<'q>);

impl Conflicts {
    /// Compares the explanations of nearby chunks.
    pub(super) fn new(file: &File<'_>, chunks: &[Chunk<'_>], among: &[usize]) -> Self {
        let (mut all, mut several): (Vec<Reaching<'_, '_>>, Vec<Reaching<'_, '_>>) = Default::default();
        for chunk in among {
            let explanations = &chunks[*chunk].explanations;
            for (nth, explanation) in explanations.iter().enumerate() {
                let reaching = (reach(explanation), (*chunk, nth), explanation);
                if explanations.len() > 1 {
                    several.push(reaching.clone());
                }
                all.push(reaching);
            }
        }
        for list in [&mut all, &mut several] {
            list.sort_unstable_by_key(|(range, choice, _)| (range.start, *choice));
        }
        let mut conflicts = Conflicts::default();
        for (nth, (range, choice, one)) in all.iter().enumerate() {
            let is_single = chunks[choice.0].explanations.len() == 1;
            let behind = if is_single {
                let key = (range.start, *choice);
                &several[several.partition_point(|(other, choice, _)| (other.start, *choice) < key)..]
            } else {
                &all[nth + 1..]
            };
            let near = behind.iter().take_while(|(other, ..)| other.start <= range.end);
            for (_, other_choice, other) in near.filter(|(_, other, _)| other.0 != choice.0) {
                let [headers, other_headers] = [choice, other_choice].map(|choice| &chunks[choice.0].headers);
                let made_same = || {
                    (headers.are_other_than(other_headers) && share_result(one, other))
                        .then_some(Conflict::Clash)
                };
                if let Some(conflict) = between(file, one, other).or_else(made_same) {
                    conflicts.note(*choice, *other_choice, conflict);
                    conflicts.note(*other_choice, *choice, conflict);
                }
            }
        }
        for of_choice in conflicts.of.values_mut() {
            of_choice.sort_unstable_by_key(|(chunk, choice, _)| (*chunk, *choice));
        }
        all.retain(|(_, choice, _)| chunks[choice.0].explanations.len() == 1);
        conflicts.single = clashing(file, &all);
        conflicts
    }

    /// Checks whether chunks clash in every assignment.
    pub(super) fn always_clash(&self) -> bool {
        !self.single.is_empty()
    }

    /// Checks whether a chunk with a single explanation clashes with another such chunk.
    pub(super) fn always_clashes(&self, chunk: usize) -> bool {
        self.single.contains(&chunk)
    }

    fn note(&mut self, one: Choice, other: Choice, conflict: Conflict) {
        self.of.entry(one).or_default().push((other.0, other.1, conflict));
    }

    /// Returns the explanations of other chunks that conflict with an explanation, ascending by chunk and number; without pairs
    /// of chunks with a single explanation.
    pub(super) fn of(&self, chunk: usize, choice: usize) -> &[(usize, usize, Conflict)] {
        self.of.get(&(chunk, choice)).map_or(&[], Vec::as_slice)
    }
}

/// Returns the chunks of some explanations, by position, that clash with another of these chunks. Explanations that
/// make the same change are compared once.
fn clashing(file: &File<'_>, all: &[Reaching<'_, '_>]) -> HashSet<usize> {
    let mut numbers: HashMap<SameConflicts<'_>, usize> = HashMap::new();
    let mut alike: Vec<Vec<&Reaching<'_, '_>>> = Vec::new();
    for reaching in all {
        let nth = *numbers.entry(SameConflicts::of(reaching)).or_insert(alike.len());
        if nth == alike.len() {
            alike.push(Vec::new());
        }
        alike[nth].push(reaching);
    }
    let clashes =
        |one: usize, other: usize| between(file, alike[one][0].2, alike[other][0].2) == Some(Conflict::Clash);
    let mut clashing: Vec<bool> =
        (0..alike.len()).map(|nth| alike[nth].len() > 1 && clashes(nth, nth)).collect();
    let mut open = Open::new(alike.len());
    for nth in 0..alike.len() {
        let end = alike[nth][0].0.end;
        let is_near = |other: &usize| *other < alike.len() && alike[*other][0].0.start <= end;
        if !clashing[nth] {
            clashing[nth] = (nth + 1..alike.len()).take_while(is_near).any(|other| clashes(nth, other));
        }
        // Only groups that are not known to clash are still compared.
        let mut next = open.from(nth + 1);
        while let Some(other) = next.filter(|other| clashing[nth] && is_near(other)) {
            clashing[other] |= clashes(nth, other);
            if clashing[other] {
                open.close(other);
            }
            next = open.from(other + 1);
        }
    }
    let groups = alike.iter().zip(clashing).filter(|(_, clashes)| *clashes);
    groups.flat_map(|(alike, _)| alike.iter().map(|(_, choice, _)| choice.0)).collect()
}

/// The groups that are not known to clash: for each group the next that may be one.
struct Open {
    next: Vec<usize>,
}

impl Open {
    fn new(groups: usize) -> Self {
        Open { next: (0..=groups).collect() }
    }

    fn close(&mut self, group: usize) {
        self.next[group] = group + 1;
    }

    /// Returns the first group from a group on that is not known to clash.
    fn from(&mut self, mut group: usize) -> Option<usize> {
        while self.next[group] != group {
            self.next[group] = self.next[self.next[group]];
            group = self.next[group];
        }
        (group + 1 < self.next.len()).then_some(group)
    }
}

/// All that a conflict depends on.
#[derive(PartialEq, Eq, Hash)]
struct SameConflicts<'e> {
    reach: Range<usize>,
    state: State,
    changes: bool,
    removed: &'e [usize],
    insertions: Option<Vec<(usize, &'e [String])>>,
}

impl<'e> SameConflicts<'e> {
    fn of((reach, _, explanation): &Reaching<'e, '_>) -> Self {
        let effect = explanation.effect.as_ref().ok();
        let insertions = effect.map(|effect| {
            effect.insertions.iter().map(|insertion| (insertion.at, &insertion.lines[..])).collect()
        });
        SameConflicts {
            reach: reach.clone(),
            state: explanation.state,
            changes: explanation.reading.changes(),
            removed: &explanation.removed,
            insertions,
        }
    }
}

/// Returns the lines that an explanation changes, or has already changed.
fn reach(explanation: &Explanation<'_>) -> Range<usize> {
    match explanation.state {
        State::Made => explanation.lines.clone(),
        State::ToMake => explanation.span.clone(),
    }
}

fn between(file: &File<'_>, one: &Explanation<'_>, other: &Explanation<'_>) -> Option<Conflict> {
    match (one.state, other.state) {
        (State::Made, State::Made) => None,
        (State::Made, State::ToMake) => undoes(other, one).then_some(Conflict::Clash),
        (State::ToMake, State::Made) => undoes(one, other).then_some(Conflict::Clash),
        (State::ToMake, State::ToMake) => between_changes(file, one, other),
    }
}

/// Checks whether two results have the same line of the file as an added line: only one of the two edits was made there.
fn share_result(one: &Explanation<'_>, other: &Explanation<'_>) -> bool {
    let others: Vec<usize> = added_lines(other).collect();
    added_lines(one).any(|line| others.binary_search(&line).is_ok())
}

/// Returns the lines of the file that an edit added when it was made, ascending; none of an edit that is to be made.
fn added_lines(explanation: &Explanation<'_>) -> impl Iterator<Item = usize> {
    let is_made = explanation.state == State::Made;
    let rows = explanation.reading.rows.iter().filter(move |row| is_made && !row.removes());
    let added = rows.zip(explanation.pairs.iter()).filter(|(row, _)| row.adds() && !row.is_blank());
    added.filter_map(|(_, pair)| pair.line())
}

/// Checks whether an explanation removes a line that another explanation has already made.
fn undoes(explanation: &Explanation<'_>, made: &Explanation<'_>) -> bool {
    explanation.removed.iter().any(|line| made.lines.contains(line))
}

fn between_changes(file: &File<'_>, one: &Explanation<'_>, other: &Explanation<'_>) -> Option<Conflict> {
    if !one.reading.changes() || !other.reading.changes() {
        return None;
    }
    let shared_lines = one.removed.iter().any(|line| other.removed.binary_search(line).is_ok());
    let both_insert = one.removed.is_empty() && other.removed.is_empty() && share_point(one, other);
    let inserts_inside = splits(one, other) || splits(other, one);
    if !(shared_lines || both_insert || inserts_inside) {
        return None;
    }
    let is_same = one.has_bytes() && other.has_bytes() && makes_same_changes(file, one, other);
    Some(if is_same { Conflict::SameChange } else { Conflict::Clash })
}

/// Checks whether two explanations agree wherever both change the file.
fn makes_same_changes(file: &File<'_>, one: &Explanation<'_>, other: &Explanation<'_>) -> bool {
    let (one, other) = (one.replacements(file), other.replacements(file));
    let touch = |a: &Replacement<'_>, b: &Replacement<'_>| a.start <= b.end() && b.start <= a.end();
    let shares = one.iter().any(|a| other.contains(a));
    shares
        && one
            .iter()
            .all(|a| other.iter().all(|b| a == b || !touch(a, b) || a.end() == b.start || b.end() == a.start))
}

fn points<'e>(explanation: &'e Explanation<'_>) -> impl Iterator<Item = usize> + 'e {
    explanation.effect.iter().flat_map(|effect| effect.insertions.iter().map(|insertion| insertion.at))
}

fn share_point(one: &Explanation<'_>, other: &Explanation<'_>) -> bool {
    points(one).any(|point| points(other).any(|other| other == point))
}

/// Checks whether an explanation adds lines inside the lines that another explanation removes.
fn splits(one: &Explanation<'_>, other: &Explanation<'_>) -> bool {
    let (Some(first), Some(last)) = (other.removed.first(), other.removed.last()) else { return false };
    points(one).any(|point| *first < point && point <= *last)
}
