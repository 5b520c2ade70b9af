//! The result of a request as owned data. [`report`](crate::report) renders the data as text.

use camino::Utf8PathBuf;

use super::options::Details;
use super::{Caller, Status};
use crate::apply::{ApplyError, Recovery};
use crate::format::{Call, ParseError, ParseErrors, Repair};
use crate::generate::Unrepresentable;
use crate::locate::{Drift, Tier};
use crate::plan::{After, Change, Exactness, Failure, Failures, FileDiff, HunkReport, LineRun, Plan};
use crate::text::Bytes;

/// The result of a patch, or of a replacement.
///
/// Serializes as the object that `docs/report.md` describes: [`JsonReport`](crate::report::JsonReport).
#[derive(Debug)]
#[must_use = "a refusal is in the report, and nowhere else"]
#[non_exhaustive]
pub struct Report {
    /// How the run ended.
    pub outcome: Outcome,
    /// The calls in the text, in order; [`replies`](Self::replies) answers each call.
    pub calls: Vec<Call>,
    /// What was repaired in the text of the patch.
    pub repairs: Vec<Repair>,
    /// A patch that can be sent instead of a refused patch: the same changes, quoted from the files.
    pub suggestion: Option<String>,
    /// What was asked for to show what changes.
    #[cfg(feature = "internals")]
    pub preview: Preview,
    #[cfg(not(feature = "internals"))]
    pub(crate) preview: Preview,
    /// The reverse patch, if [`Details::undo`] requested an undo; empty if nothing changes.
    pub undo: Option<String>,
    /// What an interrupted earlier run left in the tree, and how the run dealt with that.
    pub recovery: Recovery,
    /// What failed after everything was applied: always [`ApplyError::CleanUp`].
    pub unclean: Option<ApplyError>,
    /// The names that the words have for options and commands; from [`Options::caller`](super::Options).
    pub caller: Caller,
}

/// How a run ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The changes were made.
    Applied(Changes),
    /// The changes could be made; nothing was touched, as was asked for.
    WouldApply(Changes),
    /// The patch does not fit the files; nothing was changed.
    Refused(Failures),
    /// The text is not a patch; nothing was changed.
    NotAPatch(ParseErrors),
    /// The arguments of the command make no sense; nothing was changed.
    WrongUsage {
        /// What is wrong with the arguments, and what is right, without a line break at the end.
        words: String,
    },
    /// Something else ended the run.
    Stopped(Stopped),
}

/// What ended a run that is neither a refusal nor a text that is not a patch.
#[derive(Debug)]
#[non_exhaustive]
pub enum Stopped {
    /// The changes could not be made.
    Apply(ApplyError),
    /// What an interrupted earlier run had left could not be finished or put back. This run did nothing.
    Recover(ApplyError),
    /// An interrupted earlier run left the files half done, and this run was not to change anything.
    Interrupted,
    /// An undo was requested, and an envelope cannot express the whole reverse patch. Never empty.
    NoUndo(Vec<Unrepresentable>),
    /// The caller ended the run.
    Caller {
        /// How the run ended.
        status: Status,
        /// Whether anything was changed.
        changed: bool,
        /// Whether the words for people begin with the statement that nothing was changed. The words for a model always do.
        says_unchanged: bool,
        /// What happened, without a line break at the end.
        text: String,
    },
}

/// What a plan changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// The effect of each hunk, and the positions of its chunks, in the order of the patch.
    pub hunks: Vec<HunkReport>,
    /// The net change to each path, sorted by path.
    pub files: Vec<FileChange>,
}

/// The net change to a path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileChange {
    /// The path with links resolved: relative to the base root, or absolute inside a further root.
    pub path: Utf8PathBuf,
    /// Whether a file is there before.
    pub existed: bool,
    /// Whether a file is there afterwards.
    pub exists: bool,
    /// The written lines of a file that exists before and afterwards, if [`Details::lines`] requested lines.
    #[cfg(feature = "internals")]
    pub lines: Vec<LineRun>,
    #[cfg(not(feature = "internals"))]
    pub(crate) lines: Vec<LineRun>,
    /// The content afterwards, if [`Details::contents`] requested contents, and the file exists.
    pub content: Option<Bytes>,
}

/// What was asked for to show what changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preview {
    /// Whether the number of changed lines of each file is shown.
    pub stat: bool,
    /// The diff of each file, sorted by path.
    pub diff: Option<Vec<FileDiff>>,
    /// Whether the diff is shown without the indentation that all lines of a file's diff have.
    pub trim: bool,
}

impl Report {
    /// Makes a report that contains only how the run ended.
    pub fn of(outcome: Outcome) -> Self {
        Report {
            outcome,
            calls: Vec::new(),
            repairs: Vec::new(),
            suggestion: None,
            preview: Preview::default(),
            undo: None,
            recovery: Recovery::Nothing,
            unclean: None,
            caller: Caller::NONE,
        }
    }

    /// Returns how the run ended.
    pub fn status(&self) -> Status {
        match &self.unclean {
            Some(_) => Status::Unclean,
            None => self.outcome.status(),
        }
    }

    /// Checks whether anything was changed.
    pub fn changed(&self) -> bool {
        self.outcome.changed()
    }

    /// Returns the changes that were made, or would be made; `None` for every other outcome.
    pub fn changes(&self) -> Option<&Changes> {
        match &self.outcome {
            Outcome::Applied(changes) | Outcome::WouldApply(changes) => Some(changes),
            _ => None,
        }
    }

    /// Returns the failures of the patch; `None` for every other outcome.
    pub fn failures(&self) -> Option<&Failures> {
        match &self.outcome {
            Outcome::Refused(failures) => Some(failures),
            _ => None,
        }
    }
}

impl Outcome {
    fn status(&self) -> Status {
        match self {
            Outcome::Applied(_) | Outcome::WouldApply(_) => Status::Applied,
            Outcome::Refused(failures) if failures.is_system() => Status::System,
            Outcome::Refused(_) => Status::Refused,
            Outcome::NotAPatch(_) | Outcome::WrongUsage { .. } => Status::NotAPatch,
            Outcome::Stopped(stopped) => stopped.status(),
        }
    }

    fn changed(&self) -> bool {
        match self {
            Outcome::Applied(changes) => !changes.files.is_empty(),
            Outcome::Stopped(stopped) => stopped.changed(),
            _ => false,
        }
    }
}

impl Stopped {
    /// Returns how the run ended.
    pub fn status(&self) -> Status {
        match self {
            Stopped::Apply(error) | Stopped::Recover(error) => match error {
                error if error.is_half_done() => Status::Unfinished,
                error if error.is_meanwhile() => Status::Refused,
                _ => Status::System,
            },
            Stopped::Interrupted => Status::Unfinished,
            Stopped::NoUndo(_) => Status::Refused,
            Stopped::Caller { status, .. } => *status,
        }
    }

    /// Checks whether anything was changed by this run, or may have been.
    pub fn changed(&self) -> bool {
        match self {
            Stopped::Apply(error) | Stopped::Recover(error) => error.may_have_changed(),
            Stopped::Caller { changed, .. } => *changed,
            Stopped::Interrupted | Stopped::NoUndo(_) => false,
        }
    }
}

impl Changes {
    /// Returns the changes of a plan with the requested details.
    pub fn of(plan: &Plan, details: &Details) -> Self {
        let files = plan.changes.iter().map(|change| FileChange::of(change, details));
        Changes { hunks: plan.hunks.clone(), files: files.collect() }
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> usize {
        self.exactness().chunks
    }

    /// Returns the number of chunks whose quotes differ from the file, or were at a different position.
    pub fn inexact_chunks(&self) -> usize {
        self.exactness().inexact
    }

    pub(crate) fn exactness(&self) -> Exactness {
        Exactness::of(&self.hunks)
    }
}

impl FileChange {
    fn of(change: &Change, details: &Details) -> Self {
        let content = match &change.after {
            After::File { content, .. } if details.contents => Some(content.to_bytes()),
            _ => None,
        };
        FileChange {
            path: change.path.clone(),
            existed: change.existed(),
            exists: change.exists(),
            lines: if details.lines { change.line_runs() } else { Vec::new() },
            content,
        }
    }
}

impl Preview {
    /// Returns what is wanted of a plan.
    pub fn of(plan: &Plan, details: &Details) -> Self {
        let diff = details.diff.then(|| plan.changes.iter().map(Change::diff).collect());
        Preview { stat: details.stat, diff, trim: details.trim }
    }

    /// Checks whether anything is shown.
    pub fn is_asked(&self) -> bool {
        self.stat || self.diff.is_some()
    }
}

impl Outcome {
    /// Returns the name that the JSON report has for an outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Applied(_) => "applied",
            Outcome::WouldApply(_) => "would-apply",
            Outcome::Refused(_) => "refused",
            Outcome::NotAPatch(_) => "not-a-patch",
            Outcome::WrongUsage { .. } => "wrong-usage",
            Outcome::Stopped(_) => "stopped",
        }
    }

    /// Returns the codes of all that is wrong with a patch, in the order of the report; empty for a patch that fits.
    pub fn codes(&self) -> Vec<&'static str> {
        match self {
            Outcome::Refused(failures) => failures.failures.iter().map(Failure::code).collect(),
            Outcome::NotAPatch(errors) => errors.kept.iter().map(ParseError::code).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the name that the JSON report has for the loosest tier by which a chunk was placed; `None` if the patch does not
    /// fit, or has no chunk. A chunk of context that is nowhere has no tier.
    pub fn loosest_tier(&self) -> Option<&'static str> {
        let (Outcome::Applied(changes) | Outcome::WouldApply(changes)) = self else { return None };
        let chunks = changes.hunks.iter().flat_map(|hunk| &hunk.chunks);
        let placed = chunks.filter(|chunk| !chunk.placement.drift.contains(&Drift::AnchorMissing));
        placed.map(|chunk| chunk.placement.tier).max().map(|tier| match tier {
            Tier::Exact => "exact",
            Tier::TrailingSpace => "trailing-space",
            Tier::IgnoreIndentation => "indentation",
            Tier::LookAlikes => "look-alikes",
            Tier::Spelling => "spelling",
            Tier::Alignment => "alignment",
        })
    }
}
