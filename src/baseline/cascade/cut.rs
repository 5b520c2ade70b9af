//! Cuts a part off each line of a text, and maps positions in the result to positions in the text.
//!
//! Seeds 001 and 004 search the whole cut text, so that a quote may begin and end inside a line.

use std::ops::Range;

use super::lines::{Line, lines};

/// Returns the part of a line that is kept.
pub(super) type Rule = for<'s> fn(&'s str) -> &'s str;

/// Returns the text with each line cut.
pub(super) fn cut(text: &str, rule: Rule) -> String {
    let mut cut = String::with_capacity(text.len());
    for line in lines(text) {
        if line.start > 0 {
            cut.push('\n');
        }
        cut.push_str(rule(line.text));
    }
    cut
}

/// Returns the position in the content that was cut down to `place`.
///
/// The beginning of a cut line maps to the beginning of the whole line, and the end to the end, so the cut parts are
/// included.
pub(super) fn uncut(content: &str, rule: Rule, place: &Range<usize>) -> Range<usize> {
    uncut_index(content, rule, place.start)..uncut_index(content, rule, place.end)
}

fn uncut_index(content: &str, rule: Rule, index: usize) -> usize {
    let (line, column) = cut_line(content, rule, index);
    let kept = rule(line.text);
    if column == 0 {
        line.start
    } else if column == kept.len() {
        line.end()
    } else {
        // The cut-off part never begins like the kept part, so the first occurrence is the position of the cut.
        line.start + line.text.find(kept).unwrap_or(0) + column
    }
}

/// Returns the line whose cut form contains the index, and the index within that line.
fn cut_line(content: &str, rule: Rule, index: usize) -> (Line<'_>, usize) {
    let mut before = 0;
    let mut found = (Line { start: 0, text: "" }, 0);
    for line in lines(content) {
        let length = rule(line.text).len();
        found = (line, index.saturating_sub(before).min(length));
        before += length + 1;
        if index < before {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::trim::trim;
    use super::*;

    fn found(content: &str, wanted: &str) -> Range<usize> {
        let text = cut(content, trim);
        let start = text.find(wanted).expect("the text is there");
        uncut(content, trim, &(start..start + wanted.len()))
    }

    #[test]
    fn white_space_goes_with_the_ends_of_lines() {
        assert_eq!(found("x\n  a \n  b \ny", "a\nb"), 2..11);
        assert_eq!(found("x\n  a \n  b \ny", "a\nb\n"), 2..12);
        assert_eq!(found("x\n  a \n  b \ny", "\nb"), 6..11);
    }

    #[test]
    fn a_place_may_begin_and_end_inside_a_line() {
        assert_eq!(found("  one two \n three four", "two\nthree"), 6..17);
    }
}
