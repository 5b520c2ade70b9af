//! Rows as JSON lines: the command `batch`, and `run::batch`.

#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use apply_patch::run::batch::{Given, Row, Settings, Source};
use apply_patch::run::{Options, Tree, run};
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_apply-patch");

/// A patch that replaces a line of a file.
fn patch(path: &str, old: &str, new: &str) -> String {
    format!("*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n")
}

fn batch(args: &[&str], dir: &Path, input: &[u8]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.arg("batch").args(args).current_dir(dir);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("no panic");
    output
}

/// Returns the answers to these lines.
fn answers(args: &[&str], dir: &Path, input: &[u8]) -> Vec<Value> {
    let output = batch(args, dir, input);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Returns the answers to these rows, in a folder of their own.
fn answers_to(args: &[&str], rows: &[Value]) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<String> = rows.iter().map(|row| format!("{row}\n")).collect();
    answers(args, folder.path(), lines.concat().as_bytes())
}

#[test]
fn files_in_memory_come_back_changed_and_nothing_else_does() {
    let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** Delete File: b.txt\n*** Add File: d.txt\n+new\n*** End Patch\n";
    let files = json!({"a.txt": "one\ntwo\n", "b.txt": "b\n", "c.txt": "c\n"});
    let [answer] = &answers_to(&[], &[json!({"id": 7, "files": files, "patch": text})])[..] else { panic!() };
    assert_eq!(answer["id"], 7);
    assert_eq!((&answer["outcome"], &answer["code"]), (&json!("applied"), &Value::Null));
    assert_eq!(answer["files"], json!({"a.txt": "1\ntwo\n", "b.txt": null, "d.txt": "new\n"}));
    assert_eq!(answer["report"]["exactness"], json!({"chunks": 1, "inexact": 0}));
}

#[test]
fn one_file_comes_back_whole() {
    let row = |patch: &str| json!({"path": "a.txt", "text": "one\n", "patch": patch});
    let add = "*** Begin Patch\n*** Add File: b.txt\n+b\n*** End Patch\n";
    let delete = "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n";
    let block = "<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n";
    let rows = [block, add, delete, &patch("a.txt", "three", "3")].map(row);
    let answers = answers_to(&[], &rows);
    assert_eq!((&answers[0]["text"], answers[0].get("files")), (&json!("1\n"), None));
    assert_eq!((&answers[1]["text"], &answers[1]["files"]), (&json!("one\n"), &json!({"b.txt": "b\n"})));
    assert_eq!((answers[2].get("text"), &answers[2]["outcome"]), (Some(&Value::Null), &json!("applied")));
    assert_eq!((answers[3].get("text"), &answers[3]["outcome"]), (None, &json!("refused")));
    assert_eq!(answers[3]["code"], answers[3]["report"]["failures"][0]["code"]);
}

#[test]
fn a_name_is_given_back_as_it_came() {
    let row = json!({"files": {"./src//a.txt": "one\n"}, "patch": patch("src/a.txt", "one", "1")});
    let twice = json!({"files": {"./a.txt": "", "a.txt": ""}, "patch": patch("a.txt", "one", "1")});
    let answers = answers_to(&[], &[row, twice]);
    assert_eq!(answers[0]["files"], json!({"./src//a.txt": "1\n"}));
    assert_eq!(answers[1]["report"]["message"], "two files have the name \"a.txt\"");
}

#[test]
fn bytes_come_back_as_bytes_and_text_as_text() {
    let latin = json!({"base64": "b25lCuUK"});
    let moved =
        "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+two\n*** End Patch\n";
    let added = "*** Begin Patch\n*** Add File: n.txt\n+n\n*** End Patch\n";
    let swapped = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: t.txt\n*** Update File: c.txt\n*** Move to: a.txt\n*** Update File: t.txt\n*** Move to: c.txt\n*** End Patch\n";
    let text = json!({"a.txt": {"base64": "YQo="}, "c.txt": "c\n"});
    let rows = [
        json!({"files": {"a.txt": latin, "c.txt": "c\n"}, "patch": moved}),
        json!({"files": {"c.txt": {"base64": "Ywo="}}, "patch": added}),
        json!({"files": {}, "patch": added}),
        json!({"files": {"a.txt": {"base64": "!"}}, "patch": added}),
        json!({"files": {"a.txt": {"base64": "", "more": 1}}, "patch": added}),
        json!({"files": text, "patch": swapped}),
    ];
    let answers = answers_to(&[], &rows);
    assert_eq!(answers[0]["files"], json!({"a.txt": null, "b.txt": {"base64": "dHdvCuUK"}}));
    assert_eq!(answers[1]["files"], json!({"n.txt": {"base64": "bgo="}}));
    assert_eq!(answers[2]["files"], json!({"n.txt": "n\n"}));
    assert_eq!([&answers[3]["outcome"], &answers[4]["outcome"]], ["wrong-usage", "wrong-usage"]);
    assert_eq!(answers[5]["files"], json!({"a.txt": "c\n", "c.txt": {"base64": "YQo="}}));
}

#[test]
fn a_broken_line_is_an_answer() {
    let lines: [(&[u8], Value, &str); 9] = [
        (b"{", Value::Null, "line 1: EOF while parsing an object, at column 1"),
        (b"[1]", Value::Null, "line 2: it is not a JSON object"),
        (b"{\"id\": \"x\", \"patch\": 3, \"files\": {}}", json!("x"), "line 3: invalid type: integer `3`"),
        (b"{\"id\": 4, \"patch\": \"\\ud800\", \"files\": {}}", json!(4), "line 4: "),
        (b"{\"id\": 5, \"patch\": \"\xff\"}", Value::Null, "line 5: it is not UTF-8"),
        (b"{\"id\": 6, \"patch\": \"\", \"macth\": \"exact\"}", json!(6), "line 6: unknown field `macth`"),
        (
            b"{\"id\": 7, \"patch\": \"\", \"files\": {}, \"root\": \".\"}",
            json!(7),
            "line 7: a row has either",
        ),
        (
            b"{\"id\": 8, \"patch\": \"\", \"files\": {}, \"match\": \"loose\"}",
            json!(8),
            "line 8: unknown match: \"loose\"",
        ),
        (
            b"{\"id\": 9, \"patch\": \"\", \"files\": {\"a\": \"\", \"a\": \"\"}}",
            json!(9),
            "line 9: the path \"a\" comes twice",
        ),
    ];
    let input: Vec<u8> = lines.iter().flat_map(|(line, ..)| [*line, b"\n"].concat()).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let answers = answers(&[], folder.path(), &input);
    assert_eq!(answers.len(), lines.len());
    for (answer, (_, id, words)) in answers.iter().zip(&lines) {
        let message = answer["report"]["message"].as_str().expect("a message");
        assert!(message.starts_with(words), "{message}");
        assert_eq!((&answer["outcome"], &answer["id"]), (&json!("wrong-usage"), id), "{message}");
    }
}

#[test]
fn a_byte_order_mark_before_a_line_is_no_part_of_the_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let row = format!("\u{feff}{}\n", json!({"path": "a", "text": "one\n", "patch": patch("a", "one", "1")}));
    let answers = answers(&[], folder.path(), row.repeat(2).as_bytes());
    assert_eq!(answers.iter().map(|answer| &answer["text"]).collect::<Vec<_>>(), ["1\n", "1\n"]);
}

#[test]
fn an_id_is_given_back_to_the_digit_and_blank_lines_have_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = "\n{\"id\": {\"n\": 123456789012345678901234567890.10},\"files\":{},\"patch\":\"\"}\r\n   \n";
    let output = batch(&[], folder.path(), input.as_bytes());
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().count(), 1);
    assert!(
        text.starts_with("{\"id\":{\"n\": 123456789012345678901234567890.10},\"outcome\":\"not-a-patch\"")
    );
}

#[test]
fn answers_come_in_the_order_of_the_lines_whatever_takes_longer() {
    let long = "line\n".repeat(5_000);
    let row = |id: usize| {
        let text = format!("{}{id}\n", if id.is_multiple_of(7) { &long } else { "" });
        json!({"id": id, "path": "a.txt", "text": text, "patch": patch("a.txt", &id.to_string(), "done")})
    };
    let rows: Vec<Value> = (0..100).map(row).collect();
    for threads in ["1", "7"] {
        let answers = answers_to(&["--threads", threads], &rows);
        let ids: Vec<Option<u64>> = answers.iter().map(|answer| answer["id"].as_u64()).collect();
        assert_eq!(ids, (0..100).map(Some).collect::<Vec<_>>());
        assert!(answers.iter().all(|answer| answer["outcome"] == "applied"));
    }
}

#[test]
fn a_folder_is_one_transaction_a_row_in_the_order_of_the_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("work/1")).expect("a folder");
    fs::write(folder.path().join("work/1/a.txt"), "0\n").expect("a file");
    let row = |n: usize| {
        let patch = patch("a.txt", &n.to_string(), &(n + 1).to_string());
        // Two spellings of one folder.
        let root = if n.is_multiple_of(2) { "work/1" } else { "work/../work/1" };
        format!("{}\n", json!({"id": n, "root": root, "patch": patch}))
    };
    let lines: Vec<String> = (0..60).map(row).collect();
    let answers = answers(&["--threads", "8", "--no-sync"], folder.path(), lines.concat().as_bytes());
    assert!(answers.iter().all(|answer| answer["outcome"] == "applied" && answer.get("files").is_none()));
    assert_eq!(fs::read_to_string(folder.path().join("work/1/a.txt")).expect("a file"), "60\n");
}

#[test]
fn a_folder_outside_is_refused_and_nothing_in_it_is_touched() {
    let (inside, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let file = outside.path().join("a.txt");
    fs::write(&file, "one\n").expect("a file");
    let root = outside.path().to_str().expect("UTF-8");
    let line = format!("{}\n", json!({"root": root, "patch": patch("a.txt", "one", "1")}));
    let refused = answers(&[], inside.path(), line.as_bytes());
    assert_eq!(refused[0]["outcome"], "wrong-usage");
    assert_eq!(fs::read_to_string(&file).expect("a file"), "one\n");
    let allowed = answers(&["--root", root], inside.path(), line.as_bytes());
    assert_eq!(allowed[0]["outcome"], "applied");
    assert_eq!(fs::read_to_string(&file).expect("a file"), "1\n");
}

#[test]
fn the_options_of_the_command_hold_unless_a_row_has_its_own() {
    let row = |more: Value| {
        let mut row = json!({"path": "a.txt", "text": "  one\n", "patch": patch("a.txt", "one", "1")});
        row.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        row
    };
    let rows = [row(json!({})), row(json!({"match": "exact"})), row(json!({"match": "whitespace"}))];
    let outcomes = |args: &[&str]| -> Vec<String> {
        let answers = answers_to(args, &rows);
        answers.iter().map(|answer| answer["outcome"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(
        [&answers_to(&[], &rows)[0]["tier"], &answers_to(&[], &rows)[1]["tier"]],
        [&json!("indentation"), &Value::Null]
    );
    assert_eq!(outcomes(&[]), ["applied", "refused", "applied"]);
    assert_eq!(outcomes(&["--match", "exact", "--check"]), ["refused", "refused", "would-apply"]);
}

#[test]
fn a_check_of_the_command_is_not_lifted_by_a_row() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.txt"), "one\n").expect("a file");
    let row = |check: bool| {
        format!("{}\n", json!({"root": ".", "patch": patch("a.txt", "one", "1"), "check": check}))
    };
    let checked = answers(&["--check"], folder.path(), row(false).as_bytes());
    assert_eq!(checked[0]["outcome"], "would-apply");
    let checked = answers(&[], folder.path(), row(true).as_bytes());
    assert_eq!(checked[0]["outcome"], "would-apply");
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).expect("a file"), "one\n");
}

#[test]
fn a_line_that_is_too_long_is_skipped_and_the_next_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let short = json!({"id": 2, "files": {}, "patch": "x"}).to_string();
    let long = json!({"id": 1, "files": {"a": "x".repeat(200_000)}, "patch": "x"}).to_string();
    let input = format!("{long}\n{short}\n{long}");
    let answers = answers(&["--max-line-size", "1000"], folder.path(), input.as_bytes());
    let messages: Vec<&Value> = answers.iter().map(|answer| &answer["report"]["message"]).collect();
    let too_long = |line| json!(format!("line {line}: it is longer than 1000 bytes"));
    assert_eq!(messages, [&too_long(1), &Value::Null, &too_long(3)]);
}

#[test]
fn an_answer_comes_while_the_input_stays_open_and_a_closed_pipe_ends_it() {
    let mut child = Command::new(PROGRAM)
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let row = format!("{}\n", json!({"id": 1, "files": {}, "patch": "x"}));
    for _ in 0..3 {
        stdin.write_all(row.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stdout.read_line(&mut answer).expect("it answers");
        assert!(answer.starts_with("{\"id\":1,"), "{answer}");
    }
    drop(stdout);
    // The answer finds nobody. The input is still open: the program must not wait for more of it.
    stdin.write_all(row.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    drop(stdin);
}

#[test]
fn an_answer_is_what_a_run_says() {
    let file = "one\n  two\nthree\n";
    let texts = [patch("a.txt", "two", "2"), patch("a.txt", "four", "4"), "no patch".to_owned()];
    let rows = texts.iter().map(|text| {
        let source = Source::Files(BTreeMap::from([("a.txt".into(), Given::text(file))]));
        Ok(Row::new(source, text.as_str()))
    });
    let answers = Settings::default().answers(rows.collect(), NonZeroUsize::MIN.saturating_add(2));
    for (text, answer) in texts.iter().zip(&answers) {
        let mut tree: Tree = [("a.txt", file)].into_iter().collect();
        let report = run(text, &Options::default(), &mut tree);
        assert_eq!(answer.report.to_json(), report.to_json());
        let json: Value = serde_json::from_str(&report.to_json()).expect("JSON");
        assert_eq!(answer.report.outcome.name(), json["outcome"]);
        let listed = json["failures"].as_array().into_iter().chain(json["errors"].as_array()).flatten();
        let listed: Vec<&str> = listed.filter_map(|failure| failure["code"].as_str()).collect();
        assert_eq!(answer.report.outcome.codes(), listed);
    }
}
