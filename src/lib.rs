//! Turns an edit that a language model wrote as an `apply_patch` envelope into changed files.

pub mod apply;
pub mod edit;
pub mod format;
mod fs;
pub mod locate;
pub mod patch;
pub mod plan;
pub mod text;
