//! What an explanation consists of: its alignment, its state, and the bytes that it would write or the obstacle.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::aligned::Aligned;
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::align::map::IndentMap;
use crate::locate::align::pairing::Pairing;
use crate::locate::doubt::Doubt;
use crate::locate::reading::Reading;
use crate::locate::syntax::{Around, Section, is_about_next};

/// Whether an edit is still to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum State {
    ToMake,
    Made,
}

/// Why an explanation has no bytes. Rows are old rows of the reading, lines are lines of the file, both 0-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Obstacle {
    /// The file does not have a line that is to be removed.
    RemovedMissing { row: usize },
    /// A line that is to be removed differs from the file.
    RemovedDiffers { row: usize },
    /// The depth of a removed line differs from the map.
    RemovedDepth { row: usize },
    /// The file has a line between two consecutive removed lines.
    BetweenRemoved { line: usize },
    /// The file has a line between two kept lines, and the old text is to be replaced as a whole.
    BetweenTexts { line: usize },
    /// The file does not have a line without a sign.
    Unsigned { row: usize },
    /// A quoted line opens a block, and the next quoted line is in a different block.
    OtherBlock { line: usize },
    /// A line of a part of the quote that is apart from the other quoted lines, and changes something with too little evidence of its own.
    ApartFromQuote { line: usize },
    /// The context lines fit another position better, and the removed lines may have changed there.
    FitsElsewhere { line: usize },
    /// The file has lines between the rows on either side of an addition.
    SkippedBesideAddition { line: usize },
    /// A row next to an addition is missing in the file, so the position of the addition is unknown.
    MissingBesideAddition { row: usize },
    /// Dots are beside an addition.
    DotsBesideAddition { row: usize },
    /// Added lines are outside of the block that the lines above and below are in, or are between the line that opens a block and
    /// the block.
    DividesBlock { line: usize },
    /// The line above an addition is quoted only up to its middle, and the addition may belong inside of the line.
    InsideLine { line: usize },
    /// The kept line above an addition ends with another sign in the file, so the addition may not fit there.
    JoinedOtherwise { row: usize },
    /// An added line at an end of the edit repeats the line of the file there, and is no part of a block that is added.
    RepeatsLine { line: usize },
    /// The edit changes nothing but indentation, and is quoted with another indentation.
    IndentationOnly,
    /// The quote does not show the indentation of an added line.
    DepthUnknown,
    /// With the file's indentation, an added line would begin left of the margin.
    LeftOfMargin,
    /// An added line is as deep as a line that slipped.
    SlippedToo { row: usize },
    /// A context line that the file does not have, beside a change or where nothing changes, may be an added line that lost its sign.
    LostPlus { row: usize },
    /// What is quoted may be a sibling whose name differs.
    Sibling { row: usize },
    /// An added line has characters of a wrong code page.
    Garbled,
    /// Some lines have entities or escapes, and some do not, so the text of an added line is unknown.
    Encoded,
    /// The bullets of a list may have become signs, so that the added lines may have lost theirs.
    BulletsLost,
    /// Dots or words in the added lines replace lines that are removed.
    LazyAddition { row: usize },
    /// With the spelling of the file, the added lines equal the removed lines.
    ChangesNothing,
    /// An added line repeats a slip of the quote.
    SlipRepeated,
    /// The edit may have been made before: of a removal at an end of the quote nothing is left to see, and of another
    /// edit the result is there, with too little evidence.
    MadeOpen,
    /// Most added lines already exist, some with later changes.
    MadeSince,
    /// The list that lines are added to has one of these in another form.
    InOtherForm { line: usize },
    /// An added line has a name of a quoted line that the file no longer has there.
    StaleName { row: usize },
}

impl Obstacle {
    /// Checks whether the obstacle is what a line may mean, and not where the lines are.
    pub(crate) fn is_of_meaning(self) -> bool {
        matches!(
            self,
            Obstacle::Sibling { .. }
                | Obstacle::LostPlus { .. }
                | Obstacle::SlippedToo { .. }
                | Obstacle::Garbled
        )
    }

    /// Returns what the obstacle is about.
    pub(crate) fn spot(self) -> Spot {
        match self {
            Obstacle::BetweenRemoved { line }
            | Obstacle::BetweenTexts { line }
            | Obstacle::OtherBlock { line }
            | Obstacle::ApartFromQuote { line }
            | Obstacle::FitsElsewhere { line }
            | Obstacle::SkippedBesideAddition { line }
            | Obstacle::DividesBlock { line }
            | Obstacle::InOtherForm { line }
            | Obstacle::InsideLine { line }
            | Obstacle::RepeatsLine { line } => Spot::Line(line),
            Obstacle::RemovedMissing { row }
            | Obstacle::RemovedDiffers { row }
            | Obstacle::RemovedDepth { row }
            | Obstacle::Unsigned { row }
            | Obstacle::MissingBesideAddition { row }
            | Obstacle::JoinedOtherwise { row }
            | Obstacle::LostPlus { row }
            | Obstacle::SlippedToo { row }
            | Obstacle::StaleName { row }
            | Obstacle::Sibling { row } => Spot::Row(row),
            Obstacle::DotsBesideAddition { .. }
            | Obstacle::LazyAddition { .. }
            | Obstacle::BulletsLost
            | Obstacle::IndentationOnly
            | Obstacle::DepthUnknown
            | Obstacle::LeftOfMargin
            | Obstacle::Garbled
            | Obstacle::Encoded
            | Obstacle::SlipRepeated
            | Obstacle::ChangesNothing
            | Obstacle::MadeOpen
            | Obstacle::MadeSince => Spot::None,
        }
    }

    /// Returns the doubt for the obstacle.
    pub(crate) fn doubt(self) -> Doubt {
        match self {
            Obstacle::RemovedMissing { .. } | Obstacle::RemovedDiffers { .. } | Obstacle::SlipRepeated => {
                Doubt::MisspeltRemoval
            }
            Obstacle::RemovedDepth { .. } => Doubt::RemovedElsewhere,
            Obstacle::BetweenRemoved { .. } => Doubt::SkippedInRemoval,
            Obstacle::BetweenTexts { .. } => Doubt::SkippedInTexts,
            Obstacle::Unsigned { .. } => Doubt::TieWithoutSign,
            Obstacle::SkippedBesideAddition { .. } => Doubt::SkippedBesideAddition,
            Obstacle::MissingBesideAddition { .. } | Obstacle::LostPlus { .. } => Doubt::PhantomBesideChange,
            Obstacle::DotsBesideAddition { .. } => Doubt::SeveralWays,
            Obstacle::OtherBlock { .. } => Doubt::OtherBlock,
            Obstacle::ApartFromQuote { .. } => Doubt::ApartFromQuote,
            Obstacle::FitsElsewhere { .. } => Doubt::FitsElsewhere,
            Obstacle::BulletsLost => Doubt::OwnSign,
            Obstacle::DividesBlock { .. } => Doubt::DividesBlock,
            Obstacle::InOtherForm { .. } => Doubt::InOtherForm,
            Obstacle::InsideLine { .. } => Doubt::InsideLine,
            Obstacle::JoinedOtherwise { .. } => Doubt::JoinedOtherwise,
            Obstacle::RepeatsLine { .. } => Doubt::RepeatsLine,
            Obstacle::IndentationOnly => Doubt::IndentationOnly,
            Obstacle::DepthUnknown => Doubt::NoIndentation,
            Obstacle::LeftOfMargin => Doubt::LeftOfMargin,
            Obstacle::SlippedToo { .. } => Doubt::LostNesting,
            Obstacle::Sibling { .. } => Doubt::OtherName,
            Obstacle::Garbled => Doubt::GarbledAddition,
            Obstacle::StaleName { .. } => Doubt::StaleName,
            Obstacle::Encoded => Doubt::Encoded,
            Obstacle::LazyAddition { .. } => Doubt::LazyAddition,
            Obstacle::ChangesNothing => Doubt::MendedToNothing,
            Obstacle::MadeOpen | Obstacle::MadeSince => Doubt::LooksApplied,
        }
    }
}

/// What an obstacle is about.
pub(crate) enum Spot {
    /// A line of the file.
    Line(usize),
    /// An old row of the reading.
    Row(usize),
    None,
}

/// What was changed in added lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rewritten {
    /// The lines have the indentation of the file.
    pub(crate) indentation: bool,
    /// The lines have the spelling of the file in copied parts.
    pub(crate) spelling: bool,
    /// The lines have the characters of the file instead of a wrong code page.
    pub(crate) characters: bool,
}

/// Lines that are added before a line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Insertion {
    /// The line, 0-based.
    pub(crate) at: usize,
    pub(crate) lines: Vec<String>,
}

impl Insertion {
    /// Returns the lines that are not blank.
    pub(super) fn filled(&self) -> Vec<LineText<'_>> {
        let lines = self.lines.iter().map(|line| LineText::new(line.as_str()));
        lines.filter(|line| !line.is_blank()).collect()
    }

    /// Returns the section that the first line with text begins.
    pub(super) fn section(&self) -> Option<Section> {
        let first = self.lines.iter().position(|line| !line.trim().is_empty())?;
        let text = |line: usize| self.lines.get(line).map_or(&b""[..], |line| line.as_bytes());
        Section::of(text(first), Around { above: b"", below: text(first + 1) })
    }

    /// Checks whether an entry of a list of tables (`[[bin]]`) begins behind the first line with text: the lines before are of the table above.
    pub(super) fn spans_tables(&self) -> bool {
        let mut filled = self.lines.iter().filter(|line| !line.trim().is_empty());
        filled.next();
        filled.any(|line| Section::read(line.as_bytes()) == Some(Section::Bracket))
    }

    /// Checks whether a blank line is added above or below the other lines.
    pub(super) fn is_paragraph(&self) -> bool {
        [self.lines.first(), self.lines.last()].into_iter().flatten().any(|line| line.trim().is_empty())
    }

    /// Checks whether lines, none of them blank, are right below or right above the position, apart from blank lines, and from
    /// comments and attributes that the lines got since. `counts`: which lines of the file count.
    pub(super) fn is_beside(
        &self,
        file: &File<'_>,
        filled: &[LineText<'_>],
        counts: impl Fn(usize) -> bool,
    ) -> bool {
        let is_own = filled.iter().any(|line| is_about_next(line.text()));
        let is_about = |line: usize| !is_own && is_about_next(file.line(line).text());
        let mut below = (self.at..file.len()).filter(|line| !file.is_blank(*line) && !is_about(*line));
        let mut above = (0..self.at).rev().filter(|line| !file.is_blank(*line));
        let is_at = |line: Option<usize>, added: &LineText<'_>| {
            line.is_some_and(|line| file.is_same(line, added) && counts(line))
        };
        filled.iter().all(|added| is_at(below.next(), added))
            || filled.iter().rev().all(|added| is_at(above.next(), added))
    }
}

/// What an explanation does to the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) insertions: Vec<Insertion>,
    pub(crate) rewritten: Rewritten,
}

/// What an explanation makes of the file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Signature {
    /// Nothing changes.
    Unchanged,
    /// The bytes that would be written are unknown.
    Unknown(Obstacle, Range<usize>),
    /// A single range is replaced. Equal lines at both ends are left out, and so are blank lines unless nothing else
    /// changes.
    Changed {
        /// The first line of the stretch that is counted, 0-based.
        first: usize,
        /// The hash of the old and new lines.
        lines: u64,
        /// Whether blank lines are counted.
        with_blanks: bool,
    },
}

/// An explanation of an edit.
#[derive(Debug, Clone)]
pub(crate) struct Explanation<'q> {
    pub(crate) cost: i32,
    pub(crate) reading: Rc<Reading<'q>>,
    pub(crate) map: IndentMap,
    pub(crate) pairs: Rc<[Pairing]>,
    pub(crate) state: State,
    pub(crate) effect: Result<Effect, Obstacle>,
    /// The lines that are removed, ascending.
    pub(crate) removed: Vec<usize>,
    /// The lines from the first to the last that is quoted.
    pub(crate) lines: Range<usize>,
    /// The lines from the first to the last that is changed.
    pub(crate) span: Range<usize>,
    pub(crate) signature: Signature,
    /// The part of the cost that is the coincidence of lines that are there already.
    pub(crate) coincidence: i32,
    /// The part of the cost that headers and the end of the file add.
    pub(crate) position: i32,
    /// The part of the cost that the state has, apart from how well the lines fit.
    pub(crate) prior: i32,
}

impl<'q> Explanation<'q> {
    /// Returns the explanation as its alignment.
    pub(crate) fn aligned<'a>(&'a self, file: &'a File<'a>) -> Aligned<'a, 'q> {
        Aligned { file, reading: &self.reading, map: self.map, pairs: &self.pairs }
    }

    /// Checks whether the quote matches as written: nothing costs but headers and the end of the file.
    pub(crate) fn is_exact(&self) -> bool {
        self.cost == self.position
    }

    /// Checks whether two explanations share no quoted line.
    pub(crate) fn is_apart(&self, other: &Self) -> bool {
        self.lines.end <= other.lines.start || other.lines.end <= self.lines.start
    }

    /// Checks whether a result has a line that a quote does not have, and no line that the quote changes.
    pub(crate) fn is_result_apart(&self, quote: &Self) -> bool {
        let is_changed = quote.span.start < self.lines.end && self.lines.start < quote.span.end;
        let quoted: HashSet<usize> = quote.pairs.iter().filter_map(|pair| pair.line()).collect();
        !is_changed && self.pairs.iter().filter_map(|pair| pair.line()).any(|line| !quoted.contains(&line))
    }

    /// Checks whether the bytes are known.
    pub(crate) fn has_bytes(&self) -> bool {
        self.effect.is_ok()
    }

    /// Returns why the bytes are unknown.
    pub(crate) fn obstacle(&self) -> Option<Obstacle> {
        self.effect.as_ref().err().copied()
    }
}
