//! Unpacks a whole patch text: a byte-order mark, escapes. The module `call` reads JSON.
//!
//! The parser handles wrappers line by line (fences, heredocs, prose).

use std::borrow::Cow;

use crate::format::repair::RepairKind;

/// What marks a text as holding a patch.
const BEGIN: &str = "*** Begin Patch";

/// How a whole text may be packed, according to its first non-blank line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// The text begins like JSON.
    Json,
    /// The first line break is written as two characters.
    Escaped,
}

pub(super) fn packing(text: &str) -> Option<Packing> {
    let text = text.trim_start();
    if text.starts_with(['{', '[', '"']) {
        Some(Packing::Json)
    } else {
        text.strip_prefix(BEGIN).filter(|rest| rest.starts_with(r"\n")).map(|_| Packing::Escaped)
    }
}

/// Returns the start of a text without its byte-order mark.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Returns whether a text has the line breaks of its envelope as two characters.
pub(super) fn is_escaped(text: &str) -> bool {
    packing(text) == Some(Packing::Escaped)
}

/// Returns a text without its byte-order mark, and the repair if there was a mark.
pub(super) fn unmarked(text: &str) -> (Cow<'_, str>, Vec<RepairKind>) {
    let plain = without_mark(text);
    let repair = (plain.len() < text.len()).then_some(RepairKind::ByteOrderMark);
    (Cow::Borrowed(plain), Vec::from_iter(repair))
}

/// Returns the patch text itself, and the repairs of unpacking.
pub(super) fn unwrap(text: &str) -> (Cow<'_, str>, Vec<RepairKind>) {
    let (mut text, mut repairs) = unmarked(text);
    if let Some(plain) = unescape(&text) {
        repairs.push(RepairKind::Escaped);
        text = Cow::Owned(plain);
    }
    (text, repairs)
}

/// Decodes the escapes of a text whose envelope has its line breaks as `\n`; `None` for any other text.
fn unescape(text: &str) -> Option<String> {
    // A real line break means that the `\n`s further on are text.
    if packing(text) != Some(Packing::Escaped) || text.trim().contains('\n') {
        return None;
    }
    let line = text.trim().strip_prefix(BEGIN)?.strip_prefix("\\n")?;
    let mut plain = String::with_capacity(text.len());
    plain.push_str(BEGIN);
    plain.push('\n');
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let mut chars = after.chars();
        match chars.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some(c @ ('"' | '\'' | '\\' | '/')) => plain.push(c),
            Some(c) => plain.extend(['\\', c]),
            None => plain.push('\\'),
        }
        rest = chars.as_str();
    }
    plain.push_str(rest);
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unwrapped(text: &str) -> String {
        unwrap(text).0.into_owned()
    }

    #[test]
    fn escapes_are_undone_only_where_the_markers_own_line_break_is_escaped() {
        let text = r#"*** Begin Patch\n*** Add File: a\n+say \"hi\\n\"\n*** End Patch\n"#;
        assert_eq!(unwrapped(text), "*** Begin Patch\n*** Add File: a\n+say \"hi\\n\"\n*** End Patch\n");
        let text = "*** Begin Patch\n*** Add File: a\n+say \"hi\\n\"\n*** End Patch\n";
        assert_eq!(unwrapped(text), text);
    }
}
