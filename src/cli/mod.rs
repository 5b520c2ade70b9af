//! The command line: the only part that reads arguments, prints, and has an exit status.

mod apply;
mod args;
mod batch;
mod convert;
mod folders;
mod format;
mod git;
mod help;
mod help_texts;
mod hook;
mod input;
mod interactive;
mod make;
mod options;
mod output;
mod pair;
mod parse;
mod progress;
mod recover;
mod reply;
mod stop;
mod stream;
mod undo;
mod usage_error;
mod values;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;

use self::args::{Args, Command};
use self::output::Voice;
use self::stop::Stop;

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
    result.unwrap_or_else(|stop| Voice::new(&args.common).tell(stop)).code()
}

/// Returns the command line as data, for completions and manual pages.
pub fn command() -> clap::Command {
    Args::command()
}
