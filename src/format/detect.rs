//! Which format a text is of.

use crate::format::envelope::lines;
use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::marker::{self, Marker};
use crate::format::unified;
use crate::format::{Event, Options};
use crate::patch::Span;

/// The formats in which an edit can be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Whichever the text itself shows. One that may be of two is an error.
    #[default]
    Auto,
    /// `*** Begin Patch` to `*** End Patch`
    Envelope,
    /// A unified diff, as git and GNU diff write it.
    Unified,
}

/// The format of a text: the one that was asked for, or the one that it shows. Where it shows several, that is told.
pub(super) fn format<'a>(text: &'a str, options: &Options, out: &mut dyn FnMut(Event<'a>)) -> Format {
    if options.format != Format::Auto {
        return options.format;
    }
    let shown = shown(text);
    let Some(first) = shown.first() else { return Format::Auto };
    if let Some(other) = shown.iter().find(|other| other.format != first.format) {
        let kind = ParseErrorKind::SeveralFormats;
        out(Event::Error(ParseError::new(Span::line(other.number), kind, other.line)));
    }
    first.format
}

/// Whether a line shows that the text is an envelope.
pub(super) fn begins_envelope(line: &str) -> bool {
    marker::loose(line) == Some(Marker::Begin)
}

/// A line that shows a format.
struct Shown<'a> {
    format: Format,
    /// 1-based.
    number: usize,
    line: &'a str,
}

/// What each format begins with, outside of what the others hold.
fn shown(text: &str) -> Vec<Shown<'_>> {
    let rows: Vec<&str> = lines(text).map(|(_, line, _)| line).collect();
    let mut shown = Vec::new();
    let mut at = 0;
    while let Some(line) = rows.get(at).copied() {
        let mut show = |format| shown.push(Shown { format, number: at + 1, line });
        if begins_envelope(line) {
            show(Format::Envelope);
            at = end_of_envelope(&rows, at);
        } else if unified::is_file_header(line, rows.get(at + 1).copied()) {
            show(Format::Unified);
        } else if let Some(counts) = unified::numbered_marker(line) {
            show(Format::Unified);
            at = unified::behind_counted(&rows, at, counts);
        }
        at += 1;
    }
    shown
}

/// The line of the `*** End Patch` that ends an envelope, or the last line.
fn end_of_envelope(rows: &[&str], begin: usize) -> usize {
    let ends = |line: &&str| marker::loose(line) == Some(Marker::End) && !line.starts_with([' ', '\t']);
    let end = rows[begin..].iter().position(ends);
    let indented = || rows[begin..].iter().position(|line| marker::loose(line) == Some(Marker::End));
    end.or_else(indented).map_or(rows.len() - 1, |behind| begin + behind)
}
