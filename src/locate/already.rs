//! Whether what an edit asks for has been done before.
//!
//! The same patch twice must not double anything. An edit counts as already applied where its result stands
//! in place, whole and to the byte, and no removed line stands anywhere but where the result keeps it.

use std::borrow::Cow;
use std::ops::Range;

use super::Tier;
use super::header::Scope;
use super::index::Index;
use super::pairing::{At, Candidate};
use crate::edit::{Edit, EditLine};
use crate::patch::LineKind;
use crate::text::{Document, Fold};

/// An edit whose quote was found: the lines of the document where its result stands already, around the quote.
/// `added` are its added lines as they would be written.
pub(super) fn in_place(
    candidate: &Candidate<'_>,
    added: &[Cow<'_, str>],
    document: &Document,
) -> Option<Range<usize>> {
    let removes = candidate.edit.lines.iter().any(|line| line.kind == LineKind::Remove);
    match candidate.tier {
        _ if removes => replaced(candidate, added, document),
        Tier::Alignment => inserted_between(candidate, added, document),
        _ => inserted(candidate, added, document),
    }
}

fn stands_at(document: &Document, start: usize, lines: &[Cow<'_, str>]) -> bool {
    let same = |(line, at): (&Cow<'_, str>, usize)| document.line(at) == line.as_bytes();
    start + lines.len() <= document.len() && lines.iter().zip(start..).all(same)
}

/// Whether what replaces lines stands where they stood, in place of them.
fn replaced(candidate: &Candidate<'_>, added: &[Cow<'_, str>], document: &Document) -> Option<Range<usize>> {
    let mut added = added.iter();
    let start = candidate.start();
    let mut at = start;
    for (line, quoted) in candidate.edit.lines.iter().zip(&candidate.at) {
        let same = match line.kind {
            LineKind::Remove => continue,
            LineKind::Add => {
                added.next().is_some_and(|text| at < document.len() && document.line(at) == text.as_bytes())
            }
            LineKind::Context => *quoted == At::Line(at),
        };
        if !same {
            return None;
        }
        at += 1;
    }
    Some(start..at)
}

/// Whether the quoted and the inserted lines stand together: lines that are added to a line like them may stand
/// before it or behind it.
fn inserted(candidate: &Candidate<'_>, added: &[Cow<'_, str>], document: &Document) -> Option<Range<usize>> {
    let mut added = added.iter();
    let mut new: Vec<Cow<'_, str>> = Vec::with_capacity(candidate.edit.lines.len());
    for at in &candidate.at {
        match at {
            At::Gap(_) => new.push(Cow::Borrowed(added.next()?)),
            at => new.push(String::from_utf8_lossy(document.line(at.line()?))),
        }
    }
    let start = candidate.start();
    let quotes = candidate.at.iter().any(|at| at.line().is_some());
    let starts = match quotes {
        true => (start + 1).saturating_sub(new.len())..start + 1,
        false if start == document.len() => start.checked_sub(new.len())?..start,
        false => start..start + 1,
    };
    let found = starts.rev().find(|start| stands_at(document, *start, &new))?;
    Some(found..found + new.len())
}

/// Whether each run of inserted lines stands between the quoted lines that it is to stand between, as lines that
/// were not quoted.
fn inserted_between(
    candidate: &Candidate<'_>,
    added: &[Cow<'_, str>],
    document: &Document,
) -> Option<Range<usize>> {
    let quoted = |nth: usize| candidate.at[nth].line();
    let (mut nth, mut rest, mut range) = (0, added, None::<Range<usize>>);
    while nth < candidate.at.len() {
        let run = candidate.at[nth..].iter().take_while(|at| matches!(at, At::Gap(_))).count();
        if run > 0 {
            let (lines, behind) = rest.split_at_checked(run)?;
            rest = behind;
            let before = (0..nth).rev().find_map(quoted);
            let after = (nth + run..candidate.at.len()).find_map(quoted);
            let first = before
                .map_or_else(|| after.and_then(|after| after.checked_sub(run)), |line| Some(line + 1))?;
            let last = match (before, after) {
                (Some(_), Some(after)) => after.checked_sub(run)?,
                _ => first,
            };
            let start = (first..=last).find(|start| stands_at(document, *start, lines))?;
            let from = range.map_or(start, |range| range.start);
            range = Some(from..start + run);
        }
        nth += run.max(1);
    }
    range
}

/// An edit whose quote stands nowhere: the lines of the document where its result stands, under its headers and
/// at the end if it has to be there.
pub(super) fn stands(index: &Index, edit: &Edit<'_>, scopes: Option<&[Scope]>) -> Option<Range<usize>> {
    let new: Vec<&str> = edit.new_lines().map(|line| &*line.text).collect();
    let adds = edit.lines.iter().any(|line| line.kind == LineKind::Add);
    if !adds && !is_framed(edit) {
        return None;
    }
    let [start] = *index.places(Fold::Exact, &new) else { return None };
    let result = start..start + new.len();
    let inside = |scope: &Scope| scope.holds(result.start, result.end - 1);
    if scopes.is_some_and(|scopes| !scopes.iter().any(inside))
        || edit.end_of_file && result.end < index.document().len()
    {
        return None;
    }
    let gone = |text: &str| {
        let places = index.line_places(Fold::Indentation, text);
        text.trim().is_empty() || places.iter().all(|place| result.contains(&(*place as usize)))
    };
    let mut removed = edit.lines.iter().filter(|line| line.kind == LineKind::Remove);
    removed.all(|line| gone(&line.text)).then_some(result)
}

/// Whether the result of an edit stands anywhere, word for word: with its quote nowhere, it may have been made before,
/// and a likeness of the quote elsewhere is not what is meant.
pub(super) fn may_stand(index: &Index, edit: &Edit<'_>) -> bool {
    let new: Vec<&str> = edit.new_lines().map(|line| &*line.text).collect();
    let adds = edit.lines.iter().any(|line| line.kind == LineKind::Add && !line.text.trim().is_empty());
    adds && new.len() > 1 && !index.places(Fold::Exact, &new).is_empty()
}

/// Whether the removed lines stand between context lines that are not blank: then the context alone shows that
/// nothing is left to remove.
fn is_framed(edit: &Edit<'_>) -> bool {
    let is_context = |line: &EditLine<'_>| line.kind == LineKind::Context && !line.text.trim().is_empty();
    let is_removed = |line: &EditLine<'_>| line.kind == LineKind::Remove;
    let first = edit.lines.iter().position(is_removed).unwrap_or(0);
    let last = edit.lines.iter().rposition(is_removed).unwrap_or(0);
    edit.lines[..first].iter().any(is_context) && edit.lines[last..].iter().any(is_context)
}
