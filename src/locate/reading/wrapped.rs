//! Lines that the quote and the file break at other positions: a call on one line of the quote and on four of the file, or the other
//! way round.

use std::borrow::Cow;
use std::iter;
use std::rc::Rc;

use super::quote::{Reading, Row};
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::align::relation::{Kind, relate_kept};
use crate::locate::syntax::{CLOSING, uncommented};

/// The most rows, and the most lines, of a text that is broken otherwise.
pub(crate) const MOST_LINES: usize = 40;

/// The most positions at which the lines of a row are looked for.
const MOST_STARTS: usize = 50;

/// Returns the quote with the line breaks of the file: rows that the file does not have, and that lines beside the other rows have
/// without their line breaks, become these lines. `None` if no row does.
pub(super) fn with_breaks_of_file<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let rows = &reading.rows;
    let mut read: Vec<Rc<Row<'q>>> = Vec::with_capacity(rows.len());
    let mut end = None;
    let mut at = 0;
    while at < rows.len() {
        let is_unknown = is_quoted(&rows[at]) && !file.has_squashed(&rows[at].line);
        let run = if is_unknown { Run::find(file, rows, at, end) } else { None };
        if let Some(run) = run {
            read.extend(run.rows(file, rows, at));
            at += run.rows;
            end = Some((at, run.end));
        } else {
            read.push(Rc::clone(&rows[at]));
            at += 1;
        }
    }
    let has_changed =
        read.len() != rows.len() || read.iter().zip(rows).any(|(one, other)| !Rc::ptr_eq(one, other));
    has_changed.then(|| {
        let mut read = reading.with_rows(read, file.costs.join);
        read.undone.wrapped = true;
        read
    })
}

/// Counts the old rows that are not blank.
fn count_old(rows: &[Rc<Row<'_>>]) -> usize {
    rows.iter().filter(|row| row.is_old() && !row.is_blank()).count()
}

fn is_quoted(row: &Row<'_>) -> bool {
    row.is_old() && row.has_text()
}

/// Rows and lines with the same text.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// The number of rows.
    rows: usize,
    /// The lines of the file.
    start: usize,
    end: usize,
}

impl Run {
    /// Finds the lines of a row and the rows behind it. `end`: the row and the line behind the last run.
    fn find(file: &File<'_>, rows: &[Rc<Row<'_>>], at: usize, end: Option<(usize, usize)>) -> Option<Run> {
        let filled = |line: usize| (line..file.len()).filter(|line| !file.is_blank(*line));
        if let Some((row, line)) = end.filter(|(row, _)| !rows[*row..at].iter().any(|row| is_quoted(row))) {
            return Run::at(file, &rows[at..], filled(line).nth(count_old(&rows[row..at]))?);
        }
        // Brackets alone are at many positions.
        if let Some(above) = rows[..at].iter().rposition(|row| is_quoted(row)) {
            let between = count_old(&rows[above + 1..at]);
            let lines = file.squashed_lines(&rows[above].line).take(MOST_STARTS);
            let starts = lines.filter_map(|line| filled(line + 1).nth(between));
            return Run::only(file, starts.filter_map(|start| Run::at(file, &rows[at..], start)));
        }
        let is_known = |row: &Rc<Row<'_>>| is_quoted(row) && file.has_squashed(&row.line);
        let below = at + 1 + rows[at + 1..].iter().position(is_known)?;
        let lines = file.squashed_lines(&rows[below].line).take(MOST_STARTS);
        let starts = lines.flat_map(|line| {
            let before = filled(line.saturating_sub(MOST_LINES)).take_while(move |start| *start < line);
            before.map(move |start| (start, line))
        });
        let found = starts.filter_map(|(start, line)| {
            let run = Run::at(file, &rows[at..], start)?;
            let between = count_old(rows.get(at + run.rows..below)?);
            (filled(run.end).nth(between) == Some(line)).then_some(run)
        });
        Run::only(file, found)
    }

    /// Returns the first of several runs, if all have the same line breaks.
    fn only(file: &File<'_>, mut runs: impl Iterator<Item = Run>) -> Option<Run> {
        let first = runs.next()?;
        let bodies = |run: Run| (run.start..run.end).map(|line| file.line(line).body());
        runs.all(|run| run.rows == first.rows && bodies(run).eq(bodies(first))).then_some(first)
    }

    /// Compares rows of one kind with the lines from a line on.
    fn at(file: &File<'_>, rows: &[Rc<Row<'_>>], start: usize) -> Option<Run> {
        let kind = |row: &Row<'_>| (row.removes(), row.adds());
        let alike =
            rows.iter().take_while(|row| kind(row) == kind(&rows[0]) && !row.is_blank()).take(MOST_LINES);
        same_text(file, alike.map(|row| &row.line), start).or_else(|| {
            if rows[0].is_context() { typed_declaration(file, &rows[0].line, start) } else { None }
        })
    }

    /// Returns the rows with the lines of the file, as deep as the first row.
    fn rows<'q>(self, file: &File<'_>, rows: &[Rc<Row<'q>>], at: usize) -> Vec<Rc<Row<'q>>> {
        let (indent, first) = (rows[at].line.indent(), file.line(self.start).indent());
        let text = |line: usize| {
            let own = file.line(line).indent();
            let deeper = own.strip_prefix(&*first).map(|deeper| format!("{indent}{deeper}"));
            deeper.unwrap_or_else(|| own.into_owned()) + file.line(line).body()
        };
        let row_of = |nth: usize| &rows[at + nth.min(self.rows - 1)];
        (self.start..self.end).enumerate().map(|(nth, line)| row_of(nth).with_text(text(line))).collect()
    }
}

/// Returns the line behind the lines from a line on that are a text of one line, broken; `None` if they are another text.
pub(crate) fn end_of_broken(file: &File<'_>, text: &LineText<'_>, start: usize) -> Option<usize> {
    same_text(file, iter::once(text), start).map(|run| run.end)
}

/// Compares a line that declares a function with the lines from a line on, which may have types, and a parameter in each line.
fn typed_declaration(file: &File<'_>, quoted: &LineText<'_>, start: usize) -> Option<Run> {
    let opens = file.line(start).body().ends_with('(') && quoted.body().starts_with(file.line(start).body());
    if !opens {
        return None;
    }
    let lines = (start..file.len()).take(MOST_LINES);
    let end = lines.skip(1).find(|line| file.line(*line).body().starts_with(CLOSING))? + 1;
    let declared: String = (start..end).map(|line| file.line(line).body()).collect::<Vec<_>>().join(" ");
    let declared = LineText::new(declared.replace(", )", ")"));
    let is_same = relate_kept(file.costs, quoted, &declared).kind == Kind::Annotation;
    is_same.then_some(Run { rows: 1, start, end })
}

/// Compares lines, at least one and none of them blank, with those of the file from a line on, up to where both have the same line break
/// again. `None` if the texts differ, or have the same line breaks.
fn same_text<'l, 't: 'l>(
    file: &File<'_>,
    quoted: impl Iterator<Item = &'l LineText<'t>>,
    start: usize,
) -> Option<Run> {
    let is_comment = |line: &LineText<'_>| uncommented(line.body()).1;
    let mut quoted = quoted.peekable();
    let are_comments = is_comment(quoted.peek()?);
    if is_comment(file.line(start)) != are_comments || file.line(start).letters() == 0 {
        return None;
    }
    let mut quoted = Unwrapped::new(quoted, are_comments);
    let lines = (start..file.len()).take_while(|line| !file.is_blank(*line)).take(MOST_LINES);
    let mut actual = Unwrapped::new(lines.map(|line| file.line(line)), are_comments);
    loop {
        if quoted.rest.is_empty() && actual.rest.is_empty() {
            let (rows, lines) = (quoted.taken, actual.taken);
            return (rows + lines > 2).then_some(Run { rows, start, end: start + lines });
        }
        if quoted.rest.is_empty() {
            quoted.take_next(&actual.rest)?;
        } else if actual.rest.is_empty() {
            actual.take_next(&quoted.rest)?;
        } else {
            let common = quoted.rest.len().min(actual.rest.len());
            if quoted.rest.as_bytes()[..common] != actual.rest.as_bytes()[..common] {
                return None;
            }
            quoted.rest.drain(..common);
            actual.rest.drain(..common);
        }
    }
}

/// A text in several lines, of which the beginning is taken.
struct Unwrapped<'l, 't: 'l, L: Iterator<Item = &'l LineText<'t>>> {
    lines: iter::Peekable<L>,
    /// Whether the lines are comments.
    are_comments: bool,
    /// How many lines are taken.
    taken: usize,
    /// What is left of the lines that are taken, without white space.
    rest: String,
}

impl<'l, 't: 'l, L: Iterator<Item = &'l LineText<'t>>> Unwrapped<'l, 't, L> {
    fn new(lines: L, are_comments: bool) -> Self {
        let mut unwrapped =
            Unwrapped { lines: lines.peekable(), are_comments, taken: 0, rest: String::new() };
        let _ = unwrapped.take_next("");
        unwrapped
    }

    /// Takes the next line; `None` if there is none. `other` is what is left of the other text: where a formatter broke a list, a comma
    /// is behind its last item.
    fn take_next(&mut self, other: &str) -> Option<()> {
        let line = self.lines.next()?;
        let (comment, is_comment) = uncommented(line.body());
        // `///`, `//!`, `##`.
        let comment = comment.trim_start_matches(['/', '!', '#']);
        if self.taken > 0 && is_comment != self.are_comments {
            return None;
        }
        let mut text = if self.are_comments { squashed(comment) } else { Cow::Borrowed(line.squashed()) };
        if self.lines.peek().is_some_and(|next| next.body().starts_with(CLOSING)) {
            // The comma is compared with what the other text has behind the item.
            if let Some(item) = text.strip_suffix(',').filter(|item| has_closing_behind(other, item)) {
                text = Cow::Owned(item.to_owned());
            }
        }
        if self.lines.peek().is_some() && !self.are_comments {
            text = text.strip_suffix('\\').map(|text| Cow::Owned(text.to_owned())).unwrap_or(text);
        }
        self.taken += 1;
        self.rest = text.into_owned();
        Some(())
    }
}

/// Checks whether a text goes on with an item and a closing bracket.
fn has_closing_behind(text: &str, item: &str) -> bool {
    text.strip_prefix(item).is_some_and(|behind| behind.starts_with(CLOSING))
}

fn squashed(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_whitespace) {
        text.split_whitespace().collect::<String>().into()
    } else {
        text.into()
    }
}
