//! Lines with their byte ranges, and runs of lines.
//!
//! Lines are the result of `split("\n")`: a text that ends with a line feed has an empty last line, and a carriage
//! return belongs to its line.

use std::collections::VecDeque;
use std::ops::Range;

use super::trim::is_blank;

/// A line without its line feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The offset of the first byte.
    pub(super) start: usize,
    pub(super) text: &'a str,
}

impl Line<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Returns the lines of `content`, lazily.
pub(super) fn lines(content: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    content.split('\n').map(move |text| {
        let line = Line { start, text };
        start = line.end() + 1;
        line
    })
}

/// Returns the line that begins at `start`.
pub(super) fn line_at(content: &str, start: usize) -> Line<'_> {
    let text = &content[start..];
    Line { start, text: &text[..memchr::memchr(b'\n', text.as_bytes()).unwrap_or(text.len())] }
}

/// Returns the line before the line that begins at `start`; `None` for the first line.
pub(super) fn line_before(content: &str, start: usize) -> Option<Line<'_>> {
    let text = content[..start].strip_suffix('\n')?;
    let start = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |at| at + 1);
    Some(Line { start, text: &text[start..] })
}

/// Returns the line after the line that ends at `end`; `None` for the last line.
pub(super) fn line_after(content: &str, end: usize) -> Option<Line<'_>> {
    (end < content.len()).then(|| line_at(content, end + 1))
}

/// Returns the lines of a quote without the empty line after a last line feed: three of the replacers search for these.
pub(super) fn quoted_lines(quote: &str) -> Vec<&str> {
    let mut lines: Vec<_> = quote.split('\n').collect();
    lines.pop_if(|line| line.is_empty());
    lines
}

/// Returns every run of lines with the keys `wanted`, in order, overlapping runs too, lazily.
///
/// Takes time linear in the lines of the content and of the quote, and stores no more of the content than a single run.
pub(super) fn runs<'a, K: PartialEq + 'a>(
    content: &'a str,
    wanted: Vec<K>,
    key: impl Fn(&'a str) -> K + 'a,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut run = super::run::Run::new(&wanted);
    let mut starts = VecDeque::new();
    lines(content).filter_map(move |line| {
        if starts.len() == wanted.len() {
            starts.pop_front();
        }
        starts.push_back(line.start);
        let key = key(line.text);
        run.step(|at| wanted[at] == key).then(|| starts[0]..line.end())
    })
}

/// Returns the position extended to whole lines, if the extension is only whitespace; otherwise `None`.
pub(super) fn whole_lines(content: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let before = &content[..place.start];
    // Stops at the first non-whitespace character, so that a long line costs nothing for each position in the line.
    let kept = before.trim_end_matches(|c| c != '\n' && super::trim::is_space(c));
    let after = &content[place.end..];
    let rest = after.trim_start_matches(|c| c != '\n' && super::trim::is_space(c));
    let whole = (kept.is_empty() || kept.ends_with('\n')) && (rest.is_empty() || rest.starts_with('\n'));
    whole.then(|| kept.len()..content.len() - rest.len())
}

/// Returns every block that consists of `core`, a range of whole lines, and `spare` blank lines around; the block that
/// begins first comes first.
pub(super) fn framed(
    content: &str,
    core: &Range<usize>,
    spare: usize,
) -> impl Iterator<Item = Range<usize>> + use<> {
    let mut starts = vec![core.start];
    while let Some(line) =
        blank(line_before(content, starts[starts.len() - 1])).filter(|_| starts.len() <= spare)
    {
        starts.push(line.start);
    }
    let mut ends = vec![core.end];
    while let Some(line) = blank(line_after(content, ends[ends.len() - 1])).filter(|_| ends.len() <= spare) {
        ends.push(line.end());
    }
    (0..starts.len()).rev().filter_map(move |before| Some(starts[before]..*ends.get(spare - before)?))
}

fn blank(line: Option<Line<'_>>) -> Option<Line<'_>> {
    line.filter(|line| is_blank(line.text))
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "a list of one place")]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_last_line_feed_begins_an_empty_line() {
        let found: Vec<_> = lines("a\r\n\n").map(|line| (line.start, line.text)).collect();
        assert_eq!(found, [(0, "a\r"), (3, ""), (4, "")]);
    }

    #[test]
    fn neighbours_of_a_line() {
        let content = "ab\nc\n";
        assert_eq!(line_before(content, 3).map(|line| line.text), Some("ab"));
        assert_eq!(line_before(content, 0), None);
        assert_eq!(line_after(content, 2).map(|line| line.text), Some("c"));
        assert_eq!(line_after(content, 4), Some(Line { start: 5, text: "" }));
        assert_eq!(line_after(content, 5), None);
    }

    #[test]
    fn runs_are_found_as_they_are_asked_for() {
        let seen = Cell::new(0);
        let content = "x\na\nb\n".repeat(1000);
        let count = |line| {
            seen.set(seen.get() + 1);
            line
        };
        let mut found = runs(&content, vec!["a", "b"], count);
        assert_eq!(found.next(), Some(2..5));
        assert_eq!(seen.get(), 3);
    }

    #[test]
    fn runs_overlap() {
        assert_eq!(runs("a\na\na", vec!["a", "a"], |line| line).collect::<Vec<_>>(), [0..3, 2..5]);
    }

    #[test]
    fn widened_over_white_space_only() {
        assert_eq!(whole_lines("x\n  ab \ny", &(4..6)), Some(2..7));
        assert_eq!(whole_lines("x\n =ab \ny", &(4..6)), None);
        assert_eq!(whole_lines("ab ;", &(0..2)), None);
    }

    #[test]
    fn frames_take_blank_lines_before_or_after() {
        let found = |content, count: usize| framed(content, &(3..4), count - 1).collect::<Vec<_>>();
        assert_eq!(found("\n \nx\n\ny", 1), [3..4]);
        assert_eq!(found("\n \nx\n\ny", 2), [1..4, 3..5]);
        assert_eq!(found("\n \nx\n\ny", 3), [0..4, 1..5]);
        assert_eq!(found("\n \nx\n\ny", 4), [0..5]);
        assert_eq!(found("\n \nx\n\ny", 5), []);
    }
}
