//! Renders a report as text.
//!
//! Drift, diagnoses and repairs are data; this module only renders the data, with functions that write to a
//! [`std::fmt::Write`]. Nothing here prints.
//!
//! There are three renderings of a [`Report`]: for [`human`] readers at a terminal, for the [`model`] that wrote the
//! patch, and as [`json`] for programs. [`reply`] turns a report into answers to calls. A [`diff`] and a [`stat`] show
//! the changes of a plan.

pub mod diff;
mod excerpt;
#[cfg(feature = "cli")]
pub(crate) mod explain;
pub mod human;
pub mod json;
mod lines;
pub mod model;
mod preview;
pub mod reply;
pub mod stat;
mod style;
mod words;

use std::fmt;

pub use self::preview::write_preview;
pub use self::style::Look;
#[cfg(feature = "cli")]
pub(crate) use self::words::quoted_again;
use crate::run::Report;

impl Report {
    /// Returns the report for the model that wrote the patch, with at most `budget` characters, a preview excluded; 0
    /// for no limit. [`model::BUDGET`] is the default. See [`model::write`].
    pub fn for_model(&self, budget: usize) -> String {
        written(|out| model::write(self, budget, &Look::PLAIN, out))
    }

    /// Returns the words for a person. See [`human::write`].
    pub fn for_human(&self, look: &Look) -> String {
        written(|out| human::write(self, look, out))
    }

    /// Returns the JSON report as an object on a single line, with its line break. See [`json::write`].
    pub fn to_json(&self) -> String {
        written(|out| json::write(self, out))
    }
}

/// Collects what is written. Writing to a string does not fail.
fn written(write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> String {
    let mut words = String::new();
    let _ = write(&mut words);
    words
}
