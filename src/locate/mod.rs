//! Places edits.
//!
//! [`place`] places all edits of a document together: each has a single position, or is refused with the nearest lines.
//! A quote has several explanations, each with a cost; the cheapest is accepted if every other explanation within a
//! margin writes the same bytes. `docs/matching.md` describes the model.
//!
//! - `align`: how a quoted line differs from a line of the file, and the cheapest alignments of all lines.
//! - `reading`: changes to the quote as a whole (line numbers, entities, a lost sign column, dots).
//! - `explanation`: an alignment with its bytes, or with the obstacle that hides the bytes.
//! - `rewrite`: how added lines are written.
//! - `decide`: an explanation for each edit of a document, or a refusal.
//! - `search`: the index of a document, and the regions of `@@` headers.
//! - `syntax`: the signs and words of programming and markup languages.
//! - `diagnose`: the details of a refusal.
//!
//! The origin is [the algorithm of seed 002](crate::baseline::compute_replacements), which is kept unchanged for
//! comparison.

mod align;
mod comparison;
mod compose;
mod decide;
mod diagnose;
mod doubt;
mod engine;
mod explanation;
mod outcome;
mod reading;
mod rewrite;
mod search;
mod syntax;
mod types;

pub use self::align::cost::Costs;
pub(crate) use self::align::encoding::without_entities;
pub(crate) use self::align::line_text::letters;
pub use self::comparison::{
    ActualLine, Alternative, Difference, MendedLine, NearLine, Nearest, QuotedLine, TellingLine,
};
pub use self::diagnose::difference::{Piece, pieces};
pub use self::doubt::{Doubt, Wrap};
#[cfg(feature = "internals")]
#[doc(hidden)]
pub use self::engine::replace_costs;
pub(crate) use self::engine::{Indexed, MatchOracle};
pub use self::engine::{explain, place, place_all};
pub use self::outcome::{
    Candidate, CandidateRow, ChangedLine, Drift, Explanation, LinesInDocument, Miss, Placed, Placement,
    Reason,
};
pub(crate) use self::reading::numbered;
pub(crate) use self::rewrite::begins_with_tabs;
pub(crate) use self::search::headers::has_numbers;
pub(crate) use self::syntax::{
    FENCES, begins_block, continues_statement, is_comment, is_comment_sign, is_fence, is_word_char, literals,
    may_hold_deeper, without_comment, without_literals,
};
pub use self::types::{Ambiguity, Level, Matching, Tier};
