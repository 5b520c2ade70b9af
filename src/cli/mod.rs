//! The command line: the only part that reads arguments, prints, and has an exit status.

mod apply;
mod args;
mod batch;
mod convert;
mod folders;
mod format;
mod git;
mod help;
mod input;
mod interactive;
mod make;
mod options;
mod output;
mod parse;
mod progress;
mod recover;
mod reply;
mod undo;
mod usage_error;
mod values;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;

use self::args::{Args, Command};
use self::output::{Stream, Voice};
use crate::run::{Caller, Message, Outcome, Report, Status, Stopped};

/// Why a command ended early.
enum Stop {
    /// A report that is not yet rendered.
    Report(Box<Report>),
    /// A rendered text with its stream.
    Told(Status, Stream, String),
}

impl Stop {
    /// Ends a command with a message.
    fn new(status: Status, words: impl Into<String>) -> Self {
        Stop::of(message(status, false, &words.into()))
    }

    /// Ends a command with a message that begins with the statement that nothing was changed.
    fn unchanged(status: Status, words: impl Into<String>) -> Self {
        Stop::of(message(status, true, &words.into()))
    }

    /// Ends a command because of invalid arguments.
    fn wrong_usage(words: impl Into<String>) -> Self {
        let words = words.into().trim_end().to_owned();
        Stop::report(Report::of(Outcome::WrongUsage { words }))
    }

    fn of(stopped: Stopped) -> Self {
        Stop::report(Report::of(Outcome::Stopped(stopped)))
    }

    fn report(report: Report) -> Self {
        Stop::Report(Box::new(Report { caller: Caller::COMMAND, ..report }))
    }

    /// Writes the words, and returns the status.
    fn tell(self, voice: &Voice) -> Status {
        let (status, stream, words) = match self {
            Stop::Told(status, stream, words) => (status, stream, words),
            Stop::Report(report) => {
                let (stream, words) = voice.words(&report);
                (report.status(), stream, words)
            }
        };
        stream.write(&words);
        status
    }
}

/// Returns the message of the command for a run that ended without a change.
fn message(status: Status, says_unchanged: bool, text: &str) -> Stopped {
    let text = text.trim_end().to_owned();
    Stopped::Caller(Message { status, changed: false, says_unchanged, text })
}

/// Runs the program on the process's arguments and streams.
pub fn run() -> ExitCode {
    let said: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(run_with(&said))
}

/// Runs the program with these arguments, the name of the program first, on the process's streams. Returns the exit status.
pub fn run_with(said: &[OsString]) -> u8 {
    let args = match Args::read(said) {
        Ok(args) => args,
        Err(error) => return usage_error::tell(&error, said),
    };
    let result = match (&args.command, args.of_no_command()) {
        (Some(_), Some(what)) => Err(Stop::wrong_usage(format!("{what} does not go with a command"))),
        (Some(Command::Replace(replace)), None) => apply::replace(&args.common, replace),
        (Some(Command::Explain(explain)), None) => convert::explain(&args.common, explain),
        (Some(Command::Convert(convert)), None) => convert::convert(&args.common, convert),
        (Some(Command::Make(make)), None) => make::run(&args.common, make),
        (Some(Command::Batch(batch)), None) => batch::run(&args.common, batch),
        (Some(Command::Recover(recover)), None) => recover::run(&args.common, recover),
        (Some(Command::Fmt(fmt)), None) => format::print_formatted(&args.common, fmt),
        (Some(Command::Grammar(grammar)), None) => format::print_grammar(&args.common, grammar),
        (Some(Command::Instructions), None) => format::print_instructions(&args.common),
        (Some(Command::Help(help)), None) => help::print(help),
        (None, _) => match args.patch.reply {
            Some(style) => reply::run(&args, style),
            None => apply::patch(&args),
        },
    };
    result.unwrap_or_else(|stop| stop.tell(&Voice::new(&args.common))).code()
}

/// Returns the command line as data, for completions and manual pages.
pub fn command() -> clap::Command {
    Args::command()
}
