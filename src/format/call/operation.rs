//! Operations of OpenAI's `apply_patch` tool: a file each, with a diff without an envelope.

use std::borrow::Cow;

use crate::format::call::around::Around;
use crate::format::call::fields::Fields;
use crate::format::call::payload::Names;
use crate::format::call::shape::Role;
use crate::format::call::{CallShape, Reader};
use crate::format::{Format, Options, RepairKind, marker};
use crate::patch::{Action, Dialect, Hunk, MoveTo, Properties};

impl Reader<'_, '_> {
    /// Reads an operation. Line numbers of its hunk count inside its diff.
    pub(super) fn operation(&mut self, mut fields: Fields<'_>, around: &Around) {
        let kind = fields.shape.kind;
        let file = fields.needed_file(around.named_file());
        let to = fields.text(Role::MoveTo);
        let moves = to.is_some_and(|to| Some(to) != file.as_deref() && !to.is_empty());
        let diff = match kind {
            CallShape::DeleteFile => fields.text(Role::Diff),
            CallShape::UpdateFile if moves => fields.text(Role::Diff),
            _ => fields.needed(Role::Diff),
        };
        if self.errors(fields) {
            return;
        }
        let Some(file) = file.as_deref() else { return };
        let to = to.filter(|_| moves);
        match (kind, diff.unwrap_or_default()) {
            (CallShape::DeleteFile, _) => self.bare_hunk(file, Action::Delete, around),
            (CallShape::UpdateFile, "") if moves => self.rename(file, to.unwrap_or_default(), around),
            (kind, diff) => {
                let format = if kind == CallShape::CreateFile { Format::NewFile } else { Format::Hunks };
                self.diff(diff, format, (file, to), around);
            }
        }
    }

    /// Parses a diff without an envelope. `names` are the file, and its new name.
    fn diff(&mut self, diff: &str, format: Format, (file, to): (&str, Option<&str>), around: &Around) {
        let options = Options { format, file: Some(file.to_owned()), ..self.options.clone() };
        let inside = fenced(diff, if format == Format::NewFile { "+" } else { "@@" });
        if inside.is_some() {
            self.repair(RepairKind::Fence);
        }
        self.nested(inside.unwrap_or(diff), &options, Names { file: None, to }, around);
    }

    /// Gives a hunk that only moves a file.
    pub(super) fn rename(&mut self, file: &str, to: &str, around: &Around) {
        let path = around.in_folder(Cow::Owned(to.to_owned()));
        let move_to = Some(MoveTo { number: self.line(), path });
        self.bare_hunk(file, Action::Update { move_to, chunks: Vec::new() }, around);
    }

    /// Gives a hunk without lines.
    pub(super) fn bare_hunk(&mut self, file: &str, action: Action<'static>, around: &Around) {
        let path = around.in_folder(Cow::Owned(file.to_owned()));
        self.hunk(Hunk {
            number: self.line(),
            dialect: Dialect::Envelope,
            path,
            action,
            properties: Properties::default(),
        });
    }
}

/// Returns the inside of a Markdown fence around a whole diff. The line below the fence must begin like the first line of a diff:
/// otherwise the fence may be a line of the file that lost its sign.
fn fenced<'d>(diff: &'d str, first: &str) -> Option<&'d str> {
    let (open, inside) = diff.trim_start().split_once('\n')?;
    let inside = inside.trim_end();
    let (inside, close) = inside.rsplit_once('\n')?;
    (open.starts_with("```") && inside.starts_with(first) && marker::closes_fence(close)).then_some(inside)
}
