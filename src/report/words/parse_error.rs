//! The words for what makes a text not a patch.

use std::fmt::{self, Display, Formatter};

use crate::format::{ParseError, ParseErrorKind, ParseErrors};

impl Display for ParseErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseErrorKind::NoEnvelope => "there is no patch in the text",
            ParseErrorKind::WholeFile => {
                "a file name and the whole text of the file in a fence, which is no patch"
            }
            ParseErrorKind::LineRange => "an edit by line numbers, as the windowed editor of SWE-agent takes",
            ParseErrorKind::Truncated => "the patch ends before `*** End Patch`",
            ParseErrorKind::NoHunks => "the patch is empty",
            ParseErrorKind::UnknownMarker => "unknown marker",
            ParseErrorKind::MissingPath | ParseErrorKind::MissingName => "the file name is missing",
            ParseErrorKind::NoChanges => "the update changes nothing",
            ParseErrorKind::EmptyChunk => "the chunk has no lines",
            ParseErrorKind::UnexpectedLine => "a line that belongs to no hunk",
            ParseErrorKind::MisplacedMarker => "a marker at a position that allows no marker",
            ParseErrorKind::UnsureSign => "cannot tell whether `+` is a sign here",
            ParseErrorKind::HunkOutside => "a hunk of `apply_patch` outside the envelope",
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
            ParseErrorKind::KeyTwice => "a JSON object has a key twice",
            ParseErrorKind::NoEdits => "there is no edit in the JSON text",
            ParseErrorKind::NotAnEdit => "a value that is no edit",
            ParseErrorKind::MissingField(_) => "a field is missing",
            ParseErrorKind::UnknownField(_) => "an unknown field",
            ParseErrorKind::FieldTwice(_) => "two fields with the same meaning",
            ParseErrorKind::WrongType(_) => "a field of the wrong type",
            ParseErrorKind::NoDiff => "there is no unified diff in the text",
            ParseErrorKind::NoHunksInDiff => "the diff changes nothing",
            ParseErrorKind::HunkWithoutFile => "a hunk of no file",
            ParseErrorKind::TwoNames => "the names of two files in the diff of one",
            ParseErrorKind::UnfinishedHunk => "the diff ends in a hunk that has more lines by its counts",
            ParseErrorKind::StrayDiffLine => "a changed line that belongs to no hunk",
            ParseErrorKind::QuoteInNewFile => "a new file quotes an old line",
            ParseErrorKind::Binary => "a binary file",
            ParseErrorKind::SpecialFile => "not a regular file",
            ParseErrorKind::UnfinishedCall => "the call is not finished",
            ParseErrorKind::UnclearSetting => "a setting beside the patch is not clear",
            ParseErrorKind::UnknownArgument => "an unknown word in the command",
            ParseErrorKind::NoArguments => "the arguments of the call cannot be read",
            ParseErrorKind::OtherTool => "a call that is no edit",
            ParseErrorKind::NeedsModel => "an edit that leaves lines out",
            ParseErrorKind::TwoFiles => "two files in one call",
            ParseErrorKind::Thoughts => "edits in the thoughts, which are not the answer",
            ParseErrorKind::Repaired(kind) => return write!(f, "not strict grammar ({kind})"),
        })
    }
}

impl ParseErrorKind {
    /// Returns what the text may have instead. No option of a caller is named.
    pub fn expected(&self) -> &'static str {
        match self {
            ParseErrorKind::NoEnvelope => "a patch begins with a line `*** Begin Patch`",
            ParseErrorKind::WholeFile => {
                "a whole file is `*** Add File: PATH` between `*** Begin Patch` and `*** End Patch`, each line with `+` before it; to change a file that is there, send only the changes, as `*** Update File: PATH` or as SEARCH/REPLACE blocks"
            }
            ParseErrorKind::LineRange => {
                "a change quotes the lines that go: `*** Update File: PATH` between `*** Begin Patch` and `*** End Patch`, or a SEARCH/REPLACE block"
            }
            ParseErrorKind::Truncated => {
                "a patch ends with a line `*** End Patch`; without it, a cut-off answer cannot be distinguished from a whole one: send the whole patch again"
            }
            ParseErrorKind::NoHunks => {
                "between `*** Begin Patch` and `*** End Patch` is at least one `*** Add File: PATH`, `*** Delete File: PATH` or `*** Update File: PATH`"
            }
            ParseErrorKind::UnknownMarker => {
                "the markers are `*** Add File: PATH`, `*** Delete File: PATH`, `*** Update File: PATH`, `*** Move to: PATH`, `*** End of File` and `*** End Patch`"
            }
            ParseErrorKind::MissingPath => "the marker wants a file name after its colon",
            ParseErrorKind::NoChanges => {
                "under `*** Update File:` is `*** Move to: PATH`, a chunk (`@@` and lines), or both"
            }
            ParseErrorKind::EmptyChunk => "under a `@@` header are lines that begin with a space, `-` or `+`",
            ParseErrorKind::UnexpectedLine => {
                "expected here: `*** Add File: PATH`, `*** Delete File: PATH`, `*** Update File: PATH` or `*** End Patch`"
            }
            ParseErrorKind::MisplacedMarker => {
                "an envelope is one `*** Begin Patch` … `*** End Patch`; `*** Move to:` is used once, right under `*** Update File:`; `*** End of File` ends a chunk; `*** Environment ID:` is used once, right under `*** Begin Patch`"
            }
            ParseErrorKind::UnsureSign => {
                "every line of a new file begins with `+`; here some do and the first does not, so whether `+` is a sign or text is unknown"
            }
            ParseErrorKind::HunkOutside => "every hunk is between `*** Begin Patch` and `*** End Patch`",
            ParseErrorKind::SeveralInJson => "one JSON text holds one patch",
            ParseErrorKind::NotUtf8 => "a patch is text in UTF-8",
            ParseErrorKind::SeveralFormats => "one text is of one format; send one of them",
            ParseErrorKind::Thoughts => "send the patch alone, without `<think>` and `</think>`",
            ParseErrorKind::NoBlocks => {
                "a block is a line with the file name, `<<<<<<< SEARCH`, the lines that go, `=======`, the lines that come, `>>>>>>> REPLACE`"
            }
            ParseErrorKind::BlockWithoutFile => {
                "right above `<<<<<<< SEARCH` is a line with the file name alone"
            }
            ParseErrorKind::MissingSearch => {
                "a block begins with `<<<<<<< SEARCH`; a line of text that begins as a marker does has a backslash before it"
            }
            ParseErrorKind::MissingDivider => {
                "between `<<<<<<< SEARCH` and `>>>>>>> REPLACE` is a line `=======`"
            }
            ParseErrorKind::MissingReplace => {
                "a block ends with `>>>>>>> REPLACE`; without it, a cut-off answer cannot be distinguished from a whole one: send the whole block again"
            }
            ParseErrorKind::SeveralDividers => {
                "one line `=======` parts a block in two; where it is text it has a backslash before it: `\\=======`"
            }
            ParseErrorKind::SameText => {
                "the new text differs from the old one; leave out an edit that changes nothing"
            }
            ParseErrorKind::NoDiff => {
                "a unified diff has lines `--- a/PATH` and `+++ b/PATH`, and below them `@@ -LINE,COUNT +LINE,COUNT @@` and lines that begin with a space, `-` or `+`"
            }
            ParseErrorKind::NoHunksInDiff => {
                "under the names is `@@ -LINE,COUNT +LINE,COUNT @@` with lines that begin with a space, `-` or `+`"
            }
            ParseErrorKind::HunkWithoutFile => {
                "above the first `@@` of a file are `--- a/PATH` and `+++ b/PATH`"
            }
            ParseErrorKind::MissingName => "a file is named by `--- a/PATH` and `+++ b/PATH`",
            ParseErrorKind::TwoNames => {
                "`---` and `+++` name the same file; where it gets a new name, add `rename from OLD` and `rename to NEW`"
            }
            ParseErrorKind::UnfinishedHunk => {
                "a cut-off answer cannot be distinguished from wrong counts here: send the whole diff again, with the counts of its lines in each `@@` line"
            }
            ParseErrorKind::StrayDiffLine => {
                "changed lines are under a `@@` line, with no other text between"
            }
            ParseErrorKind::QuoteInNewFile => "every line of a new file begins with `+`",
            ParseErrorKind::Binary => "a diff of text; the content of a binary file cannot be patched",
            ParseErrorKind::SpecialFile => "a diff of a regular file; links and submodules are not changed",
            ParseErrorKind::Repaired(_) => "strict mode takes the grammar exactly",
            call => call.expected_of_call(),
        }
    }
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "patch {}: ", self.span)?;
        if let Some(tool) = &self.tool {
            write!(f, "call of `{tool}`: ")?;
        }
        write!(f, "{}", self.kind)?;
        if !self.found.is_empty() {
            write!(f, ": `{}`", self.found)?;
        }
        write!(f, " [{}]\n  {}", self.kind.code(), self.kind.expected())
    }
}

impl Display for ParseErrors {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (nth, error) in self.kept.iter().enumerate() {
            write!(f, "{}{error}", if nth == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}
