//! Events of a stream as JSON. The names of fields are those of the report.

use std::num::NonZeroUsize;

use apply_patch::format::Event;
use apply_patch::patch::{Action, Hunk, LineKind, TextEdit};
use serde::Serialize;
use serde_json::Value;

/// An event.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum JsonEvent<'e> {
    /// What follows `*** Environment ID:`.
    Environment { text: &'e str },
    /// A hunk begins.
    Hunk {
        kind: &'static str,
        path: &'e str,
        moved_to: Option<&'e str>,
        patch_line: usize,
        edits: Vec<JsonEdit<'e>>,
    },
    /// The new name of the open hunk's file.
    Moved { path: &'e str, patch_line: usize },
    /// A chunk of the open hunk begins.
    Chunk { patch_line: usize },
    /// A `@@ text` line of the open chunk.
    Header { text: &'e str, patch_line: usize },
    /// A line of the open chunk, or of a new file.
    Line { kind: &'static str, text: &'e str, patch_line: usize },
    /// The open chunk is complete.
    ChunkEnd { end_of_file: bool },
    /// The open chunk has no lines and does not count.
    ChunkDropped,
    /// The open hunk is complete.
    HunkEnd,
    /// The text asks for a dry run.
    CheckOnly,
    /// A call was read to its end.
    Call { id: Option<Value>, tool: Option<&'e str>, patch_line: usize },
    /// Something that the grammar does not allow was read all the same.
    Repair { code: &'static str, first: usize, last: usize, message: String },
    /// Something keeps the text from being a patch.
    Error {
        code: &'static str,
        first: usize,
        last: usize,
        found: &'e str,
        expected: &'e str,
        message: String,
    },
}

/// An old text and the text that replaces the old one.
#[derive(Debug, Serialize)]
pub struct JsonEdit<'e> {
    old: &'e str,
    new: &'e str,
    patch_line: usize,
}

/// Returns an event as JSON has it; `None` for an event of a later version of the library.
pub fn json<'e>(event: &'e Event<'_>) -> Option<JsonEvent<'e>> {
    Some(match event {
        Event::Environment(text) => JsonEvent::Environment { text },
        Event::HunkBegun(hunk) => begun(hunk),
        Event::MovedTo(target) => JsonEvent::Moved { path: &target.path, patch_line: line(target.number) },
        Event::ChunkBegun { number } => JsonEvent::Chunk { patch_line: line(*number) },
        Event::Header(header) => JsonEvent::Header { text: &header.text, patch_line: line(header.number) },
        Event::Line(of) => {
            JsonEvent::Line { kind: kind(of.kind), text: &of.text, patch_line: line(of.number) }
        }
        Event::ChunkEnded { end_of_file } => JsonEvent::ChunkEnd { end_of_file: *end_of_file },
        Event::ChunkDropped => JsonEvent::ChunkDropped,
        Event::HunkEnded => JsonEvent::HunkEnd,
        Event::CheckOnly => JsonEvent::CheckOnly,
        Event::Call(call) => {
            // In JavaScript a number has 64 bits.
            let id = call.id.as_deref().and_then(|id| serde_json::from_str(id).ok());
            JsonEvent::Call { id, tool: call.tool.as_deref(), patch_line: call.number }
        }
        Event::Repaired(repair) => JsonEvent::Repair {
            code: repair.code(),
            first: repair.span.first,
            last: repair.span.last,
            message: repair.message(),
        },
        Event::Error(error) => JsonEvent::Error {
            code: error.code(),
            first: error.span.first,
            last: error.span.last,
            found: &error.found,
            expected: error.expected(),
            message: error.message(),
        },
        _ => return None,
    })
}

fn begun<'e>(hunk: &'e Hunk<'_>) -> JsonEvent<'e> {
    let (kind, moved_to, edits): (_, _, &[TextEdit<'_>]) = match &hunk.action {
        Action::Add(_) => ("add", None, &[]),
        Action::Delete | Action::DeleteQuoted(_) => ("delete", None, &[]),
        Action::Copy { to, .. } => ("copy", Some(&*to.path), &[]),
        Action::Replace(edits) => ("update", None, edits),
        Action::Update { move_to, .. } => ("update", move_to.as_ref().map(|to| &*to.path), &[]),
        // An action of a later version of the library.
        _ => ("update", None, &[]),
    };
    let edits =
        edits.iter().map(|edit| JsonEdit { old: &edit.old, new: &edit.new, patch_line: line(edit.number) });
    JsonEvent::Hunk {
        kind,
        path: &hunk.path,
        moved_to,
        patch_line: line(hunk.number),
        edits: edits.collect(),
    }
}

fn kind(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Context => "context",
        LineKind::Remove => "remove",
        LineKind::Add => "add",
    }
}

/// Returns a line number as the report has it: 0 for "none".
fn line(number: Option<NonZeroUsize>) -> usize {
    number.map_or(0, NonZeroUsize::get)
}
