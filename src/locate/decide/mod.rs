//! The decision: a result for each chunk of a file, or a refusal.
//!
//! The cheapest explanations of all chunks together are accepted if every other assignment within the margin writes the
//! same bytes. Otherwise the chunks that differ are refused, with two different explanations. An explanation without
//! bytes differs from all bytes.

mod addition;
mod all;
mod beam;
mod chunk;
mod conflict;
mod dominance;
mod judge;
mod level;
mod placement;
mod refusal;
mod rounds;

use std::rc::Rc;

use self::chunk::Chunk;
use self::judge::{Judged, Verdict};
use self::rounds::{ROUNDS, Rounds};
use super::align::cost::Costs;
use super::align::file::File;
use super::compose::compose;
use super::diagnose::candidate::candidate;
use super::explanation::made::Moved;
use super::explanation::{Explanation, Obstacle};
use super::outcome::{Candidate, Placed};
use super::reading::{Reading, encoder};
use super::search::Index;
use super::{Ambiguity, Matching};
use crate::patch::edit::Edit;
use crate::text::{Document, Encoding, Replacement, apply_replacements};

pub(crate) use self::all::place_all;
pub(crate) use self::placement::replacements as replacements_of;
pub(crate) use self::refusal::doubt_of;

/// Why a chunk is refused.
#[derive(Debug, Clone)]
pub(crate) enum Refusal {
    /// Nothing like the quote is in the file.
    NotFound,
    /// The chunk only adds lines, without a position.
    NothingQuoted,
    /// Too little of the quote is in the file.
    TooLittle,
    /// The cheapest explanation has no bytes.
    Obstacle(Obstacle),
    /// Two explanations write different bytes.
    Two(usize, usize),
    /// Another chunk changes this line, too.
    Clash(usize),
}

/// Places all edits of a document.
pub(crate) fn place(document: &Document, edits: &[Edit<'_>], matching: &Matching, costs: &Costs) -> Placed {
    let mut rounds = Rounds::new(document, edits, matching, costs);
    let mut current = document.clone();
    for round in 0..ROUNDS {
        if rounds.todo.is_empty() {
            break;
        }
        let more = rounds.round(&current, round);
        if more.is_empty() {
            continue;
        }
        rounds.total = if round == 0 { more } else { compose(&rounds.total, &more) };
        current = Document::from(apply_replacements(document, &rounds.total));
    }
    rounds.finish()
}

/// Describes the cheapest explanations of each edit by itself.
pub(crate) fn described(
    index: &Index,
    edits: &[Edit<'_>],
    matching: &Matching,
    costs: &Costs,
) -> Vec<Vec<Candidate>> {
    let file = File::new(index, costs);
    let mut plain: Vec<Rc<Reading<'_>>> = edits.iter().map(|edit| Rc::new(Reading::plain(edit))).collect();
    if !matching.takes_quotes_literally() {
        encoder::undo(&file, &mut plain);
    }
    let described = edits.iter().zip(&plain).map(|(edit, plain)| {
        let chunk = Chunk::new(&file, edit, plain, Moved::default(), matching);
        let explanations: Vec<Explanation<'_>> = if chunk.is_addition() {
            addition::explanations(&file, &chunk, None)
        } else {
            chunk.explanations
        };
        explanations
            .iter()
            .take(super::Explanation::MOST)
            .map(|explanation| candidate(&file, explanation))
            .collect()
    });
    described.collect()
}

/// Finds the first line, 0-based, of the only position of an edit that is in the document byte for byte.
pub(crate) fn only_exact_position(file: &File<'_>, edit: &Edit<'_>, matching: &Matching) -> Option<usize> {
    let plain = Rc::new(Reading::plain(edit));
    let mut chunk = Chunk::new(file, edit, &plain, Moved::default(), matching);
    if chunk.is_addition() {
        chunk.explanations = addition::explanations(file, &chunk, None);
    }
    let chunks = [chunk];
    let mut judged = Judged::new(file, &chunks, false);
    let choice = judged.decide(Ambiguity::Refuse)[0]?;
    let explanation = &chunks[0].explanations[choice];
    let placement = placement::placement(file, &chunks[0], explanation);
    let is_exact = matches!(judged.verdicts[0], Verdict::Open) && placement.drift.is_empty();
    is_exact.then_some(placement.start)
}

/// Returns a line that would be changed, or that new lines would be appended to, and that is not completely text.
fn not_text(
    document: &Document,
    explanation: &Explanation<'_>,
    replacements: &[Replacement<'_>],
) -> Option<usize> {
    if replacements.is_empty() {
        return None;
    }
    let touched =
        replacements.iter().flat_map(|r| r.start..r.end()).chain(explanation.removed.iter().copied());
    let removed = touched.into_iter().find(|line| document.text(*line).is_none());
    // Behind an odd last byte of UTF-16 no character can be put.
    let last = document.len().checked_sub(1)?;
    let appends = replacements.last().is_some_and(|r| r.start == document.len() && !r.lines.is_empty());
    let is_broken = document.encoding() != Encoding::Utf8 && document.text(last).is_none();
    removed.or((appends && is_broken).then_some(last))
}
