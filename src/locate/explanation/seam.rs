//! Whether added lines fit the lines of the file beside them: the signs that join the line above to the addition have to be the signs
//! that the quote has, and lines at the ends of the quote must not be repeated.

use std::rc::Rc;

use super::aligned::Aligned;
use super::evidence::says_same;
use super::insertion::Place;
use super::types::Obstacle;
use crate::locate::align::line_text::LineText;
use crate::locate::reading::Row;
use crate::locate::syntax::{Block, CLOSING, Joint, continues_statement};

/// Returns why added lines, as they are written at a position, may not fit the lines beside them.
pub(super) fn obstacle(aligned: &Aligned<'_, '_>, place: &Place, written: &[String]) -> Option<Obstacle> {
    let lines: Vec<LineText<'_>> = written.iter().map(|line| LineText::new(line.as_str())).collect();
    let filled: Vec<&LineText<'_>> = lines.iter().filter(|line| !line.is_blank()).collect();
    let (first, last) = (*filled.first()?, *filled.last()?);
    let seam = Seam { aligned, place, first, last };
    seam.joined_above().or_else(|| seam.opened_above()).or_else(|| seam.repeated())
}

/// A run of added lines, as written, and the lines around.
struct Seam<'a, 'r, 'q> {
    aligned: &'a Aligned<'r, 'q>,
    place: &'a Place,
    /// The first and the last added line with text.
    first: &'a LineText<'a>,
    last: &'a LineText<'a>,
}

impl<'a, 'q> Seam<'a, '_, 'q> {
    /// Returns the obstacle of the line above, if it ends or opens otherwise than quoted.
    fn joined_above(&self) -> Option<Obstacle> {
        let (row, line) = self.row_above()?;
        let (quoted, actual) = self.differing(row, line)?;
        (!self.fits_above(quoted, actual)).then_some(Obstacle::JoinedOtherwise { row })
    }

    /// Returns the obstacle of the line that begins the block of the addition, if the quote opens a bracket there that the file has
    /// neither there nor on the next line: the body is a single statement, to which the addition would not belong.
    fn opened_above(&self) -> Option<Obstacle> {
        let file = self.aligned.file;
        let is_less_deep = |line: &usize| file.line(*line).depth() < self.first.depth();
        let line_of = |row: usize| self.aligned.pairs[row].line().filter(is_less_deep);
        let (row, line) = (0..self.rows_above()).rev().find_map(|row| Some((row, line_of(row)?)))?;
        let (quoted, actual) = self.differing(row, line)?;
        let next = file.first_filled(line + 1..file.len())?;
        let is_open = Joint::of(actual.body()).opens_curly() || file.line(next).body().starts_with('{');
        (Joint::of(quoted.body()).opens_curly() && !is_open).then_some(Obstacle::JoinedOtherwise { row })
    }

    /// Returns a quoted line and its line of the file, if these differ in more than spacing.
    fn differing(&self, row: usize, line: usize) -> Option<(&LineText<'q>, &'a LineText<'static>)> {
        let (quoted, actual) = (&self.aligned.reading.old(row).line, self.aligned.file.line(line));
        (quoted.squashed() != actual.squashed()).then_some((quoted, actual))
    }

    /// Counts the quoted lines above the addition.
    fn rows_above(&self) -> usize {
        self.aligned.reading.rows[..self.place.rows.start].iter().filter(|row| row.is_old()).count()
    }

    /// Returns the row above the addition, and its line, if the row is kept and in the file: blank rows are passed, and removed lines
    /// that only end a block.
    fn row_above(&self) -> Option<(usize, usize)> {
        let reading = self.aligned.reading;
        let is_passed =
            |row: &Row<'_>| row.is_blank() || row.removes() && Block::ended_by(row.line.body()).is_some();
        let row = (0..self.rows_above()).rev().find(|row| !is_passed(reading.old(*row)))?;
        let line = self.aligned.pairs[row].line().filter(|_| reading.old(row).is_context())?;
        Some((row, line))
    }

    /// Checks whether the addition fits below a line that differs from its quote.
    fn fits_above(&self, quoted: &LineText<'_>, actual: &LineText<'_>) -> bool {
        let (q, f) = (Joint::of(quoted.body()), Joint::of(actual.body()));
        if !q.opens_same(&f) {
            return false;
        }
        let (q, f) = (q.separator.as_str(), f.separator.as_str());
        // The addition goes on as the line of the file does.
        let goes_on = || [self.first, self.last].iter().any(|line| Joint::of(line.body()).separator == f);
        let is_joining = !f.is_empty() && !f.ends_with(';');
        q == f
            || is_joining && goes_on()
            || self.ends_block(q, f)
            || f.strip_prefix(q) == Some(";") && self.is_statement_below(actual)
    }

    /// Checks whether the addition begins with the end of a block, before which a list may have a comma, and a statement a semicolon.
    fn ends_block(&self, q: &str, f: &str) -> bool {
        let is_optional = |sign: &str| [",", ";", ""].contains(&sign);
        self.first.body().starts_with(CLOSING) && is_optional(q) && is_optional(f)
    }

    /// Checks whether the addition begins a statement of its own below a line.
    fn is_statement_below(&self, above: &LineText<'_>) -> bool {
        !continues_statement(self.first.body()) && self.first.depth() <= above.depth()
    }

    /// Returns the obstacle of the line behind or above the quote, if the added line beside it repeats that line.
    fn repeated(&self) -> Option<Obstacle> {
        let (file, rows, place) = (self.aligned.file, &self.aligned.reading.rows, self.place);
        let behind = (&rows[place.rows.end..], file.first_filled(place.at..file.len()), self.last);
        let above = (&rows[..place.rows.start], file.first_filled((0..place.at).rev()), self.first);
        let repeated = |(outside, line, added): (&[Rc<Row<'_>>], Option<usize>, &LineText<'_>)| {
            let is_at_end = outside.iter().all(|row| row.is_blank());
            line.filter(|line| is_at_end && self.is_surplus(added, file.line(*line)))
        };
        let line = repeated(behind).or_else(|| repeated(above))?;
        Some(Obstacle::RepeatsLine { line })
    }

    /// Checks whether an added line is one too many beside an equal line of the file: the line ends a block that the added lines do not
    /// open, or begins a block that these do not end, or the quote is inexact. A single line may have been added before, which is checked
    /// elsewhere.
    fn is_surplus(&self, added: &LineText<'_>, beside: &LineText<'_>) -> bool {
        let body = added.body();
        let ended = Block::ended_by(body);
        if body != beside.body() || ended.is_none() && added.indent() != beside.indent() {
            return false;
        }
        let (is_inexact, is_several) = (!says_same(self.aligned), self.first.text() != self.last.text());
        let begun = || Block::begun_by(body).filter(|_| is_inexact || is_several);
        let Some(block) = ended.or_else(begun) else { return is_inexact && is_several };
        let changed = self.aligned.reading.rows.iter().filter(|row| !row.is_context());
        let opened: i32 =
            changed.map(|row| block.opened_by(row.line.body()) * if row.adds() { 1 } else { -1 }).sum();
        opened.signum() == block.opened_by(body).signum()
    }
}
