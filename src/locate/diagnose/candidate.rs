//! An explanation of an edit, as data.

use crate::locate::align::file::File;
use crate::locate::align::relation::Kind;
use crate::locate::explanation::evidence::null_cost;
use crate::locate::explanation::{Aligned, Explanation, State};
use crate::locate::outcome::{Candidate, CandidateRow};

/// Describes an explanation.
pub(crate) fn candidate(file: &File<'_>, explanation: &Explanation<'_>) -> Candidate {
    let is_made = explanation.state == State::Made;
    let result = std::rc::Rc::new(explanation.reading.result());
    let reading = if is_made { &result } else { &explanation.reading };
    let aligned = Aligned { file, reading, map: explanation.map, pairs: &explanation.pairs };
    let rows = (0..aligned.pairs.len()).map(|row| candidate_row(&aligned, row)).collect();
    let null = null_cost(&aligned);
    Candidate {
        lines: explanation.lines.clone(),
        cost: explanation.cost.cast_unsigned(),
        null: null.cast_unsigned(),
        made: is_made,
        indentation: explanation.map.name(),
        rows,
        result: match explanation.effect {
            Ok(_) => Ok(explanation.replacements(file)),
            Err(obstacle) => Err(obstacle.doubt()),
        },
    }
}

fn candidate_row(aligned: &Aligned<'_, '_>, row: usize) -> CandidateRow {
    let quoted = aligned.reading.old(row);
    let costs = aligned.file.costs;
    let relation = aligned.relation(row).filter(|_| aligned.pairs[row].is_found());
    let cost = match relation {
        Some(relation) => relation.cost,
        None if quoted.is_blank() => costs.blank,
        None => costs.missing + aligned.file.content(&quoted.line),
    };
    let slip = if aligned.fits_map(row) { 0 } else { costs.slip };
    CandidateRow {
        kind: quoted.kind,
        text: quoted.line.text().to_owned(),
        line: aligned.pairs[row].first(),
        cost: (cost + slip).cast_unsigned(),
        evidence: if relation.is_some_and(|relation| relation.kind < Kind::Words) {
            quoted.chance(aligned.file)
        } else {
            0
        }
        .cast_unsigned(),
    }
}
