//! Commands of Anthropic's editor and memory tools that are no old/new edit, and calls that write a whole file.

use std::borrow::Cow;

use crate::format::call::around::Around;
use crate::format::call::edit::new_file;
use crate::format::call::fields::Fields;
use crate::format::call::shape::Role;
use crate::format::call::{CallShape, Reader};
use crate::patch::{Action, Target, TextEdit};

/// Words of a call that writes a whole file for how the file is meant to be written. Whether a file may be replaced is
/// decided as for every new file.
const WRITING: [&str; 3] = ["create", "write", "overwrite"];

impl Reader<'_, '_> {
    /// Reads a command.
    pub(super) fn editor(&mut self, mut fields: Fields<'_>, around: &Around) {
        match fields.shape.kind {
            CallShape::Insert => self.insert(fields, around),
            CallShape::Delete => {
                let file = fields.needed_file(around.named_file());
                if let (false, Some(file)) = (self.errors(fields), file) {
                    self.bare_hunk(&file, Action::Delete, around);
                }
            }
            CallShape::Rename => {
                let file = fields.needed_file(around.named_file());
                let to = fields.needed(Role::MoveTo);
                if let (false, Some(file), Some(to)) = (self.errors(fields), file, to) {
                    self.rename(&file, to, around);
                }
            }
            _ => self.whole_file(fields, around),
        }
    }

    /// Reads a call that makes a file with a content.
    fn whole_file(&mut self, mut fields: Fields<'_>, around: &Around) {
        fields.allow(Role::Mode, &WRITING);
        let file = fields.file(around.named_file()).or_else(|| self.options.file.clone());
        if file.is_none() && fields.errors.is_empty() {
            fields.missing(Role::File);
        }
        let content = fields.needed(Role::Content);
        if let (false, Some(file), Some(content)) = (self.errors(fields), file, content) {
            let file = around.in_folder(Cow::Owned(file));
            let ended = around.is_text && !content.is_empty() && !content.ends_with('\n');
            let content = if ended { Cow::Owned(format!("{content}\n")) } else { Cow::Borrowed(content) };
            self.hunk(new_file(self.line(), file, &content));
        }
    }

    /// Reads a call that inserts a text behind a line.
    fn insert(&mut self, mut fields: Fields<'_>, around: &Around) {
        let file = fields.needed_file(around.named_file());
        if !fields.has(Role::Line) {
            fields.missing(Role::Line);
        }
        let line = fields.number(Role::Line);
        let text = fields.needed(Role::New);
        if text == Some("") {
            fields.missing(Role::New);
        }
        let (Some(file), Some(line), Some(text), false) = (file, line, text, self.errors(fields)) else {
            return;
        };
        let file = around.in_folder(Cow::Owned(file));
        let (old, new) = (Cow::Borrowed(""), Cow::Owned(text.to_owned()));
        self.edit(file, TextEdit { number: self.line(), old, new, target: Target::AfterLine(line) });
    }
}
