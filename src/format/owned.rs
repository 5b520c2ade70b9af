//! A patch that outlives its text.

use std::borrow::Cow;

use crate::patch::{Action, Chunk, Header, Hunk, Line, MoveTo, Patch};

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

fn lines(lines: Vec<Line<'_>>) -> Vec<Line<'static>> {
    let own = |Line { number, kind, text, signed }| Line { number, kind, text: owned(text), signed };
    lines.into_iter().map(own).collect()
}

fn chunk(chunk: Chunk<'_>) -> Chunk<'static> {
    let header = |Header { number, text }| Header { number, text: owned(text) };
    Chunk {
        number: chunk.number,
        headers: chunk.headers.into_iter().map(header).collect(),
        lines: lines(chunk.lines),
        end_of_file: chunk.end_of_file,
    }
}

fn action(action: Action<'_>) -> Action<'static> {
    match action {
        Action::Add(body) => Action::Add(lines(body)),
        Action::Delete => Action::Delete,
        Action::Update { move_to, chunks } => Action::Update {
            move_to: move_to.map(|MoveTo { number, path }| MoveTo { number, path: owned(path) }),
            chunks: chunks.into_iter().map(chunk).collect(),
        },
    }
}

impl Patch<'_> {
    /// The same patch, with its own copy of every text.
    pub fn into_owned(self) -> Patch<'static> {
        let hunk =
            |Hunk { number, path, action: act }| Hunk { number, path: owned(path), action: action(act) };
        Patch { environment: self.environment.map(owned), hunks: self.hunks.into_iter().map(hunk).collect() }
    }
}
