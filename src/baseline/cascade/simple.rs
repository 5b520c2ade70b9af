//! Replacer 1: the quote unchanged.

use std::borrow::Cow;

use super::Places;
use super::places::places;

/// Returns the exact occurrences of the quote.
///
/// **Accepts** the quote anywhere, also inside a line or a word. **Refuses** any difference.
///
/// **Reading.** The seeds return the quote itself, once, and the caller searches for its positions. Here every
/// occurrence is returned, overlapping occurrences too, because the `indexOf` and `lastIndexOf` of the caller see both;
/// [`multi_occurrence`](super::multi_occurrence()) leaves out overlapping occurrences.
///
/// **Cost.** Linear in content and quote; up to the first occurrence, a vectorised search.
///
/// ```
/// use apply_patch::baseline::cascade::simple;
/// let found: Vec<_> = simple("a; b; a;", "a;").collect();
/// assert_eq!(found, [0..2, 6..8]);
/// ```
pub fn simple<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    Box::new(places(content, Cow::Borrowed(quote)))
}
