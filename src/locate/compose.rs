//! Composes two lists of replacements, the second on the result of the first.

use std::borrow::Cow;

use crate::text::Replacement;

/// Returns a single list on the document for replacements on the document and further replacements on the result.
///
/// Both lists are sorted and without overlaps; so is the result.
pub(super) fn compose(
    first: &[Replacement<'static>],
    then: &[Replacement<'static>],
) -> Vec<Replacement<'static>> {
    let mut composer = Composer { first, then, ..Composer::default() };
    composer.run();
    composer.out
}

/// Iterates over the lines of the result of `first`, and tracks their origin.
#[derive(Default)]
struct Composer<'r> {
    first: &'r [Replacement<'static>],
    then: &'r [Replacement<'static>],
    /// The next line of the document, 0-based.
    source: usize,
    /// The next line of the first result, 0-based.
    middle: usize,
    /// The replacement that is being put together.
    open: Option<Replacement<'static>>,
    out: Vec<Replacement<'static>>,
}

impl Composer<'_> {
    fn run(&mut self) {
        while let Some((replacement, rest)) = self.first.split_first() {
            self.first = rest;
            self.keep(replacement.start - self.source);
            self.remove_source(replacement.removed);
            replacement.lines.iter().for_each(|line| self.written(line.clone()));
        }
        // Lines behind the last change of `first` are unchanged lines of the document.
        while let Some(replacement) = self.then.first() {
            self.keep(replacement.start.saturating_sub(self.middle) + replacement.removed);
            self.insert_here();
        }
        self.close();
    }

    /// Passes lines that `first` left alone.
    fn keep(&mut self, count: usize) {
        let end = self.middle + count;
        while self.middle < end {
            self.insert_here();
            let goes = self.then.first().is_some_and(|r| (r.start..r.end()).contains(&self.middle));
            if goes {
                self.remove_source(1);
                self.middle += 1;
            } else {
                let until = self.then.first().map_or(end, |r| r.start.clamp(self.middle + 1, end));
                self.close();
                self.source += until - self.middle;
                self.middle = until;
            }
        }
    }

    /// Passes a line that `first` wrote.
    fn written(&mut self, line: Cow<'static, str>) {
        self.insert_here();
        let goes = self.then.first().is_some_and(|r| (r.start..r.end()).contains(&self.middle));
        if !goes {
            self.open().lines.push(line);
        }
        self.middle += 1;
    }

    /// Writes the lines of every replacement of `then` whose removed lines have been passed.
    fn insert_here(&mut self) {
        while let Some((replacement, rest)) = self.then.split_first() {
            if replacement.end() > self.middle {
                return;
            }
            self.then = rest;
            self.open().lines.extend(replacement.lines.iter().cloned());
        }
    }

    fn remove_source(&mut self, count: usize) {
        if count > 0 {
            self.open().removed += count;
            self.source += count;
        }
    }

    fn open(&mut self) -> &mut Replacement<'static> {
        let start = self.source;
        self.open.get_or_insert(Replacement { start, removed: 0, lines: Vec::new() })
    }

    fn close(&mut self) {
        self.out.extend(self.open.take());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::{Document, apply_replacements};

    /// Generates sorted replacements without overlaps on a document of `len` lines.
    fn replacements(len: usize, tag: &'static str) -> impl Strategy<Value = Vec<Replacement<'static>>> {
        prop::collection::vec((0..4usize, 0..3usize, 0..3usize), 0..4).prop_map(move |pieces| {
            let mut next = 0;
            let mut all = Vec::new();
            for (index, (gap, removed, added)) in pieces.into_iter().enumerate() {
                let start = next + gap + usize::from(index > 0);
                if start + removed > len || removed + added == 0 {
                    break;
                }
                let lines = (0..added).map(|line| Cow::Owned(format!("{tag}{index}.{line}"))).collect();
                all.push(Replacement { start, removed, lines });
                next = start + removed;
            }
            all
        })
    }

    fn text(len: usize) -> String {
        let lines: Vec<_> = (0..len).map(|line| line.to_string()).collect();
        lines.join("\n") + if len > 0 { "\n" } else { "" }
    }

    proptest! {
        #[test]
        fn composing_is_applying_one_after_the_other(
            first in replacements(8, "a"), then in replacements(5, "b"),
        ) {
            let document = Document::from(&*text(8));
            let middle = Document::from(apply_replacements(&document, &first));
            prop_assume!(then.last().is_none_or(|last| last.end() <= middle.len()));
            let composed = compose(&first, &then);
            prop_assert!(composed.is_sorted_by(|a, b| a.end() <= b.start));
            prop_assert_eq!(
                String::from_utf8(apply_replacements(&document, &composed)),
                String::from_utf8(apply_replacements(&middle, &then))
            );
        }
    }
}
