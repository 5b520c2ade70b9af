//! The marks below the lines of an excerpt of the file, for a model. Each mark names its line.

use std::num::NonZeroUsize;
use std::ops::Range;

use super::drift::line_list;
use super::miss::lines;
use crate::locate::{ActualLine, Difference, Piece, QuotedLine, pieces};
use crate::report::model_line::{cut, named};

/// Where a quoted line is.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) enum By {
    /// In the old text of an edit.
    OldText,
    /// In this line of the patch, 1-based, if known.
    Patch(Option<NonZeroUsize>),
}

impl std::fmt::Display for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            By::OldText => f.write_str("the old text"),
            By::Patch(None) => f.write_str("the patch"),
            By::Patch(Some(number)) => write!(f, "patch line {number}"),
        }
    }
}

/// Returns the mark for lines of the file that are not shown.
pub(in crate::report) fn gap(lines: usize) -> String {
    let plural = if lines == 1 { "line" } else { "lines" };
    format!("   …|({lines} {plural})")
}

/// Returns the mark for quoted lines that are neither in the file nor shown.
pub(in crate::report) fn more_missing(lines: usize) -> String {
    format!("   ^ the patch has {lines} more; not there")
}

/// Returns the mark below lines of the file, 0-based, that were not quoted.
pub(in crate::report) fn not_quoted(place: &Range<usize>) -> String {
    format!("   ^ {}: not quoted", lines(place))
}

/// Returns the mark for a quoted line that the file does not have. `last` is the line of the file above, `start` the first
/// line of the position, both 0-based.
pub(in crate::report) fn missing(by: By, quoted: &str, last: Option<usize>, start: usize) -> String {
    let place = match last {
        Some(last) => format!("after line {}", last + 1),
        None => format!("before line {}", start + 1),
    };
    let what =
        if quoted.trim().is_empty() { "a blank line".to_owned() } else { format!("`{}`", cut(quoted)) };
    format!("   ^ {place}: {by} has {what}")
}

/// Returns the mark for a line, 0-based, with other whitespace at an end.
pub(in crate::report) fn spaces(by: By, remark: &str, line: usize) -> String {
    format!("   ^ line {}: {by}: {remark}", line + 1)
}

/// Returns the mark for a line that differs: the pieces that differ, if there are few; otherwise the quoted line.
pub(in crate::report) fn differs(
    by: By,
    difference: Difference,
    quoted: &QuotedLine,
    actual: &ActualLine,
) -> String {
    let (left, right) = (&*quoted.text, &*actual.text);
    let line = actual.line + 1;
    let all = pieces(left, right);
    if let [only] = all.as_slice()
        && let (old, new) = (&left[only.quoted.clone()], &right[only.actual.clone()])
        && !old.trim().is_empty()
        && !new.trim().is_empty()
        && left.matches(old).count() == 1
    {
        return format!("   ^ line {line}: {by} has `{}`, the file `{}`", named(old), named(new));
    }
    let words = which_pieces(all, left, right).unwrap_or_else(|| difference.to_string());
    format!("   ^ line {line}: {by} has `{}` ({words})", cut(left))
}

/// The end of a mark for a quoted line that the file does not have at the position.
pub(in crate::report) const NOT_HERE: &str = "; not there";

/// Returns the end of a mark for a line to remove: the lines of the file, 0-based, that have the quoted line.
pub(in crate::report) fn removed(lines: &[usize]) -> String {
    if lines.is_empty() {
        return "; the line to remove is nowhere in the file".to_owned();
    }
    format!("; the line to remove is at {}", line_list(lines))
}

/// Returns the end of a mark for a line to remove in whose place the file has an added line, of this line of the patch, 1-based.
pub(in crate::report) fn added(number: Option<NonZeroUsize>) -> String {
    match number {
        Some(number) => format!("; patch line {number} adds that line"),
        None => "; the new text has that line".to_owned(),
    }
}

/// How many pieces of a line are named.
const PIECES: usize = 3;

/// Returns the pieces that differ; `None` where too many do.
fn which_pieces(all: Vec<Piece>, left: &str, right: &str) -> Option<String> {
    let is_space = |piece: &Piece| left[piece.quoted.clone()].trim() == right[piece.actual.clone()].trim();
    let (space, apart): (Vec<Piece>, Vec<_>) = all.into_iter().partition(is_space);
    if apart.is_empty() || apart.len() > PIECES {
        return None;
    }
    let piece = |piece: &Piece| {
        let (quoted, actual) = (&left[piece.quoted.clone()], &right[piece.actual.clone()]);
        match (quoted.is_empty(), actual.is_empty()) {
            (true, _) => format!("the file has `{}` more", named(actual)),
            (_, true) => format!("the file has no `{}`", named(quoted)),
            _ => format!("`{}` is `{}` in the file", named(quoted), named(actual)),
        }
    };
    let more = (!space.is_empty()).then(|| "white space".to_owned());
    let mut named: Vec<String> = apart.iter().map(piece).chain(more).collect();
    named.dedup();
    Some(named.join(", "))
}
