//! The depth of lines that are added beside a quoted line at another depth than the quote shows.

use std::borrow::Cow;
use std::ops::Range;

use crate::locate::align::map::IndentMap;
use crate::locate::explanation::{Aligned, Obstacle};
use crate::locate::reading::Row;
use crate::locate::syntax::{CLOSING, may_hold_deeper};

/// The map of a run of added lines, if the run has its own.
pub(super) type OwnMap = Result<Option<IndentMap>, Obstacle>;

/// A quoted line that the map of the quote does not map to the depth of its line of the file.
struct Slipped<'a> {
    row: usize,
    quoted: Cow<'a, str>,
    actual: Cow<'a, str>,
}

/// Returns the map for a run of added lines, if it is not the map of the quote: a quoted line right beside the run has
/// another depth in the file, and the added lines have the depth of that line. `near` are the old rows on either side of the
/// run.
///
/// # Errors
/// The added lines may follow either that line or the other lines.
pub(super) fn map_beside(aligned: &Aligned<'_, '_>, near: &[usize]) -> OwnMap {
    if !aligned.map.is_rule() {
        return Ok(None);
    }
    let slipped =
        near.iter().copied().filter(|row| !aligned.fits_map(*row) && aligned.shows_indentation(*row));
    let slipped: Vec<Slipped<'_>> = slipped.filter_map(|row| Slipped::new(aligned, row)).collect();
    if slipped.is_empty() {
        return Ok(None);
    }
    let run = Run::between(aligned, near);
    let Some(first) = slipped.iter().find(|slipped| run.is_beside(slipped)) else { return Ok(None) };
    let unknown = Obstacle::SlippedToo { row: first.row };
    let follows = slipped.iter().all(|other| other.shift() == first.shift()).then(|| first.shift()).flatten();
    // Where no other line shows the depth, a competing explanation has the depth of the line that slipped.
    let is_shown = |depth: &str| {
        let mut rows = aligned.rows().filter(|row| aligned.shows_indentation(*row) && aligned.fits_map(*row));
        rows.any(|row| aligned.reading.old(row).line.indent() == depth)
    };
    let is_open = |depth: &str| is_shown(depth) && !run.is_free_of_depth();
    match (run.may_have(aligned.map), follows.filter(|shift| run.may_have(*shift))) {
        (false, Some(shift)) if run.is_at(&first.quoted) => Ok(Some(shift)),
        (false, _) => Err(unknown),
        (true, Some(_)) if run.is_at(&first.quoted) && is_open(&first.quoted) => Err(unknown),
        (true, _) => Ok(None),
    }
}

/// Returns the indentation of an added line beside lines at the same quoted depth, where no rule maps the indentation of the
/// quote: that of the lines that are replaced, or else of the line next to the added line. `near` are the old rows on either side
/// of the run of added lines.
pub(super) fn shown_beside<'a>(
    aligned: &'a Aligned<'_, '_>,
    lead: &str,
    near: &[usize],
) -> Option<Cow<'a, str>> {
    let replaced = replaced_rows(aligned, near);
    if !replaced.is_empty() {
        return depth_of_replaced(aligned, lead, &replaced, near.get(1));
    }
    let rows = slipped(aligned, near).filter(|_| aligned.map != IndentMap::Flat)?;
    let shift = |row: &Slipped<'_>| (row.quoted != row.actual).then(|| row.shift());
    let is_one_shift = rows.iter().all(|row| shift(row) == shift(&rows[0]) && shift(row) != Some(None));
    let is_shown = is_one_shift && (!is_flat(aligned) || rows.iter().all(|row| row.quoted == row.actual));
    only_depth(rows.into_iter().filter(|row| is_shown && row.quoted == lead))
}

/// Returns the indentation of an added line in place of removed rows, ascending. Beside an unquoted line, a removed line at another depth
/// than quoted may have been wrapped, so that its depth is not the depth of a statement.
fn depth_of_replaced<'a>(
    aligned: &'a Aligned<'_, '_>,
    lead: &str,
    replaced: &[usize],
    below: Option<&usize>,
) -> Option<Cow<'a, str>> {
    let (first, last) = (*replaced.first()?, *replaced.last()?);
    let is_next = |one: usize, other: usize| {
        aligned.pairs[one].is_found() && aligned.file.first_filled(aligned.between(one, other)).is_none()
    };
    let is_wrapped = first.checked_sub(1).is_some_and(|above| !is_next(above, first))
        || below.is_some_and(|below| !is_next(last, *below));
    let is_as_quoted = |rows: &[Slipped<'_>]| rows.iter().all(|row| row.quoted == row.actual);
    let rows = slipped(aligned, replaced).filter(|rows| !is_wrapped || is_as_quoted(rows))?;
    if is_flat(aligned) {
        return replaces_one_by_one(aligned, replaced).then(|| only_depth(rows.into_iter()))?;
    }
    only_depth(rows.into_iter().filter(|row| row.quoted == lead))
}

/// Returns the indentation of rows in the quote and in the file; `None` if a row is not a line of the file.
fn slipped<'a>(aligned: &'a Aligned<'_, '_>, rows: &[usize]) -> Option<Vec<Slipped<'a>>> {
    rows.iter().map(|row| Slipped::new(aligned, *row)).collect()
}

/// Returns the indentation that all lines have in the file.
fn only_depth<'a>(mut lines: impl Iterator<Item = Slipped<'a>>) -> Option<Cow<'a, str>> {
    let first = lines.next()?.actual;
    lines.all(|line| line.actual == first).then_some(first)
}

/// Checks whether no quoted line has an indentation.
fn is_flat(aligned: &Aligned<'_, '_>) -> bool {
    aligned.reading.filled_old_rows().all(|row| row.line.indent().is_empty())
}

/// Returns the removed rows with text right above a run of added lines, ascending.
fn replaced_rows(aligned: &Aligned<'_, '_>, near: &[usize]) -> Vec<usize> {
    let reading = aligned.reading;
    let Some(last) = near.first().copied().filter(|row| reading.old(*row).removes()) else {
        return Vec::new();
    };
    let is_in_run = |row: &usize| {
        let distance = reading.position_of_old(last) - reading.position_of_old(*row);
        reading.old(*row).removes() && distance == last - row
    };
    let run = (0..=last).rev().take_while(is_in_run);
    let mut rows: Vec<usize> = run.filter(|row| !reading.old(*row).is_blank()).collect();
    rows.reverse();
    rows
}

/// Checks whether removed rows, ascending, are replaced by as many added rows, and each opens or ends a block if the other does.
fn replaces_one_by_one(aligned: &Aligned<'_, '_>, replaced: &[usize]) -> bool {
    let reading = aligned.reading;
    let Some(last) = replaced.last() else { return false };
    let behind = &reading.rows[reading.position_of_old(*last) + 1..];
    let added: Vec<_> = behind.iter().take_while(|row| row.adds()).filter(|row| !row.is_blank()).collect();
    let form = |row: &Row<'_>| {
        let body = row.line.body();
        (body.starts_with(CLOSING) || body.starts_with('<'), may_hold_deeper(body))
    };
    let mut pairs = replaced.iter().zip(&added);
    added.len() == replaced.len() && pairs.all(|(row, added)| form(reading.old(*row)) == form(added))
}

impl<'a> Slipped<'a> {
    fn new(aligned: &'a Aligned<'_, '_>, row: usize) -> Option<Self> {
        let actual = aligned.file.line(aligned.pairs[row].line()?).indent();
        Some(Slipped { row, quoted: aligned.reading.old(row).line.indent(), actual })
    }

    fn shift(&self) -> Option<IndentMap> {
        let length = |indent: &str| i32::try_from(indent.len()).ok();
        let by = length(&self.actual)? - length(&self.quoted)?;
        let character = self.actual.chars().chain(self.quoted.chars()).next()?;
        let shift = IndentMap::Shift { character, by };
        shift.maps(&self.quoted, &self.actual).then_some(shift)
    }
}

/// A run of added rows with text.
struct Run<'a, 'q> {
    rows: Vec<&'a Row<'q>>,
    /// The depth of the line of the file below the run, if there is one.
    below: Option<usize>,
}

impl<'a, 'q> Run<'a, 'q> {
    /// Returns the run between the old rows on either side, or at an end of the quote. A run that replaces lines has their depth,
    /// and is left out.
    fn between(aligned: &'a Aligned<'_, 'q>, near: &[usize]) -> Self {
        let reading = aligned.reading;
        let added = |range: Range<usize>| -> Vec<&'a Row<'q>> {
            let rows = reading.rows[range].iter().map(|row| &**row);
            rows.filter(|row| row.adds() && !row.is_blank()).collect()
        };
        let at = |row: usize| reading.position_of_old(row);
        let (above, below) = match near {
            [above, below] => (Some(*above), Some(*below)),
            [only] if added(0..at(*only)).is_empty() => (Some(*only), None),
            [only] if added(at(*only)..reading.rows.len()).is_empty() => (None, Some(*only)),
            _ => return Run { rows: Vec::new(), below: None },
        };
        let range = above.map_or(0, at)..below.map_or(reading.rows.len(), at);
        let is_replacing = near.iter().any(|row| reading.old(*row).removes());
        let rows = if is_replacing { Vec::new() } else { added(range) };
        let behind = || above.and_then(|above| aligned.pairs[above].line()).map(|line| line + 1);
        let line = match below {
            Some(below) => aligned.pairs[below].line(),
            None => behind().and_then(|line| aligned.file.first_filled(line..aligned.file.len())),
        };
        Run { rows, below: line.map(|line| aligned.file.line(line).indent().len()) }
    }

    /// Checks whether all rows are at least as deep as a line, and one is no deeper.
    fn is_at(&self, depth: &str) -> bool {
        self.rows.iter().all(|row| row.line.indent().starts_with(depth))
            && self.rows.iter().any(|row| row.line.indent() == depth)
    }

    /// Checks whether the depth of a line that slipped tells something about the rows.
    fn is_beside(&self, slipped: &Slipped<'_>) -> bool {
        // A line that is one column off keeps its level.
        let is_level = slipped.quoted.len().abs_diff(slipped.actual.len()) > 1;
        !self.rows.is_empty() && (is_level || self.is_at(&slipped.quoted))
    }

    /// Checks whether the rows may have the depth of a map: the line below is not deeper, or the rows open a block.
    fn may_have(&self, map: IndentMap) -> bool {
        let Some(last) = self.rows.last() else { return true };
        let opens = may_hold_deeper(last.line.body());
        let depth = map.apply(&last.line.indent()).map(|indent| indent.len());
        opens || self.below.zip(depth).is_none_or(|(below, depth)| below <= depth)
    }

    /// Checks whether the depth of the rows has no meaning: each ends a statement or an item, or closes a block.
    fn is_free_of_depth(&self) -> bool {
        self.rows.iter().all(|row| row.line.body().ends_with([';', ',', '{', '}']))
    }
}
