//! Texts of several lines that begin or end inside of a line.

use super::literal::{Borders, Normal};
use super::part::{UNMISTAKABLE, belongs_to, continues};
use crate::locate::{begins_block, continues_statement, letters, may_hold_deeper};

/// Returns an old text and a new text as whole lines of the file, if the old text is in the file once, and what is before and behind it in
/// its lines belongs to the new text as well: an indentation, a separator, the rest of a line that stays, or of one of several lines that
/// are replaced one by one. `None` if the texts do not show how deep their lines are.
///
/// The lines behind the first show the indentation of the file, so that only the first line lost its indentation: the ends of the
/// whole text were trimmed.
pub(super) fn completed(text: &Normal, old: &str, new: &str) -> Option<(String, String)> {
    let [start] = text.matches(old, Borders::of_words(old, new), false)[..] else { return None };
    let end = start + old.len();
    let slice = |from: usize, to: usize| String::from_utf8_lossy(&text.text()[from..to]);
    let before = String::from_utf8_lossy(text.before(start));
    let behind = slice(end, if old.ends_with('\n') { end } else { text.line_end(end) });
    let behind = behind.strip_suffix('\n').unwrap_or(&behind);
    let is_part = !before.is_empty() || !behind.is_empty();
    (is_part && begins(&before, old, new) && ends(behind, old, new))
        .then(|| (format!("{before}{old}{behind}"), format!("{before}{new}{behind}")))
}

/// Checks whether the second line of a new text shows that only its first line lost the indentation of the file: as deep as the line of
/// the file, the second line would go below a statement if it were to move.
pub(super) fn has_whole_lines(text: &Normal, old: &str, new: &str) -> bool {
    let mut lines = new.split('\n').filter(|line| !line.trim().is_empty());
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    let goes_below = indentation(first).is_empty()
        && !indentation(second).is_empty()
        && !begins_block(first)
        && !may_hold_deeper(first)
        && !continues_statement(second.trim());
    if !goes_below {
        return false;
    }
    let [start] = text.matches(old, Borders::of_words(old, new), false)[..] else { return false };
    text.before(start) == indentation(second).as_bytes()
}

/// Returns the whitespace before a line.
fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Checks whether the text before the old text is an indentation that belongs before the new text as well.
fn begins(before: &str, old: &str, new: &str) -> bool {
    let is_blank = |text: &str| text.trim().is_empty();
    let first = old.split('\n').next().unwrap_or_default();
    if before.is_empty() || !is_blank(before) {
        let stays = before.is_empty() || new.split('\n').next() == Some(first);
        return stays || replaces_lines(old, new) && !belongs_to(before, old);
    }
    let old_lines: Vec<&str> = old.split('\n').skip(1).filter(|line| !is_blank(line)).collect();
    // A new text that lost its indentation as a whole has no line of the old text as it is.
    let has_own_depth = old_lines.is_empty() || new.split('\n').skip(1).any(|line| old_lines.contains(&line));
    let is_as_deep = |line: &str| {
        has_own_depth && line.starts_with(before)
            || old_lines.iter().any(|old| indentation(line).starts_with(indentation(old)))
    };
    let mut lines = new.split('\n').skip(1).filter(|line| !is_blank(line));
    let is_known = lines.all(|line| {
        let is_first = line.trim() == first.trim();
        is_as_deep(line) && (!is_first || indentation(line) == before)
    });
    indentation(old).is_empty() && indentation(new).is_empty() && !is_blank(new) && is_known
}

/// Checks whether the text behind the old text is a separator that belongs behind the new text as well.
fn ends(behind: &str, old: &str, new: &str) -> bool {
    let is_statement = |text: &str| text.ends_with(|c: char| !c.is_whitespace() && !",;{[(:".contains(c));
    let is_separator = [",", ";"].contains(&behind);
    let is_kept =
        old.contains('\n') && new.contains('\n') && old.rsplit('\n').next() == new.rsplit('\n').next();
    behind.is_empty()
        || is_kept
        || replaces_lines(old, new) && !continues(old, new, behind)
        || is_separator && old.trim().contains('\n') && is_statement(old) && is_statement(new)
}

/// Checks whether a text of several lines, which is long enough to be unmistakable, is replaced by as many lines.
fn replaces_lines(old: &str, new: &str) -> bool {
    let breaks = |text: &str| text.matches('\n').count();
    breaks(old) > 0 && breaks(old) == breaks(new) && letters(old) >= UNMISTAKABLE
}

#[cfg(test)]
mod tests {
    use super::super::literal::Source;
    use super::{completed, has_whole_lines};

    fn lines(text: &str, old: &str, new: &str) -> Option<String> {
        completed(Source::new(text.into()).normal(), old, new).map(|(_, new)| new)
    }

    #[test]
    fn trimmed_ends_are_completed() {
        let text = "f(\n    a=one,\n    b=two,\n)\n";
        for (old, new, whole) in [
            ("a=one,\n    b=two", "a=1,\n    b=2", "    a=1,\n    b=2,"),
            ("a=one,\n", "a=one,\n    c=three,\n", "    a=one,\n    c=three,\n"),
            ("b=two,\n)", "c=one,\n    b=two,\n)", "    c=one,\n    b=two,\n)"),
            ("    a=one,\n    b=two", "    b=two", "    b=two,"),
        ] {
            assert_eq!(lines(text, old, new).as_deref(), Some(whole), "{old:?}");
        }
    }

    #[test]
    fn a_second_line_as_deep_as_the_file_shows_that_lines_are_whole() {
        let source = Source::new("f:\n    a = one\n    if b:\n        c()\n".into());
        let has = |old: &str, new: &str| has_whole_lines(source.normal(), old, new);
        assert!(has("a = one\n", "a = 1\n    d = 2\n"));
        for (old, new) in [
            ("a = one\n", "a = 1\nd = 2\n"),
            ("if b:\n", "if d:\n    e()\n"),
            ("a = one\n", "a = 1\n    .d()\n"),
            ("    a = one\n", "    a = 1\n    d = 2\n"),
        ] {
            assert!(!has(old, new), "{old:?} {new:?}");
        }
    }

    #[test]
    fn an_unknown_depth_and_a_second_separator_are_not_completed() {
        let text = "f(\n    a=one,\n    b=two,\n)\n";
        for (old, new) in [
            ("a=one,\n    b=two", "a=1,\nb=2"),
            ("b=two,\n)", "c=one,\n        b=two,\n)"),
            ("    a=one,\n    b=two", "    a=1,\n    b=2,"),
            ("    b=two", "    b=2,\n    c=3"),
            ("a=one,\n    b=t", "a=1,\n    b=t"),
            ("f(\n    a=one,\n", "f(\n    a=1,\n"),
        ] {
            assert_eq!(lines(text, old, new), None, "{old:?}");
        }
    }
}
