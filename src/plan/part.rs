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
    if before.is_empty() && after.is_empty() || is_operator(old) {
        return false;
    }
    if old.trim().chars().all(is_name) {
        return is_last_word_of_key(before, after);
    }
    let is_switched_off = is_comment_sign(before.trim_end())
        && (old.contains('=') || old.ends_with(['=', ';', '{', ')']) || new.contains('\n'));
    // However long a text is, its last value may be the beginning of another.
    if is_switched_off || letters(old) >= UNMISTAKABLE {
        return is_switched_off || continues(old, new, after) || begins_in_key(before, old);
    }
    let is_sibling = |key: &str| {
        let others = (0..normal.lines()).filter(|other| !(line..=last).contains(other));
        let mut texts = others.map(|other| normal.text()[normal.line_start(other)..].trim_ascii_start());
        texts.any(|text| text.starts_with(key.as_bytes()))
    };
    !before.is_empty() && (goes_on_above(before, old, new) || key(before, old, after).is_some_and(is_sibling))
        || goes_on_behind(old, new, after)
}

/// Checks whether a text is the last word of a key with hyphens: `timeout` of `read-timeout: 30`.
fn is_last_word_of_key(before: &str, after: &str) -> bool {
    let words = before.trim_start_matches(['-', ' ']).strip_suffix('-');
    words.is_some_and(|words| !words.is_empty() && words.chars().all(|c| is_of_word(Some(c)) || c == '-'))
        && after.starts_with([':', '='])
}

/// Checks whether a text is a key with a value, on one line, and begins inside of a longer key: `cache.size=300` of `old.cache.size=300`.
fn begins_in_key(before: &str, old: &str) -> bool {
    let is_of_key = |c: char| is_of_word(Some(c)) || "-.".contains(c);
    let key = old.split([':', '=']).next().unwrap_or_default();
    let has_value = key.len() < old.len() && key.trim_end().chars().all(is_of_key) && !old.contains('\n');
    let is_inside = before.ends_with(['-', '.'])
        && before.trim_end_matches(['-', '.']).ends_with(|c| is_of_word(Some(c)));
    has_value && is_inside
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

/// Checks whether lines that begin behind a text are in a comment there, or begin inside of a name such as `min-width`.
pub(super) fn belongs_to(before: &str, old: &str) -> bool {
    is_comment_sign(before.trim()) || before.ends_with('-') && is_of_word(old.chars().next())
}

/// Checks whether the text before a part belongs to its first word, or to what is added before that. A text that ends inside of a
/// bracket is a part of an expression, and may begin behind a dot: `get(url` of `session.get(url, timeout)`.
fn goes_on_above(before: &str, old: &str, new: &str) -> bool {
    let count = |sign: char| old.matches(sign).count();
    let is_of_expression = before.ends_with('.') && count('(') > count(')');
    let is_joined = before.ends_with(['.', '-', '@', '/', '#', '$'])
        && !is_of_expression
        && !before.ends_with("//")
        && is_of_word(old.chars().next());
    let is_behind_word = is_of_word(before.trim_end().chars().next_back());
    let becomes_lines = new.contains('\n') && !old.contains('\n');
    is_joined || is_behind_word && (new.ends_with(old) || becomes_lines)
}

/// Checks whether the text behind a part continues its last value, which changes.
pub(super) fn continues(old: &str, new: &str, after: &str) -> bool {
    changes_end(old, new, is_of_value) && continues_value(after)
}

/// Checks whether a replacement ends with another run of some characters than the old text, which ends with such a run.
fn changes_end(old: &str, new: &str, is_in_run: impl Fn(char) -> bool) -> bool {
    let start = |text: &str| text.trim_end_matches(&is_in_run).len();
    let (old, new) = (&old[start(old)..], &new[start(new)..]);
    !old.is_empty() && old != new
}

/// Checks for a character of a value such as a version.
fn is_of_value(c: char) -> bool {
    is_of_word(Some(c)) || matches!(c, '.' | '-')
}

/// Checks whether a text behind a value is more of the same value: `-api`, `.1` of a version, `@` and a digest. A name behind a dot may be
/// called on the value.
fn continues_value(after: &str) -> bool {
    let mut signs = after.chars();
    match (signs.next(), signs.next()) {
        (Some('-' | '@'), next) => is_of_word(next),
        (Some('.'), Some(next)) => next.is_ascii_digit(),
        _ => false,
    }
}

/// Checks whether the text behind a part continues a last word that changes.
fn goes_on_behind(old: &str, new: &str, after: &str) -> bool {
    if !changes_end(old, new, |c| is_of_word(Some(c))) {
        return false;
    }
    let mut next = after.chars();
    let is_joined = next.next().is_some_and(|c| ".-".contains(c)) && is_of_word(next.next());
    let sign = after.strip_prefix(' ').and_then(|after| after.split(' ').next()).unwrap_or_default();
    let signs = if old.contains('=') { "+*/%-|&?^<>" } else { "+*/%" };
    is_joined || !sign.is_empty() && sign.chars().all(|c| signs.contains(c))
}
