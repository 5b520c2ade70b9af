//! The words for how two lines differ.

use std::fmt::{self, Display, Formatter};

use crate::locate::Difference;

/// What differs, as a remark on a line.
impl Display for Difference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Difference::Same => "the same",
            Difference::TrailingSpace => "white space at the end of the line",
            Difference::Indentation => "indentation",
            Difference::LookAlikes => "dashes, quotes, spaces or accents are written otherwise",
            Difference::Spacing => "white space inside the line",
            Difference::CodePage => "characters that came through a wrong code page",
            Difference::Escapes => "escapes",
            Difference::Misspelt => "spelling",
            Difference::Words => "other words",
            Difference::Other => "another line",
            Difference::NotInFile => "not in the file",
            Difference::NotQuoted => "not quoted",
        })
    }
}
