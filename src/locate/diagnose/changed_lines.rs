//! Where the document has the lines that an edit removes or adds.

use crate::locate::align::file::File;
use crate::locate::outcome::ChangedLine;
use crate::locate::reading::Reading;
use crate::patch::LineKind;

/// Looks up the first changed lines with letters or digits.
pub(crate) fn changed_lines(file: &File<'_>, reading: &Reading<'_>) -> Vec<ChangedLine> {
    let changed = reading.rows.iter().filter(|row| row.kind != LineKind::Context);
    let changed =
        changed.filter(|row| row.line.text().contains(char::is_alphanumeric)).take(ChangedLine::MOST);
    let looked_up = changed.map(|row| ChangedLine {
        number: row.number,
        kind: row.kind,
        text: row.line.text().to_owned(),
        lines: file.squashed_lines(&row.line).take(ChangedLine::MOST_LINES).collect(),
    });
    looked_up.collect()
}
