//! Finds calls in a text: as JSON alone, an object a line, or in Markdown fences.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::format::call::around::{self, Packed};
use crate::format::call::json::Json;
use crate::format::call::{names, patch_text, shape, tools};
use crate::format::detect;
use crate::format::lines::{self, lines_with};
use crate::format::marker;
use crate::format::thoughts;
use crate::format::wrapper::{self, Packing};

/// The maximum nesting of JSON texts. Each level doubles the backslashes of the text inside, so deeper nesting does not
/// occur.
pub(super) const DEPTH: usize = 4;

/// Returns whether a text is a call of an edit tool, alone or in Markdown fences.
pub(in crate::format) fn is_meant(text: &str) -> bool {
    let text = wrapper::without_mark(text);
    is_call(text) || has_fenced_call(text) && !detect::shows(text)
}

/// Returns whether a text is a JSON object that names a file and has other texts, none of which is a patch: an edit whose fields have other
/// names, which a refusal lists.
pub(in crate::format) fn is_unknown_edit(text: &str) -> bool {
    let text = wrapper::without_mark(text);
    let json = (wrapper::packing(text) == Some(Packing::Json)).then(|| Json::parse(text).ok()).flatten();
    let Some(Value::Object(fields)) = json.map(|json| json.value) else { return false };
    let has = |names: &[&str]| names.iter().any(|name| fields.contains_key(*name));
    let texts = fields.values().filter(|value| value.is_string()).count();
    has(names::FILE) && !has(names::PATCH) && texts > 1
}

/// Returns the names of the fields of an object, sorted: the object keeps their order only if another crate of the build needs that.
pub(super) fn names_of(object: &Map<String, Value>) -> String {
    let mut names: Vec<&str> = object.keys().map(String::as_str).collect();
    names.sort_unstable();
    names.join(", ")
}

/// Returns whether a text is JSON with a call. Truncated or invalid JSON counts if it names a field of a call.
fn is_call(text: &str) -> bool {
    if wrapper::packing(text) != Some(Packing::Json) {
        return false;
    }
    match values(text) {
        Ok(values) => values.iter().any(|(_, json)| holds_call(&json.value, 0)),
        Err(_) => names_edit(text),
    }
}

/// Returns whether a text has a Markdown fence around JSON with a call.
fn has_fenced_call(text: &str) -> bool {
    !fenced(text).is_empty()
}

/// Returns whether a text has the name of a field of a call, above any line that begins as an envelope's marker does.
pub(in crate::format) fn names_edit(text: &str) -> bool {
    let is_above = |line: &&str| !line.trim_start().starts_with("***");
    let above: usize = text.split_inclusive('\n').take_while(is_above).map(str::len).sum();
    let above = &text[..above];
    names::TELLING.iter().any(|word| tools::has_quoted(above, word)) || tools::told_in(above).is_some()
}

/// Returns the inside of each fence with a call, with the number of its first line, 1-based. A fence is of backticks, or of
/// tags if no fence of backticks has a call. The thoughts of a model have no calls.
pub(super) fn fenced(text: &str) -> Vec<(usize, &str)> {
    let by_backticks = fenced_by(text, "```", |line| line.trim_start().starts_with("```"));
    if !by_backticks.is_empty() {
        return without_thoughts(text, by_backticks);
    }
    without_thoughts(text, fenced_by(text, "<", |line| marker::tags(line).is_some()))
}

/// Drops the parts of a text that are thoughts of the model: the end of the thoughts follows outside the parts.
fn without_thoughts<'t>(text: &'t str, mut parts: Vec<(usize, &'t str)>) -> Vec<(usize, &'t str)> {
    let mut rest = text;
    let thoughts = parts.iter().rposition(|(_, part)| {
        let end = part.as_ptr().addr() + part.len() - text.as_ptr().addr();
        let behind = rest.get(end..).unwrap_or_default();
        rest = &text[..end - part.len()];
        behind.lines().any(thoughts::ends)
    });
    parts.drain(..thoughts.map_or(0, |last| last + 1));
    parts
}

/// Finds such fences by the characters that their lines have, and a test of a line.
fn fenced_by<'t>(
    text: &'t str,
    characters: &'static str,
    is_fence: impl Fn(&str) -> bool,
) -> Vec<(usize, &'t str)> {
    let mut found = Vec::new();
    let mut opened: Option<(usize, &str)> = None;
    let (mut number, mut behind) = (1, text);
    for (line, rest) in lines_with(text, characters) {
        number += lines::count(&behind[..behind.len() - rest.len()]);
        behind = rest;
        if !is_fence(line) {
            continue;
        }
        opened = match opened {
            None => Some((number, rest)),
            Some((first, inside)) => {
                let end = inside.len() - rest.len();
                // The inside ends before the fence's own line.
                let inside = inside[..end].trim_end().strip_suffix(line.trim_end()).unwrap_or_default();
                if is_call(inside) {
                    found.push((first, inside));
                }
                None
            }
        };
    }
    found
}

/// Returns whether a value contains a known call, including calls that are refused by name.
fn holds_call(value: &Value, depth: usize) -> bool {
    match value {
        _ if depth > DEPTH => false,
        Value::Array(values) => {
            patch_text::is_patch(value, false, false) || values.iter().any(|value| holds_call(value, depth))
        }
        Value::Object(fields) => {
            let tool = names::TOOL.iter().find_map(|name| fields.get(*name)?.as_str());
            match around::packed(fields) {
                _ if tool.is_some_and(tools::is_tool) => true,
                // A call of a tool that is not known is refused by the name of the tool.
                Packed::Arguments(_) if tool.is_some() => true,
                Packed::Arguments(inner) => {
                    holds_call(&inner, depth + usize::from(matches!(inner, Cow::Owned(_))))
                }
                Packed::Text(_, text) => patch_text::is_patch(&Value::from(text), false, false),
                Packed::Parts(parts) => parts.iter().any(|part| holds_call(part, depth)),
                Packed::Alternatives | Packed::Twice(_) | Packed::KeyTwice(_) => true,
                Packed::Nothing => {
                    shape::shape(fields, false, tool).is_known()
                        || names::LIST.iter().any(|name| fields.contains_key(*name))
                }
            }
        }
        Value::String(text) => {
            let inner = Json::parse(text).ok().map(|json| json.value).filter(|inner| !inner.is_number());
            match inner {
                Some(inner) => holds_call(&inner, depth + 1),
                None => patch_text::is_patch(value, false, false),
            }
        }
        _ => false,
    }
}

/// Returns the JSON values of a text, each with its first line, 1-based: a single value, or a value a line.
pub(super) fn values(text: &str) -> Result<Vec<(usize, Json)>, (usize, String)> {
    let first = match Json::parse(text) {
        Ok(value) => {
            let blank = text.len() - text.trim_start().len();
            return Ok(vec![(1 + text[..blank].matches('\n').count(), value)]);
        }
        Err(error) => (error.line().max(1), error.to_string()),
    };
    let lines = values_by_line(text).ok_or(first)?;
    lines
        .into_iter()
        .map(|(line, value)| value.map(|value| (line, value)).map_err(|words| (line, words)))
        .collect()
}

/// A line, 1-based, and its JSON value, or why the line is not JSON.
type LineValue = (usize, Result<Json, String>);

/// Returns the JSON value of each line that is not blank; `None` if the first of these lines is not JSON, so that the text
/// is not meant as a value a line.
pub(super) fn values_by_line(text: &str) -> Option<Vec<LineValue>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let mut lines = lines.map(|(nth, line)| (nth + 1, Json::parse(line).map_err(|error| error.to_string())));
    let first = lines.next().filter(|(_, value)| value.is_ok())?;
    Some([first].into_iter().chain(lines).collect())
}
