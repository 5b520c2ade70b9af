//! Quotes that have gone through an encoder for HTML: `&lt;` for `<`.
//!
//! All lines of such an edit have, also those that it adds, whatever else happened to them. So the whole edit is read
//! without entities as soon as one of its quoted lines shows it. A line that the document has neither so nor so may be in
//! other words, and shows nothing; then it is not known what an entity in an added line is.

use std::borrow::Cow;

use super::pairing::{At, Candidate};
use super::relation::relate;
use super::search::Index;
use super::{Level, Matching};
use crate::patch::LineKind;
use crate::patch::edit::{Edit, EditLine};
use crate::text::{Document, Fold, without_entities};

/// How many lines of one skeleton are compared.
const COMPARED: usize = 16;

/// The edit without entities, if its quote says what the document says only without them.
pub(super) fn undone<'e>(index: &Index, edit: &Edit<'e>, matching: &Matching) -> Option<Edit<'e>> {
    if matching.level < Level::Guarded || matching.literal {
        return None;
    }
    let plain = edit.old_lines().map(|line| (&*line.text, without_entities(&line.text)));
    let encoded: Vec<_> = plain.filter(|(_, plain)| matches!(plain, Cow::Owned(_))).collect();
    // What the document has to the letter is text.
    if encoded.iter().any(|(line, _)| index.contains(Fold::Indentation, line)) {
        return None;
    }
    let shows = |(_, plain): &(&str, Cow<'_, str>)| {
        let places = index.line_places(Fold::Skeleton, plain);
        let mut texts = places.iter().take(COMPARED).filter_map(|at| index.document().text(*at as usize));
        texts.any(|actual| relate(plain, actual).says_same())
    };
    encoded.iter().any(shows).then(|| {
        let mut edit = edit.clone();
        for line in &mut edit.lines {
            if let Cow::Owned(plain) = without_entities(&line.text) {
                line.text = Cow::Owned(plain);
            }
        }
        edit
    })
}

/// Whether an added line has entities, and so has a quoted line that the document has neither with nor without them.
pub(super) fn are_open(candidate: &Candidate<'_>, document: &Document) -> bool {
    let has_some = |line: &EditLine<'_>| matches!(without_entities(&line.text), Cow::Owned(_));
    let lines = || candidate.edit.lines.iter().zip(&candidate.at).filter(|(line, _)| has_some(line));
    let adds = lines().any(|(line, _)| line.kind == LineKind::Add);
    let stands = |line: &EditLine<'_>, at: &At| {
        let actual = at.line().and_then(|at| document.text(at));
        actual.is_some_and(|actual| relate(&line.text, actual).says_same())
    };
    adds && lines().any(|(line, at)| line.kind != LineKind::Add && !stands(line, at))
}
