//! The chunks of one or several hunks in a file, placed.

use super::new_text::{self, NewText};
use super::overlay::File;
use super::sections::{self, Section};
use super::{ActualLine, ChunkReport, Content, FailureKind, Options, encoding, ending};
use crate::baseline;
use crate::locate::{Drift, Miss, Placed, Placement, Reason, place};
use crate::patch::edit::Edit;
use crate::patch::{Chunk, Hunk};
use crate::text::Document;

/// The chunks of the sections for a file.
pub(super) struct PlacedChunks {
    /// The chunks of each section, or why some of them have no place.
    pub(super) sections: Vec<Result<Vec<ChunkReport>, Vec<FailureKind>>>,
    /// The new content of the file; `None` if the file is unchanged.
    pub(super) content: Option<Content>,
}

impl PlacedChunks {
    /// Returns the chunks of a hunk that is placed alone, and the new content of the file.
    pub(super) fn of_hunk(
        file: &File,
        hunk: &Hunk<'_>,
        chunks: &[Chunk<'_>],
        options: &Options,
    ) -> Result<(Vec<ChunkReport>, Option<Content>), Vec<FailureKind>> {
        let placed = PlacedChunks::of(file, &[Section { nth: 0, hunk, chunks }], options);
        let chunks = placed.sections.into_iter().next().unwrap_or_else(|| Ok(Vec::new()))?;
        Ok((chunks, placed.content))
    }

    /// Places the chunks of the sections for a file.
    pub(super) fn of(file: &File, sections: &[Section<'_>], options: &Options) -> Self {
        let document = file.document();
        let edits = sections::edits(sections);
        let level = options.matching.level;
        let (outcomes, content) = if baseline::is_origin(level) {
            let (bytes, outcomes) = baseline::place(&document, &edits, level);
            (outcomes, (bytes != **document.bytes()).then(|| Content::Bytes(bytes.into())))
        } else {
            let mut placed = place(&document, &edits, &options.matching);
            refuse_foreign(&document, &mut placed);
            refuse_before_first_line(&document, &edits, &mut placed);
            let path = sections.first().map_or("", |section| &section.hunk.path);
            refuse_marked(&document, path, &edits, &mut placed, options);
            let replacements = Some(placed.replacements).filter(|replacements| !replacements.is_empty());
            let edited = |replacements| Content::Edited { document: document.into(), replacements };
            (placed.outcomes, replacements.map(edited))
        };
        let mut outcomes = outcomes.into_iter();
        let placed = sections.iter().map(|section| reports(*section, outcomes.by_ref()));
        PlacedChunks { sections: placed.collect(), content }.ended(file, sections)
    }

    /// Ends the content as a diff asks for.
    fn ended(mut self, file: &File, sections: &[Section<'_>]) -> Self {
        // All sections have the same properties.
        let wanted = sections.first().and_then(|section| section.hunk.properties.final_newline);
        let mut placed = self.sections.iter().filter_map(|section| section.as_ref().ok());
        if let Some(wanted) = wanted
            && placed.any(|chunks| ending::reaches_end(chunks))
        {
            self.content = ending::ended(&file.document(), self.content, wanted);
        }
        self
    }
}

/// Returns the failure of a hunk that deletes a document and removes only a part of its lines.
pub(super) fn not_all_quoted(content: Option<&Content>, document: &Document) -> FailureKind {
    let replacements = match content {
        Some(Content::Edited { replacements, .. }) => &replacements[..],
        _ => &[],
    };
    let is_kept = |line: &usize| replacements.iter().all(|one| !(one.start..one.end()).contains(line));
    let text = |line| document.text(line).unwrap_or_default().to_owned();
    let left = (0..document.len()).filter(is_kept).map(|line| ActualLine { line, text: text(line) });
    FailureKind::NotAllQuoted { left: left.collect() }
}

/// Returns the reports of the chunks of a section, or the failures; takes as many outcomes as the section has chunks.
fn reports(
    section: Section<'_>,
    outcomes: impl Iterator<Item = Result<Placement, Miss>>,
) -> Result<Vec<ChunkReport>, Vec<FailureKind>> {
    let of = section.chunks.len();
    let (mut reports, mut failures) = (Vec::with_capacity(of), Vec::new());
    for ((nth, chunk), outcome) in section.chunks.iter().enumerate().zip(outcomes) {
        let number = chunk.number;
        match outcome {
            Ok(placement) => reports.push(ChunkReport { number, placement }),
            Err(miss) => failures.push(FailureKind::Chunk { nth, of, number, miss: Box::new(miss) }),
        }
    }
    if failures.is_empty() { Ok(reports) } else { Err(failures) }
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
