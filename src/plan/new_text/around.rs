//! New texts that have more than the text of the file in every line or around all lines: line numbers, the signs of a diff or of
//! a quotation, a fence, or quotation marks.

use super::texts::{Kind, Texts, trimmed};
use crate::locate::{FENCES, Wrap, is_fence, numbered};

/// The marks around a quoted text, the longest first.
const QUOTES: [&str; 4] = ["\"\"\"", "\"", "'", "`"];

/// Returns what is around the new text and neither in the old text nor in the file.
pub(super) fn wrap(texts: &Texts<'_, '_>) -> Option<Wrap> {
    if texts.replaced.is_empty() {
        return None;
    }
    let wraps = [
        (Wrap::LineNumbers, is_numbered(texts)),
        (Wrap::Signs, is_signed(texts)),
        (Wrap::Quotation, is_quotation(texts)),
        (Wrap::Fence, is_fenced(texts)),
        (Wrap::QuotationMarks, is_in_quotes(texts)),
    ];
    wraps.into_iter().find(|(_, is_there)| *is_there).map(|(wrap, _)| wrap)
}

/// Checks whether a fence is around the new text. If the old text is inside, the fence is the change.
fn is_fenced(texts: &Texts<'_, '_>) -> bool {
    let [first, inner @ .., last] = texts.written else { return false };
    let is_around = |fence: &&str| {
        let is_opening = first.strip_prefix(*fence).is_some_and(|tag| tag.chars().all(char::is_alphanumeric));
        is_opening && last.trim() == *fence
    };
    texts.kind != Kind::Prose
        && FENCES.iter().any(is_around)
        && !inner.is_empty()
        && trimmed(inner) != texts.replaced
        && !texts.has(is_fence)
}

/// Checks whether each line of the new text has the next line number, before lines that are mostly like those of the old text.
fn is_numbered(texts: &Texts<'_, '_>) -> bool {
    let lines = texts.written.iter().map(|line| numbered_in_any_style(line)).collect::<Option<Vec<_>>>();
    let Some(lines) = lines else { return false };
    let follow = lines.windows(2).all(|pair| pair[0].0.checked_add(1) == Some(pair[1].0));
    let bodies: Vec<&str> = lines.iter().map(|(_, text)| *text).collect();
    lines.len() > 1
        && follow
        && bodies != texts.replaced
        && (texts.are_alike(&bodies) || texts.is_as_deep(&bodies))
        && !texts.has(|line| numbered_in_any_style(line).is_some())
}

/// Returns the line number in front of a line, and the text behind the number: `12: x`, `L12: x` or `[12] x`.
fn numbered_in_any_style(line: &str) -> Option<(u64, &str)> {
    let body = line.trim_start();
    if let Some((number, text)) = body.strip_prefix('[').and_then(|body| body.split_once(']')) {
        return Some((number.parse().ok()?, text.strip_prefix(' ').unwrap_or(text)));
    }
    numbered(
        body.strip_prefix('L').filter(|body| body.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(line),
    )
}

/// Checks whether the lines of the new text have the signs of a diff: the lines that are kept and removed are the old text, or all
/// lines are added and begin as those of the old text, or each line that the old text does not have is added.
fn is_signed(texts: &Texts<'_, '_>) -> bool {
    let is_known = || texts.has(|line| line.starts_with('+'));
    (is_diff(texts) || are_new_signed(texts)) && !is_known()
}

/// Checks whether each line that the old text does not have has a plus sign before its indentation.
fn are_new_signed(texts: &Texts<'_, '_>) -> bool {
    let new = texts.written.iter().filter(|line| !line.trim().is_empty() && !texts.old.contains(line));
    let bodies: Option<Vec<&str>> = new.map(|line| line.strip_prefix('+')).collect();
    bodies.is_some_and(|bodies| texts.kind == Kind::Code && texts.is_as_deep(&bodies))
}

/// Checks whether each line has a sign, and the kept and removed lines are the old text, or each line is added and the first begins as
/// the old text does.
fn is_diff(texts: &Texts<'_, '_>) -> bool {
    let mut signs = Vec::new();
    for line in texts.written.iter().filter(|line| !line.trim().is_empty()) {
        let Some(text) = line.strip_prefix(['+', '-', ' ']) else { return false };
        signs.push((line.as_bytes()[0], text));
    }
    let texts_of = |wanted: &dyn Fn(u8) -> bool| {
        let texts = signs.iter().filter(|(sign, _)| wanted(*sign));
        texts.map(|(_, text)| *text).collect::<Vec<_>>()
    };
    let (kept, added) = (texts_of(&|sign| sign != b'+'), texts_of(&|sign| sign == b'+'));
    let old: Vec<&str> = texts.replaced.iter().copied().filter(|line| !line.trim().is_empty()).collect();
    // A minus sign before every line rather belongs to the text.
    let is_mixed = signs.windows(2).any(|pair| pair[0].0 != pair[1].0);
    let changes = signs.iter().any(|(sign, _)| *sign != b' ');
    let is_added =
        || kept.is_empty() && added != old && added.first().is_some_and(|line| texts.begin_alike(line));
    changes && is_mixed && kept == old || is_added()
}

/// Checks whether each line of the new text has `>` before it, as a quotation in a mail, and goes on as those of the old text.
fn is_quotation(texts: &Texts<'_, '_>) -> bool {
    let body =
        |line: &&'_ str| line.strip_prefix('>').map(|body| body.strip_prefix(' ').unwrap_or(body).to_owned());
    let Some(bodies) = texts.written.iter().map(body).collect::<Option<Vec<_>>>() else { return false };
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    texts.kind != Kind::Prose
        && bodies.len() > 1
        && bodies != texts.replaced
        && bodies.first().is_some_and(|line| texts.begin_alike(line))
        && texts.are_alike(&bodies)
        && !texts.has(|line| line.starts_with('>'))
}

/// Checks whether a new text of several lines is in quotation marks, with its indentation, and goes on as the old text. If the old
/// text is inside, the marks are the change.
fn is_in_quotes(texts: &Texts<'_, '_>) -> bool {
    let [first, .., last] = texts.written else { return false };
    let Some(quote) = QUOTES.iter().find(|quote| first.starts_with(**quote) && last.ends_with(**quote))
    else {
        return false;
    };
    let mut inner = texts.written.to_vec();
    let (end, last_line) = (inner.len() - 1, *last);
    inner[0] = &first[quote.len()..];
    inner[end] = last_line.strip_suffix(quote).unwrap_or(last_line);
    // A mark that has no other in its line belongs to a quotation of that line.
    let is_closed = |line: &&str| line.matches(quote).count() % 2 == 0;
    texts.kind != Kind::Prose
        && inner != texts.replaced
        && inner.iter().all(is_closed)
        && texts.begin_alike(inner[0])
        && !texts.replaced[0].starts_with(quote)
}
