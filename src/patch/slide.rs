//! Which of several equal lines are added.
//!
//! A block between two alike blocks can be written in several ways that give the same result: a line diff often begins the addition with
//! the end of the block above, and ends it before its own end. Where the addition begins with its block, what is added can be compared
//! with what the file has. Like the indent heuristic of git, the choice looks only at indentation.

use super::{Line, LineKind};

/// Slides each run of added lines over equal lines beside it, so that it begins with the least deep of its lines, below a line that is not
/// deeper. The old and the new lines stay the same; a run that begins so, or cannot, is left as it is.
pub(super) fn slide_additions(lines: &mut [Line<'_>]) {
    let mut start = 0;
    while let Some(first) = lines[start..].iter().position(Line::adds).map(|first| start + first) {
        let length = lines[first..].iter().take_while(|line| line.adds()).count();
        let run = Run { lines, first, length };
        let to = run.best();
        slide(lines, first, length, to);
        start = to + length;
    }
}

/// Moves the added lines from `first` on to `to`, one by one.
fn slide(lines: &mut [Line<'_>], first: usize, length: usize, to: usize) {
    let mut at = first;
    while at != to {
        // The line that leaves the run at one end, and the equal line that enters it at the other.
        let (leaving, entering) = if to > at { (at, at + length) } else { (at + length - 1, at - 1) };
        let kept = (lines[entering].kind, lines[entering].signed);
        (lines[entering].kind, lines[entering].signed) = (LineKind::Add, true);
        (lines[leaving].kind, lines[leaving].signed) = kept;
        at = if to > at { at + 1 } else { at - 1 };
    }
}

/// By how many lines a run slides at most.
const MOST: usize = 200;

/// A run of added lines.
struct Run<'a, 'l> {
    lines: &'a [Line<'l>],
    first: usize,
    length: usize,
}

impl Run<'_, '_> {
    /// Returns the line at which the run begins with its block. A single line stays, and so do lines that replace others.
    fn best(&self) -> usize {
        let end = self.first + self.length;
        let beside = [self.first.checked_sub(1), Some(end)].into_iter().flatten();
        let replaces = beside.filter_map(|line| self.lines.get(line)).any(Line::removes);
        let filled = self.lines[self.first..end].iter().filter(|line| !line.is_blank());
        if replaces || filled.count() < 2 {
            return self.first;
        }
        let down = self.reach(|by| Some((self.first + by, end + by)));
        let up = self.reach(|by| Some((end - 1 - by, self.first.checked_sub(1 + by)?)));
        // A line that leaves the run is equal to the line that enters it.
        let least = depths(&self.lines[self.first..end]).min().unwrap_or_default();
        let starts = self.first - up..=self.first + down;
        let nearest_best = starts.min_by_key(|start| (self.rank(*start, least), start.abs_diff(self.first)));
        nearest_best.unwrap_or(self.first)
    }

    /// Returns by how many lines the run can slide. `ends` are the lines that leave and enter it at the next step. The quote keeps a
    /// line on that side.
    fn reach(&self, ends: impl Fn(usize) -> Option<(usize, usize)>) -> usize {
        let next = |by: usize| {
            let (leaving, entering) = ends(by)?;
            let line = self.lines.get(entering).filter(|line| line.is_context())?;
            Some(line.text == self.lines[leaving].text)
        };
        let most = (0..MOST).take_while(|by| next(*by) == Some(true)).count();
        (0..=most).rev().find(|by| next(*by).is_some()).unwrap_or(0)
    }

    /// Returns whether a run that begins at a line begins inside of its block, or with the end of another, and whether the line above is
    /// deeper. `least`: how deep the least deep line of the run is.
    fn rank(&self, start: usize, least: usize) -> (bool, bool) {
        let run = &self.lines[start..start + self.length];
        let ends = run
            .iter()
            .find(|line| !line.is_blank())
            .is_some_and(|first| first.text.trim_start().starts_with(CLOSING));
        let first = depths(run).next().unwrap_or_default();
        let above = depths(&self.lines[..start]).next_back();
        (ends || first > least, above.is_some_and(|above| above > first))
    }
}

/// The signs that end a block of most languages.
const CLOSING: [char; 3] = [')', ']', '}'];

/// Returns how deep the lines are that are not blank, in characters of white space.
fn depths(lines: &[Line<'_>]) -> impl DoubleEndedIterator<Item = usize> {
    let filled = lines.iter().filter(|line| !line.is_blank());
    filled.map(|line| line.text.len() - line.text.trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slides the additions of lines with their signs, separated by `|`.
    fn slid(text: &str) -> String {
        let read = |written: &str| {
            let (sign, text) = written.split_at(1);
            let kind = match sign {
                "+" => LineKind::Add,
                "-" => LineKind::Remove,
                _ => LineKind::Context,
            };
            Line { number: None, kind, text: text.to_owned().into(), signed: true }
        };
        let mut lines: Vec<Line<'_>> = text.split('|').map(read).collect();
        slide_additions(&mut lines);
        lines.iter().map(Line::with_sign).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn an_addition_begins_with_its_block() {
        for (written, slid_to) in [
            // As a line diff writes a record between two records.
            ("   a|+ },|+ {|+  b|  },|  {|   c", "   a|  },|+ {|+  b|+ },|  {|   c"),
            // The quote keeps a line below.
            ("   a|+ },|+ {|+  b|  },", "   a|+ },|+ {|+  b|  },"),
            ("    x|+  y|+|+g:|   y| | h:", "    x|   y|+|+g:|+  y| | h:"),
            // A block that begins with itself stays.
            (" a:|+b:|+ c| b:|  c", " a:|+b:|+ c| b:|  c"),
            // A line that replaces another stays where that is.
            ("-x|+}|+{|+ y| }| z", "-x|+}|+{|+ y| }| z"),
        ] {
            assert_eq!(slid(written), slid_to, "{written}");
        }
    }
}
