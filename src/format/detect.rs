//! Which format a text is of.

use crate::format::call::text;
use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::lines::{self, lines, lines_with};
use crate::format::marker::{self, Marker, Outside};
use crate::format::{Event, Format, Options};
use crate::format::{block_marker, hunks, unified};
use crate::patch::Span;

/// Returns the requested format of a text, or the detected format. Several detected formats are an error.
pub(super) fn format<'a>(text: &'a str, options: &Options, out: &mut dyn FnMut(Event<'a>)) -> Format {
    if options.format != Format::Auto {
        return options.format;
    }
    let mut shown = shown(text);
    let Some(first) = shown.next() else {
        let is_of_file = options.file.is_some() && hunks::is_headerless(text);
        return if is_of_file { hunks::format(text) } else { Format::Auto };
    };
    if let Some(other) = shown.find(|other| other.format != first.format) {
        let number = 1 + lines::count(other.above);
        out(Event::Error(ParseError::new(Span::line(number), ParseErrorKind::SeveralFormats, other.line)));
    }
    first.format
}

/// The formats that the lines of a text have shown so far, for a text that arrives line by line.
#[derive(Debug, Default)]
pub(super) struct FormatSigns {
    /// Whether the last line may be the first of the two that name a diff's file.
    below_name: bool,
    /// Whether the last line that is not blank was a tag that may open a call.
    below_tag: bool,
    shown: Option<Format>,
}

impl FormatSigns {
    /// Adds a line; returns the format that the line shows, if the format is parsed line by line.
    pub(super) fn take(&mut self, line: &str) -> Option<Format> {
        let below_name = std::mem::replace(&mut self.below_name, line.starts_with("--- "));
        let is_diff = below_name && line.starts_with("+++ ")
            || line.starts_with("diff --git ")
            || unified::numbered_marker(line).is_some();
        let is_call = text::opens(line, None) || self.below_tag && text::opens_behind_tag(line);
        if !line.trim().is_empty() {
            self.below_tag = text::is_open_tag(line);
        }
        let shows = if is_call {
            Some(Format::Edit)
        } else if is_diff {
            Some(Format::Unified)
        } else if begins_block(line) {
            Some(Format::SearchReplace)
        } else {
            begins_envelope(line).then_some(Format::Envelope)
        };
        self.shown = self.shown.or(shows);
        self.shown.filter(|format| !matches!(format, Format::Unified | Format::Edit))
    }

    /// Returns the first detected format.
    pub(super) fn shown(&self) -> Option<Format> {
        self.shown
    }
}

/// Returns whether a line shows that the text is an envelope.
fn begins_envelope(line: &str) -> bool {
    marker::loose(line) == Some(Marker::Begin)
}

/// Returns whether a line shows that the text contains SEARCH/REPLACE blocks.
fn begins_block(line: &str) -> bool {
    matches!(block_marker::marker(line), Some((block_marker::BlockMarker::Search, _)))
}

/// Returns whether a text shows a format that is parsed line by line.
pub(super) fn shows(text: &str) -> bool {
    shown(text).next().is_some()
}

/// Returns whether the first line of a text that is not blank, and not a fence, shows a format that is parsed line by
/// line.
pub(super) fn begins(text: &str) -> bool {
    let is_around = |line: &str| matches!(marker::outside(line), Outside::Blank | Outside::Fence);
    let ends = EndLines::of(text);
    let mut rest = text;
    while let Some((_, line, below)) = lines(rest).next() {
        if !is_around(line) {
            return begun(rest, line, below, &ends).0.is_some();
        }
        rest = below;
    }
    false
}

/// A line that shows a format.
struct FormatLine<'a> {
    format: Format,
    line: &'a str,
    above: &'a str,
}

/// Returns the lines that begin a format, outside the bodies of other formats.
fn shown(text: &str) -> impl Iterator<Item = FormatLine<'_>> {
    let ends = EndLines::of(text);
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some((_, line, below)) = lines(rest).next() {
            let above = &text[..text.len() - rest.len()];
            let (format, behind) = begun(rest, line, below, &ends);
            rest = behind;
            if let Some(format) = format {
                return Some(FormatLine { format, line, above });
            }
        }
        None
    })
}

/// Returns the format that the first line of `rest` shows, and the text after the whole body.
fn begun<'a>(rest: &'a str, line: &str, below: &'a str, ends: &EndLines) -> (Option<Format>, &'a str) {
    if begins_envelope(line) {
        (Some(Format::Envelope), ends.behind(below))
    } else if begins_block(line) {
        (Some(Format::SearchReplace), behind_block(below))
    } else if text::begins_call(rest, line) {
        (Some(Format::Edit), text::behind(rest))
    } else if unified::is_file_header(line, below) {
        (Some(Format::Unified), below)
    } else if let Some(counts) = unified::numbered_marker(line) {
        (Some(Format::Unified), unified::behind_counted(below, counts))
    } else {
        (None, below)
    }
}

/// The `*** End Patch` lines of a text: how many bytes follow each, from the last line to the first.
struct EndLines {
    plain: Vec<usize>,
    indented: Vec<usize>,
}

impl EndLines {
    fn of(text: &str) -> Self {
        let ends = lines_with(text, "***").filter(|(line, _)| marker::is_loose_end(line));
        let (indented, plain): (Vec<_>, Vec<_>) = ends.partition(|(line, _)| line.starts_with([' ', '\t']));
        let behind = |lines: Vec<(&str, &str)>| lines.iter().rev().map(|(_, rest)| rest.len()).collect();
        EndLines { plain: behind(plain), indented: behind(indented) }
    }

    /// Returns the text after the last line of the envelope that begins here; an indented end counts only if there is
    /// no other end.
    fn behind<'a>(&self, inside: &'a str) -> &'a str {
        let first = |ends: &[usize]| ends[..ends.partition_point(|end| *end < inside.len())].last().copied();
        let behind = first(&self.plain).or_else(|| first(&self.indented)).unwrap_or_default();
        &inside[inside.len() - behind..]
    }
}

/// Returns the text after the last line of a block; or the next block, if the end is missing.
fn behind_block(inside: &str) -> &str {
    let mut rest = inside;
    for (_, line, behind) in lines(inside) {
        match block_marker::marker(line) {
            Some((block_marker::BlockMarker::Replace, _)) => return behind,
            Some((block_marker::BlockMarker::Search, _)) => return rest,
            _ => rest = behind,
        }
    }
    rest
}
