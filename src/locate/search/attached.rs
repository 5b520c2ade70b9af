//! Lines that are attached to the line below: attributes, and the comment of a block.

use crate::locate::syntax::{
    begins_block, indentation_width, is_about_next, is_attribute, is_in_brackets, is_opening_bracket,
    may_be_comment,
};
use crate::text::{Document, is_blank};

/// How many lines above a line are looked at.
const REACH: usize = 200;

/// Returns the first of the lines right above a line that are attached to that line, or the line itself: lines as deep as the line, which are
/// attributes, documentation, the signature of a function of Haskell, or in front of a block any comment.
pub(crate) fn with_attached_lines(document: &Document, line: usize) -> usize {
    let text = |line: usize| String::from_utf8_lossy(document.line(line));
    let (width, own) = (indentation_width(document.line(line)), text(line));
    let is_signature = |above: usize| is_signature_of(text(above).trim(), own.trim());
    let has_signature = line.checked_sub(1).is_some_and(is_signature);
    let opens = begins_block(&own) || is_certain(&own) || has_signature || has_body_below(document, line);
    let is_attached = |above: &usize| {
        let line = document.line(*above);
        // A line inside of a comment of C is one column deeper.
        let depth = indentation_width(line);
        let text = text(*above);
        let body = text.trim();
        !is_blank(line)
            && (depth == width || depth == width + 1 && body.starts_with('*'))
            && (is_certain(&text)
                || is_signature_of(body, own.trim())
                || opens && (is_about_next(&text) || may_be_comment(body)))
    };
    (line.saturating_sub(REACH)..line).rev().take_while(is_attached).last().unwrap_or(line)
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
