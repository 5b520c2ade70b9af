//! Whether an exact quote shows that its additions were not made before.
//!
//! Between the quoted lines of an exact quote the file has nothing, so an edit that adds lines there was not made. Only where the result has
//! the quote as well, as of lines that are added behind the last quoted line, the lines around the quote may be those that were added.

use std::collections::HashSet;

use super::made::TELLING_LETTERS;
use super::types::Explanation;
use crate::locate::align::file::File;
use crate::locate::syntax::declares;

/// Checks whether a quote matches as written, and its additions were not made there: lines with the text of an added line are not where the
/// result has these.
pub(super) fn shows_no_addition(file: &File<'_>, explanation: &Explanation<'_>) -> bool {
    explanation.is_exact() && explanation.removed.is_empty() && !may_be_around(file, explanation)
}

/// Checks whether a line, without its indentation, may be in its block once, so that the line shows that an edit was made: any line, unless
/// the quote shows otherwise; then a declaration.
pub(super) fn has_once(file: &File<'_>, explanation: &Explanation<'_>, body: &str) -> bool {
    declares(body) || !shows_no_addition(file, explanation)
}

/// Checks whether a distinctive added line is on a side of the quote where the result has lines beyond the quote: at most as many lines away
/// as there are added lines, and two more.
fn may_be_around(file: &File<'_>, explanation: &Explanation<'_>) -> bool {
    let reading = &explanation.reading;
    let (is_above, is_below) = reading.sides_beyond_quote();
    let added = reading.filled_added_rows().filter(|row| row.line.letters() >= TELLING_LETTERS);
    let added: HashSet<&str> = added.map(|row| row.line.squashed()).collect();
    let most = added.len() + 2;
    let is_filled = |line: &usize| !file.is_blank(*line);
    let is_added = |line: usize| added.contains(file.line(line).squashed());
    let mut above = (0..explanation.lines.start).rev().filter(is_filled).take(most);
    let mut below = (explanation.lines.end..file.len()).filter(is_filled).take(most);
    is_above && above.any(is_added) || is_below && below.any(is_added)
}
