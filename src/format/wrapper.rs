//! What a whole patch text may be packed in: a byte-order mark, JSON, escapes.
//!
//! What stands around the envelope line by line (fences, heredocs, prose) is the parser's.

use std::borrow::Cow;

use serde_json::Value;

use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::repair::RepairKind;
use crate::patch::Span;

/// What marks a text as holding a patch.
const BEGIN: &str = "*** Begin Patch";

/// How many JSON texts may be packed in one another. Each doubles the backslashes of the one inside, so
/// that nobody packs deeper.
const DEPTH: usize = 4;

/// What a text may be packed in as a whole, as its first line that is not blank says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// It begins as JSON does.
    Json,
    /// Its first line break is written as two characters.
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

/// The start of a text without its byte-order mark.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The patch text itself, and what was unpacked to get at it.
pub(super) fn unwrap(text: &str) -> Result<(Cow<'_, str>, Vec<RepairKind>), ParseError> {
    let plain = without_mark(text);
    let mut repairs = Vec::from_iter((plain.len() < text.len()).then_some(RepairKind::ByteOrderMark));
    let mut text = Cow::Borrowed(plain);
    for _ in 0..DEPTH {
        let Some(inner) = from_json(&text)? else { break };
        repairs.push(RepairKind::Json);
        text = Cow::Owned(inner);
    }
    if let Some(plain) = unescape(&text) {
        repairs.push(RepairKind::Escaped);
        text = Cow::Owned(plain);
    }
    Ok((text, repairs))
}

/// The one string in a JSON text that holds an envelope; `None` where the text is not JSON of that kind.
fn from_json(text: &str) -> Result<Option<String>, ParseError> {
    if packing(text) != Some(Packing::Json) {
        return Ok(None);
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Ok(None) };
    let mut found = Vec::new();
    collect(value, &mut found);
    found.dedup();
    if found.len() > 1 {
        return Err(ParseError::new(Span::line(1), ParseErrorKind::SeveralInJson, ""));
    }
    Ok(found.pop())
}

/// All strings that hold an envelope. Recursion is bounded: `serde_json` refuses texts deeper than 128.
fn collect(value: Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains(BEGIN) => found.push(text),
        Value::Array(values) => values.into_iter().for_each(|value| collect(value, found)),
        Value::Object(fields) => fields.into_iter().for_each(|(_, value)| collect(value, found)),
        _ => {}
    }
}

/// A text in which the envelope's own line breaks are written `\n`, with its escapes undone.
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
        unwrap(text).expect("one patch").0.into_owned()
    }

    #[test]
    fn json_of_every_shape_is_opened() {
        let plain = "*** Begin Patch\n*** Delete File: \"x\"\n*** End Patch\n";
        let text = serde_json::to_string(plain).expect("a string");
        for wrapped in [
            text.clone(),
            format!("{{\"input\": {text}}}"),
            format!("{{\"command\": [\"apply_patch\", {text}]}}\n"),
            format!(
                "{{\"arguments\": {}}}",
                serde_json::to_string(&format!("{{\"patch\":{text}}}")).expect("a string")
            ),
        ] {
            assert_eq!(unwrapped(&wrapped), plain, "{wrapped}");
        }
    }

    #[test]
    fn two_patches_in_one_json_are_refused() {
        let text = r#"["*** Begin Patch\n1", "*** Begin Patch\n2"]"#;
        assert_eq!(unwrap(text).unwrap_err().kind, ParseErrorKind::SeveralInJson);
    }

    #[test]
    fn escapes_are_undone_only_where_the_markers_own_line_break_is_escaped() {
        let text = r#"*** Begin Patch\n*** Add File: a\n+say \"hi\\n\"\n*** End Patch\n"#;
        assert_eq!(unwrapped(text), "*** Begin Patch\n*** Add File: a\n+say \"hi\\n\"\n*** End Patch\n");
        let text = "*** Begin Patch\n*** Add File: a\n+say \"hi\\n\"\n*** End Patch\n";
        assert_eq!(unwrapped(text), text);
    }
}
