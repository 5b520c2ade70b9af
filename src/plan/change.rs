//! What a plan does to one path.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use camino::Utf8PathBuf;

use crate::plan::Precondition;
use crate::text::{Bytes, Document, Replacement, apply_replacements, write_replaced};

/// The net change to one path, after all hunks that name it.
#[derive(Debug, Clone)]
pub struct Change {
    /// The path with links resolved: relative to the base root, or absolute inside a further root.
    pub path: Utf8PathBuf,
    /// What must be at the path when the plan is carried out.
    pub before: Precondition,
    /// What is at the path afterwards.
    pub after: After,
}

impl Change {
    /// Whether a file is there before.
    pub fn existed(&self) -> bool {
        self.before != Precondition::MustNotExist
    }

    /// Whether a file is there afterwards.
    pub fn exists(&self) -> bool {
        matches!(self.after, After::File { .. })
    }
}

/// What is at a path after a change.
#[derive(Debug, Clone)]
pub enum After {
    /// Nothing: the file is deleted, or moved away.
    Gone,
    /// A file with this content.
    File {
        /// Its bytes.
        content: Content,
        /// The path whose mode bits it takes: the source of a move. `None`: it keeps the bits of the
        /// file that it replaces, or gets the usual ones of a new file.
        mode_of: Option<Utf8PathBuf>,
        /// Whether it may be executed, by all who may read it; `None`: as the mode bits above say.
        executable: Option<bool>,
    },
}

/// The bytes of a file after a change, made when they are asked for.
#[derive(Debug, Clone)]
pub enum Content {
    /// These bytes.
    Bytes(Bytes),
    /// A document in which some lines give way to others.
    Edited {
        /// The document as it was read.
        document: Arc<Document>,
        /// Sorted by place, without overlaps.
        replacements: Vec<Replacement<'static>>,
    },
}

impl Content {
    /// Writes the bytes; what an edit does not touch is written as slices of what was read.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match self {
            Content::Bytes(bytes) => out.write_all(bytes),
            Content::Edited { document, replacements } => write_replaced(document, replacements, out),
        }
    }

    /// About how many bytes there are: as many as before the edit.
    pub(crate) fn about_len(&self) -> usize {
        match self {
            Content::Bytes(bytes) => bytes.len(),
            Content::Edited { document, .. } => document.bytes().len(),
        }
    }

    /// The bytes, in memory.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Content::Bytes(bytes) => Cow::Borrowed(bytes),
            Content::Edited { document, replacements } => {
                Cow::Owned(apply_replacements(document, replacements))
            }
        }
    }
}
