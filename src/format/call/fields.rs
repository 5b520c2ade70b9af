//! The fields of the arguments of a call, by role.

use serde_json::Value;

use crate::format::call::json::Map;
use crate::format::call::shape::{Role, Shape};
use crate::format::call::{CallShape, names, patch_text};
use crate::format::error::ParseErrorKind;
use crate::format::file_name::ends_with;

/// An error in a field: the kind, and the field.
pub(super) type FieldError = (ParseErrorKind, String);

/// The fields of an object that has a shape.
pub(super) struct Fields<'v> {
    pub(super) shape: &'static Shape,
    found: Vec<(Role, &'v str, &'v Value)>,
    /// Whether all values were written as text, as in calls without JSON.
    is_text: bool,
    /// Whether a switch or a number was written as a text in JSON.
    pub(super) has_text_for_value: bool,
    pub(super) errors: Vec<FieldError>,
}

impl<'v> Fields<'v> {
    /// Sorts the fields of an object. A field that the shape does not have is an error.
    pub(super) fn new(shape: &'static Shape, object: &'v Map, is_text: bool) -> Self {
        let mut fields =
            Fields { shape, found: Vec::new(), is_text, has_text_for_value: false, errors: Vec::new() };
        for (name, value) in object.iter().filter(|(name, _)| !is_known(shape, name)) {
            // An envelope shows the role of its field.
            if shape.kind == CallShape::Patch && patch_text::is_envelope(value) {
                fields.found.push((Role::Patch, name, value));
            } else {
                fields.errors.push((ParseErrorKind::UnknownField(shape.kind), name.clone()));
            }
        }
        for (role, names) in shape.fields {
            let values = names.iter().filter_map(|name| Some((*role, *name, object.get(*name)?)));
            fields.found.extend(values);
        }
        fields
    }

    fn error(&mut self, kind: ParseErrorKind, found: String) {
        self.errors.push((kind, found));
    }

    /// Returns the field of a role. Two fields of the same role are an error; the first is returned.
    pub(super) fn value(&mut self, role: Role) -> Option<(&'v str, &'v Value)> {
        let mut found = self.found.iter().filter(|(of, ..)| *of == role);
        let (_, name, value) = *found.next()?;
        if let Some((_, other, _)) = found.next() {
            let found = format!("{name}, {other}");
            self.error(ParseErrorKind::FieldTwice(self.shape.kind), found);
        }
        Some((name, value))
    }

    /// Returns all fields of a role.
    pub(super) fn all(&self, role: Role) -> Vec<(&'v str, &'v Value)> {
        let of_role = self.found.iter().filter(|(of, ..)| *of == role);
        of_role.map(|(_, name, value)| (*name, *value)).collect()
    }

    pub(super) fn has(&self, role: Role) -> bool {
        self.found.iter().any(|(of, ..)| *of == role)
    }

    fn wrong_type(&mut self, name: &str, value: &Value) {
        self.error(ParseErrorKind::WrongType(self.shape.kind), format!("{name}: {value}"));
    }

    /// Returns the text of a role; `None` also where the value is of another type, which is an error.
    pub(super) fn text(&mut self, role: Role) -> Option<&'v str> {
        let (name, value) = self.value(role)?;
        let text = value.as_str();
        if text.is_none() {
            self.wrong_type(name, value);
        }
        text
    }

    /// As [`text`](Self::text); a missing field is an error, which names the first name of the role.
    pub(super) fn needed(&mut self, role: Role) -> Option<&'v str> {
        if !self.has(role) {
            self.missing(role);
        }
        self.text(role)
    }

    /// Returns the file: of the call, or else the `outer` one, which is named around the call. Two files are an error; of two
    /// names of the same file the longer counts.
    pub(super) fn file(&mut self, outer: Option<&str>) -> Option<String> {
        let own = self.text(Role::File);
        match (own, outer) {
            (Some(own), Some(outer)) => {
                let (own_name, outer_name) = (own.trim_start_matches("./"), outer.trim_start_matches("./"));
                if !ends_with(own_name, outer_name) && !ends_with(outer_name, own_name) {
                    self.error(ParseErrorKind::TwoFiles, format!("{outer}, {own}"));
                }
                Some(if outer_name.len() > own_name.len() { outer } else { own }.to_owned())
            }
            (own, outer) => own.or(outer).map(str::to_owned),
        }
    }

    /// As [`file`](Self::file); a missing file is an error.
    pub(super) fn needed_file(&mut self, outer: Option<&str>) -> Option<String> {
        if !self.has(Role::File) && outer.is_none() {
            self.missing(Role::File);
        }
        self.file(outer)
    }

    pub(super) fn missing(&mut self, role: Role) {
        let names = self.shape.fields.iter().find(|(of, _)| *of == role);
        let name = names.and_then(|(_, names)| names.first()).copied().unwrap_or_default();
        self.error(ParseErrorKind::MissingField(self.shape.kind), name.to_owned());
    }

    /// Returns whether a switch is on.
    pub(super) fn flag(&mut self, role: Role) -> bool {
        let Some((name, value)) = self.value(role) else { return false };
        match value {
            Value::Bool(flag) => *flag,
            Value::Null => false,
            Value::String(word) if is_flag(word) => {
                self.has_text_for_value |= !self.is_text;
                word.trim().eq_ignore_ascii_case("true")
            }
            other => {
                self.wrong_type(name, other);
                false
            }
        }
    }

    /// Returns the number of a role.
    pub(super) fn number(&mut self, role: Role) -> Option<usize> {
        let (name, value) = self.value(role)?;
        let number = match value {
            Value::Null => return None,
            Value::String(text) => {
                self.has_text_for_value |= !self.is_text;
                text.trim().parse().ok()
            }
            other => other.as_u64().and_then(|number| usize::try_from(number).ok()),
        };
        if number.is_none() {
            self.wrong_type(name, value);
        }
        number
    }

    /// Checks that a word is in a list of allowed words.
    pub(super) fn allow(&mut self, role: Role, words: &[&str]) {
        let Some((name, value)) = self.value(role) else { return };
        if !value.as_str().is_some_and(|word| words.contains(&word)) {
            self.error(ParseErrorKind::UnknownField(self.shape.kind), format!("{name}: {value}"));
        }
    }
}

/// Returns whether a text is a switch.
fn is_flag(word: &str) -> bool {
    ["true", "false"].iter().any(|flag| word.trim().eq_ignore_ascii_case(flag))
}

fn is_known(shape: &Shape, name: &str) -> bool {
    let shaped = shape.fields.iter().any(|(_, names)| names.contains(&name));
    let tables = [names::BENIGN, names::ABOUT, names::END_REASON];
    let plain = names::plain(name);
    shaped
        || tables.iter().any(|names| names.contains(&name))
        || [names::FOLDER, names::CHECK].iter().any(|names| names.contains(&&*plain))
        || names::STATUS.iter().any(|(status, _)| *status == plain)
}
