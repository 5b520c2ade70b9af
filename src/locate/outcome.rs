//! What became of the edits of a document: data, without algorithms and without sentences.
//!
//! Lines of a document are 0-based here, as everywhere in the library.

use std::num::NonZeroUsize;
use std::ops::Range;

use super::Tier;
use super::comparison::{Alternative, Nearest};
use super::doubt::Doubt;
use crate::patch::LineKind;
use crate::text::Replacement;

/// The place that was taken for an edit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placement {
    /// The comparison that matched.
    pub tier: Tier,
    /// The total cost of all differences, in tenths of a misspelt word; 0 for an exact match.
    pub cost: u32,
    /// The first line of the position, 0-based, in the original document, or, with [`Drift::AfterEarlier`], in the
    /// result of the previous edits.
    pub start: usize,
    /// How many lines the edit adds.
    pub added: usize,
    /// How many lines the edit removes.
    pub removed: usize,
    /// What differed between the edit and the document.
    pub drift: Vec<Drift>,
}

/// What became of all edits of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placed {
    /// For each edit its position, or a miss.
    pub outcomes: Vec<Result<Placement, Miss>>,
    /// What all placed edits together do to the document: sorted by place, without overlaps.
    pub replacements: Vec<Replacement<'static>>,
}

/// A difference between an edit and the document, reported with every inexact match.
///
/// Lines of the document are 0-based here, as everywhere in the library; messages count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Drift {
    /// The quoted lines match only with a looser comparison.
    Lines {
        /// The comparison that matched.
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
    /// Unquoted lines of the document between the quoted lines; these lines stay.
    Skipped {
        /// The lines.
        lines: Vec<usize>,
    },
    /// A replacer, tier or strategy of the levels for comparison found the position.
    Replacer {
        /// The name of the replacer.
        name: &'static str,
    },
    /// The document has some of the added lines already, in their position; the other changes were made.
    PartlyMade {
        /// The lines.
        lines: Vec<usize>,
    },
    /// A line of dots replaces lines that were not quoted.
    Elided,
    /// The document breaks quoted lines at other positions.
    Rewrapped,
    /// A line that is quoted twice in a row is in the document once.
    Repeated,
    /// Only the quoted lines had another indentation than the document; the added lines had the document's.
    QuoteReindented,
    /// Characters in added lines that had come through a wrong code page were put right.
    Ungarbled,
    /// The quote had entities (`&lt;`) for signs of the document (`<`): all lines were decoded.
    Entities,
    /// Added lines were escaped as the document is.
    Reescaped,
    /// The added lines were brought to the document's indentation.
    Reindented,
    /// Dashes, quotes or spaces in added lines were replaced by the spelling of the document.
    LookAlikesMended,
    /// Lines without a sign, or with `-` or `+` as a list item, were read as context.
    Signs,
    /// A line without a sign between added lines is not in the file, and was added.
    AddedWithoutSign,
    /// The quoted lines had line numbers.
    LineNumbersDropped,
    /// Empty lines at an end of the chunk were not part of the quote.
    BlankEnds,
    /// A `@@` header does not match; the chunk had a single position without the header.
    HeaderMissing {
        /// The header's text.
        header: String,
    },
    /// A `@@` header is only a part of a line, or has a misspelt word.
    HeaderInPart {
        /// The header's text.
        header: String,
        /// The line with the header.
        line: usize,
    },
    /// The position is not behind the previous chunk.
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
    /// A chunk that changes nothing, and does not match.
    AnchorMissing,
    /// The chunk quotes lines of an earlier chunk, or matches only after an earlier chunk was applied.
    AfterEarlier,
    /// An earlier chunk makes the same change.
    SameChange,
    /// The chunk removes and adds the same lines: nothing changes.
    NoChange,
    /// The result of the chunk is already in the file: nothing is changed.
    AlreadyApplied,
}

impl Drift {
    /// Returns a stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Drift::Lines { .. } => "lines",
            Drift::Missing { .. } => "missing",
            Drift::Skipped { .. } => "skipped",
            Drift::Replacer { .. } => "replacer",
            Drift::PartlyMade { .. } => "partly-made",
            Drift::Elided => "elided",
            Drift::Rewrapped => "rewrapped",
            Drift::Repeated => "repeated",
            Drift::QuoteReindented => "quote-reindented",
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

    /// Returns whether the quote was not the exact text of the document, or its position was described wrongly: advice
    /// for the next patch of a model.
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

/// An edit without a position. Lines of the document are 0-based; messages count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Miss {
    /// Why.
    pub reason: Reason,
    /// The loosest comparison that was tried: the comparison that matched, or the last of the level. All tighter
    /// comparisons were tried before.
    pub tried: Tier,
    /// The `@@` headers that were not found.
    pub missing_headers: Box<[String]>,
    /// The refused position, or otherwise the nearest.
    pub nearest: Option<Box<Nearest>>,
    /// Positions that match equally well, in the order of the document, at most [`Alternative::MOST`]; otherwise positions
    /// apart from the nearest that the words name, because the edit may be meant there.
    pub alternatives: Box<[Alternative]>,
    /// The explanations of the edit that decided: two that write different bytes, or the refused explanation.
    pub candidates: Box<[Candidate]>,
    /// Where the document has the lines and the header of the edit.
    pub lines: Box<LinesInDocument>,
    /// A number that is equal for the same lines and the same document, and otherwise almost never: a harness detects a
    /// model that repeats itself.
    pub fingerprint: u64,
}

/// Where a document has the lines and the header of an edit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinesInDocument {
    /// The first lines with text that the edit removes or adds, with the lines of the document that equal them.
    pub changed: Vec<ChangedLine>,
    /// The innermost `@@` header that was found, with the first lines that it leads to, 0-based.
    pub header: Option<(String, Vec<usize>)>,
}

/// A line that an edit removes or adds, and where the document has the line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedLine {
    /// Its line in the patch text, 1-based; `None` if it is not known.
    pub number: Option<NonZeroUsize>,
    /// Whether the edit removes the line or adds it.
    pub kind: LineKind,
    /// Its text.
    pub text: String,
    /// The lines of the document that equal it apart from whitespace and look-alikes, 0-based, ascending; the first
    /// [`ChangedLine::MOST_LINES`].
    pub lines: Vec<usize>,
}

impl ChangedLine {
    /// How many lines of the document are listed for a changed line.
    pub const MOST_LINES: usize = 3;

    /// How many changed lines of an edit are looked up.
    pub const MOST: usize = 24;
}

/// An explanation of an edit: the position, the bytes that the explanation would write, and the cost. Lines are
/// 0-based; costs are in tenths of a nat (23 is "one in ten").
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The lines from the first to the last that is quoted.
    pub lines: Range<usize>,
    /// What all differences cost together.
    pub cost: u32,
    /// The cost of the assumption that the quote is not in the file: the evidence for the explanation.
    pub null: u32,
    /// Whether the edit was already made, by this explanation. The rows are then those of the result.
    pub made: bool,
    /// How the indentation of the quote becomes that of the file.
    pub indentation: String,
    /// What each quoted line contributes.
    pub rows: Vec<CandidateRow>,
    /// What would be replaced, or what keeps that from being known.
    pub result: Result<Vec<Replacement<'static>>, Doubt>,
}

/// The contribution of a quoted line to an explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CandidateRow {
    /// What becomes of the line.
    pub kind: LineKind,
    /// The line as read.
    pub text: String,
    /// The paired line of the document, 0-based.
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
    /// The old lines do not match.
    NotFound,
    /// A line of dots is quoted for lines of the document, and the replaced lines are not known.
    Elision,
    /// The edit only adds lines, without a position.
    NothingQuoted,
    /// Several places are alike.
    Ambiguous {
        /// The first line of each position, ascending; incomplete if there are very many.
        places: Vec<usize>,
    },
    /// Another edit changes the same line, or inserts at the same point.
    Overlap {
        /// The line.
        line: usize,
    },
    /// A place was found, and is not safe to take.
    Doubt {
        /// The lines of the position; for [`Doubt::LooksApplied`], the lines that look like the result.
        place: Range<usize>,
        /// The line of the document that the guard refused, if any.
        line: Option<usize>,
        /// The check of the guard that failed.
        doubt: Doubt,
    },
    /// A line that the edit touches is not valid text.
    NotText {
        /// The line.
        line: usize,
    },
}

impl Reason {
    /// Returns a stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::NotFound | Reason::NothingQuoted => "not-found",
            Reason::Elision => "elision",
            Reason::Ambiguous { .. } => "ambiguous",
            Reason::Overlap { .. } => "overlap",
            Reason::Doubt { doubt, .. } => doubt.code(),
            Reason::NotText { .. } => "not-text",
        }
    }
}

/// The explanations of an edit, and the result. Lines are 0-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The `@@` headers, outermost first, and the lines that match each within the previous header.
    pub headers: Vec<(String, Vec<usize>)>,
    /// The cheapest explanations of the edit by itself, the cheapest first, at most [`Explanation::MOST`].
    pub candidates: Vec<Candidate>,
    /// By how much another result has to be dearer, in tenths of a nat.
    pub margin: u32,
    /// The outcome of the edit, placed together with all edits of the document.
    pub outcome: Result<Placement, Box<Miss>>,
}

impl Explanation {
    /// How many explanations are described.
    pub const MOST: usize = 8;
}
