//! The commands that touch no file: `fmt`, `grammar` and `instructions`.

use std::io::{self, Write};

use super::args::{Common, FmtArgs, GrammarArgs, Notation};
use super::input::{parsed, patch_bytes, patch_text};
use super::output::{write_content, write_product};
use super::stop::Stop;
use crate::format::Format;
use crate::grammar::{INSTRUCTIONS, Part, SEARCH_REPLACE_INSTRUCTIONS, SEARCH_REPLACE_LARK, lark};
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
    let without: Vec<Part> = args.without.iter().copied().map(Part::from).collect();
    match (Format::from(common.reading.format), args.notation) {
        (Format::Auto | Format::Envelope, Notation::Lark) => print(&lark(&without)),
        (Format::SearchReplace, Notation::Lark) if without.is_empty() => print(SEARCH_REPLACE_LARK),
        (Format::SearchReplace, _) => Err(no_words("--without is for the grammar of the envelope")),
        (Format::Edit | Format::Unified | Format::Hunks | Format::NewFile, _) => {
            Err(no_words("there is a grammar of the envelope and one of SEARCH/REPLACE blocks, and no other"))
        }
    }
}

/// Prints the instructions for a model about the requested format, or about the envelope.
pub(super) fn print_instructions(common: &Common) -> Result<Status, Stop> {
    match Format::from(common.reading.format) {
        Format::Auto | Format::Envelope => print(INSTRUCTIONS),
        Format::SearchReplace => print(SEARCH_REPLACE_INSTRUCTIONS),
        Format::Edit | Format::Unified | Format::Hunks | Format::NewFile => {
            let words =
                "there are instructions for the envelope and for SEARCH/REPLACE blocks, and no others";
            Err(no_words(words))
        }
    }
}

fn no_words(words: &str) -> Stop {
    Stop::new(Status::NotAPatch, words)
}

fn print(text: &str) -> Result<Status, Stop> {
    write_product(text)?;
    Ok(Status::Applied)
}
