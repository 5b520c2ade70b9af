//! What must still be true of a path when a plan is carried out.

use crate::text::Bytes;
/// What the plan found at a path, and what has to be there still when it is carried out.
///
/// Preconditions are data: [`plan`](crate::plan::plan) makes them from what it read,
/// [`apply`](crate::apply) checks them right before it writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Precondition {
    /// Nothing may be at the path: no file, folder or link.
    MustNotExist,
    /// A file with exactly these bytes must be at the path.
    MustBe(Bytes),
}

impl Precondition {
    /// How many bytes have to be there.
    pub(crate) fn len(&self) -> usize {
        match self {
            Precondition::MustNotExist => 0,
            Precondition::MustBe(bytes) => bytes.len(),
        }
    }
}
