//! The change of a plan to a path.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use camino::Utf8PathBuf;

use crate::plan::Precondition;
use crate::text::{Bytes, Document, Replacement, apply_replacements, write_replaced};

/// The net change to a path, after all hunks that name the path.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Change {
    /// The path with links resolved: relative to the base root, or absolute inside a further root.
    pub path: Utf8PathBuf,
    /// What must be at the path when the plan is carried out.
    #[cfg(feature = "internals")]
    pub before: Precondition,
    #[cfg(not(feature = "internals"))]
    pub(crate) before: Precondition,
    /// What is at the path afterwards.
    #[cfg(feature = "internals")]
    pub after: After,
    #[cfg(not(feature = "internals"))]
    pub(crate) after: After,
}

impl Change {
    /// Makes a change of a path from its content, `None` for no file, to a new content, `None` to remove the file. Applying
    /// the change fails if the file has a different content by then.
    ///
    /// ```
    /// use apply_patch::format::Format;
    /// use apply_patch::plan::{Change, Plan};
    ///
    /// let plan = Plan::of_changes(vec![Change::of("a.txt", Some("one\n".into()), Some("two\n".into()))]);
    /// let files = [("a.txt".into(), "one\n".into())].into_iter().collect::<std::collections::BTreeMap<_, Vec<u8>>>();
    /// let text = apply_patch::generate::text(&plan, &files, Format::Envelope).unwrap();
    /// assert!(text.contains("-one\n+two\n"));
    /// ```
    pub fn of(path: impl Into<Utf8PathBuf>, before: Option<Bytes>, after: Option<Bytes>) -> Self {
        let before = before.map_or(Precondition::MustNotExist, Precondition::MustBe);
        let file = |bytes| After::File { content: Content::Bytes(bytes), mode_of: None, executable: None };
        Change { path: path.into(), before, after: after.map_or(After::Gone, file) }
    }

    /// Returns the content before the change; `None` if there is no file.
    pub fn old(&self) -> Option<&Bytes> {
        match &self.before {
            Precondition::MustNotExist => None,
            Precondition::MustBe(bytes) => Some(bytes),
        }
    }

    /// Returns the content after the change; `None` if there is no file.
    pub fn new_content(&self) -> Option<Bytes> {
        match &self.after {
            After::Gone => None,
            After::File { content, .. } => Some(content.to_bytes()),
        }
    }

    /// Makes a change of one path.
    #[cfg(any(test, feature = "internals"))]
    pub fn new(path: impl Into<Utf8PathBuf>, before: Precondition, after: After) -> Self {
        Change { path: path.into(), before, after }
    }

    /// Returns whether a file exists before.
    pub fn existed(&self) -> bool {
        self.before != Precondition::MustNotExist
    }

    /// Returns whether a file exists afterwards.
    pub fn exists(&self) -> bool {
        matches!(self.after, After::File { .. })
    }
}

/// What is at a path after a change. No variant will be added: a caller that carries out a plan has to handle
/// all of them.
#[derive(Debug, Clone)]
pub enum After {
    /// Nothing: the file is deleted, or moved away.
    Gone,
    /// A file with this content.
    File {
        /// The contents.
        content: Content,
        /// The path whose mode bits the file takes: the source of a move. With `None`, a replaced file keeps its bits,
        /// and a new file gets the usual bits.
        mode_of: Option<Utf8PathBuf>,
        /// Whether everyone who may read the file may execute the file; `None` for the mode bits above.
        executable: Option<bool>,
    },
}

/// The bytes of a file after a change, computed on demand.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Content {
    /// These bytes.
    Bytes(Bytes),
    /// A document with some lines replaced.
    Edited {
        /// The document before the change.
        document: Arc<Document>,
        /// Sorted by place, without overlaps.
        replacements: Vec<Replacement<'static>>,
    },
}

impl Content {
    /// Writes the bytes; unchanged lines are written as slices of the document.
    ///
    /// # Errors
    /// Returns the errors of `out`.
    pub fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match self {
            Content::Bytes(bytes) => out.write_all(bytes),
            Content::Edited { document, replacements } => write_replaced(document, replacements, out),
        }
    }

    /// Returns the approximate number of bytes: the number before the edit.
    pub(crate) fn about_len(&self) -> usize {
        match self {
            Content::Bytes(bytes) => bytes.len(),
            Content::Edited { document, .. } => document.bytes().len(),
        }
    }

    /// Returns the bytes, shared if they are in memory already.
    pub(crate) fn to_bytes(&self) -> Bytes {
        match self {
            Content::Bytes(bytes) => bytes.clone(),
            edited @ Content::Edited { .. } => edited.bytes().into_owned().into(),
        }
    }

    /// Returns the bytes, in memory.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Content::Bytes(bytes) => Cow::Borrowed(bytes),
            Content::Edited { document, replacements } => {
                Cow::Owned(apply_replacements(document, replacements))
            }
        }
    }
}
