//! Patch texts inside calls: envelopes, shell scripts, blocks and diffs.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use serde_json::Value;

use crate::format::call::around::Around;
use crate::format::call::fields::Fields;
use crate::format::call::patch_text::is_patch;
use crate::format::call::shape::Role;
use crate::format::call::{Reader, names, tools};
use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::file_name::ends_with;
use crate::format::{Event, Format, Options, RepairKind, detect, wrapper};
use crate::patch::{Action, Hunk, MoveTo, Span};

/// Returns whether a value is as good as no field.
fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// The names that a call has beside a text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Names<'n> {
    /// The file, which the text's own names must not contradict.
    pub(super) file: Option<&'n str>,
    /// The new name of the file.
    pub(super) to: Option<&'n str>,
}

impl Reader<'_, '_> {
    /// Reads a call whose arguments are a patch text.
    pub(super) fn patch(&mut self, mut fields: Fields<'_>, around: &Around) {
        let file = fields.text(Role::File);
        let has_file = file.is_some() || around.file.is_some();
        let (mut patches, others): (Vec<_>, Vec<_>) =
            fields.all(Role::Patch).into_iter().partition(|(_, value)| is_patch(value, has_file, false));
        let kind = fields.shape.kind;
        let unknown = others.iter().filter(|(_, value)| !is_nothing(value));
        let unknown = unknown.map(|(name, _)| (ParseErrorKind::UnknownField(kind), (*name).to_owned()));
        fields.errors.extend(unknown);
        patches.dedup_by(|(_, one), (_, other)| one == other);
        if self.errors(fields) {
            return;
        }
        match patches.as_slice() {
            [(_, Value::String(text))] => self.payload(text, file.or(around.file.as_deref()), around),
            [(name, Value::Array(words))] => self.command(name, words, around),
            _ => self.error(ParseErrorKind::SeveralInJson, ""),
        }
    }

    /// Reads a command as a list of words; a single word is the patch, or a script with the patch.
    pub(super) fn command(&mut self, name: &str, words: &[Value], around: &Around) {
        let texts: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        let (mut patches, others): (Vec<&str>, Vec<&str>) =
            texts.into_iter().partition(|text| detect::shows(text));
        patches.dedup();
        let unknown = others.into_iter().find(|word| !names::SHELL_WORDS.contains(word));
        match (patches.as_slice(), unknown) {
            ([patch], None) => self.payload(patch, None, around),
            ([_], Some(word)) => self.error(ParseErrorKind::UnknownArgument, &format!("{name}: {word}")),
            ([], _) => self.error(ParseErrorKind::NotAnEdit, name),
            _ => self.error(ParseErrorKind::SeveralInJson, ""),
        }
    }

    /// Reads a patch text. `file`: the file that the call names.
    pub(super) fn payload(&mut self, text: &str, file: Option<&str>, around: &Around) {
        self.tool.get_or_insert(Cow::Borrowed(tools::PATCH));
        let (text, mut repairs) = wrapper::unwrap(text);
        repairs.insert(0, RepairKind::Json);
        for kind in repairs {
            self.repair(kind);
        }
        let named = file.map(str::to_owned).or_else(|| self.options.file.clone());
        let format = match self.options.format {
            Format::Edit => Format::Auto,
            format => format,
        };
        let options = Options { format, file: named, ..self.options.clone() };
        self.nested(&text, &options, Names { file, to: None }, around);
    }

    /// Parses a text in its own format, and adds its events to this patch.
    pub(super) fn nested(&mut self, text: &str, options: &Options, names: Names<'_>, around: &Around) {
        (self.read_plain)(text, options, &mut |event| self.nested_event(event.into_owned(), names, around));
    }

    fn nested_event(&mut self, event: Event<'static>, names: Names<'_>, around: &Around) {
        match event {
            Event::HunkBegun(mut hunk) => {
                if let Some(file) = names.file {
                    self.same_file(&mut hunk, file);
                }
                hunk.path = around.in_folder(hunk.path);
                if let Action::Copy { to, .. } | Action::Update { move_to: Some(to), .. } = &mut hunk.action {
                    to.path = around.in_folder(std::mem::take(&mut to.path));
                }
                let number = hunk.number;
                self.begin_hunk(hunk);
                if let Some(to) = names.to {
                    let path = around.in_folder(Cow::Owned(to.to_owned()));
                    self.give(Event::MovedTo(MoveTo { number, path }));
                }
            }
            Event::MovedTo(MoveTo { number, path }) => {
                self.give(Event::MovedTo(MoveTo { number, path: around.in_folder(path) }));
            }
            other => self.give(other),
        }
    }

    /// Checks that a hunk of a text belongs to the file that the call names. Of two names of the same file the longer
    /// counts.
    fn same_file(&mut self, hunk: &mut Hunk<'static>, file: &str) {
        let (plain, named) = (file.trim_start_matches("./"), hunk.path.trim_start_matches("./"));
        if ends_with(plain, named) {
            hunk.path = Cow::Owned(file.to_owned());
        } else if !ends_with(named, plain) {
            let found = format!("{file}, {}", hunk.path);
            let error = ParseError::new(
                Span::line(hunk.number.map_or(1, NonZeroUsize::get)),
                ParseErrorKind::TwoFiles,
                &found,
            );
            self.give(Event::Error(error));
        }
    }
}
