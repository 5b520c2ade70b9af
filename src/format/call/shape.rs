//! The shapes of the arguments of a call: the fields, and which fields identify the shape.

use serde_json::Value;

use crate::format::call::call_shape::CallShape;
use crate::format::call::json::Map;
use crate::format::call::tools::{self, Refused};
use crate::format::call::{names, patch_text};

/// What a field is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    File,
    Old,
    New,
    All,
    Count,
    List,
    Nested,
    Hint,
    Patch,
    Diff,
    MoveTo,
    Content,
    Line,
    Mode,
    /// The word that shows the shape.
    Word,
    /// Explains, and changes nothing.
    Benign,
}

type Names = &'static [&'static str];

/// A shape: its fields with their names.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) kind: CallShape,
    /// The tool, for a call that does not name its tool.
    pub(super) tool: &'static str,
    pub(super) fields: &'static [(Role, Names)],
}

const OLD: Names = names::OLD;
const DIFF: Names = &["diff", "patch"];
const MOVE_TO: Names = &["move_to", "moveTo", "new_path"];

static EDIT: Shape = Shape {
    kind: CallShape::Edit,
    tool: tools::EDIT,
    fields: &[
        (Role::File, names::FILE),
        (Role::Old, OLD),
        (Role::Old, names::OLD_BESIDE_FILE),
        (Role::New, names::NEW),
        (Role::New, names::NEW_BESIDE_FILE),
        (Role::All, names::ALL),
        (Role::Count, names::COUNT),
        (Role::List, names::LIST),
        (Role::Nested, names::NESTED),
        (Role::Hint, names::HINT),
        (Role::Word, names::COMMAND),
        (Role::Mode, names::MODE),
    ],
};

static CREATE_FILE: Shape = Shape {
    kind: CallShape::CreateFile,
    tool: tools::PATCH,
    fields: &[(Role::Word, names::TYPE), (Role::File, names::FILE), (Role::Diff, DIFF)],
};

static UPDATE_FILE: Shape = Shape {
    kind: CallShape::UpdateFile,
    tool: tools::PATCH,
    fields: &[
        (Role::Word, names::TYPE),
        (Role::File, names::FILE),
        (Role::Diff, DIFF),
        (Role::MoveTo, MOVE_TO),
    ],
};

static DELETE_FILE: Shape = Shape {
    kind: CallShape::DeleteFile,
    tool: tools::PATCH,
    fields: &[(Role::Word, names::TYPE), (Role::File, names::FILE), (Role::Diff, DIFF)],
};

static CREATE: Shape = Shape {
    kind: CallShape::Create,
    tool: tools::EDITOR,
    fields: &[(Role::Word, names::COMMAND), (Role::File, names::FILE), (Role::Content, names::CONTENT)],
};

static INSERT: Shape = Shape {
    kind: CallShape::Insert,
    tool: tools::EDITOR,
    fields: &[
        (Role::Word, names::COMMAND),
        (Role::File, names::FILE),
        (Role::Line, &["insert_line"]),
        (Role::New, &["insert_text", "new_str"]),
    ],
};

static DELETE: Shape = Shape {
    kind: CallShape::Delete,
    tool: tools::EDITOR,
    fields: &[(Role::Word, names::COMMAND), (Role::File, names::FILE)],
};

static RENAME: Shape = Shape {
    kind: CallShape::Rename,
    tool: tools::EDITOR,
    fields: &[
        (Role::Word, names::COMMAND),
        (Role::File, &["old_path", "path"]),
        (Role::MoveTo, &["new_path"]),
    ],
};

static PATCH: Shape = Shape {
    kind: CallShape::Patch,
    tool: tools::PATCH,
    fields: &[(Role::File, names::FILE), (Role::Patch, names::PATCH), (Role::Benign, names::SHELL)],
};

static WHOLE_FILE: Shape = Shape {
    kind: CallShape::WholeFile,
    tool: tools::WRITER,
    fields: &[(Role::File, names::FILE), (Role::Content, names::CONTENT), (Role::Mode, names::MODE)],
};

/// Shapes that a word shows: the field, the word, the shape.
static BY_WORD: &[(Names, &str, &Shape)] = &[
    (names::TYPE, "create_file", &CREATE_FILE),
    (names::TYPE, "update_file", &UPDATE_FILE),
    (names::TYPE, "delete_file", &DELETE_FILE),
    (names::COMMAND, "create", &CREATE),
    (names::COMMAND, "insert", &INSERT),
    (names::COMMAND, "delete", &DELETE),
    (names::COMMAND, "rename", &RENAME),
    (names::COMMAND, "str_replace", &EDIT),
    (names::COMMAND, "edit", &EDIT),
    (names::COMMAND, "replace", &EDIT),
];

/// What the fields of an object show.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shown {
    Shape(&'static Shape),
    Refused(&'static Refused),
    Nothing,
}

impl Shown {
    /// Returns the tool, for a call that does not name its tool.
    pub(super) fn tool(&self) -> Option<&'static str> {
        match self {
            Shown::Shape(shape) => Some(shape.tool),
            Shown::Refused(refused) => Some(refused.tool),
            Shown::Nothing => None,
        }
    }

    pub(super) fn is_known(&self) -> bool {
        !matches!(self, Shown::Nothing)
    }
}

fn has(fields: &Map, names: &[&str]) -> bool {
    names.iter().any(|name| fields.contains_key(*name))
}

/// Finds the shape of an object. `has_file`: a file is named around the object, or by the caller.
pub(super) fn shape(fields: &Map, has_file: bool, tool: Option<&str>) -> Shown {
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let shown = BY_WORD.iter().find(|(names, value, _)| names.iter().any(|name| word(name) == Some(value)));
    if let Some((_, _, shape)) = shown {
        return Shown::Shape(shape);
    }
    if let Some(refused) = tools::refused_command(fields) {
        return Shown::Refused(refused);
    }
    if is_edit(fields, has_file) {
        return Shown::Shape(&EDIT);
    }
    if let Some(refused) = tools::refused(fields) {
        return Shown::Refused(refused);
    }
    by_text(fields, has_file, tool)
}

/// Returns whether an object has the fields of an old/new edit.
fn is_edit(fields: &Map, has_file: bool) -> bool {
    let is_list = |name: &&str| fields.get(*name).is_some_and(is_list);
    let has_pair = has(fields, names::OLD_BESIDE_FILE) && has(fields, names::NEW_BESIDE_FILE);
    has(fields, OLD)
        || has(fields, names::NEW)
        || names::LIST.iter().chain(names::NESTED).any(is_list)
        || has_pair && (has_file || has(fields, names::FILE))
}

/// Returns whether a value is a list of edits, or an edit; possibly as a JSON text.
fn is_list(value: &Value) -> bool {
    value.is_array()
        || value.is_object()
        || value.as_str().is_some_and(|text| text.trim_start().starts_with(['[', '{']))
}

/// Finds the shape by a text: a patch, or the content of a file.
fn by_text(fields: &Map, has_file: bool, tool: Option<&str>) -> Shown {
    let names_file = has_file || has(fields, names::FILE);
    let is_writer = tool.is_some_and(tools::is_writer);
    let is_patch = |name: &&&str| {
        let Some(value) = fields.get(**name) else { return false };
        let is_content = names::CONTENT.contains(*name);
        !(is_content && is_writer) && patch_text::is_patch(value, names_file, is_content && names_file)
    };
    let is_other = |name: &str| !names::PATCH.contains(&name) && !names::CONTENT.contains(&name);
    let has_envelope = || fields.iter().any(|(name, value)| is_other(name) && patch_text::is_envelope(value));
    if names::PATCH.iter().any(|name| is_patch(&name)) || has_envelope() {
        return Shown::Shape(&PATCH);
    }
    if names_file && has(fields, names::CONTENT) { Shown::Shape(&WHOLE_FILE) } else { Shown::Nothing }
}
