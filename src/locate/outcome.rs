//! What became of the edits of a document: data, without algorithms and without sentences.
//!
//! Lines of a document are 0-based here, as everywhere in the library.

use std::ops::Range;

use super::Tier;
use super::comparison::{Alternative, Nearest};
use crate::patch::LineKind;
use crate::text::Replacement;

/// The place that was taken for an edit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placement {
    /// How its lines were compared.
    pub tier: Tier,
    /// What the differences cost together, in tenths of a misspelt word; 0 where the quote stands line for line.
    pub cost: u32,
    /// The first line of the place, 0-based, in the document as it was, or, under [`Drift::AfterEarlier`], as
    /// the edits before it left it.
    pub start: usize,
    /// How many lines it adds.
    pub added: usize,
    /// How many lines it removes.
    pub removed: usize,
    /// What differed between the edit and the document.
    pub drift: Vec<Drift>,
}

/// What became of all edits of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placed {
    /// For each edit its place, or why it has none.
    pub outcomes: Vec<Result<Placement, Miss>>,
    /// What all placed edits together do to the document: sorted by place, without overlaps.
    pub replacements: Vec<Replacement<'static>>,
}

/// One difference between what an edit says and what the document holds, reported with every inexact match.
///
/// Lines of the document are 0-based here, as everywhere in the library; sentences about them count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Drift {
    /// The quoted lines stand there only under a looser comparison.
    Lines {
        /// How they were compared.
        tier: Tier,
        /// The lines of the document that differ from the quote.
        lines: Vec<usize>,
        /// How many lines were quoted.
        of: usize,
    },
    /// Quoted lines that the document does not have there.
    Missing {
        /// How many.
        lines: usize,
    },
    /// Lines of the document that stand between the quoted ones, and were not quoted; they stay.
    Skipped {
        /// The lines.
        lines: Vec<usize>,
    },
    /// One of the origin's replacers, tiers or strategies found the place.
    Replacer {
        /// Its name.
        name: &'static str,
    },
    /// A line of dots stands for lines that were not quoted.
    Elided,
    /// Characters in added lines that had come through a wrong code page were put right.
    Ungarbled,
    /// The quote had entities (`&lt;`) for signs that the document has (`<`): all lines were read without them.
    Entities,
    /// Added lines were escaped as the document is.
    Reescaped,
    /// The added lines were brought to the document's indentation.
    Reindented,
    /// Dashes, quotes or spaces in added lines were written as the document writes them.
    LookAlikesMended,
    /// Lines without a sign, or with `-` or `+` as a list item, were read as context.
    Signs,
    /// A line without a sign between added lines is not in the file, and was added.
    AddedWithoutSign,
    /// The quoted lines had been copied with their line numbers.
    LineNumbersDropped,
    /// Empty lines at an end of the chunk were not part of the quote.
    BlankEnds,
    /// A `@@` header stands nowhere; the chunk had one place without it.
    HeaderMissing {
        /// The header's text.
        header: String,
    },
    /// A `@@` header is only a part of a line.
    HeaderInPart {
        /// The header's text.
        header: String,
        /// The line that holds it.
        line: usize,
    },
    /// The place is not behind the chunk before this one.
    OutOfOrder,
    /// The place is not behind the header, or not in what the header introduces.
    OutsideHeader,
    /// `*** End of File`, but the place is not the end.
    NotAtEnd,
    /// Several places were alike, and the line numbers of a unified diff chose.
    LineNumbers {
        /// How many places there were.
        of: usize,
    },
    /// Several places were alike, and the first was taken, as the caller wished.
    First {
        /// How many places there were.
        of: usize,
    },
    /// A chunk that changes nothing, and stands nowhere.
    AnchorMissing,
    /// The chunk quotes what an earlier one wrote, or stands where an earlier one had to be applied first.
    AfterEarlier,
    /// An earlier chunk makes the same change.
    SameChange,
    /// The chunk removes and adds the same lines: nothing changes.
    NoChange,
    /// The chunk's result stands there already: nothing is done twice.
    AlreadyApplied,
}

impl Drift {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Drift::Lines { .. } => "lines",
            Drift::Missing { .. } => "missing",
            Drift::Skipped { .. } => "skipped",
            Drift::Replacer { .. } => "replacer",
            Drift::Elided => "elided",
            Drift::Ungarbled => "ungarbled",
            Drift::Entities => "entities",
            Drift::Reescaped => "reescaped",
            Drift::Reindented => "reindented",
            Drift::LookAlikesMended => "look-alikes-mended",
            Drift::Signs => "signs",
            Drift::AddedWithoutSign => "added-without-sign",
            Drift::LineNumbersDropped => "line-numbers-dropped",
            Drift::BlankEnds => "blank-ends",
            Drift::HeaderMissing { .. } => "header-missing",
            Drift::HeaderInPart { .. } => "header-in-part",
            Drift::OutOfOrder => "out-of-order",
            Drift::OutsideHeader => "outside-header",
            Drift::NotAtEnd => "not-at-end",
            Drift::LineNumbers { .. } => "line-numbers",
            Drift::First { .. } => "first",
            Drift::AnchorMissing => "anchor-missing",
            Drift::AfterEarlier => "after-earlier",
            Drift::SameChange => "same-change",
            Drift::NoChange => "no-change",
            Drift::AlreadyApplied => "already-applied",
        }
    }

    /// Whether the quote was not the document's text to the letter, or not where it was said to be: what a model
    /// can do better next time.
    pub fn is_inexact(&self) -> bool {
        !matches!(
            self,
            Drift::LineNumbers { .. }
                | Drift::First { .. }
                | Drift::AfterEarlier
                | Drift::SameChange
                | Drift::NoChange
                | Drift::AlreadyApplied
                | Drift::Replacer { .. }
        )
    }
}

/// An edit that could not be placed. Lines of the document are 0-based; sentences about them count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// Why.
    pub reason: Reason,
    /// The loosest way in which the quoted lines were compared with the document: the one that found a place, or the
    /// last of the level. All tighter ones were tried before it.
    pub tried: Tier,
    /// The `@@` headers that were not found.
    pub missing_headers: Box<[String]>,
    /// The place that was not taken, or else the one that comes nearest.
    pub nearest: Option<Box<Nearest>>,
    /// The places that are alike, in the order of the document, the first [`Alternative::MOST`] of them.
    pub alternatives: Vec<Alternative>,
    /// The explanations of the edit that decided: two that write different bytes, or the one that is not taken.
    pub candidates: Box<[Candidate]>,
    /// The same whenever the same lines are asked of the same document, and hardly ever otherwise: a harness sees
    /// by it that a model goes round in circles.
    pub fingerprint: u64,
}

/// One explanation of an edit: where it is, what it would write, and what it costs. Lines are 0-based; costs are in tenths
/// of a nat (23 is "one in ten").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The lines from the first to the last that is quoted.
    pub lines: Range<usize>,
    /// What all differences cost together.
    pub cost: u32,
    /// What it would cost to say that the quote is not in the file: the evidence for the explanation.
    pub null: u32,
    /// Whether the edit was made before, by this explanation. The rows are then those of the result.
    pub made: bool,
    /// How the indentation of the quote becomes that of the file.
    pub indentation: String,
    /// What each quoted line contributes.
    pub rows: Vec<CandidateRow>,
    /// What would be replaced, or what keeps that from being known.
    pub result: Result<Vec<Replacement<'static>>, Doubt>,
}

/// What one quoted line contributes to an explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateRow {
    /// What becomes of the line.
    pub kind: LineKind,
    /// The line as it is read.
    pub text: String,
    /// The line of the document that it is paired with, 0-based.
    pub line: Option<usize>,
    /// What the difference costs.
    pub cost: u32,
    /// How much the line speaks for the explanation.
    pub evidence: u32,
}

/// Why an edit could not be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The old lines stand nowhere.
    NotFound,
    /// The edit only adds lines, and nothing says where.
    NothingQuoted,
    /// Several places are alike.
    Ambiguous {
        /// The first line of each place, ascending; not all of them where there are very many.
        places: Vec<usize>,
    },
    /// Another edit changes the same line, or inserts at the same point.
    Overlap {
        /// The line.
        line: usize,
    },
    /// A place was found, and is not safe to take.
    Doubt {
        /// The lines of the place; of [`Doubt::LooksApplied`], those where the result seems to stand.
        place: Range<usize>,
        /// The line of the document that raised the doubt, if it is one.
        line: Option<usize>,
        /// Which question of the guard it failed.
        doubt: Doubt,
    },
    /// A line that the edit touches is not valid text.
    NotText {
        /// The line.
        line: usize,
    },
}

impl Reason {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::NotFound | Reason::NothingQuoted => "not-found",
            Reason::Ambiguous { .. } => "ambiguous",
            Reason::Overlap { .. } => "overlap",
            Reason::Doubt { doubt, .. } => doubt.code(),
            Reason::NotText { .. } => "not-text",
        }
    }
}

/// Why a place that was found is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Doubt {
    /// The edit changes nothing but indentation, and its quote has another than the document.
    IndentationOnly,
    /// A removed line is indented otherwise than the quoted lines around it let expect.
    RemovedElsewhere,
    /// The quoted lines show no one indentation for an added line.
    NoIndentation,
    /// An added line would begin left of column 0.
    LeftOfMargin,
    /// The quote has lost its nesting, so that the added lines' is not known.
    LostNesting,
    /// Too few of the quoted lines are in the document.
    FewLines,
    /// The quote names something that the file does not have, in a block that is otherwise like one of the file.
    OtherName,
    /// The quoted lines can be paired with the document's in several ways.
    SeveralWays,
    /// A quoted line beside a changed one is not in the document: the place is open, or it is to be added.
    PhantomBesideChange,
    /// A line without a sign is all that ties the edit to the place.
    TieWithoutSign,
    /// Lines of the document stand where the addition goes, and were not quoted.
    SkippedBesideAddition,
    /// Lines of the document stand between two removed ones, and were not quoted.
    SkippedInRemoval,
    /// Lines of the document stand between quoted ones, and were left out of the old text and the new one.
    SkippedInTexts,
    /// A removed line is misspelt, and the lines around it are not quoted exactly or the word is a real one.
    MisspeltRemoval,
    /// The document looks as much like what the edit makes as like what it starts from, or more.
    LooksApplied,
    /// Written as the document writes, the added lines are the removed ones.
    MendedToNothing,
    /// An added line copies text that was read through a wrong code page, and the document does not show what
    /// it should be.
    GarbledAddition,
    /// Some lines have entities or escapes and others do not: it is not known what the added lines are to be.
    Encoded,
    /// Dots among the added lines stand for lines that are to be removed.
    LazyAddition,
    /// The added lines would go between a line that opens a block and the block.
    BeforeBody,
}

impl Doubt {
    /// A stable name for programs.
    pub fn code(self) -> &'static str {
        match self {
            Doubt::IndentationOnly
            | Doubt::RemovedElsewhere
            | Doubt::NoIndentation
            | Doubt::LeftOfMargin
            | Doubt::LostNesting => "indentation",
            Doubt::FewLines | Doubt::OtherName => "too-little-evidence",
            Doubt::SeveralWays
            | Doubt::PhantomBesideChange
            | Doubt::TieWithoutSign
            | Doubt::BeforeBody
            | Doubt::SkippedBesideAddition => "place-open",
            Doubt::SkippedInRemoval | Doubt::SkippedInTexts => "lines-not-quoted",
            Doubt::MisspeltRemoval => "misspelt-removal",
            Doubt::LooksApplied => "looks-applied",
            Doubt::MendedToNothing => "mended-to-nothing",
            Doubt::GarbledAddition | Doubt::Encoded => "garbled",
            Doubt::LazyAddition => "lazy-addition",
        }
    }
}
