//! Line numbers in front of the lines of a quote.

use super::quote::{Reading, Row};
use crate::locate::align::file::File;

/// The number in front of a line: `  12| text`.
struct Numbered<'l> {
    /// The spaces before the number.
    pad: &'l str,
    digits: &'l str,
    separator: &'static str,
    text: &'l str,
}

impl<'l> Numbered<'l> {
    fn of(row: &'l Row<'_>) -> Option<Self> {
        Numbered::of_line(row.line.text())
    }

    fn of_line(line: &'l str) -> Option<Self> {
        const SEPARATORS: [&str; 5] = ["\t", "\u{2192}", ":", " |", "|"];
        let behind_pad = line.trim_start_matches(' ');
        let behind = behind_pad.trim_start_matches(|c: char| c.is_ascii_digit());
        let (pad, _) = line.split_at(line.len() - behind_pad.len());
        let (digits, _) = behind_pad.split_at(behind_pad.len() - behind.len());
        let separator = SEPARATORS.iter().find(|separator| behind.starts_with(**separator))?;
        let text = &behind[separator.len()..];
        (!digits.is_empty()).then_some(Numbered { pad, digits, separator, text })
    }

    /// Returns the text without a space that belongs to the separator.
    fn text_behind_space(&self) -> &'l str {
        match self.separator {
            "\t" | "\u{2192}" => self.text,
            _ => self.text.strip_prefix(' ').unwrap_or(self.text),
        }
    }

    fn number(&self) -> Option<u64> {
        self.digits.parse().ok()
    }

    /// Checks whether another number is in the same column: both begin or both end there.
    fn is_in_column(&self, other: &Numbered<'_>) -> bool {
        let end = |line: &Numbered<'_>| line.pad.len() + line.digits.len();
        self.separator == other.separator && (self.pad == other.pad || end(self) == end(other))
    }
}

/// Returns the line number in front of a line, and the text behind the number.
pub(crate) fn numbered(line: &str) -> Option<(u64, &str)> {
    let numbered = Numbered::of_line(line)?;
    Some((numbered.number()?, numbered.text_behind_space()))
}

/// Checks whether each quoted line has a number that the file does not have.
pub(super) fn are_numbered(file: &File<'_>, reading: &Reading<'_>) -> bool {
    let mut filled = reading.filled_old_rows().peekable();
    filled.peek().is_some() && filled.all(|row| Numbered::of(row).is_some() && !file.has_squashed(&row.line))
}

/// Returns the quote without its line numbers. Added lines lose their numbers if each has a number that goes on with the
/// numbers of the quoted lines. Returns `None` if only some have such numbers: any may be text.
pub(super) fn without_numbers<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let filled =
        || (0..reading.rows.len()).filter(|nth| reading.rows[*nth].adds() && !reading.rows[*nth].is_blank());
    let added_too = filled().all(|nth| is_in_column(reading, nth) && continues(reading, nth));
    if !added_too && filled().any(|nth| is_in_column(reading, nth)) {
        return None;
    }
    let has_space = separator_has_space(file, reading);
    let mut read = reading.mapped(file.costs.read_numbers, |row| {
        let line = Numbered::of(row).filter(|_| !row.adds() || added_too)?;
        Some(row.with_text(if has_space { line.text_behind_space() } else { line.text }.to_owned()))
    });
    read.undone.line_numbers = true;
    Some(read)
}

/// Checks whether the space behind a separator belongs to the separator, and not to the indentation: each line has one, and the file does
/// not have more of the lines with it.
fn separator_has_space(file: &File<'_>, reading: &Reading<'_>) -> bool {
    let lines: Vec<Numbered<'_>> = reading.filled_old_rows().filter_map(Numbered::of).collect();
    let mut filled = lines.iter().filter(|line| !line.text.trim().is_empty());
    let count = |is_known: &dyn Fn(&Numbered<'_>) -> bool| lines.iter().filter(|line| is_known(line)).count();
    filled.all(|line| line.text.starts_with([' ', '\t']))
        && count(&|line| file.has_exactly(line.text_behind_space()))
            >= count(&|line| file.has_exactly(line.text))
}

/// Checks whether an added line has a number in the column of the numbers of the quoted lines, with or without the column of the
/// signs, which quoted lines may lack.
fn is_in_column(reading: &Reading<'_>, nth: usize) -> bool {
    let Some(added) = Numbered::of(&reading.rows[nth]) else { return false };
    let texts = reading.filled_old_rows().flat_map(|row| [row.line.text(), &*row.raw]);
    texts.filter_map(Numbered::of_line).any(|old| added.is_in_column(&old))
}

/// Checks whether the number of an added line is between the numbers of the nearest quoted lines.
fn continues(reading: &Reading<'_>, nth: usize) -> bool {
    let Some(number) = Numbered::of(&reading.rows[nth]).and_then(|added| added.number()) else {
        return false;
    };
    let quoted = |row: &Row<'_>| if row.adds() { None } else { Numbered::of(row)?.number() };
    let (above, below) = (&reading.rows[..nth], &reading.rows[nth + 1..]);
    let before = above.iter().rev().find_map(|row| quoted(row));
    let behind = below.iter().find_map(|row| quoted(row));
    // The lines behind may have their old numbers.
    let shifted = u64::try_from(reading.added_rows().count()).unwrap_or(u64::MAX);
    // The first of the replaced lines gives its number to the first line that replaces it.
    let replaced = u64::try_from(above.iter().rev().take_while(|row| !row.is_context()).count()).unwrap_or(0);
    before.is_none_or(|before| number + replaced > before && number <= before.saturating_add(shifted))
        && behind.is_none_or(|behind| number <= behind.saturating_add(shifted))
}
