//! What a package of the program brings along beside it: manual pages, and completions for five shells, all made from the
//! command line's own definitions.
//!
//! ```sh
//! cargo run --example packaging -- FOLDER   # FOLDER/man/*.1 and FOLDER/completions/*
//! ```
//!
//! They are made here and not by the program, which would be larger by them for as long as it lives. The manual pages are
//! in `docs/man` as well; `tests/usage.rs` keeps them as they are made here.

use std::io::{self, Write};
use std::path::Path;

use clap::Command;
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
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut apply_patch::cli::command(), "apply-patch", &completions)?;
    }
    Ok(())
}

/// The manual pages by their names: the program's, and each command's.
pub(crate) fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut program = apply_patch::cli::command();
    // Only then a command has the options that all of them have, and its full name.
    program.build();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    std::iter::once(&program).chain(commands).map(page).collect()
}

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
    more.split("\n\n").try_for_each(|section| as_it_stands(section, &mut page))?;
    Ok((man.get_filename(), page))
}

/// A section of the help, its lines as they are broken there: a title with a colon, and what is under it.
fn as_it_stands(section: &str, page: &mut dyn Write) -> io::Result<()> {
    let Some((title, lines)) = section.split_once(":\n") else { return Ok(()) };
    let mut roff = Roff::new();
    roff.control("SH", [title.to_uppercase().as_str()]).control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff.to_writer(page)
}
