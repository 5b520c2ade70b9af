//! Signs that were lost, and text that looks like a sign.

use std::rc::Rc;

use super::quote::{Reading, Row};
use crate::locate::align::file::File;
use crate::locate::align::line_text::indent;
use crate::locate::align::relation::{Class, relate};

/// Checks whether the sign column may be missing: a context line is in the file, but never at the depth that remains
/// without the first column.
pub(super) fn column_is_lost(file: &File<'_>, reading: &Reading<'_>) -> bool {
    let is_elsewhere = |row: &&Row<'_>| {
        let mut lines = file.squashed_lines(&row.line).peekable();
        let indent = row.line.indent();
        lines.peek().is_some() && lines.all(|line| file.line(line).indent() != indent)
    };
    signed_context(reading).any(|row| is_elsewhere(&row))
}

fn signed_context<'r, 'q>(reading: &'r Reading<'q>) -> impl Iterator<Item = &'r Row<'q>> {
    reading.old_rows().filter(|row| row.is_context() && row.signed && !row.is_blank())
}

/// Returns the quote with the context as written: the character in the sign column is text.
pub(super) fn without_column<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    if reading.undone.line_numbers {
        return None;
    }
    let whole = |row: &Rc<Row<'q>>| {
        let is_text = row.is_context() && row.signed && !row.is_blank();
        if is_text { row.as_raw_context() } else { Rc::clone(row) }
    };
    let mut read = reading.with_rows(reading.rows.iter().map(whole).collect(), file.costs.read_signs);
    read.undone.signs = true;
    Some(read)
}

/// Checks whether a line without a sign may be an added line that lost its sign.
pub(super) fn has_unsigned_addition(file: &File<'_>, reading: &Reading<'_>) -> bool {
    (0..reading.rows.len()).any(|nth| is_unsigned_addition(file, reading, nth))
}

/// Returns the quote with these lines as added lines.
pub(super) fn unsigned_as_added<'q>(file: &File<'_>, reading: &Reading<'q>) -> Reading<'q> {
    let read = |(nth, row): (usize, &Rc<Row<'q>>)| {
        if is_unsigned_addition(file, reading, nth) { row.as_added() } else { Rc::clone(row) }
    };
    let rows = reading.rows.iter().enumerate().map(read).collect();
    let mut read = reading.with_rows(rows, file.costs.read_item);
    read.undone.added_signs = true;
    read
}

/// Checks whether a line without a sign is between added lines and not in the file: the line was meant as an addition.
/// A line that is in the file, exactly or nearly, is context.
fn is_unsigned_addition(file: &File<'_>, reading: &Reading<'_>, nth: usize) -> bool {
    let row = &reading.rows[nth];
    let is_unsigned = |row: &Row<'_>| row.is_context() && !row.signed && !row.is_blank();
    if !is_unsigned(row) {
        return false;
    }
    let is_run = |row: &&Rc<Row<'_>>| is_unsigned(row);
    let above = reading.rows[..nth].iter().rev().find(|row| !is_run(row));
    let below = reading.rows[nth + 1..].iter().find(|row| !is_run(row));
    let is_between = [above, below].iter().all(|row| row.is_some_and(|row| row.adds()));
    is_between && !(0..file.len()).any(|line| is_like(file, row, line))
}

/// Checks whether a line of the file may be what a row quotes.
fn is_like(file: &File<'_>, row: &Row<'_>, line: usize) -> bool {
    !file.is_blank(line) && relate(file.costs, &row.line, file.line(line)).class != Class::Other
}

/// Checks whether a line of the file is quoted as an added or removed line: `- item`.
pub(super) fn has_items(file: &File<'_>, reading: &Reading<'_>) -> bool {
    reading.rows.iter().any(|row| is_item(file, row))
}

/// Returns the quote with these lines as context.
pub(super) fn items_as_context<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let read = |row: &Rc<Row<'q>>| if is_item(file, row) { row.as_raw_context() } else { Rc::clone(row) };
    let mut read = reading.with_rows(reading.rows.iter().map(read).collect(), file.costs.read_item);
    read.undone.items = true;
    read.changes().then_some(read)
}

/// Checks whether a row with a sign is a line of the file, sign included: a list item, a comment, an option. A line to be
/// removed that the file has without the sign is removed.
fn is_item(file: &File<'_>, row: &Row<'_>) -> bool {
    if row.is_context() || !row.signed || !looks_like_item(&row.raw) {
        return false;
    }
    let has = |text: &str| !file.index.line_places(crate::text::Fold::Exact, text).is_empty();
    has(&row.raw) && (row.adds() || !has(row.line.text()))
}

/// Checks whether a sign is followed by what may follow the sign of a list, of a comment, or of a quotation.
fn looks_like_item(raw: &str) -> bool {
    let behind = raw.chars().nth(1);
    indent(raw).is_empty() && behind.is_some_and(|c| c.is_alphanumeric() || " _>[*-+".contains(c))
}
