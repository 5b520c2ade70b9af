//! Explanations of an edit: a reading of the quote, an alignment with the file, an indentation map, and a state (to be
//! made, or already made). Each has a cost, and either the bytes that it would write, or an obstacle.

pub(crate) mod coincidence;
pub(crate) mod evidence;
mod insertion;
pub(crate) mod made;
pub(crate) mod promises;
mod siblings;
mod signature;
pub(crate) mod solve;

use std::ops::Range;
use std::rc::Rc;

use super::align::file::File;
use super::align::map::IndentMap;
use super::align::pairing::Pairing;
use super::align::relation::{Class, Relation, relate};
use super::reading::Reading;
use super::rewrite::{Rewriter, Rewritten};
use super::select::scope::begins_section;

pub(crate) use self::signature::Signature;

/// Whether an edit is still to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum State {
    ToMake,
    Made,
}

/// Why an explanation has no bytes. Rows are old rows of the reading, lines are lines of the file, both 0-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Obstacle {
    /// The file does not have a line that is to be removed.
    RemovedMissing { row: usize },
    /// A line that is to be removed differs from the file.
    RemovedDiffers { row: usize },
    /// The depth of a removed line differs from the map.
    RemovedDepth { row: usize },
    /// The file has a line between two consecutive removed lines.
    BetweenRemoved { line: usize },
    /// A blank line that is to be removed is beside no other quoted line.
    BlankAlone { row: usize },
    /// The file has a line between two kept lines, and the old text is to be replaced as a whole.
    BetweenTexts { line: usize },
    /// The file does not have a line without a sign.
    Unsigned { row: usize },
    /// A quoted line opens a block, and the next quoted line is in a different block.
    OtherBlock { line: usize },
    /// The file has lines between the rows on either side of an addition.
    SkippedBesideAddition { line: usize },
    /// A row next to an addition is missing in the file, so the position of the addition is unknown.
    MissingBesideAddition { row: usize },
    /// Dots are beside an addition.
    DotsBesideAddition { row: usize },
    /// Lines are added between a line that opens a block and the block, and are no deeper than that line.
    BeforeBody { line: usize },
    /// The edit changes nothing but indentation, and is quoted with another indentation.
    IndentationOnly,
    /// The quote does not show the indentation of an added line.
    DepthUnknown,
    /// With the file's indentation, an added line would begin left of the margin.
    LeftOfMargin,
    /// An added line is as deep as a line that slipped.
    SlippedToo { row: usize },
    /// A context line next to a change may be an added line that lost its sign.
    LostPlus { row: usize },
    /// What is quoted may be a sibling whose name differs.
    Sibling { row: usize },
    /// An added line has characters of a wrong code page.
    Garbled,
    /// Some lines have entities or escapes, and some do not, so the text of an added line is unknown.
    Encoded,
    /// The bullets of a list may have become signs, so that the added lines may have lost theirs.
    BulletsLost,
    /// Dots in the added lines replace lines that are removed.
    LazyAddition { row: usize },
    /// With the spelling of the file, the added lines equal the removed lines.
    ChangesNothing,
    /// An added line repeats a slip of the quote.
    SlipRepeated,
    /// A removal at an end of the quote may have been made before.
    MadeOpen,
    /// Most added lines already exist, some with later changes.
    MadeSince,
}

impl Obstacle {
    /// Checks whether the obstacle is what a line may mean, and not where the lines are.
    pub(crate) fn is_of_meaning(self) -> bool {
        matches!(
            self,
            Obstacle::Sibling { .. }
                | Obstacle::LostPlus { .. }
                | Obstacle::SlippedToo { .. }
                | Obstacle::Garbled
        )
    }
}

/// Lines that are added before a line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Insertion {
    /// The line, 0-based.
    pub(crate) at: usize,
    pub(crate) lines: Vec<String>,
}

/// What an explanation does to the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) insertions: Vec<Insertion>,
    pub(crate) rewritten: Rewritten,
}

/// An explanation of an edit.
#[derive(Debug, Clone)]
pub(crate) struct Explanation<'q> {
    pub(crate) cost: i32,
    pub(crate) reading: Rc<Reading<'q>>,
    pub(crate) map: IndentMap,
    pub(crate) pairs: Rc<[Pairing]>,
    pub(crate) state: State,
    pub(crate) effect: Result<Effect, Obstacle>,
    /// The lines that are removed, ascending.
    pub(crate) removed: Vec<usize>,
    /// The lines from the first to the last that is quoted.
    pub(crate) lines: Range<usize>,
    /// The lines from the first to the last that is changed.
    pub(crate) span: Range<usize>,
    pub(crate) signature: Signature,
    /// The part of the cost that is the coincidence of lines that are there already.
    pub(crate) coincidence: i32,
    /// The part of the cost that headers and the end of the file add.
    pub(crate) position: i32,
    /// The part of the cost that the state has by itself.
    pub(crate) prior: i32,
    /// The part of the cost of quoted lines that are elsewhere to the byte.
    pub(crate) elsewhere: i32,
}

/// The alignment that an explanation is made of.
pub(crate) struct Aligned<'a, 'q> {
    pub(crate) file: &'a File<'a>,
    pub(crate) reading: &'a Rc<Reading<'q>>,
    pub(crate) map: IndentMap,
    pub(crate) pairs: &'a Rc<[Pairing]>,
}

impl<'q> Aligned<'_, 'q> {
    /// Returns the relation of an old row and its partner; `None` if the row is not in the file. A joined or split row
    /// differs.
    pub(crate) fn relation(&self, row: usize) -> Option<Relation> {
        let line = match self.pairs[row] {
            Pairing::Missing => return None,
            Pairing::Line(line) => line,
            Pairing::Joined(_) | Pairing::Part(_) => {
                return Some(Relation {
                    cost: self.file.costs.join,
                    class: Class::Differs,
                    ..Relation::EQUAL
                });
            }
        };
        let quoted = &self.reading.old(row).line;
        if quoted.is_blank() {
            return Some(Relation::EQUAL);
        }
        Some(relate(self.file.costs, quoted, self.file.line(line)))
    }

    pub(crate) fn class(&self, row: usize) -> Option<Class> {
        self.relation(row).map(|relation| relation.class)
    }

    /// Checks whether a row has the indentation of the map. A map that is not a rule fits each row.
    pub(crate) fn fits_map(&self, row: usize) -> bool {
        let (row, pair) = (self.reading.old(row), self.pairs[row]);
        let Some(line) = pair.first().filter(|_| self.map.is_rule() && !row.is_blank()) else { return true };
        self.map.maps(&row.line.indent(), &self.file.line(line).indent())
    }

    /// Returns the lines from the first to the last quoted line.
    pub(crate) fn lines(&self) -> Option<Range<usize>> {
        let first = self.pairs.iter().find_map(|pair| pair.first())?;
        let last = self.pairs.iter().rev().find_map(|pair| pair.last())?;
        Some(first..last + 1)
    }

    /// Returns the lines between the partners of two rows.
    pub(crate) fn between(&self, one: usize, other: usize) -> Range<usize> {
        match (self.pairs[one].last(), self.pairs[other].first()) {
            (Some(one), Some(other)) => one + 1..other.max(one + 1),
            _ => 0..0,
        }
    }

    /// Returns the first line of a range that is not blank.
    pub(crate) fn first_filled(&self, mut lines: Range<usize>) -> Option<usize> {
        lines.find(|line| !self.file.is_blank(*line))
    }

    /// Counts the gaps between quoted lines that leave the surrounding block: a line in the gap is less deep than the
    /// lines on both sides, or at most as deep as the line that opens the block.
    pub(crate) fn gaps_out_of_block(&self) -> i32 {
        let is_filled = |row: &usize| !self.reading.old(*row).is_blank() && self.pairs[*row].is_found();
        let found: Vec<usize> = (0..self.pairs.len()).filter(is_filled).collect();
        let leaves = |rows: &&[usize]| self.leaves_block(rows[0], rows[1]);
        i32::try_from(found.windows(2).filter(leaves).count()).unwrap_or(i32::MAX)
    }

    fn leaves_block(&self, above: usize, below: usize) -> bool {
        let between = self.between(above, below);
        let (Some(above), Some(below)) = (self.pairs[above].last(), self.pairs[below].first()) else {
            return false;
        };
        let (deep_above, deep_below) = (self.depth(above), self.depth(below));
        let least = if deep_below > deep_above { deep_above + 1 } else { deep_below };
        let document = self.file.document();
        let leaves = |line: usize| self.depth(line) < least || begins_section(document, line);
        between.into_iter().any(|line| !self.file.is_blank(line) && leaves(line))
    }

    fn depth(&self, line: usize) -> usize {
        columns(&self.file.line(line).indent())
    }

    /// Finds a quoted line that is not in the block that the quoted line above opens.
    fn in_other_block(&self) -> Option<usize> {
        let is_filled = |row: &usize| !self.reading.old(*row).is_blank() && self.pairs[*row].is_found();
        let found: Vec<usize> = (0..self.pairs.len()).filter(is_filled).collect();
        found.windows(2).find_map(|rows| {
            let (above, below) = (self.pairs[rows[0]].last()?, self.pairs[rows[1]].first()?);
            let is_deeper = |line: usize| self.depth(line) > self.depth(above);
            let next = (above + 1..self.file.len()).find(|line| !self.file.is_blank(*line));
            let opens = next.is_some_and(is_deeper) && is_deeper(below) && !self.reading.is_free(rows[1]);
            let is_alone = || !self.reading.is_free(rows[1]) && self.removes_alone(&found, rows[1]);
            ((opens || is_alone()) && self.leaves_block(rows[0], rows[1])).then_some(below)
        })
    }

    /// Checks whether removed rows are on one side of `row`, and no context row with text is on that side.
    fn removes_alone(&self, found: &[usize], row: usize) -> bool {
        let is_alone = |rows: &[usize]| {
            let is_context = |row: &usize| {
                let row = self.reading.old(*row);
                row.is_context() && row.line.letters() > 0
            };
            rows.iter().any(|row| self.reading.old(*row).removes()) && !rows.iter().any(is_context)
        };
        let (above, below) = found.split_at(found.partition_point(|other| *other < row));
        is_alone(above) || is_alone(below)
    }

    /// Returns the removed lines, ascending.
    fn removed(&self) -> Vec<usize> {
        let removed = (0..self.pairs.len()).filter(|row| self.reading.old(*row).removes());
        removed.filter_map(|row| self.pairs[row].line()).collect()
    }

    /// Makes the explanation of the alignment, with the bytes that the edit would write, or the obstacle. `None` if no
    /// row has a partner.
    pub(crate) fn explanation(&self, cost: i32, rules: &promises::Rules) -> Option<Explanation<'q>> {
        let lines = self.lines()?;
        let removed = self.removed();
        let places = insertion::places(self);
        let positions = places.iter().map(|place| place.at);
        let first = removed.iter().copied().chain(positions.clone()).min();
        let last = removed.iter().map(|line| line + 1).chain(positions).max();
        let span = first.zip(last).map_or(lines.start..lines.start, |(first, last)| first..last);
        let obstacle = promises::first_broken(self, rules)
            .or_else(|| places.iter().find_map(|place| place.obstacle))
            .or_else(|| promises::depth_obstacle(self))
            .or_else(|| self.in_other_block().map(|line| Obstacle::OtherBlock { line }));
        let effect = match obstacle {
            Some(obstacle) => Err(obstacle),
            None => self.effect(&places),
        };
        let mut explanation = Explanation {
            cost,
            reading: Rc::clone(self.reading),
            map: self.map,
            pairs: Rc::clone(self.pairs),
            state: State::ToMake,
            effect,
            removed,
            lines,
            span,
            signature: Signature::Unchanged,
            coincidence: 0,
            position: 0,
            prior: 0,
            elsewhere: 0,
        };
        explanation.signature = Signature::of(self.file, &explanation);
        Some(explanation)
    }

    fn effect(&self, places: &[insertion::Place]) -> Result<Effect, Obstacle> {
        let mut effect = Effect::default();
        if places.is_empty() {
            return Ok(effect);
        }
        let rewriter = Rewriter::new(self);
        for place in places {
            let mut lines = Vec::with_capacity(place.rows.len());
            for row in &self.reading.rows[place.rows.clone()] {
                let line = rewriter.rewrite(&row.line, &place.near, &mut effect.rewritten)?;
                lines.push(line);
            }
            effect.insertions.push(Insertion { at: place.at, lines });
        }
        Ok(effect)
    }
}

impl<'q> Explanation<'q> {
    /// Returns the explanation as its alignment.
    pub(crate) fn aligned<'a>(&'a self, file: &'a File<'a>) -> Aligned<'a, 'q> {
        Aligned { file, reading: &self.reading, map: self.map, pairs: &self.pairs }
    }

    /// Returns another explanation of the same alignment, without bytes.
    pub(crate) fn without_bytes(&self, file: &File<'_>, cost: i32, obstacle: Obstacle) -> Self {
        let mut other = Explanation { cost: cost.max(0), effect: Err(obstacle), ..self.clone() };
        other.signature = Signature::of(file, &other);
        other
    }

    /// Checks whether the bytes are known.
    pub(crate) fn has_bytes(&self) -> bool {
        self.effect.is_ok()
    }
}

/// Returns the width of an indentation, with tabs of eight columns.
fn columns(indent: &str) -> usize {
    indent.chars().map(|c| if c == '\t' { 8 } else { 1 }).sum()
}
