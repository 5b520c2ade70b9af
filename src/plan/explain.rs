//! How every chunk of a patch is placed.

use super::planner::Planner;
use super::sections::{self, Section};
use super::{Failure, Files, Options};
use crate::baseline;
use crate::locate::{self, Explanation};
use crate::patch::{Action, Chunk, Hunk, Patch};
use std::num::NonZeroUsize;

/// The explanations for the chunks of a hunk.
#[derive(Debug)]
pub(crate) struct HunkExplanation {
    /// Line of the hunk in the patch text, 1-based; `None` if the patch was not read from a text.
    pub(crate) number: Option<NonZeroUsize>,
    /// The name of the file, as the patch spells the name.
    pub(crate) path: String,
    /// Line of each chunk in the patch text, 1-based, and the explanation of its position.
    pub(crate) chunks: Vec<(Option<NonZeroUsize>, Explanation)>,
    /// What keeps the hunk from being carried out.
    pub(crate) failures: Vec<Failure>,
}

/// Plans a patch, as [`plan`](super::plan()) does, and explains the position of each chunk. The levels for comparison
/// have no explanations.
pub(crate) fn explain(patch: &Patch<'_>, files: &dyn Files, options: &Options) -> Vec<HunkExplanation> {
    let mut planner = Planner::new(patch, files, options);
    let mut explained: Vec<Option<HunkExplanation>> = patch.hunks.iter().map(|_| None).collect();
    for first in 0..patch.hunks.len() {
        let sections = planner.sections_with(first, patch);
        let mut chunks = planner.explain(&sections).into_iter();
        for section in &sections {
            planner.hunk(section.nth, section.hunk);
        }
        planner.flush();
        let mut failures = std::mem::take(&mut planner.failures);
        for Section { nth, hunk, chunks: own } in sections {
            explained[nth] = Some(HunkExplanation {
                number: hunk.number,
                path: hunk.path.to_string(),
                chunks: chunks.by_ref().take(own.len()).collect(),
                failures: failures.extract_if(.., |failure| failure.hunk == nth).collect(),
            });
        }
    }
    explained.into_iter().flatten().collect()
}

/// Returns the chunks of a hunk that have positions in a file.
fn chunks_of<'p>(hunk: &'p Hunk<'_>) -> &'p [Chunk<'p>] {
    match &hunk.action {
        Action::Update { chunks, .. } | Action::Copy { chunks, .. } | Action::DeleteQuoted(chunks) => chunks,
        Action::Add(_) | Action::Delete | Action::Replace(_) => &[],
    }
}

impl<'p> Planner<'p> {
    /// Returns the sections that are placed together with the hunk of an index, beginning there; empty if an earlier hunk is placed
    /// with it.
    fn sections_with(&self, first: usize, patch: &'p Patch<'_>) -> Vec<Section<'p>> {
        let hunks = patch.hunks.iter().enumerate().skip(first);
        let together = hunks.filter(|(nth, _)| self.firsts[*nth] == first);
        together.map(|(nth, hunk)| Section { nth, hunk, chunks: chunks_of(hunk) }).collect()
    }

    /// Explains the positions of the chunks of sections for a file, as the previous hunks leave the file.
    fn explain(&self, sections: &[Section<'_>]) -> Vec<(Option<NonZeroUsize>, Explanation)> {
        let Some(first) = sections.first() else { return Vec::new() };
        let file = self.names.of_hunk(first.hunk, &self.overlay);
        let Ok(file) = file.and_then(|name| self.overlay.file(&name.path)) else { return Vec::new() };
        if baseline::is_origin(self.options.matching.level) {
            return Vec::new();
        }
        let edits = sections::edits(sections);
        let explained = locate::explain(&file.document(), &edits, &self.options.matching);
        edits.iter().map(|edit| edit.number).zip(explained).collect()
    }
}
