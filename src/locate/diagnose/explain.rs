//! How each edit was placed: what a person needs to know who asks why.

use crate::locate::align::cost::Costs;
use crate::locate::decide::{described, place};
use crate::locate::outcome::{Candidate, Miss, Placement};
use crate::locate::search::Index;
use crate::locate::select::scope::Headers;
use crate::locate::{Level, Matching};
use crate::patch::edit::Edit;
use crate::text::Document;

/// The explanations of an edit, and the result. Lines are 0-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The `@@` headers, outermost first, and the lines that match each within the previous header.
    pub headers: Vec<(String, Vec<usize>)>,
    /// The cheapest explanations of the edit by itself, the cheapest first, at most [`Explanation::MOST`].
    pub candidates: Vec<Candidate>,
    /// By how much another result has to be dearer, in tenths of a nat.
    pub margin: u32,
    /// The outcome of the edit, placed together with all edits of the document.
    pub outcome: Result<Placement, Box<Miss>>,
}

impl Explanation {
    /// How many explanations are described.
    pub const MOST: usize = 8;
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
    let outcomes = place(document, edits, matching, costs).outcomes;
    let explained = described(&index, edits, matching, costs).into_iter().zip(outcomes).zip(edits);
    let explained = explained.map(|((candidates, outcome), edit)| Explanation {
        headers: headers(&index, edit, matching.level),
        candidates,
        margin: costs.margin.cast_unsigned(),
        outcome: outcome.map_err(Box::new),
    });
    explained.collect()
}

fn headers(index: &Index, edit: &Edit<'_>, level: Level) -> Vec<(String, Vec<usize>)> {
    let lines = |nth: usize| {
        let followed = Headers::follow(index, &edit.headers[..=nth], level);
        let scopes = followed.scopes.filter(|_| followed.missing.is_empty()).unwrap_or_default();
        scopes.into_iter().take(Explanation::MOST).map(|scope| scope.line).collect()
    };
    edit.headers.iter().enumerate().map(|(nth, header)| (header.to_string(), lines(nth))).collect()
}
