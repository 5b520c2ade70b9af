//! Parses a text to a [`Patch`](crate::patch::Patch), and writes a patch as text.
//!
//! `grammar/README.md` describes the format. [`parse`] accepts every text with a single clear reading, and lists the
//! [repairs](Repair); [strict mode](Options::strict) accepts exactly the grammar. All errors of a text are found at
//! once, each with its line, the text found, and the text expected. Time and memory are linear in the text. [`Stream`]
//! parses by the same rules a text that is still being written, and emits the result of each line as an [`Event`];
//! a [`Parsed`] collects events.
//!
//! This module does not read files. If a line can be read in two ways, the line is marked ([`Line::signed`]) and
//! [`plan`](crate::plan) decides.
//!
//! [`Line::signed`]: crate::patch::Line::signed

mod assemble;
mod block_marker;
mod body;
mod call;
mod conflict;
mod detect;
mod diff_file;
mod envelope;
mod error;
mod event;
mod file_name;
mod hunks;
mod lines;
mod marker;
mod no_envelope;
mod open_hunk;
mod options;
mod owned;
mod parsed;
mod repair;
mod script;
mod script_lines;
mod search_replace;
mod shell;
mod signs;
mod stream;
mod thoughts;
mod unified;
mod wrapper;
mod write;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use self::call::Call;
pub use self::error::{ParseError, ParseErrors};
pub use self::event::Event;
pub use self::options::{Format, Options};
pub use self::parsed::Parsed;
pub use self::repair::Repair;
pub use self::stream::Stream;

pub(crate) use self::block_marker::escaped as escape_line;
pub(crate) use self::error::excerpt;
pub(crate) use self::file_name::is_plain as is_plain_name;

/// What the rest of the crate uses beyond the API; public with the feature `internals`.
#[cfg_attr(not(feature = "internals"), allow(unused_imports, reason = "only the tests use some"))]
mod internals {
    pub use super::assemble::Assembly;
    pub use super::call::{CallShape, Protocol};
    pub use super::error::ParseErrorKind;
    pub use super::repair::RepairKind;
    pub use crate::text::{DecodeError, decode};
}
#[cfg(not(feature = "internals"))]
pub(crate) use self::internals::*;
#[cfg(feature = "internals")]
pub use self::internals::*;

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
/// let strict = parse(text, &Options::default().with_strict(true));
/// assert_eq!(strict.errors[0].span.first, 3);
/// ```
pub fn parse<'a>(text: &'a str, options: &Options) -> Parsed<'a> {
    let mut assembly = Assembly::with_room_for(text);
    read_whole(text, options, &mut |event| assembly.push(event));
    assembly.finish()
}

/// Unpacks a text and parses the content.
fn read_whole<'a>(text: &'a str, options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    let hidden = if options.format.is_of_file() { None } else { thoughts::hidden(text) };
    if let Some((text, unfinished)) = hidden {
        read_shown(&text, options, &mut |event| out(event.into_owned()));
        if let Some(error) = unfinished {
            out(Event::Error(error));
        }
        return;
    }
    read_shown(text, options, out);
}

/// Unpacks and parses a text without thoughts.
fn read_shown<'a>(text: &'a str, options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    let is_call = options.format == Format::Edit
        || may_be_call(options.format) && call::is_meant(text)
        || options.format == Format::Auto && call::is_unknown_edit(text);
    if is_call {
        return call::read(wrapper::without_mark(text), options, read_plain, out);
    }
    let (text, unpacked) =
        if options.format.is_of_file() { wrapper::unmarked(text) } else { wrapper::unwrap(text) };
    for kind in unpacked {
        out(Event::repaired(1, kind, options));
    }
    match text {
        Cow::Borrowed(text) => read_plain(text, options, out),
        Cow::Owned(text) => read_plain(&text, options, &mut |event| out(event.into_owned())),
    }
}

/// Returns whether a text may be a call of an edit tool although another format is requested: an envelope may be in a
/// call.
fn may_be_call(format: Format) -> bool {
    matches!(format, Format::Auto | Format::Envelope)
}

/// Parses an unpacked text in its format.
fn read_plain<'a>(text: &'a str, options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    if conflict::is_meant(text, options) {
        return conflict::read(text, options, out);
    }
    match detect::format(text, options, out) {
        Format::Edit => call::read(text, options, read_plain, out),
        Format::SearchReplace => search_replace::read(text, options, out),
        Format::Unified => unified::read(text, options, out),
        format @ (Format::Hunks | Format::NewFile) => hunks::read(text, format, options, out),
        Format::Auto | Format::Envelope => envelope::read(text, options, out),
    }
}
