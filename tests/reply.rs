//! Answers to calls: one for each call, with its id, in the form of its protocol.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Runs the program in a folder, and returns its exit status and the answers.
fn answers(dir: &Path, options: &[&str], text: &Value) -> (i32, Vec<Value>) {
    answers_to(dir, options, &text.to_string())
}

/// Does what [`answers`] does with a text that need not be JSON.
fn answers_to(dir: &Path, options: &[&str], text: &str) -> (i32, Vec<Value>) {
    let (status, lines) = lines_to(dir, options, text);
    (status, lines.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect())
}

/// Does what [`answers_to`] does, and returns the answers as text.
fn lines_to(dir: &Path, options: &[&str], text: &str) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_apply-patch"))
        .args(options)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("the program ends");
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stdout).expect("text"))
}

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(dir.path().join("a.txt"), "one\ntwo\n").expect("a file");
    dir
}

fn item(id: &str, path: &str, diff: &str) -> Value {
    let operation = json!({ "type": "update_file", "path": path, "diff": diff });
    json!({ "type": "apply_patch_call", "call_id": id, "status": "completed", "operation": operation })
}

fn edit(old: &str, new: &str) -> Value {
    json!({ "path": "a.txt", "old_str": old, "new_str": new })
}

#[test]
fn a_call_that_fits_is_refused_with_the_others() {
    let dir = folder();
    let text = json!([item("call_1", "a.txt", "@@\n-one\n+1\n"), item("call_2", "b.txt", "@@\n-one\n+1\n")]);
    let (status, answers) = answers(dir.path(), &["--reply", "openai"], &text);
    assert_eq!((status, answers.len()), (1, 2));
    for (answer, id) in answers.iter().zip(["call_1", "call_2"]) {
        assert_eq!(answer["type"], "apply_patch_call_output");
        assert_eq!((&answer["call_id"], &answer["status"]), (&json!(id), &json!("failed")));
    }
    let words = |nth: usize| answers[nth]["output"].as_str().expect("words").to_owned();
    assert!(words(0).contains("this call fits"), "{}", words(0));
    assert!(words(1).contains("b.txt"), "{}", words(1));
    assert_eq!(std::fs::read(dir.path().join("a.txt")).expect("a file"), b"one\ntwo\n");
}

#[test]
fn each_call_by_itself_keeps_no_other_from_being_applied() {
    let dir = folder();
    let text = json!([item("call_1", "a.txt", "@@\n-one\n+1\n"), item("call_2", "b.txt", "@@\n-one\n+1\n")]);
    let (status, answers) = answers(dir.path(), &["--reply", "openai", "--each-call"], &text);
    assert_eq!(status, 1);
    let statuses: Vec<&Value> = answers.iter().map(|answer| &answer["status"]).collect();
    assert_eq!(statuses, ["completed", "failed"]);
    assert_eq!(std::fs::read(dir.path().join("a.txt")).expect("a file"), b"1\ntwo\n");
}

#[test]
fn two_edits_of_one_file_have_answers_of_their_own() {
    let dir = folder();
    let call =
        |id: &str, input: Value| json!({ "type": "tool_use", "id": id, "name": "edit", "input": input });
    let text = json!({ "role": "assistant", "content": [call("t1", edit("one", "1")), call("t2", edit("three", "3"))] });
    let (_, answers) = answers(dir.path(), &["--reply", "anthropic"], &text);
    assert_eq!(answers.iter().map(|answer| &answer["tool_use_id"]).collect::<Vec<_>>(), ["t1", "t2"]);
    assert!(answers.iter().all(|answer| answer["is_error"] == true));
    let words = |nth: usize| answers[nth]["content"].as_str().expect("words").to_owned();
    assert!(words(0).contains("this call fits"), "{}", words(0));
    assert!(words(1).contains("a.txt"), "{}", words(1));
}

#[test]
fn each_call_that_cannot_be_read_has_its_own_error() {
    let use_of = |id: &str, name: &str, input: Value| json!({ "type": "tool_use", "id": id, "name": name, "input": input });
    let wrong = [
        (use_of("wrong", "view", json!({ "command": "view", "path": "a.txt" })), "other-tool"),
        (
            use_of("wrong", "edit", json!({ "path": "a.txt", "old_str": "one", "newer": "2" })),
            "unknown-field",
        ),
        (use_of("wrong", "edit", edit("one", "one")), "same-text"),
        (
            use_of("wrong", "edit", json!({ "patch": "*** Begin Patch\n*** Update File: a.txt\n" })),
            "truncated",
        ),
        (
            json!({ "type": "server_tool_use", "id": "wrong", "name": "edit", "input": edit("one", "1") }),
            "other-tool",
        ),
        (
            json!({ "type": "tool_use", "id": "wrong", "name": "edit", "input": edit("one", "1"), "dry_run": 3 }),
            "unclear-setting",
        ),
    ];
    for (call, code) in wrong {
        let dir = folder();
        let text = json!([call, use_of("good", "edit", edit("two", "2"))]);
        let (status, answers) = answers(dir.path(), &["--reply", "anthropic", "--each-call"], &text);
        let ids: Vec<_> =
            answers.iter().map(|answer| (&answer["tool_use_id"], &answer["is_error"])).collect();
        assert_eq!(
            (status, ids),
            (2, vec![(&json!("wrong"), &json!(true)), (&json!("good"), &json!(false))]),
            "{text}"
        );
        assert!(answers[0].to_string().contains(code), "{code} is not in {}", answers[0]);
        assert_eq!(std::fs::read(dir.path().join("a.txt")).expect("a file"), b"one\n2\n", "{text}");
    }
}

#[test]
fn a_line_that_is_no_json_keeps_no_other_call_from_being_applied() {
    let dir = folder();
    let text =
        format!("{}\n{}\n{}\n", edit("one", "1"), r#"{"path": "a.txt", "old_str": "#, edit("two", "2"));
    let (status, answers) = answers_to(dir.path(), &["--reply", "openai", "--each-call"], &text);
    let statuses: Vec<_> = answers.iter().map(|answer| &answer["status"]).collect();
    assert_eq!((status, statuses), (2, vec![&json!("completed"), &json!("failed"), &json!("completed")]));
    assert_eq!(std::fs::read(dir.path().join("a.txt")).expect("a file"), b"1\n2\n");
}

#[test]
fn an_id_is_any_text_and_any_number() {
    for id in [json!(7), json!(-7), json!(1.5), json!(u64::MAX), json!("7"), json!("")] {
        let params = json!({ "name": "edit", "arguments": edit("one", "1") });
        let text = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let (status, answers) = answers(folder().path(), &["--reply", "mcp"], &text);
        assert_eq!((status, &answers[0]["id"], &answers[0]["jsonrpc"]), (0, &id, &json!("2.0")), "{text}");
    }
}

#[test]
fn each_protocol_has_its_form() {
    let arguments = edit("one", "1").to_string();
    let cases = [
        (
            "openai",
            json!({ "type": "function_call", "call_id": "c", "name": "edit", "arguments": arguments }),
            "function_call_output",
        ),
        (
            "openai",
            json!({ "id": "c", "type": "function", "function": { "name": "edit", "arguments": arguments } }),
            "tool_call_id",
        ),
        (
            "openai",
            json!({ "callId": "c", "operation": { "type": "delete_file", "path": "a.txt" } }),
            "completed",
        ),
        (
            "anthropic",
            json!({ "type": "tool_use", "id": "c", "name": "edit", "input": edit("one", "1") }),
            "tool_result",
        ),
        (
            "mcp",
            json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "edit", "arguments": edit("one", "1") } }),
            "\"id\":7",
        ),
        ("mcp", json!({ "name": "edit", "arguments": edit("one", "1") }), "\"isError\":false"),
    ];
    for (style, text, words) in cases {
        let (status, answers) = answers(folder().path(), &["--reply", style], &text);
        assert_eq!((status, answers.len()), (0, 1), "{text}");
        assert!(answers[0].to_string().contains(words), "{words} is not in {}", answers[0]);
    }
}

#[test]
fn a_text_that_is_no_call_gets_an_answer_without_an_id() {
    let (status, answers) = answers(folder().path(), &["--reply", "openai"], &json!("no patch"));
    assert_eq!((status, &answers[0]["status"], answers[0].get("call_id")), (2, &json!("failed"), None));
}

#[test]
fn a_hook_writes_nothing_and_never_fails() {
    let dir = folder();
    let event = |old: &str| {
        let input = json!({ "file_path": dir.path().join("a.txt"), "old_string": old, "new_string": "1" });
        json!({ "hook_event_name": "PreToolUse", "tool_name": "Edit", "cwd": dir.path(), "tool_input": input })
    };
    let run = |old: &str| answers(dir.path(), &["--reply", "hook"], &event(old));
    assert_eq!(run("one"), (0, vec![]));
    assert_eq!(run("one ").1[0]["hookSpecificOutput"]["updatedInput"]["old_string"], "one\n");
    assert_eq!(run("nowhere at all").1[0]["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(answers(dir.path(), &["--reply", "hook"], &json!({})), (0, vec![]));
    assert_eq!(std::fs::read(dir.path().join("a.txt")).expect("a file"), b"one\ntwo\n");
}

#[test]
fn an_id_comes_back_as_it_was_sent() {
    for id in ["12345678901234567890123", "1e2", "-0", "1.50", "1e999", "\"1\""] {
        let dir = folder();
        let arguments = edit("one", "1");
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"edit","arguments":{arguments}}}}}"#
        );
        let (status, lines) = lines_to(dir.path(), &["--reply", "mcp"], &text);
        assert_eq!((status, lines.lines().count()), (0, 1));
        assert!(lines.contains(&format!(r#","id":{id}}}"#)), "{id} is not in {lines}");
    }
}
