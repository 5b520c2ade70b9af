//! Text → Report: a text becomes changed files in a single call.
//!
//! [`run`] does the work of the command: parses the text, finishes what an interrupted run left, plans, and applies the
//! plan; or reports why not. A problem with a text, a tree or the system is never an `Err` here: the [`Report`]
//! contains everything as data, and [`report`](crate::report) renders the data as text. [`many`] does the same for many
//! texts.

#[cfg(all(feature = "cli", not(feature = "internals")))]
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "the feature `internals` makes the rest of the module reachable"
)]
pub(crate) mod batch;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod batch;
mod caller;
mod driver;
mod exit;
mod hooks;
mod many;
mod names;
mod options;
mod report;
mod tree;

pub use self::caller::Caller;
pub use self::driver::{run, run_each, run_patch};
pub use self::exit::Status;
pub use self::many::many;
pub use self::names::UnknownValue;
pub use self::options::{Details, Options};
pub use self::report::{Changes, FileChange, Outcome, Report, Stopped};
pub use self::tree::Tree;
pub use crate::text::Bytes;

/// What the rest of the crate uses beyond the API; public with the feature `internals`.
#[cfg_attr(not(feature = "internals"), allow(unused_imports, reason = "only the tests use some"))]
mod internals {
    #[cfg(feature = "internals")]
    pub use super::driver::replace;
    pub use super::driver::{replace_with, run_with};
    pub use super::hooks::{Hooks, Step};
    pub use super::report::Preview;
}
#[cfg(not(feature = "internals"))]
pub(crate) use self::internals::*;
#[cfg(feature = "internals")]
pub use self::internals::*;
