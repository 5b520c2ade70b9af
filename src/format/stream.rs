//! Text in pieces → events.

use crate::format::envelope::{LineRead, Reader, State};
use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::lines::without_cr;
use crate::format::thoughts::Thoughts;
use crate::format::wrapper::{self, Packing};
use crate::format::{
    Event, Format, Options, RepairKind, call, detect, hunks, may_be_call, read_whole, search_replace,
};
use crate::patch::Span;

/// Parses a patch while it is still being written.
///
/// Receives the bytes of the text in pieces of any size, and emits the events of each line as soon as the line is
/// complete. The rules are those of [`parse`](crate::format::parse): for any pieces, the
/// [collected](crate::format::Parsed) events equal the result of `parse` for the whole text.
///
/// Takes linear time. Only the incomplete line is stored, and occasionally a few previous lines:
///
/// - A blank line without a sign waits for the next line.
/// - An indented line in a chunk with the spelling of a marker is text if an exact `*** End Patch` follows, and
///   otherwise a marker: the line and all further lines wait for an end marker, or for the end.
/// - If the [format](Options::format) must be detected, all lines wait for a line that shows the format; the first
///   counts. If an envelope is required, all lines wait for a line that shows any format, because the envelope may be
///   in a call in Markdown fences. A unified diff and a call wait for the end.
/// - A text that begins like JSON, or with `*** Begin Patch\n` written as two characters, waits for a line that begins
///   with `***`, or for the end.
///
/// ```
/// use apply_patch::format::{Event, Options, Stream};
///
/// let mut stream = Stream::new(&Options::default());
/// let mut paths = Vec::new();
/// for piece in ["*** Begin Patch\n*** Add Fi", "le: a.txt\n+on", "e\n*** End Patch\n"] {
///     stream.feed(piece.as_bytes(), &mut |event| {
///         if let Event::HunkBegun(hunk) = event {
///             paths.push(hunk.path.into_owned());
///         }
///     });
/// }
/// stream.finish(&mut |event| assert!(!matches!(event, Event::Error(_))));
/// assert_eq!(paths, ["a.txt"]);
/// ```
#[derive(Debug)]
pub struct Stream {
    options: Options,
    state: State,
    /// What is read instead where the text holds SEARCH/REPLACE blocks.
    blocks: Option<search_replace::State>,
    /// How many lines have been read.
    number: usize,
    /// The bytes of a line that is not complete.
    partial: Vec<u8>,
    /// The thoughts that the text may begin with; `None` behind them.
    thoughts: Option<Thoughts>,
    /// The text from its start, while the text may be packed.
    packed: Option<Packed>,
    /// Whether the hunk of a text without an envelope has still to be opened.
    unopened: bool,
    /// Lines that wait for the following lines, each with an LF.
    held: String,
    /// How many lines have arrived.
    arrived: usize,
}

/// A text that may be packed.
#[derive(Debug, Default)]
struct Packed {
    text: Vec<u8>,
    /// The packing that the first non-blank line shows.
    packing: Option<Packing>,
    /// Whether that line shows that the text is not packed, but not yet the format.
    plain: bool,
    /// Whether the text is JSON that names a field of a call: such a text waits for the end, whatever its lines look like.
    holds_edit: bool,
    /// What the lines so far have shown of the format.
    signs: detect::FormatSigns,
}

impl Packed {
    /// Adds a line, with its LF if complete; returns `false` if the text is not packed, and is known to be an envelope.
    fn take(&mut self, line: &[u8], format: Format) -> bool {
        let first = self.text.is_empty();
        self.text.extend_from_slice(line);
        if self.holds_edit {
            return true;
        }
        let Ok(line) = str::from_utf8(line) else { return false };
        let line = if first { wrapper::without_mark(line) } else { line };
        match self.packing {
            _ if line.trim().is_empty() => true,
            None => {
                self.packing = if self.plain { None } else { wrapper::packing(line) };
                self.plain = self.packing.is_none();
                self.packing.is_some() || self.waits_plain(format, line)
            }
            // Neither a JSON string nor the text between strings has a line like this.
            Some(Packing::Json) if line.trim_start().starts_with("***") => {
                self.holds_edit = str::from_utf8(&self.text).is_ok_and(call::names_edit);
                self.holds_edit || self.waits_unpacked(format)
            }
            Some(Packing::Json) => true,
            Some(Packing::Escaped) => self.waits_unpacked(format),
        }
    }

    /// Handles the lines so far as lines of a text that is not packed.
    fn waits_unpacked(&mut self, format: Format) -> bool {
        (self.packing, self.plain) = (None, true);
        let text = String::from_utf8_lossy(&self.text).into_owned();
        text.lines().all(|line| self.waits_plain(format, line))
    }

    /// Takes a line of a text that is not packed; `true` where the format has still to show, or has to be read as a whole.
    fn waits_plain(&mut self, format: Format, line: &str) -> bool {
        match format {
            Format::Unified | Format::Edit => true,
            // Without a line that shows a format, the text may be a call in Markdown fences.
            format if may_be_call(format) => self.signs.take(line).is_none(),
            _ => false,
        }
    }

    /// Returns whether the lines so far show that the text has to be parsed as SEARCH/REPLACE blocks.
    fn shows_blocks(&self, format: Format) -> bool {
        format == Format::Auto && self.signs.shown() == Some(Format::SearchReplace)
    }
}

impl Stream {
    /// Returns a stream before its first byte.
    pub fn new(options: &Options) -> Self {
        let is_of_file = options.format.is_of_file();
        Stream {
            options: options.clone(),
            state: State::new(options),
            blocks: (options.format == Format::SearchReplace).then(|| search_replace::State::new(options)),
            number: 0,
            partial: Vec::new(),
            thoughts: (!is_of_file).then(Thoughts::default),
            packed: (!is_of_file).then(Packed::default),
            unopened: is_of_file,
            held: String::new(),
            arrived: 0,
        }
    }

    /// Adds the next bytes, and emits the events of the lines that become complete. Pieces may end anywhere, also
    /// inside a character. A line that is not UTF-8 is an [`Event::Error`].
    pub fn feed(&mut self, piece: &[u8], out: &mut dyn FnMut(Event<'_>)) {
        self.open(out);
        let mut rest = piece;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end + 1);
            if self.partial.is_empty() {
                self.take(line, out);
            } else {
                let mut whole = std::mem::take(&mut self.partial);
                whole.extend_from_slice(line);
                self.take(&whole, out);
                whole.clear();
                self.partial = whole;
            }
            rest = after;
        }
        self.partial.extend_from_slice(rest);
    }

    /// Ends the text, and emits the remaining events.
    pub fn finish(mut self, out: &mut dyn FnMut(Event<'_>)) {
        self.open(out);
        let last = std::mem::take(&mut self.partial);
        if !last.is_empty() {
            self.take(&last, out);
        }
        let unfinished = self.thoughts.and_then(Thoughts::unfinished);
        self.finish_shown(out);
        if let Some(error) = unfinished {
            out(Event::Error(error));
        }
    }

    /// Ends the text without its thoughts.
    fn finish_shown(mut self, out: &mut dyn FnMut(Event<'_>)) {
        if let Some(Packed { text, .. }) = self.packed.take() {
            match str::from_utf8(&text) {
                Ok(text) => return read_whole(text, &self.options, out),
                Err(_) => self.plain(&text, out),
            }
        }
        if let Some(state) = &mut self.blocks {
            return search_replace::Reader { state, out }.finish();
        }
        self.go_on(true, out);
        Reader { state: &mut self.state, out }.finish();
    }

    /// Opens the hunk of a text without an envelope.
    fn open(&mut self, out: &mut dyn FnMut(Event<'_>)) {
        if std::mem::take(&mut self.unopened) {
            hunks::begin(&mut Reader { state: &mut self.state, out }, self.options.format, &self.options);
        }
    }

    /// Handles a line, with its LF if complete. A line of thoughts is handled as text around the patch.
    fn take(&mut self, line: &[u8], out: &mut dyn FnMut(Event<'_>)) {
        let Some(thoughts) = &mut self.thoughts else { return self.shown(line, out) };
        let text = str::from_utf8(line).unwrap_or_default();
        let hidden = thoughts.hide(without_cr(text.trim_end_matches('\n'))).map(|shown| format!("{shown}\n"));
        self.thoughts.take_if(|thoughts| !thoughts.may_hide());
        self.shown(hidden.as_ref().map_or(line, String::as_bytes), out);
    }

    /// Handles a line that is not hidden.
    fn shown(&mut self, line: &[u8], out: &mut dyn FnMut(Event<'_>)) {
        match &mut self.packed {
            None => self.decoded(line, out),
            Some(packed) => {
                if !packed.take(line, self.options.format) {
                    let text = std::mem::take(&mut packed.text);
                    if packed.shows_blocks(self.options.format) {
                        self.blocks = Some(search_replace::State::new(&self.options));
                    }
                    self.packed = None;
                    self.plain(&text, out);
                }
            }
        }
    }

    /// Reads a text that was kept back and is not packed.
    fn plain(&mut self, text: &[u8], out: &mut dyn FnMut(Event<'_>)) {
        text.split_inclusive(|byte| *byte == b'\n').for_each(|line| self.decoded(line, out));
    }

    fn decoded(&mut self, line: &[u8], out: &mut dyn FnMut(Event<'_>)) {
        let text = String::from_utf8_lossy(line);
        self.arrived += 1;
        let number = self.arrived;
        if str::from_utf8(line).is_err() {
            out(Event::Error(ParseError::new(Span::line(number), ParseErrorKind::NotUtf8, text.trim_end())));
        }
        let text = match text.strip_suffix('\n') {
            Some(text) => without_cr(text),
            None => &text,
        };
        let plain = if number == 1 { wrapper::without_mark(text) } else { text };
        if plain.len() < text.len() {
            out(Event::repaired(number, RepairKind::ByteOrderMark, &self.options));
        }
        match &mut self.blocks {
            Some(state) => search_replace::Reader { state, out }.line(number, plain),
            None => self.read(plain, out),
        }
    }

    fn read(&mut self, line: &str, out: &mut dyn FnMut(Event<'_>)) {
        if self.held.is_empty() && self.step(line, out) == LineRead::Read {
            return;
        }
        self.held.push_str(line);
        self.held.push('\n');
        if self.state.tells_end(line).is_some() {
            self.go_on(false, out);
        }
    }

    fn step(&mut self, line: &str, out: &mut dyn FnMut(Event<'_>)) -> LineRead {
        let step = Reader { state: &mut self.state, out }.line(self.number + 1, line);
        if step == LineRead::Read {
            self.number += 1;
        }
        step
    }

    /// Parses the waiting lines as far as the following lines are known: all lines if nothing follows.
    fn go_on(&mut self, is_all: bool, out: &mut dyn FnMut(Event<'_>)) {
        let held = std::mem::take(&mut self.held);
        let mut rest = held.as_str();
        while let Some((line, after)) = rest.split_once('\n') {
            if self.step(line, out) == LineRead::Read {
                rest = after;
                continue;
            }
            let ahead = || after.split_terminator('\n');
            if !is_all && !ahead().any(|line| self.state.tells_end(line).is_some()) {
                rest.clone_into(&mut self.held);
                return;
            }
            self.state.decide(self.number + 1, ahead());
        }
    }
}
