//! What differed between a quote and the document, and was taken nevertheless.

use std::fmt::{self, Display, Formatter};

use super::Tier;
use crate::text::shown;

/// One difference between what an edit says and what the document holds, reported with every inexact match.
///
/// Lines of the document are 0-based here, as everywhere in the library; [`Display`] counts from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Drift {
    /// The quoted lines stand there only under a looser comparison.
    Lines {
        /// How they were compared.
        tier: Tier,
        /// The lines of the document that differ from the quote.
        lines: Vec<usize>,
        /// How many lines were quoted.
        of: usize,
    },
    /// Quoted lines that the document does not have there.
    Missing {
        /// How many.
        lines: usize,
    },
    /// Lines of the document that stand between the quoted ones, and were not quoted; they stay.
    Skipped {
        /// The lines.
        lines: Vec<usize>,
    },
    /// One of the origin's replacers, tiers or strategies found the place.
    Replacer {
        /// Its name.
        name: &'static str,
    },
    /// A line of dots stands for lines that were not quoted.
    Elided,
    /// Characters in added lines that had come through a wrong code page were put right.
    Ungarbled,
    /// The quote had entities (`&lt;`) for signs that the document has (`<`): all lines were read without them.
    Entities,
    /// Added lines were escaped as the document is.
    Reescaped,
    /// The added lines were brought to the document's indentation.
    Reindented,
    /// Dashes, quotes or spaces in added lines were written as the document writes them.
    LookAlikesMended,
    /// Lines without a sign, or with `-` or `+` as a list item, were read as context.
    Signs,
    /// The quoted lines had been copied with their line numbers.
    LineNumbersDropped,
    /// Empty lines at an end of the chunk were not part of the quote.
    BlankEnds,
    /// A `@@` header stands nowhere; the chunk had one place without it.
    HeaderMissing {
        /// The header's text.
        header: String,
    },
    /// A `@@` header is only a part of a line.
    HeaderInPart {
        /// The header's text.
        header: String,
        /// The line that holds it.
        line: usize,
    },
    /// The place is not behind the chunk before this one.
    OutOfOrder,
    /// The place is not behind the header, or not in what the header introduces.
    OutsideHeader,
    /// `*** End of File`, but the place is not the end.
    NotAtEnd,
    /// Several places were alike, and the line numbers of a unified diff chose.
    LineNumbers {
        /// How many places there were.
        of: usize,
    },
    /// Several places were alike, and the first was taken, as the caller wished.
    First {
        /// How many places there were.
        of: usize,
    },
    /// A chunk that changes nothing, and stands nowhere.
    AnchorMissing,
    /// The chunk quotes what an earlier one wrote, or stands where an earlier one had to be applied first.
    AfterEarlier,
    /// An earlier chunk makes the same change.
    SameChange,
    /// The chunk removes and adds the same lines: nothing changes.
    NoChange,
    /// The chunk's result stands there already: nothing is done twice.
    AlreadyApplied,
}

impl Drift {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Drift::Lines { .. } => "lines",
            Drift::Missing { .. } => "missing",
            Drift::Skipped { .. } => "skipped",
            Drift::Replacer { .. } => "replacer",
            Drift::Elided => "elided",
            Drift::Ungarbled => "ungarbled",
            Drift::Entities => "entities",
            Drift::Reescaped => "reescaped",
            Drift::Reindented => "reindented",
            Drift::LookAlikesMended => "look-alikes-mended",
            Drift::Signs => "signs",
            Drift::LineNumbersDropped => "line-numbers-dropped",
            Drift::BlankEnds => "blank-ends",
            Drift::HeaderMissing { .. } => "header-missing",
            Drift::HeaderInPart { .. } => "header-in-part",
            Drift::OutOfOrder => "out-of-order",
            Drift::OutsideHeader => "outside-header",
            Drift::NotAtEnd => "not-at-end",
            Drift::LineNumbers { .. } => "line-numbers",
            Drift::First { .. } => "first",
            Drift::AnchorMissing => "anchor-missing",
            Drift::AfterEarlier => "after-earlier",
            Drift::SameChange => "same-change",
            Drift::NoChange => "no-change",
            Drift::AlreadyApplied => "already-applied",
        }
    }

    /// Whether the quote was not the document's text to the letter, or not where it was said to be: what a model
    /// can do better next time.
    pub fn is_inexact(&self) -> bool {
        !matches!(
            self,
            Drift::LineNumbers { .. }
                | Drift::First { .. }
                | Drift::AfterEarlier
                | Drift::SameChange
                | Drift::NoChange
                | Drift::AlreadyApplied
                | Drift::Replacer { .. }
        )
    }
}

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
                    "the file has {} more between the quoted ones ({})",
                    count(lines.len()),
                    LineList(lines)
                )
            }
            Drift::Replacer { name } => write!(f, "found by `{name}`"),
            Drift::Elided => f.write_str("a line of dots stands for lines that were not quoted"),
            Drift::Ungarbled => f.write_str("added lines take the file's characters for garbled ones"),
            Drift::Entities => {
                f.write_str("entities (`&lt;`) were read as the signs that the file has (`<`)")
            }
            Drift::Reescaped => f.write_str("added lines take the file's escapes"),
            Drift::Reindented => f.write_str("added lines take the file's indentation"),
            Drift::LookAlikesMended => f.write_str("added lines take the file's dashes, quotes and spaces"),
            Drift::Signs => {
                f.write_str("lines that stand in the file with their first character were read as context")
            }
            Drift::LineNumbersDropped => {
                f.write_str("line numbers that were copied with the lines were dropped")
            }
            Drift::BlankEnds => f.write_str("an empty line at the end of the chunk is not in the file there"),
            Drift::HeaderMissing { header } => {
                write!(f, "the header `@@ {}` is not in the file", shown(header))
            }
            Drift::HeaderInPart { header, line } => {
                write!(f, "the header `@@ {}` is a part of line {}", shown(header), line + 1)
            }
            Drift::OutsideHeader => f.write_str("the place is not under its header"),
            Drift::OutOfOrder => f.write_str("the chunks are not in the file's order"),
            Drift::NotAtEnd => f.write_str("the place is not the end of the file"),
            Drift::LineNumbers { of } => write!(f, "{of} places are alike; the line numbers chose"),
            Drift::First { of } => write!(f, "{of} places are alike; the first was taken"),
            Drift::AnchorMissing => {
                f.write_str("the chunk changes nothing, and its lines are not in the file")
            }
            Drift::AfterEarlier => f.write_str("found in the result of the chunks before it"),
            Drift::SameChange => f.write_str("an earlier chunk makes the same change"),
            Drift::NoChange => f.write_str("the chunk changes nothing"),
            Drift::AlreadyApplied => f.write_str("already applied: the result stands there"),
        }
    }
}

fn count(lines: usize) -> String {
    if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") }
}

/// Line numbers as a person counts them, the first few.
struct LineList<'a>(&'a [usize]);

/// How many line numbers a report names.
const NAMED: usize = 8;

impl Display for LineList<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.len() == 1 { "line " } else { "lines " })?;
        for (nth, line) in self.0.iter().take(NAMED).enumerate() {
            write!(f, "{}{}", if nth == 0 { "" } else { ", " }, line + 1)?;
        }
        if self.0.len() > NAMED { f.write_str(", …") } else { Ok(()) }
    }
}

/// Lines as a person counts them: `line 3`, `lines 3, 9`.
pub(super) fn line_list(lines: &[usize]) -> String {
    LineList(lines).to_string()
}
