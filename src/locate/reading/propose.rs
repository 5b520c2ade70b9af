//! The readings of a quote that the file indicates: without blank ends, line numbers, `\n` as two characters, dots, or with
//! the signs read differently.

use std::cell::LazyCell;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::dots::{self, Dots};
use super::numbers;
use super::quote::{Reading, Row};
use super::shifted;
use super::trimmed;
use super::wrapped;
use crate::locate::align::file::File;
use crate::locate::align::line_text::indent;
use crate::locate::align::relation::{Class, relate};

/// Returns the readings of an edit that the file indicates, the plain reading first.
/// `is_text`: whether the edit is an old and a new text. `literal`: the quote is read as written.
pub(crate) fn readings<'q>(
    file: &File<'_>,
    plain: &Reading<'q>,
    is_text: bool,
    literal: bool,
) -> Vec<Reading<'q>> {
    let may_be_shifted = !literal && plain.exact_positions(file).is_empty();
    let shifted = || shifted::with_shifted_old(file, plain, is_text);
    let shifted = may_be_shifted.then(|| trimmed::with_indentation(file, plain).or_else(shifted)).flatten();
    let plain = shifted.as_ref().unwrap_or(plain);
    let mut readings = vec![plain.clone()];
    add(&mut readings, |reading| without_blank_end(file, reading));
    add(&mut readings, |reading| without_blank_start(file, reading));
    if literal {
        return readings;
    }
    // A quote that is in the file to the byte gives no cause for readings that the file has to lack the quote for.
    let is_exact = !readings[0].exact_positions(file).is_empty();
    if !is_exact {
        readings = misread(file, plain, is_text, readings);
    }
    if has_items(file, plain, is_exact) {
        add(&mut readings, |reading| items_as_context(file, reading));
    }
    with_dots_cut_out(file, readings)
}

/// Returns the readings with their dots in place of lines. Dots that the file has may also be text.
fn with_dots_cut_out<'q>(file: &File<'_>, readings: Vec<Reading<'q>>) -> Vec<Reading<'q>> {
    let mut more = Vec::new();
    let mut kept = Vec::with_capacity(readings.len());
    for reading in readings {
        let shown = dots::shown(file, &reading);
        if shown != Dots::None {
            more.push(dots::cut_out(file, &reading));
        }
        if shown != Dots::Shown {
            kept.push(reading);
        }
    }
    kept.extend(more);
    kept
}

/// Returns the readings of a quote with lines that the file does not have as quoted.
fn misread<'q>(
    file: &File<'_>,
    plain: &Reading<'q>,
    is_text: bool,
    mut readings: Vec<Reading<'q>>,
) -> Vec<Reading<'q>> {
    let remnants = remnants(file, plain);
    if !remnants.is_empty() {
        readings = readings.iter().map(|reading| without_remnants(file, reading, &remnants)).collect();
    }
    if numbers::are_numbered(file, plain) {
        add(&mut readings, |reading| {
            let read = numbers::without_numbers(file, reading)?;
            Some(if is_text { with_kept_lines(&read) } else { read })
        });
    }
    if has_line_breaks(file, plain) {
        add(&mut readings, |reading| with_lines_split(file, reading));
    }
    add(&mut readings, |reading| wrapped::with_breaks_of_file(file, reading));
    add(&mut readings, |reading| without_repeats(file, reading));
    if column_is_lost(file, plain) {
        add(&mut readings, |reading| without_column(file, reading));
    }
    readings.into_iter().map(|reading| unsigned_as_added(file, &reading).unwrap_or(reading)).collect()
}

/// Returns the reading of an old and a new text with the lines that are in both, as read, as lines that stay.
fn with_kept_lines<'q>(reading: &Reading<'q>) -> Reading<'q> {
    let old: Vec<Rc<Row<'q>>> = reading.rows.iter().filter(|row| row.is_old()).map(Rc::clone).collect();
    reading.with_rows(reading.compared(&old), 0)
}

/// Adds another reading for each that there is.
fn add<'q>(readings: &mut Vec<Reading<'q>>, read: impl Fn(&Reading<'q>) -> Option<Reading<'q>>) {
    let more: Vec<Reading<'q>> = readings.iter().filter_map(read).collect();
    readings.extend(more);
}

/// Returns the quote without the empty lines at its end, which may only separate chunks.
fn without_blank_end<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let empty = reading.rows.iter().rev().take_while(|row| row.is_separator()).count();
    let kept = reading.rows.len() - empty;
    if empty == 0 || kept == 0 {
        return None;
    }
    let mut read = reading.with_rows(reading.rows[..kept].to_vec(), file.costs.read_blank);
    read.undone.blank_ends = true;
    Some(read)
}

/// Returns the quote without the empty lines at its start, if the next line is also quoted, because that line
/// determines the position.
fn without_blank_start<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let empty = reading.rows.iter().take_while(|row| row.is_separator()).count();
    let next = reading.rows.get(empty).filter(|row| empty > 0 && row.is_old())?;
    if next.is_blank() {
        return None;
    }
    let mut read = reading.with_rows(reading.rows[empty..].to_vec(), file.costs.read_blank);
    read.undone.blank_ends = true;
    Some(read)
}

/// Returns the characters of quoted lines that a copy from a page or a document leaves, and that the file does not have.
fn remnants(file: &File<'_>, reading: &Reading<'_>) -> Vec<char> {
    let written = reading.old_rows().filter(|row| !row.line.text().is_ascii());
    let mut found: Vec<char> = written.flat_map(|row| row.line.text().chars()).collect();
    found.retain(|c| without_remnant(*c).is_some());
    found.sort_unstable();
    found.dedup();
    found.retain(|c| !file.index.holds_text(c.encode_utf8(&mut [0; 4])));
    found
}

/// Returns the text without a character that a copy leaves: an invisible character, or a space that does not break.
fn without_remnant(c: char) -> Option<&'static str> {
    match c {
        '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' | '\u{200E}' | '\u{200F}' => Some(""),
        '\u{A0}' | '\u{202F}' => Some(" "),
        _ => None,
    }
}

/// Returns the quote without these characters. The added lines come from the same copy.
fn without_remnants<'q>(file: &File<'_>, reading: &Reading<'q>, remnants: &[char]) -> Reading<'q> {
    let mut read = reading.mapped(file.costs.look_alike, |row| {
        let text = row.line.text();
        text.contains(remnants).then(|| {
            let mut plain = String::with_capacity(text.len());
            for c in text.chars() {
                match without_remnant(c).filter(|_| remnants.contains(&c)) {
                    Some(text) => plain.push_str(text),
                    None => plain.push(c),
                }
            }
            row.with_text(plain)
        })
    });
    read.undone.remnants = true;
    read
}

/// Checks whether a quoted line has the two characters, and the file does not have the line.
fn has_line_breaks(file: &File<'_>, reading: &Reading<'_>) -> bool {
    reading.old_rows().any(|row| has_line_break(file, row))
}

/// Returns the quote with these lines split.
fn with_lines_split<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let mut rows: Vec<Rc<Row<'q>>> = Vec::with_capacity(reading.rows.len());
    for row in &reading.rows {
        if row.is_context() && has_line_break(file, row) {
            rows.extend(row.line.text().split("\\n").map(|text| row.with_text(text.to_owned())));
        } else {
            rows.push(Rc::clone(row));
        }
    }
    (rows.len() > reading.rows.len()).then(|| {
        let mut read = reading.with_rows(rows, file.costs.read_line_break);
        read.undone.line_breaks = true;
        read
    })
}

fn has_line_break(file: &File<'_>, row: &Row<'_>) -> bool {
    row.line.text().contains("\\n") && !file.has_squashed(&row.line)
}

/// Returns the quote without context lines that repeat the line above, if the file has no two such lines in a row.
fn without_repeats<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let is_twice_in_file = |row: &Row<'_>| {
        let mut lines = file.squashed_lines(&row.line);
        lines
            .any(|line| line + 1 < file.len() && file.line(line).squashed() == file.line(line + 1).squashed())
    };
    let mut rows: Vec<Rc<Row<'q>>> = Vec::with_capacity(reading.rows.len());
    for row in &reading.rows {
        let is_repeat = rows.last().is_some_and(|above| {
            let are_context = above.is_context() && row.is_context() && !row.is_blank();
            are_context && above.line.text() == row.line.text()
        });
        if !is_repeat || is_twice_in_file(row) {
            rows.push(Rc::clone(row));
        }
    }
    if rows.len() == reading.rows.len() {
        return None;
    }
    let mut read = reading.with_rows(rows, file.costs.read_item);
    read.undone.repeats = true;
    // One line that is left does not tell what was repeated.
    (read.filled_old_rows().count() > 1).then_some(read)
}

/// Checks whether the sign column may be missing: a context line is in the file, but never at the depth that remains without the
/// first column. If all lines are in the file one column less deep, and the file has lines as deep as the added ones would be, all only
/// have a space too many.
fn column_is_lost(file: &File<'_>, reading: &Reading<'_>) -> bool {
    let context = || reading.filled_old_rows().filter(|row| row.is_context() && row.signed);
    let is_elsewhere = |row: &Row<'_>| {
        let mut lines = file.squashed_lines(&row.line).peekable();
        lines.peek().is_some() && lines.all(|line| file.line(line).indent() != row.line.indent())
    };
    let is_one_too_deep = |row: &Row<'_>| {
        let mut lines = file.squashed_lines(&row.line).take(MOST_LINES_OF_ROW).peekable();
        lines.peek().is_none() || lines.any(|line| file.line(line).depth() + 1 == row.line.depth())
    };
    let depths = LazyCell::new(|| depths_of(file));
    let is_deep =
        |row: &Row<'_>| row.line.depth().checked_sub(1).is_some_and(|depth| depths.contains(&depth));
    context().any(is_elsewhere)
        && !(context().all(is_one_too_deep) && reading.filled_added_rows().all(is_deep))
}

/// How many lines of the file with the text of a quoted line are looked at.
const MOST_LINES_OF_ROW: usize = 100;

/// Returns the quote with the context as written: the character in the sign column is text.
fn without_column<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    if reading.undone.line_numbers {
        return None;
    }
    let mut read = reading.mapped(file.costs.read_signs, |row| {
        (row.is_context() && row.signed && !row.is_blank()).then(|| row.as_raw_context())
    });
    read.undone.signs = true;
    Some(read)
}

/// Returns the quote with the lines that lost the sign of an added line as added lines; `None` if there are none.
fn unsigned_as_added<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let mut unsigned = unsigned_additions(file, reading);
    unsigned.extend(unsigned_blanks(file, reading));
    if unsigned.is_empty() {
        return None;
    }
    let mut rows = reading.rows.clone();
    for nth in unsigned {
        let row = &rows[nth];
        let is_text = row.is_unsigned_text() || row.is_blank();
        rows[nth] = if is_text { row.as_added() } else { row.as_raw_context().as_added() };
    }
    let mut read = reading.with_rows(rows, file.costs.read_item);
    read.undone.added_signs = true;
    Some(read)
}

/// After so many lines without a sign, further ones stay context: each is compared with every line of the file.
const MOST_UNSIGNED: usize = 20;

/// Returns the rows without a sign that are between added lines and not in the file: these lines were meant as additions. A line that is
/// in the file, exactly or nearly, is context.
fn unsigned_additions(file: &File<'_>, reading: &Reading<'_>) -> Vec<usize> {
    let rows = &reading.rows;
    let may_lack_sign = |row: &Row<'_>| row.is_unsigned_text() || may_lack_column(row);
    let depths = LazyCell::new(|| depths_of(file));
    let lacks_sign = |row: &Row<'_>| row.is_unsigned_text() || lacks_column(row, &depths);
    let mut found = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let end = at + rows[at..].iter().take_while(|row| may_lack_sign(row)).count();
        let is_between = at > 0 && rows[at - 1].adds() && rows.get(end).is_some_and(|row| row.adds());
        if is_between && found.len() < MOST_UNSIGNED && rows[at..end].iter().all(|row| lacks_sign(row)) {
            found.extend((at..end).filter(|nth| !is_there(file, reading, &rows[*nth])));
        }
        at = end.max(at + 1);
    }
    found
}

/// Returns the empty rows without a sign that were meant as additions: beside added lines, where more blank lines are quoted than the file
/// has between the lines quoted above and below. Those between added lines come first, then those below.
fn unsigned_blanks(file: &File<'_>, reading: &Reading<'_>) -> Vec<usize> {
    let rows = &reading.rows;
    let is_quoted = |nth: &usize| rows[*nth].is_old() && !rows[*nth].is_blank();
    let mut found = Vec::new();
    let mut quoted: Vec<Option<usize>> = (0..rows.len()).filter(is_quoted).map(Some).collect();
    quoted.push(None);
    let mut above = None;
    for below in quoted {
        let between = above.map_or(0, |above| above + 1)..below.unwrap_or(rows.len());
        let unsigned = unsigned_blanks_between(rows, between.clone());
        if !unsigned.is_empty() {
            let row = |nth: Option<usize>| nth.map(|nth| &*rows[nth]);
            let blanks = between.filter(|nth| rows[*nth].is_old()).count();
            let more = blank_lines_between(file, row(above), row(below))
                .map_or(0, |there| blanks.saturating_sub(there));
            found.extend(unsigned.into_iter().take(more));
        }
        above = below;
    }
    found
}

/// Returns the empty rows without a sign of some rows, if any is between added lines: these first, then those below, then those above.
fn unsigned_blanks_between(rows: &[Rc<Row<'_>>], between: Range<usize>) -> Vec<usize> {
    let mut added = between.clone().filter(|nth| rows[*nth].adds());
    let Some(first) = added.next() else { return Vec::new() };
    let last = added.next_back().unwrap_or(first);
    let is_unsigned = |nth: &usize| rows[*nth].is_context() && rows[*nth].is_blank() && !rows[*nth].signed;
    if !(first..last).any(|nth| is_unsigned(&nth)) {
        return Vec::new();
    }
    let ranges = [first..last, last..between.end, between.start..first];
    ranges.into_iter().flatten().filter(is_unsigned).collect()
}

/// Returns the largest number of blank lines that the file has between a quoted line and the next; `None` if the lines are not next to each
/// other.
fn blank_lines_between(file: &File<'_>, above: Option<&Row<'_>>, below: Option<&Row<'_>>) -> Option<usize> {
    let is_below = |line: usize| {
        below.is_none_or(|row| line < file.len() && file.line(line).squashed() == row.line.squashed())
    };
    let behind = |line: usize| {
        let blanks = (line + 1..file.len()).take_while(|line| file.is_blank(*line)).count();
        is_below(line + 1 + blanks).then_some(blanks)
    };
    let before = |line: usize| (0..line).rev().take_while(|line| file.is_blank(*line)).count();
    match (above, below) {
        (Some(above), _) => file.squashed_lines(&above.line).filter_map(behind).max(),
        (None, Some(below)) => file.squashed_lines(&below.line).map(before).max(),
        (None, None) => None,
    }
}

/// Checks whether the file has what a row quotes, exactly or nearly, in a line that no other row quotes. Nearly equal lines share one of
/// the longest words.
fn is_there(file: &File<'_>, reading: &Reading<'_>, row: &Row<'_>) -> bool {
    /// How many words are looked up, and how many lines with each are compared.
    const WORDS: usize = 2;
    const MOST_LINES: usize = 500;
    let is_of_other = |line: usize| reading.old_rows().any(|row| file.is_same(line, &row.line));
    let mut words: Vec<&str> = row.line.tokens().collect();
    words.sort_unstable_by_key(|word| Reverse(word.len()));
    words.dedup();
    let mut lines = words.iter().take(WORDS).flat_map(|word| file.index.lines_with_word(word, MOST_LINES));
    lines.any(|line| is_like(file, row, line) && !is_of_other(line))
}

/// Checks whether the space in the first column of a context line may be the beginning of its indentation, and no sign.
fn may_lack_column(row: &Row<'_>) -> bool {
    let indent = row.line.indent();
    row.is_context() && row.signed && row.has_text() && !indent.is_empty() && !indent.contains('\t')
}

/// Checks whether a context line has one of some depths only with the space in its first column.
fn lacks_column(row: &Row<'_>, depths: &HashSet<usize>) -> bool {
    let depth = row.line.depth();
    may_lack_column(row) && !depths.contains(&depth) && depths.contains(&(depth + 1))
}

/// Returns the depths of the lines of a file that are not blank.
fn depths_of(file: &File<'_>) -> HashSet<usize> {
    (0..file.len()).filter(|line| !file.is_blank(*line)).map(|line| file.line(line).depth()).collect()
}

/// Checks whether a line of the file may be what a row quotes.
fn is_like(file: &File<'_>, row: &Row<'_>, line: usize) -> bool {
    !file.is_blank(line) && relate(file.costs, &row.line, file.line(line)).class != Class::Other
}

/// Checks whether a line of the file is quoted as an added or removed line: `- item`. The lines that an exact quote removes are
/// in the file without the sign.
fn has_items(file: &File<'_>, reading: &Reading<'_>, is_exact: bool) -> bool {
    reading.rows.iter().filter(|row| row.adds() || !is_exact).any(|row| is_item(file, row))
}

/// Returns the quote with these lines as context.
fn items_as_context<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let mut read =
        reading.mapped(file.costs.read_item, |row| is_item(file, row).then(|| row.as_raw_context()));
    read.undone.items = true;
    read.changes().then_some(read)
}

/// Checks whether a row with a sign is a line of the file, sign included: a list item, a comment, an option. A line to be
/// removed that the file has without the sign is removed.
fn is_item(file: &File<'_>, row: &Row<'_>) -> bool {
    if row.is_context() || !row.signed || !looks_like_item(&row.raw) {
        return false;
    }
    file.index.may_hold(&row.raw)
        && file.has_exactly(&row.raw)
        && (row.adds() || !file.has_exactly(row.line.text()))
}

/// Checks whether a sign is followed by what may follow the sign of a list, of a comment, or of a quotation.
fn looks_like_item(raw: &str) -> bool {
    let behind = raw.chars().nth(1);
    indent(raw).is_empty() && behind.is_some_and(|c| c.is_alphanumeric() || " _>[*-+".contains(c))
}
