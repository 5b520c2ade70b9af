//! An edit of a file: lines that stay, are removed and are added.
//!
//! All stages after parsing work on an [`Edit`]; only its removed and added lines ever change a document.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use crate::patch::slide::slide_additions;
use crate::patch::{Chunk, Dialect, Line, LineKind};
use crate::text::compare;

/// A list of kept, removed and added lines, with everything that narrows the position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edit<'a> {
    /// The notation in which the edit was written.
    pub dialect: Dialect,
    /// Whether the edit is the first of a further section for its file. Sections come in any order, so that the previous edit tells
    /// nothing about the position of this one.
    pub begins_section: bool,
    /// Line of the chunk in the patch text, 1-based; `None` if the edit was not read from a text.
    pub number: Option<NonZeroUsize>,
    /// Lines of the file to find first, outermost first.
    pub headers: Vec<Cow<'a, str>>,
    /// The lines, in order.
    pub lines: Vec<Line<'a>>,
    /// The last old line is the last line of the file.
    pub end_of_file: bool,
}

impl<'a> Edit<'a> {
    /// Returns the edit of a chunk of a hunk in `dialect`, with the signs as written. Where a run of changed lines only adds or only
    /// removes, because all its other lines are removed and added again, those other lines stay.
    ///
    /// ```
    /// use apply_patch::patch::edit::Edit;
    /// use apply_patch::format::{Options, parse};
    /// use apply_patch::patch::Action;
    ///
    /// let text = "*** Begin Patch\n*** Update File: a\n@@ fn main\n x\n-y\n+z\n*** End Patch\n";
    /// let parsed = parse(text, &Options::default());
    /// let hunk = &parsed.patch.hunks[0];
    /// let Action::Update { chunks, .. } = &hunk.action else { unreachable!() };
    /// let edit = Edit::from_chunk(&chunks[0], hunk.dialect);
    /// assert_eq!(edit.old_lines().map(|line| &*line.text).collect::<Vec<_>>(), ["x", "y"]);
    /// assert_eq!(edit.new_lines().map(|line| &*line.text).collect::<Vec<_>>(), ["x", "z"]);
    /// ```
    pub fn from_chunk(chunk: &Chunk<'a>, dialect: Dialect) -> Self {
        Edit {
            dialect,
            begins_section: false,
            number: chunk.number,
            headers: chunk.headers.iter().map(|header| header.text.clone()).collect(),
            lines: slid(without_retyped(&chunk.lines)),
            end_of_file: chunk.end_of_file,
        }
    }

    /// Returns the edit that turns one text into another: the lines that a line diff (Myers) keeps, removes and adds.
    /// Leading and trailing whitespace of the texts that is not a whole line is ignored.
    ///
    /// ```
    /// use apply_patch::patch::edit::Edit;
    ///
    /// let edit = Edit::diff("a\nb\nc\n", "a\nB\nc\n");
    /// let raw: Vec<_> = edit.lines.iter().map(|line| line.with_sign()).collect();
    /// assert_eq!(raw, [" a", "-b", "+B", " c"]);
    /// ```
    pub fn diff(old: &'a str, new: &'a str) -> Self {
        let (old, new) = (lines_of(old), lines_of(new));
        let line = |kind: LineKind, text: &'a str| {
            // Blank lines at the ends of a quote often belong to the quoting and not to the file.
            let signed = kind != LineKind::Context || !text.trim().is_empty();
            Line { number: None, kind, text: Cow::Borrowed(text), signed }
        };
        let ops = compare(&old, &new, None);
        let lines = ops.iter().flat_map(|op| {
            let (tag, old_range, new_range) = op.as_tag_tuple();
            let kept = tag == similar::DiffTag::Equal;
            let kind = if kept { LineKind::Context } else { LineKind::Remove };
            let removed = old[old_range].iter().map(move |text| line(kind, text));
            let added = if kept { 0..0 } else { new_range };
            removed.chain(new[added].iter().map(move |text| line(LineKind::Add, text))).collect::<Vec<_>>()
        });
        Edit { dialect: Dialect::WholeText, lines: slid(lines.collect()), ..Edit::default() }
    }

    /// Returns the lines that the document must contain.
    pub fn old_lines(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| line.is_old())
    }

    /// Returns the lines that the document contains afterwards.
    pub fn new_lines(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| line.is_new())
    }

    /// Returns whether the edit came as an old and a new text, so that a diff decided which lines stay.
    pub fn is_text(&self) -> bool {
        self.dialect.is_text()
    }

    /// Returns whether the old text must match without gaps.
    pub fn is_contiguous(&self) -> bool {
        self.dialect.is_contiguous()
    }

    /// Returns whether the edits of a file come in the order of the file.
    pub fn has_order(&self) -> bool {
        !self.is_text()
    }

    /// Returns whether another edit has the same lines under the same headers.
    pub(crate) fn makes_same_change(&self, other: &Self) -> bool {
        let is_same = |(one, other): (&Line<'a>, &Line<'a>)| one.kind == other.kind && one.text == other.text;
        self.headers == other.headers
            && self.lines.len() == other.lines.len()
            && self.lines.iter().zip(&other.lines).all(is_same)
    }

    /// Returns whether the edit changes nothing and only narrows the position of the next edit.
    pub fn is_anchor(&self) -> bool {
        self.lines.iter().all(Line::is_context)
    }

    /// Returns whether the edit only adds lines and quotes no line.
    pub fn is_addition(&self) -> bool {
        !self.lines.is_empty() && self.lines.iter().all(Line::adds)
    }
}

/// Returns lines of which the additions begin with their blocks.
fn slid(mut lines: Vec<Line<'_>>) -> Vec<Line<'_>> {
    slide_additions(&mut lines);
    lines
}

/// Returns the lines of a chunk; lines that are removed and written again beside an insertion or a removal stay. A chunk that changes
/// nothing is returned as it is.
fn without_retyped<'a>(lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let runs = || lines.chunk_by(|one, other| one.is_context() == other.is_context());
    if !runs().any(|run| retyped(run).is_some()) {
        return lines.to_vec();
    }
    let kept: Vec<Line<'a>> = runs()
        .flat_map(|run| match retyped(run) {
            Some(kind) => with_kept(run, kind),
            None => run.to_vec(),
        })
        .collect();
    if kept.iter().all(Line::is_context) { lines.to_vec() } else { kept }
}

/// Returns the kind of the lines of a run of changes that are all among the lines of the other kind, in order.
fn retyped(run: &[Line<'_>]) -> Option<LineKind> {
    let of = |kind: LineKind| run.iter().filter(move |line| line.kind == kind);
    let is_among = |kind: LineKind, other: LineKind| {
        let mut all = of(other);
        of(kind).next().is_some() && of(kind).all(|line| all.any(|other| other.text == line.text))
    };
    let (removed, added) = (LineKind::Remove, LineKind::Add);
    if is_among(removed, added) {
        return Some(removed);
    }
    is_among(added, removed).then_some(added)
}

/// Returns a run of changes in which the lines of a kind, and as many equal lines of the other kind, are lines that stay.
fn with_kept<'a>(run: &[Line<'a>], kind: LineKind) -> Vec<Line<'a>> {
    let mut left = run.iter().filter(|line| line.kind == kind).peekable();
    let all = run.iter().filter(|line| line.kind != kind);
    all.map(|line| match left.next_if(|kept| kept.text == line.text) {
        Some(kept) => {
            let quoted = if kept.removes() { kept } else { line };
            Line { kind: LineKind::Context, signed: true, ..quoted.clone() }
        }
        None => line.clone(),
    })
    .collect()
}

/// Returns the lines of a text without their endings.
fn lines_of(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.strip_suffix('\n').unwrap_or(text).split('\n').collect() }
}
