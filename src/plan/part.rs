//! Whether an old text that is a part of a line may be a part of something else.

use super::literal::{Normal, is_of_word};
use super::signs::is_operator;
use crate::locate::{is_comment_sign, letters};

/// From how many letters on a part of a line is unmistakable.
pub(super) const UNMISTAKABLE: usize = 20;

/// Checks whether the only position of `old`, inside a line, is more likely another key, value or expression than what
/// is meant. A single word, name or path is what a renaming quotes, and the borders of an operator are checked already, so that
/// only texts of several words are checked.
pub(super) fn may_be_other(normal: &Normal, start: usize, old: &str, new: &str) -> bool {
    let line = normal.line_at(start);
    let end = start + old.len();
    let last = normal.line_at(end - 1);
    let slice = |from: usize, to: usize| String::from_utf8_lossy(&normal.text()[from..to.max(from)]);
    let (before, after) = (slice(normal.line_start(line), start), slice(end, normal.line_end(end - 1)));
    let (before, after) = (before.trim_start(), after.trim_end());
    let is_name = |c: char| is_of_word(Some(c)) || ".-/".contains(c);
    if before.is_empty() && after.is_empty() || old.trim().chars().all(is_name) || is_operator(old) {
        return false;
    }
    let is_switched_off = is_comment_sign(before.trim_end())
        && (old.contains('=') || old.ends_with(['=', ';', '{']) || new.contains('\n'));
    if is_switched_off || letters(old) >= UNMISTAKABLE {
        return is_switched_off;
    }
    let is_sibling = |key: &str| {
        let others = (0..normal.lines()).filter(|other| !(line..=last).contains(other));
        let mut texts = others.map(|other| normal.text()[normal.line_start(other)..].trim_ascii_start());
        texts.any(|text| text.starts_with(key.as_bytes()))
    };
    !before.is_empty() && (goes_on_above(before, old, new) || key(before, old, after).is_some_and(is_sibling))
        || goes_on_behind(old, new, after)
}

/// Returns what a line with another value would begin with: the key, or of a text in quotes or a comment the first word.
fn key<'a>(before: &str, old: &'a str, after: &str) -> Option<&'a str> {
    let quote = |c: Option<char>| c.filter(|c| "\"'`".contains(*c));
    let is_quoted =
        quote(before.chars().next_back()).is_some_and(|mark| quote(after.chars().next()) == Some(mark));
    let end = match old.find([':', '=']) {
        Some(sign) => sign + 1,
        None if is_quoted || is_comment_sign(before.trim_end()) => old.find(' ')? + 1,
        None => return None,
    };
    Some(&old[..end]).filter(|key| letters(key) > 0)
}

/// Checks whether the text before a part belongs to its first word, or to what is added before that.
fn goes_on_above(before: &str, old: &str, new: &str) -> bool {
    let is_joined = before.ends_with(['.', '-', '@', '/', '#', '$'])
        && !before.ends_with("//")
        && is_of_word(old.chars().next());
    let is_behind_word = is_of_word(before.trim_end().chars().next_back());
    let becomes_lines = new.contains('\n') && !old.contains('\n');
    is_joined || is_behind_word && (new.ends_with(old) || becomes_lines)
}

/// Checks whether the text behind a part continues a last word that changes.
fn goes_on_behind(old: &str, new: &str, after: &str) -> bool {
    let last_word = |text: &str| {
        let rest = text.trim_end_matches(|c| is_of_word(Some(c))).len();
        text[rest..].to_owned()
    };
    if last_word(old) == last_word(new) || last_word(old).is_empty() {
        return false;
    }
    let mut next = after.chars();
    let is_joined = next.next().is_some_and(|c| ".-".contains(c)) && is_of_word(next.next());
    let sign = after.strip_prefix(' ').and_then(|after| after.split(' ').next()).unwrap_or_default();
    let signs = if old.contains('=') { "+*/%-|&?^<>" } else { "+*/%" };
    is_joined || !sign.is_empty() && sign.chars().all(|c| signs.contains(c))
}
