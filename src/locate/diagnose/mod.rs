//! The details of a refusal: the nearest lines, the differences between positions, and the corrected edit.

pub(crate) mod alternatives;
pub(crate) mod correction;
pub(crate) mod difference;
pub(crate) mod nearest;
