//! Rewrites added lines: with the indentation of the file, and with the spelling of the file in copies of removed
//! lines.
//!
//! New text belongs to the model. Nothing else in an added line is changed.

mod copy;
mod junk;
mod rewriter;
mod tabs;

pub(crate) use self::rewriter::Rewriter;
pub(crate) use self::tabs::indent_recipes;
