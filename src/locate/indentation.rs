//! How the indentation of a quote maps to the document's.
//!
//! The paired lines show it. A width that they show is mapped as they show it; for any other the mapping goes
//! on in proportion. Where the pairs contradict each other, or a line would begin left of column 0, there is
//! no answer.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::outcome::Doubt;
use super::pairing::{Pair, plain_indentation};
use crate::text::{Document, indentation, is_blank};

/// How the quote's indentation maps to the document's.
pub(super) struct IndentationMap<'c> {
    /// The pairs, in the edit's order.
    pairs: &'c [Pair<'c>],
    agreement: Agreement<'c>,
    /// How many columns of the document stand for how many of the quote, beyond a pair that is known.
    slope: (usize, usize),
    /// The character that the document indents with.
    unit: char,
    /// How many columns a level has in the document near the place.
    level: Option<usize>,
}

/// Whether the pairs go together.
enum Agreement<'c> {
    /// One indentation of the document for each one of the quote, by one shift and one proportion.
    All,
    /// All pairs but one are indented as in the document, which makes this one a slip.
    AllBut(&'c Pair<'c>),
    /// Neither.
    None,
}

impl<'c> IndentationMap<'c> {
    /// `None` where the quote has the document's indentation. `line` is one of the document near the place.
    pub(super) fn new(pairs: &'c [Pair<'c>], document: &Document, line: usize) -> Option<Self> {
        if pairs.iter().all(Pair::is_kept) {
            return None;
        }
        let (slope, level) = (slope(pairs, document), level(document, line));
        Some(IndentationMap {
            pairs,
            agreement: agreement(pairs, slope, level),
            slope,
            unit: unit(pairs, document),
            level,
        })
    }

    /// Whether the pairs contradict each other, so that they say nothing about any other line.
    pub(super) fn is_contradictory(&self) -> bool {
        matches!(self.agreement, Agreement::None)
    }

    /// A line with the document's indentation.
    pub(super) fn indented(&self, line: &str) -> Result<String, Doubt> {
        self.mapped(&plain_indentation(line)).map(|indentation| indentation + line.trim_start())
    }

    /// What an indentation of the quote is in the document.
    pub(super) fn mapped(&self, own: &str) -> Result<String, Doubt> {
        match self.agreement {
            Agreement::None => Err(Doubt::NoIndentation),
            // The line may have slipped together with the one that is indented like it.
            Agreement::AllBut(slip) if slip.quoted_indentation() == own => Err(Doubt::NoIndentation),
            // Off the document's levels it may be the quote's that are others.
            Agreement::AllBut(_) if !self.level.is_none_or(|level| own.len().is_multiple_of(level)) => {
                Err(Doubt::NoIndentation)
            }
            Agreement::AllBut(_) => Ok(own.to_owned()),
            Agreement::All => match self.pairs.iter().find(|pair| pair.quoted_indentation() == own) {
                Some(pair) => Ok(pair.actual_indentation().into_owned()),
                None => self.extrapolated(own),
            },
        }
    }

    /// The indentation of a line deeper or shallower than any pair shows: from the nearest width that one
    /// shows, on in proportion.
    fn extrapolated(&self, own: &str) -> Result<String, Doubt> {
        let distance = |pair: &&Pair<'_>| pair.quoted_indentation().len().abs_diff(own.len());
        let base = self.pairs.iter().min_by_key(distance).ok_or(Doubt::NoIndentation)?;
        let (quoted, actual) = (base.quoted_indentation(), base.actual_indentation());
        if own.chars().next().zip(quoted.chars().next()).is_some_and(|(own, quoted)| own != quoted) {
            return Err(Doubt::NoIndentation);
        }
        if ![own, &*quoted, &*actual].into_iter().all(one_character) {
            return by_prefix(own, &quoted, &actual);
        }
        let (rise, run) = self.slope;
        let difference = own.len().abs_diff(quoted.len()) * rise;
        if difference % run != 0 {
            return Err(Doubt::NoIndentation);
        }
        let width = if own.len() >= quoted.len() {
            actual.len() + difference / run
        } else {
            actual.len().checked_sub(difference / run).ok_or(Doubt::LeftOfMargin)?
        };
        if !self.is_on_a_level(width, base) {
            return Err(Doubt::NoIndentation);
        }
        let unit = actual.chars().next().unwrap_or(self.unit);
        Ok(std::iter::repeat_n(unit, width).collect())
    }

    /// Whether a width that no pair shows is one that the document has: where the quote's levels have other widths
    /// than the document's, or may have them, as far as the pairs show.
    fn is_on_a_level(&self, width: usize, base: &Pair<'_>) -> bool {
        let (quoted, actual) = widths(base);
        let one_width = self.pairs.iter().all(|pair| widths(pair) == (quoted, actual));
        let may_be_scaled = one_width && is_scaled((quoted, actual));
        let (rise, run) = self.slope;
        let Some(level) = self.level else { return true };
        if rise == run && !may_be_scaled {
            // Half a level of the document may be a whole one of the quote.
            return level % 2 == 1 || width.abs_diff(actual) % level != level / 2;
        }
        // A tab is a level; one space is none.
        let tabs = self.pairs.iter().any(|pair| pair.quoted_indentation().contains('\t'));
        let spaces = base.actual_indentation().contains(' ');
        let has_levels = if tabs {
            rise == run || !spaces || rise == level * run
        } else {
            rise == run || level * run >= 2 * rise
        };
        has_levels && width.abs_diff(actual).is_multiple_of(level)
    }
}

fn widths(pair: &Pair<'_>) -> (usize, usize) {
    (pair.quoted_indentation().len(), pair.actual_indentation().len())
}

fn agreement<'c>(pairs: &'c [Pair<'c>], slope: (usize, usize), level: Option<usize>) -> Agreement<'c> {
    let mut others = pairs.iter().filter(|pair| !pair.is_kept());
    let indented = |pair: &Pair<'_>| pair.is_kept() && !pair.actual_indentation().is_empty();
    if let (Some(slip), None) = (others.next(), others.next())
        && pairs.iter().any(indented)
        && pairs.len() > 2
    {
        return Agreement::AllBut(slip);
    }
    let mut shown: BTreeMap<Cow<'_, str>, Cow<'_, str>> = BTreeMap::new();
    let all_alike = pairs.iter().all(|pair| {
        let actual = pair.actual_indentation();
        *shown.entry(pair.quoted_indentation()).or_insert_with(|| actual.clone()) == actual
    });
    let signed = |(quoted, actual): (usize, usize)| (quoted.cast_signed(), actual.cast_signed());
    let slope = signed(slope);
    let by_width = shown.iter().map(|(quoted, actual)| signed((quoted.len(), actual.len())));
    let mut by_width: Vec<_> = by_width.collect();
    by_width.sort_unstable();
    let deeper = by_width.windows(2).all(|pair| pair[0].0 == pair[1].0 || pair[0].1 < pair[1].1);
    let mixed = shown.iter().any(|(quoted, actual)| !one_character(quoted) || !one_character(actual));
    // Levels of another width begin at the margin.
    let spaces = shown.iter().all(|(quoted, actual)| !quoted.contains('\t') && !actual.contains('\t'));
    if spaces && slope.0 != slope.1 {
        by_width.insert(0, (0, 0));
    }
    if by_width.len() > 1 && tabs_are_no_levels(&shown, &by_width, slope, level) {
        return Agreement::None;
    }
    let even = is_even(&by_width, slope) && !may_be_scaled_and_slipped(pairs, level);
    if all_alike && deeper && (mixed || even) { Agreement::All } else { Agreement::None }
}

/// Whether indentations of tabs on one side only contradict it that a tab is a level and one space is none, unless it is so
/// from the margin on.
fn tabs_are_no_levels(
    shown: &BTreeMap<Cow<'_, str>, Cow<'_, str>>,
    widths: &[(isize, isize)],
    (rise, run): (isize, isize),
    level: Option<usize>,
) -> bool {
    let (in_quote, in_document) = (
        shown.keys().any(|quoted| quoted.contains('\t')),
        shown.values().any(|actual| actual.contains('\t')),
    );
    match (in_quote, in_document) {
        (true, false) => level.is_some_and(|level| rise != level.cast_signed() * run),
        (false, true) => rise >= run && widths.iter().any(|(quoted, actual)| quoted * rise != actual * run),
        _ => false,
    }
}

/// Whether lines that go together by a shift which is no level of the document go together as well by levels of
/// another width, with one of the lines moved.
fn may_be_scaled_and_slipped(pairs: &[Pair<'_>], level: Option<usize>) -> bool {
    let by_shift = |(quoted, actual): (usize, usize)| actual.cast_signed() - quoted.cast_signed();
    let Some(shift) = pairs.first().map(|pair| by_shift(widths(pair))) else { return false };
    let is_level = level.is_none_or(|level| shift.unsigned_abs().is_multiple_of(level));
    if is_level || shift.abs() == 1 || pairs.iter().any(|pair| by_shift(widths(pair)) != shift) {
        return false;
    }
    pairs.iter().filter(|pair| is_scaled(widths(pair))).any(|scaled| {
        let (quoted, actual) = widths(scaled);
        let in_proportion = |(q, a): (usize, usize)| q * actual == a * quoted;
        pairs.iter().filter(|pair| !in_proportion(widths(pair))).count() == 1
    })
}

/// Whether one of the widths has several times the other's columns.
fn is_scaled((quoted, actual): (usize, usize)) -> bool {
    let multiple = |a: usize, b: usize| b > 0 && a > b && a.is_multiple_of(b);
    multiple(actual, quoted) || multiple(quoted, actual)
}

/// Whether one shift and one proportion explain all pairs of widths.
fn is_even(widths: &[(isize, isize)], (rise, run): (isize, isize)) -> bool {
    let mut offsets = widths.iter().map(|(quoted, actual)| actual * run - quoted * rise);
    let first = offsets.next();
    offsets.all(|offset| Some(offset) == first)
}

/// How many lines above and below a place show how wide a level is there.
const NEAR: usize = 100;

/// How many columns a level has near a line: the commonest step to the right from one line to the next.
pub(super) fn level(document: &Document, line: usize) -> Option<usize> {
    let widths: Vec<usize> = near(document, line).map(|text| indentation(text).len()).collect();
    let mut steps: BTreeMap<usize, usize> = BTreeMap::new();
    for pair in widths.windows(2).filter(|pair| pair[0] < pair[1]) {
        *steps.entry(pair[1] - pair[0]).or_default() += 1;
    }
    steps.into_iter().max_by_key(|(_, count)| *count).map(|(step, _)| step)
}

/// The lines near a line that say something.
pub(super) fn near(document: &Document, line: usize) -> impl Iterator<Item = &str> {
    let near = line.saturating_sub(NEAR)..document.len().min(line + NEAR);
    near.filter_map(|line| document.text(line)).filter(|text| !is_blank(text.as_bytes()))
}

/// Tabs and spaces in one indentation: what the line has more than the quote is added, what it has less
/// is taken away, if it is there to take.
fn by_prefix(own: &str, quoted: &str, actual: &str) -> Result<String, Doubt> {
    if let Some(more) = own.strip_prefix(quoted) {
        return Ok(format!("{actual}{more}"));
    }
    let less = quoted.strip_prefix(own).ok_or(Doubt::NoIndentation)?;
    actual.strip_suffix(less).map(str::to_owned).ok_or(Doubt::LeftOfMargin)
}

fn one_character(indentation: &str) -> bool {
    let first = indentation.chars().next();
    indentation.chars().all(|c| Some(c) == first)
}

/// The character that the document indents with near the place, or else anywhere; where it does so nowhere, that of the quote.
fn unit(pairs: &[Pair<'_>], document: &Document) -> char {
    let near = pairs.iter().find_map(|pair| pair.actual_indentation().chars().next());
    let anywhere = || document.lines().find_map(|line| line.first().filter(|b| matches!(b, b' ' | b'\t')));
    let quoted = || pairs.iter().find_map(|pair| pair.quoted_indentation().chars().next());
    near.or_else(|| anywhere().map(|b| char::from(*b))).or_else(quoted).unwrap_or(' ')
}

/// Document columns for quote columns: from two pairs of different depth, or from one where tabs stand for
/// spaces; otherwise one for one.
fn slope(pairs: &[Pair<'_>], document: &Document) -> (usize, usize) {
    let width = |pair: &Pair<'_>| (pair.quoted_indentation().len(), pair.actual_indentation().len());
    for (nth, first) in pairs.iter().enumerate() {
        for second in &pairs[nth + 1..] {
            let ((q1, d1), (q2, d2)) = (width(first), width(second));
            if q1 != q2 && d1 != d2 && (q1 < q2) == (d1 < d2) {
                return (d1.abs_diff(d2), q1.abs_diff(q2));
            }
        }
        if nth > MOST_COMPARED {
            break;
        }
    }
    let kinds = |pair: &&Pair<'_>| {
        let (quoted, actual) = (pair.quoted_indentation(), pair.actual_indentation());
        quoted.chars().next() != actual.chars().next() && !quoted.is_empty() && !actual.is_empty()
    };
    match pairs.iter().find(kinds) {
        Some(pair) => {
            let (quoted, actual) = width(pair);
            (actual, quoted)
        }
        None => (1, if unit(pairs, document) == '\t' { tab_width(pairs) } else { 1 }),
    }
}

/// How many pairs are compared with all others for the proportion; later ones show nothing new.
const MOST_COMPARED: usize = 16;

/// How many columns of the quote a tab of the document stands for, where no pair shows it: one where the quote
/// has tabs itself, else the usual four.
fn tab_width(pairs: &[Pair<'_>]) -> usize {
    let tabs = pairs.iter().any(|pair| pair.quoted_indentation().contains('\t'));
    if tabs { 1 } else { 4 }
}
