//! Applies several old/new edits of the same file.
//!
//! All edits are matched against the file before the patch, and made together, unless an edit depends on another: so an
//! edit never matches text that another edit wrote while its text is in the file. An edit without a position in the
//! file, or with a line that an earlier edit changes, is matched against the result of the previous edits, and so are
//! all later edits. An edit of every position also covers the text that previous edits wrote.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use std::num::NonZeroUsize;

use super::line_breaks::with_line_break_of;
use super::literal::{Borders, Source};
use super::made_by_other::{self, PlacedEdit};
use super::made_texts;
use super::new_text::{self, NewText};
use super::outcome::{Made, Replaced, already_applied};
use super::replace::{Asked, line_feeds, replaced};
use super::same_text::SameText;
use super::{ChunkReport, FailureKind, Options, Replace};
use crate::locate::{Drift, Miss, Placement, Reason};
use crate::patch::{Dialect, FinalNewline, Target, TextEdit};
use crate::text::{self, Document, Replacement};

/// Returns the result of each edit and the new bytes of the file; or why some edits have no position.
pub(super) fn replaced_in_turn(
    document: &Document,
    path: &str,
    edits: &[TextEdit<'_>],
    options: &Options,
) -> Result<(Vec<ChunkReport>, Vec<u8>), Vec<FailureKind>> {
    let mut stage = Stage { first: true, ..Stage::new(document.clone()) };
    let (mut all, mut failures) = (Vec::new(), Vec::new());
    let same = SameText::of(edits);
    let made = already_made(&stage.source, edits, &same);
    for (nth, edit) in edits.iter().enumerate() {
        let placed = match made.get(&nth) {
            Some(start) => Ok(vec![already_applied(*start)]),
            None if same.is_changed_before(edits, nth) => Err(overlaps(&stage.source, edit)),
            None => stage
                .make(edit, &|| made_by_other::moves(edits, nth), options)
                .and_then(|placements| unmarked(&stage.source.document, path, edit, placements, options)),
        };
        match placed {
            Ok(placements) => all.push(PlacedEdit { nth, edit, placements }),
            Err(kind) => failures.push(of_edit(kind, nth, edits.len(), edit.number)),
        }
    }
    for (nth, miss) in made_by_other::misses(document, &all) {
        failures.push(of_edit(refused(miss), nth, edits.len(), edits[nth].number));
    }
    let reports = all.into_iter().flat_map(|PlacedEdit { edit, placements, .. }| {
        placements.into_iter().map(|placement| ChunkReport { number: edit.number, placement })
    });
    if failures.is_empty() { Ok((reports.collect(), stage.bytes())) } else { Err(failures) }
}

fn refused(miss: Miss) -> FailureKind {
    FailureKind::Chunk { nth: 0, of: 1, number: None, miss: Box::new(miss) }
}

/// Refuses an edit whose new text is not what the file is to have.
fn unmarked(
    document: &Document,
    path: &str,
    edit: &TextEdit<'_>,
    placements: Vec<Placement>,
    options: &Options,
) -> Result<Vec<Placement>, FailureKind> {
    let lines = NewText::of_texts(&edit.old, &edit.new);
    new_text::check(document, path, lines.as_ref(), &placements, options).map_err(refused)?;
    Ok(placements)
}

/// Returns the edits that add lines beside the same text and were all made, each with the line of the result, 0-based.
fn already_made(source: &Source, edits: &[TextEdit<'_>], same: &SameText<'_>) -> HashMap<usize, usize> {
    let groups = same.additions(edits).into_iter();
    let made = groups.filter_map(|(group, whole)| Some((group, stands_already(&whole, source)?)));
    made.flat_map(|(group, start)| group.into_iter().map(move |nth| (nth, start))).collect()
}

/// Returns the failure of an edit of a text that an earlier edit changes otherwise.
fn overlaps(source: &Source, edit: &TextEdit<'_>) -> FailureKind {
    let text = source.normal();
    let (old, new) = (line_feeds(&edit.old), line_feeds(&edit.new));
    let start = text.matches(&old, Borders::of(&old, &new), false).first().copied();
    let line = start.map_or(0, |start| text.line_at(start));
    refused(Miss::new(Reason::Overlap { line }, &source.document, &[]))
}

fn of_edit(kind: FailureKind, nth: usize, of: usize, number: Option<NonZeroUsize>) -> FailureKind {
    match kind {
        FailureKind::Chunk { miss, .. } => FailureKind::Chunk { nth, of, number, miss },
        other => other,
    }
}

/// A document, and the edits that are applied to the document together.
struct Stage {
    source: Source,
    /// By the first line, without overlaps; replacements at the same line in the order of the edits.
    replacements: BTreeMap<(usize, usize), Replacement<'static>>,
    ending: Option<FinalNewline>,
    /// Whether the document is the file before the patch.
    first: bool,
    /// The result of the edits so far, as soon as an edit was matched against that.
    result: Option<Box<Stage>>,
}

impl Stage {
    fn new(document: Document) -> Self {
        Stage {
            source: Source::new(document),
            replacements: BTreeMap::new(),
            ending: None,
            first: false,
            result: None,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let replacements = self.replacements.values().cloned().collect();
        Made::Lines { replacements, ending: self.ending }.bytes(&self.source.document)
    }

    /// Checks whether a replacement touches the replacement of an earlier edit.
    fn is_touched(&self, new: &Replacement<'_>) -> bool {
        // Earlier replacements do not overlap, so their ends ascend, too.
        let above = self.replacements.range(..=(new.end(), usize::MAX)).rev();
        above.map(|(_, old)| old).take_while(|old| old.end() >= new.start).any(|old| overlap(old, new))
    }

    /// Checks whether an earlier edit changes the line that is the result of an edit that was made before.
    fn changes_result(&self, replaced: &Replaced) -> bool {
        let is_made = |placement: &&Placement| placement.drift.contains(&Drift::AlreadyApplied);
        let above = |line: usize| self.replacements.range(..=(line, usize::MAX)).next_back();
        let changes = |line: usize| above(line).is_some_and(|(_, earlier)| earlier.end() > line);
        replaced.placements.iter().filter(is_made).any(|placement| changes(placement.start))
    }

    /// Applies an edit to this document, or else to the result of the edits so far.
    fn make(
        &mut self,
        edit: &TextEdit<'_>,
        moves: &dyn Fn() -> bool,
        options: &Options,
    ) -> Result<Vec<Placement>, FailureKind> {
        if let Target::AfterLine(line) = edit.target {
            return self.insert(line, &line_feeds(&edit.new));
        }
        let has_result = !self.replacements.is_empty() || self.ending.is_some();
        let mut is_found = true;
        if self.replacements.is_empty() || !edit.target.is_every() {
            // A failure here is reported only if the edit has no position in the result either.
            let here = if has_result {
                self.source.trial(|source| sought(edit, moves, source, options))
            } else {
                sought(edit, moves, &self.source, options)
            };
            match here {
                Ok(replaced) if self.changes_result(&replaced) => {}
                Ok(replaced) => {
                    if let Ok(placements) = self.take(replaced) {
                        return Ok(placements);
                    }
                }
                Err(failure) if !has_result => return Err(failure),
                Err(_) => is_found = false,
            }
        }
        self.make_in_result(edit, moves, is_found, options)
    }

    /// Applies an edit to the result of the edits so far. `is_found` means that the edit has a position in this document.
    fn make_in_result(
        &mut self,
        edit: &TextEdit<'_>,
        moves: &dyn Fn() -> bool,
        is_found: bool,
        options: &Options,
    ) -> Result<Vec<Placement>, FailureKind> {
        let failure = |source: &Source| sought(edit, moves, source, options).err();
        let Some(mut next) = self.result() else {
            let failure = if is_found { None } else { failure(&self.source) };
            return failure.map_or_else(|| Ok(Vec::new()), Err);
        };
        let there = if is_found {
            sought(edit, moves, &next.source, options)
        } else {
            next.source.trial(|source| sought(edit, moves, source, options))
        };
        match there {
            Ok(replaced) => {
                let placements = next.take(replaced).unwrap_or_default();
                *self = *next;
                Ok(placements)
            }
            Err(other) => {
                self.result = Some(next);
                Err(if is_found { other } else { failure(&self.source).unwrap_or(other) })
            }
        }
    }

    /// Takes the result of the edits so far; `None` if the edits change nothing.
    fn result(&mut self) -> Option<Box<Stage>> {
        if self.replacements.is_empty() && self.ending.is_none() {
            return None;
        }
        self.result.take().or_else(|| {
            let before = &self.source.document;
            let after = match self.ending {
                Some(_) => Document::from(self.bytes()),
                None => text::replaced(before, &self.replacements.values().cloned().collect::<Vec<_>>()),
            };
            (after.bytes() != before.bytes()).then(|| Box::new(Stage::new(after)))
        })
    }

    /// Inserts a text behind a line, 1-based. The number counts lines of the file before the patch, so an earlier edit
    /// must not have added or removed lines above.
    fn insert(&mut self, line: usize, text: &str) -> Result<Vec<Placement>, FailureKind> {
        let document = &self.source.document;
        let lines = document.len();
        let mut above = self.replacements.range(..(line, 0)).map(|(_, made)| made);
        if !self.first || above.any(|made| made.lines.len() != made.removed) {
            return Err(FailureKind::LineMoved { line });
        }
        if line > lines {
            return Err(FailureKind::NoSuchLine { line, lines });
        }
        let added: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
        let is_there = |(nth, text): (usize, &&str)| document.text(line + nth) == Some(*text);
        let is_blank = added.iter().all(|line| line.trim().is_empty());
        if !is_blank && line + added.len() <= lines && added.iter().enumerate().all(is_there) {
            return Ok(vec![already_applied(line)]);
        }
        let ends = if text.ends_with('\n') { FinalNewline::Present } else { FinalNewline::Kept };
        let count = added.len();
        let lines_owned = added.into_iter().map(|line| Cow::Owned(line.to_owned())).collect();
        let replacement = Replacement { start: line, removed: 0, lines: lines_owned };
        let made = Made::Lines { replacements: vec![replacement], ending: (line == lines).then_some(ends) };
        let placement = Placement { start: line, added: count, ..Placement::default() };
        let replaced = Replaced { made, placements: vec![placement], places: 1 };
        self.take(replaced).map_err(|_| FailureKind::LineMoved { line })
    }

    /// Adds the replacements of an edit; returns them as `Err` if they touch the replacements of another edit.
    fn take(&mut self, replaced: Replaced) -> Result<Vec<Placement>, Replaced> {
        let Replaced { made, mut placements, places } = replaced;
        match made {
            Made::Lines { replacements, ending } => {
                if replacements.iter().any(|new| self.is_touched(new)) {
                    return Err(Replaced { made: Made::Lines { replacements, ending }, placements, places });
                }
                self.result = None;
                for replacement in replacements {
                    self.replacements.insert((replacement.start, self.replacements.len()), replacement);
                }
                self.ending = ending.or(self.ending);
            }
            Made::Bytes(bytes) => {
                self.result = None;
                self.source = Source::new(Document::new(bytes.into()));
                self.first = false;
            }
        }
        if !self.first {
            for placement in &mut placements {
                placement.drift.push(Drift::AfterEarlier);
            }
        }
        Ok(placements)
    }
}

/// Returns whether two replacements touch the same line, or either adds lines where the second begins.
fn overlap(a: &Replacement<'_>, b: &Replacement<'_>) -> bool {
    let adds = a.removed == 0 || b.removed == 0;
    a.start < b.end() && b.start < a.end() || adds && a.start <= b.end() && b.start <= a.end()
}

fn sought(
    edit: &TextEdit<'_>,
    moves: &dyn Fn() -> bool,
    source: &Source,
    options: &Options,
) -> Result<Replaced, FailureKind> {
    if edit.old.trim().is_empty() {
        return Err(FailureKind::EmptyOld);
    }
    if let Some(start) = stands_already(edit, source) {
        return Ok(Replaced::already_applied(start));
    }
    let new = with_line_break_of(&line_feeds(&edit.old), line_feeds(&edit.new), source.normal());
    let request = Replace { path: "", old: &edit.old, new: &new, all: edit.target.is_every() };
    let replaced = replaced(&request, source, options, Asked { dialect: Dialect::Texts, moves })?;
    match edit.target {
        Target::Exactly(expected) if replaced.places != expected => {
            Err(FailureKind::WrongCount { expected, found: replaced.places })
        }
        _ => Ok(replaced),
    }
}

/// Returns the first line, 0-based, of the result of an edit that was already applied.
fn stands_already(edit: &TextEdit<'_>, source: &Source) -> Option<usize> {
    let (old, text) = (line_feeds(&edit.old), source.normal());
    made_texts::stands_already(text, &old, &with_line_break_of(&old, line_feeds(&edit.new), text))
}
