//! All places that one edit may have, before the others are asked.

use std::borrow::Cow;

use super::drift::Drift;
use super::header::{self, LineHint};
use super::index::Index;
use super::{Level, Matching, Tier};
use crate::edit::{self, Edit};
use crate::patch::LineKind;

/// Where an edit may go.
#[derive(Debug)]
pub(super) struct Sight<'e> {
    /// The reading that was taken.
    pub(super) edit: Cow<'e, Edit<'e>>,
    pub(super) tier: Tier,
    /// First lines, 0-based, ascending; empty: nowhere.
    pub(super) places: Vec<usize>,
    /// What was passed over to get there.
    pub(super) drift: Vec<Drift>,
    pub(super) hint: Option<LineHint>,
    pub(super) missing_headers: Vec<String>,
}

impl Sight<'_> {
    /// How many lines of the document the edit's quote takes.
    pub(super) fn height(&self) -> usize {
        self.edit.old_lines().count()
    }

    /// Whether it changes nothing.
    pub(super) fn is_anchor(&self) -> bool {
        self.edit.is_anchor()
    }

    /// What it changes, relative to its place; `None` for an anchor. See [`Core`](super::assign::Core).
    pub(super) fn core(&self) -> Option<super::assign::Core> {
        let mut line = 0;
        let mut core: Option<super::assign::Core> = None;
        let runs = self.edit.lines.chunk_by(|a, b| is_change(a.kind) == is_change(b.kind));
        for run in runs {
            let removed = run.iter().filter(|line| line.kind != LineKind::Add).count();
            if is_change(run[0].kind) {
                let (start, end) = if removed == 0 {
                    (2 * line, 2 * line + 1)
                } else {
                    (2 * line + 1, 2 * (line + removed))
                };
                core = Some(super::assign::Core { start: core.map_or(start, |core| core.start), end });
            }
            line += removed;
        }
        core
    }
}

fn is_change(kind: LineKind) -> bool {
    kind != LineKind::Context
}

/// What an edit quotes, found in the document: the reading, the tier, and all its places.
struct Found<'e> {
    edit: Cow<'e, Edit<'e>>,
    tier: Tier,
    places: Vec<usize>,
    drift: Option<Drift>,
}

/// Finds all places of an edit. `anchors` are the lines behind which it belongs because an edit right before it,
/// which changes nothing, ends there: its last lines, ascending.
pub(super) fn sight<'e>(
    index: &Index,
    edit: &'e Edit<'e>,
    anchors: Option<Vec<usize>>,
    matching: &Matching,
) -> Sight<'e> {
    let level = matching.level;
    let headers = header::follow(index, &edit.headers, anchors, level);
    let missing = headers.missing();
    let header::HeaderPlaces { lines, drift, hint } = headers;
    let missing_headers = drift.iter().filter_map(|drift| match drift {
        Drift::HeaderMissing { header } => Some(header.clone()),
        _ => None,
    });
    let mut sight = Sight {
        edit: Cow::Borrowed(edit),
        tier: Tier::Exact,
        places: Vec::new(),
        missing_headers: missing_headers.collect(),
        drift,
        hint,
    };
    if edit.is_addition() {
        sight.places = addition(index, edit, lines.as_deref(), missing);
        return sight;
    }
    let Some(found) = find(index, edit, matching) else { return sight };
    sight.drift.extend(found.drift);
    sight.tier = found.tier;
    sight.edit = found.edit;
    sight.places = narrow(index, &mut sight, found.places, lines.as_deref(), level);
    sight
}

/// Where lines go that quote nothing: behind the header, else at the end.
fn addition(index: &Index, edit: &Edit<'_>, lines: Option<&[usize]>, missing: bool) -> Vec<usize> {
    match lines {
        _ if edit.end_of_file => vec![index.document().len()],
        Some(lines) => lines.iter().map(|line| line + 1).collect(),
        None if missing => Vec::new(),
        None => vec![index.document().len()],
    }
}

/// The places of the quote in the tightest tier that has any, in any reading.
fn find<'e>(index: &Index, edit: &'e Edit<'e>, matching: &Matching) -> Option<Found<'e>> {
    let level = matching.level;
    let in_file = |line: &str| index.contains(Tier::Exact.fold(), line);
    if let Some(found) = find_reading(index, Cow::Borrowed(edit), Tier::Exact, None) {
        return Some(found);
    }
    let readings = edit::readings(edit, &in_file, matching.literal);
    for tier in level.tiers() {
        let as_written = find_reading(index, Cow::Borrowed(edit), *tier, None);
        let found = as_written.or_else(|| {
            readings.iter().find_map(|reading| {
                let resigned = reading.lines.len() == edit.lines.len();
                let drift = if resigned { Drift::Signs } else { Drift::BlankEnds };
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
    let quote: Vec<&str> = edit.old_lines().map(|line| &*line.text).collect();
    let places = index.places(tier.fold(), &quote);
    (!places.is_empty()).then_some(Found { edit, tier, places, drift })
}

/// What End of File and headers leave of the places; all of them where they leave none.
fn narrow(
    index: &Index,
    sight: &mut Sight<'_>,
    places: Vec<usize>,
    lines: Option<&[usize]>,
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
        return merged(places, rivals);
    }
    let Some(lines) = lines else { return places };
    let behind = |line: usize, places: &[usize]| {
        places.get(places.partition_point(|place| place + height <= line)).copied()
    };
    let mut narrowed: Vec<usize> = lines.iter().filter_map(|line| behind(*line, &places)).collect();
    narrowed.dedup();
    if !narrowed.is_empty() {
        return narrowed;
    }
    let first = lines.first().copied().unwrap_or(0);
    let rivals = looser(index, sight, level, |place| place + height > first);
    sight.drift.push(Drift::OutOfOrder);
    merged(places, rivals)
}

/// Places of looser tiers that have what the tightest ones lack: headers or End of File speak for them, the
/// letter for the others, and neither is settled by the tool.
fn looser(index: &Index, sight: &Sight<'_>, level: Level, fits: impl Fn(usize) -> bool) -> Vec<usize> {
    let quote: Vec<&str> = sight.edit.old_lines().map(|line| &*line.text).collect();
    let tiers = level.tiers().iter().filter(|tier| **tier > sight.tier);
    let places = tiers.map(|tier| index.places(tier.fold(), &quote));
    places
        .map(|places| places.into_iter().filter(|place| fits(*place)).collect::<Vec<_>>())
        .find(|places| !places.is_empty())
        .unwrap_or_default()
}

fn merged(mut places: Vec<usize>, rivals: Vec<usize>) -> Vec<usize> {
    places.extend(rivals);
    places.sort_unstable();
    places.dedup();
    places
}
