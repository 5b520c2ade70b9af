//! The names of the formats.

use std::fmt::{self, Display, Formatter};

use crate::format::Format;

/// What the texts of a format are, as the subject of a sentence.
impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Auto | Format::Envelope => "an envelope",
            Format::SearchReplace => "a SEARCH/REPLACE block",
            Format::Edit => "an old/new edit",
            Format::Unified => "a unified diff",
            Format::Hunks => "a patch of one file",
            Format::NewFile => "a new file",
        })
    }
}
