//! Parses calls of edit tools, as JSON: an object, an array, or an object a line; or in Markdown fences.
//!
//! A call has two levels. The arguments are a closed list of fields: an unknown field is an error, because its effect
//! is unknown. The layers [around](around) the arguments belong to an API, which adds fields at will: there an unknown
//! field is ignored, unless the field changes the effect of the call.
//!
//! All calls of a text are a single patch, in order. [`Event::Call`] assigns hunks to calls.

mod around;
mod call_shape;
mod edit;
mod editor;
mod fields;
mod find;
mod json;
mod names;
mod operation;
mod patch_text;
mod payload;
mod shape;
pub(super) mod text;
mod tools;
mod types;

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::ops::Range;

use serde_json::Value;

use crate::format::call::json::Map;

pub use self::call_shape::CallShape;
pub use self::types::{Call, Protocol};

use self::around::{Around, Packed, Wrong};
use self::fields::Fields;
use self::find::{DEPTH, fenced, values};
pub(super) use self::find::{is_meant, is_unknown_edit, names_edit};
use self::json::Json;
use self::shape::Shown;
use self::text::TextCall;
use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::lines::lines;
use crate::format::marker::{self, Outside};
use crate::format::wrapper::{self, Packing};
use crate::format::{Event, Format, Options, RepairKind};
use crate::patch::{Action, Dialect, Hunk, Properties, Span, TextEdit};

/// Reads an unpacked text that is no call.
type ReadPlain = for<'t> fn(&'t str, &Options, &mut dyn FnMut(Event<'t>));

/// Reads a whole text. A patch text in a call is read by `read_plain`.
pub(super) fn read<'a>(text: &str, options: &Options, read_plain: ReadPlain, out: &mut dyn FnMut(Event<'a>)) {
    let whole = wrapper::packing(text) == Some(Packing::Json);
    let calls = if whole { Vec::new() } else { text::calls(text) };
    if !calls.is_empty() {
        return read_text_calls(text, calls, Reader::new(options, read_plain, out));
    }
    let parts = if whole { Vec::new() } else { fenced(text) };
    around_fences(text, &parts, options, out);
    let mut reader = Reader::new(options, read_plain, out);
    let parts = if parts.is_empty() { vec![(1, text)] } else { parts };
    for part in parts {
        reader.part_of_text(part);
    }
    reader.finish();
}

/// Reads calls that are written with tags.
fn read_text_calls(text: &str, calls: Vec<TextCall<'_>>, mut reader: Reader<'_, '_>) {
    let parts: Vec<(usize, &str)> = calls.iter().map(|call| (call.number, call.text)).collect();
    around_fences(text, &parts, reader.options, reader.out);
    for TextCall { number, value, is_text, .. } in calls {
        reader.number = number;
        match value {
            Ok(json) => reader.json(&json, &Around { is_text, ..Around::default() }),
            Err(wrong) => reader.wrong_call(&Around { is_text, ..Around::default() }, wrong),
        }
    }
    reader.finish();
}

/// Reports the lines around the calls that are read.
fn around_fences<'a>(text: &str, parts: &[(usize, &str)], options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    // A part that ends within a line takes that line.
    let lines_of =
        |part: &str| part.matches('\n').count() + usize::from(!part.ends_with('\n') && part.ends_with('>'));
    let ends: Vec<usize> = parts.iter().map(|(first, part)| first + lines_of(part)).collect();
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

/// Reads values into events.
struct Reader<'r, 'a> {
    options: &'r Options,
    read_plain: ReadPlain,
    out: &'r mut dyn FnMut(Event<'a>),
    /// The line of the value that is read, 1-based.
    number: usize,
    /// How many hunks were begun, including the hunk that waits for more edits.
    hunks: usize,
    /// Edits of the same file; the next edit may be appended.
    waiting: Option<Hunk<'static>>,
    /// The first hunk of the call that is read.
    first_hunk: Option<usize>,
    /// The edits of that call in the hunk that waits.
    edits: Range<usize>,
    /// The tool that is called, to be named in an error: as the call names it, or else as its arguments show it.
    tool: Option<Cow<'static, str>>,
    /// The edits that change nothing: the line, and the file.
    unchanged: Vec<(usize, String)>,
    /// Whether an error or a hunk was given.
    found: bool,
    /// The errors of the call that is read, where each call has its own errors.
    errors: Option<Vec<ParseError>>,
}

impl<'r, 'a> Reader<'r, 'a> {
    fn new(options: &'r Options, read_plain: ReadPlain, out: &'r mut dyn FnMut(Event<'a>)) -> Self {
        Reader {
            options,
            read_plain,
            out,
            number: 1,
            hunks: 0,
            waiting: None,
            first_hunk: None,
            edits: 0..0,
            tool: None,
            unchanged: Vec::new(),
            found: false,
            errors: None,
        }
    }

    /// Returns the line of the value that is read, 1-based.
    fn line(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(self.number)
    }

    fn give(&mut self, event: Event<'a>) {
        self.flush();
        self.found |= matches!(event, Event::Error(_));
        self.emit(event);
    }

    /// Emits an event. An error names the tool of the call that is read, and belongs to that call, if each call has its own
    /// errors.
    fn emit(&mut self, mut event: Event<'a>) {
        if let (Event::Error(error), Some(tool)) = (&mut event, &self.tool) {
            error.set_tool(tool);
        }
        match (event, &mut self.errors) {
            (Event::Error(error), Some(errors)) => errors.push(error),
            (event, _) => (self.out)(event),
        }
    }

    // Many places report errors: inlined, this is a large part of the binary.
    fn error(&mut self, kind: ParseErrorKind, found: &str) {
        self.found = true;
        self.emit(Event::Error(ParseError::new(Span::line(self.number), kind, found)));
    }

    fn repair(&mut self, kind: RepairKind) {
        self.emit(Event::repaired(self.number, kind, self.options));
    }

    /// Gives the edits that wait.
    fn flush(&mut self) {
        if let Some(hunk) = self.waiting.take() {
            (self.out)(Event::HunkBegun(hunk));
            (self.out)(Event::HunkEnded);
        }
    }

    fn begin_hunk(&mut self, hunk: Hunk<'static>) {
        self.found = true;
        self.first_hunk = self.first_hunk.or(Some(self.hunks));
        self.hunks += 1;
        self.give(Event::HunkBegun(hunk));
    }

    /// Gives a hunk that is complete.
    fn hunk(&mut self, hunk: Hunk<'static>) {
        self.begin_hunk(hunk);
        self.give(Event::HunkEnded);
    }

    /// Adds an edit of a file. Consecutive edits of the same file are a single hunk, so that no edit matches text that
    /// another edit wrote.
    fn edit(&mut self, file: Cow<'static, str>, edit: TextEdit<'static>) {
        self.found = true;
        match &mut self.waiting {
            Some(Hunk { path, action: Action::Replace(edits), .. }) if *path == file => {
                edits.push(edit);
                let start = if self.first_hunk.is_some() { self.edits.start } else { edits.len() - 1 };
                self.edits = start..edits.len();
                self.first_hunk = self.first_hunk.or(Some(self.hunks - 1));
            }
            _ => {
                self.flush();
                self.first_hunk = self.first_hunk.or(Some(self.hunks));
                self.hunks += 1;
                self.edits = 0..1;
                self.waiting = Some(Hunk {
                    number: edit.number,
                    dialect: Dialect::Texts,
                    path: file,
                    action: Action::Replace(vec![edit]),
                    properties: Properties::default(),
                });
            }
        }
    }

    /// Leaves an edit out that changes nothing. Where no other edit changes anything, that is an error.
    fn same_text(&mut self, file: String) {
        if self.options.strict {
            return self.error(ParseErrorKind::SameText, &file);
        }
        self.repair(RepairKind::SameText);
        self.unchanged.push((self.number, file));
    }

    fn finish(&mut self) {
        self.flush();
        if self.found {
            return;
        }
        self.nothing_changed(0);
        if !self.found {
            self.number = 1;
            self.error(ParseErrorKind::NoEdits, "");
        }
    }

    /// Reads a value that was parsed from its own JSON text.
    fn json(&mut self, json: &Json, around: &Around) {
        match &json.key_twice {
            Some(key) => self.wrong_call(around, (ParseErrorKind::KeyTwice, key.clone())),
            None => self.value(&json.value, around),
        }
    }

    /// Reads the JSON values of a text, or of a part of it with its first line, 1-based.
    fn part_of_text(&mut self, (first, text): (usize, &str)) {
        let whole =
            values(text).map(|values| values.into_iter().map(|(line, json)| (line, Ok(json))).collect());
        let values = whole.unwrap_or_else(|(line, words)| match find::values_by_line(text) {
            Some(values) if self.options.separate_calls => values,
            _ => vec![(line, Err(words))],
        });
        for (line, value) in values {
            self.number = first - 1 + line;
            match value {
                Ok(json) => self.json(&json, &Around::default()),
                Err(words) => {
                    let tool = tools::told_in(text).map(str::to_owned);
                    let around = Around { tool, ..Around::default() };
                    self.wrong_call(&around, (ParseErrorKind::NoJson, words));
                }
            }
        }
    }

    /// Reads a value: a call, a container of calls, or arguments alone.
    ///
    /// Recursion is bounded: `serde_json` refuses texts deeper than 128, and at most [`DEPTH`] nested texts are read.
    fn value(&mut self, value: &Value, around: &Around) {
        match value {
            Value::Array(words) if words.iter().any(Value::is_string) => {
                self.call(around, &mut |reader| reader.command("", words, around));
            }
            Value::Array(values) => values.iter().for_each(|value| self.value(value, around)),
            Value::Object(fields) => self.object(fields, around),
            Value::String(text) => self.text(text, around),
            other => self.error(ParseErrorKind::NotAnEdit, &other.to_string()),
        }
    }

    fn text(&mut self, text: &str, around: &Around) {
        match Json::parse(text) {
            Ok(json) if around.depth < DEPTH && !json.value.is_number() => {
                self.json(&json, &Around { depth: around.depth + 1, ..around.clone() });
            }
            _ if detect_patch(text) => self.call(around, &mut |reader| reader.payload(text, None, around)),
            _ => self.error(ParseErrorKind::NotAnEdit, text),
        }
    }

    fn object(&mut self, fields: &Map, outer: &Around) {
        let mut around = outer.clone();
        match around.enter(fields) {
            Ok(true) => {
                self.give(Event::CheckOnly);
                if !self.options.strict {
                    self.repair(RepairKind::DryRun);
                }
            }
            Ok(false) => {}
            Err((kind, found)) => return self.wrong_call(&around, (kind, found)),
        }
        if let Some(kind) = around::not_to_run(fields) {
            return self.wrong_call(&around, (ParseErrorKind::OtherTool, kind.to_owned()));
        }
        let packed = around::packed(fields);
        if let (Packed::Arguments(_) | Packed::Text(..), Some(wrong)) = (&packed, around::effect(fields)) {
            return self.wrong_call(&around, wrong);
        }
        match packed {
            Packed::Arguments(inner) => {
                around.enter_wrapper(fields, &inner);
                around.depth += usize::from(matches!(inner, Cow::Owned(_)));
                if around.depth > DEPTH {
                    return self.error(ParseErrorKind::NotAnEdit, "");
                }
                self.call(&around, &mut |reader| {
                    reader.value(&inner, &Around { in_call: true, ..around.clone() });
                });
            }
            Packed::Text(_, text) if detect_patch(text) => {
                self.call(&around, &mut |reader| reader.payload(text, None, &around));
            }
            Packed::Text(name, _) => self.wrong_call(&around, (ParseErrorKind::NoArguments, name.to_owned())),
            Packed::Parts(parts) => {
                for part in parts {
                    self.part(part, &around.part());
                }
            }
            Packed::Alternatives => self.error(ParseErrorKind::SeveralInJson, ""),
            Packed::Twice(names) => {
                self.call(&around, &mut |reader| reader.error(ParseErrorKind::SeveralInJson, &names));
            }
            Packed::KeyTwice(key) => self.wrong_call(&around, (ParseErrorKind::KeyTwice, key)),
            Packed::Nothing => self.call(&around, &mut |reader| reader.arguments(fields, &around)),
        }
    }

    /// Reads a part of a message: a call, or a part without a call.
    fn part(&mut self, part: &Value, around: &Around) {
        match part {
            Value::Array(parts) => parts.iter().for_each(|part| self.part(part, around)),
            Value::String(_) | Value::Null => {}
            part if around::is_no_call(part) => {}
            part => self.value(part, around),
        }
    }

    /// Reads a call, and records its hunks; inside a call, only reads.
    fn call(&mut self, around: &Around, read: &mut dyn FnMut(&mut Self)) {
        if around.in_call {
            return read(self);
        }
        (self.first_hunk, self.edits) = (None, 0..0);
        if self.options.separate_calls {
            self.flush();
        }
        self.errors = self.options.separate_calls.then(Vec::new);
        self.tool = around.tool.clone().map(Cow::Owned);
        let (number, unchanged) = (self.number, self.unchanged.len());
        read(self);
        if self.errors.as_ref().is_some_and(Vec::is_empty) && self.first_hunk.is_none() {
            self.nothing_changed(unchanged);
        }
        let hunks = self.first_hunk.take().unwrap_or(self.hunks)..self.hunks;
        let (id, tool, protocol) = (around.id.clone(), around.tool.clone(), around.protocol);
        let edits = std::mem::take(&mut self.edits);
        let errors = self.errors.take().unwrap_or_default();
        let shown_tool = self.tool.take();
        (self.out)(Event::Call(Call { number, id, tool, shown_tool, protocol, hunks, edits, errors }));
    }

    /// Reports the edits that change nothing, from the given one on, as errors.
    fn nothing_changed(&mut self, first: usize) {
        for (number, file) in self.unchanged.split_off(first) {
            self.number = number;
            self.error(ParseErrorKind::SameText, &file);
        }
    }

    /// Reports an error of a whole call.
    fn wrong_call(&mut self, around: &Around, (kind, found): Wrong) {
        self.call(around, &mut |reader| reader.error(kind.clone(), &found));
    }

    /// Reports the errors of a call's fields; returns whether there are any.
    fn errors(&mut self, fields: Fields<'_>) -> bool {
        let any = !fields.errors.is_empty();
        if fields.has_text_for_value {
            self.repair(RepairKind::ValueAsText);
        }
        fields.errors.into_iter().for_each(|(kind, found)| self.error(kind, &found));
        any
    }

    /// Reads the arguments of a call.
    fn arguments(&mut self, object: &Map, around: &Around) {
        // Some APIs make a model give every field: `null` is a field that is not given.
        let mut object = Cow::Borrowed(object);
        if object.values().any(Value::is_null) {
            object.to_mut().retain(|_, value| !value.is_null());
        }
        let has_file = around.file.is_some() || self.options.file.is_some();
        let shown = shape::shape(&object, has_file, around.tool.as_deref());
        self.tool = self.tool.take().or(shown.tool().map(Cow::Borrowed));
        match shown {
            // The caller wants an envelope, in JSON or not.
            Shown::Shape(shape)
                if self.options.format == Format::Envelope && shape.kind != CallShape::Patch =>
            {
                self.error(ParseErrorKind::NoEnvelope, "");
            }
            Shown::Shape(shape) => {
                let fields = Fields::new(shape, &object, around.is_text);
                match shape.kind {
                    CallShape::Edit => self.old_new(fields, around),
                    CallShape::Patch => self.patch(fields, around),
                    CallShape::CreateFile | CallShape::UpdateFile | CallShape::DeleteFile => {
                        self.operation(fields, around);
                    }
                    _ => self.editor(fields, around),
                }
            }
            Shown::Refused(refused) => self.error(refused.kind.clone(), &refused.found()),
            Shown::Nothing => {
                let is_other = around.tool.as_deref().is_some_and(|tool| !tools::is_tool(tool));
                let kind = if is_other { ParseErrorKind::OtherTool } else { ParseErrorKind::NotAnEdit };
                self.error(kind, &find::names_of(&object));
            }
        }
    }
}

/// Returns whether a text shows a patch.
fn detect_patch(text: &str) -> bool {
    patch_text::is_patch(&Value::from(text), false, false)
}
