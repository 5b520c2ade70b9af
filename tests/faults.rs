//! The command, killed before every call that could change something, and with every call failing.
//!
//! `strace` injects the kills and the errors; where it is missing, or may not trace, a test says that it was
//! skipped. `FAULTS=full cargo test --release --test faults -- --nocapture` makes the sweeps as wide as
//! `docs/reliability.md` has them; without it they are narrower, so that they end in seconds.
//! `-- --ignored --nocapture` does the same to other tools, and prints what happens to them: always all of it.

#![cfg(all(target_os = "linux", feature = "cli"))]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "in a test a panic is the report")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use walkdir::WalkDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_apply-patch");

/// The calls that can change something.
const CHANGING: &[&str] = &[
    "open",
    "openat",
    "openat2",
    "write",
    "fsync",
    "fchmod",
    "chmod",
    "fchmodat",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "rmdir",
    "ftruncate",
];

/// The calls that can fail.
const FAILING: &[&str] = &[
    "open",
    "openat",
    "openat2",
    "newfstatat",
    "read",
    "write",
    "fsync",
    "fchmod",
    "fchown",
    "renameat",
    "renameat2",
    "linkat",
    "unlinkat",
    "mkdirat",
    "flock",
    "statx",
];

/// The errors that they fail with.
const ERRORS: &[&str] = &["EIO", "ENOSPC", "EMFILE", "EACCES", "EROFS", "EXDEV", "EINTR"];

type Tree = BTreeMap<String, Vec<u8>>;

/// A patch, and the trees before and after it.
struct Case {
    old: Tree,
    new: Tree,
    /// As an envelope.
    patch: String,
    /// As a unified diff with the headers of git, for other tools.
    diff: String,
    /// The old and the new name of a file that is moved.
    moved: Option<(&'static str, &'static str)>,
}

impl Case {
    /// An update of each of `n` files.
    fn updates(n: usize) -> Self {
        let mut case = Case::empty();
        for file in 0..n {
            let name = if file % 2 == 0 { format!("f{file}") } else { format!("sub/f{file}") };
            case.old.insert(name.clone(), format!("one\ntwo {file}\nthree\n").into());
            case.new.insert(name.clone(), format!("one\n2 {file}\nthree\n").into());
            writeln!(case.patch, "*** Update File: {name}\n@@\n one\n-two {file}\n+2 {file}").unwrap();
            let hunk = format!("@@ -1,3 +1,3 @@\n one\n-two {file}\n+2 {file}\n three");
            writeln!(case.diff, "--- a/{name}\n+++ b/{name}\n{hunk}").unwrap();
        }
        case.close()
    }

    /// An update, two new files in new folders, a delete and a move with a change.
    fn mixed() -> Self {
        let mut case = Case::empty();
        for (name, text) in
            [("up", "one\ntwo\n"), ("sub/gone", "gone\n"), ("from", "a\nb\n"), ("stays", "s\n")]
        {
            case.old.insert(name.into(), text.into());
        }
        for (name, text) in [
            ("up", "one\n2\n"),
            ("new/deep/x", "x\n"),
            ("new/y", "y\n"),
            ("to/there", "a\nB\n"),
            ("stays", "s\n"),
        ] {
            case.new.insert(name.into(), text.into());
        }
        case.patch.push_str(
            "*** Update File: up\n@@\n-two\n+2\n*** Add File: new/deep/x\n+x\n*** Add File: new/y\n+y\n\
             *** Delete File: sub/gone\n*** Update File: from\n*** Move to: to/there\n@@\n-b\n+B\n",
        );
        case.diff.push_str(MIXED_DIFF);
        case.moved = Some(("from", "to/there"));
        case.close()
    }

    fn empty() -> Self {
        let patch = "*** Begin Patch\n".to_owned();
        Case { old: Tree::new(), new: Tree::new(), patch, diff: String::new(), moved: None }
    }

    fn close(mut self) -> Self {
        self.patch.push_str("*** End Patch\n");
        self
    }
}

const MIXED_DIFF: &str = "\
diff --git a/up b/up
--- a/up
+++ b/up
@@ -1,2 +1,2 @@
 one
-two
+2
diff --git a/new/deep/x b/new/deep/x
new file mode 100644
--- /dev/null
+++ b/new/deep/x
@@ -0,0 +1 @@
+x
diff --git a/new/y b/new/y
new file mode 100644
--- /dev/null
+++ b/new/y
@@ -0,0 +1 @@
+y
diff --git a/sub/gone b/sub/gone
deleted file mode 100644
--- a/sub/gone
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/from b/to/there
similarity index 50%
rename from from
rename to to/there
--- a/from
+++ b/to/there
@@ -1,2 +1,2 @@
 a
-b
+B
";

/// A tool that applies a patch.
#[derive(Clone, Copy, PartialEq)]
enum Tool {
    Ours,
    OursWithoutSync,
    Recover,
    GnuPatch,
    GitApply,
}

/// The first line that the tool says about its version; `None` where it is not there.
fn version(tool: Tool) -> Option<String> {
    let program = match tool {
        Tool::GnuPatch => "patch",
        Tool::GitApply => "git",
        Tool::Ours | Tool::OursWithoutSync | Tool::Recover => PROGRAM,
    };
    let output = Command::new(program).arg("--version").output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}

/// A folder with the old tree and the patch.
struct Place {
    all: TempDir,
    /// The names of the files before and after; all else is left beside them.
    names: BTreeSet<String>,
}

impl Place {
    fn new(case: &Case) -> Self {
        let names = case.old.keys().chain(case.new.keys()).cloned().collect();
        let place = Place { all: tempfile::tempdir().unwrap(), names };
        for (name, bytes) in &case.old {
            let path = place.root().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        fs::write(place.all.path().join("patch-file"), &case.patch).unwrap();
        fs::write(place.all.path().join("diff-file"), &case.diff).unwrap();
        place
    }

    fn root(&self) -> PathBuf {
        self.all.path().join("root")
    }

    /// The files in the root; and how many others there are.
    fn tree(&self) -> (Tree, usize) {
        let (mut tree, mut side_files) = (Tree::new(), 0);
        for entry in WalkDir::new(self.root()).into_iter().map(Result::unwrap) {
            if entry.file_type().is_file() {
                let name = entry.path().strip_prefix(self.root()).unwrap().to_str().unwrap().to_owned();
                if self.names.contains(&name) {
                    tree.insert(name, fs::read(entry.path()).unwrap());
                } else {
                    side_files += 1;
                }
            }
        }
        (tree, side_files)
    }

    /// The tool's command, behind `strace` with these options.
    fn command(&self, tool: Tool, strace: &[String]) -> Command {
        let beside = |name: &str| self.all.path().join(name).to_str().unwrap().to_owned();
        let (patch, diff) = (beside("patch-file"), beside("diff-file"));
        let words: Vec<&str> = match tool {
            Tool::Ours => vec![PROGRAM, "-q", &patch],
            Tool::OursWithoutSync => vec![PROGRAM, "-q", "--no-sync", &patch],
            Tool::Recover => vec![PROGRAM, "recover"],
            Tool::GnuPatch => vec!["patch", "-s", "-t", "-N", "-p1", "-i", &diff],
            Tool::GitApply => vec!["git", "apply", &diff],
        };
        let mut command = Command::new(if strace.is_empty() { words[0] } else { "strace" });
        if !strace.is_empty() {
            command.args(["-f", "-o", &beside("trace")]).args(strace).arg(words[0]);
        }
        command.args(&words[1..]).current_dir(self.root()).env("GIT_CEILING_DIRECTORIES", self.all.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn run(&self, tool: Tool, strace: &[String]) -> Option<i32> {
        self.command(tool, strace).status().unwrap().code()
    }

    /// Recovers, until nothing is left to do.
    fn recover(&self) {
        assert_eq!(self.run(Tool::Recover, &[]), Some(0), "{:?}", self.tree());
    }
}

/// Which call of which name, counted from 1.
type Point = (String, usize);

/// Every call of these names that the tool makes once it has the patch; `None` where nothing can be traced.
fn points(case: &Case, tool: Tool, names: &[&str]) -> Option<Vec<Point>> {
    points_at(&Place::new(case), tool, names)
}

fn points_at(place: &Place, tool: Tool, names: &[&str]) -> Option<Vec<Point>> {
    // A name that this system has not is an error, unless it is marked.
    let names: Vec<String> = names.iter().map(|name| format!("?{name}")).collect();
    let trace = format!("trace={}", names.join(","));
    if !can_trace() {
        println!("skipped: strace is missing, or may not trace");
        return None;
    }
    assert_eq!(place.run(tool, &["-e".to_owned(), trace]), Some(0));
    let text = fs::read_to_string(place.all.path().join("trace")).unwrap();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found = Vec::new();
    let mut begun = tool == Tool::Recover;
    for line in text.lines() {
        let Some(name) = line.split_once(' ').and_then(|(_, call)| call.trim_start().split_once('(')) else {
            continue;
        };
        let count = counts.entry(name.0).or_default();
        *count += 1;
        begun |= line.contains("patch-file") || line.contains("diff-file");
        if begun {
            found.push((name.0.to_owned(), *count));
        }
    }
    // Where there is nothing to recover, the root is opened and a line is said.
    let least = if tool == Tool::Recover { 2 } else { 4 };
    assert!(found.len() >= least, "{text}");
    Some(found)
}

fn can_trace() -> bool {
    let mut nothing = Command::new("strace");
    nothing
        .args(["-o", "/dev/null", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    nothing.status().is_ok_and(|status| status.success())
}

fn kill((name, nth): &Point) -> Vec<String> {
    vec!["-e".into(), format!("trace={name}"), "-e".into(), format!("inject={name}:signal=KILL:when={nth}")]
}

fn fail((name, nth): &Point, errno: &str) -> Vec<String> {
    vec!["-e".into(), format!("trace={name}"), "-e".into(), format!("inject={name}:error={errno}:when={nth}")]
}

/// How trees were found.
#[derive(Debug, Default)]
struct Count {
    points: usize,
    old: usize,
    new: usize,
    /// Every file whole, some old and some new.
    mixed: usize,
    /// A file missing, or neither old nor new.
    torn: usize,
    side_files: usize,
}

impl Count {
    fn add(&mut self, case: &Case, (tree, side_files): &(Tree, usize)) {
        self.points += 1;
        self.side_files += side_files;
        let is_whole = |(name, bytes): (&String, &Vec<u8>)| {
            case.old.get(name) == Some(bytes) || case.new.get(name) == Some(bytes)
        };
        let is_there = |name: &String| tree.contains_key(name) || !case.new.contains_key(name);
        let is_moved = case.moved.is_none_or(|(from, to)| tree.contains_key(from) || tree.contains_key(to));
        if *tree == case.old {
            self.old += 1;
        } else if *tree == case.new {
            self.new += 1;
        } else if tree.iter().all(is_whole) && case.old.keys().all(is_there) && is_moved {
            self.mixed += 1;
        } else {
            self.torn += 1;
        }
    }
}

fn is_full() -> bool {
    std::env::var_os("FAULTS").is_some_and(|value| value == "full")
}

/// Kills before every changing call; after recovery the tree is old or new, and nothing is left beside it.
fn kill_sweep(name: &str, case: &Case, tool: Tool) {
    let Some(points) = points(case, tool, CHANGING) else { return };
    let (mut raw, mut recovered) = (Count::default(), Count::default());
    for point in &points {
        let place = Place::new(case);
        assert_eq!(place.run(tool, &kill(point)), None, "killed at {point:?}");
        raw.add(case, &place.tree());
        place.recover();
        recovered.add(case, &place.tree());
        let whole = recovered.old + recovered.new;
        assert_eq!((whole, recovered.side_files), (recovered.points, 0), "{point:?}: {:?}", place.tree());
    }
    println!("{name}: killed at {} points: {raw:?}\n    after recover: {recovered:?}", points.len());
    assert!(recovered.old > 0 && recovered.new > 0, "{recovered:?}");
}

#[test]
fn a_kill_at_any_call_leaves_the_old_or_the_new_tree_after_recovery() {
    for n in if is_full() { vec![1, 5, 20] } else { vec![1, 3] } {
        kill_sweep(&format!("{n} updates"), &Case::updates(n), Tool::Ours);
    }
}

#[test]
fn a_kill_in_the_middle_of_adds_deletes_and_moves_does_so_too() {
    kill_sweep("mixed", &Case::mixed(), Tool::Ours);
    if is_full() {
        kill_sweep("mixed, without sync", &Case::mixed(), Tool::OursWithoutSync);
    }
}

/// A kill, then a kill during recovery, then recovery.
#[test]
fn a_kill_during_recovery_is_recovered_from() {
    let case = if is_full() { Case::mixed() } else { Case::updates(2) };
    let Some(first) = points(&case, Tool::Ours, CHANGING) else { return };
    let mut count = Count::default();
    for point in first.iter().rev().step_by(if is_full() { 1 } else { 3 }) {
        let begin = || {
            let place = Place::new(&case);
            place.run(Tool::Ours, &kill(point));
            place
        };
        let Some(second) = points_at(&begin(), Tool::Recover, CHANGING) else { return };
        let own = second.iter().filter(|(name, _)| !["open", "openat", "write"].contains(&name.as_str()));
        for again in own {
            let place = begin();
            place.run(Tool::Recover, &kill(again));
            place.recover();
            count.add(&case, &place.tree());
            assert_eq!((count.mixed, count.torn, count.side_files), (0, 0, 0), "{point:?}, {again:?}");
        }
    }
    println!("killed, and killed during recovery: {count:?}");
    assert!(count.new > 0, "{count:?}");
}

/// One call fails: success and the new tree, failure and the old one, or a status that says to recover.
#[test]
fn an_error_at_any_call_leaves_the_old_tree_or_the_new_one() {
    let errors = if is_full() { ERRORS } else { &ERRORS[..1] };
    for (name, case) in [("5 updates", Case::updates(5)), ("mixed", Case::mixed())] {
        let Some(points) = points(&case, Tool::Ours, FAILING) else { return };
        let mut ends: BTreeMap<String, usize> = BTreeMap::new();
        for (errno, point) in errors.iter().flat_map(|errno| points.iter().map(move |point| (errno, point))) {
            let place = Place::new(&case);
            let status = place.run(Tool::Ours, &fail(point, errno)).unwrap();
            let (tree, _) = place.tree();
            let end = match status {
                0 => (tree == case.new).then_some("0, new"),
                4 => (tree == case.new).then_some("4, new"),
                5 => Some("5"),
                1..=3 => (tree == case.old).then_some("1, 2 or 3, old"),
                _ => None,
            };
            let end = end.unwrap_or_else(|| panic!("{point:?} {errno}: status {status}, {tree:?}"));
            *ends.entry(end.to_owned()).or_default() += 1;
            place.recover();
            let (tree, side_files) = place.tree();
            assert!(tree == case.old || tree == case.new, "{point:?} {errno}, status {status}: {tree:?}");
            assert_eq!(side_files, 0, "{point:?} {errno}, status {status}");
            assert!(status == 5 || (tree == case.new) == matches!(status, 0 | 4), "{point:?} {errno}");
        }
        println!("{name}: one error at {} points, {errors:?}: {ends:?}", points.len());
        assert!(ends.contains_key("0, new") && ends.contains_key("1, 2 or 3, old"), "{ends:?}");
    }
}

// The same for other tools, for the table in `docs/reliability.md`. They have nothing to recover with.

/// The tools that are there, each with its version.
fn tools() -> Vec<(String, Tool)> {
    let all = [("GNU patch", Tool::GnuPatch), ("git apply", Tool::GitApply), ("apply-patch", Tool::Ours)];
    let version = |(name, tool)| {
        let found = version(tool);
        if found.is_none() {
            println!("skipped: there is no {name}");
        }
        found.map(|version| (version, tool))
    };
    all.into_iter().filter_map(version).collect()
}

#[test]
#[ignore = "it measures other tools"]
fn other_tools_are_killed() {
    for (version, tool) in tools() {
        let updates = [1, 5, 20].map(|n| (format!("{n} updates"), Case::updates(n)));
        for (name, case) in updates.into_iter().chain([("mixed".to_owned(), Case::mixed())]) {
            let Some(points) = points(&case, tool, CHANGING) else { return };
            let mut killed = Count::default();
            for point in &points {
                let place = Place::new(&case);
                assert_eq!(place.run(tool, &kill(point)), None, "killed at {point:?}");
                killed.add(&case, &place.tree());
            }
            println!("{version}, {name}: killed {killed:?}");
        }
    }
}

/// What a tool said after an error, and what it had done.
#[derive(Debug, Default)]
struct Said {
    /// Success, and the new tree.
    new: usize,
    /// Failure, and the old tree.
    old: usize,
    /// Success, and another tree than the new one.
    wrongly_success: usize,
    /// Failure, and another tree than the old one.
    wrongly_failure: usize,
}

impl Said {
    fn add(&mut self, is_success: bool, case: &Case, tree: &Tree) {
        *match is_success {
            true if *tree == case.new => &mut self.new,
            true => &mut self.wrongly_success,
            false if *tree == case.old => &mut self.old,
            false => &mut self.wrongly_failure,
        } += 1;
    }
}

#[test]
#[ignore = "it measures other tools"]
fn other_tools_meet_errors() {
    let names: Vec<&str> =
        CHANGING.iter().chain(FAILING).copied().collect::<BTreeSet<_>>().into_iter().collect();
    for (version, tool) in tools() {
        for (name, case) in [("5 updates", Case::updates(5)), ("mixed", Case::mixed())] {
            let Some(points) = points(&case, tool, &names) else { return };
            for errno in ERRORS {
                let mut said = Said::default();
                for point in &points {
                    let place = Place::new(&case);
                    let status = place.run(tool, &fail(point, errno)).unwrap_or(1);
                    // Ours says with a status of its own that the patch is applied, and the clean-up is not.
                    let is_success = status == 0 || (tool == Tool::Ours && status == 4);
                    said.add(is_success, &case, &place.tree().0);
                }
                println!("{version}, {name}: {errno} at {} points: {said:?}", points.len());
            }
        }
    }
}

/// Then every folder is opened beneath the one before it.
#[test]
fn a_kernel_without_openat2_does_as_well() {
    let place = Place::new(&Case::mixed());
    let without = ["-e", "trace=openat2", "-e", "inject=openat2:error=ENOSYS"].map(str::to_owned);
    if can_trace() {
        assert_eq!(place.run(Tool::Ours, &without), Some(0));
        assert_eq!(place.tree(), (Case::mixed().new, 0));
    } else {
        println!("skipped: strace is missing, or may not trace");
    }
}

/// A guard against sweeps that sweep nothing.
#[test]
fn without_faults_the_patch_is_applied() {
    for case in [Case::updates(1), Case::updates(5), Case::mixed()] {
        let place = Place::new(&case);
        assert_eq!(place.run(Tool::Ours, &[]), Some(0));
        assert_eq!(place.tree(), (case.new.clone(), 0));
    }
}
