//! Writes the manual pages, the completions of five shells, and the reference of docs/cli.md, all from the definitions of the
//! command line.
//!
//! ```sh
//! cargo run --example packaging -- FOLDER   # FOLDER/man/*.1, FOLDER/completions/* and FOLDER/reference.md
//! ```
//!
//! An example does this, and not the program, because the program would be larger. `docs/man` and `docs/cli.md` contain copies;
//! `tests/usage.rs` checks that both are up to date.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

fn main() -> io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        return Err(io::Error::other("usage: cargo run --example packaging -- FOLDER"));
    };
    let (man, completions) = (Path::new(&folder).join("man"), Path::new(&folder).join("completions"));
    std::fs::create_dir_all(&man)?;
    std::fs::create_dir_all(&completions)?;
    for (name, page) in pages()? {
        std::fs::write(man.join(name), page)?;
    }
    std::fs::write(Path::new(&folder).join("reference.md"), reference())?;
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut apply_patch::cli::command(), "apply-patch", &completions)?;
    }
    Ok(())
}

/// Returns the definition of the program, and of each command that the help shows.
fn commands() -> Vec<Command> {
    let mut program = apply_patch::cli::command();
    // Adds the global options and the full name to each command.
    program.build();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    std::iter::once(&program).chain(commands).cloned().collect()
}

/// Returns the names and contents of the manual pages of the program and of each command.
pub(crate) fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    commands().iter().map(page).collect()
}

/// Returns the reference of the program and of each command as Markdown.
pub(crate) fn reference() -> String {
    let commands = commands();
    let mut text = String::new();
    for command in &commands {
        section(command, command.get_name() != "apply-patch", &mut text).expect("a string takes all");
    }
    text
}

/// Writes the section of a command. Global options are only in the section of the program.
fn section(command: &Command, is_sub: bool, text: &mut String) -> std::fmt::Result {
    let usage = command.clone().render_usage().to_string();
    let name =
        if is_sub { format!("apply-patch {}", command.get_name()) } else { command.get_name().to_owned() };
    writeln!(text, "\n## `{name}`\n")?;
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    writeln!(text, "{about}\n\n```text\n{}\n```", usage.trim_start_matches("Usage: "))?;
    let of_clap = |arg: &Arg| ["help", "version"].contains(&arg.get_id().as_str());
    let left_out = |arg: &Arg| arg.is_hide_set() || of_clap(arg) || is_sub && arg.is_global_set();
    let args: Vec<&Arg> = command.get_arguments().filter(|arg| !left_out(arg)).collect();
    let headings: BTreeSet<Option<&str>> = args.iter().map(|arg| arg.get_help_heading()).collect();
    for heading in headings {
        writeln!(text, "\n{}:\n", heading.unwrap_or("Arguments and options"))?;
        for arg in args.iter().filter(|arg| arg.get_help_heading() == heading) {
            item(arg, text)?;
        }
    }
    let more = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    for section in more.split("\n\n") {
        match section.split_once(":\n") {
            Some((title, lines)) => writeln!(text, "\n{title}:\n\n```text\n{lines}\n```")?,
            None if section.is_empty() => {}
            None => writeln!(text, "\n{section}")?,
        }
    }
    Ok(())
}

/// Writes an argument and its values as an item of a list.
fn item(arg: &Arg, text: &mut String) -> std::fmt::Result {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let short = arg.get_short().filter(|_| arg.get_long().is_some());
    let short = short.map(|short| format!("`-{short}`, ")).unwrap_or_default();
    writeln!(text, "- {short}`{arg}`: {}", help.replace("\n\n", ". ").replace('\n', " "))?;
    if arg.get_action().takes_values() {
        for value in arg.get_possible_values().iter().filter(|value| !value.is_hide_set()) {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            writeln!(text, "  - `{}`: {help}", value.get_name())?;
        }
    }
    Ok(())
}

/// Returns the name and the content of the manual page of a command.
fn page(command: &Command) -> io::Result<(String, Vec<u8>)> {
    let man = Man::new(command.clone()).source(concat!("apply-patch ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let more = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    more.split("\n\n").try_for_each(|section| verbatim(section, &mut page))?;
    Ok((man.get_filename(), page))
}

/// Writes a section of the help, a title with a colon and the lines below, without breaking the lines anew.
fn verbatim(section: &str, page: &mut dyn Write) -> io::Result<()> {
    let Some((title, lines)) = section.split_once(":\n") else { return Ok(()) };
    let mut roff = Roff::new();
    roff.control("SH", [title.to_uppercase().as_str()]).control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff.to_writer(page)
}
