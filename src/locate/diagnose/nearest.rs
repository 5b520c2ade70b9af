//! What stands where an edit has nearly a place, line for line; and what tells several places apart.

use std::collections::HashMap;
use std::ops::Range;

use super::correction;
use super::similar_line::like;
use crate::locate::alignment::{Aligned, align_loosely};
use crate::locate::comparison::{
    ActualLine, Alternative, Difference, NearLine, Nearest, QuotedLine, TellingLine,
};
use crate::locate::elision;
use crate::locate::pairing::At;
use crate::locate::relation::{letters, relate};
use crate::locate::search::Index;
use crate::patch::edit::{Edit, EditLine};
use crate::patch::{Chunk, LineKind};
use crate::text::{Document, Fold, indentation, is_blank};

impl Nearest {
    /// The edit's lines of these kinds beside the document's lines that they stand for.
    pub(in crate::locate) fn of(edit: &Edit<'_>, at: &[At], document: &Document, made: bool) -> Self {
        let skips = if made { LineKind::Remove } else { LineKind::Add };
        let mut lines: Vec<NearLine> = Vec::new();
        let mut next: Option<usize> = None;
        for (line, at) in edit.lines.iter().zip(at).filter(|(line, _)| line.kind != skips) {
            if let Some(at) = at.line() {
                lines.extend((next.unwrap_or(at)..at).map(|skipped| not_quoted(skipped, document)));
                next = Some(at + 1);
            }
            lines.push(beside(line, *at, document));
        }
        Nearest { lines, in_doubt: None, made, mended: None }
    }

    /// Where a line of an edit is among the lines.
    pub(crate) fn quoted_at(&self, edit: &Edit<'_>, nth: usize) -> Option<usize> {
        let before = edit.lines[..nth.min(edit.lines.len())].iter();
        let before = before.filter(|line| line.kind != LineKind::Add).count();
        let quoted = self.lines.iter().enumerate().filter(|(_, line)| line.quoted.is_some());
        quoted.map(|(at, _)| at).nth(before)
    }

    /// Where a line of the document is among the lines.
    pub(crate) fn position(&self, line: usize) -> Option<usize> {
        self.lines.iter().position(|near| near.actual.as_ref().is_some_and(|actual| actual.line == line))
    }

    /// Says which lines of the patch text the quoted lines are. Where the chunk was read otherwise than it was
    /// written, lines are known by their text.
    pub(crate) fn number_lines(&mut self, chunk: &Chunk<'_>) {
        let skips = if self.made { LineKind::Remove } else { LineKind::Add };
        let mut rest = chunk.lines.iter().filter(|line| line.kind != skips);
        for quoted in self.lines.iter_mut().filter_map(|line| line.quoted.as_mut()) {
            let is_it = |line: &&crate::patch::Line<'_>| {
                line.text == quoted.text || line.raw() == quoted.text || line.text.ends_with(&quoted.text)
            };
            let mut ahead = rest.clone();
            if let Some(line) = ahead.find(is_it) {
                quoted.number = line.number;
                rest = ahead;
            }
        }
    }
}

fn actual(line: usize, document: &Document) -> ActualLine {
    ActualLine { line, text: String::from_utf8_lossy(document.line(line)).into_owned() }
}

fn not_quoted(line: usize, document: &Document) -> NearLine {
    NearLine { quoted: None, actual: Some(actual(line, document)), difference: Difference::NotQuoted }
}

fn beside(line: &EditLine<'_>, at: At, document: &Document) -> NearLine {
    let quoted = QuotedLine { number: 0, kind: line.kind, text: line.text.clone().into_owned() };
    let actual = at.line().filter(|at| *at < document.len()).map(|at| actual(at, document));
    let difference = actual.as_ref().map_or(Difference::NotInFile, |actual| {
        // What is not text is the same to its bytes only.
        match Difference::between(&quoted.text, &actual.text) {
            Difference::Same if document.text(actual.line).is_none() => Difference::CodePage,
            difference => difference,
        }
    });
    NearLine { quoted: Some(quoted), actual, difference }
}

/// Where the quoted lines come nearest to what the document has, whatever they say; `None` where nothing is like them.
pub(crate) fn nearest(index: &Index, edit: &Edit<'_>) -> Option<Nearest> {
    if let Some(at) = around_dots(index, edit) {
        return Some(Nearest::of(edit, &at, index.document(), false));
    }
    let mut fits = nearest_fits(index, edit);
    let mended = correction::of_nowhere(index, edit, &fits);
    let best = fits.first_mut()?;
    take_in_ends(edit, &mut best.at, index.document());
    Some(Nearest { mended, ..Nearest::of(edit, &best.at, index.document(), false) })
}

/// Takes in the quoted lines at both ends of a fit that are mostly what the document has next. An alignment leaves them out: a
/// line that is one only in part costs more than none, where no line of the document is left over for it.
fn take_in_ends(edit: &Edit<'_>, at: &mut [At], document: &Document) {
    let pair = |nth: &usize| at[*nth].line().is_some();
    let (Some(first), Some(last)) = ((0..at.len()).find(pair), (0..at.len()).rfind(pair)) else { return };
    for (mut nth, step) in [(first, -1), (last, 1)] {
        let mut line = at[nth].line();
        while let Some(next) = nth.checked_add_signed(step).filter(|next| *next < at.len()) {
            nth = next;
            let Some(quoted) = edit.lines.get(nth).filter(|line| line.kind != LineKind::Add) else {
                continue;
            };
            line = line.and_then(|line| line.checked_add_signed(step));
            let alike = line.map_or(0, |line| letters_alike(&quoted.text, line, document));
            if 2 * alike <= letters(&quoted.text) {
                break;
            }
            at[nth] = line.map_or(At::Nowhere, At::Line);
        }
    }
}

/// Where what stands above a line of dots comes nearest, and behind it what stands below them: between the two are the
/// lines that were left out. `None` where there are no dots, or nothing is like one of the two.
fn around_dots<'a>(index: &Index, edit: &Edit<'a>) -> Option<Vec<At>> {
    let is_dots = |line: &EditLine<'a>| line.kind != LineKind::Add && elision::is_left_out(index, &line.text);
    let dots = edit.lines.iter().position(is_dots)?;
    let part = |lines: &[EditLine<'a>]| Edit { lines: lines.to_vec(), ..Edit::default() };
    let (above, below) = (part(&edit.lines[..dots]), part(&edit.lines[dots + 1..]));
    let head = nearest_fits(index, &above).into_iter().next()?.at;
    let end = head.iter().filter_map(|at| at.line()).max()? + 1;
    let first = below.old_lines().find(|line| !line.text.trim().is_empty())?;
    let places = index.line_places(Fold::Indentation, &first.text);
    let starts = places.iter().map(|line| *line as usize);
    let starts: Vec<usize> = starts.filter(|line| (end..end + REACH).contains(line)).take(SHOWN).collect();
    let fits = align_loosely(index, &below, &starts);
    let follows = |fit: &Aligned| {
        let lines = fit.at.iter().filter_map(|at| at.line());
        lines.min().is_some_and(|line| (end..end + REACH).contains(&line))
    };
    let tail = fits.into_iter().find(|fit| follows(fit) && evidence(&below, fit, index.document()) > 0)?.at;
    Some(head.into_iter().chain([At::Nowhere]).chain(tail).collect())
}

/// How many places behind a line of dots are looked at.
const SHOWN: usize = 6;

/// The ways to read the quote into the document that come near, the nearest first.
fn nearest_fits(index: &Index, edit: &Edit<'_>) -> Vec<Aligned> {
    let document = index.document();
    let mut fits = align_loosely(index, edit, &[]);
    fits.retain(|fit| evidence(edit, fit, document) > 0);
    if fits.is_empty() {
        fits = align_loosely(index, edit, &like(index, edit));
        fits.retain(|fit| evidence(edit, fit, document) > 0);
    }
    fits
}

/// How many letters of the quote stand at a fit, more or less.
fn evidence(edit: &Edit<'_>, fit: &Aligned, document: &Document) -> usize {
    let olds = edit.lines.iter().zip(&fit.at).filter(|(line, _)| !line.text.trim().is_empty());
    olds.filter_map(|(line, at)| Some(letters_alike(&line.text, at.line()?, document))).sum()
}

/// How many letters of a quoted line stand at a line of the document, more or less; none where that is not text.
fn letters_alike(quoted: &str, line: usize, document: &Document) -> usize {
    let relation = document.text(line).map(|actual| relate(quoted, actual));
    relation.map_or(0, |relation| relation.letters_alike(letters(quoted)))
}

/// What an edit makes beside the lines of the document where it seems to stand already.
pub(crate) fn made(index: &Index, edit: &Edit<'_>, range: &Range<usize>) -> Nearest {
    let document = index.document();
    let news = edit.new_lines().map(|line| EditLine { kind: LineKind::Context, ..line.clone() });
    let result = Edit { lines: news.collect(), ..Edit::default() };
    let fits = align_loosely(index, &result, &[range.start]);
    let inside = |fit: &&Aligned| fit.at.iter().filter_map(|at| at.line()).any(|line| range.contains(&line));
    let mut nearest = match fits.iter().find(inside) {
        Some(fit) => Nearest::of(&result, &fit.at, document, true),
        None => Nearest { lines: Vec::new(), in_doubt: None, made: true, mended: None },
    };
    let kinds = edit.new_lines().map(|line| line.kind);
    let quoted = nearest.lines.iter_mut().filter_map(|line| line.quoted.as_mut());
    quoted.zip(kinds).for_each(|(quoted, kind)| quoted.kind = kind);
    nearest
}

/// The line that is quoted as it looks when its bytes are not valid text.
pub(crate) fn line_not_text(document: &Document, edit: &Edit<'_>) -> Option<usize> {
    let garbled = |line: &&EditLine<'_>| line.text.contains(char::REPLACEMENT_CHARACTER);
    let quoted: Vec<&str> = edit.old_lines().filter(garbled).map(|line| &*line.text).collect();
    let is_quoted = |line: &usize| {
        document.text(*line).is_none() && quoted.contains(&&*String::from_utf8_lossy(document.line(*line)))
    };
    (0..document.len()).filter(|_| !quoted.is_empty()).find(is_quoted)
}

/// How far above a place a line is sought that tells it from the others.
const REACH: usize = 60;

/// What tells places apart, each given by its first line, ascending; headers only where these lead anywhere.
pub(crate) fn alternatives(index: &Index, places: &[usize], headers_lead: bool) -> Vec<Alternative> {
    let mut above: Vec<Option<TellingLine>> =
        places.iter().map(|place| header(index, places, *place).filter(|_| headers_lead)).collect();
    for distance in 1..=REACH {
        let text = |place: usize| place.checked_sub(distance).and_then(|line| index.document().text(line));
        let mut count: HashMap<&str, usize> = HashMap::new();
        for place in places.iter().filter_map(|place| text(*place)) {
            *count.entry(place.trim()).or_default() += 1;
        }
        for (place, above) in places.iter().zip(&mut above).filter(|(_, above)| above.is_none()) {
            let told = text(*place)
                .filter(|text| text.contains(char::is_alphanumeric) && count.get(text.trim()) == Some(&1));
            *above =
                told.map(|text| TellingLine { line: place - distance, text: text.to_owned(), header: false });
        }
    }
    let all = places.iter().zip(above).map(|(start, above)| Alternative { start: *start, above });
    all.take(Alternative::MOST).collect()
}

/// The line above that begins the block which a line is in: the nearest that is less deep.
fn opener(document: &Document, line: usize) -> Option<usize> {
    let width = |line: usize| document.text(line).map(|text| indentation(text).len());
    let own = (line..document.len()).find(|line| !is_blank(document.line(*line))).and_then(width)?;
    let above = (line.saturating_sub(REACH)..line).rev();
    let mut less = above.filter(|line| !is_blank(document.line(*line)));
    less.find(|line| width(*line).is_some_and(|width| width < own))
}

/// How many blocks around a place are looked at, from the inside outwards.
const BLOCKS: usize = 4;

/// The lines that begin the blocks around a line, from the inside outwards.
pub(crate) fn openers(document: &Document, line: usize) -> Vec<usize> {
    std::iter::successors(opener(document, line), |line| opener(document, *line)).take(BLOCKS).collect()
}

/// The line that begins a block around a place, and that leads there as a header and to no other place.
fn header(index: &Index, places: &[usize], place: usize) -> Option<TellingLine> {
    let document = index.document();
    let leads = |line: &usize| {
        let is_first = !places.iter().any(|other| (*line..place).contains(other));
        let text = document.text(*line).filter(|text| text.contains(char::is_alphanumeric));
        is_first && text.is_some_and(|text| index.only_place(Fold::Indentation, text).is_some())
    };
    let line = openers(document, place).into_iter().find(leads)?;
    Some(TellingLine { line, text: document.text(line)?.to_owned(), header: true })
}
