//! Places a chunk that only adds lines: behind the line of its header, behind the previous chunk if that is an anchor,
//! or at the end of the file.

use std::ops::Range;
use std::rc::Rc;

use super::chunk::Chunk;
use crate::locate::align::file::File;
use crate::locate::align::line_text::{LineText, indent};
use crate::locate::align::map::{IndentMap, propose};
use crate::locate::explanation::coincidence::coincidence;
use crate::locate::explanation::{Effect, Explanation, Insertion, Obstacle, Signature, State};
use crate::locate::rewrite::indent_recipes;
use crate::locate::search::headers::{HeaderMatch, Headers};
use crate::locate::search::preamble::preamble_end;
use crate::locate::search::scope::{
    Added, begins_section, divides, fits_depth, introduces, opener_end, separates_from_body,
};
use crate::locate::syntax::{is_about_next, is_attribute, is_in_brackets};

/// The least number of letters of a line that tells whether lines were added at the end of the file.
const LETTERS_OF_A_LINE: usize = 3;

/// Returns the positions of a chunk that only adds lines, as explanations. `anchor` is the chunk right before, if that
/// chunk only quotes.
pub(super) fn explanations<'q>(
    file: &File<'_>,
    chunk: &Chunk<'q>,
    anchor: Option<&Chunk<'_>>,
) -> Vec<Explanation<'q>> {
    let added: Vec<String> = chunk.plain().added_rows().map(|row| row.line.text().to_owned()).collect();
    let positions = positions(file, &chunk.headers, anchor, &added);
    positions.iter().map(|position| explained(file, chunk, position, &added)).collect()
}

/// Returns the addition at a position as an explanation.
fn explained<'q>(
    file: &File<'_>,
    chunk: &Chunk<'q>,
    position: &Position,
    added: &[String],
) -> Explanation<'q> {
    let as_block = indented_as_block(file, &chunk.headers, position.at, added);
    let mut is_indented = as_block.is_some();
    let mut added = as_block.unwrap_or_else(|| added.to_vec());
    is_indented |= indent_recipes(file, position.at, &mut added);
    let added = &*added;
    let mut explanation = explanation(chunk, position.at, added.to_vec());
    if let Ok(effect) = &mut explanation.effect {
        effect.rewritten.indentation = is_indented;
    }
    if let Some(there) = There::find(file, position, added) {
        explanation.lines = there.lines;
        if there.is_certain {
            explanation.state = State::Made;
            explanation.effect = Ok(Effect::default());
        } else {
            explanation.effect = Err(Obstacle::MadeSince);
        }
    } else {
        if let Some(obstacle) = obstacle(file, position, added) {
            explanation.effect = Err(obstacle);
        }
        explanation.coincidence = coincidence(file, &explanation, &chunk.moved);
        explanation.cost += explanation.coincidence;
        // Lines that already exist may come from an earlier run.
        if explanation.coincidence > file.costs.margin {
            explanation.effect = Err(Obstacle::MadeSince);
        }
    }
    explanation.signature = Signature::of(file, &explanation);
    explanation
}

/// Returns the added lines with the indentation of the file, where the lines of the innermost header and of its block show another rule than
/// the header and the first added line: tabs for spaces, spaces for tabs, or another width throughout.
fn indented_as_block(file: &File<'_>, headers: &Headers, at: usize, added: &[String]) -> Option<Vec<String>> {
    let (header, _) = headers.found.last()?;
    let scopes = headers.scopes.iter().flatten();
    let line = scopes.map(|scope| scope.line).filter(|line| *line < at).max()?;
    let first = added.iter().find(|line| !line.trim().is_empty())?;
    let is_deeper = |body: &usize| file.line(*body).depth() > file.line(line).depth();
    let body = file.first_filled(at..file.len()).filter(is_deeper);
    let mut pairs = vec![(indent(header), file.line(line).indent())];
    pairs.extend(body.map(|body| (indent(first), file.line(body).indent())));
    pairs.retain(|(written, _)| !written.is_empty());
    let has_tabs = |indent: &str| indent.starts_with('\t');
    let has_other_signs = pairs.iter().any(|(written, actual)| has_tabs(written) != has_tabs(actual));
    let is_throughout = pairs.len() == 2 && pairs.iter().all(|(written, actual)| written != actual);
    if !has_other_signs && !is_throughout {
        return None;
    }
    let counted: Vec<_> = pairs.iter().map(|pair| (pair, 1)).collect();
    let maps = propose(file.costs, &counted);
    let map = maps.first().filter(|map| pairs.iter().all(|(written, actual)| map.maps(written, actual)))?;
    let indented = |line: &String| Some(format!("{}{}", map.apply(&indent(line))?, line.trim_start()));
    added.iter().map(indented).collect()
}

/// The lines of the file that equal the added lines, if the addition may have been made.
struct There {
    lines: Range<usize>,
    /// Whether the addition was made: a single line that is no longer the last may be meant twice.
    is_certain: bool,
}

impl There {
    fn find(file: &File<'_>, position: &Position, added: &[String]) -> Option<Self> {
        if is_made(file, position.at, added) {
            return Some(There { lines: made_lines(file, position.at, added), is_certain: true });
        }
        let lines = made_above(file, added).filter(|_| position.above.is_none())?;
        let is_block = added.iter().filter(|line| !line.trim().is_empty()).nth(1).is_some();
        Some(There { lines, is_certain: is_block })
    }
}

/// A position of an addition: the line before which lines are added, and the line above that determines the position.
struct Position {
    at: usize,
    above: Option<usize>,
}

impl Position {
    fn behind(line: usize) -> Self {
        Position { at: line + 1, above: Some(line) }
    }
}

fn positions(
    file: &File<'_>,
    headers: &Headers,
    anchor: Option<&Chunk<'_>>,
    added: &[String],
) -> Vec<Position> {
    if !headers.missing.is_empty() {
        return Vec::new();
    }
    if let Some(scopes) = &headers.scopes {
        // The heading of a unified diff is any line above the position, unless the number names the same line.
        let is_numbered = |line: usize| headers.hint.is_none_or(|hint| hint.is_of_quote(line));
        let lines = scopes.iter().map(|scope| scope.line);
        let lines = lines.filter(|line| is_numbered(*line) && is_introduced(file, headers, *line));
        let first = added.iter().find(|line| !line.trim().is_empty()).map_or("", String::as_str);
        let behind = |line| {
            Position::behind(preamble_end(file.document(), opener_end(file.document(), line, first), first))
        };
        return lines.map(behind).collect();
    }
    // Line numbers alone are no information about the current file.
    if headers.hint.is_some_and(|hint| hint.line > 0) {
        return Vec::new();
    }
    match anchor {
        Some(anchor) => anchor
            .explanations
            .iter()
            .filter(|explanation| explanation.has_bytes() && !explanation.lines.is_empty())
            .map(|explanation| Position::behind(explanation.lines.end - 1))
            .collect(),
        None => vec![Position { at: file.len(), above: None }],
    }
}

/// Checks whether the innermost header introduces a line. A header that is a part of a call, a comment or a string does
/// not show a position for lines of a block.
fn is_introduced(file: &File<'_>, headers: &Headers, line: usize) -> bool {
    match headers.found.last() {
        Some((header, HeaderMatch::Beginning | HeaderMatch::Part)) => {
            introduces(file.document(), line, header)
        }
        _ => true,
    }
}

fn explanation<'q>(chunk: &Chunk<'q>, at: usize, lines: Vec<String>) -> Explanation<'q> {
    Explanation {
        cost: 0,
        reading: Rc::clone(chunk.plain()),
        map: IndentMap::Same,
        pairs: Rc::new([]),
        state: State::ToMake,
        effect: Ok(Effect { insertions: vec![Insertion { at, lines }], ..Effect::default() }),
        removed: Vec::new(),
        lines: at..at,
        span: at..at,
        signature: Signature::Unchanged,
        coincidence: 0,
        position: 0,
        prior: 0,
    }
}

/// Checks whether the lines already exist right behind their position or, at the end of the file, right before.
fn is_made(file: &File<'_>, at: usize, added: &[String]) -> bool {
    let lines = made_lines(file, at, added);
    lines.len() == added.len() && lines.zip(added).all(|(line, added)| file.line(line).text() == added)
}

fn made_lines(file: &File<'_>, at: usize, added: &[String]) -> Range<usize> {
    if at == file.len() { at.saturating_sub(added.len())..at } else { at..(at + added.len()).min(file.len()) }
}

/// Returns where lines that would end the file are already, in a row and at the margin, because other lines were added behind
/// them: at least one line is distinctive, and no section begins behind them, in which the added lines would be others.
fn made_above(file: &File<'_>, added: &[String]) -> Option<Range<usize>> {
    let is_filled = |line: &String| !line.trim().is_empty();
    let (first, last) = (added.iter().position(is_filled)?, added.iter().rposition(is_filled)?);
    let rows = &added[first..=last];
    if rows[0].starts_with([' ', '\t']) {
        return None;
    }
    let only_line = |row: &String| {
        let row = LineText::new(row.as_str());
        let is_telling = row.letters() >= LETTERS_OF_A_LINE && file.occurrences(&row) == 1;
        file.squashed_lines(&row).next().filter(|_| is_telling)
    };
    // A distinctive line shows where the first line is.
    let start = rows.iter().enumerate().find_map(|(nth, row)| only_line(row)?.checked_sub(nth))?;
    let end = start + rows.len();
    let is_there = || rows.iter().zip(start..).all(|(row, line)| file.line(line).text() == row);
    if end > file.len() || !is_there() {
        return None;
    }
    let has_own = begins_section(file.document(), start);
    let is_of_last = has_own || !(end..file.len()).any(|line| begins_section(file.document(), line));
    is_of_last.then_some(start..end)
}

fn obstacle(file: &File<'_>, position: &Position, added: &[String]) -> Option<Obstacle> {
    let mut filled = added.iter().filter(|line| !line.trim().is_empty());
    let first = filled.next()?;
    if let Some(above) = position.above {
        let ends = [first, filled.next_back().unwrap_or(first)].map(|line| added_line(line));
        let document = file.document();
        let separates = separates_from_body(document, above, ends[0].depth, first)
            || is_attribute_of_next(file, above) && !is_about_next(ends[0].text);
        let below = file.first_filled(above + 1..file.len());
        let inside = below.filter(|below| divides(document, above, *below, &ends));
        return match separates.then_some(above).or(inside) {
            Some(line) => Some(Obstacle::DividesBlock { line }),
            None => (!fits_depth(document, above, ends[0])).then_some(Obstacle::DepthUnknown),
        };
    }
    // The whole file, written again, does not go behind itself.
    let line = file.first_filled(0..file.len())?;
    (file.line(line).text() == first).then_some(Obstacle::MadeSince)
}

/// Checks whether a line is an attribute of the line right below: `#[test]`, or `[Fact]` in a block.
fn is_attribute_of_next(file: &File<'_>, line: usize) -> bool {
    let text = file.line(line);
    let next = file.first_filled(line + 1..file.len());
    (is_attribute(text.body()) || !text.indent().is_empty() && is_in_brackets(text.body()))
        && next.is_some_and(|next| next == line + 1 && file.line(next).indent() == text.indent())
}

fn added_line(line: &str) -> Added<'_> {
    let text = line.trim_start();
    Added { depth: line.len() - text.len(), text }
}
