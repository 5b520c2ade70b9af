//! Selects the region of a position by `@@` headers.

pub(crate) mod scope;
