//! An alignment of a reading with a file, and what it shows.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::align::map::IndentMap;
use crate::locate::align::pairing::Pairing;
use crate::locate::align::relation::{Class, Kind, Relation};
use crate::locate::reading::{Reading, Row};
use crate::locate::search::scope::{begins_section, section_at};
use crate::locate::syntax::{Section, closes, is_opening_bracket, is_word_char, naming_field};

/// How far above an alignment its outer lines are looked for, in lines.
const OUTER_REACH: usize = 2_000;

/// The alignment that an explanation is made of.
pub(crate) struct Aligned<'a, 'q> {
    pub(crate) file: &'a File<'a>,
    pub(crate) reading: &'a Rc<Reading<'q>>,
    pub(crate) map: IndentMap,
    pub(crate) pairs: &'a Rc<[Pairing]>,
}

impl Aligned<'_, '_> {
    /// Returns the relation of an old row and its partner; `None` if the row is not in the file.
    pub(crate) fn relation(&self, row: usize) -> Option<Relation> {
        let line = self.pairs[row].line()?;
        Some(self.reading.old(row).relation(self.file.costs, self.file.line(line)))
    }

    pub(crate) fn class(&self, row: usize) -> Option<Class> {
        self.relation(row).map(|relation| relation.class)
    }

    /// Checks whether a row has the indentation of the map. A map that is not a rule fits each row.
    pub(crate) fn fits_map(&self, row: usize) -> bool {
        let (row, pair) = (self.reading.old(row), self.pairs[row]);
        let Some(line) = pair.line().filter(|_| self.map.is_rule() && !row.is_blank()) else { return true };
        self.map.maps(&row.line.indent(), &self.file.line(line).indent())
    }

    /// Returns the old rows, by index.
    pub(crate) fn rows(&self) -> Range<usize> {
        0..self.pairs.len()
    }

    /// Checks whether an old row has text and a partner.
    pub(crate) fn is_filled_pair(&self, row: usize) -> bool {
        !self.reading.old(row).is_blank() && self.pairs[row].is_found()
    }

    /// Returns the old rows that have a partner.
    pub(crate) fn found_rows(&self) -> Vec<usize> {
        self.rows().filter(|row| self.pairs[*row].is_found()).collect()
    }

    /// Returns the old rows that are removed and not blank.
    pub(crate) fn filled_removals(&self) -> impl Iterator<Item = usize> {
        self.rows().filter(|row| self.reading.old(*row).removes() && !self.reading.old(*row).is_blank())
    }

    /// Checks whether a row has text that the file has at most once.
    pub(super) fn is_telling(&self, row: usize) -> bool {
        let quoted = &self.reading.old(row).line;
        let occurrences = |line: &LineText<'_>| self.file.occurrences(line);
        let is_once_otherwise = || self.annotated(row).is_none_or(|partner| occurrences(partner) <= 1);
        quoted.letters() > 0
            && match occurrences(quoted) {
                0 => is_once_otherwise(),
                times => times == 1,
            }
    }

    /// Returns the partner of a row, if only annotations differ.
    fn annotated(&self, row: usize) -> Option<&LineText<'_>> {
        self.relation(row).filter(|relation| relation.kind == Kind::Annotation)?;
        Some(self.file.line(self.pairs[row].line()?))
    }

    /// Checks whether the file has a quoted line, once, that names the block or the record.
    pub(super) fn is_named(&self) -> bool {
        let openers = self.reading.openers();
        self.rows().any(|row| {
            let names =
                || openers.contains(&row) || naming_field(self.reading.old(row).line.body()).is_some();
            self.is_alike(row) && self.is_telling(row) && names()
        })
    }

    /// Checks whether the partner of a row has the same meaning, apart from misspelt words.
    pub(crate) fn is_alike(&self, row: usize) -> bool {
        self.class(row).is_some_and(|class| class <= Class::Typo)
    }

    /// Checks whether the file has so many quoted lines with text for each that is not there.
    pub(super) fn has_rows(&self, for_each_missing: usize) -> bool {
        let filled = self.rows().filter(|row| !self.reading.old(*row).is_blank());
        let (there, missing): (Vec<usize>, Vec<usize>) = filled.partition(|row| self.is_alike(*row));
        there.len() >= for_each_missing * missing.len()
    }

    /// Checks whether a row has a partner that is not a completely different line.
    pub(crate) fn is_related(&self, row: usize) -> bool {
        self.class(row).is_some_and(|class| class != Class::Other)
    }

    /// Checks whether a row has the words of its partner, in order: only signs differ.
    pub(crate) fn has_words(&self, row: usize) -> bool {
        let Some(line) = self.pairs[row].line().filter(|_| self.is_related(row)) else { return false };
        let is_word = |token: &&str| token.contains(is_word_char);
        let words = self.reading.old(row).line.tokens().filter(is_word);
        words.eq(self.file.line(line).tokens().filter(is_word))
    }

    /// Checks whether a row shows an indentation: a row with text and a partner that is not completely different.
    pub(crate) fn shows_indentation(&self, row: usize) -> bool {
        !self.reading.old(row).is_blank() && self.is_related(row)
    }

    /// Checks whether a line is the partner of a row.
    pub(crate) fn is_quoted(&self, line: usize) -> bool {
        self.pairs.iter().any(|pair| pair.line() == Some(line))
    }

    /// Checks whether a line is the partner of a row with the same meaning, apart from misspelt words.
    pub(crate) fn is_quoted_alike(&self, line: usize) -> bool {
        self.rows().any(|row| self.pairs[row].line() == Some(line) && self.is_alike(row))
    }

    /// Returns the last line that is quoted above a row.
    pub(crate) fn line_above(&self, row: usize) -> Option<usize> {
        self.pairs[..row].iter().rev().find_map(|pair| pair.line())
    }

    /// Returns the first line that is quoted below a row.
    pub(crate) fn line_below(&self, row: usize) -> Option<usize> {
        self.pairs[row + 1..].iter().find_map(|pair| pair.line())
    }

    /// Returns the lines from the first to the last quoted line.
    pub(crate) fn lines(&self) -> Option<Range<usize>> {
        let first = self.pairs.iter().find_map(|pair| pair.line())?;
        let last = self.pairs.iter().rev().find_map(|pair| pair.line())?;
        Some(first..last + 1)
    }

    /// Returns the lines between quoted lines that are not quoted, ascending.
    pub(super) fn unquoted_between(&self) -> impl Iterator<Item = usize> {
        let mut next = None;
        self.pairs.iter().flat_map(move |pair| {
            let Some(line) = pair.line() else { return 0..0 };
            let gap = next.unwrap_or(line)..line;
            next = next.max(Some(line + 1));
            gap
        })
    }

    /// Returns the lines between the partners of two rows.
    pub(crate) fn between(&self, one: usize, other: usize) -> Range<usize> {
        match (self.pairs[one].line(), self.pairs[other].line()) {
            (Some(one), Some(other)) => one + 1..other.max(one + 1),
            _ => 0..0,
        }
    }

    /// Returns the lines above the alignment that are less deep than `depth` and all lines between, the nearest first: those that open what
    /// the quoted lines are in.
    pub(crate) fn outer_lines(&self, depth: usize) -> impl Iterator<Item = usize> + '_ {
        let start = self.lines().unwrap_or_default().start;
        let mut least = depth;
        (start.saturating_sub(OUTER_REACH)..start).rev().filter(move |line| {
            let line = self.file.line(*line);
            let is_outer = !line.is_blank() && line.depth() < least;
            if is_outer {
                least = line.depth();
            }
            is_outer
        })
    }

    /// Counts the gaps between quoted lines that leave the surrounding block: a line in the gap is less deep than the
    /// lines on both sides, or at most as deep as the line that opens the block.
    pub(crate) fn gaps_out_of_block(&self) -> i32 {
        let found: Vec<usize> = self.rows().filter(|row| self.is_filled_pair(*row)).collect();
        let leaving = found.windows(2).filter(|rows| self.leaves_block(rows[0], rows[1]));
        i32::try_from(leaving.count()).unwrap_or(i32::MAX)
    }

    /// Checks whether the lines between two rows leave the block that the rows are in.
    pub(super) fn leaves_block(&self, above: usize, below: usize) -> bool {
        let between = self.between(above, below);
        if between.is_empty() {
            return false;
        }
        let (Some(above), Some(below)) = (self.pairs[above].line(), self.pairs[below].line()) else {
            return false;
        };
        let (deep_above, deep_below) = (self.depth(above), self.depth(below));
        let least = if deep_below > deep_above { deep_above + 1 } else { deep_below };
        let document = self.file.document();
        // A brace on a line of its own is as deep as the block that it opens.
        let is_brace = is_opening_bracket(document.line(below));
        let ends_block = |line: usize| self.depth(line) == least && closes(document.line(line));
        let leaves = |line: usize| {
            self.depth(line) < least || is_brace && ends_block(line) || begins_section(document, line)
        };
        between.into_iter().any(|line| !self.file.is_blank(line) && leaves(line))
    }

    fn depth(&self, line: usize) -> usize {
        self.file.line(line).depth()
    }

    /// Finds a quoted line that is not in the block that a quoted line above opens.
    pub(super) fn in_other_block(&self) -> Option<usize> {
        let found: Vec<usize> = self.rows().filter(|row| self.is_filled_pair(*row)).collect();
        self.in_block_beside(&found).or_else(|| self.in_copy_of_block(&found))
    }

    /// Finds a quoted line that opens a block, if a line like it was skipped above.
    fn in_copy_of_block(&self, found: &[usize]) -> Option<usize> {
        found.windows(3).find_map(|rows| {
            let [above, opener, below] = [rows[0], rows[1], rows[2]];
            let line = self.pairs[opener].line()?;
            let opens = || Some(self.depth(self.pairs[below].line()?) > self.depth(line));
            let mut skipped = self.between(above, opener);
            let quoted = &self.reading.old(opener).line;
            let is_copy = skipped.any(|line| self.file.is_same(line, quoted)) && opens()?;
            (is_copy && !self.is_free_between(above, opener) && self.changes_from(opener)).then_some(line)
        })
    }

    /// Checks whether dots replace lines behind a row, up to another row.
    pub(super) fn is_free_between(&self, above: usize, below: usize) -> bool {
        (above + 1..=below).any(|row| self.reading.is_free(row))
    }

    /// Checks whether anything changes at a row or below.
    fn changes_from(&self, row: usize) -> bool {
        self.reading.rows[self.reading.position_of_old(row)..].iter().any(|row| !row.is_context())
    }

    /// Finds a quoted line behind a gap that leaves the block of the line above.
    fn in_block_beside(&self, found: &[usize]) -> Option<usize> {
        let sides = OnceCell::new();
        found.windows(2).enumerate().find_map(|(nth, rows)| {
            if self.is_free_between(rows[0], rows[1]) || !self.leaves_block(rows[0], rows[1]) {
                return None;
            }
            let (above, below) = (self.pairs[rows[0]].line()?, self.pairs[rows[1]].line()?);
            let next = self.file.first_filled(above + 1..self.file.len())?;
            let depth = self.depth(above);
            let opens = self.depth(next) > depth && self.depth(below) > depth;
            let sides = || sides.get_or_init(|| Sides::new(self, found));
            (opens || self.leaves_for_another(rows) || sides().removes_alone(nth + 1)).then_some(below)
        })
    }

    /// Checks whether a gap with a line less deep than the lines on both sides ends in another block in which something changes.
    /// A single line may be forgotten; several lines are those of another block.
    fn leaves_for_another(&self, rows: &[usize]) -> bool {
        let sides = [rows[0], rows[1]].map(|row| self.pairs[row].line().map(|line| self.depth(line)));
        let least = sides.into_iter().flatten().min().unwrap_or_default();
        let skipped = || self.between(rows[0], rows[1]).filter(|line| !self.file.is_blank(*line));
        let ends = |section: Section| skipped().any(|line| self.ends(section, line));
        skipped().nth(1).is_some()
            && self.changes_from(rows[1])
            && (skipped().any(|line| self.depth(line) < least)
                || self.section_above(rows[0]).is_some_and(ends))
    }

    /// Returns the innermost section of a flat text that a quoted line begins, at a row or above.
    fn section_above(&self, row: usize) -> Option<Section> {
        let mut found = self.pairs[..=row].iter().rev().filter_map(|pair| pair.line());
        found.find_map(|line| section_at(self.file.document(), line))
    }

    /// Checks whether a line begins the next section.
    fn ends(&self, section: Section, line: usize) -> bool {
        section_at(self.file.document(), line).is_some_and(|other| section.ends_at(other))
    }

    /// Returns the removed lines, ascending.
    pub(super) fn removed(&self) -> Vec<usize> {
        let removed = self.rows().filter(|row| self.reading.old(*row).removes());
        removed.filter_map(|row| self.pairs[row].line()).collect()
    }
}

/// The first and the last of several rows that is removed, and that is context with text.
struct Sides {
    removed: Option<(usize, usize)>,
    context: Option<(usize, usize)>,
}

impl Sides {
    fn new(aligned: &Aligned<'_, '_>, found: &[usize]) -> Self {
        let ends = |is_wanted: &dyn Fn(&Row<'_>) -> bool| {
            let is_wanted = |row: &usize| is_wanted(aligned.reading.old(*row));
            Some((found.iter().position(is_wanted)?, found.iter().rposition(is_wanted)?))
        };
        Sides {
            removed: ends(&|row| row.removes()),
            context: ends(&|row| row.is_context() && row.has_text()),
        }
    }

    /// Checks whether removed rows are on one side of the row `nth`, and no context row with text is on that side.
    fn removes_alone(&self, nth: usize) -> bool {
        let is_above = |ends: Option<(usize, usize)>| ends.is_some_and(|(first, _)| first < nth);
        let is_below = |ends: Option<(usize, usize)>| ends.is_some_and(|(_, last)| last >= nth);
        is_above(self.removed) && !is_above(self.context) || is_below(self.removed) && !is_below(self.context)
    }
}
