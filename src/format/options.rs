//! How a text is read.

/// How a text is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The format of the text.
    pub format: Format,
    /// Whether to accept exactly the grammar: every repair is an error.
    pub strict: bool,
    /// Whether to accept a text that ends before `*** End Patch`, or in a hunk of a diff. A truncated answer looks the same,
    /// so this is the risk of the caller.
    pub accept_truncated: bool,
    /// The file to change if the text names no file. An envelope always names its files.
    pub file: Option<String>,
    /// How many leading directories of the names in a unified diff are not part of the tree; `None` to detect the
    /// number.
    pub strip: Option<usize>,
    /// Whether each call has its own hunks, also for consecutive edits of the same file in several calls, and its own
    /// errors.
    pub(crate) separate_calls: bool,
}

/// The formats in which an edit can be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// The format that the text shows. A text that shows several formats is an error.
    #[default]
    Auto,
    /// `*** Begin Patch` to `*** End Patch`
    Envelope,
    /// Blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`.
    SearchReplace,
    /// Calls of edit tools, usually old/new edits, in JSON or as text.
    Edit,
    /// A unified diff of git, GNU diff or a model.
    Unified,
    /// The hunks of an envelope's Update without the envelope. The caller names the [file](Options::file).
    Hunks,
    /// The lines of an envelope's Add without the envelope. The caller names the [file](Options::file).
    NewFile,
}

impl Format {
    /// Returns whether a text is the content of an operation on a file, without anything around.
    pub(super) fn is_of_file(self) -> bool {
        matches!(self, Format::Hunks | Format::NewFile)
    }
}
