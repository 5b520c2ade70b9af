//! Doubts about a position outside of the block of an adjacent chunk.
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

/// A chunk with the explanation that was chosen.
#[derive(Clone, Copy)]
pub(super) struct Assigned<'c, 'q> {
    /// The number of the chunk in the file.
    pub(super) nth: usize,
    pub(super) chunk: &'c Chunk<'q>,
    pub(super) explanation: &'c Explanation<'q>,
}

impl Assigned<'_, '_> {
    fn start(self) -> usize {
        self.explanation.lines.start
    }
}

/// Returns the chunks that may belong to the block of the chunk before or behind, and not to their position, with the reason.
pub(super) fn outside_of_adjacent(file: &File<'_>, chunks: &[Assigned<'_, '_>]) -> Vec<(usize, Obstacle)> {
    let pairs = chunks.windows(2).filter(|pair| !pair[1].chunk.edit.begins_section);
    let descends =
        |pair: &[Assigned<'_, '_>]| pair[1].chunk.edit.has_order() && pair[1].start() < pair[0].start();
    // Chunks that are out of order several times have another order: from the bottom up, or none.
    let is_ordered = pairs.clone().filter(|pair| descends(pair)).count() < 2;
    let mut outside = Vec::new();
    for pair in pairs {
        let descends = is_ordered && descends(pair);
        let first = doubt(file, pair[0], Adjacent { chunk: pair[1], descends, is_before: false });
        let second = doubt(file, pair[1], Adjacent { chunk: pair[0], descends, is_before: true });
        outside.extend(first.map(|obstacle| (pair[0].nth, obstacle)));
        outside.extend(second.map(|obstacle| (pair[1].nth, obstacle)));
    }
    outside
}

/// The chunk before or behind a chunk.
#[derive(Clone, Copy)]
struct Adjacent<'c, 'q> {
    chunk: Assigned<'c, 'q>,
    /// Whether the positions of the two chunks are the only ones that are not in the order of the patch.
    descends: bool,
    is_before: bool,
}

/// Returns why a chunk may belong to the block of an adjacent chunk, or to where the numbers lead.
fn doubt(file: &File<'_>, own: Assigned<'_, '_>, adjacent: Adjacent<'_, '_>) -> Option<Obstacle> {
    let (chunk, explanation) = (own.chunk, own.explanation);
    let is_made = adjacent.chunk.explanation.state == State::Made;
    let by_number = lines_by_number(file, own, adjacent.chunk);
    let may_be_outside = by_number.is_some() || is_made || adjacent.descends;
    if explanation.state != State::ToMake
        || !may_be_outside
        || chunk.headers.lead_to(&explanation.lines)
        || !chunk.is_outweighed(file, explanation)
    {
        return None;
    }
    let region = |lines: Range<usize>| Region { file, lines, explanation };
    if let Some(line) = by_number.and_then(|lines| region(lines).line_of_context()) {
        return Some(Obstacle::FitsElsewhere { line });
    }
    if !is_made && !adjacent.descends {
        return None;
    }
    let is_short = chunk.plain().filled_old_rows().count() < 3;
    let Some(lines) = block_apart(file, adjacent.chunk.start(), own.start()) else {
        // The order selected an equal line below, in the same block, which was changed with the chunk before.
        let is_left = is_made && adjacent.descends && adjacent.is_before && !explanation.removed.is_empty();
        return (is_left && is_short).then_some(Obstacle::MadeOpen);
    };
    let block = region(lines);
    // What is removed leaves no trace in the block.
    let leaves_trace = chunk.plain().filled_added_rows().next().is_some();
    let may_be_made = leaves_trace || is_made && (adjacent.descends || is_short);
    if may_be_made && block.has_result() {
        return Some(Obstacle::MadeOpen);
    }
    // A chunk is expected behind the chunk before it.
    let line = (adjacent.descends && adjacent.is_before).then(|| block.line_of_context())??;
    Some(Obstacle::FitsElsewhere { line })
}

/// Returns the lines of a hunk if its number is as far from the file as that of the adjacent hunk; `None` if the hunk is there.
fn lines_by_number(
    file: &File<'_>,
    own: Assigned<'_, '_>,
    adjacent: Assigned<'_, '_>,
) -> Option<Range<usize>> {
    let (hint, other) = (own.chunk.headers.hint?, adjacent.chunk.headers.hint?);
    let line = hint.line.checked_add(adjacent.start())?.checked_sub(other.line)?;
    let quoted = own.explanation.lines.len();
    let is_apart = line < file.len() && line.abs_diff(own.start()) >= quoted;
    (adjacent.explanation.state == State::ToMake && is_apart).then(|| line..(line + quoted).min(file.len()))
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

/// The lines where a chunk may belong.
struct Region<'b, 'a, 'q> {
    file: &'b File<'a>,
    lines: Range<usize>,
    explanation: &'b Explanation<'q>,
}

impl<'q> Region<'_, '_, 'q> {
    fn rows(&self) -> impl Iterator<Item = &Row<'q>> + Clone {
        self.explanation.reading.rows.iter().map(|row| &**row).filter(|row| !row.is_blank())
    }

    /// Returns the lines of the region that are a row, apart from whitespace.
    fn lines_of<'s>(&'s self, row: &'s Row<'q>) -> impl Iterator<Item = usize> + 's {
        self.file.squashed_lines(&row.line).filter(|line| self.lines.contains(line))
    }

    fn has(&self, row: &Row<'q>) -> bool {
        self.lines_of(row).next().is_some()
    }

    /// Checks whether the lines have the added lines, and not the removed lines, and all of these are as deep as the lines of a block.
    fn has_result(&self) -> bool {
        let mut changed = self.rows().filter(|row| !row.is_context()).peekable();
        let body = self.lines.clone().skip(1).find(|line| !self.file.is_blank(*line));
        let depth = body.map_or(0, |line| self.file.line(line).depth());
        changed.peek().is_some()
            && changed.all(|row| self.has(row) == row.adds() && row.line.depth() >= depth)
    }

    /// Returns the first line of the context of the chunk, if the region has all of it; or, for a single quoted line, a line that is like
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
