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

/// Returns a JSON text with the characters escaped that a terminal would act on. In a JSON text without line breaks they are
/// inside strings, so the value stays.
pub(crate) fn shown_json(json: &str) -> String {
    // All these characters are a single UTF-16 unit.
    let escaped = |c: char| if acts(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    if json.contains(acts) { json.chars().map(escaped).collect() } else { json.to_owned() }
}

/// Returns whether a terminal acts on a character: control characters except the tab, and characters that change the
/// direction of text.
pub(crate) fn acts(c: char) -> bool {
    (c.is_control() && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_json_text_keeps_its_value() {
        let text = "a\u{9b}31m\u{202e}b\u{7f}\u{e9}";
        let shown = shown_json(&serde_json::to_string(text).unwrap());
        assert_eq!(shown, r#""a\u009b31m\u202eb\u007fé""#);
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }
}
