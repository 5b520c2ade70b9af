//! Replacer 5: the same block at another depth.

use std::iter;

use super::Places;
use super::shift::{depth, shifted};
use super::trim::{is_blank, trim_start};

/// As many lines as were quoted, the same once the smallest indentation is taken off both.
///
/// **Accepts** a block whose lines are all deeper, or all less deep, by the same number of white-space characters;
/// which characters they are does not matter, nor whether they are the same on each line. **Refuses** any other
/// difference: an indentation inside the block, trailing white space, and, since blank lines are compared as they
/// are, a blank line with other white space. A quote that ends with a line feed needs an empty line there.
///
/// **Reading.** What this accepts, [`line_trimmed`](super::line_trimmed()) accepts too, but for quotes that end
/// with a line feed; it is tried before, so that this one rarely decides anything.
///
/// **Cost.** Linear in content and quote; where anything but spaces indents, also the length of the quote for each
/// block whose lines are as deep as the quoted ones.
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

/// What must be the same whatever the indentation: blank lines as they are, others from their first word on.
fn key(line: &str) -> &str {
    if is_blank(line) { line } else { trim_start(line) }
}

/// The lines without the indentation that all of them have; blank ones as they are.
fn without_indentation(text: &str) -> Vec<&str> {
    let shared = text.split('\n').filter_map(depth).min().unwrap_or(0);
    let cut = |line: &str| line.char_indices().nth(shared).map_or(line.len(), |(at, _)| at);
    text.split('\n').map(|line| if is_blank(line) { line } else { &line[cut(line)..] }).collect()
}

/// Whether each line of the block is the quoted one with as many characters before it as any other has.
///
/// Then the shift is the smallest indentation of the block, since that of the quote is 0.
fn is_shifted(block: &str, quoted: &[&str]) -> bool {
    let mut shift = None;
    iter::zip(block.split('\n'), quoted).filter(|(_, quoted)| !is_blank(quoted)).all(|(line, quoted)| {
        line.strip_suffix(quoted).is_some_and(|before| {
            let before = before.chars().count();
            *shift.get_or_insert(before) == before
        })
    })
}
