//! Whether the line beside an insertion is its only line, changed since: with the words that tell the line from the lines around, or
//! broken into several lines.

use std::collections::HashSet;

use super::named::assigns_same;
use super::types::{Explanation, Insertion};
use crate::locate::align::edit_script::changes;
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::reading::wrapped::{MOST_LINES, end_of_broken};
use crate::locate::syntax::{is_word_char, without_separator};

/// How many lines with text above and below an insertion show which words of its line tell the line from others.
const AROUND: usize = 8;

/// Returns the unquoted line right above or right below an insertion that is its only line, changed, or the first of the lines there that
/// are this line, broken. `removed`: the lines that chunks remove.
pub(super) fn extended_beside(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    insertion: &Insertion,
    removed: &HashSet<usize>,
) -> Option<usize> {
    let filled = insertion.filled();
    let [added] = &filled[..] else { return None };
    let aligned = explanation.aligned(file);
    let stays = |line: &usize| !aligned.is_quoted(*line) && !removed.contains(line);
    let beside = [file.first_filled((0..insertion.at).rev()), file.first_filled(insertion.at..file.len())];
    let mut lines = beside.into_iter().flatten().filter(stays);
    let is_changed = |line: usize| {
        let there = file.line(line);
        there.indent() == added.indent()
            && (assigns_same(there.body(), added.body())
                || !is_overload(there.body(), added.body())
                    && has_telling_words(file, insertion.at, line, added))
    };
    lines.find(|line| is_changed(*line)).or_else(|| broken_beside(file, added, insertion.at, stays))
}

/// Checks whether a line has most words of an added line, and all of those that no other line around the insertion has: a line with
/// another name has another such word.
fn has_telling_words(file: &File<'_>, at: usize, line: usize, added: &LineText<'_>) -> bool {
    let own = lowercase_words(added.body());
    let Some(missing) = few_missing(&own, file.line(line).body()) else { return false };
    let is_other = |other: &usize| *other != line && !file.is_blank(*other);
    let above = (0..at).rev().filter(is_other).take(AROUND);
    let around = above.chain((at..file.len()).filter(is_other).take(AROUND));
    let known: HashSet<String> = around.flat_map(|other| lowercase_words(file.line(other).body())).collect();
    let is_telling = |word: &String| !known.contains(word);
    !known.is_empty() && own.iter().any(is_telling) && !missing.into_iter().any(|nth| is_telling(&own[nth]))
}

/// Checks whether a line may be another line, changed.
pub(crate) fn may_be_changed(line: &str, other: &str) -> bool {
    assigns_same(line, other) || few_missing(&lowercase_words(other), line).is_some()
}

/// Returns the words that a line does not have in the same order; `None` if more than one of three words is missing, or there is only one.
fn few_missing(words: &[String], line: &str) -> Option<Vec<usize>> {
    /// One word of this many may be missing.
    const WORDS: usize = 3;
    let there = lowercase_words(line);
    let missing: Vec<usize> = changes(words, &there).into_iter().flat_map(|change| change.old).collect();
    (words.len() > 1 && missing.len() * WORDS <= words.len()).then_some(missing)
}

/// Returns the words of a line; words joined by a hyphen are one word.
fn lowercase_words(line: &str) -> Vec<String> {
    let words = line.split(|c: char| !is_word_char(c) && c != '-').map(|word| word.trim_matches('-'));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Returns the first of the lines right above or right below a position that are one line, broken. `stays`: which lines count.
fn broken_beside(
    file: &File<'_>,
    added: &LineText<'_>,
    at: usize,
    stays: impl Fn(&usize) -> bool,
) -> Option<usize> {
    let is_end = |line: &usize| is_part(file.line(*line), added);
    let end_above = file.first_filled((0..at).rev()).filter(is_end).map_or(0, |line| line + 1);
    let starts = end_above.saturating_sub(MOST_LINES)..end_above;
    let mut starts = starts.chain(file.first_filled(at..file.len()));
    starts.find(|start| {
        let is_beside = |end: &usize| *start >= at || *end == end_above;
        file.line(*start).indent() == added.indent()
            && end_of_broken(file, added, *start)
                .filter(is_beside)
                .is_some_and(|end| (*start..end).all(|line| stays(&line)))
    })
}

/// Checks whether the text of a line is in another line.
pub(crate) fn is_part(line: &LineText<'_>, of: &LineText<'_>) -> bool {
    of.squashed().contains(without_separator(line.squashed()))
}

/// Checks whether two lines declare the same function, with other parameters.
fn is_overload(line: &str, other: &str) -> bool {
    let heads = [line, other].map(|line| line.split_once('(').map(|(head, _)| head));
    heads[0] == heads[1] && heads[0].is_some_and(|head| head.contains(' ') && !head.contains('='))
}
