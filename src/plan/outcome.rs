//! What a replacement makes of a file.

use super::ending::finish;
use crate::locate::{Drift, Placement};
use crate::patch::FinalNewline;
use crate::text::{Document, Replacement, apply_replacements};

/// What a replacement makes of a file.
pub(super) struct Replaced {
    pub(super) made: Made,
    pub(super) placements: Vec<Placement>,
    /// How many positions of the old text were replaced. Several positions within a line are a single placement.
    pub(super) places: usize,
}

/// The file that a replacement makes.
pub(super) enum Made {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The document with lines replaced, and another end if that is given.
    Lines { replacements: Vec<Replacement<'static>>, ending: Option<FinalNewline> },
}

impl Made {
    pub(super) fn bytes(&self, document: &Document) -> Vec<u8> {
        match self {
            Made::Bytes(bytes) => bytes.clone(),
            Made::Lines { replacements, ending } => {
                let mut bytes = apply_replacements(document, replacements);
                if let Some(ending) = ending {
                    finish(document, &mut bytes, *ending);
                }
                bytes
            }
        }
    }
}

impl Replaced {
    /// Returns the replacement that was made before, and whose result is at a line.
    pub(super) fn already_applied(start: usize) -> Self {
        let made = Made::Lines { replacements: Vec::new(), ending: None };
        Replaced { made, placements: vec![already_applied(start)], places: 0 }
    }

    /// Adds the lines at which the result is there already, in the order of the file, to the placements.
    pub(super) fn add_made(&mut self, lines: impl Iterator<Item = usize>) {
        let is_changed = |line: &usize| {
            let above = self.placements.partition_point(|placement| placement.start <= *line);
            let last = above.checked_sub(1).map(|last| &self.placements[last]);
            last.is_some_and(|last| *line < last.start + last.removed)
        };
        let mut lines: Vec<usize> = lines.filter(|line| !is_changed(line)).collect();
        lines.dedup();
        self.placements.extend(lines.into_iter().map(already_applied));
        self.placements.sort_by_key(|placement| placement.start);
    }
}

/// Returns the placement of an edit, or of a position of an edit, whose result is at a line.
pub(super) fn already_applied(start: usize) -> Placement {
    Placement { start, drift: vec![Drift::AlreadyApplied], ..Placement::default() }
}
