//! Renders a report as text.
//!
//! Drift, diagnoses and repairs are data; this module only renders the data, with functions that write to a
//! [`std::fmt::Write`]. Nothing here prints.
//!
//! There are three renderings of a [`Report`]: [for the model](Report::for_model) that wrote the patch, [for
//! readers](Report::for_human) at a terminal, and as [JSON](Report::to_json) for programs, which is also a value
//! ([`JsonReport`]). [`replies`] turns a report into answers to calls. [`unified`] shows the changes of a plan as a diff.

#[cfg(not(feature = "internals"))]
pub(crate) mod diff;
#[cfg(feature = "internals")]
pub mod diff;
mod excerpt;
#[cfg(feature = "cli")]
pub(crate) mod explain;
#[cfg(not(feature = "internals"))]
pub(crate) mod human;
#[cfg(feature = "internals")]
pub mod human;
#[cfg(not(feature = "internals"))]
pub(crate) mod json;
#[cfg(feature = "internals")]
pub mod json;
mod lines;
#[cfg(not(feature = "internals"))]
pub(crate) mod model;
#[cfg(feature = "internals")]
pub mod model;
mod model_line;
mod preview;
#[cfg(not(feature = "internals"))]
pub(crate) mod reply;
#[cfg(feature = "internals")]
pub mod reply;
#[cfg(not(feature = "internals"))]
pub(crate) mod stat;
#[cfg(feature = "internals")]
pub mod stat;
mod style;
mod words;

use std::fmt;

pub use self::diff::unified;
pub use self::json::{JsonError, JsonFailure, JsonFile, JsonReport, SCHEMA};
pub use self::model::BUDGET;
#[cfg(feature = "cli")]
pub(crate) use self::preview::write_preview;
pub use self::reply::{Style as ReplyStyle, replies};
pub use self::style::Look;
#[cfg(feature = "cli")]
pub(crate) use self::words::quoted_again;
use crate::run::Report;

impl Report {
    /// Returns the report for the model that wrote the patch, with at most `budget` characters, a preview excluded; 0
    /// for no limit. [`BUDGET`] is the default.
    pub fn for_model(&self, budget: usize) -> String {
        written(|out| model::write(self, budget, &Look::PLAIN, out))
    }

    /// Returns the words for a person.
    pub fn for_human(&self, look: &Look) -> String {
        written(|out| human::write(self, look, out))
    }

    /// Returns the JSON report as an object on a single line, with its line break. [`SCHEMA`]
    /// describes the object.
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
