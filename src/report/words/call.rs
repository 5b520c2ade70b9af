//! The words for what makes a call unreadable.

use crate::format::{CallShape, ParseErrorKind};

impl ParseErrorKind {
    /// Returns what a call may have instead.
    pub(super) fn expected_of_call(&self) -> &'static str {
        match self {
            ParseErrorKind::NoJson
            | ParseErrorKind::NoEdits
            | ParseErrorKind::NotAnEdit
            | ParseErrorKind::NoArguments
            | ParseErrorKind::MissingField(CallShape::Edit) => {
                "an edit is a JSON object with `file_path`, `old_string` and `new_string`, perhaps with `replace_all`; several are in an array, in `edits` under a `file_path`, or on a line each"
            }
            ParseErrorKind::UnknownField(CallShape::Edit) | ParseErrorKind::FieldTwice(CallShape::Edit) => {
                "an edit has `file_path`, `old_string`, `new_string` and perhaps `replace_all`, each once, and nothing else"
            }
            ParseErrorKind::WrongType(CallShape::Edit) => {
                "the name and the texts are strings, `replace_all` is true or false, `edits` an array"
            }
            ParseErrorKind::MissingField(shape)
            | ParseErrorKind::UnknownField(shape)
            | ParseErrorKind::FieldTwice(shape)
            | ParseErrorKind::WrongType(shape) => shape.expected(),
            ParseErrorKind::KeyTwice => {
                "each key is given once in a JSON object: which of two values is meant cannot be known"
            }
            ParseErrorKind::UnfinishedCall => "only a finished call that was not carried out yet is applied",
            ParseErrorKind::UnclearSetting => {
                "a switch such as `dry_run` is true or false, and a switch of an edit is in its arguments; a folder is a plain name, and the same for all patches of a script, whose commands have no options"
            }
            ParseErrorKind::UnknownArgument => {
                "a command has `apply_patch` or a shell, and the patch as its last word"
            }
            ParseErrorKind::OtherTool => {
                "calls that create, update, move or delete text files by quoting their text can be applied"
            }
            ParseErrorKind::NeedsModel => {
                "an edit with left-out lines (`... existing code ...`) has to be completed by a model first; send old and new text, or a patch"
            }
            ParseErrorKind::TwoFiles => "a patch in a call changes the file that the call names",
            _ => "",
        }
    }
}

impl CallShape {
    /// Returns which fields a call of this shape has.
    fn expected(self) -> &'static str {
        match self {
            CallShape::Edit => {
                "an edit has `file_path`, `old_string`, `new_string` and perhaps `replace_all`"
            }
            CallShape::CreateFile => {
                "`create_file` has `path` and `diff`, in which each line begins with `+`, and nothing else"
            }
            CallShape::UpdateFile => {
                "`update_file` has `path`, `diff` and perhaps `move_to`, and nothing else"
            }
            CallShape::DeleteFile => "`delete_file` has `path`, and nothing else",
            CallShape::Create => "`create` has `path` and `file_text`, both strings, and nothing else",
            CallShape::Insert => {
                "`insert` has `path`, the number `insert_line` (0 for the beginning) and `insert_text`, and nothing else"
            }
            CallShape::Delete => "`delete` has `path`, and nothing else",
            CallShape::Rename => "`rename` has `old_path` and `new_path`, and nothing else",
            CallShape::Patch => {
                "beside a patch may be the folder (`workdir`), a dry run (`dry_run`) and an explanation, and nothing else"
            }
            CallShape::WholeFile => {
                "a call that writes a file has `file_path` and `content`, both strings, and nothing else"
            }
        }
    }
}
