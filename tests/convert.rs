//! `apply-patch convert`: any format in, any out, and nothing is changed.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use tempfile::TempDir;

const BEFORE: &str = "host = \"127.0.0.1\"\nport = 8080\nworkers = 4\n";
const ENVELOPE: &str = "*** Begin Patch\n*** Update File: server.toml\n@@\n host = \"127.0.0.1\"\n-port = 8080\n+port = 9090\n workers = 4\n*** End Patch\n";
const BLOCK: &str = "server.toml\n<<<<<<< SEARCH\nhost = \"127.0.0.1\"\nport = 8080\nworkers = 4\n=======\nhost = \"127.0.0.1\"\nport = 9090\nworkers = 4\n>>>>>>> REPLACE\n";
const EDIT: &str = "{\"file_path\":\"server.toml\",\"old_string\":\"host = \\\"127.0.0.1\\\"\\nport = 8080\\nworkers = 4\\n\",\"new_string\":\"host = \\\"127.0.0.1\\\"\\nport = 9090\\nworkers = 4\\n\"}\n";
const DIFF: &str = "diff --git a/server.toml b/server.toml\n--- a/server.toml\n+++ b/server.toml\n@@ -1,3 +1,3 @@\n host = \"127.0.0.1\"\n-port = 8080\n+port = 9090\n workers = 4\n";

const ALL: [(&str, &str); 4] =
    [("envelope", ENVELOPE), ("search-replace", BLOCK), ("edit", EDIT), ("unified", DIFF)];

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("server.toml"), BEFORE).unwrap();
    folder
}

/// Exit status, standard output and standard error of a conversion.
fn convert(folder: &TempDir, to: &str, text: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_apply-patch"))
        .args(["convert", "--to", to])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn any_format_becomes_any_other() {
    let folder = folder();
    for (_, from) in ALL {
        for (to, wanted) in ALL {
            assert_eq!(
                convert(&folder, to, from),
                (0, wanted.to_owned(), "M server.toml +1 -1\n".to_owned())
            );
        }
    }
    assert_eq!(fs::read_to_string(folder.path().join("server.toml")).unwrap(), BEFORE);
}

#[test]
fn drift_is_gone_from_what_is_printed() {
    let folder = folder();
    let drifted = ENVELOPE.replace("host = ", "host  = ");
    let (status, out, err) = convert(&folder, "unified", &drifted);
    assert_eq!((status, out.as_str()), (0, DIFF));
    assert!(err.contains("inner white space"), "{err}");
}

#[test]
fn what_a_format_cannot_say_is_told() {
    let folder = folder();
    let delete = "*** Begin Patch\n*** Delete File: server.toml\n*** End Patch\n";
    let (status, out, err) = convert(&folder, "edit", delete);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.contains("\"server.toml\": an old/new edit cannot express that a file is deleted"), "{err}");
    let chmod = "diff --git a/server.toml b/server.toml\nold mode 100644\nnew mode 100755\n";
    let (status, _, err) = convert(&folder, "envelope", chmod);
    assert_eq!(status, 1);
    assert!(err.contains("whether a file is executable"), "{err}");
    let open = "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
    assert_eq!(convert(&folder, "search-replace", open).0, 1);
    assert_eq!(convert(&folder, "unified", open).0, 0);
}

#[test]
fn a_move_stays_a_move() {
    let folder = folder();
    let text = ENVELOPE.replace("server.toml\n", "server.toml\n*** Move to: conf/main.toml\n");
    let (status, diff, _) = convert(&folder, "unified", &text);
    assert_eq!(status, 0);
    assert!(diff.contains("rename from server.toml\nrename to conf/main.toml\n"), "{diff}");
    assert_eq!(convert(&folder, "envelope", &diff).1, text);
}
