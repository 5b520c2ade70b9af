//! Replaces an old text by a new text: the notation of edit tools for the content of a chunk.
//!
//! A text that occurs exactly in the file, as whole words, is replaced exactly, also inside a line; if the old or the
//! new text has a line break, the lines that change must be whole lines. Any other text is read as lines and matched as
//! a chunk is, so that only lines that differ between old and new change.

use std::borrow::Cow;

use super::line_breaks::{with_last_line_break, with_line_breaks};
use super::literal::{Borders, Normal, Source};
use super::names::Names;
use super::new_text::{self, NewText};
use super::outcome::{Made, Replaced};
use super::overlay::{File, Overlay};
use super::regions::literally;
use super::{
    ChunkReport, Content, Failure, FailureKind, Failures, Files, HunkKind, HunkReport, Options, Plan,
};
use super::{encoding, made_texts, part, part_lines, similar};
use crate::baseline;
use crate::locate::{
    Ambiguity, Doubt, Drift, Indexed, Miss, Placed, Placement, Reason, begins_with_tabs, letters,
};
use crate::parallel;
use crate::patch::edit::Edit;
use crate::patch::{Action, Dialect, FinalNewline, Hunk, Patch, Properties, Target, TextEdit};
use crate::text::{Document, Ending, Replacement};

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
    let replaced = match made_before(request, &source, options) {
        Some(made) => made,
        None => replaced(request, &source, options, Asked { dialect: Dialect::WholeText, moves: &|| false })?,
    };
    let texts = NewText::of_texts(request.old, request.new);
    new_text::check(document, request.path, texts.as_ref(), &replaced.placements, options)
        .map_err(chunk_failure)?;
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
    if !report.unchanged {
        write(overlay, file, bytes);
    }
    Ok(report)
}

/// Returns the replacement with nothing to change if the replacement was made before, except for the older algorithms.
fn made_before(request: &Replace<'_>, source: &Source, options: &Options) -> Option<Replaced> {
    if baseline::is_origin(options.matching.level) {
        return None;
    }
    let (old, new) = (line_feeds(request.old), line_feeds(request.new));
    made_texts::stands_already(source.normal(), &old, &new).map(Replaced::already_applied)
}

fn write(overlay: &mut Overlay<'_>, file: File, bytes: Vec<u8>) {
    overlay.write(file.target(), Content::Bytes(bytes.into()), file.mode);
}

/// How a replacement is asked for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) dialect: Dialect,
    /// Checks whether the patch removes elsewhere the lines that the replacement adds: so the file has them before.
    pub(super) moves: &'a dyn Fn() -> bool,
}

/// Makes a replacement.
pub(super) fn replaced(
    request: &Replace<'_>,
    source: &Source,
    options: &Options,
    asked: Asked<'_>,
) -> Result<Replaced, FailureKind> {
    let replaced = replaced_in_any_encoding(request, source, options, asked)?;
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
    asked: Asked<'_>,
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
    let may_be_other = |start: &usize| {
        made.is_empty() && !options.matching.literal && part::may_be_other(text, *start, &old, &new)
    };
    let only = <[usize; 1]>::try_from(&*found).ok();
    let part = only.filter(|[start]| may_be_other(start)).map(|[start]| text.line_at(start));
    let by_lines = |old: &str, new: &str| {
        let edit = Edit { dialect: asked.dialect, ..Edit::diff(old, new) };
        source.by_lines(|indexed| by_lines(indexed, &edit, request.all, options))
    };
    let is_there = !found.is_empty() || !made.is_empty();
    if is_there && part.is_none() {
        if let [start] = found[..]
            && text.is_lines(start, start + old.len())
            && let Some(replaced) = as_chunk(document, (&old, &new), asked.moves, by_lines)?
        {
            return Ok(replaced);
        }
        let most = if request.all { found.len() } else { 1 };
        let mut replaced =
            literally(document, text, &found[..most], old.len(), &new).map_err(chunk_failure)?;
        replaced.add_made(made.iter().map(|start| text.line_at(*start)));
        return Ok(replaced);
    }
    if part.is_none()
        && !request.all
        && part_lines::has_whole_lines(text, &old, &new)
        && let Some(whole) = of_completed(request, source, options, asked)
    {
        return whole;
    }
    let placed = with_or_without_line_breaks((&old, &new), by_lines);
    let placements: Result<Vec<_>, _> = placed.outcomes.into_iter().collect();
    if part.is_none()
        && !request.all
        && placements.as_ref().is_err_and(is_unplaced)
        && let Some(whole) = of_completed(request, source, options, asked)
    {
        return whole;
    }
    let placements = match part.or_else(|| inside_line(text, (&old, &new), &placements)) {
        Some(line) => in_other_line(placements, line, document),
        None => placements,
    };
    let placements = placements.map_err(chunk_failure)?;
    if request.all && letters(&new) > 0 && !text.matches(&new, Borders::of(&old, &new), true).is_empty() {
        return Err(chunk_failure(made_in_part(&placements, document)));
    }
    Ok(of_lines(document, (&old, &new), placed.replacements, placements))
}

/// Places texts as lines: with the line breaks that both lack at their ends, if only then the old text has a position.
fn with_or_without_line_breaks((old, new): (&str, &str), by_lines: impl Fn(&str, &str) -> Placed) -> Placed {
    let is_placed = |placed: &Placed| placed.outcomes.iter().all(Result::is_ok);
    let read =
        |texts: Option<(String, String)>| texts.map(|(old, new)| by_lines(&old, &new)).filter(is_placed);
    read(with_last_line_break(old, new)).unwrap_or_else(|| {
        let whole = by_lines(old, new);
        if is_placed(&whole) { whole } else { read(with_line_breaks(old, new)).unwrap_or(whole) }
    })
}

/// Returns the line in which an old text without a position begins or ends, if that is inside of the line.
fn inside_line(
    text: &Normal,
    (old, new): (&str, &str),
    placements: &Result<Vec<Placement>, Miss>,
) -> Option<usize> {
    let Err(Miss { reason: Reason::NotFound, .. }) = placements else { return None };
    match text.matches(old, Borders::of_words(old, new), false)[..] {
        [start] if text.line_start(text.line_at(start)) == start => Some(text.line_at(start + old.len() - 1)),
        [start] => Some(text.line_at(start)),
        _ => None,
    }
}

/// Makes a replacement whose texts lack the ends of their lines. `None` if the texts do not show these ends.
fn of_completed(
    request: &Replace<'_>,
    source: &Source,
    options: &Options,
    asked: Asked<'_>,
) -> Option<Result<Replaced, FailureKind>> {
    let text = source.normal();
    let (old, new) = part_lines::completed(text, &line_feeds(request.old), &line_feeds(request.new))?;
    if let Some(start) = made_texts::stands_already(text, &old, &new) {
        return Some(Ok(Replaced::already_applied(start)));
    }
    let whole = Replace { old: &old, new: &new, ..*request };
    Some(replaced_in_any_encoding(&whole, source, options, asked))
}

/// Checks for a miss that more quoted text can turn into a position.
fn is_unplaced(miss: &Miss) -> bool {
    let asks_for_more = |doubt| {
        matches!(doubt, Doubt::FewLines | Doubt::RemovedElsewhere | Doubt::NoIndentation | Doubt::LostNesting)
    };
    match miss.reason {
        Reason::NotFound => true,
        Reason::Doubt { doubt, .. } => asks_for_more(doubt),
        _ => false,
    }
}

/// Returns what lines that are placed as a chunk make of a file.
fn of_lines(
    document: &Document,
    (old, new): (&str, &str),
    replacements: Vec<Replacement<'static>>,
    placements: Vec<Placement>,
) -> Replaced {
    let keeps_end_open = !old.ends_with('\n') || !new.ends_with('\n');
    let ending = ending(document, &replacements, keeps_end_open);
    let places = placements.len();
    Replaced { made: Made::Lines { replacements, ending }, placements, places }
}

/// Reads whole lines that are in the file to the byte as a chunk, with the promises of a chunk about added lines: they divide no block,
/// and what the file has already, also in another form, is not added again. Returns the chunk if its added lines are there already,
/// or have spaces where the file has tabs, as before a recipe.
fn as_chunk(
    document: &Document,
    (old, new): (&str, &str),
    moves: &dyn Fn() -> bool,
    by_lines: impl Fn(&str, &str) -> Placed,
) -> Result<Option<Replaced>, FailureKind> {
    let has_lines = old.contains('\n') || new.contains('\n');
    let lacks_tabs = new.lines().any(|line| line.starts_with("  ")) && begins_with_tabs(document);
    if !has_lines && !lacks_tabs {
        return Ok(None);
    }
    let Placed { outcomes, replacements, .. } = by_lines(old, new);
    let only_adds = only_adds(old, new) || wraps(old, new);
    let is_refused = |miss: &Miss| match miss.reason {
        Reason::Doubt { doubt: Doubt::DividesBlock | Doubt::LazyAddition, .. } => has_lines,
        Reason::Doubt { doubt: Doubt::LooksApplied, .. } if lacks_tabs => true,
        Reason::Doubt { doubt: Doubt::LooksApplied | Doubt::InOtherForm, .. } => only_adds,
        _ => false,
    };
    let is_meant = |drift: &Drift| match drift {
        Drift::AlreadyApplied => lacks_tabs || only_adds && !moves(),
        Drift::Reindented => lacks_tabs,
        _ => false,
    };
    match outcomes.into_iter().collect::<Result<Vec<_>, _>>() {
        Ok(placements) if placements.iter().flat_map(|one| &one.drift).any(is_meant) => {
            Ok(Some(of_lines(document, (old, new), replacements, placements)))
        }
        Err(miss) if is_refused(&miss) => Err(chunk_failure(miss)),
        _ => Ok(None),
    }
}

/// Checks whether a new text has all lines of the old text in order. The last item of a list gets a comma before an addition.
fn only_adds(old: &str, new: &str) -> bool {
    let mut lines = new.lines();
    old.lines().all(|line| lines.any(|other| other == line || other.strip_suffix(',') == Some(line)))
}

/// Checks whether a new text has all lines of the old text in order, each of them deeper.
fn wraps(old: &str, new: &str) -> bool {
    let mut lines = new.lines();
    let is_deeper =
        |line: &str, other: &str| other.len() > line.len() && other.trim_start() == line.trim_start();
    old.lines().filter(|line| !line.trim().is_empty()).all(|line| lines.any(|other| is_deeper(line, other)))
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
