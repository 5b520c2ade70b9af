//! How the indentation of a quote maps to the document's.
//!
//! The paired lines show it. A width that they show is mapped as they show it; for any other the mapping goes
//! on in proportion. Where the pairs contradict each other, or a line would begin left of column 0, there is
//! no answer.

use std::borrow::Cow;

use super::guard::Doubt;
use super::pairing::{Pair, plain_indentation};
use crate::text::Document;

/// How the quote's indentation maps to the document's.
pub(super) struct IndentationMap<'c> {
    /// The pairs, in the edit's order.
    pairs: &'c [Pair<'c>],
    /// How many columns of the document stand for how many of the quote, beyond a pair that is known.
    slope: (usize, usize),
    /// The character that the document indents with.
    unit: char,
}

impl<'c> IndentationMap<'c> {
    /// `None` where the quote has the document's indentation.
    pub(super) fn new(pairs: &'c [Pair<'c>], document: &Document) -> Option<Self> {
        let same = |pair: &Pair<'_>| pair.quoted_indentation() == pair.actual_indentation();
        if pairs.iter().all(same) {
            return None;
        }
        Some(IndentationMap { pairs, slope: slope(pairs, document), unit: unit(pairs, document) })
    }

    /// A line, which stands at `nth` in the edit, with the document's indentation.
    pub(super) fn indented(&self, line: &str, nth: usize) -> Result<String, Doubt> {
        let text = line.trim_start();
        self.mapped(&plain_indentation(line), nth).map(|indentation| indentation + text)
    }

    /// What an indentation of the quote, of the line at `nth` in the edit, is in the document.
    pub(super) fn mapped(&self, own: &str, nth: usize) -> Result<String, Doubt> {
        match self.shown(own, nth)? {
            Some(known) => Ok(known.into_owned()),
            None => self.extrapolated(own, nth),
        }
    }

    /// The indentation that the pairs show for lines quoted with this one. Where they differ, the nearest
    /// pairs before and after the line decide, if they agree.
    fn shown(&self, own: &str, nth: usize) -> Result<Option<Cow<'c, str>>, Doubt> {
        let alike: Vec<&Pair<'c>> =
            self.pairs.iter().filter(|pair| pair.quoted_indentation() == own).collect();
        let Some(first) = alike.first().map(|pair| pair.actual_indentation()) else { return Ok(None) };
        if alike.iter().all(|pair| pair.actual_indentation() == first) {
            return Ok(Some(first));
        }
        let before = alike.iter().rfind(|pair| pair.nth < nth);
        let after = alike.iter().find(|pair| pair.nth > nth);
        let known = |pair: &&Pair<'c>| pair.actual_indentation();
        match (before.or(after).map(known), after.or(before).map(known)) {
            (Some(before), Some(after)) if before == after => Ok(Some(before)),
            _ => Err(Doubt::NoIndentation),
        }
    }

    /// Whether one shift and one proportion explain all pairs: only then can another width be told from them.
    fn is_even(&self) -> bool {
        let (rise, run) = self.slope;
        let widths =
            self.pairs.iter().map(|pair| (pair.quoted_indentation().len(), pair.actual_indentation().len()));
        let scaled: Vec<isize> = widths
            .map(|(quoted, actual)| (actual * run).cast_signed() - (quoted * rise).cast_signed())
            .collect();
        scaled.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// The indentation of a line deeper or shallower than any pair shows: from the nearest width that one
    /// shows, on in proportion.
    fn extrapolated(&self, own: &str, nth: usize) -> Result<String, Doubt> {
        let distance =
            |pair: &&Pair<'_>| (pair.quoted_indentation().len().abs_diff(own.len()), pair.nth.abs_diff(nth));
        let base = self.pairs.iter().min_by_key(distance).ok_or(Doubt::NoIndentation)?;
        let (quoted, actual) = (base.quoted_indentation(), base.actual_indentation());
        if own.chars().next().zip(quoted.chars().next()).is_some_and(|(own, quoted)| own != quoted) {
            return Err(Doubt::NoIndentation);
        }
        if ![own, &*quoted, &*actual].into_iter().all(one_character) {
            return by_prefix(own, &quoted, &actual);
        }
        let (rise, run) = self.slope;
        if !self.is_even() {
            return Err(Doubt::NoIndentation);
        }
        let difference = own.len().abs_diff(quoted.len()) * rise;
        if difference % run != 0 {
            return Err(Doubt::NoIndentation);
        }
        let width = if own.len() >= quoted.len() {
            actual.len() + difference / run
        } else {
            actual.len().checked_sub(difference / run).ok_or(Doubt::LeftOfMargin)?
        };
        let unit = actual.chars().next().unwrap_or(self.unit);
        Ok(std::iter::repeat_n(unit, width).collect())
    }
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

/// The character that the document indents with near the place, or else anywhere.
fn unit(pairs: &[Pair<'_>], document: &Document) -> char {
    let near = pairs.iter().find_map(|pair| pair.actual_indentation().chars().next());
    let anywhere = || document.lines().find_map(|line| line.first().filter(|b| matches!(b, b' ' | b'\t')));
    near.or_else(|| anywhere().map(|b| char::from(*b))).unwrap_or(' ')
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
