//! A patch that outlives its text.

use std::borrow::Cow;

use crate::patch::{Action, Chunk, Header, Hunk, Line, MoveTo, Patch, SharedSlice, TextEdit};

pub(super) fn text(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

pub(super) fn line(Line { number, kind, text: own, signed }: Line<'_>) -> Line<'static> {
    Line { number, kind, text: text(own), signed }
}

pub(super) fn header(Header { number, text: own }: Header<'_>) -> Header<'static> {
    Header { number, text: text(own) }
}

pub(super) fn move_to(MoveTo { number, path }: MoveTo<'_>) -> MoveTo<'static> {
    MoveTo { number, path: text(path) }
}

pub(super) fn hunk(Hunk { number, dialect, path, action: own, properties }: Hunk<'_>) -> Hunk<'static> {
    Hunk { number, dialect, path: text(path), action: action(own), properties }
}

fn lines(lines: SharedSlice<Line<'_>>) -> SharedSlice<Line<'static>> {
    lines.into_vec().into_iter().map(line).collect()
}

fn chunk(chunk: Chunk<'_>) -> Chunk<'static> {
    Chunk {
        number: chunk.number,
        headers: chunk.headers.into_vec().into_iter().map(header).collect(),
        lines: lines(chunk.lines),
        end_of_file: chunk.end_of_file,
    }
}

fn text_edit(TextEdit { number, old, new, target }: TextEdit<'_>) -> TextEdit<'static> {
    TextEdit { number, old: text(old), new: text(new), target }
}

fn own_chunks(chunks: Vec<Chunk<'_>>) -> Vec<Chunk<'static>> {
    chunks.into_iter().map(chunk).collect()
}

fn action(action: Action<'_>) -> Action<'static> {
    match action {
        Action::Add(body) => Action::Add(lines(body)),
        Action::Delete => Action::Delete,
        Action::Update { move_to: target, chunks } => {
            Action::Update { move_to: target.map(move_to), chunks: own_chunks(chunks) }
        }
        Action::Replace(edits) => Action::Replace(edits.into_iter().map(text_edit).collect()),
        Action::DeleteQuoted(chunks) => Action::DeleteQuoted(own_chunks(chunks)),
        Action::Copy { to, chunks } => Action::Copy { to: move_to(to), chunks: own_chunks(chunks) },
    }
}

impl Patch<'_> {
    /// Returns the patch with an owned copy of every text.
    pub fn into_owned(self) -> Patch<'static> {
        Patch {
            environment: self.environment.map(text),
            hunks: self.hunks.into_iter().map(hunk).collect(),
            check_only: self.check_only,
        }
    }
}
