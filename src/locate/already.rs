//! Whether what an edit asks for has been done before.
//!
//! The same patch twice must not double anything. An edit counts as already applied where its result stands
//! in place, whole and to the byte, and no removed line stands anywhere but where the result keeps it.

use std::borrow::Cow;
use std::ops::Range;

use super::header::Scope;
use super::index::Index;
use super::pairing::Candidate;
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
    let mut added = added.iter();
    let mut new: Vec<Cow<'_, [u8]>> = Vec::new();
    for (line, at) in candidate.edit.lines.iter().zip(&candidate.at) {
        match line.kind {
            LineKind::Remove => {}
            LineKind::Add => new.push(Cow::Borrowed(added.next()?.as_bytes())),
            LineKind::Context => new.push(Cow::Borrowed(document.line(at.line()?))),
        }
    }
    let removes = candidate.edit.lines.iter().any(|line| line.kind == LineKind::Remove);
    let quotes = candidate.at.iter().any(|at| at.line().is_some());
    let start = candidate.start();
    let starts = if quotes && !removes {
        // Lines that are added to a line like them may stand before it or behind it.
        (start + 1).saturating_sub(new.len())..start + 1
    } else if !quotes && start == document.len() {
        start.checked_sub(new.len())?..start
    } else {
        // What replaces lines stands where they stood; lines under a header stand right behind it.
        start..start + 1
    };
    let stands = |start: &usize| {
        start + new.len() <= document.len()
            && new.iter().zip(*start..).all(|(text, at)| document.line(at) == &**text)
    };
    let found = starts.rev().find(stands)?;
    Some(found..found + new.len())
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

/// Whether the removed lines stand between context lines that are not blank: then the context alone shows that
/// nothing is left to remove.
fn is_framed(edit: &Edit<'_>) -> bool {
    let is_context = |line: &EditLine<'_>| line.kind == LineKind::Context && !line.text.trim().is_empty();
    let is_removed = |line: &EditLine<'_>| line.kind == LineKind::Remove;
    let first = edit.lines.iter().position(is_removed).unwrap_or(0);
    let last = edit.lines.iter().rposition(is_removed).unwrap_or(0);
    edit.lines[..first].iter().any(is_context) && edit.lines[last..].iter().any(is_context)
}
