//! Lines that are attached to the line below: attributes, and the comment of a block.

use std::ops::Range;

use crate::locate::syntax::{
    begins_block, indentation_width, is_about_next, is_attribute, is_in_brackets, is_opening_bracket,
};
use crate::text::{Document, is_blank};

/// How many lines above a line are looked at.
const REACH: usize = 200;

/// Returns the first of the lines right above a line that are attached to that line, or the line itself: lines as deep as the line,
/// which are attributes, documentation, the signature of a function of Haskell, or in front of a block any comment.
pub(crate) fn with_attached_lines(document: &Document, line: usize) -> usize {
    let text = |line: usize| String::from_utf8_lossy(document.line(line));
    let (width, own) = (indentation_width(document.line(line)), text(line));
    let is_as_deep = |above: usize| indentation_width(document.line(above)) == width;
    let is_signature = |above: usize| is_signature_of(text(above).trim(), own.trim());
    let has_signature = line.checked_sub(1).is_some_and(is_signature);
    let opens = begins_block(&own) || is_certain(&own) || has_signature || has_body_below(document, line);
    let has_bracket = opens && !own.contains('=');
    let is_tag = own.trim_start().strip_prefix('<').is_some_and(|name| name.starts_with(char::is_lowercase));
    let is_attached = |above: usize| {
        let text = text(above);
        let body = text.trim();
        // In a template, a call is above a tag.
        let is_call = is_tag && body.starts_with('@');
        let is_whatever_below = is_certain(&text) || is_signature_of(body, own.trim());
        let is_of_block = has_bracket && is_in_brackets(body) || opens && is_about_next(&text);
        is_as_deep(above) && !is_call && (is_whatever_below || is_of_block)
    };
    let comment = |end: usize| {
        let begin = first_of_comment(document, line.saturating_sub(REACH)..end + 1).filter(|_| opens)?;
        is_as_deep(begin).then_some(begin)
    };
    let mut first = line;
    while let Some(above) = first.checked_sub(1).filter(|above| line - above <= REACH) {
        match comment(above).or_else(|| is_attached(above).then_some(above)) {
            Some(begin) => first = begin,
            None => break,
        }
    }
    first
}

/// Returns the line that begins a comment of C of several lines, which the last of some lines ends.
fn first_of_comment(document: &Document, mut lines: Range<usize>) -> Option<usize> {
    let signs =
        |line: usize| ["/*", "*/"].map(|sign| memchr::memmem::find(document.line(line), sign.as_bytes()));
    let last = lines.next_back()?;
    let is_end = signs(last)[0].is_none() && document.line(last).trim_ascii_end().ends_with(b"*/");
    let begin = lines.rev().filter(|_| is_end).find(|line| signs(*line) != [None, None])?;
    let begins = document.line(begin).trim_ascii_start().starts_with(b"/*") && signs(begin)[1].is_none();
    begins.then_some(begin)
}

/// Checks whether the line right below a line is deeper, or an opening bracket alone.
pub(crate) fn has_body_below(document: &Document, line: usize) -> bool {
    let below = Some(line + 1).filter(|below| *below < document.len()).map(|below| document.line(below));
    below.is_some_and(|below| {
        let is_deeper = indentation_width(below) > indentation_width(document.line(line));
        !is_blank(below) && (is_deeper || is_opening_bracket(below))
    })
}

/// Checks whether a line is the signature of the function that another line defines: `double :: Int -> Int`.
fn is_signature_of(line: &str, function: &str) -> bool {
    let name = line.split_once(" :: ").map(|(name, _)| name);
    name.is_some() && name == function.split_whitespace().next()
}

/// Checks whether a line is about the line below, whatever that is: an attribute, a declaration of a template, or documentation.
fn is_certain(line: &str) -> bool {
    const BEGINNINGS: [&str; 6] = ["template <", "template<", "///", "@spec ", "-spec ", ".PHONY:"];
    let body = line.trim();
    let is_indented = line.starts_with(char::is_whitespace);
    is_attribute(body)
        || is_indented && is_in_brackets(body)
        || BEGINNINGS.iter().any(|beginning| body.starts_with(beginning))
}
