//! The thoughts that a model writes before its answer, between `<think>` and `</think>`. Edits in them are drafts.
//!
//! Chat templates of some models begin the answer inside the thoughts, so that the opening tag is missing. Without it,
//! the closing tag shows the drafts only after they were read: that is an error.

use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::lines::lines;
use crate::format::wrapper::without_mark;
use crate::patch::Span;

/// What opens and closes the thoughts.
const TAGS: &[(&str, &str)] = &[("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// The replacement of a line of the thoughts: text around the patch.
const HIDDEN: &str = "(thoughts)";

/// Returns whether a line that belongs to no edit ends the thoughts. What was written before is not the answer.
pub(super) fn ends(line: &str) -> bool {
    let line = line.trim();
    TAGS.iter().any(|(_, end)| line.starts_with(end) || line.ends_with(end))
}

/// Hides the thoughts that a text begins with, line by line.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Thoughts {
    part: Part,
    /// How many lines are before the thoughts, and then the number of their first line, 1-based.
    number: usize,
}

#[derive(Debug, Default, Clone, Copy)]
enum Part {
    /// Before the first line that is not blank.
    #[default]
    Before,
    /// In thoughts with these tags.
    Inside(&'static (&'static str, &'static str)),
    Behind,
}

impl Thoughts {
    /// Reads the next line. Returns a replacement if the line belongs to the thoughts: the rest of the
    /// line behind the closing tag, or else text around the patch.
    pub(super) fn hide<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        let mut text = line;
        if matches!(self.part, Part::Before) {
            self.number += 1;
            text = without_mark(line).trim_start();
            if text.is_empty() {
                return None;
            }
            let opened = TAGS.iter().find(|(begin, _)| text.starts_with(begin));
            self.part = opened.map_or(Part::Behind, Part::Inside);
        }
        let Part::Inside((_, end)) = self.part else { return None };
        let Some((_, behind)) = text.split_once(end) else { return Some(HIDDEN) };
        self.part = Part::Behind;
        Some(if behind.trim().is_empty() { HIDDEN } else { behind })
    }

    /// Returns whether later lines may belong to the thoughts.
    pub(super) fn may_hide(self) -> bool {
        !matches!(self.part, Part::Behind)
    }

    /// Returns the error of thoughts that have no end.
    pub(super) fn unfinished(self) -> Option<ParseError> {
        let Part::Inside((begin, _)) = self.part else { return None };
        Some(ParseError::new(Span::line(self.number), ParseErrorKind::Thoughts, begin))
    }
}

/// Returns a text with the thoughts that it begins with hidden, and the error where they have no end. The numbers of
/// the lines stay. `None` for a text that does not begin with thoughts.
pub(super) fn hidden(text: &str) -> Option<(String, Option<ParseError>)> {
    let mut thoughts = Thoughts::default();
    let mut shown = String::new();
    for (_, line, below) in lines(text) {
        match thoughts.hide(line) {
            Some(line) => shown.push_str(line),
            None if thoughts.may_hide() => shown.push_str(line),
            None => return None,
        }
        shown.push('\n');
        if !thoughts.may_hide() {
            return Some((shown + below, None));
        }
    }
    thoughts.unfinished().map(|error| (shown, Some(error)))
}
