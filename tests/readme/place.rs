//! A directory with the files that the examples of the help and of README.md name.

use std::fs;
use std::process::Command;

/// A patch for `greet.py`.
pub(crate) const ANSWER: &str =
    "*** Begin Patch\n*** Update File: greet.py\n@@\n-print('helo')\n+print('hello')\n*** End Patch\n";

/// Rows for `apply-patch batch`.
const ROWS: &str = concat!(
    r#"{"id": 1, "path": "a.txt", "text": "one\n", "patch": "<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n"}"#,
    "\n",
    r#"{"id": 2, "root": ".", "patch": "no patch"}"#,
    "\n"
);

/// Makes the directory, with a git repository of four commits in it if git is installed.
pub(crate) fn make() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a temporary folder");
    for folder in ["project", "before", "after"] {
        fs::create_dir(place.path().join(folder)).expect("a new folder");
    }
    for (name, text) in [
        ("greet.py", "print('helo')\n"),
        ("project/greet.py", "print('helo')\n"),
        ("answer.txt", ANSWER),
        ("old.txt", "helo"),
        ("new.txt", "hello"),
        ("before/greet.py", "print('helo')\n"),
        ("after/greet.py", "print('hello')\n"),
        ("rows.jsonl", ROWS),
    ] {
        fs::write(place.path().join(name), text).expect("a new file");
    }
    // `make --git HEAD~3..HEAD` needs four commits.
    let git = |args: &[&str]| {
        let who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-C"];
        let mut command = Command::new("git");
        let status = command.args(who).arg(place.path()).args(args).status();
        assert!(status.is_err() || status.is_ok_and(|status| status.success()), "git {args:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    for message in ["one", "two", "three", "four"] {
        git(&["commit", "-q", "--allow-empty", "-m", message]);
    }
    place
}
