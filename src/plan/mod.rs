//! Plans a patch: patch + files → changes.
//!
//! [`plan`] reads through a [`Files`] and writes nothing, so the plan *is* the dry run and the preview. Hunks are
//! planned over an overlay: a later hunk sees the changes of an earlier hunk. **Every** failure of a patch is
//! collected, not only the first. The result is a [`Plan`]: for each path the precondition and the new state
//! ([`Change`]), and for each hunk the positions of its chunks ([`HunkReport`]).
//!
//! [`path`] decides which names are allowed.

mod change;
mod diff;
mod digest;
mod ending;
mod expected_hash;
#[cfg(feature = "cli")]
mod explain;
mod failure;
mod files;
mod in_memory;
mod line_runs;
mod named;
mod names;
mod overlay;
pub mod path;
mod precondition;
mod replace;
mod similar;
mod text_edits;
mod update;

use std::num::NonZeroUsize;

use camino::{Utf8Path, Utf8PathBuf};

pub use self::change::{After, Change, Content};
pub use self::diff::{DiffBody, FileDiff, LineHunk};
pub use self::digest::{Digest, NotADigest};
pub use self::expected_hash::{Pin, Pinned};
#[cfg(feature = "cli")]
pub(crate) use self::explain::{HunkExplanation, explain};
pub use self::failure::{Failure, FailureKind, Failures, NotAFile};
pub use self::files::{Files, Found, Node, ReadError};
pub use self::in_memory::Stale;
pub use self::line_runs::LineRun;
pub use self::named::paths;
pub use self::names::NameNote;
use self::names::Names;
use self::overlay::{File, MayReplace, Overlay};
pub use self::precondition::Precondition;
pub use self::replace::{Replace, replace};
use self::update::{PlacedChunks, Waiting};
pub use crate::locate::{
    ActualLine, Alternative, Ambiguity, Candidate, CandidateRow, Difference, Doubt, Drift, Level, Matching,
    Miss, NearLine, Nearest, Placement, QuotedLine, Reason, TellingLine, Tier,
};
use crate::parallel;
use crate::patch::{Action, Chunk, FinalNewline, Hunk, Line, MoveTo, Patch, Properties, TextEdit};
use crate::text::Document;

/// How a patch is planned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How chunks are placed.
    pub matching: Matching,
    /// Whether Add and Move may replace a file that is there. Add may replace one of 0 bytes anyway.
    pub overwrite: bool,
    /// How many threads place chunks; `None`, the default: as many as the machine has processors, 8 at the most.
    pub threads: Option<NonZeroUsize>,
}

impl Options {
    /// Returns which file a file with a new name may replace.
    fn may_replace(&self) -> MayReplace {
        if self.overwrite { MayReplace::Any } else { MayReplace::None }
    }
}

/// What a patch would change.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The net change to each path, sorted by path.
    pub changes: Vec<Change>,
    /// What each hunk does, in the patch's order.
    pub hunks: Vec<HunkReport>,
}

/// How many chunks a plan has, and how many of the quotes were inexact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exactness {
    /// All chunks.
    pub chunks: usize,
    /// The chunks whose quotes differ from the file, or were at a different position.
    pub inexact: usize,
}

impl Plan {
    /// Returns how exact the quotes of the patch were, for a harness that counts, and advises the model to quote with
    /// more care.
    pub fn exactness(&self) -> Exactness {
        Exactness::of(&self.hunks)
    }
}

impl Plan {
    /// Makes a plan of changes that no patch asked for: [`generate::text`](crate::generate::text) writes a patch of the plan.
    pub fn of_changes(changes: Vec<Change>) -> Self {
        Plan { changes, hunks: Vec::new() }
    }

    /// Checks whether the plan changes nothing: every change that the patch asks for is there already.
    pub fn is_noop(&self) -> bool {
        self.changes.is_empty()
    }
}

impl Exactness {
    /// Counts the chunks of these hunks.
    pub fn of(hunks: &[HunkReport]) -> Self {
        let chunks = || hunks.iter().flat_map(|hunk| &hunk.chunks);
        let inexact = |chunk: &&ChunkReport| chunk.placement.drift.iter().any(Drift::is_inexact);
        Exactness { chunks: chunks().count(), inexact: chunks().filter(inexact).count() }
    }
}

/// The kind of change that a hunk makes to its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HunkKind {
    /// Makes a file.
    Add,
    /// Changes a file.
    Update,
    /// Removes a file.
    Delete,
    /// Renames a file, with or without edits.
    Move,
    /// Copies a file to a new name.
    Copy,
}

/// The effect of a hunk, and the positions of its chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HunkReport {
    /// Line of the hunk in the patch text, 1-based; `None` if the patch was not read from a text.
    pub number: Option<NonZeroUsize>,
    /// The kind of change.
    pub kind: HunkKind,
    /// The name of the file, as parsed from the patch.
    pub path: Utf8PathBuf,
    /// The new name of the file.
    pub moved_to: Option<Utf8PathBuf>,
    /// How many lines the hunk adds.
    pub added: usize,
    /// How many lines the hunk removes.
    pub removed: usize,
    /// How the names were read.
    pub names: Vec<NameNote>,
    /// The chunks of an Update, in order.
    pub chunks: Vec<ChunkReport>,
    /// Whether the file's content is the same afterwards.
    pub unchanged: bool,
    /// The properties that the patch sets apart from the lines.
    pub properties: Properties,
}

/// How a chunk was placed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChunkReport {
    /// Line of the chunk in the patch text, 1-based; `None` if the patch was not read from a text.
    pub number: Option<NonZeroUsize>,
    /// The position of the chunk.
    pub placement: Placement,
}

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

struct Planner<'f> {
    files: &'f dyn Files,
    overlay: Overlay<'f>,
    names: Names<'f>,
    options: Options,
    /// Updates that are not yet part of the overlay.
    waiting: Waiting<'f>,
    reports: Vec<HunkReport>,
    failures: Vec<Failure>,
    /// The file that the last copy was made of, by its name: a file that is copied many times is read once.
    copied: Option<(Utf8PathBuf, File)>,
    /// How many failures have named similar files.
    suggested: usize,
}

/// For how many missing files similar names are looked for: each search walks the tree.
const SUGGESTED: usize = 8;

impl<'f> Planner<'f> {
    fn new(patch: &'f Patch<'_>, files: &'f dyn Files, options: &Options) -> Self {
        Planner {
            files,
            overlay: Overlay::new(files),
            names: Names::new(patch, files, options.matching.literal),
            options: *options,
            waiting: Waiting::default(),
            reports: Vec::new(),
            failures: Vec::new(),
            copied: None,
            suggested: 0,
        }
    }

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
            Action::Update { move_to: None, chunks } => return self.queue(nth, hunk, chunks),
        };
        self.end(nth, hunk, report);
    }

    /// Notes how a hunk went.
    fn end(&mut self, nth: usize, hunk: &Hunk<'_>, report: Result<HunkReport, Vec<FailureKind>>) {
        match report {
            Ok(report) => self.reports.push(report),
            Err(kinds) => {
                for mut kind in kinds {
                    if matches!(kind, FailureKind::NoSuchFile { .. }) && self.suggested < SUGGESTED {
                        self.suggested += 1;
                        similar::suggest(&mut kind, &hunk.path, self.files, &self.overlay);
                    }
                    let (number, path) = (hunk.number, hunk.path.to_string());
                    self.failures.push(Failure { hunk: nth, number, path, dialect: hunk.dialect, kind });
                }
            }
        }
    }

    fn add(&mut self, hunk: &Hunk<'_>, lines: &[Line<'_>]) -> Result<HunkReport, Vec<FailureKind>> {
        let name = self.names.of_new(&hunk.path).map_err(one)?;
        let may_replace = if self.options.overwrite { MayReplace::Any } else { MayReplace::Empty };
        let target = self.overlay.target(&name.path, may_replace).map_err(one)?;
        let mut text: String = lines.iter().flat_map(|line| [&*line.text, "\n"]).collect();
        if hunk.properties.final_newline == Some(FinalNewline::Missing) {
            text.pop();
        }
        let mode = target.mode.clone().with(hunk.properties.executable);
        self.overlay.write(target, Content::Bytes(text.into_bytes().into()), mode);
        Ok(HunkReport { added: lines.len(), ..report(hunk, HunkKind::Add, name) })
    }

    fn delete(&mut self, hunk: &Hunk<'_>) -> Result<HunkReport, Vec<FailureKind>> {
        let name = self.names.of_existing(&hunk.path, &self.overlay).map_err(one)?;
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
        let name = self.names.of_existing(&hunk.path, &self.overlay).map_err(one)?;
        let file = self.overlay.file(&name.path).map_err(one)?;
        let placed = PlacedChunks::of(&file, hunk, chunks, &self.options);
        if !placed.failures.is_empty() {
            return Err(placed.failures);
        }
        let left =
            placed.content.as_ref().map_or_else(|| file.bytes().len(), |content| content.bytes().len());
        if left > 0 {
            return Err(one(FailureKind::NotAllQuoted));
        }
        let removed = placed.chunks.iter().map(|chunk| chunk.placement.removed).sum();
        self.overlay.remove(&name.path, file).map_err(one)?;
        Ok(HunkReport { removed, chunks: placed.chunks, ..report(hunk, HunkKind::Delete, name) })
    }

    /// Replaces texts of a file.
    fn replace(&mut self, hunk: &Hunk<'_>, edits: &[TextEdit<'_>]) -> Result<HunkReport, Vec<FailureKind>> {
        let name = self.names.of_existing(&hunk.path, &self.overlay).map_err(one)?;
        let file = self.overlay.file(&name.path).map_err(one)?;
        let lines = edits.iter().filter_map(|edit| edit.target.line());
        if let Some(line) = lines.max().filter(|line| self.is_moved(&name.path, &file, *line)) {
            return Err(one(FailureKind::LineMoved { line }));
        }
        let (chunks, bytes) = text_edits::replaced_in_turn(file.document(), edits, &self.options)?;
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
        let name = self.names.of_existing(&hunk.path, &self.overlay).map_err(one)?;
        let file = self.original(&name.path).map_err(one)?;
        let mut placed = PlacedChunks::of(&file, hunk, chunks, &self.options);
        let found = self.names.of_moved(&to.path, &name).and_then(|target| {
            let found = self.overlay.target(&target.path, self.options.may_replace());
            found.map(|found| (target, found)).map_err(|kind| kind.of_move(&to.path))
        });
        let (new_name, target) = match found {
            Ok(found) if placed.failures.is_empty() => found,
            Ok(_) => return Err(placed.failures),
            Err(kind) => {
                placed.failures.insert(0, kind);
                return Err(placed.failures);
            }
        };
        let mut report = report(hunk, HunkKind::Copy, name);
        report.count(placed.chunks);
        report.names.extend(new_name.notes);
        report.moved_to = Some(new_name.path);
        let content = placed.content.unwrap_or_else(|| file.content.clone());
        self.overlay.write(target, content, file.mode.with(hunk.properties.executable));
        Ok(report)
    }
}

impl HunkReport {
    /// Adds the chunks, and counts their lines.
    fn count(&mut self, chunks: Vec<ChunkReport>) {
        self.added = chunks.iter().map(|chunk| chunk.placement.added).sum();
        self.removed = chunks.iter().map(|chunk| chunk.placement.removed).sum();
        self.chunks = chunks;
    }
}

fn one(kind: FailureKind) -> Vec<FailureKind> {
    vec![kind]
}

fn report(hunk: &Hunk<'_>, kind: HunkKind, name: names::Name) -> HunkReport {
    HunkReport {
        number: hunk.number,
        kind,
        path: name.path,
        moved_to: None,
        added: 0,
        removed: 0,
        names: name.notes,
        chunks: Vec::new(),
        unchanged: false,
        properties: hunk.properties,
    }
}
