//! Old/new edits, as the calls of edit tools in JSON: one object, an array, or an object a line.
//!
//! Each edit names its file, the text that goes and the text that comes. What tools call these differs; a field of
//! another name is an error that names it, since nobody knows what it was to do.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::lines::{self, lines, lines_with};
use crate::format::marker::{self, Outside};
use crate::format::wrapper::{self, Packing};
use crate::format::{Event, Options, RepairKind};
use crate::patch::{Action, FinalNewline, Hunk, Line, LineKind, Properties, Span, TextEdit};

const FILE: [&str; 5] = ["file_path", "filePath", "path", "file", "filename"];
const OLD: [&str; 5] = ["old_string", "oldString", "old_str", "oldText", "old_text"];
const NEW: [&str; 5] = ["new_string", "newString", "new_str", "newText", "new_text"];
const ALL: [&str; 2] = ["replace_all", "replaceAll"];
const LIST: &str = "edits";

/// Fields in which a call packs the arguments of its tool.
const PACKING: [&str; 4] = ["input", "arguments", "parameters", "args"];

/// Fields that say what is called, and nothing about the edit.
const ABOUT: [&str; 7] = ["name", "tool", "tool_name", "id", "type", "call_id", "tool_use_id"];

/// Words for the tool itself: `{"command": "str_replace", …}`.
const COMMANDS: [&str; 3] = ["str_replace", "edit", "replace"];

/// Whether a text is JSON that holds an edit: an object with one of the fields of an old or a new text. JSON that is cut
/// off or spoilt counts if such a field is named in it.
pub(super) fn is_edit(text: &str) -> bool {
    wrapper::packing(text) == Some(Packing::Json) && may_hold_edit(text)
}

/// Whether a text has a Markdown fence around such JSON.
pub(super) fn has_fenced_edit(text: &str) -> bool {
    !fenced(text).is_empty()
}

fn may_hold_edit(json: &str) -> bool {
    match values(json) {
        Ok(values) => values.iter().any(|(_, value)| holds_edit(value)),
        Err(_) => names_edit(json),
    }
}

/// Whether a text has the name of a field of an old text, above any line that begins as a marker of an envelope does.
pub(super) fn names_edit(text: &str) -> bool {
    let is_above = |line: &&str| !line.trim_start().starts_with("***");
    let above: usize = text.split_inclusive('\n').take_while(is_above).map(str::len).sum();
    let above = &text[..above];
    OLD.iter().any(|name| above.contains(&format!("\"{name}\"")))
}

/// What stands in the Markdown fences that have edits in them, each with the number of its first line, 1-based.
fn fenced(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut opened: Option<(usize, &str)> = None;
    let (mut number, mut behind) = (1, text);
    for (line, rest) in lines_with(text, "```") {
        number += lines::count(&behind[..behind.len() - rest.len()]);
        behind = rest;
        if !line.trim_start().starts_with("```") {
            continue;
        }
        opened = match opened {
            None => Some((number, rest)),
            Some((first, inside)) => {
                let end = inside.len() - rest.len();
                // The fence's own line ends what stands in it.
                let inside = inside[..end].trim_end().strip_suffix("```").unwrap_or_default();
                if is_edit(inside) {
                    found.push((first, inside));
                }
                None
            }
        };
    }
    found
}

fn holds_edit(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(holds_edit),
        Value::Object(fields) => {
            let has = |names: &[&str]| names.iter().any(|name| fields.contains_key(*name));
            has(&OLD)
                || has(&NEW)
                || packed(fields).is_some_and(|value| holds_edit(&value))
                || fields.get(LIST).is_some_and(Value::is_array)
        }
        _ => false,
    }
}

/// The arguments of a call, where an object is one.
fn packed(fields: &Map<String, Value>) -> Option<Cow<'_, Value>> {
    if let Some(function @ Value::Object(_)) = fields.get("function") {
        return Some(Cow::Borrowed(function));
    }
    let value = PACKING.iter().find_map(|name| fields.get(*name))?;
    match value {
        Value::Object(_) | Value::Array(_) => Some(Cow::Borrowed(value)),
        Value::String(text) => serde_json::from_str(text).ok().map(Cow::Owned),
        _ => None,
    }
}

/// The JSON values of a text, each with the line that it begins at, 1-based: one, or one a line.
fn values(text: &str) -> Result<Vec<(usize, Value)>, (usize, String)> {
    let first = match serde_json::from_str(text) {
        Ok(value) => {
            let blank = text.len() - text.trim_start().len();
            return Ok(vec![(1 + text[..blank].matches('\n').count(), value)]);
        }
        Err(error) => (error.line().max(1), error.to_string()),
    };
    let lines = || text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parsed: Result<Vec<_>, _> =
        lines().map(|(nth, line)| serde_json::from_str(line).map(|value| (nth + 1, value))).collect();
    match parsed {
        Ok(values) if !values.is_empty() => Ok(values),
        // The first line on its own says whether there is meant to be an object in each.
        _ if lines().next().is_some_and(|(_, line)| serde_json::from_str::<Value>(line).is_ok()) => {
            let wrong =
                lines().find_map(|(nth, line)| Some((nth + 1, serde_json::from_str::<Value>(line).err()?)));
            Err(wrong.map_or(first, |(line, error)| (line, error.to_string())))
        }
        _ => Err(first),
    }
}

/// Reads a whole text.
pub(super) fn read<'a>(text: &str, options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    let mut reader = Reader { options, edits: Vec::new(), errors: Vec::new() };
    let whole = wrapper::packing(text) == Some(Packing::Json);
    let parts = if whole { Vec::new() } else { fenced(text) };
    around(text, &parts, options, out);
    for (first, json) in if parts.is_empty() { vec![(1, text)] } else { parts } {
        match values(json) {
            Ok(values) => {
                for (line, value) in &values {
                    reader.value(first - 1 + line, value, None);
                }
            }
            Err((line, words)) => reader.error(first - 1 + line, ParseErrorKind::NoJson, &words),
        }
    }
    if reader.edits.is_empty() && reader.errors.is_empty() {
        reader.error(1, ParseErrorKind::NoEdits, "");
    }
    for error in reader.errors {
        out(Event::Error(error));
    }
    for hunk in hunks(reader.edits) {
        out(Event::HunkBegun(hunk));
        out(Event::HunkEnded);
    }
}

/// Tells what stands around the fences that are read.
fn around<'a>(text: &str, parts: &[(usize, &str)], options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    let ends: Vec<usize> = parts.iter().map(|(first, json)| first + json.matches('\n').count()).collect();
    let inside = |number: usize| {
        let nth = ends.partition_point(|end| *end <= number);
        parts.get(nth).is_some_and(|(first, _)| *first <= number)
    };
    for (number, line, _) in lines(text).filter(|(number, ..)| !parts.is_empty() && !inside(*number)) {
        let kind = match marker::outside(line) {
            Outside::Blank => RepairKind::BlankLine,
            Outside::Fence => RepairKind::Fence,
            _ => RepairKind::Prose,
        };
        out(Event::repaired(number, kind, options));
    }
}

/// An edit with its file.
struct Edit {
    file: String,
    edit: TextEdit<'static>,
}

struct Reader<'r> {
    options: &'r Options,
    edits: Vec<Edit>,
    errors: Vec<ParseError>,
}

impl Reader<'_> {
    fn error(&mut self, line: usize, kind: ParseErrorKind, found: &str) {
        self.errors.push(ParseError::new(Span::line(line), kind, found));
    }

    /// Reads a value: an edit, a call that packs one, or an array of these. `file` is what stands around it.
    /// Recursion is bounded: `serde_json` refuses texts deeper than 128.
    fn value(&mut self, line: usize, value: &Value, file: Option<&str>) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.value(line, value, file)),
            Value::Object(fields) => match packed(fields) {
                Some(inner) => self.value(line, &inner, file),
                None => self.object(line, fields, file),
            },
            other => self.error(line, ParseErrorKind::NotAnEdit, &other.to_string()),
        }
    }

    fn object(&mut self, line: usize, fields: &Map<String, Value>, outer: Option<&str>) {
        let errors = self.errors.len();
        self.unknown(line, fields);
        let own = self.text(line, fields, &FILE);
        let file = own.or_else(|| outer.map(str::to_owned)).or_else(|| self.options.file.clone());
        match fields.get(LIST) {
            Some(Value::Array(values)) => {
                return values.iter().for_each(|value| self.value(line, value, file.as_deref()));
            }
            Some(other) => return self.error(line, ParseErrorKind::WrongType, &format!("{LIST}: {other}")),
            None => {}
        }
        let (old, new) = (self.text(line, fields, &OLD), self.text(line, fields, &NEW));
        let all = self.flag(line, fields);
        let missing =
            [("file_path", file.is_none()), ("old_string", old.is_none()), ("new_string", new.is_none())];
        if self.errors.len() == errors {
            for (name, _) in missing.into_iter().filter(|(_, missing)| *missing) {
                self.error(line, ParseErrorKind::MissingField, name);
            }
        }
        let (Some(file), Some(old), Some(new)) = (file, old, new) else { return };
        if old == new {
            return self.error(line, ParseErrorKind::SameText, &file);
        }
        let edit = TextEdit { number: line, old: Cow::Owned(old), new: Cow::Owned(new), all };
        self.edits.push(Edit { file, edit });
    }

    fn unknown(&mut self, line: usize, fields: &Map<String, Value>) {
        let known = |name: &str| {
            let all = [&FILE[..], &OLD, &NEW, &ALL, &[LIST], &ABOUT];
            all.iter().any(|names| names.contains(&name))
        };
        for (name, value) in fields.iter().filter(|(name, _)| !known(name)) {
            let command = name == "command" && value.as_str().is_some_and(|word| COMMANDS.contains(&word));
            if !command {
                self.error(line, ParseErrorKind::UnknownField, name);
            }
        }
    }

    /// The text of a field that has one of some names.
    fn text(&mut self, line: usize, fields: &Map<String, Value>, names: &[&str]) -> Option<String> {
        let mut found = names.iter().filter_map(|name| Some((name, fields.get(*name)?)));
        let (name, value) = found.next()?;
        if let Some((other, _)) = found.next() {
            self.error(line, ParseErrorKind::FieldTwice, &format!("{name}, {other}"));
        }
        let text = value.as_str();
        if text.is_none() {
            self.error(line, ParseErrorKind::WrongType, &format!("{name}: {value}"));
        }
        text.map(str::to_owned)
    }

    fn flag(&mut self, line: usize, fields: &Map<String, Value>) -> bool {
        let Some((name, value)) = ALL.iter().find_map(|name| Some((name, fields.get(*name)?))) else {
            return false;
        };
        match value {
            Value::Bool(flag) => *flag,
            Value::Null => false,
            other => {
                self.error(line, ParseErrorKind::WrongType, &format!("{name}: {other}"));
                false
            }
        }
    }
}

/// Edits of one file in a row are one hunk; an empty old text makes a new file.
fn hunks(edits: Vec<Edit>) -> Vec<Hunk<'static>> {
    let mut hunks: Vec<Hunk<'static>> = Vec::new();
    for Edit { file, edit } in edits {
        if edit.old.is_empty() {
            hunks.push(new_file(file, &edit));
            continue;
        }
        match hunks.last_mut() {
            Some(Hunk { path, action: Action::Replace(edits), .. }) if *path == file => edits.push(edit),
            _ => hunks.push(Hunk {
                number: edit.number,
                path: Cow::Owned(file),
                action: Action::Replace(vec![edit]),
                properties: Properties::default(),
            }),
        }
    }
    hunks
}

fn new_file(file: String, edit: &TextEdit<'_>) -> Hunk<'static> {
    let line = |text: &str| Line {
        number: edit.number,
        kind: LineKind::Add,
        text: Cow::Owned(text.to_owned()),
        signed: true,
    };
    let text = edit.new.strip_suffix('\n');
    let lines = text.unwrap_or(&edit.new).split('\n').map(line).collect();
    let final_newline = text.is_none().then_some(FinalNewline::Missing);
    Hunk {
        number: edit.number,
        path: Cow::Owned(file),
        action: Action::Add(lines),
        properties: Properties { final_newline, ..Properties::default() },
    }
}
