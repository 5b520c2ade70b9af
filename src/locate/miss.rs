//! Why an edit has no place, and where it nearly had one.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use super::Tier;
use super::diagnose::nearest::{Alternative, Nearest, alternatives};
use super::doubt::Doubt;
use super::drift::line_list;
use super::search::Index;
use super::search::hash_bytes;
use crate::patch::Chunk;
use crate::text::Document;

/// An edit that could not be placed. Lines of the document are 0-based; [`Display`] counts from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// Why.
    pub reason: Reason,
    /// The loosest way in which the quoted lines were compared with the document: the one that found a place, or the
    /// last of the level. All tighter ones were tried before it.
    pub tried: Tier,
    /// The `@@` headers that were not found.
    pub missing_headers: Vec<String>,
    /// The place that was not taken, or else the one that comes nearest.
    pub nearest: Option<Box<Nearest>>,
    /// The places that are alike, in the order of the document, the first [`Alternative::MOST`] of them.
    pub alternatives: Vec<Alternative>,
    /// The same whenever the same lines are asked of the same document, and hardly ever otherwise: a harness sees
    /// by it that a model goes round in circles.
    pub fingerprint: u64,
}

impl Miss {
    /// A miss of an edit in a document, without a place that would come near.
    pub fn new(reason: Reason, document: &Document, lines: &[&str]) -> Self {
        Self::hashed(reason, hash_bytes(document.bytes()), lines)
    }

    /// The same for a document whose bytes have this hash.
    pub(super) fn hashed(reason: Reason, document: u64, lines: &[&str]) -> Self {
        let separated = lines.iter().flat_map(|line| line.bytes().chain([b'\n']));
        let quote: Vec<u8> = document.to_le_bytes().into_iter().chain(separated).collect();
        let fingerprint = hash_bytes(&quote);
        Miss {
            reason,
            tried: Tier::Exact,
            missing_headers: Vec::new(),
            nearest: None,
            alternatives: Vec::new(),
            fingerprint,
        }
    }

    /// A miss of a text that stands at several lines of a document.
    pub(crate) fn ambiguous(places: Vec<usize>, document: &Document, lines: &[&str]) -> Self {
        let alternatives = alternatives(&Index::new(document), &places, false);
        Miss { alternatives, ..Self::new(Reason::Ambiguous { places }, document, lines) }
    }

    /// Tells the lines of the nearest place which lines of the patch text quote them.
    pub(crate) fn number_lines(&mut self, chunk: &Chunk<'_>) {
        if let Some(nearest) = &mut self.nearest {
            nearest.number_lines(chunk);
        }
    }
}

/// Why an edit could not be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The old lines stand nowhere.
    NotFound,
    /// The edit only adds lines, and nothing says where.
    NothingQuoted,
    /// Several places are alike.
    Ambiguous {
        /// The first line of each place, ascending; not all of them where there are very many.
        places: Vec<usize>,
    },
    /// Another edit changes the same line, or inserts at the same point.
    Overlap {
        /// The line.
        line: usize,
    },
    /// A place was found, and is not safe to take.
    Doubt {
        /// The lines of the place; of [`Doubt::LooksApplied`], those where the result seems to stand.
        place: Range<usize>,
        /// The line of the document that raised the doubt, if it is one.
        line: Option<usize>,
        /// Which question of the guard it failed.
        doubt: Doubt,
    },
    /// A line that the edit touches is not valid text.
    NotText {
        /// The line.
        line: usize,
    },
}

impl Reason {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::NotFound | Reason::NothingQuoted => "not-found",
            Reason::Ambiguous { .. } => "ambiguous",
            Reason::Overlap { .. } => "overlap",
            Reason::Doubt { doubt, .. } => doubt.code(),
            Reason::NotText { .. } => "not-text",
        }
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotFound => f.write_str("the quoted lines are not in the file"),
            Reason::NothingQuoted => f.write_str("it only adds lines, and no line of the file says where"),
            Reason::Ambiguous { places } if places.is_empty() => f.write_str("several places are alike"),
            Reason::Ambiguous { places } => {
                let least = if places.len() >= Alternative::COUNTED { "at least " } else { "" };
                write!(f, "{least}{} places are alike: {}", places.len(), line_list(places))
            }
            Reason::Overlap { line } => {
                write!(f, "an earlier chunk changes the same place, line {}", line + 1)
            }
            Reason::Doubt { place, doubt: doubt @ Doubt::LooksApplied, .. } => {
                write!(f, "{doubt} ({})", lines(place))
            }
            Reason::Doubt { place, line, doubt } => {
                write!(f, "found at {}, but {doubt}", lines(place))?;
                match line {
                    Some(line) if place.len() > 1 => write!(f, " (line {})", line + 1),
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
fn lines(range: &Range<usize>) -> String {
    if range.len() > 1 {
        format!("lines {}-{}", range.start + 1, range.end)
    } else {
        format!("line {}", range.start + 1)
    }
}
