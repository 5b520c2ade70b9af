//! Every line of `fixtures/paths/attacks.tsv`, for every operation that it names.
//!
//! The runner checks the verdict and its code; that nothing beside the root has changed, by number, time and
//! bytes of every file; that a refused patch leaves the root as it was, and an accepted one changes no file but
//! the one where it is to land; and that no message holds a character that acts on a terminal.

#![cfg(all(target_os = "linux", feature = "cli"))]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "in a test a panic is the report")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use apply_patch::apply::{Naming, Prepared, Roots};
use apply_patch::{format, plan};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;
use walkdir::WalkDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_apply-patch");
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/paths/attacks.tsv");

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

    /// The patches that the line stands for, each with a name.
    fn patches(&self, place: &Place) -> Vec<(String, String)> {
        let hunk = |operation: &str, path: &str| match operation {
            "A" => format!("*** Add File: {path}\n+new\n"),
            "U" => format!("*** Update File: {path}\n@@\n-old\n+new\n"),
            "D" => format!("*** Delete File: {path}\n"),
            "M" => {
                let (from, to) = path
                    .split_once(' ')
                    .filter(|_| self.operations == "patch")
                    .unwrap_or(("plain.txt", path));
                format!("*** Update File: {from}\n*** Move to: {to}\n@@\n-old\n+new\n")
            }
            _ => panic!("unknown operation {operation}"),
        };
        let path = place.fill(&self.path);
        let whole = |hunks: &str| format!("*** Begin Patch\n{hunks}*** End Patch\n");
        if self.operations == "patch" {
            let hunks = path.split('|').map(|part| part.split_once(' ').unwrap());
            let hunks: String = hunks.map(|(operation, path)| hunk(operation, path)).collect();
            return vec![(self.id.clone(), whole(&hunks))];
        }
        let each = self.operations.chars().map(|operation| operation.to_string());
        each.map(|operation| (format!("{} {operation}", self.id), whole(&hunk(&operation, &path)))).collect()
    }
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
