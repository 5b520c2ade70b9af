//! The cascade of seed 001: three tiers, the first position of the first tier that matches.
//!
//! 1. Exact: the quote unchanged. **The first of several positions is taken without a warning**, as `indexOf` does:
//!    according to the seed this tier has "no ambiguity", but it is the tier with the most.
//! 2. Line-trimmed: quote and content with each line trimmed, as texts: the quote may begin and end inside a line,
//!    unlike in [`line_trimmed`](super::line_trimmed()). Again the first position.
//! 3. Block anchor: the pairs of a line that equals the first quoted line and **any** later line that equals the last
//!    (nine replacers: only the nearest). The block with the highest [`similarity`](super::similarity()) of the whole
//!    text, whitespace and anchors included (nine replacers: the mean over trimmed middle lines), if the similarity
//!    reaches [`SINGLE_CANDIDATE_SIMILARITY_THRESHOLD`] for a single block and
//!    [`MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD`] for several blocks; of equals the first.
//!
//! Points that the seed leaves open: `mapTrimmedIndex` is not given. An index at the beginning or end of a trimmed line
//! is read as that of the whole line, as `LineTrimmedReplacer` does. The quote is split unchanged: a quote that ends
//! with a line feed has a blank last line as its last anchor. A pair needs no line between its anchors, only a quote of
//! three lines. An empty quote, which the first tier would find before the first character, is refused.
//!
//! The seed names two of its own hazards, which the code answers: too many candidates are not scored ("need an index or
//! a limit"), since a pair whose lengths alone keep the pair below the best is skipped; and if the rest would still
//! take more than a fixed amount of work, less than half a second, there is no match.

use std::borrow::Cow;
use std::ops::Range;

use thiserror::Error;

use super::cut::{cut, uncut};
use super::lines::lines;
use super::places::places;
use super::similarity::{Best, Measure, Unmeasured, ratio, units};
use super::trim::trim;
use super::{
    MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD, Proposal, SINGLE_CANDIDATE_SIMILARITY_THRESHOLD, spliced,
};

/// No tier found a place. The words are the seed's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("old_string not found in file. Re-read the file and try again with exact content.")]
pub struct NoMatch;

/// Returns the content with the position of the old text replaced by the new text, literally.
///
/// # Errors
///
/// Those of [`find`].
///
/// ```
/// use apply_patch::baseline::cascade::three_tier::{NoMatch, replace};
/// assert_eq!(replace("a = 1\n", "a = 1", "a = 2")?, "a = 2\n");
/// assert_eq!(replace("a = 1\n", "b = 1", "b = 2"), Err(NoMatch));
/// # Ok::<(), NoMatch>(())
/// ```
pub fn replace(content: &str, old: &str, new: &str) -> Result<String, NoMatch> {
    Ok(spliced(content, [find(content, old)?.place].into_iter(), new))
}

/// Returns the position of the old text, and the tier that matched: `simple`, `line-trimmed` or `block-anchor`.
///
/// # Errors
///
/// [`NoMatch`] if no tier matches, or the old text is empty.
///
/// ```
/// use apply_patch::baseline::cascade::three_tier::{NoMatch, find};
/// let content = "if a:\n    first()\n    b()\n\nif b:\n    second()\n    b()\n";
/// let found = find(content, "if b:\n    scond()\n    b()")?;
/// assert_eq!((found.place, found.replacer), (27..53, "block-anchor"));
/// # Ok::<(), NoMatch>(())
/// ```
pub fn find(content: &str, old: &str) -> Result<Proposal, NoMatch> {
    let tiers: [(_, Tier); 3] =
        [("simple", exact), ("line-trimmed", line_trimmed), ("block-anchor", block_anchor)];
    let found = tiers
        .into_iter()
        .find_map(|(replacer, tier)| Some(Proposal { place: tier(content, old)?, replacer }));
    found.ok_or(NoMatch)
}

type Tier = fn(&str, &str) -> Option<Range<usize>>;

fn exact(content: &str, old: &str) -> Option<Range<usize>> {
    if old.is_empty() { None } else { places(content, Cow::Borrowed(old)).next() }
}

fn line_trimmed(content: &str, old: &str) -> Option<Range<usize>> {
    let place = exact(&cut(content, trim), &cut(old, trim))?;
    Some(uncut(content, trim, &place))
}

fn block_anchor(content: &str, old: &str) -> Option<Range<usize>> {
    old.split('\n').nth(2)?;
    let first = anchors(content, old.split('\n').next()?);
    let last = anchors(content, old.rsplit('\n').next()?);
    let mut pairs = first.iter().flat_map(|first| below(first, &last).iter().map(|last| first.to(last)));
    let only = pairs.next()?;
    match pairs.next() {
        None => Some(only),
        Some(_) => best(content, old, &first, &last).ok()?,
    }
}

// This allows taking a single pair without comparing its text.
const _: () = assert!(SINGLE_CANDIDATE_SIMILARITY_THRESHOLD <= 0.0);

/// A line that may begin or end a block.
struct Anchor {
    line: Range<usize>,
    /// The same in the units that the similarity counts.
    units: Range<usize>,
}

impl Anchor {
    fn to(&self, last: &Self) -> Range<usize> {
        self.line.start..last.line.end
    }

    fn units_to(&self, last: &Self) -> usize {
        last.units.end - self.units.start
    }
}

/// Returns the lines that equal the quoted line, both trimmed.
fn anchors(content: &str, quoted: &str) -> Vec<Anchor> {
    let mut start = 0;
    let measured = lines(content).map(|line| {
        let units = start..start + units(line.text);
        start = units.end + 1;
        (line, units)
    });
    let found = measured.filter(|(line, _)| trim(line.text) == trim(quoted));
    found.map(|(line, units)| Anchor { line: line.start..line.end(), units }).collect()
}

/// Returns the last anchors below a first anchor.
fn below<'s>(first: &Anchor, last: &'s [Anchor]) -> &'s [Anchor] {
    &last[last.partition_point(|last| last.line.start <= first.line.start)..]
}

/// Returns the pair whose text is the most similar to the quote.
///
/// From each first anchor on, the blocks of about the length of the quote come first, then ever longer and ever shorter
/// blocks, until the lengths alone rule out a better block.
fn best(
    content: &str,
    old: &str,
    first: &[Anchor],
    last: &[Anchor],
) -> Result<Option<Range<usize>>, Unmeasured> {
    let mut ranking =
        Ranking { content, old, length: units(old), measure: Measure::new(), best: threshold() };
    for first in first {
        let last = below(first, last);
        let (shorter, longer) =
            last.split_at(last.partition_point(|last| first.units_to(last) < ranking.length));
        ranking.offer(first, longer.iter())?;
        ranking.offer(first, shorter.iter().rev())?;
    }
    Ok(ranking.best.place())
}

fn threshold() -> Best {
    Best::new(MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD)
}

struct Ranking<'a> {
    content: &'a str,
    old: &'a str,
    length: usize,
    measure: Measure,
    best: Best,
}

impl Ranking<'_> {
    /// Compares blocks whose lengths move away from that of the quote.
    fn offer<'s>(
        &mut self,
        first: &Anchor,
        last: impl Iterator<Item = &'s Anchor>,
    ) -> Result<(), Unmeasured> {
        for last in last {
            let length = first.units_to(last);
            let most = ratio(length.abs_diff(self.length), length.max(self.length));
            if most < self.best.floor() {
                break;
            }
            let place = first.to(last);
            match self.measure.similarity(self.old, &self.content[place.clone()], self.best.floor()) {
                Ok(similarity) => self.best.offer(similarity, place),
                Err(Unmeasured::Below) => {}
                Err(Unmeasured::Spent) => return Err(Unmeasured::Spent),
            }
        }
        Ok(())
    }
}
