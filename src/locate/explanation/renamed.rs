//! Names of added lines that the file no longer has there: it was renamed, and the added lines would use the old name.

use std::collections::HashSet;

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
    let reads_otherwise =
        |row: &usize| !reading.old(*row).is_blank() && !aligned.is_alike(*row) && aligned.is_related(*row);
    let mut changed = aligned.rows().filter(reads_otherwise).peekable();
    changed.peek()?;
    let added: HashSet<String> = reading.filled_added_rows().flat_map(|row| names(&row.line)).collect();
    let there: HashSet<&str> = aligned.lines()?.flat_map(|line| aligned.file.line(line).tokens()).collect();
    let is_stale = |name: String| added.contains(&name) && !there.contains(&*name);
    let row = changed.find(|row| names(&reading.old(*row).line).into_iter().any(is_stale))?;
    Some(Obstacle::StaleName { row })
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
