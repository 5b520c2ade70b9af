//! Finding a run of lines: the `seekSequence` of seed 002.

use std::iter;

/// The first place at or after `start` where all of `pattern` stands, line for line.
///
/// Exact, forward only, contiguous, first match: no judgement of which place is meant. `start` and the result
/// are 0-based; an empty pattern has no place. Generic, so that the engine compares numbers of lines where a
/// caller compares texts. Time is linear in `lines` and `pattern` together, whatever they hold.
///
/// ```
/// use apply_patch::locate::seek_sequence;
///
/// let lines = ["a", "b", "a", "b", "c"];
/// assert_eq!(seek_sequence(&lines, &["a", "b"], 0), Some(0));
/// assert_eq!(seek_sequence(&lines, &["a", "b"], 1), Some(2));
/// assert_eq!(seek_sequence(&lines, &["b", "a", "c"], 0), None);
/// assert_eq!(seek_sequence::<&str>(&lines, &[], 0), None);
/// ```
pub fn seek_sequence<T: PartialEq>(lines: &[T], pattern: &[T], start: usize) -> Option<usize> {
    occurrences(lines, pattern, start).next()
}

/// All places at or after `start` where `pattern` stands, in order, overlapping ones too.
///
/// The search of Knuth, Morris and Pratt: a file of equal lines costs no more than any other.
pub(super) fn occurrences<'s, T: PartialEq>(
    lines: &'s [T],
    pattern: &'s [T],
    start: usize,
) -> impl Iterator<Item = usize> + 's {
    let fallback = if pattern.len() > lines.len() { Vec::new() } else { borders(pattern) };
    let mut matched = 0;
    let mut next = start;
    iter::from_fn(move || {
        if fallback.is_empty() {
            return None;
        }
        while next < lines.len() {
            while matched > 0 && (matched == pattern.len() || pattern[matched] != lines[next]) {
                matched = fallback[matched - 1];
            }
            matched += usize::from(pattern[matched] == lines[next]);
            next += 1;
            if matched == pattern.len() {
                return Some(next - matched);
            }
        }
        None
    })
}

/// For each prefix of the pattern, the length of the longest proper prefix that is also its end.
fn borders<T: PartialEq>(pattern: &[T]) -> Vec<usize> {
    let mut borders = vec![0; pattern.len()];
    let mut length = 0;
    for end in 1..pattern.len() {
        while length > 0 && pattern[length] != pattern[end] {
            length = borders[length - 1];
        }
        length += usize::from(pattern[length] == pattern[end]);
        borders[end] = length;
    }
    borders
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive(lines: &[u8], pattern: &[u8], start: usize) -> Vec<usize> {
        if pattern.is_empty() {
            return Vec::new();
        }
        (start..lines.len()).filter(|&at| lines[at..].starts_with(pattern)).collect()
    }

    #[test]
    fn every_line_must_match_to_the_character() {
        assert_eq!(seek_sequence(&["a ", "b"], &["a", "b"], 0), None);
    }

    #[test]
    fn a_pattern_longer_than_the_file_is_nowhere() {
        assert_eq!(seek_sequence(&["a"], &["a", "a"], 0), None);
    }

    #[test]
    fn a_start_behind_the_end_finds_nothing() {
        assert_eq!(seek_sequence(&["a"], &["a"], 5), None);
    }

    #[test]
    fn the_first_of_several_matches_is_taken() {
        assert_eq!(seek_sequence(&["x", "a", "a"], &["a"], 0), Some(1));
    }

    proptest! {
        #[test]
        fn same_as_trying_every_line(
            lines in prop::collection::vec(0u8..3, 0..40),
            pattern in prop::collection::vec(0u8..3, 0..5),
            start in 0usize..45,
        ) {
            let found: Vec<_> = occurrences(&lines, &pattern, start).collect();
            prop_assert_eq!(found, naive(&lines, &pattern, start));
        }
    }
}
