//! Which format a text is of.

use std::fmt::{self, Display, Formatter};

use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::lines::{self, lines, lines_with};
use crate::format::marker::{self, Marker};
use crate::format::{Event, Options};
use crate::format::{json_edit, search_replace, unified, wrapper};
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
    /// Blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`.
    SearchReplace,
    /// Old/new edits, as the calls of edit tools in JSON.
    Edit,
    /// A unified diff, as git and GNU diff write it.
    Unified,
}

/// What the texts of a format are, as the subject of a sentence.
impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Auto | Format::Envelope => "an envelope",
            Format::SearchReplace => "a SEARCH/REPLACE block",
            Format::Edit => "an old/new edit",
            Format::Unified => "a unified diff",
        })
    }
}

/// The format of a text: the one that was asked for, or the one that it shows. Where it shows several, that is told.
pub(super) fn format<'a>(text: &'a str, options: &Options, out: &mut dyn FnMut(Event<'a>)) -> Format {
    if options.format != Format::Auto {
        return options.format;
    }
    let mut shown = shown(text);
    let Some(first) = shown.next() else { return Format::Auto };
    if let Some(other) = shown.find(|other| other.format != first.format) {
        let number = 1 + lines::count(other.above);
        out(Event::Error(ParseError::new(Span::line(number), ParseErrorKind::SeveralFormats, other.line)));
    }
    first.format
}

/// What the lines of a text have shown so far, where they come one by one.
#[derive(Debug, Default)]
pub(super) struct Signs {
    /// Whether the last line may be the first of the two that name a diff's file.
    below_name: bool,
    shown: Option<Format>,
}

impl Signs {
    /// Takes a line; gives the format that it shows, if that is one that is read line by line.
    pub(super) fn take(&mut self, line: &str) -> Option<Format> {
        let below_name = std::mem::replace(&mut self.below_name, line.starts_with("--- "));
        let is_diff = below_name && line.starts_with("+++ ")
            || line.starts_with("diff --git ")
            || unified::numbered_marker(line).is_some();
        let shows = if is_diff {
            Some(Format::Unified)
        } else if begins_block(line) {
            Some(Format::SearchReplace)
        } else {
            begins_envelope(line).then_some(Format::Envelope)
        };
        self.shown = self.shown.or(shows);
        self.shown.filter(|format| *format != Format::Unified)
    }

    /// The first format that was shown.
    pub(super) fn shown(&self) -> Option<Format> {
        self.shown
    }
}

/// Whether a line shows that the text is an envelope.
fn begins_envelope(line: &str) -> bool {
    marker::loose(line) == Some(Marker::Begin)
}

/// Whether a line shows that the text holds SEARCH/REPLACE blocks.
fn begins_block(line: &str) -> bool {
    matches!(search_replace::marker(line), Some((search_replace::Marker::Search, _)))
}

/// Whether a text is JSON that holds old/new edits.
pub(super) fn is_edit(text: &str) -> bool {
    let text = wrapper::without_mark(text);
    json_edit::is_edit(text) || json_edit::has_fenced_edit(text) && shown(text).next().is_none()
}

/// A line that shows a format.
struct Shown<'a> {
    format: Format,
    line: &'a str,
    above: &'a str,
}

/// What each format begins with, outside of what the others hold.
fn shown(text: &str) -> impl Iterator<Item = Shown<'_>> {
    let ends = EndLines::of(text);
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some((_, line, below)) = lines(rest).next() {
            let above = &text[..text.len() - rest.len()];
            let (format, behind) = begun(line, below, &ends);
            rest = behind;
            if let Some(format) = format {
                return Some(Shown { format, line, above });
            }
        }
        None
    })
}

/// The format that a line shows, and what follows all that it begins.
fn begun<'a>(line: &str, below: &'a str, ends: &EndLines) -> (Option<Format>, &'a str) {
    if begins_envelope(line) {
        (Some(Format::Envelope), ends.behind(below))
    } else if begins_block(line) {
        (Some(Format::SearchReplace), behind_block(below))
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

    /// What follows the line that ends the envelope whose lines begin a text: an indented one only where no other comes.
    fn behind<'a>(&self, inside: &'a str) -> &'a str {
        let first = |ends: &[usize]| ends[..ends.partition_point(|end| *end < inside.len())].last().copied();
        let behind = first(&self.plain).or_else(|| first(&self.indented)).unwrap_or_default();
        &inside[inside.len() - behind..]
    }
}

/// What follows the last line of a block; or the next block, where none does.
fn behind_block(inside: &str) -> &str {
    let mut rest = inside;
    for (_, line, behind) in lines(inside) {
        match search_replace::marker(line) {
            Some((search_replace::Marker::Replace, _)) => return behind,
            Some((search_replace::Marker::Search, _)) => return rest,
            _ => rest = behind,
        }
    }
    rest
}
