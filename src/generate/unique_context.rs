//! Computes the chunks between two documents: each has three lines of context, and more context or headers only if that
//! is needed to make its position unique.

use std::borrow::Cow;
use std::cell::Cell;
use std::cmp::Reverse;
use std::ops::Range;

use similar::{DiffOp, DiffTag};

use super::unrepresentable::What;
use crate::locate::MatchOracle;
use crate::patch::edit::Edit;
use crate::patch::{Chunk, Dialect, Header, Line, LineKind};
use crate::text::{Document, compare};

/// The minimum number of unchanged lines on either side of a change: the number that models are instructed to quote.
pub(super) const LEAST: usize = 3;

/// How many lines above and below a chunk are compared to make its position unique. If more would be needed, the change
/// is written with the context of the whole file.
const REACH: usize = 100;

/// How many lines of a file are compared for all of its chunks. Without this limit, a file of equal lines would take
/// quadratic time.
const COMPARED: usize = 20_000_000;

/// Returns the chunks between two documents; `None` if nearby lines do not make the positions unique.
///
/// # Errors
/// [`What::Binary`] if a line that must be written is not text.
pub(super) fn chunks(
    before: &Document,
    after: &Document,
    slid: bool,
) -> Result<Option<Vec<Chunk<'static>>>, What> {
    let sides = Sides::new(before, after);
    let runs = if slid { slid_up(runs(before, after), before, after) } else { runs(before, after) };
    let Some(plans) = sides.plans(&runs)? else { return Ok(None) };
    plans.iter().map(|plan| sides.chunk(&runs, plan)).collect::<Result<_, _>>().map(Some)
}

/// Returns the chunks with exactly `context` lines around each change, and without headers.
///
/// # Errors
/// Those of [`chunks`].
pub(super) fn even_chunks(
    before: &Document,
    after: &Document,
    context: usize,
) -> Result<Vec<Chunk<'static>>, What> {
    let sides = Sides::new(before, after);
    let runs = runs(before, after);
    let near = sides.near(&runs, context);
    near.into_iter().map(|of| sides.chunk(&runs, &sides.base(&runs, of, context)?)).collect()
}

/// Replaced lines and their replacement, both as ranges of lines, 0-based.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LineChange {
    old: Range<usize>,
    new: Range<usize>,
}

/// Returns the differences from top to bottom; between two runs at least one line is unchanged.
fn runs(before: &Document, after: &Document) -> Vec<LineChange> {
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (before.lines().collect(), after.lines().collect());
    let ops = compare(&old, &new, None);
    let mut runs: Vec<LineChange> = Vec::new();
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        let run = LineChange { old: DiffOp::old_range(op), new: DiffOp::new_range(op) };
        match runs.last_mut() {
            Some(last) if last.old.end == run.old.start => {
                *last = LineChange { old: last.old.start..run.old.end, new: last.new.start..run.new.end };
            }
            _ => runs.push(run),
        }
    }
    runs
}

/// Returns the runs with added or removed lines shifted as far up as possible: a `}` added behind a `}` equals a `}`
/// added before. If one variant looks as if already applied, the other may not.
fn slid_up(mut runs: Vec<LineChange>, before: &Document, after: &Document) -> Vec<LineChange> {
    let mut from = 0;
    for run in &mut runs {
        let same = |run: &LineChange| {
            let last =
                if run.old.is_empty() { after.line(run.new.end - 1) } else { before.line(run.old.end - 1) };
            before.line(run.old.start - 1) == last
        };
        while (run.old.is_empty() || run.new.is_empty()) && run.old.start > from && same(run) {
            *run = LineChange {
                old: run.old.start - 1..run.old.end - 1,
                new: run.new.start - 1..run.new.end - 1,
            };
        }
        // At least one line is unchanged between two runs.
        from = run.old.end + 1;
    }
    runs
}

/// A chunk: its changes, and everything that makes its position unique.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ChunkPlan {
    /// The runs of this chunk.
    runs: Range<usize>,
    /// The lines of the old document that the chunk quotes.
    quote: Range<usize>,
    /// The lines of the old document that are the headers of the chunk, outermost first.
    headers: Vec<usize>,
    /// Whether the chunk ends with the marker for the end of the file.
    end_of_file: bool,
}

impl ChunkPlan {
    /// Returns how many lines narrow the position in addition to the lines of `base`.
    fn cost(&self, base: &Range<usize>) -> usize {
        let grown = (base.start - self.quote.start) + (self.quote.end - base.end);
        grown + self.headers.len() + usize::from(self.end_of_file)
    }
}

/// No more lines may be compared.
struct Spent;

struct Sides<'d> {
    before: &'d Document,
    after: &'d Document,
    oracle: MatchOracle,
    /// How many lines may still be compared.
    left: Cell<usize>,
}

impl<'d> Sides<'d> {
    fn new(before: &'d Document, after: &'d Document) -> Self {
        Sides { before, after, oracle: MatchOracle::new(before), left: Cell::new(COMPARED) }
    }

    /// Puts each run in a chunk; chunks that overlap the quote of another chunk are joined.
    fn plans(&self, runs: &[LineChange]) -> Result<Option<Vec<ChunkPlan>>, What> {
        let mut plans: Vec<ChunkPlan> = Vec::new();
        for near in self.near(runs, LEAST) {
            let end = near.end;
            let Some(mut plan) = self.plan(runs, near)? else { return Ok(None) };
            while let Some(above) = plans.pop_if(|above| above.quote.end > plan.quote.start) {
                match self.plan(runs, above.runs.start..end)? {
                    Some(joined) => plan = joined,
                    None => return Ok(None),
                }
            }
            plans.push(plan);
        }
        Ok(Some(plans))
    }

    /// Groups runs with so few lines between that the context has no gap, as ranges of runs.
    fn near(&self, runs: &[LineChange], context: usize) -> Vec<Range<usize>> {
        let mut all: Vec<Range<usize>> = Vec::new();
        for (nth, run) in runs.iter().enumerate() {
            let is_near = |last: &Range<usize>| {
                let mut between = runs[last.end - 1].old.end..run.old.start;
                between.len() <= context.saturating_mul(2) && between.all(|line| self.text(line).is_some())
            };
            match all.last_mut().filter(|last| is_near(last)) {
                Some(last) => last.end = nth + 1,
                None => all.push(nth..nth + 1),
            }
        }
        all
    }

    /// Returns the chunk of some runs with the fewest lines that make the position unique.
    fn plan(&self, runs: &[LineChange], of: Range<usize>) -> Result<Option<ChunkPlan>, What> {
        let base = self.base(runs, of, LEAST)?;
        let Some(left) = self.left.get().checked_sub(base.quote.len()) else { return Ok(None) };
        self.left.set(left);
        let mut plans = self.candidates(&base);
        let rank = |plan: &ChunkPlan| (plan.cost(&base.quote), plan.end_of_file, plan.headers.len());
        plans.sort_by_key(rank);
        Ok(plans.into_iter().find(|plan| self.is_sole(runs, plan)))
    }

    /// Returns the chunk of some runs with `context` lines around, as far as these lines are text.
    fn base(&self, runs: &[LineChange], of: Range<usize>, context: usize) -> Result<ChunkPlan, What> {
        let changed = runs[of.start].old.start..runs[of.end - 1].old.end;
        if changed.clone().any(|line| self.text(line).is_none()) {
            return Err(What::Binary);
        }
        let quote = self.quotable(&changed, context);
        if quote.is_empty() && !self.before.is_empty() {
            return Err(What::Binary);
        }
        Ok(ChunkPlan { runs: of, quote, headers: Vec::new(), end_of_file: false })
    }

    /// Returns the ways to distinguish the position of a chunk from every position with the same lines.
    fn candidates(&self, base: &ChunkPlan) -> Vec<ChunkPlan> {
        let lines: Vec<&str> = base.quote.clone().filter_map(|line| self.text(line)).collect();
        let places = self.oracle.places(&lines);
        let start = base.quote.start;
        let rivals: Vec<usize> = places.iter().copied().filter(|place| *place != start).collect();
        if rivals.is_empty() {
            return vec![base.clone()];
        }
        let quotable = self.quotable(&base.quote, REACH);
        let grown = |rivals: &[usize], within: Range<usize>, headers: &[usize]| {
            let (above, below) = self.growth(&base.quote, &within, rivals)?;
            let quote = start - above..base.quote.end + below;
            Some(ChunkPlan { quote, headers: headers.to_vec(), ..base.clone() })
        };
        let mut plans: Vec<ChunkPlan> = grown(&rivals, quotable.clone(), &[]).into_iter().collect();
        if base.quote.end == self.before.len() {
            plans.push(ChunkPlan { end_of_file: true, ..base.clone() });
        }
        for headers in self.headers(&base.quote) {
            let Some(scope) = self.scope(&headers).filter(|scope| scope.contains(&start)) else { continue };
            // Behind a header the first position matches.
            let holds = |rival: &usize| *rival < start && rival + lines.len() > scope.start;
            let before: Vec<usize> = rivals.iter().copied().filter(holds).collect();
            let within = quotable.start.max(scope.start + 1).min(start)..quotable.end;
            plans.extend(grown(&before, within, &headers));
        }
        plans
    }

    /// Returns the lines above a position that may be headers: lines that begin a block around the position, alone and
    /// in pairs, and the nearest line that is unique.
    fn headers(&self, quote: &Range<usize>) -> Vec<Vec<usize>> {
        let says = |line: &usize| self.text(*line).is_some_and(|text| text.contains(char::is_alphanumeric));
        let openers: Vec<usize> =
            self.oracle.openers(quote.start).into_iter().filter(|line| says(line)).collect();
        let mut all: Vec<Vec<usize>> = openers.iter().map(|line| vec![*line]).collect();
        for (nth, inner) in openers.iter().enumerate() {
            all.extend(openers[nth + 1..].iter().map(|outer| vec![*outer, *inner]));
        }
        let once = |line: &usize| self.text(*line).is_some_and(|text| self.oracle.places(&[text]).len() == 1);
        let above = (quote.start.saturating_sub(REACH)..quote.start).rev();
        all.extend(above.filter(says).find(once).map(|line| vec![line]));
        all
    }

    fn scope(&self, headers: &[usize]) -> Option<Range<usize>> {
        let texts: Option<Vec<Cow<'_, str>>> =
            headers.iter().map(|line| self.text(*line).map(Cow::Borrowed)).collect();
        self.oracle.scope(&texts?)
    }

    /// Returns how many lines above and below a quote distinguish its position from all rivals, as few as possible, all
    /// within `within`. Each rival is excluded by the lines above or by the lines below.
    fn growth(
        &self,
        quote: &Range<usize>,
        within: &Range<usize>,
        rivals: &[usize],
    ) -> Option<(usize, usize)> {
        let mut told = Vec::with_capacity(rivals.len());
        for rival in rivals {
            let above = quote.start.saturating_sub(within.start).min(REACH);
            let below = within.end.saturating_sub(quote.end).min(REACH);
            let end = rival + quote.len();
            let above = self.first_unlike(above, |nth| (quote.start - nth, rival.checked_sub(nth)));
            let below = self.first_unlike(below, |nth| (quote.end + nth - 1, Some(end + nth - 1)));
            told.push((above.ok()?.unwrap_or(usize::MAX), below.ok()?));
        }
        // The rivals that need the most lines above come first; no number of lines above is enough for `usize::MAX`.
        told.sort_unstable_by_key(|(above, _)| Reverse(*above));
        let mut best: Option<(usize, usize)> = None;
        let mut below = Some(0);
        // Lines below exclude the first `nth` rivals, lines above exclude the rest.
        for nth in 0..=told.len() {
            let above =
                told.get(nth).map_or(Some(0), |(above, _)| Some(*above).filter(|above| *above < usize::MAX));
            if let (Some(above), Some(below)) = (above, below)
                && best.is_none_or(|(a, b)| above + below < a + b)
            {
                best = Some((above, below));
            }
            if let Some((_, by_below)) = told.get(nth) {
                below = below.and_then(|below: usize| Some(below.max((*by_below)?)));
            }
        }
        best
    }

    /// Returns the first of `most` pairs of lines, from 1, that differ; `None` if all are equal.
    fn first_unlike(
        &self,
        most: usize,
        pair: impl Fn(usize) -> (usize, Option<usize>),
    ) -> Result<Option<usize>, Spent> {
        for nth in 1..=most {
            self.left.set(self.left.get().checked_sub(1).ok_or(Spent)?);
            let (own, other) = pair(nth);
            let other = other.filter(|line| *line < self.before.len());
            if other.is_none_or(|other| self.before.line(own) != self.before.line(other)) {
                return Ok(Some(nth));
            }
        }
        Ok(None)
    }

    /// Returns the given lines with the lines around that are text and so can be quoted: at most `most` on either side.
    fn quotable(&self, lines: &Range<usize>, most: usize) -> Range<usize> {
        let is_text = |line: &usize| self.text(*line).is_some();
        let above = (0..lines.start).rev().take(most).take_while(is_text).count();
        let below = (lines.end..self.before.len()).take(most).take_while(is_text).count();
        lines.start - above..lines.end + below
    }

    fn is_sole(&self, runs: &[LineChange], plan: &ChunkPlan) -> bool {
        let chunk = self.chunk(runs, plan);
        chunk.is_ok_and(|chunk| {
            self.oracle.leads_to(&Edit::from_chunk(&chunk, Dialect::Envelope), plan.quote.start)
        })
    }

    fn chunk(&self, runs: &[LineChange], plan: &ChunkPlan) -> Result<Chunk<'static>, What> {
        let mut lines = Vec::new();
        let mut next = plan.quote.start;
        for run in &runs[plan.runs.clone()] {
            push(&mut lines, LineKind::Context, self.before, next..run.old.start)?;
            push(&mut lines, LineKind::Remove, self.before, run.old.clone())?;
            push(&mut lines, LineKind::Add, self.after, run.new.clone())?;
            next = run.old.end;
        }
        push(&mut lines, LineKind::Context, self.before, next..plan.quote.end)?;
        let header = |line: &usize| {
            let text = self.text(*line)?.to_owned();
            Some(Header { number: None, text: Cow::Owned(text) })
        };
        let headers = plan.headers.iter().filter_map(header).collect();
        Ok(Chunk { headers, lines: lines.into(), end_of_file: plan.end_of_file, ..Chunk::default() })
    }

    fn text(&self, line: usize) -> Option<&str> {
        text(self.before, line)
    }
}

/// Returns the text of a line; `None` if the line is not text or contains NUL.
fn text(document: &Document, line: usize) -> Option<&str> {
    document.text(line).filter(|text| !text.contains('\0'))
}

/// Appends lines of a document to the lines of a chunk.
fn push(
    lines: &mut Vec<Line<'static>>,
    kind: LineKind,
    document: &Document,
    range: Range<usize>,
) -> Result<(), What> {
    for line in range {
        let text = text(document, line).ok_or(What::Binary)?.to_owned();
        lines.push(Line { number: None, kind, text: Cow::Owned(text), signed: true });
    }
    Ok(())
}
