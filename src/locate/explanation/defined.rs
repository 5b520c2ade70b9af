//! Whether what an insertion defines is defined in the same block by now, with another body or value.

use std::collections::HashSet;
use std::ops::Range;

use super::types::{Explanation, Insertion, Obstacle};
use super::unmade::has_once;
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::search::scope::section_at;
use crate::locate::syntax::{Section, field, is_about_next, uncommented};

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
    let head = head(&filled)?;
    let names = names_in_record(file, explanation, insertion, &filled);
    if !names.is_empty() {
        return same_field(file, explanation, insertion, removed, reach, &names);
    }
    if replaces || file.occurrences(head) != 1 || !has_once(file, explanation, head.body()) {
        return None;
    }
    let mut others = siblings(file, insertion.at, head, reach).filter(stays(file, explanation, removed));
    others.any(|line| file.is_same(line, head)).then_some(Obstacle::MadeSince)
}

/// Returns the obstacle if the record that lines are added to has a field of the name of an added field.
pub(super) fn defined_in_record(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    insertion: &Insertion,
    removed: &HashSet<usize>,
) -> Option<Obstacle> {
    let filled = insertion.filled();
    let names = names_in_record(file, explanation, insertion, &filled);
    if names.is_empty() {
        None
    } else {
        same_field(file, explanation, insertion, removed, LONGEST_LIST, &names)
    }
}

/// Returns the obstacle if one of some names is that of another field of the record around an insertion.
fn same_field(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    insertion: &Insertion,
    removed: &HashSet<usize>,
    reach: usize,
    names: &HashSet<&str>,
) -> Option<Obstacle> {
    let filled = insertion.filled();
    let head = head(&filled)?;
    // To look for a few names takes less time than to read the name of each line.
    let may_be = |line: &usize| {
        names.len() > FEW_NAMES || names.iter().any(|name| file.line(*line).text().contains(name))
    };
    let record = record_around(file, insertion.at, head);
    let others = siblings(file, insertion.at, head, LONGEST_LIST.max(reach));
    let mut others =
        others.filter(stays(file, explanation, removed)).filter(|line| record.contains(line) && may_be(line));
    let has_name = |line: &usize| field(file.line(*line).text()).is_some_and(|name| names.contains(name));
    let line = others.find(has_name)?;
    let is_same = filled.iter().any(|added| file.is_same(line, added));
    Some(if is_same { Obstacle::MadeSince } else { Obstacle::InOtherForm { line } })
}

/// Returns the first line with letters that is neither a comment nor an attribute.
fn head<'l, 't>(filled: &'l [LineText<'t>]) -> Option<&'l LineText<'t>> {
    filled.iter().find(|line| line.letters() > 0 && !is_about_next(line.text()))
}

/// Returns whether a line is neither quoted nor removed.
fn stays<'a>(
    file: &'a File<'_>,
    explanation: &'a Explanation<'_>,
    removed: &'a HashSet<usize>,
) -> impl Fn(&usize) -> bool + 'a {
    let aligned = explanation.aligned(file);
    move |line| !aligned.is_quoted_alike(*line) && !removed.contains(line)
}

/// Returns the names of the fields that an insertion adds to a record, as deep as its first line, without those that the edit replaces.
fn names_in_record<'l>(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    insertion: &Insertion,
    filled: &'l [LineText<'_>],
) -> HashSet<&'l str> {
    let mut from_head =
        filled.iter().filter(|line| line.letters() > 0).skip_while(|line| is_about_next(line.text()));
    let Some(head) = from_head.next().filter(|head| field(head.text()).is_some()) else {
        return HashSet::new();
    };
    let opens = from_head.next().is_some_and(|next| next.depth() > head.depth());
    if opens || insertion.spans_tables() || !is_record(file, insertion.at, head) {
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
    block(file, at, depth, None, reach)
        .filter(move |line| !file.is_blank(*line) && file.line(*line).depth() == depth)
}

/// Returns the lines that may be of the record around a position: at the margin, a blank line or a line of dashes may end a record, unless the
/// record has a heading in brackets.
fn record_around(file: &File<'_>, at: usize, head: &LineText<'_>) -> Range<usize> {
    if !head.indent().is_empty() || has_heading(file, at) {
        return 0..file.len();
    }
    let is_in = |line: &usize| {
        let text = file.line(*line).body();
        !text.is_empty() && !text.bytes().all(|byte| byte == b'-')
    };
    let above = (0..at).rev().take_while(is_in);
    at - above.count()..at + (at..file.len()).take_while(is_in).count()
}

/// Checks whether a position is below a heading in brackets, which names all lines up to the next.
fn has_heading(file: &File<'_>, at: usize) -> bool {
    let is_heading =
        |line: usize| file.line(line).text().starts_with('[') && section_at(file.document(), line).is_some();
    (at.saturating_sub(REACH)..at).rev().any(is_heading)
}

/// Returns the lines around a position, at most `reach` on each side, up to a line that is less deep, or begins a section. The sections
/// beside one that is added, and below, are in the same block: `section`.
pub(super) fn block(
    file: &File<'_>,
    at: usize,
    depth: usize,
    section: Option<Section>,
    reach: usize,
) -> Range<usize> {
    let is_in = |line: &usize| file.is_blank(*line) || file.line(*line).depth() >= depth;
    let is_section = |line: usize| {
        let other = section_at(file.document(), line);
        other.is_some_and(|other| !section.is_some_and(|own| other.ends_at(own)))
    };
    let above = (at.saturating_sub(reach)..at).rev().take_while(|line| is_in(line) && !is_section(*line));
    let below = at..(at + reach).min(file.len());
    let below = below.take_while(|line| is_in(line) && !is_section(*line));
    at - above.count()..at + below.count()
}

/// Checks whether the lines around a position that are as deep as a line are fields, at least two, each with a name of its own. Fields that are
/// commented out, and comments below a heading, are between.
fn is_record(file: &File<'_>, at: usize, head: &LineText<'_>) -> bool {
    /// How many lines on each side are looked at.
    const NEAR: usize = 3;
    let is_between = |line: &usize| {
        let (text, is_comment) = uncommented(file.line(*line).body());
        is_comment && (field(text).is_some() || has_heading(file, at))
    };
    let near = siblings(file, at, head, NEAR).filter(|line| !is_between(line));
    let fields: Option<Vec<&str>> = near.map(|line| field(file.line(line).text())).collect();
    let is_own = |(nth, name): (usize, &&str), fields: &[&str]| !fields[..nth].contains(name);
    fields.is_some_and(|fields| {
        fields.len() > 1 && fields.iter().enumerate().all(|field| is_own(field, &fields))
    })
}
