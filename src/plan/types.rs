//! What planning takes and returns: data without an algorithm.

use std::num::NonZeroUsize;

use camino::Utf8PathBuf;

use super::{Change, NameNote};
use crate::locate::{Drift, Matching, Placement};
use crate::patch::Properties;

/// How a patch is planned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How chunks are placed.
    #[cfg(feature = "internals")]
    pub matching: Matching,
    #[cfg(not(feature = "internals"))]
    pub(crate) matching: Matching,
    /// Whether Add and Move may replace a file that is there. Add may replace one of 0 bytes anyway.
    pub overwrite: bool,
    /// How many threads place chunks; `None`, the default: as many as the machine has processors, 8 at the most.
    pub threads: Option<NonZeroUsize>,
}

/// What a patch would change.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The net change to each path, sorted by path.
    pub changes: Vec<Change>,
    /// What each hunk does, in the patch's order.
    pub hunks: Vec<HunkReport>,
}

/// How many chunks a plan has, and how many of the quotes were inexact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exactness {
    /// All chunks.
    pub chunks: usize,
    /// The chunks whose quotes differ from the file, or were at a different position.
    pub inexact: usize,
}

impl Plan {
    /// Returns the number of chunks.
    pub fn chunks(&self) -> usize {
        Exactness::of(&self.hunks).chunks
    }

    /// Returns the number of chunks whose quotes differ from the file, or were at a different position: for a harness that
    /// counts, and advises the model to quote with more care.
    pub fn inexact_chunks(&self) -> usize {
        Exactness::of(&self.hunks).inexact
    }
}

impl Plan {
    /// Makes a plan of changes that no patch asked for: [`generate::text`](crate::generate::text) writes a patch of the plan.
    pub fn of_changes(changes: Vec<Change>) -> Self {
        Plan { changes, hunks: Vec::new() }
    }

    /// Checks whether the plan changes nothing: every change that the patch asks for is there already.
    pub fn is_noop(&self) -> bool {
        self.changes.is_empty()
    }
}

impl Exactness {
    /// Counts the chunks of these hunks.
    pub fn of(hunks: &[HunkReport]) -> Self {
        let chunks = || hunks.iter().flat_map(|hunk| &hunk.chunks);
        let inexact = |chunk: &&ChunkReport| chunk.placement.drift.iter().any(Drift::is_inexact);
        Exactness { chunks: chunks().count(), inexact: chunks().filter(inexact).count() }
    }
}

/// The kind of change that a hunk makes to its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HunkKind {
    /// Makes a file.
    Add,
    /// Changes a file.
    Update,
    /// Removes a file.
    Delete,
    /// Renames a file, with or without edits.
    Move,
    /// Copies a file to a new name.
    Copy,
}

/// The effect of a hunk, and the positions of its chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HunkReport {
    /// Line of the hunk in the patch text, 1-based; `None` if the patch was not read from a text.
    pub number: Option<NonZeroUsize>,
    /// The kind of change.
    pub kind: HunkKind,
    /// The name of the file, as parsed from the patch.
    pub path: Utf8PathBuf,
    /// The new name of the file.
    pub moved_to: Option<Utf8PathBuf>,
    /// How many lines the hunk adds.
    pub added: usize,
    /// How many lines the hunk removes.
    pub removed: usize,
    /// How the names were read.
    #[cfg(feature = "internals")]
    pub names: Vec<NameNote>,
    #[cfg(not(feature = "internals"))]
    pub(crate) names: Vec<NameNote>,
    /// The chunks of an Update, in order.
    #[cfg(feature = "internals")]
    pub chunks: Vec<ChunkReport>,
    #[cfg(not(feature = "internals"))]
    pub(crate) chunks: Vec<ChunkReport>,
    /// Whether the file's content is the same afterwards.
    pub unchanged: bool,
    /// The properties that the patch sets apart from the lines.
    #[cfg(feature = "internals")]
    pub properties: Properties,
    #[cfg(not(feature = "internals"))]
    pub(crate) properties: Properties,
}

/// How a chunk was placed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChunkReport {
    /// Line of the chunk in the patch text, 1-based; `None` if the patch was not read from a text.
    pub number: Option<NonZeroUsize>,
    /// The position of the chunk.
    pub placement: Placement,
}

impl HunkReport {
    /// Adds the chunks, and counts their lines.
    pub(super) fn count(&mut self, chunks: Vec<ChunkReport>) {
        self.added = chunks.iter().map(|chunk| chunk.placement.added).sum();
        self.removed = chunks.iter().map(|chunk| chunk.placement.removed).sum();
        self.chunks = chunks;
    }
}
