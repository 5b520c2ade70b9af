//! Departures from the grammar, and how each was read.

use std::ops::RangeInclusive;

use crate::patch::Span;

/// A departure of the patch text from the grammar that the default mode accepts.
///
/// Strict mode reports the same departures as errors. Equal repairs of neighbouring lines are a single repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The lines of the patch text, 1-based.
    #[cfg(feature = "internals")]
    pub span: Span,
    #[cfg(not(feature = "internals"))]
    pub(crate) span: Span,
    /// What was done.
    #[cfg(feature = "internals")]
    pub kind: RepairKind,
    #[cfg(not(feature = "internals"))]
    pub(crate) kind: RepairKind,
}

/// What can be repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairKind {
    /// A byte-order mark before the text was dropped.
    ByteOrderMark,
    /// The envelope was taken out of a JSON text.
    Json,
    /// The line breaks and quotes of the whole text were escaped (`\n` as two characters).
    Escaped,
    /// A Markdown fence around the envelope was dropped.
    Fence,
    /// A shell heredoc around the envelope was dropped.
    Heredoc,
    /// `cd DIR` before the patch: names are read from that folder.
    ChangeFolder(String),
    /// The text asks for a dry run.
    DryRun,
    /// A command before the patch, in the same script, was not run.
    CommandBefore,
    /// A command after the patch, in the same script, was not run.
    CommandAfter,
    /// A bare `@@` under a header was dropped.
    BareUnderHeader,
    /// A conflict of a version control system was read as a block.
    Conflict,
    /// A lone last `+` of a new file was read as the end of its last line.
    LastPlus,
    /// Text before or after the envelope was dropped.
    Prose,
    /// The whole envelope was indented by this much white space.
    IndentedEnvelope(String),
    /// The spelling of a marker was not exact (spaces, case, a missing space, trailing `***` or colon).
    Marker,
    /// A blank line outside hunks was dropped.
    BlankLine,
    /// A chunk had no `@@`.
    MissingChunkMarker,
    /// A `@@` was followed by text without a space.
    ChunkMarkerSpace,
    /// An `@@` without lines below was dropped.
    EmptyChunk,
    /// An empty line in a chunk was read as an empty context line.
    EmptyContext,
    /// A line without a sign was read as context.
    UnsignedContext,
    /// A line without `+` was read as a line of the new file.
    UnsignedAdd,
    /// `\ No newline at end of file` was dropped.
    NoNewlineNote,
    /// An Update that only moves.
    MoveOnly,
    /// `*** End of File` without a chunk was dropped.
    EndOfFileNote,
    /// `*** Move to:` was not right below its `*** Update File:`.
    LateMove,
    /// Removed lines under a Delete were dropped: the file goes anyway.
    DeleteBody,
    /// The name of a file was taken out of the words above a block.
    NameLine,
    /// A line of a block that begins as a marker does, without a backslash, was read as text.
    UnescapedMarker,
    /// A `@@` of a unified diff without line numbers.
    NoLineNumbers,
    /// An edit whose new text is the old text was left out.
    SameText,
    /// A switch or a number of a call was written as a text.
    ValueAsText,
    /// The counts of an `@@` did not match its lines.
    WrongCounts,
    /// Lines of a unified diff above the chunks of an Update, which name the file once more, were dropped.
    DiffNames,
    /// A file of a unified diff was named in one line only, `--- NAME` or `+++ NAME`.
    OneName,
    /// Several envelopes were parsed as a single patch.
    SeveralEnvelopes,
    /// The text ended before `*** End Patch`, and the caller allowed that.
    Truncated,
}

impl Repair {
    /// Returns a stable code for programs; `docs/report.md` lists the codes.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// Returns the lines of the patch text, 1-based.
    pub fn lines(&self) -> RangeInclusive<usize> {
        self.span.lines()
    }

    /// Returns the message without the line.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }
}

impl RepairKind {
    /// Returns whether strict mode accepts the text too, because the format allows it: the report only mentions the line.
    #[cfg(any(test, feature = "internals"))]
    pub fn is_note(&self) -> bool {
        matches!(self, RepairKind::DryRun | RepairKind::LastPlus)
    }

    /// Returns a stable code for programs.
    ///
    /// ```
    /// assert_eq!(apply_patch::format::RepairKind::MissingChunkMarker.code(), "missing-chunk-marker");
    /// ```
    pub fn code(&self) -> &'static str {
        match self {
            RepairKind::ByteOrderMark => "byte-order-mark",
            RepairKind::Json => "json",
            RepairKind::Escaped => "escaped",
            RepairKind::Fence => "fence",
            RepairKind::Heredoc => "heredoc",
            RepairKind::ChangeFolder(_) => "change-folder",
            RepairKind::DryRun => "dry-run",
            RepairKind::CommandBefore => "command-before",
            RepairKind::CommandAfter => "command-after",
            RepairKind::BareUnderHeader => "bare-under-header",
            RepairKind::Conflict => "conflict",
            RepairKind::LastPlus => "last-plus",
            RepairKind::Prose => "prose",
            RepairKind::IndentedEnvelope(_) => "indented-envelope",
            RepairKind::Marker => "marker",
            RepairKind::BlankLine => "blank-line",
            RepairKind::MissingChunkMarker => "missing-chunk-marker",
            RepairKind::ChunkMarkerSpace => "chunk-marker-space",
            RepairKind::EmptyChunk => "empty-chunk",
            RepairKind::EmptyContext => "empty-context",
            RepairKind::UnsignedContext => "unsigned-context",
            RepairKind::UnsignedAdd => "unsigned-add",
            RepairKind::NoNewlineNote => "no-newline-note",
            RepairKind::MoveOnly => "move-only",
            RepairKind::EndOfFileNote => "end-of-file-note",
            RepairKind::LateMove => "late-move",
            RepairKind::DeleteBody => "delete-body",
            RepairKind::NameLine => "name-line",
            RepairKind::UnescapedMarker => "unescaped-marker",
            RepairKind::NoLineNumbers => "no-line-numbers",
            RepairKind::SameText => "same-text",
            RepairKind::ValueAsText => "value-as-text",
            RepairKind::WrongCounts => "wrong-counts",
            RepairKind::DiffNames => "diff-names",
            RepairKind::OneName => "one-name",
            RepairKind::SeveralEnvelopes => "several-envelopes",
            RepairKind::Truncated => "truncated",
        }
    }

    /// Returns whether a repair dropped what is around the patch, so that nothing in the patch depends on the repair.
    pub(crate) fn is_around(&self) -> bool {
        matches!(
            self,
            RepairKind::ByteOrderMark
                | RepairKind::Fence
                | RepairKind::Heredoc
                | RepairKind::Prose
                | RepairKind::BlankLine
                | RepairKind::IndentedEnvelope(_)
        )
    }

    /// Returns whether the repair concerns the wrapper of the patch and not a hunk.
    pub fn is_wrapping(&self) -> bool {
        matches!(
            self,
            RepairKind::ByteOrderMark
                | RepairKind::Json
                | RepairKind::Escaped
                | RepairKind::Fence
                | RepairKind::Heredoc
                | RepairKind::ChangeFolder(_)
                | RepairKind::DryRun
                | RepairKind::CommandBefore
                | RepairKind::CommandAfter
                | RepairKind::Prose
                | RepairKind::IndentedEnvelope(_)
                | RepairKind::SeveralEnvelopes
                | RepairKind::Truncated
        )
    }
}
