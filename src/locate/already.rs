//! Whether what an edit asks for has been done before.
//!
//! The same patch twice must not double anything. An edit counts as already applied where its result stands
//! in place, whole and to the byte, and no removed line stands anywhere but where the result keeps it.

use std::borrow::Cow;
use std::ops::Range;

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
    let lines = || candidate.edit.lines.iter().zip(&candidate.at);
    let first_quoted = lines().position(|(_, at)| at.line().is_some());
    let start = match first_quoted {
        Some(nth) => candidate.at[nth].line()?.checked_sub(nth)?,
        // Lines at the end stand before it, others behind their header.
        None if candidate.start() == document.len() => document.len().checked_sub(added.len())?,
        None => candidate.start(),
    };
    let new = lines().filter(|(line, _)| line.kind != LineKind::Remove);
    let (mut at, mut added) = (start, added.iter());
    for (line, quoted) in new {
        let same = match line.kind {
            LineKind::Add => {
                added.next().is_some_and(|text| at < document.len() && document.line(at) == text.as_bytes())
            }
            _ => *quoted == At::Line(at),
        };
        if !same {
            return None;
        }
        at += 1;
    }
    Some(start..at)
}

/// An edit whose quote stands nowhere: the lines of the document where its result stands.
pub(super) fn stands(index: &Index, edit: &Edit<'_>) -> Option<Range<usize>> {
    let new: Vec<&str> = edit.new_lines().map(|line| &*line.text).collect();
    let adds = edit.lines.iter().any(|line| line.kind == LineKind::Add);
    if !adds && !is_framed(edit) {
        return None;
    }
    let [start] = *index.places(Fold::Exact, &new) else { return None };
    let result = start..start + new.len();
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
