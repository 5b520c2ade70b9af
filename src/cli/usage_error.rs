//! Wrong usage: what was said that cannot be understood, told to whoever said it.
//!
//! Where the arguments cannot be read, so neither can those that say whom the words are for; these few are looked for by
//! themselves.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::ErrorKind;
use rapidfuzz::distance::osa;

use super::Stop;
use super::args::Args;
use super::output::Voice;
use crate::run::Status;

/// One letter in so many of a command may be wrong.
const MISSPELT: usize = 3;

/// Tells what is wrong with the arguments; or prints the help or the version, if these were asked for.
pub(super) fn tell(error: &clap::Error, said: &[OsString]) -> ExitCode {
    if !error.use_stderr() {
        // A closed pipe is nothing to complain about.
        let _ = error.print();
        return ExitCode::from(Status::Applied.code());
    }
    let mut words = words(error);
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(command) = plain(said).find_map(command_meant)
    {
        words.extend(["\n  tip: there is a command `", &command, "`"]);
    }
    ExitCode::from(Stop::wrong_usage(words).tell(&Voice::said_in(said)).code())
}

/// What the error says, without the frame that it has at a terminal.
fn words(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let says = |line: &&str| !line.trim().is_empty() && !line.starts_with("For more information");
    text.lines().filter(says).collect::<Vec<_>>().join("\n")
}

/// The arguments that are no options.
fn plain(said: &[OsString]) -> impl Iterator<Item = &str> {
    let all = said.iter().skip(1).map_while(|word| word.to_str().filter(|word| *word != "--"));
    all.filter(|word| !word.starts_with('-'))
}

/// The command that a word may be meant for.
pub(super) fn command_meant(word: &str) -> Option<String> {
    let program = Args::command();
    let mut names = program.get_subcommands().filter(|command| !command.is_hide_set());
    let is_meant = |name: &str| {
        let wrong = osa::distance(word.to_lowercase().chars(), name.chars());
        (1..=(name.len() / MISSPELT).max(1)).contains(&wrong)
    };
    names.find(|command| is_meant(command.get_name())).map(|command| command.get_name().to_owned())
}
