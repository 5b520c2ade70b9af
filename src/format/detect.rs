//! Which format a text is of.

use std::fmt::{self, Display, Formatter};

use crate::format::envelope::lines;
use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::marker::{self, Marker};
use crate::format::{Event, Options};
use crate::format::{json_edit, search_replace, unified, unwrap};
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
    let shown = shown(text);
    let Some(first) = shown.first() else { return Format::Auto };
    if let Some(other) = shown.iter().find(|other| other.format != first.format) {
        let kind = ParseErrorKind::SeveralFormats;
        out(Event::Error(ParseError::new(Span::line(other.number), kind, other.line)));
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
    let text = unwrap::without_mark(text);
    json_edit::is_edit(text) || json_edit::has_fenced_edit(text) && shown(text).is_empty()
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
        } else if begins_block(line) {
            show(Format::SearchReplace);
            at = end_of_block(&rows, at);
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

/// The last line of a block, or the last one before the next block, or of the text.
fn end_of_block(rows: &[&str], begin: usize) -> usize {
    for (at, line) in rows.iter().enumerate().skip(begin + 1) {
        match search_replace::marker(line) {
            Some((search_replace::Marker::Replace, _)) => return at,
            Some((search_replace::Marker::Search, _)) => return at - 1,
            _ => {}
        }
    }
    rows.len() - 1
}
