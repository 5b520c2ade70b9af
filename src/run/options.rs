//! What a caller asks for.

use std::num::NonZeroUsize;

use super::Caller;
use crate::format::{self, Format};
use crate::locate::{Ambiguity, Level, Matching};
use crate::plan::{self, Digest};

/// A patch that is to be applied.
///
/// The text is borrowed, so that a column of texts needs no copies. `Request::new` applies a text of any format with the
/// usual options.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request<'t> {
    /// The text that the model wrote.
    pub text: &'t str,
    /// The format of the text; [`Format::Auto`] to detect the format.
    pub format: Format,
    /// Whether files are changed.
    pub mode: Mode,
    /// How the text is read, where edits go, and what the report contains.
    pub options: Options,
}

/// Whether a run changes files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Makes all changes or no change.
    #[default]
    Apply,
    /// Changes nothing: the report describes the changes that would be made. With [`Details::diff`] the report contains
    /// the diff.
    Check,
}

/// How a text is parsed, how its edits are placed, and what the report contains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
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

impl<'t> Request<'t> {
    /// Applies a text of any format, with the usual options.
    pub fn new(text: &'t str) -> Self {
        Request { text, format: Format::Auto, mode: Mode::Apply, options: Options::default() }
    }

    /// Returns the request with the given format.
    #[must_use]
    pub fn with_format(self, format: Format) -> Self {
        Request { format, ..self }
    }

    /// Returns the request with the given mode.
    #[must_use]
    pub fn with_mode(self, mode: Mode) -> Self {
        Request { mode, ..self }
    }

    /// Returns the request with the given options.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Request { options, ..self }
    }
}

impl Options {
    /// Returns the options of [`format::parse`].
    pub fn reading(&self, format: Format) -> format::Options {
        format::Options {
            format,
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
