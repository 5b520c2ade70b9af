//! Whether what an insertion defines is defined in the same block by now, with another body or value.

use std::collections::HashSet;
use std::ops::Range;

use super::types::{Explanation, Insertion, Obstacle};
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::search::scope::begins_section;
use crate::locate::syntax::{field, is_about_next};

/// How far from an insertion a block is looked for, and a line, if the quote is not exact.
pub(crate) const REACH: usize = 1_000;

/// How many lines of a list are looked at above and below a position.
pub(crate) const LONGEST_LIST: usize = 200;

/// So many names are looked for in each line before the name of the line is read.
const FEW_NAMES: usize = 8;

/// Returns the obstacle if the block around an insertion has the line that the insertion begins with, once in the file, and the quote does
/// not have that line; in a record, if the record has a field of the name of any added field.
///
/// A line that another chunk removes is moved, and a field that the edit replaces is not new. `removed`: the lines that chunks
/// remove. `replaces`: whether a line beside the insertion is one of these. `reach`: how far away the first line is looked for.
pub(super) fn defined(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    insertion: &Insertion,
    removed: &HashSet<usize>,
    replaces: bool,
    reach: usize,
) -> Option<Obstacle> {
    let filled = insertion.filled();
    let lettered = filled.iter().filter(|line| line.letters() > 0);
    let mut from_head = lettered.skip_while(|line| is_about_next(line.text()));
    let head = from_head.next()?;
    let opens = from_head.next().is_some_and(|next| next.depth() > head.depth());
    let aligned = explanation.aligned(file);
    let stays = |line: &usize| !aligned.is_quoted_alike(*line) && !removed.contains(line);
    let siblings = |reach| siblings(file, insertion.at, head, reach).filter(stays);
    let name_of = |line: usize| field(file.line(line).text());
    let names = if opens { HashSet::new() } else { new_names(file, explanation, &filled, head) };
    if !names.is_empty() && is_record(file, insertion.at, head) {
        // To look for a few names takes less time than to read the name of each line.
        let may_be = |line: &usize| {
            names.len() > FEW_NAMES || names.iter().any(|name| file.line(*line).text().contains(name))
        };
        let record = record_around(file, insertion.at, head);
        let mut others =
            siblings(LONGEST_LIST.max(reach)).filter(|line| record.contains(line) && may_be(line));
        let line = others.find(|line| name_of(*line).is_some_and(|name| names.contains(name)))?;
        return Some(Obstacle::InOtherForm { line });
    }
    let may_be_head = !replaces && file.occurrences(head) == 1;
    let is_defined = may_be_head && siblings(reach).any(|line| file.is_same(line, head));
    is_defined.then_some(Obstacle::MadeSince)
}

/// Returns the names of the fields that an insertion adds as deep as its first line, without those that the edit replaces.
fn new_names<'l>(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    filled: &'l [LineText<'_>],
    head: &LineText<'_>,
) -> HashSet<&'l str> {
    if field(head.text()).is_none() {
        return HashSet::new();
    }
    let replaced = explanation.removed.iter().filter_map(|line| field(file.line(*line).text()));
    let replaced: HashSet<&str> = replaced.collect();
    let is_as_deep = |line: &&LineText<'_>| line.indent() == head.indent();
    let names = filled.iter().filter(is_as_deep).filter_map(|line| field(line.text()));
    names.filter(|name| !replaced.contains(name)).collect()
}

/// Returns the lines that are as deep as a line, in the block that the line is added to, at most `reach` lines away.
pub(super) fn siblings<'a>(
    file: &'a File<'_>,
    at: usize,
    head: &LineText<'_>,
    reach: usize,
) -> impl Iterator<Item = usize> + 'a {
    let depth = head.depth();
    block(file, at, depth, reach)
        .filter(move |line| !file.is_blank(*line) && file.line(*line).depth() == depth)
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

/// Returns the lines around a position, at most `reach` on each side, up to a line that is less deep, or begins a section.
fn block(file: &File<'_>, at: usize, depth: usize, reach: usize) -> Range<usize> {
    let is_in = |line: &usize| file.is_blank(*line) || file.line(*line).depth() >= depth;
    let is_section = |line: usize| begins_section(file.document(), line);
    let above = (at.saturating_sub(reach)..at).rev().take_while(|line| is_in(line) && !is_section(*line));
    let below = at..(at + reach).min(file.len());
    let below = below.take_while(|line| is_in(line) && !is_section(*line));
    at - above.count()..at + below.count()
}

/// Checks whether the lines around a position that are as deep as a line are fields, at least two, each with a name of its own.
fn is_record(file: &File<'_>, at: usize, head: &LineText<'_>) -> bool {
    /// How many lines on each side are looked at.
    const NEAR: usize = 3;
    let near = siblings(file, at, head, NEAR);
    let fields: Option<Vec<&str>> = near.map(|line| field(file.line(line).text())).collect();
    let is_own = |(nth, name): (usize, &&str), fields: &[&str]| !fields[..nth].contains(name);
    fields.is_some_and(|fields| {
        fields.len() > 1 && fields.iter().enumerate().all(|field| is_own(field, &fields))
    })
}
