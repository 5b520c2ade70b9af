//! Fields that name a record of a list, and have another value in the file.

use std::collections::HashSet;

use super::aligned::Aligned;
use super::heads::is_head;
use super::same_block::line_in_position;
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::align::relation::Class;
use crate::locate::align::words::only_replaced_word;
use crate::locate::syntax::{field, naming_field};

/// How many lines with the key of a field are looked at.
const MOST_LINES: usize = 100;

/// Returns a row with a field that names its record, if the record of the file has another value: `name: web`, `"id": 7`.
pub(super) fn other_record(aligned: &Aligned<'_, '_>) -> Option<usize> {
    aligned.rows().find(|row| {
        let quoted = aligned.reading.old(*row);
        if !quoted.is_context() || aligned.is_alike(*row) {
            return false;
        }
        let Some(line) = line_in_position(aligned, *row) else { return false };
        let [q, f] = [quoted.line.body(), aligned.file.line(line).body()].map(naming_field);
        q.zip(f).is_some_and(|(quoted, actual)| quoted.0 == actual.0 && quoted.1 != actual.1)
            || is_first_of_record(aligned, *row, line)
            || is_of_distinct_values(aligned, *row, line)
    })
}

/// Checks whether a row is the first field below a line that opens a record, where the file has each line around several times, and
/// has the field with a value of its own. The lines name nothing, so the first field does.
fn is_first_of_record(aligned: &Aligned<'_, '_>, row: usize, line: usize) -> bool {
    let (reading, file) = (aligned.reading, aligned.file);
    let Some(opener) = (0..row).rev().find(|above| !reading.old(*above).is_blank()) else { return false };
    let key = field(reading.old(row).line.body());
    let of_key = reading.old_rows().filter(|row| field(row.line.body()) == key);
    key.is_some()
        && key == field(file.line(line).body())
        && of_key.count() == 1
        && file.occurrences(file.line(line)) <= 1
        && !aligned.has_words(row)
        && reading.openers().contains(&opener)
        && is_head(&reading.old(opener).line)
        && reading.openers().iter().all(|opener| aligned.is_alike(*opener) && !aligned.is_telling(*opener))
}

/// Checks whether a row is a field with another word for its value, and the file has the key in other records as well, with a value of its
/// own in each: the value names the record, unless another quoted line does. Lines of one key below each other are no fields of records.
fn is_of_distinct_values(aligned: &Aligned<'_, '_>, row: usize, line: usize) -> bool {
    let (file, quoted, actual) = (aligned.file, &aligned.reading.old(row).line, aligned.file.line(line));
    if aligned.class(row) != Some(Class::Differs) || !has_other_word(quoted, actual) || aligned.is_named() {
        return false;
    }
    let Some((own, there)) = Field::read(quoted).zip(Field::read(actual)) else { return false };
    let is_of_key = |other: &usize| {
        let field = Field::read(file.line(*other));
        file.line(*other).depth() == actual.depth() && field.is_some_and(|field| field.key == own.key)
    };
    let mut lines = file.index.lines_with_word(own.word(), MOST_LINES);
    if own.key != there.key || lines.len() == MOST_LINES {
        return false;
    }
    lines.retain(is_of_key);
    let values: HashSet<Vec<&str>> =
        lines.iter().filter_map(|line| Some(Field::read(file.line(*line))?.value)).collect();
    let are_apart = lines.windows(2).all(|lines| lines[0] + 1 < lines[1]);
    let is_list = || lines.iter().any(|other| *other != line && are_of_like_records(file, line, *other));
    lines.len() > 1 && values.len() == lines.len() && are_apart && !values.contains(&own.value) && is_list()
}

/// Checks whether the lines above two fields, or the lines below them, have the same key.
fn are_of_like_records(file: &File<'_>, line: usize, other: usize) -> bool {
    let is_same_key = |one: usize, two: usize| {
        let [one, two] =
            [one, two].map(|line| (line < file.len()).then(|| Field::read(file.line(line))).flatten());
        one.zip(two).is_some_and(|(one, two)| one.key == two.key)
    };
    is_same_key(line + 1, other + 1) || line > 0 && other > 0 && is_same_key(line - 1, other - 1)
}

/// Checks whether a word without digits is replaced by another, and nothing else differs.
fn has_other_word(quoted: &LineText<'_>, actual: &LineText<'_>) -> bool {
    let is_word = |word: &str| word.chars().all(|c| c.is_alphabetic() || c == '_');
    only_replaced_word(quoted, actual).is_some_and(|pair| {
        is_word(pair.quoted)
            && is_word(pair.actual)
            && !pair.is_slip()
            && !pair.quoted.eq_ignore_ascii_case(pair.actual)
    })
}

/// A field of one line: the words and signs of its key, up to a sign, and of its value.
struct Field<'l> {
    key: Vec<&'l str>,
    value: Vec<&'l str>,
}

impl<'l> Field<'l> {
    fn read(line: &'l LineText<'_>) -> Option<Self> {
        let tokens: Vec<&str> = line.tokens().collect();
        let sign = tokens.iter().position(|token| matches!(*token, ":" | "=" | "("))?;
        let (key, value) = tokens.split_at(sign + 1);
        let field = Field { key: key.to_vec(), value: value.to_vec() };
        (!value.is_empty() && !field.word().is_empty()).then_some(field)
    }

    /// Returns the last word of the key.
    fn word(&self) -> &'l str {
        self.key.iter().rev().find(|token| token.contains(char::is_alphabetic)).copied().unwrap_or_default()
    }
}
