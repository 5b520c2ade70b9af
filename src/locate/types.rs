//! How places are found and chosen: the levels of tolerance, the tiers of comparison.

use crate::text::Fold;

/// How places are found and chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matching {
    /// How much a quote may differ from the document.
    pub level: Level,
    /// What happens where several places remain.
    pub ambiguity: Ambiguity,
    /// Whether signs and names are used unchanged: no line with a sign is read as a line of the file that begins with
    /// that character, no name is repaired.
    pub literal: bool,
}

impl Matching {
    /// Checks whether entities and escapes are text, so that an encoder that wrote the patch is not undone.
    pub(crate) fn keeps_encoding(&self) -> bool {
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
    /// Everything that leaves a single clear reading: misspelt words, missing and additional lines, a wrong code page,
    /// with a guard for each position.
    #[default]
    Guarded,
    /// Uses `cascade::replace`, each edit separately, for comparison: no guard, the whole block replaced. `place` itself
    /// treats this level as [`Level::Guarded`].
    #[doc(hidden)]
    Cascade,
    /// Uses `cascade::three_tier` in the same way.
    #[doc(hidden)]
    ThreeTier,
    /// Uses `cascade::editkit` in the same way.
    #[doc(hidden)]
    Editkit,
}

impl Level {
    /// Returns the tiers of this level that compare line by line, tightest first.
    pub(crate) fn tiers(self) -> &'static [Tier] {
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
#[non_exhaustive]
pub enum Ambiguity {
    /// The edit is refused with the lines of all positions.
    #[default]
    Refuse,
    /// The first position behind the previous edit is used, as in seed 002.
    First,
}

/// A way of comparing old lines with the document, from exact to loose.
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
    /// Returns the fold that the tier applies to a line before comparison.
    pub(crate) fn fold(self) -> Fold {
        match self {
            Tier::Exact => Fold::Exact,
            Tier::TrailingSpace => Fold::TrailingSpace,
            Tier::IgnoreIndentation => Fold::Trim,
            Tier::LookAlikes => Fold::LookAlikes,
            Tier::Spelling | Tier::Alignment => Fold::Skeleton,
        }
    }
}
