//! The evidence of headers, and of the end of the file, for a position or against it.

use super::chunk::{Chunk, is_at_end};
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::explanation::evidence::says_same;
use crate::locate::explanation::made::TELLING_LETTERS;
use crate::locate::explanation::other_header::{is_named_around, is_of_other_header, is_of_sibling};
use crate::locate::explanation::{Explanation, State};
use crate::locate::reading::Row;
use crate::locate::search::headers::HeaderMatch;
use crate::locate::search::scope::Scope;
use crate::locate::syntax::{begins_control, closes};

impl<'q> Chunk<'q> {
    /// A missing header costs as much as a missing line. A position outside all scopes of a header contradicts that header.
    pub(super) fn header_cost(&self, file: &File<'_>, explanation: &Explanation<'q>) -> i32 {
        let missing =
            self.headers.missing.iter().map(|header| file.costs.missing + Self::header_content(file, header));
        let contradicted = self.scopes().filter(|scopes| !is_in_any(scopes, explanation)).count();
        let contradicted = i32::try_from(contradicted).unwrap_or(i32::MAX);
        missing.sum::<i32>() + file.costs.header.saturating_mul(contradicted)
    }

    /// Returns where each header leads to.
    fn scopes(&self) -> impl Iterator<Item = &[Scope]> {
        self.headers.outer.iter().chain(&self.headers.scopes).map(Vec::as_slice)
    }

    fn header_content(file: &File<'_>, header: &str) -> i32 {
        file.content(&LineText::new(header))
    }

    /// Checks whether a position is inside a scope of the innermost header.
    pub(super) fn is_inside(&self, explanation: &Explanation<'q>) -> bool {
        self.headers.scopes.as_ref().is_none_or(|scopes| is_in_any(scopes, explanation))
    }

    /// Returns a clearly better explanation in the block of the innermost header, if a position is outside of this block. The heading of a
    /// unified diff may name another block.
    pub(super) fn under_header(&self, file: &File<'_>, own: &Explanation<'q>) -> Option<&Explanation<'q>> {
        let may_be_displaced = own.state == State::ToMake
            && self.headers.name_lines()
            && !self.edit.dialect.has_loose_headers()
            && !self.is_inside(own);
        let is_better = |other: &&Explanation<'q>| {
            other.state == State::ToMake
                && other.has_bytes()
                && other.cost + file.costs.margin <= own.cost
                && self.is_inside(other)
        };
        self.explanations.iter().find(is_better).filter(|_| may_be_displaced)
    }

    /// Checks whether the innermost header, a line of the file, leads to a result that was made, and not to another position. If a
    /// unified diff has a line number, the result is at that line.
    pub(super) fn is_outside_of_made(
        &self,
        file: &File<'_>,
        made: &Explanation<'q>,
        other: &Explanation<'q>,
    ) -> bool {
        let Some([scope]) = self.headers.scopes.as_deref() else { return false };
        let is_in_block = |found: &Explanation<'q>| {
            if scope.is_known { self.is_inside(found) } else { scope.has_in_block(found.lines.start) }
        };
        self.headers.name_lines()
            && is_in_block(made)
            && self.headers.hint.is_none_or(|hint| hint.is_of_result(made.lines.start))
            && !is_in_block(other)
            && !shows_block(file, other)
    }

    /// Returns the evidence of the end of the file, and of the headers that were found, for a position. Headers are
    /// evidence against a position outside, except for the heading of a unified diff, which may be any line above the
    /// hunk.
    pub(super) fn header_evidence(&self, file: &File<'_>, explanation: &Explanation<'q>) -> i32 {
        let found = self.headers.found.iter().zip(self.scopes());
        let mut evidence =
            if self.edit.end_of_file && is_at_end(file, explanation) { file.rarity(1) } else { 0 };
        for ((header, how), scopes) in found {
            let worth = file.chance(&LineText::new(header.as_str()));
            evidence += match (how, is_in_any(scopes, explanation)) {
                (HeaderMatch::Part, _) => 0,
                (_, true) => worth,
                (_, false) if self.edit.dialect.has_loose_headers() => 0,
                (_, false) if shows_block(file, explanation) || follows_any(file, scopes, explanation) => 0,
                (_, false) => -worth,
            };
        }
        evidence
    }

    /// Checks whether headers, or the end of the file, contradict the position, or whether a missing header outweighs a
    /// single quoted line.
    pub(super) fn is_outside(&self, file: &File<'_>, explanation: &Explanation<'q>) -> bool {
        let is_one_line = explanation.reading.filled_old_rows().count() < 2;
        let is_vague = !self.headers.missing.is_empty() && is_one_line;
        is_vague || !self.is_inside(explanation) || self.end_cost(file, explanation) > 0
    }

    /// Checks whether a header that is not in the file names another block than that of a position, and an exact quote does not
    /// outweigh the header: the quote is short, an outer header is in the file, or the header is the heading of a unified diff,
    /// which is a line of the file from which the diff was made.
    fn is_of_missing_header(&self, file: &File<'_>, explanation: &Explanation<'q>) -> bool {
        let is_heading = self.headers.hint.is_some();
        let aligned = explanation.aligned(file);
        let names_other = |header: &String| is_of_other_header(&aligned, header);
        let names_sibling = |header: &String| is_of_sibling(&aligned, header);
        let is_inside_found = self.headers.found.iter().any(|(_, how)| *how != HeaderMatch::Part);
        self.unfound(explanation).any(names_other)
            && (is_inside_found
                || !explanation.is_exact()
                || is_heading
                || self.is_outweighed(file, explanation)
                || self.unfound(explanation).any(names_sibling))
    }

    /// Returns the headers that are not in the file, and those that only a part of a line has, which a position is not below.
    fn unfound(&self, explanation: &Explanation<'q>) -> impl Iterator<Item = &String> {
        let found = self.headers.found.iter().zip(self.scopes());
        let in_part =
            found.filter(|((_, how), scopes)| *how == HeaderMatch::Part && !is_in_any(scopes, explanation));
        self.headers.missing.iter().chain(in_part.map(|((header, _), _)| header))
    }

    /// Checks whether an exact quote is too little evidence against a header that names another block.
    pub(super) fn is_outweighed(&self, file: &File<'_>, explanation: &Explanation<'q>) -> bool {
        self.null_cost(file, explanation) < file.costs.header_named
    }

    /// Checks whether a header names another block than that of a position.
    pub(super) fn is_of_other_block(&self, file: &File<'_>, explanation: &Explanation<'q>) -> bool {
        self.is_of_missing_header(file, explanation)
            || self.is_under_other_header(file, explanation)
            || self.is_outside_header(file, explanation)
            || self.is_quoted_in_header(file, explanation)
    }

    /// Checks whether a quote is outside the blocks of the headers, or changes lines outside. A header that is in the file names
    /// the block, so the same lines in a block elsewhere are not what is meant. The heading of a unified diff may be any line above
    /// the hunk, so a hunk may be behind the block, but not below the heading that the next block would have.
    fn is_outside_header(&self, file: &File<'_>, explanation: &Explanation<'q>) -> bool {
        let aligned = explanation.aligned(file);
        let names_sibling = || self.headers.found.iter().any(|(header, _)| is_of_sibling(&aligned, header));
        let is_apart = |scopes: &[Scope]| {
            !self.edit.dialect.has_loose_headers()
                && !is_in_any(scopes, explanation)
                && scopes.iter().all(|scope| scope.is_known)
                && (!shows_block(file, explanation) || names_sibling())
                && !follows_any(file, scopes, explanation)
        };
        let changes_outside =
            |scopes: &[Scope]| scopes.iter().all(|scope| self.changes_outside(file, explanation, *scope));
        let mut found = self.headers.found.iter().zip(self.scopes());
        let is_outside = |how: &HeaderMatch, scopes: &[Scope]| {
            how.names_line() && (is_apart(scopes) || changes_outside(scopes))
        };
        if says_same(&aligned) {
            let is_other = |header: &str, scopes: &[Scope]| {
                let is_block = scopes.iter().all(|scope| scope.is_known);
                let is_below = || scopes.iter().all(|scope| scope.line < explanation.span.start);
                if is_block {
                    !is_named_around(&aligned, header)
                } else {
                    is_below() && changes_outside(scopes)
                }
            };
            return !self.headers.found.is_empty()
                && !self.edit.dialect.has_loose_headers()
                && (self.is_outweighed(file, explanation) || names_sibling())
                && found.all(|((header, how), scopes)| is_outside(how, scopes) && is_other(header, scopes));
        }
        found.any(|((_, how), scopes)| is_outside(how, scopes))
    }

    /// Checks whether the block of a header has a telling kept line of a chunk whose quote or result is outside of that block: the
    /// block is the target, and has changed since.
    pub(super) fn is_quoted_in_header(&self, file: &File<'_>, explanation: &Explanation<'q>) -> bool {
        if self.edit.dialect.has_loose_headers()
            || self.is_inside(explanation)
            || explanation.state == State::ToMake && shows_block(file, explanation)
        {
            return false;
        }
        let found = self.headers.found.iter().zip(self.scopes());
        let named = found.filter(|((_, how), scopes)| how.names_line() && !is_in_any(scopes, explanation));
        let blocks: Vec<Scope> =
            named.flat_map(|(_, scopes)| scopes.iter().copied()).filter(|scope| scope.is_known).collect();
        let is_in_block = |line: usize| blocks.iter().any(|scope| scope.line < line && line < scope.end);
        let is_paired = |row: &Row<'_>| match explanation.state {
            State::ToMake => !row.adds(),
            State::Made => !row.removes(),
        };
        let paired =
            explanation.reading.rows.iter().filter(|row| is_paired(row)).zip(explanation.pairs.iter());
        let is_telling =
            |line: &LineText<'_>| line.letters() >= TELLING_LETTERS && !closes(line.text().as_bytes());
        let mut telling = paired.filter(|(row, _)| row.is_context() && is_telling(&row.line));
        !blocks.is_empty()
            && telling.any(|(row, pair)| {
                let mut lines = file.squashed_lines(&row.line);
                lines.any(|line| pair.line() != Some(line) && is_in_block(line))
            })
    }

    /// Checks whether lines that change are above a header, or behind a line that opens another block, and the quote does not
    /// have the header or that line.
    fn changes_outside(&self, file: &File<'_>, explanation: &Explanation<'q>, scope: Scope) -> bool {
        let (document, changed) = (file.document(), &explanation.span);
        let aligned = explanation.aligned(file);
        let is_above = changed.start < scope.line && changed.end <= scope.line;
        if is_above && !aligned.is_quoted_alike(scope.line) {
            // A line of plain text may be the heading of any hunk of an older version.
            return !self.edit.dialect.has_loose_headers() || scope.is_part_behind(document, changed.start);
        }
        scope.is_left_before(document, changed.start, |line| aligned.is_quoted_alike(line))
    }

    /// Checks whether the innermost header contradicts a position. The position is before the header, from which on the
    /// lines of an envelope are looked for; or, in a unified diff, behind a block that the diff would name instead.
    pub(super) fn is_under_other_header(&self, file: &File<'_>, explanation: &Explanation<'q>) -> bool {
        let line = explanation.lines.start;
        let is_numbered = self.headers.hint.is_some_and(|hint| hint.is_of_quote(line));
        let Some(scopes) = &self.headers.scopes else { return false };
        let is_left = |scope: &Scope| {
            let is_behind =
                || self.edit.dialect.has_loose_headers() && scope.is_left_at(file.document(), line);
            if line < scope.line {
                scope.is_part_behind(file.document(), line)
            } else {
                scope.is_known && is_behind()
            }
        };
        !is_numbered
            && self.headers.name_lines()
            && !is_in_any(scopes, explanation)
            && scopes.iter().all(is_left)
    }
}

/// Checks whether a position is in any of several scopes.
fn is_in_any(scopes: &[Scope], explanation: &Explanation<'_>) -> bool {
    let last = explanation.lines.end.saturating_sub(1);
    scopes.iter().any(|scope| scope.holds(explanation.lines.start, last))
}

/// Checks whether a quote matches as written behind the block of a header, before any other block, and is no deeper than the header: these
/// lines cannot be in the block, so the header is the line above that a diff would name.
fn follows_any(file: &File<'_>, scopes: &[Scope], explanation: &Explanation<'_>) -> bool {
    /// How many lines behind the block the quote may be.
    const REACH: usize = 200;
    let start = explanation.lines.start;
    let depth = explanation.reading.filled_old_rows().map(|row| row.line.depth()).min();
    let follows = |scope: &Scope| {
        scope.is_known
            && (scope.line + 1..=scope.end + REACH).contains(&start)
            && depth.is_some_and(|depth| depth <= file.line(scope.line).depth())
            && !scope.is_left_at(file.document(), start)
    };
    explanation.state == State::ToMake
        && explanation.reading.undone.is_plain()
        && says_same(&explanation.aligned(file))
        && scopes.iter().any(follows)
}

/// Checks whether a quote has the line that opens the block of its change, as only that block has it: the quote names the
/// block, and a header that names another block is the heading that a diff would have.
fn shows_block(file: &File<'_>, explanation: &Explanation<'_>) -> bool {
    let aligned = explanation.aligned(file);
    let change = explanation.span.start;
    let alike = aligned.rows().filter(|row| aligned.is_alike(*row));
    explanation.state == State::ToMake
        && alike.filter_map(|row| aligned.pairs[row].line()).any(|line| {
            let holds_change = |scope: Scope| scope.is_known && scope.holds(change, change);
            line < change
                && file.line(line).letters() >= TELLING_LETTERS
                && file.occurrences(file.line(line)) <= 1
                && !begins_control(file.line(line).text())
                && holds_change(Scope::of_line(file.document(), line, file.len()))
        })
}
