//! What makes a text not a patch.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::format::{CallShape, Repair, RepairKind};
use crate::patch::Span;
use crate::text::shown;

/// A reason why a text is not a patch: the lines, what was found, and what is expected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct ParseError {
    /// The lines of the patch text, 1-based; one past the last line if something is missing at the end.
    #[cfg(feature = "internals")]
    pub span: Span,
    #[cfg(not(feature = "internals"))]
    pub(crate) span: Span,
    /// What is wrong.
    #[cfg(feature = "internals")]
    pub kind: ParseErrorKind,
    #[cfg(not(feature = "internals"))]
    pub(crate) kind: ParseErrorKind,
    /// The text that was found, shortened; empty at the end of the text.
    pub found: String,
    /// The tool, if the text is a call, shortened.
    pub tool: Option<String>,
}

/// The ways in which a text is not a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// There is no `*** Begin Patch`.
    NoEnvelope,
    /// There is no patch, but a file name and the whole text of the file in a fence.
    WholeFile,
    /// There is no patch, but an edit that names lines by number.
    LineRange,
    /// The text ends before `*** End Patch`.
    Truncated,
    /// The envelope holds no hunk.
    NoHunks,
    /// A line that looks like a marker but is not.
    UnknownMarker,
    /// A marker without the required name.
    MissingPath,
    /// An Update with neither chunk nor move.
    NoChanges,
    /// A `@@` header without lines below.
    EmptyChunk,
    /// A line that belongs to nothing.
    UnexpectedLine,
    /// A marker at the wrong position.
    MisplacedMarker,
    /// The body of an Add in which `+` may be a sign or text.
    UnsureSign,
    /// A hunk outside an envelope.
    HunkOutside,
    /// A JSON text with more than one patch.
    SeveralInJson,
    /// A line of a text that came in bytes is not UTF-8.
    NotUtf8,
    /// The text may be of several formats.
    SeveralFormats,
    /// There is no SEARCH/REPLACE block.
    NoBlocks,
    /// A block that belongs to no file.
    BlockWithoutFile,
    /// The end of a block that has not begun.
    MissingSearch,
    /// A block without the line between its parts.
    MissingDivider,
    /// A block without an end.
    MissingReplace,
    /// A block in which more than one line may separate the parts.
    SeveralDividers,
    /// An edit whose old text equals its new text.
    SameText,
    /// The text is not JSON.
    NoJson,
    /// A JSON object has a key twice.
    KeyTwice,
    /// There is no edit in the JSON text.
    NoEdits,
    /// A JSON value where an edit should be.
    NotAnEdit,
    /// An edit without a required field.
    MissingField(CallShape),
    /// A field that no edit has.
    UnknownField(CallShape),
    /// Two fields of the same role.
    FieldTwice(CallShape),
    /// A field whose value is of another type.
    WrongType(CallShape),
    /// There is no unified diff.
    NoDiff,
    /// The diff of a file in which no line changes.
    NoHunksInDiff,
    /// A `@@` of a diff that belongs to no file.
    HunkWithoutFile,
    /// The diff of a file without a name.
    MissingName,
    /// The diff of a file names two files, and has no line that marks a rename.
    TwoNames,
    /// A changed line that belongs to no hunk of a diff.
    StrayDiffLine,
    /// The text of a unified diff ends in a changed line, where the counts of the hunk promise more lines.
    UnfinishedHunk,
    /// A line of a new file that is context, or goes.
    QuoteInNewFile,
    /// The diff of a file that is not text.
    Binary,
    /// The diff of a symbolic link or a submodule.
    SpecialFile,
    /// A call that the model has not finished, or that was already run.
    UnfinishedCall,
    /// A switch or a folder beside a patch whose value is not clear.
    UnclearSetting,
    /// A word of a command beside the patch.
    UnknownArgument,
    /// The arguments of a call are neither JSON nor a patch.
    NoArguments,
    /// A call of a tool that does not edit text, or not by quoting text.
    OtherTool,
    /// An edit that leaves lines out, which only a model can complete.
    NeedsModel,
    /// A call and the patch in the call name different files.
    TwoFiles,
    /// Edits in the thoughts of a model.
    Thoughts,
    /// Strict mode: something that the default mode would have read.
    Repaired(RepairKind),
}

impl ParseErrorKind {
    /// Returns a stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            ParseErrorKind::NoEnvelope => "no-envelope",
            ParseErrorKind::WholeFile => "whole-file",
            ParseErrorKind::LineRange => "line-range",
            ParseErrorKind::Truncated => "truncated",
            ParseErrorKind::NoHunks => "no-hunks",
            ParseErrorKind::UnknownMarker => "unknown-marker",
            ParseErrorKind::MissingPath => "missing-path",
            ParseErrorKind::NoChanges => "no-changes",
            ParseErrorKind::EmptyChunk => "empty-chunk",
            ParseErrorKind::UnexpectedLine => "unexpected-line",
            ParseErrorKind::MisplacedMarker => "misplaced-marker",
            ParseErrorKind::UnsureSign => "unsure-sign",
            ParseErrorKind::HunkOutside => "hunk-outside",
            ParseErrorKind::SeveralInJson => "several-in-json",
            ParseErrorKind::NotUtf8 => "not-utf-8",
            ParseErrorKind::SeveralFormats => "several-formats",
            ParseErrorKind::Thoughts => "thoughts",
            ParseErrorKind::NoBlocks => "no-blocks",
            ParseErrorKind::BlockWithoutFile => "block-without-file",
            ParseErrorKind::MissingSearch => "missing-search",
            ParseErrorKind::MissingDivider => "missing-divider",
            ParseErrorKind::MissingReplace => "missing-replace",
            ParseErrorKind::SeveralDividers => "several-dividers",
            ParseErrorKind::SameText => "same-text",
            ParseErrorKind::NoJson => "no-json",
            ParseErrorKind::KeyTwice => "key-twice",
            ParseErrorKind::NoEdits => "no-edits",
            ParseErrorKind::NotAnEdit => "not-an-edit",
            ParseErrorKind::MissingField(_) => "missing-field",
            ParseErrorKind::UnknownField(_) => "unknown-field",
            ParseErrorKind::FieldTwice(_) => "field-twice",
            ParseErrorKind::WrongType(_) => "wrong-type",
            ParseErrorKind::NoDiff => "no-diff",
            ParseErrorKind::NoHunksInDiff => "no-hunks-in-diff",
            ParseErrorKind::HunkWithoutFile => "hunk-without-file",
            ParseErrorKind::MissingName => "missing-name",
            ParseErrorKind::TwoNames => "two-names",
            ParseErrorKind::StrayDiffLine => "stray-diff-line",
            ParseErrorKind::QuoteInNewFile => "quote-in-new-file",
            ParseErrorKind::Binary => "binary",
            ParseErrorKind::SpecialFile => "special-file",
            ParseErrorKind::UnfinishedHunk => "unfinished-hunk",
            ParseErrorKind::UnfinishedCall => "unfinished-call",
            ParseErrorKind::UnclearSetting => "unclear-setting",
            ParseErrorKind::UnknownArgument => "unknown-argument",
            ParseErrorKind::NoArguments => "no-arguments",
            ParseErrorKind::OtherTool => "other-tool",
            ParseErrorKind::NeedsModel => "needs-model",
            ParseErrorKind::TwoFiles => "two-files",
            ParseErrorKind::Repaired(_) => "repaired",
        }
    }
}

/// How much of a line an error shows, in characters.
const SHOWN: usize = 80;

impl ParseError {
    /// Returns a stable code for programs; `docs/report.md` lists the codes.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// Returns the lines of the patch text, 1-based; one past the last line if something is missing at the end.
    pub fn lines(&self) -> RangeInclusive<usize> {
        self.span.lines()
    }

    /// Returns a sentence about the text that is accepted instead.
    pub fn expected(&self) -> &'static str {
        self.kind.expected()
    }

    /// Returns the message without the line and the text that was found.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }

    pub(super) fn new(span: Span, kind: ParseErrorKind, found: &str) -> Self {
        ParseError { span, kind, found: excerpt(found), tool: None }
    }

    /// Names the tool of the call that has the error, unless the error names one already.
    pub(super) fn set_tool(&mut self, tool: &str) {
        self.tool.get_or_insert_with(|| excerpt(tool));
    }
}

/// Returns the beginning of a text, ready to be shown.
pub(crate) fn excerpt(text: &str) -> String {
    let start: String = text.chars().take(SHOWN).collect();
    let cut = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
    format!("{}{cut}", shown(&start))
}

/// Returns the beginning of a line for an error, marked if the line was shortened.
pub(super) fn shortened(line: &str) -> &str {
    // A character has a byte at least.
    if line.len() <= SHOWN {
        return line;
    }
    line.char_indices().nth(SHOWN + 1).map_or(line, |(end, _)| &line[..end])
}

impl From<Repair> for ParseError {
    fn from(repair: Repair) -> Self {
        ParseError {
            span: repair.span,
            kind: ParseErrorKind::Repaired(repair.kind),
            found: String::new(),
            tool: None,
        }
    }
}

/// Everything that keeps a text from being a patch.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub struct ParseErrors {
    /// The errors in the order of the text, at most [`ParseErrors::MOST`]; never empty.
    pub kept: Vec<ParseError>,
    /// How many errors the text has.
    pub in_all: usize,
}

impl ParseErrors {
    /// How many errors of a text are kept. A text of zeros has an error every two bytes.
    pub const MOST: usize = 100;

    /// Returns all errors, or the first [`ParseErrors::MOST`].
    pub(crate) fn of(mut errors: Vec<ParseError>) -> Self {
        let in_all = errors.len();
        errors.truncate(Self::MOST);
        ParseErrors { kept: errors, in_all }
    }
}
