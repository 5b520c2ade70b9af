//! What of a nearest place is shown where there is not room for all.

use std::ops::Range;

use crate::locate::{NearLine, Nearest};

/// A run of the lines of a nearest place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Run {
    /// These are shown.
    Shown(Range<usize>),
    /// These are not.
    Left(Range<usize>),
}

/// How many lines are shown above and below a line that differs.
const AROUND: usize = 2;

/// Returns the lines to show, at most `most`: lines that differ, the line in doubt first, and some lines around.
pub(super) fn runs(nearest: &Nearest, most: usize) -> Vec<Run> {
    let lines = &nearest.lines;
    if lines.is_empty() {
        return Vec::new();
    }
    let mut shown = vec![lines.len() <= most; lines.len()];
    let first = nearest.in_doubt.or_else(|| nearest.first_difference()).unwrap_or_default();
    let mut left = most.saturating_sub(shown.iter().filter(|shown| **shown).count());
    let differing = (0..lines.len()).filter(|nth| !lines[*nth].same());
    // A line that differs is never left out for the sake of a line that matches.
    for nth in [first].into_iter().chain(differing.clone()) {
        if !shown[nth] && left > 0 {
            shown[nth] = true;
            left -= 1;
        }
    }
    for nth in [first].into_iter().chain(differing) {
        let around = nth.saturating_sub(AROUND)..lines.len().min(nth + AROUND + 1);
        for nth in around {
            if !shown[nth] && left > 0 {
                shown[nth] = true;
                left -= 1;
            }
        }
    }
    in_runs(&shown)
}

fn in_runs(shown: &[bool]) -> Vec<Run> {
    let mut start = 0;
    let runs = shown.chunk_by(|one, next| one == next).map(|run| {
        let range = start..start + run.len();
        start = range.end;
        if run[0] { Run::Shown(range) } else { Run::Left(range) }
    });
    runs.collect()
}

/// Returns the remark on a line that differs.
pub(super) fn remark(line: &NearLine) -> String {
    use crate::locate::Difference as D;
    let (Some(quoted), Some(actual)) = (&line.quoted, &line.actual) else {
        return line.difference.to_string();
    };
    match line.difference {
        D::Indentation => {
            let spaces = |text: &str| space_words(&text[..text.len() - text.trim_start().len()]);
            let (quoted, actual) = (spaces(&quoted.text), spaces(&actual.text));
            if quoted == actual {
                "white space at both ends of the line".to_owned()
            } else {
                format!("indentation: {quoted} quoted, {actual} in the file")
            }
        }
        D::TrailingSpace => {
            let spaces = |text: &str| space_words(&text[text.trim_end().len()..]);
            format!(
                "at the end of the line: {} quoted, {} in the file",
                spaces(&quoted.text),
                spaces(&actual.text)
            )
        }
        difference => difference.to_string(),
    }
}

/// Returns whitespace in words: `2 tabs`, `4 spaces`, `nothing`.
fn space_words(space: &str) -> String {
    let count = |c: char| space.chars().filter(|other| *other == c).count();
    let others = space.chars().filter(|c| !matches!(c, ' ' | '\t')).count();
    let named = [(count('\t'), "tab"), (count(' '), "space"), (others, "other white space character")];
    let named = named
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") });
    let named: Vec<String> = named.collect();
    if named.is_empty() { "nothing".to_owned() } else { named.join(" and ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_counted_in_words() {
        assert_eq!(space_words("\t\t "), "2 tabs and 1 space");
        assert_eq!(space_words(""), "nothing");
    }

    #[test]
    fn what_is_shown_and_what_is_not_follow_one_another() {
        let runs = in_runs(&[false, true, true, false, false]);
        assert_eq!(runs, [Run::Left(0..1), Run::Shown(1..3), Run::Left(3..5)]);
    }
}
