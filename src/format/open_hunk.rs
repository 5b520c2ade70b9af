//! What is known of the hunk that is read.

use crate::format::signs::Signs;
use crate::patch::{Action, Hunk, Line};

/// What is remembered of the last hunk.
#[derive(Debug)]
pub(super) struct OpenHunk {
    pub(super) number: usize,
    /// The name of the file, for errors.
    pub(super) path: String,
    pub(super) body: Body,
    /// Whether more may come.
    pub(super) open: bool,
    /// Lines that are dropped if nothing follows.
    pub(super) held: Vec<Line<'static>>,
    /// A `--- NAME` line above the first chunk. The next line decides whether the line belongs to a diff, or is
    /// removed.
    pub(super) diff_name: Option<(usize, Line<'static>)>,
}

/// What is known of the lines of a hunk.
#[derive(Debug)]
pub(super) enum Body {
    Add(Signs),
    Delete,
    Update {
        /// The line of the `*** Move to:`, 1-based.
        moved: Option<usize>,
        /// The number of chunks.
        chunks: usize,
        /// The last chunk.
        chunk: OpenChunk,
    },
}

/// What is known of a chunk.
#[derive(Debug, Default)]
pub(super) struct OpenChunk {
    pub(super) number: usize,
    pub(super) headers: usize,
    /// The last header, to be shown in an error.
    pub(super) header: String,
    /// The number of lines, including held lines.
    pub(super) lines: usize,
    /// Whether the chunk has an old line that is not an empty line without a sign.
    pub(super) quotes: bool,
    pub(super) end_of_file: bool,
}

impl OpenHunk {
    /// Returns the state of a hunk of which no line was read.
    pub(super) fn new(number: usize, hunk: &Hunk<'_>) -> Self {
        let body = match hunk.action {
            Action::Add(_) => Body::Add(Signs::default()),
            Action::Delete | Action::DeleteQuoted(_) => Body::Delete,
            Action::Update { .. } | Action::Copy { .. } | Action::Replace(_) => {
                Body::Update { moved: None, chunks: 0, chunk: OpenChunk::default() }
            }
        };
        OpenHunk { number, path: hunk.path.to_string(), body, open: true, held: Vec::new(), diff_name: None }
    }

    /// Returns whether the hunk deletes its file.
    pub(super) fn deletes(&self) -> bool {
        matches!(self.body, Body::Delete)
    }
}
