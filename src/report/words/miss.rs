//! The words for why an edit has no position.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use super::drift::line_list;
use crate::locate::{Alternative, Doubt, Reason};

impl Display for Reason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotFound => f.write_str("the quoted lines are not in the file"),
            Reason::Elision => f.write_str("the patch quotes dots in place of lines of the file"),
            Reason::NothingQuoted => {
                f.write_str("the chunk only adds lines, and no quoted line shows the position")
            }
            Reason::Ambiguous { places } if places.is_empty() => {
                f.write_str("several positions match equally well")
            }
            Reason::Ambiguous { places } => {
                let least = if places.len() >= Alternative::COUNTED { "at least " } else { "" };
                write!(f, "{least}{} positions match equally well: {}", places.len(), line_list(places))
            }
            Reason::Overlap { line } => {
                write!(f, "another chunk changes the same position, line {}", line + 1)
            }
            Reason::Doubt { place, doubt: doubt @ Doubt::LooksApplied, .. } => {
                write!(f, "{doubt} ({})", lines(place))
            }
            Reason::Doubt { place, line, doubt } => {
                write!(f, "found at {}, but {doubt}", lines(place))?;
                match line {
                    Some(line) if place.len() > 1 || *doubt == Doubt::InOtherForm => {
                        write!(f, " (line {})", line + 1)
                    }
                    _ => Ok(()),
                }
            }
            Reason::NotText { line } => {
                write!(f, "line {} of the file is not valid text in the file's encoding", line + 1)
            }
        }
    }
}

/// `line 3`, `lines 3-9`.
pub(in crate::report) fn lines(range: &Range<usize>) -> String {
    if range.len() > 1 {
        format!("lines {}-{}", range.start + 1, range.end)
    } else {
        format!("line {}", range.start + 1)
    }
}
