//! Where edits go.
//!
//! [`place`] puts all edits of one document at once: each has one position, or is refused with what was found instead.
//! What an edit quotes is explained in several ways, each with a cost; the cheapest way is taken if each other way within
//! a margin writes the same bytes. `docs/matching.md` describes the model.
//!
//! - `align`: how a quoted line differs from a line of the file, and the cheapest alignments of all lines.
//! - `reading`: what was done to the quote as a whole (line numbers, entities, a lost sign column, dots).
//! - `explanation`: an alignment with its bytes, or with the obstacle that keeps them from being known.
//! - `rewrite`: how added lines are written.
//! - `decide`: one explanation for each edit of a document, or a refusal.
//! - `select`: where `@@` headers lead. `search`: the index of a document.
//! - `diagnose`: what is shown of a refusal.
//!
//! The origin of all this is [seed 002's algorithm](crate::baseline::compute_replacements), which is kept here as it was
//! written; the engine shares its first and its last part.

mod align;
mod comparison;
mod compose;
mod decide;
mod diagnose;
mod engine;
mod explanation;
mod miss;
mod outcome;
mod reading;
mod rewrite;
mod search;
mod select;
mod types;
mod uniqueness;

pub use self::align::cost::Costs;
pub use self::comparison::{
    ActualLine, Alternative, Difference, MendedLine, NearLine, Nearest, QuotedLine, TellingLine,
};
pub use self::diagnose::difference::{Piece, pieces};
pub use self::diagnose::explain::{Explanation, explain};
pub use self::engine::{place, place_all};
pub use self::outcome::{Candidate, CandidateRow, Doubt, Drift, Miss, Placed, Placement, Reason};
pub use self::types::{Ambiguity, Level, Matching, Tier};
pub(crate) use self::uniqueness::MatchOracle;
