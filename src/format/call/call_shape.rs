//! What the arguments of a call ask for.

/// What the arguments of a call ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallShape {
    /// An old and a new text, or a list of pairs.
    Edit,
    /// `{"type": "create_file", "path", "diff"}`
    CreateFile,
    /// `{"type": "update_file", "path", "diff"}`
    UpdateFile,
    /// `{"type": "delete_file", "path"}`
    DeleteFile,
    /// `{"command": "create", "path", "file_text"}`
    Create,
    /// `{"command": "insert", "path", "insert_line", "insert_text"}`
    Insert,
    /// `{"command": "delete", "path"}`
    Delete,
    /// `{"command": "rename", "old_path", "new_path"}`
    Rename,
    /// A patch text, or a shell script with a patch text.
    Patch,
    /// A file name and the whole content.
    WholeFile,
}
