//! Parses an envelope, line by line.
//!
//! A [`Reader`] receives a line at a time, emits the events of the line, and keeps only a small [`State`]. The reader
//! parses as much as possible and reports each departure from the grammar as a repair; strict mode uses the same reader
//! and reports every repair as an error. Occasionally later lines decide the meaning of a line: then the reader returns
//! [`LineRead::Wait`], and the caller looks ahead, in the text or as the text arrives.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::lines::lines;
use crate::format::marker::{self, Marker, Outside};
use crate::format::no_envelope::NoEnvelope;
use crate::format::open_hunk::OpenHunk;
use crate::format::repair::RepairKind;
use crate::format::script::Script;
use crate::format::{Event, Options, thoughts};
use crate::patch::{Action, Dialect, Hunk, Properties, SharedSlice, Span};

/// The section that the reader is in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Section {
    /// Before, between or after envelopes.
    #[default]
    Outside,
    /// In an envelope where a hunk may begin: no hunk is open, or the open hunk accepts no more lines.
    Between,
    /// In the body of an Add.
    Add,
    /// In an Update, where no chunk is open.
    Update,
    /// In a chunk.
    Chunk,
}

/// The wrapper right before the envelope, which may end after the envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wrapper {
    Fence,
    Heredoc(String),
}

/// Whether a line was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(super) enum LineRead {
    /// The line was parsed.
    Read,
    /// The line was not parsed: the line is text if an exact `*** End Patch` follows, and otherwise a marker. The
    /// caller must [decide](State::decide), and pass the line again.
    Wait,
}

/// What is known of the exact `*** End Patch` lines to come.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    /// The line of the end marker, 1-based; 0 if no end marker was seen yet.
    line: usize,
    /// Whether no further end marker follows.
    no_more: bool,
}

/// Parses a whole text without its wrapping.
pub(super) fn read<'a>(text: &'a str, options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    let mut state = State::new(options);
    let mut reader = Reader { state: &mut state, out };
    for (number, line, rest) in lines(text) {
        reader.decided_line(number, line, rest);
    }
    reader.finish();
}

/// What the reader knows of the lines before.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own about the lines before")]
pub(super) struct State {
    pub(super) options: Options,
    /// The last line that was fed, 1-based.
    number: usize,
    pub(super) section: Section,
    /// White space before every line of the envelope.
    indentation: String,
    /// The line of a `*** Begin Patch` that was indented, until the next line shows whether all are.
    indented_begin: Option<usize>,
    /// The ends without indentation, of the whole text.
    ends: Ends,
    /// The end of an envelope that is indented as a whole.
    indented_ends: Ends,
    pub(super) envelopes: usize,
    /// The last hunk of the envelope.
    pub(super) hunk: Option<OpenHunk>,
    /// Whether the envelope has had its `*** Environment ID:`.
    environment_seen: bool,
    /// Whether lines with signs occurred outside since the last envelope ended: the envelope may have ended too early.
    signed_outside: bool,
    /// Whether an envelope has ended, and nothing but blank lines has followed.
    just_ended: bool,
    /// The shell script that the envelope is in.
    pub(super) script: Script,
    pub(super) wrapper: Option<Wrapper>,
    /// Whether the text has no envelope: the text is the body of a single hunk.
    pub(super) headerless: bool,
    /// What is known as long as there is no envelope.
    no_envelope: NoEnvelope,
    /// The line of the last error, 1-based; 0 without errors.
    pub(super) last_error: usize,
}

impl State {
    pub(super) fn new(options: &Options) -> Self {
        State { options: options.clone(), ..State::default() }
    }

    fn ends(&self) -> Ends {
        if self.indentation.is_empty() { self.ends } else { self.indented_ends }
    }

    /// Returns whether a line shows that an exact `*** End Patch` follows, or does not; `None` if the line does not
    /// decide.
    pub(super) fn tells_end(&self, line: &str) -> Option<bool> {
        if marker::exact(line.strip_prefix(&*self.indentation)?) == Some(Marker::End) {
            Some(true)
        } else {
            // An indented envelope ends where the next envelope begins.
            (!self.indentation.is_empty() && marker::loose(line) == Some(Marker::Begin)).then_some(false)
        }
    }

    /// Finds out by the lines behind line `number` whether an exact `*** End Patch` follows.
    pub(super) fn decide<'t>(&mut self, number: usize, ahead: impl Iterator<Item = &'t str>) {
        let told = (number + 1..).zip(ahead).find_map(|(line, text)| Some((line, self.tells_end(text)?)));
        let ends = if self.indentation.is_empty() { &mut self.ends } else { &mut self.indented_ends };
        match told {
            Some((line, true)) => ends.line = line,
            _ => ends.no_more = true,
        }
    }

    /// Returns whether a line without a sign may be the end of the wrapper of a truncated envelope.
    pub(super) fn may_end_wrapper(&self, line: &str) -> bool {
        let closes = match &self.wrapper {
            Some(Wrapper::Fence) => marker::closes_fence(line),
            Some(Wrapper::Heredoc(word)) => line.trim() == word,
            None => false,
        };
        self.options.accept_truncated && closes
    }
}

/// Reads lines into events.
pub(super) struct Reader<'r, 'a> {
    pub(super) state: &'r mut State,
    pub(super) out: &'r mut dyn FnMut(Event<'a>),
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn give(&mut self, event: Event<'a>) {
        (self.out)(event);
    }

    pub(super) fn repair(&mut self, number: usize, kind: RepairKind) {
        let repaired = Event::repaired(number, kind, &self.state.options);
        self.give(repaired);
    }

    pub(super) fn error(&mut self, number: usize, kind: ParseErrorKind, found: &str) {
        let error = ParseError::new(Span::line(number), kind, found);
        self.state.last_error = number;
        if self.state.envelopes == 0 {
            self.state.no_envelope.push(error);
        } else {
            self.give(Event::Error(error));
        }
    }

    /// Reads the next line of a text of which the `rest` is known; `number` is 1-based.
    pub(super) fn decided_line(&mut self, number: usize, line: &'a str, rest: &'a str) {
        while self.line(number, line) == LineRead::Wait {
            self.state.decide(number, lines(rest).map(|(_, line, _)| line));
        }
    }

    /// Reads the next line; `number` is 1-based.
    pub(super) fn line(&mut self, number: usize, line: &'a str) -> LineRead {
        self.state.number = number;
        if self.state.section == Section::Outside {
            self.outside(number, line);
            return LineRead::Read;
        }
        let line = self.without_indentation(line);
        match self.marker(number, line) {
            Err(wait) => return wait,
            Ok(Some(marker)) => self.on_marker(number, line, marker),
            Ok(None) => match self.state.section {
                Section::Outside => {}
                Section::Between => self.between(number, line),
                Section::Add => self.add_line(number, line),
                Section::Update | Section::Chunk => self.update_line(number, line),
            },
        }
        LineRead::Read
    }

    /// Returns a line without the common indentation of the envelope. The line below `*** Begin Patch` sets the
    /// indentation; the first line without the indentation ends the removal.
    fn without_indentation(&mut self, line: &'a str) -> &'a str {
        if self.state.indentation.is_empty() {
            return line;
        }
        let is_blank = line.trim().is_empty();
        let is_indented = line.starts_with(&*self.state.indentation);
        if let Some(begin) = self.state.indented_begin.take_if(|_| !is_blank) {
            let indentation = self.state.indentation.clone();
            let whole = RepairKind::IndentedEnvelope(indentation);
            self.repair(begin, if is_indented { whole } else { RepairKind::Marker });
        }
        if is_indented {
            &line[self.state.indentation.len()..]
        } else if is_blank {
            ""
        } else {
            self.state.indentation.clear();
            line
        }
    }

    /// Returns the marker on a line inside the envelope; `None` for text that only looks like a marker.
    fn marker(&mut self, number: usize, line: &'a str) -> Result<Option<Marker<'a>>, LineRead> {
        if !marker::is_possible(line) {
            return Ok(None);
        }
        if let Some(marker) = marker::exact(line) {
            return Ok(Some(marker));
        }
        let Some(marker) = marker::loose(line) else { return Ok(None) };
        if line.starts_with(char::is_whitespace) && self.takes_indented_text() {
            let ends = self.state.ends();
            if number < ends.line {
                return Ok(None);
            }
            if !ends.no_more {
                return Err(LineRead::Wait);
            }
        }
        self.repair(number, RepairKind::Marker);
        Ok(Some(marker))
    }

    fn on_marker(&mut self, number: usize, line: &str, marker: Marker<'a>) {
        match marker {
            Marker::Add(_) | Marker::Delete(_) | Marker::Update(_) | Marker::MoveTo(_)
                if self.state.headerless =>
            {
                self.error(number, ParseErrorKind::MisplacedMarker, line);
            }
            Marker::Begin => {
                self.error(number, ParseErrorKind::MisplacedMarker, line);
                self.close_hunk();
            }
            Marker::End => self.end(number),
            Marker::Add(path) => self.open_hunk(number, line, path, Action::Add(SharedSlice::default())),
            Marker::Delete(path) => self.open_hunk(number, line, path, Action::Delete),
            Marker::Update(path) => {
                self.open_hunk(number, line, path, Action::Update { move_to: None, chunks: Vec::new() });
            }
            Marker::MoveTo(path) => self.move_to(number, line, path),
            Marker::EndOfFile => self.end_of_file(number),
            Marker::Environment(text) => self.environment(number, line, text),
        }
    }

    // Outside the envelope.

    fn outside(&mut self, number: usize, line: &'a str) {
        if self.state.envelopes == 0 {
            self.state.no_envelope.line(number, line);
        }
        match marker::loose(line) {
            Some(Marker::Begin) => {
                if marker::exact(line.trim_start()).is_none() {
                    self.repair(number, RepairKind::Marker);
                }
                let indentation = &line[..line.len() - line.trim_start().len()];
                return self.begin(number, indentation);
            }
            Some(Marker::Add(_) | Marker::Delete(_) | Marker::Update(_)) if line.starts_with("***") => {
                return self.error(number, ParseErrorKind::HunkOutside, line);
            }
            Some(Marker::End) if self.state.signed_outside => {
                return self.error(number, ParseErrorKind::MisplacedMarker, line);
            }
            _ => {
                let signed = line.starts_with(['+', '-', ' ', '@']);
                self.state.signed_outside |= self.state.envelopes > 0 && signed;
            }
        }
        self.wrapping(number, line);
    }

    /// Reads a line of the wrapper.
    fn wrapping(&mut self, number: usize, line: &str) {
        let just_ended = !line.trim().is_empty() && std::mem::take(&mut self.state.just_ended);
        if just_ended && line.starts_with(['+', '@']) {
            // Lines of a hunk: the envelope ended too early.
            return self.error(number, ParseErrorKind::UnexpectedLine, line);
        }
        let kind = match marker::outside(line) {
            Outside::Blank => RepairKind::BlankLine,
            Outside::Fence => {
                self.state.wrapper = Some(Wrapper::Fence);
                if !self.state.script.is_in_heredoc() {
                    self.state.script = Script::default();
                }
                RepairKind::Fence
            }
            Outside::Heredoc(heredoc) => {
                self.heredoc(number, line, &heredoc);
                RepairKind::Heredoc
            }
            Outside::Prose if self.state.envelopes > 0 && thoughts::ends(line) => {
                return self.error(number, ParseErrorKind::Thoughts, line);
            }
            Outside::Prose => self.prose(line),
        };
        self.repair(number, kind);
    }

    fn begin(&mut self, number: usize, indentation: &str) {
        let in_heredoc = matches!(self.state.wrapper, Some(Wrapper::Heredoc(_)));
        if !in_heredoc && !self.state.script.is_in_heredoc() {
            self.state.script = Script::default();
        }
        let state = &mut *self.state;
        state.envelopes += 1;
        indentation.clone_into(&mut state.indentation);
        state.indented_begin = (!indentation.is_empty()).then_some(number);
        state.indented_ends = Ends::default();
        state.hunk = None;
        state.environment_seen = false;
        state.signed_outside = false;
        state.section = Section::Between;
        for error in state.no_envelope.take_errors() {
            self.give(Event::Error(error));
        }
        if let Some(line) = self.state.script.other_use.take().filter(|_| in_heredoc) {
            self.error(number, ParseErrorKind::UnclearSetting, &line);
        }
        if self.state.envelopes > 1 {
            self.repair(number, RepairKind::SeveralEnvelopes);
        }
    }

    fn end(&mut self, number: usize) {
        self.close_hunk();
        if self.state.hunk.is_none() && self.state.last_error == 0 {
            self.error(number, ParseErrorKind::NoHunks, "");
        }
        self.state.section = Section::Outside;
        self.state.just_ended = true;
        self.state.script.patch_ended();
    }

    // Between hunks.

    fn between(&mut self, number: usize, line: &str) {
        let deletes = self.state.hunk.as_ref().is_some_and(OpenHunk::deletes);
        if line.trim().is_empty() {
            self.repair(number, RepairKind::BlankLine);
        } else if deletes && line.starts_with('-') {
            self.repair(number, RepairKind::DeleteBody);
        } else if line.starts_with("***") {
            self.error(number, ParseErrorKind::UnknownMarker, line);
        } else {
            self.error(number, ParseErrorKind::UnexpectedLine, line);
        }
    }

    fn open_hunk(&mut self, number: usize, line: &str, path: &'a str, action: Action<'a>) {
        self.close_hunk();
        if path.is_empty() {
            self.error(number, ParseErrorKind::MissingPath, line);
        }
        self.give_hunk(number, self.in_folder(path), action);
    }

    pub(super) fn give_hunk(&mut self, number: usize, path: Cow<'a, str>, action: Action<'a>) {
        self.state.section = match action {
            Action::Add(_) => Section::Add,
            Action::Delete | Action::DeleteQuoted(_) => Section::Between,
            Action::Update { .. } | Action::Copy { .. } | Action::Replace(_) => Section::Update,
        };
        let hunk = Hunk {
            number: NonZeroUsize::new(number),
            dialect: Dialect::Envelope,
            path,
            action,
            properties: Properties::default(),
        };
        self.state.hunk = Some(OpenHunk::new(number, &hunk));
        self.give(Event::HunkBegun(hunk));
    }

    /// Returns a name relative to the directory of the `cd` before the envelope.
    pub(super) fn in_folder(&self, path: &'a str) -> Cow<'a, str> {
        match self.state.script.folder() {
            Some(folder) if !path.starts_with('/') && !path.is_empty() => {
                Cow::Owned(format!("{}/{path}", folder.trim_end_matches('/')))
            }
            _ => Cow::Borrowed(path),
        }
    }

    fn environment(&mut self, number: usize, line: &str, text: &'a str) {
        let first = self.state.hunk.is_none() && !std::mem::replace(&mut self.state.environment_seen, true);
        if first && self.state.section == Section::Between && !text.is_empty() {
            self.give(Event::Environment(Cow::Borrowed(text)));
        } else {
            self.error(number, ParseErrorKind::MisplacedMarker, line);
        }
    }

    // The end of the text.

    /// Reads the end of the text.
    pub(super) fn finish(&mut self) {
        if self.state.envelopes == 0 {
            // All further errors belong to the whole text.
            self.state.envelopes = 1;
            let error = self.state.no_envelope.error();
            return self.give(Event::Error(error));
        }
        if self.state.section == Section::Outside {
            return;
        }
        if let Some(begin) = self.state.indented_begin.take() {
            self.repair(begin, RepairKind::Marker);
        }
        let last = self.state.number;
        if self.state.headerless {
            return self.close_hunk();
        }
        if !self.state.options.accept_truncated {
            return self.error(last + 1, ParseErrorKind::Truncated, "");
        }
        self.drop_end_of_wrapper();
        self.repair(last, RepairKind::Truncated);
        self.end(last);
    }
}
