//! Replacer 2: lines that are equal without leading and trailing whitespace.

use super::Places;
use super::lines::{quoted_lines, runs};
use super::trim::trim;

/// Returns blocks of as many lines as the quote, each equal when both sides are [trimmed](super::trim()).
///
/// **Accepts** wrong indentation, of each line separately; trailing whitespace; `\r` before the line feed; a quote with
/// or without a last line feed, which is not part of the position. A blank line matches any blank line. **Refuses** a
/// quote that begins or ends inside a line, and different whitespace within a line.
///
/// The position begins at the start of the first line, so that its indentation is replaced by that of the new text. So
/// Python code may land in a different block: a hazard that the seeds leave to the model.
///
/// **Cost.** Linear in content and quote.
///
/// ```
/// use apply_patch::baseline::cascade::line_trimmed;
/// let content = "    if (x) {\n        return;\n    }";
/// let found: Vec<_> = line_trimmed(content, "if (x) {\n    return;\n}").collect();
/// assert_eq!(found, [0..content.len()]);
/// ```
pub fn line_trimmed<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    let wanted = quoted_lines(quote).into_iter().map(trim).collect();
    Box::new(runs(content, wanted, trim))
}
