//! Dominance: no line supports the second position.
//!
//! An explanation dominates another explanation of the same reading if none of its rows costs more, and each row that
//! differs is exact, or at least not completely rewritten in the dominated explanation. Then no margin of doubt is
//! needed. This separates very similar blocks.

use crate::locate::align::cost::Costs;
use crate::locate::align::file::File;
use crate::locate::align::relation::Class;
use crate::locate::explanation::{Aligned, Explanation, State};

/// What still counts as exact.
const EXACT: i32 = 8;

/// Checks whether an explanation dominates another explanation.
pub(super) fn dominates(file: &File<'_>, one: &Explanation<'_>, other: &Explanation<'_>) -> bool {
    let costs = file.costs;
    let is_comparable = one.state == other.state
        && one.state == State::ToMake
        && std::rc::Rc::ptr_eq(&one.reading, &other.reading)
        && one.map.prior(costs) <= other.map.prior(costs)
        && one.pairs != other.pairs
        && !other.effect.as_ref().is_err_and(|obstacle| obstacle.is_of_meaning());
    if !is_comparable {
        return false;
    }
    let (one, other) = (one.aligned(file), other.aligned(file));
    let rows = (0..one.pairs.len()).all(|row| {
        let (cost, other_cost) = (row_cost(&one, row, costs), row_cost(&other, row, costs));
        cost == other_cost || cost < other_cost && (cost <= EXACT || is_there(&other, row))
    });
    // The indentation alone does not tell two positions apart.
    let is_better = |row: usize| row_cost(&one, row, costs) < row_cost(&other, row, costs);
    let (gaps, other_gaps) = (unquoted(&one), unquoted(&other));
    rows && gaps <= other_gaps && (gaps < other_gaps || (0..one.pairs.len()).any(is_better))
}

/// Checks whether the file has a row, possibly with different words, but not completely rewritten.
fn is_there(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    aligned.class(row).is_some_and(|class| class != Class::Other)
}

/// Returns the cost of a row.
fn row_cost(aligned: &Aligned<'_, '_>, row: usize, costs: &Costs) -> i32 {
    let quoted = &aligned.reading.old(row).line;
    let Some(relation) = aligned.relation(row) else {
        return if quoted.is_blank() { costs.blank } else { costs.missing + aligned.file.content(quoted) };
    };
    let mut cost = relation.cost;
    if let Some(line) = aligned.pairs[row].line() {
        let actual = aligned.file.line(line);
        if !aligned.fits_map(row) && relation.class != Class::Other {
            let mapped = aligned.map.apply(&quoted.indent()).map(std::borrow::Cow::into_owned);
            cost += aligned.file.slip_cost(mapped.as_deref(), &actual.indent());
        } else if quoted.trailing() != actual.trailing() {
            cost += costs.trailing_space;
        }
    }
    cost
}

/// Returns the number of unquoted lines between quoted lines: with text, and blank.
fn unquoted(aligned: &Aligned<'_, '_>) -> (usize, usize) {
    let (mut filled, mut blank) = (0, 0);
    let found: Vec<usize> = (0..aligned.pairs.len()).filter(|row| aligned.pairs[*row].is_found()).collect();
    for pair in found.windows(2).filter(|pair| !aligned.reading.is_free(pair[1])) {
        for line in aligned.between(pair[0], pair[1]) {
            if aligned.file.is_blank(line) {
                blank += 1;
            } else {
                filled += 1;
            }
        }
    }
    (filled, blank)
}
