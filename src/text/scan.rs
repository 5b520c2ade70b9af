//! Finds and hashes lines in a single pass.

/// Calls `visit` for each line of a content with the end of the line, line feed included, and the [hash](hash_line) of
/// the bytes before the line feed. A carriage return before the line feed is hashed.
///
/// The eight bytes that are searched for a line feed are also the bytes that are hashed. Finding all lines first and
/// hashing afterwards takes up to twice as long.
pub(super) fn for_each_line(content: &[u8], mut visit: impl FnMut(usize, u64)) {
    let mut is_open = !matches!(content, [] | [.., b'\n']);
    let (mut rest, mut hash) = (content, HASH_FACTOR);
    loop {
        let (word, behind) = match rest.split_first_chunk() {
            Some((word, behind)) => (u64::from_le_bytes(*word), behind),
            None if rest.is_empty() && !is_open => break,
            None => (with_feeds_behind(rest), &[][..]),
        };
        let feeds = feeds_in(word);
        if feeds == 0 {
            (rest, hash) = (behind, hash_round(hash, word));
            continue;
        }
        // A last line without a line feed ends with the content.
        (rest, is_open) = match rest.get(bytes_before(feeds) + 1..) {
            Some(behind) => (behind, is_open),
            None => (&[][..], false),
        };
        visit(content.len() - rest.len(), last_round(hash, word, feeds));
        hash = HASH_FACTOR;
    }
}

/// Returns up to eight bytes as a word, filled up with line feeds.
fn with_feeds_behind(rest: &[u8]) -> u64 {
    let mut word = FEEDS.to_le_bytes();
    word[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(word)
}

/// Returns the hash of a line without its line feed. Equal lines have equal hashes.
pub(crate) fn hash_line(line: &[u8]) -> u64 {
    let mut of_line = last_round(HASH_FACTOR, FEEDS, HIGH_BITS);
    for_each_line(line, |_, hash| of_line = hash);
    of_line
}

const BYTES: usize = size_of::<u64>();
const LOW_BITS: u64 = u64::from_le_bytes([0x01; BYTES]);
const HIGH_BITS: u64 = u64::from_le_bytes([0x80; BYTES]);
const FEEDS: u64 = u64::from_le_bytes([b'\n'; BYTES]);

/// Returns the high bit of the first line feed among eight bytes, and possibly of bytes behind; 0 if there is no line
/// feed. (Bit Twiddling Hacks, "Determine if a word has a zero byte", explains how to find a zero byte in a word
/// without a loop.)
fn feeds_in(word: u64) -> u64 {
    let zero = word ^ FEEDS;
    zero.wrapping_sub(LOW_BITS) & !zero & HIGH_BITS
}

/// Returns how many bytes precede the first line feed.
fn bytes_before(feeds: u64) -> usize {
    feeds.trailing_zeros() as usize / BYTES
}

/// Hashes the bytes before the first line feed, and their number.
fn last_round(hash: u64, word: u64, feeds: u64) -> u64 {
    let first = feeds & feeds.wrapping_neg();
    // All bits below the byte of the first line feed.
    let before = word & ((first - 1) >> 7);
    hash_round(hash_round(hash, before), HASH_FACTOR ^ first)
}

/// The initial value of a hash, and the factor of each round.
pub(crate) const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Takes a word into a hash: multiplies and folds.
pub(crate) fn hash_round(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * u128::from(HASH_FACTOR);
    #[allow(clippy::cast_possible_truncation, reason = "the two halves")]
    let halves = (product as u64, (product >> 64) as u64);
    halves.0 ^ halves.1
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_are_found_and_equal_ones_have_one_hash(content in "[a\n\r\u{8a}\u{b}]{0,40}|[ab\n]{0,9}") {
            let mut found = Vec::new();
            for_each_line(content.as_bytes(), |end, hash| found.push((end, hash)));
            let lines = content.split_inclusive('\n');
            let ends = lines.clone().scan(0, |end, line| { *end += line.len(); Some(*end) });
            prop_assert!(found.iter().map(|(end, _)| *end).eq(ends), "{found:?}");
            let mut of_line = HashMap::new();
            let mut of_hash = HashMap::new();
            for (line, (_, hash)) in lines.zip(found) {
                let line = line.strip_suffix('\n').unwrap_or(line);
                prop_assert_eq!(hash_line(line.as_bytes()), hash);
                prop_assert_eq!(*of_line.entry(line).or_insert(hash), hash);
                prop_assert_eq!(*of_hash.entry(hash).or_insert(line), line);
            }
        }
    }
}
