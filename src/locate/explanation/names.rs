//! The explanation that a sibling of the target was found: the same lines in a block of another name.

use super::aligned::Aligned;
use super::evidence::{evidence, is_telling};
use crate::locate::align::line_text::{LineText, letters, literals, without_literals};
use crate::locate::align::relation::{Class, WordPair, digits, replaced_words};
use crate::locate::reading::Row;
use crate::locate::search::scope::{Scope, begins_block};
use crate::text::Fold;

/// Returns the cost of the assumption that the target is not here, but a sibling, with the row that shows the sibling: a
/// line that opens a block around a change opens another block, or a name differs that the file or the quote has not.
/// Siblings share their lines, so each line counts only in part, or not at all; `None` if nothing shows a sibling.
pub(super) fn sibling_null(aligned: &Aligned<'_, '_>) -> Option<(usize, i32)> {
    let costs = aligned.file.costs;
    let (row, share) = names_other_block(aligned)
        .map(|row| (row, costs.null_sibling))
        .or_else(|| Some((is_in_other_block(aligned)?, 0)))
        .or_else(|| sibling_name(aligned))?;
    let alike = aligned.rows().filter(|row| aligned.is_alike(*row));
    let agreeing: i32 = alike.map(|row| evidence(aligned, row)).sum();
    Some((row, costs.null + agreeing * share / 100))
}

/// Returns a row that opens a block around a change, if the block of the file has another name there, or the file has no
/// such block.
fn is_in_other_block(aligned: &Aligned<'_, '_>) -> Option<usize> {
    let has_other_name = |row: usize| {
        let is_of_other_text = aligned.class(row).is_none_or(|class| class == Class::Other);
        let line = if is_of_other_text {
            // The line right above the next quoted line is in its position.
            let above = aligned.file.first_filled((0..aligned.line_below(row)?).rev());
            above.filter(|line| !aligned.is_quoted(*line))
        } else {
            aligned.pairs[row].line()
        };
        OtherName::new(aligned, row, line?)
    };
    let mut openers = aligned.reading.openers().iter().copied();
    let opener = openers.find(|row| {
        aligned.class(*row) != Some(Class::Same)
            && (is_phantom(aligned, *row)
                || has_other_name(*row).is_some()
                || !is_in_named_block(aligned) && has_other_operator(aligned, *row))
    });
    let is_other =
        |row: &usize| aligned.class(*row) == Some(Class::Differs) && has_other_name(*row).is_some();
    opener.or_else(|| aligned.reading.closers().into_iter().find(is_other)).or_else(|| other_record(aligned))
}

/// Checks whether an operator is the only difference of a row: a condition and its opposite.
fn has_other_operator(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let Some(line) = aligned.pairs[row].line() else { return false };
    let (quoted, actual) = (&aligned.reading.old(row).line, aligned.file.line(line));
    let of = |line: &LineText<'_>, is_wanted: fn(&str) -> bool| -> Vec<String> {
        line.tokens().filter(|token| is_wanted(token)).map(str::to_owned).collect()
    };
    let is_word = |token: &str| token.contains(char::is_alphanumeric);
    let is_operator = |token: &str| token.chars().all(|c| "!<>=&|+-*/%^".contains(c));
    of(quoted, is_word) == of(actual, is_word) && of(quoted, is_operator) != of(actual, is_operator)
}

/// Returns a row with a field that names its record, if the record of the file has another value: `name: web`, `"id": 7`.
fn other_record(aligned: &Aligned<'_, '_>) -> Option<usize> {
    aligned.rows().find(|row| {
        let quoted = aligned.reading.old(*row);
        let Some(line) = aligned.pairs[*row].line() else { return false };
        let (q, f) = (quoted.line.body(), aligned.file.line(line).body());
        let is_other = quoted.is_context() && aligned.class(*row) == Some(Class::Differs);
        match (naming_field(q), naming_field(f)) {
            (Some((key, value)), Some((other_key, other))) => is_other && key == other_key && value != other,
            _ => false,
        }
    })
}

/// Returns the key and the value of a field that names its record.
fn naming_field(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once([':', '='])?;
    let is_key_sign = |c: char| !c.is_alphanumeric();
    let name = key.trim_matches(is_key_sign);
    let value = value.trim_matches(|c: char| " \t,;\"'`".contains(c));
    let is_name = ["name", "id"].iter().any(|word| name.eq_ignore_ascii_case(word));
    (is_name && value.chars().all(|c| c.is_alphanumeric() || "_-./@".contains(c)) && !value.is_empty())
        .then_some((name, value))
}

/// Checks whether a line that opens a block is not in the file, and lines next to each other in the file are quoted above and
/// below.
fn is_phantom(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    /// How far from the other lines a line that was moved is looked for.
    const REACH: usize = 2;
    let (file, quoted) = (aligned.file, &aligned.reading.old(row).line);
    let is_between = || {
        let (Some(above), Some(below)) = (aligned.line_above(row), aligned.line_below(row)) else {
            return false;
        };
        file.first_filled(above + 1..below).is_none()
    };
    let is_near = || {
        let lines = aligned.lines().unwrap_or_default();
        let mut near = lines.start.saturating_sub(REACH)..(lines.end + REACH).min(file.len());
        near.any(|line| file.is_same(line, quoted))
    };
    !aligned.pairs[row].is_found() && begins_block(quoted.text()) && is_between() && !is_near()
}

/// Returns the first row with a name that differs, if the file does not have the quoted name, and the quote not that of the
/// file, and the share of the other lines that counts: none if the name is replaced several times. A line that is missing
/// or rewritten shows neither the target nor a sibling.
fn sibling_name(aligned: &Aligned<'_, '_>) -> Option<(usize, i32)> {
    let mut rows = aligned.rows().filter(|row| aligned.class(*row) == Some(Class::Differs));
    let first = rows.next()?;
    let mut name = OtherName::new(aligned, first, aligned.pairs[first].line()?)?;
    for row in rows {
        name.join(&OtherName::new(aligned, row, aligned.pairs[row].line()?)?)?;
    }
    let is_in_quote = |row: &Row<'_>| row.line.tokens().any(|token| token == name.actual);
    let is_known = aligned.file.index.holds_word(&name.quoted) || aligned.reading.old_rows().any(is_in_quote);
    let is_repeated = name.times > 1 && !name.is_one_letter_off;
    let is_certain = is_repeated && !is_in_named_block(aligned) || name.is_of_block(aligned);
    let share = if is_certain { 0 } else { aligned.file.costs.null_sibling };
    (!is_known).then_some((first, share))
}

/// Checks whether the file has the quoted line that opens the block, and has that line once: that line shows the block.
fn is_in_named_block(aligned: &Aligned<'_, '_>) -> bool {
    aligned.reading.openers().iter().any(|row| aligned.is_alike(*row) && is_telling(aligned, *row))
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

/// Returns a row that opens a block around a change, if the file has that line once, and the block is another block.
fn names_other_block(aligned: &Aligned<'_, '_>) -> Option<usize> {
    let document = aligned.file.document();
    let lines = aligned.lines()?;
    // A line that begins the quote names the block, whatever the lines below show.
    let is_first = |row: usize| aligned.reading.old_rows().take(row).all(Row::is_blank);
    aligned.reading.openers().iter().copied().filter(|row| is_first(*row) || !aligned.is_alike(*row)).find(
        |row| {
            let quoted = aligned.reading.old(*row).line.text();
            let places = aligned.file.index.line_places(Fold::Exact, quoted);
            let [line] = places[..] else { return false };
            let scope = Scope::of_line(document, line as usize, document.len());
            !scope.holds(lines.start, lines.end - 1)
        },
    )
}

/// The least number of letters of a part of a name that is the name of a block.
const LETTERS_OF_A_PART: usize = 3;

/// A name of the quote, or a title, for which the file has another.
pub(super) struct OtherName {
    pub(super) quoted: String,
    actual: String,
    /// In how many words the name is replaced.
    times: usize,
    /// Whether a single letter differs: a slip, or a name like the other.
    is_one_letter_off: bool,
}

impl OtherName {
    /// Compares a context row with a line; `None` if anything differs but one name or one title.
    pub(super) fn new(aligned: &Aligned<'_, '_>, row: usize, line: usize) -> Option<Self> {
        let (quoted, actual) = (aligned.reading.old(row), aligned.file.line(line));
        if !quoted.is_context() {
            return None;
        }
        let is_misspelt = quoted.line.token_count() == actual.token_count()
            && replaced_words(&quoted.line, actual).iter().all(WordPair::is_slip);
        title_pair(&quoted.line, actual)
            .filter(|_| !is_misspelt)
            .and_then(|(q, f)| Self::title(q, f, aligned.reading.openers().contains(&row)))
            .or_else(|| Self::word(aligned, row, actual))
    }

    /// Compares two texts of several words. As the title of a block, another text is another title; elsewhere, if it has other
    /// numbers, or mostly other words.
    fn title(quoted: &str, actual: &str, is_opener: bool) -> Option<Self> {
        let (q_words, f_words): (Vec<&str>, Vec<&str>) =
            (quoted.split_whitespace().collect(), actual.split_whitespace().collect());
        let shared = q_words.iter().filter(|word| f_words.contains(word)).count();
        let is_other =
            is_opener || 2 * shared <= q_words.len().max(f_words.len()) || digits(quoted).ne(digits(actual));
        let (quoted, actual) = (quoted.to_owned(), actual.to_owned());
        is_other.then_some(OtherName { quoted, actual, times: 1, is_one_letter_off: false })
    }

    fn word(aligned: &Aligned<'_, '_>, row: usize, actual: &LineText<'_>) -> Option<Self> {
        let quoted = &aligned.reading.old(row).line;
        let pairs = replaced_words(quoted, actual);
        let mut name: Option<OtherName> = None;
        let differing = quoted.tokens().zip(actual.tokens()).filter(|(q, f)| q != f).count();
        if quoted.token_count() != actual.token_count() || differing != pairs.len() {
            return None;
        }
        let are_names = |pair: &WordPair<'_>| {
            [pair.quoted, pair.actual].iter().all(|word| word.contains(char::is_alphabetic))
        };
        // A word of the line that opens the block is misspelt by letters that are lost, or it is another word.
        let is_opener = aligned.reading.openers().contains(&row);
        for pair in pairs.iter().filter(|pair| !pair.is_slip() || is_opener && !pair.has_lost_letters()) {
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

    /// Checks whether what the file has in place of the name is in an unquoted line that opens the block around the alignment.
    fn is_of_block(&self, aligned: &Aligned<'_, '_>) -> bool {
        let (file, first) = (aligned.file, aligned.lines().unwrap_or_default().start);
        let part = replaced_part(&self.quoted, &self.actual).1.to_lowercase();
        let mut depth = usize::MAX;
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        // A part of few letters may be there by chance.
        (is_number || letters(&part) >= LETTERS_OF_A_PART)
            && (0..=first).rev().filter(|line| file.line(*line).letters() > 0).any(|line| {
                let indent = file.line(line).indent().len();
                let is_less_deep = indent < depth;
                depth = depth.min(indent);
                is_less_deep
                    && !aligned.is_quoted(line)
                    && file.line(line).text().to_lowercase().contains(&part)
            })
    }

    /// Joins another place of the same name; `None` if a different name is replaced.
    fn join(&mut self, other: &OtherName) -> Option<()> {
        let is_same =
            replaced_part(&self.quoted, &self.actual) == replaced_part(&other.quoted, &other.actual);
        self.times += other.times;
        is_same.then_some(())
    }
}

/// Returns the only string literal that differs in two lines, with the literal of the file, if the literal has several words.
fn title_pair<'l>(quoted: &'l LineText<'_>, actual: &'l LineText<'_>) -> Option<(&'l str, &'l str)> {
    /// A string literal of fewer words is a name or a value.
    const WORDS_OF_A_TITLE: usize = 3;
    if without_literals(quoted.body()) != without_literals(actual.body()) {
        return None;
    }
    let (q, f) = (literals(quoted.body()), literals(actual.body()));
    let mut differing = q.into_iter().zip(f).filter(|(q, f)| q != f);
    let (only, None) = (differing.next()?, differing.next()) else { return None };
    (only.0.split_whitespace().count() >= WORDS_OF_A_TITLE).then_some(only)
}
