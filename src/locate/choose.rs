//! Which of several places an edit has: what the order of the edits leaves, and line numbers where all else is alike.

use super::assign::{Assignment, Contender, assign};
use super::outcome::Drift;
use super::sight::{Place, Sight};
use super::{Ambiguity, Matching, Tier};

/// Narrows the places of all edits to one each, as far as that goes.
pub(super) fn choose(sights: &mut [Sight<'_>], matching: &Matching) {
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
    let repeated: Vec<bool> = sights.iter().enumerate().map(|(nth, _)| is_repeated(sights, nth)).collect();
    let movable = |(sight, repeated): &(&mut Sight<'_>, bool)| {
        !sight.is_anchor() && !sight.places.is_empty() && !sight.everywhere && !repeated
    };
    let movable = sights.iter_mut().zip(repeated).filter(movable);
    let mut movable: Vec<&mut Sight<'_>> = movable.map(|(sight, _)| sight).collect();
    let contenders: Vec<Contender> = movable.iter().filter_map(|sight| sight.cores()).collect();
    if is_settled(&contenders) {
        return;
    }
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

/// Whether each edit has one place, behind that of the one before.
fn is_settled(contenders: &[Contender]) -> bool {
    let mut end = 0;
    contenders.iter().all(|cores| match cores[..] {
        [core] => std::mem::replace(&mut end, core.end) <= core.start,
        _ => false,
    })
}

/// Whether an edit that may be at several places, more or less, stands in the patch twice: most likely it is meant
/// once.
fn is_repeated(sights: &[Sight<'_>], nth: usize) -> bool {
    let likeness = |sight: &Sight<'_>| {
        let mut costs = sight.places.iter().map(|place| sight.cost(*place));
        let first = costs.next();
        sight.tier == Tier::Alignment && costs.any(|cost| Some(cost) != first)
    };
    let (sight, others) = (&sights[nth], sights.iter().enumerate().filter(|(other, _)| *other != nth));
    let mut others = others.map(|(_, other)| other);
    likeness(sight) && others.any(|other| likeness(other) && other.edit.lines == sight.edit.lines)
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
    let distances = || places.iter().map(|place| place.start.abs_diff(line)).enumerate();
    let (nearest, distance) = distances().min_by_key(|(_, distance)| *distance)?;
    let second = distances().filter(|(nth, _)| *nth != nearest).map(|(_, distance)| distance).min()?;
    (distance * CLEARLY < second).then(|| places[nearest])
}
