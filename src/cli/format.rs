//! The commands that touch no file: `fmt`, `grammar` and `instructions`.

use std::io::{self, Write};

use super::args::{Common, FmtArgs, GrammarArgs, Notation};
use super::input::{parsed, patch_bytes, patch_text};
use super::output::{write_content, write_product};
use super::stop::Stop;
use crate::format::Format;
use crate::grammar::{instructions, lark};
use crate::plan::HunkKind;
use crate::run::Status;

/// Prints a patch as the canonical envelope.
pub(super) fn print_formatted(common: &Common, args: &FmtArgs) -> Result<Status, Stop> {
    let bytes = patch_bytes(args.patch.as_deref(), common)?;
    let text = patch_text(&bytes)?;
    let (patch, repairs) = parsed(&text, common)?;
    if !patch.is_envelope() {
        let words = "an envelope cannot say all of this patch without its files: use `convert --to envelope`";
        return Err(Stop::new(Status::NotAPatch, words));
    }
    for repair in &repairs {
        let _ = writeln!(io::stderr(), "{repair}");
    }
    write_content(patch.to_string().as_bytes())?;
    Ok(Status::Applied)
}

/// Prints the grammar of the format that is asked for, or of the envelope.
pub(super) fn print_grammar(common: &Common, args: &GrammarArgs) -> Result<Status, Stop> {
    let without: Vec<HunkKind> = args.without.iter().copied().map(HunkKind::from).collect();
    let format = Format::from(common.reading.format);
    let Notation::Lark = args.notation;
    match lark(format, &without) {
        Some(grammar) => print(&grammar),
        None if format == Format::SearchReplace => {
            Err(no_words("--without is for the grammar of the envelope"))
        }
        None => {
            Err(no_words("there is a grammar of the envelope and one of SEARCH/REPLACE blocks, and no other"))
        }
    }
}

/// Prints the instructions for a model about the requested format, or about the envelope.
pub(super) fn print_instructions(common: &Common) -> Result<Status, Stop> {
    match instructions(common.reading.format.into()) {
        Some(instructions) => print(instructions),
        None => Err(no_words(
            "there are instructions for the envelope and for SEARCH/REPLACE blocks, and no others",
        )),
    }
}

fn no_words(words: &str) -> Stop {
    Stop::new(Status::NotAPatch, words)
}

fn print(text: &str) -> Result<Status, Stop> {
    write_product(text)?;
    Ok(Status::Applied)
}
