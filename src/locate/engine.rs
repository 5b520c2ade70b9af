//! All edits of a document, placed together.

use std::borrow::Cow;

use super::builder::Builder;
use super::choose::choose;
use super::elision;
use super::entities;
use super::guard;
use super::outcome::Drift;
use super::outcome::{Miss, Placed, Placement, Reason};
use super::pairing::Shown;
use super::search::Index;
use super::select::scope::Scope;
use super::sight::{Place, Sight, sight};
use super::{Matching, Tier};
use crate::patch::edit::Edit;
use crate::text::Document;

/// Places all edits of a document.
///
/// Each edit gets one place, or a [`Miss`] that says what was found instead; an edit that misses does not keep
/// the others from being placed, so that all failures are known at once.
///
/// ```
/// use apply_patch::patch::edit::Edit;
/// use apply_patch::format::{Options, parse};
/// use apply_patch::locate::{Matching, place};
/// use apply_patch::patch::Action;
/// use apply_patch::text::{Document, apply_replacements};
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
    let undone: Vec<_> = edits.iter().map(|edit| entities::undone(&index, edit, matching)).collect();
    let read = edits.iter().zip(&undone).map(|(edit, undone)| undone.as_ref().unwrap_or(edit));
    let parts: Vec<Cow<'_, [Edit<'_>]>> = read.map(|edit| elision::split(&index, edit, matching)).collect();
    let counts: Vec<usize> = parts.iter().map(|parts| parts.len()).collect();
    let all: Vec<&Edit<'_>> = parts.iter().flat_map(|parts| parts.iter()).collect();
    index.seek_together(&all);
    let mut sights = sights(&index, &all, matching);
    choose(&mut sights, matching);
    show_each_other(&mut sights, &counts, document);
    show_shift(&mut sights, document);
    show_escapes(&mut sights, document);
    let mut builder = Builder::new(&index, &all, *matching);
    for (nth, sight) in sights.into_iter().enumerate() {
        builder.add(nth, sight);
    }
    let mut outcomes = elision::join(builder.outcomes, &counts);
    for (outcome, _) in outcomes.iter_mut().zip(&undone).filter(|(_, undone)| undone.is_some()) {
        note(outcome, Drift::Entities);
    }
    Placed { outcomes, replacements: builder.total }
}

/// Adds to what differed, if the edit was placed.
fn note(outcome: &mut Result<Placement, Miss>, drift: Drift) {
    if let Ok(placement) = outcome {
        placement.drift.push(drift);
    }
}

/// Lets the parts of each edit around lines of dots know how the others are quoted.
fn show_each_other(sights: &mut [Sight<'_>], counts: &[usize], document: &Document) {
    let mut rest = sights;
    for count in counts {
        let (parts, behind) = rest.split_at_mut(*count);
        rest = behind;
        if parts.len() < 2 {
            continue;
        }
        let shown = |sight: &Sight<'_>| match sight.places[..] {
            [place] => Shown::by(&sight.candidate(place), document),
            _ => Shown { open: sight.tier >= Tier::Indentation, ..Shown::default() },
        };
        let all: Vec<Shown> = parts.iter().map(shown).collect();
        let places = parts
            .iter()
            .filter_map(|part| if let [place] = part.places[..] { Some(place.start) } else { None });
        let disordered = !places.is_sorted();
        for (nth, part) in parts.iter_mut().enumerate() {
            let others = all.iter().enumerate().filter(|(other, _)| *other != nth);
            others.for_each(|(_, other)| part.shown.add(other));
            part.shown.disordered = disordered;
        }
    }
}

/// Lets the edits that are indented as the document is know that another one is not.
fn show_shift(sights: &mut [Sight<'_>], document: &Document) {
    let is_in_place = |sight: &Sight<'_>| sight.tier < Tier::Indentation;
    let is_shifted = |sight: &Sight<'_>| match sight.places[..] {
        [place] if !is_in_place(sight) => sight.candidate(place).is_shifted(document),
        _ => false,
    };
    if sights.iter().any(is_in_place) && sights.iter().any(is_shifted) {
        let kept = sights.iter_mut().filter(|sight| is_in_place(sight));
        kept.for_each(|sight| sight.shown.beside.shifted = true);
    }
}

/// Lets the edits that show no escapes know that another one is escaped once more than the document.
fn show_escapes(sights: &mut [Sight<'_>], document: &Document) {
    let is_escaped = |sight: &Sight<'_>| match sight.places[..] {
        [place] if sight.tier >= Tier::Spelling => sight.candidate(place).is_escaped(document),
        _ => false,
    };
    let escaped: Vec<bool> = sights.iter().map(is_escaped).collect();
    if escaped.contains(&true) {
        let others = sights.iter_mut().zip(escaped).filter(|(_, escaped)| !escaped);
        others.for_each(|(sight, _)| sight.shown.beside.escaped = true);
    }
}

/// Makes an edit at every place of the tightest tier that has one; places that overlap an earlier one are left
/// out. There is one outcome a place, or one miss.
pub fn place_all(document: &Document, edit: &Edit<'_>, matching: &Matching) -> Placed {
    let index = Index::new(document);
    let undone = entities::undone(&index, edit, matching);
    let sight = sight(&index, undone.as_ref().unwrap_or(edit), None, matching);
    let mut builder = Builder::new(&index, &[], *matching);
    if sight.places.is_empty() || sight.tier == Tier::Alignment {
        let outcome = Err(builder.miss(&sight, Reason::NotFound));
        return Placed { outcomes: vec![outcome], replacements: Vec::new() };
    }
    let mut next = 0;
    for place in &sight.places {
        if place.start >= next {
            next = sight.last_line(*place) + 1;
            let mut outcome = builder.add_in_place(sight.only(*place));
            if undone.is_some() {
                note(&mut outcome, Drift::Entities);
            }
            builder.outcomes.push(outcome);
        }
    }
    Placed { outcomes: builder.outcomes, replacements: builder.total }
}

/// All places of each edit; an edit that changes nothing narrows those of the one behind it.
fn sights<'e>(index: &Index, edits: &[&'e Edit<'e>], matching: &Matching) -> Vec<Sight<'e>> {
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
    let safe = |place: &Place| guard::vet(&anchor.candidate(*place), index).is_ok();
    !anchor.places.is_empty()
        && !anchor.everywhere
        && (anchor.tier < Tier::Alignment || anchor.places.iter().all(safe))
}
