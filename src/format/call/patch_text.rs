//! Recognizes patch texts among the values of a call.

use serde_json::Value;

use crate::format::{detect, hunks, wrapper};

/// Returns whether a value is a patch text, or a command with a patch text.
///
/// `has_file`: the call names a file, so hunks without a header are a patch. `first`: only the text's first line counts,
/// because the text may as well be the content of a file.
pub(super) fn is_patch(value: &Value, has_file: bool, first: bool) -> bool {
    match value {
        Value::String(text) if first => detect::begins(text),
        Value::String(text) => {
            detect::shows(text) || wrapper::is_escaped(text) || has_file && hunks::is_headerless(text)
        }
        Value::Array(words) => words.iter().filter_map(Value::as_str).any(detect::shows),
        _ => false,
    }
}

/// Returns whether a value is a text with an envelope, or a command with an envelope.
pub(super) fn is_envelope(value: &Value) -> bool {
    let holds = |value: &Value| value.as_str().is_some_and(|text| text.contains("*** Begin Patch"));
    holds(value) || value.as_array().is_some_and(|words| words.iter().any(holds))
}
