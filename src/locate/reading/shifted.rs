//! A quote with another indentation than the file, beside added lines with the indentation of the file.
//!
//! Either the whole edit is shifted, or only the old lines are. The first new line of each replacement tells: it is as deep as the first
//! old line, and so either as deep as that line is quoted, or as deep as the file has it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use super::quote::{Reading, Row};
use crate::locate::align::file::File;
use crate::locate::align::map::{IndentMap, IndentPair, propose};

/// The least number of letters of a line that shows an indentation.
const TELLING_LETTERS: usize = 4;

/// How many lines of the file with the text of a row are looked at.
const MOST_LINES: usize = 50;

/// Returns the quote with the old lines as deep as in the file; `None` if the old lines are as deep as quoted, or all lines are shifted.
/// `is_text`: whether the edit is an old and a new text.
pub(super) fn with_shifted_old<'q>(
    file: &File<'_>,
    reading: &Reading<'q>,
    is_text: bool,
) -> Option<Reading<'q>> {
    if !is_text && adds_kept_line(reading) {
        return None;
    }
    firsts(reading, is_text).next()?;
    if firsts(reading, is_text).any(|(old, new)| old.line.indent() == new.line.indent()) {
        return None;
    }
    let in_file = Depths::of(file, reading);
    if !firsts(reading, is_text).all(|(old, new)| in_file.of_row(old) == Some(new.line.indent())) {
        return None;
    }
    let old: Vec<Rc<Row<'q>>> =
        reading.rows.iter().filter(|row| row.is_old()).map(|row| in_file.moved(row)).collect();
    if !is_in_file(file, reading, &old) || leaves_block(reading, &old) {
        return None;
    }
    let rows = if is_text { reading.compared(&old) } else { replaced(reading, &old) };
    let mut read = reading.with_rows(rows, in_file.map.prior(file.costs).max(file.costs.shift));
    read.undone.shifted = true;
    let removed = read.rows.iter().filter(|row| row.removes()).map(|row| row.line.text());
    let changes = !removed.eq(read.rows.iter().filter(|row| row.adds()).map(|row| row.line.text()));
    changes.then_some(read)
}

/// Returns the first old and the first new row of all replacements. Of an old and a new text, lines that stay are on both sides.
fn firsts<'r, 'q>(
    reading: &'r Reading<'q>,
    is_text: bool,
) -> impl Iterator<Item = (&'r Rc<Row<'q>>, &'r Rc<Row<'q>>)> {
    let runs = reading.rows.chunk_by(move |one, other| is_text || one.is_context() == other.is_context());
    runs.filter_map(move |run| {
        let mut changed = run.iter().filter(|row| row.has_text() && (is_text || !row.is_context()));
        Some((changed.clone().find(|row| row.is_old())?, changed.find(|row| !row.removes())?))
    })
}

/// The indentations that the file has for the old lines of a quote.
struct Depths<'f> {
    file: &'f File<'f>,
    /// The indentations of the quote, with those of the file, of lines that the file has at a single depth; `None` if these differ.
    known: BTreeMap<String, Option<Cow<'f, str>>>,
    /// The rule for other indentations.
    map: IndentMap,
}

impl<'f> Depths<'f> {
    fn of(file: &'f File<'f>, reading: &Reading<'_>) -> Self {
        let mut depths = Depths { file, known: BTreeMap::new(), map: IndentMap::Same };
        let mut counts: BTreeMap<IndentPair<'_>, i32> = BTreeMap::new();
        for row in reading.old_rows() {
            let Some(depth) = only_depth(file, row) else { continue };
            let known =
                depths.known.entry(row.line.indent().into_owned()).or_insert_with(|| Some(depth.clone()));
            *known = known.take().filter(|known| *known == depth);
            *counts.entry((row.line.indent(), depth)).or_default() += 1;
        }
        let counted: Vec<_> = counts.iter().map(|(pair, count)| (pair, *count)).collect();
        depths.map = propose(file.costs, &counted).first().copied().unwrap_or(IndentMap::Same);
        depths
    }

    fn of_row(&self, row: &Row<'_>) -> Option<Cow<'f, str>> {
        let indent = row.line.indent();
        let by_map = || self.map.apply(&indent).map(|depth| Cow::Owned(depth.into_owned()));
        let by_indent = || self.known.get(&*indent).cloned().unwrap_or_else(by_map);
        only_depth(self.file, row).or_else(by_indent)
    }

    /// Returns a row with the indentation of the file.
    fn moved<'q>(&self, row: &Rc<Row<'q>>) -> Rc<Row<'q>> {
        let depth = self.of_row(row).filter(|_| !row.is_blank());
        depth.map_or_else(
            || Rc::clone(row),
            |depth| row.with_text(format!("{depth}{}", row.line.text().trim_start())),
        )
    }
}

/// Returns the indentation of the lines of the file with the text of a row, if these are as deep as each other.
pub(super) fn only_depth<'f>(file: &'f File<'f>, row: &Row<'_>) -> Option<Cow<'f, str>> {
    if row.line.letters() < TELLING_LETTERS {
        return None;
    }
    let mut depths = file.squashed_lines(&row.line).map(|line| file.line(line).indent());
    let first = depths.next()?;
    let is_only = depths.by_ref().take(MOST_LINES).all(|other| other == first);
    (is_only && depths.next().is_none()).then_some(first)
}

/// Checks whether a line stays, and is added as well: which of the two was meant to stay depends on the indentation.
fn adds_kept_line(reading: &Reading<'_>) -> bool {
    let kept = reading.old_rows().filter(|row| row.is_context() && row.has_text());
    let kept: HashSet<&str> = kept.map(|row| row.line.body()).collect();
    reading.filled_added_rows().any(|row| kept.contains(row.line.body()))
}

/// Checks whether the file has most of the old lines as shifted, and more of these than as written.
fn is_in_file(file: &File<'_>, reading: &Reading<'_>, shifted: &[Rc<Row<'_>>]) -> bool {
    let telling = |row: &&Row<'_>| row.line.letters() >= TELLING_LETTERS;
    let known = |rows: &mut dyn Iterator<Item = &Row<'_>>| {
        rows.filter(telling).filter(|row| file.has_exactly(row.line.text())).count()
    };
    let all = reading.old_rows().filter(telling).count();
    let as_shifted = known(&mut shifted.iter().map(|row| &**row));
    2 * as_shifted >= all.max(1) && as_shifted > known(&mut reading.old_rows())
}

/// Checks whether an added line is less deep than all removed lines: these go into a block that is added, and all lines are shifted.
fn leaves_block(reading: &Reading<'_>, old: &[Rc<Row<'_>>]) -> bool {
    let depth = |row: &Row<'_>| row.line.depth();
    let least = old.iter().filter(|row| row.removes() && !row.is_blank()).map(|row| depth(row)).min();
    reading.filled_added_rows().any(|row| Some(depth(row)) < least)
}

/// Returns the rows of a reading with other old rows.
fn replaced<'q>(reading: &Reading<'q>, old: &[Rc<Row<'q>>]) -> Vec<Rc<Row<'q>>> {
    let mut old = old.iter();
    let rows = reading.rows.iter().map(|row| if row.is_old() { old.next().unwrap_or(row) } else { row });
    rows.map(Rc::clone).collect()
}
