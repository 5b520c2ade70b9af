//! Lines that are attached to the line below: attributes, and the comment of a block.

use crate::locate::syntax::{
    begins_block, indentation_width, is_about_next, is_attribute, is_in_brackets, is_opening_bracket,
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
    let has_bracket = opens && !own.contains('=');
    let is_tag = own.trim_start().strip_prefix('<').is_some_and(|name| name.starts_with(char::is_lowercase));
    // A comment of several lines is attached as a whole.
    let (mut first, mut is_in_comment) = (line, false);
    for above in (line.saturating_sub(REACH)..line).rev() {
        let text = text(above);
        let body = text.trim();
        let is_as_deep = indentation_width(document.line(above)) == width;
        // In a template, a call is above a tag.
        let is_call = is_tag && body.starts_with('@');
        let is_attached = is_as_deep
            && !is_call
            && (is_certain(&text)
                || is_signature_of(body, own.trim())
                || has_bracket && is_in_brackets(body)
                || opens && is_about_next(&text));
        let ends_comment = opens && body.ends_with("*/") && !body.starts_with("/*");
        if !is_in_comment && !is_attached && !ends_comment {
            break;
        }
        is_in_comment = !body.starts_with("/*") && (is_in_comment || !is_attached);
        if !is_in_comment {
            first = above;
        }
    }
    first
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
