//! What an edit quotes beside what the document has: data, without algorithms and without sentences.

use std::num::NonZeroUsize;
use std::ops::Range;

use crate::patch::LineKind;

/// The place that comes nearest to what an edit quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nearest {
    /// The quoted lines with their lines of the document, in order, including unquoted lines of the document in
    /// between.
    pub lines: Vec<NearLine>,
    /// Lines of the document above `lines`, if the first quoted lines are missing there; at most [`Nearest::BESIDE`].
    pub before: Vec<ActualLine>,
    /// Lines of the document below `lines`, if the last quoted lines are missing there; at most [`Nearest::BESIDE`].
    pub after: Vec<ActualLine>,
    /// The line of `lines` that the guard refused, if any.
    pub in_doubt: Option<usize>,
    /// Whether `lines` are the result of the edit instead of its quote: the edit seems to be already made.
    pub made: bool,
    /// The edit quoted from the document, if the refused position is clear: see [`suggest`](crate::generate::suggest).
    pub mended: Option<Vec<MendedLine>>,
}

/// A quoted line and the line of the document at the nearest position; either may be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearLine {
    /// What was quoted.
    pub quoted: Option<QuotedLine>,
    /// The line of the document.
    pub actual: Option<ActualLine>,
    /// The difference between both.
    pub difference: Difference,
}

/// A line of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct QuotedLine {
    /// The line number in the patch text, 1-based; `None` if unknown.
    pub number: Option<NonZeroUsize>,
    /// The kind of the line in the edit.
    pub kind: LineKind,
    /// The text of the line.
    pub text: String,
}

/// A line of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ActualLine {
    /// Which, 0-based.
    pub line: usize,
    /// The text of the line; invalid bytes are replaced.
    pub text: String,
}

/// One of several positions that a report names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alternative {
    /// The first line of the position, 0-based.
    pub start: usize,
    /// The nearest line above that distinguishes the position; `None` if there is no such line.
    pub above: Option<TellingLine>,
    /// The two lines above the position, or all lines from `above` on if that line is near and no header.
    pub before: Vec<ActualLine>,
    /// The two lines below the position, and the lines of the position if the quote is inexact.
    pub after: Vec<ActualLine>,
}

/// A line above a position that is not above any competing position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TellingLine {
    /// Which, 0-based.
    pub line: usize,
    /// The text of the line.
    pub text: String,
    /// Whether the line begins the block of the position, and is unique: as a `@@` header it selects the position.
    pub header: bool,
}

impl Alternative {
    /// How many places are described.
    pub const MOST: usize = 32;

    /// The maximum number of positions that are counted.
    pub const COUNTED: usize = 1000;
}

impl NearLine {
    /// Returns whether both lines are equal.
    pub fn same(&self) -> bool {
        self.difference == Difference::Same
    }
}

impl Nearest {
    /// How many lines of the document are shown where quoted lines are missing at an end.
    pub const BESIDE: usize = 3;

    /// Returns the lines of the document from the first to the last partner of a quoted line, 0-based.
    pub fn place(&self) -> Range<usize> {
        let lines = self.lines.iter().filter_map(|line| line.actual.as_ref()).map(|actual| actual.line);
        lines.clone().min().unwrap_or_default()..lines.max().map_or(0, |last| last + 1)
    }

    /// Returns the lines of the document at and beside the position that were not quoted.
    pub fn unquoted(&self) -> impl Iterator<Item = &ActualLine> {
        let between = self.lines.iter().filter(|line| line.quoted.is_none());
        let between = between.filter_map(|line| line.actual.as_ref());
        self.before.iter().chain(between).chain(&self.after)
    }

    /// Returns the first of `lines` that differs.
    pub fn first_difference(&self) -> Option<usize> {
        self.lines.iter().position(|line| line.difference != Difference::Same)
    }

    /// Returns how many quoted lines the document contains there, in any spelling, and the number of quoted lines.
    pub fn alike(&self) -> (usize, usize) {
        let quoted = self.lines.iter().filter(|line| line.quoted.is_some());
        (quoted.clone().filter(|line| line.difference.is_equivalent()).count(), quoted.count())
    }
}

/// A line of a corrected edit: its kind, and its text.
pub type MendedLine = (LineKind, String);

/// The difference between a quoted line and its line of the document, from none to complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Difference {
    /// Not at all.
    Same,
    /// In trailing whitespace.
    TrailingSpace,
    /// In leading whitespace, and possibly in trailing whitespace.
    Indentation,
    /// By look-alikes (dashes, quotes, spaces) or Unicode forms.
    LookAlikes,
    /// By white space between words.
    Spacing,
    /// By a wrong code page.
    CodePage,
    /// In quotes or backslashes that only one side escapes.
    Escapes,
    /// By misspelt words.
    Misspelt,
    /// In some words or signs.
    Words,
    /// The lines are unrelated.
    Other,
    /// The document has no such line.
    NotInFile,
    /// The document's line was not quoted.
    NotQuoted,
}

impl Difference {
    /// Returns whether both lines have the same meaning, in any spelling.
    pub fn is_equivalent(self) -> bool {
        self <= Difference::Escapes
    }

    /// Returns a stable code for programs.
    pub fn code(self) -> &'static str {
        match self {
            Difference::Same => "same",
            Difference::TrailingSpace => "trailing-space",
            Difference::Indentation => "indentation",
            Difference::LookAlikes => "look-alikes",
            Difference::Spacing => "spacing",
            Difference::CodePage => "code-page",
            Difference::Escapes => "escapes",
            Difference::Misspelt => "misspelt",
            Difference::Words => "words",
            Difference::Other => "other",
            Difference::NotInFile => "not-in-file",
            Difference::NotQuoted => "not-quoted",
        }
    }
}
