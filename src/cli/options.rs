//! What the arguments mean: the options of the library.

use super::args::{
    AmbiguityArg, Common, CompatArg, ForArg, FormatArg, LevelArg, PartArg, PatchArgs, Writing,
};
use super::output::{Stream, Voice};
use crate::format::Format;
use crate::locate::{Ambiguity, Level};
use crate::plan::HunkKind;
use crate::run::{self, Caller, Details};
use crate::{apply, format, plan};

impl Common {
    /// Returns the options for parsing and placing.
    pub(super) fn options(&self, details: Details) -> run::Options {
        run::Options {
            format: self.reading.format.into(),
            check: self.check,
            strict: self.strict,
            accept_truncated: self.reading.accept_truncated,
            file: self.reading.file.clone(),
            strip: self.reading.strip,
            level: self.level(),
            ambiguity: self.ambiguity(),
            overwrite: self.overwrite || self.compat.is_some(),
            expect: self.expect.clone(),
            details,
            caller: Caller::COMMAND,
            threads: None,
        }
    }

    pub(super) fn reading(&self) -> format::Options {
        self.options(Details::default()).reading()
    }

    pub(super) fn planning(&self) -> plan::Options {
        self.options(Details::default()).planning()
    }

    /// Returns the details that the report of a run needs, and no others, because each detail takes time.
    pub(super) fn details(&self) -> Details {
        let stat = self.stat && !self.json;
        let for_model = Voice::new(self).reader(Stream::Out) == ForArg::Model;
        Details {
            lines: self.json || for_model && !(self.quiet || self.diff || stat),
            suggestion: self.suggest || self.json,
            diff: self.diff,
            trim: self.trim,
            stat,
            ..Details::default()
        }
    }

    fn level(&self) -> Level {
        match (self.level, self.compat) {
            (Some(LevelArg::Exact), _) => Level::Exact,
            (Some(LevelArg::Whitespace), _) | (None, Some(CompatArg::Codex)) => Level::Whitespace,
            (Some(LevelArg::Guarded), _) | (None, None) => Level::Guarded,
            (Some(LevelArg::Cascade), _) => Level::Cascade,
            (Some(LevelArg::ThreeTier), _) => Level::ThreeTier,
            (Some(LevelArg::Editkit), _) => Level::Editkit,
        }
    }

    fn ambiguity(&self) -> Ambiguity {
        match (self.ambiguity, self.compat) {
            (Some(AmbiguityArg::First), _) | (None, Some(CompatArg::Codex)) => Ambiguity::First,
            (Some(AmbiguityArg::Refuse) | None, _) => Ambiguity::Refuse,
        }
    }
}

impl PatchArgs {
    /// Returns the details for a run that applies a patch. Answers are for a model.
    pub(super) fn details(&self, usual: Details) -> Details {
        Details { undo: self.undo.is_some(), lines: usual.lines || self.reply.is_some(), ..usual }
    }
}

impl Writing {
    pub(super) fn options(&self) -> apply::Options {
        let usual = apply::Options::default();
        let longest_file = self.max_file_size.unwrap_or(usual.longest_file);
        let (sync, wait) = (!self.no_sync, !self.no_wait);
        // The process ends right after a run.
        apply::Options { sync, wait, longest_file, drop_in_background: true, ..usual }
    }
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Auto => Format::Auto,
            FormatArg::Envelope => Format::Envelope,
            FormatArg::SearchReplace => Format::SearchReplace,
            FormatArg::Edit => Format::Edit,
            FormatArg::Unified => Format::Unified,
            FormatArg::Hunks => Format::Hunks,
            FormatArg::NewFile => Format::NewFile,
        }
    }
}

impl From<PartArg> for HunkKind {
    fn from(part: PartArg) -> Self {
        match part {
            PartArg::Add => HunkKind::Add,
            PartArg::Delete => HunkKind::Delete,
            PartArg::Move => HunkKind::Move,
        }
    }
}
