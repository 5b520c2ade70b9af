//! The readings of a quote: the lines after undoing a change to the quote as a whole.
//!
//! A reading is tried only if the file indicates the change. Each reading has a cost. Encoders (entities, escapes) and
//! a lost sign column are readings and not differences of lines, because both also change added lines.

mod blocks;
mod dots;
pub(crate) mod encoder;
mod numbers;
mod propose;
mod quote;
mod shifted;
mod trimmed;
pub(crate) mod wrapped;

pub(crate) use self::dots::{is_dots, is_placeholder};
pub(crate) use self::numbers::numbered;
pub(crate) use self::propose::readings;
pub(crate) use self::quote::{Reading, Row, Undone};
