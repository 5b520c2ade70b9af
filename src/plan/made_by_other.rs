//! Edits that were probably made before, because another edit of the patch was: the old text is the result of the other edit, or the file
//! has the results of all edits, and a similar block has the old text.

use std::ops::Range;

use super::literal::{Borders, Normal, Source};
use super::part::UNMISTAKABLE;
use super::replace::line_feeds;
use crate::locate::{Doubt, Drift, Miss, Placement, Reason, letters};
use crate::patch::edit::Edit;
use crate::patch::{LineKind, Target, TextEdit};
use crate::text::Document;

/// From how many lines with letters on a new text is not in a file by chance: a block of short statements.
const TELLING_LINES: usize = 3;

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

/// Returns the edits that were probably made together with other edits of the patch: an edit would change a line that another edit
/// wrote, or the file has the results of all edits.
pub(super) fn misses(document: &Document, placed: &[PlacedEdit<'_>]) -> Vec<(usize, Miss)> {
    let (made, open): (Vec<_>, Vec<_>) = placed.iter().partition(|edit| edit.is_made());
    if made.is_empty() || open.is_empty() {
        return Vec::new();
    }
    let made: Vec<Written> = made.into_iter().map(Written::of).collect();
    let results = results(&Source::new(document.clone()), &open);
    let miss = |(nth, edit): (usize, &&PlacedEdit<'_>)| {
        let changed = changed_result(document, edit, &made).map(|line| (line..line + 1, Some(line)));
        let result = || results.get(nth).filter(|_| is_telling(edit.edit));
        let (place, line) = changed.or_else(|| Some((result()?.clone(), None)))?;
        let reason = Reason::Doubt { place, line, doubt: Doubt::LooksApplied };
        Some((edit.nth, Miss::new(reason, document, &[])))
    };
    let is_of_file = |(_, edit): &(usize, &&PlacedEdit<'_>)| !edit.has_all(&Drift::AfterEarlier);
    open.iter().enumerate().filter(is_of_file).filter_map(miss).collect()
}

/// Checks whether an edit only adds lines, and another edit removes them: the lines are moved.
pub(super) fn moves(edits: &[TextEdit<'_>], nth: usize) -> bool {
    let Lines { removed, added } = Lines::of(&edits[nth]);
    let Some(first) = added.first().filter(|_| removed.is_empty()) else { return false };
    let mut others =
        edits.iter().enumerate().filter(|(other, edit)| *other != nth && edit.old.contains(first));
    others.any(|(_, edit)| {
        let removed = Lines::of(edit).removed;
        added.iter().all(|line| removed.contains(line))
    })
}

/// Returns the lines of the result of each edit. Returns nothing if an edit has no result apart from its position, because then not all
/// edits were made.
fn results(source: &Source, open: &[&PlacedEdit<'_>]) -> Vec<Range<usize>> {
    let results: Option<_> = open.iter().map(|edit| result_elsewhere(source.normal(), edit)).collect();
    results.unwrap_or_default()
}

/// Returns the lines of the file that have the whole new text of an edit, apart from its position. `None` if there are none.
fn result_elsewhere(text: &Normal, edit: &PlacedEdit<'_>) -> Option<Range<usize>> {
    let (old, new) = (line_feeds(&edit.edit.old), line_feeds(&edit.edit.new));
    let len = old.lines().count().max(1);
    let quoted = |placement: &Placement| placement.start..placement.start + len;
    let lines = |at: usize| text.line_at(at)..text.line_at(at + new.len() - 1) + 1;
    // Of an edit of several positions, which may have the result at some positions, any result counts.
    let only = edit.placements.first().filter(|_| matches!(edit.edit.target, Target::Only)).map(quoted);
    let is_apart = |lines: &Range<usize>| {
        only.as_ref().is_none_or(|quoted| lines.end <= quoted.start || quoted.end <= lines.start)
    };
    let found = if new.is_empty() { Vec::new() } else { text.matches(&new, Borders::of(&old, &new), true) };
    found.into_iter().map(lines).find(is_apart)
}

/// Checks whether a file does not have the new text of an edit by chance.
fn is_telling(edit: &TextEdit<'_>) -> bool {
    let filled = edit.new.lines().filter(|line| letters(line) > 0).count();
    matches!(edit.target, Target::Only) && (letters(&edit.new) >= UNMISTAKABLE || filled >= TELLING_LINES)
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
