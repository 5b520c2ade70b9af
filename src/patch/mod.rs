//! The data of a patch, independent of parsers and files.
//!
//! A [`Patch`] is a list of [`Hunk`]s, each a file operation; an Update contains [`Chunk`]s, and a chunk keeps its
//! [`Line`]s in the order of the patch. Old lines and new lines are views of the same list, so that no text is stored
//! twice. Every part that was parsed has its line number in the patch text (1-based).
//!
//! Texts borrow from the patch text if possible (`'a`).

mod dialect;
#[cfg(not(feature = "internals"))]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the feature `internals` makes the rest of the module reachable"
)]
pub(crate) mod edit;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod edit;
mod properties;
mod shared_slice;
mod slide;
mod span;
mod target;

use std::borrow::Cow;
use std::num::NonZeroUsize;

pub use self::shared_slice::SharedSlice;

/// What the rest of the crate uses beyond the API; public with the feature `internals`.
#[cfg_attr(not(feature = "internals"), allow(unused_imports, reason = "only the tests use some"))]
mod internals {
    pub use super::dialect::Dialect;
    pub use super::properties::{FinalNewline, Properties};
    pub use super::span::Span;
    pub use super::target::Target;
}
#[cfg(not(feature = "internals"))]
pub(crate) use self::internals::*;
#[cfg(feature = "internals")]
pub use self::internals::*;

impl<'a> Patch<'a> {
    /// Makes a patch of a single hunk that replaces texts in a file, as a call of an edit tool does.
    ///
    /// ```
    /// use apply_patch::patch::{Patch, TextEdit};
    /// use apply_patch::run::{Options, Tree, run_patch};
    ///
    /// let patch = Patch::of_edits("a.py", vec![TextEdit::new("return 1", "return 2")]);
    /// let mut tree: Tree = [("a.py", "def f():\n    return 1\n")].into_iter().collect();
    /// assert!(run_patch(&patch, &Options::default(), &mut tree).changed());
    /// ```
    pub fn of_edits(path: impl Into<Cow<'a, str>>, edits: Vec<TextEdit<'a>>) -> Self {
        let (dialect, properties) = (Dialect::Texts, Properties::default());
        let hunk =
            Hunk { number: None, dialect, path: path.into(), action: Action::Replace(edits), properties };
        Patch { hunks: vec![hunk], ..Patch::default() }
    }
}

impl<'a> TextEdit<'a> {
    /// Makes an edit that replaces the only occurrence of a text.
    pub fn new(old: impl Into<Cow<'a, str>>, new: impl Into<Cow<'a, str>>) -> Self {
        TextEdit { number: None, old: old.into(), new: new.into(), target: Target::Only }
    }

    /// Sets whether the edit replaces every occurrence of the text.
    #[must_use]
    pub fn with_all(self, all: bool) -> Self {
        TextEdit { target: if all { Target::All } else { Target::Only }, ..self }
    }
}

/// A whole patch: the hunks of an envelope, or of several envelopes in the same text, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch<'a> {
    /// What follows `*** Environment ID:`; accepted, kept, and not interpreted.
    pub environment: Option<Cow<'a, str>>,
    /// The file operations, in order.
    pub hunks: Vec<Hunk<'a>>,
    /// Whether the text asks for a dry run, as a call with `dry_run` does: the patch is to be planned, and not applied.
    pub check_only: bool,
}

/// A file operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// Line of the `***` marker in the patch text, 1-based; `None` if the patch was not parsed.
    pub number: Option<NonZeroUsize>,
    /// The notation in which the hunk was written.
    #[cfg(feature = "internals")]
    pub dialect: Dialect,
    #[cfg(not(feature = "internals"))]
    pub(crate) dialect: Dialect,
    /// The name of the file as the patch spells it. [`plan`](crate::plan) decides which names are allowed.
    pub path: Cow<'a, str>,
    /// What happens to the file.
    pub action: Action<'a>,
    /// Properties of the file apart from its lines.
    #[cfg(feature = "internals")]
    pub properties: Properties,
    #[cfg(not(feature = "internals"))]
    pub(crate) properties: Properties,
}

/// What a hunk does to its file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action<'a> {
    /// `*** Add File:`, the new file's lines, all of kind [`LineKind::Add`].
    Add(SharedSlice<Line<'a>>),
    /// `*** Delete File:`
    Delete,
    /// A deletion that quotes the file, as in a unified diff: the file is deleted if the chunks remove all lines.
    DeleteQuoted(Vec<Chunk<'a>>),
    /// Copies the file to a new name. The contents before the patch are copied.
    Copy {
        /// The name of the copy.
        to: MoveTo<'a>,
        /// The edits of the copy; empty if the copy is unchanged.
        chunks: Vec<Chunk<'a>>,
    },
    /// Replacements of texts within the file, as edit tools write edits. An envelope never has this action.
    Replace(Vec<TextEdit<'a>>),
    /// `*** Update File:`
    Update {
        /// `*** Move to:`, the file's new name.
        move_to: Option<MoveTo<'a>>,
        /// The edits. Empty only where the file just moves.
        chunks: Vec<Chunk<'a>>,
    },
}

/// A text and its replacement. Unlike a chunk, the text may be part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit<'a> {
    /// Line in the patch text, 1-based, of the value that contains this edit; `None` if the patch was not parsed.
    pub number: Option<NonZeroUsize>,
    /// The text that goes.
    pub old: Cow<'a, str>,
    /// The text that comes.
    pub new: Cow<'a, str>,
    /// Where the text is replaced.
    #[cfg(feature = "internals")]
    pub target: Target,
    #[cfg(not(feature = "internals"))]
    pub(crate) target: Target,
}

/// The new name of an updated or copied file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveTo<'a> {
    /// Line of the marker in the patch text, 1-based; `None` if the patch was not read from a text.
    pub number: Option<NonZeroUsize>,
    /// The name as the patch spells it.
    pub path: Cow<'a, str>,
}

/// An `@@` section of an Update.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// Line in the patch text, 1-based, of the first `@@`, or of the first line if there is no `@@`; `None` if the
    /// patch was not parsed.
    pub number: Option<NonZeroUsize>,
    /// The `@@ text` lines, outermost first: each matches after the previous.
    pub headers: SharedSlice<Header<'a>>,
    /// The lines of the chunk, in order.
    pub lines: SharedSlice<Line<'a>>,
    /// `*** End of File`: the last old line is the file's last.
    pub end_of_file: bool,
}

/// A `@@ text` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header<'a> {
    /// Line of the header in the patch text, 1-based; `None` if the patch was not parsed.
    pub number: Option<NonZeroUsize>,
    /// What follows `@@ `: usually a line of the file, sometimes the numbers of a unified diff.
    pub text: Cow<'a, str>,
}

/// What a line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// The line stays and narrows the position of the chunk.
    Context,
    /// The line goes.
    Remove,
    /// The line comes.
    Add,
}

impl LineKind {
    /// Returns the character that begins a line of this kind.
    ///
    /// ```
    /// assert_eq!(apply_patch::patch::LineKind::Remove.sign(), '-');
    /// ```
    pub const fn sign(self) -> char {
        match self {
            LineKind::Context => ' ',
            LineKind::Remove => '-',
            LineKind::Add => '+',
        }
    }

    /// Returns whether the file contains a line of this kind before the change.
    pub fn is_old(self) -> bool {
        self != LineKind::Add
    }

    /// Returns whether the file contains a line of this kind after the change.
    pub fn is_new(self) -> bool {
        self != LineKind::Remove
    }
}

/// A line of a chunk, of an edit, or of a new file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// Line number in the patch text, 1-based; `None` if the patch was not parsed.
    pub number: Option<NonZeroUsize>,
    /// What the line does.
    pub kind: LineKind,
    /// The text without sign and line ending.
    pub text: Cow<'a, str>,
    /// Whether the patch had the sign. If not, `kind` is an assumption of the parser, and only the file can confirm it.
    pub signed: bool,
}

impl Line<'_> {
    /// Returns the line as the patch has it, with a sign only if the patch had the sign.
    ///
    /// ```
    /// # use apply_patch::patch::{Line, LineKind};
    /// let line = Line { number: None, kind: LineKind::Remove, text: "item".into(), signed: true };
    /// assert_eq!(line.raw(), "-item");
    /// ```
    pub fn raw(&self) -> Cow<'_, str> {
        if self.signed { Cow::Owned(self.with_sign()) } else { Cow::Borrowed(&self.text) }
    }

    /// Returns the line with the sign of its kind, also if the patch left the sign out.
    pub fn with_sign(&self) -> String {
        format!("{}{}", self.kind.sign(), self.text)
    }

    /// Returns whether the line stays and so narrows the position of the chunk.
    pub fn is_context(&self) -> bool {
        self.kind == LineKind::Context
    }

    /// Returns whether the line is removed.
    pub fn removes(&self) -> bool {
        self.kind == LineKind::Remove
    }

    /// Returns whether the line is added.
    pub fn adds(&self) -> bool {
        self.kind == LineKind::Add
    }

    /// Returns whether the file contains the line before the change: the line stays or is removed.
    pub fn is_old(&self) -> bool {
        self.kind.is_old()
    }

    /// Returns whether the file contains the line after the change: the line stays or is added.
    pub fn is_new(&self) -> bool {
        self.kind.is_new()
    }

    /// Returns whether the line has nothing but whitespace.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Returns whether the line is context without a sign, and would be read as such in a chunk of an envelope.
    pub(crate) fn is_unsigned_text(&self) -> bool {
        let begins = |c: char| !c.is_whitespace() && !"+-*@\\`~<".contains(c);
        self.kind == LineKind::Context
            && !self.signed
            && self.text.starts_with(begins)
            && !self.text.ends_with('\r')
    }

    /// Returns whether the line is blank and has no sign: such a line is context, or separates the chunk from its
    /// surroundings.
    pub(crate) fn is_unsigned_blank(&self) -> bool {
        !self.signed && self.is_blank()
    }

    /// Returns whether the line has anything but whitespace.
    pub fn has_text(&self) -> bool {
        !self.is_blank()
    }

    /// Returns whether the line has a letter or a digit.
    pub fn has_alphanumeric(&self) -> bool {
        self.text.contains(char::is_alphanumeric)
    }
}

impl<'a> Chunk<'a> {
    /// Returns the lines that the file contains before the change: context and removed lines.
    pub fn old_lines(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| line.is_old())
    }

    /// Returns the lines that the file contains after the change: context and added lines.
    pub fn new_lines(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| line.is_new())
    }

    /// Returns whether the chunk changes nothing: an anchor that only narrows the position of the next chunk.
    pub fn is_anchor(&self) -> bool {
        self.lines.iter().all(Line::is_context)
    }
}
