//! The line matching of seed 002: `seekSequence` and `computeReplacements`.

use std::borrow::Cow;
use std::iter;

use thiserror::Error;

use crate::patch::{Chunk, Header};
use crate::text::{Replacement, in_order};

/// Returns the first position at or after `start` where all of `pattern` matches, line by line; `None` if there is no
/// match.
///
/// Exact, forward only, contiguous, first match: no decision about which position is meant. `start` and the result are
/// 0-based; an empty pattern has no position. Generic, so that the engine compares line numbers and a caller compares
/// texts. Takes time linear in `lines` and `pattern` together for any content.
///
/// ```
/// use apply_patch::baseline::seek_sequence;
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

/// Returns all positions at or after `start` where `pattern` matches, in order, overlapping matches too.
///
/// The algorithm is that of Knuth, Morris and Pratt: a file of equal lines costs no more than any file.
pub(crate) fn occurrences<'s, T: PartialEq>(
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

/// Returns, for each prefix of the pattern, the length of the longest proper prefix that is also a suffix of the
/// prefix.
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

/// Why [`compute_replacements`] gives up at a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SeekError {
    /// The `@@` header does not occur at or after the cursor.
    #[error("failed to find context `{header}`")]
    Context {
        /// The chunk's place in the list, 0-based.
        chunk: usize,
        /// The header's text.
        header: String,
    },
    /// The old lines do not occur at or after the cursor.
    #[error("failed to find the expected lines of chunk {chunk}")]
    Lines {
        /// The chunk's place in the list, 0-based.
        chunk: usize,
    },
}

/// Finds each chunk in order by the algorithm of seed 002.
///
/// A cursor moves forward only: past each header, then past each chunk. A chunk without old lines is placed at the end,
/// before an empty last line. If the old lines are not found and the last old line is empty, the search is repeated
/// without that line. The result is sorted by position.
///
/// This is the original algorithm, kept unchanged for comparison; it takes the first match and does not check whether
/// the match is unique. The tool itself uses [`place`](crate::locate::place).
///
/// `lines` are the lines of the document without the empty string behind a final newline, as the seed drops that
/// string.
///
/// # Errors
/// The first header or chunk that is not found.
///
/// ```
/// use apply_patch::format::{Options, parse};
/// use apply_patch::baseline::compute_replacements;
/// use apply_patch::patch::Action;
///
/// let text = "*** Begin Patch\n*** Update File: a\n@@\n one\n-two\n+2\n*** End Patch\n";
/// let parsed = parse(text, &Options::default());
/// let Action::Update { chunks, .. } = &parsed.patch.hunks[0].action else { unreachable!() };
/// let replacements = compute_replacements(&["zero", "one", "two"], chunks).unwrap();
/// assert_eq!((replacements[0].start, replacements[0].removed), (1, 2));
/// assert_eq!(replacements[0].lines, ["one", "2"]);
/// ```
pub fn compute_replacements<'p>(
    lines: &[&str],
    chunks: &'p [Chunk<'_>],
) -> Result<Vec<Replacement<'p>>, SeekError> {
    let mut replacements = Vec::with_capacity(chunks.len());
    let mut cursor = 0;
    for (index, chunk) in chunks.iter().enumerate() {
        cursor =
            chunk.headers.iter().try_fold(cursor, |from, header| seek_header(lines, header, from, index))?;
        let mut old: Vec<&str> = chunk.old_lines().map(|line| &*line.text).collect();
        let mut new: Vec<&str> = chunk.new_lines().map(|line| &*line.text).collect();
        if old.is_empty() {
            let start = lines.len() - usize::from(lines.last().is_some_and(|last| last.is_empty()));
            replacements.push(replacement(start, 0, &new));
            continue;
        }
        let mut found = seek_sequence(lines, &old, cursor);
        if found.is_none() && old.last().is_some_and(|last| last.is_empty()) {
            old.pop();
            new.pop_if(|last| last.is_empty());
            found = seek_sequence(lines, &old, cursor);
        }
        let start = found.ok_or(SeekError::Lines { chunk: index })?;
        cursor = start + old.len();
        replacements.push(replacement(start, old.len(), &new));
    }
    in_order(&mut replacements);
    Ok(replacements)
}

/// Returns the line after the header.
fn seek_header(lines: &[&str], header: &Header<'_>, from: usize, chunk: usize) -> Result<usize, SeekError> {
    seek_sequence(lines, &[&*header.text], from)
        .map(|found| found + 1)
        .ok_or_else(|| SeekError::Context { chunk, header: header.text.to_string() })
}

fn replacement<'p>(start: usize, removed: usize, lines: &[&'p str]) -> Replacement<'p> {
    Replacement { start, removed, lines: lines.iter().map(|line| Cow::Borrowed(*line)).collect() }
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

#[cfg(test)]
mod replacement_tests {
    use super::*;
    use crate::format::{Options, parse};
    use crate::patch::{Action, Patch};
    use crate::text::{Document, apply_replacements};

    fn chunks<'p>(patch: &'p Patch<'p>) -> &'p [Chunk<'p>] {
        let Action::Update { chunks, .. } = &patch.hunks[0].action else { panic!("an update") };
        chunks
    }

    fn computed(lines: &[&str], body: &str) -> Result<Vec<Replacement<'static>>, SeekError> {
        let text = format!("*** Begin Patch\n*** Update File: a\n{body}*** End Patch\n");
        let parsed = parse(&text, &Options::default());
        compute_replacements(lines, chunks(&parsed.patch))
            .map(|found| found.into_iter().map(Replacement::into_owned).collect())
    }

    fn applied(lines: &[&str], body: &str) -> String {
        let document = Document::from(&*(lines.join("\n") + "\n"));
        let replacements = computed(lines, body).expect("every chunk is found");
        String::from_utf8(apply_replacements(&document, &replacements)).expect("text")
    }

    const MAIN: [&str; 7] = [
        "import { foo } from './foo'",
        "import { bar } from './bar'",
        "",
        "export function main() {",
        "  foo()",
        "  bar()",
        "}",
    ];

    #[test]
    fn seed_002_walkthrough_header_and_pattern_overlap() {
        let body = "@@ import { bar } from './bar'\n-import { bar } from './bar'\n+import { bar } from './bar'\n+import { baz } from './baz'\n";
        assert_eq!(computed(&MAIN, body), Err(SeekError::Lines { chunk: 0 }));
    }

    #[test]
    fn seed_002_walkthrough_correct_patch() {
        // The correction in the seed quotes the header line again as context, which the cursor of the seed has passed
        // as well; with the header one line up there is no header line, so the quote begins below the header.
        let body = "@@ import { foo } from './foo'\n-import { bar } from './bar'\n+import { bar } from './bar'\n+import { baz } from './baz'\n";
        let found = computed(&MAIN, body).expect("found");
        assert_eq!((found[0].start, found[0].removed, found[0].lines.len()), (1, 1, 2));
    }

    #[test]
    fn seed_002_phase_1_header_moves_the_cursor_past_itself() {
        assert_eq!(computed(&["x", "h", "x"], "@@ h\n-x\n+y\n").expect("found")[0].start, 2);
        let missing = SeekError::Context { chunk: 0, header: "nowhere".into() };
        assert_eq!(computed(&["x"], "@@ nowhere\n-x\n+y\n"), Err(missing));
    }

    #[test]
    fn seed_002_phase_2_additions_go_to_the_end_before_an_empty_last_line() {
        assert_eq!(computed(&["a", "b"], "@@\n+c\n").expect("found")[0].start, 2);
        assert_eq!(computed(&["a", ""], "@@\n+c\n").expect("found")[0].start, 1);
    }

    #[test]
    fn seed_002_phase_3_retry_without_the_trailing_empty_line() {
        let found = computed(&["a", "b"], "@@\n-b\n+c\n \n").expect("found");
        assert_eq!(found, [Replacement { start: 1, removed: 1, lines: vec!["c".into()] }]);
    }

    #[test]
    fn seed_002_the_cursor_moves_past_each_chunk() {
        let found = computed(&["x", "x"], "@@\n-x\n+1\n@@\n-x\n+2\n").expect("found");
        assert_eq!(found.iter().map(|r| r.start).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(computed(&["x"], "@@\n-x\n+1\n@@\n-x\n+2\n"), Err(SeekError::Lines { chunk: 1 }));
    }

    #[test]
    fn seed_002_edge_case_empty_file_addition() {
        let found = computed(&[], "@@\n+first line\n+second line\n").expect("found");
        assert_eq!((found[0].start, found[0].removed), (0, 0));
    }

    #[test]
    fn seed_002_edge_case_complete_replacement() {
        assert_eq!(applied(&["a", "b"], "@@\n-a\n-b\n+c\n"), "c\n");
    }

    #[test]
    fn seed_002_edge_case_sorted_by_place() {
        assert_eq!(applied(&["a", "b", "c"], "@@\n+end\n@@\n-a\n+A\n"), "A\nb\nc\nend\n");
    }

    #[test]
    fn seed_002_edge_case_white_space_counts() {
        assert_eq!(computed(&["  a"], "@@\n-a\n+b\n"), Err(SeekError::Lines { chunk: 0 }));
    }
}
