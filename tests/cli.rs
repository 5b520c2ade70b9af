//! The command: where the patch comes from, its options, what it prints where, its exit status.
//!
//! What a patch does to files is the corpus's business (`corpus.rs`).

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_apply-patch");

/// Changes `two` to `2` in `a.txt`.
const PATCH: &str = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** End Patch\n";

/// What [`PATCH`] makes of [`BEFORE`].
const AFTER: &str = "one\n2\nthree\n";

/// What is said where nobody reads a terminal.
const DONE: &str = "Done: 1 file changed.\nM a.txt +1 -1\n   2|2\nNext: nothing is left to do.\n";
const CHECKED: &str = "Nothing was changed, as this was a check: the patch fits, and would change 1 file.\nM a.txt +1 -1\n   2|2\nNext: to make the change, send the same again without `--check`.\n";
const BEFORE: &str = "one\ntwo\nthree\n";

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    status: i32,
    out: String,
    err: String,
}

/// A folder `root` with a file `a.txt`, and nothing else beside it.
struct Place {
    all: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Place { all: tempfile::tempdir().unwrap() };
        fs::create_dir(place.root()).unwrap();
        fs::write(place.root().join("a.txt"), BEFORE).unwrap();
        place
    }

    fn root(&self) -> PathBuf {
        self.beside("root")
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.all.path().join(name)
    }

    /// Runs the command in the root.
    fn run(&self, args: &[&str], stdin: impl AsRef<[u8]>) -> Run {
        self.run_as(Path::new(PROGRAM), args, stdin.as_ref())
    }

    fn run_as(&self, program: &Path, args: &[&str], stdin: &[u8]) -> Run {
        let mut child = Command::new(program)
            .args(args)
            .current_dir(self.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program may end before it has read everything.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        let output = child.wait_with_output().unwrap();
        Run {
            status: output.status.code().expect("not ended by a signal"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).unwrap()
    }

    /// The names in the root, to see that nothing is left behind.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Run {
    fn applied(out: &str) -> Self {
        Run { status: 0, out: out.to_owned(), err: String::new() }
    }

    /// Nothing on standard output, and these words on standard error.
    #[track_caller]
    fn assert_stopped(&self, status: i32, words: &str) {
        assert_eq!((self.status, self.out.as_str()), (status, ""), "{}", self.err);
        assert!(self.err.contains(words), "no {words:?} in: {}", self.err);
    }
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
}

// Where the patch comes from.

#[test]
fn a_patch_is_read_from_standard_input() {
    let place = Place::new();
    assert_eq!(place.run(&[], PATCH), Run::applied(DONE));
    assert_eq!(place.text("a.txt"), AFTER);
    assert_eq!(place.names(), ["a.txt"]);
}

#[test]
fn a_dash_is_standard_input() {
    let place = Place::new();
    assert_eq!(place.run(&["-"], PATCH), Run::applied(DONE));
}

#[test]
fn an_argument_names_the_file_that_holds_the_patch() {
    let place = Place::new();
    fs::write(place.beside("fix.patch"), PATCH).unwrap();
    assert_eq!(place.run(&["../fix.patch"], ""), Run::applied(DONE));
    assert_eq!(place.text("a.txt"), AFTER);
}

#[test]
fn the_patch_file_is_found_from_here_and_not_from_the_root() {
    let place = Place::new();
    fs::create_dir(place.root().join("sub")).unwrap();
    fs::write(place.root().join("sub/a.txt"), BEFORE).unwrap();
    fs::write(place.root().join("fix.patch"), PATCH).unwrap();
    assert_eq!(place.run(&["-C", "sub", "fix.patch"], ""), Run::applied(DONE));
    assert_eq!((place.text("sub/a.txt").as_str(), place.text("a.txt").as_str()), (AFTER, BEFORE));
}

#[test]
fn an_argument_with_line_breaks_is_the_patch_itself() {
    let place = Place::new();
    assert_eq!(place.run(&[PATCH], "not read"), Run::applied(DONE));
    assert_eq!(place.text("a.txt"), AFTER);
}

#[test]
fn an_argument_with_escaped_line_breaks_is_the_patch_itself() {
    let place = Place::new();
    let run = place.run(&[PATCH.replace('\n', "\\n").as_str()], "");
    assert_eq!((run.status, place.text("a.txt").as_str()), (0, AFTER), "{}", run.err);
    assert!(run.out.contains("undid the escapes"), "{}", run.out);
}

#[test]
fn a_patch_file_that_is_missing_is_wrong_usage() {
    Place::new().run(&["no.patch"], PATCH).assert_stopped(2, "cannot read `no.patch`");
}

#[test]
fn a_folder_is_no_patch_file() {
    Place::new().run(&["."], PATCH).assert_stopped(2, "cannot read `.`");
}

#[test]
fn empty_input_is_no_patch() {
    for input in ["", "\n", " \t\r\n\n"] {
        Place::new().run(&[], input).assert_stopped(2, "[no-envelope]");
    }
}

#[test]
fn a_text_without_an_envelope_is_no_patch() {
    Place::new().run(&[], "Sorry, I cannot do that.").assert_stopped(2, "[no-envelope]");
}

#[test]
fn a_patch_that_is_not_utf_8_is_no_patch() {
    let place = Place::new();
    let patch = [PATCH.as_bytes(), b"\xff\xfe\xe9"].concat();
    place.run(&[], patch).assert_stopped(2, "the patch is not text");
    place
        .run(&[], b"*** Begin Patch\n*** Add File: caf\xe9\n+x\n*** End Patch\n")
        .assert_stopped(2, "not text");
    assert_eq!(place.names(), ["a.txt"]);
}

#[test]
fn a_patch_in_utf_16_with_its_mark_is_read() {
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let place = Place::new();
        let run = place.run(&[], utf16(PATCH, bytes));
        assert_eq!((run.status, place.text("a.txt").as_str()), (0, AFTER), "{}", run.err);
    }
}

#[test]
fn a_patch_in_utf_16_that_is_cut_inside_a_unit_is_no_patch() {
    let mut patch = utf16(PATCH, u16::to_le_bytes);
    patch.pop();
    Place::new().run(&[], patch).assert_stopped(2, "the patch is not text");
}

// Where the files are.

#[test]
fn names_are_relative_to_the_folder_of_the_option_c() {
    let place = Place::new();
    let root = place.root();
    let elsewhere = Place::new();
    assert_eq!(elsewhere.run(&["-C", root.to_str().unwrap()], PATCH), Run::applied(DONE));
    assert_eq!((place.text("a.txt").as_str(), elsewhere.text("a.txt").as_str()), (AFTER, BEFORE));
}

#[test]
fn an_absolute_name_inside_the_root_is_allowed() {
    let place = Place::new();
    let name = place.root().join("a.txt").to_str().unwrap().to_owned();
    let run = place.run(&[], PATCH.replace("a.txt", &name));
    assert_eq!((run.status, place.text("a.txt").as_str()), (0, AFTER), "{}", run.err);
}

#[test]
fn an_absolute_name_in_a_further_root_is_allowed_only_with_that_root() {
    let place = Place::new();
    let shared = place.beside("shared");
    fs::create_dir(&shared).unwrap();
    fs::write(shared.join("a.txt"), BEFORE).unwrap();
    let patch = PATCH.replace("a.txt", shared.join("a.txt").to_str().unwrap());
    place.run(&[], &patch).assert_stopped(1, "[outside-root]");
    let run = place.run(&["--root", shared.to_str().unwrap()], &patch);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(shared.join("a.txt")).unwrap(), AFTER);
}

#[test]
fn a_further_root_does_not_open_its_neighbours() {
    let place = Place::new();
    fs::create_dir(place.beside("shared")).unwrap();
    fs::create_dir(place.beside("shared2")).unwrap();
    let name = place.beside("shared2").join("new.txt");
    let patch = format!("*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch\n", name.display());
    let shared = place.beside("shared");
    place.run(&["--root", shared.to_str().unwrap()], patch).assert_stopped(1, "[outside-root]");
    assert!(!name.exists());
}

#[test]
fn a_root_that_is_missing_or_no_folder_is_wrong_usage() {
    let place = Place::new();
    for option in ["-C", "--root"] {
        place.run(&[option, "nowhere"], PATCH).assert_stopped(2, "nowhere");
        place.run(&[option, "a.txt"], PATCH).assert_stopped(2, "a.txt");
    }
    assert_eq!(place.text("a.txt"), BEFORE);
}

/// Root may read everything, so that it has to be another user who cannot.
#[test]
#[cfg(unix)]
fn a_folder_that_cannot_be_read_stops_the_run() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let closed = place.root().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::write(closed.join("a.txt"), BEFORE).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let readable = fs::read_dir(&closed).is_ok();
    let run = place.run(&[], PATCH.replace("a.txt", "closed/a.txt"));
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    if readable {
        assert_eq!(run.status, 0, "{}", run.err);
    } else {
        run.assert_stopped(3, "[unreadable]");
        assert_eq!(place.text("closed/a.txt"), BEFORE);
    }
}

// What is done.

#[test]
fn a_check_says_what_would_be_done_and_touches_nothing() {
    for option in ["-n", "--check"] {
        let place = Place::new();
        assert_eq!(place.run(&[option], PATCH), Run::applied(CHECKED));
        assert_eq!(place.text("a.txt"), BEFORE);
        place.run(&[option], PATCH.replace("two", "zwei")).assert_stopped(1, "[not-found]");
    }
}

#[test]
fn people_are_told_in_fewer_words() {
    let place = Place::new();
    assert_eq!(place.run(&["--for", "people"], PATCH), Run::applied("M a.txt +1 -1\n"));
    let refused = Place::new().run(&["--for", "people"], PATCH.replace("two", "zwei"));
    assert!(
        refused.err.starts_with("Nothing was changed: the patch does not fit the file.\n"),
        "{}",
        refused.err
    );
    assert!(!refused.err.contains("Next: ") && !refused.err.contains('\u{1b}'), "{}", refused.err);
}

#[test]
fn colours_are_for_those_who_want_them() {
    let place = Place::new();
    let run = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_apply-patch"));
        command.args(["--check", "--for", "people", PATCH]).current_dir(place.root());
        let output = command.env(name, "1").output().expect("the program runs");
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(run("CLICOLOR_FORCE").contains("\u{1b}["));
    assert_eq!(run("NO_COLOR"), "M a.txt +1 -1\n");
}

#[test]
fn json_is_one_object_on_standard_output_whatever_happens() {
    let place = Place::new();
    let json = |patch: &str| -> serde_json::Value {
        let run = place.run(&["--json", "--check"], patch);
        assert_eq!(run.err, "");
        let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(json["status"], run.status);
        json
    };
    assert_eq!(json(PATCH)["outcome"], "would-apply");
    assert_eq!(json(&PATCH.replace("two", "zwei"))["outcome"], "refused");
    assert_eq!(json("no patch")["outcome"], "not-a-patch");
    let nowhere = place.run(&["--json", "nowhere.patch"], "");
    assert!(nowhere.out.contains("\"outcome\":\"stopped\""), "{}", nowhere.out);
}

#[test]
fn a_budget_keeps_the_first_line_and_the_last() {
    let place = Place::new();
    let chunk = |nth: usize| format!("@@\n-no line of the file, number {nth}\n+new\n");
    let chunks: String = (0..200).map(chunk).collect();
    let patch = format!("*** Begin Patch\n*** Update File: a.txt\n{chunks}*** End Patch\n");
    let run = place.run(&["--budget", "600"], &*patch);
    assert!(run.err.chars().count() <= 600, "{}", run.err);
    assert!(run.err.starts_with("Nothing was changed"), "{}", run.err);
    assert!(run.err.contains(" lines left out, to keep within 600 characters)\nNext: "), "{}", run.err);
    assert!(place.run(&["--budget", "0"], &*patch).err.contains("chunk 200 of 200"));
}

#[test]
fn a_diff_is_one_that_other_tools_read() {
    let place = Place::new();
    let patch =
        "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** Add File: b.txt\n+new\n*** End Patch\n";
    let run = place.run(&["-n", "--diff"], patch);
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+new\n";
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.ends_with(diff), "{}", run.out);
}

#[test]
fn a_stat_counts_lines_by_file() {
    let place = Place::new();
    let run = place.run(&["-n", "--stat", "--for", "people"], PATCH);
    assert_eq!(run, Run::applied("M a.txt +1 -1\n a.txt | 2 +-\n 1 file, 1 line added, 1 line removed\n"));
}

#[test]
fn a_coloured_diff_emphasises_what_differs_and_shows_no_escape_of_the_file() {
    let place = Place::new();
    fs::write(place.root().join("a.txt"), "let a = 1; \u{1b}[2J\n").unwrap();
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-let a = 1; \u{1b}[2J\n+let a = 2; \u{1b}[2J\n*** End Patch\n";
    let mut command = Command::new(env!("CARGO_BIN_EXE_apply-patch"));
    command.args(["-n", "-q", "--diff", patch]).current_dir(place.root()).env("CLICOLOR_FORCE", "1");
    let out = String::from_utf8(command.output().expect("the program runs").stdout).expect("text");
    assert!(!out.contains("\u{1b}[2J") && out.contains("\\u{1b}[2J"), "{out:?}");
    assert!(
        out.contains("\u{1b}[31m-\u{1b}[0m\u{1b}[31mlet a = \u{1b}[0m\u{1b}[1m\u{1b}[7m\u{1b}[31m1\u{1b}[0m"),
        "{out:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_has_no_terminal_cannot_be_asked() {
    let place = Place::new();
    let mut command = Command::new("setsid");
    command.args(["-w", env!("CARGO_BIN_EXE_apply-patch"), "-i", PATCH]).current_dir(place.root());
    let output = command.output().expect("util-linux is there");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no terminal to ask"));
    assert_eq!(place.text("a.txt"), BEFORE);
}

#[test]
fn explain_says_where_each_chunk_may_go_and_touches_nothing() {
    let place = Place::new();
    fs::write(place.root().join("a.txt"), "[one]\nport = 1\n\n[two]\nport = 1\n").unwrap();
    let patch = |header: &str| {
        format!("*** Begin Patch\n*** Update File: a.txt\n@@{header}\n-port=1\n+port=2\n*** End Patch\n")
    };
    let run = place.run(&["explain"], patch(""));
    let first = "    line 2: cost 8, not in the file 49, to be made, indentation: the same\n      -port=1  (line 2, cost 8, evidence 9)\n";
    let second = "    line 5: cost 8, not in the file 49, to be made, indentation: the same\n";
    assert!(run.out.contains(&format!("{first}{second}")), "{}", run.out);
    assert!(
        run.out.contains("    the cheapest is 0 cheaper than the next; the margin is 30\n"),
        "{}",
        run.out
    );
    let two = "    not placed: 2 positions match equally well: lines 2, 5\n  refused: patch line 3: a.txt: 2 positions match equally well: lines 2, 5 [ambiguous]\n";
    assert!(run.out.ends_with(two), "{}", run.out);
    assert_eq!((run.status, &*run.err), (1, ""));
    let run = place.run(&["explain"], patch(" [two]"));
    assert!(run.out.contains("    header `[two]`: line 4\n") && run.out.ends_with("  fits\n"), "{}", run.out);
    assert_eq!(run.status, 0);
    assert!(place.text("a.txt").starts_with("[one]\nport = 1\n"));
}

#[test]
fn explain_shows_what_fitting_a_quote_in_costs() {
    let place = Place::new();
    fs::write(
        place.root().join("a.txt"),
        "the first line of it\nthe second line of it\nthe third line of it\n",
    )
    .unwrap();
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n the first lien of it\n-the second line of it\n the third line of it\n*** End Patch\n";
    let run = place.run(&["explain"], patch);
    assert!(run.out.contains("    lines 1-3: cost 28, not in the file "), "{}", run.out);
    assert!(run.out.contains("       the first lien of it  (line 1, cost 28, evidence "), "{}", run.out);
    assert!(run.out.contains("    placed at line 1, cost 28, +0 -1: "), "{}", run.out);
}

#[test]
fn explain_prints_the_same_as_json() {
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/alignment");
    let place = Place::new();
    fs::copy(example.join("harbour.py"), place.root().join("harbour.py")).unwrap();
    let run = place.run(&["explain", "--json"], fs::read_to_string(example.join("patch.txt")).unwrap());
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let chunk = &json["hunks"][0]["chunks"][0];
    assert_eq!(chunk["line"], 6);
    let best = &chunk["candidates"][0];
    assert_eq!((best["cost"].as_u64(), best["null"].as_u64()), (Some(90), Some(245)));
    assert_eq!(best["indentation"], "4 spaces more");
    let lines: Vec<_> = best["rows"].as_array().unwrap().iter().map(|row| row["line"].as_u64()).collect();
    assert_eq!(lines, [Some(6), Some(7), Some(8), Some(9), Some(11)]);
}

#[test]
fn quiet_says_nothing_but_what_went_wrong() {
    let place = Place::new();
    assert_eq!(place.run(&["-q"], PATCH), Run::applied(""));
    assert_eq!(place.text("a.txt"), AFTER);
    place.run(&["--quiet"], PATCH.replace("one", "eins")).assert_stopped(1, "Nothing was changed");
}

#[test]
fn a_file_is_replaced_only_with_overwrite() {
    let place = Place::new();
    let patch = "*** Begin Patch\n*** Add File: a.txt\n+new\n*** End Patch\n";
    place.run(&[], patch).assert_stopped(1, "[already-exists]");
    assert_eq!(place.text("a.txt"), BEFORE);
    assert_eq!(place.run(&["--overwrite"], patch).status, 0);
    assert_eq!(place.text("a.txt"), "new\n");
}

#[test]
fn compat_codex_takes_the_first_place_and_overwrites() {
    let place = Place::new();
    fs::write(place.root().join("a.txt"), "one\none\n").unwrap();
    let twice = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** End Patch\n";
    place.run(&[], twice).assert_stopped(1, "[ambiguous]");
    assert_eq!(place.run(&["--compat", "codex"], twice).status, 0);
    assert_eq!(place.text("a.txt"), "1\none\n");
    let add = "*** Begin Patch\n*** Add File: a.txt\n+new\n*** End Patch\n";
    assert_eq!(place.run(&["--compat", "codex"], add).status, 0);
    assert_eq!(place.text("a.txt"), "new\n");
}

#[test]
fn what_is_said_beats_what_compat_implies() {
    let place = Place::new();
    fs::write(place.root().join("a.txt"), "one\none\n").unwrap();
    let twice = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** End Patch\n";
    place.run(&["--compat", "codex", "--ambiguity", "refuse"], twice).assert_stopped(1, "[ambiguous]");
}

#[test]
fn a_cut_off_patch_is_applied_only_when_that_is_accepted() {
    let place = Place::new();
    let patch = PATCH.replace("*** End Patch\n", "");
    place.run(&[], &patch).assert_stopped(2, "[truncated]");
    assert_eq!(place.text("a.txt"), BEFORE);
    let run = place.run(&["--accept-truncated"], &patch);
    assert_eq!((run.status, place.text("a.txt").as_str()), (0, AFTER), "{}", run.err);
}

#[test]
fn strict_repairs_nothing() {
    let place = Place::new();
    let patch = format!("```\n{PATCH}```\n");
    place.run(&["--strict"], &patch).assert_stopped(2, "[repaired]");
    assert_eq!(place.text("a.txt"), BEFORE);
    assert_eq!(place.run(&["--strict"], PATCH), Run::applied(DONE));
}

#[test]
fn match_exact_forgives_no_white_space() {
    let place = Place::new();
    let patch = PATCH.replace("-two\n", "-two  \n");
    place.run(&["--match", "exact"], &patch).assert_stopped(1, "[not-found]");
    assert_eq!(place.run(&["--match", "whitespace"], &patch).status, 0);
}

#[test]
fn the_same_patch_a_second_time_changes_nothing() {
    let place = Place::new();
    assert_eq!(place.run(&[], PATCH).status, 0);
    let run = place.run(&[], PATCH);
    assert_eq!((run.status, place.text("a.txt").as_str()), (0, AFTER), "{}", run.err);
    assert!(run.out.contains("already applied"), "{}", run.out);
}

#[test]
fn the_same_replacement_a_second_time_changes_nothing() {
    let place = Place::new();
    let replacement = ["replace", "a.txt", "--old", "two\n", "--new", "two\nand a half\n"];
    assert_eq!(place.run(&replacement, "").status, 0);
    let after = place.text("a.txt");
    let run = place.run(&replacement, "");
    assert_eq!((run.status, place.text("a.txt")), (0, after), "{}", run.err);
    assert!(run.out.contains("already applied"), "{}", run.out);
    let json = place.run(&[&replacement[..], &["--json"]].concat(), "").out;
    assert!(json.contains("\"changed\":false"), "{json}");
}

// How it ends.

#[test]
fn a_patch_that_does_not_fit_ends_with_1_and_changes_nothing() {
    let place = Place::new();
    let patch =
        "*** Begin Patch\n*** Add File: b.txt\n+x\n*** Update File: a.txt\n@@\n-nine\n+9\n*** End Patch\n";
    place.run(&[], patch).assert_stopped(1, "Nothing was changed");
    assert_eq!(place.names(), ["a.txt"]);
}

#[test]
fn wrong_usage_ends_with_2() {
    let place = Place::new();
    for args in
        [&["--no-such-option"][..], &["--match", "sloppy"], &["--compat", "git"], &["a", "b"], &["-C"]]
    {
        place.run(args, PATCH).assert_stopped(2, "Nothing was changed: ");
    }
    assert_eq!(place.text("a.txt"), BEFORE);
}

#[test]
fn help_and_version_end_with_0() {
    let place = Place::new();
    for option in ["-h", "--help", "-V", "--version"] {
        let run = place.run(&[option], "");
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        assert!(run.out.contains("apply-patch"), "{}", run.out);
    }
    assert!(place.run(&["--help"], "").out.contains("Exit status:"));
}

/// Nobody makes files in `/proc`, not even root: the refusal comes with the first write.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_takes_no_files_ends_with_3_and_changes_nothing() {
    let place = Place::new();
    let name = place.root().join("a.txt").to_str().unwrap().to_owned();
    let patch = PATCH.replace("a.txt", &name).replace("*** End", "*** Add File: made.txt\n+x\n*** End");
    let run = place.run(&["-C", "/proc", "--root", place.root().to_str().unwrap()], patch);
    run.assert_stopped(3, "Nothing was changed");
    assert_eq!((place.text("a.txt").as_str(), place.names()), (BEFORE, vec!["a.txt".to_owned()]));
}

#[test]
#[cfg(unix)]
fn the_names_that_models_use_behave_alike() {
    for name in ["apply_patch", "applypatch"] {
        let place = Place::new();
        let program = place.beside(name);
        // A link, since a copy that was just written is busy while another test starts its program.
        std::os::unix::fs::symlink(PROGRAM, &program).unwrap();
        assert_eq!(place.run_as(&program, &[PATCH], b""), Run::applied(DONE));
        assert_eq!(place.text("a.txt"), AFTER);
        let refused = place.run_as(&program, &[], PATCH.replace("one", "eins").as_bytes());
        assert_eq!(refused, place.run(&[], PATCH.replace("one", "eins")));
    }
}

/// A reader that is gone before the report comes.
#[test]
fn a_closed_standard_output_is_no_failure() {
    let place = Place::new();
    let mut child = Command::new(PROGRAM)
        .current_dir(place.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(PATCH.as_bytes()).unwrap();
    let mut words = String::new();
    child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert_eq!((child.wait().unwrap().code(), words.as_str()), (Some(0), ""));
    assert_eq!(place.text("a.txt"), AFTER);
}

/// A reader of the complaint that is gone.
#[test]
fn a_closed_standard_error_keeps_the_exit_status() {
    let place = Place::new();
    let mut child = Command::new(PROGRAM)
        .current_dir(place.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    child.stdin.take().unwrap().write_all(PATCH.replace("one", "eins").as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

// The format.

#[test]
fn fmt_prints_the_canonical_envelope_and_the_repairs() {
    let place = Place::new();
    let text = "```\n*** Begin Patch\n*** Update File:a.txt\n one\n-two\n+2\n\n*** End Patch\n```\n";
    let run = place.run(&["fmt"], text);
    assert_eq!(run.status, 0);
    assert_eq!(run.out, PATCH.replace("+2\n", "+2\n \n"));
    assert_eq!(
        run.err,
        "patch line 1: dropped a code fence around the patch\n\
         patch line 3: read a marker that is not spelt exactly\n\
         patch line 4: began a chunk without its `@@`\n\
         patch line 7: read an empty line as an empty context line (` `)\n\
         patch line 9: dropped a code fence around the patch\n"
    );
    let again = place.run(&["fmt", "--strict"], &run.out);
    assert_eq!(again, Run { status: 0, out: run.out, err: String::new() });
    assert_eq!(place.run(&["fmt", "--strict"], text).status, 2);
    assert_eq!(fs::read_to_string(place.root().join("a.txt")).unwrap(), BEFORE);
}

/// Only the file shows whether `two` is an added line that lost its sign, or context.
#[test]
fn fmt_keeps_what_only_the_file_decides() {
    let text = "*** Begin Patch\n*** Update File: f\n@@\n def f():\n     pass\n+one = 1\ntwo = 2\n+three = 3\n*** End Patch\n";
    let formatted = Place::new().run(&["fmt"], text);
    for patch in [text, &formatted.out] {
        let place = Place::new();
        fs::write(place.root().join("f"), "def f():\n    pass\n").unwrap();
        let run = place.run(&[], patch);
        assert_eq!(run.status, 0, "{patch}{}", run.err);
        assert_eq!(
            fs::read_to_string(place.root().join("f")).unwrap(),
            "def f():\n    pass\none = 1\ntwo = 2\nthree = 3\n"
        );
    }
}

#[test]
fn fmt_of_a_text_that_is_no_patch_prints_its_errors() {
    let run = Place::new().run(&["fmt"], "*** Begin Patch\n*** Rename File: a\n*** End Patch\n");
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    assert!(run.err.contains("[unknown-marker]"), "{}", run.err);
}

#[test]
fn the_grammar_and_the_instructions_are_in_the_program() {
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar");
    let lark = fs::read_to_string(folder.join("apply_patch.lark")).unwrap();
    assert_eq!(place.run(&["grammar"], "").out, lark);
    assert_eq!(place.run(&["grammar", "lark"], "").out, lark);
    let short = place.run(&["grammar", "--without", "delete,move"], "").out;
    assert!(
        !short.contains("Delete File") && !short.contains("Move to") && short.contains("Add File"),
        "{short}"
    );
    let instructions = fs::read_to_string(folder.join("instructions.md")).unwrap();
    assert!(instructions.split_whitespace().count() < 600, "short enough to stand before every task");
    assert_eq!(place.run(&["instructions"], "").out, instructions);
    for (command, file) in [("grammar", "search_replace.lark"), ("instructions", "search_replace.md")] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        assert_eq!(place.run(&[command, "--format", "search-replace"], "").out, text);
        let none = place.run(&[command, "--format", "unified"], "");
        assert_eq!((none.status, none.out.as_str()), (2, ""));
    }
}
