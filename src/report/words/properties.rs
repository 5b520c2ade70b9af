//! The words for the properties of a file: mode, links, type.

use crate::patch::{FinalNewline, Properties};

impl Properties {
    /// The sentences, one for each property.
    pub(in crate::report) fn sentences(self) -> impl Iterator<Item = &'static str> {
        let mode = self.executable.map(|executable| {
            if executable { "the file is executable" } else { "the file is not executable" }
        });
        let end = self.final_newline.and_then(|end| match end {
            FinalNewline::Present => Some("the last line ends with a line break"),
            FinalNewline::Missing => Some("the last line ends without a line break"),
            FinalNewline::Kept => None,
        });
        mode.into_iter().chain(end)
    }
}
