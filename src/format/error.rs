//! What makes a text not a patch.

use std::fmt::{self, Display, Formatter};

use thiserror::Error;

use crate::format::{Repair, RepairKind};
use crate::patch::Span;
use crate::text::shown;

/// One thing that keeps a text from being a patch: where, what stood there, and what may stand there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct ParseError {
    /// The lines of the patch text, 1-based; one past the last line where something is missing at the end.
    pub span: Span,
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// What stood there, shortened; empty at the end of the text.
    pub found: String,
}

/// The ways in which a text is not a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// There is no `*** Begin Patch`.
    NoEnvelope,
    /// The text ends before `*** End Patch`.
    Truncated,
    /// The envelope holds no hunk.
    NoHunks,
    /// A line that looks like a marker and is none.
    UnknownMarker,
    /// A marker without the name that it wants.
    MissingPath,
    /// An Update with neither chunk nor move.
    NoChanges,
    /// A `@@` header with no lines under it.
    EmptyChunk,
    /// A line that belongs to nothing.
    UnexpectedLine,
    /// A marker where it makes no sense.
    MisplacedMarker,
    /// The body of an Add in which it cannot be told whether `+` is a sign or text.
    UnsureSign,
    /// A hunk outside an envelope.
    HunkOutside,
    /// A JSON text that holds more than one patch.
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
    /// A block without the line between its two parts.
    MissingDivider,
    /// A block without its end.
    MissingReplace,
    /// A block in which more than one line may part it in two.
    SeveralDividers,
    /// An edit whose old text is its new one.
    SameText,
    /// The text is not JSON.
    NoJson,
    /// There is no edit in the JSON text.
    NoEdits,
    /// A JSON value where an edit should be.
    NotAnEdit,
    /// An edit without a field that it must have.
    MissingField,
    /// A field that no edit has.
    UnknownField,
    /// Two fields that say the same thing.
    FieldTwice,
    /// A field whose value is of another type.
    WrongType,
    /// There is no unified diff.
    NoDiff,
    /// The diff of a file in which no line changes.
    NoHunksInDiff,
    /// A `@@` of a diff that belongs to no file.
    HunkWithoutFile,
    /// The diff of a file without a name.
    MissingName,
    /// A changed line that belongs to no hunk of a diff.
    StrayDiffLine,
    /// A line of a new file that is context, or goes.
    QuoteInNewFile,
    /// The diff of a file that is not text.
    Binary,
    /// The diff of a symbolic link or a submodule.
    SpecialFile,
    /// Strict mode: something that the default mode would have read.
    Repaired(RepairKind),
}

impl ParseErrorKind {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            ParseErrorKind::NoEnvelope => "no-envelope",
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
            ParseErrorKind::NoBlocks => "no-blocks",
            ParseErrorKind::BlockWithoutFile => "block-without-file",
            ParseErrorKind::MissingSearch => "missing-search",
            ParseErrorKind::MissingDivider => "missing-divider",
            ParseErrorKind::MissingReplace => "missing-replace",
            ParseErrorKind::SeveralDividers => "several-dividers",
            ParseErrorKind::SameText => "same-text",
            ParseErrorKind::NoJson => "no-json",
            ParseErrorKind::NoEdits => "no-edits",
            ParseErrorKind::NotAnEdit => "not-an-edit",
            ParseErrorKind::MissingField => "missing-field",
            ParseErrorKind::UnknownField => "unknown-field",
            ParseErrorKind::FieldTwice => "field-twice",
            ParseErrorKind::WrongType => "wrong-type",
            ParseErrorKind::NoDiff => "no-diff",
            ParseErrorKind::NoHunksInDiff => "no-hunks-in-diff",
            ParseErrorKind::HunkWithoutFile => "hunk-without-file",
            ParseErrorKind::MissingName => "missing-name",
            ParseErrorKind::StrayDiffLine => "stray-diff-line",
            ParseErrorKind::QuoteInNewFile => "quote-in-new-file",
            ParseErrorKind::Binary => "binary",
            ParseErrorKind::SpecialFile => "special-file",
            ParseErrorKind::Repaired(_) => "repaired",
        }
    }

    /// What may stand there instead.
    pub fn expected(&self) -> &'static str {
        match self {
            ParseErrorKind::NoEnvelope => "a patch begins with a line `*** Begin Patch`",
            ParseErrorKind::Truncated => {
                "a patch ends with a line `*** End Patch`; without it, a cut-off answer cannot be told from a whole one: send the whole patch again"
            }
            ParseErrorKind::NoHunks => {
                "between `*** Begin Patch` and `*** End Patch` stands at least one `*** Add File: PATH`, `*** Delete File: PATH` or `*** Update File: PATH`"
            }
            ParseErrorKind::UnknownMarker => {
                "the markers are `*** Add File: PATH`, `*** Delete File: PATH`, `*** Update File: PATH`, `*** Move to: PATH`, `*** End of File` and `*** End Patch`"
            }
            ParseErrorKind::MissingPath => "the marker wants a file name after its colon",
            ParseErrorKind::NoChanges => {
                "under `*** Update File:` stands `*** Move to: PATH`, a chunk (`@@` and lines), or both"
            }
            ParseErrorKind::EmptyChunk => {
                "under a `@@` header stand lines that begin with a space, `-` or `+`"
            }
            ParseErrorKind::UnexpectedLine => {
                "here stands `*** Add File: PATH`, `*** Delete File: PATH`, `*** Update File: PATH` or `*** End Patch`"
            }
            ParseErrorKind::MisplacedMarker => {
                "an envelope is one `*** Begin Patch` … `*** End Patch`; `*** Move to:` stands once, right under `*** Update File:`; `*** End of File` ends a chunk; `*** Environment ID:` stands once, right under `*** Begin Patch`"
            }
            ParseErrorKind::UnsureSign => {
                "every line of a new file begins with `+`; here some do and the first does not, so it cannot be told whether `+` is a sign or text"
            }
            ParseErrorKind::HunkOutside => "every hunk stands between `*** Begin Patch` and `*** End Patch`",
            ParseErrorKind::SeveralInJson => "one JSON text holds one patch",
            ParseErrorKind::NotUtf8 => "a patch is text in UTF-8",
            ParseErrorKind::SeveralFormats => {
                "one text is of one format; send one of them, or say which is meant with `--format`"
            }
            ParseErrorKind::NoBlocks => {
                "a block is a line with the file name, `<<<<<<< SEARCH`, the lines that go, `=======`, the lines that come, `>>>>>>> REPLACE`"
            }
            ParseErrorKind::BlockWithoutFile => {
                "right above `<<<<<<< SEARCH` stands a line with the file name alone; or name the file with `--file`"
            }
            ParseErrorKind::MissingSearch => {
                "a block begins with `<<<<<<< SEARCH`; a line of text that begins as a marker does has a backslash before it"
            }
            ParseErrorKind::MissingDivider => {
                "between `<<<<<<< SEARCH` and `>>>>>>> REPLACE` stands a line `=======`"
            }
            ParseErrorKind::MissingReplace => {
                "a block ends with `>>>>>>> REPLACE`; without it, a cut-off answer cannot be told from a whole one: send the whole block again"
            }
            ParseErrorKind::SeveralDividers => {
                "one line `=======` parts a block in two; where it is text it has a backslash before it: `\\=======`"
            }
            ParseErrorKind::SameText => {
                "the new text differs from the old one; leave out an edit that changes nothing"
            }
            ParseErrorKind::NoJson
            | ParseErrorKind::NoEdits
            | ParseErrorKind::NotAnEdit
            | ParseErrorKind::MissingField => {
                "an edit is a JSON object with `file_path`, `old_string` and `new_string`, perhaps with `replace_all`; several stand in an array, in `edits` under one `file_path`, or one a line"
            }
            ParseErrorKind::UnknownField | ParseErrorKind::FieldTwice => {
                "an edit has `file_path`, `old_string`, `new_string` and perhaps `replace_all`, each once, and nothing else"
            }
            ParseErrorKind::WrongType => {
                "the name and the texts are strings, `replace_all` is true or false, `edits` an array"
            }
            ParseErrorKind::NoDiff => {
                "a unified diff has lines `--- a/PATH` and `+++ b/PATH`, and below them `@@ -LINE,COUNT +LINE,COUNT @@` and lines that begin with a space, `-` or `+`"
            }
            ParseErrorKind::NoHunksInDiff => {
                "under the names stands `@@ -LINE,COUNT +LINE,COUNT @@` with lines that begin with a space, `-` or `+`"
            }
            ParseErrorKind::HunkWithoutFile => {
                "above the first `@@` of a file stand `--- a/PATH` and `+++ b/PATH`; or name the file with `--file`"
            }
            ParseErrorKind::MissingName => {
                "a file is named by `--- a/PATH` and `+++ b/PATH`; with `-p` the names must have that many folders"
            }
            ParseErrorKind::StrayDiffLine => {
                "changed lines stand under a `@@` line, with no other text between"
            }
            ParseErrorKind::QuoteInNewFile => "every line of a new file begins with `+`",
            ParseErrorKind::Binary => "a diff of text; the content of a binary file cannot be patched",
            ParseErrorKind::SpecialFile => "a diff of a regular file; links and submodules are not changed",
            ParseErrorKind::Repaired(_) => {
                "strict mode takes the grammar to the letter; without `--strict` this would be read"
            }
        }
    }
}

impl Display for ParseErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseErrorKind::NoEnvelope => "there is no patch in the text",
            ParseErrorKind::Truncated => "the patch ends before `*** End Patch`",
            ParseErrorKind::NoHunks => "the patch is empty",
            ParseErrorKind::UnknownMarker => "unknown marker",
            ParseErrorKind::MissingPath | ParseErrorKind::MissingName => "the file name is missing",
            ParseErrorKind::NoChanges => "the update changes nothing",
            ParseErrorKind::EmptyChunk => "the chunk has no lines",
            ParseErrorKind::UnexpectedLine => "a line that belongs to no hunk",
            ParseErrorKind::MisplacedMarker => "a marker where none may stand",
            ParseErrorKind::UnsureSign => "cannot tell whether `+` is a sign here",
            ParseErrorKind::HunkOutside => "a hunk outside the envelope",
            ParseErrorKind::SeveralInJson => "the JSON text holds several patches",
            ParseErrorKind::NotUtf8 => "a line that is not UTF-8",
            ParseErrorKind::SeveralFormats => "the text may be of several formats",
            ParseErrorKind::NoBlocks => "there is no SEARCH/REPLACE block in the text",
            ParseErrorKind::BlockWithoutFile => "a block of no file",
            ParseErrorKind::MissingSearch => "`>>>>>>> REPLACE` without a `<<<<<<< SEARCH` before it",
            ParseErrorKind::MissingDivider => "the `=======` of the block is missing",
            ParseErrorKind::MissingReplace => "the `>>>>>>> REPLACE` of the block is missing",
            ParseErrorKind::SeveralDividers => "more than one `=======` in the block",
            ParseErrorKind::SameText => "the old and the new text are the same",
            ParseErrorKind::NoJson => "the text is not JSON",
            ParseErrorKind::NoEdits => "there is no edit in the JSON text",
            ParseErrorKind::NotAnEdit => "a value that is no edit",
            ParseErrorKind::MissingField => "a field is missing",
            ParseErrorKind::UnknownField => "an unknown field",
            ParseErrorKind::FieldTwice => "two fields that say the same thing",
            ParseErrorKind::WrongType => "a field of the wrong type",
            ParseErrorKind::NoDiff => "there is no unified diff in the text",
            ParseErrorKind::NoHunksInDiff => "the diff changes nothing",
            ParseErrorKind::HunkWithoutFile => "a hunk of no file",
            ParseErrorKind::StrayDiffLine => "a changed line that belongs to no hunk",
            ParseErrorKind::QuoteInNewFile => "a new file quotes an old line",
            ParseErrorKind::Binary => "a binary file",
            ParseErrorKind::SpecialFile => "not a regular file",
            ParseErrorKind::Repaired(kind) => return write!(f, "not strict grammar ({kind})"),
        })
    }
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "patch {}: {}", self.span, self.kind)?;
        if !self.found.is_empty() {
            write!(f, ": `{}`", self.found)?;
        }
        write!(f, " [{}]\n  {}", self.kind.code(), self.kind.expected())
    }
}

/// How much of a line an error shows, in characters.
const SHOWN: usize = 80;

impl ParseError {
    pub(super) fn new(span: Span, kind: ParseErrorKind, found: &str) -> Self {
        let start: String = found.chars().take(SHOWN).collect();
        let cut = if found.chars().nth(SHOWN).is_some() { "…" } else { "" };
        ParseError { span, kind, found: format!("{}{cut}", shown(&start)) }
    }
}

/// As much of a line as an error needs to show it, and to show that there is more.
pub(super) fn shortened(line: &str) -> &str {
    // A character has a byte at least.
    if line.len() <= SHOWN {
        return line;
    }
    line.char_indices().nth(SHOWN + 1).map_or(line, |(end, _)| &line[..end])
}

impl From<Repair> for ParseError {
    fn from(repair: Repair) -> Self {
        ParseError { span: repair.span, kind: ParseErrorKind::Repaired(repair.kind), found: String::new() }
    }
}

/// Everything that keeps a text from being a patch, in the order of the text; never empty.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ParseErrors(pub Vec<ParseError>);
