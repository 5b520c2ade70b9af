//! The events that the lines of a patch text emit.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use crate::format::owned;
use crate::format::{Call, Options, ParseError, Repair, RepairKind};
use crate::patch::{Header, Hunk, Line, MoveTo, Span};

/// An event that a line of a patch text emits.
///
/// The events between `HunkBegun` and `HunkEnded` belong to that hunk, the events between `ChunkBegun` and `ChunkEnded`
/// or `ChunkDropped` to that chunk. [`Repaired`](Event::Repaired) and [`Error`](Event::Error) may occur anywhere, once
/// a line; a [`Parsed`](crate::format::Parsed), to which events are collected, merges events of neighbouring lines.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// What follows `*** Environment ID:`.
    Environment(Cow<'a, str>),
    /// A hunk with an empty action: its lines, chunks and new name follow as events.
    HunkBegun(Hunk<'a>),
    /// The new name of the open hunk's file.
    MovedTo(MoveTo<'a>),
    /// A chunk of the open hunk, with its first line, 1-based.
    ChunkBegun {
        /// The first `@@` of the chunk, or its first line if the `@@` is missing.
        number: Option<NonZeroUsize>,
    },
    /// A `@@ text` line of the open chunk.
    Header(Header<'a>),
    /// A line of the open chunk, or of the open Add.
    Line(Line<'a>),
    /// The open chunk is complete.
    ChunkEnded {
        /// Whether `*** End of File` ended the chunk.
        end_of_file: bool,
    },
    /// The open chunk has no lines, and is dropped.
    ChunkDropped,
    /// The open hunk is complete.
    HunkEnded,
    /// The calls or the text ask for a dry run: nothing is to be written.
    CheckOnly,
    /// A call was read to its end. Its last hunk may follow.
    Call(Call),
    /// Something that the grammar does not allow was read all the same.
    Repaired(Repair),
    /// An error: the text is not a patch. The rest is parsed as far as possible.
    Error(ParseError),
}

impl Event<'_> {
    /// Returns the event for a repair of a line, 1-based.
    pub(super) fn repaired(number: usize, kind: RepairKind, options: &Options) -> Self {
        let repair = Repair { span: Span::line(number), kind };
        if options.strict { Event::Error(ParseError::from(repair)) } else { Event::Repaired(repair) }
    }

    /// Returns the event with an owned copy of every text.
    pub fn into_owned(self) -> Event<'static> {
        match self {
            Event::Environment(text) => Event::Environment(owned::text(text)),
            Event::HunkBegun(hunk) => Event::HunkBegun(owned::hunk(hunk)),
            Event::MovedTo(target) => Event::MovedTo(owned::move_to(target)),
            Event::ChunkBegun { number } => Event::ChunkBegun { number },
            Event::Header(header) => Event::Header(owned::header(header)),
            Event::Line(line) => Event::Line(owned::line(line)),
            Event::ChunkEnded { end_of_file } => Event::ChunkEnded { end_of_file },
            Event::ChunkDropped => Event::ChunkDropped,
            Event::HunkEnded => Event::HunkEnded,
            Event::CheckOnly => Event::CheckOnly,
            Event::Call(call) => Event::Call(call),
            Event::Repaired(repair) => Event::Repaired(repair),
            Event::Error(error) => Event::Error(error),
        }
    }
}
