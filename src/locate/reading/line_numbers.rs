//! Line numbers that were copied with the lines of a listing: `12: text`, `12 | text`, `12→text`.

use std::rc::Rc;

use super::quote::{Reading, Row};
use crate::locate::align::file::File;

/// Checks whether each quoted line has a number that the file does not have.
pub(super) fn are_shown(file: &File<'_>, reading: &Reading<'_>) -> bool {
    let mut filled = reading.old_rows().filter(|row| !row.is_blank()).peekable();
    filled.peek().is_some() && filled.all(|row| numbered(row).is_some() && !file.has(&row.line))
}

/// Returns the quote without its line numbers. Added lines lose their numbers if each has a number.
pub(super) fn dropped<'q>(file: &File<'_>, reading: &Reading<'q>) -> Reading<'q> {
    let added_too = reading.added_rows().all(|row| row.is_blank() || numbered(row).is_some());
    let plain = |row: &Rc<Row<'q>>| match numbered(row) {
        Some(text) if !row.adds() || added_too => row.with_text(text.to_owned()),
        _ => Rc::clone(row),
    };
    let mut read = reading.with_rows(reading.rows.iter().map(plain).collect(), file.costs.read_numbers);
    read.undone.line_numbers = true;
    read
}

/// Returns the text behind the number of a line.
fn numbered<'r>(row: &'r Row<'_>) -> Option<&'r str> {
    let text = row.line.text().trim_start_matches(' ');
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.len() == text.len() {
        return None;
    }
    // The separator's own space belongs to the separator.
    ["\t", "\u{2192}", ": ", ":", " | ", "| ", " |", "|"]
        .iter()
        .find_map(|separator| behind.strip_prefix(separator))
}
