//! Whether the kept lines of a quote fit another position better, where the lines to be changed read otherwise by now.

use std::collections::HashSet;
use std::ops::Range;

use super::aligned::Aligned;
use crate::locate::align::relation::{Class, relate};
use crate::locate::search::headers::LineHint;
use crate::text::Fold;

/// How many lines of the file are tried as the line of a kept row.
const MOST_POSITIONS: usize = 48;

/// How many kept rows are looked for, the rarest in the file first.
const MOST_LOOKED_FOR: usize = 3;

/// How many lines more than the quote changes may be between two kept rows.
const MORE_BETWEEN: usize = 2;

/// Finds another position that the kept rows with text fit better than that of an alignment, and none worse. Returns its first line.
///
/// There the removed lines may have changed since the quote was made, and the position of the alignment is a twin that still has
/// them. A position where another chunk removes lines is the one of that chunk. `hint`: the numbers of a diff, which may lead to a
/// position that fits as well. `removed`: the lines that chunks remove.
pub(crate) fn better_for_kept_rows(
    aligned: &Aligned<'_, '_>,
    hint: Option<LineHint>,
    removed: &HashSet<usize>,
) -> Option<usize> {
    aligned.filled_removals().next()?;
    let kept = Kept::new(aligned)?;
    let hint = hint.filter(|hint| aligned.lines().is_some_and(|lines| !hint.is_of_quote(lines.start)));
    let rivals = kept.lines_to_try().into_iter().filter_map(|(nth, line)| kept.fit(nth, line));
    let is_better = |fit: &Fit| {
        let is_numbered = hint.is_some_and(|hint| fit.begins.is_some_and(|line| hint.is_of_quote(line)));
        fit.gain > aligned.file.costs.inner_space || is_numbered && fit.gain >= 0
    };
    let is_of_other =
        |fit: &Fit| (fit.lines.clone()).any(|line| removed.contains(&line) && !kept.quoted.contains(&line));
    rivals
        .filter(|fit| is_better(fit) && !is_of_other(fit))
        .max_by_key(|fit| fit.gain)
        .map(|fit| fit.lines.start)
}

/// How many lines of a jump are compared.
const MOST_SKIPPED: usize = 8;

/// A kept row with text.
struct KeptRow {
    /// The old row.
    row: usize,
    /// What the row costs at the position of the alignment.
    cost: i32,
    /// What the row costs where the file does not have it.
    missing: i32,
    /// How many rows are changed between this row and the next that is kept.
    changed: usize,
    /// The first lines between this row and the next that is kept that the quote does not have.
    skipped: Vec<usize>,
    /// The width of the indentation that the row has at the position of the alignment; `None` if the alignment shows none.
    depth: Option<usize>,
}

/// The kept rows of a quote.
struct Kept<'k, 'a, 'q> {
    aligned: &'k Aligned<'a, 'q>,
    rows: Vec<KeptRow>,
    /// The lines of all rows.
    quoted: HashSet<usize>,
    /// What the jumps between kept rows cost.
    jumps: i32,
}

/// Another position of kept rows.
struct Fit {
    /// From the first line to the last.
    lines: Range<usize>,
    /// The line that the first old row of the quote has there; `None` if the first kept row is not there.
    begins: Option<usize>,
    /// How much less the kept rows cost there.
    gain: i32,
    /// How much deeper the rows are there than at the position of the alignment.
    deeper: Option<isize>,
}

impl<'k, 'a, 'q> Kept<'k, 'a, 'q> {
    /// Collects the kept rows; `None` for a quote with dots, which may replace any lines.
    fn new(aligned: &'k Aligned<'a, 'q>) -> Option<Self> {
        let is_kept = |row: &usize| {
            let old = aligned.reading.old(*row);
            old.is_context() && !old.is_blank()
        };
        let rows: Vec<usize> = aligned.rows().filter(is_kept).collect();
        let pairs = || rows.windows(2).map(|rows| (rows[0], rows[1]));
        if pairs().any(|(above, below)| aligned.is_free_between(above, below)) {
            return None;
        }
        let quoted: HashSet<usize> =
            aligned.pairs.iter().flat_map(|pair| [pair.first(), pair.last()]).flatten().collect();
        let is_skipped = |line: usize| !quoted.contains(&line) && !aligned.file.is_blank(line);
        let next = rows.iter().skip(1).map(Some).chain([None]);
        let kept = rows.iter().zip(next).map(|(row, next)| KeptRow {
            skipped: next.map_or_else(Vec::new, |next| {
                aligned.between(*row, *next).filter(|line| is_skipped(*line)).take(MOST_SKIPPED).collect()
            }),
            ..kept_row(aligned, *row, next)
        });
        let rows: Vec<KeptRow> = kept.collect();
        let jumps = rows.iter().filter(|row| !row.skipped.is_empty()).count();
        Some(Kept {
            rows,
            jumps: aligned.file.costs.skip.saturating_mul(i32::try_from(jumps).unwrap_or(i32::MAX)),
            aligned,
            quoted,
        })
    }

    /// Returns lines outside of the alignment that are a kept row, with the index of the row, the rarest row first.
    fn lines_to_try(&self) -> Vec<(usize, usize)> {
        let (file, text) =
            (self.aligned.file, |nth: usize| &self.aligned.reading.old(self.rows[nth].row).line);
        let lettered = (0..self.rows.len()).filter(|nth| text(*nth).letters() > 0);
        let mut counted: Vec<(usize, usize)> =
            lettered.map(|nth| (file.occurrences(text(nth)), nth)).collect();
        counted.retain(|(count, _)| (1..=MOST_POSITIONS).contains(count));
        counted.sort_unstable();
        let rarest = counted.into_iter().take(MOST_LOOKED_FOR);
        let lines = rarest.flat_map(|(_, nth)| {
            let lines = file.index.line_places(Fold::Skeleton, text(nth).text()).into_owned();
            lines.into_iter().map(move |line| (nth, line as usize))
        });
        lines.filter(|(_, line)| !self.quoted.contains(line)).take(MOST_POSITIONS).collect()
    }

    /// Compares the kept rows with the lines around a line that is one of these rows; `None` if they fit worse.
    fn fit(&self, nth: usize, line: usize) -> Option<Fit> {
        let mut fit = Fit { lines: line..line + 1, begins: None, gain: self.jumps, deeper: None };
        self.add(&mut fit, nth, line, self.cost(nth, line))?;
        self.follow(&mut fit, nth + 1..self.rows.len(), |nth| nth - 1, line + 1..self.aligned.file.len())?;
        self.follow(&mut fit, (0..nth).rev(), |nth| nth, (0..line).rev())?;
        Some(fit)
    }

    /// Compares kept rows with the lines on one side. `gap`: the index of the row above the gap before a row.
    fn follow(
        &self,
        fit: &mut Fit,
        rows: impl Iterator<Item = usize>,
        gap: impl Fn(usize) -> usize,
        lines: impl Iterator<Item = usize> + Clone,
    ) -> Option<()> {
        let mut lines = lines.filter(|line| !self.aligned.file.is_blank(*line));
        let mut not_there = 0;
        for nth in rows {
            let (kept, above) = (&self.rows[nth], &self.rows[gap(nth)]);
            let changed = above.changed + not_there;
            let found = self.nearest(fit, nth, lines.clone().take(changed + MORE_BETWEEN + 1));
            match found.filter(|(_, _, cost)| *cost <= kept.cost) {
                Some((skipped, line, cost)) => {
                    self.add(fit, nth, line, cost)?;
                    let mut between = lines.clone().take(skipped);
                    // Changed lines may be more lines by now, but what is skipped at both positions is no difference.
                    let jumps =
                        skipped > 0 && changed == 0 || between.any(|line| self.is_skipped(above, line));
                    lines.nth(skipped);
                    fit.gain -= if jumps { self.aligned.file.costs.skip } else { 0 };
                    not_there = 0;
                }
                None if kept.cost >= kept.missing => not_there += 1,
                None => return None,
            }
        }
        Some(())
    }

    /// Returns the line that fits a row best, after how many others, and its cost.
    fn nearest(
        &self,
        fit: &Fit,
        nth: usize,
        lines: impl Iterator<Item = usize>,
    ) -> Option<(usize, usize, i32)> {
        let mut best: Option<(usize, usize, i32)> = None;
        for (skipped, line) in lines.enumerate() {
            let cost = if self.is_as_deep(fit, nth, line) { self.cost(nth, line) } else { i32::MAX };
            if best.is_none_or(|(.., least)| cost < least) {
                best = Some((skipped, line, cost));
            }
            if cost == 0 {
                break;
            }
        }
        best
    }

    /// Adds the line of a row to a position; `None` if the alignment has the line, or the row fits worse.
    fn add(&self, fit: &mut Fit, nth: usize, line: usize, cost: i32) -> Option<()> {
        let kept = &self.rows[nth];
        if self.quoted.contains(&line) || cost > kept.cost {
            return None;
        }
        fit.lines = fit.lines.start.min(line)..fit.lines.end.max(line + 1);
        fit.deeper = fit.deeper.or_else(|| self.deeper(nth, line));
        if nth == 0 {
            fit.begins = line.checked_sub(kept.row);
        }
        // A line of signs, such as a bracket, tells nothing.
        if cost < kept.cost && self.aligned.reading.old(kept.row).line.letters() > 0 {
            fit.gain += kept.cost - cost;
        }
        Some(())
    }

    /// Checks whether a line is one that the alignment skips behind a row.
    fn is_skipped(&self, above: &KeptRow, line: usize) -> bool {
        let file = self.aligned.file;
        above.skipped.iter().any(|skipped| file.is_same(line, file.line(*skipped)))
    }

    /// Checks whether a row is as much deeper at a line as the other rows.
    fn is_as_deep(&self, fit: &Fit, nth: usize, line: usize) -> bool {
        let deeper = self.deeper(nth, line);
        deeper.is_none() || fit.deeper.is_none() || deeper == fit.deeper
    }

    /// Returns how much deeper a line is than a row at the position of the alignment.
    fn deeper(&self, nth: usize, line: usize) -> Option<isize> {
        let depth = self.rows[nth].depth?;
        let own = isize::try_from(self.aligned.file.line(line).indent().len()).ok()?;
        Some(own - isize::try_from(depth).ok()?)
    }

    /// Returns what a row costs at a line. A row that the alignment does not have has to be there, apart from misspelt words.
    fn cost(&self, nth: usize, line: usize) -> i32 {
        let (file, kept) = (self.aligned.file, &self.rows[nth]);
        let relation = relate(file.costs, &self.aligned.reading.old(kept.row).line, file.line(line));
        let is_other = kept.cost >= kept.missing && relation.class > Class::Typo;
        if is_other { i32::MAX } else { relation.cost }
    }
}

/// Returns a kept row. `next`: the kept row below.
fn kept_row(aligned: &Aligned<'_, '_>, row: usize, next: Option<&usize>) -> KeptRow {
    let (reading, file) = (aligned.reading, aligned.file);
    let missing = file.costs.missing + file.content(&reading.old(row).line);
    let start = reading.position_of_old(row);
    let between = next.map_or(&[][..], |next| &reading.rows[start + 1..reading.position_of_old(*next)]);
    let removed = between.iter().filter(|row| row.removes()).count();
    let added = between.iter().filter(|row| row.adds()).count();
    let is_shown = aligned.map.is_rule() && aligned.fits_map(row);
    let depth = is_shown
        .then(|| aligned.map.apply(&reading.old(row).line.indent()).map(|indent| indent.len()))
        .flatten();
    KeptRow {
        row,
        cost: aligned.relation(row).map_or(missing, |relation| relation.cost),
        missing,
        changed: removed.max(added),
        skipped: Vec::new(),
        depth,
    }
}
