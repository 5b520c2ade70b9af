//! The `with_…` methods of all options: how a caller outside of this package sets a field, because the options may get more fields.

use std::num::NonZeroUsize;

use crate::apply;
use crate::format::{self, Format};
use crate::locate::{Ambiguity, Level, Matching};
use crate::plan::{self, Digest};
use crate::run::{self, Caller, Details};

impl format::Options {
    /// Sets [`format`](Self::format).
    #[must_use]
    pub fn with_format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// Sets [`strict`](Self::strict).
    #[must_use]
    pub fn with_strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// Sets [`accept_truncated`](Self::accept_truncated).
    #[must_use]
    pub fn with_accept_truncated(self, accept_truncated: bool) -> Self {
        Self { accept_truncated, ..self }
    }

    /// Sets [`file`](Self::file). `None` restores the default.
    #[must_use]
    pub fn with_file(self, file: impl Into<Option<String>>) -> Self {
        Self { file: file.into(), ..self }
    }

    /// Sets [`strip`](Self::strip). `None` restores the default.
    #[must_use]
    pub fn with_strip(self, strip: impl Into<Option<usize>>) -> Self {
        Self { strip: strip.into(), ..self }
    }

    /// Sets whether each call has its own hunks and its own errors, as [`run_each`](crate::run::run_each) reads a text.
    #[cfg(feature = "internals")]
    #[must_use]
    pub fn with_separate_calls(self, separate_calls: bool) -> Self {
        Self { separate_calls, ..self }
    }
}

impl Matching {
    /// Sets [`level`](Self::level).
    #[must_use]
    pub fn with_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// Sets [`ambiguity`](Self::ambiguity).
    #[must_use]
    pub fn with_ambiguity(self, ambiguity: Ambiguity) -> Self {
        Self { ambiguity, ..self }
    }

    /// Sets [`literal`](Self::literal).
    #[must_use]
    pub fn with_literal(self, literal: bool) -> Self {
        Self { literal, ..self }
    }
}

impl plan::Options {
    /// Sets how much a quote may differ from the file.
    #[must_use]
    pub fn with_level(self, level: Level) -> Self {
        Self { matching: self.matching.with_level(level), ..self }
    }

    /// Sets what is done where several positions match.
    #[must_use]
    pub fn with_ambiguity(self, ambiguity: Ambiguity) -> Self {
        Self { matching: self.matching.with_ambiguity(ambiguity), ..self }
    }

    /// Sets whether names and texts are used without a repair.
    #[must_use]
    pub fn with_literal(self, literal: bool) -> Self {
        Self { matching: self.matching.with_literal(literal), ..self }
    }

    /// Sets how chunks are placed.
    #[cfg(feature = "internals")]
    #[must_use]
    pub fn with_matching(self, matching: Matching) -> Self {
        Self { matching, ..self }
    }

    /// Sets [`overwrite`](Self::overwrite).
    #[must_use]
    pub fn with_overwrite(self, overwrite: bool) -> Self {
        Self { overwrite, ..self }
    }

    /// Sets [`threads`](Self::threads). `None` restores the default.
    #[must_use]
    pub fn with_threads(self, threads: impl Into<Option<NonZeroUsize>>) -> Self {
        Self { threads: threads.into(), ..self }
    }
}

impl apply::Options {
    /// Sets [`sync`](Self::sync).
    #[must_use]
    pub fn with_sync(self, sync: bool) -> Self {
        Self { sync, ..self }
    }

    /// Sets [`wait`](Self::wait).
    #[must_use]
    pub fn with_wait(self, wait: bool) -> Self {
        Self { wait, ..self }
    }

    /// Sets [`longest_file`](Self::longest_file).
    #[must_use]
    pub fn with_longest_file(self, longest_file: u64) -> Self {
        Self { longest_file, ..self }
    }

    /// Sets [`threads`](Self::threads). `None` restores the default.
    #[must_use]
    pub fn with_threads(self, threads: impl Into<Option<NonZeroUsize>>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// Sets [`drop_in_background`](Self::drop_in_background).
    #[must_use]
    pub fn with_drop_in_background(self, drop_in_background: bool) -> Self {
        Self { drop_in_background, ..self }
    }
}

impl run::Options {
    /// Sets [`format`](Self::format).
    #[must_use]
    pub fn with_format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// Sets [`check`](Self::check).
    #[must_use]
    pub fn with_check(self, check: bool) -> Self {
        Self { check, ..self }
    }

    /// Sets [`strict`](Self::strict).
    #[must_use]
    pub fn with_strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// Sets [`accept_truncated`](Self::accept_truncated).
    #[must_use]
    pub fn with_accept_truncated(self, accept_truncated: bool) -> Self {
        Self { accept_truncated, ..self }
    }

    /// Sets [`file`](Self::file). `None` restores the default.
    #[must_use]
    pub fn with_file(self, file: impl Into<Option<String>>) -> Self {
        Self { file: file.into(), ..self }
    }

    /// Sets [`strip`](Self::strip). `None` restores the default.
    #[must_use]
    pub fn with_strip(self, strip: impl Into<Option<usize>>) -> Self {
        Self { strip: strip.into(), ..self }
    }

    /// Sets [`level`](Self::level).
    #[must_use]
    pub fn with_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// Sets [`ambiguity`](Self::ambiguity).
    #[must_use]
    pub fn with_ambiguity(self, ambiguity: Ambiguity) -> Self {
        Self { ambiguity, ..self }
    }

    /// Sets [`overwrite`](Self::overwrite).
    #[must_use]
    pub fn with_overwrite(self, overwrite: bool) -> Self {
        Self { overwrite, ..self }
    }

    /// Sets [`expect`](Self::expect).
    #[must_use]
    pub fn with_expect(self, expect: Vec<(String, Digest)>) -> Self {
        Self { expect, ..self }
    }

    /// Sets [`details`](Self::details).
    #[must_use]
    pub fn with_details(self, details: Details) -> Self {
        Self { details, ..self }
    }

    /// Sets [`threads`](Self::threads). `None` restores the default.
    #[must_use]
    pub fn with_threads(self, threads: impl Into<Option<NonZeroUsize>>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// Sets [`caller`](Self::caller).
    #[must_use]
    pub fn with_caller(self, caller: Caller) -> Self {
        Self { caller, ..self }
    }
}

impl Details {
    /// Sets [`lines`](Self::lines).
    #[must_use]
    pub fn with_lines(self, lines: bool) -> Self {
        Self { lines, ..self }
    }

    /// Sets [`suggestion`](Self::suggestion).
    #[must_use]
    pub fn with_suggestion(self, suggestion: bool) -> Self {
        Self { suggestion, ..self }
    }

    /// Sets [`diff`](Self::diff).
    #[must_use]
    pub fn with_diff(self, diff: bool) -> Self {
        Self { diff, ..self }
    }

    /// Sets [`trim`](Self::trim).
    #[must_use]
    pub fn with_trim(self, trim: bool) -> Self {
        Self { trim, ..self }
    }

    /// Sets [`stat`](Self::stat).
    #[must_use]
    pub fn with_stat(self, stat: bool) -> Self {
        Self { stat, ..self }
    }

    /// Sets [`contents`](Self::contents).
    #[must_use]
    pub fn with_contents(self, contents: bool) -> Self {
        Self { contents, ..self }
    }

    /// Sets [`undo`](Self::undo).
    #[must_use]
    pub fn with_undo(self, undo: bool) -> Self {
        Self { undo, ..self }
    }
}
