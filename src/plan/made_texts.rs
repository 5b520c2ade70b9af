//! Which positions of an old text are already made: a new text that contains the old text is in the file around the position.

use super::literal::{Borders, Normal, is_of_word};

/// Returns the first line, 0-based, of a new text that contains the old text, if the old text is nowhere else: the edit
/// was already applied, and would double its added lines.
pub(super) fn stands_already(text: &Normal, old: &str, new: &str) -> Option<usize> {
    if !new.contains(old) {
        return None;
    }
    let news = News::find(text, old, new);
    let Some(first) = news.starts.first().copied() else { return stands_deeper(text, old, new) };
    let olds = text.matches(old, Borders::of(old, new), true);
    olds.iter().all(|at| news.contain(*at)).then(|| text.line_at(first))
}

/// Parts the positions of an old text into those that are still to be replaced and those that are made. A sign that is
/// repeated, and an operand or a negation that is added, may be meant once more.
pub(super) fn apart(text: &Normal, old: &str, new: &str, found: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
    if !may_be_made(old, new) {
        return (found, Vec::new());
    }
    let news = News::find(text, old, new);
    found.into_iter().partition(|at| !news.contain(*at))
}

/// The positions of a new text that contains an old text.
struct News {
    starts: Vec<usize>,
    /// The length of the new text, and of the old text.
    new: usize,
    old: usize,
}

impl News {
    fn find(text: &Normal, old: &str, new: &str) -> Self {
        let starts = text.matches(new, Borders::of(old, new), true);
        News { starts, new: new.len(), old: old.len() }
    }

    /// Checks whether a position of the old text is inside a position of the new text.
    fn contain(&self, at: usize) -> bool {
        let before = self.starts.partition_point(|start| *start <= at);
        before > 0 && at + self.old <= self.starts[before - 1] + self.new
    }
}

/// Checks whether a new text is an old text with a name, a call, a type or another sign around it, so that the text is not
/// meant to be made from itself: `client.get(` of `get(`, but neither `i + 1` of `i` nor `==` of `=`.
fn may_be_made(old: &str, new: &str) -> bool {
    let Some(at) = new.find(old).filter(|_| old.contains(|c| is_of_word(Some(c)))) else { return false };
    let (before, behind) = (new[..at].trim(), new[at + old.len()..].trim());
    let repeats = |added: &str, next: Option<char>| added.chars().all(|c| Some(c) == next);
    let is_repeated = repeats(before, old.chars().next()) && repeats(behind, old.chars().next_back());
    !is_repeated && !is_operation(&new[..at], &new[at + old.len()..])
}

/// Checks whether the text added on either side of an operand negates the operand or computes with it.
fn is_operation(before: &str, behind: &str) -> bool {
    const SIGNS: [char; 5] = ['+', '-', '*', '/', '%'];
    let is_spaced = |text: &str| {
        let words = || text.split_whitespace();
        words().any(|word| word.len() == 1 && word.starts_with(SIGNS))
    };
    let is_negation = ["!", "-", "~", "not"].contains(&before.trim());
    let computes_behind = {
        let mut signs = behind.trim_start().chars();
        signs.next().is_some_and(|c| SIGNS.contains(&c)) && signs.next().is_some_and(|c| c.is_ascii_digit())
    };
    let computes_before = {
        let mut signs = before.trim_end().chars().rev();
        signs.next().is_some_and(|c| SIGNS.contains(&c)) && signs.next().is_some_and(|c| c.is_ascii_digit())
    };
    is_negation || is_spaced(before) || is_spaced(behind) || computes_behind || computes_before
}

/// Returns the first line of whole lines that were indented further when they were written, as [`stands_already`].
fn stands_deeper(text: &Normal, old: &str, new: &str) -> Option<usize> {
    let count = |text: &str| text.trim_end_matches('\n').split('\n').count();
    let news = if count(new) > 1 { text.indented(new) } else { Vec::new() };
    let is_inside = |at: usize| {
        let before = news.partition_point(|start| *start <= at);
        before > 0 && at + count(old) <= news[before - 1] + count(new)
    };
    let first = news.first().copied()?;
    text.indented(old).into_iter().all(is_inside).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::may_be_made;

    #[test]
    fn a_text_is_made_from_itself_or_around_itself() {
        for (old, new) in [
            ("get(", "client.get("),
            ("orders", "shop.orders"),
            ("String", "String?"),
            ("malloc(", "(int *)malloc("),
            ("color: red", "color: red !important"),
            ("static", "/assets/static"),
            ("button", "primary-button"),
        ] {
            assert!(may_be_made(old, new), "{old} / {new}");
        }
        for (old, new) in [
            ("=", "=="),
            (",", ", "),
            ("    run", "        run"),
            ("*name", "**name"),
            ("i", "i + 1"),
            ("i", "i+1"),
            ("total", "2 * total"),
            ("ready", "!ready"),
            ("ready", "not ready"),
            ("a", "b"),
        ] {
            assert!(!may_be_made(old, new), "{old} / {new}");
        }
    }
}
