//! Recognizes the lines of a SEARCH/REPLACE block that are not text, and the backslash before text that looks like one.

use std::borrow::Cow;

/// How many characters may begin a marker; seven do.
const WIDTHS: std::ops::RangeInclusive<usize> = 5..=9;

/// The words of the markers that begin and end a block: those of today, and those with which the format began.
const SEARCH_WORDS: [&str; 2] = ["SEARCH", "ORIGINAL"];
const REPLACE_WORDS: [&str; 2] = ["REPLACE", "UPDATED"];

/// A line of a block that is no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockMarker {
    Search,
    Divider,
    Replace,
}

/// Returns the marker of a line, and whether its spelling is exact.
pub(super) fn marker(line: &str) -> Option<(BlockMarker, bool)> {
    let first = line.chars().next().filter(|c| "<=>-+".contains(*c))?;
    let word = line.trim_start_matches(first);
    let width = line.len() - word.len();
    let word = word.trim();
    let bare = word.trim_end_matches(['>', ':']).trim_end();
    let kind = match first {
        '=' if word.is_empty() => BlockMarker::Divider,
        '<' | '-' if is_one_of(&SEARCH_WORDS, bare) => BlockMarker::Search,
        '>' | '+' if is_one_of(&REPLACE_WORDS, bare) => BlockMarker::Replace,
        _ => return None,
    };
    let exact = match kind {
        BlockMarker::Search => line == "<<<<<<< SEARCH",
        BlockMarker::Divider => line == "=======",
        BlockMarker::Replace => line == ">>>>>>> REPLACE",
    };
    WIDTHS.contains(&width).then_some((kind, exact))
}

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// Returns whether a line begins like a marker: as text the line needs a backslash.
pub(super) fn begins_as_marker(line: &str) -> bool {
    let mut bytes = line.bytes();
    bytes.next().is_some_and(|first| {
        b"<=>-+".contains(&first) && bytes.take(4).filter(|byte| *byte == first).count() == 4
    })
}

/// Returns whether a line of text needs a backslash, so that the line is not parsed as a marker.
fn wants_backslash(line: &str) -> bool {
    begins_as_marker(line) || line_hint(line).is_some()
}

/// Returns a line without the backslash that marks text; `None` if there is no backslash.
pub(super) fn unescaped(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('\\')?;
    wants_backslash(rest.trim_start_matches('\\')).then_some(rest)
}

/// Returns a line of a block as text, with a backslash if needed.
pub(crate) fn escaped(line: &str) -> Cow<'_, str> {
    let is_text = !wants_backslash(line.trim_start_matches('\\'));
    if is_text { Cow::Borrowed(line) } else { Cow::Owned(format!("\\{line}")) }
}

/// Parses `:start_line:12`, or `:end_line:14`, into the word and the number.
pub(super) fn line_hint(line: &str) -> Option<(&str, usize)> {
    let (name, number) = line.trim().strip_prefix(':')?.split_once(':')?;
    let known = matches!(name, "start_line" | "end_line");
    number.trim().parse().ok().filter(|_| known).map(|number| (name, number))
}
