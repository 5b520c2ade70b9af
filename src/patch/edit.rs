//! What is asked of one place of a file: lines that stay, lines that go, lines that come.
//!
//! Everything behind the formats works on an [`Edit`]; only its removed and added lines ever change a
//! document.

use std::borrow::Cow;
use std::ops::Range;

use crate::patch::{Chunk, Gaps, Line, LineKind};
use crate::text::compare;

/// A list of kept, removed and added lines, and what narrows the place where they belong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edit<'a> {
    /// Where lines may stand between the old ones that were not quoted.
    pub gaps: Gaps,
    /// Whether its headers say only what stands somewhere before it, as the heading of a unified diff does: it need not
    /// be in what they introduce, and the first place behind them is no better than others.
    pub loose_headers: bool,
    /// Whether lines were left out before it: of several places behind the edit before it, the first is no better.
    pub after_gap: bool,
    /// Line of the chunk in the patch text, 1-based; 0 where the edit comes from elsewhere.
    pub number: usize,
    /// Lines of the file to find first, outermost first.
    pub headers: Vec<Cow<'a, str>>,
    /// The lines, in order.
    pub lines: Vec<EditLine<'a>>,
    /// The last old line is the last line of the file.
    pub end_of_file: bool,
}

/// One line of an [`Edit`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditLine<'a> {
    /// What happens to the line.
    pub kind: LineKind,
    /// Its text, without a line ending.
    pub text: Cow<'a, str>,
    /// Whether the patch said what happens to it, or the parser took it for context.
    pub signed: bool,
}

impl<'a> Edit<'a> {
    /// What a chunk asks for, as it is written.
    ///
    /// ```
    /// use apply_patch::patch::edit::Edit;
    /// use apply_patch::format::{Options, parse};
    /// use apply_patch::patch::Action;
    ///
    /// let text = "*** Begin Patch\n*** Update File: a\n@@ fn main\n x\n-y\n+z\n*** End Patch\n";
    /// let parsed = parse(text, &Options::default());
    /// let Action::Update { chunks, .. } = &parsed.patch.hunks[0].action else { unreachable!() };
    /// let edit = Edit::from_chunk(&chunks[0]);
    /// assert_eq!(edit.old_lines().map(|line| &*line.text).collect::<Vec<_>>(), ["x", "y"]);
    /// assert_eq!(edit.new_lines().map(|line| &*line.text).collect::<Vec<_>>(), ["x", "z"]);
    /// ```
    pub fn from_chunk(chunk: &Chunk<'a>) -> Self {
        let line =
            |line: &Line<'a>| EditLine { kind: line.kind, text: line.text.clone(), signed: line.signed };
        Edit {
            gaps: chunk.gaps,
            loose_headers: chunk.loose_headers,
            after_gap: chunk.loose_headers,
            number: chunk.number,
            headers: chunk.headers.iter().map(|header| header.text.clone()).collect(),
            lines: chunk.lines.iter().map(line).collect(),
            end_of_file: chunk.end_of_file,
        }
    }

    /// What it takes to turn one text into another: the lines that a line diff (Myers) keeps, removes and adds.
    /// White space at the ends of the texts that is no line of its own does not count.
    ///
    /// ```
    /// use apply_patch::patch::edit::Edit;
    ///
    /// let edit = Edit::between("a\nb\nc\n", "a\nB\nc\n");
    /// let raw: Vec<_> = edit.lines.iter().map(|line| line.raw()).collect();
    /// assert_eq!(raw, [" a", "-b", "+B", " c"]);
    /// ```
    pub fn between(old: &'a str, new: &'a str) -> Self {
        let (old, new) = (lines_of(old), lines_of(new));
        let line = |kind: LineKind, text: &'a str| {
            // Blank lines at the ends of a quote are often its frame rather than the file's.
            let signed = kind != LineKind::Context || !text.trim().is_empty();
            EditLine { kind, text: Cow::Borrowed(text), signed }
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
        Edit { gaps: Gaps::Nowhere, lines: lines.collect(), ..Edit::default() }
    }

    /// The lines that the document must hold.
    pub fn old_lines(&self) -> impl Iterator<Item = &EditLine<'a>> {
        self.lines.iter().filter(|line| line.kind != LineKind::Add)
    }

    /// The lines that the document holds afterwards.
    pub fn new_lines(&self) -> impl Iterator<Item = &EditLine<'a>> {
        self.lines.iter().filter(|line| line.kind != LineKind::Remove)
    }

    /// Its runs of lines of some kinds, as ranges of `lines`.
    pub(crate) fn runs(&self, of: impl Fn(LineKind) -> bool) -> impl Iterator<Item = Range<usize>> {
        let mut end = 0;
        std::iter::from_fn(move || {
            let start = end + self.lines[end..].iter().position(|line| of(line.kind))?;
            end = start + self.lines[start..].iter().take_while(|line| of(line.kind)).count();
            Some(start..end)
        })
    }

    /// Whether it changes nothing and only says where the next edit belongs.
    pub fn is_anchor(&self) -> bool {
        self.lines.iter().all(|line| line.kind == LineKind::Context)
    }

    /// Whether it only adds lines, and quotes none.
    pub fn is_addition(&self) -> bool {
        !self.lines.is_empty() && self.lines.iter().all(|line| line.kind == LineKind::Add)
    }
}

/// The lines of a text, without their endings.
fn lines_of(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.strip_suffix('\n').unwrap_or(text).split('\n').collect() }
}

impl EditLine<'_> {
    /// The line with its sign, as it stood in the patch.
    pub fn raw(&self) -> String {
        format!("{}{}", self.kind.sign(), self.text)
    }

    /// An empty line without a sign: context, or what parts a chunk from the next thing.
    fn is_loose_blank(&self) -> bool {
        !self.signed && self.text.trim().is_empty()
    }
}

/// Other ways to read an edit whose signs are in doubt, in the order in which they are tried.
///
/// Whether a line was quoted without its sign is decided by the file: `in_file` says whether a line of
/// exactly this text stands anywhere in it. Each reading is offered only if it differs from the edit. Where
/// signs are to be taken as they stand (`literal`), there is only the retry of seed 002.
pub(crate) fn readings<'a>(edit: &Edit<'a>, in_file: &dyn Fn(&str) -> bool, literal: bool) -> Vec<Edit<'a>> {
    let shifted = if literal { None } else { context_without_sign(edit, in_file) };
    let base = shifted.as_ref().unwrap_or(edit);
    let trimmed = if literal { None } else { without_loose_blanks(base) };
    let last = without_last_empty_line(trimmed.as_ref().unwrap_or(base));
    let unnumbered = if literal { None } else { without_line_numbers(edit) };
    [shifted, trimmed, last, unnumbered].into_iter().flatten().collect()
}

/// Context lines whose first space is part of the text: the sign column was eaten.
fn context_without_sign<'a>(edit: &Edit<'a>, in_file: &dyn Fn(&str) -> bool) -> Option<Edit<'a>> {
    reread(edit, |line| {
        let raw = (line.kind == LineKind::Context && line.signed).then(|| line.raw())?;
        (!line.text.trim().is_empty() && !in_file(&line.text) && in_file(&raw)).then_some(EditLine {
            kind: LineKind::Context,
            text: Cow::Owned(raw),
            signed: false,
        })
    })
}

/// Replaces the lines for which there is another reading; `None` where there is none.
fn reread<'a>(edit: &Edit<'a>, other: impl Fn(&EditLine<'a>) -> Option<EditLine<'a>>) -> Option<Edit<'a>> {
    let others: Vec<_> = edit.lines.iter().map(other).collect();
    others.iter().any(Option::is_some).then(|| {
        let lines = edit.lines.iter().zip(others).map(|(line, other)| other.unwrap_or_else(|| line.clone()));
        Edit { lines: lines.collect(), ..edit.clone() }
    })
}

/// Lines that were copied with their numbers, as a viewer shows them: `12: text`, `12 | text`. All quoted lines have
/// to be numbered so, each by one more than the one before.
fn without_line_numbers<'a>(edit: &Edit<'a>) -> Option<Edit<'a>> {
    let numbers: Option<Vec<usize>> = edit.old_lines().map(|line| Some(numbered(&line.text)?.0)).collect();
    let ascending = numbers?.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let bare = |line: &EditLine<'a>| {
        numbered(&line.text).map(|(_, text)| EditLine { text: Cow::Owned(text.to_owned()), ..line.clone() })
    };
    ascending.then(|| reread(edit, bare)).flatten()
}

/// A line's number, and what stands behind it.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start();
    let line = line.strip_prefix('L').unwrap_or(line);
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = line[..digits].parse().ok()?;
    let behind = &line[digits..];
    if let Some(text) = behind.strip_prefix(['\t', '→']) {
        return Some((number, text));
    }
    let text = behind.trim_start_matches(' ').strip_prefix([':', '|', '│'])?;
    Some((number, text.strip_prefix(' ').unwrap_or(text)))
}

/// Empty lines without a sign at either end part the chunk from what is around it.
fn without_loose_blanks<'a>(edit: &Edit<'a>) -> Option<Edit<'a>> {
    let first = edit.lines.iter().position(|line| !line.is_loose_blank())?;
    let last = edit.lines.iter().rposition(|line| !line.is_loose_blank())?;
    (last + 1 - first < edit.lines.len())
        .then(|| Edit { lines: edit.lines[first..=last].to_vec(), ..edit.clone() })
}

/// The retry of seed 002: a last empty context line may stand for the end of the last line.
fn without_last_empty_line<'a>(edit: &Edit<'a>) -> Option<Edit<'a>> {
    let last = edit.lines.last()?;
    let quotes_more = edit.old_lines().count() > 1;
    (last.kind == LineKind::Context && last.text.is_empty() && quotes_more)
        .then(|| Edit { lines: edit.lines[..edit.lines.len() - 1].to_vec(), ..edit.clone() })
}

/// Reads runs of `-` or `+` lines as list items of the file: context, sign and all.
///
/// Neighbours with the same first character are read alike. A run is read so only where the file holds all
/// its lines with their sign, and of removed lines not all without it.
pub(crate) fn as_list_items<'a>(edit: &Edit<'a>, in_file: &dyn Fn(&str) -> bool) -> Option<Edit<'a>> {
    let mut lines = Vec::with_capacity(edit.lines.len());
    let mut changed = false;
    // `--` is a removed list item, and no neighbour of `-`, which may be a quoted one.
    let alike = |line: &EditLine<'a>| (line.kind, line.signed, line.text.starts_with(line.kind.sign()));
    for run in edit.lines.chunk_by(|a, b| alike(a) == alike(b)) {
        if is_list(run, in_file) {
            changed = true;
            let item = |line: &EditLine<'a>| EditLine {
                kind: LineKind::Context,
                text: Cow::Owned(line.raw()),
                signed: false,
            };
            lines.extend(run.iter().map(item));
        } else {
            lines.extend_from_slice(run);
        }
    }
    (changed && !bullets_became_signs(&lines)).then(|| Edit { lines, ..edit.clone() })
}

/// Whether `- old` stands in the file right beside an added `+ new`: the bullets may have become the signs, and
/// ` new` as it stands is no item.
fn bullets_became_signs(lines: &[EditLine<'_>]) -> bool {
    let item = |line: &EditLine<'_>| !line.signed && line.text.starts_with("- ");
    let bare = |line: &EditLine<'_>| {
        let text = line.text.strip_prefix(' ').unwrap_or(" ");
        line.kind == LineKind::Add && !text.starts_with(char::is_whitespace)
    };
    lines.windows(2).any(|pair| item(&pair[0]) && bare(&pair[1]) || bare(&pair[0]) && item(&pair[1]))
}

fn is_list(run: &[EditLine<'_>], in_file: &dyn Fn(&str) -> bool) -> bool {
    let with_sign = || run.iter().all(|line| in_file(&line.raw()));
    let without_sign = || run.iter().all(|line| in_file(&line.text));
    match run.first().map(|line| line.kind) {
        Some(LineKind::Remove) => with_sign() && !without_sign(),
        Some(LineKind::Add) => with_sign(),
        _ => false,
    }
}
