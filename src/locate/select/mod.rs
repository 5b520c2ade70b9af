//! What narrows the candidate positions of an edit.

pub(crate) mod scope;
