//! The blocks of a quote: which of its rows open and end the blocks in which a line changes.

use std::collections::BTreeSet;
use std::ops::Range;

use super::quote::Reading;
use crate::locate::syntax::{
    Around, Block, Section, begins_block, closes, continues, is_about_opener, is_head_end,
};

/// How deep a line is: below the headings of sections, by its indentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Section(usize),
    Indentation(usize),
}

impl Reading<'_> {
    /// Returns the rows of [`Reading::openers`].
    pub(super) fn find_openers(&self) -> Vec<usize> {
        // What is open before and after the edit: a removed and an added line are alternatives.
        let mut open: [Vec<(Level, usize)>; 2] = [Vec::new(), Vec::new()];
        let mut found = BTreeSet::new();
        let mut old = 0;
        for (at, row) in self.rows.iter().enumerate() {
            let nth = old;
            old += usize::from(row.is_old());
            let Some(level) = self.level(at) else { continue };
            let sides = [!row.adds(), !row.removes()];
            for open in open.iter_mut().zip(sides).filter_map(|(open, is_side)| is_side.then_some(open)) {
                open.retain(|(other, _)| *other < level);
                if !row.is_context() {
                    found.extend(open.iter().map(|(_, nth)| *nth));
                } else if self.opens(at) || self.is_next_part(at) {
                    open.push((level, nth));
                }
            }
        }
        found.extend(self.opener_beside_body());
        let attributes: Vec<usize> = found.iter().flat_map(|opener| self.attributes_of(*opener)).collect();
        found.extend(attributes);
        found.into_iter().collect()
    }

    /// Returns the first old row with text, if its bracket is open at a change, although the next row is no deeper: the quote lost
    /// the indentation of the block, or joins the head of a block with the lines of another.
    fn opener_beside_body(&self) -> Option<usize> {
        let first = (0..self.rows.len()).find(|at| self.rows[*at].has_text())?;
        let line = &self.rows[first].line;
        let is_head = self.rows[first].is_context() && self.opens(first) && line.body().ends_with('{');
        let next = (first + 1..self.rows.len()).find(|at| self.level(*at).is_some()).filter(|_| is_head)?;
        let mut open = 0;
        let mut rows = self.rows[first..].iter();
        let is_open_at_change = rows.find_map(|row| {
            if !row.is_context() {
                return Some(open > 0);
            }
            open += Block::Brackets.opened_by(row.line.text());
            (open <= 0).then_some(false)
        });
        let is_doubled = self.rows[next].line.squashed() == line.squashed();
        let is_beside = !is_doubled && self.level(next) <= self.level(first);
        (0..self.old_len())
            .find(|nth| self.position_of_old(*nth) == first)
            .filter(|_| is_open_at_change == Some(true) && is_beside)
    }

    /// Returns the old rows of the attributes right above an opener: `@app.get("/")`, `#[cfg(unix)]`.
    fn attributes_of(&self, opener: usize) -> impl Iterator<Item = usize> {
        let is_attribute = |nth: &usize| {
            let row = self.old(*nth);
            row.is_context() && is_about_opener(row.line.body())
        };
        (0..opener).rev().take_while(is_attribute)
    }

    /// Returns the old rows with text that end a block in which a line changes: `} name;`, `END name`.
    pub(crate) fn closers(&self) -> Vec<usize> {
        let mut closing: Vec<(Level, usize)> = Vec::new();
        let mut found = BTreeSet::new();
        let mut old = self.old_len();
        for (at, row) in self.rows.iter().enumerate().rev() {
            old -= usize::from(row.is_old());
            let Some(level) = self.level(at) else { continue };
            closing.retain(|(other, _)| *other < level);
            if !row.is_context() {
                found.extend(closing.iter().map(|(_, nth)| *nth));
            } else if !self.opens(at) && !begins_block(row.line.text()) {
                closing.push((level, old));
            }
        }
        found.into_iter().collect()
    }

    /// Returns the old rows of the block that an old row opens, with the row.
    pub(crate) fn block_of(&self, opener: usize) -> Range<usize> {
        let level = self.level(self.position_of_old(opener));
        let ends = |nth: &usize| {
            let at = self.position_of_old(*nth);
            let other = self.level(at);
            other.is_some() && other <= level && self.opens(at)
        };
        let end = (opener + 1..self.old_len()).find(ends);
        opener..end.unwrap_or_else(|| self.old_len())
    }

    /// Returns how deep a row is, by its index in `rows`. A blank line has no level, nor has a bracket or `begin` alone, which
    /// belongs to the line before.
    fn level(&self, at: usize) -> Option<Level> {
        let line = &self.rows.get(at).filter(|row| row.has_text())?.line;
        if is_head_end(line.body()) {
            return None;
        }
        Some(match self.section_level(at) {
            Some(level) => Level::Section(level),
            None => Level::Indentation(line.depth()),
        })
    }

    fn section_level(&self, at: usize) -> Option<usize> {
        let text = |at: Option<usize>| {
            at.and_then(|at| self.rows.get(at)).map_or(&b""[..], |row| row.line.text().as_bytes())
        };
        let around = Around { above: text(at.checked_sub(1)), below: text(Some(at + 1)) };
        Section::of(text(Some(at)), around).map(Section::level)
    }

    /// Checks whether a row begins the next part of a block, and deeper lines follow: `} catch (e) {`, `elif x:`.
    fn is_next_part(&self, at: usize) -> bool {
        let line = &self.rows[at].line;
        let below = (at + 1..self.rows.len()).find_map(|at| self.level(at));
        line.letters() > 0
            && closes(line.body().as_bytes())
            && !line.body().starts_with([')', ']', '<'])
            && below > self.level(at)
    }

    /// Checks whether a row begins something, rather than continuing or ending what is open.
    fn opens(&self, at: usize) -> bool {
        self.section_level(at).is_some() || !continues(self.rows[at].line.body().as_bytes())
    }
}
