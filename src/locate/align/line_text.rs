//! A line, prepared for comparison with many lines.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::locate::search::hash_bytes;
use crate::locate::syntax::{before_comment, depth_of_line, is_word_char};
use crate::text::{Document, Fold};

/// Quotation marks in place of `"`.
const OTHER_MARKS: [char; 2] = ['\'', '`'];

/// A line without its ending, and values derived from the line, each computed once.
#[derive(Debug, Clone, Default)]
pub(crate) struct LineText<'t> {
    text: Cow<'t, str>,
    /// Where the text behind the leading whitespace begins, and where the trailing whitespace begins. A deep line is
    /// compared with many lines.
    ends: OnceCell<(usize, usize)>,
    /// Letters and digits.
    letters: OnceCell<usize>,
    folded: OnceCell<String>,
    squashed: OnceCell<String>,
    /// The words and signs, as byte ranges of `folded`.
    tokens: OnceCell<Vec<(u32, u32)>>,
    /// The hashes of the words and signs, sorted.
    bag: OnceCell<Vec<u32>>,
}

impl<'t> LineText<'t> {
    /// Prepares a line.
    pub(crate) fn new(text: impl Into<Cow<'t, str>>) -> Self {
        LineText { text: text.into(), ..LineText::default() }
    }

    /// Prepares a line of a document, 0-based. Bytes that are not text become U+FFFD.
    pub(crate) fn of(document: &Document, line: usize) -> LineText<'static> {
        LineText::new(String::from_utf8_lossy(document.line(line)).into_owned())
    }

    /// Returns the whole line.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the line without leading and trailing whitespace.
    pub(crate) fn body(&self) -> &str {
        let (start, end) = self.ends();
        self.text.get(start..end).unwrap_or_default()
    }

    fn ends(&self) -> (usize, usize) {
        *self.ends.get_or_init(|| {
            let start = self.text.len() - self.text.trim_start().len();
            (start, self.text.trim_end().len())
        })
    }

    /// Returns the trailing whitespace.
    pub(crate) fn trailing(&self) -> &str {
        &self.text[self.ends().1..]
    }

    /// Checks whether the line has nothing but whitespace.
    pub(crate) fn is_blank(&self) -> bool {
        self.ends().0 == self.text.len()
    }

    /// Returns the number of letters and digits.
    pub(crate) fn letters(&self) -> usize {
        *self.letters.get_or_init(|| letters(&self.text))
    }

    /// Returns the indentation. Whitespace other than tabs counts as spaces.
    pub(crate) fn indent(&self) -> Cow<'_, str> {
        as_indent(&self.text[..self.ends().0])
    }

    /// Returns the column at which the text begins, 0-based, with tab stops of eight columns.
    pub(crate) fn depth(&self) -> usize {
        depth_of_line(self.indent().as_bytes())
    }

    /// Returns the body with look-alikes replaced, in composed form.
    pub(crate) fn folded(&self) -> &str {
        if self.text.is_ascii() {
            return self.body();
        }
        self.folded.get_or_init(|| Fold::LookAlikes.apply(&self.text).into_owned())
    }

    /// Returns the text that stays in another style: without whitespace and a comment behind the code, with one kind of quotation mark.
    pub(crate) fn normalized(&self) -> Cow<'_, str> {
        let code = before_comment(self.body());
        let has_marks = self.squashed().contains(OTHER_MARKS);
        if code.len() == self.body().len() && !has_marks {
            return Cow::Borrowed(self.squashed());
        }
        Cow::Owned(LineText::new(code).squashed().replace(OTHER_MARKS, "\""))
    }

    /// Returns the folded body without any whitespace.
    pub(crate) fn squashed(&self) -> &str {
        let folded = self.folded();
        if !folded.contains(char::is_whitespace) {
            return folded;
        }
        self.squashed.get_or_init(|| self.folded().split_whitespace().collect())
    }

    /// Returns the words and signs of the folded body. Whitespace separates words and is otherwise ignored.
    pub(crate) fn tokens(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        let folded = self.folded();
        self.token_ranges().iter().map(|(start, end)| &folded[*start as usize..*end as usize])
    }

    /// Returns the number of words and signs.
    pub(crate) fn token_count(&self) -> usize {
        self.token_ranges().len()
    }

    /// Returns the number of words and signs that two lines have in common, as a multiset.
    pub(crate) fn common_tokens(&self, other: &LineText<'_>) -> usize {
        let (mut one, mut other) = (self.bag(), other.bag());
        let mut common = 0;
        while let ([a, behind_a @ ..], [b, behind_b @ ..]) = (one, other) {
            common += usize::from(a == b);
            (one, other) = (if a <= b { behind_a } else { one }, if b <= a { behind_b } else { other });
        }
        common
    }

    fn bag(&self) -> &[u32] {
        self.bag.get_or_init(|| {
            let mut hashes: Vec<u32> = self.tokens().map(token_hash).collect();
            hashes.sort_unstable();
            hashes
        })
    }

    fn token_ranges(&self) -> &[(u32, u32)] {
        self.tokens.get_or_init(|| token_ranges(self.folded()))
    }
}

/// Counts the letters and digits of a text.
pub(crate) fn letters(text: &str) -> usize {
    if text.is_ascii() {
        return text.bytes().filter(u8::is_ascii_alphanumeric).count();
    }
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Returns the leading whitespace of a line; whitespace other than tabs as spaces.
pub(crate) fn indent(line: &str) -> Cow<'_, str> {
    as_indent(&line[..line.len() - line.trim_start().len()])
}

fn as_indent(indent: &str) -> Cow<'_, str> {
    if indent.bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
        return Cow::Borrowed(indent);
    }
    Cow::Owned(indent.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect())
}

/// Returns half of the hash of a word or sign. A collision looks like a common token, and only costs a comparison.
fn token_hash(token: &str) -> u32 {
    let hash = hash_bytes(token.as_bytes());
    (hash >> 32) as u32
}

/// Narrows an offset: a line of 4 GiB is longer than any file that is read.
fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn token_ranges(text: &str) -> Vec<(u32, u32)> {
    let mut ranges = Vec::with_capacity(text.len() / 4);
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        if is_word_char(c) {
            while let Some((at, c)) = chars.next_if(|(_, c)| is_word_char(*c)) {
                end = at + c.len_utf8();
            }
        }
        ranges.push((narrow(start), narrow(end)));
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_signs_are_tokens() {
        let line = LineText::new("\t if (a_b  != \u{201c}x\u{201d}) ");
        assert_eq!(line.tokens().collect::<Vec<_>>(), ["if", "(", "a_b", "!", "=", "\"", "x", "\"", ")"]);
        assert_eq!((line.indent(), line.trailing(), line.letters()), ("\t ".into(), " ", 5));
        assert_eq!(line.squashed(), "if(a_b!=\"x\")");
    }
}
