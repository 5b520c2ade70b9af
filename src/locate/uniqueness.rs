//! What leads to one position and to no other: for whoever writes an edit rather than reading one.

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

/// A document that is asked where an edit would lead. What it takes to answer is made once.
pub(crate) struct MatchOracle {
    index: Index,
}

impl MatchOracle {
    pub(crate) fn new(document: &Document) -> Self {
        MatchOracle { index: Index::new(document) }
    }

    /// Checks whether an edit by itself, byte for byte, leads to the position that begins with this line, 0-based, and to
    /// no other.
    pub(crate) fn leads_to(&self, edit: &Edit<'_>, start: usize) -> bool {
        let file = File::new(&self.index, &Costs::DEFAULT);
        only_exact_position(&file, edit, &Matching::default()) == Some(start)
    }

    /// All lines, 0-based and ascending, where these lines are, byte for byte.
    pub(crate) fn places(&self, quote: &[&str]) -> Rc<[usize]> {
        self.index.places(Fold::Exact, quote)
    }

    /// The lines that begin the blocks around a line, from the inside outwards.
    pub(crate) fn openers(&self, line: usize) -> Vec<usize> {
        openers(self.index.document(), line)
    }

    /// The line, 0-based, that these headers lead to, and what it introduces: from it up to the end of that. `None` if
    /// they lead to several lines, or are not lines of the document byte for byte.
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
