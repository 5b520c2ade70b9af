//! Properties of a file that a patch sets apart from the lines.

/// Properties of a file apart from its lines, as far as the patch sets them. The default sets nothing, as an envelope
/// does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Properties {
    /// Whether the file is executable.
    pub executable: Option<bool>,
    /// How the last line of the file ends.
    pub final_newline: Option<FinalNewline>,
}

/// How the last line of a file ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FinalNewline {
    /// With a line break.
    Present,
    /// Without a line break.
    Missing,
    /// Unchanged, also if the patch writes the last line.
    Kept,
}
