//! The advice that depends on the caller: sentences with the caller's names for options and commands.

use crate::apply::{ApplyError, chain};
use crate::format::{ParseError, ParseErrorKind};
use crate::plan::{Failure, FailureKind, ReadError};
use crate::run::Caller;

impl Caller {
    /// Returns the words for a parse error, with what the caller can do about the error.
    pub(in crate::report) fn parse_error(&self, error: &ParseError) -> String {
        format!("{error}{}", self.about_parse_error(&error.kind))
    }

    /// Returns what a text may have instead, with what the caller can do about the error.
    pub(in crate::report) fn expected(&self, kind: &ParseErrorKind) -> String {
        format!("{}{}", kind.expected(), self.about_parse_error(kind))
    }

    /// Returns the end of a sentence; empty where no option of the caller helps.
    fn about_parse_error(&self, kind: &ParseErrorKind) -> String {
        match kind {
            ParseErrorKind::BlockWithoutFile | ParseErrorKind::HunkWithoutFile => {
                with(self.file, |file| format!("; or name the file with `{file}`"))
            }
            ParseErrorKind::SeveralFormats => {
                with(self.format, |format| format!(", or name the format with `{format}`"))
            }
            ParseErrorKind::MissingName => with(self.strip, |strip| {
                format!(
                    "; `{strip}` drops leading directories, and the name needs more directories than that"
                )
            }),
            ParseErrorKind::Repaired(_) => {
                with(self.strict, |strict| format!("; without `{strict}` this text is accepted"))
            }
            _ => String::new(),
        }
    }

    /// Returns the words for a failure, with what the caller can do about the failure.
    pub(in crate::report) fn failure(&self, failure: &Failure) -> String {
        format!("{failure}{}", self.about_failure(&failure.kind))
    }

    fn about_failure(&self, kind: &FailureKind) -> String {
        match kind {
            FailureKind::Target { kind, .. } => self.about_failure(kind),
            FailureKind::Read(ReadError::TooLong { .. }) => {
                with(self.max_file_size, |size| format!("; `{size}` sets the limit"))
            }
            _ => String::new(),
        }
    }

    /// Returns an error between a plan and the disk, with its causes and with what the caller can do.
    pub(in crate::report) fn apply_error(&self, error: &ApplyError) -> String {
        format!("{}{}", chain(error), self.about_apply_error(error))
    }

    fn about_apply_error(&self, error: &ApplyError) -> String {
        let (recover, abandon) = (self.recover, self.abandon);
        match error {
            ApplyError::Unfinished { .. } => {}
            ApplyError::Halted { .. } => {
                return with(recover, |recover| format!("; run `{recover}` once that is put right"));
            }
            _ => return String::new(),
        }
        let put_back = match recover {
            Some(recover) => format!("; put the file back and run `{recover}`"),
            None => "; put the file back: the next run then finishes the earlier run".to_owned(),
        };
        let give_up = with(abandon, |abandon| format!(", or give the earlier patch up with `{abandon}`"));
        put_back + &give_up
    }

    /// Returns what to do after a run that found files half changed by an earlier one.
    pub(in crate::report) fn after_interruption(&self) -> String {
        match self.recover {
            Some(recover) => format!("; run `{recover}` first"),
            None => "; the next run that applies a patch recovers them".to_owned(),
        }
    }

    /// Returns what to do after a check that found a patch to fit.
    pub(in crate::report) fn after_check(&self, text_asked: bool) -> String {
        match self.dry_run {
            _ if text_asked => {
                "Next: to make the change, send the same again without the dry run that the text asks for."
                    .to_owned()
            }
            Some(dry_run) => {
                format!("Next: to make the change, send the same again without `{dry_run}`.")
            }
            None => "Next: nothing is changed yet; to make the change, apply the patch.".to_owned(),
        }
    }

    /// Returns how the caller replaces a text at all positions, as the end of a sentence.
    pub(in crate::report) fn or_all(&self) -> String {
        with(self.replace_all, |all| format!(", or change all positions with `{all}`"))
    }

    /// Returns the first half of a sentence about an undo that is not possible.
    pub(in crate::report) fn without_undo(&self) -> String {
        with(self.undo, |undo| format!("; without `{undo}` the patch would be applied"))
    }

    /// Returns where a patch that is suggested instead of a replacement can be sent.
    pub(in crate::report) fn takes_patch(&self) -> String {
        with(self.patch, |patch| format!("; `{patch}` applies it as a patch"))
    }

    /// Returns where the options are explained, as the end of a sentence.
    pub(in crate::report) fn shows_options(&self) -> String {
        with(self.help, |help| format!("; `{help}` shows all options, and examples"))
    }
}

/// Returns words with a name; nothing where the caller has no name.
fn with(name: Option<&str>, words: impl FnOnce(&str) -> String) -> String {
    name.map(words).unwrap_or_default()
}
