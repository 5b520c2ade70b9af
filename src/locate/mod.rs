//! Where edits go.
//!
//! [`place`] puts all edits of one document at once: each has one place, or is refused with what was found
//! instead. It works in steps, one file each:
//!
//! 1. `entities`, `elision`: how the quote is to be read, and what its lines of dots part.
//! 2. `index`: all places where an edit's old lines stand, in the tightest way of comparing lines
//!    ([`Tier`]) that has any. A tier that has a place closes the looser ones. Where none has, `alignment` fits the
//!    whole quote in, and `rivals` says which fits may be meant.
//! 3. `header`: `@@` headers, anchors (chunks that change nothing) and `*** End of File` narrow the places.
//! 4. `choose`, `assign`: the order of the edits narrows them further. What has more than one place then is refused.
//! 5. `pairing`, `guard`, `adapt`: the place is vetted, and the added lines are brought into the document's
//!    form. Context is never rewritten: only removed and added lines become [`Replacement`](crate::text::Replacement)s.
//! 6. `builder`: edits that quote what earlier ones wrote are sought in the result of those, and mapped back.
//!
//! The origin of all this is [seed 002's algorithm](crate::baseline::compute_replacements), which is kept here as it was
//! written; the engine shares its first and its last part.

mod adapt;
mod alignment;
mod already;
mod assign;
mod beside;
mod builder;
mod choose;
mod comparison;
mod compose;
mod diagnose;
mod doubt;
mod elision;
mod engine;
mod entities;
mod evidence;
mod guard;
mod indentation;
mod kept;
mod mend;
mod miss;
mod outcome;
mod pairing;
mod relation;
mod rivals;
mod search;
mod select;
mod sight;
mod signs;
mod types;
mod uniqueness;

pub use self::comparison::{
    ActualLine, Alternative, Difference, MendedLine, NearLine, Nearest, QuotedLine, TellingLine,
};
pub use self::diagnose::difference::{Piece, pieces};
pub use self::diagnose::explain::{Explanation, Fit, TierPlaces, explain};
pub use self::engine::{place, place_all};
pub use self::outcome::{Doubt, Drift, Miss, Placed, Placement, Reason};
pub use self::types::{Ambiguity, Level, Matching, Tier};
pub(crate) use self::uniqueness::Ground;
