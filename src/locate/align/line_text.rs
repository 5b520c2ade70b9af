//! A line, prepared for comparison with many lines, and its string literals.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::locate::search::hash_bytes;
use crate::text::{Document, Fold};

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

    /// Returns the body with look-alikes replaced, in composed form.
    pub(crate) fn folded(&self) -> &str {
        if self.text.is_ascii() {
            return self.body();
        }
        self.folded.get_or_init(|| Fold::LookAlikes.apply(&self.text).into_owned())
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

/// Checks whether a character belongs to a word.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
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

/// Returns the text of a line without the signs of a comment, and whether the line is a comment. A property of a style sheet,
/// `--width: 1px;`, is none.
pub(crate) fn uncommented(line: &str) -> (&str, bool) {
    let line = line.trim();
    if is_property(line) {
        return (line, false);
    }
    let openers = ["{/*", "//", "/*", "<!--", "--", "#", ";", "%"];
    let open = openers.iter().find_map(|opener| line.strip_prefix(opener));
    let closers = ["*/}", "*/", "-->"];
    let text = open.unwrap_or(line);
    (closers.iter().find_map(|closer| text.strip_suffix(closer)).unwrap_or(text).trim(), open.is_some())
}

/// Checks for a property of a style sheet with a name of its author: `--width: 1px;`.
fn is_property(line: &str) -> bool {
    let name = line.strip_prefix("--").and_then(|rest| rest.strip_suffix(';')?.split(':').next());
    name.is_some_and(|name| {
        line.contains(':') && !name.is_empty() && name.chars().all(|c| is_word_char(c) || c == '-')
    })
}

/// Checks whether a line is a comment beyond doubt, or a line of one: behind a sign that also begins code, a space follows.
pub(crate) fn is_comment(line: &str) -> bool {
    let body = line.trim_start();
    let marks = ["//", "/*", "{/*", "<!--", "* ", "# ", "-- ", "; ", "% "];
    body == "#" || marks.iter().any(|mark| body.starts_with(mark))
}

/// Returns a line, of which the contents of string literals were left out, without a comment at its end.
pub(crate) fn without_comment(code: &str) -> &str {
    let marks = [" //", " # ", " -- ", " /*"];
    let end = marks.iter().filter_map(|mark| code.find(mark)).min();
    &code[..end.unwrap_or(code.len())]
}

/// Returns a line without a separator at its end.
pub(crate) fn without_separator(line: &str) -> &str {
    line.trim_end().trim_end_matches([',', ';'])
}

/// Checks whether a line ends in a sign that opens or separates: a text that is quoted up to there goes on.
pub(crate) fn ends_open(line: &str) -> bool {
    line.trim_end().ends_with(['(', '[', '{', ','])
}

/// Returns what a line has behind a text that is quoted only up to the middle of the line; `None` if that is the whole line, or
/// the line has only a comment there.
pub(crate) fn rest_behind<'l>(quoted: &str, line: &'l str) -> Option<&'l str> {
    let begun = quoted.trim_end();
    let rest = line.strip_prefix(begun)?;
    let is_word_end = !begun.ends_with(is_word_char) || !rest.starts_with(is_word_char);
    let rest = rest.trim();
    let is_comment =
        || ["#", ";", "//", "/*", "{/*", "<!--", "-- "].iter().any(|mark| rest.starts_with(mark));
    (!begun.is_empty() && !rest.is_empty() && is_word_end && !is_comment()).then_some(rest)
}

/// Returns the string literals of a line, with their quotes.
pub(crate) fn literals(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find(['"', '\'', '`']) {
        let behind = &rest[start..];
        match literal_end(behind) {
            Some(end) => {
                found.push(&behind[..end]);
                rest = &behind[end..];
            }
            None => rest = &behind[1..],
        }
    }
    found
}

/// Returns the values of the string literals of a line. Whitespace in the interpolations of a template is code.
pub(crate) fn literal_values(line: &str) -> impl Iterator<Item = Cow<'_, str>> {
    literals(line).into_iter().map(|literal| {
        if literal.starts_with('`') && literal.contains("${") {
            Cow::Owned(with_squashed_interpolations(literal))
        } else {
            Cow::Borrowed(literal)
        }
    })
}

fn with_squashed_interpolations(template: &str) -> String {
    let mut squashed = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find("${") {
        let end = rest[start..].find('}').map_or(rest.len(), |length| start + length);
        squashed.push_str(&rest[..start]);
        squashed.extend(rest[start..end].chars().filter(|c| !c.is_whitespace()));
        rest = &rest[end..];
    }
    squashed + rest
}

/// Returns a line without the contents of its string literals.
pub(crate) fn without_literals(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find(['"', '\'', '`']) {
        let end = literal_end(&rest[start..]);
        plain.push_str(&rest[..=start]);
        rest = &rest[start + end.unwrap_or(1)..];
    }
    plain + rest
}

/// Returns the length of the literal at the beginning of a text, quotes included, in bytes.
fn literal_end(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
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
