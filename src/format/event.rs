//! What a patch text gives as its lines are read.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use crate::format::owned;
use crate::format::{Call, Options, ParseError, Repair, RepairKind};
use crate::patch::{Header, Hunk, Line, MoveTo, Span};

/// One thing that a line of a patch text gives.
///
/// Between `HunkBegun` and `HunkEnded` stands what belongs to that hunk, between `ChunkBegun` and `ChunkEnded` or
/// `ChunkDropped` what belongs to that chunk. [`Repaired`](Event::Repaired) and [`Error`](Event::Error) stand anywhere,
/// one a line; [`Assembly`](crate::format::Assembly) joins those of neighbouring lines.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// What follows `*** Environment ID:`.
    Environment(Cow<'a, str>),
    /// A hunk: its lines, chunks and new name are still to come, so that its action is empty.
    HunkBegun(Hunk<'a>),
    /// The new name of the open hunk's file.
    MovedTo(MoveTo<'a>),
    /// A chunk of the open hunk, with the line that it begins at, 1-based.
    ChunkBegun {
        /// Its first `@@`, or its first line where the `@@` is missing.
        number: Option<NonZeroUsize>,
    },
    /// A `@@ text` line of the open chunk.
    Header(Header<'a>),
    /// A line of the open chunk, or of the open Add.
    Line(Line<'a>),
    /// The open chunk is complete.
    ChunkEnded {
        /// Whether `*** End of File` stood under it.
        end_of_file: bool,
    },
    /// The open chunk has no lines, and is none.
    ChunkDropped,
    /// The open hunk is complete.
    HunkEnded,
    /// The calls or the text ask for a dry run: nothing is to be written.
    CheckOnly,
    /// A call was read to its end. Its last hunk may still be to come.
    Call(Call),
    /// Something that the grammar does not allow was read all the same.
    Repaired(Repair),
    /// Something keeps the text from being a patch. What follows is read as far as it can be.
    Error(ParseError),
}

impl Event<'_> {
    /// What a repair of a line, 1-based, is told as.
    pub(super) fn repaired(number: usize, kind: RepairKind, options: &Options) -> Self {
        let repair = Repair { span: Span::line(number), kind };
        if options.strict { Event::Error(ParseError::from(repair)) } else { Event::Repaired(repair) }
    }

    /// The same event, with its own copy of every text.
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
