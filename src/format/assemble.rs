//! Events → what the text holds.

use crate::format::{Event, ParseError, ParseErrorKind, Parsed, Repair};
use crate::patch::{Action, Chunk, Line, Patch, Span};

/// How many lines a chunk has room for before it grows.
const USUAL_LINES: usize = 8;

/// Puts the events of one text together, in their order.
///
/// ```
/// use apply_patch::format::{Assembly, Options, Stream, parse};
///
/// let text = "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n";
/// let mut assembly = Assembly::default();
/// let mut stream = Stream::new(&Options::default());
/// for piece in text.as_bytes().chunks(7) {
///     stream.feed(piece, &mut |event| assembly.push(event.into_owned()));
/// }
/// stream.finish(&mut |event| assembly.push(event.into_owned()));
/// assert_eq!(assembly.finish(), parse(text, &Options::default()));
/// ```
#[derive(Debug, Default)]
pub struct Assembly<'a> {
    patch: Patch<'a>,
    repairs: Vec<Repair>,
    errors: Vec<ParseError>,
}

impl<'a> Assembly<'a> {
    /// Takes the next event. One that belongs to a hunk or a chunk where none is open is dropped.
    pub fn push(&mut self, event: Event<'a>) {
        match event {
            Event::Line(line) => self.push_line(line),
            Event::Header(header) => {
                if let Some(chunk) = self.chunk() {
                    // Nearly always it is the only one.
                    chunk.headers.reserve_exact(1);
                    chunk.headers.push(header);
                }
            }
            Event::ChunkBegun { number } => {
                if let Some(chunks) = self.chunks() {
                    chunks.push(Chunk { number, lines: Vec::with_capacity(USUAL_LINES), ..Chunk::default() });
                }
            }
            Event::ChunkEnded { end_of_file, gaps } => {
                if let Some(chunk) = self.chunk() {
                    (chunk.end_of_file, chunk.gaps) = (end_of_file, gaps);
                }
            }
            Event::ChunkDropped => drop(self.chunks().and_then(Vec::pop)),
            Event::HunkBegun(hunk) => self.patch.hunks.push(hunk),
            Event::MovedTo(target) => {
                if let Some(Action::Update { move_to, .. }) = self.action() {
                    *move_to = Some(target);
                }
            }
            Event::HunkEnded => {}
            Event::Environment(text) => self.patch.environment = Some(text),
            Event::Repaired(repair) => self.repair(repair),
            Event::Error(error) => self.error(error),
        }
    }

    fn action(&mut self) -> Option<&mut Action<'a>> {
        self.patch.hunks.last_mut().map(|hunk| &mut hunk.action)
    }

    fn chunks(&mut self) -> Option<&mut Vec<Chunk<'a>>> {
        match self.action() {
            Some(Action::Update { chunks, .. }) => Some(chunks),
            _ => None,
        }
    }

    fn chunk(&mut self) -> Option<&mut Chunk<'a>> {
        self.chunks().and_then(|chunks| chunks.last_mut())
    }

    fn push_line(&mut self, line: Line<'a>) {
        match self.action() {
            Some(Action::Add(lines)) => lines.push(line),
            Some(Action::Update { chunks, .. }) => {
                if let Some(chunk) = chunks.last_mut() {
                    chunk.lines.push(line);
                }
            }
            _ => {}
        }
    }

    /// Equal repairs of neighbouring lines are one. They stand in the order of the text, in which nearly all of them come.
    fn repair(&mut self, repair: Repair) {
        let at = self.repairs.partition_point(|other| other.span.first <= repair.span.first);
        match self.repairs[..at].last_mut() {
            Some(last) if last.kind == repair.kind && adjoins(last.span, repair.span) => {
                last.span.last = repair.span.last;
            }
            _ => self.repairs.insert(at, repair),
        }
    }

    /// Neighbouring lines that belong to nothing are one error, and so are those that equal repairs became.
    fn error(&mut self, error: ParseError) {
        let runs = matches!(error.kind, ParseErrorKind::UnexpectedLine | ParseErrorKind::Repaired(_));
        let at = self.errors.partition_point(|other| other.span.first <= error.span.first);
        match self.errors[..at].last_mut() {
            Some(last) if runs && last.kind == error.kind && adjoins(last.span, error.span) => {
                last.span.last = error.span.last;
            }
            _ => self.errors.insert(at, error),
        }
    }

    /// All that the events told; repairs and errors in the order of the text.
    pub fn finish(self) -> Parsed<'a> {
        Parsed { patch: self.patch, repairs: self.repairs, errors: self.errors }
    }
}

fn adjoins(first: Span, second: Span) -> bool {
    (first.last..=first.last + 1).contains(&second.first)
}
