//! Parses the lines below a `***` marker: the lines of an Add, the chunks of an Update.
//!
//! Lines become events immediately, with two exceptions. A blank line without a sign is held until the next line,
//! because such a line is dropped at the end of a hunk; so is the end of a wrapper, if truncated texts are accepted.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use crate::format::Event;
use crate::format::diff_file;
use crate::format::envelope::{Reader, Section};
use crate::format::error::{ParseErrorKind, shortened};
use crate::format::marker::{self, ChunkMarker};
use crate::format::open_hunk::{Body, OpenChunk, OpenHunk};
use crate::format::owned;
use crate::format::repair::RepairKind;
use crate::patch::{Header, Line, LineKind, MoveTo};

fn is_empty(line: &Line<'_>) -> bool {
    !line.signed && line.text.is_empty()
}

impl<'a> Reader<'_, 'a> {
    /// Returns whether an indented line that looks like a marker may be text here: in an Update as context, in an Add
    /// only if the lines have lost their signs.
    pub(super) fn takes_indented_text(&self) -> bool {
        match self.state.hunk.as_ref().map(|hunk| &hunk.body) {
            Some(Body::Update { .. }) => matches!(self.state.section, Section::Update | Section::Chunk),
            Some(Body::Add(signs)) => self.state.section == Section::Add && signs.last_unsigned,
            _ => false,
        }
    }

    /// Ends the open hunk, and reports what is missing.
    pub(super) fn close_hunk(&mut self) {
        self.give_diff_name();
        self.close_chunk();
        self.state.section = Section::Between;
        let last_error = self.state.last_error;
        let Some(hunk) = self.state.hunk.as_mut().filter(|hunk| hunk.open) else { return };
        hunk.open = false;
        match hunk.body {
            Body::Add(_) => self.close_add(),
            Body::Update { chunks: 0, moved: Some(number), .. } => self.repair(number, RepairKind::MoveOnly),
            // The error of an invalid chunk was already reported.
            Body::Update { chunks: 0, .. } if last_error <= hunk.number => {
                let (number, marker) = (hunk.number, format!("*** Update File: {}", hunk.path));
                self.error(number, ParseErrorKind::NoChanges, &marker);
            }
            _ => {}
        }
        self.give(Event::HunkEnded);
    }

    fn take_held(&mut self) -> Vec<Line<'static>> {
        self.state.hunk.as_mut().map(|hunk| std::mem::take(&mut hunk.held)).unwrap_or_default()
    }

    /// Returns whether a line may have to be dropped: the line is blank (`is_loose`), or the end of a wrapper.
    fn is_droppable(&self, line: &Line<'_>, is_loose: bool) -> bool {
        is_loose || !line.signed && self.state.may_end_wrapper(&line.text)
    }

    /// Without an `*** End Patch`, the end of a fence or heredoc was parsed as the last line of the last hunk.
    pub(super) fn drop_end_of_wrapper(&mut self) {
        let Some(hunk) = &mut self.state.hunk else { return };
        if hunk.held.pop_if(|line| line.has_text()).is_some()
            && let Body::Update { chunk, .. } = &mut hunk.body
        {
            chunk.lines -= 1;
        }
    }

    // In an Add.

    pub(super) fn add_line(&mut self, number: usize, line: &'a str) {
        if line.starts_with("***") && marker::resembles(line) {
            return self.error(number, ParseErrorKind::UnknownMarker, line);
        }
        let (text, signed) = line.strip_prefix('+').map_or((line, false), |text| (text, true));
        let line = Line {
            number: NonZeroUsize::new(number),
            kind: LineKind::Add,
            text: Cow::Borrowed(text),
            signed,
        };
        // Without an envelope, a lone last `+` is the end of the last line.
        let may_end = self.state.headerless && signed && text.is_empty();
        let is_droppable = may_end || self.is_droppable(&line, line.is_unsigned_blank());
        let Some(OpenHunk { body: Body::Add(signs), held, .. }) = &mut self.state.hunk else { return };
        signs.last_unsigned = !signed;
        if is_droppable {
            return held.push(owned::line(line));
        }
        // A blank line between the marker and the first `+` is a separator.
        let parts = signed && signs.given == 0 && held.iter().all(Line::is_unsigned_blank);
        for line in self.take_held() {
            if parts { self.repair_line(&line, RepairKind::BlankLine) } else { self.give_added(line) }
        }
        self.give_added(line);
    }

    fn repair_line(&mut self, line: &Line<'_>, kind: RepairKind) {
        if let Some(number) = line.number {
            self.repair(number.get(), kind);
        }
    }

    fn give_added(&mut self, line: Line<'a>) {
        if let Some(OpenHunk { body: Body::Add(signs), .. }) = &mut self.state.hunk {
            signs.count(&line);
        }
        if !line.signed {
            self.repair_line(&line, RepairKind::UnsignedAdd);
        }
        self.give(Event::Line(line));
    }

    /// Drops the blank lines between an Add and the text that follows, and reports an ambiguous `+`.
    fn close_add(&mut self) {
        let mut held = self.take_held();
        if let Some(last) = held.pop_if(|line| self.state.headerless && line.signed && line.text.is_empty()) {
            self.note(last.number.map_or(1, NonZeroUsize::get), RepairKind::LastPlus);
        }
        let kept = held.iter().rposition(|line| !line.is_unsigned_blank()).map_or(0, |last| last + 1);
        for (nth, line) in held.into_iter().enumerate() {
            if nth < kept { self.give_added(line) } else { self.repair_line(&line, RepairKind::BlankLine) }
        }
        if let Some(OpenHunk { body: Body::Add(signs), .. }) = &mut self.state.hunk
            && let Some((number, text)) = signs.unsure()
        {
            self.error(number, ParseErrorKind::UnsureSign, &text);
        }
    }

    // In an Update.

    pub(super) fn move_to(&mut self, number: usize, line: &str, path: &'a str) {
        let is_open = matches!(self.state.section, Section::Update | Section::Chunk);
        let Some(OpenHunk { body: Body::Update { moved, chunks, .. }, .. }) = &mut self.state.hunk else {
            return self.error(number, ParseErrorKind::MisplacedMarker, line);
        };
        if !is_open || moved.is_some() && !path.is_empty() {
            return self.error(number, ParseErrorKind::MisplacedMarker, line);
        }
        if path.is_empty() {
            return self.error(number, ParseErrorKind::MissingPath, line);
        }
        *moved = Some(number);
        let late = *chunks > 0;
        self.give(Event::MovedTo(MoveTo { number: NonZeroUsize::new(number), path: self.in_folder(path) }));
        if late {
            self.repair(number, RepairKind::LateMove);
        }
    }

    /// Returns the last chunk of the open Update.
    fn chunk(&mut self) -> Option<&mut OpenChunk> {
        match &mut self.state.hunk {
            Some(OpenHunk { body: Body::Update { chunk, .. }, .. }) => Some(chunk),
            _ => None,
        }
    }

    pub(super) fn end_of_file(&mut self, number: usize) {
        if self.state.section != Section::Chunk {
            return self.repair(number, RepairKind::EndOfFileNote);
        }
        if let Some(chunk) = self.chunk() {
            chunk.end_of_file = true;
        }
        self.close_chunk();
    }

    /// Returns whether a line above the chunks is the header of a unified diff that repeats the name of the file.
    fn is_of_diff(&mut self, number: usize, line: &str) -> bool {
        let Some(OpenHunk { path, body: Body::Update { chunks: 0, .. }, diff_name, .. }) =
            &mut self.state.hunk
        else {
            return false;
        };
        let names = |start: &str| line.strip_prefix(start).is_some_and(|name| diff_file::names(name, path));
        if let Some((first, _)) = diff_name.take_if(|_| names("+++ ")) {
            self.repair(first, RepairKind::DiffNames);
            self.repair(number, RepairKind::DiffNames);
            return true;
        }
        if diff_name.is_none() && names("--- ") {
            let text = Cow::Owned(line[1..].to_owned());
            let line = Line { number: NonZeroUsize::new(number), kind: LineKind::Remove, text, signed: true };
            *diff_name = Some((number, line));
            return true;
        }
        if line.starts_with("diff --git ") || diff_file::is_remark(line) {
            self.repair(number, RepairKind::DiffNames);
            return true;
        }
        self.give_diff_name();
        false
    }

    /// Adds the line that looked like a name as a removed line.
    fn give_diff_name(&mut self) {
        if let Some((number, line)) = self.state.hunk.as_mut().and_then(|hunk| hunk.diff_name.take()) {
            self.push(number, line);
        }
    }

    pub(super) fn update_line(&mut self, number: usize, line: &'a str) {
        if self.state.section == Section::Update && self.is_of_diff(number, line) {
            return;
        }
        if let Some(marker) = marker::chunk_marker(line) {
            return self.chunk_marker(number, marker);
        }
        let (kind, text) = match line.as_bytes().first() {
            Some(b' ') => (LineKind::Context, &line[1..]),
            Some(b'-') => (LineKind::Remove, &line[1..]),
            Some(b'+') => (LineKind::Add, &line[1..]),
            _ => return self.unsigned_line(number, line),
        };
        if self.state.section == Section::Update && text.trim().is_empty() && kind == LineKind::Context {
            return self.repair(number, RepairKind::BlankLine);
        }
        self.push(
            number,
            Line { number: NonZeroUsize::new(number), kind, text: Cow::Borrowed(text), signed: true },
        );
    }

    fn unsigned_line(&mut self, number: usize, line: &'a str) {
        if marker::is_no_newline_note(line) {
            return self.repair(number, RepairKind::NoNewlineNote);
        }
        if marker::resembles(line) {
            return self.error(number, ParseErrorKind::UnknownMarker, line);
        }
        if line.is_empty() && self.state.section == Section::Update {
            return self.repair(number, RepairKind::BlankLine);
        }
        self.push(
            number,
            Line {
                number: NonZeroUsize::new(number),
                kind: LineKind::Context,
                text: Cow::Borrowed(line),
                signed: false,
            },
        );
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
                Some(Header { number: NonZeroUsize::new(number), text: Cow::Borrowed(text) })
            }
        };
        let in_chunk = self.state.section == Section::Chunk;
        let is_bare = header.is_none();
        if is_bare && in_chunk && self.chunk().is_some_and(|chunk| chunk.lines == 0 && chunk.headers > 0) {
            return self.repair(number, RepairKind::BareUnderHeader);
        }
        let goes_on = |chunk: &mut OpenChunk| in_chunk && chunk.lines == 0 && chunk.headers > 0;
        if header.is_none() || !self.chunk().is_some_and(goes_on) {
            self.close_chunk();
            self.open_chunk(number);
        }
        let Some(header) = header else { return };
        if let Some(chunk) = self.chunk() {
            chunk.headers += 1;
            shortened(&header.text).clone_into(&mut chunk.header);
        }
        self.give(Event::Header(header));
    }

    fn open_chunk(&mut self, number: usize) {
        if let Some(OpenHunk { body: Body::Update { chunks, chunk, .. }, .. }) = &mut self.state.hunk {
            *chunks += 1;
            let header = std::mem::take(&mut chunk.header);
            *chunk = OpenChunk { number, header, ..OpenChunk::default() };
        }
        self.state.section = Section::Chunk;
        self.give(Event::ChunkBegun { number: NonZeroUsize::new(number) });
    }

    fn push(&mut self, number: usize, line: Line<'a>) {
        if self.state.section != Section::Chunk {
            self.repair(number, RepairKind::MissingChunkMarker);
            self.open_chunk(number);
        }
        if !line.signed {
            let empty = line.text.is_empty();
            let kind = if empty { RepairKind::EmptyContext } else { RepairKind::UnsignedContext };
            self.repair(number, kind);
        }
        let is_droppable = self.is_droppable(&line, is_empty(&line));
        let Some(OpenHunk { body: Body::Update { chunk, .. }, held, .. }) = &mut self.state.hunk else {
            return;
        };
        chunk.lines += 1;
        if is_droppable {
            return held.push(owned::line(line));
        }
        if !held.is_empty() {
            self.give_held();
        }
        self.give_quoted(line);
    }

    fn give_held(&mut self) {
        self.take_held().into_iter().for_each(|line| self.give_quoted(line));
    }

    fn give_quoted(&mut self, line: Line<'a>) {
        if let Some(chunk) = self.chunk() {
            chunk.quotes |= line.is_old() && !is_empty(&line);
        }
        self.give(Event::Line(line));
    }

    /// Ends the open chunk, and reports what is missing. A blank line below a chunk without further quotes separates
    /// the chunk from the text that follows; as context the blank line would match any blank line of the file.
    fn close_chunk(&mut self) {
        if self.state.section != Section::Chunk {
            return;
        }
        self.state.section = Section::Update;
        let Some(OpenHunk { body: Body::Update { chunks, chunk, .. }, held, .. }) = &mut self.state.hunk
        else {
            return;
        };
        if !chunk.quotes && held.iter().all(is_empty) {
            chunk.lines -= held.len();
            held.clear();
        }
        if chunk.lines > 0 {
            let end_of_file = chunk.end_of_file;
            self.give_held();
            return self.give(Event::ChunkEnded { end_of_file });
        }
        *chunks -= 1;
        let (number, header) = (chunk.number, (chunk.headers > 0).then(|| format!("@@ {}", chunk.header)));
        self.give(Event::ChunkDropped);
        match header {
            Some(header) => self.error(number, ParseErrorKind::EmptyChunk, &header),
            None => self.repair(number, RepairKind::EmptyChunk),
        }
    }
}
