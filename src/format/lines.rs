//! The lines of a patch's text.

use memchr::arch::all::rabinkarp;
use memchr::{memchr, memchr_iter, memmem};

/// Returns whether a text is searched by portable code. Choosing the fastest code queries the processor once in a
/// process, and a virtual processor takes longer for the answer than parsing a short text takes.
fn is_short(text: &str) -> bool {
    text.len() < 1 << 14
}

/// Returns the lines of a text without their endings, LF or CR LF, each with its number (1-based) and the rest of the
/// text.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let is_short = is_short(text);
    let mut rest = text;
    let mut number = 0;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = if is_short { rest.find('\n') } else { memchr(b'\n', rest.as_bytes()) };
        let (line, after) = match end {
            Some(end) => (without_cr(&rest[..end]), &rest[end + 1..]),
            None => (rest, ""),
        };
        rest = after;
        number += 1;
        Some((number, line, after))
    })
}

/// Returns a line without the CR before its LF.
pub(super) fn without_cr(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// Returns the [lines] that contain some characters, each with the rest of the text. The lines between are skipped at
/// almost no cost.
pub(super) fn lines_with<'a>(
    text: &'a str,
    characters: &'static str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    // This finder is the same on every processor.
    let plain = rabinkarp::Finder::new(characters.as_bytes());
    let finder = (!is_short(text)).then(|| memmem::Finder::new(characters));
    let mut rest = text;
    std::iter::from_fn(move || {
        let found = match &finder {
            Some(finder) => finder.find(rest.as_bytes()),
            None => plain.find(rest.as_bytes(), characters.as_bytes()),
        }?;
        let begin = rest[..found].rfind('\n').map_or(0, |end| end + 1);
        let (_, line, after) = lines(&rest[begin..]).next()?;
        rest = after;
        Some((line, after))
    })
}

/// Returns how many lines end in a text.
pub(super) fn count(text: &str) -> usize {
    if is_short(text) {
        text.bytes().filter(|byte| *byte == b'\n').count()
    } else {
        memchr_iter(b'\n', text.as_bytes()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_characters_are_the_lines_that_hold_them() {
        for text in ["", "x", "no\n* **\n", "***\na\n\n *** b ***\r\n***", "\n\n****\r\nend", "a***b\n\n"] {
            let held = lines(text).filter(|(_, line, _)| line.contains("***"));
            assert!(lines_with(text, "***").eq(held.map(|(_, line, after)| (line, after))), "{text:?}");
        }
    }
}
