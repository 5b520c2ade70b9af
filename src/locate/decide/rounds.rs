//! Places the chunks of a file round by round: chunks that quote lines of other chunks are matched against their
//! result.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::chunk::{Chunk, Refusal, Verdict};
use super::judge::Judged;
use super::refusal::{Original, Refusals};
use super::{addition, clear, placement};
use crate::locate::Matching;
use crate::locate::align::cost::Costs;
use crate::locate::align::file::File;
use crate::locate::compose::compose;
use crate::locate::explanation::made::{Moved, Removed};
use crate::locate::explanation::{Explanation, Obstacle, State};
use crate::locate::outcome::{Drift, Miss, Placed, Placement, Reason};
use crate::locate::reading::{Reading, encoder};
use crate::locate::search::Index;
use crate::locate::search::headers::Headers;
use crate::patch::edit::Edit;
use crate::text::{Document, Replacement, apply_replacements, is_blank};

/// How many rounds are used for chunks that quote lines of other chunks.
const ROUNDS: usize = 3;

/// Places all edits of a document.
pub(crate) fn place(document: &Document, edits: &[Edit<'_>], matching: &Matching, costs: &Costs) -> Placed {
    place_in(&Index::new(document), edits, matching, costs)
}

/// Places all edits of an indexed document.
pub(crate) fn place_in(index: &Index, edits: &[Edit<'_>], matching: &Matching, costs: &Costs) -> Placed {
    index.seek_together(&edits.iter().collect::<Vec<_>>());
    if let Some(placed) = clear::placed(index, edits, costs) {
        debug_assert_eq!(placed, in_rounds(&Index::new(index.document()), edits, matching, costs));
        return placed;
    }
    in_rounds(index, edits, matching, costs)
}

/// Places all edits of a document round by round.
pub(super) fn in_rounds(index: &Index, edits: &[Edit<'_>], matching: &Matching, costs: &Costs) -> Placed {
    let document = index.document();
    let mut rounds = Rounds::new(document, edits, matching, costs);
    let mut next = document.clone();
    for round in 0..ROUNDS {
        if rounds.todo.is_empty() {
            break;
        }
        let more = if round == 0 { rounds.round(index, 0) } else { rounds.later_round(&next, round) };
        rounds.total = if round == 0 { more } else { compose(&rounds.total, &more) };
        if !rounds.todo.is_empty() {
            next = Document::from(apply_replacements(document, &rounds.total));
        }
    }
    rounds.finish()
}

/// Replacements with what names the positions of their chunks, by their first line. What is added above a line comes before what
/// replaces the line, otherwise the chunks have the order of the patch.
type ByStart<'c> = BTreeMap<(usize, bool, usize), (Replacement<'static>, Named<'c>)>;

/// What a patch names a position by, beside the quoted lines.
#[derive(Clone, Copy)]
struct Named<'c> {
    headers: &'c Headers,
    /// How many lines below the number of a unified diff the position is.
    offset: Option<isize>,
    /// How many lines are quoted.
    quoted: usize,
}

impl<'c> Named<'c> {
    fn new(chunk: &'c Chunk<'_>, explanation: &Explanation<'_>) -> Self {
        let offset = chunk.headers.hint.map(|hint| hint.offset_of(explanation.lines.start));
        Named { headers: &chunk.headers, offset, quoted: explanation.reading.old_rows().count() }
    }

    /// Checks whether another chunk names another position: by other headers, or by line numbers that have no line in common.
    fn is_other_than(self, other: Self) -> bool {
        let apart = self.offset.zip(other.offset).map(|(own, offset)| own.abs_diff(offset));
        self.headers.are_other_than(other.headers)
            || apart.is_some_and(|lines| lines >= self.quoted.max(other.quoted).max(1))
    }
}

/// The chunks of a file, placed round by round.
struct Rounds<'q> {
    edits: &'q [Edit<'q>],
    /// The edits as read.
    plain: Vec<Rc<Reading<'q>>>,
    /// The edits that an encoder may have written.
    encoded: Vec<bool>,
    matching: &'q Matching,
    costs: &'q Costs,
    /// The chunks without an outcome, ascending.
    todo: Vec<usize>,
    outcomes: Vec<Option<Result<Placement, Miss>>>,
    total: Vec<Replacement<'static>>,
    original: Original<'q>,
}

impl<'q> Rounds<'q> {
    fn new(document: &'q Document, edits: &'q [Edit<'q>], matching: &'q Matching, costs: &'q Costs) -> Self {
        Rounds {
            edits,
            plain: edits.iter().map(|edit| Rc::new(Reading::plain(edit).for_document(document))).collect(),
            encoded: vec![false; edits.len()],
            matching,
            costs,
            todo: (0..edits.len()).collect(),
            outcomes: vec![None; edits.len()],
            total: Vec::new(),
            original: Original::new(document),
        }
    }

    fn finish(self) -> Placed {
        let outcomes =
            self.outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(|| Ok(Placement::default())));
        Placed { outcomes: outcomes.collect(), replacements: self.total }
    }

    /// Decides the chunks that are left on the result of the others. Each round has its own bounds for searches.
    fn later_round(&mut self, document: &Document, round: usize) -> Vec<Replacement<'static>> {
        let index = Index::new(document);
        index.seek_together(&self.todo.iter().map(|nth| &self.edits[*nth]).collect::<Vec<_>>());
        self.round(&index, round)
    }

    /// Decides the clear chunks of a document, and returns their replacements.
    fn round(&mut self, index: &Index, round: usize) -> Vec<Replacement<'static>> {
        let file = File::new(index, self.costs);
        if round == 0 && !self.matching.keeps_encoding() {
            self.encoded = encoder::undo(&file, &mut self.plain);
        }
        let todo = std::mem::take(&mut self.todo);
        let chunks = self.chunks(&file, &todo);
        let mut judged = Judged::new(&file, &chunks, round > 0);
        judged.drop_missing_anchors();
        let is_last = round + 1 == ROUNDS || judged.open.is_empty();
        if !is_last {
            judged.put_off();
        }
        let chosen = judged.decide(self.matching.ambiguity);
        self.take(&file, &chunks, &todo, &judged, &chosen)
    }

    fn chunks(&self, file: &File<'_>, todo: &[usize]) -> Vec<Chunk<'q>> {
        // A single chunk moves nothing to another chunk.
        let has_others = todo.len() > 1;
        let removed = has_others.then(|| Rc::new(Removed::of_all(todo.iter().map(|nth| &*self.plain[*nth]))));
        let mut chunks: Vec<Chunk<'q>> = Vec::with_capacity(todo.len());
        for nth in todo {
            let plain = &self.plain[*nth];
            let moved = removed.as_ref().map(|removed| Moved::of(removed, plain)).unwrap_or_default();
            let mut chunk = Chunk::new(file, &self.edits[*nth], plain, moved, self.matching);
            chunk.is_encoded = self.encoded[*nth];
            chunks.push(chunk);
        }
        bound(file, &mut chunks);
        for nth in 0..chunks.len() {
            if chunks[nth].is_addition() {
                let begins = chunks[nth].edit.begins_section;
                let is_next = nth > 0 && todo[nth - 1] + 1 == todo[nth] && !begins;
                let anchor = is_next.then(|| &chunks[nth - 1]).filter(|anchor| !anchor.changes());
                chunks[nth].explanations = addition::explanations(file, &chunks[nth], anchor);
            }
        }
        chunks
    }

    /// Notes the outcomes of a round. Returns what the chosen explanations replace.
    fn take(
        &mut self,
        file: &File<'_>,
        chunks: &[Chunk<'q>],
        todo: &[usize],
        judged: &Judged<'_, 'q>,
        chosen: &[Option<usize>],
    ) -> Vec<Replacement<'static>> {
        let refusals = Refusals { file, original: &self.original, level: self.matching.level };
        let mut all = ByStart::new();
        let mut end = 0;
        for (nth, chunk) in chunks.iter().enumerate() {
            let outcome = match (&judged.verdicts[nth], chosen[nth]) {
                (Verdict::PutOff, _) => {
                    self.todo.push(todo[nth]);
                    continue;
                }
                (Verdict::Anchor, _) => Ok(missing_anchor()),
                (Verdict::Refused(refusal), _) => Err(refusals.miss(chunk, refusal)),
                (Verdict::Open, None) => Err(refusals.miss(chunk, &Refusal::NotFound)),
                (Verdict::Open, Some(choice)) => {
                    self.taken(&refusals, chunk, &chunk.explanations[choice], &mut all)
                }
            };
            let outcome = outcome.map(|placement| in_file_order(chunk, chosen[nth], placement, &mut end));
            self.outcomes[todo[nth]] = Some(outcome);
        }
        all.into_values().map(|(replacement, _)| replacement).collect()
    }

    /// Accepts an explanation, unless the level of the caller or the bytes of the file forbid this.
    fn taken<'c>(
        &self,
        refusals: &Refusals<'_>,
        chunk: &'c Chunk<'q>,
        explanation: &Explanation<'q>,
        all: &mut ByStart<'c>,
    ) -> Result<Placement, Miss> {
        let file = refusals.file;
        if !placement::fits_level(self.matching.level, file, explanation) {
            return Err(refusals.miss(chunk, &Refusal::NotFound));
        }
        let mut placement = placement::placement(file, chunk, explanation);
        let mut replacements = explanation.replacements(file);
        if let Some(line) = placement::not_text(file.document(), explanation, &replacements) {
            return Err(refusals.with_reason(chunk, Reason::NotText { line }));
        }
        let is_respelled = explanation
            .effect
            .as_ref()
            .is_ok_and(|effect| effect.rewritten.spelling || effect.rewritten.characters);
        if replacements.is_empty() && is_respelled {
            return Err(refusals.at(chunk, explanation, Obstacle::ChangesNothing));
        }
        if removes_only_added(&self.total, file.document(), &replacements) {
            return Err(refusals.not_in_original(chunk));
        }
        let count = replacements.len();
        let named = Named::new(chunk, explanation);
        if let Err(line) = drop_made(all, named, &mut replacements) {
            return Err(refusals.with_reason(chunk, Reason::Overlap { line }));
        }
        if replacements.len() < count {
            placement.drift.push(Drift::SameChange);
        }
        if !self.total.is_empty() {
            placement.drift.push(Drift::AfterEarlier);
        }
        for replacement in replacements {
            all.insert((replacement.start, replacement.removed > 0, all.len()), (replacement, named));
        }
        Ok(placement)
    }
}

/// Checks whether a chunk removes lines, adds none, and all lines with text are lines that other chunks only add: the chunks move a
/// block that is not where the patch quotes it, and the block would be nowhere. `total`: the changes of the chunks before, in the
/// original document.
fn removes_only_added(
    total: &[Replacement<'_>],
    document: &Document,
    replacements: &[Replacement<'_>],
) -> bool {
    let (mut written, mut dropped) = (0, 0);
    let mut added: Vec<Range<usize>> = Vec::new();
    for made in total {
        let start = made.start + written - dropped;
        added.extend((made.removed == 0).then_some(start..start + made.lines.len()));
        written += made.lines.len();
        dropped += made.removed;
    }
    let removed = replacements.iter().flat_map(|replacement| replacement.start..replacement.end());
    let mut filled = removed.filter(|line| !is_blank(document.line(*line))).peekable();
    let is_added = |line: usize| {
        let nth = added.partition_point(|lines| lines.end <= line);
        added.get(nth).is_some_and(|lines| lines.contains(&line))
    };
    filled.peek().is_some() && replacements.iter().all(|made| made.lines.is_empty()) && filled.all(is_added)
}

/// Drops the replacements of a chunk that another chunk makes. Returns the first line of a replacement as an error if the other
/// chunk names another position.
fn drop_made(
    all: &ByStart<'_>,
    named: Named<'_>,
    replacements: &mut Vec<Replacement<'static>>,
) -> Result<(), usize> {
    let mut of_other = None;
    replacements.retain(|made| {
        let at_line = all.range((made.start, false, 0)..=(made.start, true, usize::MAX));
        let mut same = at_line.filter(|(_, (other, _))| other == made).peekable();
        let is_new = same.peek().is_none();
        if same.any(|(_, (_, other))| named.is_other_than(*other)) {
            of_other = of_other.or(Some(made.start));
        }
        is_new
    });
    of_other.map_or(Ok(()), Err)
}

/// Records that a chunk is above the previous chunk, unless it repeats one. `end` is the line behind the chunks so far.
fn in_file_order(
    chunk: &Chunk<'_>,
    choice: Option<usize>,
    mut placement: Placement,
    end: &mut usize,
) -> Placement {
    if chunk.edit.begins_section {
        *end = 0;
    }
    let Some(explanation) = choice.map(|choice| &chunk.explanations[choice]) else { return placement };
    let is_above = explanation.span.start < *end && explanation.state == State::ToMake;
    if chunk.edit.has_order() && is_above && !placement.drift.contains(&Drift::SameChange) {
        placement.drift.push(Drift::OutOfOrder);
    }
    *end = (*end).max(explanation.span.end);
    placement
}

fn missing_anchor() -> Placement {
    Placement { drift: vec![Drift::AnchorMissing], ..Placement::default() }
}

/// Bounds the explanations of all chunks together. A chunk with many positions that are alike is ambiguous by itself.
fn bound(file: &File<'_>, chunks: &mut [Chunk<'_>]) {
    /// The most explanations of all chunks, and the least of each chunk.
    const MOST_TOGETHER: usize = 20_000;
    const LEAST: usize = 4;
    let all: usize = chunks.iter().map(|chunk| chunk.explanations.len()).sum();
    if all <= MOST_TOGETHER {
        return;
    }
    let most = (MOST_TOGETHER / chunks.len()).max(LEAST);
    for chunk in chunks {
        chunk.keep_cheapest(most, file.costs.margin);
    }
}
