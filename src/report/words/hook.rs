//! The words for an edit that a client has refused although it fits.

use serde_json::Value;

/// Returns what to send instead. `input`: the arguments of the edit, with the old text as the file has it.
pub(crate) fn quoted_again(input: &Value) -> String {
    let file = input.get("file_path").and_then(Value::as_str).unwrap_or_default();
    format!(
        "{file}: the old text is not in the file as it was quoted, but it fits at one position. Nothing was changed. Send the \
         edit again with these arguments, which quote the file:\n{input}"
    )
}
