//! The style of text: colors and width.

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
    /// The maximum width of a line in columns; `None` outside a terminal.
    pub width: Option<usize>,
}

/// The role of a piece of text, which determines its color.
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

    /// Returns a text in the color of a tone.
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

/// The expansion of a tab, so that lines stay aligned.
const TAB: &str = "    ";

/// Returns a text for a terminal: control characters escaped, tabs as spaces.
pub(super) fn visible(text: &str) -> String {
    shown(text).to_string().replace('\t', TAB)
}

/// Returns whitespace in visible form: each space is a dot, each tab an arrow.
pub(super) fn visible_space(text: &str) -> String {
    let marked = |c: char| match c {
        ' ' => "·".to_owned(),
        '\t' => "→   ".to_owned(),
        c if c.is_whitespace() => c.escape_unicode().to_string(),
        c => c.to_string(),
    };
    shown(text).to_string().chars().map(marked).collect()
}

/// Returns the width of a text in columns.
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
