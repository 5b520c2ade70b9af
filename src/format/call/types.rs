//! A call, as data: who gets an answer, and in which form.

use std::borrow::Cow;
use std::ops::Range;

use crate::format::error::ParseError;

/// A call: who receives the answer, and the part of the patch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// Line of the text, 1-based, of the JSON value that has the call.
    pub number: usize,
    /// The id that an answer repeats, as JSON: a text in quotation marks, or a number exactly as it was sent.
    pub id: Option<String>,
    /// The name of the tool.
    pub tool: Option<String>,
    /// The tool that a refusal names: as the call names it, or else as its arguments show it.
    pub(crate) shown_tool: Option<Cow<'static, str>>,
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
    /// What keeps the call from being read, where each call has its own errors.
    pub(crate) errors: Vec<ParseError>,
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
