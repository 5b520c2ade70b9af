//! Whether the context of a quote fits another position better, where the removed lines have changed since.

use std::collections::HashSet;
use std::ops::Range;

use super::aligned::Aligned;
use super::made::TELLING_LETTERS;
use crate::locate::align::relation::Class;
use crate::locate::search::headers::LineHint;
use crate::locate::syntax::depth_of_line;
use crate::text::Fold;

/// How many lines of the file are tried as the line of a context row.
const MOST_POSITIONS: usize = 48;

/// How many context rows are looked for, the rarest in the file first.
const MOST_LOOKED_FOR: usize = 3;

/// How many lines more than the quote changes may be between two context rows.
const MORE_BETWEEN: usize = 2;

/// How many lines of a jump are compared.
const MOST_SKIPPED: usize = 8;

/// Finds another position that the context rows with text fit better than the position of an alignment, and no row worse. Returns the
/// first line of the other position.
///
/// The removed lines may have changed there since the quote was made, and the position of the alignment is a twin that still has
/// the removed lines. A position where another chunk removes lines is the position of that chunk. `hint`: the numbers of a diff, which
/// may lead to a position that fits as well. `removed`: the lines that chunks remove.
pub(crate) fn better_for_context(
    aligned: &Aligned<'_, '_>,
    hint: Option<LineHint>,
    removed: &HashSet<usize>,
) -> Option<usize> {
    aligned.filled_removals().next()?;
    let context = Context::new(aligned)?;
    let hint = hint.filter(|hint| aligned.lines().is_some_and(|lines| !hint.is_of_quote(lines.start)));
    let rivals = context.lines_to_try().into_iter().filter_map(|(nth, line)| context.fit(nth, line));
    let is_better = |fit: &Fit| {
        let is_numbered = hint.is_some_and(|hint| fit.begins.is_some_and(|line| hint.is_of_quote(line)));
        let is_telling = !fit.shares_line || fit.letters >= TELLING_LETTERS;
        is_telling && fit.gain > aligned.file.costs.inner_space || is_numbered && fit.gain >= 0
    };
    let is_of_other = |fit: &Fit| {
        let mut lines = fit.lines.clone();
        lines.any(|line| removed.contains(&line) && !context.quoted.contains(&line))
    };
    rivals
        .filter(|fit| is_better(fit) && !is_of_other(fit))
        .max_by_key(|fit| fit.gain)
        .map(|fit| fit.lines.start)
}

/// A context row with text.
struct ContextRow {
    /// The old row.
    row: usize,
    /// What the row costs at the position of the alignment.
    cost: i32,
    /// What the row costs where the file does not have it.
    missing: i32,
    /// How many rows are changed between this row and the next.
    changed: usize,
    /// The first unquoted lines with text between this row and the next at the position of the alignment.
    skipped: Vec<usize>,
    /// How deep the row is at the position of the alignment, in columns; `None` if the alignment shows none.
    depth: Option<usize>,
}

/// The context rows of a quote.
struct Context<'c, 'a, 'q> {
    aligned: &'c Aligned<'a, 'q>,
    rows: Vec<ContextRow>,
    /// The lines of all rows of the quote.
    quoted: HashSet<usize>,
}

/// Another position of context rows.
struct Fit {
    /// From the first line to the last.
    lines: Range<usize>,
    /// The line that the first old row of the quote has there; `None` if the first context row is not there.
    begins: Option<usize>,
    /// How much less the context rows cost there.
    gain: i32,
    /// How much deeper the rows are there than at the position of the alignment.
    deeper: Option<isize>,
    /// Whether both positions have the same line for a row.
    shares_line: bool,
    /// The most letters of a row that has another line there.
    letters: usize,
}

impl<'c, 'a, 'q> Context<'c, 'a, 'q> {
    /// Collects the context rows; `None` for a quote with dots, which may replace any lines.
    fn new(aligned: &'c Aligned<'a, 'q>) -> Option<Self> {
        let is_filled = |row: &usize| {
            let old = aligned.reading.old(*row);
            old.is_context() && !old.is_blank()
        };
        let rows: Vec<usize> = aligned.rows().filter(is_filled).collect();
        let pairs = || rows.windows(2).map(|rows| (rows[0], rows[1]));
        if pairs().any(|(above, below)| aligned.is_free_between(above, below)) {
            return None;
        }
        let quoted: HashSet<usize> = aligned.pairs.iter().filter_map(|pair| pair.line()).collect();
        let next = rows.iter().skip(1).copied().map(Some).chain([None]);
        let rows =
            rows.iter().zip(next).map(|(row, next)| ContextRow::new(aligned, &quoted, *row, next)).collect();
        Some(Context { aligned, rows, quoted })
    }

    /// Returns lines outside of the alignment that are a context row, with the index of the row, the rarest row first.
    fn lines_to_try(&self) -> Vec<(usize, usize)> {
        let (file, text) =
            (self.aligned.file, |nth: usize| &self.aligned.reading.old(self.rows[nth].row).line);
        let lettered = (0..self.rows.len()).filter(|nth| text(*nth).letters() > 0);
        let mut counted: Vec<(usize, usize)> =
            lettered.map(|nth| (file.occurrences(text(nth)), nth)).collect();
        counted.retain(|(count, _)| (1..=MOST_POSITIONS).contains(count));
        counted.sort_unstable();
        let elsewhere = counted.into_iter().map(|(_, nth)| {
            let lines = file.index.line_places(Fold::Skeleton, text(nth).text()).into_owned();
            let lines = lines.into_iter().map(|line| (nth, line as usize));
            lines.filter(|(_, line)| !self.quoted.contains(line)).collect::<Vec<_>>()
        });
        let rarest = elsewhere.filter(|lines| !lines.is_empty()).take(MOST_LOOKED_FOR);
        rarest.flatten().take(MOST_POSITIONS).collect()
    }

    /// Compares the context rows with the lines around a line that is the row `nth`; `None` if a row fits worse.
    fn fit(&self, nth: usize, line: usize) -> Option<Fit> {
        let jumps = self.rows.iter().filter(|row| !row.skipped.is_empty());
        let gain = jumps.map(|_| self.aligned.file.costs.skip).sum();
        let lines = line..line + 1;
        let mut fit = Fit { lines, begins: None, gain, deeper: None, shares_line: false, letters: 0 };
        self.add(&mut fit, nth, line, self.cost(nth, line))?;
        self.follow(&mut fit, nth + 1..self.rows.len(), |nth| nth - 1, line + 1..self.aligned.file.len())?;
        self.follow(&mut fit, (0..nth).rev(), |nth| nth, (0..line).rev())?;
        Some(fit)
    }

    /// Compares context rows with the lines on one side. `gap`: the index of the row above the gap before a row.
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
            let (row, above) = (&self.rows[nth], &self.rows[gap(nth)]);
            let changed = above.changed + not_there;
            let found = self.nearest(fit, nth, lines.clone().take(changed + MORE_BETWEEN + 1));
            match found.filter(|(_, _, cost)| *cost <= row.cost) {
                Some((skipped, line, cost)) => {
                    self.add(fit, nth, line, cost)?;
                    let mut between = lines.clone().take(skipped);
                    // The changed lines may be more lines there, but a line that is skipped at both positions is no difference.
                    if skipped > 0 && changed == 0 || between.any(|line| self.is_skipped(above, line)) {
                        fit.gain -= self.aligned.file.costs.skip;
                    }
                    lines.nth(skipped);
                    not_there = 0;
                }
                None if row.cost >= row.missing => not_there += 1,
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

    /// Adds the line of a row to a position; `None` if the alignment has the line for another row, or the row fits worse.
    fn add(&self, fit: &mut Fit, nth: usize, line: usize, cost: i32) -> Option<()> {
        let row = &self.rows[nth];
        let is_of_row = self.aligned.pairs[row.row].line() == Some(line);
        if self.quoted.contains(&line) && !is_of_row || cost > row.cost {
            return None;
        }
        fit.lines = fit.lines.start.min(line)..fit.lines.end.max(line + 1);
        fit.deeper = fit.deeper.or_else(|| self.deeper(nth, line));
        if nth == 0 {
            fit.begins = line.checked_sub(row.row);
        }
        let letters = self.aligned.reading.old(row.row).line.letters();
        fit.shares_line |= is_of_row;
        if !is_of_row {
            fit.letters = fit.letters.max(letters);
        }
        // A line of signs, such as a bracket, is no evidence.
        if letters > 0 {
            fit.gain += row.cost - cost;
        }
        Some(())
    }

    /// Checks whether a line equals another line, which the alignment skips behind a row.
    fn is_skipped(&self, above: &ContextRow, line: usize) -> bool {
        let file = self.aligned.file;
        let mut others = above.skipped.iter().filter(|skipped| **skipped != line);
        others.any(|skipped| file.is_same(line, file.line(*skipped)))
    }

    /// Checks whether a row is as much deeper at a line as the other rows.
    fn is_as_deep(&self, fit: &Fit, nth: usize, line: usize) -> bool {
        let deeper = self.deeper(nth, line);
        deeper.is_none() || fit.deeper.is_none() || deeper == fit.deeper
    }

    /// Returns how much deeper a line is than a row at the position of the alignment.
    fn deeper(&self, nth: usize, line: usize) -> Option<isize> {
        let depth = self.rows[nth].depth?;
        let own = isize::try_from(self.aligned.file.line(line).depth()).ok()?;
        Some(own - isize::try_from(depth).ok()?)
    }

    /// Returns what a row costs at a line. A row that the alignment does not have has to be there, apart from misspelt words.
    fn cost(&self, nth: usize, line: usize) -> i32 {
        let (file, row) = (self.aligned.file, &self.rows[nth]);
        let relation = self.aligned.reading.old(row.row).relation(file.costs, file.line(line));
        let is_other = row.cost >= row.missing && relation.class > Class::Typo;
        if is_other { i32::MAX } else { relation.cost }
    }
}

impl ContextRow {
    /// Compares a row with its line. `quoted`: the lines of all rows. `next`: the next context row with text.
    fn new(aligned: &Aligned<'_, '_>, quoted: &HashSet<usize>, row: usize, next: Option<usize>) -> Self {
        let (reading, file) = (aligned.reading, aligned.file);
        let indent = reading.old(row).line.indent();
        let missing = file.costs.missing + file.content(&reading.old(row).line);
        let start = reading.position_of_old(row) + 1;
        let between = next.map_or(&[][..], |next| &reading.rows[start..reading.position_of_old(next)]);
        let removed = between.iter().filter(|row| row.removes()).count();
        let added = between.iter().filter(|row| row.adds()).count();
        let lines = next.map_or(0..0, |next| aligned.between(row, next));
        let skipped = lines.filter(|line| !quoted.contains(line) && !file.is_blank(*line));
        let is_shown = aligned.map.is_rule() && aligned.fits_map(row);
        ContextRow {
            row,
            cost: aligned.relation(row).map_or(missing, |relation| relation.cost),
            missing,
            changed: removed.max(added),
            skipped: skipped.take(MOST_SKIPPED).collect(),
            depth: aligned
                .map
                .apply(&indent)
                .filter(|_| is_shown)
                .map(|indent| depth_of_line(indent.as_bytes())),
        }
    }
}
