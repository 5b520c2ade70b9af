//! Hashes of folded lines.

use std::hash::Hasher;

use crate::text::{Fold, HASH_FACTOR, hash_round};

/// Hashes folded lines.
pub(crate) struct LineHasher {
    fold: Fold,
    /// The letters of a piece of a line, and the letters of a long line.
    room: [u8; PIECE + 1],
    letters: Vec<u8>,
}

impl LineHasher {
    pub(crate) fn new(fold: Fold) -> Self {
        LineHasher { fold, room: [0; PIECE + 1], letters: Vec::new() }
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
        let mut pieces = without_indentation(line).chunks(PIECE);
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
const PIECE: usize = u8::MAX as usize;

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
