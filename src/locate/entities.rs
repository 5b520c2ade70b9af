//! Quotes that have gone through an encoder for HTML: `&lt;` for `<`.
//!
//! All lines of such an edit have, also those that it adds, whatever else happened to them. So the whole edit is read
//! without entities as soon as its quote shows it.

use std::borrow::Cow;

use super::index::Index;
use super::relation::relate;
use super::{Level, Matching};
use crate::edit::Edit;
use crate::text::{Fold, without_entities};

/// How many lines of one skeleton are compared.
const COMPARED: usize = 16;

/// The edit without entities, if its quote says what the document says only without them; or if it has some, and the
/// document none of the kind.
pub(super) fn undone<'e>(index: &Index, edit: &Edit<'e>, matching: &Matching) -> Option<Edit<'e>> {
    if matching.level < Level::Guarded || matching.literal {
        return None;
    }
    let encoded = || {
        let plain = edit.old_lines().map(|line| (&*line.text, without_entities(&line.text)));
        plain.filter(|(_, plain)| matches!(plain, Cow::Owned(_)))
    };
    // What the document has to the letter is text.
    if encoded().any(|(line, _)| index.contains(Fold::Indentation, line)) {
        return None;
    }
    let shows = |(_, plain): (&str, Cow<'_, str>)| {
        let places = index.line_places(Fold::Skeleton, &plain);
        let mut texts = places.iter().take(COMPARED).filter_map(|at| index.document().text(*at as usize));
        texts.any(|actual| relate(&plain, actual).says_same())
    };
    let foreign = || {
        index.spend()
            && encoded().next().is_some()
            && !encoded().any(|(line, _)| entities(line).any(|entity| index.holds(entity)))
    };
    (encoded().any(shows) || foreign()).then(|| {
        let mut edit = edit.clone();
        for line in &mut edit.lines {
            if let Cow::Owned(plain) = without_entities(&line.text) {
                line.text = Cow::Owned(plain);
            }
        }
        edit
    })
}

/// What looks like an entity in a line: `&name;`.
fn entities(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('&').filter_map(|(at, _)| Some(&line[at..=at + line[at..].find(';')?]))
}
