//! Whether a line that opens a block reads otherwise, and still names the same block.
//!
//! A signature, a condition or a selector grows: the file has all words of the quoted line, and more. Words that only the quote has are
//! another matter, because what is added may need them: the parameter of an overload that is gone.

use super::aligned::Aligned;
use crate::locate::align::line_text::LineText;
use crate::locate::search::scope::Scope;
use crate::locate::syntax::{
    are_among, begins_block, begins_control, defines_alone, has_other_signs, is_about_opener, is_head_end,
    is_opposite, name_words, named_part,
};
use crate::text::Fold;

/// How many lines with the name of a function are looked at.
const MOST_LINES: usize = 100;

/// Checks whether a row opens a block, and what the file has there opens a block of the same name, though the lines differ.
pub(super) fn names_same_block(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    if !aligned.reading.openers().contains(&row) || aligned.is_alike(row) {
        return false;
    }
    let Some(line) = line_in_position(aligned, row) else { return false };
    let (quoted, actual) = (&aligned.reading.old(row).line, aligned.file.line(line));
    // The quote may leave out lines below, such as a comment.
    if quoted.letters() > 0 && quoted.squashed() == actual.squashed() && begins_block(quoted.text()) {
        return true;
    }
    if begins_control(quoted.text()) {
        return are_among(quoted.tokens(), actual.tokens(), str::eq)
            && !is_opposite(quoted.tokens(), actual.tokens())
            && is_in_named_block(aligned, row);
    }
    let is_word = quoted.letters() > 0;
    let has_grown = is_word
        && !has_other_signs(quoted.body(), actual.body())
        && are_among(parts(quoted.body()), parts(actual.body()), str::eq);
    if is_function(quoted) && is_function(actual) {
        // In C++, a constant function and one that is not are two functions.
        let constants = |line: &LineText<'_>| line.tokens().filter(|token| *token == "const").count();
        let is_overload = || constants(actual) > constants(quoted);
        let has_other_parameters = || defines_alone(quoted.body()) && head(quoted) == head(actual);
        return (has_grown && !is_overload() || has_other_parameters())
            && name(quoted) == name(actual)
            && has_one_declaration(aligned, row);
    }
    has_grown && !is_about_opener(quoted.body())
}

/// Checks whether a line that opens a block around a row is in the file, once, or names the same block. A condition may read otherwise
/// there. A condition around names nothing by itself.
fn is_in_named_block(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let is_there = |opener: usize| aligned.is_alike(opener) && aligned.is_telling(opener);
    let names = |opener: usize| !begins_control(aligned.reading.old(opener).line.text());
    let mut outer = aligned.reading.openers().iter().copied().take_while(|opener| *opener < row);
    outer.any(|opener| is_there(opener) || names(opener) && names_same_block(aligned, opener))
}

/// Returns the words of a line. A pattern may have several: `restart|reload)`.
fn parts(body: &str) -> impl Iterator<Item = &str> {
    name_words(body).into_iter().flat_map(|word| word.split('|')).filter(|word| !word.is_empty())
}

/// Checks whether a line has parameters, or begins to list parameters.
fn is_function(line: &LineText<'_>) -> bool {
    head(line).len() < line.body().len()
}

fn head<'l>(line: &'l LineText<'_>) -> &'l str {
    named_part(line.body())
}

/// Returns the name that a line declares: the receiver of a method of Go, and the last word before the parameters.
fn name<'l>(line: &'l LineText<'_>) -> (Option<&'l str>, Option<&'l str>) {
    let receiver = head(line).strip_prefix("func (").and_then(|rest| rest.split_once(')'));
    (receiver.map(|(receiver, _)| receiver), name_words(head(line)).last().copied())
}

/// Checks whether the file, or the block that the quote names around a row, declares the function of the row once at most: overloads, and
/// methods of several types, share a name.
fn has_one_declaration(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let file = aligned.file;
    let name_of = name(&aligned.reading.old(row).line);
    let Some(word) = name_of.1 else { return false };
    let lines = file.index.lines_with_word(&format!("{word}("), MOST_LINES);
    let around = named_block(aligned, row);
    let is_near = |line: usize| around.is_none_or(|around| around.holds(line, line));
    let is_declaration =
        |line: &usize| is_near(*line) && name(file.line(*line)) == name_of && may_declare(file.line(*line));
    lines.len() < MOST_LINES && lines.into_iter().filter(is_declaration).nth(1).is_none()
}

/// Checks whether the quoted lines are in the block that a row opens, and the file has that row once: lines that were left out may be
/// between.
pub(super) fn is_block_around(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let lines = aligned.lines().unwrap_or_default();
    let block = only_block(aligned, row, Fold::Trim).filter(|block| block.is_known);
    block.is_some_and(|block| block.line < lines.start && lines.end <= block.end)
}

/// Returns the innermost block around a row that the quote names: the file has the line that opens the block, once.
pub(super) fn named_block(aligned: &Aligned<'_, '_>, row: usize) -> Option<Scope> {
    let outer = aligned.reading.openers().iter().copied().take_while(|outer| *outer < row);
    let there = outer.filter(|outer| aligned.is_alike(*outer)).last()?;
    only_block(aligned, there, Fold::Exact).filter(|block| block.is_known)
}

/// Returns the scope of the only line of the file that is a row, compared with a fold.
pub(super) fn only_block(aligned: &Aligned<'_, '_>, row: usize, fold: Fold) -> Option<Scope> {
    let places = aligned.file.index.line_places(fold, aligned.reading.old(row).line.text());
    let [line] = places[..] else { return None };
    let document = aligned.file.document();
    Some(Scope::of_line(document, line as usize, document.len()))
}

/// Checks whether a line with the name of a function may declare the function: no call, and no prototype.
fn may_declare(line: &LineText<'_>) -> bool {
    let head = head(line);
    let is_call = || line.body().ends_with(';') || head.contains(['=', '.']) || head.starts_with("return ");
    begins_block(line.text()) || name_words(head).len() > 1 && !is_call()
}

/// Returns the line of the file in the position of a row that opens a block: its partner, or, if that is another text, the line
/// that opens the block of the next quoted line.
pub(super) fn line_in_position(aligned: &Aligned<'_, '_>, row: usize) -> Option<usize> {
    /// How far above the next quoted line the line is looked for.
    const REACH: usize = 200;
    if aligned.is_related(row) {
        return aligned.pairs[row].line();
    }
    let file = aligned.file;
    let next = (row + 1..aligned.pairs.len()).find(|next| aligned.shows_indentation(*next))?;
    let below = aligned.pairs[next].line()?;
    let depth = |line: usize| file.line(line).depth();
    let mut above = (below.saturating_sub(REACH)..below).rev().filter(|line| !file.is_blank(*line));
    let line = if aligned.reading.old(row).line.depth() < aligned.reading.old(next).line.depth() {
        above.find(|line| depth(*line) < depth(below) && !is_head_end(file.line(*line).body()))
    } else {
        above.next()
    };
    // Lines of the file are quoted in their order.
    let is_not_above =
        |line: usize| move |row: &usize| aligned.pairs[*row].line().is_none_or(|of_row| of_row >= line);
    line.filter(|line| {
        let mut near = (0..next).rev().take_while(is_not_above(*line));
        !near.any(|row| aligned.pairs[row].line() == Some(*line) && aligned.is_related(row))
    })
}
