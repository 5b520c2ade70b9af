//! A quoted line that names the block of the change, for which the file has another line there.
//!
//! Such a line is all that tells blocks with the same lines apart. Where the line reads otherwise, the other lines have to identify the
//! block by themselves.

use super::aligned::Aligned;
use super::other_name::{OtherName, has_other_parameters};
use super::same_block::{line_in_position, names_same_block};
use crate::locate::align::edit_script::distance_within;
use crate::locate::align::line_text::LineText;
use crate::locate::align::words::{WordPair, digits, only_replaced_word, replaced_words};
use crate::locate::syntax::{
    Section, begins_block, begins_control, closes, is_attribute, is_word_char, naming_field, uncommented,
    words_of,
};

/// Returns a row that names the block of a change, and reads otherwise in the file: a line that opens the block, or a line at the top of
/// the quote with another number.
///
/// Overloads differ in parameters, methods in their receiver, handlers in the error, and records in a number.
pub(super) fn rewritten_head(aligned: &Aligned<'_, '_>) -> Option<usize> {
    if !is_half_there(aligned) {
        return None;
    }
    let mut openers = aligned.reading.openers().iter().copied();
    let is_other = |row: &usize| !names_same_block(aligned, *row);
    let innermost = openers.clone().next_back().filter(|row| is_replaced(aligned, *row) && is_other(row));
    let rewritten = openers.find(|row| is_rewritten(aligned, *row) && is_other(row));
    rewritten.or(innermost).or_else(|| other_number_at_top(aligned))
}

/// Returns the first row with text, if the row is less deep than the change, and the file has another name there. Statements may be
/// between the line that names a block and the lines that open the block of the change.
pub(super) fn other_name_at_top(aligned: &Aligned<'_, '_>) -> Option<usize> {
    let (row, depth) = top(aligned)?;
    let quoted = &aligned.reading.old(row).line;
    let (line, is_above) = (aligned.pairs[row].line()?, quoted.depth() < depth);
    let may_name = !uncommented(quoted.text()).1 && !begins_control(quoted.text());
    let is_named = is_above && may_name && !aligned.is_alike(row) && !names_same_block(aligned, row);
    let name = OtherName::new(aligned, row, line).filter(|_| is_named)?;
    (!name.is_one_letter_off && !aligned.file.index.holds_word(&name.quoted)).then_some(row)
}

/// Returns the first row with text and the depth of the first change, if the change is in the block of the row.
fn top(aligned: &Aligned<'_, '_>) -> Option<(usize, usize)> {
    let mut rows = aligned.reading.rows.iter().filter(|row| !row.is_blank());
    let depth = rows.next().filter(|first| first.is_context())?.line.depth();
    let mut deeper = rows.take_while(|row| row.line.depth() >= depth);
    let change = deeper.find(|row| !row.is_context())?.line.depth();
    let first = aligned.rows().find(|row| !aligned.reading.old(*row).is_blank())?;
    Some((first, change))
}

/// Returns the first row with text, if a number is all that differs, and nothing else names the block of the change.
fn other_number_at_top(aligned: &Aligned<'_, '_>) -> Option<usize> {
    let (row, _) = top(aligned)?;
    let pair =
        only_replaced_word(&aligned.reading.old(row).line, aligned.file.line(aligned.pairs[row].line()?))?;
    let is_named = |row: usize| {
        let names = || naming_field(aligned.reading.old(row).line.body()).is_some();
        aligned.is_alike(row)
            && aligned.is_telling(row)
            && (aligned.reading.openers().contains(&row) || names())
    };
    let is_other = digits(pair.quoted).ne(digits(pair.actual));
    (is_other && !aligned.rows().any(is_named)).then_some(row)
}

/// Checks whether a row reads otherwise: words differ by more than slips of letters and names of parameters. A comment names nothing,
/// and a condition may be written in another way.
fn is_rewritten(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let (Some(relation), Some(line)) = (aligned.relation(row), aligned.pairs[row].line()) else {
        return false;
    };
    let (quoted, actual) = (&aligned.reading.old(row).line, aligned.file.line(line));
    let is_condition = || begins_control(quoted.text()) && first_word(quoted) == first_word(actual);
    aligned.is_related(row)
        && relation.cost >= aligned.file.costs.word
        && !aligned.has_words(row)
        && !is_comment(quoted, actual)
        && !is_condition()
        && !has_other_parameters(quoted, actual)
        && !is_garbled(quoted, actual)
}

/// Checks whether the file does not have a line that opens a block, but another line opens the block there.
fn is_replaced(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let is_missing = !aligned.is_related(row) && begins_block(aligned.reading.old(row).line.text());
    is_missing && line_in_position(aligned, row).is_some()
}

/// Checks whether two lines differ in a few letters, at most half of each word, and in no number: words are misspelt in several places.
pub(super) fn is_garbled(quoted: &LineText<'_>, actual: &LineText<'_>) -> bool {
    /// One letter of this many may be wrong. Misspelt lines of the drift cases have three wrong letters in a line of 26.
    const LETTERS: usize = 7;
    let (q, f) = (quoted.squashed(), actual.squashed());
    let most = q.chars().count() / LETTERS;
    let is_alike = |pair: &WordPair<'_>| {
        let half = pair.quoted.chars().count().max(pair.actual.chars().count()) / 2;
        distance_within(pair.quoted, pair.actual, half).is_some()
    };
    distance_within(q, f, most).is_some()
        && digits(q).eq(digits(f))
        && replaced_words(quoted, actual).iter().all(is_alike)
}

/// Checks whether a line may be the head of a named block: no attribute, condition, closing bracket or next part of a block.
pub(super) fn is_head(line: &LineText<'_>) -> bool {
    !is_attribute(line.body()) && !begins_control(line.text()) && !closes(line.body().as_bytes())
}

/// Checks whether a line is the heading of a section.
pub(super) fn is_heading(line: &LineText<'_>) -> bool {
    matches!(Section::read(line.text().as_bytes()), Some(Section::Heading(_)))
}

/// Checks whether a line is a comment: not a selector such as `#login {`, and not a heading that has a word that the line of the file lacks,
/// and lacks a word of that line.
fn is_comment(line: &LineText<'_>, actual: &LineText<'_>) -> bool {
    let has_own = |line: &LineText<'_>, other: &LineText<'_>| {
        let is_own = |word: &&str| !words_of(other.body()).any(|other| other == *word);
        words_of(line.body()).filter(|word| word.contains(char::is_alphabetic)).any(|word| is_own(&word))
    };
    let is_other_heading = || is_heading(line) && has_own(line, actual) && has_own(actual, line);
    uncommented(line.text()).1 && !line.body().ends_with('{') && !is_other_heading()
}

fn first_word<'l>(line: &'l LineText<'_>) -> Option<&'l str> {
    line.tokens().find(|token| token.contains(is_word_char))
}

/// Checks whether the file has half of the quoted lines: fewer lines are no block.
pub(super) fn is_half_there(aligned: &Aligned<'_, '_>) -> bool {
    aligned.has_rows(1)
}
