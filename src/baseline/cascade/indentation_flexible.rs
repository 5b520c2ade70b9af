//! Replacer 5: the same block at another depth.

use std::iter;

use super::Places;
use super::shift::{depth, shifted};
use super::trim::{is_blank, trim_start};

/// Returns blocks of as many lines as the quote, equal once the smallest indentation is removed from both.
///
/// **Accepts** a block whose lines are all deeper, or all less deep, by the same number of whitespace characters; the
/// characters may differ, also from line to line. **Refuses** every further difference: an indentation inside the
/// block, trailing whitespace, and, since blank lines are compared unchanged, a blank line with different whitespace. A
/// quote that ends with a line feed needs an empty line there.
///
/// **Reading.** [`line_trimmed`](super::line_trimmed()) accepts everything that this replacer accepts, except for
/// quotes that end with a line feed; `line_trimmed` is tried before, so this replacer rarely decides anything.
///
/// **Cost.** Linear in content and quote; if anything but spaces indents, also the length of the quote for each block
/// whose lines are as deep as the quoted lines.
///
/// ```
/// use apply_patch::baseline::cascade::indentation_flexible;
/// let content = "        function foo() {\n            return;\n        }";
/// let found: Vec<_> = indentation_flexible(content, "function foo() {\n    return;\n}").collect();
/// assert_eq!(found, [0..content.len()]);
/// ```
pub fn indentation_flexible<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    let quoted = without_indentation(quote);
    let found = shifted(content, &quoted, key);
    let found = found.filter(move |(place, plain)| *plain || is_shifted(&content[place.clone()], &quoted));
    Box::new(found.map(|(place, _)| place))
}

/// Returns the part of a line that must be equal at any indentation: a blank line unchanged, any further line from its
/// first word on.
fn key(line: &str) -> &str {
    if is_blank(line) { line } else { trim_start(line) }
}

/// Returns the lines without their common indentation; blank lines are unchanged.
fn without_indentation(text: &str) -> Vec<&str> {
    let shared = text.split('\n').filter_map(depth).min().unwrap_or(0);
    let cut = |line: &str| line.char_indices().nth(shared).map_or(line.len(), |(at, _)| at);
    text.split('\n').map(|line| if is_blank(line) { line } else { &line[cut(line)..] }).collect()
}

/// Returns whether each line of the block is the quoted line with the same number of characters before.
///
/// The shift is then the smallest indentation of the block, since the smallest indentation of the quote is 0.
fn is_shifted(block: &str, quoted: &[&str]) -> bool {
    let mut shift = None;
    iter::zip(block.split('\n'), quoted).filter(|(_, quoted)| !is_blank(quoted)).all(|(line, quoted)| {
        line.strip_suffix(quoted).is_some_and(|before| {
            let before = before.chars().count();
            *shift.get_or_insert(before) == before
        })
    })
}
