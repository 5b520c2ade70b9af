//! A tree, a patch for it, and the command behind `strace`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use walkdir::WalkDir;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_apply-patch");

/// The calls that can change something.
pub(crate) const CHANGING: &[&str] = &[
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
pub(crate) const FAILING: &[&str] = &[
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
pub(crate) const ERRORS: &[&str] = &["EIO", "ENOSPC", "EMFILE", "EACCES", "EROFS", "EXDEV", "EINTR"];

/// In a patch: the further root.
const FURTHER: &str = "@FURTHER@";

pub(crate) type Tree = BTreeMap<String, Vec<u8>>;

/// A patch, and the trees before and after it.
pub(crate) struct Case {
    pub(crate) old: Tree,
    pub(crate) new: Tree,
    /// As an envelope.
    pub(crate) patch: String,
    /// As a unified diff with the headers of git, for other tools.
    pub(crate) diff: String,
    /// The old and the new name of a file that is moved.
    pub(crate) moved: Option<(&'static str, &'static str)>,
}

impl Case {
    /// An update of each of `n` files.
    pub(crate) fn updates(n: usize) -> Self {
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

    /// An update and a new file in each of two roots.
    pub(crate) fn two_roots() -> Self {
        let mut case = Case::empty();
        for (folder, in_patch) in [("", ""), ("../further/", "@FURTHER@/")] {
            case.old.insert(format!("{folder}up"), "one\ntwo\n".into());
            case.new.insert(format!("{folder}up"), "one\n2\n".into());
            case.new.insert(format!("{folder}new"), "new\n".into());
            let hunks =
                format!("*** Update File: {in_patch}up\n@@\n-two\n+2\n*** Add File: {in_patch}new\n+new\n");
            case.patch.push_str(&hunks);
        }
        case.close()
    }

    /// An update, two new files in new folders, a delete and a move with a change.
    pub(crate) fn mixed() -> Self {
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

    pub(crate) fn empty() -> Self {
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
pub(crate) enum Tool {
    Ours,
    OursWithoutSync,
    Recover,
    GnuPatch,
    GitApply,
}

/// The first line that the tool says about its version; `None` where it is not there.
pub(crate) fn version(tool: Tool) -> Option<String> {
    let program = match tool {
        Tool::GnuPatch => "patch",
        Tool::GitApply => "git",
        Tool::Ours | Tool::OursWithoutSync | Tool::Recover => PROGRAM,
    };
    let output = Command::new(program).arg("--version").output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}

/// A folder with the old tree and the patch.
pub(crate) struct Place {
    pub(crate) all: TempDir,
    /// The names of the files before and after; all else is left beside them.
    pub(crate) names: BTreeSet<String>,
    /// The calls that the system does not have, each with its error.
    pub(crate) without: &'static [(&'static str, &'static str)],
    is_mounted: bool,
}

/// What a tree is on.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Ground {
    Plain,
    /// A file system of two layers; the old files are in the lower layer.
    Overlay,
}

impl Place {
    pub(crate) fn new(case: &Case) -> Self {
        Self::on(case, Ground::Plain).unwrap()
    }

    /// Returns a place on such a file system; `None` if the test may not mount it.
    pub(crate) fn on(case: &Case, ground: Ground) -> Option<Self> {
        let names = case.old.keys().chain(case.new.keys()).cloned().collect();
        let all = tempfile::tempdir().unwrap();
        let mut place = Place { all, names, without: &[], is_mounted: false };
        let old = if ground == Ground::Overlay { place.beside("lower") } else { place.root() };
        for (name, bytes) in &case.old {
            let path = old.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let further = place.further();
        fs::write(place.beside("patch-file"), case.patch.replace(FURTHER, further.to_str().unwrap()))
            .unwrap();
        fs::write(place.beside("diff-file"), &case.diff).unwrap();
        (ground == Ground::Plain || place.mount_overlay()).then_some(place)
    }

    fn mount_overlay(&mut self) -> bool {
        for name in ["root", "upper", "work"] {
            fs::create_dir(self.beside(name)).unwrap();
        }
        let layer = |name: &str| format!("{name}dir={}", self.beside(name).display());
        let options = [layer("lower"), layer("upper"), layer("work")].join(",");
        let mut mount = Command::new("mount");
        mount.args(["-t", "overlay", "none", "-o", &options]).arg(self.root());
        self.is_mounted = mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        self.is_mounted
    }

    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.all.path().join(name)
    }

    /// The further root, which is there if the patch changes a file in it.
    fn further(&self) -> PathBuf {
        self.beside("further")
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.all.path().join("root")
    }

    /// The files in the root; and how many others there are.
    pub(crate) fn tree(&self) -> (Tree, usize) {
        let (mut tree, mut side_files) = (Tree::new(), 0);
        let further = WalkDir::new(self.further()).into_iter().filter_map(Result::ok);
        for entry in WalkDir::new(self.root()).into_iter().map(Result::unwrap).chain(further) {
            if entry.file_type().is_file() {
                let name = match entry.path().strip_prefix(self.root()) {
                    Ok(name) => name.to_str().unwrap().to_owned(),
                    Err(_) => format!("../further/{}", entry.file_name().to_str().unwrap()),
                };
                if self.names.contains(&name) {
                    tree.insert(name, fs::read(entry.path()).unwrap());
                } else {
                    side_files += 1;
                }
            }
        }
        (tree, side_files)
    }

    /// Adds the missing calls to options of `strace`, which injects errors only into calls that it traces.
    fn with_missing_calls(&self, strace: &[String]) -> Vec<String> {
        let mut options = strace.to_vec();
        for (call, error) in self.without {
            for traced in options.iter_mut().filter(|option| option.starts_with("trace=")) {
                write!(traced, ",{call}").unwrap();
            }
            options.extend(["-e".to_owned(), format!("inject={call}:error={error}")]);
        }
        options
    }

    /// The tool's command, behind `strace` with these options.
    pub(crate) fn command(&self, tool: Tool, strace: &[String]) -> Command {
        let beside = |name: &str| self.all.path().join(name).to_str().unwrap().to_owned();
        let (patch, diff) = (beside("patch-file"), beside("diff-file"));
        let mut words: Vec<&str> = match tool {
            Tool::Ours => vec![PROGRAM, "-q", &patch],
            Tool::OursWithoutSync => vec![PROGRAM, "-q", "--no-sync", &patch],
            Tool::Recover => vec![PROGRAM, "recover"],
            Tool::GnuPatch => vec!["patch", "-s", "-t", "-N", "-p1", "-i", &diff],
            Tool::GitApply => vec!["git", "apply", &diff],
        };
        let further = beside("further");
        if self.further().exists() {
            words.extend(["--root", &further]);
        }
        let strace = self.with_missing_calls(strace);
        let mut command = Command::new(if strace.is_empty() { words[0] } else { "strace" });
        if !strace.is_empty() {
            command.args(["-f", "-o", &beside("trace")]).args(&strace).arg(words[0]);
        }
        command.args(&words[1..]).current_dir(self.root()).env("GIT_CEILING_DIRECTORIES", self.all.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    pub(crate) fn run(&self, tool: Tool, strace: &[String]) -> Option<i32> {
        self.command(tool, strace).status().unwrap().code()
    }

    /// Recovers, until nothing is left to do.
    pub(crate) fn recover(&self) {
        assert_eq!(self.run(Tool::Recover, &[]), Some(0), "{:?}", self.tree());
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.is_mounted {
            let _ = Command::new("umount").arg(self.root()).status();
        }
    }
}

/// Which call of which name, counted from 1.
pub(crate) type Point = (String, usize);

/// Every call of these names that the tool makes once it has the patch; `None` where nothing can be traced.
pub(crate) fn points(case: &Case, tool: Tool, names: &[&str]) -> Option<Vec<Point>> {
    points_at(&Place::new(case), tool, names)
}

pub(crate) fn points_at(place: &Place, tool: Tool, names: &[&str]) -> Option<Vec<Point>> {
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
        let is_asked_for = names.iter().any(|asked| asked[1..] == *name.0);
        if !is_asked_for {
            continue;
        }
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

pub(crate) fn can_trace() -> bool {
    let mut nothing = Command::new("strace");
    nothing
        .args(["-o", "/dev/null", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    nothing.status().is_ok_and(|status| status.success())
}

pub(crate) fn kill((name, nth): &Point) -> Vec<String> {
    vec!["-e".into(), format!("trace={name}"), "-e".into(), format!("inject={name}:signal=KILL:when={nth}")]
}

pub(crate) fn fail((name, nth): &Point, errno: &str) -> Vec<String> {
    vec!["-e".into(), format!("trace={name}"), "-e".into(), format!("inject={name}:error={errno}:when={nth}")]
}

/// How trees were found.
#[derive(Debug, Default)]
pub(crate) struct Count {
    pub(crate) points: usize,
    pub(crate) old: usize,
    pub(crate) new: usize,
    /// Every file whole, some old and some new.
    pub(crate) mixed: usize,
    /// A file missing, or neither old nor new.
    pub(crate) torn: usize,
    pub(crate) side_files: usize,
}

impl Count {
    pub(crate) fn add(&mut self, case: &Case, (tree, side_files): &(Tree, usize)) {
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

pub(crate) fn is_full() -> bool {
    std::env::var_os("FAULTS").is_some_and(|value| value == "full")
}
