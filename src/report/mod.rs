//! Words for what happened.
//!
//! Drift, diagnoses and repairs are data, made where they are known; this module only renders them, as
//! functions that write to a [`std::fmt::Write`]. Nothing here prints.

pub mod diff;
pub mod people;
