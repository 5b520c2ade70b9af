//! Replacer 3: the first and the last line match, the lines between are similar.

use std::iter;
use std::ops::Range;

use super::anchors::{Block, nearest_blocks};
use super::lines::quoted_lines;
use super::similarity::{Best, Measure, Unmeasured, float};
use super::trim::trim;
use super::{MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD, Places, SINGLE_CANDIDATE_SIMILARITY_THRESHOLD};

/// Returns the block from a line that equals the first quoted line to the nearest that equals the last, both
/// [trimmed](super::trim()). At most one position.
///
/// **Accepts**, if there is a single block between anchors, anything between the anchors
/// ([`SINGLE_CANDIDATE_SIMILARITY_THRESHOLD`]); if there are several blocks, the block whose middle lines are the most
/// similar to the quote, if the similarity reaches [`MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD`]; of equals the first.
/// **Refuses** a quote of fewer than three lines, and anchors with nothing between.
///
/// The similarity of a block is the mean over its middle lines, paired from the top, of one minus the edit distance of
/// the trimmed lines divided by the length of the longer line. Only as many lines are paired as both sides have; the
/// surplus of the longer side is ignored, so that a block of 100 lines may match a quote of three. This, and an inner
/// `}` that ends a block too early, are hazards of the seeds by design.
///
/// **Readings.**
/// * The last anchor is the nearest (000 requires this, 003 describes a tool that does this); 001 takes all pairs, see
///   [`three_tier`](super::three_tier).
/// * The lines are counted before the empty line after a last line feed is dropped (`split("\n").length`, as in 001).
///   So a quote of two lines that ends with a line feed counts as three, has no middle line, and matches anything
///   between its anchors.
/// * For a single block 003 stops adding as soon as the sum reaches the threshold. The threshold is 0, which is reached
///   before the first line: nothing is compared.
/// * Two blank lines have the similarity 0/0 in 000 and 003. Here they count as a line with nothing in common, as in
///   the tool that the seeds describe; 001, whose ratio makes empty texts equal, would choose different blocks.
/// * 000 and 003 divide each addend by the number of lines. Here the sum is divided, so that rounding does not decide
///   between equals.
///
/// **Cost.** Linear for finding the blocks. A middle line is compared only as far as the result can change which block
/// is the best. Blocks whose comparison would take more than a fixed amount of work, less than half a second, are
/// refused; of two lines with more than 65,536 units between the common prefix and suffix, only prefix and suffix count
/// as equal. Computed when the first position is requested.
///
/// ```
/// use apply_patch::baseline::cascade::block_anchor;
/// let content = "fn area() {\n    let side = read();\n    side * side\n}\n";
/// let found: Vec<_> = block_anchor(content, "fn area() {\n    // body\n}").collect();
/// assert_eq!(found, [0..content.len() - 1]);
/// ```
pub fn block_anchor<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    Box::new(iter::once_with(move || find(content, quote)).flatten())
}

fn find(content: &str, quote: &str) -> Option<Range<usize>> {
    quote.split('\n').nth(2)?;
    let quoted: Vec<_> = quoted_lines(quote).into_iter().map(trim).collect();
    let mut blocks = nearest_blocks(content, quoted.first()?, quoted.last()?);
    let first = blocks.next()?;
    match blocks.next() {
        None => Some(first.place),
        Some(second) => best(content, &quoted, [first, second].into_iter().chain(blocks)).ok()?,
    }
}

// This allows taking a single block without comparing its middle.
const _: () = assert!(SINGLE_CANDIDATE_SIMILARITY_THRESHOLD <= 0.0);

/// Returns the block whose middle is the most similar to that of the quote.
fn best(
    content: &str,
    quoted: &[&str],
    blocks: impl Iterator<Item = Block>,
) -> Result<Option<Range<usize>>, Unmeasured> {
    let mut measure = Measure::new();
    let mut best = Best::new(MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD);
    for block in blocks {
        match mean_similarity(content, quoted, &block, best.floor(), &mut measure) {
            Ok(similarity) => best.offer(similarity, block.place),
            Err(Unmeasured::Below) => {}
            Err(Unmeasured::Spent) => return Err(Unmeasured::Spent),
        }
        if best.floor() >= 1.0 {
            break;
        }
    }
    Ok(best.place())
}

/// Returns the mean similarity of the middle lines if the mean may reach `floor`.
fn mean_similarity(
    content: &str,
    quoted: &[&str],
    block: &Block,
    floor: f64,
    measure: &mut Measure,
) -> Result<f64, Unmeasured> {
    /// More than the sum of as many numbers as there may be lines is off by rounding.
    const SLACK: f64 = 1e-9;

    let count = quoted.len().min(block.lines).saturating_sub(2);
    if count == 0 {
        return Ok(1.0);
    }
    let (mut sum, mut rest) = (0.0, float(count));
    let needed = (floor - SLACK) * rest;
    let middle = content[block.place.clone()].split('\n').skip(1).map(trim);
    for (line, quoted) in middle.zip(&quoted[1..]).take(count) {
        rest -= 1.0;
        sum += line_similarity(line, quoted, needed - sum - rest, measure)?;
    }
    Ok(sum / float(count))
}

/// Returns the similarity of two trimmed lines if the similarity is at least `least`.
fn line_similarity(line: &str, quoted: &str, least: f64, measure: &mut Measure) -> Result<f64, Unmeasured> {
    match line.is_empty() && quoted.is_empty() {
        true if least > 0.0 => Err(Unmeasured::Below),
        true => Ok(0.0),
        false => measure.similarity(line, quoted, least),
    }
}
