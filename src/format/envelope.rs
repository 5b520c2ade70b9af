//! The envelope's rules, line by line.
//!
//! The parser is fed one line at a time and never looks back at the text. It always reads what it can and
//! records each departure from the grammar as a [`Repair`]; strict mode is the same parser with every
//! repair turned into an error. What it must know of later lines is asked once at each `*** Begin Patch`
//! ([`Ahead`]), so that the time is linear in the text.

use std::borrow::Cow;

use crate::format::Options;
use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::marker::{self, ChunkMarker, Marker, Outside};
use crate::format::repair::{Repair, RepairKind, record};
use crate::patch::{Action, Chunk, Header, Hunk, Line, LineKind, MoveTo, Patch, Span};

/// Where the parser stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before, between or after envelopes.
    Outside,
    /// In an envelope, where a hunk may begin: no hunk is open, or the open one takes no more lines.
    Between,
    /// In the body of an Add.
    Add,
    /// In an Update, where no chunk is open.
    Update,
    /// In a chunk.
    Chunk,
}

/// What of the lines to come decides how this envelope is read.
#[derive(Debug, Clone, Copy, Default)]
struct Ahead<'a> {
    /// White space before every line of the envelope.
    indentation: &'a str,
    /// Line of its last exact `*** End Patch`, 1-based; 0 where there is none.
    end: usize,
}

/// What stood right before the envelope, and may come again after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrapper<'a> {
    Fence,
    Heredoc(&'a str),
}

/// The lines of a text without their endings, LF or CRLF, each with its number (1-based) and what follows it.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let mut rest = text;
    let mut number = 0;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest.as_bytes());
        let (line, after) = end.map_or((rest, ""), |end| (&rest[..end], &rest[end + 1..]));
        rest = after;
        number += 1;
        Some((number, line.strip_suffix('\r').unwrap_or(line), after))
    })
}

/// What reading a text gave, before strictness is asked for.
#[derive(Debug, Default)]
pub(super) struct Reading<'a> {
    pub(super) patch: Patch<'a>,
    pub(super) repairs: Vec<Repair>,
    pub(super) errors: Vec<ParseError>,
}

/// Reads a whole text that has been taken out of its wrapping.
pub(super) fn read<'a>(text: &'a str, options: &Options) -> Reading<'a> {
    let mut parser = Parser::new(text);
    let mut last = 0;
    for (number, line, rest) in lines(text) {
        parser.rest = rest;
        parser.line(number, line);
        last = number;
    }
    parser.finish(last, options);
    parser.reading
}

struct Parser<'a> {
    text: &'a str,
    /// What follows the current line.
    rest: &'a str,
    reading: Reading<'a>,
    place: Place,
    ahead: Ahead<'a>,
    envelopes: usize,
    /// The number of hunks when the envelope began.
    hunks_before: usize,
    /// Whether the envelope has had its `*** Environment ID:`.
    environment_seen: bool,
    /// Whether lines with signs have stood outside since the last envelope ended: it may have ended too early.
    signed_outside: bool,
    /// Whether an envelope has ended, and nothing but blank lines has followed.
    just_ended: bool,
    /// The folder of a `cd` before the envelope.
    folder: Option<&'a str>,
    wrapper: Option<Wrapper<'a>>,
    /// Line of the last exact `*** End Patch` without indentation, 1-based.
    last_end: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let last_end = lines(text)
            .filter(|(_, line, _)| marker::exact(line) == Some(Marker::End))
            .last()
            .map_or(0, |(number, ..)| number);
        Parser {
            text,
            rest: text,
            reading: Reading::default(),
            place: Place::Outside,
            ahead: Ahead::default(),
            envelopes: 0,
            hunks_before: 0,
            environment_seen: false,
            signed_outside: false,
            just_ended: false,
            folder: None,
            wrapper: None,
            last_end,
        }
    }

    fn repair(&mut self, number: usize, kind: RepairKind) {
        record(&mut self.reading.repairs, number, kind);
    }

    /// Adds an error; lines that belong to nothing are told once a run.
    fn error(&mut self, number: usize, kind: ParseErrorKind, found: &str) {
        match self.reading.errors.last_mut() {
            Some(last)
                if kind == ParseErrorKind::UnexpectedLine
                    && last.kind == kind
                    && last.span.last + 1 == number =>
            {
                last.span.last = number;
            }
            _ => self.reading.errors.push(ParseError::new(Span::line(number), kind, found)),
        }
    }

    fn line(&mut self, number: usize, line: &'a str) {
        if self.place == Place::Outside {
            return self.outside(number, line);
        }
        let line = line.strip_prefix(self.ahead.indentation).unwrap_or(line.trim_start());
        if let Some(marker) = self.marker(number, line) {
            return self.on_marker(number, line, marker);
        }
        match self.place {
            Place::Outside => {}
            Place::Between => self.between(number, line),
            Place::Add => self.add_line(number, line),
            Place::Update | Place::Chunk => self.update_line(number, line),
        }
    }

    /// The marker that a line inside the envelope is, if it is one and not text that looks like one.
    fn marker(&mut self, number: usize, line: &'a str) -> Option<Marker<'a>> {
        if let Some(marker) = marker::exact(line) {
            return Some(marker);
        }
        if !line.trim_start().starts_with("***") {
            return None;
        }
        let marker = marker::loose(line)?;
        let indented = line.starts_with(char::is_whitespace);
        if indented && number < self.ahead.end && self.takes_indented_text() {
            return None;
        }
        self.repair(number, RepairKind::Marker);
        Some(marker)
    }

    /// Whether an indented line that looks like a marker may be text here: in an Update it would be context,
    /// in an Add only where the lines have lost their signs.
    fn takes_indented_text(&self) -> bool {
        match self.reading.patch.hunks.last().map(|hunk| &hunk.action) {
            Some(Action::Update { .. }) => matches!(self.place, Place::Update | Place::Chunk),
            Some(Action::Add(lines)) => {
                self.place == Place::Add && lines.last().is_some_and(|line| !line.signed)
            }
            _ => false,
        }
    }

    fn on_marker(&mut self, number: usize, line: &str, marker: Marker<'a>) {
        match marker {
            Marker::Begin => {
                self.error(number, ParseErrorKind::MisplacedMarker, line);
                self.close_hunk();
            }
            Marker::End => self.end(number),
            Marker::Add(path) => self.open_hunk(number, line, path, Action::Add(Vec::new()), Place::Add),
            Marker::Delete(path) => self.open_hunk(number, line, path, Action::Delete, Place::Between),
            Marker::Update(path) => {
                let action = Action::Update { move_to: None, chunks: Vec::new() };
                self.open_hunk(number, line, path, action, Place::Update);
            }
            Marker::MoveTo(path) => self.move_to(number, line, path),
            Marker::EndOfFile => self.end_of_file(number),
            Marker::Environment(text) => self.environment(number, line, text),
        }
    }

    // Outside the envelope.

    fn outside(&mut self, number: usize, line: &'a str) {
        if marker::exact(line) == Some(Marker::Begin) {
            return self.begin(number, "");
        }
        match marker::loose(line) {
            Some(Marker::Begin) => {
                let indentation = &line[..line.len() - line.trim_start().len()];
                if marker::exact(line.trim_start()).is_none() {
                    self.repair(number, RepairKind::Marker);
                }
                return self.begin(number, indentation);
            }
            Some(Marker::Add(_) | Marker::Delete(_) | Marker::Update(_)) if line.starts_with("***") => {
                return self.error(number, ParseErrorKind::HunkOutside, line);
            }
            Some(Marker::End) if self.signed_outside => {
                return self.error(number, ParseErrorKind::MisplacedMarker, line);
            }
            _ => self.signed_outside |= self.envelopes > 0 && line.starts_with(['+', '-', ' ', '@']),
        }
        self.wrapping(number, line);
    }

    /// A line of what the envelope is wrapped in.
    fn wrapping(&mut self, number: usize, line: &'a str) {
        if !line.trim().is_empty() && std::mem::take(&mut self.just_ended) && line.starts_with(['+', '@']) {
            // Lines of a hunk: the envelope ended too early.
            return self.error(number, ParseErrorKind::UnexpectedLine, line);
        }
        let kind = match marker::outside(line) {
            Outside::Blank => RepairKind::BlankLine,
            Outside::Fence => {
                self.wrapper = Some(Wrapper::Fence);
                RepairKind::Fence
            }
            Outside::Heredoc { folder, word } => {
                self.wrapper = Some(Wrapper::Heredoc(word));
                self.folder = folder;
                if let Some(folder) = folder {
                    self.repair(number, RepairKind::ChangeFolder(folder.to_owned()));
                }
                RepairKind::Heredoc
            }
            Outside::Prose if self.wrapper == Some(Wrapper::Heredoc(line.trim())) => RepairKind::Heredoc,
            Outside::Prose => RepairKind::Prose,
        };
        self.repair(number, kind);
    }

    fn begin(&mut self, number: usize, indentation: &'a str) {
        self.envelopes += 1;
        if self.envelopes > 1 {
            self.repair(number, RepairKind::SeveralEnvelopes);
        }
        self.ahead = Ahead { indentation: "", end: self.last_end };
        if !indentation.is_empty() {
            match self.indented_end(number, indentation) {
                Some(end) => {
                    self.ahead = Ahead { indentation, end };
                    self.repair(number, RepairKind::IndentedEnvelope(indentation.to_owned()));
                }
                None => self.repair(number, RepairKind::Marker),
            }
        }
        self.hunks_before = self.reading.patch.hunks.len();
        self.environment_seen = false;
        self.signed_outside = false;
        self.place = Place::Between;
    }

    /// The line of the `*** End Patch` of an envelope that is indented as a whole. The search ends at the
    /// next `*** Begin Patch`, so that all searches together pass over the text once.
    fn indented_end(&self, number: usize, indentation: &str) -> Option<usize> {
        for (ahead, line, _) in lines(self.rest) {
            match line.strip_prefix(indentation) {
                Some(line) => match marker::exact(line) {
                    Some(Marker::End) => return Some(number + ahead),
                    Some(Marker::Begin) => return None,
                    _ => {}
                },
                None if line.trim().is_empty() => {}
                None => return None,
            }
        }
        None
    }

    fn end(&mut self, number: usize) {
        self.close_hunk();
        if self.reading.patch.hunks.len() == self.hunks_before && self.reading.errors.is_empty() {
            self.error(number, ParseErrorKind::NoHunks, "");
        }
        self.place = Place::Outside;
        self.just_ended = true;
        self.folder = None;
    }

    // Between hunks.

    fn between(&mut self, number: usize, line: &str) {
        if line.trim().is_empty() {
            return self.repair(number, RepairKind::BlankLine);
        }
        let deletes = matches!(self.reading.patch.hunks.last(), Some(Hunk { action: Action::Delete, .. }))
            && self.reading.patch.hunks.len() > self.hunks_before;
        if deletes && line.starts_with('-') {
            self.repair(number, RepairKind::DeleteBody);
        } else if line.starts_with("***") {
            self.error(number, ParseErrorKind::UnknownMarker, line);
        } else {
            self.error(number, ParseErrorKind::UnexpectedLine, line);
        }
    }

    fn open_hunk(&mut self, number: usize, line: &str, path: &'a str, action: Action<'a>, place: Place) {
        self.close_hunk();
        if path.is_empty() {
            self.error(number, ParseErrorKind::MissingPath, line);
        }
        let path = self.in_folder(path);
        self.reading.patch.hunks.push(Hunk { number, path, action });
        self.place = place;
    }

    /// A name, read from the folder of the `cd` before the envelope.
    fn in_folder(&self, path: &'a str) -> Cow<'a, str> {
        match self.folder {
            Some(folder) if !path.starts_with('/') && !path.is_empty() => {
                Cow::Owned(format!("{}/{path}", folder.trim_end_matches('/')))
            }
            _ => Cow::Borrowed(path),
        }
    }

    fn environment(&mut self, number: usize, line: &str, text: &'a str) {
        let first = self.reading.patch.hunks.len() == self.hunks_before;
        let first = first && !std::mem::replace(&mut self.environment_seen, true);
        if first && self.place == Place::Between && !text.is_empty() {
            self.reading.patch.environment = Some(Cow::Borrowed(text));
        } else {
            self.error(number, ParseErrorKind::MisplacedMarker, line);
        }
    }

    /// Ends the open hunk, and says what it lacks.
    fn close_hunk(&mut self) {
        self.close_chunk();
        let Some(hunk) = self.reading.patch.hunks[self.hunks_before..].last_mut() else { return };
        let number = hunk.number;
        let marker = format!("*** Update File: {}", hunk.path);
        match &mut hunk.action {
            Action::Add(lines) if self.place == Place::Add => {
                let found = settle_signs(lines, &mut self.reading.repairs);
                if let Err(Unsure { number, text }) = found {
                    self.error(number, ParseErrorKind::UnsureSign, &text);
                }
            }
            Action::Update { move_to, chunks } if chunks.is_empty() && self.place != Place::Between => {
                match move_to.as_ref().map(|target| target.number) {
                    Some(number) => self.repair(number, RepairKind::MoveOnly),
                    // A chunk that was wrong in itself has been told.
                    None if self.reading.errors.last().is_some_and(|error| error.span.first > number) => {}
                    None => self.error(number, ParseErrorKind::NoChanges, &marker),
                }
            }
            _ => {}
        }
        self.place = Place::Between;
    }

    // In an Add.

    fn add_line(&mut self, number: usize, line: &'a str) {
        if line.starts_with("***") && marker::resembles(line) {
            return self.error(number, ParseErrorKind::UnknownMarker, line);
        }
        let (text, signed) = line.strip_prefix('+').map_or((line, false), |text| (text, true));
        if let Some(Hunk { action: Action::Add(lines), .. }) = self.reading.patch.hunks.last_mut() {
            lines.push(Line { number, kind: LineKind::Add, text: Cow::Borrowed(text), signed });
        }
    }

    // In an Update.

    fn update(&mut self) -> Option<(&mut Option<MoveTo<'a>>, &mut Vec<Chunk<'a>>)> {
        match self.reading.patch.hunks.last_mut() {
            Some(Hunk { action: Action::Update { move_to, chunks }, .. }) => Some((move_to, chunks)),
            _ => None,
        }
    }

    fn move_to(&mut self, number: usize, line: &str, path: &'a str) {
        let target = MoveTo { number, path: self.in_folder(path) };
        if !matches!(self.place, Place::Update | Place::Chunk) {
            return self.error(number, ParseErrorKind::MisplacedMarker, line);
        }
        if path.is_empty() {
            return self.error(number, ParseErrorKind::MissingPath, line);
        }
        let Some((move_to, chunks)) = self.update() else { return };
        let (late, again) = (!chunks.is_empty(), move_to.is_some());
        if again {
            return self.error(number, ParseErrorKind::MisplacedMarker, line);
        }
        *move_to = Some(target);
        if late {
            self.repair(number, RepairKind::LateMove);
        }
    }

    fn end_of_file(&mut self, number: usize) {
        let open = self.place == Place::Chunk;
        match self.update().and_then(|(_, chunks)| chunks.last_mut()) {
            Some(chunk) if open && !chunk.lines.is_empty() => chunk.end_of_file = true,
            _ if !open => return self.repair(number, RepairKind::EndOfFileNote),
            _ => {}
        }
        self.close_chunk();
    }

    fn update_line(&mut self, number: usize, line: &'a str) {
        if let Some(marker) = marker::chunk_marker(line) {
            return self.chunk_marker(number, marker);
        }
        let (kind, text) = match line.as_bytes().first() {
            Some(b' ') => (LineKind::Context, &line[1..]),
            Some(b'-') => (LineKind::Remove, &line[1..]),
            Some(b'+') => (LineKind::Add, &line[1..]),
            _ => return self.unsigned_line(number, line),
        };
        if self.place == Place::Update && text.trim().is_empty() && kind == LineKind::Context {
            return self.repair(number, RepairKind::BlankLine);
        }
        self.push(Line { number, kind, text: Cow::Borrowed(text), signed: true });
    }

    fn unsigned_line(&mut self, number: usize, line: &'a str) {
        if marker::is_no_newline_note(line) {
            return self.repair(number, RepairKind::NoNewlineNote);
        }
        if marker::resembles(line) {
            return self.error(number, ParseErrorKind::UnknownMarker, line);
        }
        if line.is_empty() && self.place == Place::Update {
            return self.repair(number, RepairKind::BlankLine);
        }
        self.push(Line { number, kind: LineKind::Context, text: Cow::Borrowed(line), signed: false });
    }

    fn chunk_marker(&mut self, number: usize, marker: ChunkMarker<'a>) {
        let header = match marker {
            ChunkMarker::Bare { exact } => {
                if !exact {
                    self.repair(number, RepairKind::Marker);
                }
                None
            }
            ChunkMarker::Header { text, exact } => {
                if !exact {
                    self.repair(number, RepairKind::ChunkMarkerSpace);
                }
                Some(Header { number, text: Cow::Borrowed(text) })
            }
        };
        if header.is_some()
            && self.place == Place::Chunk
            && let Some((_, chunks)) = self.update()
            && let Some(chunk) = chunks.last_mut()
            && chunk.lines.is_empty()
            && !chunk.headers.is_empty()
        {
            chunk.headers.extend(header);
            return;
        }
        self.close_chunk();
        if let Some((_, chunks)) = self.update() {
            chunks.push(Chunk { number, headers: header.into_iter().collect(), ..Chunk::default() });
        }
        self.place = Place::Chunk;
    }

    fn push(&mut self, line: Line<'a>) {
        if self.place != Place::Chunk {
            self.repair(line.number, RepairKind::MissingChunkMarker);
            if let Some((_, chunks)) = self.update() {
                chunks.push(Chunk { number: line.number, ..Chunk::default() });
            }
            self.place = Place::Chunk;
        }
        if !line.signed {
            let blank = line.text.is_empty();
            let kind = if blank { RepairKind::EmptyContext } else { RepairKind::UnsignedContext };
            self.repair(line.number, kind);
        }
        if let Some(chunk) = self.update().and_then(|(_, chunks)| chunks.last_mut()) {
            chunk.lines.push(line);
        }
    }

    /// Ends the open chunk, and says what it lacks.
    fn close_chunk(&mut self) {
        if self.place != Place::Chunk {
            return;
        }
        self.place = Place::Update;
        let Some((_, chunks)) = self.update() else { return };
        let Some(chunk) = chunks.last_mut() else { return };
        drop_blank_after_additions(chunk);
        if !chunk.lines.is_empty() {
            return;
        }
        let number = chunk.number;
        let header = chunk.headers.last().map(|header| header.text.clone());
        chunks.pop();
        match header {
            Some(text) => self.error(number, ParseErrorKind::EmptyChunk, &format!("@@ {text}")),
            None => self.repair(number, RepairKind::EmptyChunk),
        }
    }

    // The end of the text.

    fn finish(&mut self, last: usize, options: &Options) {
        if self.envelopes == 0 {
            self.reading.errors.clear();
            let first = lines(self.text).find(|(_, line, _)| !line.trim().is_empty());
            let (number, found, _) = first.unwrap_or((1, "", ""));
            return self.error(number, ParseErrorKind::NoEnvelope, found);
        }
        if self.place == Place::Outside {
            return;
        }
        if !options.accept_truncated {
            return self.error(last + 1, ParseErrorKind::Truncated, "");
        }
        self.drop_closing_wrapper();
        self.repair(last, RepairKind::Truncated);
        self.end(last);
    }

    /// Without an `*** End Patch`, the end of a fence or heredoc was read as the last line of the last hunk.
    fn drop_closing_wrapper(&mut self) {
        let closing = match self.wrapper {
            Some(Wrapper::Fence) => "```",
            Some(Wrapper::Heredoc(word)) => word,
            None => return,
        };
        let lines = match self.reading.patch.hunks.last_mut().map(|hunk| &mut hunk.action) {
            Some(Action::Add(lines)) => lines,
            Some(Action::Update { chunks, .. }) => match chunks.last_mut() {
                Some(chunk) => &mut chunk.lines,
                None => return,
            },
            _ => return,
        };
        if lines.last().is_some_and(|line| !line.signed && line.text.trim() == closing) {
            lines.pop();
        }
    }
}

/// A blank line under a chunk that quotes nothing else parts it from what follows; as context it would
/// put the addition at any blank line of the file.
fn drop_blank_after_additions(chunk: &mut Chunk<'_>) {
    let blank = |line: &Line<'_>| !line.signed && line.text.is_empty();
    if chunk.old_lines().all(blank) {
        while chunk.lines.last().is_some_and(blank) {
            chunk.lines.pop();
        }
    }
}

/// A line whose `+` may be a sign or text.
struct Unsure {
    number: usize,
    text: String,
}

/// Decides what `+` means in the body of an Add, and drops the blank lines that part it from what follows.
///
/// Where the first line has its sign, `+` is a sign. Where it has none but most lines do, too, unless they
/// read as a list (`+ item`). Otherwise `+` may as well be the first character of a line: that is not told
/// apart.
fn settle_signs(lines: &mut Vec<Line<'_>>, repairs: &mut Vec<Repair>) -> Result<(), Unsure> {
    while let Some(line) = lines.pop_if(|line| !line.signed && line.text.trim().is_empty()) {
        record(repairs, line.number, RepairKind::BlankLine);
    }
    // A blank line between the marker and the first `+` parts them.
    let lead = lines.iter().take_while(|line| !line.signed && line.text.trim().is_empty()).count();
    if lines.get(lead).is_some_and(|line| line.signed) {
        lines.drain(..lead).for_each(|line| record(repairs, line.number, RepairKind::BlankLine));
    }
    let filled = || lines.iter().filter(|line| line.signed || !line.text.trim().is_empty());
    let signed = filled().filter(|line| line.signed).count();
    let unsigned = filled().count() - signed;
    let first_unsigned = filled().next().is_some_and(|line| !line.signed);
    let list = filled().filter(|line| line.signed).all(|line| line.text.starts_with(' '));
    if first_unsigned && signed > 0 && (signed <= unsigned || list) {
        let line = filled().find(|line| line.signed);
        return Err(line.map_or(Unsure { number: 0, text: String::new() }, |line| Unsure {
            number: line.number,
            text: line.raw().into_owned(),
        }));
    }
    for line in lines.iter().filter(|line| !line.signed) {
        record(repairs, line.number, RepairKind::UnsignedAdd);
    }
    Ok(())
}
