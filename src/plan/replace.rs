//! Replaces an old text by a new text: the notation of edit tools for the content of a chunk.
//!
//! A text that occurs exactly in the file, as whole words, is replaced exactly, also inside a line; if the old or the
//! new text has a line break, the lines that change must be whole lines. Any other text is read as lines and matched as
//! a chunk is, so that only lines that differ between old and new change.

use std::borrow::Cow;
use std::ops::Range;

use super::ending::finish;
use super::line_breaks::{with_last_line_break, with_line_breaks};
use super::literal::{Borders, Normal, Source};
use super::names::Names;
use super::overlay::{File, Overlay};
use super::{
    ChunkReport, Content, Failure, FailureKind, Failures, Files, HunkKind, HunkReport, Options, Plan,
};
use super::{encoding, made_texts, part, similar};
use crate::baseline;
use crate::locate::{Ambiguity, Doubt, Drift, Indexed, Miss, Placed, Placement, Reason, letters};
use crate::parallel;
use crate::patch::edit::Edit;
use crate::patch::{Action, Dialect, FinalNewline, Hunk, Patch, Properties, Target, TextEdit};
use crate::text::{Document, Ending, Replacement, apply_replacements};

/// A replacement that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replace<'a> {
    /// The name of the file, as given by the caller.
    pub path: &'a str,
    /// The text that goes.
    pub old: &'a str,
    /// The new text, used literally (`$&` is not a variable).
    pub new: &'a str,
    /// Whether to replace every position of the tightest comparison that matches instead of the only position.
    pub all: bool,
}

impl<'a> Replace<'a> {
    /// Replaces the only position of `old` in a file.
    #[cfg(any(test, feature = "internals"))]
    pub fn new(path: &'a str, old: &'a str, new: &'a str) -> Self {
        Replace { path, old, new, all: false }
    }

    /// The same, at every position.
    #[cfg(any(test, feature = "internals"))]
    #[must_use]
    pub fn with_all(self, all: bool) -> Self {
        Replace { all, ..self }
    }

    /// Returns the replacement as a patch with a single old/new edit.
    ///
    /// ```
    /// use apply_patch::patch::Action;
    /// use apply_patch::plan::Replace;
    ///
    /// let request = Replace::new("a.py", "return 1", "return 2");
    /// let patch = request.to_patch();
    /// assert_eq!(patch.hunks[0].path, "a.py");
    /// assert!(matches!(&patch.hunks[0].action, Action::Replace(edits) if edits[0].old == "return 1"));
    /// ```
    pub fn to_patch(self) -> Patch<'a> {
        let target = if self.all { Target::All } else { Target::Only };
        let edit = TextEdit { number: None, old: self.old.into(), new: self.new.into(), target };
        let hunk = Hunk {
            number: None,
            dialect: Dialect::Texts,
            path: self.path.into(),
            action: Action::Replace(vec![edit]),
            properties: Properties::default(),
        };
        Patch { hunks: vec![hunk], ..Patch::default() }
    }
}

/// Plans a replacement.
///
/// # Errors
/// Returns why the replacement is impossible: the old text is empty, equals the new text, or does not match exactly
/// once.
///
/// ```
/// use std::collections::BTreeMap;
/// use apply_patch::plan::{Options, Replace, replace};
///
/// let files = BTreeMap::from([("a.py".into(), b"def f():\n    return 1\n".to_vec())]);
/// let request = Replace::new("a.py", "return 1", "return 2");
/// let plan = replace(&request, &files, &Options::default()).unwrap();
/// assert_eq!((plan.hunks[0].added, plan.hunks[0].removed), (1, 1));
/// ```
pub fn replace(request: &Replace<'_>, files: &dyn Files, options: &Options) -> Result<Plan, Failures> {
    let mut overlay = Overlay::new(files);
    match parallel::within(options.threads, || plan_replace(request, files, &mut overlay, options)) {
        Ok(report) => Ok(Plan { changes: overlay.into_changes(), hunks: vec![report] }),
        Err(mut kind) => {
            similar::suggest(&mut kind, request.path, files, &overlay);
            let failure = Failure {
                hunk: 0,
                number: None,
                path: request.path.to_owned(),
                tool: None,
                dialect: Dialect::WholeText,
                kind,
            };
            Err(Failures { failures: vec![failure], placed: Vec::new() })
        }
    }
}

fn plan_replace(
    request: &Replace<'_>,
    files: &dyn Files,
    overlay: &mut Overlay<'_>,
    options: &Options,
) -> Result<HunkReport, FailureKind> {
    if request.old.trim().is_empty() {
        return Err(FailureKind::EmptyOld);
    }
    if request.old == request.new {
        return Err(FailureKind::SameText);
    }
    let names = Names::new(&Patch::default(), files, options.matching.literal);
    let name = names.of_existing(request.path, overlay)?;
    let file = overlay.file(&name.path)?;
    let source = Source::new(file.document());
    let document = &source.document;
    let replaced = replaced(request, &source, options, Dialect::WholeText)?;
    let bytes = replaced.made.bytes(document);
    let report = HunkReport {
        number: None,
        kind: HunkKind::Update,
        path: name.path,
        moved_to: None,
        added: replaced.placements.iter().map(|placement| placement.added).sum(),
        removed: replaced.placements.iter().map(|placement| placement.removed).sum(),
        names: name.notes,
        properties: Properties::default(),
        unchanged: bytes == **document.bytes(),
        chunks: replaced
            .placements
            .into_iter()
            .map(|placement| ChunkReport { number: None, placement })
            .collect(),
    };
    write(overlay, file, bytes);
    Ok(report)
}

fn write(overlay: &mut Overlay<'_>, file: File, bytes: Vec<u8>) {
    overlay.write(file.target(), Content::Bytes(bytes.into()), file.mode);
}

/// What a replacement makes of a file.
pub(super) struct Replaced {
    pub(super) made: Made,
    pub(super) placements: Vec<Placement>,
    /// How many positions of the old text were replaced. Several positions within a line are a single placement.
    pub(super) places: usize,
}

/// The file that a replacement makes.
pub(super) enum Made {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The document with lines replaced, and another end if that is given.
    Lines { replacements: Vec<Replacement<'static>>, ending: Option<FinalNewline> },
}

impl Made {
    pub(super) fn bytes(&self, document: &Document) -> Vec<u8> {
        match self {
            Made::Bytes(bytes) => bytes.clone(),
            Made::Lines { replacements, ending } => {
                let mut bytes = apply_replacements(document, replacements);
                if let Some(ending) = ending {
                    finish(document, &mut bytes, *ending);
                }
                bytes
            }
        }
    }
}

impl Replaced {
    /// Adds the lines at which the result is there already, in the order of the file, to the placements.
    fn add_made(&mut self, lines: impl Iterator<Item = usize>) {
        let is_changed = |line: &usize| {
            let above = self.placements.partition_point(|placement| placement.start <= *line);
            let last = above.checked_sub(1).map(|last| &self.placements[last]);
            last.is_some_and(|last| *line < last.start + last.removed)
        };
        let mut lines: Vec<usize> = lines.filter(|line| !is_changed(line)).collect();
        lines.dedup();
        self.placements.extend(lines.into_iter().map(already_applied));
        self.placements.sort_by_key(|placement| placement.start);
    }
}

/// Returns the placement of an edit, or of a position of an edit, whose result is at a line.
pub(super) fn already_applied(start: usize) -> Placement {
    Placement { start, drift: vec![Drift::AlreadyApplied], ..Placement::default() }
}

/// Makes a replacement that is written in `dialect`.
pub(super) fn replaced(
    request: &Replace<'_>,
    source: &Source,
    options: &Options,
    dialect: Dialect,
) -> Result<Replaced, FailureKind> {
    let replaced = replaced_in_any_encoding(request, source, options, dialect)?;
    if let Made::Lines { replacements, .. } = &replaced.made
        && let Some(place) = encoding::foreign(&source.document, replacements)
    {
        return Err(chunk_failure(encoding::miss(&source.document, place)));
    }
    Ok(replaced)
}

/// Makes a replacement, whatever the encoding of the file.
fn replaced_in_any_encoding(
    request: &Replace<'_>,
    source: &Source,
    options: &Options,
    dialect: Dialect,
) -> Result<Replaced, FailureKind> {
    let document = &source.document;
    let level = options.matching.level;
    if baseline::is_origin(level) {
        let (bytes, placement) = baseline::replace(document, request.old, request.new, request.all, level)
            .map_err(chunk_failure)?;
        return Ok(Replaced { made: Made::Bytes(bytes), placements: vec![placement], places: 1 });
    }
    let text = source.normal();
    let (old, new) = (line_feeds(request.old), line_feeds(request.new));
    let found = text.matches(&old, Borders::of(&old, &new), request.all);
    let (found, made) =
        if request.all { made_texts::apart(text, &old, &new, found) } else { (found, Vec::new()) };
    if found.len() > 1 && !request.all && options.matching.ambiguity == Ambiguity::Refuse {
        let places = found.iter().map(|start| text.line_at(*start)).collect();
        return Err(chunk_failure(Miss::ambiguous(places, document, &[&old, &new])));
    }
    let part = match found[..] {
        [start]
            if made.is_empty()
                && !options.matching.literal
                && part::may_be_other(text, start, &old, &new) =>
        {
            Some(text.line_at(start))
        }
        _ => None,
    };
    let by_lines = |old: &str, new: &str| {
        let edit = Edit { dialect, ..Edit::diff(old, new) };
        source.by_lines(|indexed| by_lines(indexed, &edit, request.all, options))
    };
    let is_there = !found.is_empty() || !made.is_empty();
    if is_there && part.is_none() {
        // Whole lines are a chunk, with the promises of a chunk about added lines.
        let has_lines = old.contains('\n') || new.contains('\n');
        if found.len() == 1 && has_lines && text.is_lines(found[0], found[0] + old.len()) {
            let is_of_added = |miss: &Miss| {
                matches!(miss.reason, Reason::Doubt { doubt: Doubt::DividesBlock | Doubt::LazyAddition, .. })
            };
            let mut misses = by_lines(&old, &new).outcomes.into_iter().filter_map(Result::err);
            if let Some(miss) = misses.find(is_of_added) {
                return Err(chunk_failure(miss));
            }
        }
        let most = if request.all { found.len() } else { 1 };
        let mut replaced =
            literally(document, text, &found[..most], old.len(), &new).map_err(chunk_failure)?;
        replaced.add_made(made.iter().map(|start| text.line_at(*start)));
        return Ok(replaced);
    }
    let is_placed = |placed: &Placed| placed.outcomes.iter().all(Result::is_ok);
    let read =
        |texts: Option<(String, String)>| texts.map(|(old, new)| by_lines(&old, &new)).filter(is_placed);
    let placed = read(with_last_line_break(&old, &new)).unwrap_or_else(|| {
        let whole = by_lines(&old, &new);
        if is_placed(&whole) { whole } else { read(with_line_breaks(&old, &new)).unwrap_or(whole) }
    });
    let placements: Result<Vec<_>, _> = placed.outcomes.into_iter().collect();
    let placements = match part {
        Some(line) => in_other_line(placements, line, document),
        None => placements,
    };
    let placements = placements.map_err(chunk_failure)?;
    if request.all && letters(&new) > 0 && !text.matches(&new, Borders::of(&old, &new), true).is_empty() {
        return Err(chunk_failure(made_in_part(&placements, document)));
    }
    let keeps_end_open = !old.ends_with('\n') || !new.ends_with('\n');
    let replacements = placed.replacements;
    let ending = ending(document, &replacements, keeps_end_open);
    let count = placements.len();
    Ok(Replaced { made: Made::Lines { replacements, ending }, placements, places: count })
}

fn chunk_failure(miss: Miss) -> FailureKind {
    FailureKind::Chunk { nth: 0, of: 1, number: None, miss: Box::new(miss) }
}

/// Refuses positions of a drifted text beside its result: the edit was made at every position, and skipped these.
fn made_in_part(placements: &[Placement], document: &Document) -> Miss {
    let place = placements.first().map_or(0..0, |first| first.start..first.start + first.removed);
    Miss::new(Reason::Doubt { place, line: None, doubt: Doubt::LooksApplied }, document, &[])
}

/// Refuses the line in which an old text is a part of something else.
fn in_other_line(
    placements: Result<Vec<Placement>, Miss>,
    line: usize,
    document: &Document,
) -> Result<Vec<Placement>, Miss> {
    let reason = Reason::Doubt { place: line..line + 1, line: Some(line), doubt: Doubt::PartOfOther };
    match placements {
        Ok(placements) if placements.iter().all(|placement| placement.start != line) => Ok(placements),
        Ok(_) => Err(Miss::new(reason, document, &[])),
        Err(miss) => Err(Miss { reason, ..miss }),
    }
}

fn by_lines(indexed: &Indexed, edit: &Edit<'_>, all: bool, options: &Options) -> Placed {
    if all { indexed.place_all(edit, &options.matching) } else { indexed.place(edit, &options.matching) }
}

/// Returns how the file ends, if the replacements alone do not determine this. A last line without an ending stays
/// without, unless the texts change this.
fn ending(
    document: &Document,
    replacements: &[Replacement<'_>],
    keeps_end_open: bool,
) -> Option<FinalNewline> {
    let was_open = document.len().checked_sub(1).is_some_and(|last| document.ending(last) == Ending::Missing);
    let rewritten =
        replacements.last().is_some_and(|last| last.end() == document.len() && !last.lines.is_empty());
    (was_open && rewritten && keeps_end_open).then_some(FinalNewline::Missing)
}

pub(super) fn line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) }
}

/// Lines of the document, and the text that replaces these lines.
struct Region {
    /// In the normal text; begins and ends at a line.
    range: Range<usize>,
    text: Vec<u8>,
}

/// Replaces a text exactly at each of `starts`.
fn literally(
    document: &Document,
    normal: &Normal,
    starts: &[usize],
    len: usize,
    new: &str,
) -> Result<Replaced, Miss> {
    let regions = regions(normal, starts, len, new);
    let touched = regions
        .iter()
        .flat_map(|region| normal.line_at(region.range.start)..normal.line_at(region.range.end));
    if let Some(line) = touched.into_iter().find(|line| document.text(*line).is_none()) {
        return Err(Miss::new(Reason::NotText { line }, document, &[new]));
    }
    let mut replacements = Vec::with_capacity(regions.len());
    let mut placements = Vec::with_capacity(regions.len());
    for region in &regions {
        let replacement = replacement(normal, region);
        placements.push(Placement {
            start: replacement.start,
            added: replacement.lines.len(),
            removed: replacement.removed,
            ..Placement::default()
        });
        replacements.push(replacement);
    }
    // The text itself determines whether the file ends in a line break.
    let last = regions.last().filter(|last| last.range.end == normal.text().len());
    let ending = last.and_then(|last| last.text.last()).map(|byte| match byte {
        b'\n' => FinalNewline::Present,
        _ => FinalNewline::Missing,
    });
    Ok(Replaced { made: Made::Lines { replacements, ending }, placements, places: starts.len() })
}

fn regions(normal: &Normal, starts: &[usize], len: usize, new: &str) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let mut copied = 0;
    for start in starts {
        let joins = regions.last().is_some_and(|last| *start < last.range.end);
        if !joins {
            close(normal, regions.last_mut(), copied);
            let begin = normal.line_start(normal.line_at(*start));
            regions.push(Region { range: begin..begin, text: Vec::new() });
            copied = begin;
        }
        if let Some(region) = regions.last_mut() {
            region.text.extend_from_slice(&normal.text()[copied..*start]);
            region.text.extend_from_slice(new.as_bytes());
            copied = start + len;
            let whole = copied == normal.line_start(normal.line_at(copied))
                && region.text.last().is_none_or(|byte| *byte == b'\n');
            region.range.end = if whole { copied } else { normal.line_end(copied) };
        }
    }
    close(normal, regions.last_mut(), copied);
    regions
}

fn close(normal: &Normal, region: Option<&mut Region>, copied: usize) {
    if let Some(region) = region {
        region.text.extend_from_slice(&normal.text()[copied..region.range.end]);
    }
}

/// Returns a region as lines, without unchanged lines at either end.
fn replacement(normal: &Normal, region: &Region) -> Replacement<'static> {
    let text = String::from_utf8_lossy(&region.text);
    let new: Vec<&str> = text.strip_suffix('\n').unwrap_or(&text).split('\n').collect();
    let new = if text.is_empty() { Vec::new() } else { new };
    let (first, last) = (normal.line_at(region.range.start), normal.line_at(region.range.end));
    let old = |line: usize| {
        let line = &normal.text()[normal.line_start(line)..normal.line_start(line + 1)];
        line.strip_suffix(b"\n").unwrap_or(line)
    };
    let head = new.iter().zip(first..last).take_while(|(new, line)| new.as_bytes() == old(*line)).count();
    let tails = new[head..].iter().rev().zip((first + head..last).rev());
    let tail = tails.take_while(|(new, line)| new.as_bytes() == old(*line)).count();
    Replacement {
        start: first + head,
        removed: last - first - head - tail,
        lines: new[head..new.len() - tail].iter().map(|line| Cow::Owned((*line).to_owned())).collect(),
    }
}
