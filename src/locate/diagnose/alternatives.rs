//! What tells several positions apart that are alike.

use std::collections::HashMap;
use std::ops::Range;

use crate::locate::comparison::{ActualLine, Alternative, TellingLine};
use crate::locate::search::Index;
use crate::text::{Document, Fold, indentation, is_blank};

/// How many lines above and below a position are shown.
const BESIDE: usize = 2;

/// How many lines above a position are shown at most, down from the distinguishing line. A model that quotes the
/// distinguishing line needs the lines in between.
const DOWN_FROM: usize = 8;

/// How far above a position the distinguishing line is searched.
const REACH: usize = 60;

/// Finds what tells positions apart. Each position is given by its first line, ascending, and has `len` lines. Headers are
/// found only if `headers_lead`.
pub(crate) fn alternatives(
    index: &Index,
    places: &[usize],
    len: usize,
    headers_lead: bool,
) -> Box<[Alternative]> {
    let shown = &places[..places.len().min(Alternative::MOST)];
    let of_header = |place: &usize| if headers_lead { header(index, places, *place) } else { None };
    let mut above: Vec<Option<TellingLine>> = shown.iter().map(of_header).collect();
    for distance in 1..=REACH {
        if above.iter().all(Option::is_some) {
            break;
        }
        let text = |place: usize| place.checked_sub(distance).and_then(|line| index.document().text(line));
        let mut count: HashMap<&str, usize> = HashMap::new();
        for place in places.iter().filter_map(|place| text(*place)) {
            *count.entry(place.trim()).or_default() += 1;
        }
        for (place, above) in shown.iter().zip(&mut above).filter(|(_, above)| above.is_none()) {
            let told = text(*place)
                .filter(|text| text.contains(char::is_alphanumeric) && count.get(text.trim()) == Some(&1));
            *above =
                told.map(|text| TellingLine { line: place - distance, text: text.to_owned(), header: false });
        }
    }
    let document = index.document();
    let lines = |range: Range<usize>| {
        let lines = range.start..range.end.min(document.len());
        let line = |line: usize| Some(ActualLine { line, text: document.text(line)?.to_owned() });
        lines.filter_map(line).collect()
    };
    let first = |start: usize, above: &Option<TellingLine>| {
        let beside = start.saturating_sub(BESIDE);
        let near = above.as_ref().filter(|above| !above.header && start - above.line <= DOWN_FROM);
        near.map_or(beside, |above| above.line.min(beside))
    };
    let all = shown.iter().zip(above).map(|(start, above)| Alternative {
        start: *start,
        before: lines(first(*start, &above)..*start),
        above,
        after: lines(start + len..start + len + BESIDE),
    });
    all.collect()
}

/// Returns the line above that begins the block of a line: the nearest that is less deep.
fn opener(document: &Document, line: usize) -> Option<usize> {
    let width = |line: usize| document.text(line).map(|text| indentation(text).len());
    let own = (line..document.len()).find(|line| !is_blank(document.line(*line))).and_then(width)?;
    let above = (line.saturating_sub(REACH)..line).rev();
    let mut less = above.filter(|line| !is_blank(document.line(*line)));
    less.find(|line| width(*line).is_some_and(|width| width < own))
}

/// How many blocks around a place are looked at, from the inside outwards.
const BLOCKS: usize = 4;

/// Returns the lines that begin the blocks around a line, from the inside outwards.
pub(crate) fn openers(document: &Document, line: usize) -> Vec<usize> {
    std::iter::successors(opener(document, line), |line| opener(document, *line)).take(BLOCKS).collect()
}

/// Returns the line that begins a block around a position, and that selects only this position as a header.
fn header(index: &Index, places: &[usize], place: usize) -> Option<TellingLine> {
    let document = index.document();
    let leads = |line: &usize| {
        let is_first = !places.iter().any(|other| (*line..place).contains(other));
        let text = document.text(*line).filter(|text| text.contains(char::is_alphanumeric));
        is_first && text.is_some_and(|text| index.only_place(Fold::Trim, text).is_some())
    };
    let line = openers(document, place).into_iter().find(leads)?;
    Some(TellingLine { line, text: document.text(line)?.to_owned(), header: true })
}
