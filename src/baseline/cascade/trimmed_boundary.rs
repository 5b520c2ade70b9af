//! Replacer 7: the quote without the whitespace around.

use std::borrow::Cow;
use std::iter;

use super::Places;
use super::lines::{framed, runs, whole_lines};
use super::places::places;
use super::trim::trim;

/// Returns the positions of the quote [trimmed](super::trim()) as a whole.
///
/// **Accepts** the trimmed quote anywhere, also inside a line; then blocks of as many lines as the quote has that equal
/// the trimmed quote once the block is trimmed, so that blank lines around are included. **Refuses** a quote that has
/// nothing to trim (equal to [`simple`](super::simple())), and any difference inside.
///
/// **Cost.** Linear in content and quote.
///
/// ```
/// use apply_patch::baseline::cascade::trimmed_boundary;
/// let found: Vec<_> = trimmed_boundary("let a = 1;\nlet b = 2;", "\n b = 2; \n").collect();
/// assert_eq!(found, [15..21]);
/// ```
pub fn trimmed_boundary<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    let wanted = trim(quote);
    if wanted.len() == quote.len() {
        return Box::new(iter::empty());
    }
    let count = quote.split('\n').count();
    let anywhere = places(content, Cow::Borrowed(wanted));
    Box::new(anywhere.chain(iter::once_with(move || blocks(content, wanted, count)).flatten()))
}

/// Returns the blocks of `count` lines that are `wanted` with whitespace around.
fn blocks<'a>(content: &'a str, wanted: &'a str, count: usize) -> Places<'a> {
    let spare = count - wanted.split('\n').count();
    let blocks: Places<'a> = if wanted.is_empty() {
        Box::new(runs(content, vec![""; count], trim))
    } else {
        let cores = places(content, Cow::Borrowed(wanted)).filter_map(|place| whole_lines(content, &place));
        Box::new(cores.flat_map(move |core| framed(content, &core, spare)))
    };
    // A block without whitespace around is a position of the trimmed quote, which was already returned.
    Box::new(blocks.filter(move |place| place.len() != wanted.len()))
}
