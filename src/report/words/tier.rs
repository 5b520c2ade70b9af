//! The words for what a tier lets differ.

use std::fmt::{self, Display, Formatter};

use crate::locate::Tier;

/// What may differ in the tier, as the subject of a sentence.
impl Display for Tier {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tier::Exact => "nothing",
            Tier::TrailingSpace => "white space at line ends",
            Tier::IgnoreIndentation => "indentation",
            Tier::LookAlikes => "white space, or the spelling of dashes, quotes, spaces or accents,",
            Tier::Spelling => "inner white space, an escape or the code page",
            Tier::Alignment => "the text",
        })
    }
}
