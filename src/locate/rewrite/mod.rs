//! Rewrites added lines: with the indentation of the file, with the spelling of the file in copies of removed lines, and
//! with the signs of the file where all quoted lines have other signs than the file.
//!
//! New text belongs to the model. Nothing else in an added line is changed.

mod copy;
mod depth;
mod encoded;
mod junk;
mod leading;
mod look_alikes;
mod quotation;
mod rewriter;
mod tabs;
mod verbatim;

pub(crate) use self::rewriter::Rewriter;
pub(crate) use self::tabs::{begins_with_tabs, indent_recipes};
