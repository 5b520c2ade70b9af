//! From a refusal to a [`Miss`]: where the edit nearly had a place, what stands there, and what tells several places
//! apart.

pub(crate) mod correction;
pub(crate) mod difference;
pub(crate) mod explain;
pub(crate) mod nearest;
mod similar_line;

use crate::locate::doubt::{Objection, Spot};
use crate::locate::search::Index;

use crate::locate::comparison::Nearest;
use crate::locate::outcome::{Miss, Reason};
use crate::locate::pairing::At;
use crate::locate::sight::{self, Place, Sight};
use crate::locate::{Level, Tier};
use crate::patch::Gaps;
use crate::patch::edit::EditLine;

/// Why an edit is refused that has a place, or several.
pub(crate) enum Refusal {
    /// For this reason.
    Reason(Reason),
    /// The guard has a doubt about a place.
    Doubt(Place, Objection),
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Refusal::Reason(reason)
    }
}

/// Tells why edits of a document have no place, in it or in what the edits before them made of it.
pub(crate) struct Refusals<'i> {
    /// How loosely lines were compared.
    pub(crate) level: Level,
    /// The document as it was: what a [fingerprint](Miss::fingerprint) is of.
    pub(crate) original: &'i Index,
}

impl Refusals<'_> {
    /// Why an edit has no place in a document, which is the index's.
    pub(crate) fn miss(&self, sight: &Sight<'_>, reason: Reason, index: &Index) -> Miss {
        let reason = match reason {
            Reason::NotFound if sight.edit.is_addition() => Reason::NothingQuoted,
            Reason::NotFound if self.level >= Level::Guarded => {
                sight::crowded(index, &sight.edit).unwrap_or(reason)
            }
            reason => reason,
        };
        let not_found = reason == Reason::NotFound;
        let garbled = not_found.then(|| nearest::line_not_text(index.document(), &sight.edit)).flatten();
        let reason = garbled.map_or(reason, |line| Reason::NotText { line });
        let nearest = (reason == Reason::NotFound).then(|| nearest::nearest(index, &sight.edit)).flatten();
        let alternatives = match &reason {
            Reason::Ambiguous { places } => {
                // To the end of the file, and behind a line of dots, no header leads; two texts have none.
                let has_headers = sight.edit.gaps == Gaps::Anywhere;
                let headers_lead = has_headers && !sight.edit.end_of_file && !sight.edit.after_gap;
                nearest::alternatives(index, places, headers_lead)
            }
            _ => Vec::new(),
        };
        let lines: Vec<String> = sight.edit.lines.iter().map(EditLine::raw).collect();
        let headers = sight.edit.headers.iter().map(|header| &**header);
        let asked: Vec<&str> = headers.chain(lines.iter().map(String::as_str)).collect();
        Miss {
            tried: self.tried(sight),
            missing_headers: sight.missing_headers.clone(),
            nearest: nearest.map(Box::new),
            alternatives,
            ..Miss::hashed(reason, self.original.document_hash(), &asked)
        }
    }

    /// How loosely the edit's lines were compared with the document's until they were found.
    fn tried(&self, sight: &Sight<'_>) -> Tier {
        let level = self.level;
        match level.tiers().last() {
            _ if !sight.places.is_empty() => sight.tier,
            _ if level >= Level::Guarded => Tier::Alignment,
            loosest => loosest.copied().unwrap_or_default(),
        }
    }

    pub(crate) fn refused(&self, sight: &Sight<'_>, refusal: Refusal, index: &Index) -> Miss {
        match refusal {
            Refusal::Reason(reason) => self.miss(sight, reason, index),
            Refusal::Doubt(place, objection) => self.doubtful(sight, &sight.at(place), objection, index),
        }
    }

    /// A miss of an edit that has a place, where its lines stand for these of the document.
    pub(crate) fn doubtful(&self, sight: &Sight<'_>, at: &[At], objection: Objection, index: &Index) -> Miss {
        let Objection { doubt, spot } = objection;
        let document = index.document();
        let mut nearest = match &spot {
            Some(Spot::Made(range)) => nearest::made(index, &sight.edit, range),
            _ => Nearest {
                mended: correction::of_doubt(document, &sight.edit, at, doubt),
                ..Nearest::of(&sight.edit, at, document, false)
            },
        };
        let (place, line) = match spot {
            Some(Spot::Made(range)) => (range, None),
            Some(Spot::Line(line)) => {
                nearest.in_doubt = nearest.position(line);
                (nearest.place(), Some(line))
            }
            Some(Spot::Quoted(nth)) => {
                let line = at.get(nth).and_then(|at| at.line());
                nearest.in_doubt = nearest.quoted_at(&sight.edit, nth);
                (nearest.place(), line)
            }
            None => (nearest.place(), None),
        };
        let reason = Reason::Doubt { place, line, doubt };
        Miss { nearest: Some(Box::new(nearest)), ..self.miss(sight, reason, index) }
    }
}
