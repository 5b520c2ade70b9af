//! Where the added lines of an alignment go, and what leaves that open.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::aligned::Aligned;
use super::evidence::says_same;
use super::types::Obstacle;
use crate::locate::align::file::File;
use crate::locate::align::map::IndentMap;
use crate::locate::reading::Row;
use crate::locate::search::attached::{attribute_lines, has_body_below, with_attached_lines};
use crate::locate::search::scope::{Added, divides, separates_from_body};
use crate::locate::syntax::{
    Block, begins_block, continues, ends_open, imports, is_about_next, is_comment, is_in_brackets,
    is_opening_bracket, is_pattern, leaves_block, rest_behind,
};

/// A run of added rows, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The line of the file before which the rows go, 0-based.
    pub(super) at: usize,
    /// The rows, of all rows of the reading.
    pub(super) rows: Range<usize>,
    /// The old rows with text right above and below that the file has.
    pub(super) near: Vec<usize>,
    pub(super) obstacle: Option<Obstacle>,
}

/// Returns the runs of added rows, in order. A run without any neighbour in the file is left out, because its position
/// is unknown.
pub(super) fn places(aligned: &Aligned<'_, '_>) -> Vec<Place> {
    let rows = &aligned.reading.rows;
    let mut places = Vec::new();
    let (mut old, mut at) = (0, 0);
    while at < rows.len() {
        if !rows[at].adds() {
            old += 1;
            at += 1;
            continue;
        }
        let end = rows[at..].iter().position(|row| !row.adds()).map_or(rows.len(), |length| at + length);
        places.extend(Run::new(aligned, old, at..end).place());
        at = end;
    }
    places
}

/// A run of added rows between two old rows.
struct Run<'a, 'r, 'q> {
    aligned: &'a Aligned<'r, 'q>,
    rows: Range<usize>,
    /// The number of old rows before the run.
    old: usize,
    /// The nearest old row on each side that the file has.
    above: Option<usize>,
    below: Option<usize>,
}

impl<'a, 'r, 'q> Run<'a, 'r, 'q> {
    fn new(aligned: &'a Aligned<'r, 'q>, old: usize, rows: Range<usize>) -> Self {
        let above = (0..old).rev().find(|row| aligned.pairs[*row].is_found());
        let below = (old..aligned.pairs.len()).find(|row| aligned.pairs[*row].is_found());
        Run { aligned, rows, old, above, below }
    }

    fn place(&self) -> Option<Place> {
        let (at, obstacle) = if let Some(row) = self.replaced_above() {
            (self.line_behind(row)?, self.may_belong_below(row))
        } else {
            let (at, obstacle) =
                self.above_attached_lines().map_or_else(|| self.between_context(), |at| Some((at, None)))?;
            let obstacle = obstacle.or_else(|| self.inside_line()).or_else(|| self.before_body(at));
            (at, obstacle.or_else(|| self.divides_block(at)))
        };
        let (at, rows) = self.with_lost_blank_rows(at);
        Some(Place { at, rows, near: self.near(), obstacle })
    }

    /// Returns the position and the rows of the run together with the blank rows beside that have lost their `+`: the run is between blank
    /// rows, and the file has too few blank lines for both sides. A side gets at most as many as the file has.
    fn with_lost_blank_rows(&self, at: usize) -> (usize, Range<usize>) {
        let Range { start, end } = self.rows.clone();
        let rows = &self.aligned.reading.rows;
        let is_blank = |row: &&Rc<Row<'_>>| row.is_context() && row.is_blank();
        let above = rows[..start].iter().rev().take_while(is_blank).count();
        let below = rows[end..].iter().take_while(is_blank).count();
        let pairs = &self.aligned.pairs[self.old - above..self.old + below];
        let lines: Vec<usize> = pairs.iter().filter_map(|pair| pair.line()).collect();
        let (above, below) = (above.min(lines.len()), below.min(lines.len()));
        let lost = (above + below).saturating_sub(lines.len());
        if lost == 0 {
            return (at, start..end);
        }
        let lost_below = lost.min(below);
        let lost_above = lost - lost_below;
        (lines[0] + above - lost_above, start - lost_above..end + lost_below)
    }

    fn near(&self) -> Vec<usize> {
        let reading = self.aligned.reading;
        let above = (0..self.old).rev().find(|row| !reading.old(*row).is_blank());
        let below = (self.old..reading.old_len()).find(|row| !reading.old(*row).is_blank());
        above.into_iter().chain(below).collect()
    }

    fn line_behind(&self, row: usize) -> Option<usize> {
        self.aligned.pairs[row].line().map(|line| line + 1)
    }

    /// Returns the removed row right above the run.
    fn replaced_above(&self) -> Option<usize> {
        let above = self.old.checked_sub(1)?;
        (self.aligned.reading.old(above).removes() && self.aligned.pairs[above].is_found()).then_some(above)
    }

    /// Lines behind replaced lines may belong below the unquoted lines that follow, if the last added line is not as deep as any
    /// replaced line, and is as deep as the next row, or farther left than the replaced lines and no deeper than the unquoted line:
    /// the unquoted line may end the block of the replaced lines.
    fn may_belong_below(&self, row: usize) -> Option<Obstacle> {
        let below = self.below?;
        let line = self.aligned.file.first_filled(self.aligned.between(row, below))?;
        let reading = self.aligned.reading;
        let last = reading.rows[self.rows.clone()].iter().rev().find(|row| !row.is_blank())?;
        let next = (below..reading.old_len()).map(|row| reading.old(row)).find(|row| !row.is_blank())?;
        let replaced = (0..self.old).rev().map(|row| reading.old(row)).take_while(|row| row.removes());
        let depth = last.line.indent();
        let filled = || replaced.clone().filter(|row| !row.is_blank());
        let is_of_next = next.is_context()
            && next.line.indent() == depth
            && !filled().any(|row| row.line.indent() == depth);
        let is_behind_block = || {
            self.added(last).depth <= self.aligned.file.line(line).indent().len()
                && filled().all(|row| row.line.indent().len() > depth.len())
        };
        (is_of_next || is_behind_block()).then_some(Obstacle::SkippedBesideAddition { line })
    }

    /// Returns the position above the unquoted attributes and comments of the line below: nothing is added between these and the line that
    /// they are about, if what is added is whole.
    fn above_attached_lines(&self) -> Option<usize> {
        let (file, below) = (self.aligned.file, self.below?);
        let line = self.aligned.pairs[below].line().filter(|_| below == self.old)?;
        let first = with_attached_lines(file.document(), line);
        let (_, last) = self.ends().filter(|(begin, _)| self.is_whole(*begin, line))?;
        let is_quoted = (first..line).any(|line| self.aligned.is_quoted(line));
        let lines_above = self.above.and_then(|above| self.line_behind(above));
        let are_all = lines_above.is_none_or(|above| file.first_filled(above..first).is_none());
        let rows = self.aligned.reading.rows[self.rows.clone()].iter().rev();
        let texts = rows.skip_while(|row| row.is_blank()).map(|row| Cow::Borrowed(row.line.text()));
        let is_about_line =
            is_about_next(last.text) || is_in_brackets(last.text) || attribute_lines(texts).is_some();
        (first < line && !is_quoted && are_all && !is_about_line && !is_about_file(file, first))
            .then_some(first)
    }

    /// Checks whether the run is as deep as a line, ends all that it opens, and, if the line begins a block, begins a block as well or is
    /// apart from the line.
    fn is_whole(&self, first: Added<'_>, line: usize) -> bool {
        let filled = || self.aligned.reading.rows[self.rows.clone()].iter().filter(|row| !row.is_blank());
        let opened = |block: Block| filled().map(|row| block.opened_by(row.line.body())).sum::<i32>();
        let is_apart = self.aligned.reading.rows[self.rows.end - 1].is_blank();
        let file = self.aligned.file;
        let is_sibling = is_apart
            || self.is_block(first)
            || !opens_block(file.line(line).text()) && !has_body_below(file.document(), line);
        is_sibling
            && first.depth == file.line(line).indent().len()
            && filled().all(|row| self.added(row).depth >= first.depth)
            && opened(Block::Brackets) == 0
            && (opened(Block::Tags) == 0 || !first.text.starts_with('<'))
    }

    /// Checks whether the run begins with a block.
    fn is_block(&self, first: Added<'_>) -> bool {
        let mut filled = self.aligned.reading.rows[self.rows.clone()].iter().filter(|row| !row.is_blank());
        let next = filled.nth(1).map(|row| (self.added(row).depth, row.line.body()));
        let has_body =
            next.is_some_and(|(depth, body)| depth > first.depth || is_opening_bracket(body.as_bytes()));
        has_body || opens_block(first.text)
    }

    fn between_context(&self) -> Option<(usize, Option<Obstacle>)> {
        let dots = Obstacle::DotsBesideAddition { row: self.old };
        match self.aligned.reading.dots_beside(&self.rows) {
            (false, false) => self.between_neighbours(),
            // Dots on one side leave the row on the second side.
            (true, false) => match self.below {
                Some(below) => Some((self.aligned.pairs[below].line()?, self.missing_row(self.old..below))),
                None => Some((self.line_behind(self.above?)?, Some(dots))),
            },
            (false, true) => match self.above {
                Some(above) => Some((self.line_behind(above)?, self.missing_row(above + 1..self.old))),
                None => Some((self.aligned.pairs[self.below?].line()?, Some(dots))),
            },
            (true, true) => Some((self.line_behind(self.above?)?, Some(dots))),
        }
    }

    fn between_neighbours(&self) -> Option<(usize, Option<Obstacle>)> {
        match (self.above, self.below) {
            (Some(above), Some(below)) => self.between(above, below),
            (Some(above), None) => Some((self.line_behind(above)?, self.missing_row(above + 1..self.old))),
            (None, Some(below)) => {
                Some((self.aligned.pairs[below].line()?, self.missing_row(self.old..below)))
            }
            (None, None) => None,
        }
    }

    /// Returns the obstacle of a filled row between the run and its only neighbour, if the row is not in the file.
    fn missing_row(&self, mut rows: Range<usize>) -> Option<Obstacle> {
        let row = rows.find(|row| !self.aligned.reading.old(*row).is_blank())?;
        Some(Obstacle::MissingBesideAddition { row })
    }

    fn between(&self, above: usize, below: usize) -> Option<(usize, Option<Obstacle>)> {
        let lines = self.aligned.between(above, below);
        let behind_above = self.line_behind(above)?;
        if lines.is_empty() {
            return Some((behind_above, self.structure_beside(above, below)));
        }
        match self.aligned.file.first_filled(lines) {
            Some(line) => Some((behind_above, Some(Obstacle::SkippedBesideAddition { line }))),
            None => Some((self.beside_blank(above, below)?, None)),
        }
    }

    /// Returns the obstacle of a row beside the run that is not in the file, and without which the run is elsewhere: a row that
    /// begins or ends a block, leaves it, or is a label, or the row below an attribute or a comment.
    fn structure_beside(&self, above: usize, below: usize) -> Option<Obstacle> {
        let reading = self.aligned.reading;
        let is_structure = |row: &usize| {
            let line = &reading.old(*row).line;
            begins_block(line.text())
                || continues(line.body().as_bytes())
                || leaves_block(line.body())
                || is_pattern(line.body())
        };
        let is_above_line = || {
            let last = reading.rows[self.rows.clone()].iter().rev().find(|row| !row.is_blank());
            last.is_some_and(|row| is_about_next(row.line.text()))
        };
        let filled = |row: &usize| !reading.old(*row).is_blank();
        let mut rows = (above + 1..below).filter(filled);
        let next = (self.old..below).find(filled).filter(|_| is_above_line());
        rows.find(is_structure).or(next).map(|row| Obstacle::MissingBesideAddition { row })
    }

    /// Returns the side of unquoted blank lines for a run: the side of a blank line of the run, the lower side for a comment or an
    /// attribute of the line below, otherwise the side of the nearer non-blank row.
    fn beside_blank(&self, above: usize, below: usize) -> Option<usize> {
        let (behind_above, before_below) = (self.line_behind(above)?, self.aligned.pairs[below].line()?);
        let reading = self.aligned.reading;
        let added = &reading.rows[self.rows.clone()];
        let last = added.iter().rev().find(|row| !row.is_blank());
        let begins_blank = added.first().is_some_and(|row| row.is_blank());
        let is_about = |row: &Rc<Row<'_>>| is_about_next(row.line.text()) && !imports(row.line.body());
        let is_about_below = !begins_blank && last.is_some_and(is_about);
        let ends_blank = added.last().is_some_and(|row| row.is_blank());
        let is_below = ends_blank || is_about_below || reading.old(above).is_blank();
        Some(if is_below { before_below } else { behind_above })
    }

    /// Lines are not added between a line that opens a block and the block, unless the lines are deeper than that line,
    /// or the first line of the block is also quoted.
    fn before_body(&self, at: usize) -> Option<Obstacle> {
        let above = self.above.filter(|_| self.below.is_none())?;
        let opener = self.aligned.pairs[above].line().filter(|line| line + 1 == at)?;
        let (first, _) = self.ends()?;
        let opens = separates_from_body(self.aligned.file.document(), opener, first.depth, first.text);
        opens.then_some(Obstacle::DividesBlock { line: opener })
    }

    /// Lines at an end of the quote are not added in the middle of a block that the unquoted line beside is in as well, if the
    /// lines begin outside of that block: the quote may have left out where the block begins or ends. A quote that only has
    /// another indentation does not show how deep the lines are.
    fn divides_block(&self, at: usize) -> Option<Obstacle> {
        let file = self.aligned.file;
        let is_same = says_same(self.aligned);
        if is_same && !self.has_indents_of_file() {
            return None;
        }
        let line_above = file.first_filled((0..at).rev())?;
        let (first, last) = self.ends()?;
        // A line that was rewritten may as well be another line.
        let is_related = |row: &usize| self.aligned.is_related(*row);
        match (self.above.filter(is_related), self.below.filter(is_related)) {
            (None, Some(_)) if is_same => None,
            (None, Some(_)) => separates_from_body(file.document(), line_above, first.depth, first.text)
                .then_some(Obstacle::DividesBlock { line: line_above }),
            (Some(_), None) => {
                let line = file.first_filled(at..file.len())?;
                divides(file.document(), line_above, line, &[first, last])
                    .then_some(Obstacle::DividesBlock { line })
            }
            _ => None,
        }
    }

    fn has_indents_of_file(&self) -> bool {
        self.aligned.map == IndentMap::Same && self.aligned.rows().all(|row| self.aligned.fits_map(row))
    }

    /// Returns the first and the last added line that are not blank.
    fn ends(&self) -> Option<(Added<'_>, Added<'_>)> {
        let mut filled = self.aligned.reading.rows[self.rows.clone()].iter().filter(|row| !row.is_blank());
        let first = filled.next()?;
        let last = filled.next_back().unwrap_or(first);
        Some((self.added(first), self.added(last)))
    }

    fn added<'t>(&self, row: &'t Row<'_>) -> Added<'t> {
        let indent = row.line.indent();
        let depth = self.aligned.map.apply(&indent).map_or(indent.len(), |mapped| mapped.len());
        Added { depth, text: row.line.body() }
    }

    /// Returns the obstacle of a line right above the run that is quoted only up to its middle: the run may belong inside of the
    /// line, if the quoted text ends in an opening sign, or the run is deeper.
    fn inside_line(&self) -> Option<Obstacle> {
        let reading = self.aligned.reading;
        let above = self.above.filter(|above| above + 1 == self.old)?;
        let line = self.aligned.pairs[above].line()?;
        let (quoted, actual) = (&reading.old(above).line, self.aligned.file.line(line));
        rest_behind(quoted.body(), actual.body())?;
        let added = reading.rows[self.rows.clone()].iter().find(|row| !row.is_blank())?;
        let is_deeper = added.line.indent().len() > quoted.indent().len();
        (is_deeper || ends_open(quoted.body())).then_some(Obstacle::InsideLine { line })
    }
}

/// Checks whether a line begins a block, or is about the line below.
fn opens_block(text: &str) -> bool {
    begins_block(text) || is_about_next(text)
}

/// Checks whether a line is a comment at the top of a file, at most below the line that names the interpreter: the comment may be about
/// the file, or set a mode of its language. Documentation with three slashes is about the line below.
fn is_about_file(file: &File<'_>, line: usize) -> bool {
    let top = usize::from(file.line(0).body().starts_with("#!")).min(line);
    let body = file.line(line).body();
    file.first_filled(top..line).is_none() && is_comment(body) && !body.starts_with("///")
}
