//! Edits whose old text is the result of another edit of the patch that was made before: the whole patch may have been made.

use super::replace::line_feeds;
use crate::locate::{Doubt, Drift, Miss, Placement, Reason};
use crate::patch::edit::Edit;
use crate::patch::{LineKind, TextEdit};
use crate::text::Document;

/// An edit of a file and where its text is.
pub(super) struct PlacedEdit<'e> {
    pub(super) nth: usize,
    pub(super) edit: &'e TextEdit<'e>,
    pub(super) placements: Vec<Placement>,
}

impl PlacedEdit<'_> {
    fn is_made(&self) -> bool {
        !self.placements.is_empty() && self.has_all(&Drift::AlreadyApplied)
    }

    fn has_all(&self, drift: &Drift) -> bool {
        self.placements.iter().all(|placement| placement.drift.contains(drift))
    }
}

/// Returns the edits that would change a line that another edit wrote when it was made before, while their results are in the file
/// as well.
pub(super) fn misses(document: &Document, placed: &[PlacedEdit<'_>]) -> Vec<(usize, Miss)> {
    let made: Vec<Written> = placed.iter().filter(|other| other.is_made()).map(Written::of).collect();
    let open = placed.iter().filter(|edit| !made.is_empty() && !edit.is_made());
    let miss = |edit: &PlacedEdit<'_>| {
        let line = changed_result(document, edit, &made)?;
        let doubt = Doubt::LooksApplied;
        let reason = Reason::Doubt { place: line..line + 1, line: Some(line), doubt };
        Some((edit.nth, Miss::new(reason, document, &[])))
    };
    open.filter(|edit| !edit.has_all(&Drift::AfterEarlier)).filter_map(miss).collect()
}

/// The lines that an edit added when it was made.
struct Written {
    starts: Vec<usize>,
    /// How many lines the new text has.
    len: usize,
    added: Vec<String>,
}

impl Written {
    fn of(placed: &PlacedEdit<'_>) -> Self {
        let lines = Lines::of(placed.edit);
        let starts = placed.placements.iter().map(|placement| placement.start).collect();
        Written { starts, len: line_feeds(&placed.edit.new).lines().count(), added: lines.added }
    }

    /// Checks whether a line of the file is one of the added lines, or has one as a part.
    fn wrote(&self, line: usize, text: &str) -> bool {
        let is_near = |start: &usize| *start <= line + 1 && line <= start + self.len;
        self.starts.iter().any(is_near) && self.added.iter().any(|added| text.contains(added.as_str()))
    }

    fn is_part(&self, text: &str) -> bool {
        self.added.iter().any(|added| added.contains(text) || text.contains(added.as_str()))
    }
}

/// The lines that an edit removes and adds, without the whitespace at their ends.
struct Lines {
    removed: Vec<String>,
    added: Vec<String>,
}

impl Lines {
    fn of(edit: &TextEdit<'_>) -> Self {
        let (old, new) = (line_feeds(&edit.old), line_feeds(&edit.new));
        let diff = Edit::diff(&old, &new);
        let of = |kind: LineKind| {
            let lines = diff.lines.iter().filter(|line| line.kind == kind);
            lines.map(|line| line.text.trim()).filter(|text| !text.is_empty()).map(str::to_owned).collect()
        };
        Lines { removed: of(LineKind::Remove), added: of(LineKind::Add) }
    }
}

/// Returns the line that an edit removes and another edit wrote, if all lines that the edit adds are in the file.
fn changed_result(document: &Document, edit: &PlacedEdit<'_>, made: &[Written]) -> Option<usize> {
    let lines = Lines::of(edit.edit);
    let len = line_feeds(&edit.edit.old).lines().count();
    let quoted = edit.placements.iter().flat_map(|placement| placement.start..placement.start + len.max(1));
    let is_written = |line: &usize| {
        let text = document.text(*line).unwrap_or_default();
        let removed = lines.removed.iter().filter(|removed| text.contains(removed.as_str()));
        let removed: Vec<&String> = removed.collect();
        made.iter().any(|other| other.wrote(*line, text) && removed.iter().any(|text| other.is_part(text)))
    };
    let line = quoted.into_iter().find(is_written)?;
    let is_there =
        |added: &String| document.lines().any(|line| memchr::memmem::find(line, added.as_bytes()).is_some());
    lines.added.iter().all(is_there).then_some(line)
}
