//! Whether added lines fit the lines of the file beside them: the signs that join the line above to the addition have to be the signs
//! that the quote has, and lines at the ends of the quote must not be repeated.

use std::rc::Rc;

use super::aligned::Aligned;
use super::evidence::says_same;
use super::insertion::Place;
use super::types::Obstacle;
use crate::locate::align::line_text::LineText;
use crate::locate::align::map::IndentMap;
use crate::locate::reading::Row;
use crate::locate::syntax::{Block, CLOSING, Joint, continues_statement, words_of};

/// How far around an addition lines are looked at for their style.
const NEAR: usize = 100;

/// Returns why added lines, as they are written at a position, may not fit the lines beside them.
pub(super) fn obstacle(aligned: &Aligned<'_, '_>, place: &Place, written: &[String]) -> Option<Obstacle> {
    let lines: Vec<LineText<'_>> = written.iter().map(|line| LineText::new(line.as_str())).collect();
    let filled: Vec<&LineText<'_>> = lines.iter().filter(|line| !line.is_blank()).collect();
    let (first, last) = (*filled.first()?, *filled.last()?);
    let seam = Seam { aligned, place, first, last };
    seam.joined_above().or_else(|| seam.opened_above()).or_else(|| seam.repeated())
}

/// Checks whether the rest of a line has a word that ends no block.
fn has_own_word(rest: &str) -> bool {
    words_of(rest).any(|word| Block::ended_by(word).is_none())
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
        // A line without its last words lacks its last signs as well.
        let is_cut = actual.body().strip_prefix(quoted.body()).is_some_and(has_own_word);
        (!is_cut && !self.fits_above(quoted, actual)).then_some(Obstacle::JoinedOtherwise { row })
    }

    /// Returns the obstacle of the line that begins the block of the addition, if the quote opens a bracket there that the file has
    /// neither there nor on the next line: the body is a single statement, to which the addition would not belong.
    fn opened_above(&self) -> Option<Obstacle> {
        let file = self.aligned.file;
        let is_less_deep = |line: &usize| file.line(*line).indent().len() < self.first.indent().len();
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
        if q == f || is_joining && goes_on() || self.ends_block(q, f) {
            return true;
        }
        match q.strip_prefix(f) {
            Some(";") => return self.is_statement_below(actual) && !self.has_semicolons(),
            Some(",") => return self.is_behind_list(),
            _ => {}
        }
        match f.strip_prefix(q) {
            Some(";") => self.is_statement_below(actual),
            Some(":") => self.first.indent().len() > actual.indent().len() || self.begins_blank(),
            Some(",") => self.ends_list(),
            _ => false,
        }
    }

    /// Checks whether the addition begins with the end of a block, before which a list may have a comma, and a statement a semicolon.
    fn ends_block(&self, q: &str, f: &str) -> bool {
        let is_optional = |sign: &str| [",", ";", ""].contains(&sign);
        let body = self.first.body();
        let is_end = if q == ";" || f == ";" { body.starts_with('}') } else { body.starts_with(CLOSING) };
        is_end && is_optional(q) && is_optional(f)
    }

    /// Checks whether the addition begins with a blank line.
    fn begins_blank(&self) -> bool {
        self.aligned.reading.rows[self.place.rows.start].is_blank()
    }

    /// Checks whether the addition begins a statement of its own below a line.
    fn is_statement_below(&self, above: &LineText<'_>) -> bool {
        !continues_statement(self.first.body()) && self.first.indent().len() <= above.indent().len()
    }

    /// Checks whether a line near the addition ends in a semicolon.
    fn has_semicolons(&self) -> bool {
        let at = self.place.at;
        let file = self.aligned.file;
        let mut near = (at.saturating_sub(NEAR)..(at + NEAR).min(file.len())).map(|line| file.line(line));
        near.any(|line| line.body().ends_with(';'))
    }

    /// Checks whether no list goes on below the line above: a blank line is behind it, and the addition is no item.
    fn is_behind_list(&self) -> bool {
        let file = self.aligned.file;
        let is_end = |line: usize| line < file.len() && file.is_blank(line);
        let is_item = Joint::of(self.last.body()).separator == ",";
        !is_item && (is_end(self.place.at) || self.place.at.checked_sub(1).is_some_and(is_end))
    }

    /// Checks whether a block ends right below the addition.
    fn ends_list(&self) -> bool {
        self.line_behind().is_none_or(|line| Block::ended_by(self.aligned.file.line(line).body()).is_some())
    }

    /// Returns the next line with text behind the addition.
    fn line_behind(&self) -> Option<usize> {
        let file = self.aligned.file;
        file.first_filled(self.place.at..file.len())
    }

    /// Returns the obstacle of the line behind or above the quote, if the added line beside it repeats that line. The line is no
    /// repetition if the line ends a block that the added lines open. Beside an exact quote, only a line that ends a block is one, or
    /// begins a block at the beginning of several added lines.
    fn repeated(&self) -> Option<Obstacle> {
        let rows = &self.aligned.reading.rows;
        let is_blank = |row: &Rc<Row<'_>>| row.is_blank();
        let behind = self.line_behind().filter(|_| rows[self.place.rows.end..].iter().all(is_blank));
        let above = self.line_above().filter(|_| rows[..self.place.rows.start].iter().all(is_blank));
        let is_surplus = |line: &usize, added: &LineText<'_>| {
            !self.aligned.is_quoted(*line) && self.is_surplus(added, self.aligned.file.line(*line))
        };
        let line = behind.filter(|line| is_surplus(line, self.last));
        let line = line.or_else(|| above.filter(|line| is_surplus(line, self.first)))?;
        let body = self.aligned.file.line(line).body();
        let is_one_line = self.first.text() == self.last.text();
        let is_of_block =
            || Block::ended_by(body).is_some() || !is_one_line && Block::begun_by(body).is_some();
        let is_inexact = self.aligned.map != IndentMap::Same || !says_same(self.aligned);
        (is_inexact || is_of_block()).then_some(Obstacle::RepeatsLine { line })
    }

    /// Returns the next line with text above the addition.
    fn line_above(&self) -> Option<usize> {
        self.aligned.file.first_filled((0..self.place.at).rev())
    }

    /// Checks whether an added line is one too many beside an equal line of the file: the line ends a block that the added lines do not
    /// open, or opens a block that these do not end, or is a line with text at the same depth. A single line of text may have been
    /// added before, which is checked elsewhere.
    fn is_surplus(&self, added: &LineText<'_>, beside: &LineText<'_>) -> bool {
        let body = added.body();
        let ended = Block::ended_by(body);
        if body != beside.body() || ended.is_none() && added.indent() != beside.indent() {
            return false;
        }
        let Some(block) = ended.or_else(|| Block::begun_by(body)) else {
            return added.letters() > 0 && self.first.text() != self.last.text();
        };
        let changed = self.aligned.reading.rows.iter().filter(|row| !row.is_context());
        let opened: i32 =
            changed.map(|row| block.opened_by(row.line.body()) * if row.adds() { 1 } else { -1 }).sum();
        opened.signum() == block.opened_by(body).signum()
    }
}
