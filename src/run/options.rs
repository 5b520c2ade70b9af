//! What a caller asks for.

use std::num::NonZeroUsize;

use super::Caller;
use crate::format::{self, Format};
use crate::locate::{Ambiguity, Level, Matching};
use crate::plan::{self, Digest};

/// How a text is parsed, how its edits are placed, whether files are changed, and what the report contains. The default
/// applies a text of any format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[non_exhaustive]
pub struct Options {
    /// The format of the text; [`Format::Auto`], the default, to detect the format.
    pub format: Format,
    /// Changes nothing: the report describes the changes that would be made. With [`Details::diff`] the report contains the
    /// diff.
    pub check: bool,
    /// Whether grammar and names are strict: an error instead of a repair.
    pub strict: bool,
    /// Take a text that ends before `*** End Patch`. What is missing is missing.
    pub accept_truncated: bool,
    /// The file that a text without file names refers to.
    pub file: Option<String>,
    /// How many first folders the names of a unified diff have too many; `None`: guessed.
    pub strip: Option<usize>,
    /// How much a quote may differ from the file.
    pub level: Level,
    /// What is done where several positions match.
    pub ambiguity: Ambiguity,
    /// Whether Add and Move may replace a file that is there.
    pub overwrite: bool,
    /// Files that must be equal to the version that the model read: the name, as a patch would spell the name, and the SHA-256
    /// of what the model was shown.
    pub expect: Vec<(String, Digest)>,
    /// The optional parts of the report.
    pub details: Details,
    /// The names that the words of the report have for the caller's options and commands.
    pub caller: Caller,
    /// How many threads the run uses; `None` for as many as the machine has processors, at most 8. No thread outlives
    /// the call, unless [`apply::Options::drop_in_background`](crate::apply::Options::drop_in_background) requests a
    /// background thread.
    pub threads: Option<NonZeroUsize>,
}

/// The optional parts of a report. Each part takes time, and memory while the report exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[non_exhaustive]
pub struct Details {
    /// The lines that each change writes: for the words for a model, and for the JSON. On by default.
    pub lines: bool,
    /// After a refusal, a corrected patch, where the position of each edit is clear. On by default.
    pub suggestion: bool,
    /// The changes as a diff.
    pub diff: bool,
    /// Whether a diff leaves out the indentation that all lines of the diff have. Such a diff cannot be applied.
    pub trim: bool,
    /// How many lines of each file change.
    pub stat: bool,
    /// The whole content of each file after the change.
    pub contents: bool,
    /// The patch that takes the changes back. A run of which a patch cannot bring everything back is refused.
    pub undo: bool,
}

impl Default for Details {
    fn default() -> Self {
        Details {
            lines: true,
            suggestion: true,
            diff: false,
            trim: false,
            stat: false,
            contents: false,
            undo: false,
        }
    }
}

impl Options {
    /// Returns the options of [`format::parse`].
    pub fn reading(&self) -> format::Options {
        format::Options {
            format: self.format,
            strict: self.strict,
            accept_truncated: self.accept_truncated,
            file: self.file.clone(),
            strip: self.strip,
            separate_calls: false,
        }
    }

    /// Returns the options of [`plan::plan`](crate::plan::plan()).
    pub fn planning(&self) -> plan::Options {
        plan::Options {
            matching: Matching { level: self.level, ambiguity: self.ambiguity, literal: self.strict },
            overwrite: self.overwrite,
            threads: self.threads,
        }
    }
}
