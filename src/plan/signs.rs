//! Operators of several signs: a text that ends in `==` does not match inside of `===`.

use std::ops::Range;

use crate::locate::is_word_char;

/// The signs of operators. Brackets, quotes and separators are not among them.
const OPERATOR: &str = "=!<>+-*/%&|^~?:.#";

/// Two signs that belong to one operator wherever they are next to each other.
const PAIRS: [&str; 27] = [
    "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "~=", "?=", ":=", "=~", "=>",
    "->", "<-", "<<", "&&", "||", "++", "::", "??", "<>", "|>",
];

/// Two signs that belong together, but of which a text may have only the second: `// a` in `/// a`, and `T>` in `Vec<Vec<T>>`.
const MARKS: [&str; 8] = ["##", "//", "--", "**", "..", ".=", "!!", ">>"];

/// From how many equal signs on a row is no operator: the longest is `>>>`.
const RULE: usize = 4;

/// Whether the signs at the ends of a match are whole operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signs {
    /// Whether the old text begins or ends with such a sign, and does not only encode or separate: `&` becomes `&amp;`, and `|` a comma,
    /// also where two signs are next to each other.
    are_operators: bool,
    /// Whether the signs with which the texts begin differ.
    changes_first: bool,
    /// Whether the signs with which the texts end differ.
    changes_last: bool,
}

impl Signs {
    pub(super) fn of(old: &str, new: &str) -> Self {
        let is_sign = |c: char| OPERATOR.contains(c);
        let is_at_end = old.starts_with(is_sign) || old.ends_with(is_sign);
        let first = |text: &str| text.len() - text.trim_start_matches(is_sign).len();
        let last = |text: &str| text.trim_end_matches(is_sign).len();
        Signs {
            are_operators: is_at_end && (is_operator(new) || old.contains(is_word_char)),
            changes_first: old[..first(old)] != new[..first(new)],
            changes_last: old[last(old)..] != new[last(new)..],
        }
    }

    /// Checks whether a match begins or ends inside of an operator.
    pub(super) fn are_cut(self, text: &[u8], range: &Range<usize>) -> bool {
        if !self.are_operators {
            return false;
        }
        let matched = &text[range.clone()];
        let is_bracket = |at: usize| matches!(text[at], b'<' | b'>') && has_pointed_brackets(matched);
        let is_joined = |at: usize, changes: bool| {
            let pair = at.checked_sub(1).and_then(|before| text.get(before..=at));
            let is_of = |pairs: &[&str]| pairs.iter().any(|known| pair == Some(known.as_bytes()));
            (is_of(&PAIRS) || changes && is_of(&MARKS)) && !is_in_rule(text, at)
        };
        is_joined(range.start, self.changes_first) && !is_bracket(range.start)
            || is_joined(range.end, self.changes_last) && !is_bracket(range.end - 1)
    }
}

/// Checks whether a position is in a row of equal signs that is longer than an operator, such as the line below a title. A heading has
/// up to six signs.
fn is_in_rule(text: &[u8], at: usize) -> bool {
    let is_equal = |byte: &&u8| **byte == text[at];
    let behind = text[at..].iter().take(RULE).take_while(is_equal).count();
    let before = text[..at].iter().rev().take(RULE).take_while(is_equal).count();
    before > 0 && before + behind >= RULE && text[at] != b'#'
}

/// Checks whether a text is nothing but signs of operators.
pub(super) fn is_operator(text: &str) -> bool {
    let signs = text.trim();
    !signs.is_empty() && signs.chars().all(|c| OPERATOR.contains(c))
}

/// Checks whether a text has both pointed brackets, as `Vec<T>`, and equally many of each.
fn has_pointed_brackets(text: &[u8]) -> bool {
    let count = |bracket: u8| memchr::memchr_iter(bracket, text).count();
    let is_arrow = |pair: &&[u8]| matches!(**pair, [b'-' | b'=', b'>']);
    let arrows = text.windows(2).filter(is_arrow).count();
    count(b'<') > 0 && count(b'<') + arrows == count(b'>')
}

#[cfg(test)]
mod tests {
    use super::Signs;

    fn is_cut(old: &str, new: &str, text: &str) -> bool {
        let start = text.find(old).unwrap();
        Signs::of(old, new).are_cut(text.as_bytes(), &(start..start + old.len()))
    }

    #[test]
    fn an_operator_is_not_matched_in_a_longer_operator() {
        for (old, new, text) in [
            ("==", "===", "a === b"),
            ("&", "&&", "a && b"),
            ("<", "<=", "a << b"),
            ("..", "..=", "0..=9"),
            ("#", "##", "## a"),
            ("a =", "b =", "a == 1"),
            ("(a &", "(a &&", "(a && b)"),
            ("= 1", "= 2", "a += 1"),
            ("# a", "a", "## a"),
        ] {
            assert!(is_cut(old, new, text), "{old} / {new} / {text}");
        }
    }

    #[test]
    fn brackets_and_marks_may_be_next_to_the_same_sign() {
        for (old, new, text) in [
            ("Vec<u8>", "Bytes", "Vec<Vec<u8>>"),
            ("T>", "U>", "Vec<Vec<T>>"),
            ("// a", "// b", "/// a"),
            ("# Use", "# Install", "## Use"),
            ("&", "&amp;", "a && b"),
            ("|", ",", "a||b"),
            ("=", "-", "====="),
            ("--", "+", "-----"),
            ("()", "(a)", "f(())"),
            ("\"\"", "\"a\"", "\"\"\"\""),
            ("a -", "a +", "a -1"),
            ("load()?", "load().await?", "load()?.len()"),
            (" & ", " && ", "a & b"),
        ] {
            assert!(!is_cut(old, new, text), "{old} / {new} / {text}");
        }
    }
}
