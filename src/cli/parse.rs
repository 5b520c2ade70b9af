//! Parses the command line quickly.

use std::ffi::OsString;
use std::mem::ManuallyDrop;

use clap::{CommandFactory, Parser, Subcommand};

use super::args::{Args, Command, Common, PatchArgs};

/// [`Args`] without the commands.
#[derive(Debug, Parser)]
#[command(name = "apply-patch", version)]
struct Plain {
    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    patch: PatchArgs,
}

impl Args {
    /// As [`Args::try_parse_from`](clap::Parser::try_parse_from), but in less time.
    pub(super) fn read(said: &[OsString]) -> Result<Args, clap::Error> {
        // Building the definitions of the commands takes a quarter of the instructions of a small run, and most runs
        // name no command. So the first attempt leaves out the commands; if that attempt fails, the arguments are
        // parsed again with all commands, because an error message lists the commands.
        let is_command = |word: &OsString| word.to_str().is_some_and(Command::has_subcommand);
        if !said.iter().skip(1).any(is_command)
            && let Ok(Plain { common, patch }) =
                parsed(Plain::command().mut_args(|arg| arg.global(false)), said)
        {
            return Ok(Args { command: None, common, patch });
        }
        parsed(Args::command(), said)
    }
}

/// Leaks the definitions and the matches, which the end of the process frees. The values are moved out of the matches:
/// [`from_arg_matches`](clap::FromArgMatches::from_arg_matches) would copy all of them first.
fn parsed<A: Parser>(command: clap::Command, said: &[OsString]) -> Result<A, clap::Error> {
    let mut command = ManuallyDrop::new(command);
    let mut matches = ManuallyDrop::new(command.try_get_matches_from_mut(said)?);
    A::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options of every kind, values that are names of commands, misspelt commands, and errors.
    const LINES: &[&str] = &[
        "",
        "a.patch",
        "-C dir --check --diff -q",
        "--match exact --ambiguity first --strict -p 1 --file replace",
        "--undo explain -i a.patch",
        "replac",
        "-- replace",
        "replace file --old a --new b --check",
        "--check replace file --old a --new b",
        "explain a.patch",
        "help replace",
        "--chek",
        "--match wrong",
        "a b",
        "-h",
        "--help",
        "--version",
        "-i --json",
    ];

    #[test]
    fn what_is_read_without_the_commands_is_what_is_read_with_them() {
        for line in LINES {
            let said: Vec<OsString> =
                std::iter::once("apply-patch").chain(line.split_whitespace()).map(OsString::from).collect();
            let shown = |read: Result<Args, clap::Error>| match read {
                Ok(args) => format!("{args:?}"),
                Err(error) => error.render().to_string(),
            };
            assert_eq!(shown(Args::read(&said)), shown(parsed(Args::command(), &said)), "{line}");
        }
    }
}
