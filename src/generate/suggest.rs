//! What to send instead of what was refused.

use std::borrow::Cow;

use super::text;
use crate::format::Format;
use crate::locate::{MendedLine, Miss, pieces};
use crate::patch::edit::Edit;
use crate::patch::{Action, Chunk, Dialect, Line, LineKind, Patch, Target, TextEdit};
use crate::plan::{Failure, FailureKind, Failures, Files, Options, Plan, plan};

/// Returns the patch with each refused chunk quoted from its file, as text in the format of the patch; `None` unless
/// the position of each is clear and nothing else prevents the patch from applying. The result was planned and fits:
/// every corrected chunk has the position that was nearly accepted. An envelope stays unchanged except for these
/// chunks; in every further format each change is quoted anew. For a replacement see
/// [`Replace::to_patch`](crate::plan::Replace::to_patch).
///
/// A model or a person should check the suggestion before sending. It differs from the original patch, and may not be
/// what was meant.
///
/// ```
/// use std::collections::BTreeMap;
/// use apply_patch::format::{Options as Reading, parse};
/// use apply_patch::generate::suggest;
/// use apply_patch::plan::{Options, plan};
///
/// let file = "fn wait(&self) {\n    let most = self.retries;\n    let pause = 20;\n    self.sleep(pause);\n}\n";
/// let files = BTreeMap::from([("a.rs".into(), file.as_bytes().to_vec())]);
/// let text = "*** Begin Patch\n*** Update File: a.rs\n@@\n     let most = self.retries;\n-    let pause = 10;\n+    let pause = 40;\n     self.sleep(pause);\n*** End Patch\n";
/// let parsed = parse(text, &Reading::default());
/// let failures = plan(&parsed.patch, &files, &Options::default()).unwrap_err();
/// let suggested = suggest(&parsed.patch, &failures, &files, &Options::default()).unwrap();
/// assert_eq!(suggested, text.replace("10", "20"));
/// ```
pub fn suggest(
    patch: &Patch<'_>,
    failures: &Failures,
    files: &dyn Files,
    options: &Options,
) -> Option<String> {
    let mut mended = patch.clone();
    for failure in &failures.failures {
        mend(&mut mended, failure)?;
    }
    let plan = plan(&mended, files, options).ok()?;
    let is_there = |failure| is_where_it_was(&mended, &plan, failure);
    if plan.changes.is_empty() || !failures.failures.iter().all(is_there) {
        return None;
    }
    match format(&mended) {
        Format::Envelope => Some(mended.to_string()),
        format => text(&plan, files, format).ok(),
    }
}

/// Returns the format that a patch was parsed from, by the dialect of its hunks.
fn format(patch: &Patch<'_>) -> Format {
    let written = |dialect| patch.hunks.iter().any(|hunk| hunk.dialect == dialect);
    if patch.hunks.iter().any(|hunk| matches!(hunk.action, Action::Replace(_))) {
        Format::Edit
    } else if written(Dialect::Texts) {
        Format::SearchReplace
    } else if patch.hunks.iter().any(|hunk| hunk.dialect.is_diff()) || !patch.is_envelope() {
        Format::Unified
    } else {
        Format::Envelope
    }
}

/// Puts the lines of the file into the chunk, or the old/new edit, that fails.
fn mend(patch: &mut Patch<'_>, failure: &Failure) -> Option<()> {
    let FailureKind::Chunk { nth, miss, .. } = &failure.kind else { return None };
    match &mut patch.hunks.get_mut(failure.hunk)?.action {
        Action::Update { chunks, .. } => mend_chunk(chunks.get_mut(*nth)?, miss),
        Action::Replace(edits) => mend_text(edits.get_mut(*nth)?, miss),
        _ => None,
    }
}

fn mend_chunk(chunk: &mut Chunk<'_>, miss: &Miss) -> Option<()> {
    let kinds: Vec<LineKind> = chunk.lines.iter().map(|line| line.kind).collect();
    let lines = mended(miss).filter(|lines| changes_as_much(&kinds, lines))?;
    chunk
        .headers
        .to_mut()
        .retain(|header| !miss.missing_headers.iter().any(|missing| *missing == header.text));
    chunk.lines = lines
        .iter()
        .map(|(kind, text)| Line {
            number: chunk.number,
            kind: *kind,
            text: Cow::Owned(text.clone()),
            signed: true,
        })
        .collect();
    Some(())
}

/// An edit of every position has no nearest position.
fn mend_text(edit: &mut TextEdit<'_>, miss: &Miss) -> Option<()> {
    let (old, new) = (edit.old.replace("\r\n", "\n"), edit.new.replace("\r\n", "\n"));
    let kinds: Vec<LineKind> = Edit::diff(&old, &new).lines.iter().map(|line| line.kind).collect();
    let lines = mended(miss).filter(|lines| changes_as_much(&kinds, lines))?;
    if edit.target != Target::Only || !quotes_whole_lines(&old, lines) {
        return None;
    }
    let side = |other: LineKind| {
        let texts = lines.iter().filter(|(kind, _)| *kind != other).map(|(_, text)| text.as_str());
        texts.collect::<Vec<_>>().join("\n")
    };
    let (mut old, new) = (side(LineKind::Add), side(LineKind::Remove));
    if lines.iter().all(|(kind, _)| *kind == LineKind::Remove) {
        // If all lines are removed, the line break behind is removed too.
        old.push('\n');
    }
    (edit.old, edit.new) = (Cow::Owned(old), Cow::Owned(new));
    Some(())
}

/// Returns whether an old text begins and ends at line boundaries of the file: otherwise the rest of these lines would
/// be lost.
fn quotes_whole_lines(old: &str, lines: &[MendedLine]) -> bool {
    let quoted: Vec<&str> = old.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let olds = lines.iter().filter(|(kind, _)| kind.is_old());
    let actual: Vec<&str> = olds.map(|(_, text)| text.trim()).filter(|line| !line.is_empty()).collect();
    let (first, last) = (quoted.first().zip(actual.first()), quoted.last().zip(actual.last()));
    first.is_some_and(|(quoted, actual)| begins_with_it(quoted, actual))
        && last.is_some_and(|(quoted, actual)| ends_with_it(quoted, actual))
}

/// Returns whether the line of the file begins where the quoted line begins, and not before.
fn begins_with_it(quoted: &str, actual: &str) -> bool {
    let differing = pieces(quoted, actual);
    quoted == actual
        || differing.first().is_some_and(|piece| {
            let more = &actual[piece.actual.clone()];
            piece.actual.start > 0 || !more.ends_with(&quoted[piece.quoted.clone()])
        })
}

/// Returns whether the line of the file ends where the quoted line ends, and not behind.
fn ends_with_it(quoted: &str, actual: &str) -> bool {
    let differing = pieces(quoted, actual);
    quoted == actual
        || differing.last().is_some_and(|piece| {
            let more = &actual[piece.actual.clone()];
            piece.actual.end < actual.len() || !more.starts_with(&quoted[piece.quoted.clone()])
        })
}

fn mended(miss: &Miss) -> Option<&[MendedLine]> {
    miss.nearest.as_ref()?.mended.as_deref()
}

/// Returns whether the numbers of added and removed lines are equal: a corrected edit may be only a part of a chunk
/// with lines of dots.
fn changes_as_much(asked: &[LineKind], lines: &[MendedLine]) -> bool {
    let count = |kind| lines.iter().filter(|(other, _)| *other == kind).count();
    let quoted = |kind| asked.iter().filter(|other| **other == kind).count();
    [LineKind::Remove, LineKind::Add].into_iter().all(|kind| count(kind) == quoted(kind))
}

fn is_where_it_was(patch: &Patch<'_>, plan: &Plan, failure: &Failure) -> bool {
    let FailureKind::Chunk { nth, miss, .. } = &failure.kind else { return false };
    let placed = plan.hunks.get(failure.hunk).and_then(|hunk| hunk.chunks.get(*nth));
    let (Some(placed), Some(nearest)) = (placed, &miss.nearest) else { return false };
    let (start, place) = (placed.placement.start, nearest.place());
    match patch.hunks.get(failure.hunk).map(|hunk| &hunk.action) {
        // An edit of every place takes up several of the plan's chunks.
        Some(Action::Replace(edits)) if edits.iter().any(|edit| edit.target.is_every()) => false,
        // An exact text match begins with the first line that changes.
        Some(Action::Replace(_)) => (place.start..=place.end).contains(&start),
        _ => place.start == start,
    }
}
