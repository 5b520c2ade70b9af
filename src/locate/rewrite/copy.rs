//! Added lines that copy a removed line: differences in spelling between the removed row and the file are applied to
//! the copy.
//!
//! An edit script over the tokens of the removed row and the line of the file finds the differences. If such a range
//! lies inside a range that the added line shares with the removed row, the added line gets the spelling of the file.
//! The remaining text of the added line is unchanged.

use std::collections::HashMap;
use std::ops::Range;

use crate::locate::align::edit_script::{changes, equal_runs};
use crate::locate::syntax::{is_word_char, may_be_comment};

/// The removed rows, if the file spells some of them otherwise.
#[derive(Debug, Default)]
pub(super) struct Copied {
    rows: Vec<Spelled>,
}

/// A removed row, and what the file spells otherwise.
#[derive(Debug)]
struct Spelled {
    tokens: Vec<String>,
    changes: Vec<(Range<usize>, String)>,
    is_comment: bool,
}

impl Copied {
    /// Learns from a removed row that equals a line of the file, or has a slip.
    pub(super) fn learn(&mut self, quoted: &str, actual: &str) {
        let ink = |text: &str| text.replace(|c: char| c.is_ascii_whitespace(), "");
        if ink(quoted) == ink(actual) {
            return;
        }
        let (q, f) = (tokens(quoted), tokens(actual));
        let mut spelled = Vec::new();
        for change in changes(&q, &f) {
            let (old, new) = (q[change.old.clone()].concat(), f[change.new].concat());
            let is_spacing =
                old.trim().is_empty() && new.trim().is_empty() && old.is_ascii() && new.is_ascii();
            if !is_spacing {
                spelled.push((change.old, new));
            }
        }
        self.rows.push(Spelled::new(quoted, spelled));
    }

    /// Checks whether the file spells no removed row otherwise.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Learns from a removed row that the file spells alike: a line that copies this row takes nothing from another.
    pub(super) fn learn_same(&mut self, quoted: &str) {
        self.rows.push(Spelled::new(quoted, Vec::new()));
    }

    /// Returns an added line in the file's spelling; `None` if nothing changes.
    pub(super) fn respelled(&self, line: &str) -> Option<String> {
        let (added, is_comment) = (tokens(line), may_be_comment(line));
        let rows = self.rows.iter().filter(|row| row.is_comment == is_comment);
        let row = rows.rev().max_by_key(|row| row.shared(&added))?;
        let written = row.copy_into(&added);
        (row.shared(&added).1 > 0 && written != line).then_some(written)
    }
}

impl Spelled {
    fn new(row: &str, changes: Vec<(Range<usize>, String)>) -> Self {
        let tokens = tokens(row).into_iter().map(str::to_owned).collect();
        Spelled { tokens, changes, is_comment: may_be_comment(row) }
    }

    /// Returns how many words, and how many words and signs, an added line shares with the row.
    fn shared(&self, added: &[&str]) -> (usize, usize) {
        let mut left: HashMap<&str, usize> = HashMap::new();
        for token in &self.tokens {
            *left.entry(token.as_str()).or_default() += 1;
        }
        let (mut words, mut all) = (0, 0);
        for token in added.iter().filter(|token| !token.trim().is_empty()) {
            if let Some(count) = left.get_mut(token).filter(|count| **count > 0) {
                *count -= 1;
                all += 1;
                words += usize::from(token.starts_with(is_word_char));
            }
        }
        (words, all)
    }

    /// Returns the added line with the spelling of the file in the parts shared with the row.
    fn copy_into(&self, added: &[&str]) -> String {
        let row: Vec<&str> = self.tokens.iter().map(String::as_str).collect();
        let mut written: Vec<String> = added.iter().map(|token| (*token).to_owned()).collect();
        for (start, to, length) in equal_runs(&row, added) {
            let run = Run { row: &row, added, start, to, length };
            if run.is_by_chance() {
                continue;
            }
            for (range, text) in &self.changes {
                run.respell(range, text, &mut written);
            }
        }
        written.concat()
    }
}

/// A stretch that an added line has in common with a row.
struct Run<'a> {
    row: &'a [&'a str],
    added: &'a [&'a str],
    start: usize,
    to: usize,
    length: usize,
}

impl Run<'_> {
    /// Signs alone are equal by chance, unless the signs are at an end of both lines, and both have equally many.
    fn is_by_chance(&self) -> bool {
        let run = &self.row[self.start..self.start + self.length];
        if run.iter().any(|token| token.starts_with(is_word_char)) {
            return false;
        }
        let at_begin = self.start == 0 && self.to == 0;
        let at_end = self.start + self.length == self.row.len() && self.to + self.length == self.added.len();
        let is_balanced = run.iter().all(|token| {
            let in_row = self.row.iter().filter(|other| *other == token).count();
            in_row == self.added.iter().filter(|other| *other == token).count()
        });
        !((at_begin || at_end) && is_balanced)
    }

    /// Writes a difference of the file into the copy, if the difference is inside the run.
    fn respell(&self, range: &Range<usize>, text: &str, written: &mut [String]) {
        let end = self.start + self.length;
        if range.start < self.start || range.end > end {
            return;
        }
        let first = range.start - self.start + self.to;
        if range.is_empty() {
            if self.start < range.start && range.start < end {
                written[first].insert_str(0, text);
            }
            return;
        }
        for token in &mut written[first..first + range.len()] {
            token.clear();
        }
        text.clone_into(&mut written[first]);
    }
}

/// Splits into words, whitespace, and runs of the same sign, because `-` is not a part of `--`.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            _ if is_word_char(first) => rest.find(|c| !is_word_char(c)),
            _ if first.is_whitespace() => rest.find(|c: char| !c.is_whitespace()),
            _ => rest.find(|c| c != first),
        };
        let (token, behind) = rest.split_at(end.unwrap_or(rest.len()));
        tokens.push(token);
        rest = behind;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn respelled(quoted: &str, actual: &str, added: &str) -> Option<String> {
        let mut copied = Copied::default();
        copied.learn(quoted, actual);
        copied.respelled(added)
    }

    #[test]
    fn a_copy_takes_the_spelling_of_the_file() {
        assert_eq!(
            respelled("say(\"it's\")", "say(\"it\u{2019}s\")", "say(\"it's late\")").as_deref(),
            Some("say(\"it\u{2019}s late\")")
        );
    }

    #[test]
    fn a_line_takes_the_spelling_of_the_row_that_it_copies() {
        let mut copied = Copied::default();
        copied.learn("// wins - losses", "// wins \u{2013} losses");
        assert_eq!(copied.respelled("max(wins - losses)"), None);
        assert!(copied.respelled("// never below 0: wins - losses").is_some());
        copied.learn("say(\"a...b\")", "say(\"a\u{2026}b\")");
        assert!(copied.respelled("tell(\"a...b\")").is_some());
        copied.learn_same("tell(\"a...b\", c)");
        assert_eq!(copied.respelled("tell(\"a...b\", d)"), None);
    }

    #[test]
    fn what_is_new_stays_as_it_was_written() {
        assert_eq!(respelled("f(a, b=3)", "f( a,b = 3 )", "f(a, b=4)"), None);
        assert_eq!(respelled("a - b", "a \u{2014} b", "a --verbose b"), None);
        assert_eq!(respelled("Remarque :", "Remarque\u{a0}:", "x = f(...y)"), None);
    }
}
