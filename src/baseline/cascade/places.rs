//! The occurrences of a text, and the words of a text.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use memchr::memmem;

use super::run::Run;
use super::trim::is_space;

/// The positions that a [`Replacer`](super::Replacer) proposes: byte ranges of the content, found lazily.
pub type Places<'a> = Box<dyn Iterator<Item = Range<usize>> + 'a>;

/// Returns every occurrence of `text` in `content`, in order, overlapping occurrences too.
///
/// Overlapping occurrences count because the seeds compare `indexOf` with `lastIndexOf`: `}\n}` occurs twice in
/// `}\n}\n}`. An empty text has a single occurrence, at the beginning. Linear in both lengths: the fast search leaps
/// from occurrence to occurrence, and inspects each byte only while an occurrence may overlap the previous.
pub(super) fn places<'a>(content: &'a str, text: Cow<'a, str>) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut search = Search { content, at: 0, run: None };
    let mut empty = text.is_empty();
    iter::from_fn(move || {
        if text.is_empty() { std::mem::take(&mut empty).then_some(0..0) } else { search.next(&text) }
    })
}

struct Search<'a> {
    content: &'a str,
    at: usize,
    /// Built at the first occurrence: most texts have no occurrence.
    run: Option<Run>,
}

impl Search<'_> {
    fn next(&mut self, text: &str) -> Option<Range<usize>> {
        self.overlapping(text).or_else(|| self.leap(text))
    }

    /// Returns the next occurrence, if it begins within the bytes that may still become an occurrence.
    fn overlapping(&mut self, text: &str) -> Option<Range<usize>> {
        let (content, text) = (self.content.as_bytes(), text.as_bytes());
        let run = self.run.as_mut()?;
        while self.at < content.len() {
            let byte = content[self.at];
            self.at += 1;
            if run.step(|at| text[at] == byte) {
                return Some(self.at - text.len()..self.at);
            }
            if run.is_idle() {
                return None;
            }
        }
        None
    }

    fn leap(&mut self, text: &str) -> Option<Range<usize>> {
        let found = memmem::find(self.content.as_bytes().get(self.at..)?, text.as_bytes())?;
        let start = self.at + found;
        self.at = start + text.len();
        self.run.get_or_insert_with(|| Run::new(text.as_bytes())).fill();
        Some(start..self.at)
    }
}

/// Returns the words of a text, separated by [whitespace](is_space), each with its offset.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    iter::from_fn(move || {
        let start = at + text[at..].find(|c| !is_space(c))?;
        at = text[start..].find(is_space).map_or(text.len(), |length| start + length);
        Some((start, &text[start..at]))
    })
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "a list of one place")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(content: &str, text: &str) -> Vec<Range<usize>> {
        places(content, text.into()).collect()
    }

    #[test]
    fn overlapping_places_count() {
        assert_eq!(all("}\n}\n}", "}\n}"), [0..3, 2..5]);
    }

    #[test]
    fn nothing_is_looked_at_behind_the_first_place() {
        let mut search = Search { content: &"ab".repeat(1000), at: 0, run: None };
        assert_eq!((search.next("ba"), search.at), (Some(1..3), 3));
    }

    #[test]
    fn an_empty_text_has_one_place() {
        assert_eq!(all("ab", ""), [0..0]);
        assert_eq!(all("", ""), [0..0]);
    }

    #[test]
    fn words_keep_their_offsets() {
        assert_eq!(words(" a\t\u{a0}bc ").collect::<Vec<_>>(), [(1, "a"), (5, "bc")]);
    }

    proptest! {
        #[test]
        fn same_as_trying_every_start(content in "[abé]{0,40}", text in "[abé]{1,5}") {
            let naive: Vec<_> = (0..content.len())
                .filter(|&at| content.as_bytes()[at..].starts_with(text.as_bytes()))
                .map(|at| at..at + text.len())
                .collect();
            prop_assert_eq!(all(&content, &text), naive);
        }
    }
}
