//! The command and the library on a real disk, with real limits: a full one, few file descriptors, runs and
//! programs that get in the way; and what becomes of what a file has besides its bytes.

#![cfg(all(target_os = "linux", feature = "cli"))]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "in a test a panic is the report")]

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use apply_patch::apply::{ApplyError, Options, Prepared, Roots};
use apply_patch::plan::{Digest, Files, Node, plan};
use apply_patch::{format, plan};
use camino::Utf8Path;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_apply-patch");

fn is_full() -> bool {
    std::env::var_os("FAULTS").is_some_and(|value| value == "full")
}

/// A root in a folder of its own.
struct Place {
    all: TempDir,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = Place { all: tempfile::tempdir().unwrap() };
        fs::create_dir(place.root()).unwrap();
        for (name, text) in files {
            fs::create_dir_all(place.at(name).parent().unwrap()).unwrap();
            fs::write(place.at(name), text).unwrap();
        }
        place
    }

    fn root(&self) -> PathBuf {
        self.all.path().join("root")
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    fn roots(&self) -> Roots {
        Roots::open(Utf8Path::from_path(&self.root()).unwrap()).unwrap()
    }

    fn run(&self, args: &[&str], patch: &str) -> Output {
        run(Command::new(PROGRAM).args(args).arg(patch).current_dir(self.root()))
    }
}

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn patch(hunks: &str) -> String {
    format!("*** Begin Patch\n{hunks}*** End Patch\n")
}

fn update(name: &str, old: &str, new: &str) -> String {
    format!("*** Update File: {name}\n@@\n-{old}\n+{new}\n")
}

fn apply(roots: &Roots, text: &str) -> Result<(), ApplyError> {
    let parsed = format::parse(text, &format::Options::default());
    let plan = plan(&parsed.patch, roots, &plan::Options::default()).unwrap();
    roots.prepare(&plan.changes).and_then(Prepared::commit).map(drop)
}

// Limits.

#[test]
fn few_file_descriptors_are_enough_for_many_files() {
    let place = Place::new(&[]);
    let mut hunks = String::new();
    for n in 0..200 {
        fs::write(place.at(&format!("f{n}")), "old\n").unwrap();
        hunks.push_str(&update(&format!("f{n}"), "old", "new"));
    }
    fs::write(place.all.path().join("patch"), patch(&hunks)).unwrap();
    let script = format!("ulimit -n 16; exec {PROGRAM} --no-sync -q ../patch");
    let output = run(Command::new("sh").args(["-c", &script]).current_dir(place.root()));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!((0..200).all(|n| place.text(&format!("f{n}")) == "new\n"));
}

/// The system sends a signal that ends the process in the middle of the write.
#[test]
fn a_limit_on_the_size_of_files_leaves_the_old_tree() {
    let long = "old\n".repeat(4096);
    let place = Place::new(&[("a", "old\n"), ("long", &long)]);
    let text = patch(&(update("a", "old", "new") + "*** Update File: long\n@@\n+new\n"));
    let script = format!("ulimit -f 2; exec {PROGRAM} -q \"$0\"");
    let output = run(Command::new("sh").args(["-c", &script, &text]).current_dir(place.root()));
    assert_ne!(output.status.code(), Some(0));
    assert_eq!(run(Command::new(PROGRAM).arg("recover").current_dir(place.root())).status.code(), Some(0));
    assert_eq!((place.text("a"), place.text("long")), ("old\n".into(), long));
    assert_eq!(fs::read_dir(place.root()).unwrap().count(), 2);
}

/// A disk that is full to the last kilobytes, with as few file numbers left. Only root can make one.
#[test]
fn a_full_disk_leaves_the_old_tree_or_the_new_one() {
    let place = Place::new(&[]);
    let mount = |options: &str| {
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", options, "none"]).arg(place.root());
        run(&mut command).status.success()
    };
    let unmount = || assert!(run(Command::new("umount").arg(place.root())).status.success());
    let (mut old, mut new) = (0, 0);
    let step = if is_full() { 1 } else { 7 };
    let sizes = (44..160).step_by(step).map(|kib| format!("size={kib}k"));
    let numbers = (6..30).step_by(step).map(|count| format!("size=1m,nr_inodes={count}"));
    for options in sizes.chain(numbers) {
        if !mount(&options) {
            println!("skipped: may not mount");
            return;
        }
        let before = "old\n".repeat(2000);
        let files = ["a", "b", "c", "from"];
        if files.iter().any(|name| fs::write(place.at(name), &before).is_err()) {
            unmount();
            continue;
        }
        let hunks = files[..3].iter().map(|name| format!("*** Update File: {name}\n@@\n+new\n"));
        let moved = "*** Update File: from\n*** Move to: to/there\n@@\n+new\n*** Add File: add/x\n+x\n";
        let output = place.run(&["-q"], &patch(&(hunks.collect::<String>() + moved)));
        let after = before.clone() + "new\n";
        let is = |name: &str, text: &str| fs::read_to_string(place.at(name)).is_ok_and(|held| held == text);
        let is_old = files.iter().all(|name| is(name, &before));
        let is_new =
            files[..3].iter().all(|name| is(name, &after)) && is("to/there", &after) && is("add/x", "x\n");
        let entries = fs::read_dir(place.root()).unwrap().count();
        match output.status.code() {
            Some(0) => assert!(is_new && entries == 5, "{options}"),
            status => assert!(is_old && entries == 4 && status == Some(3), "{options}: {}", said(&output)),
        }
        (old, new) = (old + usize::from(is_old), new + usize::from(is_new));
        unmount();
    }
    println!("full disks: {old} left as they were, {new} patched");
    assert!(old > 2 && new > 2, "{old} {new}");
}

#[test]
fn a_patch_or_a_file_that_is_too_long_is_refused_with_its_option() {
    let place = Place::new(&[("a", "old\nand more\n")]);
    let text = patch(&update("a", "old", "new"));
    let output = place.run(&["--max-patch-size", "20"], &text);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("--max-patch-size"), "{}", said(&output));
    fs::write(place.all.path().join("patch"), &text).unwrap();
    let output = place.run(&["--max-patch-size", "20"], "../patch");
    assert_eq!(output.status.code(), Some(2));
    let output = place.run(&["--max-file-size", "12"], &text);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("[too-long]") && said(&output).contains("--max-file-size"));
    assert_eq!(place.text("a"), "old\nand more\n");
    let length = text.len().to_string();
    let output = place.run(&["--max-file-size", "13", "--max-patch-size", &length], &text);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

// Others at the same time.

/// Two runs over one file, each with a change of its own: none is lost.
#[test]
fn of_two_runs_at_once_none_loses_its_change() {
    let tries = if is_full() { 1000 } else { 100 };
    let place = Place::new(&[("a", "")]);
    let mut again = 0;
    for _ in 0..tries {
        fs::write(place.at("a"), "one\ntwo\nthree\nfour\nfive\n").unwrap();
        fs::write(place.at("b"), "six\n").unwrap();
        let texts =
            [patch(&update("a", "one", "1")), patch(&(update("a", "five", "5") + &update("b", "six", "6")))];
        again += std::thread::scope(|scope| {
            let runs = texts.each_ref().map(|text| scope.spawn(|| until_applied(&place, text)));
            runs.into_iter().map(|run| run.join().unwrap()).sum::<usize>()
        });
        assert_eq!(place.text("a"), "1\ntwo\nthree\nfour\n5\n");
        assert_eq!(place.text("b"), "6\n");
    }
    println!("{tries} tries of two runs at once, of which {again} had to begin anew");
    assert_eq!(fs::read_dir(place.root()).unwrap().count(), 2);
}

/// Applies a patch, anew whenever somebody changed the file meanwhile; gives how often.
fn until_applied(place: &Place, text: &str) -> usize {
    let options = Options::default().with_sync(false);
    for again in 0.. {
        match apply(&place.roots().with_options(options), text) {
            Ok(()) => return again,
            Err(ApplyError::Changed { .. }) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
    unreachable!("the loop has no end")
}

#[test]
fn a_second_run_waits_for_the_first_or_says_so() {
    let place = Place::new(&[("a", "old\n"), ("b", "old\n")]);
    let roots = place.roots();
    let text = patch(&update("a", "old", "new"));
    let parsed = format::parse(&text, &format::Options::default());
    let planned = plan(&parsed.patch, &roots, &plan::Options::default()).unwrap();
    let prepared = roots.prepare(&planned.changes).unwrap();
    let other = patch(&update("b", "old", "new"));
    let output = place.run(&["--no-wait"], &other);
    assert_eq!(output.status.code(), Some(3));
    assert!(said(&output).contains("another run is at work"), "{}", said(&output));
    assert_eq!(place.text("b"), "old\n");
    let mut waiting = Command::new(PROGRAM).args(["-q", &other]).current_dir(place.root()).spawn().unwrap();
    prepared.commit().unwrap();
    assert!(waiting.wait().unwrap().success());
    assert_eq!((place.text("a"), place.text("b")), ("new\n".into(), "new\n".into()));
}

/// A short wait is silent; a long wait has a line, except in JSON.
#[test]
fn a_run_that_waits_for_long_reports_that() {
    for (args, pause, is_reported) in
        [(&["-q"][..], 0, false), (&["-q"][..], 2500, true), (&["--json"][..], 1500, false)]
    {
        let place = Place::new(&[("a", "old\n"), ("b", "old\n")]);
        let roots = place.roots();
        let text = patch(&update("a", "old", "new"));
        let parsed = format::parse(&text, &format::Options::default());
        let planned = plan(&parsed.patch, &roots, &plan::Options::default()).unwrap();
        let prepared = roots.prepare(&planned.changes).unwrap();
        let mut waiting = Command::new(PROGRAM);
        waiting.args(args).arg(patch(&update("b", "old", "new"))).current_dir(place.root());
        waiting.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let waiting = waiting.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        prepared.commit().unwrap();
        let output = waiting.wait_with_output().unwrap();
        assert!(output.status.success());
        let words = said(&output);
        assert_eq!(words.starts_with("Waiting for another run in "), is_reported, "{words}");
        assert_eq!(words.lines().count(), usize::from(is_reported), "{words}");
        assert_eq!(place.text("b"), "new\n");
    }
}

/// A program that takes no lock edits the file after the plan, before or after it is staged.
#[test]
fn an_edit_between_plan_and_commit_is_always_noticed() {
    for (before_prepare, text) in [(true, "mine\n"), (false, "mine\n"), (true, "OLD\n"), (false, "OLD\n")] {
        let place = Place::new(&[("a", "old\n"), ("b", "old\n")]);
        let roots = place.roots();
        let hunks = update("a", "old", "new") + &update("b", "old", "new");
        let text_of = patch(&hunks);
        let parsed = format::parse(&text_of, &format::Options::default());
        let planned = plan(&parsed.patch, &roots, &plan::Options::default()).unwrap();
        let error = if before_prepare {
            fs::write(place.at("b"), text).unwrap();
            // One of the same length is noticed when the bytes are compared: right before the commit point.
            roots.prepare(&planned.changes).and_then(Prepared::commit).unwrap_err()
        } else {
            let prepared = roots.prepare(&planned.changes).unwrap();
            fs::write(place.at("b"), text).unwrap();
            prepared.commit().unwrap_err()
        };
        assert!(matches!(&error, ApplyError::Changed { path } if path == "b"), "{error:?}");
        assert_eq!((place.text("a"), place.text("b")), ("old\n".into(), text.into()));
        assert_eq!(fs::read_dir(place.root()).unwrap().count(), 2);
    }
}

/// Another process swaps a folder for a link out of the root, again and again, while patches are applied.
#[test]
fn a_folder_that_is_swapped_for_a_link_leads_nowhere() {
    let tries = if is_full() { 10_000 } else { 500 };
    let place = Place::new(&[("sub/a", "old\n")]);
    let away = place.all.path().join("away");
    fs::create_dir(&away).unwrap();
    fs::write(away.join("a"), "old\n").unwrap();
    symlink("../away", place.at("link")).unwrap();
    let stop = AtomicBool::new(false);
    let (mut applied, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut turn = 1;
            while !stop.load(Ordering::Relaxed) {
                let swap = || {
                    rustix::fs::renameat_with(
                        rustix::fs::CWD,
                        place.at("sub"),
                        rustix::fs::CWD,
                        place.at("link"),
                        rustix::fs::RenameFlags::EXCHANGE,
                    )
                };
                swap().unwrap();
                std::thread::yield_now();
                swap().unwrap();
                // Long enough for a whole patch at times, and at times in the middle of one.
                turn = (turn * 7 + 3) % 101;
                std::thread::sleep(std::time::Duration::from_micros(turn * 20));
            }
        });
        let options = Options::default().with_sync(false);
        let roots = place.roots().with_options(options);
        for n in 0..tries {
            let hunks = format!(
                "*** Add File: sub/new{n}\n+x\n*** Add File: sub/deep{n}/y\n+y\n*** Delete File: sub/a\n"
            );
            let text = patch(&hunks);
            let parsed = format::parse(&text, &format::Options::default());
            let done = plan(&parsed.patch, &roots, &plan::Options::default())
                .is_ok_and(|plan| roots.prepare(&plan.changes).and_then(Prepared::commit).is_ok());
            if done {
                applied += 1;
            } else {
                refused += 1;
            }
            while roots.recover().is_err() && roots.abandon().is_err() {}
            // One of the two is the folder now, and the other one leads out.
            for name in ["sub/a", "link/a"] {
                fs::write(place.at(name), "old\n").unwrap();
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    println!("{tries} patches while a folder was swapped for a link: {applied} applied, {refused} refused");
    let escaped: Vec<_> = fs::read_dir(&away).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(escaped, ["a"], "nothing was written outside of the root, and nothing deleted");
    assert!(refused > 0 && applied > 0, "{applied} applied, {refused} refused");
}

// What a file is, besides its bytes.

#[test]
fn what_a_file_has_besides_its_bytes_is_kept_or_not_as_documented() {
    let place = Place::new(&[("a", "old\n"), ("run.sh", "old\n")]);
    fs::set_permissions(place.at("a"), fs::Permissions::from_mode(0o4640)).unwrap();
    fs::set_permissions(place.at("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::hard_link(place.at("a"), place.at("other")).unwrap();
    let has_attributes =
        rustix::fs::setxattr(place.at("a"), "user.note", b"kept?", rustix::fs::XattrFlags::empty());
    let before = fs::metadata(place.at("a")).unwrap();
    let moved = "*** Update File: run.sh\n*** Move to: bin/run.sh\n@@\n-old\n+new\n";
    apply(&place.roots(), &patch(&(update("a", "old", "new") + moved))).unwrap();
    let after = fs::metadata(place.at("a")).unwrap();
    assert_eq!(after.mode() & 0o7777, 0o640, "the bits are kept, set-user-id is not");
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()), "the owner is kept");
    assert_ne!(after.ino(), before.ino(), "it is a new file");
    assert_eq!(
        (after.nlink(), place.text("other")),
        (1, "old\n".into()),
        "the other name keeps the old content"
    );
    assert!(after.modified().unwrap() >= before.modified().unwrap());
    assert_eq!(fs::metadata(place.at("bin/run.sh")).unwrap().mode() & 0o777, 0o755, "also through a move");
    match has_attributes {
        Ok(()) => {
            let mut value = [0; 16];
            let found = rustix::fs::getxattr(place.at("a"), "user.note", &mut value);
            assert_eq!(found, Ok(5), "what a user noted is kept");
        }
        Err(_) => println!("skipped: no extended attributes here"),
    }
}

/// A folder inside the root that is another file system. Only root can make one.
#[test]
fn a_patch_goes_across_mount_points() {
    let place = Place::new(&[("a", "old\n"), ("from", "old\n")]);
    fs::create_dir(place.at("disk")).unwrap();
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "none"]).arg(place.at("disk"));
    if !run(&mut mount).status.success() {
        println!("skipped: may not mount");
        return;
    }
    fs::write(place.at("disk/b"), "old\n").unwrap();
    let moved = "*** Update File: from\n*** Move to: disk/new/to\n@@\n-old\n+new\n";
    let hunks = update("a", "old", "new") + &update("disk/b", "old", "new") + moved;
    let result = apply(&place.roots(), &patch(&hunks));
    let texts = ["a", "disk/b", "disk/new/to"].map(|name| fs::read_to_string(place.at(name)).ok());
    let entries = fs::read_dir(place.at("disk")).unwrap().count();
    assert!(run(Command::new("umount").arg(place.at("disk"))).status.success());
    result.unwrap();
    assert_eq!(texts, [(); 3].map(|()| Some("new\n".to_owned())));
    assert_eq!(entries, 2);
}

/// A file that is a mount point itself cannot be replaced: nothing is, and the rest is put back.
#[test]
fn a_file_that_cannot_be_replaced_takes_the_others_back() {
    let place = Place::new(&[("a", "old\n"), ("fixed", "old\n"), ("z", "old\n"), ("gone", "gone\n")]);
    let mut mount = Command::new("mount");
    mount.arg("--bind").arg(place.at("fixed")).arg(place.at("fixed"));
    if !run(&mut mount).status.success() {
        println!("skipped: may not mount");
        return;
    }
    let names = ["a", "fixed", "z"].map(|name| update(name, "old", "new")).concat();
    let output = place.run(&["-q"], &patch(&(names + "*** Delete File: gone\n*** Add File: new/x\n+x\n")));
    assert!(run(Command::new("umount").arg(place.at("fixed"))).status.success());
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert_eq!(
        ["a", "fixed", "z", "gone"].map(|name| place.text(name)),
        ["old\n", "old\n", "old\n", "gone\n"]
    );
    assert_eq!(fs::read_dir(place.root()).unwrap().count(), 4, "nothing is left");
}

// Pins.

#[test]
fn a_file_that_the_model_was_not_shown_is_refused() {
    let place = Place::new(&[("a", "old\nmore\n"), ("b", "b\n")]);
    symlink("a", place.at("link")).unwrap();
    let text = patch(&update("a", "old", "new"));
    let pin = |name: &str, shown: &str| format!("{name}={}", Digest::of(shown.as_bytes()));
    let refuses = |pins: &[String], code: &str| {
        let args: Vec<&str> = pins.iter().flat_map(|pin| ["--expect", pin]).collect();
        let output = place.run(&args, &text);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains(code), "{}", said(&output));
        assert_eq!(place.text("a"), "old\nmore\n");
    };
    refuses(&[pin("a", "old\nless\n")], "[not-as-expected]");
    refuses(&[pin("link", "old\nless\n")], "[not-as-expected]");
    refuses(&[pin("a", "old\nmore\n"), pin("b", "c\n")], "[not-as-expected]");
    refuses(&[pin("none", "x")], "[no-such-file]");
    refuses(&[pin("../a", "x")], "[outside-root]");
    for wrong in ["a", "a=", "a=123", "=x"] {
        assert_eq!(place.run(&["--expect", wrong], &text).status.code(), Some(2), "{wrong}");
    }
    let output = place.run(&["--expect", &pin("link", "old\nmore\n"), "--expect", &pin("./b", "b\n")], &text);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(place.text("a"), "new\nmore\n");
}

// Recovery, from a shell.

/// A journal whose run was killed after the commit point.
fn interrupted() -> Place {
    let place = Place::new(&[("a", "old\n"), ("b", "old\n")]);
    fs::write(place.at(".apply-patch-00000000000000aa"), "new\n").unwrap();
    // `xxh128sum` of the two lines.
    let (old, new) = ("21e62d6e4f1f39eeea112c60392ff825", "07baf267a0c0ef53ec95a82711cc4758");
    let mut journal =
        r#"{"version":2,"folders":[],"files":[".apply-patch-00000000000000aa"],"steps":["#.to_owned();
    write!(
        journal,
        r#"{{"path":"a","was":{{"file":"{old}"}},"staged":{{"name":".apply-patch-00000000000000aa","file":"{new}"}},"kept":".apply-patch-00000000000000bb"}},"#
    )
    .unwrap();
    write!(
        journal,
        r#"{{"path":"b","was":{{"file":"{old}"}},"staged":null,"kept":".apply-patch-00000000000000cc"}}]}}"#
    )
    .unwrap();
    fs::write(place.at(".apply-patch-journal"), journal).unwrap();
    fs::set_permissions(place.at(".apply-patch-journal"), fs::Permissions::from_mode(0o600)).unwrap();
    place
}

#[test]
fn recover_finishes_and_says_what() {
    let place = interrupted();
    let output = run(Command::new(PROGRAM).arg("recover").arg("-C").arg(place.root()));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "finished what an interrupted run had begun\n    a\n    b\n"
    );
    assert_eq!(output.status.code(), Some(0));
    assert_eq!((place.text("a"), fs::read_dir(place.root()).unwrap().count()), ("new\n".into(), 1));
    let output = run(Command::new(PROGRAM).arg("recover").arg("-C").arg(place.root()));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "nothing to recover\n");
}

#[test]
fn a_run_finishes_what_it_finds_before_it_begins() {
    let place = interrupted();
    let output = place.run(&[], &patch(&update("a", "new", "newer")));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).starts_with("finished what an interrupted run had begun"), "{}", said(&output));
    assert_eq!((place.text("a"), fs::read_dir(place.root()).unwrap().count()), ("newer\n".into(), 1));
}

#[test]
fn a_check_touches_nothing_and_says_what_is_to_be_recovered_first() {
    let place = interrupted();
    let output = place.run(&["--check"], &patch(&update("a", "old", "new")));
    assert_eq!(output.status.code(), Some(5));
    assert!(said(&output).contains("apply-patch recover"), "{}", said(&output));
    let args = ["replace", "a", "--old", "old", "--new", "new", "--stdout"];
    let output = run(Command::new(PROGRAM).args(args).current_dir(place.root()));
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(fs::read_dir(place.root()).unwrap().count(), 4);
}

#[test]
fn recover_stops_at_a_changed_file_until_the_patch_is_given_up() {
    let place = interrupted();
    fs::write(place.at("b"), "mine\n").unwrap();
    let recover =
        |args: &[&str]| run(Command::new(PROGRAM).arg("recover").args(args).current_dir(place.root()));
    for output in [recover(&[]), place.run(&[], &patch(&update("a", "old", "newer")))] {
        assert_eq!(output.status.code(), Some(5), "{}", said(&output));
        assert!(
            said(&output).contains("\"b\" was to be deleted, and was changed since"),
            "{}",
            said(&output)
        );
        assert_eq!((place.text("a"), place.text("b")), ("old\n".into(), "mine\n".into()));
    }
    let output = recover(&["--abandon"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!((place.text("a"), place.text("b")), ("old\n".into(), "mine\n".into()));
    assert_eq!(fs::read_dir(place.root()).unwrap().count(), 2);
}

/// The view of the tree never shows side files, and a plan never reads one.
#[test]
fn side_files_are_in_no_view() {
    let place = interrupted();
    let roots = place.roots();
    assert_eq!(roots.names("".into()), ["a", "b"]);
    assert!(roots.look_up(".apply-patch-journal".into()).is_err());
    assert!(matches!(roots.look_up("a".into()).unwrap().node, Node::File { .. }));
}
