//! Whether a candidate is safe enough to take.
//!
//! At the levels that compare white space and look-alikes only, one question is open: is the indentation that
//! differs part of what the edit is about?

use super::Tier;
use super::indentation::IndentationMap;
use super::pairing::{Candidate, Pair};
use crate::patch::LineKind;
use crate::text::Document;

/// Why a candidate is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// The edit changes nothing but indentation, and its quote has another than the document.
    IndentationOnly,
    /// A removed line is indented otherwise than the quoted lines around it are.
    RemovedElsewhere,
}

/// Asks what has to be asked of a candidate.
pub(super) fn vet(candidate: &Candidate<'_>, document: &Document) -> Result<(), Doubt> {
    if candidate.tier < Tier::Indentation {
        return Ok(());
    }
    let pairs = candidate.filled_pairs(document);
    let same = |pair: &Pair<'_>| pair.quoted_indentation() == pair.actual_indentation();
    if pairs.iter().all(same) {
        return Ok(());
    }
    if changes_indentation_only(candidate) {
        return Err(Doubt::IndentationOnly);
    }
    if removed_elsewhere(&pairs, document) { Err(Doubt::RemovedElsewhere) } else { Ok(()) }
}

fn changes_indentation_only(candidate: &Candidate<'_>) -> bool {
    let texts = |kind| {
        let of_kind = candidate.edit.lines.iter().filter(move |line| line.kind == kind);
        of_kind.map(|line| line.text.trim_start()).filter(|text| !text.is_empty())
    };
    texts(LineKind::Remove).next().is_some() && texts(LineKind::Remove).eq(texts(LineKind::Add))
}

/// Whether a removed line is indented otherwise than the context around it lets expect: it may be another
/// line of the same text.
fn removed_elsewhere(pairs: &[Pair<'_>], document: &Document) -> bool {
    let (context, removed): (Vec<Pair<'_>>, Vec<_>) =
        pairs.iter().partition(|pair| pair.kind == LineKind::Context);
    if context.is_empty() {
        return false;
    }
    let map = IndentationMap::new(&context, document);
    let indented = context.iter().any(|pair| !pair.quoted_indentation().is_empty());
    removed.iter().any(|pair| {
        let (quoted, actual) = (pair.quoted_indentation(), pair.actual_indentation());
        if !indented && quoted.chars().next() != actual.chars().next() {
            // Context at the margin does not show what a tab of the quote is in the document.
            return false;
        }
        let expected = match &map {
            Some(map) => map.mapped(&quoted, pair.nth),
            None => Ok(quoted.into_owned()),
        };
        expected.is_ok_and(|expected| expected != actual)
    })
}
