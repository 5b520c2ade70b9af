//! Line breaks of an old and a new text that are lost, or written as two characters.

use std::borrow::Cow;

use super::literal::{Borders, Normal};

/// Returns a new text with the line break at the end of the old text, if the new text lacks the break by mistake: the next line of the
/// file would be joined to its last line.
pub(super) fn with_line_break_of<'n>(old: &str, new: Cow<'n, str>, text: &Normal) -> Cow<'n, str> {
    let is_join = new.is_empty() || new.ends_with(|c: char| c.is_whitespace() || c == '\\');
    if !old.ends_with('\n') || is_join || old.strip_suffix('\n') == Some(&*new) {
        return new;
    }
    let is_joined = |start: &usize| {
        let end = start + old.len();
        text.is_lines(*start, end) && end < text.text().len()
    };
    let found = text.matches(old, Borders::of(old, &new), true);
    if !found.is_empty() && found.iter().all(is_joined) { Cow::Owned(format!("{new}\n")) } else { new }
}

/// Returns the texts with a further line if exactly one text ends in a line break: a blank line that only this text
/// has, as in an exact replacement. `None` if both end in the same way.
pub(super) fn with_last_line_break(old: &str, new: &str) -> Option<(String, String)> {
    let ends = |text: &str| text.ends_with('\n');
    let with_blank = |text: &str| if ends(text) { format!("{text}\n") } else { text.to_owned() };
    (ends(old) != ends(new) && !new.is_empty()).then(|| (with_blank(old), with_blank(new)))
}

/// Returns the texts with `\n` as two characters replaced by line breaks; `None` if the texts contain real line breaks,
/// escapes that show that `\n` may be literal, or a string literal that a line break would split.
pub(super) fn with_line_breaks(old: &str, new: &str) -> Option<(String, String)> {
    let escaped = |text: &str| {
        let other = ["\\\\", "\\t", "\\\"", "\\'"].iter().any(|escape| text.contains(escape));
        !text.trim_end().contains('\n') && !other
    };
    let means_breaks = old.contains("\\n") && escaped(old) && escaped(new);
    means_breaks
        .then(|| (old.replace("\\n", "\n"), new.replace("\\n", "\n")))
        .filter(|(old, new)| !splits_literal(old) && !splits_literal(new))
}

/// Checks whether a string literal is open at the end of a line.
fn splits_literal(text: &str) -> bool {
    let is_open = |line: &str, mark: char| {
        let triple = mark.to_string().repeat(3);
        line.replace(&triple, "").matches(mark).count() % 2 == 1
    };
    let next = text.split('\n').skip(1).chain([""]);
    text.split('\n').zip(next).any(|(line, next)| {
        // An apostrophe is no literal, unless the next line begins with the closing mark.
        is_open(line, '"') || is_open(line, '\'') && next.trim_start().starts_with('\'')
    })
}
