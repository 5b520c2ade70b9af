//! A quote: the lines of an edit, as written or after undoing some changes.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::rc::Rc;

use similar::DiffTag;

use crate::locate::align::cost::Costs;
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::align::relation::{Relation, relate, relate_kept};
use crate::patch::edit::Edit;
use crate::patch::{Line, LineKind};
use crate::text::{Document, Fold, compare};

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
        self.with_kind(LineKind::Add)
    }

    /// Returns the line as a removed line.
    pub(super) fn as_removed(&self) -> Rc<Self> {
        self.with_kind(LineKind::Remove)
    }

    /// Returns the line as a line that stays.
    pub(crate) fn as_kept(&self) -> Rc<Self> {
        self.with_kind(LineKind::Context)
    }

    fn with_kind(&self, kind: LineKind) -> Rc<Self> {
        Rc::new(Row {
            kind,
            line: self.line.clone(),
            raw: Cow::Owned(format!("{}{}", kind.sign(), self.line.text())),
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

    /// Returns the relation of the quoted line with its partner in the file; a blank line has a blank one.
    pub(crate) fn relation(&self, costs: &Costs, partner: &LineText<'_>) -> Relation {
        match (self.is_blank(), self.removes()) {
            (true, _) => Relation::EQUAL,
            (false, true) => relate(costs, &self.line, partner),
            (false, false) => relate_kept(costs, &self.line, partner),
        }
    }

    /// Returns the cost of finding the line in the file by chance.
    pub(crate) fn chance(&self, file: &File<'_>) -> i32 {
        *self.chance.get_or_init(|| file.chance(&self.line))
    }
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
    /// Only the old lines have another indentation than the file.
    pub(crate) shifted: bool,
    /// Lines that lost their indentation in the old and in the new text.
    pub(crate) trimmed: bool,
    /// Characters that a copy left in the lines.
    pub(crate) remnants: bool,
    /// Changes that were made before.
    pub(crate) partly_made: bool,
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
    pub(crate) fn with_rows(&self, rows: Vec<Rc<Row<'q>>>, cost: i32) -> Self {
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

    /// Returns the rows of the comparison of old rows with the new text: a line of both stays.
    pub(super) fn compared(&self, old: &[Rc<Row<'q>>]) -> Vec<Rc<Row<'q>>> {
        let new: Vec<&Rc<Row<'q>>> = self.rows.iter().filter(|row| !row.removes()).collect();
        let texts: Vec<&str> = old.iter().map(|row| row.line.text()).collect();
        let new_texts: Vec<&str> = new.iter().map(|row| row.line.text()).collect();
        let mut rows = Vec::with_capacity(old.len() + new.len());
        for op in compare(&texts, &new_texts, None) {
            let (tag, of_old, of_new) = op.as_tag_tuple();
            let is_kept = tag == DiffTag::Equal;
            rows.extend(old[of_old].iter().map(|row| if is_kept { row.as_kept() } else { row.as_removed() }));
            if !is_kept {
                rows.extend(new[of_new].iter().map(|row| row.as_added()));
            }
        }
        rows
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

    /// Returns whether the result has the quote as well, with lines above it, and with lines below it. A quote with too many lines to compare
    /// counts as both.
    pub(crate) fn sides_beyond_quote(&self) -> (bool, bool) {
        /// How many pairs of lines are compared at most.
        const MOST_COMPARED: usize = 100_000;
        let quote: Vec<&str> = self.old_rows().map(|row| row.line.text()).collect();
        let result = self.rows.iter().filter(|row| !row.removes());
        let result: Vec<&str> = result.map(|row| row.line.text()).collect();
        if quote.is_empty() || quote.len() * result.len() > MOST_COMPARED {
            return (true, true);
        }
        let starts = (0..(result.len() + 1).saturating_sub(quote.len()))
            .filter(|start| result[*start..*start + quote.len()] == quote);
        let last = result.len().saturating_sub(quote.len());
        starts.fold((false, false), |(above, below), start| (above || start > 0, below || start < last))
    }

    /// Counts the rows of the result that are before a row.
    pub(crate) fn kept_before(&self, row: usize) -> usize {
        self.rows[..row].iter().filter(|row| !row.removes()).count()
    }

    /// Counts the old rows that are before a row.
    pub(crate) fn old_before(&self, row: usize) -> usize {
        self.old.partition_point(|old| *old < row)
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

    /// Returns the runs of consecutive blank old rows of which some are removed for good: no blank row is added beside them. An edit that
    /// changes nothing else has none, because it is made where the file has fewer blank lines.
    pub(crate) fn shrunk_blank_runs(&self) -> impl Iterator<Item = Range<usize>> {
        let is_blank = |row: &usize| self.old(*row).is_blank();
        let first = move |row: &usize| is_blank(row) && (*row == 0 || !is_blank(&(row - 1)));
        let end =
            move |row: usize| (row..self.old_len()).find(|row| !is_blank(row)).unwrap_or(self.old_len());
        let changes_text = self.rows.iter().any(|row| !row.is_context() && !row.is_blank());
        let runs =
            (0..self.old_len()).filter(move |row| changes_text && first(row)).map(move |row| row..end(row));
        runs.filter(|run| {
            run.len() > 1 && run.clone().any(|row| self.old(row).removes()) && !self.adds_blank(run)
        })
    }

    /// Checks whether a blank row is added among or beside old rows.
    fn adds_blank(&self, run: &Range<usize>) -> bool {
        let (first, last) = (self.position_of_old(run.start), self.position_of_old(run.end - 1));
        let above = self.rows[..first].iter().rev().take_while(|row| !row.is_context());
        let from_first = self.rows[first..=last].iter();
        let below = self.rows[last + 1..].iter().take_while(|row| !row.is_context());
        above.chain(from_first).chain(below).any(|row| row.adds() && row.is_blank())
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

    /// Checks whether all that changes is the indentation of lines. An edit of trailing whitespace leaves the indentation.
    pub(crate) fn only_indents(&self) -> bool {
        let removed = || self.filled_old_rows().filter(|row| row.removes());
        let bodies = removed().map(|row| row.line.body());
        bodies.eq(self.filled_added_rows().map(|row| row.line.body()))
            && removed()
                .zip(self.filled_added_rows())
                .any(|(old, new)| old.line.indent() != new.line.indent())
    }

    /// Returns the added rows that are not blank.
    pub(crate) fn filled_added_rows(&self) -> impl Iterator<Item = &Row<'q>> {
        self.added_rows().filter(|row| !row.is_blank())
    }
}
