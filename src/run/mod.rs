//! Request → Report: a text becomes changed files in a single call.
//!
//! [`run`] does the work of the command: parses the text, finishes what an interrupted run left, plans, and applies the
//! plan; or reports why not. A problem with a text, a tree or the system is never an `Err` here: the [`Report`]
//! contains everything as data, and [`report`](crate::report) renders the data as text. [`many`] does the same for many
//! requests. [`run_with`] is for a caller who takes part in a run ([`Hooks`]): with a progress bar, a question, a file
//! for the undo.

#[cfg(feature = "batch")]
pub mod batch;
mod caller;
mod driver;
mod exit;
mod hooks;
mod many;
mod names;
mod report;
mod request;
mod tree;

pub use self::caller::Caller;
pub use self::driver::{replace, replace_with, run, run_each, run_patch, run_with};
pub use self::exit::Status;
pub use self::hooks::{Hooks, Step};
pub use self::many::{Job, many};
pub use self::names::UnknownName;
pub use self::report::{Changes, FileChange, Message, Outcome, Preview, Report, Stopped};
pub use self::request::{Details, Mode, Options, Request};
pub use self::tree::Tree;
pub use crate::text::Bytes;
