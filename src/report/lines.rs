//! Lines that all words have in common: of a file, of what is noted of it, of what differed in a chunk.

use std::fmt::{self, Display, Formatter};

use crate::locate::Drift;
use crate::plan::{ChunkReport, HunkKind, HunkReport};
use crate::text::shown;

/// `M src/lib.rs +3 -1`
pub(super) struct FileLine<'h>(pub(super) &'h HunkReport);

impl Display for FileLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let hunk = self.0;
        let letter = match hunk.kind {
            HunkKind::Add => 'A',
            HunkKind::Update => 'M',
            HunkKind::Delete => 'D',
            HunkKind::Move => 'R',
            HunkKind::Copy => 'C',
        };
        write!(f, "{letter} {}", shown(hunk.path.as_str()))?;
        if let Some(target) = &hunk.moved_to {
            write!(f, " -> {}", shown(target.as_str()))?;
        }
        write!(f, " +{} -{}", hunk.added, hunk.removed)
    }
}

/// What is to be said of a hunk besides its chunks: how its names were read, and what its file is besides its lines.
pub(super) fn notes(hunk: &HunkReport) -> impl Iterator<Item = String> {
    let names = hunk.names.iter().map(ToString::to_string);
    names.chain(hunk.properties.sentences().map(str::to_owned))
}

/// What differed in a chunk, on one line.
pub(super) fn drift(nth: usize, chunk: &ChunkReport) -> String {
    let ChunkReport { number, placement } = chunk;
    let what = match number {
        None => format!("place {}", nth + 1),
        Some(number) => format!("chunk {} (patch line {number})", nth + 1),
    };
    let nowhere = placement.drift.contains(&Drift::AnchorMissing);
    let line = if nowhere { String::new() } else { format!(" at line {}", placement.start + 1) };
    let drift: Vec<String> = placement.drift.iter().map(ToString::to_string).collect();
    format!("    {what}{line}: {}", drift.join("; "))
}
