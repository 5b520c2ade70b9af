//! Renders a report as text.
//!
//! Drift, diagnoses and repairs are data; this module only renders the data, with functions that write to a
//! [`std::fmt::Write`]. Nothing here prints.
//!
//! There are three renderings of a [`Report`]: [for the model](Report::for_model) that wrote the patch, [for
//! readers](Report::for_human) at a terminal, and as [JSON](Report::to_json) for programs, which is also a value
//! ([`JsonReport`]). [`Report::replies`] turns a report into answers to calls.

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

pub use self::json::JsonReport;
#[cfg(feature = "cli")]
pub(crate) use self::preview::write_preview;
pub use self::reply::ReplyStyle;
pub use self::style::Look;
#[cfg(feature = "cli")]
pub(crate) use self::words::quoted_again;
use crate::run::Report;

impl Report {
    /// The default number of characters of a report [for a model](Self::for_model).
    pub const BUDGET: usize = 4000;

    /// Returns the report for the model that wrote the patch, with at most `budget` characters, a preview excluded; 0
    /// for no limit. [`BUDGET`](Self::BUDGET) is the default of the command.
    pub fn for_model(&self, budget: usize) -> String {
        written(|out| model::write(self, budget, &Look::PLAIN, out))
    }

    /// Returns the words for a person.
    pub fn for_human(&self, look: &Look) -> String {
        written(|out| human::write(self, look, out))
    }

    /// Returns the JSON report as an object on a single line, with its line break.
    /// [`JsonReport::SCHEMA`] describes the object.
    pub fn to_json(&self) -> String {
        written(|out| json::write(self, out))
    }

    /// Returns the answer to each call of the text, in order; a single answer if the text has no call. Each is a JSON object on
    /// a single line. `budget` is the maximum number of characters of the text of an answer; 0 for no limit.
    ///
    /// ```
    /// use apply_patch::report::ReplyStyle;
    /// use apply_patch::run::{Options, Tree, run};
    ///
    /// let mut tree: Tree = [("a.txt", "one\n")].into_iter().collect();
    /// let text = r#"{"type": "tool_use", "id": "toolu_1", "name": "edit",
    ///     "input": {"path": "a.txt", "old_str": "one", "new_str": "two"}}"#;
    /// let report = run(text, &Options::default(), &mut tree);
    /// let answer = &report.replies(ReplyStyle::Anthropic, 4000)[0];
    /// assert!(answer.contains(r#""is_error":false"#) && answer.ends_with(r#","tool_use_id":"toolu_1"}"#));
    /// ```
    pub fn replies(self, style: ReplyStyle, budget: usize) -> Vec<String> {
        reply::replies(self, style, budget)
    }
}

/// Collects what is written. Writing to a string does not fail.
fn written(write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> String {
    let mut words = String::new();
    let _ = write(&mut words);
    words
}
