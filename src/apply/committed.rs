//! The result of a commit.

use camino::Utf8PathBuf;

/// The result of a commit. Paths are those of the plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Committed {
    /// Files that were made or replaced, in the order of the plan.
    pub written: Vec<Utf8PathBuf>,
    /// Files that were removed, in the order of the plan.
    pub removed: Vec<Utf8PathBuf>,
    /// Files that already had the new content, and were not written.
    pub unchanged: Vec<Utf8PathBuf>,
    /// Folders that were made, the outermost first.
    pub folders: Vec<Utf8PathBuf>,
}
