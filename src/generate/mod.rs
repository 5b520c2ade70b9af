//! Writes a patch: from the changes of a plan to a text that makes exactly these changes.
//!
//! [`text`] writes each change in the requested format, parses the result, and plans it against the same files. In an
//! envelope each chunk has three lines of context, and more context or headers only if that is needed to make its
//! position unique. A change whose result differs is written again with more context; a change that still differs, or
//! that the format cannot express, is [reported](Unrepresentable). So the written text is exact, for any text that the
//! plan was made from.
//!
//! The changes are those of any [`Plan`]: of a patch, of [changes](crate::plan::Plan::of_changes) by other means, or of a
//! [reversed](undo) plan.

#[cfg(any(feature = "cli", feature = "internals"))]
mod diff_trees;
mod envelope;
mod file_change;
mod render;
mod suggest;
#[cfg(any(feature = "cli", feature = "internals"))]
mod tree;
mod undo;
mod unique_context;
mod unrepresentable;
mod written;

pub use self::undo::undo;
pub use self::unrepresentable::Unrepresentable;
use crate::format::Format;
use crate::plan::{Files, Plan};

/// What the rest of the crate uses beyond the API; public with the feature `internals`.
#[cfg_attr(not(feature = "internals"), allow(unused_imports, reason = "only the tests use some"))]
mod internals {
    #[cfg(any(feature = "cli", feature = "internals"))]
    pub use super::diff_trees::{Between, plan_between};
    pub use super::suggest::suggest;
    #[cfg(any(feature = "cli", feature = "internals"))]
    pub use super::tree::{Entry, Tree};
    pub use super::unrepresentable::What;
    pub use super::written::{Written, written};
}
#[cfg(not(feature = "internals"))]
pub(crate) use self::internals::*;
#[cfg(feature = "internals")]
pub use self::internals::*;

/// Returns the changes of a plan as a text in a format; [`Format::Auto`] is the envelope. `files` are the files that
/// the plan was made for.
///
/// # Errors
/// Returns every change that the format cannot express.
///
/// ```
/// use std::collections::BTreeMap;
/// use apply_patch::format::{Format, Options, parse};
/// use apply_patch::{generate, plan};
///
/// let files = BTreeMap::from([("a.txt".into(), b"one\ntwo\n".to_vec())]);
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
/// let patch = parse(text, &Options::default()).patch;
/// let plan = plan::plan(&patch, &files, &plan::Options::default()).unwrap();
/// let text = generate::text(&plan, &files, Format::SearchReplace).unwrap();
/// assert_eq!(text, "a.txt\n<<<<<<< SEARCH\none\ntwo\n=======\none\n2\n>>>>>>> REPLACE\n");
/// ```
pub fn text(plan: &Plan, files: &dyn Files, format: Format) -> Result<String, Vec<Unrepresentable>> {
    let Written { text, unrepresentable } = written(plan, files, format, &mut |_, _| {});
    if unrepresentable.is_empty() { Ok(text) } else { Err(unrepresentable) }
}
