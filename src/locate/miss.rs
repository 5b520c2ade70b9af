//! Why an edit has no place, and where it nearly had one.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};

use super::doubt::Doubt;
use super::drift::line_list;
use super::index::{Index, hash_bytes};
use crate::edit::Edit;
use crate::text::{Document, Fold};

/// An edit that could not be placed. Lines of the document are 0-based; [`Display`] counts from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// Why.
    pub reason: Reason,
    /// The `@@` headers that were not found.
    pub missing_headers: Vec<String>,
    /// Where most of the quoted lines stand, if any do.
    pub nearest: Option<Nearest>,
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
        Miss { reason, missing_headers: Vec::new(), nearest: None, fingerprint }
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
        /// The first line of each place, ascending.
        places: Vec<usize>,
    },
    /// Another edit changes the same line, or inserts at the same point.
    Overlap {
        /// The line.
        line: usize,
    },
    /// A place was found, and is not safe to take.
    Doubt {
        /// The first line of the place.
        line: usize,
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
            Reason::NothingQuoted => f.write_str(
                "the chunk only adds lines, and no line of the file says where; quote the line before or after them",
            ),
            Reason::Ambiguous { places } if places.is_empty() => {
                f.write_str("several places are alike; quote more lines around the change")
            }
            Reason::Ambiguous { places } => {
                write!(f, "{} places are alike: {}", places.len(), line_list(places))?;
                f.write_str(
                    "; quote more lines around the change, or put the line that begins its function or section above it, as `@@ class Foo:`",
                )
            }
            Reason::Overlap { line } => {
                write!(
                    f,
                    "an earlier chunk changes the same place, line {}; make both changes in one chunk",
                    line + 1
                )
            }
            Reason::Doubt { line, doubt } => write!(f, "found at line {}, but {doubt}", line + 1),
            Reason::NotText { line } => {
                write!(f, "line {} of the file is not valid text in the file's encoding", line + 1)
            }
        }
    }
}

/// The place where most of the quoted lines stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// Its first line.
    pub start: usize,
    /// The quoted lines beside those of the document, in order.
    pub lines: Vec<NearLine>,
}

/// A quoted line beside the document's at the nearest place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearLine {
    /// What was quoted.
    pub quoted: String,
    /// What stands there; `None` behind the end of the document.
    pub actual: Option<String>,
}

impl NearLine {
    /// Whether the two are the same.
    pub fn same(&self) -> bool {
        self.actual.as_deref() == Some(&*self.quoted)
    }

    /// Whether the two are the same but for white space and look-alikes.
    pub fn alike(&self) -> bool {
        let fold = Fold::LookAlikes;
        self.actual.as_ref().is_some_and(|actual| fold.apply(actual) == fold.apply(&self.quoted))
    }
}

impl Nearest {
    /// The first quoted line that reads otherwise in the document, counted from 0 within the quote.
    pub fn first_difference(&self) -> Option<usize> {
        self.lines.iter().position(|line| !line.same())
    }
}

/// How many places of one quoted line are counted: a line that stands everywhere points nowhere.
const COUNTED: usize = 64;

/// The start for which most of the quoted lines are in place. Each line votes for the starts that its own
/// places imply, rare lines with more weight.
pub(super) fn nearest(index: &Index, edit: &Edit<'_>) -> Option<Nearest> {
    let quote: Vec<_> = edit.old_lines().map(|line| &*line.text).collect();
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (nth, line) in quote.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let places = index.line_places(Fold::LookAlikes, line);
        if places.len() <= COUNTED {
            let weight = COUNTED / places.len().max(1);
            for start in places.iter().filter_map(|place| (*place as usize).checked_sub(nth)) {
                *votes.entry(start).or_default() += weight;
            }
        }
    }
    let (start, _) = votes.into_iter().max_by_key(|(start, votes)| (*votes, std::cmp::Reverse(*start)))?;
    let actual = |nth: usize| {
        let document = index.document();
        let line = (start + nth < document.len()).then(|| document.line(start + nth));
        line.map(|line| String::from_utf8_lossy(line).into_owned())
    };
    let lines = quote
        .iter()
        .enumerate()
        .map(|(nth, line)| NearLine { quoted: (*line).to_owned(), actual: actual(nth) });
    Some(Nearest { start, lines: lines.collect() })
}

/// The line that is quoted as it looks when its bytes are not valid text.
pub(super) fn line_not_text(index: &Index, nearest: &Nearest) -> Option<usize> {
    let lines = nearest.start..;
    lines.zip(&nearest.lines).find_map(|(at, line)| {
        let garbled = index.document().text(at).is_none() && line.same();
        garbled.then_some(at)
    })
}
