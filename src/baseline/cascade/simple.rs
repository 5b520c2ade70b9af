//! Replacer 1: the quote as it is.

use std::borrow::Cow;

use super::Places;
use super::places::places;

/// The quote stands there character for character.
///
/// **Accepts** the quote anywhere, also inside a line or a word. **Refuses** any difference.
///
/// **Reading.** The seeds yield the quote itself, once, and leave it to the caller to look where it stands. Here
/// every place where it stands is yielded, overlapping ones too, which is what the caller's `indexOf` and
/// `lastIndexOf` look at; [`multi_occurrence`](super::multi_occurrence()) leaves the overlapping ones out.
///
/// **Cost.** Linear in content and quote; up to the first place, a vectorised search.
///
/// ```
/// use apply_patch::baseline::cascade::simple;
/// let found: Vec<_> = simple("a; b; a;", "a;").collect();
/// assert_eq!(found, [0..2, 6..8]);
/// ```
pub fn simple<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    Box::new(places(content, Cow::Borrowed(quote)))
}
