//! Parses conflicts of a version control system as blocks: the first part is replaced by the second.

use crate::format::lines::lines;
use crate::format::search_replace::{Reader, State};
use crate::format::{Event, Format, Options, RepairKind, detect};

/// Returns whether a text should be parsed as conflicts: the caller names the file, and the text shows no other format.
pub(super) fn is_meant(text: &str, options: &Options) -> bool {
    options.format == Format::Auto && options.file.is_some() && !detect::shows(text) && has_conflicts(text)
}

/// Returns whether a text has conflicts, all with two parts.
fn has_conflicts(text: &str) -> bool {
    let mut found = false;
    let mut is_open = false;
    for (_, line, _) in lines(text) {
        match line.get(..7) {
            Some("<<<<<<<") if is_open => return false,
            Some("|||||||") => return false,
            Some("<<<<<<<") => (found, is_open) = (true, true),
            Some(">>>>>>>") => is_open = false,
            _ => {}
        }
    }
    found && !is_open
}

/// Reads a whole text.
pub(super) fn read<'a>(text: &'a str, options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    let mut state = State::new(options);
    for (number, line, _) in lines(text) {
        let marker = match line.get(..7) {
            Some("<<<<<<<") => Some("<<<<<<< SEARCH"),
            Some(">>>>>>>") => Some(">>>>>>> REPLACE"),
            _ => None,
        };
        if marker.is_some() {
            out(Event::repaired(number, RepairKind::Conflict, options));
        }
        Reader { state: &mut state, out }.line(number, marker.unwrap_or(line));
    }
    Reader { state: &mut state, out }.finish();
}
