//! Exact and normalized search: which lines of a document a quoted line, or a run of quoted lines, is equal to.

mod index;
mod line_hash;
mod line_hashes;
mod multi_search;

pub(crate) use self::index::Index;
pub(crate) use self::line_hash::hash_bytes;
