//! The command `help`.

use clap::CommandFactory;

use super::args::{Args, HelpArgs};
use super::output::{Stream, write_product};
use super::stop::Stop;
use crate::run::Status;

/// Prints the help of a command, or of the program.
pub(super) fn print(args: &HelpArgs) -> Result<Status, Stop> {
    let mut program = Args::command();
    // Adds the global options to each command.
    program.build();
    let command = match &args.of {
        None => Some(&mut program),
        Some(name) => program.find_subcommand_mut(name),
    };
    let Some(command) = command else {
        let name = args.of.as_deref().unwrap_or_default();
        let words = format!("there is no command {name:?}\nUsage: apply-patch help [COMMAND]");
        return Err(Stop::wrong_usage(words));
    };
    let help = command.render_long_help();
    let look = Stream::Out.look();
    write_product(&if look.colour { help.ansi().to_string() } else { help.to_string() })?;
    Ok(Status::Applied)
}
