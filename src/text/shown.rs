//! Text from a patch or a file, made safe to print.

use std::fmt::{self, Display, Formatter, Write};

/// Returns a text for display in a message: escapes the characters that a terminal would act on and leaves the rest
/// unchanged, so that a reader can copy the text.
///
/// ```
/// use apply_patch::text::shown;
///
/// assert_eq!(shown("it's a\ttab").to_string(), "it's a\ttab");
/// assert_eq!(shown("red \u{1b}[31m").to_string(), "red \\u{1b}[31m");
/// assert_eq!(shown("a\u{202e}b\n").to_string(), "a\\u{202e}b\\n");
/// ```
pub fn shown(text: &str) -> Shown<'_> {
    Shown(text)
}

/// What [`shown`] gives.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a>(&'a str);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0
            .chars()
            .try_for_each(|c| if acts(c) { write!(f, "{}", c.escape_debug()) } else { f.write_char(c) })
    }
}

/// Returns whether a terminal acts on a character: control characters except the tab, and characters that change the
/// direction of text.
pub(crate) fn acts(c: char) -> bool {
    (c.is_control() && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
