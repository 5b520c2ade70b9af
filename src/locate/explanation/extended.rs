//! Whether the line beside an insertion is its only line, changed since: with the words that tell the line from the lines around, with
//! words more at one point, or broken into several lines.

use std::collections::HashSet;

use super::named::assigns_same;
use super::types::{Explanation, Insertion};
use crate::locate::align::edit_script::changes;
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::reading::wrapped::{MOST_LINES, end_of_broken};
use crate::locate::syntax::{is_about_next, is_word_char, without_separator};

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
            && (extends(there.body(), added.body())
                || assigns_same(there.body(), added.body())
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
    extends(line, other) || assigns_same(line, other) || few_missing(&lowercase_words(other), line).is_some()
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

/// Checks whether a line is another one with words added at one position. A call with an argument more is another call.
fn extends(line: &str, other: &str) -> bool {
    let [words, others]: [Vec<&str>; 2] = [line, other].map(|text| parts(text).collect());
    let same = |(one, other): &(&&str, &&str)| one.eq_ignore_ascii_case(other);
    let above = others.iter().zip(&words).take_while(same).count();
    let below = others.iter().rev().zip(words.iter().rev()).take_while(same).count();
    let has_letters = |word: &&str| word.contains(char::is_alphabetic);
    let lettered = others.iter().copied().filter(has_letters).count();
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let has_words =
        lettered > 1 || lettered == 1 && others.iter().any(is_number) || gets_arguments(line, other);
    words.len() > others.len()
        && above + below >= others.len()
        && has_words
        && (is_about_next(other) || !is_other_call(line, other))
}

/// Returns the words of a line, and its signs, without brackets, quotation marks and separators.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    let is_between = |c: char| c.is_whitespace() || "()[]{}<>\"'`,;".contains(c);
    line.split(is_between).map(|word| word.trim_end_matches(['.', ':'])).filter(|word| !word.is_empty())
}

/// Checks whether a line is another one with arguments: `use("shop");` and `use();`, or an attribute.
fn gets_arguments(line: &str, other: &str) -> bool {
    let name = other.trim_end_matches(';').trim_end_matches("()");
    line.strip_prefix(name).is_some_and(|rest| rest.starts_with('('))
}

/// Checks whether two lines call the same, or declare the same function, with other arguments, unless one of them has none.
fn is_other_call(line: &str, other: &str) -> bool {
    same_head(line, other).is_some_and(|head| head.contains(' ') || !is_call_without_arguments(other))
}

fn is_call_without_arguments(line: &str) -> bool {
    line.split_once('(').is_some_and(|(_, arguments)| arguments.starts_with(')'))
}

/// Checks whether two lines declare the same function, with other parameters.
fn is_overload(line: &str, other: &str) -> bool {
    same_head(line, other).is_some_and(|head| head.contains(' ') && !head.contains('='))
}

/// Returns what is before the first bracket of two lines, if that is the same.
fn same_head<'l>(line: &'l str, other: &str) -> Option<&'l str> {
    let (head, _) = line.split_once('(')?;
    other.split_once('(').is_some_and(|(other, _)| head == other).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::extends;

    #[test]
    fn a_line_is_extended_by_words_at_one_position() {
        for (line, other, is_extended) in [
            ("app.use_cors(\"shop\");", "app.use_cors();", true),
            ("* Redis 7 or later", "* Redis 7", true),
            ("@Cached(ttl = 5)", "@Cached", true),
            ("First, we write the text.", "We write the text.", true),
            ("\"test\" | \"t\" => Test,", "\"test\" => Test,", true),
            ("quiet(show(sales))", "show(sales)", true),
            ("# the mean (of all)", "# the mean", true),
            ("#[derive(Debug, Clone)]", "#[derive(Debug)]", true),
            ("get('/teams/:id', teams)", "get('/teams', teams)", false),
            ("void draw(int x, int y);", "void draw(int x);", false),
            ("draw(x, y);", "draw(x);", false),
            ("make install", "make", false),
            ("* Redis Cluster", "* Redis", false),
            ("[1, 2, 3],", "[1, 2],", false),
            ("one more two more", "one two", false),
            ("a word", "a word", false),
        ] {
            assert_eq!(extends(line, other), is_extended, "{line} / {other}");
        }
    }
}
