//! Transactions on a file system whose calls fail at will, and that crashes.

mod crash;
mod recovery;
mod systems;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::{ApplyError, Committed, Left, Naming, Options, Recovery, Roots};
use crate::fs::{Abilities, Fault, Faulty, Fs, Memory};
use crate::plan::{After, Change, Content, Precondition};
use crate::text::Bytes;

const ROOT: &str = "/root";

type Tree<'t> = &'t [(&'t str, &'t str)];

const OLD: Tree<'_> = &[
    ("a.txt", "a\n"),
    ("sub/b.txt", "b\n"),
    ("gone.txt", "gone\n"),
    ("sub/gone.txt", "gone too\n"),
    ("old/name.sh", "#!/bin/sh\n"),
    ("same.txt", "same\n"),
];

const NEW: Tree<'_> = &[
    ("a.txt", "A\n"),
    ("sub/b.txt", "B\n"),
    ("new/deep/file.txt", "new\n"),
    ("top.txt", "top\n"),
    ("moved/name.sh", "#!/bin/sh\nexit\n"),
    ("same.txt", "same\n"),
];

const NAME: &str = "old/name.sh";
const MOVED: &str = "moved/name.sh";

fn shared(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}

/// Returns the changes from a tree to another; the file at [`MOVED`] comes from [`NAME`].
fn changes(old: Tree<'_>, new: Tree<'_>) -> Vec<Change> {
    let text = |tree: Tree<'_>, path: &str| {
        tree.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
    };
    let mut paths: Vec<&str> = old.iter().chain(new).map(|(path, _)| *path).collect();
    paths.sort_unstable();
    paths.dedup();
    let change = |path: &str| {
        let before =
            text(old, path).map_or(Precondition::MustNotExist, |text| Precondition::MustBe(shared(&text)));
        let after = text(new, path).map_or(After::Gone, |text| After::File {
            content: Content::Bytes(shared(&text)),
            mode_of: (path == MOVED).then(|| NAME.into()),
            executable: None,
        });
        Change { path: path.into(), before, after }
    };
    paths.into_iter().map(change).collect()
}

fn memory(tree: Tree<'_>) -> Memory {
    let memory = Memory::new(Naming::Exact);
    memory.create_folder(ROOT.into()).unwrap();
    for (path, text) in tree {
        memory.put(&Utf8Path::new(ROOT).join(path), text.as_bytes()).unwrap();
    }
    if tree.iter().any(|(path, _)| *path == NAME) {
        memory.set_mode(&Utf8Path::new(ROOT).join(NAME), 0o755);
    }
    memory
}

fn roots(fs: &(impl Fs + Clone + 'static)) -> Roots {
    Roots::open_on(Box::new(fs.clone()), ROOT.into()).unwrap()
}

/// Returns the files in the root, without the modes.
fn files(memory: &Memory) -> BTreeMap<String, String> {
    let name = |path: Utf8PathBuf| path.strip_prefix(ROOT).unwrap().to_string();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let all = memory.files(ROOT.into());
    all.into_iter().map(|(path, (_, bytes))| (name(path), text(bytes))).collect()
}

fn is(files: &BTreeMap<String, String>, expected: Tree<'_>) -> bool {
    files.len() == expected.len()
        && expected.iter().all(|(path, text)| files.get(*path).is_some_and(|found| found == text))
}

fn has_new_folders(memory: &Memory) -> bool {
    let is_there = |path| memory.look(&Utf8Path::new(ROOT).join(path)).unwrap().is_some();
    is_there("new") || is_there("moved")
}

fn apply(roots: &Roots, changes: &[Change]) -> Result<Committed, ApplyError> {
    roots.prepare(changes)?.commit()
}

/// Carries the changes out, and tells how many calls that took.
fn run(memory: &Memory, fault: Fault, abilities: Abilities) -> (Result<Committed, ApplyError>, usize) {
    let fs = Faulty::new(memory, fault, abilities);
    let result = apply(&roots(&fs), &changes(OLD, NEW));
    (result, fs.calls())
}

#[test]
fn without_a_fault_the_tree_is_the_new_one() {
    for abilities in Abilities::EACH {
        let memory = memory(OLD);
        let committed = run(&memory, Fault::None, abilities).0.unwrap();
        assert!(is(&files(&memory), NEW), "{:?}", files(&memory));
        assert_eq!(committed.unchanged, ["same.txt"]);
        assert_eq!(committed.removed, ["gone.txt", NAME, "sub/gone.txt"]);
        assert_eq!(committed.folders, ["moved", "new", "new/deep"]);
        assert_eq!(
            memory.files(ROOT.into())[&Utf8Path::new(ROOT).join(MOVED)].0,
            0o755,
            "the mode came along"
        );
        assert!(memory.look("/root/old".into()).unwrap().is_some(), "a folder that was emptied stays");
    }
}

/// The leftovers of a run after a single fault, and the result of the next run.
#[test]
fn one_call_that_fails_leaves_the_old_tree_or_the_new_one() {
    for abilities in Abilities::EACH {
        let (_, calls) = run(&memory(OLD), Fault::None, abilities);
        assert!(calls > 80, "{calls} calls");
        for n in 0..calls {
            check_one_fault(n, abilities);
        }
    }
}

fn check_one_fault(n: usize, abilities: Abilities) {
    let memory = memory(OLD);
    let (result, _) = run(&memory, Fault::Once(n), abilities);
    let found = files(&memory);
    match result {
        Ok(_) => assert!(is(&found, NEW), "call {n}: {found:?}"),
        Err(ApplyError::CleanUp { .. }) => {
            let targets = found.into_iter().filter(|(path, _)| !path.contains(".apply-patch-")).collect();
            assert!(is(&targets, NEW), "call {n}: {targets:?}");
            roots(&memory).recover().unwrap();
            assert!(is(&files(&memory), NEW), "call {n}: {:?}", files(&memory));
        }
        Err(ApplyError::RollBack { .. }) => {
            // The fault was in what puts things back after nothing had gone wrong before: nothing may be
            // half done that recovery does not end.
            roots(&memory).recover().unwrap();
            let found = files(&memory);
            assert!(is(&found, OLD) || is(&found, NEW), "call {n}: {found:?}");
        }
        Err(error) => {
            assert!(is(&found, OLD), "call {n}: {error:?} {found:?}");
            assert!(!has_new_folders(&memory), "call {n}");
        }
    }
}

/// If all calls fail from some call on, the run is like a killed run, except for the attempted clean-up.
#[test]
fn when_all_calls_fail_from_one_on_recovery_makes_the_tree_old_or_new() {
    for abilities in Abilities::EACH {
        let (_, calls) = run(&memory(OLD), Fault::None, abilities);
        for n in 0..calls {
            let memory = memory(OLD);
            run(&memory, Fault::From(n), abilities).0.unwrap_err();
            recover_from_faults(&memory, abilities, n);
        }
    }
}

/// Interrupts recovery at any call, and then recovers again.
fn recover_from_faults(memory: &Memory, abilities: Abilities, n: usize) {
    let fs = Faulty::new(memory, Fault::None, abilities);
    for m in 0.. {
        let trial = memory.copy();
        let faulty = Faulty::new(&trial, Fault::From(m), abilities);
        let is_whole = roots(&faulty).recover().is_ok() && faulty.calls() <= m;
        roots(&Faulty::new(&trial, Fault::None, abilities)).recover().unwrap();
        let found = files(&trial);
        let (old, new) = (is(&found, OLD), is(&found, NEW));
        assert!(old || new, "call {n}, recovery failed at {m}: {found:?}");
        assert!(new || !has_new_folders(&trial), "call {n}, recovery failed at {m}");
        if is_whole {
            break;
        }
    }
    roots(&fs).recover().unwrap();
    assert_eq!(roots(&fs).recover().unwrap(), Recovery::Nothing);
}

#[test]
fn a_patch_of_one_file_is_one_rename_and_needs_no_journal() {
    let memory = memory(OLD);
    let watch = memory.watch();
    apply(&roots(&memory), &changes(&OLD[..1], &NEW[..1])).unwrap();
    let renames = watch.deeds().iter().filter(|deed| deed.contains("Names([(1, ")).count();
    assert_eq!(files(&memory)["a.txt"], "A\n");
    assert_eq!(files(&memory).len(), OLD.len());
    let syncs = watch.deeds().iter().filter(|deed| deed.starts_with("Synced")).count();
    assert_eq!((renames, syncs), (4, 2), "list made, staged, renamed, list gone: {:?}", watch.deeds());
}

#[test]
fn without_sync_nothing_is_synced() {
    let memory = memory(OLD);
    let watch = memory.watch();
    let roots = roots(&memory).with_options(Options { sync: false, ..Options::default() });
    apply(&roots, &changes(OLD, NEW)).unwrap();
    assert!(is(&files(&memory), NEW));
    assert!(!watch.deeds().iter().any(|deed| deed.starts_with("Synced")), "{:?}", watch.deeds());
}

#[test]
fn a_second_run_waits_or_says_so() {
    let memory = memory(OLD);
    let (one, other) = (roots(&memory), roots(&memory));
    let prepared = one.prepare(&changes(OLD, NEW)).unwrap();
    let other = other.with_options(Options { wait: false, ..Options::default() });
    assert!(matches!(apply(&other, &changes(OLD, NEW)), Err(ApplyError::Busy { .. })));
    prepared.commit().unwrap();
    assert!(apply(&other, &changes(OLD, NEW)).is_err_and(|error| error.is_meanwhile()));
}

/// Stops in the middle of a commit, as a kill does.
fn interrupted(deeds: usize) -> Memory {
    let memory = memory(OLD);
    let watch = memory.watch();
    apply(&roots(&memory), &changes(OLD, NEW)).unwrap();
    watch.after(deeds)
}

#[test]
fn recovery_stops_at_a_file_that_somebody_changed_and_touches_nothing() {
    let mut stopped = 0;
    for deeds in 0.. {
        let memory = interrupted(deeds);
        if files(&memory).get("sub/b.txt").is_none_or(|text| text != "b\n") {
            break;
        }
        memory.remove_file("/root/sub/b.txt".into()).unwrap();
        memory.put("/root/sub/b.txt".into(), b"mine\n").unwrap();
        let before = files(&memory);
        let torn = roots(&memory).is_torn().unwrap();
        match roots(&memory).recover() {
            Err(error) => {
                assert!(
                    matches!(&error, ApplyError::Unfinished { path, .. } if path == "sub/b.txt"),
                    "{error:?}"
                );
                assert_eq!(files(&memory), before);
                assert!(torn);
                stopped += 1;
                assert_eq!(roots(&memory).abandon().unwrap().len(), 8);
                assert!(files(&memory).keys().all(|path| !path.contains(".apply-patch-")));
            }
            Ok(_) => assert!(!torn, "{before:?}"),
        }
        assert_eq!(files(&memory)["sub/b.txt"], "mine\n");
    }
    assert!(stopped > 3, "{stopped}");
}

#[test]
fn the_next_run_goes_on_before_it_begins() {
    let mut finished = 0;
    for deeds in 0.. {
        let memory = interrupted(deeds);
        if is(&files(&memory), NEW) {
            break;
        }
        let next = [("other.txt", "other\n")];
        apply(&roots(&memory), &changes(&[], &next)).unwrap();
        let mut found = files(&memory);
        assert_eq!(found.remove("other.txt").as_deref(), Some("other\n"));
        assert!(is(&found, OLD) || is(&found, NEW), "{deeds}: {found:?}");
        finished += usize::from(is(&found, NEW));
    }
    assert!(finished > 10, "{finished}");
}

#[test]
fn an_interrupted_run_over_two_roots_is_finished_with_both_of_them() {
    let begin = || {
        let memory = memory(&OLD[..1]);
        memory.put("/other/b.txt".into(), b"b\n").unwrap();
        memory
    };
    let both = |memory: &Memory| roots(memory).with_further("/other".into()).unwrap();
    let mut change = changes(&[("b.txt", "b\n")], &[("b.txt", "B\n")]);
    change[0].path = "/other/b.txt".into();
    change.extend(changes(&OLD[..1], &NEW[..1]));
    let mut refused = 0;
    for deeds in 0.. {
        let memory = begin();
        let watch = memory.watch();
        apply(&both(&memory), &change).unwrap();
        let memory = watch.after(deeds);
        let is_done = deeds > watch.deeds().len();
        if roots(&memory).is_torn().unwrap() {
            let error = roots(&memory).recover().unwrap_err();
            assert!(matches!(error, ApplyError::Unfinished { .. }), "{error:?}");
            refused += 1;
        }
        both(&memory).recover().unwrap();
        let text = |path: &str| memory.files("/".into())[Utf8Path::new(path)].1.clone();
        let texts = (text("/root/a.txt"), text("/other/b.txt"));
        let [old, new] = [["a\n", "b\n"], ["A\n", "B\n"]].map(|[a, b]| (a.into(), b.into()));
        assert!(texts == old || texts == new, "{deeds}: {texts:?}");
        if is_done {
            break;
        }
    }
    assert!(refused > 3, "{refused}");
}

#[test]
fn a_hostile_journal_touches_nothing_that_no_plan_may_touch() {
    let checksum = super::checksum::Checksum::of(b"a\n");
    let side = ".apply-patch-0123456789abcdef";
    let list = |path: &str, file: &str, folder: &str| {
        format!(
            r#"{{"version":2,"files":["{file}"],"folders":[{folder}],"steps":[{{"path":"{path}","was":{{"file":"{checksum}"}},"staged":null,"kept":"{side}"}}]}}"#
        )
    };
    let good = list("a.txt", side, "");
    let bad = [
        list("../a.txt", side, ""),
        list("/etc/passwd", side, ""),
        list(".git/config", side, ""),
        list("a.txt", &format!("../{side}"), ""),
        list("a.txt", &format!(".git/{side}"), ""),
        list("a.txt", "sub/b.txt", ""),
        list("a.txt", side, r#""../x""#),
        list("a.txt", side, r#"".git/hooks""#),
        good.replace("a\\n", "b\\n").replace(&checksum.to_string(), &"0".repeat(32)),
        good[..good.len() - 2].to_owned(),
    ];
    for (name, expected) in [(".apply-patch-journal", true), (".apply-patch-undo", true)] {
        for text in &bad {
            let memory = memory(&[OLD, &[(".git/config", "a\n"), (name, text)]].concat());
            let before = files(&memory);
            assert_eq!(roots(&memory).recover().is_err(), expected, "{text}");
            assert_eq!(files(&memory), before, "{text}");
        }
    }
    let memory = memory(&[OLD, &[(".apply-patch-journal", &good)]].concat());
    roots(&memory).recover().unwrap();
    assert!(is(&files(&memory), &OLD[1..]), "what could have come as well: {:?}", files(&memory));
}

#[test]
fn what_is_left_after_errors_is_named() {
    let (_, calls) = run(&memory(OLD), Fault::None, Abilities::All);
    let mut kinds = Vec::new();
    for n in 0..calls {
        let memory = memory(OLD);
        if let Err(ApplyError::CleanUp { left, .. } | ApplyError::RollBack { left, .. }) =
            run(&memory, Fault::From(n), Abilities::All).0
        {
            assert!(!left.is_empty());
            kinds.extend(left.into_iter().map(|leftover| leftover.what));
        }
    }
    for kind in [Left::StageFile, Left::Folder, Left::Journal, Left::Unsynced] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
}
