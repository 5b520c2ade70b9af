//! Replacer 2: lines that are the same without white space at their ends.

use super::Places;
use super::lines::{quoted_lines, runs};
use super::trim::trim;

/// As many lines as were quoted, each the same when both are [trimmed](super::trim()).
///
/// **Accepts** wrong indentation, of each line on its own; trailing white space; `\r` before the line feed; a
/// quote with or without a last line feed, which is not part of the place. A blank line fits any blank line.
/// **Refuses** a quote that begins or ends inside a line, and white space that differs within one.
///
/// The place begins at the start of the first line, so that its indentation is replaced by what the new text
/// has. That Python code may land in another block by this is a hazard which the seeds leave to the model.
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
