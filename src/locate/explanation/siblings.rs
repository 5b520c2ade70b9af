//! Alternative explanations of an alignment: the same pairs, but a row has another meaning. Most of these have no
//! bytes, so that their only effect is competition.

use std::borrow::Cow;

use super::aligned::Aligned;
use super::names::sibling_null;
use super::promises::Rules;
use super::types::{Explanation, Obstacle};
use crate::locate::align::cost::Costs;
use crate::locate::align::file::File;
use crate::locate::align::line_text::indent;
use crate::locate::align::pairing::Pairing;
use crate::locate::align::relation::{Class, relate};
use crate::locate::reading::Row;
use crate::locate::search::scope::Scope;

/// Returns the alternative explanations of an alignment.
pub(super) fn others<'q>(
    file: &File<'_>,
    explanation: &Explanation<'q>,
    rules: &Rules,
) -> Vec<Explanation<'q>> {
    let sibling = sibling(file, explanation, rules.header);
    if !explanation.has_bytes() {
        return sibling.into_iter().collect();
    }
    let others = [slipped_too(file, explanation), lost_plus(file, explanation, rules.is_text), sibling];
    others.into_iter().flatten().collect()
}

/// The target is not in the file, but a sibling with a different name. `header`: the block that a header names.
fn sibling<'q>(
    file: &File<'_>,
    explanation: &Explanation<'q>,
    header: Option<Scope>,
) -> Option<Explanation<'q>> {
    if !explanation.reading.changes() {
        return None;
    }
    let (row, cost) = sibling_null(&explanation.aligned(file), header)?;
    let reading = explanation.reading.cost;
    Some(explanation.without_bytes(file, cost + reading, Obstacle::Sibling { row }))
}

/// An added line that is only as deep as a row that slipped may have slipped with that row.
fn slipped_too<'q>(file: &File<'_>, explanation: &Explanation<'q>) -> Option<Explanation<'q>> {
    let aligned = explanation.aligned(file);
    if !explanation.map.is_rule() || !explanation.reading.adds() {
        return None;
    }
    let (mut shown, mut slipped) = (Vec::new(), Vec::new());
    for row in 0..aligned.pairs.len() {
        let quoted = aligned.reading.old(row);
        if !aligned.shows_indentation(row) {
            continue;
        }
        if aligned.fits_map(row) {
            shown.push(quoted.line.indent());
        } else {
            slipped.push((quoted.line.indent(), row));
        }
    }
    let added = explanation.reading.filled_added_rows();
    let depths: Vec<Cow<'_, str>> = added.map(|row| row.line.indent()).collect();
    let (_, row) = slipped.iter().find(|(indent, _)| depths.contains(indent) && !shown.contains(indent))?;
    let cost = explanation.cost + file.costs.slip_added;
    Some(explanation.without_bytes(file, cost, Obstacle::SlippedToo { row: *row }))
}

/// So many quoted lines that are in the file, for each that is not, are most of the old text.
const MOSTLY: usize = 3;

/// A context line next to a change that is not in the file may be an added line that lost its sign. Two texts have no signs, so a line
/// beside replaced lines was in the old text as well, if most of that text is in the file: `is_text`.
fn lost_plus<'q>(file: &File<'_>, explanation: &Explanation<'q>, is_text: bool) -> Option<Explanation<'q>> {
    let aligned = explanation.aligned(file);
    let lost = aligned.rows().filter_map(|row| LostPlus::new(&aligned, row));
    let lost = lost.filter(|lost| !(is_text && lost.is_beside_removed() && aligned.has_rows(MOSTLY)));
    let candidates = lost.map(|lost| (lost.cost(), lost.row));
    let (cost, row) = candidates.min()?;
    Some(explanation.without_bytes(file, explanation.cost + cost, Obstacle::LostPlus { row }))
}

/// Checks whether a row has the depth of other rows, with its sign and without.
fn fits(aligned: &Aligned<'_, '_>, quoted: &Row<'_>) -> (bool, bool) {
    let others = aligned.reading.rows.iter().filter(|row| !row.is_blank() && row.nth != quoted.nth);
    let depths: Vec<Cow<'_, str>> = others.map(|row| row.line.indent()).collect();
    (depths.contains(&quoted.line.indent()), depths.contains(&indent(&quoted.raw)))
}

/// A context row next to a change without an equal line in the file.
struct LostPlus<'a, 'r, 'q> {
    aligned: &'a Aligned<'r, 'q>,
    /// The old row.
    row: usize,
    /// Whether the rows right above and below are changed.
    above: Option<&'a Row<'q>>,
    below: Option<&'a Row<'q>>,
}

impl<'a, 'r, 'q> LostPlus<'a, 'r, 'q> {
    fn new(aligned: &'a Aligned<'r, 'q>, row: usize) -> Option<Self> {
        let rows = &aligned.reading.rows;
        let at = aligned.reading.position_of_old(row);
        let above = at.checked_sub(1).map(|at| &*rows[at]);
        let below = rows.get(at + 1).map(|row| &**row);
        let quoted = &rows[at];
        let is_beside = [above, below].into_iter().flatten().any(|row| !row.is_context());
        if !quoted.is_context() || quoted.is_blank() || !is_beside {
            return None;
        }
        let is_unmatched = match aligned.pairs[row] {
            Pairing::Missing => true,
            // Between two added lines, a line that differs may be an addition.
            Pairing::Line(_) => {
                let is_between = above.is_some_and(Row::adds) && below.is_some_and(Row::adds);
                aligned.class(row) == Some(Class::Other)
                    || is_between && aligned.class(row) == Some(Class::Differs)
            }
        };
        is_unmatched.then_some(LostPlus { aligned, row, above, below })
    }

    fn costs(&self) -> &'a Costs {
        self.aligned.file.costs
    }

    fn quoted(&self) -> &'a Row<'q> {
        self.aligned.reading.old(self.row)
    }

    fn is_missing(&self) -> bool {
        !self.aligned.pairs[self.row].is_found()
    }

    /// Checks whether the lines that change right above or right below include removed lines.
    fn is_beside_removed(&self) -> bool {
        let at = self.aligned.reading.position_of_old(self.row);
        let (above, below) = self.aligned.reading.rows.split_at(at);
        let changed_above = above.iter().rev().take_while(|row| !row.is_context());
        let changed_below = below.iter().skip(1).take_while(|row| !row.is_context());
        changed_above.chain(changed_below).any(|row| row.removes())
    }

    /// Returns whether added lines are on both sides.
    fn is_between(&self) -> bool {
        self.above.is_some_and(Row::adds) && self.below.is_some_and(Row::adds)
    }

    /// Checks whether the line is the body of an added line: deeper, right below, and not in the file. Where lines were replaced,
    /// it may be the body of a removed line.
    fn is_body_of_added(&self) -> bool {
        let depth = |row: &Row<'_>| row.line.depth();
        let is_above = self.above.is_some_and(|above| above.adds() && depth(above) < depth(self.quoted()));
        let rows = &self.aligned.reading.rows[..self.aligned.reading.position_of_old(self.row)];
        let is_replacement = || rows.iter().rev().find(|row| !row.adds()).is_some_and(|row| row.removes());
        self.is_missing() && is_above && !is_replacement()
    }

    /// Returns the additional cost compared with a missing or rewritten line.
    fn cost(&self) -> i32 {
        if self.is_body_of_added() {
            return 0;
        }
        let costs = self.costs();
        let content = self.aligned.file.content(&self.quoted().line);
        let is_inside =
            self.aligned.line_above(self.row).is_some() && self.aligned.line_below(self.row).is_some();
        let mut cost = costs.lost_plus;
        if !self.is_missing() && is_inside {
            cost += costs.skip;
        }
        cost += self.depth_cost();
        let is_above_removed = self.above.is_none_or(Row::is_context) && self.below.is_some_and(Row::removes);
        if is_above_removed {
            cost += costs.lost_plus_above;
        }
        cost += self.coincidence();
        let was = if self.is_missing() { costs.missing } else { costs.rewritten };
        cost - was - content
    }

    /// A line that lost its sign is one column too far left. A line that has the depth of other rows unchanged has its
    /// sign.
    fn depth_cost(&self) -> i32 {
        match fits(self.aligned, self.quoted()) {
            _ if self.is_between() => 0,
            (false, true) => 0,
            (true, false) => self.costs().lost_plus_indented,
            _ => self.costs().lost_plus_indented / 2,
        }
    }

    /// A line to be added is not already in the file, and no similar line is next to its position.
    fn coincidence(&self) -> i32 {
        let (file, quoted) = (self.aligned.file, self.quoted());
        let times = self.costs().coincidence;
        if file.has_squashed(&quoted.line) {
            return times * quoted.chance(file);
        }
        let fits_raw_only = self.depth_cost() == 0;
        if !self.is_missing() || fits_raw_only {
            return 0;
        }
        let content = file.content(&quoted.line);
        let most = self.costs().rewritten + content;
        match self.nearest_cost() {
            Some(cost) => times * content * (most - cost).max(0) / most,
            None => 0,
        }
    }

    /// Returns the least cost of a line of the file around the row that is not completely different.
    fn nearest_cost(&self) -> Option<i32> {
        let file = self.aligned.file;
        let lines = self.aligned.lines()?;
        let from = self.aligned.line_above(self.row).unwrap_or(lines.start.saturating_sub(2));
        let until = self.aligned.line_below(self.row).unwrap_or(lines.end + 1);
        let removed = self.aligned.removed();
        (from..=until.min(file.len().saturating_sub(1)))
            .filter(|line| !file.is_blank(*line) && removed.binary_search(line).is_err())
            .map(|line| relate(file.costs, &self.quoted().line, file.line(line)))
            .filter(|relation| relation.class != Class::Other)
            .map(|relation| relation.cost)
            .min()
    }
}
