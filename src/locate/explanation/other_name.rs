//! A name of the quote for which the file has another.

use super::aligned::Aligned;
use crate::locate::align::line_text::{LineText, letters};
use crate::locate::align::words::{WordPair, digits, replaced_words};
use crate::locate::syntax::{
    begins_control, is_about_opener, is_head_end, literals, naming_arguments, without_literals,
    without_parameters, words_of,
};

/// The least number of letters of a part of a name that is the name of a block.
const LETTERS_OF_A_PART: usize = 3;

/// A text of fewer words is a name: another, if no word stays. One of two words is compared as a name by itself.
const WORDS_OF_A_TITLE: usize = 3;

/// A name of the quote, or a title, for which the file has another.
#[derive(Clone)]
pub(super) struct OtherName {
    pub(super) quoted: String,
    pub(super) actual: String,
    /// In how many words the name is replaced.
    pub(super) times: usize,
    /// Whether a single letter differs: a slip, or a name like the other.
    pub(super) is_one_letter_off: bool,
}

impl OtherName {
    /// Compares a context row with a line; `None` if anything differs but one name or one title, and a separator at the end.
    pub(super) fn new(aligned: &Aligned<'_, '_>, row: usize, line: usize) -> Option<Self> {
        let (quoted, actual) = (aligned.reading.old(row), aligned.file.line(line));
        if !quoted.is_context() {
            return None;
        }
        let is_misspelt = quoted.line.token_count() == actual.token_count()
            && replaced_words(&quoted.line, actual).iter().all(WordPair::is_slip);
        let is_opener = aligned.reading.openers().contains(&row);
        title_pair(&quoted.line, actual)
            .or_else(|| value_pair(quoted.line.body(), actual.body()))
            .filter(|_| !is_misspelt)
            .and_then(|(q, f)| Self::title(q, f, is_opener))
            .or_else(|| Self::word(aligned, row, actual))
            .or_else(|| {
                let is_other =
                    aligned.relation(row).is_some_and(|relation| relation.cost >= aligned.file.costs.word);
                let may_name = is_other && !is_opener && !aligned.is_named();
                text_pair(&quoted.line, actual)
                    .filter(|(name, _)| may_name && !has_rows_of_key(aligned, quoted.line.body(), name))
                    .and_then(Self::compound)
            })
    }

    /// Compares two names of several words without white space, such as paths, addresses and images: another name, if other words are
    /// between the words that both have. What only begins with another number is another version.
    fn compound((quoted, actual): (&str, &str)) -> Option<Self> {
        let [q, f] = [quoted, actual].map(|name| words_of(name).collect::<Vec<_>>());
        let alike = |(q, f): &(&&str, &&str)| q.eq_ignore_ascii_case(f);
        let begin = q.iter().zip(&f).take_while(alike).count();
        let (q, f) = (&q[begin..], &f[begin..]);
        let end = q.iter().rev().zip(f.iter().rev()).take_while(alike).count();
        let (q, f) = (&q[..q.len() - end], &f[..f.len() - end]);
        let begins_with_letter =
            |words: &[&str]| words.first().is_some_and(|word| word.starts_with(char::is_alphabetic));
        let is_other = q.len() + f.len() > 2
            && begins_with_letter(q)
            && begins_with_letter(f)
            && !q.iter().any(|word| f.iter().any(|other| word.eq_ignore_ascii_case(other)));
        let (quoted, actual) = (quoted.to_owned(), actual.to_owned());
        is_other.then_some(OtherName { quoted, actual, times: 1, is_one_letter_off: false })
    }

    /// Compares two texts of several words. As the title of a block, another text is another title; elsewhere, if it has other
    /// numbers, or mostly other words.
    fn title(quoted: &str, actual: &str, is_opener: bool) -> Option<Self> {
        let [q_words, f_words]: [Vec<String>; 2] =
            [quoted, actual].map(|title| words_of(title).map(str::to_lowercase).collect());
        let shared = q_words.iter().filter(|word| f_words.contains(word)).count();
        let most = q_words.len().max(f_words.len());
        let is_other = if quoted.split_whitespace().count() < WORDS_OF_A_TITLE {
            shared == 0
        } else {
            is_opener && q_words != f_words || 2 * shared <= most || digits(quoted).ne(digits(actual))
        };
        let (quoted, actual) = (quoted.to_owned(), actual.to_owned());
        is_other.then_some(OtherName { quoted, actual, times: 1, is_one_letter_off: false })
    }

    fn word(aligned: &Aligned<'_, '_>, row: usize, actual: &LineText<'_>) -> Option<Self> {
        let quoted = &aligned.reading.old(row).line;
        let pairs = only_replaced_words(quoted, actual)?;
        let mut name: Option<OtherName> = None;
        let are_names = |pair: &WordPair<'_>| {
            [pair.quoted, pair.actual].iter().all(|word| word.contains(char::is_alphabetic))
        };
        // A word of the line that opens the block is misspelt by letters that are lost, or it is another word.
        let is_opener = aligned.reading.openers().contains(&row);
        let is_misspelt = |pair: &WordPair<'_>| {
            let is_known = || aligned.file.index.knows(pair) || is_replaced_elsewhere(aligned, row, pair);
            pair.is_slip() && (!is_opener || pair.has_lost_letters() && !is_known())
        };
        let mut names = pairs.iter().filter(|pair| !is_misspelt(pair)).peekable();
        // The parameters of a function are no names of the block, unlike those of an attribute. Other numbers are another version, or
        // another date.
        if is_opener && !is_about_opener(quoted.body()) && has_other_parameters(quoted, actual) {
            return None;
        }
        if is_opener
            && let Some(first) = names.peek()
            && digits(quoted.body()).ne(digits(actual.body()))
        {
            let (quoted, actual) = (first.quoted.to_owned(), first.actual.to_owned());
            return Some(OtherName { quoted, actual, times: 1, is_one_letter_off: false });
        }
        for pair in names {
            if !are_names(pair) && !is_opener {
                return None;
            }
            let (quoted, actual) = (pair.quoted.to_owned(), pair.actual.to_owned());
            let one = OtherName { quoted, actual, times: 1, is_one_letter_off: pair.is_one_letter_off() };
            match &mut name {
                Some(name) => name.join(&one)?,
                None => name = Some(one),
            }
        }
        name
    }

    /// Checks whether several names of a row are replaced, and nothing else.
    pub(super) fn are_several(aligned: &Aligned<'_, '_>, row: usize, line: usize) -> bool {
        let (quoted, actual) = (&aligned.reading.old(row).line, aligned.file.line(line));
        only_replaced_words(quoted, actual).is_some_and(|pairs| {
            pairs.len() > 1
                && pairs.iter().any(|pair| !pair.is_slip())
                && !has_other_parameters(quoted, actual)
        })
    }

    /// Checks whether what the file has in place of the name is in an unquoted line that opens the block around the alignment.
    pub(super) fn is_of_block(&self, aligned: &Aligned<'_, '_>) -> bool {
        let [part, whole] =
            [replaced_part(&self.quoted, &self.actual).1, &self.actual].map(str::to_lowercase);
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let has_name = |line: usize| {
            let head = without_parameters(aligned.file.line(line).text());
            [&part, &whole].iter().any(|name| begins_part_of(head, name))
        };
        // A part of few letters may be there by chance.
        (is_number || letters(&part) >= LETTERS_OF_A_PART) && openers_above(aligned).any(has_name)
    }

    /// Joins another place of the same name; `None` if a different name is replaced.
    pub(super) fn join(&mut self, other: &OtherName) -> Option<()> {
        let is_same =
            replaced_part(&self.quoted, &self.actual) == replaced_part(&other.quoted, &other.actual);
        self.times += other.times;
        is_same.then_some(())
    }
}

/// Checks whether a word of a text, or a part of a name in camel case, begins with a name in lower case: `end` is not in `lend`.
fn begins_part_of(text: &str, name: &str) -> bool {
    let lower = text.to_lowercase();
    lower.match_indices(name).any(|(at, _)| {
        let sides = text.split_at_checked(at);
        sides.is_some_and(|(before, behind)| {
            behind.starts_with(char::is_uppercase) || !before.ends_with(char::is_alphabetic)
        })
    })
}

/// Returns the only text that differs in two lines, if both are names of several words: a string literal, the text of an element, or the
/// value of a key or a directive. Code is none.
fn text_pair<'l>(quoted: &'l LineText<'_>, actual: &'l LineText<'_>) -> Option<(&'l str, &'l str)> {
    let (q, f) = (quoted.body(), actual.body());
    let of_key = || {
        let sign = q.find([':', '=']).or_else(|| q.find(' '))?;
        let pair = f.strip_prefix(&q[..=sign]).map(|f| (&q[sign + 1..], f));
        // A module, or a field of an object, has dots only.
        pair.filter(|(q, f)| [q, f].iter().all(|value| value.contains(['-', '@', ':', '/'])))
    };
    let pair = literal_pair(quoted, actual).or_else(|| element_pair(q, f)).or_else(of_key);
    pair.filter(|(q, f)| is_name_of_several(q) && is_name_of_several(f))
}

/// Checks whether other quoted lines begin as a line does in front of a name: the lines are a list, and the name is that of an item.
fn has_rows_of_key(aligned: &Aligned<'_, '_>, line: &str, name: &str) -> bool {
    let key = line.find(name).map_or(line, |at| &line[..at]);
    aligned.reading.old_rows().filter(|row| row.line.body().starts_with(key)).nth(1).is_some()
}

/// Checks for a name of several words that signs join: a path, an address, an image with its version.
fn is_name_of_several(value: &str) -> bool {
    let value = value.trim_matches(|c: char| c.is_whitespace() || ",;\"'`".contains(c));
    let is_part = |c: char| c.is_alphanumeric() || "_-@:/.+{}$~".contains(c);
    value.chars().all(is_part) && value.contains(['-', '@', ':', '/', '.'])
}

/// Returns the texts of two elements on lines of their own.
fn element_pair<'l>(quoted: &'l str, actual: &'l str) -> Option<(&'l str, &'l str)> {
    let [(tag, q), (other, f)] = [quoted.split_once('>')?, actual.split_once('>')?];
    let [(q, end), (f, other_end)] = [q.split_once("</")?, f.split_once("</")?];
    (tag == other && end == other_end && q != f).then_some((q, f))
}

/// Returns the only string literal that differs in two lines, with the literal of the file, if the literal has several words.
fn title_pair<'l>(quoted: &'l LineText<'_>, actual: &'l LineText<'_>) -> Option<(&'l str, &'l str)> {
    literal_pair(quoted, actual).filter(|(title, _)| title.split_whitespace().count() > 1)
}

/// Returns the only string literal that differs in two lines, with the literal of the file.
fn literal_pair<'l>(quoted: &'l LineText<'_>, actual: &'l LineText<'_>) -> Option<(&'l str, &'l str)> {
    if without_literals(quoted.body()) != without_literals(actual.body()) {
        return None;
    }
    let (q, f) = (literals(quoted.body()), literals(actual.body()));
    let mut differing = q.into_iter().zip(f).filter(|(q, f)| q != f);
    let (only, None) = (differing.next()?, differing.next()) else { return None };
    Some(only)
}

/// Returns the values of a key in two lines, if these differ in words, not in numbers, and one has several words.
fn value_pair<'l>(quoted: &'l str, actual: &'l str) -> Option<(&'l str, &'l str)> {
    let [(key, q), (other_key, f)] = [quoted.split_once([':', '='])?, actual.split_once([':', '='])?];
    let (q, f) = (value_of(q)?, value_of(f)?);
    let has_several = |value: &str| value.split_whitespace().count() > 1;
    let is_other = digits(q).eq(digits(f)) && (has_several(q) || has_several(f));
    (key == other_key && q != f && is_other).then_some((q, f))
}

/// Returns the value behind a key, if the value is made of words.
fn value_of(value: &str) -> Option<&str> {
    let value = value.trim_matches(|c: char| c.is_whitespace() || ",;\"'`".contains(c));
    let is_of_words = value.chars().all(|c| c.is_alphanumeric() || " _-@".contains(c));
    (is_of_words && value.contains(char::is_alphabetic)).then_some(value)
}

/// Checks whether the file has the same other word for a word of a second row: who misspells a word, rarely does so twice.
fn is_replaced_elsewhere(aligned: &Aligned<'_, '_>, row: usize, pair: &WordPair<'_>) -> bool {
    if pair.quoted.eq_ignore_ascii_case(pair.actual) {
        return false;
    }
    let part = replaced_part(pair.quoted, pair.actual);
    let has_same = |other: usize| {
        let line = aligned.pairs[other].line().filter(|_| other != row);
        let pairs =
            line.map(|line| replaced_words(&aligned.reading.old(other).line, aligned.file.line(line)));
        pairs.is_some_and(|pairs| {
            pairs.iter().any(|other| {
                replaced_part(other.quoted, other.actual) == part
                    && other.differing_part().map(str::to_lowercase)
                        == pair.differing_part().map(str::to_lowercase)
            })
        })
    };
    aligned.rows().any(has_same)
}

/// Returns the words that differ in two lines of as many tokens; `None` if anything else differs.
fn only_replaced_words<'l>(quoted: &'l LineText<'_>, actual: &'l LineText<'_>) -> Option<Vec<WordPair<'l>>> {
    let (q, f) = (tokens_before_separator(quoted), tokens_before_separator(actual));
    let differing = q.iter().zip(&f).filter(|(q, f)| q != f).count();
    let pairs = replaced_words(quoted, actual);
    (q.len() == f.len() && differing == pairs.len()).then_some(pairs)
}

/// Returns the tokens of a line without a separator at its end, which is no part of a name.
fn tokens_before_separator<'l>(line: &'l LineText<'_>) -> Vec<&'l str> {
    let mut tokens: Vec<&str> = line.tokens().collect();
    tokens.pop_if(|last| [",", ";"].contains(last));
    tokens
}

/// Checks whether two lines of as many tokens differ only in names of parameters: words between `(` or `,` and a sign, which do not
/// name the block.
pub(super) fn has_other_parameters(quoted: &LineText<'_>, actual: &LineText<'_>) -> bool {
    let (q, f): (Vec<&str>, Vec<&str>) = (quoted.tokens().collect(), actual.tokens().collect());
    let is_parameter = |at: usize| {
        let (before, behind) = (at.checked_sub(1).map(|at| q[at]), q.get(at + 1));
        let begins_word = |token: &str| token.starts_with(|c: char| c.is_alphabetic() || c == '_');
        before.is_some_and(|token| ["(", ","].contains(&token))
            && behind.is_some_and(|token| [",", ")", ":", "="].contains(token))
            && begins_word(q[at])
            && begins_word(f[at])
    };
    let mut differing = (0..q.len().min(f.len())).filter(|at| q[*at] != f[*at]).peekable();
    differing.peek().is_some()
        && !begins_control(quoted.text())
        && differing.all(is_parameter)
        && naming_arguments(quoted.body()) == naming_arguments(actual.body())
}

/// How far above an alignment the line that opens a block is looked for, in lines.
pub(super) const REACH: usize = 2_000;

/// Returns the unquoted lines that open the named blocks around an alignment, the innermost first.
pub(super) fn openers_above<'a>(aligned: &'a Aligned<'_, '_>) -> impl Iterator<Item = usize> + 'a {
    let file = aligned.file;
    lines_around(aligned).filter(|line| !aligned.is_quoted(*line) && !begins_control(file.line(*line).text()))
}

/// Returns the lines that open the blocks around the first line of an alignment, and this line, the innermost first.
pub(super) fn lines_around<'a>(aligned: &'a Aligned<'_, '_>) -> impl Iterator<Item = usize> + 'a {
    let (file, first) = (aligned.file, aligned.lines().unwrap_or_default().start);
    let depths = (first.saturating_sub(REACH)..=first).rev().filter(|line| {
        let line = file.line(*line);
        line.letters() > 0 && !is_head_end(line.body())
    });
    let mut least = usize::MAX;
    depths.filter(move |line| {
        let depth = file.line(*line).depth();
        let is_opener = depth < least;
        least = least.min(depth);
        is_opener
    })
}

/// Returns two words without their common beginning and end.
fn replaced_part<'w>(quoted: &'w str, actual: &'w str) -> (&'w str, &'w str) {
    let both = |one: &mut dyn Iterator<Item = char>, other: &mut dyn Iterator<Item = char>| -> usize {
        one.zip(other).take_while(|(one, other)| one == other).map(|(c, _)| c.len_utf8()).sum()
    };
    let begin = both(&mut quoted.chars(), &mut actual.chars());
    let (quoted, actual) = (&quoted[begin..], &actual[begin..]);
    let end = both(&mut quoted.chars().rev(), &mut actual.chars().rev());
    (&quoted[..quoted.len() - end], &actual[..actual.len() - end])
}
