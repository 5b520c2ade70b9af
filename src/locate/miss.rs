//! Makes a [`Miss`].

use super::Tier;
use super::diagnose::alternatives::alternatives;
use super::outcome::{Miss, Reason};
use super::search::{Index, hash_bytes};
use crate::text::Document;

impl Miss {
    /// Returns a miss of an edit in a document, without a nearest position.
    pub fn new(reason: Reason, document: &Document, lines: &[&str]) -> Self {
        Self::hashed(reason, hash_bytes(document.bytes()), lines)
    }

    /// Returns a miss for a document whose bytes have this hash.
    pub(super) fn hashed(reason: Reason, document: u64, lines: &[&str]) -> Self {
        let separated = lines.iter().flat_map(|line| line.bytes().chain([b'\n']));
        let quote: Vec<u8> = document.to_le_bytes().into_iter().chain(separated).collect();
        let fingerprint = hash_bytes(&quote);
        Miss {
            reason,
            tried: Tier::Exact,
            missing_headers: Box::default(),
            nearest: None,
            alternatives: Box::default(),
            candidates: Box::default(),
            lines: Box::default(),
            fingerprint,
        }
    }

    /// Returns a miss of a text that matches at several lines of a document.
    pub(crate) fn ambiguous(places: Vec<usize>, document: &Document, lines: &[&str]) -> Self {
        let alternatives = alternatives(&Index::new(document), &places, lines.len(), false);
        Miss { alternatives, ..Self::new(Reason::Ambiguous { places }, document, lines) }
    }
}
