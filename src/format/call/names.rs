//! The names that calls of edit tools use, as tables.
//!
//! A new harness is a new name in a table. No code knows a harness.

use crate::format::call::Protocol;

/// Names of the file.
pub(super) const FILE: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "file",
    "filename",
    "filepath",
    "fileName",
    "target_file",
    "TargetFile",
    "absolute_path",
    "relative_path",
];

/// Names of the old text that no other kind of call uses.
pub(super) const OLD: &[&str] =
    &["old_string", "oldString", "old_str", "oldText", "old_text", "TargetContent", "old_content"];

/// Names of the text to replace that mean this only beside a file and a new text.
pub(super) const OLD_BESIDE_FILE: &[&str] = &["old", "before"];

/// Names of the new text that no other kind of call uses.
pub(super) const NEW: &[&str] =
    &["new_string", "newString", "new_str", "newText", "new_text", "ReplacementContent", "new_content"];

/// Names of the replacement that mean this only beside a file and an old text.
pub(super) const NEW_BESIDE_FILE: &[&str] = &["new", "after"];

/// Switches that replace the text at every place.
pub(super) const ALL: &[&str] =
    &["replace_all", "replaceAll", "allow_multiple", "allowMultiple", "AllowMultiple"];

/// How many places there must be.
pub(super) const COUNT: &[&str] = &["expected_replacements", "expectedReplacements"];

/// Lists of edits.
pub(super) const LIST: &[&str] = &["edits", "replacements", "ReplacementChunks"];

/// An edit nested in its call.
pub(super) const NESTED: &[&str] = &["edit"];

/// Hints about the place of an edit, which the text decides.
pub(super) const HINT: &[&str] = &["StartLine", "EndLine", "start_line", "end_line"];

/// Names of a patch text.
pub(super) const PATCH: &[&str] = &[
    "patch",
    "input",
    "patchText",
    "patch_text",
    "diff",
    "content",
    "model_patch",
    "arguments",
    "text",
    "cmd",
    "command",
    "script",
];

/// The content of a whole file.
pub(super) const CONTENT: &[&str] = &["content", "file_text", "contents", "fileContent", "CodeContent"];

/// The command of an editor tool.
pub(super) const COMMAND: &[&str] = &["command"];

/// The kind of an operation.
pub(super) const TYPE: &[&str] = &["type"];

/// How a call writes its file.
pub(super) const MODE: &[&str] = &["mode"];

/// Fields that explain, and change nothing.
pub(super) const BENIGN: &[&str] = &[
    "explanation",
    "instruction",
    "instructions",
    "Instruction",
    "description",
    "Description",
    "display_description",
    "security_risk",
    "justification",
    "thought",
    "reason",
    "toolSummary",
    "toolAction",
    "CodeMarkdownLanguage",
    "TargetLintErrorIds",
    "Complexity",
    "instance_id",
    "model_name_or_path",
];

/// Fields of shell tools that control how a script is run.
pub(super) const SHELL: &[&str] = &[
    "timeout",
    "timeout_ms",
    "yield_time_ms",
    "max_output_tokens",
    "login",
    "shell",
    "tty",
    "with_escalated_permissions",
    "sandbox_permissions",
    "prefix_rule",
    "run_in_background",
    "is_background",
    "env",
    "user",
];

/// Fields of the API around the arguments that name the call.
pub(super) const ABOUT: &[&str] = &[
    "name",
    "tool",
    "recipient_name",
    "tool_name",
    "toolName",
    "id",
    "type",
    "call_id",
    "callId",
    "tool_call_id",
    "toolCallId",
    "tool_use_id",
    "toolUseId",
];

/// Names of the tool, the likeliest first.
pub(super) const TOOL: &[&str] = &["name", "tool_name", "toolName", "tool", "recipient_name"];

/// Names of the call's id, the likeliest first.
pub(super) const ID: &[&str] =
    &["call_id", "callId", "tool_call_id", "toolCallId", "tool_use_id", "toolUseId", "id"];

/// Fields that hold the arguments of a call, as an object, a list or a JSON text.
pub(super) const ARGUMENTS: &[&str] = &[
    "function",
    "functionCall",
    "function_call",
    "toolUse",
    "tool_input",
    "toolInput",
    "params",
    "operation",
    "operations",
    "action",
    "input",
    "arguments",
    "parameters",
    "args",
];

/// Fields of a message or a response that contain its parts.
pub(super) const PARTS: &[&str] = &[
    "tool_calls",
    "toolCalls",
    "tool_uses",
    "invalid_tool_calls",
    "message",
    "response",
    "content",
    "output",
    "parts",
];

/// Fields with several answers to the same question; at most one is meant.
pub(super) const ALTERNATIVES: &[&str] = &["choices", "candidates"];

/// Words in quotation marks that show that a text is a call, though the text is no JSON.
pub(super) const TELLING: &[&str] = &["tool_calls", "tool_use", "tool_input", "functionCall", "tools/call"];

/// Parts of a message that are not calls, by their `type`.
pub(super) const NO_CALL: &[&str] = &[
    "text",
    "thinking",
    "redacted_thinking",
    "reasoning",
    "output_text",
    "input_text",
    "image",
    "step-start",
    "refusal",
    "compaction",
];

/// Results of calls, by their `type`.
pub(super) const RESULTS: &[&str] = &[
    "tool_result",
    "tool-result",
    "apply_patch_call_output",
    "function_call_output",
    "custom_tool_call_output",
    "local_shell_call_output",
];

/// Parts of a message that the server of the API has carried out itself, by their `type`, and their results.
pub(super) const OF_SERVER: &[&str] = &[
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
    "mcp_list_tools",
    "mcp_approval_request",
    "server_tool_use",
    "mcp_tool_use",
    "mcp_tool_result",
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
];

/// The fields of parts that have no `type`, and are not calls.
pub(super) const NO_CALL_FIELDS: &[&str] = &[
    "text",
    "thought",
    "thoughtSignature",
    "thought_signature",
    "inlineData",
    "fileData",
    "executableCode",
    "codeExecutionResult",
    "reasoningContent",
    "cachePoint",
];

/// Returns whether a table has a name, in whatever way the name is written: `dry_run`, `dryRun`, `dry-run`, `DryRun`.
pub(super) fn has(table: &[&str], name: &str) -> bool {
    let plain = plain(name);
    table.contains(&&*plain)
}

/// Returns a name in small letters, without `_` and `-`.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}

/// The folder that names are relative to, as [`plain`] names.
pub(super) const FOLDER: &[&str] = &[
    "workdir",
    "cwd",
    "workingdirectory",
    "workingdir",
    "workdirectory",
    "currentworkingdirectory",
    "directory",
    "dir",
    "basedir",
    "basedirectory",
    "basepath",
];

/// Switches that mean `--check`, as [`plain`] names.
pub(super) const CHECK: &[&str] = &[
    "dryrun",
    "check",
    "checkonly",
    "isdryrun",
    "preview",
    "previewonly",
    "validateonly",
    "simulate",
    "testrun",
];

/// Objects around a call whose fields count as fields of the object that contains them.
pub(super) const SETTINGS: &[&str] = &["options", "config", "settings", "flags", "_meta"];

/// Fields that change the effect of an edit and are read inside the arguments only, as [`plain`] names.
pub(super) const EFFECT: &[&str] = &[
    "replaceall",
    "allowmultiple",
    "expectedreplacements",
    "reverse",
    "revert",
    "undo",
    "invert",
    "regex",
    "isregex",
    "useregex",
    "append",
];

/// Fields that can mark a call as unfinished, not allowed or done already, as [`plain`] names, with the values that do so; an
/// empty list means every value that is not in [`FINISHED`].
pub(super) const STATUS: &[(&str, &[&str])] = &[
    ("status", &[]),
    (
        "state",
        &["input-streaming", "approval-requested", "output-available", "output-error", "output-denied"],
    ),
    ("partial", &["true"]),
    ("ispartial", &["true"]),
    ("incomplete", &["true"]),
    ("cancelled", &["true"]),
    ("canceled", &["true"]),
    ("rejected", &["true"]),
    ("denied", &["true"]),
    ("iserror", &["true"]),
    ("approved", &["false"]),
    ("apply", &["false"]),
    ("execute", &["false"]),
    ("hookeventname", &["PostToolUse", "PostToolUseFailure"]),
];

/// Fields with the reason why a model ended its answer.
pub(super) const END_REASON: &[&str] =
    &["stop_reason", "stopReason", "finish_reason", "finishReason", "done_reason"];

/// Reasons that may have cut a call off, in small letters without `_` and `-`, because each API writes the words in its own way.
pub(super) const CUT_OFF: &[&str] = &[
    "length",
    "maxtokens",
    "maxoutputtokens",
    "modellength",
    "modelcontextwindowexceeded",
    "contentfilter",
    "contentfiltered",
    "guardrailintervened",
    "refusal",
    "safety",
    "recitation",
    "blocklist",
    "prohibitedcontent",
    "spii",
    "malformedfunctioncall",
    "malformedmodeloutput",
    "malformedtooluse",
    "unexpectedtoolcall",
    "insufficientsystemresource",
    "timeout",
    "usercancel",
    "cancelled",
    "abort",
    "aborted",
    "error",
    "errortoxic",
    "errorlimit",
];

/// Values of `status` of a finished call.
pub(super) const FINISHED: &[&str] = &["completed", "complete", "done", "finished", "success", "ok"];

/// Words before a script in the list of a command.
pub(super) const SHELL_WORDS: &[&str] = &[
    "bash",
    "sh",
    "zsh",
    "/bin/bash",
    "/bin/sh",
    "/bin/zsh",
    "/usr/bin/bash",
    "/usr/bin/zsh",
    "/usr/bin/env",
    "-lc",
    "-c",
    "-l",
    "-e",
    "-ec",
    "-lec",
    "apply_patch",
    "applypatch",
    "apply-patch",
];

/// The protocol of a call: a field, its value, and the protocol.
pub(super) const PROTOCOLS: &[(&str, Option<&str>, Protocol)] = &[
    ("type", Some("apply_patch_call"), Protocol::ApplyPatchCall),
    ("type", Some("function_call"), Protocol::FunctionCall),
    ("type", Some("custom_tool_call"), Protocol::CustomToolCall),
    ("type", Some("local_shell_call"), Protocol::LocalShellCall),
    ("type", Some("function"), Protocol::ChatCompletions),
    ("type", Some("tool_use"), Protocol::Anthropic),
    ("jsonrpc", None, Protocol::Mcp),
    ("hook_event_name", None, Protocol::Hook),
];
