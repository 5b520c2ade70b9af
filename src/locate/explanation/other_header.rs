//! Whether a header that the file does not have names another block than the one around a position.

use super::aligned::Aligned;
use super::names::is_head;
use super::other_name::{REACH, has_title, openers_above, without_parameters, words};
use crate::locate::align::line_text::LineText;
use crate::locate::align::relation::{WordPair, misspelt_letters};
use crate::locate::search::scope::begins_section;
use crate::locate::syntax::Section;

/// Checks whether a line that opens a block around an alignment is of the same kind as a header and has another name, and no line
/// of that kind around has the name of the header.
pub(crate) fn is_of_other_header(aligned: &Aligned<'_, '_>, header: &str) -> bool {
    let header = LineText::new(header);
    if !is_head(&header) {
        return false;
    }
    let words = words_of_head(&header);
    let heads: Vec<Vec<&str>> = heads_above(aligned, &header)
        .map(|line| words_of_head(aligned.file.line(line)))
        .filter(|head| are_of_one_kind(&words, head))
        .collect();
    let is_named = |name: &&str| heads.iter().any(|head| head.contains(name));
    let names: Option<Vec<&str>> = heads.iter().map(|head| other_name(&words, head)).collect();
    names.is_some_and(|names| !names.is_empty() && !names.iter().any(is_named))
}

/// Returns the lines that open the blocks around an alignment. In a flat text, that is the heading of the section.
fn heads_above<'a>(
    aligned: &'a Aligned<'_, '_>,
    header: &LineText<'_>,
) -> Box<dyn Iterator<Item = usize> + 'a> {
    let Some(section) = Section::read(header.text().as_bytes()) else {
        return Box::new(openers_above(aligned));
    };
    let (file, first) = (aligned.file, aligned.lines().unwrap_or_default().start);
    let begins = move |line: &usize| {
        section.ends_at(file.line(*line).text().as_bytes()) && begins_section(file.document(), *line)
    };
    Box::new(
        (first.saturating_sub(REACH)..first)
            .rev()
            .find(begins)
            .filter(|line| !aligned.is_quoted(*line))
            .into_iter(),
    )
}

/// Returns the word of a header for which a line of the same kind has another word; `None` if one is the beginning of the other, or if
/// the word is misspelt.
fn other_name<'w>(words: &[&'w str], head: &[&str]) -> Option<&'w str> {
    let (quoted, actual) = words.iter().zip(head).find(|(word, other)| !is_one_name(word, other))?;
    let pair = WordPair { quoted, actual, is_typo: false };
    (!pair.is_one_letter_off() && misspelt_letters(quoted, actual).is_none()).then_some(*quoted)
}

/// Checks whether two words are the same name, with or without the names around it: `Store::open` and `open`.
fn is_one_name(one: &str, other: &str) -> bool {
    let is_end = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.ends_with(['.', ':', '#']))
    };
    one == other || is_end(one, other) || is_end(other, one)
}

/// Checks whether a line that opens a block around an alignment has all words of a header.
pub(crate) fn is_named_around(aligned: &Aligned<'_, '_>, header: &str) -> bool {
    let header = LineText::new(header);
    let words = words_of_head(&header);
    let has_all = |line: usize| {
        let head = words_of_head(aligned.file.line(line));
        words.iter().all(|word| head.iter().any(|other| is_one_name(word, other)))
    };
    !words.is_empty() && openers_above(aligned).any(has_all)
}

/// Checks whether two lines begin with the same word, or are a single word both.
fn are_of_one_kind(words: &[&str], head: &[&str]) -> bool {
    if words.len() == 1 { head.len() == 1 } else { head.first() == words.first() }
}

/// Returns the words of a line up to the parameters of a function. The title in a call is a name: `test("adds", ...)`.
fn words_of_head<'l>(line: &'l LineText<'_>) -> Vec<&'l str> {
    let body = line.body();
    words(if has_title(body) { body } else { without_parameters(body) })
}
