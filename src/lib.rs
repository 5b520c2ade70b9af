//! Turns an edit that a language model wrote as an `apply_patch` envelope into changed files.

pub mod format;
pub mod patch;
pub mod text;
