//! How a name of a patch was read.

use super::path::PathRepair;

/// How a name was read that is not spelt as the file's.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameNote {
    /// The spelling was repaired.
    Repaired(PathRepair),
    /// A first directory `a/` or `b/`, as in a unified diff, was dropped.
    DiffPrefix {
        /// The name, as the patch spells the name.
        name: String,
    },
    /// The slash at the beginning was dropped: nothing is at the absolute path.
    RootSlash {
        /// The name, as the patch spells the name.
        name: String,
    },
    /// The marks around the name were dropped: backticks, quotation marks or stars, as names have in prose.
    Marks {
        /// The name, as the patch spells the name.
        name: String,
    },
}
