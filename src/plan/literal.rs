//! Where a text is in a file to the byte: as whole words, and with a line break as whole lines.

use std::cell::{Cell, OnceCell};
use std::ops::Range;

use memchr::memmem;

use super::signs::Signs;
use crate::locate::{Indexed, Placed, is_word_char};
use crate::text::{Document, Ending};

/// How many positions a refusal lists.
const NAMED: usize = 32;

/// A document, its text for exact searches and its index, each made once for all texts that are searched.
pub(super) struct Source {
    pub(super) document: Document,
    normal: OnceCell<Normal>,
    indexed: OnceCell<Indexed>,
    /// Whether a failure of the present search is not reported.
    is_trial: Cell<bool>,
}

impl Source {
    pub(super) fn new(document: Document) -> Self {
        Source { document, normal: OnceCell::new(), indexed: OnceCell::new(), is_trial: Cell::new(false) }
    }

    /// Runs a search whose failure is not reported, and needs no diagnosis.
    pub(super) fn trial<T>(&self, search: impl FnOnce(&Self) -> T) -> T {
        self.is_trial.set(true);
        let found = search(self);
        self.is_trial.set(false);
        found
    }

    /// Searches lines.
    pub(super) fn by_lines(&self, search: impl FnOnce(&Indexed) -> Placed) -> Placed {
        let indexed = self.indexed.get_or_init(|| Indexed::new(&self.document));
        if self.is_trial.get() { indexed.trial(search) } else { search(indexed) }
    }

    pub(super) fn normal(&self) -> &Normal {
        self.normal.get_or_init(|| Normal::new(&self.document))
    }
}

/// The text of a document with every line ending as LF, so that a text can match across lines.
pub(super) enum Normal {
    /// The content of a document without a carriage return.
    Content(Document),
    /// Another text, with the offset of each line and the end of the text.
    Converted { text: Vec<u8>, starts: Vec<usize> },
}

impl Normal {
    fn new(document: &Document) -> Self {
        let content = document.content();
        if memchr::memchr(b'\r', content).is_none() {
            return Normal::Content(document.clone());
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
        Normal::Converted { text, starts }
    }

    pub(super) fn text(&self) -> &[u8] {
        match self {
            Normal::Content(document) => document.content(),
            Normal::Converted { text, .. } => text,
        }
    }

    /// Returns the number of lines.
    pub(super) fn lines(&self) -> usize {
        match self {
            Normal::Content(document) => document.len(),
            Normal::Converted { starts, .. } => starts.len() - 1,
        }
    }

    /// Returns the offset of a line, 0-based; the end of the text if there is no such line.
    pub(super) fn line_start(&self, line: usize) -> usize {
        match self {
            Normal::Content(document) => document.line_start(line),
            Normal::Converted { text, starts } => starts.get(line).copied().unwrap_or(text.len()),
        }
    }

    /// Returns the offsets at which `old` matches with these borders: all offsets without overlaps, or the first few,
    /// including overlapping offsets, if a single position is wanted.
    pub(super) fn matches(&self, old: &str, borders: Borders, all: bool) -> Vec<usize> {
        let finder = memmem::Finder::new(old.as_bytes());
        let (most, step) = if all { (usize::MAX, old.len()) } else { (NAMED, 1) };
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = finder.find(&self.text()[from..]).filter(|_| found.len() < most) {
            let range = from + at..from + at + old.len();
            let is_whole = !self.cuts_word(&range)
                && !self.cuts_number(&range)
                && !borders.signs.are_cut(self.text(), &range)
                && self.is_within(&range, borders);
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
            let (before, after) = self.text().split_at(at);
            is_of_word(last_char(before)) && is_of_word(first_char(after))
        };
        is_inside(range.start) || is_inside(range.end)
    }

    /// Checks whether a range without a dot begins or ends at the dot of a decimal number: `10` is not in `10.5`.
    fn cuts_number(&self, range: &Range<usize>) -> bool {
        let is_digit = |at: usize| self.text().get(at).is_some_and(u8::is_ascii_digit);
        let is_point = |at: usize| self.text().get(at) == Some(&b'.');
        let begins = range.start > 1 && is_point(range.start - 1) && is_digit(range.start - 2);
        let ends = is_digit(range.end - 1) && is_point(range.end) && is_digit(range.end + 1);
        (begins && is_digit(range.start) || ends) && !self.text()[range.clone()].contains(&b'.')
    }

    fn is_start(&self, at: usize) -> bool {
        self.line_start(self.line_at(at)) == at
    }

    fn is_end(&self, at: usize) -> bool {
        self.is_start(at) || self.text().get(at) == Some(&b'\n')
    }

    /// Checks whether a range is whole lines.
    pub(super) fn is_lines(&self, start: usize, end: usize) -> bool {
        self.is_start(start) && self.is_end(end)
    }

    /// Checks whether a range begins and ends where lines do, as far as that is asked.
    fn is_within(&self, range: &Range<usize>, borders: Borders) -> bool {
        let is_start = |at: usize| self.is_start(at);
        let is_behind_text = || !self.before(range.start).iter().all(u8::is_ascii_whitespace);
        let begins =
            !borders.has_lines || is_start(range.start) || !borders.changes_first && is_behind_text();
        let ends = !borders.has_lines || !borders.changes_last || self.is_end(range.end);
        begins && ends
    }

    /// Returns the lines, 0-based, at which a text is with further indentation, the same before each line.
    pub(super) fn indented(&self, text: &str) -> Vec<usize> {
        let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
        let at = |line: usize| {
            let line = &self.text()[self.line_start(line)..self.line_start(line + 1)];
            line.strip_suffix(b"\n").unwrap_or(line)
        };
        let stands = |start: &usize| {
            let prefix = at(*start).strip_suffix(lines[0].as_bytes()).unwrap_or(b"-");
            let has_prefix = |(nth, text): (usize, &&str)| {
                let line = at(start + nth);
                text.is_empty() && line.is_empty() || line.strip_prefix(prefix) == Some(text.as_bytes())
            };
            prefix.trim_ascii().is_empty() && lines.iter().enumerate().all(has_prefix)
        };
        (0..(self.lines() + 1).saturating_sub(lines.len())).filter(stands).collect()
    }

    /// Returns the line, 0-based, that contains an offset; one past the last for the end of the text.
    pub(super) fn line_at(&self, offset: usize) -> usize {
        match self {
            Normal::Content(document) => document.line_at(offset),
            Normal::Converted { starts, .. } => {
                starts.partition_point(|start| *start <= offset).saturating_sub(1)
            }
        }
    }

    /// Returns the text before an offset in its line.
    pub(super) fn before(&self, offset: usize) -> &[u8] {
        &self.text()[self.line_start(self.line_at(offset))..offset]
    }

    /// Returns the end of the line that contains an offset.
    pub(super) fn line_end(&self, offset: usize) -> usize {
        self.line_start(self.line_at(offset) + 1)
    }
}

/// Where a match may begin and end, in addition to word boundaries: not inside of an operator, see [`Signs`].
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
    signs: Signs,
}

impl Borders {
    /// Returns the borders for a replaced text.
    pub(super) fn of(old: &str, new: &str) -> Self {
        Borders {
            has_lines: old.contains('\n') || new.contains('\n'),
            changes_first: old.split('\n').next() != new.split('\n').next(),
            changes_last: old.rsplit('\n').next() != new.rsplit('\n').next(),
            signs: Signs::of(old, new),
        }
    }

    /// Returns the same borders without those of lines.
    pub(super) fn of_words(old: &str, new: &str) -> Self {
        Borders { has_lines: false, ..Borders::of(old, new) }
    }
}

pub(super) fn is_of_word(c: Option<char>) -> bool {
    c.is_some_and(is_word_char)
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
    fn a_content_and_a_converted_text_have_the_same_lines() {
        for text in ["", "a", "a\n", "a\nb", "\n\nb\n"] {
            let content = Normal::new(&Document::from(text));
            let converted = Normal::new(&Document::from(&*text.replace('\n', "\r\n")));
            assert!(matches!(content, Normal::Content(_)), "{text:?}");
            assert_eq!((content.text(), converted.text()), (text.as_bytes(), text.as_bytes()));
            assert_eq!(content.lines(), converted.lines(), "{text:?}");
            for at in 0..=text.len() {
                assert_eq!(content.line_at(at), converted.line_at(at), "{text:?} {at}");
                assert_eq!(content.line_end(at), converted.line_end(at), "{text:?} {at}");
                assert_eq!(content.line_start(at), converted.line_start(at), "{text:?} {at}");
            }
        }
    }
}
