//! Replacer 6: escape sequences that were meant, or were not.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use super::Places;
use super::lines::{line_after, line_at, lines, runs};
use super::places::places;

/// The escape sequences that [`unescape`] decodes: the character after the backslash, and the meaning of both together.
///
/// A backslash before a line feed is dropped. A backslash before any character outside this table stays.
pub const ESCAPES: [(char, char); 9] = [
    ('n', '\n'),
    ('t', '\t'),
    ('r', '\r'),
    ('\'', '\''),
    ('"', '"'),
    ('`', '`'),
    ('\\', '\\'),
    ('\n', '\n'),
    ('$', '$'),
];

/// Decodes the [escape sequences](ESCAPES) of the text from left to right, each once.
///
/// ```
/// use apply_patch::baseline::cascade::unescape;
/// assert_eq!(unescape(r#"say(\"a\tb\")"#), "say(\"a\tb\")");
/// assert_eq!(unescape(r"C:\\new \d"), r"C:\new \d");
/// ```
pub fn unescape(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('\\') else { return Cow::Borrowed(text) };
    let mut plain = text[..first].to_owned();
    let mut rest = text[first..].chars();
    while let Some(c) = rest.next() {
        let meant = rest.clone().next().filter(|_| c == '\\').and_then(meaning);
        if meant.is_some() {
            rest.next();
        }
        plain.push(meant.unwrap_or(c));
    }
    Cow::Owned(plain)
}

fn meaning(escaped: char) -> Option<char> {
    ESCAPES.iter().find(|(c, _)| *c == escaped).map(|(_, meant)| *meant)
}

/// Returns the positions that equal the quote after decoding [escape sequences](ESCAPES).
///
/// **Accepts** the decoded quote anywhere, also inside a line: the model wrote `\n` or `\"` where the document has a
/// line feed or a quotation mark. Also accepts blocks of whole lines, as many as the decoded quote has, that equal the
/// decoded quote once the block is decoded: the model wrote `"` where the document has `\"`. **Refuses** every further
/// difference, also of whitespace.
///
/// The new text is not decoded: a model that escaped the quote has escaped the new text too, and its `\n` is written as
/// two characters. This is a hazard of the seeds.
///
/// **Cost.** Linear in content and quote.
///
/// ```
/// use apply_patch::baseline::cascade::escape_normalized;
/// let found = |content, quote| escape_normalized(content, quote).collect::<Vec<_>>();
/// assert_eq!(found("print('a')\nprint('b')\n", r"print(\'a\')\nprint(\'b\')"), [0..21]);
/// assert_eq!(found("x\nsay(\"\\tq\")\n", "say(\"\tq\")"), [2..12]);
/// ```
pub fn escape_normalized<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    let wanted = unescape(quote);
    let blocks = wanted.clone();
    Box::new(
        places(content, wanted).chain(iter::once_with(move || escaped_blocks(content, &blocks)).flatten()),
    )
}

/// Returns the blocks of whole lines that decode to `wanted`.
fn escaped_blocks<'a>(content: &'a str, wanted: &str) -> impl Iterator<Item = Range<usize>> + use<'a> {
    let (head, last) = wanted.rsplit_once('\n').map_or((None, wanted), |(head, last)| (Some(head), last));
    let last = last.to_owned();
    let length = wanted.len();
    let read = heads(content, head).filter_map(move |(start, at)| {
        let line = line_at(content, at);
        (unescape(line.text) == last.as_str()).then(|| start..line.end())
    });
    // A block without an escape is a position of the decoded quote, which was already returned.
    read.filter(move |place| place.len() != length)
}

/// Returns the positions of the lines before the last: where the lines begin, and where the line after begins.
///
/// The last line is decoded separately, because a backslash at its end is not an escape: the block ends there.
fn heads<'a>(content: &'a str, head: Option<&str>) -> Box<dyn Iterator<Item = (usize, usize)> + 'a> {
    match head {
        None => Box::new(lines(content).map(|line| (line.start, line.start))),
        Some(head) => {
            let wanted = head.split('\n').map(|line| Cow::Owned(line.to_owned())).collect();
            let found = runs(content, wanted, unescape_before_line_feed);
            Box::new(found.filter_map(|head| Some((head.start, line_after(content, head.end)?.start))))
        }
    }
}

/// Decodes a line that a line feed follows: an unpaired backslash at the end escapes the line feed, and is dropped.
fn unescape_before_line_feed(line: &str) -> Cow<'_, str> {
    let backslashes = line.len() - line.trim_end_matches('\\').len();
    unescape(&line[..line.len() - backslashes % 2])
}
