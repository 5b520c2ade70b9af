//! Lines of dots in place of lines that were not quoted: `// ... existing code ...`.

use std::ops::Range;
use std::rc::Rc;

use super::quote::{FreeGap, Reading, Row};
use crate::locate::align::file::File;
use crate::locate::syntax::{uncommented, words_of};

/// What the dots of a quote may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dots {
    /// The quote has no lines of dots.
    None,
    /// The file contains the line of dots: either text, or a replacement for lines.
    Open,
    /// In place of lines.
    Shown,
}

/// Checks whether context lines replace lines that were not quoted.
pub(super) fn shown(file: &File<'_>, reading: &Reading<'_>) -> Dots {
    let dots: Vec<&Row<'_>> = reading.old_rows().filter(|row| stands_for_lines(row)).collect();
    match dots[..] {
        [] => Dots::None,
        _ if dots.iter().any(|row| file.has_squashed(&row.line)) => Dots::Open,
        _ => Dots::Shown,
    }
}

fn stands_for_lines(row: &Row<'_>) -> bool {
    row.is_context() && is_dots(row.line.text())
}

/// Returns the quote without its lines of dots, each of which leaves a gap at almost no cost. A quote of only dots is
/// unchanged.
pub(super) fn cut_out<'q>(file: &File<'_>, reading: &Reading<'q>) -> Reading<'q> {
    let mut rows: Vec<Rc<Row<'q>>> = Vec::with_capacity(reading.rows.len());
    let mut free = Vec::new();
    let mut old = 0;
    for row in &reading.rows {
        if stands_for_lines(row) {
            free.push(FreeGap { old, row: rows.len() });
            continue;
        }
        old += usize::from(row.is_old());
        rows.push(Rc::clone(row));
    }
    if old == 0 {
        return reading.clone();
    }
    let mut read = reading.with_rows(rows, file.costs.dots);
    free.dedup();
    read.free = free;
    read.undone.dots = true;
    read
}

impl Reading<'_> {
    /// Checks whether dots before an old row replace lines.
    pub(crate) fn is_free(&self, old: usize) -> bool {
        self.free.iter().any(|gap| gap.old == old)
    }

    /// Returns the first position of dots behind removed rows, if rows with text are added behind the dots, with no kept row between.
    pub(crate) fn dots_among_replaced(&self) -> Option<FreeGap> {
        let is_replaced = |at: usize| {
            let above = self.rows[..at].iter().rev().find(|row| !row.is_blank());
            let behind = self.rows[at..].iter().skip_while(|row| row.removes());
            above.is_some_and(|row| row.removes())
                && behind.take_while(|row| row.adds()).any(|row| !row.is_blank())
        };
        self.free.iter().copied().find(|gap| is_replaced(gap.row))
    }

    /// Checks whether dots are right before and right behind a run of added rows.
    pub(crate) fn dots_beside(&self, run: &Range<usize>) -> (bool, bool) {
        (self.has_dots_before(run.start), self.has_dots_before(run.end))
    }

    fn has_dots_before(&self, row: usize) -> bool {
        self.free.iter().any(|gap| gap.row == row)
    }

    pub(crate) fn has_dots(&self) -> bool {
        !self.free.is_empty()
    }

    /// Returns the old rows between dots; empty if there are no dots.
    pub(crate) fn parts(&self) -> Vec<Range<usize>> {
        if self.free.is_empty() {
            return Vec::new();
        }
        let ends = self.free.iter().map(|gap| gap.old).chain([self.old_len()]);
        let mut start = 0;
        let mut parts = Vec::new();
        for end in ends {
            if end > start {
                parts.push(start..end);
            }
            start = end;
        }
        parts
    }
}

/// The words in a line of dots that mean that something was left out.
const LEFT_OUT: [&str; 13] = [
    "existing",
    "rest",
    "unchanged",
    "omitted",
    "remaining",
    "other",
    "same",
    "skip",
    "more",
    "code",
    "snip",
    "keep",
    "previous",
];

/// Checks whether a line means that lines were left out: dots, alone or around words, possibly in a comment.
pub(crate) fn is_dots(line: &str) -> bool {
    // Most lines have no dot, and no character that begins with the first byte of the ellipsis.
    if memchr::memchr2(b'.', 0xe2, line.as_bytes()).is_none() {
        return false;
    }
    let (text, is_comment) = uncommented(line);
    let Some(rest) = text.strip_prefix("...").or_else(|| text.strip_prefix('\u{2026}')) else { return false };
    let words = rest.trim_end_matches(['.', '\u{2026}', ' ']).trim_start_matches(['.', '\u{2026}']);
    if words.trim().is_empty() {
        return true;
    }
    // `...rest` is code; `... rest of the class` and `... existing code ...` are not.
    let is_prose =
        words.starts_with(' ') && words.chars().all(|c| c.is_alphanumeric() || " ,'-():".contains(c));
    let lower = words.to_lowercase();
    is_prose && (is_comment || LEFT_OUT.iter().any(|word| lower.contains(word)))
}

/// The words of a line that replaces code, the marks first: one of these words is needed.
const MARKS: &str =
    "existing rest unchanged omitted remaining same previous original snip snipped elided unmodified";
const FILLERS: &str = "code of the as before above here lines items content function functions method methods class file \
    body implementation logic stays remains is are and keep other for brevity this from all your no not change changes changed";

/// The words by which a text is about the code that is left out, and not about the next line.
const NAMES_OF_CODE: &str =
    "code unchanged omitted before change changes changed snip snipped elided unmodified";

/// Two words that replace code as one of the marks does.
const PHRASES: [[&str; 2]; 4] = [["as", "before"], ["no", "change"], ["no", "changes"], ["not", "changed"]];

/// The words for what becomes of all other lines, and the words that such a line begins with.
const STAYS: [&str; 5] = ["unchanged", "unmodified", "omitted", "elided", "same"];
const OTHERS: [&str; 5] = ["other", "rest", "remaining", "else", "everything"];

/// The most words of a line that states that all other lines stay.
const MOST_WORDS: usize = 8;

/// Checks whether a comment, or a text in brackets, replaces lines that are left out: `# existing code here`. Dots may be before
/// the comment. A text that may be about the next line, as `# remaining items`, has to name the code.
pub(crate) fn is_placeholder(line: &str, may_be_about_next: bool) -> bool {
    // Most lines begin with a word.
    if line.trim_start().starts_with(char::is_alphanumeric) {
        return false;
    }
    let (text, is_comment) = uncommented(line.trim_start().trim_start_matches(['.', '\u{2026}']));
    let is_enclosed = text.starts_with(['(', '[', '<']) && text.ends_with([')', ']', '>']);
    if !is_comment && !is_enclosed {
        return false;
    }
    if text.chars().all(|c| ".\u{2026}()[]<>".contains(c)) && text.contains(['.', '\u{2026}']) {
        return true;
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = words_of(&lower).collect();
    let is_in = |words: &str, word: &str| words.split_whitespace().any(|other| other == word);
    let has_phrase = || words.windows(2).any(|pair| PHRASES.iter().any(|phrase| phrase == pair));
    let names_code = || words.iter().any(|word| is_in(NAMES_OF_CODE, word));
    let is_mark = (words.iter().any(|word| is_in(MARKS, word)) || has_phrase())
        && words.iter().all(|word| is_in(MARKS, word) || is_in(FILLERS, word))
        && (!may_be_about_next || names_code());
    is_mark || !may_be_about_next && states_that_others_stay(&words)
}

/// Checks whether words state that all other lines stay, whatever the lines are: "other settings stay the same".
fn states_that_others_stay(words: &[&str]) -> bool {
    let begin = words.iter().take_while(|word| ["the", "all", "of"].contains(word)).count();
    words.len() <= MOST_WORDS
        && words[begin..].iter().take(2).any(|word| OTHERS.contains(word))
        && words.last().is_some_and(|word| STAYS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_stand_alone_or_around_words() {
        for line in [
            "...",
            "  // ...",
            "# … existing code …",
            "/* ... unchanged ... */",
            "<!-- ... rest of the page -->",
        ] {
            assert!(is_dots(line), "{line}");
        }
        for line in [
            "# existing code here",
            "[rest of code]",
            "<!-- (same as before) -->",
            "// --- snip ---",
            "/* snip */",
            "...  # unchanged",
            "// as before",
            "# no changes here",
            "-- your existing code",
            "# (...)",
            "[...]",
        ] {
            assert!(is_placeholder(line, true), "{line}");
        }
        for line in [
            "# (other settings stay the same)",
            "// the rest of the handlers is unchanged",
            "-- all other columns omitted",
            "# everything else stays the same",
        ] {
            assert!(is_placeholder(line, false) && !is_placeholder(line, true), "{line}");
        }
        for line in [
            "# before",
            "# change the lines above",
            "[..other]",
            "# existing values stay",
            "# the same for all other rows",
            "...  # noqa",
            "... # type: ignore",
        ] {
            assert!(!is_placeholder(line, false), "{line}");
        }
        for line in ["existing code", "# the rest of the queue", "# remaining items"] {
            assert!(!is_placeholder(line, true), "{line}");
        }
        for line in ["...rest", "call(...args)", "// wait ... what", "..", "... = 3"] {
            assert!(!is_dots(line), "{line}");
        }
    }
}
