//! Rows → answers: patches by the thousand, each with the files that it is for.
//!
//! A [`Row`] has a patch, and files in memory, the text of one file, or a folder. [`Settings::answer`] applies it, and
//! [`Settings::answers`] does so for many rows on a given number of threads. A row uses one thread. [`lines()`] reads rows as
//! JSON lines from a stream and writes the answers in the same order, with a bounded number of rows in memory. Whatever is
//! wrong with a row, a panic included, is in the answer to that row: no row ends a batch.

mod flow;
mod json;
mod memory;
mod turns;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use camino::{Utf8Path, Utf8PathBuf};

pub use self::flow::{Counts, Limits, lines};
use self::memory::Memory;
use self::turns::{Turn, Turns};
use super::driver::run;
use super::report::{Message, Outcome, Report, Stopped};
use super::request::{Details, Mode, Options, Request};
use super::{Bytes, Status, Tree};
use crate::apply::{self, Roots};
use crate::format::Format;
use crate::locate::{Drift, Tier};
use crate::parallel;

/// A patch, and the files that it is for.
#[derive(Debug)]
pub struct Row<'r> {
    /// The files.
    pub source: Source,
    /// The text that the model wrote.
    pub patch: Cow<'r, str>,
    /// The format of the text.
    pub format: Format,
    /// Whether files are changed.
    pub mode: Mode,
    /// How the text is read, and where its edits go. One thread works, whatever the options contain.
    pub options: Options,
}

/// The files of a row.
#[derive(Debug)]
pub enum Source {
    /// Files in memory, by their path.
    Files(BTreeMap<Utf8PathBuf, Given>),
    /// One file in memory. A patch that names no file is for this file.
    Text {
        /// The path of the file.
        path: Utf8PathBuf,
        /// The content of the file.
        text: Given,
    },
    /// A folder on the disk. A row is one transaction.
    Root(Utf8PathBuf),
}

/// The content of a file, and how it was given: the answer has the same form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The content.
    pub bytes: Bytes,
    /// Whether the content was given as text, not as bytes.
    pub is_text: bool,
}

/// The settings of all rows of a batch.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How files on the disk are read and written.
    pub apply: apply::Options,
    /// The folders in which the folder of a row must be; a relative folder of a row counts from the first. `None`: any
    /// folder.
    pub within: Option<Vec<Utf8PathBuf>>,
}

/// What became of a row.
#[derive(Debug)]
pub struct Answer {
    /// The report.
    pub report: Report,
    /// The changed files of a row in memory, sorted by path; `None` if the patch does not fit, or the files are on the disk.
    /// [`Answer::text`] is not among the files.
    pub files: Option<Vec<Changed>>,
    /// The content of the file of a [`Source::Text`] afterwards, changed or not; `None` if the patch does not fit, and `None`
    /// inside if the patch removes the file.
    pub text: Option<Option<Given>>,
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The path.
    pub path: Utf8PathBuf,
    /// The content afterwards; `None` if the patch removes the file.
    pub content: Option<Given>,
}

impl<'r> Row<'r> {
    /// A patch of any format, with the usual options.
    pub fn new(source: Source, patch: impl Into<Cow<'r, str>>) -> Self {
        let options = Options::default();
        Row { source, patch: patch.into(), format: Format::Auto, mode: Mode::Apply, options }
    }
}

impl Given {
    /// A content that was given as text.
    pub fn text(text: impl Into<Bytes>) -> Self {
        Given { bytes: text.into(), is_text: true }
    }

    /// A content that was given as bytes.
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        Given { bytes: bytes.into(), is_text: false }
    }
}

impl Settings {
    /// Applies a row.
    ///
    /// ```
    /// use apply_patch::run::Status;
    /// use apply_patch::run::batch::{Given, Row, Settings, Source};
    ///
    /// let source = Source::Text { path: "a.txt".into(), text: Given::text("one\ntwo\n") };
    /// let answer = Settings::default().answer(Row::new(source, "<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"));
    /// assert_eq!(answer.report.status(), Status::Applied);
    /// assert_eq!(answer.text, Some(Some(Given::text("one\n2\n"))));
    /// ```
    pub fn answer(&self, row: Row<'_>) -> Answer {
        // A row owns all that a panic can leave half done. Files on the disk have their journal.
        catch_unwind(AssertUnwindSafe(|| self.answer_or_panic(row))).unwrap_or_else(|_| Answer::panicked())
    }

    /// Applies rows on so many threads, this one among them. Returns the answers in the order of the rows. A row that makes no
    /// sense is an error with the reason; its answer contains the reason. Rows of the same folder are applied in their order.
    pub fn answers<'r>(&self, rows: Vec<Result<Row<'r>, String>>, threads: NonZeroUsize) -> Vec<Answer> {
        let turns = Turns::default();
        let take_turn = |row: Result<Row<'r>, String>| {
            let turn = row.as_ref().ok().and_then(|row| self.turn(row, &turns));
            Mutex::new(Some((row, turn)))
        };
        let rows: Vec<_> = rows.into_iter().map(take_turn).collect();
        let answers = parallel::map_on(threads.get().min(rows.len()), &rows, |row| {
            let taken = row.lock().ok().and_then(|mut row| row.take());
            taken.map(|(row, turn)| match row {
                Ok(row) => self.answer_in_turn(row, turn.as_ref()),
                Err(words) => Answer::of(wrong_usage(words)),
            })
        });
        answers.into_iter().map(|answer| answer.unwrap_or_else(Answer::panicked)).collect()
    }

    fn answer_in_turn(&self, row: Row<'_>, turn: Option<&Turn<'_>>) -> Answer {
        if let Some(turn) = turn {
            turn.wait();
        }
        self.answer(row)
    }

    /// Returns the place of a row among the rows of the same folder; `None` for a row in memory.
    fn turn<'t>(&self, row: &Row<'_>, turns: &'t Turns) -> Option<Turn<'t>> {
        match &row.source {
            Source::Root(root) => {
                let named = self.named(root);
                let real = named.canonicalize_utf8().unwrap_or(named);
                Some(turns.take(real))
            }
            Source::Files(_) | Source::Text { .. } => None,
        }
    }

    fn answer_or_panic(&self, row: Row<'_>) -> Answer {
        let Row { source, patch, format, mode, mut options } = row;
        options.threads = Some(NonZeroUsize::MIN);
        let files = match source {
            Source::Root(root) => {
                return Answer::of(match self.open(&root) {
                    Ok(roots) => run_alone(&patch, format, mode, options, &mut Tree::Disk(roots)),
                    Err(words) => wrong_usage(words),
                });
            }
            Source::Files(files) => Memory::of(files),
            Source::Text { path, text } => {
                options.file.get_or_insert_with(|| path.to_string());
                Memory::of_one(path, text)
            }
        };
        let mut memory = match files {
            Ok(memory) => memory,
            Err(words) => return Answer::of(wrong_usage(words)),
        };
        options.details = Details { contents: true, ..options.details };
        let mut tree = Tree::Memory(std::mem::take(&mut memory.files));
        let report = run_alone(&patch, format, mode, options, &mut tree);
        memory.answer(report)
    }

    /// Opens the folder of a row, or returns why not.
    fn open(&self, root: &Utf8Path) -> Result<Roots, String> {
        let named = self.named(root);
        let roots = Roots::open(&named).map_err(|error| crate::report::chain(&error))?;
        let is_within =
            |dir: &Utf8PathBuf| dir.canonicalize_utf8().is_ok_and(|dir| roots.base().starts_with(dir));
        match &self.within {
            Some(within) if !within.iter().any(is_within) => {
                Err(format!("the folder {:?} is outside of the folders that rows may name", root.as_str()))
            }
            _ => Ok(roots.with_options(self.apply)),
        }
    }

    fn named(&self, root: &Utf8Path) -> Utf8PathBuf {
        self.within.as_ref().and_then(|within| within.first()).map_or(root.to_owned(), |base| base.join(root))
    }
}

/// Makes a report of a row that makes no sense.
pub fn wrong_usage(words: impl Into<String>) -> Report {
    Report::of(Outcome::WrongUsage { words: words.into() })
}

fn run_alone(text: &str, format: Format, mode: Mode, options: Options, tree: &mut Tree) -> Report {
    parallel::within(Some(NonZeroUsize::MIN), || run(&Request { text, format, mode, options }, tree))
}

impl Answer {
    /// An answer without files.
    pub fn of(report: Report) -> Self {
        Answer { report, files: None, text: None }
    }

    fn panicked() -> Self {
        let text = "internal error: a panic; this is a bug".to_owned();
        let message = Message { status: Status::System, changed: false, says_unchanged: false, text };
        Answer::of(Report::of(Outcome::Stopped(Stopped::Caller(message))))
    }
}

/// Returns the name that the JSON report has for an outcome.
pub fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Applied(_) => "applied",
        Outcome::WouldApply(_) => "would-apply",
        Outcome::Refused(_) => "refused",
        Outcome::NotAPatch(_) => "not-a-patch",
        Outcome::WrongUsage { .. } => "wrong-usage",
        Outcome::Stopped(_) => "stopped",
    }
}

/// Returns the codes of all that is wrong with a patch, in the order of the report; empty for a patch that fits.
pub fn codes(outcome: &Outcome) -> Vec<&'static str> {
    match outcome {
        Outcome::Refused(failures) => failures.failures.iter().map(|failure| failure.kind.code()).collect(),
        Outcome::NotAPatch(errors) => errors.kept.iter().map(|error| error.kind.code()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the name that the JSON report has for the loosest tier by which a chunk was placed; `None` if the patch does not
/// fit, or has no chunk. A chunk of context that is nowhere has no tier.
pub fn loosest_tier(outcome: &Outcome) -> Option<&'static str> {
    let (Outcome::Applied(changes) | Outcome::WouldApply(changes)) = outcome else { return None };
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
