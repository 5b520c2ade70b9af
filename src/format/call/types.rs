//! A call, as data: who gets an answer, and in which form.

use std::ops::Range;

use serde_json::Value;

/// A call: who receives the answer, and the part of the patch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// Line of the text, 1-based, of the JSON value that has the call.
    pub number: usize,
    /// The id that an answer repeats.
    pub id: Option<CallId>,
    /// The name of the tool.
    pub tool: Option<String>,
    /// The protocol in which the call came.
    #[cfg(feature = "internals")]
    pub protocol: Protocol,
    #[cfg(not(feature = "internals"))]
    pub(crate) protocol: Protocol,
    /// The hunks of the call, as a range of [`Patch::hunks`](crate::patch::Patch::hunks). Consecutive edits of the same
    /// file are a single hunk, so ranges may overlap.
    pub hunks: Range<usize>,
    /// The edits of the call, if the call is a single hunk of text edits.
    pub edits: Range<usize>,
}

/// The id of a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CallId {
    /// A text, as most have.
    Text(String),
    /// A number, as in JSON-RPC.
    Number(i64),
}

impl CallId {
    pub(super) fn read(value: &Value) -> Option<Self> {
        let text = value.as_str().map(|text| CallId::Text(text.to_owned()));
        text.or_else(|| value.as_i64().map(CallId::Number))
    }
}

/// The protocol of a call, which decides the form of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// No known protocol: the arguments alone, or an object of a library.
    #[default]
    Plain,
    /// `apply_patch_call` of OpenAI's Responses API
    ApplyPatchCall,
    /// `function_call` of OpenAI's Responses API
    FunctionCall,
    /// `custom_tool_call` of OpenAI's Responses API
    CustomToolCall,
    /// `local_shell_call` of OpenAI's Responses API
    LocalShellCall,
    /// `tool_calls` of OpenAI's Chat Completions API
    ChatCompletions,
    /// `tool_use` of Anthropic's Messages API
    Anthropic,
    /// A request of the Model Context Protocol
    Mcp,
    /// An event of Claude Code's hooks
    Hook,
}

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
