//! Why a command ends before it has done its work.

use super::stream::Stream;
use crate::run::{Caller, Outcome, Report, Status, Stopped};

/// Why a command ended early.
pub(super) enum Stop {
    /// A report that is not yet rendered.
    Report(Box<Report>),
    /// A rendered text with its stream.
    Told(Status, Stream, String),
}

impl Stop {
    /// Ends a command with a message.
    pub(super) fn new(status: Status, words: impl Into<String>) -> Self {
        Stop::of(message(status, false, &words.into()))
    }

    /// Ends a command with a message that begins with the statement that nothing was changed.
    pub(super) fn unchanged(status: Status, words: impl Into<String>) -> Self {
        Stop::of(message(status, true, &words.into()))
    }

    /// Ends a command because of invalid arguments.
    pub(super) fn wrong_usage(words: impl Into<String>) -> Self {
        let words = words.into().trim_end().to_owned();
        Stop::report(Report::of(Outcome::WrongUsage { words }))
    }

    pub(super) fn of(stopped: Stopped) -> Self {
        Stop::report(Report::of(Outcome::Stopped(stopped)))
    }

    pub(super) fn report(report: Report) -> Self {
        Stop::Report(Box::new(Report { caller: Caller::COMMAND, ..report }))
    }
}

/// Returns the message of the command for a run that ended without a change.
pub(super) fn message(status: Status, says_unchanged: bool, text: &str) -> Stopped {
    let text = text.trim_end().to_owned();
    Stopped::Caller { status, changed: false, says_unchanged, text }
}
