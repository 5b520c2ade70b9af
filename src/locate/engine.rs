//! All edits of a document, placed together.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::adapt;
use super::already;
use super::assign::{Assignment, Contender, assign};
use super::drift::Drift;
use super::elision;
use super::guard::{self, Doubt};
use super::header::Scope;
use super::index::Index;
use super::miss::{self, Miss, Reason};
use super::pairing::{At, Candidate};
use super::replacements::{Replacement, apply_replacements, compose};
use super::sight::{Place, Sight, sight};
use super::{Ambiguity, Level, Matching, Tier};
use crate::edit::{Edit, EditLine};
use crate::patch::LineKind;
use crate::text::Document;

/// The place that was taken for an edit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placement {
    /// How its lines were compared.
    pub tier: Tier,
    /// What the differences cost together, in tenths of a misspelt word; 0 where the quote stands line for line.
    pub cost: u32,
    /// The first line of the place, 0-based, in the document as it was, or, under [`Drift::AfterEarlier`], as
    /// the edits before it left it.
    pub start: usize,
    /// How many lines it adds.
    pub added: usize,
    /// How many lines it removes.
    pub removed: usize,
    /// What differed between the edit and the document.
    pub drift: Vec<Drift>,
}

/// What became of all edits of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placed {
    /// For each edit its place, or why it has none.
    pub outcomes: Vec<Result<Placement, Miss>>,
    /// What all placed edits together do to the document: sorted by place, without overlaps.
    pub replacements: Vec<Replacement<'static>>,
}

/// Places all edits of a document.
///
/// Each edit gets one place, or a [`Miss`] that says what was found instead; an edit that misses does not keep
/// the others from being placed, so that all failures are known at once.
///
/// ```
/// use apply_patch::edit::Edit;
/// use apply_patch::format::{Options, parse};
/// use apply_patch::locate::{Matching, apply_replacements, place};
/// use apply_patch::patch::Action;
/// use apply_patch::text::Document;
///
/// let text = "*** Begin Patch\n*** Update File: a\n@@\n if x:\n-  old()\n+  new()\n*** End Patch\n";
/// let parsed = parse(text, &Options::default());
/// let Action::Update { chunks, .. } = &parsed.patch.hunks[0].action else { unreachable!() };
/// let edits: Vec<_> = chunks.iter().map(Edit::from_chunk).collect();
///
/// // The quote lost four columns of indentation; the added line gets them back.
/// let document = Document::from("def f(x):\n    if x:\n      old()\n");
/// let placed = place(&document, &edits, &Matching::default());
/// assert_eq!(placed.outcomes[0].as_ref().unwrap().start, 1);
/// let after = apply_replacements(&document, &placed.replacements);
/// assert_eq!(after, b"def f(x):\n    if x:\n      new()\n");
/// ```
pub fn place(document: &Document, edits: &[Edit<'_>], matching: &Matching) -> Placed {
    let index = Index::new(document);
    let parts: Vec<Vec<Edit<'_>>> = edits.iter().map(|edit| elision::split(&index, edit, matching)).collect();
    let counts: Vec<usize> = parts.iter().map(Vec::len).collect();
    let all: Vec<Edit<'_>> = parts.into_iter().flatten().collect();
    let mut sights = sights(&index, &all, matching);
    choose(&mut sights, matching);
    let mut builder = Builder::new(&index, &all, *matching);
    for (nth, sight) in sights.into_iter().enumerate() {
        builder.add(nth, sight);
    }
    Placed { outcomes: elision::join(builder.outcomes, &counts), replacements: builder.total }
}

/// Makes an edit at every place of the tightest tier that has one; places that overlap an earlier one are left
/// out. There is one outcome a place, or one miss.
pub fn place_all(document: &Document, edit: &Edit<'_>, matching: &Matching) -> Placed {
    let index = Index::new(document);
    let sight = sight(&index, edit, None, matching);
    let mut builder = Builder::new(&index, &[], *matching);
    if sight.places.is_empty() || sight.tier == Tier::Alignment {
        let outcome = Err(builder.miss(&sight, Reason::NotFound));
        return Placed { outcomes: vec![outcome], replacements: Vec::new() };
    }
    let mut next = 0;
    for place in &sight.places {
        if place.start >= next {
            next = sight.last_line(*place) + 1;
            let outcome = builder.add_in_place(sight.only(*place));
            builder.outcomes.push(outcome);
        }
    }
    Placed { outcomes: builder.outcomes, replacements: builder.total }
}

/// All places of each edit; an edit that changes nothing narrows those of the one behind it.
fn sights<'e>(index: &Index, edits: &'e [Edit<'e>], matching: &Matching) -> Vec<Sight<'e>> {
    let mut sights: Vec<Sight<'e>> = Vec::with_capacity(edits.len());
    let end = index.document().len();
    for edit in edits {
        let anchors = sights.last().filter(|anchor| anchor.is_anchor() && narrows(anchor, index));
        let ends = anchors.map(|anchor| {
            anchor
                .places
                .iter()
                .map(|place| Scope { line: anchor.last_line(*place), end, outer_end: end })
                .collect()
        });
        sights.push(sight(index, edit, ends, matching));
    }
    sights
}

/// Whether an edit that changes nothing says where the next one belongs: a likeness only if it is a safe one.
fn narrows(anchor: &Sight<'_>, index: &Index) -> bool {
    let safe = |place: &Place| guard::vet(&candidate(anchor, *place), index).is_ok();
    !anchor.places.is_empty()
        && !anchor.everywhere
        && (anchor.tier < Tier::Alignment || anchor.places.iter().all(safe))
}

/// Narrows the places of all edits to one each, as far as that goes.
fn choose(sights: &mut [Sight<'_>], matching: &Matching) {
    if matching.ambiguity == Ambiguity::First {
        return choose_first(sights);
    }
    narrow_by_order(sights);
    if break_ties(sights) {
        narrow_by_order(sights);
    }
}

/// The first place behind the edit before, or else the first of all.
fn choose_first(sights: &mut [Sight<'_>]) {
    let mut cursor = 0;
    for sight in sights.iter_mut().filter(|sight| !sight.places.is_empty()) {
        let behind = sight.places.iter().find(|place| place.start >= cursor);
        let Some(first) = behind.or(sight.places.first()).copied() else { continue };
        if sight.places.len() > 1 && !sight.is_anchor() {
            sight.drift.push(Drift::First { of: sight.places.len() });
        }
        cursor = sight.last_line(first) + 1;
        sight.places = vec![first];
    }
}

fn narrow_by_order(sights: &mut [Sight<'_>]) {
    let mut movable: Vec<&mut Sight<'_>> = sights
        .iter_mut()
        .filter(|sight| !sight.is_anchor() && !sight.places.is_empty() && !sight.everywhere)
        .collect();
    let contenders: Vec<Contender> = movable.iter().filter_map(|sight| sight.cores()).collect();
    match assign(&contenders) {
        Assignment::Ascending(narrowed) => {
            for (sight, kept) in movable.iter_mut().zip(narrowed) {
                sight.places = kept.into_iter().map(|nth| sight.places[nth]).collect();
            }
        }
        Assignment::Disordered => movable.iter_mut().for_each(|sight| {
            if sight.places.len() == 1 && !sight.drift.contains(&Drift::OutsideHeader) {
                sight.drift.push(Drift::OutOfOrder);
            }
        }),
    }
}

/// Lets line numbers choose among places that are alike in all else; says whether any did.
fn break_ties(sights: &mut [Sight<'_>]) -> bool {
    let mut any = false;
    for sight in sights.iter_mut().filter(|sight| sight.places.len() > 1 && !sight.everywhere) {
        let chosen = sight.hint.and_then(|hint| clearly_nearest(&sight.places, hint.line.saturating_sub(1)));
        if let Some(place) = chosen {
            sight.drift.push(Drift::LineNumbers { of: sight.places.len() });
            sight.places = vec![place];
            any = true;
        }
    }
    any
}

/// How many times farther the second nearest place must be for line numbers to choose. Models count lines
/// badly; a number that hits, or lies in the middle of nowhere but one place, is meant.
const CLEARLY: usize = 4;

fn clearly_nearest(places: &[Place], line: usize) -> Option<Place> {
    let mut by_distance: Vec<_> = places.iter().map(|place| (place.start.abs_diff(line), *place)).collect();
    by_distance.sort_by_key(|(distance, _)| *distance);
    match by_distance[..] {
        [(nearest, place), (second, _), ..] if nearest * CLEARLY < second => Some(place),
        _ => None,
    }
}

/// Turns chosen places into replacements, edit by edit.
struct Builder<'b> {
    index: &'b Index,
    edits: &'b [Edit<'b>],
    matching: Matching,
    outcomes: Vec<Result<Placement, Miss>>,
    /// What the edits so far do to the document.
    total: Vec<Replacement<'static>>,
    /// The result of `total`, while it is up to date.
    result: Option<Index>,
    /// Where the results of edits stand that are already applied. What they wrote, no other edit may remove.
    already: Vec<Range<usize>>,
    /// The lines that `total` writes, without white space at either end.
    written: HashSet<String>,
}

/// What one edit does, once its place is known.
struct Change {
    replacements: Vec<Replacement<'static>>,
    drift: Vec<Drift>,
    /// Where its result stands already; nothing is replaced then.
    already: Option<Range<usize>>,
}

impl<'b> Builder<'b> {
    fn new(index: &'b Index, edits: &'b [Edit<'b>], matching: Matching) -> Self {
        Builder {
            index,
            edits,
            matching,
            outcomes: Vec::new(),
            total: Vec::new(),
            result: None,
            already: Vec::new(),
            written: HashSet::new(),
        }
    }

    fn add(&mut self, nth: usize, sight: Sight<'_>) {
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

    fn add_in_place(&mut self, mut sight: Sight<'_>) -> Result<Placement, Miss> {
        if sight.is_anchor() {
            let vouched = sight.edit.lines.iter().all(|line| line.signed || line.text.trim().is_empty());
            if sight.places.is_empty() && !vouched {
                // A line without a sign is context only if the file has it.
                return Err(self.miss(&sight, Reason::NotFound));
            }
            return Ok(anchor(&sight, self.index.document()));
        }
        let place = only(&sight).map_err(|reason| self.miss(&sight, reason))?;
        let change = realize(&sight, place, self.index).map_err(|reason| self.miss(&sight, reason))?;
        sight.drift.extend(change.drift);
        self.already.extend(change.already);
        let mut replacements = change.replacements;
        let same = replacements.iter().filter(|r| self.total.contains(r)).count();
        if same > 0 {
            replacements.retain(|replacement| !self.total.contains(replacement));
            sight.drift.retain(|drift| *drift != Drift::OutOfOrder);
            sight.drift.push(Drift::SameChange);
        }
        if let Some(line) = conflict(&self.total, &replacements).or_else(|| self.undoes(&replacements)) {
            return Err(self.miss(&sight, Reason::Overlap { line }));
        }
        let placement = placement(&sight, place, &replacements);
        self.remember(&replacements);
        self.total.extend(replacements);
        self.total.sort_by_key(|replacement| (replacement.start, replacement.end()));
        Ok(placement)
    }

    /// Whether each quoted line is in the document or was written by an earlier edit: if not, there is no need to
    /// look what those have made of the document.
    fn may_stand_after_earlier(&self, edit: &Edit<'_>) -> bool {
        let fold = Tier::Indentation.fold();
        let known = |line: &str| self.written.contains(line.trim()) || self.index.contains(fold, line);
        edit.old_lines().all(|line| line.text.trim().is_empty() || known(&line.text))
    }

    /// Keeps in mind what an edit writes.
    fn remember(&mut self, replacements: &[Replacement<'static>]) {
        let lines = replacements.iter().flat_map(|replacement| &replacement.lines);
        self.written.extend(lines.map(|line| line.trim().to_owned()));
        self.result = None;
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
        if self.total.is_empty() || !self.may_stand_after_earlier(&self.edits[nth]) || !self.index.spend() {
            return None;
        }
        let document = self.index.document();
        let total = &self.total;
        let result = self
            .result
            .get_or_insert_with(|| Index::new(&Document::from(apply_replacements(document, total))));
        let level = self.matching.level.min(Level::Whitespace);
        let mut sights = vec![sight(result, &self.edits[nth], None, &Matching { level, ..self.matching })];
        choose(&mut sights, &self.matching);
        let mut sight = sights.pop().filter(|sight| !sight.places.is_empty())?;
        let realized = only(&sight).and_then(|place| {
            let change = realize(&sight, place, result)?;
            match written_line(&self.total, &change.replacements) {
                Some(line) => Err(Reason::Overlap { line }),
                None => Ok((place, change)),
            }
        });
        let (place, change) = match realized {
            Ok(realized) => realized,
            Err(reason) => return Some(Err(self.miss(&sight, reason))),
        };
        sight.drift.extend(change.drift);
        sight.drift.push(Drift::AfterEarlier);
        let placement = placement(&sight, place, &change.replacements);
        self.total = compose(&self.total, &change.replacements);
        self.remember(&change.replacements);
        Some(Ok(placement))
    }

    fn miss(&self, sight: &Sight<'_>, reason: Reason) -> Miss {
        let unquoted = reason == Reason::NotFound && sight.edit.is_addition();
        let reason = if unquoted { Reason::NothingQuoted } else { reason };
        let not_found = reason == Reason::NotFound;
        let nearest = not_found.then(|| miss::nearest(self.index, &sight.edit)).flatten();
        let garbled = nearest.as_ref().and_then(|nearest| miss::line_not_text(self.index, nearest));
        let nearest = nearest.filter(|_| garbled.is_none());
        let reason = garbled.map_or(reason, |line| Reason::NotText { line });
        let lines: Vec<String> = sight.edit.lines.iter().map(EditLine::raw).collect();
        let headers = sight.edit.headers.iter().map(|header| &**header);
        let asked: Vec<&str> = headers.chain(lines.iter().map(String::as_str)).collect();
        let missing_headers = sight.missing_headers.clone();
        Miss { missing_headers, nearest, ..Miss::hashed(reason, self.index.document_hash(), &asked) }
    }
}

/// The one place that is left, or all of them.
fn only(sight: &Sight<'_>) -> Result<Place, Reason> {
    match sight.places[..] {
        [place] if !sight.everywhere => Ok(place),
        _ => Err(Reason::Ambiguous { places: sight.places.iter().map(|place| place.start).collect() }),
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
        drift.extend(text_drift(&candidate(sight, place), document));
    }
    Placement { tier: sight.tier, cost: 0, start, added: 0, removed: 0, drift }
}

fn candidate<'s>(sight: &'s Sight<'_>, place: Place) -> Candidate<'s> {
    Candidate { edit: &sight.edit, tier: sight.tier, at: sight.at(place) }
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
fn realize(sight: &Sight<'_>, place: Place, index: &Index) -> Result<Change, Reason> {
    let document = index.document();
    let candidate = candidate(sight, place);
    if !stands(sight, place, index) {
        return Err(Reason::NotFound);
    }
    let doubtful = |doubt| Reason::Doubt { line: place.start, doubt };
    let adapted = adapt::adapt(&candidate, document);
    let mut drift = text_drift(&candidate, document);
    if let Ok(adapted) = &adapted
        && let Some(range) = already::in_place(&candidate, &adapted.lines, document)
        && adds_more(&candidate)
    {
        drift.push(Drift::AlreadyApplied);
        return Ok(Change { replacements: Vec::new(), drift, already: Some(range) });
    }
    guard::vet(&candidate, index).map_err(doubtful)?;
    let adapted = adapted.map_err(doubtful)?;
    let mended = adapted.drift.iter().any(|drift| *drift != Drift::Reindented);
    drift.extend(adapted.drift);
    let replacements = replacements(&candidate, adapted.lines);
    if let Some(line) = not_text(&replacements, document) {
        return Err(Reason::NotText { line });
    }
    let changes = |replacement: &Replacement<'_>| !stands_already(replacement, document);
    let asked = !replacements.is_empty();
    let replacements: Vec<_> = replacements.into_iter().filter(changes).collect();
    if asked && mended && replacements.is_empty() {
        return Err(doubtful(Doubt::MendedToNothing));
    }
    Ok(Change { replacements, drift, already: None })
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
fn conflict(total: &[Replacement<'_>], more: &[Replacement<'_>]) -> Option<usize> {
    let clash = |a: &Replacement<'_>, b: &Replacement<'_>| {
        let same_gap = a.removed == 0 && b.removed == 0 && a.start == b.start;
        let inside = a.start < b.end() && b.start < a.end();
        same_gap || inside
    };
    more.iter().find_map(|replacement| {
        let from = total.partition_point(|other| other.end() < replacement.start);
        let near = total[from..].iter().take_while(|other| other.start <= replacement.end());
        near.into_iter().any(|other| clash(other, replacement)).then_some(replacement.start)
    })
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
