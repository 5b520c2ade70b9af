//! Calls that are written as text, with tags: `<tool_call>` around JSON, a tag for each parameter, or old and new text.
//!
//! Each becomes the JSON value that the same call would be.

use serde_json::Value;

use crate::format::call::CallShape;
use crate::format::call::around::Wrong;
use crate::format::call::json::Json;
use crate::format::call::json::Map;
use crate::format::error::ParseErrorKind;
use crate::format::thoughts;

/// What opens and closes the tag around a call in JSON.
const JSON_CALL: (&str, &str) = ("<tool_call>", "</tool_call>");

/// What opens the tag of an old text; attributes may follow.
const OLD_TEXT: &str = "<old_text";

/// How calls with a tag for each parameter are written.
struct Form {
    /// Before and behind the tool's name.
    tool: (&'static str, &'static str),
    /// Before and behind a parameter's name.
    parameter: (&'static str, &'static str),
    end_of_parameter: &'static str,
    end: &'static str,
}

const FORMS: [Form; 2] = [
    Form {
        tool: ("<function=", ">"),
        parameter: ("<parameter=", ">"),
        end_of_parameter: "</parameter>",
        end: "</function>",
    },
    Form {
        tool: ("<invoke name=\"", "\">"),
        parameter: ("<parameter name=\"", "\">"),
        end_of_parameter: "</parameter>",
        end: "</invoke>",
    },
];

/// A call in a text.
pub(super) struct TextCall<'t> {
    /// The call as written, tags included.
    pub(super) text: &'t str,
    /// The first line of the call, 1-based.
    pub(super) number: usize,
    pub(super) value: Result<Json, Wrong>,
    /// Whether all values were written as text.
    pub(super) is_text: bool,
}

/// Returns whether a line opens a call. `next`: the next line that is not blank, where the line is the tag alone.
pub(in crate::format) fn opens(line: &str, next: Option<&str>) -> bool {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix(JSON_CALL.0) {
        let rest = Some(rest.trim_start()).filter(|rest| !rest.is_empty());
        return rest.or(next).is_some_and(opens_behind_tag);
    }
    opens_form(line) || opens_old(line)
}

/// Returns whether a line, behind the tag around a call in JSON, begins a call.
pub(in crate::format) fn opens_behind_tag(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['{', '[']) || opens_form(line)
}

/// Returns whether a text begins with a call; `line` is its first line.
pub(in crate::format) fn begins_call(text: &str, line: &str) -> bool {
    let below = text[line.len()..].trim_start_matches('\r').lines().skip(1);
    let next = if is_open_tag(line) { below.into_iter().find(|line| !line.trim().is_empty()) } else { None };
    opens(line, next)
}

/// Returns whether a line is the tag around a call in JSON, and nothing else.
pub(in crate::format) fn is_open_tag(line: &str) -> bool {
    line.trim() == JSON_CALL.0
}

fn opens_form(line: &str) -> bool {
    FORMS.iter().any(|form| line.starts_with(form.tool.0))
}

fn opens_old(line: &str) -> bool {
    line.strip_prefix(OLD_TEXT).is_some_and(|rest| rest.starts_with(['>', ' ']))
}

/// Returns what follows the call that a text begins with.
pub(in crate::format) fn behind(text: &str) -> &str {
    let (_, rest, _) = read(text);
    rest
}

/// Finds the calls of a text. The thoughts of a model have none.
pub(super) fn calls(text: &str) -> Vec<TextCall<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut number) = (text, 1);
    while !rest.is_empty() {
        let (line, below) = rest.split_once('\n').unwrap_or((rest, ""));
        let start = if begins_call(rest, line) {
            let (value, behind, is_text) = read(rest.trim_start());
            let call = &rest[..rest.len() - behind.len()];
            found.push(TextCall { text: call, number, value, is_text });
            behind
        } else {
            if thoughts::ends(line) {
                found.clear();
            }
            below
        };
        number += rest[..rest.len() - start.len()].matches('\n').count();
        rest = start;
    }
    found
}

/// Reads the call at the beginning of a text. Also returns the rest, and whether all values are text.
fn read(text: &str) -> (Result<Json, Wrong>, &str, bool) {
    let text = text.trim_start();
    let inside = text.strip_prefix(JSON_CALL.0).map(str::trim_start);
    match inside {
        Some(inside) if inside.starts_with(['{', '[']) => json(inside),
        Some(inside) => {
            let (value, rest, is_text) = read(inside);
            (value, rest.trim_start().strip_prefix(JSON_CALL.1).unwrap_or(rest), is_text)
        }
        None => match FORMS.iter().find(|form| text.starts_with(form.tool.0)) {
            Some(form) => with_parameters(text, form),
            None => old_new(text),
        },
    }
}

/// Reads a JSON value and the tag behind. A complete value needs no tag.
fn json(text: &str) -> (Result<Json, Wrong>, &str, bool) {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Json>();
    match values.next() {
        Some(Ok(value)) => {
            let rest = &text[values.byte_offset()..];
            (Ok(value), rest.trim_start().strip_prefix(JSON_CALL.1).unwrap_or(rest), false)
        }
        Some(Err(error)) => {
            let end = text.find(JSON_CALL.1).map_or(text.len(), |end| end + JSON_CALL.1.len());
            (Err((ParseErrorKind::NoJson, error.to_string())), &text[end..], false)
        }
        None => (Err((ParseErrorKind::NoEdits, String::new())), "", false),
    }
}

/// Reads a call with a tag for each parameter.
fn with_parameters<'t>(text: &'t str, form: &Form) -> (Result<Json, Wrong>, &'t str, bool) {
    let unfinished = |tool: &str| (Err((ParseErrorKind::UnfinishedCall, tool.to_owned())), "", true);
    let Some((tool, mut rest)) = text[form.tool.0.len()..].split_once(form.tool.1) else {
        return unfinished("");
    };
    let tool = tool.trim_matches('"');
    let mut arguments = Map::new();
    let mut twice = None;
    loop {
        rest = rest.trim_start();
        if let Some(behind) = rest.strip_prefix(form.end) {
            let call = serde_json::json!({ "name": tool, "arguments": arguments });
            return (twice.map_or(Ok(plain(call)), Err), behind, true);
        }
        let parameter =
            rest.strip_prefix(form.parameter.0).and_then(|rest| rest.split_once(form.parameter.1));
        let Some((name, inside)) = parameter else { return unfinished(tool) };
        let Some(end) = end_of_parameter(inside, form) else { return unfinished(tool) };
        let value = unwrapped(&inside[..end]);
        if arguments.insert(name.trim_matches('"').to_owned(), Value::from(value)).is_some() {
            twice = Some((ParseErrorKind::FieldTwice(CallShape::Edit), format!("{name}, {name}")));
        }
        rest = &inside[end + form.end_of_parameter.len()..];
    }
}

/// Returns the end of a parameter: a closing tag that is followed by another parameter or the end of the call, because
/// a value may contain the tag as text.
fn end_of_parameter(inside: &str, form: &Form) -> Option<usize> {
    let mut ends = inside.match_indices(form.end_of_parameter).map(|(end, _)| end);
    ends.find(|end| {
        let behind = inside[end + form.end_of_parameter.len()..].trim_start();
        behind.starts_with(form.parameter.0) || behind.starts_with(form.end)
    })
}

/// Returns a value without the line breaks next to its tags.
fn unwrapped(value: &str) -> &str {
    let inside = value.strip_prefix("\r\n").or_else(|| value.strip_prefix('\n'));
    let Some(inside) = inside else { return value };
    inside.strip_suffix("\r\n").or_else(|| inside.strip_suffix('\n')).unwrap_or(inside)
}

/// Reads an old and a new text in tags.
fn old_new(text: &str) -> (Result<Json, Wrong>, &str, bool) {
    let read = || {
        let (_, rest) = text.split_once('>')?;
        let (old, rest) = rest.split_once("</old_text>")?;
        let (new, rest) = rest.trim_start().strip_prefix("<new_text>")?.split_once("</new_text>")?;
        Some((serde_json::json!({ "old_text": unwrapped(old), "new_text": unwrapped(new) }), rest))
    };
    match read() {
        Some((value, rest)) => (Ok(plain(value)), rest, true),
        None => (Err((ParseErrorKind::UnfinishedCall, "<old_text>".to_owned())), "", true),
    }
}

/// Returns a value whose keys were checked.
fn plain(value: Value) -> Json {
    Json { value, key_twice: None }
}
