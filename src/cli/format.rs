//! The commands that touch no file: what a patch looks like, and what a model is told.

use std::io::{self, Write};

use super::args::{Common, FmtArgs, GrammarArgs, Notation};
use super::voice::Stream;
use super::{Status, Stop, parsed, patch_bytes, patch_text};
use crate::grammar::{INSTRUCTIONS, Part, lark};

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
    Ok(print(&patch.to_string()))
}

pub(super) fn print_grammar(args: &GrammarArgs) -> Status {
    let without: Vec<Part> = args.without.iter().copied().map(Part::from).collect();
    match args.notation {
        Notation::Lark => print(&lark(&without)),
    }
}

pub(super) fn print_instructions() -> Status {
    print(INSTRUCTIONS)
}

fn print(text: &str) -> Status {
    Stream::Out.write(text);
    Status::Applied
}
