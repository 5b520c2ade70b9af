//! Checks whether a chosen position fits the requested level. The position is chosen first, because a looser comparison
//! may show that a tight match is wrong.

use std::rc::Rc;

use super::placement::text_drift;
use crate::locate::align::file::File;
use crate::locate::align::pairing::Pairing;
use crate::locate::align::relation::Kind;
use crate::locate::explanation::{Aligned, Explanation, State};
use crate::locate::{Level, Tier};

/// Checks whether an explanation differs from the file by no more than the level allows.
pub(super) fn fits(level: Level, file: &File<'_>, explanation: &Explanation<'_>) -> bool {
    if level >= Level::Guarded {
        return true;
    }
    match explanation.state {
        State::ToMake => fits_aligned(level, &explanation.aligned(file)),
        State::Made => {
            let result = Rc::new(explanation.reading.result());
            let aligned = Aligned { file, reading: &result, map: explanation.map, pairs: &explanation.pairs };
            fits_aligned(level, &aligned)
        }
    }
}

/// Returns the loosest comparison needed for a row.
pub(super) fn tier(file: &File<'_>, explanation: &Explanation<'_>) -> Tier {
    match explanation.state {
        State::ToMake => text_drift(&explanation.aligned(file)).0,
        State::Made => Tier::Alignment,
    }
}

fn fits_aligned(level: Level, aligned: &Aligned<'_, '_>) -> bool {
    // An empty line at the end may only separate chunks.
    let last = aligned.pairs.len().saturating_sub(1);
    let is_frame =
        aligned.pairs.last() == Some(&Pairing::Missing) && last > 0 && aligned.reading.old(last).is_blank();
    let rows = if is_frame { last } else { aligned.pairs.len() };
    let is_contiguous =
        aligned.pairs[..rows].windows(2).all(|pair| pair[0].line().map(|line| line + 1) == pair[1].line());
    is_contiguous && (0..rows).all(|row| fits_row(level, aligned, row))
}

fn fits_row(level: Level, aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let Pairing::Line(line) = aligned.pairs[row] else { return false };
    let is_exact = aligned.reading.old(row).line.text() == aligned.file.line(line).text();
    let allows = |tier: Tier| level.tiers().contains(&tier);
    is_exact
        || allows(Tier::LookAlikes)
            && aligned.relation(row).is_some_and(|relation| relation.kind <= Kind::LookAlikes)
}
