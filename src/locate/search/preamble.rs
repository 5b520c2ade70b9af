//! The lines that a block has to begin with.

use memchr::memmem;

use super::scope::next_filled;
use crate::locate::syntax::{indentation_width, long_literal_end};
use crate::text::Document;

/// How many lines a text at the beginning of a block may have.
const REACH: usize = 1_000;

/// Returns the last of the lines that a block has to begin with, or the line that opens the block: the documentation of a function of
/// Python, `"use strict"`, the call of the constructor above, the parameters of a function of Perl. `added` is the first added line.
pub(crate) fn preamble_end(document: &Document, opener: usize, added: &str) -> usize {
    if added.trim_start().starts_with(['"', '\'']) {
        return opener;
    }
    let width = indentation_width(document.line(opener));
    let mut end = opener;
    while let Some(last) = next_filled(document, end)
        .filter(|next| indentation_width(document.line(*next)) > width)
        .and_then(|next| statement_end(document, next))
    {
        end = last;
    }
    end
}

/// Returns the last line of a statement that a block has to begin with; `None` for another statement.
fn statement_end(document: &Document, line: usize) -> Option<usize> {
    let text = String::from_utf8_lossy(document.line(line));
    let body = text.trim();
    if body.starts_with("\"\"\"") || body.starts_with("'''") {
        let Some(end) = long_literal_end(body) else { return Some(line) };
        let mut below = line + 1..document.len().min(line + REACH);
        return below.find(|line| memmem::find(document.line(*line), end.as_bytes()).is_some());
    }
    let is_first = body.trim_end_matches(';').trim_matches(['"', '\'']) == "use strict"
        || body.starts_with("super(")
        || body.starts_with("my ") && body.ends_with("@_;");
    is_first.then_some(line)
}
