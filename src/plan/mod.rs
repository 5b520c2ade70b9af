//! Plans a patch: patch + files → changes.
//!
//! [`plan`] reads through a [`Files`] and writes nothing, so the plan *is* the dry run and the preview. Hunks are
//! planned over an overlay: a later hunk sees the changes of an earlier hunk. **Every** failure of a patch is
//! collected, not only the first. The result is a [`Plan`]: for each path the precondition and the new state
//! ([`Change`]), and for each hunk the positions of its chunks ([`HunkReport`]).

mod change;
mod diff;
mod digest;
mod encoding;
mod ending;
mod expected_hash;
#[cfg(feature = "cli")]
mod explain;
mod failure;
mod files;
mod line_breaks;
mod line_runs;
mod literal;
mod made_by_other;
mod made_texts;
mod name_note;
mod named;
mod names;
mod new_text;
mod outcome;
mod overlay;
mod part;
mod part_lines;
#[cfg(feature = "internals")]
pub mod path;
#[cfg(not(feature = "internals"))]
pub(crate) mod path;
mod placed;
mod planner;
mod precondition;
mod regions;
mod replace;
mod same_text;
mod sections;
mod signs;
mod similar;
mod text_edits;
mod types;
mod update;

use camino::Utf8Path;

pub use self::change::Change;
pub use self::digest::Digest;
#[cfg(feature = "cli")]
pub(crate) use self::explain::{HunkExplanation, explain};
pub use self::failure::{Failure, Failures};
pub use self::files::{Files, Found, Node, ReadError};
pub use self::named::paths;
use self::names::Name;
use self::overlay::{File, MayReplace, Place};
use self::placed::PlacedChunks;
use self::planner::{Planner, both, one, report};
use self::sections::Section;
pub use self::types::{HunkKind, HunkReport, Options, Plan};
pub use crate::locate::{Ambiguity, Level};
use crate::parallel;
use crate::patch::{Action, Chunk, FinalNewline, Hunk, Line, MoveTo, Patch, TextEdit};
use crate::text::Document;

/// What the rest of the crate uses beyond the API; public with the feature `internals`.
#[cfg_attr(not(feature = "internals"), allow(unused_imports, reason = "only the tests use some"))]
mod internals {
    pub use super::change::{After, Content};
    pub use super::diff::{DiffBody, FileDiff, LineHunk};
    pub use super::expected_hash::Pinned;
    pub use super::failure::{Earlier, FailureKind, NotAFile};
    pub use super::line_runs::LineRun;
    pub use super::name_note::NameNote;
    pub use super::precondition::Precondition;
    pub use super::replace::{Replace, replace};
    pub use super::types::{ChunkReport, Exactness};
    pub use crate::locate::{
        ActualLine, Alternative, Candidate, CandidateRow, ChangedLine, Difference, Doubt, Drift,
        LinesInDocument, Matching, Miss, NearLine, Nearest, Placement, QuotedLine, Reason, TellingLine, Tier,
    };
}
#[cfg(not(feature = "internals"))]
pub(crate) use self::internals::*;
#[cfg(feature = "internals")]
pub use self::internals::*;

/// Plans a patch.
///
/// # Errors
/// Everything that keeps any hunk from being carried out.
///
/// ```
/// use std::collections::BTreeMap;
/// use apply_patch::format::{Options as Reading, parse};
/// use apply_patch::plan::{Options, plan};
///
/// let files = BTreeMap::from([("a.txt".into(), b"one\ntwo\n".to_vec())]);
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
/// let parsed = parse(text, &Reading::default());
/// let plan = plan(&parsed.patch, &files, &Options::default()).unwrap();
/// assert_eq!(plan.changes[0].path, "a.txt");
/// assert_eq!((plan.hunks[0].added, plan.hunks[0].removed), (1, 1));
/// ```
pub fn plan(patch: &Patch<'_>, files: &dyn Files, options: &Options) -> Result<Plan, Failures> {
    let mut planner = Planner::new(patch, files, options);
    parallel::within(options.threads, || {
        patch.hunks.iter().enumerate().for_each(|(nth, hunk)| planner.hunk(nth, hunk));
        planner.flush();
    });
    let Planner { overlay, failures, reports, .. } = planner;
    if failures.is_empty() {
        Ok(Plan { changes: overlay.into_changes(), hunks: reports })
    } else {
        Err(Failures { failures, placed: reports })
    }
}

impl<'f> Planner<'f> {
    fn hunk(&mut self, nth: usize, hunk: &'f Hunk<'f>) {
        if !matches!(hunk.action, Action::Update { move_to: None, .. }) {
            self.flush();
        }
        let report = match &hunk.action {
            Action::Add(lines) => self.add(hunk, lines),
            Action::Delete => self.delete(hunk),
            Action::DeleteQuoted(chunks) => self.delete_quoted(hunk, chunks),
            Action::Replace(edits) => self.replace(hunk, edits),
            Action::Copy { to, chunks } => self.copy(hunk, to, chunks),
            Action::Update { move_to: Some(to), chunks } => self.relocate(hunk, to, chunks),
            Action::Update { move_to: None, chunks } => {
                return self.queue(Section { nth, hunk, chunks });
            }
        };
        self.end(nth, hunk, report);
    }

    fn add(&mut self, hunk: &Hunk<'_>, lines: &[Line<'_>]) -> Result<HunkReport, Vec<FailureKind>> {
        let name = self.names.of_new(hunk).map_err(one)?;
        let mut text: String = lines.iter().flat_map(|line| [&*line.text, "\n"]).collect();
        if hunk.properties.final_newline == Some(FinalNewline::Missing) {
            text.pop();
        }
        let place = self.overlay.place(&name.path).map_err(one)?;
        // A file that an earlier hunk made is named twice, which is an error also with equal contents.
        if let Place::Taken(file) = &place
            && file.was_there()
            && *file.bytes() == *text.as_bytes()
        {
            return Ok(self.added_before(hunk, file, name));
        }
        let may_replace = if self.options.overwrite { MayReplace::Any } else { MayReplace::Empty };
        let target = place.target(may_replace).map_err(one)?;
        let mode = target.mode.clone().with(hunk.properties.executable);
        self.overlay.write(target, Content::Bytes(text.into_bytes().into()), mode);
        Ok(HunkReport { added: lines.len(), ..report(hunk, HunkKind::Add, name) })
    }

    /// Plans an Add whose file already has exactly the content: only the mode bits may change.
    fn added_before(&mut self, hunk: &Hunk<'_>, file: &File, name: Name) -> HunkReport {
        let executable = hunk.properties.executable;
        if executable.is_some() {
            let mode = file.mode.clone().with(executable);
            self.overlay.write(file.target(), file.content.clone(), mode);
        }
        HunkReport { unchanged: executable.is_none(), ..report(hunk, HunkKind::Add, name) }
    }

    fn delete(&mut self, hunk: &Hunk<'_>) -> Result<HunkReport, Vec<FailureKind>> {
        let name = self.names.of_hunk(hunk, &self.overlay).map_err(one)?;
        let file = self.overlay.file(&name.path).map_err(one)?;
        let removed = Document::new(file.bytes()).len();
        self.overlay.remove(&name.path, file).map_err(one)?;
        Ok(HunkReport { removed, ..report(hunk, HunkKind::Delete, name) })
    }

    /// Deletes a file that its hunk quotes: the quote must be the whole file.
    fn delete_quoted(
        &mut self,
        hunk: &Hunk<'_>,
        chunks: &[Chunk<'_>],
    ) -> Result<HunkReport, Vec<FailureKind>> {
        let name = self.names.of_hunk(hunk, &self.overlay).map_err(one)?;
        let file = self.overlay.file(&name.path).map_err(one)?;
        let (chunks, content) = PlacedChunks::of_hunk(&file, hunk, chunks, &self.options)?;
        let left = content.as_ref().map_or_else(|| file.bytes().len(), |content| content.bytes().len());
        if left > 0 {
            return Err(one(placed::not_all_quoted(content.as_ref(), &file.document())));
        }
        let removed = chunks.iter().map(|chunk| chunk.placement.removed).sum();
        self.overlay.remove(&name.path, file).map_err(one)?;
        Ok(HunkReport { removed, chunks, ..report(hunk, HunkKind::Delete, name) })
    }

    /// Replaces texts of a file.
    fn replace(&mut self, hunk: &Hunk<'_>, edits: &[TextEdit<'_>]) -> Result<HunkReport, Vec<FailureKind>> {
        let name = self.names.of_hunk(hunk, &self.overlay).map_err(one)?;
        let file = self.overlay.file(&name.path).map_err(one)?;
        let lines = edits.iter().filter_map(|edit| edit.target.line());
        if let Some(line) = lines.max().filter(|line| self.is_moved(&name.path, &file, *line)) {
            return Err(one(FailureKind::LineMoved { line }));
        }
        let (chunks, bytes) =
            text_edits::replaced_in_turn(&file.document(), &hunk.path, edits, &self.options)?;
        let mut report = report(hunk, HunkKind::Update, name);
        report.count(chunks);
        report.unchanged = bytes == *file.bytes();
        if !report.unchanged {
            self.overlay.write(file.target(), Content::Bytes(bytes.into()), file.mode);
        }
        Ok(report)
    }

    /// Returns whether an earlier hunk has changed a file so that one of its first `line` lines has a different number.
    fn is_moved(&self, path: &Utf8Path, now: &File, line: usize) -> bool {
        let Ok(before) = self.overlay.original(path) else { return false };
        let (before, now) = (before.document(), now.document());
        before.bytes() != now.bytes() && !before.lines().take(line).eq(now.lines().take(line))
    }

    /// Returns the file at a path as it was before the patch; a file that the patch made, as it is now.
    fn original(&mut self, path: &Utf8Path) -> Result<File, FailureKind> {
        if let Some((copied, file)) = &self.copied
            && copied == path
        {
            return Ok(file.clone());
        }
        let file = self.overlay.original(path)?;
        // A file that the patch made may still change.
        self.copied = file.was_there().then(|| (path.to_owned(), file.clone()));
        Ok(file)
    }

    fn copy(
        &mut self,
        hunk: &Hunk<'_>,
        to: &MoveTo<'_>,
        chunks: &[Chunk<'_>],
    ) -> Result<HunkReport, Vec<FailureKind>> {
        let name = self.names.of_hunk(hunk, &self.overlay).map_err(one)?;
        let file = self.original(&name.path).map_err(one)?;
        let placed = PlacedChunks::of_hunk(&file, hunk, chunks, &self.options);
        let found = self.names.of_moved(&to.path, &name).and_then(|target| {
            let found = self.overlay.target(&target.path, self.options.may_replace());
            found.map(|found| (target, found)).map_err(|kind| kind.of_move(&to.path))
        });
        let ((new_name, target), (chunks, content)) = both(found, placed)?;
        let mut report = report(hunk, HunkKind::Copy, name);
        report.count(chunks);
        report.names.extend(new_name.notes);
        report.moved_to = Some(new_name.path);
        let content = content.unwrap_or_else(|| file.content.clone());
        self.overlay.write(target, content, file.mode.with(hunk.properties.executable));
        Ok(report)
    }
}
