//! Whether what an insertion defines is defined in the same block by now, with another body or value.

use std::collections::HashSet;
use std::ops::Range;

use super::types::{Explanation, Insertion};
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::search::scope::begins_section;
use crate::locate::syntax::{is_attribute, is_word_char, uncommented};

/// How far from an insertion a line is looked for.
const REACH: usize = 1_000;

/// So many names are looked for in each line before the name of the line is read.
const FEW_NAMES: usize = 8;

/// Checks whether the block around an insertion has the line that the insertion begins with, once in the file, and the quote does not
/// have that line; in a record, whether the record has a field of the name of any added field.
///
/// A line that another chunk removes is moved, and a field that the edit replaces is not new. `removed`: the lines that chunks
/// remove. `replaces`: whether a line beside the insertion is one of these.
pub(super) fn is_defined(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    insertion: &Insertion,
    removed: &HashSet<usize>,
    replaces: bool,
) -> bool {
    let filled = insertion.filled();
    let may_precede = |line: &&LineText<'_>| is_attribute(line.body()) || uncommented(line.text()).1;
    let mut from_head = filled.iter().filter(|line| line.letters() > 0).skip_while(may_precede);
    let Some(head) = from_head.next() else { return false };
    let opens = from_head.next().is_some_and(|next| next.indent().len() > head.indent().len());
    let aligned = explanation.aligned(file);
    let stays = |line: &usize| !aligned.is_quoted_alike(*line) && !removed.contains(line);
    let siblings = || siblings(file, insertion.at, head, REACH).filter(stays);
    let name_of = |line: usize| field(file.line(line).text());
    let names = if opens { HashSet::new() } else { new_names(file, explanation, &filled, head) };
    if !names.is_empty() && is_record(file, insertion.at, head) {
        // To look for a few names takes less time than to read the name of each line.
        let may_be = |line: &usize| {
            names.len() > FEW_NAMES || names.iter().any(|name| file.line(*line).text().contains(name))
        };
        let record = record_around(file, insertion.at, head);
        let mut others = siblings().filter(|line| record.contains(line) && may_be(line)).filter_map(name_of);
        return others.any(|name| names.contains(name));
    }
    !replaces && file.occurrences(head) == 1 && siblings().any(|line| file.is_same(line, head))
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
fn siblings<'a>(
    file: &'a File<'_>,
    at: usize,
    head: &LineText<'_>,
    reach: usize,
) -> impl Iterator<Item = usize> + 'a {
    let depth = head.indent().len();
    block(file, at, depth, reach)
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

/// Returns the lines around a position, at most `reach` on each side, up to a line that is less deep, or begins a section.
fn block(file: &File<'_>, at: usize, depth: usize, reach: usize) -> Range<usize> {
    let is_in = |line: &usize| file.is_blank(*line) || file.line(*line).indent().len() >= depth;
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

/// Returns the name of a field of a record, however the name is written.
fn field(line: &str) -> Option<&str> {
    let line = line.trim();
    let forms = [element, arm, assigned, required, constant, column];
    forms.iter().filter(|_| !uncommented(line).1).find_map(|form| form(line))
}

/// Returns the name of an element on a line of its own: `<cpu>4</cpu>`.
fn element(line: &str) -> Option<&str> {
    let name = line.strip_prefix('<')?.split(['>', ' ']).next()?;
    let end = line.strip_suffix('>')?.strip_suffix(name)?;
    (end.ends_with("</") && !name.is_empty()).then_some(name)
}

/// Returns the pattern of an arm: `State::Open => true,`.
fn arm(line: &str) -> Option<&str> {
    let (pattern, _) = line.strip_suffix(',')?.split_once("=>")?;
    Some(pattern.trim())
}

/// Returns the name before a colon or an equals sign, without the words that declare it: `"delete": 1`, `const MOST: usize = 1`,
/// `PORT=1`.
fn assigned(line: &str) -> Option<&str> {
    let end = line.find([':', '='])?;
    let (name, value) = (line[..end].trim(), &line[end + 1..]);
    let is_sign = |c: char| is_word_char(c) || matches!(c, ' ' | '"' | '\'' | '.' | '-' | '$' | '@');
    let is_name = !name.is_empty() && name.chars().all(is_sign) && !name.starts_with(['.', ' ']);
    let is_item = name.starts_with('-') && !name.starts_with("--");
    let last = if name.ends_with(['"', '\'']) { Some(name) } else { name.split_whitespace().next_back() };
    last.filter(|_| is_name && !is_item && !value.starts_with(['=', ':', '>', '/']))
}

/// Returns the name of a required package: `"serde>=1.0",`.
fn required(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['"', '\'']);
    let is_name = |c: char| is_word_char(c) || matches!(c, '-' | '.');
    let end = line.find(|c| !is_name(c))?;
    let version = line[end..].trim_start().trim_start_matches(['>', '<', '=', '~', '^']);
    let has_bound = line[end..].trim_start().starts_with(['>', '<', '~', '=']);
    (end > 0 && has_bound && version.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        .then_some(&line[..end])
}

/// Returns the name of a constant of an enumeration: `NOTICE(3),`.
fn constant(line: &str) -> Option<&str> {
    let (name, _) = line.strip_suffix([',', ';'])?.split_once('(')?;
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// Returns the name of a column of a table: `email TEXT NOT NULL,`.
fn column(line: &str) -> Option<&str> {
    let (name, kind) = line.split_once(' ')?;
    let kind = kind.trim_start().split(|c: char| !c.is_alphanumeric()).next()?;
    let is_kind = kind.len() > 2 && kind.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let is_name = name.chars().all(is_word_char) && name.contains(char::is_lowercase);
    (is_kind && is_name).then_some(name)
}
