//! Parses a patch without an envelope: the hunks of a file, or the lines of a new file. The caller names the file.
//!
//! This is the `diff` of OpenAI's `apply_patch_call`, and the input for a harness that knows the file. The rules are
//! those of an envelope, from the line below `*** Update File:` or `*** Add File:` on.

use std::borrow::Cow;

use crate::format::envelope::{Reader, State};
use crate::format::error::ParseErrorKind;
use crate::format::lines::lines;
use crate::format::marker::{self, Marker};
use crate::format::{Event, Format, Options, RepairKind};
use crate::patch::{Action, SharedSlice};

/// Returns whether all lines of a text have a sign or are headers, and some line is a change.
pub(super) fn is_headerless(text: &str) -> bool {
    let is_of_patch = |line: &str| {
        line.is_empty()
            || line.starts_with(['+', '-', ' ', '@'])
            || marker::exact(line) == Some(Marker::EndOfFile)
    };
    let first = lines(text).find(|(_, line, _)| !line.trim().is_empty());
    let begins = first.is_some_and(|(_, line, _)| line.starts_with("@@") || line.starts_with(['+', '-']));
    (begins || lines(text).any(|(_, line, _)| line.starts_with("@@")))
        && lines(text).all(|(_, line, _)| is_of_patch(line))
        && lines(text).any(|(_, line, _)| line.starts_with(['+', '-']))
}

/// Returns which of the two formats a text is of: all lines of a new file have `+`.
pub(super) fn format(text: &str) -> Format {
    let is_added = lines(text).all(|(_, line, _)| line.starts_with('+'));
    if is_added { Format::NewFile } else { Format::Hunks }
}

/// Parses a whole text in one of the two formats.
pub(super) fn read<'a>(text: &'a str, format: Format, options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    let mut state = State::new(options);
    let mut reader = Reader { state: &mut state, out };
    begin(&mut reader, format, options);
    for (number, line, rest) in lines(text) {
        reader.decided_line(number, line, rest);
    }
    reader.finish();
}

/// Opens the hunk whose lines follow.
pub(super) fn begin(reader: &mut Reader<'_, '_>, format: Format, options: &Options) {
    let action = match format {
        Format::NewFile => Action::Add(SharedSlice::default()),
        _ => Action::Update { move_to: None, chunks: Vec::new() },
    };
    let file = options.file.clone().unwrap_or_default();
    reader.begin_headerless(Cow::Owned(file.clone()), action);
    if file.is_empty() {
        reader.error(1, ParseErrorKind::HunkWithoutFile, "");
    }
}

impl<'a> Reader<'_, 'a> {
    /// Reports a repair that strict mode does not refuse.
    pub(super) fn note(&mut self, number: usize, kind: RepairKind) {
        if !self.state.options.strict {
            self.repair(number, kind);
        }
    }

    /// Begins a text that is the body of a single hunk.
    fn begin_headerless(&mut self, path: Cow<'a, str>, action: Action<'a>) {
        (self.state.envelopes, self.state.headerless) = (1, true);
        self.give_hunk(1, path, action);
    }
}
