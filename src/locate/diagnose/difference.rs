//! The difference between a quoted line and a line of the document, for a correction.

use std::ops::Range;

use similar::DiffTag;

use crate::locate::align::cost::Costs;
use crate::locate::align::encoding::is_encoded;
use crate::locate::align::line_text::LineText;
use crate::locate::align::relation::{Kind, relate};
use crate::locate::comparison::Difference;
use crate::locate::syntax::is_word_char;
use crate::text::compare;

impl Difference {
    /// Returns the difference between a quoted line and a line of a document.
    ///
    /// ```
    /// use apply_patch::locate::Difference;
    /// assert_eq!(Difference::between("\tgo()", "    go()"), Difference::Indentation);
    /// assert_eq!(Difference::between("wait(10)", "wait(20)"), Difference::Words);
    /// ```
    pub fn between(quoted: &str, actual: &str) -> Self {
        if quoted.trim().is_empty() != actual.trim().is_empty() {
            return Difference::Other;
        }
        if quoted == actual {
            return Difference::Same;
        }
        if quoted.trim_end() == actual.trim_end() {
            return Difference::TrailingSpace;
        }
        match relate(&Costs::DEFAULT, &LineText::new(quoted), &LineText::new(actual)).kind {
            Kind::Equal => Difference::Indentation,
            Kind::LookAlikes => Difference::LookAlikes,
            Kind::Spacing => Difference::Spacing,
            Kind::CodePage => Difference::CodePage,
            _ if is_encoded(quoted.trim(), actual.trim()) => Difference::Escapes,
            _ if without_escapes(quoted.trim()).eq(without_escapes(actual.trim())) => Difference::Escapes,
            Kind::Misspelt => Difference::Misspelt,
            Kind::Annotation | Kind::Words => Difference::Words,
            Kind::Other => Difference::Other,
        }
    }
}

fn without_escapes(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| *c != '\\')
}

/// A piece of a quoted line, and the text of the document at its position, both in bytes of their lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What was quoted; empty where the document has more.
    pub quoted: Range<usize>,
    /// The text of the document; empty if only the quote has text there.
    pub actual: Range<usize>,
}

/// Lines longer than this, in bytes, are not compared piece by piece, because the result would be unreadable.
const LONGEST: usize = 4000;

/// The maximum share of differing bytes in a line, in percent. Beyond, the lines are unrelated.
const MOST_DIFFERING: usize = 60;

/// Returns the pieces in which two lines differ, word by word; empty if the lines are equal, or differ almost
/// everywhere.
///
/// ```
/// use apply_patch::locate::pieces;
/// let (quoted, actual) = ("let start = offset + 10;", "let start = offset + 20;");
/// let found = pieces(quoted, actual);
/// assert_eq!((&quoted[found[0].quoted.clone()], &actual[found[0].actual.clone()]), ("10", "20"));
/// ```
pub fn pieces(quoted: &str, actual: &str) -> Vec<Piece> {
    if quoted == actual || quoted.len().max(actual.len()) > LONGEST {
        return Vec::new();
    }
    let (old, new) = (words(quoted), words(actual));
    let ops = compare(&old, &new, None);
    let changed = ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    let pieces: Vec<Piece> = changed
        .map(|op| Piece { quoted: bytes(&old, op.old_range()), actual: bytes(&new, op.new_range()) })
        .collect();
    let differing: usize = pieces
        .iter()
        .map(|piece| ink(&quoted[piece.quoted.clone()]).max(ink(&actual[piece.actual.clone()])))
        .sum();
    let whole = ink(quoted).max(ink(actual));
    if 100 * differing > MOST_DIFFERING * whole { Vec::new() } else { pieces }
}

/// Returns the bytes of a range of words.
fn bytes(words: &[&str], range: Range<usize>) -> Range<usize> {
    let before: usize = words[..range.start].iter().map(|word| word.len()).sum();
    before..before + words[range].iter().map(|word| word.len()).sum::<usize>()
}

/// Counts the characters but whitespace, which counts little: a line may be indented far away, and still be the same.
fn ink(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Splits a line into words, runs of whitespace, and single signs.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            _ if is_word_char(first) => rest.find(|c| !is_word_char(c)),
            _ if first.is_whitespace() => rest.find(|c: char| !c.is_whitespace()),
            _ => Some(first.len_utf8()),
        };
        let len = end.unwrap_or(rest.len());
        let (word, behind) = rest.split_at(len);
        words.push(word);
        rest = behind;
    }
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_blank_line_in_place_of_another_is_another_line() {
        assert_eq!(Difference::between("", "x"), Difference::Other);
        assert_eq!(Difference::between("  ", ""), Difference::TrailingSpace);
    }

    #[test]
    fn lines_that_share_little_have_no_pieces() {
        assert!(pieces("return a", "fn main() {").is_empty());
    }

    proptest! {
        #[test]
        fn what_is_in_no_piece_is_the_same(
            head in "[a-c (+é\t]{4,20}", one in "[a-c (+é\t]{0,3}", other in "[a-c (+é\t]{0,3}", tail in "[a-c (+é\t]{4,20}"
        ) {
            let (quoted, actual) = (format!("{head}{one}{tail}"), format!("{head}{other}{tail}"));
            let pieces = pieces(&quoted, &actual);
            prop_assume!(!pieces.is_empty() || quoted == actual);
            let without = |text: &str, ranges: Vec<Range<usize>>| {
                let mut text = text.to_owned();
                ranges.into_iter().rev().for_each(|range| text.replace_range(range, "|"));
                text
            };
            let left = without(&quoted, pieces.iter().map(|piece| piece.quoted.clone()).collect());
            let right = without(&actual, pieces.iter().map(|piece| piece.actual.clone()).collect());
            prop_assert_eq!(left, right);
        }
    }
}
