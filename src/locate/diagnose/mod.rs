//! The details of a refusal: the nearest lines, the differences between positions, the corrected edit, and the
//! competing explanations.

pub(crate) mod alternatives;
pub(crate) mod candidate;
pub(crate) mod changed_lines;
pub(crate) mod correction;
pub(crate) mod difference;
pub(crate) mod nearest;
mod similar_line;
