//! All places that one edit may have, before the others are asked.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::alignment::{Aligned, align};
use super::already;
use super::assign::Core;
use super::comparison::Alternative;
use super::outcome::Drift;
use super::outcome::Reason;
use super::pairing::{At, Candidate, Shown, contiguous, core};
use super::relation::relate;
use super::rivals::{Compared, MARGIN, Narrowed, WIDE_MARGIN};
use super::search::Index;
use super::select::scope::{self, LineHint, Scope};
use super::{Ambiguity, Level, Matching, Tier};
use crate::patch::LineKind;
use crate::patch::edit::{self, Edit};
use crate::text::is_blank;

/// Where an edit may go.
#[derive(Debug)]
pub(super) struct Sight<'e> {
    /// The reading that was taken.
    pub(super) edit: Cow<'e, Edit<'e>>,
    pub(super) tier: Tier,
    /// Ascending; empty: nowhere.
    pub(super) places: Vec<Place>,
    /// The alignments that places refer to.
    fits: Vec<Aligned>,
    /// Whether there are more places than are kept.
    pub(super) everywhere: bool,
    /// What was passed over to get there.
    pub(super) drift: Vec<Drift>,
    pub(super) hint: Option<LineHint>,
    pub(super) missing_headers: Vec<String>,
    /// What the other parts of an elided edit show.
    pub(super) shown: Shown,
    /// The lines where the edit's result stands, of an edit whose quote stands nowhere line for line.
    pub(super) already: Option<Range<usize>>,
}

/// One place that an edit may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Its first line, 0-based.
    pub(super) start: usize,
    /// Which of the sight's alignments it is; `None` where the quote stands there line for line.
    fit: Option<usize>,
}

impl Place {
    fn at_line(start: usize) -> Self {
        Place { start, fit: None }
    }
}

impl Sight<'_> {
    /// The same edit at one of its places.
    pub(super) fn only(&self, place: Place) -> Sight<'_> {
        Sight {
            edit: Cow::Borrowed(&self.edit),
            tier: self.tier,
            places: vec![place],
            fits: self.fits.clone(),
            everywhere: false,
            drift: self.drift.clone(),
            hint: self.hint,
            missing_headers: self.missing_headers.clone(),
            shown: self.shown.clone(),
            already: None,
        }
    }

    /// How many lines of the document the edit's quote takes.
    pub(super) fn height(&self) -> usize {
        self.edit.old_lines().count()
    }

    /// Whether it changes nothing.
    pub(super) fn is_anchor(&self) -> bool {
        self.edit.is_anchor()
    }

    /// What each line of the edit stands for at a place.
    pub(super) fn at(&self, place: Place) -> Vec<At> {
        match place.fit {
            Some(nth) => self.fits[nth].at.clone(),
            None => contiguous(&self.edit, place.start).collect(),
        }
    }

    /// The edit at a place.
    pub(super) fn candidate(&self, place: Place) -> Candidate<'_> {
        Candidate { edit: &self.edit, tier: self.tier, at: self.at(place), shown: &self.shown }
    }

    /// What the place costs: 0 where the quote stands line for line.
    pub(super) fn cost(&self, place: Place) -> u32 {
        place.fit.map_or(0, |nth| self.fits[nth].cost)
    }

    /// The last line of the document that is quoted at a place.
    pub(super) fn last_line(&self, place: Place) -> usize {
        match place.fit {
            Some(nth) => last_line(&self.fits[nth]),
            None => (place.start + self.height()).saturating_sub(1),
        }
    }

    /// What the edit changes at each of its places; `None` for an anchor.
    pub(super) fn cores(&self) -> Option<Vec<Core>> {
        // Line for line, all places are the same but for where they begin.
        let base = core(&self.edit, &contiguous(&self.edit, 0))?;
        let at_place = |place: &Place| match place.fit {
            Some(nth) => core(&self.edit, &self.fits[nth].at.iter().copied()).unwrap_or(base),
            None => Core { start: base.start + 2 * place.start, end: base.end + 2 * place.start },
        };
        Some(self.places.iter().map(at_place).collect())
    }
}

fn last_line(fit: &Aligned) -> usize {
    fit.at.iter().rev().find_map(|at| at.line()).unwrap_or_default()
}

/// What an edit quotes, found in the document: the reading, the tier, and all its places.
struct Found<'e> {
    edit: Cow<'e, Edit<'e>>,
    tier: Tier,
    places: Rc<[usize]>,
    drift: Option<Drift>,
}

/// Finds all places of an edit. `anchors` are the scopes of an edit right before it that changes nothing: where its
/// last line stands, ascending.
pub(super) fn sight<'e>(
    index: &Index,
    edit: &'e Edit<'e>,
    anchors: Option<Vec<Scope>>,
    matching: &Matching,
) -> Sight<'e> {
    let level = matching.level;
    let headers = scope::follow(index, &edit.headers, anchors, level);
    let missing = headers.missing();
    let scope::HeaderPlaces { scopes, drift, hint } = headers;
    let scopes = scopes.as_deref();
    let missing_headers = drift.iter().filter_map(|drift| match drift {
        Drift::HeaderMissing { header } => Some(header.clone()),
        _ => None,
    });
    let mut sight = Sight {
        edit: Cow::Borrowed(edit),
        tier: Tier::Exact,
        places: Vec::new(),
        fits: Vec::new(),
        everywhere: false,
        missing_headers: missing_headers.collect(),
        shown: Shown::default(),
        already: None,
        drift,
        hint,
    };
    if edit.is_addition() {
        let places = if missing { Vec::new() } else { addition(index, edit, scopes, hint.is_some()) };
        sight.places = places.into_iter().map(Place::at_line).collect();
        return sight;
    }
    let exact = find_reading(index, Cow::Borrowed(edit), Tier::Exact, None);
    if exact.is_none() && !missing {
        // What stands there to the letter is nearer than any likeness of what it came from.
        sight.already = already::stands(index, edit, scopes);
    }
    if sight.already.is_some() {
        return sight;
    }
    if let Some(found) = exact.or_else(|| find(index, edit, matching)) {
        sight.drift.extend(found.drift);
        sight.tier = found.tier;
        sight.edit = found.edit;
        let places = narrow(index, &mut sight, &found.places, scopes, level);
        sight.everywhere = places.len() > EVERYWHERE && matching.ambiguity == Ambiguity::Refuse;
        let most = if sight.everywhere { EVERYWHERE } else { places.len() };
        sight.places = places.into_iter().take(most).map(Place::at_line).collect();
    } else if level >= Level::Guarded {
        sight.align(index, scopes, matching);
    }
    sight.doubt_numbers(index.document().len());
    sight
}

/// With more places than this an edit is ambiguous, whatever the edits around it say; looking further would be
/// what a hostile patch wants.
const EVERYWHERE: usize = Alternative::COUNTED;

impl Sight<'_> {
    /// Drops line numbers that speak against the end of the document, `end`, though the context of a diff that ends early
    /// speaks for it: tools write as many lines below a change as above it, where there are any. A number that hits
    /// counts more.
    fn doubt_numbers(&mut self, end: usize) {
        let stays = |line: &&edit::EditLine<'_>| line.kind == LineKind::Context;
        let above = self.edit.lines.iter().take_while(stays).count();
        let below = self.edit.lines.iter().rev().take_while(stays).count();
        let hits = |place: &Place| self.hint.is_some_and(|hint| place.start + 1 == hint.line);
        let at_end = |place: &Place| self.last_line(*place) + 1 == end;
        let may_end = self.edit.loose_headers && below < above;
        if may_end && self.places.iter().any(at_end) && !self.places.iter().any(hits) {
            self.hint = None;
        }
    }

    /// Takes the cheapest alignments, all that are not clearly worse than the best.
    fn align(&mut self, index: &Index, scopes: Option<&[Scope]>, matching: &Matching) {
        let in_file = |line: &str| index.contains(Tier::Exact.fold(), line);
        if let Some(list) = edit::as_list_items(&self.edit, &in_file).filter(|_| !matching.literal) {
            self.edit = Cow::Owned(list);
            self.drift.push(Drift::Signs);
        }
        let (fits, crowded) = align(index, &self.edit);
        let start = |fit: &Aligned| fit.at.iter().find_map(|at| at.line()).unwrap_or_default();
        let inside = |fit: &Aligned| {
            scopes.is_none_or(|scopes| scopes.iter().any(|scope| scope.holds(start(fit), last_line(fit))))
        };
        let ends = |fit: &Aligned| {
            (last_line(fit) + 1..index.document().len()).all(|line| is_blank(index.document().line(line)))
        };
        let compared = Compared { edit: &self.edit, index };
        let mut narrowed = Narrowed { fits, contested: false };
        if !narrowed.to(inside, &compared) {
            self.drift.push(Drift::OutsideHeader);
        }
        if self.edit.end_of_file && !narrowed.to(ends, &compared) {
            self.drift.push(Drift::NotAtEnd);
        }
        let Narrowed { mut fits, contested } = narrowed;
        let Some(best) = fits.first().cloned() else { return };
        // Where lines are added, two places so near are one with gaps in its quote, and the guard asks about these.
        let removes = self.edit.lines.iter().any(|line| line.kind == LineKind::Remove);
        let is_rival = |fit: &Aligned| {
            let is_apart = last_line(fit) < start(&best) || last_line(&best) < start(fit);
            let is_near = fit.cost < best.cost + WIDE_MARGIN;
            fit.cost < best.cost + MARGIN || (is_apart || removes) && is_near && !compared.tells(&best, fit)
        };
        if !contested {
            fits.retain(is_rival);
        }
        self.everywhere = crowded;
        for (nth, fit) in fits.iter().enumerate() {
            let place = Place { start: start(fit), fit: Some(nth) };
            self.places.insert(self.places.partition_point(|other| other.start <= place.start), place);
        }
        self.fits = fits;
        self.tier = Tier::Alignment;
    }
}

/// Where lines go that quote nothing: behind the header, else at the end. Line numbers alone (`hinted`) break ties
/// and say no place, unless the file is empty.
fn addition(index: &Index, edit: &Edit<'_>, scopes: Option<&[Scope]>, hinted: bool) -> Vec<usize> {
    let document = index.document();
    match scopes {
        _ if edit.end_of_file => vec![document.len()],
        Some(scopes) => scopes.iter().map(|scope| scope.line + 1).collect(),
        None if hinted && !document.is_empty() => Vec::new(),
        None => vec![document.len()],
    }
}

/// The places of the quote in the tightest tier that has any, in any reading.
fn find<'e>(index: &Index, edit: &'e Edit<'e>, matching: &Matching) -> Option<Found<'e>> {
    let level = matching.level;
    let in_file = |line: &str| index.contains(Tier::Exact.fold(), line);
    let readings = edit::readings(edit, &in_file, matching.literal);
    for tier in level.tiers() {
        let as_written = find_reading(index, Cow::Borrowed(edit), *tier, None);
        let found = as_written.or_else(|| {
            readings.iter().find_map(|reading| {
                let resigned = reading.lines.len() == edit.lines.len();
                let numbered = resigned
                    && reading.lines.iter().zip(&edit.lines).any(|(a, b)| a.text.len() < b.text.len());
                let drift = match resigned {
                    _ if numbered => Drift::LineNumbersDropped,
                    true => Drift::Signs,
                    false => Drift::BlankEnds,
                };
                find_reading(index, Cow::Owned(reading.clone()), *tier, Some(drift))
            })
        });
        if found.is_some() {
            return found;
        }
    }
    let list = edit::as_list_items(edit, &in_file).filter(|_| !matching.literal)?;
    let others = edit::readings(&list, &in_file, matching.literal);
    level.tiers().iter().find_map(|tier| {
        let mut all = [&list].into_iter().chain(&others);
        all.find_map(|reading| find_reading(index, Cow::Owned(reading.clone()), *tier, Some(Drift::Signs)))
    })
}

fn find_reading<'e>(
    index: &Index,
    edit: Cow<'e, Edit<'e>>,
    tier: Tier,
    drift: Option<Drift>,
) -> Option<Found<'e>> {
    let places = places(index, tier, &edit);
    (!places.is_empty()).then_some(Found { edit, tier, places, drift })
}

/// All places of an edit's quote in a tier.
pub(super) fn places(index: &Index, tier: Tier, edit: &Edit<'_>) -> Rc<[usize]> {
    let quote: Vec<&str> = edit.old_lines().map(|line| &*line.text).collect();
    let places = index.places(tier.fold(), &quote);
    if tier != Tier::Spelling {
        return places;
    }
    // A cut list could make one of several places look like the only one.
    if places.len() > EVERYWHERE {
        return Rc::default();
    }
    // Lines of one skeleton may still say different things.
    let document = index.document();
    let says_same = |(line, at): (&&str, usize)| {
        document.text(at).is_some_and(|actual| line.trim().is_empty() || relate(line, actual).says_same())
    };
    let same = |start: &usize| quote.iter().zip(*start..).all(says_same);
    places.iter().copied().filter(same).collect()
}

/// That an edit which was placed nowhere stands, more or less, in more places than are told apart.
pub(super) fn crowded(index: &Index, edit: &Edit<'_>) -> Option<Reason> {
    let quote: Vec<&str> = edit.old_lines().map(|line| &*line.text).collect();
    let places = index.places(Tier::Spelling.fold(), &quote);
    let says_same = |(line, at): (&&str, usize)| {
        let actual = index.document().text(at);
        actual.is_some_and(|actual| line.trim().is_empty() || relate(line, actual).says_same())
    };
    let same = |start: &&usize| quote.iter().zip(**start..).all(says_same);
    let places = places.iter().filter(|_| places.len() > EVERYWHERE).filter(same);
    let places: Vec<usize> = places.copied().take(EVERYWHERE).collect();
    (places.len() > 1).then_some(Reason::Ambiguous { places })
}

/// What End of File and headers leave of the places; all of them where they leave none.
fn narrow(
    index: &Index,
    sight: &mut Sight<'_>,
    places: &[usize],
    scopes: Option<&[Scope]>,
    level: Level,
) -> Vec<usize> {
    let height = sight.height();
    if sight.edit.end_of_file {
        let end = index.document().len() - height;
        if places.last() == Some(&end) {
            return vec![end];
        }
        let rivals = looser(index, sight, level, |place| place == end);
        sight.drift.push(Drift::NotAtEnd);
        return merged(places, &rivals);
    }
    let Some(scopes) = scopes else { return places.to_vec() };
    let first_in = |scope: &Scope| {
        let first = *places.get(places.partition_point(|place| place + height <= scope.line))?;
        scope.holds(first, first + height - 1).then_some(first)
    };
    let mut narrowed: Vec<usize> = if sight.edit.after_gap {
        // The heading of a diff stands somewhere before the place, which need not be in what it introduces.
        let reach = |scope: &Scope| if sight.edit.loose_headers { scope.widened() } else { *scope };
        let inside =
            |place: &usize| scopes.iter().any(|scope| reach(scope).holds(*place, place + height - 1));
        places.iter().copied().filter(inside).collect()
    } else {
        scopes.iter().filter_map(first_in).collect()
    };
    narrowed.dedup();
    if !narrowed.is_empty() {
        return narrowed;
    }
    let wider = |place: &usize| scopes.iter().any(|scope| scope.widened().holds(*place, place + height - 1));
    let behind: Vec<usize> = places.iter().copied().filter(wider).collect();
    let inside = |place: usize| scopes.iter().any(|scope| scope.holds(place, place + height - 1));
    let rivals = looser(index, sight, level, inside);
    sight.drift.push(Drift::OutsideHeader);
    merged(if behind.is_empty() { places } else { &behind }, &rivals)
}

/// Places of looser tiers that have what the tightest ones lack: headers or End of File speak for them, the
/// letter for the others, and neither is settled by the tool.
fn looser(index: &Index, sight: &Sight<'_>, level: Level, fits: impl Fn(usize) -> bool) -> Vec<usize> {
    let tiers = level.tiers().iter().filter(|tier| **tier > sight.tier);
    let places = tiers.map(|tier| places(index, *tier, &sight.edit));
    places
        .map(|places| places.iter().copied().filter(|place| fits(*place)).collect::<Vec<_>>())
        .find(|places| !places.is_empty())
        .unwrap_or_default()
}

fn merged(places: &[usize], rivals: &[usize]) -> Vec<usize> {
    let mut places = [places, rivals].concat();
    places.sort_unstable();
    places.dedup();
    places
}
