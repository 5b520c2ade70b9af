//! The lines of a document as numbers: equal ones, as a fold leaves them, have the same.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::line_hash::{Hashed, LineHasher};
use super::seek_sequence::occurrences;
use crate::text::{Document, Fold};

/// The number of each line, and where each number stands.
pub(super) struct Numbers {
    /// The number of each line.
    pub(super) of_line: Vec<u32>,
    /// The number of a line with this hash.
    of_hash: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    /// Where the lines of each number begin in `places`; one more entry than there are numbers.
    starts: Vec<u32>,
    /// The lines, 0-based, grouped by number, ascending in each group.
    places: Vec<u32>,
}

impl Numbers {
    pub(super) fn new(document: &Document, fold: Fold) -> Self {
        let mut of_hash =
            HashMap::with_capacity_and_hasher(document.len() / 2, BuildHasherDefault::default());
        let mut of_line = Vec::with_capacity(document.len());
        let mut hasher = LineHasher::new(fold);
        for line in document.lines() {
            let next = narrow(of_hash.len());
            of_line.push(*of_hash.entry(hasher.hash(line)).or_insert(next));
        }
        let (starts, places) = group(&of_line, of_hash.len());
        Numbers { of_line, of_hash, starts, places }
    }

    pub(super) fn number(&self, fold: Fold, line: &str) -> Option<u32> {
        self.of_hash.get(&LineHasher::new(fold).hash(line.as_bytes())).copied()
    }

    pub(super) fn line_places(&self, fold: Fold, line: &str) -> &[u32] {
        self.number(fold, line).map_or(&[], |number| self.lines_of(number))
    }

    pub(super) fn lines_of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.places[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// The numbers of quoted lines; `None` if one of them stands nowhere.
    pub(super) fn of_quote(&self, fold: Fold, quote: &[&str]) -> Option<Vec<u32>> {
        quote.iter().map(|line| self.number(fold, line)).collect()
    }

    pub(super) fn places(&self, wanted: &[u32]) -> Vec<usize> {
        let rarest = (0..wanted.len()).min_by_key(|nth| self.lines_of(wanted[*nth]).len()).unwrap_or(0);
        let rare = self.lines_of(wanted[rarest]);
        // Many places times a long quote: one pass over all lines is cheaper.
        if rare.len().saturating_mul(wanted.len()) > self.of_line.len() + wanted.len() {
            return occurrences(&self.of_line, wanted, 0).collect();
        }
        let start = |line: &u32| (*line as usize).checked_sub(rarest);
        let whole = |start: &usize| self.of_line[*start..].starts_with(wanted);
        rare.iter().filter_map(start).filter(whole).collect()
    }
}

/// Line numbers of a document fit in 32 bits: a longer document has over four thousand million lines.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Sorts lines by their number: where each number begins, and the lines.
fn group(of_line: &[u32], numbers: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; numbers + 1];
    for number in of_line {
        starts[*number as usize + 1] += 1;
    }
    for number in 0..numbers {
        starts[number + 1] += starts[number];
    }
    let mut next = starts.clone();
    let mut places = vec![0; of_line.len()];
    for (line, number) in of_line.iter().enumerate() {
        let slot = &mut next[*number as usize];
        places[*slot as usize] = narrow(line);
        *slot += 1;
    }
    (starts, places)
}
