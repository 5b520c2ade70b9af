//! New texts that have more than the text of the file in every line or around all lines: line numbers, the signs of a diff, or a
//! fence. Neither the old text nor the file has these, so the new text is not what the file is to have.

use crate::locate::{Doubt, Drift, Miss, Placement, Reason, Wrap, numbered};
use crate::text::Document;

/// Where a fence around a text may be the text: the ends of the names of prose.
const PROSE: [&str; 9] = [".md", ".mdx", ".mdc", ".markdown", ".qmd", ".rmd", ".rst", ".adoc", ".txt"];

/// A fence, as in Markdown.
const FENCE: &str = "```";

/// Returns the refusal of a placed edit whose new text is wrapped.
pub(super) fn refusal(
    document: &Document,
    path: &str,
    (old, new): (&[&str], &[&str]),
    placement: &Placement,
) -> Option<Miss> {
    let is_made = placement.drift.contains(&Drift::AlreadyApplied);
    let texts = Texts { document, old: trimmed(old), new: trimmed(new) };
    let wrap = texts.wrap(path).filter(|_| !is_made && !texts.old.is_empty())?;
    let place = placement.start..placement.start + placement.removed;
    let reason = Reason::Doubt { place, line: None, doubt: Doubt::Wrapped(wrap) };
    Some(Miss::new(reason, document, &[]))
}

/// Returns lines without the blank lines at both ends.
fn trimmed<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let is_filled = |line: &&str| !line.trim().is_empty();
    let Some(first) = lines.iter().position(is_filled) else { return &[] };
    let last = lines.iter().rposition(is_filled).unwrap_or(first);
    &lines[first..=last]
}

/// The lines of an old and a new text, and the file.
struct Texts<'l, 't> {
    document: &'l Document,
    old: &'l [&'t str],
    new: &'l [&'t str],
}

impl Texts<'_, '_> {
    /// Returns what is around the new text and neither in the old text nor in the file.
    fn wrap(&self, path: &str) -> Option<Wrap> {
        let lower = path.to_lowercase();
        let is_prose = || PROSE.iter().any(|end| lower.ends_with(end));
        let is_fence = || self.is_fenced() && !is_prose();
        let signs = || self.is_signed().then_some(Wrap::Signs);
        let fence = || is_fence().then_some(Wrap::Fence);
        self.is_numbered().then_some(Wrap::LineNumbers).or_else(signs).or_else(fence)
    }

    /// Checks whether a fence is around the new text. If the old text is inside, the fence is the change.
    fn is_fenced(&self) -> bool {
        let [first, inner @ .., last] = self.new else { return false };
        let is_opening = first.strip_prefix(FENCE).is_some_and(|tag| tag.chars().all(char::is_alphanumeric));
        let is_fence = |line: &str| line.trim_start().starts_with(FENCE);
        is_opening
            && last.trim() == FENCE
            && !inner.is_empty()
            && trimmed(inner) != self.old
            && !self.has(is_fence)
    }

    /// Checks whether each line of the new text has the next line number, before lines that are mostly like those of the old text.
    fn is_numbered(&self) -> bool {
        let Some(lines) = self.new.iter().map(|line| numbered(line)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let follow = lines.windows(2).all(|pair| pair[0].0.checked_add(1) == Some(pair[1].0));
        let texts: Vec<&str> = lines.iter().map(|(_, text)| *text).collect();
        lines.len() > 1
            && follow
            && texts != self.old
            && self.are_alike(&texts)
            && !self.has(|line| numbered(line).is_some())
    }

    /// Checks whether each line of the new text has the sign of a diff: the lines that are kept and removed are the old text,
    /// or all lines are added and begin as those of the old text.
    fn is_signed(&self) -> bool {
        let mut signs = Vec::new();
        for line in self.new.iter().filter(|line| !line.trim().is_empty()) {
            let Some(text) = line.strip_prefix(['+', '-', ' ']) else { return false };
            signs.push((line.as_bytes()[0], text));
        }
        let texts_of = |wanted: &dyn Fn(u8) -> bool| {
            let texts = signs.iter().filter(|(sign, _)| wanted(*sign));
            texts.map(|(_, text)| *text).collect::<Vec<_>>()
        };
        let (kept, added) = (texts_of(&|sign| sign != b'+'), texts_of(&|sign| sign == b'+'));
        let old: Vec<&str> = self.old.iter().copied().filter(|line| !line.trim().is_empty()).collect();
        // A minus sign before every line rather belongs to the text.
        let is_mixed = signs.windows(2).any(|pair| pair[0].0 != pair[1].0);
        let removes = signs.iter().any(|(sign, _)| *sign == b'-');
        let is_diff = removes && is_mixed && kept == old;
        let is_added = || kept.is_empty() && added != old && self.begins_alike(&added);
        (is_diff || is_added()) && !self.has(|line| line.starts_with('+'))
    }

    /// Checks whether lines begin with the indentation and the first word of the old text.
    fn begins_alike(&self, lines: &[&str]) -> bool {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let (Some(line), Some(old)) = (lines.first(), self.old.first()) else { return false };
        indent(line) == indent(old) && first_word(line) == first_word(old)
    }

    /// Checks whether at least half of the lines begin as a line of the old text does.
    fn are_alike(&self, lines: &[&str]) -> bool {
        let is_like_old = |line: &&&str| self.old.iter().any(|old| first_word(old) == first_word(line));
        2 * lines.iter().filter(is_like_old).count() >= lines.len()
    }

    /// Checks whether the old text or the file has such a line.
    fn has(&self, is_such: impl Fn(&str) -> bool) -> bool {
        let of_file = |line: &[u8]| std::str::from_utf8(line).is_ok_and(&is_such);
        self.old.iter().any(|line| is_such(line)) || self.document.lines().any(of_file)
    }
}

/// Returns the first word of a line, or its first sign.
fn first_word(line: &str) -> &str {
    let line = line.trim_start();
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len());
    let sign = line.chars().next().map_or(0, char::len_utf8);
    &line[..end.max(sign)]
}
