//! Parses SEARCH/REPLACE blocks: the old lines, the new lines, and above the name of the file.
//!
//! A [`Reader`] receives a line at a time and emits a block when the block is complete. The meaning of a line inside a
//! block depends on further lines of the block only if a `=======` may be text: the end of the block decides.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use crate::format::block_marker::{BlockMarker, begins_as_marker, line_hint, marker, unescaped};
use crate::format::error::{ParseError, ParseErrorKind, shortened};
use crate::format::file_name;
use crate::format::lines::lines;
use crate::format::marker::{self, Outside};
use crate::format::thoughts;
use crate::format::{Event, Options, RepairKind};
use crate::patch::edit::Edit;
use crate::patch::{
    Action, Dialect, FinalNewline, Header, Hunk, Line, LineKind, Properties, SharedSlice, Span,
};

/// A line inside a block.
#[derive(Debug)]
struct Row {
    number: usize,
    text: String,
    divides: Option<Divides>,
}

/// What a line `=======` may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Divides {
    /// Whether the line is as wide as the first marker of the block.
    same_width: bool,
    /// Whether the line is the middle of a conflict of a version control system.
    in_conflict: bool,
    exact: bool,
}

/// A block that has begun.
#[derive(Debug)]
struct Block {
    number: usize,
    width: usize,
    /// `:start_line:`, 1-based.
    hint: Option<usize>,
    /// Whether only hints have followed so far.
    fresh: bool,
    conflict: bool,
    rows: Vec<Row>,
    file: Option<String>,
}

/// What the reader knows of the lines before.
#[derive(Debug, Default)]
pub(super) struct State {
    options: Options,
    number: usize,
    block: Option<Block>,
    names: file_name::Above,
    /// The file of the open hunk.
    open: Option<String>,
    /// The file of the last block.
    last: Option<String>,
    blocks: usize,
    /// The blocks that change nothing: the number of the first line, and the file.
    unchanged: Vec<(usize, String)>,
    wrong: bool,
    first_filled: Option<(usize, String)>,
}

impl State {
    pub(super) fn new(options: &Options) -> Self {
        State { options: options.clone(), ..State::default() }
    }
}

/// Parses a whole text without its wrapping.
pub(super) fn read<'a>(text: &'a str, options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    let mut state = State::new(options);
    let mut reader = Reader { state: &mut state, out };
    for (number, line, _) in lines(text) {
        reader.line(number, line);
    }
    reader.finish();
}

/// Reads lines into events.
pub(super) struct Reader<'r, 'a> {
    pub(super) state: &'r mut State,
    pub(super) out: &'r mut dyn FnMut(Event<'a>),
}

impl Reader<'_, '_> {
    fn error(&mut self, number: usize, kind: ParseErrorKind, found: &str) {
        self.state.wrong = true;
        (self.out)(Event::Error(ParseError::new(Span::line(number), kind, found)));
    }

    fn repair(&mut self, number: usize, kind: RepairKind) {
        self.state.wrong |= self.state.options.strict;
        let repaired = Event::repaired(number, kind, &self.state.options);
        (self.out)(repaired);
    }

    /// Reads the next line; `number` is 1-based.
    pub(super) fn line(&mut self, number: usize, line: &str) {
        self.state.number = number;
        let marker = marker(line);
        if marker.is_some_and(|(kind, exact)| kind != BlockMarker::Divider && !exact) {
            self.repair(number, RepairKind::Marker);
        }
        match (marker, self.state.block.take()) {
            (Some((BlockMarker::Search, _)), block) => {
                if let Some(block) = block {
                    self.unended(number, line, &block);
                }
                self.begin(number, line);
            }
            (Some((BlockMarker::Replace, _)), Some(block)) => self.end(number, line, block),
            (Some((BlockMarker::Replace, _)), None) => {
                self.error(number, ParseErrorKind::MissingSearch, line);
            }
            (_, Some(mut block)) => {
                self.inside(number, line, &mut block);
                self.state.block = Some(block);
            }
            (_, None) => self.outside(number, line),
        }
    }

    // Outside of a block.

    fn outside(&mut self, number: usize, line: &str) {
        if self.state.first_filled.is_none() && !line.trim().is_empty() {
            self.state.first_filled = Some((number, shortened(line).to_owned()));
        }
        if let Some(passed) = self.state.names.push(number, line) {
            self.around(passed.0, &passed.1);
        }
    }

    /// Reads a line that names no file. Blocks are mostly written with blank lines between them.
    fn around(&mut self, number: usize, line: &str) {
        let kind = match marker::outside(line) {
            Outside::Blank if !self.state.options.strict => return,
            Outside::Blank => RepairKind::BlankLine,
            Outside::Fence => RepairKind::Fence,
            _ if self.state.blocks > 0 && thoughts::ends(line) => {
                return self.error(number, ParseErrorKind::Thoughts, line);
            }
            _ => RepairKind::Prose,
        };
        self.repair(number, kind);
    }

    /// Reports the lines since the last block that were not yet reported.
    fn pass_above(&mut self) {
        for (number, line) in self.state.names.take() {
            self.around(number, &line);
        }
    }

    fn begin(&mut self, number: usize, line: &str) {
        let found = self.state.names.name();
        if let Some(found) = &found {
            if !found.plain {
                self.repair(found.number, RepairKind::NameLine);
            }
            self.state.names.forget(found.number);
        }
        self.pass_above();
        let file = found.map(|found| found.name);
        let file = file.or_else(|| self.state.last.clone()).or_else(|| self.state.options.file.clone());
        if file.is_none() {
            self.error(number, ParseErrorKind::BlockWithoutFile, line);
        }
        self.state.last.clone_from(&file);
        let width = line.len() - line.trim_start_matches(['<', '-']).len();
        self.state.blocks += 1;
        self.state.block =
            Some(Block { number, width, hint: None, fresh: true, conflict: false, rows: Vec::new(), file });
    }

    // Inside a block.

    fn inside(&mut self, number: usize, line: &str, block: &mut Block) {
        if block.fresh {
            if let Some((name, number)) = line_hint(line) {
                block.hint = if name == "start_line" { Some(number) } else { block.hint };
                return;
            }
            block.fresh = false;
            if block.hint.is_some() && line.len() >= 5 && line.bytes().all(|byte| byte == b'-') {
                return self.repair(number, RepairKind::Marker);
            }
        }
        let may_divide = marker(line).filter(|(kind, _)| *kind == BlockMarker::Divider);
        let divides = may_divide.map(|(_, exact)| Divides {
            same_width: line.trim_end().len() == block.width,
            in_conflict: block.conflict,
            exact,
        });
        if line.starts_with("<<<<<<< ") {
            block.conflict = true;
        } else if line.starts_with(">>>>>>> ") {
            block.conflict = false;
        }
        let text = unescaped(line).unwrap_or(line);
        if divides.is_none() && begins_as_marker(line) {
            self.repair(number, RepairKind::UnescapedMarker);
        }
        block.rows.push(Row { number, text: text.to_owned(), divides });
    }

    /// Reads a block that ends with something other than its end marker.
    fn unended(&mut self, number: usize, line: &str, block: &Block) {
        let divided = block.rows.iter().any(|row| row.divides.is_some());
        let kind = if divided { ParseErrorKind::MissingReplace } else { ParseErrorKind::MissingDivider };
        self.error(number, kind, line);
    }

    fn end(&mut self, number: usize, line: &str, mut block: Block) {
        let rows = std::mem::take(&mut block.rows);
        let divider = match divider(&rows) {
            Ok(divider) => divider,
            Err(Undivided::Nowhere) => return self.error(number, ParseErrorKind::MissingDivider, line),
            Err(Undivided::Several(at)) => {
                return self.error(rows[at].number, ParseErrorKind::SeveralDividers, &rows[at].text);
            }
        };
        if rows[divider].divides.is_some_and(|divides| !divides.exact) {
            self.repair(rows[divider].number, RepairKind::Marker);
        }
        for row in rows.iter().enumerate().filter(|(at, row)| *at != divider && row.divides.is_some()) {
            self.repair(row.1.number, RepairKind::UnescapedMarker);
        }
        let (old, new) = (&rows[..divider], &rows[divider + 1..]);
        let is_blank = |rows: &[Row]| rows.iter().all(|row| row.text.trim().is_empty());
        let Some(file) = block.file.clone() else { return };
        if is_blank(old) {
            return self.add(&block, file, new);
        }
        if old.iter().map(|row| &row.text).eq(new.iter().map(|row| &row.text)) {
            return self.same_text(block.number, file);
        }
        self.update(&block, file, old, new);
    }

    /// Leaves out a block that changes nothing. It is an error if no block changes anything.
    fn same_text(&mut self, number: usize, file: String) {
        if self.state.options.strict {
            return self.error(number, ParseErrorKind::SameText, &file);
        }
        self.repair(number, RepairKind::SameText);
        self.state.unchanged.push((number, file));
    }

    /// Reads a block with nothing to search: a new file.
    fn add(&mut self, block: &Block, file: String, new: &[Row]) {
        self.close_hunk();
        self.open_hunk(block.number, file, Action::Add(SharedSlice::default()), Properties::default());
        for row in new {
            (self.out)(Event::Line(added(row)));
        }
        self.close_hunk();
    }

    fn update(&mut self, block: &Block, file: String, old: &[Row], new: &[Row]) {
        if self.state.open.as_ref() != Some(&file) {
            self.close_hunk();
            let action = Action::Update { move_to: None, chunks: Vec::new() };
            let properties = Properties { final_newline: Some(FinalNewline::Kept), ..Properties::default() };
            self.open_hunk(block.number, file, action, properties);
        }
        (self.out)(Event::ChunkBegun { number: NonZeroUsize::new(block.number) });
        if let Some(line) = block.hint {
            let text = Cow::Owned(format!("-{line} +{line} @@"));
            (self.out)(Event::Header(Header { number: NonZeroUsize::new(block.number), text }));
        }
        let (mut olds, mut news) = (old.iter(), new.iter());
        for (kind, signed) in changes(old, new) {
            let row = match kind {
                LineKind::Add => news.next(),
                LineKind::Remove => olds.next(),
                LineKind::Context => news.next().and(olds.next()),
            };
            let Some(row) = row else { continue };
            let line = Line {
                number: NonZeroUsize::new(row.number),
                kind,
                text: Cow::Owned(row.text.clone()),
                signed,
            };
            (self.out)(Event::Line(line));
        }
        (self.out)(Event::ChunkEnded { end_of_file: false });
    }

    fn open_hunk(&mut self, number: usize, file: String, action: Action<'static>, properties: Properties) {
        self.state.open = Some(file.clone());
        let dialect = Dialect::Texts;
        (self.out)(Event::HunkBegun(Hunk {
            number: NonZeroUsize::new(number),
            dialect,
            path: Cow::Owned(file),
            action,
            properties,
        }));
    }

    fn close_hunk(&mut self) {
        if self.state.open.take().is_some() {
            (self.out)(Event::HunkEnded);
        }
    }

    /// Reads the end of the text.
    pub(super) fn finish(&mut self) {
        let last = self.state.number;
        if let Some(block) = self.state.block.take() {
            let divided = divider(&block.rows).is_ok();
            if self.state.options.accept_truncated && divided {
                self.repair(last, RepairKind::Truncated);
                self.end(last, "", block);
            } else {
                self.unended(last + 1, "", &block);
            }
        }
        self.pass_above();
        self.close_hunk();
        if self.state.unchanged.len() == self.state.blocks {
            for (number, file) in std::mem::take(&mut self.state.unchanged) {
                self.error(number, ParseErrorKind::SameText, &file);
            }
        }
        if self.state.blocks == 0 && !self.state.wrong {
            let (number, found) = self.state.first_filled.take().unwrap_or((1, String::new()));
            self.error(number, ParseErrorKind::NoBlocks, &found);
        }
    }
}

fn added(row: &Row) -> Line<'static> {
    Line {
        number: NonZeroUsize::new(row.number),
        kind: LineKind::Add,
        text: Cow::Owned(row.text.clone()),
        signed: true,
    }
}

/// Why a block cannot be parted in two.
enum Undivided {
    Nowhere,
    /// More than one line may be the divider; the second of these, as a row.
    Several(usize),
}

/// Returns the row that separates the old lines from the new lines: the only divider, the only divider that is not in
/// the middle of a conflict, or the only divider as wide as the other markers.
fn divider(rows: &[Row]) -> Result<usize, Undivided> {
    let only = |test: fn(Divides) -> bool| {
        let mut found = rows.iter().enumerate().filter(|(_, row)| row.divides.is_some_and(test));
        (found.next().map(|(at, _)| at), found.next().map(|(at, _)| at))
    };
    let tests: [fn(Divides) -> bool; 4] =
        [|_| true, |at| !at.in_conflict, |at| at.same_width, |at| at.same_width && !at.in_conflict];
    let ways = tests.map(only);
    match ways[0] {
        (None, _) => Err(Undivided::Nowhere),
        (Some(_), second) => {
            let one =
                ways.into_iter().find_map(|way| if let (Some(at), None) = way { Some(at) } else { None });
            one.ok_or(Undivided::Several(second.unwrap_or_default()))
        }
    }
}

/// Returns the kind of each line, and whether its sign is certain.
fn changes(old: &[Row], new: &[Row]) -> Vec<(LineKind, bool)> {
    let text = |rows: &[Row]| rows.iter().flat_map(|row| [&*row.text, "\n"]).collect::<String>();
    let (old, new) = (text(old), text(new));
    Edit::diff(&old, &new).lines.iter().map(|line| (line.kind, line.signed)).collect()
}
