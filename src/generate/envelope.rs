//! Writes a change as an envelope.

use std::borrow::Cow;

use super::file_change::{Attempt, FileChange};
use super::unique_context::{self, LEAST};
use super::unrepresentable::{What, text};
use crate::patch::{Action, Chunk, Dialect, Hunk, Line, LineKind, MoveTo, Patch, Properties, SharedSlice};
use crate::text::{Bytes, Document};

/// Returns the envelope of a single file without the markers. With the default context the chunks are as small as
/// possible; with more, each chunk has `context` lines around the change, and no header.
pub(super) fn body(
    piece: FileChange<'_>,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    attempt: Attempt,
) -> Result<String, What> {
    let action = match (before, after) {
        (_, None) => Action::Delete,
        (None, Some(after)) => Action::Add(added(text(after)?, attempt.context)),
        (Some(before), Some(after)) => {
            let path = || Cow::Owned(piece.change.path.to_string());
            let move_to = piece.source.map(|_| MoveTo { number: None, path: path() });
            Action::Update { move_to, chunks: chunks(before, after, attempt)? }
        }
    };
    let path = Cow::Owned(piece.old_path().to_string());
    let hunk =
        Hunk { number: None, dialect: Dialect::Envelope, path, action, properties: Properties::default() };
    let text = Patch { hunks: vec![hunk], ..Patch::default() }.to_string();
    let inside = text.strip_prefix("*** Begin Patch\n").and_then(|text| text.strip_suffix("*** End Patch\n"));
    Ok(inside.unwrap_or_default().to_owned())
}

/// Returns the lines of a new file. The line endings are always LF; a second attempt writes the CR of a CR LF as text.
fn added(text: &str, context: usize) -> SharedSlice<Line<'static>> {
    let line = |text: &str| new_line(LineKind::Add, text.to_owned());
    if context <= LEAST {
        return text.lines().map(line).collect();
    }
    text.split_terminator('\n').map(line).collect()
}

fn chunks(before: &[u8], after: &[u8], attempt: Attempt) -> Result<Vec<Chunk<'static>>, What> {
    if before == after {
        return Ok(Vec::new());
    }
    let document = |bytes: &[u8]| Document::new(Bytes::copy_from_slice(bytes));
    let (before, after) = (document(before), document(after));
    let Attempt { context, slid } = attempt;
    let told = if context <= LEAST { unique_context::chunks(&before, &after, slid)? } else { None };
    told.map_or_else(|| unique_context::even_chunks(&before, &after, context), Ok)
}

fn new_line(kind: LineKind, text: String) -> Line<'static> {
    Line { number: None, kind, text: Cow::Owned(text), signed: true }
}
