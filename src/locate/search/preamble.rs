//! The lines that a block has to begin with.

use super::scope::next_filled;
use crate::locate::syntax::indentation_width;
use crate::text::Document;

/// How many lines a text at the beginning of a block may have.
const REACH: usize = 1_000;

/// Returns the last of the lines that a block has to begin with, or the line that opens the block: the documentation of a function of
/// Python, `"use strict"`, the call of the constructor above, the parameters of a function of Perl. `added` is the first added line.
pub(crate) fn preamble_end(document: &Document, opener: usize, added: &str) -> usize {
    const QUOTES_OF_TEXT: [&str; 2] = ["\"\"\"", "'''"];
    let mut end = opener;
    while let Some(next) = next_filled(document, end) {
        let text = String::from_utf8_lossy(document.line(next));
        let body = text.trim();
        let mark = QUOTES_OF_TEXT.into_iter().find(|mark| body.starts_with(mark));
        let is_first = body.trim_end_matches(';').trim_matches(['"', '\'']) == "use strict"
            || body.starts_with("super(")
            || body.starts_with("my ") && body.ends_with("@_;");
        let is_deeper = indentation_width(document.line(next)) > indentation_width(document.line(opener));
        if !is_deeper || added.trim_start().starts_with(['"', '\'']) || mark.is_none() && !is_first {
            break;
        }
        let closes =
            |line: &usize| mark.is_none_or(|mark| ends_text(document.line(*line), mark, *line == next));
        let Some(last) = (next..document.len().min(next + REACH)).find(closes) else { break };
        end = last;
    }
    end
}

/// Checks whether a text of several lines ends in a line, which may also begin the text.
fn ends_text(line: &[u8], mark: &str, begins: bool) -> bool {
    let count = memchr::memmem::find_iter(line, mark).count();
    count > usize::from(begins)
}
