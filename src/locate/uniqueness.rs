//! Checks whether an edit would match at a single position, for a patch generator.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::align::cost::Costs;
use super::align::file::File;
use super::decide::only_exact_position;
use super::diagnose::alternatives::openers;
use super::search::Index;
use super::select::scope::{Headers, read};
use super::{Level, Matching};
use crate::patch::edit::Edit;
use crate::text::{Document, Fold};

/// A document for queries about the position of an edit. Indices are built once.
pub(crate) struct MatchOracle {
    index: Index,
}

impl MatchOracle {
    pub(crate) fn new(document: &Document) -> Self {
        MatchOracle { index: Index::new(document) }
    }

    /// Checks whether an edit alone, byte for byte, matches only at the position that begins with this line, 0-based.
    pub(crate) fn leads_to(&self, edit: &Edit<'_>, start: usize) -> bool {
        let file = File::new(&self.index, &Costs::DEFAULT);
        only_exact_position(&file, edit, &Matching::default()) == Some(start)
    }

    /// Returns all positions of these lines, byte for byte, 0-based and ascending.
    pub(crate) fn places(&self, quote: &[&str]) -> Rc<[usize]> {
        self.index.places(Fold::Exact, quote)
    }

    /// Returns the lines that begin the blocks around a line, from the inside outwards.
    pub(crate) fn openers(&self, line: usize) -> Vec<usize> {
        openers(self.index.document(), line)
    }

    /// Returns the scope that these headers select, from the 0-based line of the last header to the end of its block.
    /// `None` if several lines match, or if the headers are not lines of the document byte for byte.
    pub(crate) fn scope(&self, headers: &[Cow<'_, str>]) -> Option<Range<usize>> {
        let is_line = |text: &Cow<'_, str>| {
            matches!(read(text), (None, line) if line == *text) && !text.trim_end().ends_with("@@")
        };
        let followed = Headers::follow(&self.index, headers, Level::Exact);
        match followed.scopes.as_deref() {
            Some([scope])
                if followed.missing.is_empty() && followed.are_whole() && headers.iter().all(is_line) =>
            {
                Some(scope.line..scope.end)
            }
            _ => None,
        }
    }
}
