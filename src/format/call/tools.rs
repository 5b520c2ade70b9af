//! The tools that calls name, and the tools that are known by their arguments alone.
//!
//! A refusal of a call names the tool: as the call names it, or else as the arguments show it.

use serde_json::Value;

use crate::format::call::json::Map;
use crate::format::call::names;
use crate::format::error::ParseErrorKind;

type Names = &'static [&'static str];

/// The tool of a call with an old and a new text.
pub(super) const EDIT: &str = "edit";

/// The tool of a call with a patch or an operation.
pub(super) const PATCH: &str = "apply_patch";

/// The tool of a call with a command.
pub(super) const EDITOR: &str = "str_replace_based_edit_tool";

/// The tool of a call with a whole file.
pub(super) const WRITER: &str = "write_file";

/// Tools whose call is an error if its arguments have no known shape.
const TOOLS: Names = &[
    PATCH,
    "applyPatch",
    "apply_diff",
    EDIT,
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
    EDITOR,
    "str_replace_based_edit",
    "file_editor",
    "memory",
    "insert_edit_into_file",
    "NotebookEdit",
];

/// Tools that write whole files: their content is never a patch.
const WRITERS: Names = &["Write", "write", WRITER, "write_to_file", "create_file"];

/// A call that is no edit, or that only a model can complete.
#[derive(Debug)]
pub(super) struct Refused {
    shows: Shows,
    /// The tool, for a call that does not name its tool.
    pub(super) tool: &'static str,
    pub(super) kind: ParseErrorKind,
}

/// What shows that a call is refused.
#[derive(Debug)]
enum Shows {
    /// The word in `command`. It counts more than the fields.
    Command(&'static str),
    /// Fields that are all there.
    Fields(Names),
}

static REFUSED: &[Refused] = &[
    Refused::command("view", EDITOR),
    Refused::command("undo_edit", EDITOR),
    Refused::command("pattern_replace", "editor"),
    Refused::command("find_line", "editor"),
    Refused::command("jump_to", "editor"),
    Refused::fields(&["code_edit"], "edit_file", ParseErrorKind::NeedsModel),
    Refused::fields(&["code", "filePath"], "insert_edit_into_file", ParseErrorKind::NeedsModel),
    Refused::fields(&["notebook_path"], "NotebookEdit", ParseErrorKind::OtherTool),
    Refused::fields(&["new_source"], "NotebookEdit", ParseErrorKind::OtherTool),
    Refused::fields(&["changes"], "WorkspaceEdit", ParseErrorKind::OtherTool),
    Refused::fields(&["documentChanges"], "WorkspaceEdit", ParseErrorKind::OtherTool),
];

impl Refused {
    const fn command(word: &'static str, tool: &'static str) -> Self {
        Refused { shows: Shows::Command(word), tool, kind: ParseErrorKind::OtherTool }
    }

    const fn fields(names: Names, tool: &'static str, kind: ParseErrorKind) -> Self {
        Refused { shows: Shows::Fields(names), tool, kind }
    }

    /// Returns what an error shows: the word of the command, or the first field.
    pub(super) fn found(&self) -> String {
        match self.shows {
            Shows::Command(word) => format!("command: {word}"),
            Shows::Fields(names) => names.first().copied().unwrap_or_default().to_owned(),
        }
    }

    fn is_shown(&self, fields: &Map) -> bool {
        match self.shows {
            Shows::Command(word) => fields.get("command").and_then(Value::as_str) == Some(word),
            Shows::Fields(names) => names.iter().all(|name| fields.contains_key(*name)),
        }
    }
}

/// Finds a call that is refused by its command.
pub(super) fn refused_command(fields: &Map) -> Option<&'static Refused> {
    REFUSED.iter().find(|refused| matches!(refused.shows, Shows::Command(_)) && refused.is_shown(fields))
}

/// Finds a call that is refused by its command or its fields.
pub(super) fn refused(fields: &Map) -> Option<&'static Refused> {
    REFUSED.iter().find(|refused| refused.is_shown(fields))
}

/// Returns whether a tool of this name is known to edit files.
pub(super) fn is_tool(name: &str) -> bool {
    TOOLS.contains(&name) || is_writer(name)
}

/// Returns whether a tool of this name writes whole files.
pub(super) fn is_writer(name: &str) -> bool {
    WRITERS.contains(&name)
}

/// Words in quotation marks that show the tool of a text, though the text is no JSON.
const TELLING: &[(&str, Names)] = &[
    (PATCH, &["apply_patch_call", "operation", "operations", "create_file", "update_file", "delete_file"]),
    (EDITOR, &["file_text", "insert_line", "insert_text"]),
    (EDIT, &["edits", "replacements", "ReplacementChunks"]),
    (EDIT, names::OLD),
    (EDIT, names::NEW),
];

/// Finds the known tool that a text names as JSON does, or else shows by a word. The text need not be JSON.
pub(super) fn told_in(text: &str) -> Option<&'static str> {
    for tools in [TOOLS, WRITERS] {
        for tool in tools {
            if is_named(text, tool) {
                return Some(tool);
            }
        }
    }
    for (tool, words) in TELLING {
        for word in *words {
            if has_quoted(text, word) {
                return Some(tool);
            }
        }
    }
    None
}

/// Returns whether a text contains a word in quotation marks.
pub(super) fn has_quoted(text: &str, word: &str) -> bool {
    behind_quoted(text, word).is_some()
}

/// Returns what follows the first position of a word in quotation marks.
fn behind_quoted<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.split_once(&format!("\"{word}\"")).map(|(_, behind)| behind)
}

/// Returns whether a field with the name of the tool has this value.
fn is_named(text: &str, tool: &str) -> bool {
    let value = format!("\"{tool}\"");
    for field in names::TOOL {
        let mut rest = text;
        while let Some(behind) = behind_quoted(rest, field) {
            let given = behind.trim_start().strip_prefix(':');
            if given.is_some_and(|given| given.trim_start().starts_with(&value)) {
                return true;
            }
            rest = behind;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_no_json_names_its_tool() {
        assert_eq!(told_in(r#"{"type": "tool_use", "name" : "Write", "input": {"#), Some("Write"));
        assert_eq!(told_in(r#"{"name": "a.py", "tool": "edit""#), Some("edit"));
        assert_eq!(told_in(r#"{"name": "frob", "input": {"#), None);
    }
}
