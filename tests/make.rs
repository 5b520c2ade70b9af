//! `apply-patch make`, and `--undo`: the way back, from files to a patch.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use walkdir::WalkDir;

/// What a run left behind.
#[derive(Debug)]
struct Run {
    status: i32,
    out: String,
    err: String,
}

/// A folder for two trees, `old` and `new`.
struct Place {
    all: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Place { all: tempfile::tempdir().unwrap() };
        fs::create_dir(place.at("old")).unwrap();
        fs::create_dir(place.at("new")).unwrap();
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.all.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn run(&self, args: &[&str], stdin: &str) -> Run {
        run(self.all.path(), env!("CARGO_BIN_EXE_apply-patch"), args, stdin)
    }

    fn git(&self, args: &[&str]) {
        let who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        let run = run(&self.at("old"), "git", &[&who[..], args].concat(), "");
        assert_eq!(run.status, 0, "{run:?}");
    }

    /// Makes the patch of the two trees, applies it to the old one, and compares.
    #[track_caller]
    fn round_trip(&self) -> String {
        let made = self.run(&["make", "old", "new"], "");
        assert_eq!((made.status, made.err.as_str()), (0, ""), "{made:?}");
        let applied = self.run(&["-C", "old"], &made.out);
        assert_eq!(applied.status, 0, "{applied:?}\n{}", made.out);
        assert_eq!(files(&self.at("old")), files(&self.at("new")));
        made.out
    }
}

fn run(dir: &Path, program: &str, args: &[&str], stdin: &str) -> Run {
    let mut child = Command::new(program)
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { status: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// All files in a folder.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let all = WalkDir::new(root).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let all = all.filter(|entry| !entry.path().components().any(|part| part.as_os_str() == ".git"));
    all.map(|entry| (entry.path().strip_prefix(root).unwrap().into(), fs::read(entry.path()).unwrap()))
        .collect()
}

fn envelope(inside: &str) -> String {
    format!("*** Begin Patch\n{inside}*** End Patch\n")
}

fn lines(count: usize) -> String {
    (0..count).flat_map(|nth| ["line ".to_owned(), nth.to_string(), "\n".to_owned()]).collect()
}

// What leads to a place.

#[test]
fn three_lines_of_context_are_enough_where_the_place_is_the_only_one() {
    let place = Place::new();
    place.write("old/a", lines(20));
    place.write("new/a", lines(20).replace("line 9\n", "line nine\n"));
    let wanted = "*** Update File: a\n@@\n line 6\n line 7\n line 8\n-line 9\n+line nine\n line 10\n line 11\n line 12\n";
    assert_eq!(place.round_trip(), envelope(wanted));
}

/// Functions that differ by their names alone.
fn functions(names: &[&str], body: &str) -> String {
    names.iter().flat_map(|name| ["def ", name, "(self):\n", body, "\n"]).collect()
}

#[test]
fn an_ambiguous_place_gets_the_header_that_leads_there() {
    let body = "    begin()\n    check()\n    read()\n    parse()\n    wait(1)\n    store()\n    close()\n    end()\n    return 0\n";
    let place = Place::new();
    let old = functions(&["load", "save", "drop"], body);
    place.write("old/a.py", &old);
    let new = old.split_inclusive("return 0\n").collect::<Vec<_>>();
    place.write("new/a.py", [new[0], &new[1].replace("wait(1)", "wait(2)"), new[2], new[3]].concat());
    let wanted = "*** Update File: a.py\n@@ def save(self):\n     check()\n     read()\n     parse()\n-    wait(1)\n+    wait(2)\n     store()\n     close()\n     end()\n";
    assert_eq!(place.round_trip(), envelope(wanted));
}

#[test]
fn an_ambiguous_place_without_a_header_gets_more_context() {
    let place = Place::new();
    let same = |count| "same\n".repeat(count);
    place.write("old/a", format!("{}one\n{}", same(8), same(12)));
    place.write("new/a", format!("{}one\n{}other\n{}", same(8), same(4), same(7)));
    let wanted =
        "*** Update File: a\n@@\n one\n same\n same\n same\n same\n-same\n+other\n same\n same\n same\n";
    assert_eq!(place.round_trip(), envelope(wanted));
}

#[test]
fn a_header_and_more_context_together() {
    let go = |count| "    go()\n".repeat(count);
    let body = format!("{}    wait()\n{}    wait()\n{}", go(7), go(3), go(7));
    let place = Place::new();
    let old = functions(&["load", "save", "drop"], &body);
    place.write("old/a.py", &old);
    let (before, rest) = old.split_once("def save(self):\n").unwrap();
    let second =
        rest.replacen("    wait()\n", "    first()\n", 1).replacen("    wait()\n", "    wait(2)\n", 1);
    let second = second.replacen("    first()\n", "    wait()\n", 1);
    place.write("new/a.py", format!("{before}def save(self):\n{second}"));
    let wanted = "*** Update File: a.py\n@@ def save(self):\n     wait()\n     go()\n     go()\n     go()\n-    wait()\n+    wait(2)\n     go()\n     go()\n     go()\n";
    assert_eq!(place.round_trip(), envelope(wanted));
}

#[test]
fn an_ambiguous_place_at_the_end_says_so() {
    let place = Place::new();
    place.write("old/a", "x\n".repeat(30));
    place.write("new/a", format!("{}y\n", "x\n".repeat(29)));
    let wanted = "*** Update File: a\n@@\n x\n x\n x\n-x\n+y\n*** End of File\n";
    assert_eq!(place.round_trip(), envelope(wanted));
}

#[test]
fn what_stands_everywhere_is_quoted_as_a_whole() {
    let place = Place::new();
    place.write("old/a", "x\n".repeat(300));
    place.write("new/a", format!("{}y\n{}", "x\n".repeat(150), "x\n".repeat(149)));
    assert_eq!(place.round_trip().lines().filter(|line| *line == " x").count(), 299);
}

/// Right behind its like a new line looks as if it had come already; right before it, it does not.
#[test]
fn more_of_the_same_goes_where_it_does_not_look_applied() {
    let place = Place::new();
    let rest = "fn a() {\n".repeat(20);
    place.write("old/a", format!("    go();\n    go();\n{rest}fn b() {{\n{rest}"));
    place.write("new/a", format!("    go();\n    go();\n    go();\n    go();\n{rest}fn b() {{\n{rest}"));
    place.round_trip();
}

// What a file is.

#[test]
fn files_that_come_go_and_move() {
    let place = Place::new();
    place.write("old/gone", "a\n");
    place.write("old/src/moved.txt", lines(20));
    place.write("old/same name/exact.bin", b"\0\xff");
    place.write("new/empty", "");
    place.write("new/lib/moved.txt", lines(19));
    place.write("new/other/exact.bin", b"\0\xff");
    let made = place.round_trip();
    let markers: Vec<&str> = made.lines().filter(|line| line.starts_with("*** ")).collect();
    let wanted = [
        "*** Begin Patch",
        "*** Add File: empty",
        "*** Delete File: gone",
        "*** Update File: src/moved.txt",
        "*** Move to: lib/moved.txt",
        "*** Update File: same name/exact.bin",
        "*** Move to: other/exact.bin",
        "*** End Patch",
    ];
    assert_eq!(markers, wanted, "{made}");
}

#[test]
fn line_ends_marks_and_bytes_that_are_not_text_stay() {
    let place = Place::new();
    place.write("old/crlf", "a\r\nb\r\nc\r\n");
    place.write("new/crlf", "a\r\nB\r\nc\r\n");
    place.write("old/open", "a\nb\nc");
    place.write("new/open", "A\nb\nc");
    place.write("old/mark", "\u{feff}a\nb\n");
    place.write("new/mark", "\u{feff}A\nb\n");
    place.write("old/odd", b"a\nb\nc\nd\ne\n\xff\n");
    place.write("new/odd", b"A\nb\nc\nd\ne\n\xff\n");
    place.write("new/new-crlf", "a\r\nb\r\n");
    place.round_trip();
}

/// A carriage return is a part of the last line if no line feed follows.
#[test]
fn a_carriage_return_at_the_end_of_a_file_is_in_the_diff() {
    for (old, new) in [("a\nb\r", None), ("a\nb\r", Some("A\nb\r"))] {
        let place = Place::new();
        place.write("old/f", old);
        place.write("old/other", "x\n");
        place.write("new/other", "y\n");
        if let Some(new) = new {
            place.write("new/f", new);
        }
        let made = place.run(&["make", "--to", "unified", "old", "new"], "");
        assert_eq!((made.status, made.err.as_str()), (0, ""), "{made:?}");
        let applied = place.run(&["-C", "old", "--match", "exact"], &made.out);
        assert_eq!(applied.status, 0, "{old:?} {new:?} {applied:?}\n{}", made.out);
        assert_eq!(files(&place.at("old")), files(&place.at("new")), "{}", made.out);
    }
}

#[test]
fn what_the_format_cannot_say_is_told_and_the_rest_is_said() {
    let place = Place::new();
    place.write("old/a", "a\n");
    place.write("new/a", "b\n");
    place.write("new/image", b"\0\xff");
    place.write("old/open", "a\nb");
    place.write("new/open", "a\nc");
    place.write("old/ends", "a\nb\n");
    place.write("new/ends", "a\r\nb\n");
    let made = place.run(&["make", "old", "new"], "");
    assert_eq!((made.status, made.out), (1, envelope("*** Update File: a\n@@\n-a\n+b\n")));
    let wanted = "left out: \"ends\": an envelope cannot express which lines end with LF and which with CR LF\n\
                  left out: \"image\": an envelope cannot express what is not text\n\
                  left out: \"open\": an envelope cannot express whether the last line ends with a line break\n";
    assert_eq!(made.err, wanted);
}

#[cfg(unix)]
#[test]
fn links_modes_and_fifos_are_told() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    symlink("a", place.at("old/link")).unwrap();
    symlink("b", place.at("new/link")).unwrap();
    symlink("b", place.at("old/same-link")).unwrap();
    symlink("b", place.at("new/same-link")).unwrap();
    place.write("old/run", "a\n");
    place.write("new/run", "b\n");
    fs::set_permissions(place.at("new/run"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Command::new("mkfifo").arg(place.at("new/fifo")).status().unwrap().success());
    let made = place.run(&["make", "old", "new"], "");
    assert_eq!((made.status, made.out), (1, envelope("*** Update File: run\n@@\n-a\n+b\n")));
    for what in [
        "\"fifo\": an envelope cannot express what is neither file nor folder",
        "\"link\": an envelope cannot express what becomes of a symbolic link",
        "\"run\": an envelope cannot express whether a file is executable",
    ] {
        assert!(made.err.contains(what), "{}", made.err);
    }
    assert!(!made.err.contains("same-link"), "{}", made.err);
    let unified = place.run(&["make", "old", "new", "--to", "unified"], "");
    assert!(unified.out.contains("new mode 100755"), "{}", unified.out);
}

#[test]
fn two_files_have_the_name_of_the_first() {
    let place = Place::new();
    place.write("old/a", "a\n");
    place.write("new/b", "b\n");
    let made = place.run(&["make", "old/a", "new/b"], "");
    assert_eq!((made.status, made.out), (0, envelope("*** Update File: old/a\n@@\n-a\n+b\n")));
    let absolute = place.at("old/a");
    let made = place.run(&["make", absolute.to_str().unwrap(), "new/b"], "");
    assert_eq!(made.out, envelope("*** Update File: a\n@@\n-a\n+b\n"));
    assert_eq!(place.run(&["make", "old/a", "new"], "").status, 2);
    assert_eq!(place.run(&["make", "old"], "").status, 2);
    let same = place.run(&["make", "old", "old"], "");
    assert_eq!((same.status, same.out.as_str(), same.err.as_str()), (0, "", "nothing differs\n"));
}

// From git.

#[test]
fn a_patch_from_git() {
    let place = Place::new();
    place.git(&["init", "-q"]);
    place.write("old/a b.txt", lines(20));
    place.write("old/sub/c.txt", "c\n");
    place.git(&["add", "."]);
    place.git(&["commit", "-q", "-m", "one"]);
    place.write("old/a b.txt", lines(20).replace("line 3\n", "line three\n"));
    place.write("old/new.txt", "n\n");
    let change = "*** Update File: a b.txt\n@@\n line 0\n line 1\n line 2\n-line 3\n+line three\n line 4\n line 5\n line 6\n";

    let made = place.run(&["-C", "old", "make", "--git"], "");
    assert_eq!((made.status, made.out), (0, envelope(change)));
    assert_eq!(made.err, "left out: 1 file that git does not track; --untracked takes them in\n");
    let made = place.run(&["-C", "old", "make", "--git", "--untracked"], "");
    let with_new = envelope(&format!("{change}*** Add File: new.txt\n+n\n"));
    assert_eq!((made.out, made.err), (with_new.clone(), String::new()));

    place.git(&["add", "."]);
    place.git(&["commit", "-q", "-m", "two"]);
    let made = place.run(&["-C", "old", "make", "--git", "HEAD~1..HEAD"], "");
    assert_eq!((made.status, made.out, made.err), (0, with_new, String::new()));
    let made = place.run(&["-C", "old/sub", "make", "--git", "HEAD~1"], "");
    assert_eq!((made.status, made.out), (0, String::new()));
    assert!(made.err.contains("outside of this folder, in 2 files"), "{}", made.err);

    for wrong in ["--git=--output=x", "--git=nowhere", "--git=HEAD..nowhere"] {
        let made = place.run(&["-C", "old", "make", wrong], "");
        assert_eq!((made.status, made.out.as_str()), (2, ""), "{}", made.err);
    }
    assert_eq!(place.run(&["-C", "new", "make", "--git"], "").status, 2);
}

#[test]
fn what_git_changes_in_a_check_out_is_no_difference() {
    let place = Place::new();
    place.git(&["init", "-q"]);
    place.write("old/.gitattributes", "*.txt text eol=crlf\n");
    place.write("old/a.txt", "a\r\nb\r\n");
    place.git(&["add", "."]);
    place.git(&["commit", "-q", "-m", "one"]);
    place.write("old/a.txt", "a\r\nB\r\n");
    let made = place.run(&["-C", "old", "make", "--git"], "");
    assert_eq!((made.status, made.out), (0, envelope("*** Update File: a.txt\n@@\n a\n-b\n+B\n")));
}

// Taking a run back.

#[test]
fn an_undo_brings_the_old_tree_back() {
    let place = Place::new();
    place.write("old/a", "a\r\nb\r\n");
    place.write("old/b", "x\n");
    place.write("old/c", lines(5));
    let before = files(&place.at("old"));
    let patch = envelope(
        "*** Update File: a\n@@\n a\n-b\n+B\n*** Delete File: b\n*** Update File: c\n*** Move to: d/c\n@@\n-line 1\n+line one\n*** Add File: e\n+e\n",
    );
    let checked = place.run(&["-C", "old", "--check", "--undo", "back"], &patch);
    assert_eq!((checked.status, checked.err.as_str()), (0, "undo: would be written to `back`\n"));
    assert!(!place.at("back").exists());

    let done = place.run(&["-C", "old", "--undo", "back"], &patch);
    assert_eq!((done.status, done.err.as_str()), (0, "undo: written to `back`\n"));
    assert_ne!(files(&place.at("old")), before);
    let back = place.run(&["-C", "old", "back"], "");
    assert_eq!(back.status, 0, "{back:?}\n{}", fs::read_to_string(place.at("back")).unwrap());
    assert_eq!(files(&place.at("old")), before);
    let names: Vec<_> = fs::read_dir(place.all.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

#[test]
fn a_replacement_can_be_taken_back() {
    let place = Place::new();
    place.write("old/a", "one two\n");
    let done = place.run(&["-C", "old", "replace", "a", "--old", "two", "--new", "2", "--undo", "back"], "");
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(place.run(&["-C", "old", "back"], "").status, 0);
    assert_eq!(fs::read_to_string(place.at("old/a")).unwrap(), "one two\n");
}

/// Refused before anything is changed, with these words.
#[track_caller]
fn assert_refused(place: &Place, patch: &str, undo: &str, status: i32, words: &str) {
    let before = files(&place.at("old"));
    let run = place.run(&["-C", "old", "--undo", undo], patch);
    assert_eq!(run.status, status, "{run:?}");
    assert!(run.err.contains(words), "{}", run.err);
    assert_eq!(files(&place.at("old")), before);
}

#[test]
fn what_cannot_be_taken_back_is_not_done() {
    let place = Place::new();
    place.write("old/open", "a\nb");
    place.write("old/image", b"\0");
    place.write("old/a", "a\n");
    let patch =
        envelope("*** Update File: open\n@@\n a\n-b\n+c\n*** Delete File: image\n*** Delete File: a\n");
    assert_refused(&place, &patch, "back", 1, "\"open\": an envelope cannot express whether the last line");
    assert_refused(&place, &patch, "back", 1, "\"image\": an envelope cannot express what is not text");
    assert!(!place.at("back").exists());
}

#[cfg(unix)]
#[test]
fn modes_come_back_by_moves_or_the_run_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("old/run", lines(3));
    fs::set_permissions(place.at("old/run"), fs::Permissions::from_mode(0o750)).unwrap();
    let delete = envelope("*** Delete File: run\n");
    assert_refused(&place, &delete, "back", 1, "\"run\": an envelope cannot express the mode bits");
    let moved = envelope("*** Update File: run\n*** Move to: go\n@@\n-line 1\n+line one\n");
    assert_eq!(place.run(&["-C", "old", "--undo", "back"], &moved).status, 0);
    assert_eq!(place.run(&["-C", "old", "back"], "").status, 0);
    assert_eq!(fs::metadata(place.at("old/run")).unwrap().permissions().mode() & 0o777, 0o750);
}

#[test]
fn an_undo_goes_over_nothing_and_through_nothing() {
    let place = Place::new();
    place.write("old/a", "a\n");
    place.write("there", "precious\n");
    let patch = envelope("*** Update File: a\n@@\n-a\n+b\n*** Add File: made/x\n+x\n");
    assert_refused(&place, &patch, "there", 2, "it is there already");
    assert_refused(&place, &patch, "old/made", 2, "the patch itself makes or changes it");
    assert_refused(&place, &patch, "old/a", 2, "it is there already");
    assert_refused(&place, &patch, "nowhere/back", 2, "there is no such folder");
    assert_refused(&place, &patch, "-", 2, "it goes to a file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("elsewhere", place.at("link")).unwrap();
        assert_refused(&place, &patch, "link", 2, "it is there already");
    }
    assert_eq!(fs::read_to_string(place.at("there")).unwrap(), "precious\n");
    assert!(!place.at("elsewhere").exists());
}

#[test]
fn where_nothing_changes_there_is_no_undo() {
    let place = Place::new();
    place.write("old/a", "x\nb\n");
    let patch = envelope("*** Update File: a\n@@\n x\n-b\n+b\n");
    let run = place.run(&["-C", "old", "--undo", "back"], &patch);
    assert_eq!((run.status, run.err.as_str()), (0, "undo: there is nothing to take back\n"));
    assert!(!place.at("back").exists());
}
