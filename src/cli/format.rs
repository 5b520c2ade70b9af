//! The commands that touch no file: what a patch looks like, and what a model is told.

use std::io::{self, Write};

use super::args::{Common, FmtArgs, GrammarArgs, Notation};
use super::voice::Stream;
use super::{Status, Stop, not_a_patch, patch_bytes, patch_text};
use crate::format::{Options, parse};
use crate::grammar::{INSTRUCTIONS, Part, lark};

/// Prints a patch as the canonical envelope.
pub(super) fn print_formatted(common: &Common, args: &FmtArgs) -> Result<Status, Stop> {
    let bytes = patch_bytes(args.patch.as_deref(), None)?;
    let text = patch_text(&bytes)?;
    let options = Options { strict: common.strict, accept_truncated: args.accept_truncated };
    let parsed = parse(&text, &options).into_result();
    let (patch, repairs) = parsed.map_err(|errors| not_a_patch(common, &errors))?;
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
