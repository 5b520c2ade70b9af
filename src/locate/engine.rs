//! The entries: all edits of a document placed together, an edit at every position, the explanation of both, and whether
//! an edit has a single position.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::align::cost::Costs;
use super::align::file::File;
use super::diagnose::alternatives::openers;
use super::outcome::{Explanation, Placed};
use super::search::Index;
use super::search::headers::{Headers, read};
use super::{Level, Matching, decide};
use crate::patch::edit::Edit;
use crate::text::{Document, Fold};

/// Places all edits of a document.
///
/// Each edit gets a single position, or a [`Miss`] with the nearest lines; a missed edit does not prevent the placing
/// of further edits, so that all failures are known at once.
///
/// ```
/// use apply_patch::patch::edit::Edit;
/// use apply_patch::format::{Options, parse};
/// use apply_patch::locate::{Matching, place};
/// use apply_patch::patch::Action;
/// use apply_patch::text::{Document, apply_replacements};
///
/// let text = "*** Begin Patch\n*** Update File: a\n@@\n if x:\n-  old()\n+  new()\n*** End Patch\n";
/// let parsed = parse(text, &Options::default());
/// let hunk = &parsed.patch.hunks[0];
/// let Action::Update { chunks, .. } = &hunk.action else { unreachable!() };
/// let edits: Vec<_> = chunks.iter().map(|chunk| Edit::from_chunk(chunk, hunk.dialect)).collect();
///
/// // The quote lost four columns of indentation; the added line gets them back.
/// let document = Document::from("def f(x):\n    if x:\n      old()\n");
/// let placed = place(&document, &edits, &Matching::default());
/// assert_eq!(placed.outcomes[0].as_ref().unwrap().start, 1);
/// let after = apply_replacements(&document, &placed.replacements);
/// assert_eq!(after, b"def f(x):\n    if x:\n      new()\n");
/// ```
pub fn place(document: &Document, edits: &[Edit<'_>], matching: &Matching) -> Placed {
    decide::place(document, edits, matching, costs())
}

/// Applies an edit at each position of the tightest comparison that matches. Positions that overlap an earlier position
/// are left out. There is an outcome for each position, or a single miss.
pub fn place_all(document: &Document, edit: &Edit<'_>, matching: &Matching) -> Placed {
    Indexed::new(document).place_all(edit, matching)
}

/// A document in which edits are placed one by one. The index is built once.
pub(crate) struct Indexed {
    index: Index,
}

impl Indexed {
    pub(crate) fn new(document: &Document) -> Self {
        Indexed { index: Index::new(document) }
    }

    /// Places an edit as [`place`] does.
    pub(crate) fn place(&self, edit: &Edit<'_>, matching: &Matching) -> Placed {
        self.index.renew_search_budget();
        decide::place_in(&self.index, std::slice::from_ref(edit), matching, costs())
    }

    /// Runs a search whose failure is not reported: a miss does not name similar lines.
    pub(crate) fn trial<T>(&self, search: impl FnOnce(&Self) -> T) -> T {
        self.index.without_similarity(|| search(self))
    }

    /// Applies an edit at each position as [`place_all`] does.
    pub(crate) fn place_all(&self, edit: &Edit<'_>, matching: &Matching) -> Placed {
        self.index.renew_search_budget();
        decide::place_all(&self.index, edit, matching, costs())
    }
}

/// Explains the position of each edit of a document, or the miss.
///
/// ```
/// use apply_patch::patch::edit::Edit;
/// use apply_patch::locate::{Matching, explain};
/// use apply_patch::text::Document;
///
/// let edit = Edit::diff("  two\n", "  2\n");
/// let explained = explain(&Document::from("one\ntwo\n"), &[edit], &Matching::default());
/// let best = &explained[0].candidates[0];
/// assert_eq!((best.lines.clone(), best.indentation.as_str()), (1..2, "2 spaces fewer"));
/// ```
pub fn explain(document: &Document, edits: &[Edit<'_>], matching: &Matching) -> Vec<Explanation> {
    let index = Index::new(document);
    let costs = &Costs::DEFAULT;
    let outcomes = decide::place(document, edits, matching, costs).outcomes;
    let explained = decide::described(&index, edits, matching, costs).into_iter().zip(outcomes).zip(edits);
    let explained = explained.map(|((candidates, outcome), edit)| Explanation {
        headers: headers(&index, edit, matching.level),
        candidates,
        margin: costs.margin.cast_unsigned(),
        outcome: outcome.map_err(Box::new),
    });
    explained.collect()
}

/// Returns each header with the first lines that it leads to.
fn headers(index: &Index, edit: &Edit<'_>, level: Level) -> Vec<(String, Vec<usize>)> {
    let mut headers = Vec::with_capacity(edit.headers.len());
    for (nth, header) in edit.headers.iter().enumerate() {
        let followed = Headers::follow(index, &edit.headers[..=nth], level);
        let scopes = followed.scopes.filter(|_| followed.missing.is_empty()).unwrap_or_default();
        let lines = scopes.into_iter().take(Explanation::MOST).map(|scope| scope.line);
        headers.push((header.to_string(), lines.collect()));
    }
    headers
}

/// The costs that [`replace_costs`] has set.
#[cfg(feature = "internals")]
static REPLACED: std::sync::OnceLock<Costs> = std::sync::OnceLock::new();

/// Replaces the costs of this process, for measurements. Returns `false` if they were replaced before.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub fn replace_costs(costs: Costs) -> bool {
    REPLACED.set(costs).is_ok()
}

/// Returns the costs that edits are placed by.
fn costs() -> &'static Costs {
    #[cfg(feature = "internals")]
    if let Some(costs) = REPLACED.get() {
        return costs;
    }
    &Costs::DEFAULT
}

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
        decide::only_exact_position(&file, edit, &Matching::default()) == Some(start)
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
        let followed = Headers::follow(&self.index, headers, Level::Exact);
        match followed.scopes.as_deref() {
            Some([scope])
                if followed.missing.is_empty()
                    && followed.name_lines()
                    && headers.iter().all(|header| is_line(header)) =>
            {
                Some(scope.line..scope.end)
            }
            _ => None,
        }
    }
}

/// Checks whether a header is a line of a file, without numbers or marks.
fn is_line(header: &str) -> bool {
    matches!(read(header), (None, line) if line == header) && !header.trim_end().ends_with("@@")
}
