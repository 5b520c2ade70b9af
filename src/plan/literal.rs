//! Where a text is in a file to the byte: as whole words, and with a line break as whole lines.

use std::cell::OnceCell;
use std::ops::Range;

use memchr::memmem;

use crate::locate::Indexed;
use crate::text::{Document, Ending};

/// How many positions a refusal lists.
const NAMED: usize = 32;

/// A document, its text for exact searches and its index, each made once for all texts that are searched.
pub(super) struct Source {
    pub(super) document: Document,
    normal: OnceCell<Normal>,
    indexed: OnceCell<Indexed>,
}

impl Source {
    pub(super) fn new(document: Document) -> Self {
        Source { document, normal: OnceCell::new(), indexed: OnceCell::new() }
    }

    pub(super) fn indexed(&self) -> &Indexed {
        self.indexed.get_or_init(|| Indexed::new(&self.document))
    }

    pub(super) fn normal(&self) -> &Normal {
        self.normal.get_or_init(|| Normal::new(&self.document))
    }
}

/// The text of a document with every line ending as LF, so that a text can match across lines.
pub(super) struct Normal {
    pub(super) text: Vec<u8>,
    /// Where each line begins, and the end of the text.
    pub(super) starts: Vec<usize>,
}

impl Normal {
    fn new(document: &Document) -> Self {
        let content = document.content();
        if memchr::memchr(b'\r', content).is_none() {
            let behind_feeds = memchr::memchr_iter(b'\n', content).map(|feed| feed + 1);
            let mut starts: Vec<usize> = std::iter::once(0).chain(behind_feeds).collect();
            if !content.is_empty() && content.last() != Some(&b'\n') {
                starts.push(content.len());
            }
            return Normal { text: content.to_vec(), starts };
        }
        let mut text = Vec::with_capacity(content.len());
        let mut starts = Vec::with_capacity(document.len() + 1);
        for line in document.lines() {
            starts.push(text.len());
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        // Only the last line may have no ending.
        if document.len().checked_sub(1).is_some_and(|last| document.ending(last) == Ending::Missing) {
            text.pop();
        }
        starts.push(text.len());
        Normal { text, starts }
    }

    /// Returns the offsets at which `old` matches with these borders: all offsets without overlaps, or the first few,
    /// including overlapping offsets, if a single position is wanted.
    pub(super) fn matches(&self, old: &str, borders: Borders, all: bool) -> Vec<usize> {
        let finder = memmem::Finder::new(old.as_bytes());
        let (most, step) = if all { (usize::MAX, old.len()) } else { (NAMED, 1) };
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = finder.find(&self.text[from..]).filter(|_| found.len() < most) {
            let range = from + at..from + at + old.len();
            let is_whole =
                !self.cuts_word(&range) && !self.cuts_number(&range) && self.is_within(&range, borders);
            if is_whole {
                found.push(range.start);
            }
            from = range.start + if is_whole { step } else { 1 };
        }
        found
    }

    /// Checks whether a range begins or ends inside a word: `30` is not in `300`, and `id` is not in `valid`.
    fn cuts_word(&self, range: &Range<usize>) -> bool {
        let is_inside = |at: usize| {
            let (before, after) = self.text.split_at(at);
            is_of_word(last_char(before)) && is_of_word(first_char(after))
        };
        is_inside(range.start) || is_inside(range.end)
    }

    /// Checks whether a range without a dot begins or ends at the dot of a decimal number: `10` is not in `10.5`.
    fn cuts_number(&self, range: &Range<usize>) -> bool {
        let is_digit = |at: usize| self.text.get(at).is_some_and(u8::is_ascii_digit);
        let is_point = |at: usize| self.text.get(at) == Some(&b'.');
        let begins = range.start > 1 && is_point(range.start - 1) && is_digit(range.start - 2);
        let ends = is_digit(range.end - 1) && is_point(range.end) && is_digit(range.end + 1);
        (begins && is_digit(range.start) || ends) && !self.text[range.clone()].contains(&b'.')
    }

    /// Checks whether a range begins and ends where lines do, as far as that is asked.
    fn is_within(&self, range: &Range<usize>, borders: Borders) -> bool {
        let is_start = |at: usize| self.starts.binary_search(&at).is_ok();
        let is_behind_text = || {
            let before = &self.text[self.starts[self.line_at(range.start)]..range.start];
            !before.iter().all(u8::is_ascii_whitespace)
        };
        let begins =
            !borders.has_lines || is_start(range.start) || !borders.changes_first && is_behind_text();
        let ends = !borders.has_lines
            || !borders.changes_last
            || is_start(range.end)
            || self.text.get(range.end) == Some(&b'\n');
        begins && ends
    }

    /// Returns the line, 0-based, that contains an offset; one past the last for the end of the text.
    pub(super) fn line_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Returns the end of the line that contains an offset.
    pub(super) fn line_end(&self, offset: usize) -> usize {
        self.starts.get(self.line_at(offset) + 1).copied().unwrap_or(self.text.len())
    }
}

/// Where a match may begin and end, in addition to word boundaries.
///
/// If a text has a line break, the rest of a line before or behind the match would be joined with another line: so a
/// line that changes must be whole, and no match begins inside the indentation of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Borders {
    /// Whether the old or the new text has a line break.
    has_lines: bool,
    /// Whether the first lines of the texts differ.
    changes_first: bool,
    /// Whether the last lines of the texts differ.
    changes_last: bool,
}

impl Borders {
    /// Returns the borders for a replaced text.
    pub(super) fn of(old: &str, new: &str) -> Self {
        Borders {
            has_lines: old.contains('\n') || new.contains('\n'),
            changes_first: old.split('\n').next() != new.split('\n').next(),
            changes_last: old.rsplit('\n').next() != new.rsplit('\n').next(),
        }
    }
}

pub(super) fn is_of_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// The most bytes of a character.
const CHARACTER: usize = 4;

/// Returns the first character of bytes; `None` where these are not UTF-8.
fn first_char(bytes: &[u8]) -> Option<char> {
    let first = &bytes[..bytes.len().min(CHARACTER)];
    first.utf8_chunks().next()?.valid().chars().next()
}

/// Returns the last character of bytes; `None` where these are not UTF-8.
fn last_char(bytes: &[u8]) -> Option<char> {
    let start = bytes.len().saturating_sub(CHARACTER);
    let last = bytes[start..].utf8_chunks().last()?;
    if last.invalid().is_empty() { last.valid().chars().next_back() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_beside_a_match_is_found_without_the_rest() {
        assert_eq!(first_char("\u{e9}t\u{e9}".as_bytes()), Some('\u{e9}'));
        assert_eq!(first_char("\u{1f600}\u{1f600}".as_bytes()), Some('\u{1f600}'));
        assert_eq!((first_char(b"\xffa"), first_char(b"")), (None, None));
        assert_eq!(last_char("t\u{e9}".as_bytes()), Some('\u{e9}'));
    }

    #[test]
    fn a_text_without_carriage_returns_is_copied_as_a_whole() {
        for text in ["", "a", "a\n", "a\nb", "\n\nb\n"] {
            let document = Document::from(text);
            let normal = Normal::new(&document);
            let starts: Vec<usize> = (0..=document.len()).map(|line| document.line_start(line)).collect();
            assert_eq!((normal.text.as_slice(), normal.starts), (text.as_bytes(), starts), "{text:?}");
        }
    }
}
