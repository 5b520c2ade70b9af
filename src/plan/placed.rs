//! The chunks of a hunk in a file, placed.

use std::ops::Range;

use super::carried::{Carried, meet};
use super::overlay::File;
use super::{ActualLine, ChunkReport, Content, FailureKind, Options, ending};
use crate::baseline;
use crate::locate::{Level, Miss, Placed, Placement, place};
use crate::patch::edit::Edit;
use crate::patch::{Chunk, Hunk};
use crate::text::Document;

/// The chunks of a hunk in a file.
pub(super) struct PlacedChunks {
    pub(super) chunks: Vec<ChunkReport>,
    /// The new content of the file; `None` if the file is unchanged.
    pub(super) content: Option<Content>,
    /// The chunks that have no place.
    pub(super) failures: Vec<FailureKind>,
}

impl PlacedChunks {
    pub(super) fn of(file: &File, hunk: &Hunk<'_>, chunks: &[Chunk<'_>], options: &Options) -> Self {
        let document = file.document();
        let edits: Vec<_> = chunks.iter().map(|chunk| Edit::from_chunk(chunk, hunk.dialect)).collect();
        let level = options.matching.level;
        let (outcomes, content) = if baseline::is_origin(level) {
            let (bytes, outcomes) = baseline::place(&document, &edits, level);
            (outcomes, (bytes != **document.bytes()).then(|| Content::Bytes(bytes.into())))
        } else {
            let mut placed = place(&document, &edits, &options.matching);
            keep_to_quoted(&mut placed, file, &edits, options);
            let replacements = Some(placed.replacements).filter(|replacements| !replacements.is_empty());
            let edited = |replacements| Content::Edited { document: document.into(), replacements };
            (placed.outcomes, replacements.map(edited))
        };
        let mut placed =
            PlacedChunks { chunks: Vec::with_capacity(chunks.len()), content, failures: Vec::new() };
        for (nth, (outcome, chunk)) in outcomes.into_iter().zip(chunks).enumerate() {
            match outcome {
                Ok(placement) => placed.chunks.push(ChunkReport { number: chunk.number, placement }),
                Err(miss) => {
                    let (of, number) = (chunks.len(), chunk.number);
                    placed.failures.push(FailureKind::Chunk { nth, of, number, miss: Box::new(miss) });
                }
            }
        }
        let wanted = hunk.properties.final_newline.filter(|_| ending::reaches_end(&placed.chunks));
        if let Some(wanted) = wanted
            && placed.failures.is_empty()
        {
            placed.content = ending::ended(&file.document(), placed.content, wanted);
        }
        placed
    }

    /// Returns the failure of a hunk that deletes a document and removes only a part of its lines.
    pub(super) fn not_all_quoted(&self, document: &Document) -> FailureKind {
        let replacements = match &self.content {
            Some(Content::Edited { replacements, .. }) => &replacements[..],
            _ => &[],
        };
        let is_kept = |line: &usize| replacements.iter().all(|one| !(one.start..one.end()).contains(line));
        let text = |line| document.text(line).unwrap_or_default().to_owned();
        let left = (0..document.len()).filter(is_kept).map(|line| ActualLine { line, text: text(line) });
        FailureKind::NotAllQuoted { left: left.collect() }
    }
}

/// Refuses an inexact position that is not where the lines are now that the chunk quotes in the file before the previous
/// hunk: that hunk replaced these lines, and a similar block elsewhere is not what the chunk quotes.
fn keep_to_quoted(placed: &mut Placed, file: &File, edits: &[Edit<'_>], options: &Options) {
    let Content::Edited { document: before, replacements } = &file.content else { return };
    if placed.outcomes.iter().flatten().all(|placement| placement.cost == 0) {
        return;
    }
    let quoted = place(before, edits, &options.matching).outcomes;
    let carried = Carried::by(replacements);
    for ((outcome, quoted), edit) in placed.outcomes.iter_mut().zip(quoted).zip(edits) {
        let (Ok(now), Ok(quoted)) = (&*outcome, quoted) else { continue };
        let is_left = quoted.cost >= now.cost
            || meet(&carried.lines(quoted_lines(edit, &quoted)), &quoted_lines(edit, now));
        if !is_left && let Some(miss) = without_drift(file, edit, options) {
            *outcome = Err(miss);
        }
    }
}

/// Returns the lines that an edit quotes at its position.
fn quoted_lines(edit: &Edit<'_>, placement: &Placement) -> Range<usize> {
    placement.start..placement.start + edit.old_lines().count()
}

/// Returns why an edit has no exact position in a file.
fn without_drift(file: &File, edit: &Edit<'_>, options: &Options) -> Option<Miss> {
    let mut exact = options.matching;
    exact.level = Level::Exact;
    place(&file.document(), std::slice::from_ref(edit), &exact).outcomes.pop()?.err()
}
