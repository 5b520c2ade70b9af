//! The chunks of a hunk in a file, placed.

use super::new_text::{self, NewText};
use super::overlay::File;
use super::{ActualLine, ChunkReport, Content, FailureKind, Options, encoding, ending};
use crate::baseline;
use crate::locate::{Drift, Miss, Placed, Placement, Reason, place};
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
            refuse_foreign(&document, &mut placed);
            refuse_before_first_line(&document, &edits, &mut placed);
            refuse_marked(&document, &hunk.path, &edits, &mut placed, options);
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

/// Refuses a chunk that adds characters beyond ASCII to a document of another encoding.
fn refuse_foreign(document: &Document, placed: &mut Placed) {
    let Some(place) = encoding::foreign(document, &placed.replacements) else { return };
    let is_above = |placement: &Placement| placement.start <= place.start;
    let nth = placed.outcomes.iter().rposition(|outcome| outcome.as_ref().is_ok_and(is_above)).unwrap_or(0);
    if let Some(outcome) = placed.outcomes.get_mut(nth) {
        *outcome = Err(encoding::miss(document, place));
    }
}

/// Refuses a new text, or the added lines of a chunk, that are not what the file is to have.
fn refuse_marked(
    document: &Document,
    path: &str,
    edits: &[Edit<'_>],
    placed: &mut Placed,
    options: &Options,
) {
    for (edit, outcome) in edits.iter().zip(&mut placed.outcomes) {
        let Ok(placement) = outcome else { continue };
        let placements = std::slice::from_ref(placement);
        let lines = NewText::of_edit(edit);
        if let Err(miss) = new_text::check(document, path, lines.as_ref(), placements, options) {
            *outcome = Err(miss);
        }
    }
}

/// Refuses a chunk of a unified diff that adds lines before line 1 without context: the file was empty then, or the numbers are
/// made up.
fn refuse_before_first_line(document: &Document, edits: &[Edit<'_>], placed: &mut Placed) {
    let is_at_zero = |edit: &Edit<'_>| {
        let begins = |header: &str| header.trim_start().starts_with("-0,0 +");
        edit.dialect.is_diff() && edit.is_addition() && edit.headers.iter().any(|header| begins(header))
    };
    if document.content().trim_ascii().is_empty() {
        return;
    }
    for (edit, outcome) in edits.iter().zip(&mut placed.outcomes) {
        let is_made = |placement: &Placement| placement.drift.contains(&Drift::AlreadyApplied);
        if is_at_zero(edit) && outcome.as_ref().is_ok_and(|placement| !is_made(placement)) {
            *outcome = Err(Miss::new(Reason::NothingQuoted, document, &[]));
        }
    }
}
