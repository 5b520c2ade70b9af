//! The lines of a document as hashes: lines with equal folded text have equal hashes.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::baseline::occurrences;
use crate::parallel;
use crate::text::{Document, Fold, HASH_FACTOR, hash_round};

/// Hashes folded lines.
pub(crate) struct LineHasher {
    fold: Fold,
    /// The letters of a piece of a line, and the letters of a long line.
    room: [u8; BYTES + 1],
    letters: Vec<u8>,
}

impl LineHasher {
    pub(crate) fn new(fold: Fold) -> Self {
        LineHasher { fold, room: [0; BYTES + 1], letters: Vec::new() }
    }

    pub(crate) fn hash(&mut self, line: &[u8]) -> u64 {
        if self.fold != Fold::Skeleton || !line.is_ascii() {
            return hash_bytes(&self.fold.apply_bytes(line));
        }
        // The skeleton of an ASCII line needs no look at what each character may be.
        match self.kept(line, &LETTERS) {
            [] => match self.kept(line, &SIGNS) {
                [] => hash_bytes(self.kept(line, &INK)),
                signs => hash_bytes(signs),
            },
            letters => hash_bytes(letters),
        }
    }

    /// Returns the bytes of a line that are in the table `among`, which never contains a space.
    fn kept(&mut self, line: &[u8], among: &[bool; 256]) -> &[u8] {
        let mut pieces = without_indentation(line).chunks(BYTES);
        let first = self.kept_of(pieces.next().unwrap_or_default(), among);
        if pieces.len() == 0 {
            return &self.room[..first];
        }
        self.letters.clear();
        self.letters.extend_from_slice(&self.room[..first]);
        for piece in pieces {
            let kept = self.kept_of(piece, among);
            self.letters.extend_from_slice(&self.room[..kept]);
        }
        &self.letters
    }

    /// Copies the bytes of a piece that are in the table to the buffer, and returns how many there are.
    fn kept_of(&mut self, piece: &[u8], among: &[bool; 256]) -> usize {
        let mut kept = 0_u8;
        // Without a branch for each byte: what does not pass is written over.
        for byte in piece {
            self.room[usize::from(kept)] = *byte;
            kept = kept.wrapping_add(u8::from(among[usize::from(*byte)]));
        }
        usize::from(kept)
    }
}

/// How many bytes are processed at once: at most the range of a `u8` counter, so that the loop needs no check for the
/// size of the buffer.
const BYTES: usize = u8::MAX as usize;

/// Returns a line without most of its leading spaces.
fn without_indentation(mut line: &[u8]) -> &[u8] {
    while let Some((b"        ", rest)) = line.split_first_chunk::<8>() {
        line = rest;
    }
    line
}

/// ASCII letters and digits; everything but ASCII whitespace, without the backslash; the same with the backslash.
const LETTERS: [bool; 256] = table(false, false);
const SIGNS: [bool; 256] = table(true, false);
const INK: [bool; 256] = table(true, true);

const fn table(signs: bool, backslash: bool) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        let sign = !matches!(byte, b'\t'..=b'\r' | b' ' | b'\\');
        table[byte as usize] = byte.is_ascii_alphanumeric() || signs && sign || backslash && byte == b'\\';
        byte += 1;
    }
    table
}

/// Hashes eight bytes at a time, with a multiplication and a fold in each round. Lines with equal hashes are compared
/// before a decision depends on the hash.
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words
        .iter()
        .fold(bytes.len() as u64 ^ HASH_FACTOR, |hash, word| hash_round(hash, u64::from_le_bytes(*word)));
    // Hashing the last eight bytes, partly again, costs less than copying the remaining bytes.
    let last = bytes.last_chunk().copied().unwrap_or_else(|| {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        last
    });
    hash_round(hash_round(hash, u64::from_le_bytes(last)), HASH_FACTOR)
}

/// Hashes a list of lines, each combined with the hash of the previous lines.
pub(crate) fn hash_lines(lines: &[&str]) -> u64 {
    lines.iter().fold(lines.len() as u64, |hash, line| hash.rotate_left(7) ^ hash_bytes(line.as_bytes()))
}

/// A hasher that returns the hash itself.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash_bytes(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The hash of each line, and the positions of each hash.
pub(crate) struct Hashes {
    fold: Fold,
    /// The hash of each line.
    of_line: Arc<Vec<u64>>,
    /// The first requested hashes with their lines, each searched in a separate pass.
    cached: [OnceCell<(u64, Vec<u32>)>; CACHED],
    /// The lines of every hash, grouped once `cached` is full.
    groups: OnceCell<LineGroups>,
}

/// How many hashes are searched separately. Grouping all lines costs about as much as twice this number of passes.
const CACHED: usize = 16;

impl Hashes {
    pub(crate) fn new(document: &Document, fold: Fold) -> Self {
        let bytes = document.content().len();
        let parts = parallel::ranges_of(document.lines().len(), bytes);
        // Only hashes of this form, which every document needs, are kept for the next document.
        let of_line = if fold == Fold::Skeleton && parts.len() == 1 {
            document.hashes(|| hashed(document, &parts[0], fold), skeleton_hash)
        } else {
            Arc::new(parallel::map(&parts, bytes, |part| hashed(document, part, fold)).concat())
        };
        Hashes { fold, of_line, cached: Default::default(), groups: OnceCell::new() }
    }

    /// Returns the hash of a quoted line.
    pub(crate) fn of(&self, line: &str) -> u64 {
        LineHasher::new(self.fold).hash(line.as_bytes())
    }

    /// Returns the hash of a line of the document.
    pub(crate) fn of_line(&self, line: usize) -> Option<u64> {
        self.of_line.get(line).copied()
    }

    /// Returns the hashes of quoted lines; `None` if a line does not occur in the document.
    pub(crate) fn of_quote(&self, quote: &[&str]) -> Option<Vec<u64>> {
        let stands = |hash: &u64| !self.lines_of(*hash).is_empty();
        quote.iter().map(|line| Some(self.of(line)).filter(stands)).collect()
    }

    /// Returns the lines with a hash, 0-based and ascending.
    pub(crate) fn lines_of(&self, hash: u64) -> &[u32] {
        for slot in &self.cached {
            let (cached, lines) = slot.get_or_init(|| (hash, self.seek(hash)));
            if *cached == hash {
                return lines;
            }
        }
        self.groups.get_or_init(|| LineGroups::new(&self.of_line)).lines_of(hash)
    }

    fn seek(&self, hash: u64) -> Vec<u32> {
        let mut lines = Vec::new();
        for (nth, piece) in self.of_line.chunks(PIECE).enumerate() {
            // All of a piece at once, without a branch for each hash.
            if piece.iter().filter(|other| **other == hash).count() > 0 {
                let hits = piece.iter().enumerate().filter(|(_, other)| **other == hash);
                lines.extend(hits.map(|(at, _)| narrow(nth * PIECE + at)));
            }
        }
        lines
    }

    /// Returns the lines where a run of hashes begins, 0-based and ascending.
    pub(crate) fn places(&self, wanted: &[u64]) -> Vec<usize> {
        let rarest = (0..wanted.len()).min_by_key(|nth| self.lines_of(wanted[*nth]).len()).unwrap_or(0);
        let rare = self.lines_of(wanted[rarest]);
        // For many positions and a long quote, a single pass over all lines is cheaper.
        if rare.len().saturating_mul(wanted.len()) > self.of_line.len() + wanted.len() {
            return occurrences(&self.of_line, wanted, 0).collect();
        }
        let starts = rare.iter().filter_map(|line| (*line as usize).checked_sub(rarest));
        starts.filter(|start| self.of_line[*start..].starts_with(wanted)).collect()
    }
}

fn skeleton_hash(line: &[u8]) -> u64 {
    LineHasher::new(Fold::Skeleton).hash(line)
}

/// Returns the hashes of some lines.
fn hashed(document: &Document, lines: &Range<usize>, fold: Fold) -> Vec<u64> {
    let mut hasher = LineHasher::new(fold);
    document.lines_in(lines.clone()).map(|line| hasher.hash(line)).collect()
}

/// How many hashes are compared before the result is checked.
const PIECE: usize = 64;

/// The lines of a document, grouped by hash.
struct LineGroups {
    /// The number of a hash.
    numbers: HashMap<u64, usize, BuildHasherDefault<Hashed>>,
    /// The offset in `lines` of each group; there is one more entry than groups.
    starts: Vec<u32>,
    /// The lines, 0-based, grouped by number, ascending in each group.
    lines: Vec<u32>,
}

impl LineGroups {
    fn new(of_line: &[u64]) -> Self {
        let mut numbers = HashMap::with_capacity_and_hasher(of_line.len() / 2, BuildHasherDefault::default());
        let mut number_of_line = Vec::with_capacity(of_line.len());
        for hash in of_line {
            let next = numbers.len();
            number_of_line.push(narrow(*numbers.entry(*hash).or_insert(next)));
        }
        let (starts, lines) = group(&number_of_line, numbers.len());
        LineGroups { numbers, starts, lines }
    }

    fn lines_of(&self, hash: u64) -> &[u32] {
        let Some(number) = self.numbers.get(&hash).copied() else { return &[] };
        &self.lines[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// Line numbers of a document fit in 32 bits: a longer document has over four thousand million lines.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Sorts lines by group: returns the offset of each group, and the lines.
fn group(of_line: &[u32], numbers: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; numbers + 1];
    for number in of_line {
        starts[*number as usize + 1] += 1;
    }
    for number in 0..numbers {
        starts[number + 1] += starts[number];
    }
    let mut next = starts.clone();
    let mut lines = vec![0; of_line.len()];
    for (line, number) in of_line.iter().enumerate() {
        let slot = &mut next[*number as usize];
        lines[*slot as usize] = narrow(line);
        *slot += 1;
    }
    (starts, lines)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn cached_and_grouped_lines_are_the_same(lines in prop::collection::vec(0u8..40, 0..300)) {
            let text: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let hashes = Hashes::new(&Document::from(&*text.join("\n")), Fold::Exact);
            for wanted in 0u8..40 {
                let standing = (0u32..).zip(&lines).filter(|(_, line)| **line == wanted);
                let expected: Vec<u32> = standing.map(|(at, _)| at).collect();
                prop_assert_eq!(hashes.lines_of(hashes.of(&wanted.to_string())), expected);
            }
            prop_assert!(hashes.groups.get().is_some());
        }
    }
}
