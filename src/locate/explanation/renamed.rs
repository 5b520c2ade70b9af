//! Names of added lines that the file no longer has there: it was renamed, and the added lines would use the old name.

use super::aligned::Aligned;
use super::types::Obstacle;
use crate::locate::align::line_text::LineText;
use crate::locate::syntax::{is_word_char, uncommented, without_literals};

/// The least number of letters of a name. Shorter ones are indexes and units.
const SHORTEST: usize = 2;

/// Returns the obstacle if an added line has a name of quoted lines that no line there has: neither the lines that are quoted with the
/// name, which read otherwise, nor the others.
pub(super) fn stale_name(aligned: &Aligned<'_, '_>) -> Option<Obstacle> {
    let reading = aligned.reading;
    let is_changed = |row: &usize| !aligned.is_alike(*row) && !reading.old(*row).is_blank();
    let changed: Vec<usize> =
        aligned.rows().filter(is_changed).filter(|row| aligned.is_related(*row)).collect();
    changed.first()?;
    let added: Vec<String> = reading.filled_added_rows().flat_map(|row| names(&row.line)).collect();
    let row = changed.into_iter().find(|row| {
        let is_stale = |name: &String| added.contains(name) && is_gone(aligned, name);
        names(&reading.old(*row).line).iter().any(is_stale)
    })?;
    Some(Obstacle::StaleName { row })
}

/// Checks whether no line that is quoted, or between quoted lines, has a name.
fn is_gone(aligned: &Aligned<'_, '_>, name: &str) -> bool {
    let Some(mut lines) = aligned.lines() else { return false };
    let has_name = |line: usize| aligned.file.line(line).tokens().any(|token| token == name);
    !lines.any(has_name)
}

/// Returns the names in the code of a line: words that signs follow, so that no keyword, no type and no word of prose is one, and that
/// are no members and no entities.
fn names(line: &LineText<'_>) -> Vec<String> {
    let (code, is_comment) = uncommented(line.text());
    if is_comment {
        return Vec::new();
    }
    let plain = LineText::new(without_literals(code));
    let tokens: Vec<&str> = plain.tokens().collect();
    let is_word = |token: &str| token.starts_with(is_word_char);
    let is_name = |nth: &usize| {
        let is_member = nth.checked_sub(1).is_some_and(|before| [".", "&"].contains(&tokens[before]));
        let token = tokens[*nth];
        token.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && token.chars().count() >= SHORTEST
            && !is_member
            && tokens.get(nth + 1).is_some_and(|next| !is_word(next))
    };
    (0..tokens.len()).filter(is_name).map(|nth| tokens[nth].to_owned()).collect()
}
