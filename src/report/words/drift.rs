//! The words for drift.

use std::fmt::{self, Display, Formatter};

use crate::locate::Drift;
use crate::text::shown;

impl Display for Drift {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Drift::Lines { tier, lines, of } => {
                write!(f, "{tier} differs in {} of {of} quoted lines ({})", lines.len(), LineList(lines))
            }
            Drift::Missing { lines: 1 } => f.write_str("1 quoted line is not in the file"),
            Drift::Missing { lines } => write!(f, "{lines} quoted lines are not in the file"),
            Drift::Skipped { lines } => {
                write!(
                    f,
                    "the file has {} more between the quoted lines ({})",
                    count(lines.len()),
                    LineList(lines)
                )
            }
            Drift::Replacer { name } => write!(f, "found by `{name}`"),
            Drift::PartlyMade { lines } => {
                write!(f, "a part of the change is in the file already ({})", LineList(lines))
            }
            Drift::Elided => f.write_str("a line of dots replaces lines that were not quoted"),
            Drift::Rewrapped => f.write_str("the file breaks quoted lines at other positions"),
            Drift::Repeated => f.write_str("a line that is quoted twice in a row is in the file once"),
            Drift::QuoteReindented => f.write_str(
                "the quoted lines have another indentation than the file; added lines were written as given",
            ),
            Drift::Ungarbled => f.write_str("added lines take the file's characters for garbled ones"),
            Drift::Entities => {
                f.write_str("entities (`&lt;`) were read as the signs that the file has (`<`)")
            }
            Drift::Reescaped => f.write_str("added lines take the file's escapes"),
            Drift::Reindented => f.write_str("added lines take the file's indentation"),
            Drift::LookAlikesMended => f.write_str("added lines take the file's signs and spaces"),
            Drift::Signs => {
                f.write_str("lines that the file has with their first character were read as context")
            }
            Drift::AddedWithoutSign => {
                f.write_str("a line without a sign between added lines is not in the file, and was added")
            }
            Drift::LineNumbersDropped => {
                f.write_str("line numbers that were copied with the lines were dropped")
            }
            Drift::BlankEnds => f.write_str("an empty line at the end of the chunk is not in the file there"),
            Drift::HeaderMissing { header } => {
                write!(f, "the header `@@ {}` is not in the file", shown(header))
            }
            Drift::HeaderInPart { header, line } => {
                write!(f, "the header `@@ {}` matches line {} only in part", shown(header), line + 1)
            }
            Drift::OutsideHeader => f.write_str("the place is not under its header"),
            Drift::OutOfOrder => f.write_str("the chunks are not in the file's order"),
            Drift::NotAtEnd => f.write_str("the place is not the end of the file"),
            Drift::LineNumbers { of } => {
                write!(f, "{of} positions match equally well; the line numbers decided")
            }
            Drift::First { of } => write!(f, "{of} positions match equally well; the first was used"),
            Drift::AnchorMissing => {
                f.write_str("the chunk changes nothing, and its lines are not in the file")
            }
            Drift::AfterEarlier => f.write_str("found in the result of the chunks before it"),
            Drift::SameChange => f.write_str("an earlier chunk makes the same change"),
            Drift::NoChange => f.write_str("the chunk changes nothing"),
            Drift::AlreadyApplied => f.write_str("already applied: the file has the result"),
        }
    }
}

fn count(lines: usize) -> String {
    if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") }
}

/// Line numbers as a person counts them, the first few.
struct LineList<'a>(&'a [usize]);

/// How many line numbers, or ranges of these, a report names.
const NAMED: usize = 8;

impl Display for LineList<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.len() == 1 { "line " } else { "lines " })?;
        let mut left = self.0;
        for nth in 0..NAMED {
            let Some(first) = left.first() else { return Ok(()) };
            write!(f, "{}{}", if nth == 0 { "" } else { ", " }, first + 1)?;
            let next = (0..left.len()).take_while(|nth| left[*nth] == first + nth).count();
            // A range is shorter than a list only for three lines or more.
            let run = if next > 2 { next } else { 1 };
            if run > 1 {
                write!(f, "-{}", first + run)?;
            }
            left = &left[run..];
        }
        if left.is_empty() { Ok(()) } else { f.write_str(", …") }
    }
}

/// Lines as a person counts them: `line 3`, `lines 3, 9-12`.
pub(super) fn line_list(lines: &[usize]) -> String {
    LineList(lines).to_string()
}
