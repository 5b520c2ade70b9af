//! Events → what the text holds.

use std::sync::Arc;

use crate::format::lines;
use crate::format::{Call, Event, ParseError, ParseErrorKind, ParseErrors, Parsed, Repair};
use crate::patch::{Action, Chunk, Header, Line, Patch, SharedSlice, Span};

/// The assumed minimum of bytes a line on average, for reserving memory: without this limit a text of line ends alone
/// would reserve forty times its length.
const LEAST_BYTES: usize = 16;

/// Builds a patch from the events of a text, in order. A caller of the library [collects](Parsed) events.
#[derive(Debug, Default)]
pub struct Assembly<'a> {
    patch: Patch<'a>,
    /// The lines of all hunks: most chunks have so few that a list for each would take longer to make than to fill.
    lines: Vec<Line<'a>>,
    /// The headers of all chunks.
    headers: Vec<Header<'a>>,
    calls: Vec<Call>,
    repairs: Vec<Repair>,
    /// The first errors, and behind these the last error.
    errors: Vec<ParseError>,
    /// How many errors between these were dropped.
    dropped: usize,
}

impl<'a> Assembly<'a> {
    /// Returns an assembly with room for the lines of a text: counting the lines takes less time than growing the
    /// lists.
    pub(super) fn with_room_for(text: &str) -> Self {
        let room = lines::count(text).min(text.len() / LEAST_BYTES);
        Assembly { lines: Vec::with_capacity(room), ..Assembly::default() }
    }

    /// Adds the next event. An event of a hunk or a chunk is dropped if no hunk or chunk is open.
    pub fn push(&mut self, event: Event<'a>) {
        match event {
            Event::Line(line) => self.push_line(line),
            Event::Header(header) => {
                if let Some(chunk) = last_chunk(&mut self.patch) {
                    chunk.headers.push(&mut self.headers, header);
                }
            }
            Event::ChunkBegun { number } => {
                let (headers, lines) = (SharedSlice::behind(&self.headers), SharedSlice::behind(&self.lines));
                if let Some(chunks) = open_chunks(&mut self.patch) {
                    // Most hunks have a single chunk; the first `push` would reserve room for four.
                    if chunks.is_empty() {
                        chunks.reserve_exact(1);
                    }
                    chunks.push(Chunk { number, headers, lines, ..Chunk::default() });
                }
            }
            Event::ChunkEnded { end_of_file } => {
                if let Some(chunk) = last_chunk(&mut self.patch) {
                    chunk.end_of_file = end_of_file;
                }
            }
            Event::ChunkDropped => {
                if let Some(chunk) = open_chunks(&mut self.patch).and_then(Vec::pop) {
                    chunk.headers.take_off(&mut self.headers);
                    chunk.lines.take_off(&mut self.lines);
                }
            }
            Event::HunkBegun(mut hunk) => {
                if let Action::Add(lines) = &mut hunk.action
                    && lines.is_empty()
                {
                    *lines = SharedSlice::behind(&self.lines);
                }
                self.patch.hunks.push(hunk);
            }
            Event::MovedTo(target) => {
                if let Some(Action::Update { move_to, .. }) = last_action(&mut self.patch) {
                    *move_to = Some(target);
                }
            }
            Event::HunkEnded => {}
            Event::Environment(text) => self.patch.environment = Some(text),
            Event::CheckOnly => self.patch.check_only = true,
            Event::Call(call) => self.calls.push(call),
            Event::Repaired(repair) => self.repair(repair),
            Event::Error(error) => self.error(error),
        }
    }

    fn push_line(&mut self, line: Line<'a>) {
        let share = match last_action(&mut self.patch) {
            Some(Action::Add(lines)) => Some(lines),
            Some(Action::Update { chunks, .. }) => chunks.last_mut().map(|chunk| &mut chunk.lines),
            _ => None,
        };
        if let Some(share) = share {
            share.push(&mut self.lines, line);
        }
    }

    /// Merges equal repairs of neighbouring lines. Repairs are sorted by line; almost all arrive in that order.
    fn repair(&mut self, repair: Repair) {
        let at = self.repairs.partition_point(|other| other.span.first <= repair.span.first);
        match self.repairs[..at].last_mut() {
            Some(last) if last.kind == repair.kind && adjoins(last.span, repair.span) => {
                last.span.last = repair.span.last;
            }
            _ => self.repairs.insert(at, repair),
        }
    }

    /// Merges errors of neighbouring lines without a hunk, and errors that equal repairs became. Keeps the error that arrived last
    /// beside the first errors, so that the error of the next line can be merged.
    fn error(&mut self, error: ParseError) {
        let runs = matches!(error.kind, ParseErrorKind::UnexpectedLine | ParseErrorKind::Repaired(_));
        let at = self.errors.partition_point(|other| other.span.first <= error.span.first);
        match self.errors[..at].last_mut() {
            Some(last) if runs && last.kind == error.kind && adjoins(last.span, error.span) => {
                last.span.last = error.span.last;
            }
            _ => self.errors.insert(at, error),
        }
        if self.errors.len() > ParseErrors::MOST + 1 {
            let is_this = at == ParseErrors::MOST;
            self.errors.remove(ParseErrors::MOST + usize::from(is_this));
            self.dropped += 1;
        }
    }

    /// Returns the result of all events; repairs and errors are in the order of the text.
    pub fn finish(mut self) -> Parsed<'a> {
        let lines = Arc::new(std::mem::take(&mut self.lines));
        let headers = Arc::new(std::mem::take(&mut self.headers));
        for hunk in &mut self.patch.hunks {
            match &mut hunk.action {
                Action::Add(added) => added.complete(&lines),
                Action::Update { chunks, .. } => chunks.iter_mut().for_each(|chunk| {
                    chunk.headers.complete(&headers);
                    chunk.lines.complete(&lines);
                }),
                _ => {}
            }
        }
        let errors_in_all = self.errors.len() + self.dropped;
        self.errors.truncate(ParseErrors::MOST);
        let Assembly { patch, calls, repairs, errors, .. } = self;
        Parsed { patch, calls, repairs, errors, errors_in_all }
    }
}

impl<'a> FromIterator<Event<'a>> for Parsed<'a> {
    fn from_iter<I: IntoIterator<Item = Event<'a>>>(events: I) -> Self {
        let mut assembly = Assembly::default();
        events.into_iter().for_each(|event| assembly.push(event));
        assembly.finish()
    }
}

fn last_action<'p, 'a>(patch: &'p mut Patch<'a>) -> Option<&'p mut Action<'a>> {
    patch.hunks.last_mut().map(|hunk| &mut hunk.action)
}

/// Returns the chunks of the last hunk; `None` unless the last hunk is an Update.
fn open_chunks<'p, 'a>(patch: &'p mut Patch<'a>) -> Option<&'p mut Vec<Chunk<'a>>> {
    match last_action(patch) {
        Some(Action::Update { chunks, .. }) => Some(chunks),
        _ => None,
    }
}

fn last_chunk<'p, 'a>(patch: &'p mut Patch<'a>) -> Option<&'p mut Chunk<'a>> {
    open_chunks(patch).and_then(|chunks| chunks.last_mut())
}

fn adjoins(first: Span, second: Span) -> bool {
    (first.last..=first.last + 1).contains(&second.first)
}
