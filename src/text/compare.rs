//! Compares two lists and returns the runs that are equal, removed and added.
//!
//! The algorithm is the Myers diff of `similar`, with the bounds that keep the cost from growing quadratically. Each
//! list is first mapped to numbers, equal items to equal numbers, so that the algorithm is compiled once and not for
//! every item type.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt::{self, Display, Formatter};
use std::hash::Hash;
use std::ops::Range;
use std::time::Instant;

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{ChangeTag, DiffOp, group_diff_ops};

/// Returns the equal and the differing runs of two lists in order, as ranges of indices. After `until` the answer is
/// coarser: a minimal diff is no longer computed.
pub(crate) fn compare<T: Eq + Hash>(old: &[T], new: &[T], until: Option<Instant>) -> Vec<DiffOp> {
    let mut numbers: HashMap<&T, usize> = HashMap::with_capacity(old.len());
    let all = old.iter().chain(new).map(|item| {
        let next = numbers.len();
        *numbers.entry(item).or_insert(next)
    });
    let all: Vec<usize> = all.collect();
    let (old, new) = all.split_at(old.len());
    compare_numbers(old, new, until)
}

fn compare_numbers(old: &[usize], new: &[usize], until: Option<Instant>) -> Vec<DiffOp> {
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    let (olds, news) = (0..old.len(), 0..new.len());
    let searched: Result<(), Infallible> = myers::diff_deadline(&mut found, old, olds, new, news, until);
    let Ok(()) = searched;
    found.into_inner().into_inner().into_ops()
}

/// Two texts, compared line by line.
#[derive(Debug)]
pub(crate) struct LineDiff<'t> {
    old: Vec<&'t str>,
    new: Vec<&'t str>,
    ops: Vec<DiffOp>,
}

impl<'t> LineDiff<'t> {
    /// Compares two texts line by line, endings included. A line ends after its LF.
    pub(crate) fn new(old: &'t str, new: &'t str, until: Option<Instant>) -> Self {
        Self::of(old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect(), until)
    }

    /// Compares two texts that are already split into lines.
    pub(crate) fn of(old: Vec<&'t str>, new: Vec<&'t str>, until: Option<Instant>) -> Self {
        let ops = compare(&old, &new, until);
        LineDiff { old, new, ops }
    }

    /// Returns the changes, each with up to `context` unchanged lines on either side. Changes whose context would touch
    /// are merged into a single hunk.
    pub(crate) fn hunks(&self, context: usize) -> Vec<DiffHunk<'t>> {
        // Twice as many are counted, and must be a number.
        let context = context.min(self.old.len() + self.new.len());
        group_diff_ops(self.ops.clone(), context).iter().filter_map(|ops| self.hunk(ops)).collect()
    }

    fn hunk(&self, ops: &[DiffOp]) -> Option<DiffHunk<'t>> {
        let (first, last) = (ops.first()?, ops.last()?);
        let lines = ops.iter().flat_map(|op| {
            op.iter_changes(&*self.old, &*self.new).map(|change| (change.tag(), change.value()))
        });
        Some(DiffHunk {
            old: first.old_range().start..last.old_range().end,
            new: first.new_range().start..last.new_range().end,
            lines: lines.collect(),
        })
    }
}

/// Changes that are close to each other. Displays as the `@@` line of a unified diff.
#[derive(Debug)]
pub(crate) struct DiffHunk<'t> {
    /// The lines of the hunk in the old text, 0-based.
    pub(crate) old: Range<usize>,
    /// The lines of the hunk in the new text, 0-based.
    pub(crate) new: Range<usize>,
    /// The lines of the hunk with line endings.
    pub(crate) lines: Vec<(ChangeTag, &'t str)>,
}

impl Display for DiffHunk<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        HunkHeader { old: &self.old, new: &self.new }.fmt(f)
    }
}

/// The `@@` line of a unified diff.
#[derive(Debug)]
pub(crate) struct HunkHeader<'r> {
    /// The lines of the old text, from 0.
    pub(crate) old: &'r Range<usize>,
    /// The lines of the new text, from 0.
    pub(crate) new: &'r Range<usize>,
}

impl Display for HunkHeader<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "@@ -{} +{} @@", Lines(self.old), Lines(self.new))
    }
}

/// A range as the `@@` line of a unified diff spells a range: an empty range is named by the line before.
struct Lines<'r>(&'r Range<usize>);

impl Display for Lines<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.0;
        match end - start {
            0 => write!(f, "{start},0"),
            1 => write!(f, "{}", start + 1),
            count => write!(f, "{},{count}", start + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(old: &str, new: &str, context: usize) -> Vec<String> {
        LineDiff::new(old, new, None).hunks(context).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn headers_are_those_of_diff() {
        assert_eq!(headers("a\nb\nc\n", "a\nB\nc\n", 3), ["@@ -1,3 +1,3 @@"]);
        assert_eq!(headers("", "a\n", 3), ["@@ -0,0 +1 @@"]);
        assert_eq!(headers("a\nb\n", "", 0), ["@@ -1,2 +0,0 @@"]);
        assert_eq!(headers("a\nb\nc\n", "a\nc\n", 0), ["@@ -2 +1,0 @@"]);
    }

    #[test]
    fn changes_far_from_each_other_are_hunks_of_their_own() {
        let old: String = (0..20).map(|line| line.to_string() + "\n").collect();
        let new = old.replace("2\n3\n", "2\nx\n3\n").replace("17\n", "y\n");
        assert_eq!(headers(&old, &new, 3), ["@@ -1,6 +1,7 @@", "@@ -15,6 +16,6 @@"]);
        assert_eq!(headers(&old, &new, usize::MAX), ["@@ -1,20 +1,21 @@"]);
    }
}
