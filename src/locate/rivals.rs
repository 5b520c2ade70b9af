//! When the cheapest of several ways to fit a quote into the document is the one that is meant.

use std::borrow::Cow;

use super::Tier;
use super::alignment::{Aligned, align, same_effect};
use super::pairing::{At, Candidate};
use super::relation::{Relation, relate};
use super::search::Index;
use crate::patch::LineKind;
use crate::patch::edit::{Edit, EditLine};
use crate::text::{Document, Fold};

/// How much more the second cheapest alignment has to cost, in tenths of a misspelt word, for the cheapest to
/// be the one that is meant. A sibling of the place that differs by one word costs as much more, or, where the
/// slip is in the very word that tells them apart, 20.
pub(super) const MARGIN: u32 = 20;

/// The same where the lines themselves do not tell the cheapest one from the other ([`Compared::tells`]).
pub(super) const WIDE_MARGIN: u32 = 80;

/// Two ways to fit an edit into a document, compared.
pub(super) struct Compared<'c> {
    pub(super) edit: &'c Edit<'c>,
    pub(super) index: &'c Index,
}

impl Compared<'_> {
    /// Whether the quoted lines tell one place from another one: at least one of them is nearer to what stands here, and
    /// none of them stands there and nowhere else. What else the costs count, lines too many or too few, may as well
    /// have come or gone in the meantime.
    pub(super) fn tells(&self, here: &Aligned, there: &Aligned) -> bool {
        let cost = |nth, fit| self.relation(nth, fit).unwrap_or(Relation::Other).cost();
        let nearer = self.quoted().any(|nth| cost(nth, here) < cost(nth, there));
        nearer && !self.has_own_line(there, here)
    }

    /// Whether a quoted line stands here, not there, and nowhere else in the document.
    fn has_own_line(&self, here: &Aligned, there: &Aligned) -> bool {
        let says_same = |nth, fit| self.relation(nth, fit).is_some_and(Relation::says_same);
        let is_rare =
            |nth: usize| self.index.line_places(Fold::Skeleton, &self.edit.lines[nth].text).len() == 1;
        self.quoted().any(|nth| says_same(nth, here) && !says_same(nth, there) && is_rare(nth))
    }

    /// The quoted lines that are not blank.
    fn quoted(&self) -> impl Iterator<Item = usize> {
        let lines = self.edit.lines.iter().enumerate();
        let quoted = lines.filter(|(_, line)| line.kind != LineKind::Add && !line.text.trim().is_empty());
        quoted.map(|(nth, _)| nth)
    }

    fn relation(&self, nth: usize, fit: &Aligned) -> Option<Relation> {
        let actual = fit.at[nth].line().and_then(|line| self.index.document().text(line))?;
        Some(relate(&self.edit.lines[nth].text, actual))
    }
}

/// The line without a sign that ties an edit to its candidate, which has this cost: were it none of the document's, the
/// edit would fit elsewhere, and better. Alone it says too little; it may as well be one that was to be added.
pub(super) fn tie_without_sign(candidate: &Candidate<'_>, index: &Index, cost: u32) -> Option<usize> {
    let is_unsigned = |line: &EditLine<'_>| !line.signed && !line.text.trim().is_empty();
    if cost < MARGIN || !candidate.edit.lines.iter().any(is_unsigned) {
        return None;
    }
    let lines = candidate.edit.lines.iter();
    let signed =
        lines.map(|line| EditLine { kind: line.kind, text: Cow::Borrowed(&*line.text), signed: true });
    let edit = Edit { lines: signed.collect(), ..Edit::default() };
    let (fits, _) = align(index, &edit);
    let here = Aligned { at: candidate.at.clone(), cost };
    let is_elsewhere = |fit: &&Aligned| !same_effect(candidate.edit, &here, fit, index.document());
    let better = fits.iter().take_while(|fit| fit.cost < cost).find(is_elsewhere)?;
    let compared = Compared { edit: candidate.edit, index };
    let is_missing = |nth| !compared.relation(nth, better).is_some_and(Relation::says_same);
    compared.quoted().find(|nth| is_unsigned(&candidate.edit.lines[*nth]) && is_missing(*nth))
}

/// Whether a quote that is indented otherwise than its place may be meant elsewhere: where each of its lines stands to the
/// letter, in their order, with a few lines between that were not quoted.
pub(super) fn stands_with_gaps(candidate: &Candidate<'_>, index: &Index) -> bool {
    let document = index.document();
    let quote: Vec<&str> =
        candidate.edit.old_lines().map(|line| &*line.text).filter(|line| !line.trim().is_empty()).collect();
    let longest = quote.iter().enumerate().max_by_key(|(_, line)| line.trim().len());
    let telling = longest.filter(|(_, line)| line.contains(char::is_alphanumeric));
    let Some((telling, line)) = telling.filter(|_| candidate.tier == Tier::Indentation) else { return false };
    let reach = quote.len() + SKIPPED;
    let stand_around = |at: usize| {
        stand_along(document, quote[..telling].iter().rev(), (at.saturating_sub(reach)..at).rev())
            && stand_along(document, quote[telling + 1..].iter(), at + 1..document.len().min(at + reach))
    };
    let places = index.line_places(Fold::Skeleton, line);
    let alike = places.iter().take(COMPARED).map(|at| *at as usize);
    let mut elsewhere = alike
        .filter(|at| document.line(*at) == line.as_bytes() && !candidate.at.contains(&At::Line(*at)))
        .take(TRIED);
    elsewhere.any(stand_around)
}

/// How many lines may stand between.
const SKIPPED: usize = 8;

/// How many lines are compared with the longest that is quoted, and around how many the others are sought.
const COMPARED: usize = 512;
const TRIED: usize = 16;

/// Whether lines stand to the letter, in their order, among those of the document.
fn stand_along<'q>(
    document: &Document,
    mut lines: impl Iterator<Item = &'q &'q str>,
    mut among: impl Iterator<Item = usize>,
) -> bool {
    lines.all(|line| among.any(|at| document.line(at) == line.as_bytes()))
}

/// Whether a quote that is indented as its place is may be meant elsewhere: where another edit of the document is indented
/// otherwise than its place, and the lines of this one stand so in more places.
pub(super) fn stands_shifted(candidate: &Candidate<'_>, index: &Index) -> bool {
    let quote: Vec<&str> = candidate.edit.old_lines().map(|line| &*line.text).collect();
    let places = |fold| index.places(fold, &quote).len();
    candidate.shown.beside.shifted
        && candidate.tier < Tier::Indentation
        && places(Fold::Indentation) > places(Fold::Exact)
}

/// Alignments, the cheapest first, that headers and `*** End of File` narrow.
pub(super) struct Narrowed {
    pub(super) fits: Vec<Aligned>,
    /// Whether what narrows them speaks for one place, and the lines for another.
    pub(super) contested: bool,
}

impl Narrowed {
    /// Leaves those that fit, or all if none does; says whether one did.
    pub(super) fn to(&mut self, fits: impl Fn(&Aligned) -> bool, compared: &Compared<'_>) -> bool {
        let Some(cheapest) = self.fits.first() else { return true };
        let Some(best) = self.fits.iter().find(|fit| fits(fit)) else { return false };
        if best.cost >= cheapest.cost + MARGIN
            || best.cost > cheapest.cost && compared.has_own_line(cheapest, best)
        {
            let most = best.cost;
            self.contested = true;
            self.fits.retain(|fit| fit.cost <= most);
        } else {
            self.fits.retain(fits);
        }
        true
    }
}
