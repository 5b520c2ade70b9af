//! Searches many quotes in a single pass over the lines of a document.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use super::hashes::{Hashed, hash_lines};
use crate::text::hash_line;

/// Quotes that a pass searches for, each by its longest line.
pub(crate) struct MultiSearch<'q> {
    pub(crate) wanted: Vec<Wanted<'q>>,
    /// The first entry of the chain of quotes whose longest line has this hash, with or without the carriage return
    /// that may end the line in a document.
    of_hash: HashMap<u64, usize, BuildHasherDefault<Hashed>>,
    /// The index of the quote, and the next entry of its chain.
    chains: Vec<(usize, Option<usize>)>,
    /// A bit for the first bits of each hash: this filter alone rejects almost every line of the document.
    bits: Vec<u64>,
}

/// A quote that is looked for.
pub(crate) struct Wanted<'q> {
    pub(crate) quote: Vec<&'q str>,
    /// The hash of all lines.
    pub(crate) hash: u64,
    /// The index of the longest line.
    pub(crate) longest: usize,
}

/// How many bits of a hash are looked at first.
const BITS: u32 = 16;

impl<'q> MultiSearch<'q> {
    /// Collects each quote once, and leaves out quotes with only empty lines.
    pub(crate) fn new(quotes: impl Iterator<Item = Vec<&'q str>>) -> Self {
        let mut known = HashSet::<u64, BuildHasherDefault<Hashed>>::default();
        let wanted: Vec<_> =
            quotes.filter_map(Wanted::new).filter(|quote| known.insert(quote.hash)).collect();
        let mut search = MultiSearch {
            of_hash: HashMap::with_capacity_and_hasher(2 * wanted.len(), BuildHasherDefault::default()),
            chains: Vec::with_capacity(2 * wanted.len()),
            bits: vec![0; 1 << (BITS - 6)],
            wanted: Vec::new(),
        };
        let mut with_return = Vec::new();
        for (nth, wanted) in wanted.iter().enumerate() {
            let line = wanted.quote[wanted.longest].as_bytes();
            with_return.clear();
            with_return.extend_from_slice(line);
            with_return.push(b'\r');
            search.add(hash_line(line), nth);
            search.add(hash_line(&with_return), nth);
        }
        MultiSearch { wanted, ..search }
    }

    fn add(&mut self, hash: u64, nth: usize) {
        let (word, bit) = bit_of(hash);
        self.bits[word] |= bit;
        let next = self.of_hash.insert(hash, self.chains.len());
        self.chains.push((nth, next));
    }

    /// Returns whether a line of the document with this hash may be the longest line of a quote.
    pub(crate) fn may_match(&self, hash: u64) -> bool {
        let (word, bit) = bit_of(hash);
        self.bits[word] & bit != 0 && self.of_hash.contains_key(&hash)
    }

    /// Returns the indices of the quotes whose longest line may have this hash.
    pub(crate) fn candidates_for(&self, hash: u64) -> impl Iterator<Item = usize> {
        let mut link = self.of_hash.get(&hash).copied();
        std::iter::from_fn(move || {
            let (nth, next) = self.chains[link?];
            link = next;
            Some(nth)
        })
    }
}

impl<'q> Wanted<'q> {
    fn new(quote: Vec<&'q str>) -> Option<Self> {
        let (longest, line) = quote.iter().enumerate().max_by_key(|(_, line)| line.len())?;
        let is_empty = line.is_empty();
        (!is_empty).then(|| Wanted { hash: hash_lines(&quote), quote, longest })
    }
}

/// Returns the word and the bit of a hash in the filter.
fn bit_of(hash: u64) -> (usize, u64) {
    let first = usize::try_from(hash >> (u64::BITS - BITS)).unwrap_or_default();
    (first / 64, 1 << (first % 64))
}
