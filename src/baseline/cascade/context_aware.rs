//! Replacer 8: the first and the last line fit, and half of the lines between them.

use std::iter;
use std::ops::Range;

use super::anchors::nearest_blocks;
use super::lines::quoted_lines;
use super::similarity::float;
use super::trim::trim;
use super::{CONTEXT_AWARE_THRESHOLD, Places};

/// A block of exactly as many lines as were quoted, from a line that equals the first quoted one to the nearest
/// that equals the last, of whose middle lines enough are the same; all [trimmed](super::trim()).
///
/// **Accepts** a block with a share of [`CONTEXT_AWARE_THRESHOLD`] equal lines among those middle lines of which
/// the block's or the quote's is not blank, or without any such line. **Refuses** a quote of fewer than three
/// lines (counted as in [`block_anchor`](super::block_anchor())), a block of another length, and all that a first
/// anchor could begin if its nearest last anchor does not end a block of that length.
///
/// Up to half of the block is replaced though it reads differently from what was quoted: a hazard of the seeds.
///
/// **Readings.** The middle lines counted: all in seed 000, the non-empty ones in 003, which asks for half of
/// them and accepts a block that has none. 003 is taken: by 000 a block without middle lines divides zero
/// by zero. Both seeds stop at the first last anchor, whatever its distance. Where a single block has the anchors,
/// `block_anchor` has accepted it before; this one decides where several have them and none was like enough, or
/// where the text of the best one stands twice.
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

/// Whether enough of the middle lines are the same. The anchors are, and are taken out.
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
