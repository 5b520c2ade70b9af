//! Replacer 3: the first and the last line fit, what is between them is like what was quoted.

use std::iter;
use std::ops::Range;

use super::anchors::{Block, nearest_blocks};
use super::lines::quoted_lines;
use super::similarity::{Best, Measure, Unmeasured, float};
use super::trim::trim;
use super::{MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD, Places, SINGLE_CANDIDATE_SIMILARITY_THRESHOLD};

/// The block from a line that equals the first quoted one to the nearest that equals the last, both
/// [trimmed](super::trim()). At most one place.
///
/// **Accepts**, where one block has such anchors, anything between them
/// ([`SINGLE_CANDIDATE_SIMILARITY_THRESHOLD`]); where several have, the one whose middle lines are the most like
/// the quoted ones, if they reach [`MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD`]; of equals the first.
/// **Refuses** a quote of fewer than three lines, and anchors with nothing between them.
///
/// The similarity of a block is the mean over its middle lines, paired from the top, of one minus the edit distance
/// of the trimmed lines divided by the longer one's length. As many lines are paired as both have: the longer side's
/// surplus is not looked at, so that a block of 100 lines may fit a quote of three. That, and the inner `}` that ends
/// a block too early, are hazards which the seeds have by design.
///
/// **Readings.**
/// * The last anchor is the nearest one (000 says so, 003 is of the tool that does so); 001 takes all
///   pairs, see [`three_tier`](super::three_tier).
/// * The lines are counted before the empty one after a last line feed is dropped (`split("\n").length`, as
///   001 has it). So a quote of two lines that ends with a line feed counts as three, has no middle line, and
///   fits anything between its anchors.
/// * For a single block 003 stops adding up as soon as the threshold is reached. It is 0, which is reached before
///   the first line: nothing is compared.
/// * Two blank lines have the similarity 0/0 in 000 and 003. They count as a line with nothing in common, as in
///   the tool that the seeds describe; 001, whose ratio makes empty texts equal, would choose other blocks.
/// * 000 and 003 divide each addend by the number of lines. Here the sum is divided, so that rounding does not decide
///   between equals.
///
/// **Cost.** Linear to find the blocks. A middle line is compared only as far as it can still change which block is
/// the best. Blocks whose comparison would take more than a fixed amount of work, less than half a second,
/// are refused; of two lines with more than 65,536 units between their common beginning and end, only these ends
/// count as alike. Computed when the first place is asked for.
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

// Which is why the only block is taken without a look at its middle.
const _: () = assert!(SINGLE_CANDIDATE_SIMILARITY_THRESHOLD <= 0.0);

/// The block whose middle is the most like the quoted one.
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

/// The mean similarity of the middle lines, where it may reach `floor`.
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

/// The similarity of two trimmed lines, where it is at least `least`.
fn line_similarity(line: &str, quoted: &str, least: f64, measure: &mut Measure) -> Result<f64, Unmeasured> {
    match line.is_empty() && quoted.is_empty() {
        true if least > 0.0 => Err(Unmeasured::Below),
        true => Ok(0.0),
        false => measure.similarity(line, quoted, least),
    }
}
