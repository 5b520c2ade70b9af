//! What was not written as the grammar wants it, and how it was read.

use std::fmt::{self, Display, Formatter};

use crate::patch::Span;
use crate::text::shown;

/// One thing in the patch text that the default mode read although the grammar does not allow it.
///
/// Strict mode reports the same things as errors. Equal repairs of neighbouring lines are one repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The lines of the patch text, 1-based.
    pub span: Span,
    /// What was done.
    pub kind: RepairKind,
}

/// What can be repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairKind {
    /// A byte-order mark before the text was dropped.
    ByteOrderMark,
    /// The envelope was taken out of a JSON text.
    Json,
    /// The whole text had its line breaks and quotes escaped (`\n` as two characters).
    Escaped,
    /// A Markdown fence around the envelope was dropped.
    Fence,
    /// A shell heredoc around the envelope was dropped.
    Heredoc,
    /// `cd DIR` before the patch: names are read from that folder.
    ChangeFolder(String),
    /// Other text before or after the envelope was dropped.
    Prose,
    /// The whole envelope was indented by this much white space.
    IndentedEnvelope(String),
    /// A marker was not spelt to the letter (spaces, case, a missing space, trailing `***`).
    Marker,
    /// A blank line outside hunks was dropped.
    BlankLine,
    /// A chunk had no `@@` of its own.
    MissingChunkMarker,
    /// A `@@` was followed by text without a space.
    ChunkMarkerSpace,
    /// A `@@` with nothing under it was dropped.
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
    /// `*** End of File` where it says nothing was dropped.
    EndOfFileNote,
    /// `*** Move to:` did not stand right under its `*** Update File:`.
    LateMove,
    /// Removed lines under a Delete were dropped: the file goes anyway.
    DeleteBody,
    /// The name of a file was taken out of the words above a block.
    NameLine,
    /// A line of a block that begins as a marker does, without a backslash, was read as text.
    UnescapedMarker,
    /// A `@@` of a unified diff without line numbers.
    NoLineNumbers,
    /// The counts of a `@@` are not those of its lines.
    WrongCounts,
    /// Lines of a unified diff above the chunks of an Update, which name the file once more, were dropped.
    DiffNames,
    /// Several envelopes were read as one patch.
    SeveralEnvelopes,
    /// The text ended before `*** End Patch`, and the caller allowed that.
    Truncated,
}

impl RepairKind {
    /// A stable name for programs.
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
            RepairKind::WrongCounts => "wrong-counts",
            RepairKind::DiffNames => "diff-names",
            RepairKind::SeveralEnvelopes => "several-envelopes",
            RepairKind::Truncated => "truncated",
        }
    }

    /// Whether it is about what the patch was wrapped in, rather than about one of its hunks.
    pub fn is_wrapping(&self) -> bool {
        matches!(
            self,
            RepairKind::ByteOrderMark
                | RepairKind::Json
                | RepairKind::Escaped
                | RepairKind::Fence
                | RepairKind::Heredoc
                | RepairKind::ChangeFolder(_)
                | RepairKind::Prose
                | RepairKind::IndentedEnvelope(_)
                | RepairKind::SeveralEnvelopes
                | RepairKind::Truncated
        )
    }
}

impl Display for RepairKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = match self {
            RepairKind::ByteOrderMark => "dropped a byte-order mark before the patch",
            RepairKind::Json => "took the patch out of a JSON text; line numbers count inside it",
            RepairKind::Escaped => {
                "undid the escapes of the whole patch (\\n, \\\"); line numbers count after that"
            }
            RepairKind::Fence => "dropped a code fence around the patch",
            RepairKind::Heredoc => "dropped a heredoc around the patch",
            RepairKind::ChangeFolder(dir) => {
                return write!(f, "read the names from the folder of `cd {}`", shown(dir));
            }
            RepairKind::Prose => "dropped text around the patch",
            RepairKind::IndentedEnvelope(_) => "removed the indentation of the whole patch",
            RepairKind::Marker => "read a marker that is not spelt to the letter",
            RepairKind::BlankLine => "dropped a blank line that belongs to nothing",
            RepairKind::MissingChunkMarker => "began a chunk without its `@@`",
            RepairKind::ChunkMarkerSpace => "read `@@text` as `@@ text`",
            RepairKind::EmptyChunk => "dropped a `@@` with nothing under it",
            RepairKind::EmptyContext => "read an empty line as an empty context line (` `)",
            RepairKind::UnsignedContext => "read a line without a sign as context",
            RepairKind::UnsignedAdd => "read a line without `+` as a line of the new file",
            RepairKind::NoNewlineNote => "dropped `\\ No newline at end of file`",
            RepairKind::MoveOnly => "read an Update without a chunk as a move",
            RepairKind::EndOfFileNote => "dropped a `*** End of File` that belongs to no chunk",
            RepairKind::LateMove => "read a `*** Move to:` that stood below the chunks",
            RepairKind::DeleteBody => "dropped the lines under a Delete",
            RepairKind::NameLine => "took the file name out of the line above the block",
            RepairKind::UnescapedMarker => "read a line that begins as a marker does as text",
            RepairKind::NoLineNumbers => "read a `@@` without line numbers",
            RepairKind::WrongCounts => "passed over counts that are not those of the lines below",
            RepairKind::DiffNames => "dropped the names of a diff under an Update",
            RepairKind::SeveralEnvelopes => "read several envelopes as one patch",
            RepairKind::Truncated => "accepted a patch without its end",
        };
        f.write_str(text)
    }
}

impl Display for Repair {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "patch {}: {}", self.span, self.kind)
    }
}
