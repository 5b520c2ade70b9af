//! How one quoted line differs from a line of the document.

use std::ops::Range;

use encoding_rs::Encoding;
use rapidfuzz::distance::osa;

use crate::text::Fold;

/// What happened to a line on its way from the document into the quote, from nothing to everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    /// Nothing.
    Same,
    /// White space at its end.
    TrailingSpace,
    /// White space at both ends.
    Indentation,
    /// Look-alikes or Unicode forms.
    LookAlikes,
    /// White space between words, outside string literals.
    Spacing,
    /// It was read through a wrong code page.
    CodePage,
    /// Quotes or backslashes were escaped once more.
    Escapes,
    /// So many words are misspelt: letters only, outside string literals.
    Misspelt(usize),
    /// So many words differ, of a line that is otherwise the same.
    Words(usize),
    /// It is another line.
    Other,
}

/// What a difference costs, in tenths of a misspelt word.
///
/// The costs order explanations of a quote by how likely a model is to produce it from the place that it means:
/// it drops spaces all the time, misspells now and then, and takes one word for another rarely. A wholly
/// different line in place (a paraphrase) has to cost less than a line too many and a line missing together. A line that
/// says the same behind one that was not quoted has to cost less than a line too many.
const MISSPELT: u32 = 10;
const FIRST_WORD: u32 = 30;
const NEXT_WORD: u32 = 10;
const MOST_WORDS: u32 = 50;
const OTHER: u32 = 55;

/// How many letters of evidence a word takes along that differs.
const LETTERS_OF_A_WORD: usize = 6;

impl Relation {
    pub(super) fn cost(self) -> u32 {
        let count = |words: usize| u32::try_from(words).unwrap_or(u32::MAX);
        match self {
            Relation::Same | Relation::TrailingSpace => 0,
            Relation::Indentation => 1,
            Relation::LookAlikes => 2,
            Relation::Spacing => 3,
            Relation::CodePage | Relation::Escapes => 4,
            Relation::Misspelt(words) => MISSPELT.saturating_mul(count(words)),
            Relation::Words(words) => {
                let more = count(words.saturating_sub(1)).saturating_mul(NEXT_WORD);
                FIRST_WORD.saturating_add(more).min(MOST_WORDS)
            }
            Relation::Other => OTHER,
        }
    }

    /// Whether both lines say the same.
    pub(super) fn says_same(self) -> bool {
        self <= Relation::Escapes
    }

    /// How much of a line of so many letters speaks for the pair.
    pub(super) fn letters_alike(self, letters: usize) -> usize {
        match self {
            Relation::Words(words) => letters.saturating_sub(LETTERS_OF_A_WORD * words),
            Relation::Other => 0,
            _ => letters,
        }
    }
}

/// How many letters and digits a line has.
pub(super) fn letters(line: &str) -> usize {
    line.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Finds out how a quoted line differs from a line of the document; neither is blank.
pub(super) fn relate(quoted: &str, actual: &str) -> Relation {
    if quoted == actual {
        return Relation::Same;
    }
    let folds = [
        (Fold::TrailingSpace, Relation::TrailingSpace),
        (Fold::Indentation, Relation::Indentation),
        (Fold::LookAlikes, Relation::LookAlikes),
    ];
    if let Some((_, relation)) = folds.into_iter().find(|(fold, _)| fold.apply(quoted) == fold.apply(actual))
    {
        return relation;
    }
    if through_code_page(quoted.trim(), actual.trim()) {
        return Relation::CodePage;
    }
    let (quoted, actual) = (Fold::LookAlikes.apply(quoted), Fold::LookAlikes.apply(actual));
    let (quoted, actual) = (&*quoted, &*actual);
    let (words, of) = (tokens(quoted), tokens(actual));
    if words == of {
        return Relation::Spacing;
    }
    if is_escaped_once_more(quoted, actual) || same_unescaped(actual, &words) {
        return Relation::Escapes;
    }
    differing_words(&words, &of)
}

/// Whether a quoted line says the same as the document's with one level of escapes undone; it may have been read through a
/// wrong code page besides.
pub(super) fn is_escaped_once_more(quoted: &str, actual: &str) -> bool {
    if !quoted.contains('\\') {
        return false;
    }
    let plain = unescaped(quoted.trim());
    if plain != quoted.trim() && through_code_page(&plain, actual.trim()) {
        return true;
    }
    let (quoted, actual) = (Fold::LookAlikes.apply(quoted), Fold::LookAlikes.apply(actual));
    quoted != actual && same_unescaped(&quoted, &tokens(&actual))
}

fn same_unescaped(escaped: &str, plain: &[Token<'_>]) -> bool {
    escaped.contains('\\') && tokens(&unescaped(escaped)) == plain
}

/// What a backslash is put before where text is escaped once more.
pub(super) const ESCAPED: &str = "\"'`\\/$";

/// A line with one level of escapes undone: `\"`, `\'`, `` \` ``, `\\`, `\/`, `\$`.
pub(super) fn unescaped(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = (c == '\\').then(|| chars.next_if(|next| ESCAPED.contains(*next))).flatten();
        plain.push(escaped.unwrap_or(c));
    }
    plain
}

/// A word, a sign, or the white space inside a string literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    literal: bool,
}

/// A line taken apart. White space parts words and is otherwise nothing, except in string literals.
fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = line;
    let mut quote: Option<char> = None;
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = if is_word(c) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if c.is_whitespace() {
            rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        let (text, behind) = rest.split_at(len);
        let closes = quote == Some(c);
        if !c.is_whitespace() || quote.is_some() {
            tokens.push(Token { text, literal: quote.is_some() && !closes });
        }
        if closes {
            quote = None;
        } else if quote.is_none() && matches!(c, '"' | '\'' | '`') && behind.contains(c) {
            quote = Some(c);
        }
        rest = behind;
    }
    tokens
}

/// Counts the words that differ. Lines of equally many words are compared word by word; of others, what lies
/// between the words that they begin and end with counts.
fn differing_words(quoted: &[Token<'_>], actual: &[Token<'_>]) -> Relation {
    let longer = quoted.len().max(actual.len());
    let count = if quoted.len() == actual.len() {
        let differing = || quoted.iter().zip(actual).filter(|(q, d)| q != d);
        if differing().all(|(q, d)| misspelt(*q, *d)) {
            return Relation::Misspelt(differing().count());
        }
        differing().count()
    } else {
        let head = quoted.iter().zip(actual).take_while(|(q, d)| q == d).count();
        let tails = quoted[head..].iter().rev().zip(actual[head..].iter().rev());
        longer - head - tails.take_while(|(q, d)| q == d).count()
    };
    if count * 10 > longer * MOST_DIFFERING { Relation::Other } else { Relation::Words(count) }
}

/// Of ten words, how many may differ in a line that is still the same line.
const MOST_DIFFERING: usize = 6;

/// The words of a quoted line that are not those of the document's, of lines with as many words.
pub(super) fn misspelt_words<'q>(quoted: &'q str, actual: &str) -> Vec<&'q str> {
    let (quoted, actual) = (tokens(quoted.trim()), tokens(actual.trim()));
    let differing = quoted.iter().zip(&actual).filter(|(q, d)| q.text != d.text);
    differing.map(|(quoted, _)| quoted.text).collect()
}

/// Whether a word is the other one with a letter too many, missing, wrong, or two exchanged; in long words two
/// of these. Not a digit, not a sign, not the case of a letter.
///
/// What makes another word is no slip: a beginning or an end more (`unregister`, `rows`), a wrong letter in a short
/// word or name part (`raw`, `setName`), two wrong letters (`decrement`), and in a string literal any wrong letter.
fn misspelt(quoted: Token<'_>, actual: Token<'_>) -> bool {
    let (q, d) = (quoted.text, actual.text);
    let letters = |word: &str| word.chars().all(|c| c.is_alphabetic() || c == '_');
    let (short, long) = (q.chars().count().min(d.chars().count()), q.chars().count().max(d.chars().count()));
    let affix = q.starts_with(d) || q.ends_with(d) || d.starts_with(q) || d.ends_with(q);
    let longer_word = affix && short >= SHORTEST_WORD;
    if !letters(q) || !letters(d) || longer_word || q.to_lowercase() == d.to_lowercase() {
        return false;
    }
    let most = if short >= LONG_WORD { 2 } else { 1 };
    let near =
        osa::distance_with_args(q.chars(), d.chars(), &osa::Args::default().score_cutoff(most)).is_some();
    let wrong = letters_missing(q, d).min(letters_missing(d, q));
    // Another accent is another letter, as another case is.
    let value = quoted.literal || actual.literal || !q.is_ascii() || !d.is_ascii();
    let lost = wrong == 0 && long >= SHORTEST_WORD;
    near && (lost || wrong == 1 && !value && differing_part(q, d) >= SHORT_WORD)
}

/// How many letters of a word the other one does not have.
fn letters_missing(word: &str, other: &str) -> usize {
    let mut left: Vec<char> = other.chars().collect();
    let mut missing = 0;
    for c in word.chars() {
        match left.iter().position(|other| *other == c) {
            Some(at) => drop(left.swap_remove(at)),
            None => missing += 1,
        }
    }
    missing
}

/// The length of the one part of a name (`snake_case`, `camelCase`) in which two names differ; 0 if they differ in
/// more than one.
fn differing_part(quoted: &str, actual: &str) -> usize {
    let (quoted, actual) = (parts(quoted), parts(actual));
    let letters = |part: &str| part.chars().filter(|c| c.is_alphabetic()).count();
    let mut differing = quoted.iter().zip(&actual).filter(|(q, d)| q != d);
    match (differing.next(), differing.next()) {
        (Some((q, d)), None) if quoted.len() == actual.len() => letters(q).min(letters(d)),
        _ => 0,
    }
}

fn parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, c) in name.char_indices().skip(1) {
        if c == '_' || c.is_uppercase() {
            parts.push(&name[start..at]);
            start = at;
        }
    }
    parts.push(&name[start..]);
    parts
}

/// Below this length a wrong letter is no slip.
const SHORT_WORD: usize = 5;

/// Below this length nothing is.
const SHORTEST_WORD: usize = 3;

/// From this length on a word may be misspelt in two places.
const LONG_WORD: usize = 8;

/// The wrong ways in which UTF-8 is read most often.
static CODE_PAGES: [&Encoding; 10] = [
    encoding_rs::WINDOWS_1252,
    encoding_rs::WINDOWS_1250,
    encoding_rs::WINDOWS_1251,
    encoding_rs::IBM866,
    encoding_rs::MACINTOSH,
    encoding_rs::KOI8_R,
    encoding_rs::SHIFT_JIS,
    encoding_rs::GBK,
    encoding_rs::BIG5,
    encoding_rs::EUC_KR,
];

/// Whether a quote is what the document's line looks like through a wrong code page: the whole line read so, or
/// what is ASCII in the document as it is, and everything else junk.
fn through_code_page(quoted: &str, actual: &str) -> bool {
    if actual.is_ascii() || quoted == actual {
        return false;
    }
    let misread = |page: &&'static Encoding| page.decode_without_bom_handling(actual.as_bytes()).0 == quoted;
    CODE_PAGES.iter().any(misread) || junk(quoted, actual).is_some_and(|junk| !junk.is_empty())
}

/// The junk in a quote, as ranges of it, beside what the document has in its place; `None` where the rest is not
/// the same, or what stands there is no junk.
pub(super) fn junk<'l>(quoted: &str, actual: &'l str) -> Option<Vec<(Range<usize>, &'l str)>> {
    let mut pairs = Vec::new();
    let (mut at, mut actual) = (0, actual);
    loop {
        let plain = actual.find(|c: char| !c.is_ascii()).unwrap_or(actual.len());
        at += quoted[at..].strip_prefix(&actual[..plain]).map(|_| plain)?;
        actual = &actual[plain..];
        if actual.is_empty() {
            return (at == quoted.len()).then_some(pairs);
        }
        let proper = actual.find(|c: char| c.is_ascii()).unwrap_or(actual.len());
        let may_be_junk = |c: char| !c.is_ascii() || c == '?';
        let wrong = quoted[at..].find(|c| !may_be_junk(c)).unwrap_or(quoted.len() - at);
        // Question marks at its end may be some.
        let marks = quoted[at..at + wrong].len() - quoted[at..at + wrong].trim_end_matches('?').len();
        let ends = (wrong - marks..=wrong).rev();
        if let Some(wrong) = { ends }.find(|end| is_junk(&quoted[at..at + end], &actual[..proper])) {
            pairs.extend(pieces(&quoted[at..at + wrong], &actual[..proper], at));
            at += wrong;
        } else {
            // Text that is no junk is there to be the same.
            at += quoted[at..].strip_prefix(&actual[..proper]).map(|_| proper)?;
        }
        actual = &actual[proper..];
    }
}

/// Whether a text is what is left of another one: only `?` and U+FFFD, or the other one read through a wrong code
/// page, where these may stand for what that page does not have.
fn is_junk(wrong: &str, proper: &str) -> bool {
    let lost = |c: char| matches!(c, '?' | '\u{fffd}');
    let misread = |page: &&'static Encoding| {
        let (text, _) = page.decode_without_bom_handling(proper.as_bytes());
        text.chars().count() == wrong.chars().count()
            && text.chars().zip(wrong.chars()).all(|(t, w)| t == w || lost(w))
    };
    !wrong.is_empty() && (wrong.chars().all(lost) || CODE_PAGES.iter().any(misread))
}

/// Junk, which begins at a byte of its line, character by character of what it stands for, if it can be taken apart
/// so.
fn pieces<'l>(wrong: &str, proper: &'l str, at: usize) -> Vec<(Range<usize>, &'l str)> {
    let apart = |page: &'static Encoding| {
        let mut end = 0;
        let pieces = proper.char_indices().map(|(from, c)| {
            let proper = &proper[from..from + c.len_utf8()];
            let (text, _) = page.decode_without_bom_handling(proper.as_bytes());
            let start = end;
            end += wrong[start..].starts_with(&*text).then_some(text.len())?;
            Some((at + start..at + end, proper))
        });
        let pieces: Option<Vec<_>> = pieces.collect();
        pieces.filter(|_| end == wrong.len())
    };
    CODE_PAGES.into_iter().find_map(apart).unwrap_or_else(|| vec![(at..at + wrong.len(), proper)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_difference_has_its_name() {
        for (quoted, actual, relation) in [
            ("a = 1", "a = 1", Relation::Same),
            ("a = 1", "  a = 1", Relation::Indentation),
            ("a = \"x\"", "a = \u{201c}x\u{201d}", Relation::LookAlikes),
            ("a=f( x )", "a = f(x)", Relation::Spacing),
            ("f(\"a b\")", "f(\"a  b\")", Relation::Words(1)),
            ("newline", "new line", Relation::Other),
            ("na\u{c3}\u{af}ve", "na\u{ef}ve", Relation::CodePage),
            ("na?ve r\u{fffd}sum\u{fffd}", "na\u{ef}ve r\u{e9}sum\u{e9}", Relation::CodePage),
            ("f(\\\"a\\\")", "f(\"a\")", Relation::Escapes),
            ("return histroy(a)", "return history(a)", Relation::Misspelt(1)),
            ("return row(a)", "return raw(a)", Relation::Words(1)),
            ("return page1(a)", "return page2(a)", Relation::Words(1)),
            ("look fo a file", "look for a file", Relation::Misspelt(1)),
            ("f('gitub')", "f('github')", Relation::Misspelt(1)),
            ("unregister(a)", "register(a)", Relation::Words(1)),
            ("increment(a)", "decrement(a)", Relation::Words(1)),
            ("setName(a)", "getName(a)", Relation::Words(1)),
            ("la p\u{e8}che ici", "la p\u{ea}che ici", Relation::Words(1)),
            ("f('house')", "f('mouse')", Relation::Words(1)),
            ("while a < b:", "while a > b:", Relation::Words(1)),
            ("let total = 0;", "fn main() {", Relation::Other),
        ] {
            assert_eq!(relate(quoted, actual), relation, "{quoted} / {actual}");
        }
    }

    #[test]
    fn an_apostrophe_is_no_string_literal() {
        assert_eq!(relate("don't  do this", "don't do this"), Relation::Spacing);
    }

    #[test]
    fn junk_is_paired_with_what_it_stands_for() {
        let pairs = junk("na\u{c3}\u{af}ve r\u{c3}\u{a9}", "na\u{ef}ve r\u{e9}");
        assert_eq!(pairs, Some(vec![(2..6, "\u{ef}"), (10..14, "\u{e9}")]));
    }
}
