//! What the server answers, in both eras of the protocol.

use std::fs;

use apply_patch::plan::Digest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, initialize, text};

fn dir(files: &[(&str, &str)]) -> TempDir {
    let dir = TempDir::new().unwrap();
    for (path, content) in files {
        fs::write(dir.path().join(path), content).unwrap();
    }
    dir
}

fn read(dir: &TempDir, path: &str) -> String {
    fs::read_to_string(dir.path().join(path)).unwrap()
}

const PATCH: &str = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** End Patch\n";
const BEFORE: &str = "one\ntwo\nthree\n";
const AFTER: &str = "one\n2\nthree\n";

#[test]
fn a_client_with_a_handshake_lists_and_calls_the_tools() {
    let dir = dir(&[("a.txt", BEFORE)]);
    let mut client = Client::start(dir.path(), &[]);
    let answer = client.request("initialize", initialize());
    assert_eq!(answer["result"]["serverInfo"]["name"], "apply-patch-mcp");
    assert!(answer["result"].get("resultType").is_none(), "the field is of a later revision: {answer}");
    let tools = client.request("tools/list", json!({}))["result"]["tools"].take();
    let names: Vec<_> = tools.as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["apply_patch", "edit_file"]);
    assert!(client.accepted("apply_patch", json!({"patch": PATCH})).starts_with("Done: 1 file changed.\n"));
    assert_eq!(read(&dir, "a.txt"), AFTER);
    client.close();
}

#[test]
fn a_client_without_a_handshake_calls_at_once() {
    let dir = dir(&[("a.txt", BEFORE)]);
    let mut client = Client::stateless(dir.path(), &[]);
    let found = client.request("server/discover", json!({}))["result"].take();
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")), "{found}");
    client.close();

    let mut client = Client::stateless(dir.path(), &[]);
    let result = client.call("apply_patch", json!({"patch": PATCH}));
    assert_eq!((&result["isError"], &result["resultType"]), (&json!(false), &json!("complete")), "{result}");
    assert_eq!(read(&dir, "a.txt"), AFTER);
}

#[test]
fn each_tool_spells_out_all_hints_and_describes_itself_in_few_words() {
    let dir = dir(&[]);
    let mut client = Client::with_handshake(dir.path(), &[]);
    let tools = client.request("tools/list", json!({}))["result"]["tools"].take();
    for tool in tools.as_array().unwrap() {
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], false);
        assert_eq!(hints["destructiveHint"], true);
        assert_eq!(hints["idempotentHint"], true);
        assert_eq!(hints["openWorldHint"], false);
        assert!(tool.get("outputSchema").is_none(), "{tool}");
        let words = tool["description"].as_str().unwrap().split_whitespace().count();
        assert!(words <= 70, "{words} words: {tool}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        assert!(jsonschema::validator_for(&tool["inputSchema"]).is_ok());
    }
}

/// Some hosts cut instructions off after 2 kB.
#[test]
fn the_instructions_are_short_and_their_patch_fits() {
    let dir = dir(&[
        ("server.toml", "[server]\nhost = \"127.0.0.1\"\nport = 8080\nworkers = 4\n"),
        ("old.txt", "old\n"),
    ]);
    let mut client = Client::start(dir.path(), &[]);
    let answer = client.request("initialize", initialize());
    let instructions = answer["result"]["instructions"].as_str().unwrap();
    assert!(instructions.len() <= 2048, "{}", instructions.len());
    let begin = instructions.find("*** Begin Patch").unwrap();
    let end = instructions.find("*** End Patch").unwrap() + "*** End Patch".len();
    let text = client.accepted("apply_patch", json!({"patch": instructions[begin..end]}));
    assert!(text.starts_with("Done: 3 files changed."), "{text}");
    assert!(!text.contains("place") && !text.contains("repair"), "nothing is inexact: {text}");
    assert_eq!(read(&dir, "server.toml"), "[server]\nhost = \"127.0.0.1\"\nport = 9090\nworkers = 4\n");
}

#[test]
fn a_refusal_is_a_result_with_words_for_a_model() {
    let dir = dir(&[("a.txt", BEFORE)]);
    let mut client = Client::with_handshake(dir.path(), &[]);
    let result = client.call("apply_patch", json!({"patch": PATCH.replace("-two", "-six")}));
    assert_eq!(result["isError"], true);
    assert!(result.get("structuredContent").is_none(), "{result}");
    let words = text(&result);
    assert!(words.starts_with("Nothing was changed: ") && words.contains("[not-found]"), "{words}");
    assert!(words.contains("   1|one"), "the words show the file: {words}");
    assert_eq!(read(&dir, "a.txt"), BEFORE);

    let words = client.refused("apply_patch", json!({"patch": "I changed the file."}));
    assert!(words.starts_with("Nothing was changed: the text is not a patch."), "{words}");
}

/// A client has no command line: words about options would lead a model astray.
#[test]
fn no_answer_names_an_option_of_the_command() {
    let dir = dir(&[("a.txt", BEFORE), ("b.txt", "two\ntwo\n")]);
    let mut client = Client::with_handshake(dir.path(), &[]);
    let cut_off = PATCH.replace("*** End Patch\n", "");
    let nameless = "<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n";
    let edit = |path: &str, old: &str| json!({"path": path, "edits": [{"old_text": old, "new_text": "2"}]});
    let answers = [
        client.refused("apply_patch", json!({"patch": cut_off})),
        client.refused("apply_patch", json!({"patch": nameless})),
        client.refused("apply_patch", json!({"patch": "nothing"})),
        client.refused("edit_file", edit("b.txt", "two")),
        client.refused("edit_file", edit("c.txt", "two")),
        client.refused("edit_file", edit("a.txt", "")),
        client.accepted("apply_patch", json!({"patch": PATCH, "dry_run": true})),
        client.accepted("apply_patch", json!({"patch": PATCH})),
        client.accepted("apply_patch", json!({"patch": PATCH})),
    ];
    for answer in answers {
        assert!(
            !answer.contains("`--") && !answer.contains(" --") && !answer.contains("apply-patch"),
            "{answer}"
        );
    }
}

#[test]
fn a_dry_run_changes_nothing_and_shows_the_diff() {
    let dir = dir(&[("a.txt", BEFORE)]);
    let mut client = Client::with_handshake(dir.path(), &[]);
    let words = client.accepted("apply_patch", json!({"patch": PATCH, "dry_run": true}));
    assert!(words.contains("-two\n") && words.contains("+2\n"), "{words}");
    let edits = json!([{"old_text": "two", "new_text": "2"}]);
    let words = client.accepted("edit_file", json!({"path": "a.txt", "edits": edits, "dry_run": true}));
    assert!(words.contains("-two\n") && words.contains("+2\n"), "{words}");
    assert_eq!(read(&dir, "a.txt"), BEFORE);
}

#[test]
fn edits_of_a_file_are_made_in_order_all_or_none() {
    let dir = dir(&[("a.txt", "one\ntwo\nthree\nthree\n")]);
    let mut client = Client::with_handshake(dir.path(), &[]);
    let edit =
        |old: &str, new: &str, all: bool| json!({"old_text": old, "new_text": new, "replace_all": all});
    let words = client.refused(
        "edit_file",
        json!({"path": "a.txt", "edits": [edit("two", "2", false), edit("three", "3", false)]}),
    );
    assert!(words.contains("a.txt, edit 2 of 2: "), "{words}");
    assert_eq!(read(&dir, "a.txt"), "one\ntwo\nthree\nthree\n");
    client.accepted(
        "edit_file",
        json!({"path": "a.txt", "edits": [edit("two", "second", false), edit("second", "2nd", false), edit("three", "3", true)]}),
    );
    assert_eq!(read(&dir, "a.txt"), "one\n2nd\n3\n3\n");
}

/// `idempotentHint` promises it.
#[test]
fn the_same_call_twice_changes_the_files_once() {
    let dir = dir(&[("a.txt", BEFORE), ("b.txt", BEFORE)]);
    let mut client = Client::with_handshake(dir.path(), &[]);
    let calls = [
        (
            "apply_patch",
            json!({"patch": "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n+one and a half\n two\n*** End Patch\n"}),
        ),
        ("apply_patch", json!({"patch": "*** Begin Patch\n*** Add File: c.txt\n+new\n*** End Patch\n"})),
        ("edit_file", json!({"path": "b.txt", "edits": [{"old_text": "two", "new_text": "two and two"}]})),
        ("edit_file", json!({"path": "b.txt", "edits": [{"old_text": "three", "new_text": "3"}]})),
    ];
    for (tool, arguments) in calls {
        client.accepted(tool, arguments.clone());
        let tree = |path: &str| fs::read(dir.path().join(path)).ok();
        let after = ["a.txt", "b.txt", "c.txt"].map(tree);
        client.call(tool, arguments.clone());
        assert_eq!(["a.txt", "b.txt", "c.txt"].map(tree), after, "{tool} {arguments}");
    }
}

#[test]
fn wrong_arguments_are_a_result_that_names_them() {
    let dir = dir(&[("a.txt", BEFORE)]);
    let mut client = Client::with_handshake(dir.path(), &[]);
    let words = client.refused("apply_patch", json!({"patch": PATCH, "dryRun": true}));
    assert!(words.contains("dryRun") && words.contains("`dry_run`"), "{words}");
    let words = client.refused("apply_patch", json!({}));
    assert!(words.contains("missing field `patch`"), "{words}");
    let words = client.refused("edit_file", json!({"path": "a.txt", "edits": "two"}));
    assert!(words.contains("edits") || words.contains("sequence"), "{words}");
    let words = client.refused("edit_file", json!({"path": "a.txt", "edits": []}));
    assert!(words.contains("`edits`"), "{words}");
    let words = client.refused("apply_patch", json!({"patch": PATCH, "expect": {"a.txt": "e3b0"}}));
    assert!(words.contains("`expect`") && words.contains("64 hexadecimal digits"), "{words}");
    assert_eq!(read(&dir, "a.txt"), BEFORE);

    let answer = client.request("tools/call", json!({"name": "delete_all", "arguments": {}}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

#[test]
fn an_expected_hash_must_be_that_of_the_file() {
    let dir = dir(&[("a.txt", BEFORE)]);
    let mut client = Client::with_handshake(dir.path(), &[]);
    let hash = |text: &str| Digest::of(text.as_bytes()).to_string();
    let words = client.refused("apply_patch", json!({"patch": PATCH, "expect": {"a.txt": hash("other\n")}}));
    assert!(words.contains("[not-as-expected]"), "{words}");
    assert_eq!(read(&dir, "a.txt"), BEFORE);
    client.accepted("apply_patch", json!({"patch": PATCH, "expect": {"a.txt": hash(BEFORE)}}));
    assert_eq!(read(&dir, "a.txt"), AFTER);
}

#[test]
fn the_undo_patch_takes_the_changes_back() {
    let dir = dir(&[("a.txt", BEFORE)]);
    let mut client = Client::with_handshake(dir.path(), &[]);
    let result = client.call("apply_patch", json!({"patch": PATCH, "undo": true}));
    assert_eq!(read(&dir, "a.txt"), AFTER);
    let undo = result["content"][1]["text"].as_str().unwrap();
    let result = client.call("apply_patch", json!({"patch": undo}));
    assert_eq!(read(&dir, "a.txt"), BEFORE);
    assert_eq!(result["content"].as_array().unwrap().len(), 1, "no undo was asked for: {result}");
}

#[test]
fn nothing_outside_the_root_and_nothing_in_git_is_touched() {
    let outer = dir(&[("outside.txt", BEFORE)]);
    let root = outer.path().join("root");
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::write(root.join(".git/config"), BEFORE).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outer.path(), root.join("link")).unwrap();
    let mut client = Client::with_handshake(outer.path(), &["-C", "root"]);
    let absolute = outer.path().join("outside.txt");
    for path in ["../outside.txt", "link/outside.txt", ".git/config", absolute.to_str().unwrap()] {
        client.refused("apply_patch", json!({"patch": PATCH.replace("a.txt", path)}));
        client.refused("edit_file", json!({"path": path, "edits": [{"old_text": "two", "new_text": "2"}]}));
    }
    assert_eq!(read(&outer, "outside.txt"), BEFORE);
    assert_eq!(read(&outer, "root/.git/config"), BEFORE);
}

#[test]
fn a_further_root_is_named_by_absolute_paths() {
    let (root, further) = (dir(&[]), dir(&[("a.txt", BEFORE)]));
    let name = further.path().to_str().unwrap();
    let mut client = Client::with_handshake(root.path(), &["--add-root", name]);
    client.accepted("apply_patch", json!({"patch": PATCH.replace("a.txt", &format!("{name}/a.txt"))}));
    assert_eq!(read(&further, "a.txt"), AFTER);
}

#[test]
fn structured_content_has_its_schema_whatever_happens() {
    let dir = dir(&[("a.txt", BEFORE)]);
    let mut client = Client::with_handshake(dir.path(), &["--structured"]);
    let tools = client.request("tools/list", json!({}))["result"]["tools"].take();
    let schema = jsonschema::validator_for(&tools[0]["outputSchema"]).unwrap();
    let mut outcome = |arguments: Value| {
        let result = client.call("apply_patch", arguments);
        let content = &result["structuredContent"];
        assert!(schema.is_valid(content), "{content}");
        assert_eq!(content["report"], text(&result));
        content.clone()
    };
    assert_eq!(outcome(json!({}))["outcome"], "wrong-usage");
    assert_eq!(outcome(json!({"patch": "no patch"}))["outcome"], "not-a-patch");
    let refused = outcome(json!({"patch": PATCH.replace("-two", "-six")}));
    assert_eq!(refused["outcome"], "refused");
    assert_eq!(refused["failures"][0]["code"], "not-found");
    assert_eq!(refused["failures"][0]["fingerprint"].as_str().unwrap().len(), 16);
    assert_eq!(outcome(json!({"patch": PATCH, "dry_run": true}))["outcome"], "would-apply");
    let applied = outcome(json!({"patch": PATCH, "undo": true}));
    assert_eq!((&applied["outcome"], &applied["files"]), (&json!("applied"), &json!(["a.txt"])));
    assert!(applied["undo"].as_str().unwrap().contains("+two"), "{applied}");
}

#[test]
fn a_server_without_its_root_says_so() {
    let dir = dir(&[]);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_apply-patch-mcp"))
        .args(["-C", "nowhere"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("nowhere"), "{output:?}");
}
