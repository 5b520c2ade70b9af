//! How every chunk of a patch is placed.

use super::planner::Planner;
use super::{Failure, Files, Options};
use crate::baseline;
use crate::locate::{self, Explanation};
use crate::patch::edit::Edit;
use crate::patch::{Action, Hunk, Patch};
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
    let hunks = patch.hunks.iter().enumerate().map(|(nth, hunk)| {
        let chunks = planner.explain(hunk);
        planner.hunk(nth, hunk);
        planner.flush();
        let failures = std::mem::take(&mut planner.failures);
        HunkExplanation { number: hunk.number, path: hunk.path.to_string(), chunks, failures }
    });
    hunks.collect()
}

impl Planner<'_> {
    /// Explains the positions of the chunks of a hunk in its file as the previous hunks leave the file.
    fn explain(&self, hunk: &Hunk<'_>) -> Vec<(Option<NonZeroUsize>, Explanation)> {
        let chunks = match &hunk.action {
            Action::Update { chunks, .. } | Action::Copy { chunks, .. } | Action::DeleteQuoted(chunks) => {
                chunks
            }
            Action::Add(_) | Action::Delete | Action::Replace(_) => return Vec::new(),
        };
        let file = self.names.of_hunk(hunk, &self.overlay);
        let Ok(file) = file.and_then(|name| self.overlay.file(&name.path)) else { return Vec::new() };
        if baseline::is_origin(self.options.matching.level) {
            return Vec::new();
        }
        let edits: Vec<_> = chunks.iter().map(|chunk| Edit::from_chunk(chunk, hunk.dialect)).collect();
        let explained = locate::explain(&file.document(), &edits, &self.options.matching);
        chunks.iter().map(|chunk| chunk.number).zip(explained).collect()
    }
}
