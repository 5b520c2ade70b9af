//! Whether a header that the file does not have names another block than the one around a position.

use super::aligned::Aligned;
use super::heads::is_head;
use super::other_name::{REACH, lines_around, openers_above};
use crate::locate::align::line_text::LineText;
use crate::locate::align::words::{WordPair, digits, misspelt_letters, replaced_words};
use crate::locate::search::scope::section_at;
use crate::locate::syntax::{
    Section, begins_block, begins_branch, begins_control, has_title, is_about_opener, is_label, is_one_name,
    is_word_char, name_words, named_part, title_words, without_parameters, without_type_parameters,
};

/// What is behind the name of a class: its base classes.
const BEHIND_NAMES: [&str; 5] = [" extends ", " implements ", ": ", " : ", " < "];

/// The words that begin a block which all words behind name together.
const OF_SEVERAL_NAMES: [&str; 5] = ["impl", "instance", "extension", "given", "defimpl"];

/// Words at the end of a header that are no name: they open the block, or describe what the header names.
const NO_NAMES: [&str; 8] = ["do", "then", "begin", "body", "method", "function", "section", "block"];

/// Checks whether lines open blocks around an alignment, and none of them has the name of a header.
pub(crate) fn is_of_other_header(aligned: &Aligned<'_, '_>, header: &str) -> bool {
    let header = LineText::new(header);
    let is_element = header.body().contains("</");
    let names_block = || {
        is_head(&header)
            && has_name(&header)
            && (heads_above(aligned, &header).next().is_some() || is_beside_other(aligned, &header))
            && !is_named_by(aligned, &header)
    };
    !is_element
        && (names_block() || has_other_attribute(aligned, &header) || is_other_branch(aligned, &header))
        && !is_misspelt_above(aligned, &header)
}

/// Checks whether a header is an attribute, and a line that opens a block around an alignment has attributes: these are others.
fn has_other_attribute(aligned: &Aligned<'_, '_>, header: &LineText<'_>) -> bool {
    let is_attribute = |line: &LineText<'_>| is_about_opener(line.body());
    let is_below_attribute =
        |line: usize| line.checked_sub(1).is_some_and(|above| is_attribute(aligned.file.line(above)));
    is_attribute(header) && openers_above(aligned).any(is_below_attribute)
}

/// Checks whether a line that opens a block around an alignment is a header but for its name: the header names a sibling of that block.
pub(crate) fn is_of_sibling(aligned: &Aligned<'_, '_>, header: &str) -> bool {
    let line = LineText::new(header);
    let mut heads = heads_above(aligned, &line);
    is_of_other_header(aligned, header)
        && (heads.any(|head| has_form_of(aligned.file.line(head), &line)) || is_other_branch(aligned, &line))
}

/// Checks whether a header is a branch or another control, and the innermost line around an alignment that opens a block is that line with
/// another word or value: `case "add":` and `case "remove":`.
fn is_other_branch(aligned: &Aligned<'_, '_>, header: &LineText<'_>) -> bool {
    let body = header.body();
    let is_branch = begins_control(body) || begins_branch(body.as_bytes()) || is_label(body.as_bytes());
    let depth = depth_of_change(aligned);
    let is_less_deep = |line: &usize| aligned.file.line(*line).depth() < depth;
    let innermost = if is_branch { lines_around(aligned).find(is_less_deep) } else { None };
    innermost.filter(|line| !aligned.is_quoted(*line)).is_some_and(|line| {
        let head = aligned.file.line(line);
        has_form_of(head, header) && head.body() != body
    })
}

/// Checks whether a line above an alignment begins with the first word of a header, and is not deeper than the quote: in a flat text,
/// that line names the record, and the header another. A header that opens a block has nothing beside it.
fn is_beside_other(aligned: &Aligned<'_, '_>, header: &LineText<'_>) -> bool {
    let (file, first) = (aligned.file, aligned.lines().unwrap_or_default().start);
    let depth = file.line(first).depth();
    let word = |line: &LineText<'_>| {
        let first = line.tokens().next().filter(|word| word.starts_with(char::is_alphabetic));
        first.filter(|_| line.token_count() > 1 && !begins_block(line.text())).map(str::to_owned)
    };
    let own = word(header);
    let names = |line: usize| file.line(line).depth() <= depth && word(file.line(line)) == own;
    own.is_some() && (first.saturating_sub(REACH)..first).rev().any(names)
}

/// Checks whether two lines have the same signs, as many words, and the same first of several words.
fn has_form_of(line: &LineText<'_>, header: &LineText<'_>) -> bool {
    let is_word = |token: &&str| token.starts_with(is_word_char);
    let (own, other): (Vec<&str>, Vec<&str>) =
        (line.tokens().filter(is_word).collect(), header.tokens().filter(is_word).collect());
    let (signs, others) = (line.tokens(), header.tokens());
    own.len() == other.len()
        && (own.len() == 1 || own.first() == other.first())
        && signs.filter(|token| !is_word(token)).eq(others.filter(|token| !is_word(token)))
}

/// Checks whether a line that opens a block around an alignment has the name of a header.
pub(crate) fn is_named_around(aligned: &Aligned<'_, '_>, header: &str) -> bool {
    is_named_by(aligned, &LineText::new(header))
}

fn has_name(header: &LineText<'_>) -> bool {
    !names_of_header(&without_type_parameters(header.body())).is_empty()
}

fn is_named_by(aligned: &Aligned<'_, '_>, header: &LineText<'_>) -> bool {
    let plain = without_type_parameters(header.body());
    let names = names_of_header(&plain);
    // A name that the file has elsewhere is not misspelt.
    let is_name_of = |quoted: &str, actual: &str| {
        let pair = WordPair { quoted, actual, is_typo: false };
        is_one_name(quoted, actual) || is_misspelt(&pair) && !aligned.file.index.knows(&pair)
    };
    let has = |words: &[&str]| names.iter().all(|name| words.iter().any(|word| is_name_of(name, word)));
    let is_all = |words: &[&str]| words.iter().all(|word| names.iter().any(|name| is_name_of(name, word)));
    heads_above(aligned, header).any(|line| {
        let body = aligned.file.line(line).body();
        if has_title(&plain) && has_title(body) {
            let title = title_words(body);
            return calls_same(&plain, body) && (is_all(&title) || !names.is_empty() && has(&title));
        }
        !names.is_empty() && has(&name_words(named_part(body)))
    })
}

/// Checks whether two calls with a title are of one function: `it("adds")` and `it.only("adds")`, not `app.get("/")` and `app.put("/")`.
fn calls_same(one: &str, other: &str) -> bool {
    let (one, other) = (without_parameters(one.trim()), without_parameters(other.trim()));
    one.starts_with(other) || other.starts_with(one)
}

/// Checks whether a line above an alignment is a header with misspelt words.
fn is_misspelt_above(aligned: &Aligned<'_, '_>, header: &LineText<'_>) -> bool {
    /// How far above the line is looked for.
    const REACH: usize = 200;
    let (file, first) = (aligned.file, aligned.lines().unwrap_or_default().start);
    let is_misspelt = |line: usize| {
        let actual = file.line(line);
        if header.token_count() != actual.token_count() {
            return false;
        }
        let pairs = replaced_words(header, actual);
        let differing = header.tokens().zip(actual.tokens()).filter(|(own, other)| own != other).count();
        let has_same_digits = || digits(header.text()).eq(digits(actual.text()));
        let is_slip = |pair: &WordPair<'_>| pair.is_slip() && !file.index.knows(pair);
        differing > 0 && pairs.len() == differing && pairs.iter().all(is_slip) && has_same_digits()
    };
    (first.saturating_sub(REACH)..first).rev().any(is_misspelt)
}

/// Returns the words of a header that name its block: the words of a title or of a rule such as `@media`, the receiver and the name of a
/// method of Go, otherwise the last word before parameters, base classes and a word that opens the block.
fn names_of_header(header: &str) -> Vec<&str> {
    if has_title(header) {
        return title_words(header);
    }
    let first = header.split([' ', '<']).next();
    let has_several = first.is_some_and(|word| OF_SEVERAL_NAMES.contains(&word));
    let is_whole = has_several || header.starts_with("func (") || header.starts_with('@');
    let named = without_parameters(header);
    if is_whole {
        return name_words(named).into_iter().skip(1).collect();
    }
    let is_behind = |at: &usize| name_words(&named[..*at]).len() > 1;
    let ends = BEHIND_NAMES.iter().filter_map(|behind| named.find(behind)).filter(is_behind);
    let end = ends.min().unwrap_or(named.len());
    name_words(&named[..end]).into_iter().rfind(|word| !NO_NAMES.contains(word)).into_iter().collect()
}

/// Returns how deep in the file the first changed row is: as much deeper than the first quoted line as in the quote.
fn depth_of_change(aligned: &Aligned<'_, '_>) -> usize {
    let quoted = |row: usize| aligned.reading.old(row).line.depth();
    let mut rows = aligned.rows().filter(|row| aligned.is_filled_pair(*row));
    let Some((row, line)) = rows.find_map(|row| Some((row, aligned.pairs[row].line()?))) else { return 0 };
    let changed = aligned.reading.rows.iter().find(|row| !row.is_context() && !row.is_blank());
    let change = changed.map_or(quoted(row), |changed| changed.line.depth());
    (aligned.file.line(line).depth() + change).saturating_sub(quoted(row))
}

fn is_misspelt(pair: &WordPair<'_>) -> bool {
    misspelt_letters(pair.quoted, pair.actual).is_some()
}

/// Returns the lines that open the blocks around an alignment. In a flat text, that is the heading of the section.
fn heads_above<'a>(
    aligned: &'a Aligned<'_, '_>,
    header: &LineText<'_>,
) -> Box<dyn Iterator<Item = usize> + 'a> {
    let depth = depth_of_change(aligned);
    let Some(section) = Section::read(header.text().as_bytes()) else {
        let is_less_deep = move |line: &usize| aligned.file.line(*line).depth() < depth;
        return Box::new(openers_above(aligned).filter(is_less_deep));
    };
    let (file, first) = (aligned.file, aligned.lines().unwrap_or_default().start);
    let begins =
        move |line: &usize| section_at(file.document(), *line).is_some_and(|other| section.ends_at(other));
    Box::new(
        (first.saturating_sub(REACH)..first)
            .rev()
            .find(begins)
            .filter(|line| !aligned.is_quoted(*line))
            .into_iter(),
    )
}
