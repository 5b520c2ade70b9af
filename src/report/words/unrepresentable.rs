//! The words for content that a format cannot express.

use std::fmt::{self, Display, Formatter};

use crate::generate::{Unrepresentable, What};

impl Display for Unrepresentable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Unrepresentable { path, format, what } = self;
        write!(f, "{path:?}: {format} cannot express {what}")
    }
}

impl Display for What {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            What::Deletion => "that a file is deleted",
            What::Move => "that a file is moved",
            What::Executable => "whether a file is executable",
            What::Binary => "what is not text",
            What::FinalNewline => "whether the last line ends with a line break",
            What::LineEnds => "which lines end with LF and which with CR LF",
            What::Link => "what becomes of a symbolic link",
            What::Submodule => "which commit a submodule is at",
            What::Mode => "the mode bits",
            What::Name => "the name",
            What::Kind => "what is neither file nor folder",
            What::Exactly => "just this change",
        })
    }
}
