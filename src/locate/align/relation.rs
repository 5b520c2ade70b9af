//! The difference between a quoted line and a line of the file, and its cost. Indentation and trailing whitespace are
//! compared elsewhere.

use super::code_page;
use super::cost::Costs;
use super::edit_script::{Change, changes, distance_within};
use super::encoding::is_encoded;
use super::line_text::{LineText, letters};
use super::spacing::reads_otherwise;
use super::words::{MOST_TOKENS, is_word, misspelt_letters};
use crate::locate::syntax::{
    before_comment, differs_in_marks, has_more_types, literal_values, literals, uncommented,
};

/// How far a quoted line is from a line of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Both lines have the same meaning.
    Same,
    /// Words are misspelt.
    Typo,
    /// Different words or signs, different whitespace in a string literal, or a truncated line.
    Differs,
    /// Another line.
    Other,
}

/// What differs, from nothing to everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Equal,
    LookAlikes,
    Spacing,
    CodePage,
    /// One of the lines has type annotations more, or a comment at its end.
    Annotation,
    Misspelt,
    Words,
    Other,
}

/// The difference between a quoted line and a line of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Relation {
    /// What the difference costs; the content of a rewritten line included.
    pub(crate) cost: i32,
    pub(crate) class: Class,
    pub(crate) kind: Kind,
}

impl Relation {
    /// No difference.
    pub(crate) const EQUAL: Relation = Relation { cost: 0, class: Class::Same, kind: Kind::Equal };

    const fn same(cost: i32, kind: Kind) -> Self {
        Relation { cost, class: Class::Same, kind }
    }
}

/// Compares a quoted line that stays with a line of the file; neither is blank. One of the two may have types, or a comment at its end,
/// that the other has not.
pub(crate) fn relate_kept(costs: &Costs, quoted: &LineText<'_>, actual: &LineText<'_>) -> Relation {
    let relation = relate(costs, quoted, actual);
    let declares_same = || has_types(quoted, actual) || has_types(actual, quoted);
    if relation.cost > costs.annotation
        && (declares_same() || differs_in_comment(quoted.body(), actual.body()))
    {
        return Relation::same(costs.annotation, Kind::Annotation);
    }
    relation
}

/// Compares a quoted line with a line of the file; neither is blank.
pub(crate) fn relate(costs: &Costs, quoted: &LineText<'_>, actual: &LineText<'_>) -> Relation {
    let (q, f) = (quoted.body(), actual.body());
    if q == f {
        return Relation::EQUAL;
    }
    if quoted.folded() == actual.folded() {
        if has_other_sign(q, f) {
            return Relation { cost: costs.word, class: Class::Differs, kind: Kind::LookAlikes };
        }
        return Relation::same(costs.look_alike, Kind::LookAlikes);
    }
    if quoted.squashed() == actual.squashed() {
        if reads_otherwise(quoted, actual) {
            return Relation { cost: costs.typo, class: Class::Differs, kind: Kind::Spacing };
        }
        let class = if literal_values(q).eq(literal_values(f)) { Class::Same } else { Class::Differs };
        return Relation { cost: costs.inner_space, class, kind: Kind::Spacing };
    }
    if code_page::is_misread(q, f) && !has_other_sign(q, f) {
        return Relation::same(costs.code_page, Kind::CodePage);
    }
    if differs_in_marks(q, f) {
        return Relation::same(costs.inner_space, Kind::Words);
    }
    if is_encoded(q, f) {
        return Relation { cost: costs.encoded, class: Class::Differs, kind: Kind::Words };
    }
    let most = costs.rewritten + costs.content_of(quoted.letters(), false);
    let other = Relation { cost: most, class: Class::Other, kind: Kind::Other };
    if is_commented_out(q, f) {
        return Relation { cost: costs.word.min(most), class: Class::Differs, kind: Kind::Words };
    }
    if is_cut_short(q, f) {
        return Relation { cost: costs.cut.min(most), class: Class::Differs, kind: Kind::Words };
    }
    if !shares_a_third(quoted, actual) {
        return other;
    }
    let difference = TokenDifference::new(quoted, actual);
    let cost = difference.cost(costs);
    match difference {
        _ if cost >= most => other,
        TokenDifference { words: 0, signs: 0, typos, .. } if typos > 0 => {
            Relation { cost, class: Class::Typo, kind: Kind::Misspelt }
        }
        _ => Relation { cost, class: Class::Differs, kind: Kind::Words },
    }
}

/// Checks whether a line is another line with type annotations.
fn has_types(plain: &LineText<'_>, typed: &LineText<'_>) -> bool {
    let (p, t) = (plain.body(), typed.body());
    // Types are behind the name.
    let name = || t.find(['(', ':']).map_or(t, |end| &t[..end]);
    t.len() > p.len() && p.starts_with(name()) && {
        let (p, t): (Vec<&str>, Vec<&str>) = (plain.tokens().collect(), typed.tokens().collect());
        t.len() <= MOST_TOKENS && has_more_types(&p, &t)
    }
}

/// Checks whether a comment at the end of one of two lines is all that differs. An option behind `--` is an argument: `npm test -- --ci`.
fn differs_in_comment(quoted: &str, actual: &str) -> bool {
    let (short, long) = if quoted.len() < actual.len() { (quoted, actual) } else { (actual, quoted) };
    long.strip_prefix(short).is_some_and(|rest| !rest.trim_start().starts_with("-- -"))
        && before_comment(long) == short
}

/// The longest string literal of only signs that is content, in characters.
const SIGNS_OF_A_LITERAL: usize = 3;

/// Checks whether a string literal of only one or a few signs is another in the file: in `replace("—", "-")` a look-alike is
/// the content.
fn has_other_sign(quoted: &str, actual: &str) -> bool {
    let (q, f) = (literals(quoted), literals(actual));
    let is_sign = |literal: &str| {
        let text = &literal[1..literal.len() - 1];
        let has_text = text.contains(|c: char| c.is_alphanumeric() || c == code_page::UNREADABLE);
        !has_text && text.chars().count() <= SIGNS_OF_A_LITERAL
    };
    q.len() == f.len() && q.iter().zip(&f).any(|(q, f)| q != f && is_sign(q))
}

/// Checks whether one of two lines is the other line in a comment: the lines mean different things.
fn is_commented_out(quoted: &str, actual: &str) -> bool {
    let is_comment_of = |comment: &str, code: &str| uncommented(comment) == (code, true);
    is_comment_of(quoted, actual) || is_comment_of(actual, quoted)
}

/// The least number of letters of a line that counts as cut short.
const LETTERS_OF_A_CUT: usize = 12;

/// Checks whether a quoted line is the beginning of a line of the file: at least a third of the line.
fn is_cut_short(quoted: &str, actual: &str) -> bool {
    let begun = quoted.trim_end_matches(['.', ' ', '\u{2026}']);
    actual.starts_with(begun) && begun.len() * 3 >= actual.len() && letters(begun) >= LETTERS_OF_A_CUT
}

/// Checks whether two lines have a third of their words and signs in common. A short line with one or two wrong letters
/// also passes.
fn shares_a_third(quoted: &LineText<'_>, actual: &LineText<'_>) -> bool {
    let (of_quoted, of_actual) = (quoted.token_count(), actual.token_count());
    let longest = of_quoted.max(of_actual);
    if of_quoted == 0 || of_actual == 0 || longest > MOST_TOKENS {
        return false;
    }
    // At most as many tokens as the shorter line has can be common.
    if of_quoted.min(of_actual) * 3 >= longest && quoted.common_tokens(actual) * 3 >= longest {
        return true;
    }
    of_quoted <= 3 && distance_within(quoted.body(), actual.body(), 2).is_some()
}

/// Checks whether a token is an operator between two values, of which another has another result.
fn is_binary(token: &str) -> bool {
    token.chars().all(|c| "+-*/%<>".contains(c))
}

/// Checks whether a token inside a line negates the value behind: `-y`, `!done`.
fn is_negation(tokens: &[&str], at: usize) -> bool {
    let sign = tokens[at];
    let is_behind_value = |before: usize| is_word(tokens[before]) || tokens[before] == sign;
    matches!(sign, "-" | "!")
        && at.checked_sub(1).is_some_and(|before| !is_behind_value(before))
        && tokens.get(at + 1).is_some_and(|behind| is_word(behind) || *behind == "(")
}

/// Counts the differences in words and signs of two lines. What is replaced throughout is a single difference.
#[derive(Debug, Default)]
struct TokenDifference<'l> {
    words: i32,
    signs: i32,
    typos: i32,
    /// Wrong letters beyond the first of each misspelt word.
    more_letters: i32,
    counted: Vec<(&'l str, &'l str)>,
}

impl<'l> TokenDifference<'l> {
    fn new(quoted: &'l LineText<'_>, actual: &'l LineText<'_>) -> Self {
        let (q, f): (Vec<&str>, Vec<&str>) = (quoted.tokens().collect(), actual.tokens().collect());
        let mut difference = TokenDifference::default();
        for Change { old, new } in changes(&q, &f) {
            let pairs = old.len().min(new.len());
            for (at, (q, f)) in old.clone().zip(q[old.clone()].iter().zip(&f[new.clone()])) {
                // A sign at the beginning of a line may be a bullet.
                difference.count_pair(q, f, at > 0);
            }
            old.skip(pairs).for_each(|at| difference.count_single(&q, at));
            new.skip(pairs).for_each(|at| difference.count_single(&f, at));
        }
        difference
    }

    fn count_pair(&mut self, quoted: &'l str, actual: &'l str, may_operate: bool) {
        if quoted == actual || self.counted.contains(&(quoted, actual)) {
            return;
        }
        self.counted.push((quoted, actual));
        let is_other_operator = || may_operate && is_binary(quoted) && is_binary(actual);
        if let Some(letters) = misspelt_letters(quoted, actual) {
            self.typos += 1;
            self.more_letters += letters - 1;
        } else if is_word(quoted) || is_word(actual) || is_other_operator() {
            self.words += 1;
        } else {
            self.signs += 1;
        }
    }

    fn count_single(&mut self, tokens: &[&str], at: usize) {
        // A backslash changes what follows.
        if is_word(tokens[at]) || tokens[at] == "\\" || is_negation(tokens, at) {
            self.words += 1;
        } else {
            self.signs += 1;
        }
    }

    fn cost(&self, costs: &Costs) -> i32 {
        let typos = self.typos * costs.typo + self.more_letters * costs.typo_more;
        typos
            + match (self.words, self.signs) {
                (0, 0) => 0,
                (0, signs) => costs.sign + costs.sign_more * (signs - 1),
                (words, signs) => costs.word + costs.word_more * (words - 1) + costs.sign / 5 * signs,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn related(quoted: &str, actual: &str) -> (Class, Kind) {
        let relation = relate(&Costs::DEFAULT, &LineText::new(quoted), &LineText::new(actual));
        (relation.class, relation.kind)
    }

    #[test]
    fn each_difference_has_its_class() {
        for (quoted, actual, class) in [
            ("a = 1", "  a = 1", (Class::Same, Kind::Equal)),
            ("a = \"x\"", "a = \u{201c}x\u{201d}", (Class::Same, Kind::LookAlikes)),
            ("a=f( x )", "a = f(x)", (Class::Same, Kind::Spacing)),
            ("f(\"a b\")", "f(\"a  b\")", (Class::Differs, Kind::Spacing)),
            ("f(`a ${ b } c`)", "f(`a ${b} c`)", (Class::Same, Kind::Spacing)),
            ("f(`a  ${b} c`)", "f(`a ${b} c`)", (Class::Differs, Kind::Spacing)),
            ("na\u{c3}\u{af}ve", "na\u{ef}ve", (Class::Same, Kind::CodePage)),
            ("na?ve r\u{fffd}sum\u{fffd}", "na\u{ef}ve r\u{e9}sum\u{e9}", (Class::Same, Kind::CodePage)),
            ("return histroy(a)", "return history(a)", (Class::Typo, Kind::Misspelt)),
            ("look fo a file", "look for a file", (Class::Differs, Kind::Words)),
            ("return page1(a)", "return page2(a)", (Class::Differs, Kind::Words)),
            ("while a < b:", "while a > b:", (Class::Differs, Kind::Words)),
            ("return a, -b", "return a, b", (Class::Differs, Kind::Words)),
            ("import(a)", "export(a)", (Class::Differs, Kind::Words)),
            ("check(a)", "// check(a)", (Class::Differs, Kind::Words)),
            ("let total = 0;", "fn main() {", (Class::Other, Kind::Other)),
        ] {
            assert_eq!(related(quoted, actual), class, "{quoted} / {actual}");
        }
    }

    #[test]
    fn annotations_make_no_difference_in_a_line_that_stays() {
        for (one, other, kind) in [
            ("def get(self, key):", "def get(self, key: str) -> Item:", Kind::Annotation),
            ("function grow!(mesh)", "function grow!(mesh::Mesh)", Kind::Annotation),
            ("let n = 5;", "let n = 5; // minutes", Kind::Annotation),
            ("let n = 5; // hours", "let n = 5; // minutes", Kind::Words),
            ("- run: npm test", "- run: npm test -- --ci", Kind::Words),
            ("let n = f(\"a\");", "let n = f(\"a // b\");", Kind::Words),
        ] {
            let (one, other) = (LineText::new(one), LineText::new(other));
            assert_eq!(relate_kept(&Costs::DEFAULT, &one, &other).kind, kind, "{}", other.text());
            assert_eq!(relate_kept(&Costs::DEFAULT, &other, &one).kind, kind, "{}", other.text());
            assert_ne!(relate(&Costs::DEFAULT, &one, &other).class, Class::Same, "{}", other.text());
        }
    }

    #[test]
    fn an_operator_and_a_negation_are_dearer_than_another_sign() {
        let cost = |quoted: &str, actual: &str| {
            relate(&Costs::DEFAULT, &LineText::new(quoted), &LineText::new(actual)).cost
        };
        for (quoted, actual) in
            [("n = a + b", "n = a - b"), ("f(a, -b)", "f(a, b)"), ("if (!a) {", "if (a) {")]
        {
            assert!(cost(quoted, actual) >= Costs::DEFAULT.word, "{quoted} / {actual}");
        }
        for (quoted, actual) in
            [("f(a, b);", "f(a, b)"), ("- one item", "* one item"), ("one -- two", "one - two")]
        {
            assert!(cost(quoted, actual) < Costs::DEFAULT.word, "{quoted} / {actual}");
        }
    }

    #[test]
    fn a_sign_that_is_replaced_throughout_is_one_difference() {
        let cost = |quoted: &str, actual: &str| {
            relate(&Costs::DEFAULT, &LineText::new(quoted), &LineText::new(actual)).cost
        };
        assert_eq!(cost("f(\"a\", \"$b\", \"c\")", "f('a', '$b', 'c')"), Costs::DEFAULT.sign);
        assert_eq!(cost("f(\"a\", \"b\", \"c\")", "f('a', 'b', 'c')"), Costs::DEFAULT.inner_space);
    }
}
