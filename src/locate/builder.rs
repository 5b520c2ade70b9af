//! From chosen places to replacements: each is vetted, its added lines are adapted, and what the edits before it did is
//! taken into account.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use super::adapt;
use super::already;
use super::beside::Frame;
use super::choose::choose;
use super::compose::compose;
use super::diagnose::{Refusal, Refusals};
use super::doubt::{Objection, Spot};
use super::evidence::{ANOTHER_WORD, is_distinct, is_telling};
use super::guard;
use super::outcome::Doubt;
use super::outcome::Drift;
use super::outcome::Placement;
use super::outcome::{Miss, Reason};
use super::pairing::{At, Candidate, Shown};
use super::relation::relate;
use super::rivals::{stands_shifted, stands_with_gaps, tie_without_sign};
use super::search::Index;
use super::search::{Hashed, hash_bytes};
use super::sight::{Place, Sight, sight};
use super::signs;
use super::{Level, Matching, Tier};
use crate::patch::LineKind;
use crate::patch::edit::Edit;
use crate::text::{Document, Replacement, apply_replacements};

/// Turns chosen places into replacements, edit by edit.
pub(super) struct Builder<'b> {
    index: &'b Index,
    edits: &'b [&'b Edit<'b>],
    matching: Matching,
    refusals: Refusals<'b>,
    pub(super) outcomes: Vec<Result<Placement, Miss>>,
    /// What the edits so far do to the document.
    pub(super) total: Vec<Replacement<'static>>,
    /// The result of `total`, while it is up to date.
    result: Option<Index>,
    /// Where the results of edits stand that are already applied. What they wrote, no other edit may remove.
    already: Vec<Range<usize>>,
    /// The hashes of the lines that `total` writes, without white space at either end. Nothing is edited for such a line:
    /// one that is taken for another costs a look or a doubt.
    written: HashSet<u64, BuildHasherDefault<Hashed>>,
}

/// What one edit does, once its place is known.
struct Change {
    replacements: Vec<Replacement<'static>>,
    drift: Vec<Drift>,
    /// Where its result stands already; nothing is replaced then.
    already: Option<Range<usize>>,
}

impl<'b> Builder<'b> {
    pub(super) fn new(index: &'b Index, edits: &'b [&'b Edit<'b>], matching: Matching) -> Self {
        Builder {
            index,
            edits,
            matching,
            refusals: Refusals { level: matching.level, original: index },
            outcomes: Vec::new(),
            total: Vec::new(),
            result: None,
            already: Vec::new(),
            written: HashSet::default(),
        }
    }

    pub(super) fn add(&mut self, nth: usize, sight: Sight<'_>) {
        let in_document = sight.is_anchor() || sight.tier != Tier::Alignment && !sight.places.is_empty();
        let outcome = if in_document {
            self.add_in_place(sight)
        } else {
            // What the edits before this one have made of the document is nearer than any likeness.
            self.add_after_earlier(nth).unwrap_or_else(|| self.add_otherwise(sight))
        };
        self.outcomes.push(outcome);
    }

    /// An edit whose quote stands line for line neither in the document nor in what became of it.
    fn add_otherwise(&mut self, sight: Sight<'_>) -> Result<Placement, Miss> {
        match sight.already.clone() {
            Some(range) => Ok(self.add_already(&sight, range)),
            None if sight.places.is_empty() => Err(self.miss(&sight, Reason::NotFound)),
            None => self.add_in_place(sight),
        }
    }

    pub(super) fn add_in_place(&mut self, mut sight: Sight<'_>) -> Result<Placement, Miss> {
        if sight.is_anchor() {
            let vouched = sight.edit.lines.iter().all(|line| line.signed || line.text.trim().is_empty());
            if sight.places.is_empty() && !vouched {
                // A line without a sign is context only if the file has it.
                return Err(self.miss(&sight, Reason::NotFound));
            }
            let lines = match sight.places.first() {
                Some(place) => sight.candidate(*place),
                None => Candidate {
                    edit: &sight.edit,
                    tier: sight.tier,
                    at: guard::nearby(&sight.edit, self.index),
                    shown: Shown::NOTHING,
                },
            };
            if let Err(objection) = Frame::new(&lines, self.index).anchor_adds_nothing() {
                let at = lines.at.clone();
                return Err(self.refusals.doubtful(&sight, &at, objection, self.index));
            }
            return Ok(anchor(&sight, self.index.document()));
        }
        let place = only(&sight).map_err(|refusal| self.refusals.refused(&sight, refusal, self.index))?;
        let change = match self.quotes_another(&sight, place) {
            Some(objection) => Err(Refusal::Doubt(place, objection)),
            None => realize(&sight, place, self.index),
        };
        let change = change.map_err(|refusal| self.refusals.refused(&sight, refusal, self.index))?;
        sight.drift.extend(change.drift);
        self.already.extend(change.already);
        let mut replacements = change.replacements;
        let made = |r: &Replacement<'_>| near(&self.total, r).contains(r);
        if replacements.iter().any(made) {
            replacements.retain(|replacement| !made(replacement));
            sight.drift.retain(|drift| *drift != Drift::OutOfOrder);
            sight.drift.push(Drift::SameChange);
        }
        if let Some(line) = conflict(&self.total, &replacements).or_else(|| self.undoes(&replacements)) {
            return Err(self.miss(&sight, Reason::Overlap { line }));
        }
        let placement = placement(&sight, place, &replacements);
        self.remember(&replacements);
        for replacement in replacements {
            let place = |other: &Replacement<'_>| (other.start, other.end());
            let at = self.total.partition_point(|other| place(other) <= place(&replacement));
            self.total.insert(at, replacement);
        }
        Ok(placement)
    }

    /// Whether each quoted line is in the document or was written by an earlier edit: if not, there is no need to
    /// look what those have made of the document.
    fn may_stand_after_earlier(&self, edit: &Edit<'_>) -> bool {
        let fold = Tier::Indentation.fold();
        let known = |line: &str| self.is_written(line.trim()) || self.index.contains(fold, line);
        edit.old_lines().all(|line| line.text.trim().is_empty() || known(&line.text))
    }

    /// The doubt about a place that is one in likeness only, where a quoted line is not what stands there, but what an earlier
    /// edit writes, and that one was made elsewhere: they belong together.
    fn quotes_another(&self, sight: &Sight<'_>, place: Place) -> Option<Objection> {
        if sight.tier != Tier::Alignment {
            return None;
        }
        let candidate = sight.candidate(place);
        let lines = || candidate.at.iter().filter_map(|at| at.line());
        let (first, last) = (lines().min()?, lines().max()?);
        let touches = |made: &Replacement<'_>| made.start <= last + 1 && first <= made.end();
        if self.total.iter().any(touches) {
            return None;
        }
        let document = self.index.document();
        let says_same = |line: &str, at: &At| {
            let actual = at.line().and_then(|at| document.text(at));
            actual.is_some_and(|actual| relate(line, actual).says_same())
        };
        // Where the order speaks against the place, too, any line will do.
        let out_of_order = sight.drift.contains(&Drift::OutOfOrder);
        let is_its_own = |line: &str| {
            line.contains(char::is_alphanumeric) && !self.index.contains(Tier::Indentation.fold(), line)
        };
        let mut quoted = candidate.edit.lines.iter().zip(&candidate.at).enumerate();
        let (nth, _) = quoted.find(|(_, (line, at))| {
            let text = line.text.trim();
            line.kind != LineKind::Add
                && !text.is_empty()
                && !says_same(&line.text, at)
                && self.is_written(text)
                && (out_of_order || is_its_own(&line.text))
        })?;
        Some(Doubt::WrittenElsewhere.by(Spot::Quoted(nth)))
    }

    /// Keeps in mind what an edit writes.
    fn remember(&mut self, replacements: &[Replacement<'static>]) {
        let lines = replacements.iter().flat_map(|replacement| &replacement.lines);
        self.written.extend(lines.map(|line| hash_bytes(line.trim().as_bytes())));
        self.result = None;
    }

    /// Whether an earlier edit writes a line, given without white space at either end.
    fn is_written(&self, line: &str) -> bool {
        self.written.contains(&hash_bytes(line.as_bytes()))
    }

    /// The first line that is to be removed although an edit that is already applied has it in its result.
    fn undoes(&self, replacements: &[Replacement<'_>]) -> Option<usize> {
        let mut removed = replacements.iter().flat_map(|replacement| replacement.start..replacement.end());
        removed.find(|line| self.already.iter().any(|range| range.contains(line)))
    }

    /// An edit whose quote stands nowhere, because it has been applied before.
    fn add_already(&mut self, sight: &Sight<'_>, range: Range<usize>) -> Placement {
        let start = range.start;
        self.already.push(range);
        let mut drift = sight.drift.clone();
        drift.push(Drift::AlreadyApplied);
        Placement { tier: Tier::Exact, cost: 0, start, added: 0, removed: 0, drift }
    }

    /// Seeks an edit, line for line, in the result of those before it. `None` where it has no place there either.
    fn add_after_earlier(&mut self, nth: usize) -> Option<Result<Placement, Miss>> {
        if self.total.is_empty() || !self.may_stand_after_earlier(self.edits[nth]) || !self.index.spend() {
            return None;
        }
        let document = self.index.document();
        let total = &self.total;
        self.result.get_or_insert_with(|| Index::new(&Document::from(apply_replacements(document, total))));
        let result = self.result.as_ref()?;
        let level = self.matching.level.min(Level::Whitespace);
        let mut sights = vec![sight(result, self.edits[nth], None, &Matching { level, ..self.matching })];
        choose(&mut sights, &self.matching);
        let mut sight = sights.pop().filter(|sight| !sight.places.is_empty())?;
        let realized = only(&sight).and_then(|place| {
            let change = realize(&sight, place, result)?;
            match written_line(&self.total, &change.replacements) {
                Some(line) => Err(Refusal::Reason(Reason::Overlap { line })),
                None => Ok((place, change)),
            }
        });
        let (place, change) = match realized {
            Ok(realized) => realized,
            Err(refusal) => return Some(Err(self.refusals.refused(&sight, refusal, result))),
        };
        sight.drift.extend(change.drift);
        sight.drift.push(Drift::AfterEarlier);
        let placement = placement(&sight, place, &change.replacements);
        self.total = compose(&self.total, &change.replacements);
        self.remember(&change.replacements);
        Some(Ok(placement))
    }

    /// Why an edit has no place in the document.
    pub(super) fn miss(&self, sight: &Sight<'_>, reason: Reason) -> Miss {
        self.refusals.miss(sight, reason, self.index)
    }
}

/// The one place that is left, or all of them.
fn only(sight: &Sight<'_>) -> Result<Place, Refusal> {
    match sight.places[..] {
        [place] if !sight.everywhere => Ok(place),
        [first, .., last] if first.start == last.start => {
            Err(Refusal::Doubt(first, Doubt::SeveralWays.into()))
        }
        _ => Err(Reason::Ambiguous { places: sight.places.iter().map(|place| place.start).collect() }.into()),
    }
}

/// An edit that changes nothing has its place if it has any; it only narrows.
fn anchor(sight: &Sight<'_>, document: &Document) -> Placement {
    let mut drift = sight.drift.clone();
    if sight.places.is_empty() {
        drift.push(Drift::AnchorMissing);
    }
    let start = sight.places.first().map(|place| place.start).unwrap_or_default();
    if let [place] = sight.places[..] {
        drift.extend(text_drift(&sight.candidate(place), document));
    }
    Placement { tier: sight.tier, cost: 0, start, added: 0, removed: 0, drift }
}

fn placement(sight: &Sight<'_>, place: Place, replacements: &[Replacement<'_>]) -> Placement {
    let mut drift = sight.drift.clone();
    let said = drift.iter().any(|drift| matches!(drift, Drift::SameChange | Drift::AlreadyApplied));
    if replacements.is_empty() && !said {
        drift.push(Drift::NoChange);
    }
    Placement {
        tier: sight.tier,
        cost: sight.cost(place),
        start: place.start,
        added: replacements.iter().map(|replacement| replacement.lines.len()).sum(),
        removed: replacements.iter().map(|replacement| replacement.removed).sum(),
        drift,
    }
}

/// What an edit does at its place: the guard is asked, added lines are adapted.
fn realize(sight: &Sight<'_>, place: Place, index: &Index) -> Result<Change, Refusal> {
    let document = index.document();
    let candidate = sight.candidate(place);
    if !stands(sight, place, index) {
        return Err(Reason::NotFound.into());
    }
    let doubtful = |doubt: Doubt| Refusal::Doubt(place, doubt.into());
    let restored = signs::restored(&candidate, document).map_err(doubtful)?;
    let candidate = match &restored {
        Some(edit) => Candidate { edit, ..candidate },
        None => candidate,
    };
    let adapted = adapt::adapt(&candidate, document);
    let mut drift = text_drift(&candidate, document);
    drift.extend(restored.is_some().then_some(Drift::Signs));
    if let Ok(adapted) = &adapted
        && let Some(range) = already::in_place(&candidate, &adapted.lines, document)
        && adds_more(&candidate)
    {
        drift.push(Drift::AlreadyApplied);
        return Ok(Change { replacements: Vec::new(), drift, already: Some(range) });
    }
    vet(sight, place, &candidate, index).map_err(|objection| Refusal::Doubt(place, objection))?;
    let adapted = adapted.map_err(doubtful)?;
    let mended = adapted.drift.iter().any(|drift| *drift != Drift::Reindented);
    drift.extend(adapted.drift);
    let replacements = replacements(&candidate, adapted.lines);
    if let Some(line) = not_text(&replacements, document) {
        return Err(Reason::NotText { line }.into());
    }
    let changes = |replacement: &Replacement<'_>| !stands_already(replacement, document);
    let asked = !replacements.is_empty();
    let replacements: Vec<_> = replacements.into_iter().filter(changes).collect();
    if asked && mended && replacements.is_empty() {
        return Err(doubtful(Doubt::MendedToNothing));
    }
    Ok(Change { replacements, drift, already: None })
}

/// Asks whether the place is one that may be taken: the only one that it can be, not made before, and safe.
fn vet(sight: &Sight<'_>, place: Place, candidate: &Candidate<'_>, index: &Index) -> Result<(), Objection> {
    if candidate.shown.disordered {
        return Err(Doubt::PartsOutOfOrder.into());
    }
    let (cost, out_of_order) = (sight.cost(place), sight.drift.contains(&Drift::OutOfOrder));
    if (out_of_order || cost >= ANOTHER_WORD) && !is_distinct(candidate, index) {
        let doubt = if out_of_order { Doubt::OutOfOrder } else { Doubt::StandsElsewhere };
        return Err(doubt.into());
    }
    if sight.drift.contains(&Drift::NotAtEnd) && !is_telling(candidate) {
        return Err(Doubt::NotAtEnd.into());
    }
    if let Some(nth) = tie_without_sign(candidate, index, cost) {
        return Err(Doubt::TieWithoutSign.by(Spot::Quoted(nth)));
    }
    if stands_with_gaps(candidate, index) {
        return Err(Doubt::StandsWithGaps.into());
    }
    if stands_shifted(candidate, index) {
        return Err(Doubt::StandsShifted.into());
    }
    if let Some(made) = already::looks_made(candidate, index, &sight.edit, cost) {
        return Err(Doubt::LooksApplied.by(Spot::Made(made)));
    }
    if let Some(made) = already::stands_over(candidate, index, &sight.edit) {
        return Err(Doubt::LooksApplied.by(Spot::Made(made)));
    }
    guard::vet(candidate, index)?;
    let document = index.document();
    match already::stands_beside(candidate, document)
        .or_else(|| already::stands_in_quote(candidate, document))
    {
        Some(made) => Err(Doubt::LooksApplied.by(Spot::Made(made))),
        None => Ok(()),
    }
}

/// Whether an edit adds more lines than it removes: if not, a result that stands in place means that it changes
/// nothing at all.
fn adds_more(candidate: &Candidate<'_>) -> bool {
    let count = |kind| candidate.edit.lines.iter().filter(|line| line.kind == kind).count();
    count(LineKind::Add) > count(LineKind::Remove)
}

/// Whether the quote stands at the place. Lines are found by their hashes; here they are compared.
fn stands(sight: &Sight<'_>, place: Place, index: &Index) -> bool {
    let quote: Vec<&str> = sight.edit.old_lines().map(|line| &*line.text).collect();
    sight.tier >= Tier::Spelling || index.stands_at(sight.tier.fold(), &quote, place.start)
}

/// What of the document's text reads otherwise in the quote.
fn text_drift(candidate: &Candidate<'_>, document: &Document) -> Vec<Drift> {
    if candidate.tier == Tier::Exact {
        return Vec::new();
    }
    let lines = candidate.differing(document);
    let of = candidate.edit.old_lines().count();
    let (missing, skipped) = (candidate.missing(), candidate.skipped());
    let differ = (!lines.is_empty()).then_some(Drift::Lines { tier: candidate.tier, lines, of });
    let missing = (missing > 0).then_some(Drift::Missing { lines: missing });
    let skipped = (!skipped.is_empty()).then_some(Drift::Skipped { lines: skipped });
    [differ, missing, skipped].into_iter().flatten().collect()
}

/// The runs of removed and added lines. An added line comes behind the last paired one before it.
fn replacements(candidate: &Candidate<'_>, added: Vec<Cow<'_, str>>) -> Vec<Replacement<'static>> {
    let mut all: Vec<Replacement<'static>> = Vec::new();
    let mut open = false;
    let mut next = 0;
    let mut added = added.into_iter();
    for (line, at) in candidate.edit.lines.iter().zip(&candidate.at) {
        let at = match at {
            At::Line(line) | At::Gap(line) => *line,
            At::Nowhere => next,
        };
        // A removed line behind an added one begins anew: `-a +A -b +B` is two changes, and either may also
        // be made by another chunk.
        let behind_added = all.last().is_some_and(|last| !last.lines.is_empty());
        let begins = !open || at != next || (line.kind == LineKind::Remove && behind_added);
        next = at + usize::from(line.kind != LineKind::Add);
        open = line.kind != LineKind::Context;
        if !open {
            continue;
        }
        if begins {
            all.push(Replacement { start: at, removed: 0, lines: Vec::new() });
        }
        if let Some(last) = all.last_mut() {
            match line.kind {
                LineKind::Remove => last.removed += 1,
                _ => last.lines.extend(added.next().map(|line| Cow::Owned(line.into_owned()))),
            }
        }
    }
    all
}

/// Whether the lines that would be written are those that stand there.
fn stands_already(replacement: &Replacement<'_>, document: &Document) -> bool {
    replacement.removed == replacement.lines.len()
        && (replacement.start..)
            .zip(&replacement.lines)
            .all(|(at, line)| document.line(at) == line.as_bytes())
}

/// A line that would be changed, or that new lines would be put behind, and is not text to its end.
fn not_text(replacements: &[Replacement<'_>], document: &Document) -> Option<usize> {
    let mut touched = replacements.iter().flat_map(|r| r.start..r.end());
    let removed = touched.find(|line| document.text(*line).is_none());
    // Behind an odd last byte of UTF-16 no character can be put.
    let last = document.len().checked_sub(1)?;
    let appends = replacements.last().is_some_and(|r| r.start == document.len() && !r.lines.is_empty());
    let broken = document.encoding() != crate::text::Encoding::Utf8 && document.text(last).is_none();
    removed.or((appends && broken).then_some(last))
}

/// The first line that both lists change, or insert at.
fn conflict(total: &[Replacement<'static>], more: &[Replacement<'_>]) -> Option<usize> {
    let clash = |a: &Replacement<'_>, b: &Replacement<'_>| {
        let same_gap = a.removed == 0 && b.removed == 0 && a.start == b.start;
        let inside = a.start < b.end() && b.start < a.end();
        same_gap || inside
    };
    let clashes = |replacement: &Replacement<'_>| {
        near(total, replacement).iter().any(|other| clash(other, replacement))
    };
    more.iter().find(|replacement| clashes(replacement)).map(|replacement| replacement.start)
}

/// The part of `total`, which is sorted and has no overlaps, that touches a replacement.
fn near<'t>(total: &'t [Replacement<'static>], touched: &Replacement<'_>) -> &'t [Replacement<'static>] {
    let from = total.partition_point(|other| other.end() < touched.start);
    let to = total.partition_point(|other| other.start <= touched.end());
    &total[from..to.max(from)]
}

/// The first line, in the result of `total`, that `total` wrote and `then` would remove.
fn written_line(total: &[Replacement<'_>], then: &[Replacement<'_>]) -> Option<usize> {
    let mut shift = 0isize;
    let mut written = Vec::with_capacity(total.len());
    for replacement in total {
        let start = replacement.start.saturating_add_signed(shift);
        written.push(start..start + replacement.lines.len());
        shift += replacement.lines.len().cast_signed() - replacement.removed.cast_signed();
    }
    then.iter().find_map(|replacement| {
        let hit =
            written.iter().find(|range| range.start < replacement.end() && replacement.start < range.end)?;
        (replacement.removed > 0).then_some(hit.start.max(replacement.start))
    })
}
