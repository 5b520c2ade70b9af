//! `\n` as two characters in a context line, in place of a line break.

use std::rc::Rc;

use super::quote::{Reading, Row};
use crate::locate::align::file::File;

/// Checks whether a quoted line has the two characters, and the file does not have the line.
pub(super) fn are_shown(file: &File<'_>, reading: &Reading<'_>) -> bool {
    reading.old_rows().any(|row| is_several(file, row))
}

/// Returns the quote with these lines split.
pub(super) fn split<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let mut rows: Vec<Rc<Row<'q>>> = Vec::with_capacity(reading.rows.len());
    for row in &reading.rows {
        if row.is_context() && is_several(file, row) {
            rows.extend(row.line.text().split("\\n").map(|text| row.with_text(text.to_owned())));
        } else {
            rows.push(Rc::clone(row));
        }
    }
    (rows.len() > reading.rows.len()).then(|| {
        let mut read = reading.with_rows(rows, file.costs.read_line_break);
        read.undone.line_breaks = true;
        read
    })
}

fn is_several(file: &File<'_>, row: &Row<'_>) -> bool {
    row.line.text().contains("\\n") && !file.has_squashed(&row.line)
}
