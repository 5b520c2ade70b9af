//! The values that options may have.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LevelArg {
    /// Nothing: only exact matches
    Exact,
    /// Trailing whitespace, indentation, look-alike characters and Unicode forms
    Whitespace,
    /// Everything that leaves a single clear position: misspelt words, missing or extra lines, wrong code pages
    Guarded,
    /// The nine replacers, without a guard
    Cascade,
    /// Exact, then line by line, then by first and last line, without a guard
    ThreeTier,
    /// Exact, then with another indentation, then without trailing whitespace
    Editkit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ForArg {
    /// Colors, carets, the width of the terminal
    People,
    /// Plain text; the first line reports whether anything was changed, the last line what to do next
    Model,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReplyArg {
    /// `apply_patch_call_output`, `function_call_output`, `custom_tool_call_output`, a message of the role `tool`
    Openai,
    /// `tool_result`
    Anthropic,
    /// `CallToolResult`
    Mcp,
    /// A `PreToolUse` hook of Claude Code
    Hook,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum AmbiguityArg {
    /// Refuse, and list the positions
    Refuse,
    /// Use the first position
    First,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CompatArg {
    /// Codex: --match whitespace --ambiguity first --overwrite
    Codex,
}
