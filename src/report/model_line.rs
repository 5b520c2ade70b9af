//! A line of the report for a model: the worth of the line, and how much of a text is shown.

use crate::text::shown;

/// How much a line is worth: what is worth less goes first where there is not room for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Worth {
    /// Known to the author of the patch.
    Known,
    /// Around what differs.
    Around,
    /// Good to know.
    Useful,
    /// What differs, and what tells places apart.
    Needed,
    /// What failed, and what was done to which file.
    Headline,
    /// The first line and the last.
    Frame,
}

/// How many characters of a line are shown.
const LONGEST: usize = 200;

/// A line of a file behind the line number.
pub(super) fn numbered(number: usize, line: &str) -> String {
    format!("{number:>4}|{}", cut(line))
}

/// How many characters of a piece of a line, or of a line that is only named, are shown.
const NAMED: usize = 60;

/// Returns the beginning of a text that is only named.
pub(super) fn named(text: &str) -> String {
    cut_to(text, NAMED)
}

/// Returns a line, shortened with a mark if too long.
pub(super) fn cut(line: &str) -> String {
    cut_to(line, LONGEST)
}

fn cut_to(line: &str, most: usize) -> String {
    let start: String = line.chars().take(most).collect();
    let left = line.chars().count() - start.chars().count();
    let start = shown(&start);
    if left == 0 { start.to_string() } else { format!("{start}… ({left} characters more)") }
}
