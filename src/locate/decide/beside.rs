//! Doubts about a position outside of the block of the chunk beside.
//!
//! Of several positions with the quote, the order of the chunks selects one. If the edit is made there, or the line reads otherwise
//! now, another position is the only one that is left, and nothing in the quote shows that the position is not the target.

use std::ops::Range;

use super::chunk::Chunk;
use crate::locate::align::file::File;
use crate::locate::align::relation::{Class, relate};
use crate::locate::explanation::made::TELLING_LETTERS;
use crate::locate::explanation::{Explanation, Obstacle, State};
use crate::locate::reading::Row;
use crate::locate::search::scope::{Scope, begins_section};
use crate::locate::syntax::{indentation_width, named_part};
use crate::text::is_blank;

/// How many lines of a block are compared with a row, and how many lines above a chunk are looked at for a line that opens a block.
const MOST_LINES: usize = 200;

/// A chunk with its position.
#[derive(Clone, Copy)]
pub(super) struct Placed<'c, 'q> {
    pub(super) chunk: &'c Chunk<'q>,
    pub(super) explanation: &'c Explanation<'q>,
}

/// Returns why a chunk may belong to the block of the chunk beside, and not to its position. `descends`: the chunks have the order of the
/// patch, and these two have another order than the file. `is_behind`: the chunk is behind the other in the patch.
pub(super) fn of_block_beside(
    file: &File<'_>,
    own: Placed<'_, '_>,
    beside: Placed<'_, '_>,
    descends: bool,
    is_behind: bool,
) -> Option<Obstacle> {
    let (chunk, explanation) = (own.chunk, own.explanation);
    let (start, other) = (explanation.lines.start, beside.explanation.lines.start);
    let is_made = beside.explanation.state == State::Made;
    if explanation.state != State::ToMake
        || chunk.headers.lead_to(&explanation.lines)
        || !chunk.is_outweighed(file, explanation)
    {
        return None;
    }
    let block = |lines: Range<usize>| Block { file, lines, explanation };
    let quoted = explanation.lines.len();
    let expected = expected_line(file, own, beside).filter(|line| line.abs_diff(start) >= quoted);
    if let Some(line) =
        expected.and_then(|line| block(line..(line + quoted).min(file.len())).line_of_context())
    {
        return Some(Obstacle::FitsElsewhere { line });
    }
    if !is_made && !descends {
        return None;
    }
    let block = block(block_apart(file, other, start)?);
    // What is removed leaves no trace in the block.
    let leaves_trace = chunk.plain().filled_added_rows().next().is_some();
    let is_short = || chunk.plain().filled_old_rows().count() < 3;
    let may_be_made = leaves_trace || is_made && (descends || is_short());
    if may_be_made && block.has_result() {
        return Some(Obstacle::MadeOpen);
    }
    // A chunk is expected behind the chunk before it.
    let line = (descends && is_behind).then(|| block.line_of_context())??;
    Some(Obstacle::FitsElsewhere { line })
}

/// Returns the line, 0-based, where a hunk of a unified diff begins if its number is as far from the file as that of the hunk beside.
fn expected_line(file: &File<'_>, own: Placed<'_, '_>, beside: Placed<'_, '_>) -> Option<usize> {
    let (hint, other) = (own.chunk.headers.hint?, beside.chunk.headers.hint?);
    let line = hint.line.checked_add(beside.explanation.lines.start)?.checked_sub(other.line)?;
    (beside.explanation.state == State::ToMake && line < file.len()).then_some(line)
}

/// Returns the largest block around a line that another line is not in.
fn block_apart(file: &File<'_>, line: usize, other: usize) -> Option<Range<usize>> {
    let document = file.document();
    // Where a block ends that the other line is in does not matter.
    let end = document.len().min(if other > line { other + 1 } else { line + MOST_LINES });
    if line >= end {
        return None;
    }
    let mut width = indentation_width(document.line(line));
    let mut apart = None;
    for above in (line.saturating_sub(MOST_LINES)..line).rev() {
        let text = document.line(above);
        if is_blank(text) || indentation_width(text) >= width && !begins_section(document, above) {
            continue;
        }
        width = indentation_width(text);
        let scope = Scope::of_line(document, above, end);
        if !scope.is_known || !scope.holds(line, line) {
            continue;
        }
        if scope.holds(other, other) {
            break;
        }
        apart = Some(scope.line..scope.end);
    }
    apart
}

/// The block of the chunk beside.
struct Block<'b, 'a, 'q> {
    file: &'b File<'a>,
    lines: Range<usize>,
    explanation: &'b Explanation<'q>,
}

impl<'q> Block<'_, '_, 'q> {
    fn rows(&self) -> impl Iterator<Item = &Row<'q>> + Clone {
        self.explanation.reading.rows.iter().map(|row| &**row).filter(|row| !row.is_blank())
    }

    /// Returns the lines of the block that are a row, apart from whitespace.
    fn lines_of<'s>(&'s self, row: &'s Row<'q>) -> impl Iterator<Item = usize> + 's {
        self.file.squashed_lines(&row.line).filter(|line| self.lines.contains(line))
    }

    fn has(&self, row: &Row<'q>) -> bool {
        self.lines_of(row).next().is_some()
    }

    /// Checks whether the block has the added lines, and not the removed lines, which are as deep as its lines.
    fn has_result(&self) -> bool {
        let mut changed = self.rows().filter(|row| !row.is_context()).peekable();
        let body = self.lines.clone().skip(1).find(|line| !self.file.is_blank(*line));
        let depth = body.map_or(0, |line| self.file.line(line).depth());
        changed.peek().is_some()
            && changed.all(|row| self.has(row) == row.adds() && row.line.depth() >= depth)
    }

    /// Returns the first line of the context of the chunk, if the block has all of it; or, for a single quoted line, a line that is like
    /// that line, or has other arguments.
    fn line_of_context(&self) -> Option<usize> {
        let mut quoted = self.rows().filter(|row| !row.adds());
        if let (Some(row), None) = (quoted.next(), quoted.next()) {
            return self.similar_line(row);
        }
        let mut context = self.rows().filter(|row| row.is_context());
        let first = context.clone().find(|row| row.line.letters() >= TELLING_LETTERS)?;
        if context.all(|row| self.has(row)) { self.lines_of(first).next() } else { None }
    }

    fn similar_line(&self, row: &Row<'q>) -> Option<usize> {
        let mut lines = self.lines.clone().take(MOST_LINES).filter(|line| !self.file.is_blank(*line));
        let (quoted, callee) = (&row.line, named_part(row.line.body()));
        let has_arguments = callee.len() < quoted.body().len();
        lines.find(|line| {
            let actual = self.file.line(*line);
            relate(self.file.costs, quoted, actual).class < Class::Other
                || has_arguments && named_part(actual.body()) == callee
        })
    }
}
