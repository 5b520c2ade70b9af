//! Rows → answers: patches by the thousand, each with the files that it is for.
//!
//! A [`Row`] has a patch, and files in memory, the text of one file, or a folder. [`Settings::answer`] applies it, and
//! [`Settings::answers`] does so for many rows on a given number of threads. A row uses one thread. The
//! command reads rows as JSON lines from a stream and writes the answers in the same order, with a bounded number of rows
//! in memory. Whatever is
//! wrong with a row, a panic included, is in the answer to that row: no row ends a batch.

mod flow;
mod json;
mod memory;
mod row;
mod turns;

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use camino::{Utf8Path, Utf8PathBuf};

pub use self::flow::{Counts, Limits, lines};
use self::memory::Memory;
pub use self::row::{Answer, Changed, Given, Row, Source};
use self::turns::{Turn, Turns};
use super::driver::run;
use super::options::{Details, Options};
use super::report::{Outcome, Report, Stopped};
use super::{Status, Tree};
use crate::apply::{self, Roots, chain};
use crate::parallel;

/// The settings of all rows of a batch.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How files on the disk are read and written.
    pub apply: apply::Options,
    /// The folders in which the folder of a row must be; a relative folder of a row counts from the first. `None`: any
    /// folder.
    pub within: Option<Vec<Utf8PathBuf>>,
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
        let Row { source, patch, mut options } = row;
        options.threads = Some(NonZeroUsize::MIN);
        let files = match source {
            Source::Root(root) => {
                return Answer::of(match self.open(&root) {
                    Ok(roots) => run_alone(&patch, &options, &mut Tree::Disk(roots)),
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
        let report = run_alone(&patch, &options, &mut tree);
        memory.answer(report)
    }

    /// Opens the folder of a row, or returns why not.
    fn open(&self, root: &Utf8Path) -> Result<Roots, String> {
        let named = self.named(root);
        let roots = Roots::open(&named).map_err(|error| chain(&error))?;
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
pub(crate) fn wrong_usage(words: impl Into<String>) -> Report {
    Report::of(Outcome::WrongUsage { words: words.into() })
}

fn run_alone(text: &str, options: &Options, tree: &mut Tree) -> Report {
    parallel::within(Some(NonZeroUsize::MIN), || run(text, options, tree))
}

impl Answer {
    /// An answer without files.
    pub fn of(report: Report) -> Self {
        Answer { report, files: None, text: None }
    }

    fn panicked() -> Self {
        let text = "internal error: a panic; this is a bug".to_owned();
        let stopped = Stopped::Caller { status: Status::System, changed: false, says_unchanged: false, text };
        Answer::of(Report::of(Outcome::Stopped(stopped)))
    }
}
