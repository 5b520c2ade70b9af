//! Whether what an insertion defines is defined in the same block by now, with another body or value.

use std::collections::HashSet;
use std::ops::Range;

use super::names::is_attribute;
use super::types::{Explanation, Insertion};
use crate::locate::align::file::File;
use crate::locate::align::line_text::{LineText, is_word_char, uncommented};
use crate::locate::search::scope::{begins_control, begins_section};

/// Checks whether the block around an insertion has what the insertion begins with, and the quote does not have that line: a
/// line that opens the same block, a field of the same name in a record, or the same line in a list of declarations.
///
/// A line that another chunk removes is moved. `removed`: the lines that chunks remove.
pub(super) fn is_defined(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    insertion: &Insertion,
    removed: &HashSet<usize>,
) -> bool {
    let filled = insertion.filled();
    let may_precede = |line: &&LineText<'_>| is_attribute(line) || uncommented(line.text()).1;
    let mut from_head = filled.iter().filter(|line| line.letters() > 0).skip_while(may_precede);
    let Some(head) = from_head.next() else { return false };
    let opens = from_head.next().is_some_and(|next| next.indent().len() > head.indent().len());
    let aligned = explanation.aligned(file);
    let stays = |line: &usize| !aligned.is_quoted_alike(*line) && !removed.contains(line);
    let siblings = || siblings(file, insertion.at, head).filter(stays);
    // A call has the same first line as another call.
    let is_call = head.body().ends_with(['(', '[']);
    let is_definition = opens && !is_call && !begins_control(head.text());
    match field(head.text()).filter(|_| !opens && is_record(file, insertion.at, head)) {
        Some(name) => {
            let record = record_around(file, insertion.at, head);
            siblings().any(|line| record.contains(&line) && field(file.line(line).text()) == Some(name))
        }
        None => {
            (is_definition || !opens && is_in_list(file, insertion.at, head))
                && file.occurrences(head) == 1
                && siblings().any(|line| file.is_same(line, head))
        }
    }
}

/// Checks whether the line above or below a position declares the same kind of thing as a line: `import`, `mod`, `use`.
fn is_in_list(file: &File<'_>, at: usize, head: &LineText<'_>) -> bool {
    let keyword = |line: &LineText<'_>| {
        let word = line.text().split_whitespace().next().unwrap_or_default();
        (word.len() < line.body().len() && word.chars().all(is_word_char)).then(|| word.to_owned())
    };
    let above = file.first_filled((0..at).rev());
    let mut beside = above.into_iter().chain(file.first_filled(at..file.len()));
    !begins_control(head.text())
        && keyword(head).is_some()
        && beside.any(|line| keyword(file.line(line)) == keyword(head))
}

/// Returns the lines that are as deep as a line, in the block that the line is added to.
fn siblings<'a>(file: &'a File<'_>, at: usize, head: &'a LineText<'_>) -> impl Iterator<Item = usize> + 'a {
    let depth = head.indent().len();
    block(file, at, depth)
        .filter(move |line| !file.is_blank(*line) && file.line(*line).indent().len() == depth)
}

/// Returns the lines that may be of the record around a position: at the margin, a blank line or a line of dashes may end a record.
fn record_around(file: &File<'_>, at: usize, head: &LineText<'_>) -> Range<usize> {
    if !head.indent().is_empty() {
        return 0..file.len();
    }
    let is_in = |line: &usize| {
        let text = file.line(*line).body();
        !text.is_empty() && !text.bytes().all(|byte| byte == b'-')
    };
    let above = (0..at).rev().take_while(is_in);
    at - above.count()..at + (at..file.len()).take_while(is_in).count()
}

/// Returns the lines around a position, up to a line that is less deep, or begins a section.
fn block(file: &File<'_>, at: usize, depth: usize) -> Range<usize> {
    /// How far from the position a line is looked for.
    const REACH: usize = 1_000;
    let is_in = |line: &usize| file.is_blank(*line) || file.line(*line).indent().len() >= depth;
    let is_section = |line: usize| begins_section(file.document(), line);
    let above = (at.saturating_sub(REACH)..at).rev().take_while(|line| is_in(line) && !is_section(*line));
    let below = at..(at + REACH).min(file.len());
    let below = below.take_while(|line| is_in(line) && !is_section(*line));
    at - above.count()..at + below.count()
}

/// Checks whether the lines around a position that are as deep as a line are fields, and at least two.
fn is_record(file: &File<'_>, at: usize, head: &LineText<'_>) -> bool {
    /// How many lines on each side are looked at.
    const REACH: usize = 3;
    let near =
        siblings(file, at, head).skip_while(|line| line + REACH < at).take_while(|line| *line < at + REACH);
    let fields: Vec<bool> = near.map(|line| field(file.line(line).text()).is_some()).collect();
    fields.len() > 1 && fields.iter().all(|is_field| *is_field)
}

/// Returns the name of a field, with the words that declare it: `"delete": 1`, `const MOST: usize = 1`, `PORT=1`.
fn field(line: &str) -> Option<&str> {
    let (text, is_comment) = uncommented(line);
    let end = text.find([':', '='])?;
    let (name, value) = (text[..end].trim(), &text[end + 1..]);
    let is_sign = |c: char| is_word_char(c) || matches!(c, ' ' | '"' | '\'' | '.' | '-' | '$' | '@');
    let is_name = !name.is_empty() && name.chars().all(is_sign) && !name.starts_with(['-', '.']);
    (!is_comment && is_name && !value.starts_with(['=', ':', '>', '/'])).then_some(name)
}
