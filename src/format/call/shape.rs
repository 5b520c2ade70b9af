//! The shapes of the arguments of a call: the fields, and which fields identify the shape.

use serde_json::{Map, Value};

use crate::format::call::call_shape::CallShape;
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
    pub(super) fields: &'static [(Role, Names)],
}

const OLD: Names = names::OLD;
const DIFF: Names = &["diff", "patch"];
const MOVE_TO: Names = &["move_to", "moveTo", "new_path"];

static EDIT: Shape = Shape {
    kind: CallShape::Edit,
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
    fields: &[(Role::Word, names::TYPE), (Role::File, names::FILE), (Role::Diff, DIFF)],
};

static UPDATE_FILE: Shape = Shape {
    kind: CallShape::UpdateFile,
    fields: &[
        (Role::Word, names::TYPE),
        (Role::File, names::FILE),
        (Role::Diff, DIFF),
        (Role::MoveTo, MOVE_TO),
    ],
};

static DELETE_FILE: Shape = Shape {
    kind: CallShape::DeleteFile,
    fields: &[(Role::Word, names::TYPE), (Role::File, names::FILE), (Role::Diff, DIFF)],
};

static CREATE: Shape = Shape {
    kind: CallShape::Create,
    fields: &[(Role::Word, names::COMMAND), (Role::File, names::FILE), (Role::Content, names::CONTENT)],
};

static INSERT: Shape = Shape {
    kind: CallShape::Insert,
    fields: &[
        (Role::Word, names::COMMAND),
        (Role::File, names::FILE),
        (Role::Line, &["insert_line"]),
        (Role::New, &["insert_text", "new_str"]),
    ],
};

static DELETE: Shape =
    Shape { kind: CallShape::Delete, fields: &[(Role::Word, names::COMMAND), (Role::File, names::FILE)] };

static RENAME: Shape = Shape {
    kind: CallShape::Rename,
    fields: &[
        (Role::Word, names::COMMAND),
        (Role::File, &["old_path", "path"]),
        (Role::MoveTo, &["new_path"]),
    ],
};

static PATCH: Shape = Shape {
    kind: CallShape::Patch,
    fields: &[(Role::File, names::FILE), (Role::Patch, names::PATCH), (Role::Benign, names::SHELL)],
};

static WHOLE_FILE: Shape = Shape {
    kind: CallShape::WholeFile,
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

/// Commands of editor tools that are not edits, or not exact edits.
const OTHER_COMMANDS: Names = &["view", "undo_edit", "pattern_replace", "find_line", "jump_to"];

/// Fields of an edit that leaves lines out, which only a model can complete, and what an error shows: the field with its
/// tool.
const LAZY: &[(Names, &str)] =
    &[(&["code_edit"], "code_edit (edit_file)"), (&["code", "filePath"], "code (insert_edit_into_file)")];

/// Fields of calls that change what is no text, or name places by line and column, and what an error shows.
const OTHER_FIELDS: &[(&str, &str)] = &[
    ("notebook_path", "notebook_path (NotebookEdit)"),
    ("new_source", "new_source (NotebookEdit)"),
    ("changes", "changes (WorkspaceEdit)"),
    ("documentChanges", "documentChanges (WorkspaceEdit)"),
];

/// Tools whose call is an error if its arguments have no known shape.
const TOOLS: Names = &[
    "apply_patch",
    "applyPatch",
    "apply_diff",
    "edit",
    "Edit",
    "MultiEdit",
    "multiedit",
    "edit_file",
    "replace",
    "replace_in_file",
    "replace_string_in_file",
    "multi_replace_string_in_file",
    "search_replace",
    "search_and_replace",
    "str_replace",
    "str_replace_editor",
    "str_replace_based_edit_tool",
    "str_replace_based_edit",
    "file_editor",
    "memory",
    "Write",
    "write",
    "write_file",
    "write_to_file",
    "create_file",
    "insert_edit_into_file",
    "NotebookEdit",
];

/// Tools that write whole files: their content is never a patch.
const WRITERS: Names = &["Write", "write", "write_file", "write_to_file", "create_file"];

/// What the fields of an object show.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shown {
    Shape(&'static Shape),
    /// A command that is not an edit, by name.
    OtherCommand(&'static str),
    /// An edit that leaves lines out, by the field that shows this.
    Lazy(&'static str),
    /// Another kind of change, by the field that shows this.
    OtherField(&'static str),
    Nothing,
}

impl Shown {
    pub(super) fn is_known(&self) -> bool {
        !matches!(self, Shown::Nothing)
    }
}

fn has(fields: &Map<String, Value>, names: &[&str]) -> bool {
    names.iter().any(|name| fields.contains_key(*name))
}

/// Returns whether a tool of this name is known to edit files.
pub(super) fn is_tool(name: &str) -> bool {
    TOOLS.contains(&name)
}

/// Finds the shape of an object. `has_file`: a file is named around the object, or by the caller.
pub(super) fn shape(fields: &Map<String, Value>, has_file: bool, tool: Option<&str>) -> Shown {
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let shown = BY_WORD.iter().find(|(names, value, _)| names.iter().any(|name| word(name) == Some(value)));
    if let Some((_, _, shape)) = shown {
        return Shown::Shape(shape);
    }
    if let Some(command) = OTHER_COMMANDS.iter().find(|command| word("command") == Some(**command)) {
        return Shown::OtherCommand(command);
    }
    if is_edit(fields, has_file) {
        return Shown::Shape(&EDIT);
    }
    let has_all = |all: Names| all.iter().all(|name| fields.contains_key(*name));
    if let Some((_, lazy)) = LAZY.iter().find(|(all, _)| has_all(all)) {
        return Shown::Lazy(lazy);
    }
    if let Some((_, other)) = OTHER_FIELDS.iter().find(|(name, _)| fields.contains_key(*name)) {
        return Shown::OtherField(other);
    }
    by_text(fields, has_file, tool)
}

/// Returns whether an object has the fields of an old/new edit.
fn is_edit(fields: &Map<String, Value>, has_file: bool) -> bool {
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
fn by_text(fields: &Map<String, Value>, has_file: bool, tool: Option<&str>) -> Shown {
    let names_file = has_file || has(fields, names::FILE);
    let is_writer = tool.is_some_and(|tool| WRITERS.contains(&tool));
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
