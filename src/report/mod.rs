//! Words for what happened.
//!
//! Drift, diagnoses and repairs are data, made where they are known; this module only renders them, as
//! functions that write to a [`std::fmt::Write`]. Nothing here prints.
//!
//! There are three renderings of a [`Report`]: for [`human`] at a terminal, for the [`model`] that wrote the patch, and
//! as [`json`] for programs. A [`diff`] and a [`stat`] show what a plan changes.

mod advice;
mod changes;
pub mod diff;
mod excerpt;
pub mod explain;
pub mod human;
pub mod json;
pub mod model;
pub mod stat;
mod style;
mod words;

pub use self::style::Look;
use crate::format::{ParseErrors, Repair};
use crate::plan::{Failures, Plan};

/// What became of a patch, or of a replacement.
#[derive(Debug, Clone, Copy)]
pub struct Report<'r> {
    /// How it ended.
    pub outcome: Outcome<'r>,
    /// What was repaired in the text of the patch.
    pub repairs: &'r [Repair],
    /// A patch that can be sent instead of a refused one: see [`make::suggest`](crate::generate::suggest).
    pub suggestion: Option<&'r str>,
    /// A diff, or what else was asked for to show what a plan changes.
    pub preview: Option<&'r str>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Outcome<'r> {
    /// The plan was carried out.
    Applied(&'r Plan),
    /// The plan could be carried out; nothing was touched, as was asked for.
    WouldApply(&'r Plan),
    /// The patch does not fit the files; nothing was changed.
    Refused(&'r Failures),
    /// The text is not a patch; nothing was changed.
    NotAPatch(&'r ParseErrors),
    /// The arguments of the command make no sense; nothing was changed.
    WrongUsage {
        /// What is wrong with them, and how they go, without a line break at the end.
        words: &'r str,
    },
    /// Something else ended it.
    Stopped {
        /// The exit status of the command.
        status: u8,
        /// Whether anything was changed.
        changed: bool,
        /// What happened, without a line break at the end.
        words: &'r str,
    },
}

impl<'r> Report<'r> {
    /// A report with nothing but how it ended.
    pub fn of(outcome: Outcome<'r>) -> Self {
        Report { outcome, repairs: &[], suggestion: None, preview: None }
    }
}

impl Outcome<'_> {
    /// The exit status of the command: 0 applied, or would apply; 1 refused; 2 not a patch, or wrong usage; 3 the system refused.
    pub fn status(&self) -> u8 {
        match self {
            Outcome::Applied(_) | Outcome::WouldApply(_) => 0,
            Outcome::Refused(failures) if failures.is_system() => 3,
            Outcome::Refused(_) => 1,
            Outcome::NotAPatch(_) | Outcome::WrongUsage { .. } => 2,
            Outcome::Stopped { status, .. } => *status,
        }
    }

    /// Whether anything was changed.
    pub fn changed(&self) -> bool {
        match self {
            Outcome::Applied(plan) => !plan.changes.is_empty(),
            Outcome::Stopped { changed, .. } => *changed,
            _ => false,
        }
    }
}
