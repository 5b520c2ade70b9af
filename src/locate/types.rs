//! How places are found and chosen: the levels of tolerance, the tiers of comparison.

use crate::text::Fold;

/// How places are found and chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Matching {
    /// How much a quote may differ from the document.
    pub level: Level,
    /// What happens where several places remain.
    pub ambiguity: Ambiguity,
    /// Take signs and names to the letter: no line with a sign is read as a line of the file that begins with
    /// that character, no name is put right.
    pub literal: bool,
}

impl Matching {
    /// Checks whether a quote is taken as it was written: nothing is undone that may have happened to all of it.
    pub(crate) fn takes_quotes_literally(&self) -> bool {
        self.literal || self.level < Level::Guarded
    }
}

/// How much a quote may differ from the document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Level {
    /// Not at all: seed 002.
    Exact,
    /// By white space at either end of a line, Unicode look-alikes and Unicode forms.
    Whitespace,
    /// By all that leaves one clear reading: misspelt words, missing and additional lines, a wrong code page,
    /// each place vetted by a guard.
    #[default]
    Guarded,
    /// As [`cascade::replace`](crate::baseline::cascade::replace) does it, one edit after the other, for comparison with the
    /// origin: no guard, the whole block replaced. [`place`](super::place) itself takes it for [`Level::Guarded`].
    Cascade,
    /// As [`cascade::three_tier`](crate::baseline::cascade::three_tier) does it, likewise.
    ThreeTier,
    /// As [`cascade::editkit`](crate::baseline::cascade::editkit) does it, likewise.
    Editkit,
}

impl Level {
    /// The tiers of this level that compare line for line, tightest first.
    pub fn tiers(self) -> &'static [Tier] {
        match self {
            Level::Exact => &[Tier::Exact],
            Level::Whitespace => {
                &[Tier::Exact, Tier::TrailingSpace, Tier::IgnoreIndentation, Tier::LookAlikes]
            }
            Level::Guarded | Level::Cascade | Level::ThreeTier | Level::Editkit => {
                &[Tier::Exact, Tier::TrailingSpace, Tier::IgnoreIndentation, Tier::LookAlikes, Tier::Spelling]
            }
        }
    }
}

/// What happens where several places remain for an edit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ambiguity {
    /// The edit is refused with the lines of all its places.
    #[default]
    Refuse,
    /// The first place behind the edit before it is taken, as seed 002 does.
    First,
}

/// One way of comparing old lines with the document, from exact to loose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// To the byte.
    #[default]
    Exact,
    /// But for white space at line ends.
    TrailingSpace,
    /// But for white space at both ends.
    IgnoreIndentation,
    /// But for white space at both ends, look-alikes and Unicode forms.
    LookAlikes,
    /// Line for line, but for inner white space outside string literals, escapes and a wrong code page.
    Spelling,
    /// By the cheapest alignment of the whole quote: see [`Level::Guarded`].
    Alignment,
}

impl Tier {
    /// How the tier folds a line before it compares it.
    pub fn fold(self) -> Fold {
        match self {
            Tier::Exact => Fold::Exact,
            Tier::TrailingSpace => Fold::TrailingSpace,
            Tier::IgnoreIndentation => Fold::Trim,
            Tier::LookAlikes => Fold::LookAlikes,
            Tier::Spelling | Tier::Alignment => Fold::Skeleton,
        }
    }
}
