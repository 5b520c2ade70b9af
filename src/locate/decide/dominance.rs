//! Which of two explanations fits the file better line by line.

use std::borrow::Cow;
use std::rc::Rc;

use crate::locate::align::cost::Costs;
use crate::locate::align::file::File;
use crate::locate::align::relation::Class;
use crate::locate::explanation::{Aligned, Explanation, State};

/// Checks whether an explanation dominates another explanation: no row fits worse, and a row or a gap fits better.
pub(super) fn dominates(file: &File<'_>, one: &Explanation<'_>, other: &Explanation<'_>) -> bool {
    let costs = file.costs;
    let is_comparable = one.state == other.state
        && one.state == State::ToMake
        && Rc::ptr_eq(&one.reading, &other.reading)
        && one.map.prior(costs) <= other.map.prior(costs)
        && !other.effect.as_ref().is_err_and(|obstacle| obstacle.is_of_meaning());
    if !is_comparable {
        return false;
    }
    let (one, other) = (one.aligned(file), other.aligned(file));
    // Whitespace and look-alikes still count as exact.
    let rows = one.rows().all(|row| {
        let (cost, other_cost) = (row_cost(&one, row, costs), row_cost(&other, row, costs));
        cost == other_cost || cost < other_cost && (cost <= costs.inner_space || other.is_related(row))
    });
    // The length of a jump does not tell two positions apart.
    let is_better = |row: usize| row_cost(&one, row, costs) < row_cost(&other, row, costs);
    let (gaps, other_gaps) = (gaps(&one), gaps(&other));
    rows && gaps <= other_gaps && (gaps < other_gaps || one.rows().any(is_better))
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
            let mapped = aligned.map.apply(&quoted.indent()).map(Cow::into_owned);
            cost += aligned.file.slip_cost(mapped.as_deref(), &actual.indent());
        }
    }
    cost
}

/// Returns the number of jumps over unquoted lines with text between quoted lines, and over blank lines alone.
fn gaps(aligned: &Aligned<'_, '_>) -> (usize, usize) {
    let (mut filled, mut blank) = (0, 0);
    let found = aligned.found_rows();
    for pair in found.windows(2).filter(|pair| !aligned.reading.is_free(pair[1])) {
        let lines = aligned.between(pair[0], pair[1]);
        let is_blank = aligned.file.first_filled(lines.clone()).is_none();
        blank += usize::from(is_blank && !lines.is_empty());
        filled += usize::from(!is_blank);
    }
    (filled, blank)
}
