//! Where lines of a file are after earlier edits of the same patch.

use std::ops::Range;

use crate::text::Replacement;

/// What a step of edits replaces: lines of the result of the previous step, and how many lines come.
#[derive(Debug, Clone)]
struct Replaced {
    lines: Range<usize>,
    added: usize,
}

/// The steps of edits between a file and its present state.
#[derive(Debug, Clone, Default)]
pub(super) struct Carried(Vec<Vec<Replaced>>);

impl Carried {
    /// Returns the only step that replaces lines of a file.
    pub(super) fn by(replacements: &[Replacement<'static>]) -> Self {
        let mut carried = Carried::default();
        carried.step(replacements.iter());
        carried
    }

    /// Adds a step.
    pub(super) fn step<'r>(&mut self, replacements: impl Iterator<Item = &'r Replacement<'static>>) {
        let replaced =
            replacements.map(|one| Replaced { lines: one.start..one.end(), added: one.lines.len() });
        self.0.push(replaced.collect());
    }

    /// Returns the lines that have become of some lines of the file, with what was added between these lines; empty if nothing is
    /// left of these lines.
    pub(super) fn lines(&self, lines: Range<usize>) -> Range<usize> {
        self.0.iter().fold(lines, |lines, step| after(step, lines))
    }
}

/// Checks whether two ranges of lines have a line in common.
pub(super) fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// Returns the lines that have become of some lines after a step.
fn after(step: &[Replaced], lines: Range<usize>) -> Range<usize> {
    let (before, rest): (Vec<&Replaced>, Vec<&Replaced>) =
        step.iter().partition(|one| one.lines.end <= lines.start);
    let inside = || rest.iter().filter(|one| one.lines.start < lines.end);
    let first = inside().map(|one| one.lines.start).fold(lines.start, usize::min);
    let last = inside().map(|one| one.lines.end).fold(lines.end, usize::max);
    let kept = last - first - inside().map(|one| one.lines.len()).sum::<usize>();
    let removed: usize = before.iter().map(|one| one.lines.len()).sum();
    let start = first + before.iter().map(|one| one.added).sum::<usize>() - removed;
    start..start + kept + inside().map(|one| one.added).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replacement(start: usize, removed: usize, added: usize) -> Replacement<'static> {
        Replacement { start, removed, lines: vec!["x".into(); added] }
    }

    #[test]
    fn lines_move_with_the_lines_above_and_grow_with_the_lines_inside() {
        let mut carried = Carried::default();
        carried.step([replacement(0, 2, 5), replacement(12, 1, 3), replacement(30, 9, 0)].iter());
        assert_eq!(carried.lines(10..20), 13..25);
        assert_eq!(carried.lines(12..13), 15..18);
        assert_eq!(carried.lines(31..35), 35..35, "nothing is left");
        assert_eq!(carried.lines(1..4), 0..7, "a part of the lines was replaced");
        carried.step([replacement(13, 12, 0)].iter());
        assert!(carried.lines(10..20).is_empty());
    }
}
