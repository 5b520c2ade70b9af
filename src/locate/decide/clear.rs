//! Places the edits of a document whose quotes match byte for byte at a single position each, without readings,
//! alignments and costs.
//!
//! The result is that of the rounds, or `None`. Why the rounds have no other choice: a quote of several lines with
//! text that matches byte for byte has no further position with the edit still to be made, and costs nothing there. The only
//! other explanations are results that already exist. The first of these costs at least [`Costs::made`], which is above
//! the margin, and nothing else in an assignment has a negative cost. Everything that would add a cost to the exact position,
//! raise an obstacle, read the quote differently or be reported is left to the rounds: see [`is_plain`] and [`Change`].

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use crate::locate::align::cost::Costs;
use crate::locate::align::line_text::{LineText, indent, letters};
use crate::locate::explanation::defined::{LONGEST_LIST, REACH};
use crate::locate::explanation::extended::{is_part, may_be_changed};
use crate::locate::explanation::made::TELLING_LETTERS;
use crate::locate::explanation::named::{declared_name, may_be_item};
use crate::locate::outcome::{Placed, Placement};
use crate::locate::reading::{encoder, is_dots, is_placeholder};
use crate::locate::search::Index;
use crate::locate::search::attached::with_attached_lines;
use crate::locate::search::headers::read;
use crate::locate::search::scope::{Added, divides, separates_from_body};
use crate::locate::syntax::{field, is_about_next, names_and_signs, without_separator};
use crate::patch::edit::Edit;
use crate::patch::{Line, LineKind};
use crate::text::{Document, Encoding, Fold, Replacement};

/// How many added lines are compared with removed and neighbouring lines; a longer block is left to the rounds.
const MOST_COMPARED: usize = 64;

/// So many bytes at the beginning of two lines are equal, if only the style of the lines differs.
const ALIKE: usize = 4;

/// Returns the positions of all edits of a document; `None` if any edit is not clear.
pub(super) fn placed(index: &Index, edits: &[Edit<'_>], costs: &Costs) -> Option<Placed> {
    let document = index.document();
    let is_made_apart = costs.made > costs.margin && costs.made_in_part >= 0;
    if !is_made_apart || document.encoding() != Encoding::Utf8 || !edits.iter().all(is_plain) {
        return None;
    }
    // The lines of a recipe get the tab of the file.
    let mut lines = edits.iter().flat_map(|edit| &edit.lines);
    let has_spaces = lines.any(|line| line.adds() && line.text.starts_with("  "));
    if has_spaces && is_indented_by_tabs(document) {
        return None;
    }
    let mut placed = Placed::default();
    let mut behind = None;
    for edit in edits {
        let start = only_position(index, edit).filter(|start| is_as_numbered(edit, *start))?;
        let change = Change::new(document, edit, start)?;
        // Chunks that touch may conflict, and chunks in another order have a cost.
        if behind.is_some_and(|behind| change.span.start <= behind) || change.is_in_doubt() {
            return None;
        }
        behind = Some(change.span.end);
        let count = |count: fn(&Replacement<'_>) -> usize| change.replacements.iter().map(count).sum();
        placed.outcomes.push(Ok(Placement {
            start,
            added: count(|replacement| replacement.lines.len()),
            removed: count(|replacement| replacement.removed),
            ..Placement::default()
        }));
        placed.replacements.extend(change.replacements);
    }
    Some(placed)
}

/// Checks whether the first line with indentation begins with a tab.
fn is_indented_by_tabs(document: &Document) -> bool {
    let content = document.content();
    let starts = iter::once(0).chain(memchr::memchr_iter(b'\n', content).map(|feed| feed + 1));
    let mut indents =
        starts.filter_map(|start| content.get(start)).filter(|byte| matches!(byte, b' ' | b'\t'));
    indents.next() == Some(&b'\t')
}

/// Checks whether an edit has nothing that is read in more than one way: no header, no dots, no entities or escapes, no line
/// without its sign, no added line with characters of a wrong code page.
fn is_plain(edit: &Edit<'_>) -> bool {
    let is_plain_line = |line: &Line<'_>| {
        (line.signed || line.is_blank())
            && !is_dots(&line.text)
            && !encoder::has_marks(&line.text)
            && (!line.adds() || line.text.is_ascii() && !is_placeholder(&line.text, false))
    };
    let filled = edit.old_lines().filter(|line| !line.is_blank()).count();
    // A single line of a chunk may have a different indentation.
    let is_quoted = filled > 1 || edit.is_text() && filled == 1;
    // A quote of signs alone shows no position that the result does not show better.
    let has_letters = edit.old_lines().any(|line| line.text.contains(char::is_alphanumeric));
    let mut added = edit.lines.iter().filter(|line| line.adds()).peekable();
    let removes = edit.lines.iter().any(Line::removes);
    let changes = removes || added.peek().is_some() && !added.all(Line::is_blank);
    let headers = edit.headers.iter().map(|header| read(header).1);
    // A unified diff has no context below a change at the end of the file.
    let is_open_below =
        edit.dialect.has_loose_headers() && edit.lines.last().is_none_or(|line| !line.is_context());
    is_quoted
        && has_letters
        && changes
        && !edit.end_of_file
        && !is_open_below
        && headers.into_iter().all(|text| text.trim().is_empty())
        && edit.lines.iter().all(is_plain_line)
}

/// Checks whether a position has the line number of the edit, if the edit has a number.
fn is_as_numbered(edit: &Edit<'_>, start: usize) -> bool {
    let mut hints = edit.headers.iter().filter_map(|header| read(header).0);
    hints.all(|hint| hint.is_of_quote(start))
}

fn only_position(index: &Index, edit: &Edit<'_>) -> Option<usize> {
    let quote: Vec<&str> = edit.old_lines().map(|line| &*line.text).collect();
    match index.places(Fold::Exact, &quote)[..] {
        [start] => Some(start),
        _ => None,
    }
}

/// What an edit changes at its position.
struct Change<'a> {
    document: &'a Document,
    /// The lines from the first to the last that changes.
    span: Range<usize>,
    replacements: Vec<Replacement<'static>>,
    /// The removed and the added lines that are not blank.
    removed: Vec<&'a str>,
    added: Vec<&'a str>,
    /// The added lines at the end of the edit behind a line of context: that line, and the first line that is not blank.
    at_end: Option<(usize, [Added<'a>; 2])>,
    /// The first line of the quote, if lines with text are added above it.
    at_start: Option<usize>,
    /// The lines of the edit that are not blank: whether the first and the last are no context.
    is_open: (bool, bool),
}

impl<'a> Change<'a> {
    /// Takes the lines of an edit at a position; `None` for more lines than are compared.
    fn new(document: &'a Document, edit: &'a Edit<'_>, start: usize) -> Option<Self> {
        let filled = |kind: LineKind| {
            let lines = edit.lines.iter().filter(move |line| line.kind == kind);
            lines.map(|line| &*line.text).filter(|text| !is_blank(text)).collect::<Vec<&str>>()
        };
        let (removed, added) = (filled(LineKind::Remove), filled(LineKind::Add));
        let replacements = replacements(edit, start);
        let span = replacements.first()?.start..replacements.last()?.end();
        let end = start + edit.old_lines().count();
        let last = edit.lines.iter().rposition(|line| !line.adds());
        let run = &edit.lines[last.map_or(0, |last| last + 1)..];
        let is_behind_context = last.is_some_and(|last| edit.lines[last].is_context());
        let mut texts = run.iter().map(|line| &*line.text).filter(|text| !is_blank(text));
        let first = texts.next().filter(|_| is_behind_context);
        let at_end = first.map(|first| {
            let ends = [first, texts.next_back().unwrap_or(first)];
            (end - 1, ends.map(|text| Added { depth: indent(text).len(), text: text.trim() }))
        });
        let is_short = removed.len() <= MOST_COMPARED && added.len() <= MOST_COMPARED;
        let mut filled = edit.lines.iter().filter(|line| !line.is_blank()).map(|line| !line.is_context());
        let first = filled.next().unwrap_or_default();
        let is_open = (first, filled.next_back().unwrap_or(first));
        let mut leading = edit.lines.iter().take_while(|line| line.adds());
        let at_start = leading.any(|line| !line.is_blank()).then_some(start);
        is_short.then_some(Change { document, span, replacements, removed, added, at_end, at_start, is_open })
    }

    /// Checks whether the change is nothing, goes between a line and its block, or may have been made before.
    fn is_in_doubt(&self) -> bool {
        self.replacements.iter().any(|replacement| self.is_unchanged(replacement))
            || self.at_start.is_some_and(|line| with_attached_lines(self.document, line) < line)
            || self.at_end.is_some_and(|(line, ends)| self.is_in_block(line, &ends))
            || !self.added.is_empty() && (self.may_be_there() || self.may_repeat())
    }

    /// Checks whether lines behind a line are between that line and its block, or divide the block that the line is in.
    fn is_in_block(&self, line: usize, ends: &[Added<'_>; 2]) -> bool {
        let [first, _] = ends;
        let beside = self.above(line + 1).next().zip(self.below(line + 1).next());
        separates_from_body(self.document, line, first.depth, first.text)
            || beside.is_some_and(|(above, below)| divides(self.document, above, below, ends))
    }

    fn is_unchanged(&self, replacement: &Replacement<'_>) -> bool {
        let lines = replacement.start..replacement.end();
        lines.len() == replacement.lines.len()
            && lines.zip(&replacement.lines).all(|(line, new)| self.document.line(line) == new.as_bytes())
    }

    /// Checks whether an added line at an end of the edit may repeat the line beside the edit.
    fn may_repeat(&self) -> bool {
        let is_beside = |line: Option<usize>, added: Option<&&str>| {
            line.zip(added).is_some_and(|(line, added)| self.text(line).trim() == added.trim())
        };
        self.is_open.1 && is_beside(self.below(self.span.end).next(), self.added.last())
            || self.is_open.0 && is_beside(self.above(self.span.start).next(), self.added.first())
    }

    /// Checks whether added lines may exist beside their position: there is no coincidence without.
    fn may_be_there(&self) -> bool {
        self.may_coincide() || self.may_be_added()
    }

    /// Checks whether an edit that changes no line but by a separator may add lines that are beside their position, or in the same list.
    fn may_be_added(&self) -> bool {
        let is_in = |row: &str, rows: &[&str]| rows.iter().any(|other| is_item(row, other));
        let new: Vec<&str> = self.added.iter().copied().filter(|row| !is_in(row, &self.removed)).collect();
        let only_adds = self.removed.iter().all(|row| is_in(row, &self.added));
        let reach = self.replacements.iter().map(|replacement| replacement.lines.len()).max().unwrap_or(0);
        let has_words = new.iter().any(|row| letters(row) >= TELLING_LETTERS);
        only_adds
            && self.replacements.iter().any(|replacement| {
                self.may_have_field(replacement, reach.max(LONGEST_LIST))
                    || has_words && self.may_be_near(replacement, reach)
                    || has_words && self.may_be_block_around(replacement)
                    || has_words && self.may_be_named(replacement)
                    || has_words && self.may_be_extended(replacement)
                    || matches!(new[..], [only] if self.may_be_in_list(replacement, only))
            })
    }

    /// Checks whether an added line is at most `reach` lines away.
    fn may_be_near(&self, replacement: &Replacement<'_>, reach: usize) -> bool {
        let added: Vec<&str> = self.added.iter().map(|row| without_separator(row)).collect();
        let last = (replacement.end() + reach).min(self.document.len());
        let mut near = (replacement.start.saturating_sub(reach)..last).map(|line| self.text(line));
        near.any(|line| added.iter().any(|row| is_same(row, without_separator(&line))))
    }

    /// Checks whether a field of the name of an added field is among the lines around.
    fn may_have_field(&self, replacement: &Replacement<'_>, reach: usize) -> bool {
        let has_field = |name: &str| {
            self.is_around(replacement, reach, name)
                && self.lines_around(replacement, reach).any(|line| field(&line) == Some(name))
        };
        items(replacement).any(|row| field(row).is_some_and(has_field))
    }

    /// Checks whether an added line may be among the lines around in another form.
    fn may_be_named(&self, replacement: &Replacement<'_>) -> bool {
        items(replacement).any(|row| {
            // To look for a text takes less time than to read each line.
            let may_be = |text: &str| self.is_around(replacement, LONGEST_LIST, text);
            let lines = || self.lines_around(replacement, LONGEST_LIST);
            let longest = names_and_signs(row).into_iter().take(2).max_by_key(|token| token.len());
            let declares =
                |name: &str| may_be(name) && lines().any(|line| declared_name(&line) == Some(name));
            longest.is_some_and(may_be) && may_be_item(row, lines())
                || declared_name(row).is_some_and(declares)
        })
    }

    /// Checks whether a line beside an addition may be its only line, changed, or may be a part of this line.
    fn may_be_extended(&self, replacement: &Replacement<'_>) -> bool {
        let mut filled = replacement.lines.iter().filter(|line| !is_blank(line));
        let (Some(only), None) = (filled.next(), filled.next()) else { return false };
        let beside = [self.below(replacement.end()).next(), self.above(replacement.start).next()];
        beside.into_iter().flatten().any(|line| {
            let [line, only] = [&self.text(line), only].map(|text| LineText::new(text.trim().to_owned()));
            may_be_changed(line.text(), only.text()) || is_part(&line, &only)
        })
    }

    /// Checks whether a distinctive line is among the lines around, which may be its list.
    fn may_be_in_list(&self, replacement: &Replacement<'_>, row: &str) -> bool {
        letters(row) >= TELLING_LETTERS
            && self.is_around(replacement, LONGEST_LIST, without_separator(row.trim_start()))
    }

    /// Checks whether the first line of an added block, record or paragraph, or the only added line, is among the lines around.
    fn may_be_block_around(&self, replacement: &Replacement<'_>) -> bool {
        let mut lettered = replacement.lines.iter().filter(|line| letters(line) > 0);
        let Some(head) = lettered.find(|line| !is_about_next(line)) else { return false };
        let is_apart = |line: &Cow<'_, str>| is_blank(line) || indent(line) != indent(head);
        let opens = lettered.next().is_none() || replacement.lines.iter().any(is_apart);
        opens && self.is_around(replacement, REACH, head.trim())
    }

    /// Checks whether a text is among at most `reach` lines on each side.
    fn is_around(&self, replacement: &Replacement<'_>, reach: usize, text: &str) -> bool {
        let around = self.document.source(self.around(replacement, reach));
        memchr::memmem::find(around, text.as_bytes()).is_some()
    }

    fn lines_around(
        &self,
        replacement: &Replacement<'_>,
        reach: usize,
    ) -> impl Iterator<Item = Cow<'a, str>> {
        self.around(replacement, reach).map(|line| self.text(line))
    }

    /// Returns at most `reach` lines on each side of a position.
    fn around(&self, replacement: &Replacement<'_>, reach: usize) -> Range<usize> {
        replacement.end().saturating_sub(reach)..(replacement.start + reach).min(self.document.len())
    }

    /// Checks whether several added lines, or all, are beside their position.
    fn may_coincide(&self) -> bool {
        if self.replacements.iter().all(|replacement| replacement.removed == 0) {
            return self.replacements.iter().any(|replacement| self.is_beside(replacement));
        }
        if self.may_be_doubled() {
            return true;
        }
        let is_new = |row: &&str| !self.removed.iter().any(|removed| is_same(removed, row));
        let new: Vec<&str> = self.added.iter().copied().filter(is_new).collect();
        if let [only] = new[..] {
            let all_kept = self.removed.iter().all(|line| self.added.iter().any(|row| is_same(line, row)));
            let mut beside = [self.below(self.span.end).next(), self.above(self.span.start).next()];
            return all_kept && beside.iter_mut().flatten().any(|line| is_same(&self.text(*line), only));
        }
        let reach = new.len() + 3;
        let below = self.span.end..(self.span.end + reach).min(self.document.len());
        let above = self.span.start.saturating_sub(reach)..self.span.start;
        self.has_several(&new, below.chain(above))
    }

    /// Checks whether an added line may be right beyond the lines that change, apart from comments and attributes below.
    fn may_be_doubled(&self) -> bool {
        let is_about = |line: &usize| is_about_next(&self.text(*line));
        let below = self.below(self.span.end).find(|line| !is_about(line));
        let beside = [self.below(self.span.end).next(), below, self.above(self.span.start).next()];
        let mut texts = beside.into_iter().flatten().map(|line| self.text(line));
        texts.any(|text| self.added.iter().any(|row| is_same(&text, row)))
    }

    /// Checks whether lines that are only inserted may be right below or above their position: those of the insertion, or all or
    /// most of those that are inserted.
    fn is_beside(&self, insertion: &Replacement<'_>) -> bool {
        let at = insertion.start;
        let own: Vec<&str> =
            insertion.lines.iter().map(|line| &**line).filter(|line| !is_blank(line)).collect();
        let is_at = |line: Option<usize>, row: &str| {
            line.is_some_and(|line| is_same_in_other_style(&self.text(line), row))
        };
        let are_at = |rows: &[&str]| {
            let is_own = rows.iter().any(|row| is_about_next(row));
            let is_about = |line: usize| !is_own && is_about_next(&self.text(line));
            let (mut below, mut above) = (self.below(at).filter(|line| !is_about(*line)), self.above(at));
            rows.iter().all(|row| is_at(below.next(), row))
                || rows.iter().rev().all(|row| is_at(above.next(), row))
        };
        let is_there = are_at(&own) || are_at(&self.added);
        let most = self.added.len() + 2;
        let near = self.below(at).take(most).chain(self.above(at).take(most));
        is_there || self.has_several(&self.added, near)
    }

    /// Checks whether more than one distinctive row is among some lines.
    fn has_several(&self, rows: &[&str], lines: impl Iterator<Item = usize>) -> bool {
        let telling: Vec<&&str> = rows.iter().filter(|row| letters(row) >= TELLING_LETTERS).collect();
        if telling.len() < 2 {
            return false;
        }
        let texts: Vec<Cow<'_, str>> = lines.map(|line| self.text(line)).collect();
        let is_there = |row: &&&str| texts.iter().any(|text| is_same_in_other_style(text, row));
        telling.into_iter().filter(is_there).count() > 1
    }

    /// Returns the lines from a line on downwards that are not blank.
    fn below(&self, line: usize) -> impl Iterator<Item = usize> {
        (line..self.document.len()).filter(|line| !is_blank(&self.text(*line)))
    }

    /// Returns the lines above a line upwards that are not blank.
    fn above(&self, line: usize) -> impl Iterator<Item = usize> {
        (0..line).rev().filter(|line| !is_blank(&self.text(*line)))
    }

    fn text(&self, line: usize) -> Cow<'a, str> {
        // Most lines are valid text, for which this takes less time.
        self.document
            .text(line)
            .map_or_else(|| String::from_utf8_lossy(self.document.line(line)), Cow::Borrowed)
    }
}

/// Returns what an edit replaces at a position. Lines that are added between two removed lines take the place of the first.
fn replacements(edit: &Edit<'_>, start: usize) -> Vec<Replacement<'static>> {
    let mut replacements: Vec<Replacement<'static>> = Vec::new();
    let (mut at, mut is_open, mut is_parted) = (start, false, false);
    for line in &edit.lines {
        if line.is_context() {
            (at, is_open) = (at + 1, false);
            continue;
        }
        if !is_open || line.removes() && is_parted {
            replacements.push(Replacement { start: at, removed: 0, lines: Vec::new() });
        }
        is_open = true;
        if let Some(last) = replacements.last_mut() {
            if line.adds() {
                last.lines.push(Cow::Owned(line.text.clone().into_owned()));
            } else {
                last.removed += 1;
                at += 1;
            }
            is_parted = line.adds() && last.removed > 0;
        }
    }
    replacements
}

/// Returns the added lines as deep as the first that is neither a comment nor an attribute.
fn items<'r>(replacement: &'r Replacement<'_>) -> impl Iterator<Item = &'r str> {
    let lines = replacement.lines.iter().map(|line| &**line).filter(|line| letters(line) > 0);
    let head = lines.clone().find(|line| !is_about_next(line));
    lines.filter(move |line| head.is_some_and(|head| indent(line) == indent(head)))
}

/// Checks whether a text has nothing but whitespace.
fn is_blank(text: &str) -> bool {
    text.trim_start().is_empty()
}

/// Checks whether two lines are equal but for whitespace and look-alikes.
fn is_same(one: &str, other: &str) -> bool {
    if one.is_ascii() && other.is_ascii() {
        // Bytes that are equal from the start on hold the same whitespace.
        let equal = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
        return ink(&one[equal..]).eq(ink(&other[equal..]));
    }
    LineText::new(one).squashed() == LineText::new(other).squashed()
}

/// Checks whether two lines are equal but for whitespace, a comment behind the code and the kind of quotation marks.
fn is_same_in_other_style(one: &str, other: &str) -> bool {
    let may_differ = |line: &str| line.contains(['\'', '`', '/', '#', '-']);
    is_same(one, other)
        || ink(one).take(ALIKE).eq(ink(other).take(ALIKE))
            && (may_differ(one) || may_differ(other))
            && LineText::new(one).normalized() == LineText::new(other).normalized()
}

/// Checks whether two lines are the same item of a list, whatever separator is behind.
fn is_item(one: &str, other: &str) -> bool {
    is_same(without_separator(one), without_separator(other))
}

/// Returns the bytes of an ASCII text without whitespace.
fn ink(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(|byte| !matches!(byte, b'\t'..=b'\r' | b' '))
}

#[cfg(test)]
mod tests;
