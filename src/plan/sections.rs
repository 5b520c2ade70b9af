//! The sections of a patch that change one file, which are placed together.
//!
//! A patch may change a file in several sections, each with its own line that names the file. Their chunks are placed as the
//! chunks of one section are: no two are at one position, one may quote what another leaves, and they were made before
//! together or not at all. Only the order of the sections tells nothing.

use std::collections::HashMap;

use super::Options;
use crate::baseline;
use crate::locate::has_numbers;
use crate::patch::edit::Edit;
use crate::patch::{Action, Chunk, FinalNewline, Hunk, Patch, Properties};

/// A hunk whose chunks are placed in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section<'p> {
    /// The index of the hunk in the patch.
    pub(super) nth: usize,
    pub(super) hunk: &'p Hunk<'p>,
    pub(super) chunks: &'p [Chunk<'p>],
}

/// Returns the edits of the sections for a file.
pub(super) fn edits<'p>(sections: &[Section<'p>]) -> Vec<Edit<'p>> {
    let mut edits: Vec<Edit<'p>> = Vec::new();
    for section in sections {
        let first = edits.len();
        edits.extend(section.chunks.iter().map(|chunk| Edit::from_chunk(chunk, section.hunk.dialect)));
        if let Some(edit) = edits.get_mut(first) {
            edit.begins_section = first > 0;
        }
    }
    edits
}

/// Returns for each hunk of a patch the index of the first hunk whose chunks are placed together with its own.
pub(super) fn firsts(patch: &Patch<'_>, options: &Options) -> Vec<usize> {
    // The levels for comparison know one section only.
    let joins = !baseline::is_origin(options.matching.level);
    let mut firsts: Vec<usize> = Vec::with_capacity(patch.hunks.len());
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (nth, hunk) in patch.hunks.iter().enumerate() {
        let is_update = matches!(hunk.action, Action::Update { move_to: None, .. });
        if !is_update {
            // Another operation may need what was changed before.
            by_name.clear();
        }
        let before = by_name.get(&*hunk.path).filter(|_| joins && is_update);
        let first =
            before.copied().filter(|first| are_of_one_edit(&patch.hunks[*first], hunk)).unwrap_or(nth);
        by_name.insert(&hunk.path, first);
        firsts.push(first);
    }
    firsts
}

/// Returns whether two sections for a file may be placed together. The sections of a diff with line numbers may be commits in a
/// row: the numbers count in the file that the previous commit left.
fn are_of_one_edit(first: &Hunk<'_>, second: &Hunk<'_>) -> bool {
    let are_alike = first.dialect == second.dialect && first.properties == second.properties;
    are_alike && changes_only_lines(first) && !is_numbered(first) && !is_numbered(second)
}

/// Returns whether a hunk sets no property of its file.
fn changes_only_lines(hunk: &Hunk<'_>) -> bool {
    let Properties { executable, final_newline } = hunk.properties;
    executable.is_none() && matches!(final_newline, None | Some(FinalNewline::Kept))
}

/// Returns whether a hunk has the line numbers of a unified diff.
fn is_numbered(hunk: &Hunk<'_>) -> bool {
    let Action::Update { chunks, .. } = &hunk.action else { return false };
    let mut headers = chunks.iter().flat_map(|chunk| chunk.headers.iter());
    hunk.dialect.is_diff() && headers.any(|header| has_numbers(&header.text))
}
