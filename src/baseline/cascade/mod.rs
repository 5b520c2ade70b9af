//! The fuzzy replacement cascade of the origin: nine replacers, tried from exact to loose.
//!
//! These are the algorithms of the tools that this project learnt from, as described in five documents ("seed 000" to
//! "seed 004" below). They are kept for comparison, and because most positions that the replacers find are the intended
//! positions. The cascade takes the first position that any replacer proposes and that looks unique, and replaces it as
//! a whole. The cascade has no notion of chunks, of lines that an edit keeps, or of doubt: it edits wrong positions
//! silently. The guard against that is built around the replacers, not into them.
//!
//! Each [`Replacer`] proposes positions lazily. [`REPLACERS`] lists them in order, and [`find`], [`find_all`] and
//! [`replace`] run through the list with the control flow of seeds 000 and 003:
//!
//! ```
//! use apply_patch::baseline::cascade::{find, replace};
//! let content = "fn main() {\n    if ready {\n        go();\n    }\n}\n";
//! let old = "if ready {\n    go();\n}";
//!
//! let found = find(content, old)?;
//! assert_eq!((found.replacer, &content[found.place]), ("line-trimmed", "    if ready {\n        go();\n    }"));
//! assert_eq!(replace(content, old, "    go();", false)?, "fn main() {\n    go();\n}\n");
//! # Ok::<(), apply_patch::baseline::cascade::ReplaceError>(())
//! ```
//!
//! | | replacer | matches if |
//! |---|---|---|
//! | 1 | [`simple()`] | the quote is exact |
//! | 2 | [`line_trimmed()`] | indentation and trailing space differ |
//! | 3 | [`block_anchor()`] | the first and last line match, the middle is similar |
//! | 4 | [`whitespace_normalized()`] | whitespace between words differs |
//! | 5 | [`indentation_flexible()`] | the whole block has a different indentation |
//! | 6 | [`escape_normalized()`] | escapes are literal, or were decoded |
//! | 7 | [`trimmed_boundary()`] | whitespace around the quote differs |
//! | 8 | [`context_aware()`] | the first and last line match, and half of the middle |
//! | 9 | [`multi_occurrence()`] | the quote is exact, to replace all |
//!
//! Two smaller systems are made of the same pieces: [`three_tier`] (seed 001) and [`editkit`] (seed 004).
//!
//! If the seeds contradict each other, 003 is used, which is the most precise, unless the documentation of a replacer
//! states an exception.

mod anchors;
mod block_anchor;
mod context_aware;
mod cut;
pub mod editkit;
mod escape_normalized;
mod indentation_flexible;
mod line_trimmed;
mod lines;
mod multi_occurrence;
mod places;
mod run;
mod shift;
mod similarity;
mod simple;
#[cfg(test)]
mod tests;
pub mod three_tier;
mod thresholds;
mod trim;
mod trimmed_boundary;
mod whitespace_normalized;

use std::borrow::Cow;
use std::iter::Peekable;
use std::ops::Range;

use thiserror::Error;

pub use block_anchor::block_anchor;
pub use context_aware::context_aware;
pub use escape_normalized::{ESCAPES, escape_normalized, unescape};
pub use indentation_flexible::indentation_flexible;
pub use line_trimmed::line_trimmed;
pub use multi_occurrence::multi_occurrence;
pub use places::Places;
pub use similarity::{levenshtein, levenshtein_within, similarity};
pub use simple::simple;
pub use thresholds::{
    CONTEXT_AWARE_THRESHOLD, MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD, SINGLE_CANDIDATE_SIMILARITY_THRESHOLD,
};
pub use trim::{is_space, trim};
pub use trimmed_boundary::trimmed_boundary;
pub use whitespace_normalized::whitespace_normalized;

/// Maps content and quote to positions of the content that the quote may mean.
///
/// A position begins and ends on a character boundary. It is the position that the replacer means; the replacers of the
/// seeds return its text, which the caller then searches again from the beginning of the content. No replacer returns a
/// position twice. For a quote of only whitespace a position may be empty.
///
/// ```
/// use apply_patch::baseline::cascade::{REPLACERS, Replacer};
/// let (name, line_trimmed): (&str, Replacer) = REPLACERS[1];
/// assert_eq!(name, "line-trimmed");
/// let content = " a\n".repeat(1_000_000);
/// assert_eq!(line_trimmed(&content, "a").next(), Some(0..2));
/// ```
pub type Replacer = for<'a> fn(&'a str, &'a str) -> Places<'a>;

/// The nine replacers with their names, in the order in which the cascade tries them.
pub const REPLACERS: [(&str, Replacer); 9] = [
    ("simple", simple),
    ("line-trimmed", line_trimmed),
    ("block-anchor", block_anchor),
    ("whitespace-normalized", whitespace_normalized),
    ("indentation-flexible", indentation_flexible),
    ("escape-normalized", escape_normalized),
    ("trimmed-boundary", trimmed_boundary),
    ("context-aware", context_aware),
    ("multi-occurrence", multi_occurrence),
];

/// A position, and the replacer that proposed the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The byte range of the content that is to be replaced.
    pub place: Range<usize>,
    /// The replacer's name in [`REPLACERS`].
    pub replacer: &'static str,
}

/// Why nothing was replaced: the error cases of the seeds with their messages, and the empty quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The old text is the new text.
    #[error("oldString and newString must be different")]
    Same,
    /// The old text is empty. (The seeds find an empty text once in empty content, and between any two characters
    /// otherwise.)
    #[error("oldString must not be empty")]
    Empty,
    /// No replacer found a place.
    #[error("oldString not found in content")]
    NotFound,
    /// Every text that the replacers found occurs more than once.
    #[error(
        "Found multiple matches for oldString. \
         Provide more surrounding lines in oldString to identify the correct match."
    )]
    Multiple,
}

/// Returns the content with the old text replaced by the new text, which is taken literally: no `$&`.
///
/// `all` replaces every position of the first text that any replacer proposes; otherwise [`find`] chooses the position.
///
/// # Errors
///
/// Those of [`find`] and [`find_all`]; also if the old text equals the new text.
///
/// ```
/// use apply_patch::baseline::cascade::{ReplaceError, replace};
/// assert_eq!(replace("a = 1\nb = 1\n", "b = 1", "b = $&", false)?, "a = 1\nb = $&\n");
/// assert_eq!(replace("a = 1\nb = 1\n", "1", "2", true)?, "a = 2\nb = 2\n");
/// assert_eq!(replace("a = 1\nb = 1\n", "1", "2", false), Err(ReplaceError::Multiple));
/// # Ok::<(), ReplaceError>(())
/// ```
pub fn replace(content: &str, old: &str, new: &str, all: bool) -> Result<String, ReplaceError> {
    if old == new {
        return Err(ReplaceError::Same);
    }
    let places = if all { find_all(content, old)? } else { vec![find(content, old)?] };
    Ok(spliced(content, places.into_iter().map(|found| found.place), new))
}

/// Returns the position of the old text: the first that a replacer proposes and whose text occurs nowhere else.
///
/// The seeds ask whether the *text* of a position is unique (`indexOf` equals `lastIndexOf`), not whether the position
/// is. Two blocks that differ in indentation are each unique as texts, and the first is taken. If a text occurs twice,
/// the next position is tried, then the next, looser replacer, which may take a third position. These are hazards of
/// the seeds.
///
/// # Errors
///
/// [`Empty`](ReplaceError::Empty), [`NotFound`](ReplaceError::NotFound), or [`Multiple`](ReplaceError::Multiple) if
/// each proposed text occurs more than once.
///
/// # Cost
///
/// Each replacer once over the content; and, for each proposed text that occurs more than once, a search up to the
/// second occurrence, unless the text is the same as before.
///
/// ```
/// use apply_patch::baseline::cascade::{ReplaceError, find};
/// let found = find("\tgo();\n  go();\n", " go();")?;
/// assert_eq!((found.place, found.replacer), (8..14, "simple"));
/// // Neither place is clearly the meant one; the first is taken.
/// assert_eq!(find("\tgo();\n  go();\n", "    go();")?.place, 0..6);
/// # Ok::<(), ReplaceError>(())
/// ```
pub fn find(content: &str, old: &str) -> Result<Proposal, ReplaceError> {
    let mut judge = Judge { content, seen: None };
    let mut error = ReplaceError::NotFound;
    for found in proposals(content, old)? {
        if judge.is_only(&found.place) {
            return Ok(found);
        }
        error = ReplaceError::Multiple;
    }
    Err(error)
}

/// Returns every non-overlapping position of the first text that a replacer proposes.
///
/// The text of an inexact replacer comes from a single position: positions with a different text, for example of a
/// different indentation, are left. This is a hazard of the seeds.
///
/// # Errors
///
/// [`Empty`](ReplaceError::Empty) or [`NotFound`](ReplaceError::NotFound). For a quote of only whitespace also
/// [`Multiple`](ReplaceError::Multiple), where the seeds write the new text between all characters.
///
/// ```
/// use apply_patch::baseline::cascade::find_all;
/// let places: Vec<_> = find_all("a b  a\tb a b", "a b")?.into_iter().map(|found| found.place).collect();
/// assert_eq!(places, [0..3, 9..12]);
/// # Ok::<(), apply_patch::baseline::cascade::ReplaceError>(())
/// ```
pub fn find_all(content: &str, old: &str) -> Result<Vec<Proposal>, ReplaceError> {
    let first = proposals(content, old)?.next().ok_or(ReplaceError::NotFound)?;
    match &content[first.place.clone()] {
        "" if content.is_empty() => Ok(vec![first]),
        "" => Err(ReplaceError::Multiple),
        text => Ok(multi_occurrence(content, text).map(|place| Proposal { place, ..first }).collect()),
    }
}

/// Returns the proposals of all replacers in order.
fn proposals<'a>(
    content: &'a str,
    old: &'a str,
) -> Result<impl Iterator<Item = Proposal> + 'a, ReplaceError> {
    let found = REPLACERS.into_iter().flat_map(move |(replacer, places)| {
        places(content, old).map(move |place| Proposal { place, replacer })
    });
    if old.is_empty() { Err(ReplaceError::Empty) } else { Ok(found) }
}

/// Decides whether a text occurs once.
struct Judge<'a> {
    content: &'a str,
    /// The positions of the last text that was found to occur more than once.
    ///
    /// Among 200,000 equal lines as many positions have the same text. Comparing or searching the text each time would
    /// cost its length, so these positions are iterated in parallel with the proposals.
    seen: Option<Peekable<Places<'a>>>,
}

impl Judge<'_> {
    /// Returns whether the text at `place` occurs nowhere else. An empty text occurs between all characters.
    fn is_only(&mut self, place: &Range<usize>) -> bool {
        if place.is_empty() {
            return self.content.is_empty();
        }
        if self.is_seen(place) {
            return false;
        }
        let text = Cow::Borrowed(&self.content[place.clone()]);
        let mut places: Peekable<Places<'_>> =
            (Box::new(places::places(self.content, text)) as Places<'_>).peekable();
        places.next();
        let only = places.peek().is_none();
        self.seen = Some(places);
        only
    }

    fn is_seen(&mut self, place: &Range<usize>) -> bool {
        self.seen.as_mut().is_some_and(|seen| {
            while seen.next_if(|other| other.start < place.start).is_some() {}
            seen.peek() == Some(place)
        })
    }
}

/// Returns the content with each position replaced. The positions are in order.
fn spliced(content: &str, places: impl Iterator<Item = Range<usize>>, new: &str) -> String {
    let mut text = String::with_capacity(content.len() + new.len());
    let mut kept = 0;
    for place in places {
        text.push_str(&content[kept..place.start]);
        text.push_str(new);
        kept = place.end;
    }
    text.push_str(&content[kept..]);
    text
}
