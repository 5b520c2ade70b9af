//! The decision: a result for each chunk of a file, or a refusal.
//!
//! The cheapest explanations of all chunks together are accepted if every other assignment within the margin writes the
//! same bytes. Otherwise the chunks that differ are refused, with two different explanations. An explanation without
//! bytes differs from all bytes.

mod addition;
mod adjacent;
mod beam;
mod chunk;
mod clear;
mod conflict;
mod dominance;
mod headers;
mod judge;
mod placement;
mod refusal;
mod rounds;
mod single;

pub(crate) use self::rounds::{place, place_in};
pub(crate) use self::single::{described, only_exact_position, place_all};
