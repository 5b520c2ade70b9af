//! Whether the first line of an insertion is right below its position by now: the insertion was made, and its other lines changed since.

use super::types::{Explanation, Insertion};
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::syntax::{Section, declares, is_about_next, is_label, may_be_comment};

/// How far below an insertion the first line is looked for that is neither a comment nor an attribute.
const MOST_ABOUT: usize = 20;

/// Checks whether the line right below an insertion is the heading of its section, or declares what the insertion declares in the same
/// words.
pub(super) fn begins_beside(file: &File<'_>, explanation: &Explanation<'_>, insertion: &Insertion) -> bool {
    let filled = insertion.filled();
    begun_below(file, explanation, insertion).is_some_and(|at| {
        let opens = filled.get(at + 1).is_some_and(|next| next.depth() > filled[at].depth());
        let body = filled[at].body();
        heads_section(&filled[at]) || opens && (declares(body) || is_label(body.as_bytes()))
    })
}

/// Returns which line with text of an insertion is the heading that the insertion begins with, otherwise its first line that is no comment,
/// if that line is right below, unquoted, and nowhere else in the file.
pub(super) fn begun_below(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    insertion: &Insertion,
) -> Option<usize> {
    let filled = insertion.filled();
    let aligned = explanation.aligned(file);
    let at = filled.iter().position(is_first)?;
    let unquoted = (insertion.at..file.len()).take_while(|line| !aligned.is_quoted_alike(*line));
    let line = unquoted.take(MOST_ABOUT).find(|line| is_first(file.line(*line)))?;
    let is_same = file.line(line).text() == filled[at].text() && file.occurrences(&filled[at]) == 1;
    is_same.then_some(at)
}

/// Checks whether a line is a heading, or neither a comment nor an attribute.
fn is_first(line: &LineText<'_>) -> bool {
    let is_about = is_about_next(line.text()) || may_be_comment(line.body());
    line.letters() > 0 && (!is_about || heads_section(line))
}

/// Checks whether a line is a heading, in words or in brackets.
fn heads_section(line: &LineText<'_>) -> bool {
    Section::read(line.text().as_bytes()).is_some()
}
