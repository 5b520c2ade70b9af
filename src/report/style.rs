//! How words look: colours, and how wide they may be.

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::text::shown;

/// How a rendering for people looks.
///
/// ```
/// use apply_patch::report::Look;
/// assert_eq!(Look::PLAIN, Look { colour: false, width: None });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether colours are written, as ANSI escapes.
    pub colour: bool,
    /// How many columns a line may take; `None` where it is no terminal that shows it.
    pub width: Option<usize>,
}

/// What a piece of text is, from which its colour follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    /// What a reader has to see first.
    Head,
    /// What went well, and what is added.
    Good,
    /// What went wrong, and what is removed.
    Bad,
    /// What is remarkable.
    Remark,
    /// Line numbers and frames.
    Faint,
    /// The very part of an added line that differs.
    GoodPart,
    /// The very part of a removed line that differs.
    BadPart,
}

impl Look {
    /// Neither colours nor a width.
    pub const PLAIN: Look = Look { colour: false, width: None };

    /// A text in a tone.
    pub(super) fn paint(&self, tone: Tone, text: &str) -> String {
        let style = tone.style();
        if !self.colour || text.is_empty() || style.is_plain() {
            return text.to_owned();
        }
        format!("{style}{text}{style:#}")
    }
}

impl Tone {
    fn style(self) -> Style {
        let of = |colour: AnsiColor| colour.on_default();
        match self {
            Tone::Plain => Style::new(),
            Tone::Head => Style::new().bold(),
            Tone::Good => of(AnsiColor::Green),
            Tone::Bad => of(AnsiColor::Red),
            Tone::Remark => of(AnsiColor::Yellow),
            Tone::Faint => Style::new().dimmed(),
            Tone::GoodPart => of(AnsiColor::Green).bold().invert(),
            Tone::BadPart => of(AnsiColor::Red).bold().invert(),
        }
    }
}

/// How many columns of a terminal a tab takes: it is written as spaces, so that what stands below it stays below it.
const TAB: &str = "    ";

/// A text as a terminal may show it: what it would act on escaped, tabs as spaces.
pub(super) fn visible(text: &str) -> String {
    shown(text).to_string().replace('\t', TAB)
}

/// The same for white space that matters: each space is a dot, each tab an arrow.
pub(super) fn visible_space(text: &str) -> String {
    let marked = |c: char| match c {
        ' ' => "·".to_owned(),
        '\t' => "→   ".to_owned(),
        c if c.is_whitespace() => c.escape_unicode().to_string(),
        c => c.to_string(),
    };
    shown(text).to_string().chars().map(marked).collect()
}

/// How many columns a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// As much of a text as fits into so many columns, with a sign that there is more.
pub(super) fn cut(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut left = most.saturating_sub(1);
    for c in text.chars() {
        let width = c.width().unwrap_or(0);
        if width > left {
            break;
        }
        left -= width;
        cut.push(c);
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_is_as_wide_as_it_may_be() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(columns(&cut("日本語の行", 6)), 5);
    }

    #[test]
    fn nothing_acts_on_the_terminal() {
        assert_eq!(visible("a\u{1b}[31m\tb"), "a\\u{1b}[31m    b");
        assert_eq!(visible_space("\t x\u{a0}"), "→   ·x\\u{a0}");
    }
}
