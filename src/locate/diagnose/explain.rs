//! How the place of each edit was found: what a person needs to know who asks why.

use std::ops::Range;

use crate::locate::alignment::{Aligned, align};
use crate::locate::guard;
use crate::locate::outcome::Doubt;
use crate::locate::outcome::Miss;
use crate::locate::pairing::{Candidate, Shown, contiguous};
use crate::locate::search::Index;
use crate::locate::select::scope;
use crate::locate::sight;
use crate::locate::{Level, Matching, Tier};
use crate::locate::{engine::place, outcome::Placement};
use crate::patch::edit::Edit;
use crate::text::Document;

/// What was looked at for one edit, and what came of it. Lines are 0-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Its `@@` headers, outermost first, and the lines that each leads to within the one before it.
    pub headers: Vec<(String, Vec<usize>)>,
    /// For each tier that compares line for line, tightest first, where the quote stands: up to the first that has a
    /// place, which closes the looser ones.
    pub tiers: Vec<TierPlaces>,
    /// The cheapest ways to fit the whole quote in, where no tier has it, the cheapest first.
    pub fits: Vec<Fit>,
    /// Whether there were more stretches of the document that may fit as well than were tried.
    pub crowded: bool,
    /// What became of the edit beside all others of the document.
    pub outcome: Result<Placement, Box<Miss>>,
}

/// Where a quote stands in one tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TierPlaces {
    /// The tier.
    pub tier: Tier,
    /// How many places there are.
    pub count: usize,
    /// The first few of them, and what the guard says to each by itself.
    pub places: Vec<Fit>,
}

/// A place for an edit, and what speaks for it and against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fit {
    /// From the first line to the last that stands for a quoted one.
    pub place: Range<usize>,
    /// What all differences cost together, in tenths of a misspelt word.
    pub cost: u32,
    /// The question of the guard that it does not pass, if it is one; of an alignment the first.
    pub doubt: Option<Doubt>,
}

impl Explanation {
    /// How much more the second cheapest fit costs than the cheapest.
    pub fn margin(&self) -> Option<u32> {
        let [best, second, ..] = &self.fits[..] else { return None };
        Some(second.cost - best.cost)
    }
}

/// How many places of a tier, and how many fits, are described.
const DESCRIBED: usize = 8;

/// Says how each edit of a document was placed, or why it was not.
///
/// ```
/// use apply_patch::patch::edit::Edit;
/// use apply_patch::locate::{Matching, Tier, explain};
/// use apply_patch::text::Document;
///
/// let edit = Edit::between("  two\n", "  2\n");
/// let explained = explain(&Document::from("one\ntwo\n"), &[edit], &Matching::default());
/// let found = explained[0].tiers.iter().find(|tier| tier.count > 0).unwrap();
/// assert_eq!((found.tier, found.places[0].place.clone()), (Tier::Indentation, 1..2));
/// ```
pub fn explain(document: &Document, edits: &[Edit<'_>], matching: &Matching) -> Vec<Explanation> {
    let index = Index::new(document);
    let outcomes = place(document, edits, matching).outcomes;
    let explained = edits.iter().zip(outcomes).map(|(edit, outcome)| {
        let tiers = tiers(&index, edit, matching.level);
        let found = tiers.iter().any(|tier| tier.count > 0);
        let (fits, crowded) = if found || matching.level < Level::Guarded || edit.is_addition() {
            (Vec::new(), false)
        } else {
            align(&index, edit)
        };
        Explanation {
            headers: headers(&index, edit, matching.level),
            tiers,
            fits: fits
                .iter()
                .take(DESCRIBED)
                .map(|aligned| fit(&index, edit, Tier::Alignment, aligned))
                .collect(),
            crowded,
            outcome: outcome.map_err(Box::new),
        }
    });
    explained.collect()
}

fn headers(index: &Index, edit: &Edit<'_>, level: Level) -> Vec<(String, Vec<usize>)> {
    let lines = |nth: usize| {
        let found = scope::follow(index, &edit.headers[..=nth], None, level);
        let missing = found.missing();
        let scopes = found.scopes.unwrap_or_default();
        let lines = scopes.into_iter().take(DESCRIBED).map(|scope| scope.line);
        if missing { Vec::new() } else { lines.collect() }
    };
    edit.headers.iter().enumerate().map(|(nth, header)| (header.to_string(), lines(nth))).collect()
}

fn tiers(index: &Index, edit: &Edit<'_>, level: Level) -> Vec<TierPlaces> {
    let mut open = true;
    let described = level.tiers().iter().map_while(|tier| {
        let found = open.then(|| sight::places(index, *tier, edit))?;
        open = found.is_empty();
        let at = |start: &usize| Aligned { at: contiguous(edit, *start).collect(), cost: 0 };
        let places = found.iter().take(DESCRIBED).map(|start| fit(index, edit, *tier, &at(start)));
        Some(TierPlaces { tier: *tier, count: found.len(), places: places.collect() })
    });
    described.collect()
}

fn fit(index: &Index, edit: &Edit<'_>, tier: Tier, aligned: &Aligned) -> Fit {
    let candidate = Candidate { edit, tier, at: aligned.at.clone(), shown: Shown::NOTHING };
    let lines = || aligned.at.iter().filter_map(|at| at.line());
    Fit {
        place: lines().min().unwrap_or_default()..lines().max().map_or(0, |last| last + 1),
        cost: aligned.cost,
        doubt: guard::vet(&candidate, index).err().map(|objection| objection.doubt),
    }
}
