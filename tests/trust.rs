//! Who may do what: lists that somebody planted, folders that several users share, rights that must not get wider.
//!
//! Some of these need several users, and so root; others say that they were skipped.

#![cfg(all(target_os = "linux", feature = "cli"))]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "in a test a panic is the report")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use apply_patch::apply::Roots;
use apply_patch::plan::Change;
use camino::Utf8Path;
use rustix::fs::{XattrFlags, getxattr, removexattr, setxattr};
use tempfile::TempDir;

const BOB: u32 = 10_002;
const CAROL: u32 = 10_003;
const PATCH: &str = "*** Begin Patch\n*** Update File: f\n@@\n one\n-two\n+TWO\n*** End Patch\n";

/// A folder that all users may enter, with a copy of the program, which all may start.
struct Place(TempDir);

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        set_mode(place.0.path(), 0o755);
        fs::create_dir(place.root()).unwrap();
        fs::create_dir(place.further()).unwrap();
        for (name, text) in files {
            fs::write(place.at(name), text).unwrap();
        }
        place
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("root")
    }

    fn further(&self) -> PathBuf {
        self.0.path().join("further")
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_apply-patch"))
            .arg("-C")
            .arg(self.root())
            .args(args)
            .output()
            .unwrap()
    }

    /// Runs the program as another user; `None` if this process may not.
    fn run_as(&self, user: u32, args: &[&str]) -> Option<Output> {
        let program = self.0.path().join("program");
        if !program.exists() {
            // Another process copies: a program that is open for writing cannot be started, and a process that another thread
            // starts meanwhile has the open files of this one.
            let copied =
                Command::new("cp").arg(env!("CARGO_BIN_EXE_apply-patch")).arg(&program).status().unwrap();
            assert!(copied.success());
            set_mode(&program, 0o755);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid", &user.to_string(), "--regid", &user.to_string(), "--clear-groups"]);
        command.arg(program).arg("-C").arg(self.root()).args(args);
        let output = command.output().ok()?;
        // It starts nothing where it may not change the user.
        output.status.code().filter(|status| *status != 127 && is_root()).map(|_| output)
    }

    fn side_files(&self) -> Vec<String> {
        let names = fs::read_dir(self.root()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with(".apply-patch-")).collect()
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn skipped() {
    println!("skipped: only root can act as several users");
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The checksum of an empty file, which every list can foresee.
const EMPTY: &str = "99aa06d3014798d86001c324468d497f";

/// A list that would delete an empty file.
fn list(path: &str) -> String {
    format!(
        r#"{{"version":2,"files":[],"folders":[],"steps":[{{"path":"{path}","was":{{"file":"{EMPTY}"}},"staged":null,"kept":".apply-patch-0000000000000001"}}]}}"#
    )
}

#[test]
fn a_list_of_other_rights_is_left_alone_and_said() {
    for (kind, state) in ["file", "link", "folder", "long", "two names"]
        .iter()
        .zip(["journal", "undo", "pending", "journal", "undo"])
    {
        let place = Place::new(&[("f", "one\ntwo\n"), ("empty", "")]);
        let planted = place.at(&format!(".apply-patch-{state}"));
        match *kind {
            "file" => fs::write(&planted, list("empty")).unwrap(),
            "link" => {
                fs::write(place.further().join("list"), list("empty")).unwrap();
                symlink(place.further().join("list"), &planted).unwrap();
            }
            "folder" => fs::create_dir(&planted).unwrap(),
            "long" => fs::File::create(&planted).unwrap().set_len(300 << 20).unwrap(),
            _ => {
                fs::write(&planted, list("empty")).unwrap();
                set_mode(&planted, 0o600);
                fs::hard_link(&planted, place.further().join("list")).unwrap();
            }
        }
        let output = place.run(&[PATCH]);
        assert_eq!(output.status.code(), Some(0), "{kind}: {}", said(&output));
        assert!(said(&output).contains("left alone"), "{kind}: {}", said(&output));
        assert_eq!(place.text("f"), "one\nTWO\n", "{kind}");
        assert!(place.at("empty").exists(), "{kind}");
        assert_eq!(place.side_files().len(), 1, "{kind}: {:?}", place.side_files());
        let output = place.run(&["recover", "--abandon"]);
        assert_eq!(output.status.code(), Some(0), "{kind}: {}", said(&output));
        assert_eq!(place.side_files(), [""; 0], "{kind}");
    }
}

/// A run that is killed beside a planted list is recovered from, while the list is there and when it is gone.
#[test]
fn a_run_beside_a_planted_list_is_recovered_from() {
    for is_gone in [false, true] {
        let place = Place::new(&[("f", "one\ntwo\n"), ("empty", ""), ("more", "")]);
        fs::write(place.at(".apply-patch-journal"), list("empty")).unwrap();
        let own = place.at(".apply-patch-journal-0123456789abcdef");
        fs::write(&own, list("more")).unwrap();
        set_mode(&own, 0o600);
        if is_gone {
            fs::remove_file(place.at(".apply-patch-journal")).unwrap();
        }
        let output = if is_gone { place.run(&["recover"]) } else { place.run(&[PATCH]) };
        assert!(said(&output).contains("finished"), "{}", said(&output));
        assert!(!place.at("more").exists() && place.at("empty").exists());
    }
}

#[test]
fn a_list_of_these_rights_still_does_nothing_in_a_further_root() {
    let place = Place::new(&[("f", "one\ntwo\n")]);
    let victim = place.further().join("__init__.py");
    fs::write(&victim, "").unwrap();
    fs::write(place.at(".apply-patch-journal"), list(victim.to_str().unwrap())).unwrap();
    set_mode(&place.at(".apply-patch-journal"), 0o600);
    let further = place.further();
    let output = place.run(&["--root", further.to_str().unwrap(), PATCH]);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert!(victim.exists());
    assert_eq!(
        place.run(&["--root", further.to_str().unwrap(), "recover", "--abandon"]).status.code(),
        Some(0)
    );
    assert!(victim.exists());
    assert_eq!(place.run(&["--root", further.to_str().unwrap(), PATCH]).status.code(), Some(0));
}

#[test]
fn nobody_acts_for_the_user_who_planted_a_list() {
    let place = Place::new(&[("f", "one\ntwo\n"), ("empty", "")]);
    set_mode(&place.root(), 0o1777);
    for name in ["f", "empty"] {
        set_mode(&place.at(name), 0o644);
    }
    fs::write(place.at(".apply-patch-journal"), list("empty")).unwrap();
    set_mode(&place.at(".apply-patch-journal"), 0o600);
    if !is_root() {
        return skipped();
    }
    // Carol plants; bob and root are the victims.
    chown(place.at(".apply-patch-journal"), Some(CAROL), Some(CAROL)).unwrap();
    for (victim, patch) in [(BOB, PATCH.to_owned()), (0, PATCH.replace("TWO", "2").replace("-two", "-TWO"))] {
        for name in ["f", "empty"] {
            chown(place.at(name), Some(victim), Some(victim)).unwrap();
        }
        let Some(output) = place.run_as(victim, &[&patch]) else { return skipped() };
        assert_eq!(output.status.code(), Some(0), "{victim}: {}", said(&output));
        assert!(place.at("empty").exists(), "{victim}");
        let output = place.run_as(victim, &["recover", "--abandon"]).unwrap();
        assert_eq!(output.status.code(), Some(0), "{victim}: {}", said(&output));
    }
    assert_eq!(place.text("f"), "one\n2\n");
}

#[test]
fn a_patch_that_fails_in_a_shared_folder_blocks_nobody() {
    let place = Place::new(&[("f", "one\ntwo\n"), ("g", "one\ntwo\n"), ("h", "one\ntwo\n")]);
    set_mode(&place.root(), 0o1777);
    for name in ["f", "g"] {
        set_mode(&place.at(name), 0o666);
    }
    if !is_root() {
        return skipped();
    }
    chown(place.at("h"), Some(CAROL), Some(CAROL)).unwrap();
    let both = PATCH.replace("*** End", "*** Update File: g\n@@\n one\n-two\n+TWO\n*** End");
    let Some(output) = place.run_as(BOB, &[&both]) else { return skipped() };
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("another user owns it"), "{}", said(&output));
    assert_eq!((place.text("f"), place.side_files()), ("one\ntwo\n".to_owned(), Vec::new()));
    // What an earlier version left there, of two users.
    fs::write(place.at(".apply-patch-undo"), list("f")).unwrap();
    set_mode(&place.at(".apply-patch-undo"), 0o600);
    chown(place.at(".apply-patch-undo"), Some(BOB), Some(BOB)).unwrap();
    let own = PATCH.replace("File: f", "File: h");
    let output = place.run_as(CAROL, &[&own]).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(place.text("h"), "one\nTWO\n");
}

#[test]
fn side_files_that_may_not_be_removed_keep_no_list_alive() {
    let place = Place::new(&[("f", "one\ntwo\n")]);
    set_mode(&place.root(), 0o1777);
    let side_file = ".apply-patch-00000000000000aa";
    let left = format!(r#"{{"version":2,"files":["{side_file}"],"folders":[],"steps":[]}}"#);
    fs::write(place.at(".apply-patch-pending"), left).unwrap();
    set_mode(&place.at(".apply-patch-pending"), 0o600);
    fs::write(place.at(side_file), "x\n").unwrap();
    if !is_root() {
        return skipped();
    }
    chown(place.at(".apply-patch-pending"), Some(BOB), Some(BOB)).unwrap();
    chown(place.at("f"), Some(BOB), Some(BOB)).unwrap();
    let Some(output) = place.run_as(BOB, &["recover"]) else { return skipped() };
    assert!(said(&output).contains(side_file), "{}", said(&output));
    assert_eq!(place.run_as(BOB, &[PATCH]).unwrap().status.code(), Some(0));
}

// Rights.

const LIST: &str = "system.posix_acl_access";
const DEFAULT: &str = "system.posix_acl_default";

/// An access list: the owner may read and write, the user 1 too, the group nothing, everybody nothing.
fn access_list() -> Vec<u8> {
    let mut list = vec![2, 0, 0, 0];
    for (tag, rights, of) in [
        (0x01_u16, 6_u16, u32::MAX),
        (0x02, 6, 1),
        (0x04, 0, u32::MAX),
        (0x10, 6, u32::MAX),
        (0x20, 0, u32::MAX),
    ] {
        list.extend(tag.to_le_bytes());
        list.extend(rights.to_le_bytes());
        list.extend(of.to_le_bytes());
    }
    list
}

fn found(path: &Path) -> Option<Vec<u8>> {
    attribute(path, LIST)
}

fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 1024];
    let length = getxattr(path, name, value.as_mut_slice()).ok()?;
    value.truncate(length);
    Some(value)
}

#[test]
fn an_access_list_goes_over_also_through_a_move() {
    let moved = PATCH.replace("File: f\n", "File: f\n*** Move to: moved\n");
    for (patch, name) in [(PATCH, "f"), (&moved, "moved")] {
        let place = Place::new(&[("f", "one\ntwo\n")]);
        if setxattr(place.at("f"), LIST, &access_list(), XattrFlags::empty()).is_err() {
            return println!("skipped: there are no access lists here");
        }
        let output = place.run(&[patch]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert_eq!(found(&place.at(name)), Some(access_list()));
        assert_eq!(
            fs::metadata(place.at(name)).unwrap().mode() & 0o777,
            0o660,
            "the mask is where the group's bits are"
        );
    }
}

#[test]
fn each_file_of_a_patch_keeps_its_own_access_list_and_attributes() {
    let lists = |name: &str| name.contains("list").then(access_list);
    let notes = |name: &str| name.contains("note").then(|| name.as_bytes().to_vec());
    for names in [&["list-note"][..], &["list-note", "list", "note", "plain"]] {
        for args in [&[][..], &["--no-sync"]] {
            let files: Vec<_> = names.iter().map(|name| (*name, "one\ntwo\n")).collect();
            let place = Place::new(&files);
            for name in names {
                set_mode(&place.at(name), 0o640);
                let set = |attribute, value: Option<Vec<u8>>| match value {
                    Some(value) => setxattr(place.at(name), attribute, &value, XattrFlags::empty()),
                    None => Ok(()),
                };
                if set(LIST, lists(name)).and(set("user.note", notes(name))).is_err() {
                    return println!("skipped: there are no access lists here");
                }
            }
            // The list that each new file gets from its folder must go.
            setxattr(place.root(), DEFAULT, &access_list(), XattrFlags::empty()).unwrap();
            let updates: String = names.iter().map(|name| update(name)).collect();
            let patch = format!("*** Begin Patch\n{updates}*** End Patch\n");
            let output = place.run(&[args, &[&patch]].concat());
            assert_eq!(output.status.code(), Some(0), "{}", said(&output));
            for name in names {
                let at = place.at(name);
                assert_eq!(place.text(name), "one\nTWO\n");
                assert_eq!(found(&at), lists(name), "{name} of {names:?}");
                assert_eq!(attribute(&at, "user.note"), notes(name), "{name} of {names:?}");
                let mode = if lists(name).is_some() { 0o660 } else { 0o640 };
                assert_eq!(fs::metadata(at).unwrap().mode() & 0o777, mode, "{name} of {names:?}");
            }
        }
    }
}

fn update(name: &str) -> String {
    format!("*** Update File: {name}\n@@\n one\n-two\n+TWO\n")
}

/// With an access list, the group's bits of the mode are the mask. Without the list, these bits would open the content
/// to the group. So the staged file needs the list before the commit, when the old file is compared.
#[test]
fn a_staged_file_has_its_access_list_before_the_commit() {
    for names in [&["f"][..], &["f", "g", "h"]] {
        let files: Vec<_> = names.iter().map(|name| (*name, "old\n")).collect();
        let place = Place::new(&files);
        for name in names {
            if setxattr(place.at(name), LIST, &access_list(), XattrFlags::empty()).is_err() {
                return println!("skipped: there are no access lists here");
            }
        }
        let change = |name: &&str| Change::of(*name, Some("old\n".into()), Some("new\n".into()));
        let changes: Vec<_> = names.iter().map(change).collect();
        let roots = Roots::open(Utf8Path::from_path(&place.root()).unwrap()).unwrap();
        let prepared = roots.prepare(&changes).unwrap();
        let staged: Vec<_> =
            place.side_files().into_iter().filter(|name| place.text(name) == "new\n").collect();
        assert_eq!(staged.len(), names.len());
        for name in staged {
            assert_eq!(found(&place.at(&name)), Some(access_list()));
        }
        drop(prepared);
        assert!(place.side_files().is_empty());
    }
}

#[test]
fn a_list_that_the_folder_gives_does_not_open_a_private_file() {
    let place = Place::new(&[("f", "one\ntwo\n")]);
    set_mode(&place.at("f"), 0o640);
    if setxattr(place.root(), DEFAULT, &access_list(), XattrFlags::empty()).is_err() {
        return println!("skipped: there are no access lists here");
    }
    let output = place.run(&[PATCH]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(found(&place.at("f")), None);
    assert_eq!(fs::metadata(place.at("f")).unwrap().mode() & 0o777, 0o640);
    // A new file has the list, as every new file there.
    place.run(&["*** Begin Patch\n*** Add File: new\n+x\n*** End Patch\n"]);
    assert!(found(&place.at("new")).is_some());
    removexattr(place.root(), DEFAULT).unwrap();
}

#[test]
fn a_group_that_is_not_kept_has_the_rights_of_everybody() {
    let place = Place::new(&[("f", "one\ntwo\n")]);
    set_mode(&place.root(), 0o777);
    set_mode(&place.at("f"), 0o664);
    if !is_root() {
        return skipped();
    }
    chown(place.at("f"), Some(CAROL), Some(20_001)).unwrap();
    let Some(output) = place.run_as(BOB, &[PATCH]) else { return skipped() };
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let meta = fs::metadata(place.at("f")).unwrap();
    assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o777), (BOB, BOB, 0o644));
}
