//! Replacer 9: every place of the quote, for replacing all.

use std::ops::Range;

use memchr::memmem;

use super::Places;

/// Returns the exact occurrences of the quote, each after the end of the previous.
///
/// **Accepts** and **refuses** the same as [`simple`](super::simple()), without overlapping positions: the positions
/// that replacing all replaces. This replacer never decides anything in [`replace`](super::replace), because `simple`
/// finds every exact occurrence before.
///
/// **Reading.** An empty quote has no position; the loop of the seeds never ends for an empty quote.
///
/// **Cost.** Linear in content and quote, a vectorised search.
///
/// ```
/// use apply_patch::baseline::cascade::multi_occurrence;
/// let found: Vec<_> = multi_occurrence("aaaaa", "aa").collect();
/// assert_eq!(found, [0..2, 2..4]);
/// ```
pub fn multi_occurrence<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    let quote = if quote.is_empty() { None } else { Some(quote) };
    Box::new(quote.into_iter().flat_map(|quote| disjoint(content, quote)))
}

fn disjoint<'a>(content: &'a str, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    memmem::find_iter(content.as_bytes(), text.as_bytes()).map(|start| start..start + text.len())
}
