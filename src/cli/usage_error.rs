//! Reports wrong usage: invalid arguments.
//!
//! If the arguments cannot be parsed, the options for the reader of the message cannot be parsed either; a separate
//! search finds these few options.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::ErrorKind;
use rapidfuzz::distance::osa;

use super::args::Args;
use super::output::Voice;
use super::stop::Stop;
use crate::run::Status;
use crate::text::shown;

/// A command may have one wrong letter for this many letters.
const MISSPELT: usize = 3;

/// Tells what is wrong with the arguments; or prints the help or the version, if these were asked for.
pub(super) fn tell(error: &clap::Error, said: &[OsString]) -> u8 {
    if !error.use_stderr() {
        // A closed pipe is nothing to complain about.
        let _ = error.print();
        return Status::Applied.code();
    }
    let mut words = words(error);
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(command) = plain(said).find_map(command_meant)
    {
        words.extend(["\n  tip: there is a command `", &command, "`"]);
    }
    Voice::said_in(said).tell(Stop::wrong_usage(words)).code()
}

/// Returns the message of the error without the layout for a terminal.
fn words(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let says = |line: &&str| !line.trim().is_empty() && !line.starts_with("For more information");
    // An argument is quoted as it is.
    text.lines().filter(says).map(|line| shown(line).to_string()).collect::<Vec<_>>().join("\n")
}

/// Returns the arguments that are not options.
fn plain(said: &[OsString]) -> impl Iterator<Item = &str> {
    let all = said.iter().skip(1).map_while(|word| word.to_str().filter(|word| *word != "--"));
    all.filter(|word| !word.starts_with('-'))
}

/// Returns the command that a misspelt word may mean; `None` if no command is similar.
pub(super) fn command_meant(word: &str) -> Option<String> {
    let program = Args::command();
    let mut names = program.get_subcommands().filter(|command| !command.is_hide_set());
    let is_meant = |name: &str| {
        let wrong = osa::distance(word.to_lowercase().chars(), name.chars());
        (1..=(name.len() / MISSPELT).max(1)).contains(&wrong)
    };
    names.find(|command| is_meant(command.get_name())).map(|command| command.get_name().to_owned())
}
