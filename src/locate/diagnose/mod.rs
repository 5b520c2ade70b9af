//! What is shown of a refusal: the lines that come nearest, what tells several positions apart, the edit as it would
//! fit, and the explanations that compete.

pub(crate) mod alternatives;
pub(crate) mod candidate;
pub(crate) mod changed_lines;
pub(crate) mod correction;
pub(crate) mod difference;
pub(crate) mod explain;
pub(crate) mod nearest;
mod similar_line;
