//! What must still be true of a path when a plan is carried out.

use crate::text::Bytes;
/// The state of a path that the plan found, and that must still be true when the plan is applied.
///
/// Preconditions are data: [`plan`](crate::plan::plan) records the state that was read, [`apply`](crate::apply) checks
/// the state right before writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Precondition {
    /// Nothing may be at the path: no file, folder or link.
    MustNotExist,
    /// A file with exactly these bytes must be at the path.
    MustBe(Bytes),
}

impl Precondition {
    /// Returns the number of bytes that must exist.
    pub(crate) fn len(&self) -> usize {
        match self {
            Precondition::MustNotExist => 0,
            Precondition::MustBe(bytes) => bytes.len(),
        }
    }
}
