//! The words in which a quoted line and a line of the file differ: misspelt, or another word.

use super::edit_script::{Change, changes, distance_within};
use super::line_text::LineText;
use super::near_words::are_near_words;
use crate::locate::syntax::{is_word_char, literals};

/// A line of more words and signs than this is compared as a whole.
pub(super) const MOST_TOKENS: usize = 300;

/// Checks whether a token is a word, and no sign.
pub(super) fn is_word(token: &str) -> bool {
    token.chars().next().is_some_and(is_word_char)
}

/// From this length on, a word may be misspelt in two places.
const LONG_WORD: usize = 8;

/// The shortest word that may be misspelt.
const SHORT_WORD: usize = 3;

/// Returns the number of wrong letters, if one word is a misspelling of the other. Digits must be equal; two wrong
/// letters that are not transposed, lost or doubled make a different word (`import`, `export`), and so does an
/// additional letter at an end (`rows`).
pub(crate) fn misspelt_letters(quoted: &str, actual: &str) -> Option<i32> {
    let (q, f) = (name_parts(quoted), name_parts(actual));
    let has_same_letters =
        quoted.eq_ignore_ascii_case(actual) || lacks_nothing(quoted, actual) && lacks_nothing(actual, quoted);
    if q.len() != f.len() || has_same_letters {
        return misspelt_part(quoted, actual);
    }
    let differing = q.iter().zip(&f).filter(|(q, f)| q != f);
    differing.map(|(q, f)| misspelt_part(q.trim_start_matches('_'), f.trim_start_matches('_'))).sum()
}

/// The same for a word, or a part of a name: a name with a misspelt part is misspelt.
fn misspelt_part(quoted: &str, actual: &str) -> Option<i32> {
    if !begins_with_letter(quoted) || !begins_with_letter(actual) || digits(quoted).ne(digits(actual)) {
        return None;
    }
    let shortest = quoted.chars().count().min(actual.chars().count());
    let most = if shortest < LONG_WORD { 1 } else { 2 };
    let distance = distance_within(quoted, actual, most).filter(|_| shortest >= SHORT_WORD)?;
    let both_have_own = !lacks_nothing(quoted, actual) && !lacks_nothing(actual, quoted);
    if distance == 2 && both_have_own || has_affix(quoted, actual) || are_near_words(quoted, actual) {
        None
    } else {
        i32::try_from(distance).ok()
    }
}

/// Checks whether a word is another word with additional letters at its beginning or end. A doubled letter does not
/// count.
fn has_affix(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let behind = long.strip_prefix(short).filter(|rest| !repeats(short.chars().last(), rest));
    let before = long.strip_suffix(short).filter(|rest| !repeats(short.chars().next(), rest));
    short != long && (behind.is_some() || before.is_some())
}

/// Checks whether a text is only this character.
fn repeats(c: Option<char>, text: &str) -> bool {
    c.is_some_and(|c| text.chars().all(|other| other == c))
}

/// Checks whether a word begins with a letter, behind underscores.
fn begins_with_letter(word: &str) -> bool {
    word.trim_start_matches('_').starts_with(char::is_alphabetic)
}

fn is_plural(one: &str, other: &str) -> bool {
    one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
}

fn begins_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

pub(crate) fn digits(word: &str) -> impl Iterator<Item = char> {
    word.chars().filter(char::is_ascii_digit)
}

/// Checks whether a word has all letters of another word.
pub(crate) fn lacks_nothing(word: &str, of: &str) -> bool {
    let mut left: Vec<char> = word.chars().collect();
    of.chars().all(|c| left.iter().position(|other| *other == c).map(|at| left.swap_remove(at)).is_some())
}

/// A word of a quoted line, and the word of the file at the same position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WordPair<'l> {
    pub(crate) quoted: &'l str,
    pub(crate) actual: &'l str,
    /// Whether the quoted word is a misspelling.
    pub(crate) is_typo: bool,
}

impl WordPair<'_> {
    /// Checks whether letters are lost, doubled, transposed or of the other case; `http_port` and `https_port` are different.
    pub(crate) fn has_lost_letters(&self) -> bool {
        let (q, f) = (name_parts(self.quoted), name_parts(self.actual));
        let mut parts = q.iter().zip(&f);
        let is_ending = parts.any(|(q, f)| is_plural(q, f));
        let is_lost = lacks_nothing(self.quoted, self.actual) || lacks_nothing(self.actual, self.quoted);
        self.quoted.eq_ignore_ascii_case(self.actual) || is_lost && !is_ending
    }

    /// Returns the parts in which two names differ, without underscores; `None` if the names have not as many parts.
    fn differing_parts(&self) -> Option<Vec<(&str, &str)>> {
        let (q, f) = (name_parts(self.quoted), name_parts(self.actual));
        let trimmed = |part: &'_ str| part.len() - part.trim_start_matches('_').len();
        let pairs = q.iter().zip(&f).map(|(q, f)| (&q[trimmed(q)..], &f[trimmed(f)..]));
        (q.len() == f.len()).then(|| pairs.filter(|(q, f)| q != f).collect())
    }

    /// Returns the quoted one of the only two parts in which the words differ.
    pub(crate) fn differing_part(&self) -> Option<&str> {
        match self.differing_parts()?[..] {
            [(part, _)] => Some(part),
            _ => None,
        }
    }

    /// Checks whether all that differs is the ending of the plural in parts of a name.
    pub(crate) fn is_other_number(&self) -> bool {
        self.differing_parts().is_some_and(|parts| parts.iter().all(|(q, f)| is_plural(q, f)))
    }

    fn are_near_words(&self) -> bool {
        self.differing_parts().is_some_and(|parts| parts.iter().any(|(q, f)| are_near_words(q, f)))
    }

    /// Checks whether the quoted word is misspelt, or a long word without its last letter that is no ending (`items`).
    pub(crate) fn is_slip(&self) -> bool {
        let lost = self.actual.strip_prefix(self.quoted).filter(|_| self.quoted.len() >= SLIP_LENGTH);
        self.is_typo || lost.is_some_and(|lost| lost.len() == 1 && !"sdry".contains(lost))
    }

    /// Checks whether one word is the other with a single letter missing, too many, wrong or transposed.
    pub(crate) fn is_one_letter_off(&self) -> bool {
        begins_name(self.quoted)
            && begins_name(self.actual)
            && digits(self.quoted).eq(digits(self.actual))
            && distance_within(self.quoted, self.actual, 1) == Some(1)
            && !self.are_near_words()
    }
}

/// Returns the words of a quoted line that differ from the file, in order. A word without a partner is left out.
pub(crate) fn replaced_words<'l>(quoted: &'l LineText<'_>, actual: &'l LineText<'_>) -> Vec<WordPair<'l>> {
    let (q, f): (Vec<&str>, Vec<&str>) = (quoted.tokens().collect(), actual.tokens().collect());
    if q.len().max(f.len()) > MOST_TOKENS {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for Change { old, new } in changes(&q, &f) {
        let words = q[old].iter().zip(&f[new]).filter(|(q, f)| q != f && is_word(q) && is_word(f));
        pairs.extend(words.map(|(quoted, actual)| {
            let is_typo = misspelt_letters(quoted, actual).is_some();
            WordPair { quoted, actual, is_typo }
        }));
    }
    pairs
}

/// Returns the replaced word of a quoted line, if a single word is replaced, once or throughout; `None` if anything
/// else differs.
pub(crate) fn only_replaced_word<'l>(
    quoted: &'l LineText<'_>,
    actual: &'l LineText<'_>,
) -> Option<WordPair<'l>> {
    if quoted.token_count() != actual.token_count() {
        return None;
    }
    let pairs = replaced_words(quoted, actual);
    let first = pairs.first().copied()?;
    let is_all = pairs.iter().all(|pair| *pair == first);
    let differing = quoted.tokens().zip(actual.tokens()).filter(|(q, f)| q != f).count();
    (is_all && differing == pairs.len()).then_some(first)
}

/// Checks whether a removed line may be accepted although a word is misspelt: the slip is unmistakable, and letters that are lost, doubled
/// or transposed in a part of a name (`snake_case`, `camelCase`) are in a part of at least five letters.
pub(crate) fn is_unmistakable_slip(quoted: &LineText<'_>, actual: &LineText<'_>) -> bool {
    let Some(pair) = slip(quoted, actual) else { return false };
    let (q_parts, f_parts) = (name_parts(pair.quoted), name_parts(pair.actual));
    let is_short = |(q, f): (&&str, &&str)| {
        let [q, f] = [q, f].map(|part| part.trim_start_matches('_'));
        q != f && q.len().min(f.len()) < SLIP_LENGTH
    };
    q_parts.len() == 1 || q_parts.len() != f_parts.len() || !q_parts.iter().zip(&f_parts).any(is_short)
}

/// Checks whether a line is another but for a slip in a name: letters are lost, doubled or transposed in a name of at least five letters,
/// or a single letter is wrong in a part of a name of at least nine, outside string literals. An additional prefix or suffix, a different
/// case, or a word that is not ASCII makes a different word.
pub(crate) fn has_slip(quoted: &LineText<'_>, actual: &LineText<'_>) -> bool {
    slip(quoted, actual).is_some()
}

fn slip<'l>(quoted: &'l LineText<'_>, actual: &'l LineText<'_>) -> Option<WordPair<'l>> {
    let pairs = replaced_words(quoted, actual);
    let [pair @ WordPair { quoted: q, actual: f, is_typo: true }] = pairs[..] else { return None };
    if !q.is_ascii()
        || !f.is_ascii()
        || digits(q).ne(digits(f))
        || q.eq_ignore_ascii_case(f)
        || has_affix(q, f)
    {
        return None;
    }
    if lacks_nothing(q, f) || lacks_nothing(f, q) {
        return Some(pair).filter(|_| q.len().max(f.len()) >= SLIP_LENGTH);
    }
    let (q_parts, f_parts) = (name_parts(q), name_parts(f));
    let mut differing = q_parts.iter().zip(&f_parts).filter(|(q, f)| q != f);
    let (Some((q_part, f_part)), None) = (differing.next(), differing.next()) else { return None };
    let is_one_letter = q_parts.len() == f_parts.len()
        && q_part.len().min(f_part.len()) >= REPLACED_LENGTH
        && distance_within(q, f, 1) == Some(1);
    Some(pair).filter(|_| is_one_letter && literals(quoted.body()) == literals(actual.body()))
}

/// The shortest word, and the shortest part of a name, in which lost, doubled or transposed letters are a slip. Short parts of names are
/// often alike: `seat_time`, `set_time`.
const SLIP_LENGTH: usize = 5;

/// The shortest word, or part of a name, in which a wrong letter is a slip, and not another word: `height`, `weight`.
const REPLACED_LENGTH: usize = 9;

/// Returns the parts of a name: `get_userName` has `get`, `_user`, `Name`.
pub(crate) fn name_parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let characters = name.char_indices();
    for ((_, before), (at, c)) in characters.clone().zip(characters.skip(1)) {
        if c == '_' || c.is_uppercase() && !before.is_uppercase() && before != '_' {
            parts.push(&name[start..at]);
            start = at;
        }
    }
    parts.push(&name[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_unmistakable_or_another_word() {
        let slip =
            |quoted: &str, actual: &str| is_unmistakable_slip(&LineText::new(quoted), &LineText::new(actual));
        assert!(slip("return histroy(a)", "return history(a)"));
        assert!(slip("f('gitub')", "f('github')"));
        assert!(slip("reset_conter()", "reset_counter()"));
        for (quoted, actual) in [
            ("unregister(a)", "register(a)"),
            ("increment(a)", "decrement(a)"),
            ("setName(a)", "getName(a)"),
            ("f('house')", "f('mouse')"),
            ("rx_buffer(a)", "tx_buffer(a)"),
            ("la p\u{e8}che ici", "la p\u{ea}che ici"),
            ("row(a)", "raw(a)"),
            ("seat_time(a)", "set_time(a)"),
            ("cart_id(a)", "cat_id(a)"),
            ("seatCount(a)", "setCount(a)"),
            ("form_of(a)", "from_of(a)"),
        ] {
            assert!(!slip(quoted, actual), "{quoted} / {actual}");
        }
    }
}
