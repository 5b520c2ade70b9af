//! Text → [`Patch`], and back.
//!
//! The format is described in `grammar/README.md`. [`parse`] reads everything that has one reading, and lists
//! what it had to [repair](Repair); in [strict mode](Options::strict) it takes just the grammar. All errors of
//! a text are found at once, each with its line, what stood there, and what may stand there. Time and memory
//! are linear in the text.
//!
//! This module knows no files. Where a line can be read in two ways, it says so ([`Line::signed`]) and leaves
//! the choice to [`plan`](crate::plan).
//!
//! [`Line::signed`]: crate::patch::Line::signed

mod envelope;
mod error;
mod marker;
mod owned;
mod repair;
mod unwrap;
mod write;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use self::error::{ParseError, ParseErrorKind, ParseErrors};
pub use self::repair::{Repair, RepairKind};
use crate::patch::Patch;

/// How a text is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Take the grammar to the letter: what would have been repaired is an error.
    pub strict: bool,
    /// Take a text that ends before `*** End Patch`. A cut-off answer cannot be told from a whole one, so
    /// that this is the caller's risk.
    pub accept_truncated: bool,
}

/// What a text holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// The patch; where there are errors, what could be read of it.
    pub patch: Patch<'a>,
    /// What was repaired, in the order of the text.
    pub repairs: Vec<Repair>,
    /// What keeps the text from being a patch, in the order of the text.
    pub errors: Vec<ParseError>,
}

impl<'a> Parsed<'a> {
    /// The patch and its repairs, or everything that is wrong with it.
    ///
    /// # Errors
    /// All errors of the text, if there is one.
    pub fn into_result(self) -> Result<(Patch<'a>, Vec<Repair>), ParseErrors> {
        if self.errors.is_empty() { Ok((self.patch, self.repairs)) } else { Err(ParseErrors(self.errors)) }
    }
}

/// Reads a patch.
///
/// ```
/// use apply_patch::format::{Options, RepairKind, parse};
///
/// let text = "*** Begin Patch\n*** Update File: a.txt\n-old\n+new\n*** End Patch\n";
/// let parsed = parse(text, &Options::default());
/// assert_eq!(parsed.patch.hunks[0].path, "a.txt");
/// // The `@@` was missing; that has one reading, and is reported.
/// assert_eq!(parsed.repairs[0].kind, RepairKind::MissingChunkMarker);
///
/// let strict = parse(text, &Options { strict: true, ..Options::default() });
/// assert_eq!(strict.errors[0].span.first, 3);
/// ```
pub fn parse<'a>(text: &'a str, options: &Options) -> Parsed<'a> {
    let (text, mut repairs) = match unwrap::unwrap(text) {
        Ok(unwrapped) => unwrapped,
        Err(error) => return Parsed { patch: Patch::default(), repairs: Vec::new(), errors: vec![error] },
    };
    let (patch, found, mut errors) = match text {
        Cow::Borrowed(text) => {
            let reading = envelope::read(text, options);
            (reading.patch, reading.repairs, reading.errors)
        }
        Cow::Owned(text) => {
            let reading = envelope::read(&text, options);
            (reading.patch.into_owned(), reading.repairs, reading.errors)
        }
    };
    repairs.extend(found);
    repairs.sort_by_key(|repair| repair.span.first);
    if options.strict {
        errors.extend(repairs.drain(..).map(ParseError::from));
    }
    errors.sort_by_key(|error| error.span.first);
    Parsed { patch, repairs, errors }
}
