//! The sign at the beginning of added lines, such as the bullet of a list: the quoted lines show another sign than the file
//! has, so the added lines have the other sign as well.

use crate::locate::align::line_text::letters;
use crate::locate::explanation::Obstacle;
use crate::locate::syntax::{QUOTES, is_word_char, may_be_comment};
use crate::text::Fold;

/// What the quoted lines show about signs at the beginning of lines.
#[derive(Debug, Default)]
pub(super) struct Leading {
    /// The pairs, and how many lines show each.
    shown: Vec<(Pair, usize)>,
    /// The signs of the quoted lines that begin as in the file.
    kept: Vec<Sign>,
    /// Whether there are more different signs than are compared.
    is_full: bool,
}

/// A sign of the quote, and the sign of the file; one of the two may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pair {
    quoted: Sign,
    actual: Sign,
}

/// The sign at the beginning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sign {
    /// Whether the sign is behind a number: `1.`
    is_numbered: bool,
    text: String,
}

/// The beginning of a line: a number, signs and spaces, and the rest.
struct Beginning<'l> {
    number: &'l str,
    signs: &'l str,
    rest: &'l str,
}

/// How many lines show that a sign differs throughout.
const ENOUGH: usize = 2;

/// How many different signs are compared: each is compared with each added line.
const MOST_SIGNS: usize = 32;

impl Leading {
    /// Learns from a quoted line and its line of the file, both without whitespace at the ends.
    pub(super) fn learn(&mut self, quoted: &str, actual: &str) {
        let (q, f) = (Beginning::of(quoted), Beginning::of(actual));
        if q.rest != f.rest || q.number != f.number || letters(q.rest) == 0 {
            return;
        }
        let same = common_end(q.signs, f.signs);
        let (one, other) = (&q.signs[..q.signs.len() - same], &f.signs[..f.signs.len() - same]);
        let behind = &q.signs[q.signs.len() - same..];
        let is_apart = |sign: &str| sign.is_empty() || sign.ends_with(' ') || behind.starts_with(' ');
        let sign = |text: &str| Sign { is_numbered: !q.number.is_empty(), text: text.to_owned() };
        // Look-alikes are the same sign.
        if Fold::LookAlikes.apply(q.signs) == Fold::LookAlikes.apply(f.signs) {
            self.keep(sign(q.signs));
        } else if is_apart(one) && is_apart(other) {
            self.show(Pair { quoted: sign(one), actual: sign(other) });
        }
    }

    fn keep(&mut self, sign: Sign) {
        if self.kept.contains(&sign) {
            return;
        }
        match self.kept.len() {
            MOST_SIGNS.. => self.is_full = true,
            _ => self.kept.push(sign),
        }
    }

    fn show(&mut self, pair: Pair) {
        let shown = self.shown.len();
        match self.shown.iter_mut().find(|(other, _)| *other == pair) {
            Some((_, lines)) => *lines += 1,
            None if shown >= MOST_SIGNS => self.is_full = true,
            None => self.shown.push((pair, 1)),
        }
    }

    /// Returns an added line with the sign of the file; `None` if nothing changes.
    ///
    /// # Errors
    /// The quoted lines do not show which sign the file would have.
    pub(super) fn mended(&self, line: &str) -> Result<Option<String>, Obstacle> {
        let beginning = Beginning::of(line);
        let Some((pair, lines)) = self.shown.iter().find(|(pair, _)| pair.quoted.begins(&beginning)) else {
            return Ok(None);
        };
        let is_kept = self.is_full || self.kept.iter().any(|kept| pair.quoted.is_of(kept));
        let is_only = !self.shown.iter().any(|(other, _)| other.quoted == pair.quoted && other != pair);
        let is_clear = *lines >= ENOUGH && is_only && !is_kept;
        match (is_clear, pair.quoted.text.is_empty()) {
            // A line without a sign is any line.
            (false, true) => Ok(None),
            (true, _) if !pair.is_comment_only() => Ok(pair.mend(&beginning)),
            _ => Err(Obstacle::Garbled),
        }
    }
}

impl Pair {
    /// Checks whether lines of the file are quoted as comments, or comments as lines: no line shows what an added line is.
    fn is_comment_only(&self) -> bool {
        let is_one_empty = self.quoted.text.is_empty() != self.actual.text.is_empty();
        is_one_empty && (may_be_comment(&self.quoted.text) || may_be_comment(&self.actual.text))
    }

    fn mend(&self, line: &Beginning<'_>) -> Option<String> {
        let Beginning { number, signs, rest } = line;
        let is_there = self.quoted.text.is_empty() && signs.starts_with(&self.actual.text);
        let behind = signs.strip_prefix(&*self.quoted.text).filter(|_| !is_there)?;
        Some(format!("{number}{}{behind}{rest}", self.actual.text))
    }
}

impl Sign {
    /// Checks whether a line begins with the sign, as a whole.
    fn begins(&self, line: &Beginning<'_>) -> bool {
        let is_numbered = !line.number.is_empty();
        let behind = line.signs.strip_prefix(&*self.text).filter(|_| self.is_numbered == is_numbered);
        behind
            .is_some_and(|behind| self.text.is_empty() || self.text.ends_with(' ') || behind.starts_with(' '))
    }

    /// Checks whether the signs of a line begin with the sign. Each line begins with the empty sign.
    fn is_of(&self, signs: &Sign) -> bool {
        self.begins(&Beginning {
            number: if signs.is_numbered { "1" } else { "" },
            signs: &signs.text,
            rest: "",
        })
    }
}

impl<'l> Beginning<'l> {
    fn of(line: &'l str) -> Self {
        let numberless = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let (number, behind) = line.split_at(line.len() - numberless.len());
        let is_sign = |c: char| !is_word_char(c) && !QUOTES.contains(&c);
        let rest = behind.trim_start_matches(is_sign);
        let signs = &behind[..behind.len() - rest.len()];
        let is_item = number.is_empty() || signs.starts_with(['.', ')', ':']) && signs.ends_with(' ');
        if is_item {
            Beginning { number, signs, rest }
        } else {
            Beginning { number: "", signs: "", rest: line }
        }
    }
}

/// Returns the length of the end that two texts have in common, in bytes.
fn common_end(one: &str, other: &str) -> usize {
    let same = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(pairs: &[(&str, &str)], added: &str) -> Result<Option<String>, Obstacle> {
        let mut leading = Leading::default();
        for (quoted, actual) in pairs {
            leading.learn(quoted, actual);
        }
        leading.mended(added)
    }

    #[test]
    fn the_sign_of_all_lines_is_the_sign_of_the_added_line() {
        let shown = [("- [ ] a", "* [ ] a"), ("- b", "* b")];
        assert_eq!(mended(&shown, "- c"), Ok(Some("* c".to_owned())));
        assert_eq!(mended(&[("1) a", "1. a"), ("2) b", "2. b")], "3) c"), Ok(Some("3. c".to_owned())));
        assert_eq!(mended(&[("a", "> a"), ("b", "> b")], "c"), Ok(Some("> c".to_owned())));
    }

    #[test]
    fn a_sign_that_some_lines_have_is_not_known() {
        assert_eq!(mended(&[("- a", "* a"), ("- b", "- b")], "- c"), Err(Obstacle::Garbled));
        assert_eq!(mended(&[("- a", "* a")], "- c"), Err(Obstacle::Garbled));
        assert_eq!(mended(&[("a", "> a"), ("b", "b")], "c"), Ok(None));
        assert_eq!(mended(&[("a", "// a"), ("b", "// b")], "c"), Err(Obstacle::Garbled));
    }

    #[test]
    fn a_sign_of_a_number_or_operator_is_text() {
        assert_eq!(mended(&[("-1 + a", "1 + a"), ("-2 + b", "2 + b")], "-3 + c"), Ok(None));
    }
}
