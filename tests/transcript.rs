//! The transcript that README.md shows, made from the cases that it is about.
//!
//! `UPDATE_TRANSCRIPT=1 cargo test --test transcript` writes it.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A success with drift, an ambiguity, a near miss.
const CASES: [&str; 3] = [
    "guard/misspelt-context/two-chunks-drifted/accepted",
    "place/two-places/equal/refused",
    "guard/other-word/digit/refused",
];

#[test]
fn the_transcript_is_what_is_said() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut words = String::new();
    for case in CASES {
        let case = root.join("fixtures").join(case);
        writeln!(words, "\u{1b}[2m$ apply-patch < answer.txt\u{1b}[0m").expect("a string");
        words += &said(&case);
        words.push('\n');
    }
    let svg = anstyle_svg::Term::new().render_svg(words.trim_end());
    let file: PathBuf = root.join("docs/transcript.svg");
    if std::env::var_os("UPDATE_TRANSCRIPT").is_some() {
        fs::write(&file, &svg).expect("docs is there");
    }
    let shown = fs::read_to_string(&file).expect("it was written");
    assert!(shown == svg, "run `UPDATE_TRANSCRIPT=1 cargo test --test transcript`, and look at it");
}

/// What people are told of a case, in colours.
fn said(case: &Path) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_apply-patch"))
        .args(["--check", "--for", "people"])
        .current_dir(case.join("before"))
        .env("CLICOLOR_FORCE", "1")
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let patch = fs::read(case.join("patch.txt")).expect("every case has a patch");
    child.stdin.take().expect("piped").write_all(&patch).expect("it is read");
    let output = child.wait_with_output().expect("the program ends");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
}
