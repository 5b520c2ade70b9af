//! Replacer 4: the same words with any whitespace between.

use std::collections::VecDeque;
use std::iter;
use std::ops::Range;

use memchr::memmem;

use super::Places;
use super::lines::{Line, framed, lines, runs, whole_lines};
use super::places::words;
use super::run::Run;
use super::trim::trim;

/// Returns positions that equal the quote once whitespace is collapsed to single spaces: a line, a part of a line, or a
/// block of as many lines as the quote.
///
/// **Accepts**, first, line by line: a line that is the whole quote, which is then returned whole, with its
/// indentation; otherwise the leftmost part of the line that is the quote, from its first word to its last. Then blocks
/// of as many lines as the quote has, if the quote has several: line breaks may be elsewhere, and blank lines may be
/// before or after. **Refuses** whitespace where the quote has no whitespace, and the reverse: `foo(a,b)` does not
/// match `foo(a, b)`.
///
/// A part of a line may begin and end inside a word, a number or a comment: `x = 1` matches in `max = 12`. This is a
/// hazard of the seeds.
///
/// **Readings.** The example of seed 000, content `function  foo(   a,b  ) {}` and quote `function foo(a, b) {}`, has
/// never matched: whitespace is collapsed, not removed, and the content normalizes to `function foo( a,b ) {}`
/// according to the seed itself. Seed 001 lists the second tier of `OpenHarness` as a "regex fallback": in the seeds
/// this is how the part of a line is found (the quoted words, escaped, joined with `\s+`), so the tier is this
/// replacer, and needs no regular expressions.
///
/// **Cost.** Linear in content and quote.
///
/// ```
/// use apply_patch::baseline::cascade::whitespace_normalized;
/// let found = |content, quote| whitespace_normalized(content, quote).collect::<Vec<_>>();
/// assert_eq!(found("if\t(  ready\t) {", "if ( ready ) {"), [0..15]);
/// assert_eq!(found("let  x  = f( 1 );", "x = f("), [5..12]);
/// assert_eq!(found("a(\n  b,\n  c)\n", "a( b,\nc)\n"), [0..12]);
/// assert_eq!(found("function  foo(   a,b  ) {}", "function foo(a, b) {}"), []);
/// ```
pub fn whitespace_normalized<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    Box::new(within_lines(content, quote).chain(iter::once_with(|| blocks(content, quote)).flatten()))
}

/// Returns at most one position a line: the line, or its leftmost part.
fn within_lines<'a>(content: &'a str, quote: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut wanted = String::new();
    collapse(quote, &mut wanted);
    let mut collapsed = String::new();
    lines(content).filter_map(move |line| {
        // Collapsing never makes a line longer; most lines are shorter than a quote of several.
        if line.text.len() < wanted.len() {
            return None;
        }
        collapse(line.text, &mut collapsed);
        if collapsed == wanted {
            return Some(line.start..line.end());
        }
        let start = memmem::find(collapsed.as_bytes(), wanted.as_bytes())?;
        Some(uncollapsed(line, start..start + wanted.len()))
    })
}

/// Appends `text.replace(/\s+/g, " ").trim()`.
fn collapse(text: &str, collapsed: &mut String) {
    collapsed.clear();
    for (_, word) in words(text) {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
}

/// Returns the position of `collapsed` in the line before collapsing. Begins and ends inside words, or is empty.
fn uncollapsed(line: Line<'_>, collapsed: Range<usize>) -> Range<usize> {
    let mut ends = (0, 0);
    let mut before = 0;
    for (at, word) in words(line.text) {
        let word = before..before + word.len();
        if word.contains(&collapsed.start) {
            ends.0 = at + collapsed.start - word.start;
        }
        if word.start < collapsed.end && collapsed.end <= word.end {
            ends.1 = at + collapsed.end - word.start;
            break;
        }
        before = word.end + 1;
    }
    line.start + ends.0..line.start + ends.1.max(ends.0)
}

/// Returns the blocks of as many lines as the quote has, if the quote has several.
fn blocks<'a>(content: &'a str, quote: &'a str) -> Places<'a> {
    let count = quote.split('\n').count();
    let wanted: Vec<_> = words(quote).map(|(_, word)| word).collect();
    if count == 1 {
        Box::new(iter::empty())
    } else if wanted.is_empty() {
        Box::new(runs(content, vec![""; count], trim))
    } else {
        let cores = word_runs(content, wanted).filter_map(move |(words, lines)| {
            Some((whole_lines(content, &words)?, count.checked_sub(lines)?))
        });
        Box::new(cores.flat_map(move |(core, spare)| framed(content, &core, spare)))
    }
}

/// Returns every position where the wanted words follow each other, and its number of lines.
fn word_runs<'a>(content: &'a str, wanted: Vec<&'a str>) -> impl Iterator<Item = (Range<usize>, usize)> + 'a {
    let mut run = Run::new(&wanted);
    let mut starts = VecDeque::new();
    let words = lines(content)
        .enumerate()
        .flat_map(|(number, line)| words(line.text).map(move |(at, word)| (number, line.start + at, word)));
    words.filter_map(move |(number, start, word)| {
        if starts.len() == wanted.len() {
            starts.pop_front();
        }
        starts.push_back((number, start));
        let full = run.step(|at| wanted[at] == word);
        let (first, begin) = starts[0];
        full.then(|| (begin..start + word.len(), number - first + 1))
    })
}
