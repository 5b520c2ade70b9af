//! The layers of an API around the arguments of a call: the id, the tool, and how to run the call.
//!
//! APIs add fields to these layers at will, so an unknown field is ignored here. A field that changes the effect is not
//! ignored: a directory, a dry run, an unfinished call.

use std::borrow::Cow;

use serde_json::Value;

use crate::format::call::json::Json;
use crate::format::call::json::Map;
use crate::format::call::{Protocol, names};
use crate::format::error::ParseErrorKind;

/// What the layers around a value have.
#[derive(Debug, Clone, Default)]
pub(super) struct Around {
    /// The file that an outer object names.
    pub(super) file: Option<String>,
    /// The file that an object of the API names; the arguments must not name another file.
    pub(super) outer_file: Option<String>,
    /// The folder that names are relative to.
    pub(super) folder: Option<String>,
    pub(super) id: Option<String>,
    pub(super) tool: Option<String>,
    pub(super) protocol: Protocol,
    /// Whether a call has begun: what is inside belongs to that call.
    pub(super) in_call: bool,
    /// Whether all values were written as text.
    pub(super) is_text: bool,
    /// How many JSON texts contain this text.
    pub(super) depth: usize,
}

/// What keeps a call from being read: the kind of error, and the field.
pub(super) type Wrong = (ParseErrorKind, String);

impl Around {
    /// Takes what an object adds. Returns whether the object asks for a dry run.
    pub(super) fn enter(&mut self, fields: &Map) -> Result<bool, Wrong> {
        self.identify(fields);
        check_finished(fields)?;
        let mut is_check = self.enter_settings(fields)?;
        for inner in names::SETTINGS.iter().filter_map(|name| fields.get(*name)?.as_object()) {
            is_check |= self.enter_settings(inner)?;
        }
        Ok(is_check)
    }

    /// Takes the folder of an object. Returns whether the object asks for a dry run.
    fn enter_settings(&mut self, fields: &Map) -> Result<bool, Wrong> {
        let mut is_check = false;
        for (name, value) in fields {
            if names::has(names::FOLDER, name) {
                self.enter_folder(name, value)?;
            } else if names::has(names::CHECK, name) {
                is_check |= self.is_on(name, value)?;
            }
        }
        self.folder = self.folder.take().filter(|folder| !matches!(folder.as_str(), "" | "." | "./"));
        Ok(is_check)
    }

    /// Returns whether a switch is on.
    fn is_on(&self, name: &str, value: &Value) -> Result<bool, Wrong> {
        match value {
            Value::Null => Ok(false),
            Value::Bool(flag) => Ok(*flag),
            Value::String(word) if self.is_text && word == "true" => Ok(true),
            Value::String(word) if self.is_text && word == "false" => Ok(false),
            other => Err((ParseErrorKind::UnclearSetting, format!("{name}: {other}"))),
        }
    }

    /// Takes what an object adds that contains the arguments of the call.
    pub(super) fn enter_wrapper(&mut self, fields: &Map, inner: &Value) {
        let named = names::FILE.iter().find_map(|name| fields.get(*name)?.as_str());
        self.outer_file = named.map(str::to_owned).or(self.outer_file.take());
        if let Value::Object(fields) = inner
            && matches!(packed(fields), Packed::Arguments(_) | Packed::Text(..))
        {
            self.identify(fields);
        }
    }

    /// Reads the id, the tool and the protocol, as far as the object has these fields.
    fn identify(&mut self, fields: &Map) {
        let id = names::ID.iter().find_map(|name| fields.get(*name)?.as_str().map(str::to_owned));
        self.id = id.or(self.id.take());
        let tool = names::TOOL.iter().find_map(|name| fields.get(*name)?.as_str());
        self.tool = tool.map(str::to_owned).or(self.tool.take());
        for (field, value, protocol) in names::PROTOCOLS {
            let shows = |found: &Value| value.is_none_or(|value| found.as_str() == Some(value));
            if fields.get(*field).is_some_and(shows) {
                self.protocol = *protocol;
            }
        }
    }

    fn enter_folder(&mut self, name: &str, value: &Value) -> Result<(), Wrong> {
        match value {
            Value::Null => {}
            Value::String(folder) => self.folder = Some(joined(self.folder.as_deref(), folder)),
            other => return Err((ParseErrorKind::UnclearSetting, format!("{name}: {other}"))),
        }
        Ok(())
    }

    /// Returns the layers for an element of a list of parts: each part may be a separate call.
    pub(super) fn part(&self) -> Self {
        Around { id: None, tool: None, protocol: Protocol::default(), in_call: false, ..self.clone() }
    }

    /// Returns the file that is named around the arguments.
    pub(super) fn named_file(&self) -> Option<&str> {
        self.file.as_deref().or(self.outer_file.as_deref())
    }

    /// Returns a name relative to the directory of the call.
    pub(super) fn in_folder<'n>(&self, name: Cow<'n, str>) -> Cow<'n, str> {
        match &self.folder {
            Some(folder) if !name.is_empty() => Cow::Owned(joined(Some(folder), &name)),
            _ => name,
        }
    }
}

/// Checks that a call is finished, and was not carried out yet.
fn check_finished(fields: &Map) -> Result<(), Wrong> {
    for (name, value) in fields {
        let plain = names::plain(name);
        let Some((_, values)) = names::STATUS.iter().find(|(status, _)| *status == plain) else { continue };
        let status = match value {
            Value::Null => continue,
            Value::String(status) => Cow::Borrowed(status.as_str()),
            other => Cow::Owned(other.to_string()),
        };
        let is_finished = match values {
            [] => names::FINISHED.contains(&&*status.to_ascii_lowercase()),
            unfinished => !unfinished.contains(&&*status),
        };
        if !is_finished {
            return Err((ParseErrorKind::UnfinishedCall, format!("{name}: {status}")));
        }
    }
    for name in names::END_REASON {
        let Some(reason) = fields.get(*name).and_then(Value::as_str) else { continue };
        let plain = reason.replace(['_', '-'], "").to_ascii_lowercase();
        if names::CUT_OFF.contains(&&*plain) {
            return Err((ParseErrorKind::UnfinishedCall, format!("{name}: {reason}")));
        }
    }
    Ok(())
}

/// Finds a field around the arguments that would change the effect of the edit, if it counted there.
pub(super) fn effect(fields: &Map) -> Option<Wrong> {
    let changes = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_u64() != Some(1),
        _ => true,
    };
    let (name, value) =
        fields.iter().find(|(name, value)| changes(value) && names::has(names::EFFECT, name))?;
    Some((ParseErrorKind::UnclearSetting, format!("{name}: {value}")))
}

/// Returns a name in a folder; an absolute name is in no folder.
fn joined(folder: Option<&str>, name: &str) -> String {
    let is_absolute = name.starts_with(['/', '\\']) || name.as_bytes().get(1) == Some(&b':');
    match folder {
        Some(folder) if !is_absolute => format!("{}/{name}", folder.trim_end_matches('/')),
        _ => name.to_owned(),
    }
}

/// What an object holds.
pub(super) enum Packed<'v> {
    /// The arguments of a call.
    Arguments(Cow<'v, Value>),
    /// The arguments of a call, which are a text and no JSON.
    Text(&'static str, &'v str),
    /// Parts, each of which may be a call.
    Parts(Vec<&'v Value>),
    /// Several answers; at most one is meant.
    Alternatives,
    /// Two arguments that differ.
    Twice(String),
    /// Arguments as a JSON text in which an object has a key twice: that key.
    KeyTwice(String),
    /// Nothing: the object is the arguments.
    Nothing,
}

/// Finds what an object holds.
pub(super) fn packed(fields: &Map) -> Packed<'_> {
    let mut found: Option<(&str, Cow<'_, Value>)> = None;
    for name in names::ARGUMENTS {
        let Some((arguments, key_twice)) = fields.get(*name).and_then(arguments) else { continue };
        if let Some(key) = key_twice {
            return Packed::KeyTwice(key);
        }
        match &found {
            Some((_, other)) if *other == arguments => {}
            Some((other, _)) => return Packed::Twice(format!("{other}, {name}")),
            None => found = Some((name, arguments)),
        }
    }
    if let Some((_, arguments)) = found {
        return Packed::Arguments(arguments);
    }
    if let Some(text) = text_arguments(fields) {
        return text;
    }
    for name in names::ALTERNATIVES {
        match fields.get(*name) {
            Some(Value::Array(answers)) if answers.len() > 1 => return Packed::Alternatives,
            Some(Value::Array(answers)) => return Packed::Parts(answers.iter().collect()),
            _ => {}
        }
    }
    let parts: Vec<&Value> =
        names::PARTS.iter().filter_map(|name| fields.get(*name)).filter(is_parts).collect();
    if parts.is_empty() { Packed::Nothing } else { Packed::Parts(parts) }
}

/// Returns whether a value may contain parts: an object, or a list with an object.
fn is_parts(value: &&Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(values) => values.iter().any(Value::is_object),
        _ => false,
    }
}

/// Returns arguments, an object or a list of objects, possibly as a JSON text, with a duplicate key of that text. Some models
/// write the text as a JSON text again.
fn arguments(value: &Value) -> Option<(Cow<'_, Value>, Option<String>)> {
    let is_object = |value: &Value| value.is_object() || value.is_array() && is_parts(&value);
    match value {
        value if is_object(value) => Some((Cow::Borrowed(value), None)),
        Value::String(text) if text.trim_start().starts_with(['{', '[', '"']) => {
            let Json { value, key_twice } = Json::parse(text).ok()?;
            let Json { value, key_twice } = match &value {
                Value::String(inner) => Json::parse(inner).ok()?,
                _ => Json { value, key_twice },
            };
            is_object(&value).then_some((Cow::Owned(value), key_twice))
        }
        _ => None,
    }
}

/// Finds arguments that are a plain text. Only an object of an API that names the tool has such arguments.
fn text_arguments(fields: &Map) -> Option<Packed<'_>> {
    let is_call = names::ABOUT.iter().any(|name| fields.contains_key(*name));
    let text = |name: &&'static str| Some((*name, fields.get(*name)?.as_str()?));
    let (name, text) = ["input", "arguments"].iter().filter(|_| is_call).find_map(text)?;
    Some(Packed::Text(name, text))
}

/// Returns whether an object is a part of a message that is no call.
pub(super) fn is_no_call(value: &Value) -> bool {
    let kind = value.get("type").and_then(Value::as_str);
    let is_message = kind == Some("message") || value.get("role").is_some();
    let has_parts = value.as_object().is_some_and(|fields| !matches!(packed(fields), Packed::Nothing));
    let tables = [names::NO_CALL, names::OF_SERVER, names::RESULTS];
    kind.is_some_and(|kind| tables.iter().any(|kinds| kinds.contains(&kind)))
        || is_message && !has_parts
        || value.as_object().is_some_and(has_no_call_fields)
}

/// Returns whether all fields of a part are those of parts that are not calls.
fn has_no_call_fields(fields: &Map) -> bool {
    !fields.is_empty() && fields.keys().all(|name| names::NO_CALL_FIELDS.contains(&name.as_str()))
}

/// Returns the type of a part that the server of the API has carried out itself, or of the result of a call.
pub(super) fn not_to_run(fields: &Map) -> Option<&str> {
    let kind = fields.get("type").and_then(Value::as_str)?;
    [names::OF_SERVER, names::RESULTS].iter().any(|kinds| kinds.contains(&kind)).then_some(kind)
}
