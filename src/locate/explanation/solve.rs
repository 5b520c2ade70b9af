//! Finds all explanations of a reading with the edit still to be made.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use super::aligned::Aligned;
use super::promises::Rules;
use super::types::{Effect, Explanation, Insertion, Obstacle, Signature, State};
use super::{insertion, promises, seam, siblings};
use crate::locate::align::band::bands;
use crate::locate::align::file::File;
use crate::locate::align::map::{Counted, IndentMap, IndentPair, propose};
use crate::locate::align::pairing::Pairing;
use crate::locate::align::table::{Detour, Table, Way};
use crate::locate::align::window::Window;
use crate::locate::reading::Reading;
use crate::locate::rewrite::{Rewriter, indent_recipes};

/// The maximum number of exact positions of a reading.
const MOST_EXACT: usize = 200;

/// The number of exact positions that are looked at, however long the quote is.
const LEAST_EXACT: usize = 20;

/// The maximum number of rows of all exact positions, beyond [`LEAST_EXACT`] positions: each row is compared again at each position.
const MOST_EXACT_ROWS: usize = 200_000;

/// The maximum number of maps for a window.
const MOST_MAPS: usize = 8;

/// By how much a window may exceed the cheapest window before its maps are known.
const WINDOW_SLACK: i32 = 40;

/// By how much an alignment may exceed the cheapest of its window and still propose maps.
const PROPOSING_SLACK: i32 = 25;

/// How many alternative alignments of a row propose maps.
const PROPOSING_WAYS: usize = 3;

/// The maximum number of explanations of a reading.
const MOST_EXPLANATIONS: usize = 400;

/// Returns the explanations of a reading that cost at most `keep` more than the cheapest.
pub(crate) fn solve<'q>(
    file: &File<'_>,
    reading: &Rc<Reading<'q>>,
    keep: i32,
    rules: &Rules,
) -> Vec<Explanation<'q>> {
    if reading.old_len() == 0 {
        return Vec::new();
    }
    let solver = Solver { file, reading, keep, rules };
    // A single line of a chunk may have a different indentation.
    let is_one_line = !rules.is_text && reading.changes() && reading.filled_old_rows().count() == 1;
    let exact = if reading.has_dots() { Vec::new() } else { solver.exact() };
    if !exact.is_empty() && !is_one_line {
        return exact;
    }
    let mut explanations = solver.inexact();
    // Windows are only around some of many positions.
    let is_new = |exact: &Explanation<'q>| !explanations.iter().any(|other| other.pairs == exact.pairs);
    let exact: Vec<_> = exact.into_iter().filter(is_new).collect();
    explanations.extend(exact);
    explanations
}

struct Solver<'a, 'q> {
    file: &'a File<'a>,
    reading: &'a Rc<Reading<'q>>,
    keep: i32,
    rules: &'a Rules,
}

impl<'q> Solver<'_, 'q> {
    /// Returns the positions where the quote matches exactly: no table is needed, and no further positions are
    /// considered.
    fn exact(&self) -> Vec<Explanation<'q>> {
        let starts = self.reading.exact_positions(self.file);
        let most = (MOST_EXACT_ROWS / self.reading.old_len()).clamp(LEAST_EXACT, MOST_EXACT);
        let explanations = starts.iter().take(most).filter_map(|start| {
            let pairs: Rc<[Pairing]> = (*start..start + self.reading.old_len()).map(Pairing::Line).collect();
            let aligned = self.aligned(IndentMap::Same, &pairs);
            let mut explanation = aligned.explanation(self.reading.cost, self.rules)?;
            explanation.cost += self.odd_depth(&explanation);
            Some(explanation)
        });
        explanations.collect()
    }

    fn aligned<'b>(&'b self, map: IndentMap, pairs: &'b Rc<[Pairing]>) -> Aligned<'b, 'q> {
        Aligned { file: self.file, reading: self.reading, map, pairs }
    }

    fn inexact(&self) -> Vec<Explanation<'q>> {
        let bands = bands(self.file, self.reading);
        let windows: Vec<Window<'_, 'q>> =
            bands.iter().map(|band| Window::new(self.file, self.reading, band)).collect();
        let tables: Vec<Table<'_, 'q>> =
            windows.iter().map(|window| Table::new(self.file.costs, window, None)).collect();
        let Some(cheapest) = tables.iter().map(|table| table.cost).min() else { return Vec::new() };
        let critical = critical_rows(self.reading);
        let mut fits: Vec<(i32, Table<'_, 'q>)> = Vec::new();
        for (window, table) in windows.iter().zip(tables) {
            if table.cost > cheapest + self.keep + WINDOW_SLACK {
                continue;
            }
            let maps = self.maps(&table, &critical);
            let of_maps = maps.iter().map(|map| Table::new(self.file.costs, window, Some(*map)));
            fits.extend(of_maps.map(|table| (self.prior(table.map), table)));
        }
        fits.sort_by_key(|(prior, table)| prior + table.cost);
        self.explanations(&fits, &critical)
    }

    /// Returns the cost of a map and the reading.
    fn prior(&self, map: IndentMap) -> i32 {
        map.prior(self.file.costs) + self.reading.cost
    }

    /// Returns the maps that the cheapest alignments of a window propose.
    fn maps(&self, table: &Table<'_, 'q>, critical: &[usize]) -> Vec<IndentMap> {
        let mut maps = vec![IndentMap::Same];
        let best = table.cheapest();
        let pairs = Indentations::of(self, table, &best);
        let mut seen: Vec<Counts<'_>> = vec![pairs.counts.clone()];
        self.add_maps(&pairs.counts, &mut maps);
        for row in critical {
            if maps.len() >= MOST_MAPS {
                break;
            }
            let others = table.otherwise(*row, &best, table.cost + PROPOSING_SLACK);
            for way in others.iter().take(PROPOSING_WAYS) {
                let Some(counts) = pairs.counts_of(way).filter(|counts| !seen.contains(counts)) else {
                    continue;
                };
                self.add_maps(&counts, &mut maps);
                seen.push(counts);
            }
        }
        maps.truncate(MOST_MAPS);
        maps
    }

    /// Adds the maps that the indentations of an alignment propose.
    fn add_maps(&self, counts: &Counts<'_>, maps: &mut Vec<IndentMap>) {
        let counted: Vec<Counted<'_, '_>> = counts.iter().map(|(pair, count)| (pair, *count)).collect();
        let is_flat = || self.reading.rows.iter().all(|row| row.is_blank() || row.line.indent().is_empty());
        let several = counted.iter().any(|((_, actual), _)| *actual != counted[0].0.1);
        let flat = (several && is_flat()).then_some(IndentMap::Flat);
        for map in propose(self.file.costs, &counted).into_iter().chain(flat) {
            if !maps.contains(&map) {
                maps.push(map);
            }
        }
    }

    fn explanations(&self, fits: &[(i32, Table<'_, 'q>)], critical: &[usize]) -> Vec<Explanation<'q>> {
        let Some(best) = fits.iter().map(|(prior, table)| prior + table.cost).min() else {
            return Vec::new();
        };
        let limit = best + self.keep;
        let mut seen: HashSet<(Vec<Pairing>, IndentMap)> = HashSet::new();
        let mut explanations = Vec::new();
        for (prior, table) in fits.iter().filter(|(prior, table)| prior + table.cost <= limit) {
            let cheapest = table.cheapest();
            let mut explain = |cost: i32, mut pairs: Vec<Pairing>| {
                keep_blank_lines(self.reading, &mut pairs);
                if seen.insert((pairs.clone(), table.map)) {
                    self.explain(table.map, cost + prior, &pairs.into(), &mut explanations);
                }
                explanations.len() < MOST_EXPLANATIONS
            };
            let mut is_open = explain(cheapest.cost, cheapest.pairs.clone());
            let mut detours: HashSet<Detour> = HashSet::new();
            for row in critical {
                for way in table.otherwise(*row, &cheapest, limit - prior) {
                    if is_open && !detours.contains(&way) {
                        is_open = explain(way.cost, way.applied_to(&cheapest));
                        detours.insert(way);
                    }
                }
            }
            if !is_open {
                break;
            }
        }
        explanations
    }

    /// Adds the explanations of an alignment.
    fn explain(&self, map: IndentMap, cost: i32, pairs: &Rc<[Pairing]>, all: &mut Vec<Explanation<'q>>) {
        let aligned = self.aligned(map, pairs);
        let Some(mut explanation) = aligned.explanation(cost, self.rules) else { return };
        if !is_shown(&aligned) {
            if map != IndentMap::Same {
                return;
            }
            explanation.cost += self.file.costs.unshown;
        }
        let outside = aligned.gaps_out_of_block();
        explanation.cost += self.odd_depth(&explanation) + outside * self.file.costs.gap_outside;
        let others = siblings::others(self.file, &explanation, self.rules);
        // If the added lines do not follow the only row of their depth, this is a further slip.
        if others.iter().any(|other| matches!(other.effect, Err(Obstacle::SlippedToo { .. }))) {
            explanation.cost += self.file.costs.slip;
        }
        all.push(explanation);
        all.extend(others);
    }

    /// Returns the cost if most added lines have a depth, with a first sign, that no line nearby has.
    fn odd_depth(&self, explanation: &Explanation<'_>) -> i32 {
        /// How far around the edit lines are looked at.
        const NEAR: usize = 40;
        let is_plain = explanation.map == IndentMap::Same && !explanation.reading.undone.signs;
        let Ok(effect) = &explanation.effect else { return 0 };
        let added: Vec<&str> =
            effect.insertions.iter().flat_map(|insertion| &insertion.lines).map(String::as_str).collect();
        if is_plain || added.is_empty() {
            return 0;
        }
        let lines = &explanation.lines;
        let near = lines.start.saturating_sub(NEAR)..(lines.end + NEAR).min(self.file.len());
        let depths: HashSet<(Cow<'_, str>, char)> =
            near.filter_map(|line| depth_and_sign(self.file.line(line).text())).collect();
        let added: Vec<_> = added.into_iter().filter_map(depth_and_sign).collect();
        let odd = added.iter().filter(|depth| !depths.contains(*depth)).count();
        if 2 * odd > added.len() { self.file.costs.odd_depth } else { 0 }
    }
}

/// The indentations of rows and of their lines, and how often each pair occurs.
type Counts<'p> = BTreeMap<IndentPair<'p>, i32>;

/// The indentations that the cheapest alignment of a window shows.
struct Indentations<'a, 'q> {
    solver: &'a Solver<'a, 'q>,
    window: &'a Window<'a, 'q>,
    best: &'a Way,
    counts: Counts<'a>,
}

impl<'a, 'q> Indentations<'a, 'q> {
    fn of(solver: &'a Solver<'a, 'q>, table: &'a Table<'a, 'q>, best: &'a Way) -> Self {
        let mut shown = Indentations { solver, window: table.window(), best, counts: Counts::new() };
        for (row, pair) in best.pairs.iter().enumerate() {
            if let Some(indents) = shown.indents(row, *pair) {
                *shown.counts.entry(indents).or_default() += 1;
            }
        }
        shown
    }

    /// Returns the indentations of a row and of its line. A completely different line is left out.
    fn indents(&self, row: usize, pair: Pairing) -> Option<IndentPair<'a>> {
        let line = pair.line().filter(|_| self.window.shows_indentation(row, pair))?;
        Some((self.solver.reading.old(row).line.indent(), self.solver.file.line(line).indent()))
    }

    /// Returns the counts of another alignment; `None` if they are those of the cheapest.
    fn counts_of(&self, way: &Detour) -> Option<Counts<'a>> {
        let mut changed = Counts::new();
        for (row, pair) in (way.first..).zip(&way.pairs) {
            for (indents, by) in
                [(self.indents(row, self.best.pairs[row]), -1), (self.indents(row, *pair), 1)]
            {
                if let Some(indents) = indents {
                    *changed.entry(indents).or_default() += by;
                }
            }
        }
        changed.retain(|_, by| *by != 0);
        if changed.is_empty() {
            return None;
        }
        let mut counts = self.counts.clone();
        for (indents, by) in changed {
            *counts.entry(indents).or_default() += by;
        }
        counts.retain(|_, count| *count != 0);
        Some(counts)
    }
}

/// Returns the indentation of a line, and its first character, if that is a sign.
fn depth_and_sign(line: &str) -> Option<(Cow<'_, str>, char)> {
    let first = line.trim_start().chars().next()?;
    let sign = if "-+*".contains(first) { first } else { 'a' };
    Some((crate::locate::align::line_text::indent(line), sign))
}

/// Checks whether a map is true of at least one row.
fn is_shown(aligned: &Aligned<'_, '_>) -> bool {
    if !aligned.map.is_rule() {
        return true;
    }
    let mut rows = aligned.rows().filter(|row| aligned.shows_indentation(*row)).peekable();
    rows.peek().is_none() || rows.any(|row| aligned.fits_map(row))
}

impl<'q> Aligned<'_, 'q> {
    /// Makes the explanation of the alignment, with the bytes that the edit would write, or the obstacle. `None` if no
    /// row has a partner.
    pub(crate) fn explanation(&self, cost: i32, rules: &Rules) -> Option<Explanation<'q>> {
        let lines = self.lines()?;
        let removed = self.removed();
        let places = insertion::places(self);
        let positions = places.iter().map(|place| place.at);
        let first = removed.iter().copied().chain(positions.clone()).min();
        let last = removed.iter().map(|line| line + 1).chain(positions).max();
        let span = first.zip(last).map_or(lines.start..lines.start, |(first, last)| first..last);
        let obstacle = promises::first_broken(self, rules)
            .or_else(|| places.iter().find_map(|place| place.obstacle))
            .or_else(|| promises::depth_obstacle(self))
            .or_else(|| self.in_other_block().map(|line| Obstacle::OtherBlock { line }));
        let effect = match obstacle {
            Some(obstacle) => Err(obstacle),
            None => self.effect(&places),
        };
        let mut explanation = Explanation {
            cost,
            reading: Rc::clone(self.reading),
            map: self.map,
            pairs: Rc::clone(self.pairs),
            state: State::ToMake,
            effect,
            removed,
            lines,
            span,
            signature: Signature::Unchanged,
            coincidence: 0,
            position: 0,
            prior: 0,
        };
        explanation.signature = Signature::of(self.file, &explanation);
        Some(explanation)
    }

    fn effect(&self, places: &[insertion::Place]) -> Result<Effect, Obstacle> {
        let mut effect = Effect::default();
        if places.is_empty() {
            return Ok(effect);
        }
        let rewriter = Rewriter::new(self);
        for place in places {
            let mut lines = Vec::with_capacity(place.rows.len());
            for row in &self.reading.rows[place.rows.clone()] {
                let line = rewriter.rewrite(&row.line, &place.near, &mut effect.rewritten)?;
                lines.push(line);
            }
            if let Some(obstacle) = seam::obstacle(self, place, &lines) {
                return Err(obstacle);
            }
            if self.map == IndentMap::Same && !self.reading.only_indents() {
                effect.rewritten.indentation |= indent_recipes(self.file, place.at, &mut lines);
            }
            effect.insertions.push(Insertion { at: place.at, lines });
        }
        Ok(effect)
    }
}

/// Gives the blank lines of the file to the blank rows that are kept, where consecutive blank rows of the quote are partly removed, and
/// the file has fewer of them: it has less to remove.
fn keep_blank_lines(reading: &Reading<'_>, pairs: &mut [Pairing]) {
    for run in reading.shrunk_blank_runs() {
        let (removed, kept): (Vec<usize>, Vec<usize>) =
            run.clone().partition(|row| reading.old(*row).removes());
        let is_found = |row: &usize| pairs[*row].is_found();
        if !removed.iter().any(is_found) || kept.iter().all(is_found) {
            continue;
        }
        let lines: Vec<Pairing> = pairs[run.clone()].iter().copied().filter(|pair| pair.is_found()).collect();
        let mut rows: Vec<usize> = kept.into_iter().chain(removed).take(lines.len()).collect();
        rows.sort_unstable();
        pairs[run].fill(Pairing::Missing);
        for (row, line) in rows.into_iter().zip(lines) {
            pairs[row] = line;
        }
    }
}

/// Returns the old rows that determine the position of the change: removed rows, and the nearest rows on either side of
/// each added run, blank rows and the next filled row.
fn critical_rows(reading: &Reading<'_>) -> Vec<usize> {
    let rows = reading.old_len();
    let mut critical: Vec<usize> = Vec::new();
    let mut old = 0;
    for row in &reading.rows {
        if row.removes() {
            critical.push(old);
        }
        if row.adds() {
            let above = (0..old).rev();
            let below = old..rows;
            for side in [&mut above.into_iter() as &mut dyn Iterator<Item = usize>, &mut below.into_iter()] {
                for row in side {
                    critical.push(row);
                    if !reading.old(row).is_blank() {
                        break;
                    }
                }
            }
        }
        old += usize::from(row.is_old());
    }
    critical.sort_unstable();
    critical.dedup();
    critical
}
