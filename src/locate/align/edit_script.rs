//! The cheapest edit script between two short lists: which items were replaced, added or dropped.

use std::ops::Range;

use rapidfuzz::distance::osa;

/// A range of both lists that differs. Either range may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// The largest table that is computed, in cells. Beyond this limit, the middle of both lists is a single change,
/// because lists of that length are not lines of code, and a detailed difference would be unreadable.
const MOST_CELLS: usize = 1 << 16;

/// Returns the differences of two lists, by the fewest replaced, added and dropped items (Levenshtein distance, Wagner
/// and Fischer 1974), in order. Of several minimal scripts, returns the script that keeps items as early as possible.
pub(crate) fn changes<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Change> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (mid_old, mid_new) = (&old[head..], &new[head..]);
    let tail = mid_old.iter().rev().zip(mid_new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (mid_old, mid_new) = (&mid_old[..mid_old.len() - tail], &mid_new[..mid_new.len() - tail]);
    if mid_old.is_empty() && mid_new.is_empty() {
        return Vec::new();
    }
    let whole = || vec![Change { old: 0..mid_old.len(), new: 0..mid_new.len() }];
    let trivial = mid_old.is_empty() || mid_new.is_empty() || mid_old.len() * mid_new.len() > MOST_CELLS;
    let mut changes = if trivial { whole() } else { Table::new(mid_old, mid_new).changes() };
    for change in &mut changes {
        change.old = change.old.start + head..change.old.end + head;
        change.new = change.new.start + head..change.new.end + head;
    }
    changes
}

/// Returns the stretches in which two lists are equal under [`changes`]: the start in each, and the length.
pub(crate) fn equal_runs<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize, usize)> {
    let mut runs = Vec::new();
    let (mut at, mut to) = (0, 0);
    for change in
        changes(old, new).into_iter().chain([Change { old: old.len()..old.len(), new: new.len()..new.len() }])
    {
        if change.old.start > at {
            runs.push((at, to, change.old.start - at));
        }
        (at, to) = (change.old.end, change.new.end);
    }
    runs
}

/// The distance of each pair of ends of two lists.
struct Table<'t, T> {
    old: &'t [T],
    new: &'t [T],
    /// Row by row; there is one more row and one more column than items.
    distance: Vec<u32>,
}

impl<'t, T: PartialEq> Table<'t, T> {
    fn new(old: &'t [T], new: &'t [T]) -> Self {
        let width = new.len() + 1;
        let mut table = Table { old, new, distance: vec![0; (old.len() + 1) * width] };
        for i in (0..=old.len()).rev() {
            for j in (0..=new.len()).rev() {
                table.distance[i * width + j] = match (i < old.len(), j < new.len()) {
                    (false, false) => 0,
                    (true, false) => table.cell(i + 1, j) + 1,
                    (false, true) => table.cell(i, j + 1) + 1,
                    (true, true) if old[i] == new[j] => table.cell(i + 1, j + 1),
                    (true, true) => {
                        let either = table.cell(i + 1, j).min(table.cell(i, j + 1));
                        1 + table.cell(i + 1, j + 1).min(either)
                    }
                };
            }
        }
        table
    }

    fn changes(&self) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::new();
        let (mut i, mut j) = (0, 0);
        while i < self.old.len() || j < self.new.len() {
            let (from_old, from_new) = (i, j);
            while (i < self.old.len() || j < self.new.len()) && !self.keeps(i, j) {
                (i, j) = self.step(i, j);
            }
            if (i, j) != (from_old, from_new) {
                changes.push(Change { old: from_old..i, new: from_new..j });
            }
            while self.keeps(i, j) {
                (i, j) = (i + 1, j + 1);
            }
        }
        changes
    }

    fn cell(&self, i: usize, j: usize) -> u32 {
        self.distance[i * (self.new.len() + 1) + j]
    }

    fn keeps(&self, i: usize, j: usize) -> bool {
        i < self.old.len() && j < self.new.len() && self.old[i] == self.new[j]
    }

    /// Returns the next pair of ends behind a change of a single item.
    fn step(&self, i: usize, j: usize) -> (usize, usize) {
        let left = self.cell(i, j) - 1;
        if i < self.old.len() && j < self.new.len() && self.cell(i + 1, j + 1) == left {
            (i + 1, j + 1)
        } else if i < self.old.len() && self.cell(i + 1, j) == left {
            (i + 1, j)
        } else {
            (i, j + 1)
        }
    }
}

/// The longest word that is compared letter by letter, in bytes.
const LONGEST_WORD: usize = 128;

/// Returns the number of missing, additional, wrong or transposed letters (optimal string alignment), if the number is
/// at most `most`.
pub(crate) fn distance_within(one: &str, other: &str, most: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > 4 * most || one.len().max(other.len()) > LONGEST_WORD {
        return (one == other).then_some(0);
    }
    osa::distance_with_args(one.chars(), other.chars(), &osa::Args::default().score_cutoff(most))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_differs_is_found_between_what_is_equal() {
        let (old, new): (Vec<char>, Vec<char>) = ("abxcd".chars().collect(), "abycde".chars().collect());
        assert_eq!(changes(&old, &new), [Change { old: 2..3, new: 2..3 }, Change { old: 5..5, new: 5..6 },]);
        assert_eq!(equal_runs(&old, &new), [(0, 0, 2), (3, 3, 2)]);
    }

    proptest! {
        #[test]
        fn the_script_turns_one_list_into_the_other(old in "[abc]{0,9}", new in "[abc]{0,9}") {
            let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
            let mut made = Vec::new();
            let mut at = 0;
            for change in changes(&old, &new) {
                made.extend_from_slice(&old[at..change.old.start]);
                made.extend_from_slice(&new[change.new.clone()]);
                at = change.old.end;
            }
            made.extend_from_slice(&old[at..]);
            prop_assert_eq!(made, new);
        }
    }
}
