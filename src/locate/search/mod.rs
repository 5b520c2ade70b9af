//! Search in a document: which lines a quoted line, or a run of quoted lines, is equal to, and the regions that `@@`
//! headers select.

pub(crate) mod attached;
mod flat;
mod hashes;
pub(crate) mod headers;
mod index;
mod inside;
mod multi_search;
mod named_block;
mod names;
pub(crate) mod preamble;
pub(crate) mod scope;

pub(crate) use self::hashes::hash_bytes;
pub(crate) use self::index::Index;
