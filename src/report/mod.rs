//! Words for what happened.
//!
//! Drift, diagnoses and repairs are data, made where they are known; this module only renders them, as
//! functions that write to a [`std::fmt::Write`]. Nothing here prints.
//!
//! There are three renderings of a [`Report`]: for [`human`] at a terminal, for the [`model`] that wrote the patch, and
//! as [`json`] for programs. [`reply`] makes answers to calls of them. A [`diff`] and a [`stat`] show what a plan changes.

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
pub(crate) use self::words::quoted_again;
#[cfg(any(feature = "cli", feature = "batch"))]
pub(crate) use self::words::stopped::chain;
use crate::run::Report;

impl Report {
    /// Returns the words for the model that wrote the patch, of so many characters at the most, a preview aside; 0 for as
    /// many as it takes. [`model::BUDGET`] is the usual number. See [`model::write`].
    pub fn for_model(&self, budget: usize) -> String {
        written(|out| model::write(self, budget, &Look::PLAIN, out))
    }

    /// Returns the words for a person. See [`human::write`].
    pub fn for_human(&self, look: &Look) -> String {
        written(|out| human::write(self, look, out))
    }

    /// Returns one JSON object on one line, with its line break. See [`json::write`].
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
