//! Events → what the text holds.

use crate::format::{Event, ParseError, ParseErrorKind, Parsed, Repair};
use crate::patch::{Action, Chunk, Patch, Span};

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
            Event::Environment(text) => self.patch.environment = Some(text),
            Event::HunkBegun(hunk) => self.patch.hunks.push(hunk),
            Event::Repaired(repair) => self.repair(repair),
            Event::Error(error) => self.error(error),
            Event::HunkEnded => {}
            event => self.push_to_hunk(event),
        }
    }

    fn push_to_hunk(&mut self, event: Event<'a>) {
        match (self.patch.hunks.last_mut().map(|hunk| &mut hunk.action), event) {
            (Some(Action::Add(lines)), Event::Line(line)) => lines.push(line),
            (Some(Action::Update { move_to, .. }), Event::MovedTo(target)) => *move_to = Some(target),
            (Some(Action::Update { chunks, .. }), event) => push_to_chunks(chunks, event),
            _ => {}
        }
    }

    /// Equal repairs of neighbouring lines are one.
    fn repair(&mut self, repair: Repair) {
        match self.repairs.last_mut() {
            Some(last) if last.kind == repair.kind && adjoins(last.span, repair.span) => {
                last.span.last = repair.span.last;
            }
            _ => self.repairs.push(repair),
        }
    }

    /// Neighbouring lines that belong to nothing are one error, and so are those that equal repairs became.
    fn error(&mut self, error: ParseError) {
        let runs = matches!(error.kind, ParseErrorKind::UnexpectedLine | ParseErrorKind::Repaired(_));
        match self.errors.last_mut() {
            Some(last) if runs && last.kind == error.kind && adjoins(last.span, error.span) => {
                last.span.last = error.span.last;
            }
            _ => self.errors.push(error),
        }
    }

    /// All that the events told; repairs and errors in the order of the text.
    pub fn finish(mut self) -> Parsed<'a> {
        self.repairs.sort_by_key(|repair| repair.span.first);
        self.errors.sort_by_key(|error| error.span.first);
        Parsed { patch: self.patch, repairs: self.repairs, errors: self.errors }
    }
}

fn push_to_chunks<'a>(chunks: &mut Vec<Chunk<'a>>, event: Event<'a>) {
    match (chunks.last_mut(), event) {
        (_, Event::ChunkBegun { number }) => chunks.push(Chunk { number, ..Chunk::default() }),
        (Some(chunk), Event::Header(header)) => chunk.headers.push(header),
        (Some(chunk), Event::Line(line)) => chunk.lines.push(line),
        (Some(chunk), Event::ChunkEnded { end_of_file, gaps }) => {
            (chunk.end_of_file, chunk.gaps) = (end_of_file, gaps);
        }
        (Some(_), Event::ChunkDropped) => {
            chunks.pop();
        }
        _ => {}
    }
}

fn adjoins(first: Span, second: Span) -> bool {
    (first.last..=first.last + 1).contains(&second.first)
}
