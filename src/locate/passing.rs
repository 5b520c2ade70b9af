//! Many quotes, sought in one pass over the lines of a document.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::line_hash::Hashed;
use crate::text::hash_line;

/// Quotes that one pass looks for, each by its longest line.
pub(super) struct Passing<'q> {
    pub(super) wanted: Vec<Wanted<'q>>,
    /// Which quotes have a longest line with this hash, as it is or with the carriage return that may end it in a document.
    of_hash: HashMap<u64, Vec<usize>, BuildHasherDefault<Hashed>>,
    /// A bit for the first bits of each such hash: nearly every line of the document is passed over by this alone.
    bits: Vec<u64>,
}

/// A quote that is looked for.
pub(super) struct Wanted<'q> {
    pub(super) quote: Vec<&'q str>,
    /// Which of its lines is the longest.
    pub(super) longest: usize,
}

impl Default for Passing<'_> {
    fn default() -> Self {
        Passing { wanted: Vec::new(), of_hash: HashMap::default(), bits: vec![0; 1 << (BITS - 6)] }
    }
}

/// How many quotes of one hash are sought together: comparing all of them with each other must not be what a hostile patch
/// wants.
pub(super) const ALIKE: usize = 64;

/// How many bits of a hash are looked at first.
const BITS: u32 = 16;

impl<'q> Passing<'q> {
    pub(super) fn add(&mut self, quote: Vec<&'q str>) {
        let longest = quote.iter().enumerate().max_by_key(|(_, line)| line.len());
        let Some((longest, line)) = longest.filter(|(_, line)| !line.is_empty()) else { return };
        let hash = hash_line(line.as_bytes());
        let same = self.of_hash.entry(hash).or_default();
        // A patch may quote the same lines again and again.
        if same.len() >= ALIKE || same.iter().any(|nth| self.wanted[*nth].quote == quote) {
            return;
        }
        let nth = self.wanted.len();
        same.push(nth);
        let with_return = hash_line(&[line.as_bytes(), b"\r"].concat());
        self.of_hash.entry(with_return).or_default().push(nth);
        for hash in [hash, with_return] {
            let (word, bit) = bit_of(hash);
            self.bits[word] |= bit;
        }
        self.wanted.push(Wanted { quote, longest });
    }

    /// Whether a line of the document that has this hash may be the longest one of a quote.
    pub(super) fn may_want(&self, hash: u64) -> bool {
        let (word, bit) = bit_of(hash);
        self.bits[word] & bit != 0 && self.of_hash.contains_key(&hash)
    }

    /// The quotes whose longest line may have this hash.
    pub(super) fn begun_by(&self, hash: u64) -> &[usize] {
        self.of_hash.get(&hash).map_or(&[], Vec::as_slice)
    }
}

/// Which bit stands for a hash: in which word, and there.
fn bit_of(hash: u64) -> (usize, u64) {
    let first = usize::try_from(hash >> (u64::BITS - BITS)).unwrap_or_default();
    (first / 64, 1 << (first % 64))
}
