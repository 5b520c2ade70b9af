//! The same edit gives the same tree in every shape of a call: replacing a line, inserting a line, making, writing over, deleting
//! and moving a file.

use apply_patch::run::{Options, Tree, run};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::cases;

/// The file of all edits.
const FILE: &str = "src/file.py";

/// Lines that a shape has to write in its own way.
const ODD: &[&str] = &[
    "plain",
    "    \"<tag> \\\\ {}\"",
    "=======",
    "*** End Patch",
    "```",
    "</parameter>",
    "{\"old_string\": \"a\"}",
    "- item",
    "été 😀",
    "\ttab \u{b}",
];

/// Returns the files after a text, sorted; `None` if the text changes nothing.
fn applied(text: &str, before: &[(&str, &str)], overwrite: bool) -> Option<Vec<(String, String)>> {
    let mut tree: Tree = before.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
    let mut options = Options::default().with_overwrite(overwrite);
    options.file = Some(FILE.to_owned());
    let report = run(text, &options, &mut tree);
    let Tree::Memory(files) = tree else { return None };
    let file = |(path, bytes): (camino::Utf8PathBuf, apply_patch::run::Bytes)| {
        (path.into_string(), String::from_utf8_lossy(&bytes).into_owned())
    };
    report.changed().then(|| files.into_iter().map(file).collect())
}

/// Checks that each text gives the same tree.
fn check(texts: &[String], before: &[(&str, &str)], after: &[(&str, &str)]) -> Result<(), TestCaseError> {
    let wanted: Vec<(String, String)> =
        after.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    for text in texts {
        prop_assert_eq!(applied(text, before, true), Some(wanted.clone()), "{}", text);
    }
    Ok(())
}

fn signed(sign: &str, text: &str) -> String {
    text.lines().map(|line| [sign, line, "\n"].concat()).collect()
}

fn envelope(hunk: &str) -> String {
    format!("*** Begin Patch\n{hunk}*** End Patch\n")
}

/// Returns a call with a tag for each parameter.
fn tagged(tool: &str, arguments: &Value, open: [&str; 4], close: [&str; 2]) -> String {
    let fields = arguments.as_object().expect("an object");
    let parameters = fields.iter().map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{}{name}{}\n{value}\n{}\n", open[2], open[3], close[0])
    });
    format!("{}{tool}{}\n{}{}\n", open[0], open[1], parameters.collect::<String>(), close[1])
}

/// Returns a call in every layer that an API, or a model that writes text, puts around the arguments.
fn wrapped(tool: &str, arguments: &Value) -> Vec<String> {
    let text = arguments.to_string();
    let name = json!({ "name": tool, "arguments": text });
    let layers = [
        arguments.clone(),
        json!([arguments]),
        json!(text),
        json!({ "name": tool, "args": arguments, "id": "c", "type": "tool_call" }),
        json!({ "type": "tool_use", "id": "t", "name": tool, "input": arguments }),
        json!({ "type": "tool-call", "toolCallId": "c", "toolName": tool, "input": arguments }),
        json!({ "type": "function_call", "call_id": "c", "name": tool, "arguments": text }),
        json!({ "type": "function_call", "call_id": "c", "name": tool, "arguments": json!(text).to_string() }),
        json!([{ "id": "c", "type": "function", "function": name }]),
        json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "c", "type": "function", "function": name }] }),
        json!({ "choices": [{ "finish_reason": "tool_calls", "message": { "tool_calls": [{ "id": "c", "function": name }] } }] }),
        json!({ "stop_reason": "tool_use", "content": [{ "type": "text", "text": "So:" }, { "type": "tool_use", "id": "t", "name": tool, "input": arguments }] }),
        json!({ "status": "completed", "output": [{ "type": "reasoning" }, { "type": "function_call", "call_id": "c", "name": tool, "arguments": text }] }),
        json!({ "candidates": [{ "content": { "parts": [{ "thought": true, "text": "So:" }, { "functionCall": { "name": tool, "args": arguments } }] } }] }),
        json!({ "output": { "message": { "content": [{ "toolUse": { "toolUseId": "t", "name": tool, "input": arguments } }] } } }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments } }),
        json!({ "hook_event_name": "PreToolUse", "tool_name": tool, "cwd": ".", "tool_input": arguments }),
    ];
    let mut texts: Vec<String> = layers.iter().map(ToString::to_string).collect();
    texts.push(format!("So:\n```json\n{}\n```\n", serde_json::to_string_pretty(arguments).expect("JSON")));
    texts.push(format!("<tool_call>\n{}\n</tool_call>\n", json!({ "name": tool, "arguments": arguments })));
    if arguments
        .as_object()
        .is_some_and(|fields| fields.values().all(|value| !value.is_array() && !value.is_object()))
    {
        texts.push(tagged(
            tool,
            arguments,
            ["<function=", ">", "<parameter=", ">"],
            ["</parameter>", "</function>"],
        ));
        let forms = ["<invoke name=\"", "\">", "<parameter name=\"", "\">"];
        texts.push(tagged(tool, arguments, forms, ["</parameter>", "</invoke>"]));
    }
    texts
}

/// Returns the ways to replace a text in the file.
fn replacing(old: &str, new: &str) -> Vec<String> {
    let diff = format!("@@\n{}{}", signed("-", old), signed("+", new));
    let block = format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
    let dashed = format!("------- SEARCH\n{old}\n=======\n{new}\n+++++++ REPLACE\n");
    let operation = json!({ "type": "update_file", "path": FILE, "diff": diff });
    let patch = envelope(&format!("*** Update File: {FILE}\n{diff}"));
    let here = envelope(&format!("*** Update File: file.py\n{diff}"));
    let edit = json!({ "file_path": FILE, "old_string": old, "new_string": new });
    let mut texts = wrapped("edit", &edit);
    texts.extend(wrapped("apply_patch", &operation));
    texts.extend(wrapped("apply_patch", &json!({ "input": patch })));
    let arguments = [
        json!({ "command": "str_replace", "path": FILE, "old_str": old, "new_str": new }),
        json!({ "filePath": FILE, "oldString": old, "newString": new, "replaceAll": false }),
        json!({ "path": FILE, "old_text": old, "new_text": new, "expected_replacements": 1, "explanation": "why" }),
        json!({ "path": FILE, "edits": [{ "oldText": old, "newText": new }], "dryRun": false }),
        json!({ "path": FILE, "edits": json!([{ "oldText": old, "newText": new }]).to_string() }),
        json!({ "explanation": "why", "replacements": [{ "filePath": FILE, "oldString": old, "newString": new }] }),
        json!({ "path": FILE, "replacements": [{ "old": old, "new": new, "allowMultiple": false }] }),
        json!({ "path": FILE, "edit": { "old": old, "new": new } }),
        json!({ "path": FILE, "before": old, "after": new }),
        json!({ "TargetFile": FILE, "ReplacementChunks": [{ "TargetContent": old, "ReplacementContent": new }] }),
        json!({ "cwd": "src", "args": { "file_path": "file.py", "old_string": old, "new_string": new } }),
        json!({ "type": "apply_patch_call", "call_id": "c", "status": "completed", "operation": operation }),
        json!({ "operations": [operation] }),
        json!({ "callId": "c", "operation": operation }),
        json!({ "type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": patch }),
        json!({ "patchText": patch }),
        json!({ "command": ["bash", "-lc", format!("apply_patch <<'END'\n{patch}END\n")] }),
        json!({ "cmd": format!("apply_patch <<'END'\n{here}END\n"), "workdir": "src" }),
        json!({ "path": FILE, "diff": diff }),
        json!({ "path": FILE, "diff": block }),
        json!({ "path": FILE, "diff": dashed }),
        json!({ "file_path": FILE, "content": block }),
        json!({ "model_patch": format!("--- a/{FILE}\n+++ b/{FILE}\n@@ -1,1 +1,1 @@\n{}{}", signed("-", old), signed("+", new)) }),
    ];
    texts.extend(arguments.iter().map(ToString::to_string));
    let tags = format!("<old_text>\n{old}\n</old_text>\n<new_text>\n{new}\n</new_text>\n");
    let conflict = format!("<<<<<<< HEAD\n{old}\n=======\n{new}\n>>>>>>> fix\n");
    texts.extend([diff, patch, block, tags, conflict]);
    texts
}

/// Returns the ways to make the file, or to write it anew.
fn writing(content: &str) -> Vec<String> {
    let diff = signed("+", content);
    let mut texts = wrapped("create_file", &json!({ "file_path": FILE, "content": content }));
    texts.extend(wrapped("memory", &json!({ "command": "create", "path": FILE, "file_text": content })));
    texts.extend(wrapped("apply_patch", &json!({ "type": "create_file", "path": FILE, "diff": diff })));
    texts.extend(wrapped("edit", &json!({ "path": FILE, "old_str": "", "new_str": content })));
    texts.push(envelope(&format!("*** Add File: {FILE}\n{diff}")));
    texts
}

/// Returns the ways to insert a line below another.
fn inserting(line: usize, above: &str, added: &str) -> Vec<String> {
    let insert = json!({ "command": "insert", "path": FILE, "insert_line": line, "insert_text": format!("{added}\n") });
    let old = json!({ "command": "insert", "path": FILE, "insert_line": line, "new_str": added });
    let edit = json!({ "path": FILE, "oldText": above, "newText": format!("{above}\n{added}") });
    let diff = format!("@@\n{}{}", signed(" ", above), signed("+", added));
    let operation = json!({ "type": "update_file", "path": FILE, "diff": diff });
    let calls = [("memory", insert), ("memory", old), ("edit", edit), ("apply_patch", operation)];
    calls.iter().flat_map(|(tool, arguments)| wrapped(tool, arguments)).collect()
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn a_line_is_replaced(plain in 3usize..20, at in any::<Index>(), odd in select(ODD)) {
        let line = |nth: usize| format!("    value_{nth} = compute({nth})");
        let mut before: Vec<String> = (0..plain).map(line).collect();
        before.push(odd.to_owned());
        let mut after = before.clone();
        let at = at.index(plain);
        after[at] = format!("    other_{plain} = \"<tag> \\\\ {{}}\"");
        let texts = replacing(&before[at], &after[at]);
        let (before, after) = (before.join("\n") + "\n", after.join("\n") + "\n");
        check(&texts, &[(FILE, &before)], &[(FILE, &after)])?;
    }

    #[test]
    fn a_line_is_inserted(plain in 3usize..20, at in any::<Index>()) {
        let mut lines: Vec<String> = (0..plain).map(|nth| format!("value_{nth} = compute({nth})")).collect();
        let before = lines.join("\n") + "\n";
        let (at, added) = (at.index(plain), "added = \"<tag> \\\\ {}\"");
        let texts = inserting(at + 1, &lines[at], added);
        lines.insert(at + 1, added.to_owned());
        check(&texts, &[(FILE, &before)], &[(FILE, &(lines.join("\n") + "\n"))])?;
    }

    #[test]
    fn a_file_is_made_or_written_anew(odd in proptest::sample::subsequence(ODD.to_vec(), 1..5)) {
        // A text that is a patch of its own is one, wherever it is found.
        let content = format!("first line\n{}\n", odd.join("\n"));
        let texts = writing(&content);
        check(&texts, &[], &[(FILE, &content)])?;
        check(&texts, &[(FILE, "old\n"), ("other.py", "x\n")], &[("other.py", "x\n"), (FILE, &content)])?;
    }
}

#[test]
fn a_file_is_deleted_or_moved() {
    let mut deleting = wrapped("memory", &json!({ "command": "delete", "path": FILE }));
    deleting.extend(wrapped("apply_patch", &json!({ "type": "delete_file", "path": FILE })));
    deleting.push(envelope(&format!("*** Delete File: {FILE}\n")));
    check(&deleting, &[(FILE, "a\n"), ("b", "b\n")], &[("b", "b\n")]).expect("the same tree");
    let mut moving =
        wrapped("memory", &json!({ "command": "rename", "old_path": FILE, "new_path": "to.py" }));
    moving.extend(wrapped(
        "apply_patch",
        &json!({ "type": "update_file", "path": FILE, "diff": "", "move_to": "to.py" }),
    ));
    moving.push(envelope(&format!("*** Update File: {FILE}\n*** Move to: to.py\n")));
    check(&moving, &[(FILE, "a\n")], &[("to.py", "a\n")]).expect("the same tree");
}
