//! A quote: the lines of an edit, as written or after undoing some changes.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::rc::Rc;

use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::syntax::{
    Around, Block, Section, begins_block, closes, continues, is_about_opener, is_head_end,
};
use crate::patch::edit::Edit;
use crate::patch::{Line, LineKind};
use crate::text::{Document, Fold};

/// A line of a quote.
#[derive(Debug)]
pub(crate) struct Row<'q> {
    pub(crate) kind: LineKind,
    pub(crate) line: LineText<'q>,
    /// The line as written, with its sign.
    pub(crate) raw: Cow<'q, str>,
    /// Whether the sign was written.
    pub(crate) signed: bool,
    /// The index of the line in the edit, 0-based.
    pub(crate) nth: usize,
    /// The line of the patch text, 1-based.
    pub(crate) number: Option<NonZeroUsize>,
    chance: OnceCell<i32>,
}

impl<'q> Row<'q> {
    fn new(nth: usize, line: &'q Line<'_>) -> Self {
        let text = Cow::Borrowed(&*line.text);
        let raw = if line.signed { Cow::Owned(line.with_sign()) } else { text.clone() };
        let number = line.number;
        Row {
            kind: line.kind,
            line: LineText::new(text),
            raw,
            signed: line.signed,
            nth,
            number,
            chance: OnceCell::new(),
        }
    }

    /// Returns the row with another text.
    pub(super) fn with_text(&self, text: String) -> Rc<Self> {
        let raw = if self.signed { format!("{}{text}", self.kind.sign()) } else { text.clone() };
        Rc::new(Row {
            kind: self.kind,
            line: LineText::new(text),
            raw: Cow::Owned(raw),
            signed: self.signed,
            nth: self.nth,
            number: self.number,
            chance: OnceCell::new(),
        })
    }

    /// Returns the line as written, as context.
    pub(super) fn as_raw_context(&self) -> Rc<Self> {
        let raw = self.raw.clone();
        Rc::new(Row {
            kind: LineKind::Context,
            line: LineText::new(raw.clone()),
            raw,
            signed: self.signed,
            nth: self.nth,
            number: self.number,
            chance: OnceCell::new(),
        })
    }

    /// Returns the line as an added line.
    pub(super) fn as_added(&self) -> Rc<Self> {
        Rc::new(Row {
            kind: LineKind::Add,
            line: self.line.clone(),
            raw: Cow::Owned(format!("+{}", self.raw)),
            signed: true,
            nth: self.nth,
            number: self.number,
            chance: OnceCell::new(),
        })
    }

    pub(crate) fn is_old(&self) -> bool {
        self.kind != LineKind::Add
    }

    pub(crate) fn is_context(&self) -> bool {
        self.kind == LineKind::Context
    }

    pub(crate) fn adds(&self) -> bool {
        self.kind == LineKind::Add
    }

    pub(crate) fn removes(&self) -> bool {
        self.kind == LineKind::Remove
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.line.is_blank()
    }

    /// Checks for an empty context line without its sign, which may only separate chunks.
    pub(super) fn is_separator(&self) -> bool {
        !self.signed && self.is_context() && self.line.text().is_empty()
    }

    /// Checks for a context line without its sign that is not blank.
    pub(crate) fn is_unsigned_text(&self) -> bool {
        !self.signed && self.is_context() && !self.is_blank()
    }

    /// Checks whether the line has letters or digits.
    pub(crate) fn has_text(&self) -> bool {
        self.line.letters() > 0
    }

    /// Returns the cost of finding the line in the file by chance.
    pub(crate) fn chance(&self, file: &File<'_>) -> i32 {
        *self.chance.get_or_init(|| file.chance(&self.line))
    }
}

/// How deep a line is: below the headings of sections, by its indentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Section(usize),
    Indentation(usize),
}

/// What was undone in a reading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is undone or not, whatever the others are")]
pub(crate) struct Undone {
    pub(crate) blank_ends: bool,
    pub(crate) line_numbers: bool,
    pub(crate) line_breaks: bool,
    pub(crate) signs: bool,
    pub(crate) items: bool,
    pub(crate) added_signs: bool,
    pub(crate) dots: bool,
    pub(crate) entities: bool,
    pub(crate) escapes: bool,
    /// Lines that the file breaks at other positions.
    pub(crate) wrapped: bool,
    pub(crate) repeats: bool,
    /// Characters that a copy left in the lines.
    pub(crate) remnants: bool,
}

impl Undone {
    /// Checks whether the quote is read as written, except for blank lines at its end and encoders.
    pub(crate) fn is_plain(self) -> bool {
        Undone { blank_ends: false, entities: false, escapes: false, ..self } == Undone::default()
    }
}

/// A quote after undoing some changes.
#[derive(Debug, Clone)]
pub(crate) struct Reading<'q> {
    pub(crate) rows: Vec<Rc<Row<'q>>>,
    /// The old rows among `rows`.
    old: Vec<usize>,
    pub(crate) cost: i32,
    pub(crate) undone: Undone,
    /// The positions of dots that replace lines.
    pub(super) free: Vec<FreeGap>,
    /// Where the old rows are in the file to the byte, as soon as that was requested.
    exact: OnceCell<Rc<[usize]>>,
    /// See [`Self::openers`].
    openers: OnceCell<Vec<usize>>,
}

/// A position in a quote where dots replace lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FreeGap {
    /// The number of old rows before the position.
    pub(crate) old: usize,
    /// The number of rows before the position.
    pub(crate) row: usize,
}

impl<'q> Reading<'q> {
    /// Returns the quote as written.
    pub(crate) fn plain(edit: &'q Edit<'_>) -> Self {
        let rows = edit.lines.iter().enumerate().map(|(nth, line)| Rc::new(Row::new(nth, line)));
        Reading::of_rows(rows.collect())
    }

    /// Returns the quote for a document. An empty document looks like a blank line: a quote of only a blank line then
    /// quotes nothing.
    pub(crate) fn for_document(self, document: &Document) -> Self {
        let is_of_nothing = document.is_empty() && self.old.len() == 1 && self.old(0).is_blank();
        if !is_of_nothing || !self.adds() {
            return self;
        }
        Reading::of_rows(self.rows.into_iter().filter(|row| row.adds()).collect())
    }

    fn of_rows(rows: Vec<Rc<Row<'q>>>) -> Self {
        let old = (0..rows.len()).filter(|nth| rows[*nth].is_old()).collect();
        Reading {
            rows,
            old,
            cost: 0,
            undone: Undone::default(),
            free: Vec::new(),
            exact: OnceCell::new(),
            openers: OnceCell::new(),
        }
    }

    /// Returns the reading with other rows.
    pub(super) fn with_rows(&self, rows: Vec<Rc<Row<'q>>>, cost: i32) -> Self {
        Reading {
            cost: self.cost + cost,
            undone: self.undone,
            free: self.free.clone(),
            ..Reading::of_rows(rows)
        }
    }

    /// Returns the reading with the rows that `read` reads otherwise.
    pub(super) fn mapped(&self, cost: i32, read: impl Fn(&Row<'q>) -> Option<Rc<Row<'q>>>) -> Self {
        let rows = self.rows.iter().map(|row| read(row).unwrap_or_else(|| Rc::clone(row)));
        self.with_rows(rows.collect(), cost)
    }

    /// Returns the result of the edit as a quote: all rows that are not removed, as context.
    pub(crate) fn result(&self) -> Self {
        let rows = self.rows.iter().filter(|row| !row.removes()).map(|row| {
            Rc::new(Row {
                kind: LineKind::Context,
                line: row.line.clone(),
                raw: row.raw.clone(),
                signed: row.signed,
                nth: row.nth,
                number: row.number,
                chance: row.chance.clone(),
            })
        });
        Reading {
            cost: self.cost,
            undone: self.undone,
            free: self.free_in_result(),
            openers: OnceCell::from(self.openers_in_result()),
            ..Reading::of_rows(rows.collect())
        }
    }

    /// Returns the rows that open a block in which a line changes, counted in the rows of the result.
    fn openers_in_result(&self) -> Vec<usize> {
        self.openers().iter().map(|opener| self.kept_before(self.old[*opener])).collect()
    }

    /// Counts the rows of the result that are before a row.
    pub(crate) fn kept_before(&self, row: usize) -> usize {
        self.rows[..row].iter().filter(|row| !row.removes()).count()
    }

    /// Returns the boundaries of the dots, counted in the rows of the result.
    fn free_in_result(&self) -> Vec<FreeGap> {
        let gaps = self.free.iter().map(|gap| self.kept_before(gap.row));
        gaps.map(|row| FreeGap { old: row, row }).collect()
    }

    /// Returns the first line of each position of the old rows in the file to the byte. The file has to be the same in
    /// each call, also for copies of the reading.
    pub(crate) fn exact_positions(&self, file: &File<'_>) -> &[usize] {
        self.exact.get_or_init(|| {
            let quote: Vec<&str> = self.old_rows().map(|row| row.line.text()).collect();
            file.index.places(Fold::Exact, &quote)
        })
    }

    /// Returns the number of old rows.
    pub(crate) fn old_len(&self) -> usize {
        self.old.len()
    }

    /// Returns an old row.
    pub(crate) fn old(&self, nth: usize) -> &Row<'q> {
        &self.rows[self.old[nth]]
    }

    /// Returns the old rows.
    pub(crate) fn old_rows(&self) -> impl DoubleEndedIterator<Item = &Row<'q>> + ExactSizeIterator {
        self.old.iter().map(|nth| &*self.rows[*nth])
    }

    /// Returns the old rows that are not blank.
    pub(crate) fn filled_old_rows(&self) -> impl DoubleEndedIterator<Item = &Row<'q>> {
        self.old_rows().filter(|row| !row.is_blank())
    }

    /// Returns the old rows that open a block in which a line changes, ascending: context less deep than the change, and the
    /// headings of its section.
    pub(crate) fn openers(&self) -> &[usize] {
        self.openers.get_or_init(|| self.find_openers())
    }

    fn find_openers(&self) -> Vec<usize> {
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
        self.old.iter().position(|at| *at == first).filter(|_| is_open_at_change == Some(true) && is_beside)
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
        let level = self.level(self.old[opener]);
        let ends = |nth: &usize| {
            let other = self.level(self.old[*nth]);
            other.is_some() && other <= level && self.opens(self.old[*nth])
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

    /// Returns the index in `rows` of an old row.
    pub(crate) fn position_of_old(&self, nth: usize) -> usize {
        self.old[nth]
    }

    pub(crate) fn adds(&self) -> bool {
        self.rows.iter().any(|row| row.adds())
    }

    /// Checks whether the edit changes anything.
    pub(crate) fn changes(&self) -> bool {
        self.rows.iter().any(|row| !row.is_context())
    }

    pub(crate) fn added_rows(&self) -> impl Iterator<Item = &Row<'q>> {
        self.rows.iter().map(|row| &**row).filter(|row| row.adds())
    }

    /// Returns the added rows that are not blank.
    pub(crate) fn filled_added_rows(&self) -> impl Iterator<Item = &Row<'q>> {
        self.added_rows().filter(|row| !row.is_blank())
    }
}
