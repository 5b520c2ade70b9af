//! What an edit quotes beside what the document has: data, without algorithms and without sentences.

use std::num::NonZeroUsize;
use std::ops::Range;

use crate::patch::LineKind;

/// The place that comes nearest to what an edit quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The quoted lines beside those of the document, in order; lines of the document that stand between them and were
    /// not quoted are among them.
    pub lines: Vec<NearLine>,
    /// Which of `lines` raised the guard's doubt, if it is one of them.
    pub in_doubt: Option<usize>,
    /// Whether `lines` are those that the edit makes, rather than those that it quotes: the edit seems to be made.
    pub made: bool,
    /// The edit quoted from the document, where the place is clear though it was not taken: see
    /// [`suggest`](crate::generate::suggest).
    pub mended: Option<Vec<MendedLine>>,
}

/// A quoted line beside the document's at the nearest place; one of the two may be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearLine {
    /// What was quoted.
    pub quoted: Option<QuotedLine>,
    /// What stands there.
    pub actual: Option<ActualLine>,
    /// How they differ.
    pub difference: Difference,
}

/// A line of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedLine {
    /// Its line in the patch text, 1-based; `None` if it is not known.
    pub number: Option<NonZeroUsize>,
    /// What was to become of it.
    pub kind: LineKind,
    /// Its text.
    pub text: String,
}

/// A line of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActualLine {
    /// Which, 0-based.
    pub line: usize,
    /// Its text; bytes that are none are replaced.
    pub text: String,
}

/// One of several places that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// Its first line, 0-based.
    pub start: usize,
    /// The nearest line above it that tells it from the others; `None` where none does.
    pub above: Option<TellingLine>,
}

/// A line that only one of several places has above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TellingLine {
    /// Which, 0-based.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// Whether it begins the block that the place is in, and stands only once: as a `@@` header it leads there.
    pub header: bool,
}

impl Alternative {
    /// How many places are described.
    pub const MOST: usize = 32;

    /// With so many places or more, their number is not known.
    pub const COUNTED: usize = 1000;
}

impl NearLine {
    /// Whether the two are the same.
    pub fn same(&self) -> bool {
        self.difference == Difference::Same
    }
}

impl Nearest {
    /// The lines of the document from the first to the last that stands for a quoted one, 0-based.
    pub fn place(&self) -> Range<usize> {
        let lines = || self.lines.iter().filter_map(|line| line.actual.as_ref()).map(|actual| actual.line);
        lines().min().unwrap_or_default()..lines().max().map_or(0, |last| last + 1)
    }

    /// The first of `lines` that is not the same in both.
    pub fn first_difference(&self) -> Option<usize> {
        self.lines.iter().position(|line| line.difference != Difference::Same)
    }

    /// Of the quoted lines, how many the document has there, however they are written; and how many there are.
    pub fn alike(&self) -> (usize, usize) {
        let quoted = || self.lines.iter().filter(|line| line.quoted.is_some());
        (quoted().filter(|line| line.difference.is_equivalent()).count(), quoted().count())
    }
}

/// A line of an edit: what becomes of it, and its text.
pub type MendedLine = (LineKind, String);

/// How a quoted line differs from the line of the document that stands in its place, from nothing to everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Difference {
    /// Not at all.
    Same,
    /// By white space at its end.
    TrailingSpace,
    /// By white space at its beginning, and perhaps at its end.
    Indentation,
    /// By look-alikes (dashes, quotes, spaces) or Unicode forms.
    LookAlikes,
    /// By white space between words.
    Spacing,
    /// It was read through a wrong code page.
    CodePage,
    /// By quotes or backslashes that are escaped in one of the two only.
    Escapes,
    /// By misspelt words.
    Misspelt,
    /// By some of its words or signs.
    Words,
    /// It is another line.
    Other,
    /// The document has no line for it.
    NotInFile,
    /// The document's line was not quoted.
    NotQuoted,
}

impl Difference {
    /// Whether both lines say the same, however they are written.
    pub fn is_equivalent(self) -> bool {
        self <= Difference::Escapes
    }

    /// A stable name for programs.
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
