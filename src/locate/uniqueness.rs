//! What leads to one place and to no other: for whoever writes an edit rather than reading one.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::diagnose::nearest::openers;
use super::search::Index;
use super::select::scope::{self, follow};
use super::sight::sight;
use super::{Level, Matching, Tier};
use crate::patch::edit::Edit;
use crate::text::{Document, Fold};

/// A document that is asked where an edit would lead. What it takes to answer is made once.
pub(crate) struct Ground {
    index: Index,
}

impl Ground {
    pub(crate) fn new(document: &Document) -> Self {
        Ground { index: Index::new(document) }
    }

    /// Whether an edit by itself, taken to the letter, leads to the place that begins with this line, 0-based, and to
    /// no other.
    pub(crate) fn leads_to(&self, edit: &Edit<'_>, start: usize) -> bool {
        let sight = sight(&self.index, edit, None, &Matching::default());
        let to_the_letter = sight.tier == Tier::Exact && sight.drift.is_empty() && !sight.everywhere;
        to_the_letter && matches!(&sight.places[..], [place] if place.start == start)
    }

    /// All lines, 0-based and ascending, where these lines stand to the letter.
    pub(crate) fn places(&self, quote: &[&str]) -> Rc<[usize]> {
        self.index.places(Fold::Exact, quote)
    }

    /// The lines that begin the blocks around a line, from the inside outwards.
    pub(crate) fn openers(&self, line: usize) -> Vec<usize> {
        openers(self.index.document(), line)
    }

    /// The line, 0-based, that these headers lead to, and what it introduces: from it up to the end of that. `None`
    /// where they lead to several lines, or to none to the letter.
    pub(crate) fn scope(&self, headers: &[Cow<'_, str>]) -> Option<Range<usize>> {
        let plain = |text: &Cow<'_, str>| {
            let is_line = matches!(scope::read(text), (None, line) if line == *text);
            is_line && !text.trim_end().ends_with("@@")
        };
        let places = follow(&self.index, headers, None, Level::Exact);
        match places.scopes.as_deref() {
            Some([scope]) if places.drift.is_empty() && headers.iter().all(plain) => {
                Some(scope.line..scope.end)
            }
            _ => None,
        }
    }
}
