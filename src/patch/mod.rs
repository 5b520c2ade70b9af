//! The data: what a patch asks for, with no parser and no files.
//!
//! A [`Patch`] is a list of [`Hunk`]s, one a file operation; an Update holds [`Chunk`]s, and a chunk keeps
//! its [`Line`]s in the order in which they were written. Old lines and new lines are views of them, so that
//! nothing is ever written twice. Every part knows its line in the patch text (1-based).
//!
//! Texts borrow from the patch text where they can (`'a`).

pub mod edit;
mod shared_slice;

use std::borrow::Cow;

pub use self::shared_slice::Share;

/// A whole patch: the hunks of one envelope, or of several that stood in one text, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch<'a> {
    /// What follows `*** Environment ID:`; accepted, kept, and not interpreted.
    pub environment: Option<Cow<'a, str>>,
    /// The file operations, in order.
    pub hunks: Vec<Hunk<'a>>,
}

/// One file operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// Line of its `***` marker in the patch text, 1-based.
    pub number: usize,
    /// The file's name as the patch spells it. What a name may be is decided by [`plan`](crate::plan).
    pub path: Cow<'a, str>,
    /// What happens to the file.
    pub action: Action<'a>,
    /// What the file is to be besides its lines.
    pub properties: Properties,
}

/// What a file is to be besides its lines, where a patch says so. The default says nothing, as an envelope does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Properties {
    /// Whether it may be executed.
    pub executable: Option<bool>,
    /// How its last line ends.
    pub final_newline: Option<FinalNewline>,
}

impl Properties {
    /// What is said, a sentence each.
    pub(crate) fn sentences(self) -> impl Iterator<Item = &'static str> {
        let mode = self.executable.map(|executable| {
            if executable { "the file is executable" } else { "the file is not executable" }
        });
        let end = self.final_newline.and_then(|end| match end {
            FinalNewline::Present => Some("the last line ends with a line break"),
            FinalNewline::Missing => Some("the last line ends without a line break"),
            FinalNewline::Kept => None,
        });
        mode.into_iter().chain(end)
    }
}

/// How the last line of a file ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FinalNewline {
    /// With a line break.
    Present,
    /// Without one.
    Missing,
    /// As it did before, also where the patch writes that line.
    Kept,
}

/// How a hunk says what it changes: what its writer can be told to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Writing {
    /// Lines with signs, under headers, as in an envelope.
    Envelope,
    /// Lines with signs, under line numbers, as in a unified diff.
    Diff,
    /// An old and a new text, which have neither signs nor headers.
    Texts,
}

impl Hunk<'_> {
    /// How it says what it changes; an envelope's way, where it shows none.
    pub fn writing(&self) -> Writing {
        match &self.action {
            Action::Replace(_) => Writing::Texts,
            Action::Update { chunks, .. } if chunks.iter().any(|chunk| chunk.gaps != Gaps::Anywhere) => {
                Writing::Texts
            }
            Action::Update { chunks, .. } if chunks.iter().any(|chunk| chunk.loose_headers) => Writing::Diff,
            Action::DeleteQuoted(_) | Action::Copy { .. } => Writing::Diff,
            Action::Add(_) | Action::Delete | Action::Update { .. } => Writing::Envelope,
        }
    }
}

/// What a hunk does to its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action<'a> {
    /// `*** Add File:`, the new file's lines, all of kind [`LineKind::Add`].
    Add(Share<Line<'a>>),
    /// `*** Delete File:`
    Delete,
    /// A deletion that quotes the file, as a unified diff does: the file goes if the chunks remove all its lines.
    DeleteQuoted(Vec<Chunk<'a>>),
    /// Makes another file of this one, which stays; as it was before the patch is what counts.
    Copy {
        /// The other file's name.
        to: MoveTo<'a>,
        /// The edits of the other file. Empty where it is the same.
        chunks: Vec<Chunk<'a>>,
    },
    /// Texts of the file that give way to others, as edit tools have it. No text of an envelope is one.
    Replace(Vec<TextEdit<'a>>),
    /// `*** Update File:`
    Update {
        /// `*** Move to:`, the file's new name.
        move_to: Option<MoveTo<'a>>,
        /// The edits. Empty only where the file just moves.
        chunks: Vec<Chunk<'a>>,
    },
}

/// A text that gives way to another. Unlike a chunk it need not be whole lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit<'a> {
    /// Line in the patch text, 1-based, of the value that holds it.
    pub number: usize,
    /// The text that goes.
    pub old: Cow<'a, str>,
    /// The text that comes.
    pub new: Cow<'a, str>,
    /// Every place of the tightest comparison that has one, rather than the only place.
    pub all: bool,
}

/// The new name of an updated or copied file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveTo<'a> {
    /// Line of the marker in the patch text, 1-based.
    pub number: usize,
    /// The name as the patch spells it.
    pub path: Cow<'a, str>,
}

/// One `@@` section of an Update.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// Line in the patch text, 1-based, of its first `@@`, or of its first line where the `@@` is missing.
    pub number: usize,
    /// The `@@ text` lines, outermost first: each is to be found after the one before it.
    pub headers: Share<Header<'a>>,
    /// Its lines, in order.
    pub lines: Share<Line<'a>>,
    /// `*** End of File`: the last old line is the file's last.
    pub end_of_file: bool,
    /// Where lines may stand between the old ones that were not quoted.
    pub gaps: Gaps,
    /// Whether its headers say only what stands somewhere before it, as the heading of a unified diff does: it need not
    /// be in what they introduce, and the first place behind them is no better than others.
    pub loose_headers: bool,
}

/// Where lines of the file may stand between quoted ones without being quoted. They stay in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Gaps {
    /// Wherever it is clear what the change means: context has its sign, as in an envelope or a diff.
    #[default]
    Anywhere,
    /// Between two lines that say something, one of which stays, with no added line between: which lines stay was found by
    /// comparing two texts.
    InContext,
    /// Nowhere.
    Nowhere,
}

/// A `@@ text` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header<'a> {
    /// Its line in the patch text, 1-based.
    pub number: usize,
    /// What follows `@@ `: usually a line of the file, sometimes the numbers of a unified diff.
    pub text: Cow<'a, str>,
}

/// What a line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// The line stays: it says where the chunk belongs.
    Context,
    /// The line goes.
    Remove,
    /// The line comes.
    Add,
}

impl LineKind {
    /// The character that begins such a line.
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
}

/// One line of a chunk, or of a new file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its line in the patch text, 1-based.
    pub number: usize,
    /// What it does.
    pub kind: LineKind,
    /// Its text, without sign and line ending.
    pub text: Cow<'a, str>,
    /// Whether the sign was there. Where it was not, `kind` is what the parser took it for, and only the file
    /// can confirm it.
    pub signed: bool,
}

impl Line<'_> {
    /// The line as it stood in the patch, sign included.
    ///
    /// ```
    /// # use apply_patch::patch::{Line, LineKind};
    /// let line = Line { number: 4, kind: LineKind::Remove, text: "item".into(), signed: true };
    /// assert_eq!(line.raw(), "-item");
    /// ```
    pub fn raw(&self) -> Cow<'_, str> {
        if self.signed {
            Cow::Owned(format!("{}{}", self.kind.sign(), self.text))
        } else {
            Cow::Borrowed(&self.text)
        }
    }

    /// Whether the line is among the old lines: what the file holds before.
    pub fn is_old(&self) -> bool {
        self.kind != LineKind::Add
    }

    /// Whether the line is among the new lines: what the file holds afterwards.
    pub fn is_new(&self) -> bool {
        self.kind != LineKind::Remove
    }
}

impl<'a> Chunk<'a> {
    /// What the file holds before: the context and removed lines.
    pub fn old_lines(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| line.is_old())
    }

    /// What the file holds afterwards: the context and added lines.
    pub fn new_lines(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| line.is_new())
    }

    /// Whether the chunk changes nothing: it is an anchor that says where the next chunk belongs.
    pub fn is_anchor(&self) -> bool {
        self.lines.iter().all(|line| line.kind == LineKind::Context)
    }
}

/// A run of lines of the patch text, both ends included, 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first line.
    pub first: usize,
    /// The last line; never before the first.
    pub last: usize,
}

impl Span {
    /// The span of one line.
    pub const fn line(number: usize) -> Self {
        Span { first: number, last: number }
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.first == self.last {
            write!(f, "line {}", self.first)
        } else {
            write!(f, "lines {}-{}", self.first, self.last)
        }
    }
}
