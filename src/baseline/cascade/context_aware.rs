//! Replacer 8: the first and the last line match, and half of the lines between.

use std::iter;
use std::ops::Range;

use super::anchors::nearest_blocks;
use super::lines::quoted_lines;
use super::similarity::float;
use super::trim::trim;
use super::{CONTEXT_AWARE_THRESHOLD, Places};

/// Returns a block of exactly as many lines as the quote, from a line that equals the first quoted line to the nearest
/// that equals the last, with enough equal middle lines; all lines are [trimmed](super::trim()).
///
/// **Accepts** a block if a share of [`CONTEXT_AWARE_THRESHOLD`] of its middle lines are equal. Pairs of blank lines
/// are not counted; a block without countable pairs is accepted. **Refuses** a quote of fewer than three lines (counted
/// as in [`block_anchor`](super::block_anchor())), a block of a different length, and every block of a first anchor
/// whose nearest last anchor does not end a block of that length.
///
/// Up to half of the block is replaced although its text differs from the quote: a hazard of the seeds.
///
/// **Readings.** The middle lines counted: all in seed 000, the non-empty lines in 003, which requires half of these
/// and accepts a block without non-empty lines. 003 is used, because by 000 a block without middle lines divides zero
/// by zero. Both seeds stop at the first last anchor at any distance. If a single block has the anchors, `block_anchor`
/// has accepted the block before; this replacer decides if several blocks have the anchors and no block was similar
/// enough, or if the text of the best block occurs twice.
///
/// **Cost.** Linear in content and quote.
///
/// ```
/// use apply_patch::baseline::cascade::context_aware;
/// let content = "begin\n  one();\n  two();\nend\n";
/// let found = |quote| context_aware(content, quote).collect::<Vec<_>>();
/// assert_eq!(found("begin\n  one();\n  other();\nend"), [0..content.len() - 1]);
/// assert_eq!(found("begin\n  this();\n  other();\nend"), []);
/// ```
pub fn context_aware<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    Box::new(iter::once_with(move || blocks(content, quote)).flatten().flatten())
}

fn blocks<'a>(content: &'a str, quote: &'a str) -> Option<impl Iterator<Item = Range<usize>> + use<'a>> {
    quote.split('\n').nth(2)?;
    let quoted: Vec<_> = quoted_lines(quote).into_iter().map(trim).collect();
    let blocks = nearest_blocks(content, quoted.first()?, quoted.last()?);
    let alike = blocks.filter(move |block| {
        block.lines == quoted.len() && is_alike(content[block.place.clone()].split('\n').map(trim), &quoted)
    });
    Some(alike.map(|block| block.place))
}

/// Returns whether enough of the middle lines are equal. The anchors are equal and not counted.
fn is_alike<'a>(block: impl Iterator<Item = &'a str>, quoted: &[&'a str]) -> bool {
    let anchors = 2;
    let mut all = 0;
    let mut same = 0;
    for (line, quoted) in block.zip(quoted).skip(1).take(quoted.len() - anchors) {
        all += usize::from(!(line.is_empty() && quoted.is_empty()));
        same += usize::from(!line.is_empty() && line == *quoted);
    }
    all == 0 || float(same) / float(all) >= CONTEXT_AWARE_THRESHOLD
}
