//! Whether the lines of an addition are elsewhere in the file by now: sorted into their list, or moved.

use std::ops::Range;

use super::made::is_telling;
use super::types::Explanation;
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::reading::Row;

/// Checks whether all lines that an edit only adds are in the file: a single distinctive line in the same list, several in
/// a row anywhere.
pub(crate) fn is_added_elsewhere(file: &File<'_>, explanation: &Explanation<'_>) -> bool {
    let Ok(effect) = &explanation.effect else { return false };
    if !explanation.removed.is_empty() || effect.insertions.is_empty() {
        return false;
    }
    let added: Vec<&Row<'_>> = explanation.reading.filled_added_rows().collect();
    let telling = added.iter().filter(|row| is_telling(file, row)).count();
    match added[..] {
        [row] => {
            let at = effect.insertions[0].at;
            telling == 1 && file.squashed_lines(&row.line).any(|line| list_around(file, at).contains(&line))
        }
        [first, ..] => {
            telling > 1 && file.squashed_lines(&first.line).any(|line| are_from(file, &added, line))
        }
        [] => false,
    }
}

/// Checks whether rows are the lines from a line on, apart from blank lines.
fn are_from(file: &File<'_>, rows: &[&Row<'_>], line: usize) -> bool {
    let mut lines = (line..file.len()).filter(|line| !file.is_blank(*line));
    rows.iter().all(|row| lines.next().is_some_and(|line| file.is_same(line, &row.line)))
}

/// Returns the lines of equal indentation around a line, without a blank line between.
fn list_around(file: &File<'_>, at: usize) -> Range<usize> {
    let indent = |line: &LineText<'_>| line.indent().into_owned();
    let Some(depth) = (at > 0).then(|| indent(file.line(at - 1))) else { return 0..0 };
    let is_in = |line: &usize| !file.is_blank(*line) && indent(file.line(*line)) == depth;
    let start = at - (0..at).rev().take_while(is_in).count();
    start..at + (at..file.len()).take_while(is_in).count()
}
