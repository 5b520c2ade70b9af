//! Parts of a file whose lines are no deeper than the line that begins the part: a block of a namespace, a condition of the
//! preprocessor, a package, the equations of a function, and what is below a comment between blank lines.

use std::ops::Range;

use memchr::memmem;

use crate::locate::syntax::{Block, begins_condition, indentation_width, is_comment, is_signature_of};
use crate::text::{Document, is_blank};

/// How many lines are looked at for the end of a part.
const REACH: usize = 2_000;

/// How many bytes are looked at for the bracket that ends a block: a header may lead to many lines.
const REACH_IN_BYTES: usize = 1 << 16;

/// Returns the line before which the part ends that a line begins, and whose lines are as deep as that line; `None` if the line begins
/// no part, or its end is not found before `outer_end`.
pub(super) fn end_of_part(document: &Document, line: usize, outer_end: usize) -> Option<usize> {
    let text = document.line(line).trim_ascii();
    let mut below = line + 1..outer_end.min(line + REACH);
    if text.ends_with(b"{") {
        let opened = |line: usize| Block::Brackets.opened_by(&String::from_utf8_lossy(document.line(line)));
        let mut open = Some(opened(line)).filter(|open| *open > 0)?;
        let mut bytes = 0;
        let mut near = below.take_while(|line| {
            bytes += document.line(*line).len();
            bytes < REACH_IN_BYTES
        });
        let end = near.find(|line| {
            open += opened(*line);
            open <= 0
        });
        return end.map(|end| end + 1);
    }
    if begins_condition(&String::from_utf8_lossy(text)) {
        return end_of_condition(document, below);
    }
    let (is_package_line, is_heading_line) = (is_package(text), is_heading(document, line));
    let begins_next = |next: usize| {
        is_package_line && is_package(document.line(next).trim_ascii())
            || is_heading_line && is_heading(document, next)
    };
    below.find(|next| is_of_kind(document, line, *next) && begins_next(*next))
}

/// Returns the line before which the equations end that follow a signature of Haskell: `area :: Shape -> Double`. `None` for another line.
pub(super) fn end_of_equations(document: &Document, line: usize, outer_end: usize) -> Option<usize> {
    let signature = document.line(line);
    memmem::find(signature, b" :: ")?;
    let signature = String::from_utf8_lossy(signature);
    let is_equation =
        |line: usize| is_signature_of(&signature, &String::from_utf8_lossy(document.line(line)));
    let is_at_margin = |line: &usize| {
        let text = document.line(*line);
        !is_blank(text) && indentation_width(text) == 0
    };
    let mut below = (line + 1..outer_end.min(line + REACH)).filter(is_at_margin).peekable();
    below.peek().filter(|line| is_equation(**line))?;
    Some(below.find(|line| !is_equation(*line)).unwrap_or(outer_end))
}

/// Returns the line that ends a branch of a condition.
fn end_of_condition(document: &Document, mut below: Range<usize>) -> Option<usize> {
    let mut inner = 0;
    below.find(|line| {
        let text = document.line(*line).trim_ascii();
        let is_end =
            inner == 0 && ["#elif", "#else", "#endif"].iter().any(|word| text.starts_with(word.as_bytes()));
        inner += usize::from(text.starts_with(b"#if"));
        inner = inner.saturating_sub(usize::from(text.starts_with(b"#endif")));
        is_end
    })
}

/// Checks for a package that goes on to the next one: `package Letters;`.
fn is_package(text: &[u8]) -> bool {
    text.ends_with(b";") && (text.starts_with(b"package ") || text.starts_with(b"namespace "))
}

/// Checks whether a line is a comment between blank lines, at the margin.
fn is_heading(document: &Document, line: usize) -> bool {
    let text = document.line(line);
    let is_apart = |line: usize| line >= document.len() || is_blank(document.line(line));
    indentation_width(text) == 0
        && is_comment(&String::from_utf8_lossy(text))
        && line.checked_sub(1).is_none_or(is_apart)
        && is_apart(line + 1)
}

/// Checks whether two lines may begin parts of the same kind: the second is as deep or less deep, and both begin with the same sign or
/// word, or have the same signs between other words.
pub(super) fn is_of_kind(document: &Document, head: usize, line: usize) -> bool {
    let (head, line) = (document.line(head), document.line(line));
    if is_blank(line) || indentation_width(head) < indentation_width(line) {
        return false;
    }
    let (head, line) = (head.trim_ascii(), line.trim_ascii());
    let Some(end) = head.iter().position(u8::is_ascii_whitespace) else { return has_same_signs(head, line) };
    let has_same_begin = line.starts_with(&head[..end]) && line.get(end).is_none_or(u8::is_ascii_whitespace);
    has_same_begin || has_same_signs(head, line)
}

/// Checks whether two texts have the same signs between other words, and at least two groups of signs.
fn has_same_signs(one: &[u8], other: &[u8]) -> bool {
    fn signs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        let is_sign = |byte: &u8| byte.is_ascii_punctuation() && *byte != b'_';
        text.split(move |byte| !is_sign(byte)).filter(|group| !group.is_empty())
    }
    signs(one).nth(1).is_some() && signs(one).eq(signs(other))
}
