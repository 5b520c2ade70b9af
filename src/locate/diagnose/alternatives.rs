//! What tells several positions apart that are alike.

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

/// How many lines of a position that is not quoted exactly, and of the lines below, are shown.
const INEXACT: usize = 8;

/// The extent of all positions, and what may tell the positions apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// How many lines a position has.
    pub(crate) len: usize,
    /// Whether the lines of the positions equal the quoted lines, so that a report need not show the lines.
    pub(crate) exact: bool,
    /// Whether a header selects a position.
    pub(crate) headers_lead: bool,
}

/// Finds what tells positions apart. Each position is given by its first line, ascending.
pub(crate) fn alternatives(index: &Index, places: &[usize], shape: Shape) -> Box<[Alternative]> {
    let shown = &places[..places.len().min(Alternative::MOST)];
    let mut above = vec![None; shown.len()];
    if shape.headers_lead {
        above = shown.iter().map(|place| header(index, places, *place)).collect();
    }
    for distance in 1..=REACH {
        if above.iter().all(Option::is_some) {
            break;
        }
        tell_apart(index.document(), places, distance, &mut above);
    }
    shown
        .iter()
        .zip(above)
        .map(|(start, above)| alternative(index.document(), *start, shape, above))
        .collect()
}

/// Finds the positions whose line at a distance above is unlike the lines at that distance above all other positions.
fn tell_apart(document: &Document, places: &[usize], distance: usize, above: &mut [Option<TellingLine>]) {
    let texts = places.iter().filter_map(|place| text_above(document, *place, distance));
    let mut texts: Vec<&str> = texts.map(str::trim).collect();
    texts.sort_unstable();
    let is_single = |text: &str| {
        let next = texts.partition_point(|other| *other <= text);
        next < 2 || texts[next - 2] != text
    };
    for (place, above) in places.iter().zip(above).filter(|(_, above)| above.is_none()) {
        let text = text_above(document, *place, distance)
            .filter(|text| text.contains(char::is_alphanumeric) && is_single(text.trim()));
        *above =
            text.map(|text| TellingLine { line: place - distance, text: text.to_owned(), header: false });
    }
}

fn text_above(document: &Document, place: usize, distance: usize) -> Option<&str> {
    document.text(place.checked_sub(distance)?)
}

fn alternative(document: &Document, start: usize, shape: Shape, above: Option<TellingLine>) -> Alternative {
    let (beside, end) = (start.saturating_sub(BESIDE), start + shape.len);
    let near = above.as_ref().filter(|above| !above.header && start - above.line <= DOWN_FROM);
    let first = near.map_or(beside, |above| above.line.min(beside));
    Alternative {
        start,
        before: lines(document, first..start),
        above,
        after: lines(
            document,
            if shape.exact { end..end + BESIDE } else { start..(end + BESIDE).min(start + INEXACT) },
        ),
    }
}

fn lines(document: &Document, range: Range<usize>) -> Vec<ActualLine> {
    let lines = (range.start..range.end.min(document.len())).map(|line| (line, document.text(line)));
    lines.filter_map(|(line, text)| Some(ActualLine { line, text: text?.to_owned() })).collect()
}

/// Returns the line above that begins the block of a line: the nearest that is less deep.
fn opener(document: &Document, line: usize) -> Option<usize> {
    let first = (line..document.len()).find(|line| !is_blank(document.line(*line)))?;
    let own = width(document, first)?;
    let above = (line.saturating_sub(REACH)..line).rev();
    let mut less = above.filter(|line| !is_blank(document.line(*line)));
    less.find(|line| width(document, *line).is_some_and(|width| width < own))
}

fn width(document: &Document, line: usize) -> Option<usize> {
    document.text(line).map(|text| indentation(text).len())
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
    openers(document, place).into_iter().find_map(|line| {
        let is_first = !places.iter().any(|other| (line..place).contains(other));
        let text = document.text(line).filter(|text| is_first && text.contains(char::is_alphanumeric))?;
        index.only_place(Fold::Trim, text)?;
        Some(TellingLine { line, text: text.to_owned(), header: true })
    })
}
