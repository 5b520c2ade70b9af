//! Every sentence of a report, one file for each enum that it puts into words.
//!
//! A type of the stages says what happened as data; its `Display` is here, so that all sentences are read and changed in one
//! place. `thiserror` only derives the causes. The notation of a value (a digest, a span, an encoding) stays with the value,
//! and so does the one line of an error that no report shows.

pub(super) mod advice;
mod apply_error;
mod call;
mod difference;
mod doubt;
mod drift;
mod failure;
mod format;
mod miss;
mod name_note;
mod parse_error;
mod path_error;
mod properties;
mod read_error;
mod repair;
pub(crate) mod stopped;
mod tier;
mod unrepresentable;
