//! The depth of lines that are added beside a quoted line at another depth than the quote shows.

use std::borrow::Cow;
use std::ops::Range;

use crate::locate::align::map::IndentMap;
use crate::locate::explanation::{Aligned, Obstacle};
use crate::locate::reading::Row;

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

impl<'a> Slipped<'a> {
    fn new(aligned: &'a Aligned<'_, '_>, row: usize) -> Option<Self> {
        let actual = aligned.file.line(aligned.pairs[row].first()?).indent();
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
        let behind = || above.and_then(|above| aligned.pairs[above].last()).map(|line| line + 1);
        let line = match below {
            Some(below) => aligned.pairs[below].first(),
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
        let opens = last.line.body().ends_with([':', '{', '(', '[', '>', '=']);
        let depth = map.apply(&last.line.indent()).map(|indent| indent.len());
        opens || self.below.zip(depth).is_none_or(|(below, depth)| below <= depth)
    }

    /// Checks whether the depth of the rows has no meaning: each ends a statement or an item, or closes a block.
    fn is_free_of_depth(&self) -> bool {
        self.rows.iter().all(|row| row.line.body().ends_with([';', ',', '{', '}']))
    }
}
