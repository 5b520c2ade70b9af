//! An edit by itself: its explanations, its only exact position, or every position.

use std::rc::Rc;

use super::chunk::{Chunk, Refusal, Verdict};
use super::judge::Judged;
use super::refusal::{Original, Refusals};
use super::{addition, placement};
use crate::locate::align::cost::Costs;
use crate::locate::align::file::File;
use crate::locate::align::map::{IndentMap, propose};
use crate::locate::align::pairing::Pairing;
use crate::locate::align::relation::Class;
use crate::locate::explanation::made::Moved;
use crate::locate::explanation::{Aligned, Explanation};
use crate::locate::outcome::{self, Candidate, Miss, Placed, Placement, Reason};
use crate::locate::reading::{Reading, encoder};
use crate::locate::search::Index;
use crate::locate::{Ambiguity, Matching};
use crate::patch::edit::Edit;
use crate::text::Replacement;

/// Describes the cheapest explanations of each edit by itself.
pub(crate) fn described(
    index: &Index,
    edits: &[Edit<'_>],
    matching: &Matching,
    costs: &Costs,
) -> Vec<Vec<Candidate>> {
    let file = File::new(index, costs);
    let mut plain: Vec<Rc<Reading<'_>>> = edits.iter().map(|edit| Rc::new(Reading::plain(edit))).collect();
    if !matching.keeps_encoding() {
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
            .take(outcome::Explanation::MOST)
            .map(|explanation| placement::candidate(&file, explanation))
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

/// Applies an edit at every position. Positions that overlap an earlier position are left out. There is an outcome for
/// each position, or a single miss.
pub(crate) fn place_all(index: &Index, edit: &Edit<'_>, matching: &Matching, costs: &Costs) -> Placed {
    let file = File::new(index, costs);
    let mut plain = [Rc::new(Reading::plain(edit))];
    let in_doubt = !matching.keeps_encoding() && encoder::undo(&file, &mut plain)[0];
    let mut chunk = Chunk::new(&file, edit, &plain[0], Moved::default(), matching);
    chunk.is_encoded = in_doubt;
    let original = Original::new(index.document());
    let refusals = Refusals { file: &file, original: &original, level: matching.level };
    let everywhere = Everywhere { file: &file, chunk: &chunk, matching };
    let positions = if in_doubt { Vec::new() } else { everywhere.positions() };
    if positions.is_empty() {
        return Placed {
            outcomes: vec![Err(refusals.miss(&chunk, &Refusal::NotFound))],
            replacements: Vec::new(),
        };
    }
    let mut placed = Placed::default();
    let mut next = 0;
    for explanation in positions {
        if explanation.lines.start < next {
            continue;
        }
        next = explanation.lines.end;
        let outcome = everywhere.outcome(&refusals, &explanation, &mut placed.replacements);
        placed.outcomes.push(outcome);
    }
    placed
}

struct Everywhere<'a, 'q> {
    file: &'a File<'a>,
    chunk: &'a Chunk<'q>,
    matching: &'a Matching,
}

impl<'q> Everywhere<'_, 'q> {
    /// Returns the explanations of the tightest comparison that matches, in the order of the file.
    fn positions(&self) -> Vec<Explanation<'q>> {
        let reading = self.chunk.plain();
        let quote: Vec<&str> = reading.old_rows().map(|row| row.line.text()).collect();
        if quote.is_empty() {
            return Vec::new();
        }
        for tier in self.matching.level.tiers() {
            let starts = self.file.index.places(tier.fold(), &quote);
            let found: Vec<_> =
                starts.iter().filter_map(|start| self.explanation(*start, quote.len())).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Returns the quote at a position, line by line, with the map for its indentation.
    fn explanation(&self, start: usize, rows: usize) -> Option<Explanation<'q>> {
        let reading = self.chunk.plain();
        let pairs: Rc<[Pairing]> = (start..start + rows).map(Pairing::Line).collect();
        let mut aligned = Aligned { file: self.file, reading, map: IndentMap::Same, pairs: &pairs };
        if aligned.rows().any(|row| aligned.class(row) != Some(Class::Same)) {
            return None;
        }
        let filled = (0..rows).filter(|row| !reading.old(*row).is_blank());
        let indents: Vec<_> = filled
            .map(|row| (reading.old(row).line.indent(), self.file.line(start + row).indent()))
            .collect();
        let is_same = indents.iter().all(|(quoted, actual)| quoted == actual);
        if !is_same {
            let each: Vec<_> = indents.iter().map(|pair| (pair, 1)).collect();
            aligned.map = propose(self.file.costs, &each).first().copied()?;
        }
        aligned.explanation(aligned.map.prior(self.file.costs), &self.chunk.rules)
    }

    fn outcome(
        &self,
        refusals: &Refusals<'_>,
        explanation: &Explanation<'q>,
        replacements: &mut Vec<Replacement<'static>>,
    ) -> Result<Placement, Miss> {
        if let Err(obstacle) = explanation.effect {
            return Err(refusals.at(self.chunk, explanation, obstacle));
        }
        let placement = placement::placement(self.file, self.chunk, explanation);
        let changes = explanation.replacements(self.file);
        if let Some(line) = placement::not_text(self.file.document(), explanation, &changes) {
            return Err(refusals.with_reason(self.chunk, Reason::NotText { line }));
        }
        replacements.extend(changes);
        Ok(placement)
    }
}
