//! Detects whether an edit was already made.
//!
//! The result of the edit is solved like a quote. If the result matches, the state "made" is another explanation, whose
//! bytes are those of the file.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::aligned::Aligned;
use super::evidence::null_cost;
use super::names::sibling_null;
use super::other_header::{is_named_around, is_of_other_header};
use super::promises::Rules;
use super::remaining::remaining;
use super::solve::solve;
use super::types::{Effect, Explanation, Obstacle, Signature, State};
use crate::locate::align::file::File;
use crate::locate::align::pairing::Pairing;
use crate::locate::align::relation::Class;
use crate::locate::reading::{Reading, Row, is_dots};
use crate::locate::search::headers::Headers;
use crate::locate::search::scope::Scope;
use crate::locate::syntax::{Section, is_comment_sign};

/// The least number of letters of a line that tells whether an edit was made.
pub(crate) const TELLING_LETTERS: usize = 5;

/// Of this many parts of the added content, so many are there if an edit was made and changed since.
pub(super) const TOUCHED: i32 = 2;
pub(super) const TOUCHED_OF: i32 = 3;

/// The lines that the chunks of a file remove and do not write again, each with the number of chunks that do.
#[derive(Debug, Default)]
pub(crate) struct Removed {
    lines: HashMap<String, usize>,
}

impl Removed {
    /// Counts the lines that edits remove.
    pub(crate) fn of_all<'r, 'q: 'r>(plain: impl Iterator<Item = &'r Reading<'q>>) -> Self {
        let mut removed = Removed::default();
        for line in plain.flat_map(removed_lines) {
            *removed.lines.entry(line.to_owned()).or_default() += 1;
        }
        removed
    }
}

/// Returns the lines that an edit removes and does not add again, without their whitespace.
fn removed_lines<'r>(reading: &'r Reading<'_>) -> HashSet<&'r str> {
    let kept: HashSet<&str> =
        reading.rows.iter().filter(|row| !row.removes()).map(|row| row.line.squashed()).collect();
    let removed = reading.old_rows().filter(|row| row.removes() && !row.is_blank());
    removed.map(|row| row.line.squashed()).filter(|line| !kept.contains(line)).collect()
}

/// The lines that the other chunks of the file remove: lines that are added here and removed there are moved.
#[derive(Debug, Default)]
pub(crate) struct Moved {
    all: Rc<Removed>,
    own: HashSet<String>,
}

impl Moved {
    /// Takes an edit's own lines out of the lines that all edits remove.
    pub(crate) fn of(all: &Rc<Removed>, plain: &Reading<'_>) -> Self {
        let own = removed_lines(plain).into_iter().map(str::to_owned).collect();
        Moved { all: Rc::clone(all), own }
    }

    /// Checks whether another chunk removes a line.
    pub(crate) fn has(&self, row: &Row<'_>) -> bool {
        let line = row.line.squashed();
        let all = self.all.lines.get(line).copied().unwrap_or_default();
        all > usize::from(self.own.contains(line))
    }
}

/// Checks whether a line is distinctive, and not one of several similar records.
pub(super) fn is_telling(file: &File<'_>, row: &Row<'_>) -> bool {
    row.line.letters() >= TELLING_LETTERS && file.occurrences(&row.line) <= 1
}

/// Returns the explanations by which the edit was made before. `to_make`: those by which the edit is to be made.
pub(crate) fn made<'q>(
    file: &File<'_>,
    reading: &Rc<Reading<'q>>,
    headers: &Headers,
    to_make: &[Explanation<'q>],
) -> Vec<Explanation<'q>> {
    if !may_be_made(file, reading) {
        return Vec::new();
    }
    let result = Rc::new(reading.result());
    let found = solve(file, &result, file.costs.margin, &Rules::default());
    found
        .into_iter()
        .filter_map(|found| Found { file, reading, result: &result, headers, to_make }.explanation(found))
        .collect()
}

/// Checks whether enough of the result is in the file for a closer look.
fn may_be_made(file: &File<'_>, reading: &Reading<'_>) -> bool {
    let filled: Vec<&Row<'_>> = reading.filled_added_rows().collect();
    let has_text = reading.rows.iter().any(|row| !row.removes() && !row.is_blank());
    let removes_dots = reading.old_rows().any(|row| row.removes() && is_dots(row.line.text()));
    if !reading.changes() || !has_text || removes_dots {
        return false;
    }
    2 * filled.iter().filter(|row| file.has_squashed(&row.line)).count() >= filled.len()
}

/// A position where the result of an edit may be.
struct Found<'a, 'q> {
    file: &'a File<'a>,
    reading: &'a Rc<Reading<'q>>,
    result: &'a Rc<Reading<'q>>,
    headers: &'a Headers,
    to_make: &'a [Explanation<'q>],
}

impl<'q> Found<'_, 'q> {
    fn explanation(&self, found: Explanation<'q>) -> Option<Explanation<'q>> {
        let (costs, pairs) = (self.file.costs, Rc::clone(&found.pairs));
        let aligned = Aligned { file: self.file, reading: self.result, map: found.map, pairs: &pairs };
        let is_whole = self.is_whole(&aligned);
        let is_changed_since = !is_whole && self.is_touched(&aligned);
        let is_gone = !is_whole && self.removed_is_gone(&aligned);
        if !is_whole && !is_changed_since && !is_gone {
            return None;
        }
        let null = null_cost(&aligned) + self.reading.cost;
        let is_open = self.ends_with_removal();
        let is_in_named_block = self.is_in_named_block(&found);
        let remaining = if is_in_named_block { 0 } else { remaining(self.reading, &aligned) };
        let prior = costs.made + if is_open { costs.made_open } else { 0 } + costs.coincidence * remaining;
        let cost = found.cost + prior;
        let mut obstacle = is_changed_since.then_some(Obstacle::MadeSince);
        if obstacle.is_none() && (is_open || remaining > 0) {
            obstacle = Some(Obstacle::MadeOpen);
        }
        if is_gone {
            obstacle = obstacle.or_else(|| self.obstacle_of_gone(&aligned));
        }
        obstacle = obstacle.or_else(|| self.in_other_block(&aligned, cost));
        // A result that matches byte for byte needs no margin of doubt if the replaced lines are gone.
        let margin = if found.cost == 0 && self.replaced_is_gone() { 0 } else { costs.margin };
        if cost + margin > null && !self.is_at_quote(&found) && !is_in_named_block {
            // The result is there, but it may also be there by chance: only a doubt.
            let chance = if self.headers.lead_to(&found.lines) { costs.null / 2 } else { costs.null };
            if found.cost + costs.margin + chance > null && !self.fits_better(&found) {
                return None;
            }
            obstacle = obstacle.or(Some(Obstacle::MadeOpen));
        }
        let mut made = Explanation {
            cost,
            reading: Rc::clone(self.reading),
            state: State::Made,
            effect: obstacle.map_or_else(|| Ok(Effect::default()), Err),
            removed: Vec::new(),
            span: found.lines.start..found.lines.start,
            signature: Signature::Unchanged,
            coincidence: 0,
            position: 0,
            prior,
            ..found
        };
        made.signature = Signature::of(self.file, &made);
        Some(made)
    }

    /// Returns the obstacle of a result that is not in the block of the target: in a sibling, in two blocks, in another block than that of
    /// a header that the file does not have, or in a comment.
    fn in_other_block(&self, aligned: &Aligned<'_, '_>, cost: i32) -> Option<Obstacle> {
        // The name of a block is above the first line that changes.
        let first = self.reading.rows.iter().position(|row| !row.is_context());
        let first = first.filter(|_| self.reading.adds());
        let is_likely = |(row, null): &(usize, i32)| {
            first.is_some_and(|first| *row < first) && cost + self.file.costs.margin > *null
        };
        if let Some((row, _)) = sibling_null(aligned, self.headers.named_block()).filter(is_likely) {
            return Some(Obstacle::Sibling { row });
        }
        if self.reading.adds() && !self.result.has_dots() && aligned.gaps_out_of_block() > 0 {
            return Some(Obstacle::MadeOpen);
        }
        let is_of_header = |header: &String| is_of_other_header(aligned, header);
        let is_comment_sign = |line: usize| is_comment_sign(self.file.line(line).body());
        let is_elsewhere =
            self.headers.missing.iter().any(is_of_header) || aligned.unquoted_between().any(is_comment_sign);
        (is_elsewhere || self.is_behind_header(aligned)).then_some(Obstacle::MadeSince)
    }

    /// Checks whether the innermost header names another block than the one around a short result: the named block has changed since, and
    /// the result is there by chance.
    fn is_behind_header(&self, aligned: &Aligned<'_, '_>) -> bool {
        let (Some(scopes), Some((header, how))) = (&self.headers.scopes, self.headers.found.last()) else {
            return false;
        };
        self.headers.hint.is_none()
            && how.names_line()
            && scopes.iter().all(|scope| scope.is_known)
            && !self.headers.lead_to(&aligned.lines().unwrap_or_default())
            && !is_named_around(aligned, header)
            && null_cost(aligned) < self.file.costs.header_named
    }

    /// Checks whether a result that matches byte for byte is where the quote matches, too: then the quote shows the position,
    /// and the result is not there by chance.
    fn is_at_quote(&self, found: &Explanation<'q>) -> bool {
        let is_there =
            |quote: &Explanation<'q>| quote.removed.is_empty() && quote.has_bytes() && !quote.is_apart(found);
        found.cost == 0 && self.to_make.iter().any(is_there)
    }

    /// Checks whether a result of replaced lines matches byte for byte in the block that the innermost header names, or else the block that a
    /// kept line opens, and the block has no replaced line: equal lines in other blocks belong to other edits.
    fn is_in_named_block(&self, found: &Explanation<'q>) -> bool {
        let removed = || self.reading.old_rows().filter(|row| row.removes() && !row.is_blank());
        if found.cost > 0 || !self.reading.adds() || removed().next().is_none() {
            return false;
        }
        let Some(block) = self.headers.named_block().or_else(|| self.opened_block(found)) else {
            return false;
        };
        let mut replaced = removed().flat_map(|row| self.file.squashed_lines(&row.line));
        block.holds(found.lines.start, found.lines.end.saturating_sub(1))
            && !replaced.any(|line| block.holds(line, line))
    }

    /// Returns the block that a kept line above the first change opens, if the file has that line once, and all changes are in the block.
    fn opened_block(&self, found: &Explanation<'q>) -> Option<Scope> {
        let opener = *self.reading.openers().last()?;
        let (above, below) = self.reading.rows.split_at(self.reading.position_of_old(opener));
        let head = &self.reading.old(opener).line;
        let is_section = Section::read(head.text().as_bytes()).is_some();
        let is_in_block = |row: &&Rc<Row<'q>>| is_section || row.line.depth() > head.depth();
        let is_whole = above.iter().all(|row| row.is_context())
            && below.iter().filter(|row| !row.is_context() && row.has_text()).all(|row| is_in_block(&row));
        let line = found.pairs.get(above.len()).filter(|_| is_whole)?.line()?;
        let is_once = self.file.occurrences(head) == 1;
        is_once
            .then(|| Scope::of_line(self.file.document(), line, self.file.len()))
            .filter(|scope| scope.is_known)
    }

    /// Checks whether a result fits the file at least as well as each quote, and no quote is exact: as little speaks for the
    /// quote as for the result. The result of a mere removal has to fit better, and other added lines than distinctive lines show
    /// nothing, unless the result is exact.
    fn fits_better(&self, found: &Explanation<'q>) -> bool {
        let adds = self.reading.adds();
        let is_better = |quote: &Explanation<'q>| {
            let cost = quote.cost - quote.position - quote.coincidence;
            cost > 0 && (found.cost < cost || adds && found.cost == cost)
        };
        let is_shown = !adds
            || found.cost == 0
            || self.reading.filled_added_rows().any(|row| is_telling(self.file, row));
        let mut quotes = self.to_make.iter().filter(|quote| quote.has_bytes()).peekable();
        is_shown && quotes.peek().is_some() && quotes.all(is_better)
    }

    /// Checks whether lines are replaced, and all replaced lines are gone from the file.
    fn replaced_is_gone(&self) -> bool {
        let mut removed = self.reading.old_rows().filter(|row| row.removes() && !row.is_blank()).peekable();
        self.reading.adds()
            && removed.peek().is_some()
            && removed.all(|row| !self.file.has_squashed(&row.line))
    }

    /// Returns the rows of the result, and whether each is added.
    fn rows(&self) -> impl Iterator<Item = (usize, &Row<'q>, bool)> {
        let is_added = self.reading.rows.iter().filter(|row| !row.removes()).map(|row| row.adds());
        self.result.old_rows().enumerate().zip(is_added).map(|((nth, row), added)| (nth, row, added))
    }

    /// Checks whether all added lines are at their position; for a mere removal, whether all context matches, line by
    /// line.
    fn is_whole(&self, aligned: &Aligned<'_, '_>) -> bool {
        let mut added = self.rows().filter(|(_, row, added)| *added && !row.is_blank()).peekable();
        if added.peek().is_none() && self.reading.adds() {
            return self.has_blank_lines(aligned);
        }
        if added.peek().is_some() {
            return added.all(|(nth, row, _)| is_line_alike(aligned, nth) && !self.is_old(aligned, nth, row));
        }
        let all = aligned
            .rows()
            .all(|nth| aligned.pairs[nth].line().is_some() && aligned.class(nth) == Some(Class::Same));
        let is_contiguous = follow(aligned.pairs);
        all && is_contiguous
    }

    /// Checks whether the file has each run of blank rows in which a row is added: which of equal rows was added is not to be seen.
    fn has_blank_lines(&self, aligned: &Aligned<'_, '_>) -> bool {
        let rows: Vec<_> = self.rows().collect();
        let runs = rows.split(|(_, row, _)| !row.is_blank());
        let mut with_added = runs.filter(|run| run.iter().any(|(.., added)| *added)).flatten();
        with_added.all(|(nth, ..)| is_line_alike(aligned, *nth))
    }

    /// Checks whether the partner of an added row is a line that the edit removes: the result of a small change reads like the
    /// line before. If the change is one of whitespace, the line is exactly as removed.
    fn is_old(&self, aligned: &Aligned<'_, '_>, nth: usize, row: &Row<'_>) -> bool {
        let Some(line) = aligned.pairs[nth].line() else { return false };
        let actual = self.file.line(line);
        let is_spaced = self.file.is_same(line, &row.line);
        let mut removed = self.reading.old_rows().filter(|old| old.removes());
        row.line.body() != actual.body()
            && removed.any(|old| {
                self.file.is_same(line, &old.line) && (!is_spaced || old.line.body() == actual.body())
            })
    }

    /// Checks whether a mere removal, quoted with drift, seems to be made: the quoted lines beside each removed run are in the
    /// file, and the removed lines are not between.
    fn removed_is_gone(&self, aligned: &Aligned<'_, '_>) -> bool {
        !self.reading.adds() && self.runs(aligned).all(|run| self.is_gone(aligned, run))
    }

    /// Checks whether the rows beside a removed run are there, and no removed line is between.
    fn is_gone(&self, aligned: &Aligned<'_, '_>, run: Run) -> bool {
        let above = run.kept.checked_sub(1);
        let below = Some(run.kept).filter(|row| *row < aligned.pairs.len());
        let (Some(above), Some(below)) = (above, below) else {
            return above.or(below).is_some_and(|row| aligned.is_related(row));
        };
        let mut removed = self.reading.rows[run.rows].iter().filter(|row| !row.is_blank());
        let is_there = |row: &Row<'_>, line: usize| self.file.is_same(line, &row.line);
        aligned.is_related(above)
            && aligned.is_related(below)
            && !removed.any(|row| between_or_at(aligned, above, below).any(|line| is_there(row, line)))
    }

    /// Returns why a removal that seems to be made is in doubt. Where the removed lines were, the file may have other lines.
    fn obstacle_of_gone(&self, aligned: &Aligned<'_, '_>) -> Option<Obstacle> {
        if self.runs(aligned).all(|run| run.is_closed) {
            return Some(Obstacle::MadeOpen);
        }
        let row = (0..self.reading.old_len()).find(|row| self.reading.old(*row).removes())?;
        Some(Obstacle::RemovedMissing { row })
    }

    /// Checks whether most added lines are at their position, and some were changed since.
    fn is_touched(&self, aligned: &Aligned<'_, '_>) -> bool {
        let (mut all, mut there, mut count) = (0, 0, 0);
        for (nth, row, added) in self.rows() {
            if !added || !is_telling(self.file, row) {
                continue;
            }
            let content = self.file.content(&row.line);
            all += content;
            if is_line_alike(aligned, nth) {
                there += content;
                count += 1;
            }
        }
        count >= 2 && there * TOUCHED_OF >= all * TOUCHED
    }

    /// Checks whether the edit only removes, and does so at an end of the quote: nothing of that is left to see.
    fn ends_with_removal(&self) -> bool {
        let rows = &self.reading.rows;
        let is_at_end = [rows.first(), rows.last()].into_iter().flatten().any(|row| !row.is_context());
        !self.reading.adds() && is_at_end
    }

    /// Returns the runs of changed rows.
    fn runs<'s>(&'s self, aligned: &'s Aligned<'_, '_>) -> impl Iterator<Item = Run> {
        let rows = &self.reading.rows;
        let (mut at, mut kept) = (0, 0);
        std::iter::from_fn(move || {
            while rows.get(at)?.is_context() {
                at += 1;
                kept += 1;
            }
            let start = at;
            let first = kept;
            while rows.get(at).is_some_and(|row| !row.is_context()) {
                kept += usize::from(rows[at].adds());
                at += 1;
            }
            let is_closed =
                first > 0 && kept < aligned.pairs.len() && follow(&aligned.pairs[first - 1..=kept]);
            Some(Run { rows: start..at, kept: first, is_closed })
        })
    }
}

/// Returns the lines between two rows, and the lines of these rows if the rows read otherwise.
fn between_or_at(aligned: &Aligned<'_, '_>, above: usize, below: usize) -> impl Iterator<Item = usize> {
    let ends = [above, below].into_iter().filter(|row| !aligned.is_alike(*row));
    let ends: Vec<usize> = ends.filter_map(|row| aligned.pairs[row].line()).collect();
    aligned.between(above, below).chain(ends)
}

/// Checks whether the partner of a row is a whole line with the same meaning, apart from misspelt words.
fn is_line_alike(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    aligned.pairs[row].line().is_some() && aligned.is_alike(row)
}

/// A run of changed rows.
struct Run {
    /// The rows, of all rows of the reading.
    rows: Range<usize>,
    /// The number of rows of the result above the run.
    kept: usize,
    /// Whether context is on both sides, and the lines of context and additions follow each other in the file.
    is_closed: bool,
}

/// Checks whether the lines of rows follow each other.
fn follow(pairs: &[Pairing]) -> bool {
    pairs.windows(2).all(|pair| pair[0].line().is_some_and(|line| Some(line + 1) == pair[1].line()))
}
