//! Old/new edits: a text to replace, the replacement, and the file.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use serde_json::Value;

use crate::format::RepairKind;
use crate::format::call::around::Around;
use crate::format::call::fields::Fields;
use crate::format::call::json::Json;
use crate::format::call::shape::Role;
use crate::format::call::{DEPTH, Reader};
use crate::format::error::ParseErrorKind;
use crate::patch::{Action, Dialect, FinalNewline, Hunk, Line, LineKind, Properties, Target, TextEdit};

impl Reader<'_, '_> {
    /// Reads an edit, or a list of edits of the same file.
    pub(super) fn old_new(&mut self, mut fields: Fields<'_>, around: &Around) {
        fields.allow(Role::Mode, &["edit"]);
        let file = fields.file(around.named_file());
        for role in [Role::List, Role::Nested] {
            if fields.has(role) && (fields.has(Role::Old) || fields.has(Role::New)) {
                let found = "a list and an edit".to_owned();
                fields.errors.push((ParseErrorKind::FieldTwice(fields.shape.kind), found));
            }
            if let Some((name, value)) = fields.value(role) {
                no_target(&mut fields);
                let before = self.errors(fields);
                return self.edits(name, value, &Around { file, in_call: true, ..around.clone() }, before);
            }
        }
        let is_command = fields.has(Role::Word);
        let (old, new) = (fields.text(Role::Old), fields.text(Role::New));
        let target = target(&mut fields);
        let file = file.or_else(|| self.options.file.clone());
        if fields.errors.is_empty() {
            let missing = [
                (Role::File, file.is_none()),
                (Role::Old, old.is_none()),
                // The editor tool's schema makes the new text optional.
                (Role::New, new.is_none() && !is_command),
            ];
            missing.into_iter().filter(|(_, missing)| *missing).for_each(|(role, _)| fields.missing(role));
        }
        if self.errors(fields) {
            return;
        }
        let (Some(file), Some(old)) = (file, old) else { return };
        let new = new.unwrap_or_default();
        if old == new {
            return self.same_text(file);
        }
        let file = around.in_folder(Cow::Owned(file));
        if old.is_empty() {
            return self.hunk(new_file(self.line(), file, new));
        }
        let (old, new) = (Cow::Owned(old.to_owned()), Cow::Owned(new.to_owned()));
        self.edit(file, TextEdit { number: self.line(), old, new, target });
    }

    /// Reads the edits of a list. `failed`: an error was given already.
    fn edits(&mut self, name: &str, value: &Value, around: &Around, failed: bool) {
        match value {
            Value::Array(_) | Value::Object(_) => self.value(value, around),
            Value::String(text) if around.is_text || !self.options.strict && around.depth < DEPTH => {
                match Json::parse(text) {
                    Ok(json) => {
                        if !around.is_text {
                            self.repair(RepairKind::Json);
                        }
                        self.json(
                            &json,
                            &Around { is_text: false, depth: around.depth + 1, ..around.clone() },
                        );
                    }
                    Err(error) => self.error(ParseErrorKind::NoJson, &format!("{name}: {error}")),
                }
            }
            _ if failed => {}
            other => {
                let kind = ParseErrorKind::WrongType(crate::format::CallShape::Edit);
                self.error(kind, &format!("{name}: {other}"));
            }
        }
    }
}

/// Checks that a call with a list of edits does not choose places for all, because each edit chooses its own.
fn no_target(fields: &mut Fields<'_>) {
    let (all, count) = (fields.flag(Role::All), fields.number(Role::Count));
    if all || count.is_some_and(|count| count != 1) {
        let names = "replace_all, expected_replacements beside a list of edits".to_owned();
        fields.errors.push((ParseErrorKind::UnknownField(fields.shape.kind), names));
    }
}

/// Returns which places an edit replaces.
fn target(fields: &mut Fields<'_>) -> Target {
    let (all, count) = (fields.flag(Role::All), fields.number(Role::Count));
    if all && fields.has(Role::Hint) {
        // A range of lines would limit the position, but only the text decides the position here.
        let kind = ParseErrorKind::UnknownField(fields.shape.kind);
        fields.errors.push((kind, "StartLine, EndLine".to_owned()));
    }
    match (all, count) {
        (_, Some(count)) if count != 1 => Target::Exactly(count),
        (true, None) => Target::All,
        _ => Target::Only,
    }
}

/// Returns the hunk that makes a file with a text.
pub(super) fn new_file(number: Option<NonZeroUsize>, path: Cow<'static, str>, text: &str) -> Hunk<'static> {
    let line =
        |text: &str| Line { number, kind: LineKind::Add, text: Cow::Owned(text.to_owned()), signed: true };
    let whole = text.strip_suffix('\n');
    let lines = whole.unwrap_or(text).split('\n').map(line);
    let lines = if text.is_empty() { Vec::new() } else { lines.collect() };
    let final_newline = (whole.is_none() && !text.is_empty()).then_some(FinalNewline::Missing);
    Hunk {
        number,
        dialect: Dialect::Texts,
        path,
        action: Action::Add(lines.into()),
        properties: Properties { final_newline, ..Properties::default() },
    }
}
