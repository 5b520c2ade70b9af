//! The words for how a name was read.

use std::fmt::{self, Display, Formatter};

use crate::plan::NameNote;
use crate::plan::path::PathRepair;
use crate::text::shown;

impl Display for NameNote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NameNote::Repaired(PathRepair::Backslashes) => {
                f.write_str("read backslashes in the name as slashes")
            }
            NameNote::Repaired(_) => f.write_str("dropped `./` from the name"),
            NameNote::DiffPrefix { name } => {
                write!(f, "read `{}` without its first folder, which is not there", shown(name))
            }
            NameNote::RootSlash { name } => {
                write!(f, "read `{}` without its first `/`: nothing is at the absolute path", shown(name))
            }
            NameNote::Marks { name } => write!(f, "dropped the marks around {}", shown(name)),
        }
    }
}
