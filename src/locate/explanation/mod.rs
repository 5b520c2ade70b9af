//! Explanations of an edit: a reading of the quote, an alignment with the file, an indentation map, and a state (to be
//! made, or already made). Each has a cost, and either the bytes that it would write, or an obstacle.

mod aligned;
mod begun;
mod block_words;
pub(crate) mod coincidence;
pub(crate) mod defined;
pub(crate) mod elsewhere;
pub(crate) mod evidence;
pub(crate) mod extended;
mod heads;
mod insertion;
pub(crate) mod made;
pub(crate) mod named;
pub(crate) mod names;
pub(crate) mod other_header;
mod other_name;
pub(crate) mod partly_made;
pub(crate) mod parts;
mod peers;
pub(crate) mod promises;
mod records;
mod remaining;
mod renamed;
mod result;
pub(crate) mod rival;
mod same_block;
mod seam;
mod siblings;
pub(crate) mod solve;
mod types;
mod unmade;

pub(crate) use self::aligned::Aligned;
pub(crate) use self::types::{Effect, Explanation, Insertion, Obstacle, Rewritten, Signature, Spot, State};
