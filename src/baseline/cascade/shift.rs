//! Finds runs of lines that equal the quoted lines at a different indentation.
//!
//! Comparing each run with the quote costs the product of both on a document of equal lines. Here each line is compared
//! by its indentation relative to the previous line, which costs the sum.

use std::collections::VecDeque;
use std::ops::Range;

use super::lines::{Line, lines, runs};
use super::run::Run;
use super::trim::trim_start;

/// Returns the whitespace before the first word.
pub(super) fn indentation(line: &str) -> &str {
    &line[..line.len() - trim_start(line).len()]
}

/// Returns the number of whitespace characters before the first word; `None` for a blank line.
pub(super) fn depth(line: &str) -> Option<usize> {
    let indentation = indentation(line);
    (indentation.len() < line.len()).then(|| indentation.chars().count())
}

/// Returns the runs of lines with the keys of the quoted lines whose depths all differ from the quote by the same
/// number of characters.
///
/// The flag is true if all indentation in the run and in the quote is spaces, so that nothing remains to be compared.
/// The key must be the same for a line at any depth, and different for a blank line.
pub(super) fn shifted<'a>(
    content: &'a str,
    quoted: &[&'a str],
    key: fn(&'a str) -> &'a str,
) -> Box<dyn Iterator<Item = (Range<usize>, bool)> + 'a> {
    // Up to the first line with a depth there is nothing to be relative to.
    let head = quoted.iter().position(|line| depth(line).is_some()).map_or(quoted.len(), |at| at + 1);
    let keys: Vec<_> = quoted.iter().map(|line| key(line)).collect();
    if head == quoted.len() {
        return Box::new(runs(content, keys, key).map(|place| (place, true)));
    }
    let mut relative = Relative::default();
    let wanted: Vec<_> = quoted.iter().map(|line| (key(line), relative.step(line))).skip(head).collect();
    let plain = relative.is_plain(quoted.len());
    let window = Window { starts: VecDeque::new(), size: quoted.len(), run: Run::new(&wanted), wanted };
    let found = windows(content, window, key).map(move |(place, spaces)| (place, plain && spaces));
    Box::new(found.filter(move |(place, _)| {
        content[place.clone()].split('\n').take(head).map(key).eq(keys[..head].iter().copied())
    }))
}

/// Returns the windows that end with the wanted lines, and whether their indentation is spaces only.
fn windows<'a>(
    content: &'a str,
    mut window: Window<'a>,
    key: fn(&'a str) -> &'a str,
) -> impl Iterator<Item = (Range<usize>, bool)> {
    let mut relative = Relative::default();
    lines(content).filter_map(move |line| {
        let item = (key(line.text), relative.step(line.text));
        Some((window.step(line, &item)?, relative.is_plain(window.size)))
    })
}

/// The key of a line, and how much deeper the line is than the previous line.
type Item<'a> = (&'a str, isize);

struct Window<'a> {
    starts: VecDeque<usize>,
    size: usize,
    wanted: Vec<Item<'a>>,
    run: Run,
}

impl<'a> Window<'a> {
    fn step(&mut self, line: Line<'_>, item: &Item<'a>) -> Option<Range<usize>> {
        if self.starts.len() == self.size {
            self.starts.pop_front();
        }
        self.starts.push_back(line.start);
        let full = self.run.step(|at| self.wanted[at] == *item) && self.starts.len() == self.size;
        full.then(|| self.starts[0]..line.end())
    }
}

/// Follows the indentation from line to line.
#[derive(Default)]
struct Relative {
    depth: isize,
    /// How many lines were seen since the last line with anything but spaces before the first word.
    plain: usize,
}

impl Relative {
    /// Returns how much deeper the line is than the previous line. A blank line is as deep as the previous line.
    fn step(&mut self, line: &str) -> isize {
        let plain = indentation(line).bytes().all(|byte| byte == b' ');
        self.plain = if plain { self.plain + 1 } else { 0 };
        let Some(depth) = depth(line).map(usize::cast_signed) else { return 0 };
        let deeper = depth - self.depth;
        self.depth = depth;
        deeper
    }

    /// Returns whether the last `lines` lines are indented with spaces only.
    fn is_plain(&self, lines: usize) -> bool {
        self.plain >= lines
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn depths(text: &str) -> Vec<isize> {
        let depths: Vec<_> = text.split('\n').filter_map(depth).map(usize::cast_signed).collect();
        depths.iter().map(|depth| depth - depths[0]).collect()
    }

    proptest! {
        #[test]
        fn same_as_trying_every_run(
            content in "([ \t]{0,2}[ab]?\n){0,20}",
            quote in "([ \t]{0,2}[ab]?\n){0,3}[ \t]{0,2}[ab]?",
        ) {
            let quoted: Vec<_> = quote.split('\n').collect();
            let lines: Vec<_> = content.split('\n').collect();
            let naive: Vec<_> = lines.windows(quoted.len()).map(|block| block.join("\n")).filter(|block| {
                block.split('\n').map(trim_start).eq(quoted.iter().map(|line| trim_start(line)))
                    && depths(block) == depths(&quote)
            }).collect();
            let found: Vec<_> = shifted(&content, &quoted, trim_start).collect();
            let texts: Vec<_> = found.iter().map(|(place, _)| &content[place.clone()]).collect();
            prop_assert_eq!(texts, naive);
            let tab = |text: &str| text.split('\n').any(|line| indentation(line).contains('\t'));
            let compared = quoted.iter().filter_map(|line| depth(line)).count() > 1;
            prop_assert!(found.iter().all(|(place, plain)| !(*plain && compared && tab(&content[place.clone()]))));
            prop_assert!(found.iter().all(|(_, plain)| !(*plain && compared && tab(&quote))));
        }
    }
}
