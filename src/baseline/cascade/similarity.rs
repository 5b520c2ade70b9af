//! The similarity of two texts: the edit distance of the seeds, bounded.
//!
//! Lengths and distances count UTF-16 code units, as the language of the seeds does: an emoji is two units. The
//! distance is computed 64 cells at a time and abandoned as soon as it exceeds the requested maximum; the seeds fill
//! the whole table, which takes gigabytes for two lines of 20,000 characters.

use std::borrow::Cow;
use std::ops::Range;

use rapidfuzz::distance::levenshtein::{self as fuzz, Args};

/// Returns the fewest insertions, deletions and replacements of a UTF-16 code unit that turn `a` into `b`.
///
/// This is the distance of the seeds, whose table has a cell for each pair of units; the tests compare both.
///
/// ```
/// use apply_patch::baseline::cascade::levenshtein;
/// assert_eq!(levenshtein("kitten", "sitting"), 3);
/// assert_eq!(levenshtein("", "\u{1f600}"), 2);
/// ```
pub fn levenshtein(a: &str, b: &str) -> usize {
    Units::of(a, b).distance()
}

/// Returns the [distance](levenshtein) if the distance is at most `most`, otherwise `None`. A smaller `most` is
/// cheaper.
///
/// ```
/// use apply_patch::baseline::cascade::levenshtein_within;
/// assert_eq!(levenshtein_within("kitten", "sitting", 3), Some(3));
/// assert_eq!(levenshtein_within("kitten", "sitting", 2), None);
/// ```
pub fn levenshtein_within(a: &str, b: &str, most: usize) -> Option<usize> {
    Units::of(a, b).distance_within(most)
}

/// Returns the `levenshteinRatio` of seed 001: 1 for equal texts, also for two empty texts, 0 for texts with nothing in
/// common.
///
/// ```
/// use apply_patch::baseline::cascade::similarity;
/// assert_eq!(similarity("abcd", "abxd"), 0.75);
/// assert_eq!(similarity("", ""), 1.0);
/// ```
pub fn similarity(a: &str, b: &str) -> f64 {
    let units = Units::of(a, b);
    ratio(units.distance(), units.longest().max(1))
}

/// Compares texts until a fixed amount of work is spent.
///
/// A ranking compares each candidate with the quote. Hostile input can have any number of candidates and lines of any
/// length; the limit makes the cost of a ranking a constant.
pub(super) struct Measure {
    left: u64,
}

/// Why a text was not measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unmeasured {
    /// The similarity is below the requested minimum.
    Below,
    /// The work is spent.
    Spent,
}

impl Measure {
    /// The cells of the table that a single ranking may fill: about a million pairs of common lines, less than half a
    /// second.
    const WORK: u64 = 1 << 33;

    /// What looking at a pair costs, in cells, some 20 of which take a nanosecond.
    const PAIR: u64 = 1 << 12;

    /// The cost of inspecting a byte: for the character sets, and the common prefix and suffix.
    const BYTE: u64 = 1 << 5;

    /// Beyond this many units that differ between the common beginning and end of two texts, nothing is compared:
    /// the rest counts as wholly different. (A pair as long as that would use up half of the work.)
    const LONGEST: usize = 1 << 16;

    pub(super) fn new() -> Self {
        Self { left: Self::WORK }
    }

    /// Returns the [similarity] of two texts, if the similarity is at least `least`.
    pub(super) fn similarity(&mut self, a: &str, b: &str, least: f64) -> Result<f64, Unmeasured> {
        self.spend(Self::PAIR + Self::BYTE * (a.len() + b.len()) as u64)?;
        let (len_a, len_b) = (units(a), units(b));
        let longest = len_a.max(len_b);
        let most = distance_for(least, longest).ok_or(Unmeasured::Below)?;
        if len_a.abs_diff(len_b) > most {
            return Err(Unmeasured::Below);
        }
        let distance = self.distance(&Units::of(a, b).differing(), most)?;
        Ok(ratio(distance, longest.max(1)))
    }

    /// Returns the distance of two texts without a common prefix or suffix, if the distance is at most `most`.
    fn distance(&mut self, units: &Units<'_>, most: usize) -> Result<usize, Unmeasured> {
        let distance = if units.longest() > Self::LONGEST {
            Some(units.longest()).filter(|&distance| distance <= most)
        } else {
            self.spend(units.cells())?;
            units.distance_within(most)
        };
        distance.ok_or(Unmeasured::Below)
    }

    fn spend(&mut self, work: u64) -> Result<(), Unmeasured> {
        self.left = self.left.checked_sub(work).ok_or(Unmeasured::Spent)?;
        Ok(())
    }
}

/// The most similar position so far; of equals the first.
pub(super) struct Best {
    threshold: f64,
    found: Option<(f64, Range<usize>)>,
}

impl Best {
    pub(super) fn new(threshold: f64) -> Self {
        Self { threshold, found: None }
    }

    /// Returns the similarity that a position must exceed to become the best.
    pub(super) fn floor(&self) -> f64 {
        self.found.as_ref().map_or(self.threshold, |(best, _)| *best)
    }

    pub(super) fn offer(&mut self, similarity: f64, place: Range<usize>) {
        let behind = |best: &Range<usize>| (best.start, best.end) < (place.start, place.end);
        // In a tie the bits are equal: both were divided out of the same counts.
        let tie_lost = self.found.as_ref().is_some_and(|(best, at)| similarity <= *best && behind(at));
        if similarity >= self.floor() && !tie_lost {
            self.found = Some((similarity, place));
        }
    }

    pub(super) fn place(self) -> Option<Range<usize>> {
        self.found.map(|(_, place)| place)
    }
}

/// Two texts as the units that are counted.
struct Units<'a> {
    a: Cow<'a, [u16]>,
    b: Cow<'a, [u16]>,
}

impl Units<'_> {
    fn of(a: &str, b: &str) -> Self {
        Self { a: a.encode_utf16().collect(), b: b.encode_utf16().collect() }
    }

    fn longest(&self) -> usize {
        self.a.len().max(self.b.len())
    }

    fn cells(&self) -> u64 {
        (self.a.len() as u64).saturating_mul(self.b.len() as u64)
    }

    /// Returns the texts without the common prefix and suffix: the distance is the same.
    fn differing(&self) -> Units<'_> {
        let start = self.a.iter().zip(&*self.b).take_while(|(a, b)| a == b).count();
        let (a, b) = (&self.a[start..], &self.b[start..]);
        let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
        Units { a: a[..a.len() - end].into(), b: b[..b.len() - end].into() }
    }

    fn distance(&self) -> usize {
        // No distance exceeds the length of the longer text, so there is always a result.
        self.distance_within(self.longest()).unwrap_or_else(|| self.longest())
    }

    fn distance_within(&self, most: usize) -> Option<usize> {
        let (a, b) = (self.a.iter().copied(), self.b.iter().copied());
        fuzz::BatchComparator::new(a).distance_with_args(b, &Args::default().score_cutoff(most))
    }
}

/// Returns the number of units of a text.
pub(super) fn units(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// Returns the similarity of two texts with this distance. The longer text must not be empty.
pub(super) fn ratio(distance: usize, longest: usize) -> f64 {
    1.0 - float(distance) / float(longest)
}

/// Returns the largest distance of texts of this length with at least this similarity; `None` if no distance qualifies.
///
/// Rounded up: computing a distance too many is harmless, computing too few is not.
fn distance_for(least: f64, longest: usize) -> Option<usize> {
    let most = ((1.0 - least) * float(longest)).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and a cast saturates"
    )]
    (most >= 0.0).then(|| (most as usize).min(longest))
}

/// Converts a count for division.
pub(super) fn float(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "no text has 2^53 units")]
    let float = count as f64;
    float
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The table of seed 003.
    fn table(a: &str, b: &str) -> usize {
        let (a, b): (Vec<_>, Vec<_>) = (a.encode_utf16().collect(), b.encode_utf16().collect());
        let mut above: Vec<usize> = (0..=b.len()).collect();
        for (i, unit) in a.iter().enumerate() {
            let mut row = vec![i + 1];
            for (j, other) in b.iter().enumerate() {
                let replaced = above[j] + usize::from(unit != other);
                row.push((above[j + 1] + 1).min(row[j] + 1).min(replaced));
            }
            above = row;
        }
        above[b.len()]
    }

    fn measured(a: &str, b: &str, least: f64) -> Result<f64, Unmeasured> {
        Measure::new().similarity(a, b, least)
    }

    #[test]
    fn an_empty_text_is_as_far_as_the_other_is_long() {
        assert_eq!(levenshtein("", "abc"), 3);
        assert_eq!(levenshtein("", ""), 0);
    }

    #[test]
    fn units_are_counted_not_letters() {
        assert_eq!(levenshtein("\u{1f600}", "\u{1f601}"), 1);
        assert_eq!(levenshtein("\u{1f600}x", "x"), 2);
    }

    #[test]
    fn one_edit_in_a_huge_line_costs_its_length_only() {
        let a = "ab ".repeat(2_000_000);
        let b = format!("{}x{}", &a[..3_000_000], &a[3_000_000..]);
        assert!(measured(&a, &b, 0.3).is_ok_and(|similarity| similarity > 0.99));
    }

    #[test]
    fn huge_lines_that_differ_throughout_count_as_wholly_different() {
        let a = "ab".repeat(2_000_000);
        let b = "cb".repeat(2_000_000);
        assert_eq!(measured(&a, &b, 0.3), Err(Unmeasured::Below));
        assert!(measured(&a, &b, 0.0).is_ok_and(|similarity| similarity < 0.001));
    }

    #[test]
    fn the_work_ends() {
        let (a, b) = ("ab".repeat(20_000), "bc".repeat(20_000));
        let mut measure = Measure::new();
        let spent = (0..20).find(|_| measure.similarity(&a, &b, 0.9) == Err(Unmeasured::Spent));
        assert!(spent.is_some());
    }

    proptest! {
        #[test]
        fn same_as_the_table_of_the_seeds(a in "[abc\u{e9}\u{1f600}]{0,150}", b in "[abc\u{e9}\u{1f600}]{0,150}") {
            prop_assert_eq!(levenshtein(&a, &b), table(&a, &b));
        }

        #[test]
        fn same_for_near_texts(a in "[a-d]{60,200}", at in 0usize..60, with in "[a-d]{0,9}", most in 0usize..12) {
            let mut b = a.clone();
            b.replace_range(at..at + 5.min(b.len() - at), &with);
            let distance = table(&a, &b);
            prop_assert_eq!(levenshtein(&a, &b), distance);
            prop_assert_eq!(levenshtein_within(&a, &b, most), Some(distance).filter(|&found| found <= most));
        }

        #[test]
        fn a_cut_off_never_changes_a_similarity(a in "[ab\u{e9}]{0,80}", b in "[ab\u{e9}]{0,80}", least in 0.0f64..1.0) {
            let whole = similarity(&a, &b);
            match measured(&a, &b, least) {
                Ok(found) => prop_assert_eq!(found.to_bits(), whole.to_bits()),
                Err(_) => prop_assert!(whole < least),
            }
        }
    }
}
