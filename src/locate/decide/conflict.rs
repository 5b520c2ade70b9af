//! Finds explanations of two chunks that exclude each other.

use std::collections::HashMap;
use std::ops::Range;

use super::chunk::Chunk;
use crate::locate::align::file::File;
use crate::locate::explanation::{Explanation, State};
use crate::text::Replacement;

/// What two explanations of different chunks have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conflict {
    /// Both change the same lines, or add lines at the same point; or one chunk removes lines that another chunk has
    /// already made.
    Clash,
    /// Both make the same change.
    SameChange,
}

/// An explanation of a chunk: the chunk, and the number of the explanation.
type Choice = (usize, usize);

/// All pairs of explanations that conflict.
#[derive(Debug, Default)]
pub(super) struct Conflicts {
    of: HashMap<Choice, Vec<(usize, usize, Conflict)>>,
}

impl Conflicts {
    /// Compares the explanations of nearby chunks.
    pub(super) fn new(file: &File<'_>, chunks: &[Chunk<'_>], among: &[usize]) -> Self {
        let mut all: Vec<(Range<usize>, Choice, &Explanation<'_>)> = Vec::new();
        for chunk in among {
            for (nth, explanation) in chunks[*chunk].explanations.iter().enumerate() {
                all.push((reach(explanation), (*chunk, nth), explanation));
            }
        }
        all.sort_by_key(|(range, choice, _)| (range.start, *choice));
        let mut conflicts = Conflicts::default();
        for (nth, (range, choice, one)) in all.iter().enumerate() {
            let near = all[nth + 1..].iter().take_while(|(other, ..)| other.start <= range.end);
            for (_, other_choice, other) in near.filter(|(_, other, _)| other.0 != choice.0) {
                if let Some(conflict) = between(file, one, other) {
                    conflicts.note(*choice, *other_choice, conflict);
                    conflicts.note(*other_choice, *choice, conflict);
                }
            }
        }
        for of_choice in conflicts.of.values_mut() {
            of_choice.sort_unstable_by_key(|(chunk, choice, _)| (*chunk, *choice));
        }
        conflicts
    }

    fn note(&mut self, one: Choice, other: Choice, conflict: Conflict) {
        self.of.entry(one).or_default().push((other.0, other.1, conflict));
    }

    /// Returns the explanations of other chunks that conflict with an explanation, ascending by chunk and number.
    pub(super) fn of(&self, chunk: usize, choice: usize) -> &[(usize, usize, Conflict)] {
        self.of.get(&(chunk, choice)).map_or(&[], Vec::as_slice)
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

/// Checks whether an explanation removes a line that another explanation has already made.
fn undoes(explanation: &Explanation<'_>, made: &Explanation<'_>) -> bool {
    explanation.removed.iter().any(|line| made.lines.contains(line))
}

fn between_changes(file: &File<'_>, one: &Explanation<'_>, other: &Explanation<'_>) -> Option<Conflict> {
    if !one.reading.changes() || !other.reading.changes() {
        return None;
    }
    let is_same = one.has_bytes() && other.has_bytes() && makes_same_changes(file, one, other);
    let shared_lines = one.removed.iter().any(|line| other.removed.binary_search(line).is_ok());
    let both_insert = one.removed.is_empty() && other.removed.is_empty() && share_point(one, other);
    let inserts_inside = splits(one, other) || splits(other, one);
    match (shared_lines || both_insert || inserts_inside, is_same) {
        (false, _) => None,
        (true, true) => Some(Conflict::SameChange),
        (true, false) => Some(Conflict::Clash),
    }
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
