//! Every line of `fixtures/path/attacks.tsv`, for every operation that it names.
//!
//! The runner checks the verdict and its code; that nothing beside the root has changed, by number, time and
//! bytes of every file; that a refused patch leaves the root as it was, and an accepted one changes no file but
//! the one where it is to land; and that no message holds a character that acts on a terminal.
//! `-- --ignored --nocapture` gives the same names to other tools in unified diffs, and prints what comes of it.

#![cfg(all(target_os = "linux", feature = "cli"))]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "in a test a panic is the report")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use apply_patch::apply::{Naming, Prepared, Roots};
use apply_patch::{format, plan};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;
use walkdir::WalkDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_apply-patch");
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/path/attacks.tsv");

/// A line of the table.
#[derive(Debug)]
struct Attack {
    id: String,
    operations: String,
    path: String,
    set_up: String,
    is_refused: bool,
    code: String,
    lands: String,
}

impl Attack {
    fn read(line: &str) -> Self {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, operations, path, set_up, verdict, code, lands] = fields[..] else {
            panic!("not seven fields: {line:?}")
        };
        let is_refused = match verdict {
            "refused" => true,
            "safe" => false,
            _ => panic!("neither refused nor safe: {line:?}"),
        };
        let [id, operations, path, set_up, code, lands] =
            [id, operations, path, set_up, code, lands].map(str::to_owned);
        Attack { id, operations, path, set_up, is_refused, code, lands }
    }

    /// The operations of the patches that the line stands for, each with its names, and a name for the patch.
    fn operations(&self, path: &str) -> Vec<(String, Vec<(char, String)>)> {
        if self.operations == "patch" {
            let parts = path.split('|').map(|part| part.split_once(' ').unwrap());
            let hunks = parts.map(|(operation, path)| (operation.chars().next().unwrap(), path.to_owned()));
            return vec![(self.id.clone(), hunks.collect())];
        }
        let each = self.operations.chars();
        each.map(|operation| (format!("{} {operation}", self.id), vec![(operation, path.to_owned())]))
            .collect()
    }

    /// From where to where a file is moved.
    fn ends<'a>(&self, path: &'a str) -> (&'a str, &'a str) {
        path.split_once(' ').filter(|_| self.operations == "patch").unwrap_or(("plain.txt", path))
    }

    /// The patches that the line stands for, each with a name.
    fn patches(&self, place: &Place) -> Vec<(String, String)> {
        let hunk = |(operation, path): &(char, String)| match operation {
            'A' => format!("*** Add File: {path}\n+new\n"),
            'U' => format!("*** Update File: {path}\n@@\n-old\n+new\n"),
            'D' => format!("*** Delete File: {path}\n"),
            'M' => {
                let (from, to) = self.ends(path);
                format!("*** Update File: {from}\n*** Move to: {to}\n@@\n-old\n+new\n")
            }
            _ => panic!("unknown operation {operation}"),
        };
        let whole = |hunks: String| format!("*** Begin Patch\n{hunks}*** End Patch\n");
        let patches = self.operations(&place.fill(&self.path)).into_iter();
        patches.map(|(name, hunks)| (name, whole(hunks.iter().map(hunk).collect()))).collect()
    }

    /// The same as unified diffs with the headers of git, in which no name leads out of the folder of `place`.
    fn diffs(&self, place: &Place) -> Vec<(String, String)> {
        let hunk = |(operation, path): &(char, String)| {
            let (from, to) = if *operation == 'M' { self.ends(path) } else { (&path[..], &path[..]) };
            let [from, to] = [from, to].map(|path| in_quotes(&place.kept_inside(path)));
            let null = "/dev/null";
            let (header, old, new, lines) = match operation {
                'A' => ("new file mode 100644\n".to_owned(), null, &to[..], "@@ -0,0 +1 @@\n+new"),
                'U' => (String::new(), &from[..], &to[..], "@@ -1 +1 @@\n-old\n+new"),
                'D' => ("deleted file mode 100644\n".to_owned(), &from[..], null, "@@ -1 +0,0 @@\n-old"),
                'M' => {
                    let names = format!("similarity index 50%\nrename from {from}\nrename to {to}\n");
                    (names, &from[..], &to[..], "@@ -1 +1 @@\n-old\n+new")
                }
                _ => panic!("unknown operation {operation}"),
            };
            format!("diff --git {from} {to}\n{header}--- {old}\n+++ {new}\n{lines}\n")
        };
        let patches = self.operations(&place.fill(&self.path)).into_iter();
        patches.map(|(name, hunks)| (name, hunks.iter().map(hunk).collect())).collect()
    }
}

/// As git writes a name that is not plain.
fn in_quotes(name: &str) -> String {
    let mut quoted = String::from('"');
    for c in name.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_ascii_control() => write!(quoted, "\\{:03o}", u32::from(c)).unwrap(),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A root, and what is beside it.
struct Place {
    all: TempDir,
}

/// Number, time and bytes of all files, links and folders.
type Guard = BTreeMap<PathBuf, (u64, i64, i64, Vec<u8>)>;

impl Place {
    fn new() -> Self {
        let place = Place { all: tempfile::tempdir().unwrap() };
        for name in ["root", "root-evil", "outside"] {
            fs::create_dir(place.at(name)).unwrap();
        }
        for name in ["root/plain.txt", "root-evil/x", "outside/secret"] {
            fs::write(place.at(name), "old\n").unwrap();
        }
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.all.path().canonicalize().unwrap().join(name)
    }

    /// A name or a set-up with everything put in that stands for something.
    fn fill(&self, text: &str) -> String {
        let (root, outside) = (self.at("root"), self.at("outside"));
        let root = root.to_str().unwrap();
        let mut text = text
            .replace("{root}", root)
            .replace("{ROOT}", &root.to_uppercase())
            .replace("{outside}", outside.to_str().unwrap())
            .replace("{n256}", &"n".repeat(256))
            .replace("{n255}", &"n".repeat(255))
            .replace("{p5000}", &"p/".repeat(2500))
            .replace("{d500}", &format!("{}x", "d/".repeat(500)));
        while let Some(start) = text.find("\\u{") {
            let end = start + text[start..].find('}').unwrap();
            let number = u32::from_str_radix(&text[start + 3..end], 16).unwrap();
            text.replace_range(start..=end, &char::from_u32(number).unwrap().to_string());
        }
        text
    }

    /// A name that leads out of the folder that all is in leads to `outside` instead: no other tool may reach
    /// the files of this machine.
    fn kept_inside(&self, name: &str) -> String {
        let (all, outside) = (self.at(""), self.at("outside"));
        let (all, outside) = (all.to_str().unwrap(), outside.to_str().unwrap());
        let kept = if let Some(ups) = name.strip_suffix("/etc/passwd").filter(|ups| ups.ends_with("..")) {
            format!("{ups}{outside}/secret")
        } else if let Some(path) = name.strip_prefix("/proc/self/root") {
            format!("/proc/self/root{outside}{path}")
        } else if name.starts_with('/') && !name.starts_with(all) && !name.starts_with("/proc/self/cwd") {
            let path = name.trim_start_matches('/');
            format!("{}{outside}/{path}", &name[..name.len() - path.len() - 1])
        } else {
            name.to_owned()
        };
        let mut leads_to = self.at("root");
        for part in Path::new(&kept).components() {
            match part {
                Component::ParentDir => drop(leads_to.pop()),
                part => leads_to.push(part),
            }
        }
        assert!(
            leads_to.starts_with(self.at("")) || leads_to.starts_with("/proc/self"),
            "{name:?}: {kept:?}"
        );
        kept
    }

    fn set_up(&self, set_up: &str, operation: char) {
        for part in set_up.split("; ").filter(|part| !matches!(*part, "-" | "case")) {
            let (kind, path) = part.split_once(':').unwrap_or((part, ""));
            let (kind, only) = kind.split_once('?').unwrap_or((kind, ""));
            if !only.is_empty() && !only.contains(operation) {
                continue;
            }
            let (path, target) = path.split_once("->").unwrap_or((path, ""));
            self.make(kind, &self.at("root").join(self.fill(path)), &self.fill(target), path);
        }
    }

    fn make(&self, kind: &str, path: &Path, target: &str, number: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match kind {
            "file" => fs::write(path, "old\n").unwrap(),
            "dir" => fs::create_dir_all(path).unwrap(),
            "link" => symlink(target, path).unwrap(),
            "hard" => fs::hard_link(self.at("outside/secret"), path).unwrap(),
            "fifo" => mknodat(CWD, path, FileType::Fifo, Mode::from_bits_truncate(0o600), 0).unwrap(),
            "socket" => drop(std::os::unix::net::UnixListener::bind(path).unwrap()),
            "git" => {
                fs::create_dir(self.at("root/.git")).unwrap();
                fs::write(self.at("root/.git/config"), "old\n").unwrap();
            }
            "chain" => {
                for link in 1..=number.parse::<usize>().unwrap() {
                    symlink(format!("l{}", link - 1), self.at("root").join(format!("l{link}"))).unwrap();
                }
            }
            _ => panic!("unknown set-up {kind}"),
        }
    }

    fn guard(&self, inside: bool) -> Guard {
        let walk = WalkDir::new(self.all.path().canonicalize().unwrap()).min_depth(1);
        let entries = walk.into_iter().map(Result::unwrap);
        let root = self.at("root");
        let entries = entries.filter(|entry| entry.path().starts_with(&root) == inside);
        let about = |entry: walkdir::DirEntry| {
            let meta = entry.path().symlink_metadata().unwrap();
            let bytes = if meta.is_file() { fs::read(entry.path()).unwrap() } else { Vec::new() };
            // Making a side file and removing it again changes the time of a folder.
            let time = if meta.is_dir() && inside { (0, 0) } else { (meta.mtime(), meta.mtime_nsec()) };
            (entry.into_path(), (meta.ino(), time.0, time.1, bytes))
        };
        entries.map(about).collect()
    }
}

/// The status of a run, and what it said.
fn run(place: &Place, patch: &str) -> (i32, String) {
    let file = place.all.path().join("patch");
    fs::write(&file, patch).unwrap();
    let output = Command::new(PROGRAM).arg("-C").arg(place.at("root")).arg(&file).output().unwrap();
    fs::remove_file(file).unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.code().unwrap(), said)
}

fn check(attack: &Attack, name: &str, nth: usize) -> Result<(), String> {
    let place = Place::new();
    place.set_up(&attack.set_up, name.chars().last().unwrap());
    let (_, patch) = attack.patches(&place).swap_remove(nth);
    // What is beside the root has its times only once the patch file is gone.
    let (beside, inside) = (place.guard(false), place.guard(true));
    let (status, said) = run(&place, &patch);
    let fail = |what: &str| Err(format!("{name}: {what}; status {status}:\n{said}"));
    let mut now = place.guard(false);
    now.retain(|path, _| {
        path.parent() != place.all.path().canonicalize().ok().as_deref() || beside.contains_key(path)
    });
    if now != beside {
        return fail("something outside of the root has changed");
    }
    if said.chars().any(acts) {
        return fail("a message holds a character that acts on a terminal");
    }
    if let Some(odd) = place.fill(&attack.path).chars().find(|c| acts(*c))
        && attack.is_refused
        && !said.contains(&odd.escape_debug().to_string())
    {
        return fail("the message does not show the name escaped");
    }
    if attack.is_refused {
        check_refused(attack, &place, &inside, status, &said).or_else(|what| fail(&what))
    } else {
        check_safe(attack, &place, &inside, status, name).or_else(|what| fail(&what))
    }
}

fn check_refused(
    attack: &Attack,
    place: &Place,
    before: &Guard,
    status: i32,
    said: &str,
) -> Result<(), String> {
    if status != 1 {
        return Err("not refused".to_owned());
    }
    if !said.contains(&format!("[{}]", attack.code)) {
        return Err(format!("not refused as {}", attack.code));
    }
    if place.guard(true) != *before {
        return Err("refused, and something was changed".to_owned());
    }
    Ok(())
}

fn check_safe(attack: &Attack, place: &Place, before: &Guard, status: i32, name: &str) -> Result<(), String> {
    let lands = place.at("root").join(place.fill(&attack.lands));
    if status != 0 {
        return Err("refused".to_owned());
    }
    let held = fs::read_to_string(&lands).ok();
    let expected = if name.ends_with(" D") { None } else { Some("new\n") };
    if held.as_deref() != expected {
        return Err(format!("{} holds {held:?}", lands.display()));
    }
    let mut now = place.guard(true);
    now.retain(|path, _| !lands.starts_with(path));
    let mut before = before.clone();
    before.retain(|path, _| !lands.starts_with(path));
    if name.ends_with(" M") {
        before.remove(&place.at("root/plain.txt"));
        now.remove(&place.at("root/plain.txt"));
    }
    if now == before { Ok(()) } else { Err("something else was changed".to_owned()) }
}

fn acts(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// On a file system that no disk here is: in memory.
fn check_in_memory(attack: &Attack) -> Result<(), String> {
    let place = Place::new();
    let files = attack.set_up.split("; ").filter_map(|part| part.strip_prefix("file:"));
    let files = files.map(|path| (place.fill(path).into(), b"old\n".to_vec())).collect();
    let roots = Roots::in_memory(&files, Naming::AnyCaseAndForm).unwrap();
    for (name, patch) in attack.patches(&place) {
        let parsed = format::parse(&patch, &format::Options::default());
        let outcome = match plan::plan(&parsed.patch, &roots, &plan::Options::default()) {
            Ok(plan) => roots.prepare(&plan.changes).and_then(Prepared::commit).map(drop).map_err(|_| "-"),
            Err(failures) => Err(failures.failures[0].kind.code()),
        };
        if outcome != if attack.is_refused { Err(attack.code.as_str()) } else { Ok(()) } {
            return Err(format!("{name}: {outcome:?}"));
        }
    }
    Ok(())
}

#[test]
fn no_name_leads_out() {
    let table = fs::read_to_string(TABLE).unwrap();
    let attacks: Vec<_> = table.lines().filter(|line| !line.starts_with('#')).map(Attack::read).collect();
    assert!(attacks.len() >= 90, "{} attacks", attacks.len());
    let (mut tried, mut wrong) = (0, String::new());
    for attack in &attacks {
        if attack.set_up.starts_with("case") {
            tried += 1;
            check_in_memory(attack).unwrap_or_else(|what| writeln!(wrong, "{what}").unwrap());
            continue;
        }
        for (nth, (name, _)) in attack.patches(&Place::new()).iter().enumerate() {
            tried += 1;
            check(attack, name, nth).unwrap_or_else(|what| writeln!(wrong, "{what}").unwrap());
        }
    }
    println!("{} attacks, {tried} patches", attacks.len());
    assert!(wrong.is_empty(), "{wrong}");
}

// The same names for other tools, for the table in `docs/reliability.md`.

/// What they are called, and the command, to which the name of the diff is added. Without `-t`, `-N` or `-f` GNU patch
/// asks a person; `-f` is to do what it would ask about, the others are to leave it.
const OTHER_TOOLS: &[(&str, &[&str])] = &[
    ("GNU patch", &["patch", "-p0", "-t", "-N", "-s", "-i"]),
    ("GNU patch -f", &["patch", "-p0", "-f", "-s", "-i"]),
    ("git apply", &["git", "apply", "-p0"]),
];

/// How many patches came to which end; with the names of those that should not have.
#[derive(Default)]
struct Ends(BTreeMap<&'static str, (usize, Vec<String>)>);

impl Ends {
    fn add(&mut self, end: &'static str, name: &str) {
        let (count, names) = self.0.entry(end).or_default();
        *count += 1;
        names.push(name.to_owned());
    }

    fn print(&self, title: &str) {
        println!("{title}");
        for (end, (count, names)) in &self.0 {
            let is_bad = end.starts_with('!');
            println!("  {count:4} {end} {}", if is_bad { names.join(", ") } else { String::new() });
        }
    }
}

/// Which of the names are other now, come or gone. A folder is the same as long as it is there.
fn changed(before: &Guard, now: &Guard) -> Vec<PathBuf> {
    let held =
        |guard: &Guard, path: &PathBuf| guard.get(path).map(|(number, .., bytes)| (*number, bytes.clone()));
    let all: BTreeSet<_> = before.keys().chain(now.keys()).collect();
    all.into_iter().filter(|path| held(before, path) != held(now, path)).cloned().collect()
}

/// What became of one attack; and how many bytes there are now in what is beside the root and was changed.
fn try_other(command: &[&str], attack: &Attack, name: &str, nth: usize) -> (&'static str, usize) {
    let (place, side_files) = (Place::new(), tempfile::tempdir().unwrap());
    // The one link that leads to the files of this machine.
    let set_up = if attack.set_up == "link:link->/" { "link:link->{root}/.." } else { &attack.set_up };
    place.set_up(set_up, name.chars().last().unwrap());
    let diff = side_files.path().join("diff");
    fs::write(&diff, attack.diffs(&place).swap_remove(nth).1).unwrap();
    let (beside, inside) = (place.guard(false), place.guard(true));
    let mut run = Command::new("timeout");
    run.arg("10").args(command).arg(&diff).current_dir(place.at("root")).env("TMPDIR", side_files.path());
    run.env("GIT_CEILING_DIRECTORIES", place.at("")).stdin(std::process::Stdio::null());
    let status = run.output().unwrap().status.code();
    let now = place.guard(false);
    let escaped = changed(&beside, &now);
    let bytes = escaped.iter().filter_map(|path| now.get(path)).map(|(.., bytes)| bytes.len()).sum();
    let is_reject =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == "rej" || ending == "orig");
    let mut changes = changed(&inside, &place.guard(true));
    changes.retain(|path| !is_reject(path));
    let is_git = |path: &PathBuf| path.iter().any(|part| part == ".git");
    let end = match status {
        _ if !escaped.is_empty() => "! changed something beside the root:",
        _ if changes.iter().any(is_git) => "! changed something in .git:",
        Some(124) => "! did not end:",
        Some(0) => "applied, inside the root",
        _ if !changes.is_empty() => "! refused, and changed something:",
        _ => "refused",
    };
    (end, bytes)
}

#[test]
#[ignore = "it measures other tools"]
fn other_tools_and_the_same_names() {
    let table = fs::read_to_string(TABLE).unwrap();
    let attacks = table.lines().filter(|line| !line.starts_with('#')).map(Attack::read);
    let attacks: Vec<_> = attacks.filter(|attack| !attack.set_up.starts_with("case")).collect();
    for (title, command) in OTHER_TOOLS {
        if Command::new(command[0]).arg("--version").output().is_err() {
            println!("skipped: there is no {title}");
            continue;
        }
        let (mut hostile, mut harmless, mut bytes) = (Ends::default(), Ends::default(), 0);
        for attack in &attacks {
            for (nth, (name, _)) in attack.diffs(&Place::new()).iter().enumerate() {
                let (end, beside) = try_other(command, attack, name, nth);
                bytes += beside;
                if attack.is_refused { &mut hostile } else { &mut harmless }.add(end, name);
            }
        }
        hostile.print(&format!("{title}, names that are to be refused; {bytes} bytes beside the root"));
        harmless.print(&format!("{title}, names that are harmless"));
    }
}
