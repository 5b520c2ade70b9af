//! Changes that a format cannot express.

use camino::Utf8PathBuf;
use thiserror::Error;

use crate::format::Format;

/// A change that a format cannot express.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Unrepresentable {
    /// The file.
    pub path: Utf8PathBuf,
    /// The format.
    pub format: Format,
    /// The part that the format cannot express.
    #[cfg(feature = "internals")]
    pub what: What,
    #[cfg(not(feature = "internals"))]
    pub(crate) what: What,
}

/// What a format may have no words for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(not(any(feature = "cli", feature = "internals")), allow(dead_code, reason = "of two trees only"))]
pub enum What {
    /// That a file goes.
    Deletion,
    /// That a file gets another name.
    Move,
    /// Whether a file may be executed.
    Executable,
    /// Content that is not text in UTF-8.
    Binary,
    /// Whether the last line ends with a line break.
    FinalNewline,
    /// Which line ends with LF and which with CR LF.
    LineEnds,
    /// A symbolic link, or a change of a symbolic link.
    Link,
    /// Which commit a submodule is at.
    Submodule,
    /// Mode bits that a new file would not have.
    Mode,
    /// The name: not UTF-8, or not allowed in a patch.
    Name,
    /// What is neither a file nor a folder.
    Kind,
    /// Exactly this change: no quote makes the position unique, or something else prevents the result.
    Exactly,
}

/// Returns bytes as text.
pub(super) fn text(bytes: &[u8]) -> Result<&str, What> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')).ok_or(What::Binary)
}
