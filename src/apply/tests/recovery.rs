//! Recovery that fails, that finds the files on another file system than the run did, or that is given up.

use super::*;
use crate::apply::Obstacle;

/// Returns the leftovers of a run whose calls all fail from the n-th call on.
fn stopped(n: usize, abilities: Abilities) -> Memory {
    let memory = memory(OLD);
    run(&memory, Fault::From(n), abilities).0.unwrap_err();
    memory
}

fn calls(abilities: Abilities) -> usize {
    run(&memory(OLD), Fault::None, abilities).1
}

#[test]
fn the_files_of_another_file_system_are_recovered_too() {
    for of_run in Abilities::EACH {
        for n in 0..calls(of_run) {
            for of_recovery in Abilities::EACH {
                let memory = stopped(n, of_run);
                let fs = Faulty::new(&memory, Fault::None, of_recovery);
                let recovered = roots(&fs).recover();
                assert!(recovered.is_ok(), "{of_run:?} at {n}, then {of_recovery:?}: {recovered:?}");
                let found = files(&memory);
                assert!(
                    is(&found, OLD) || is(&found, NEW),
                    "{of_run:?} at {n}, then {of_recovery:?}: {found:?}"
                );
            }
        }
    }
}

/// A caller must learn that files may be half changed, from every error after the list was found.
#[test]
fn an_error_in_recovery_says_that_files_may_be_half_done() {
    let (mut half_done, mut before_the_list) = (0, 0);
    for n in 0..calls(Abilities::All) {
        if !roots(&stopped(n, Abilities::All)).is_torn().unwrap() {
            continue;
        }
        for m in 0.. {
            let memory = stopped(n, Abilities::All);
            let before = files(&memory);
            let fs = Faulty::new(&memory, Fault::Once(m), Abilities::All);
            let recovered = roots(&fs).recover();
            if fs.calls() <= m {
                break;
            }
            let Err(error) = recovered else { continue };
            if error.is_half_done() {
                half_done += 1;
                assert!(error.may_have_changed() || files(&memory) == before, "{n}, {m}: {error:?}");
            } else {
                before_the_list += 1;
                assert_eq!(files(&memory), before, "{n}, {m}: {error:?}");
                assert!(m < 6, "the list was found: {n}, {m}: {error:?}");
            }
            roots(&memory).recover().unwrap();
            assert!(is(&files(&memory), NEW) || is(&files(&memory), OLD), "{n}, {m}");
        }
    }
    assert!(half_done > 100 && before_the_list > 0, "{half_done}, {before_the_list}");
}

#[test]
fn giving_a_run_up_loses_no_file() {
    for abilities in Abilities::EACH {
        for n in 0..calls(abilities) {
            let memory = stopped(n, abilities);
            roots(&Faulty::new(&memory, Fault::None, abilities)).abandon().unwrap();
            let found = files(&memory);
            for path in ["a.txt", "sub/b.txt", "same.txt"] {
                assert!(found.contains_key(path), "{abilities:?} at {n}: {path} is gone: {found:?}");
            }
            assert!(
                found.keys().all(|path| !path.contains(".apply-patch-")),
                "{abilities:?} at {n}: {found:?}"
            );
            assert_eq!(roots(&memory).recover().unwrap(), Recovery::Nothing);
        }
    }
}

/// Like `git clean` in a directory.
#[test]
fn a_stage_file_that_was_removed_is_not_taken_for_published() {
    let mut missed = 0;
    for n in 0..calls(Abilities::All) {
        // How many there are depends on which of the parallel calls failed.
        for nth in 0..2 * OLD.len() {
            let memory = stopped(n, Abilities::All);
            let Some(victim) = side_files(&memory).into_iter().nth(nth) else { continue };
            memory.remove_file(&Utf8Path::new(ROOT).join(victim)).unwrap();
            match roots(&memory).recover() {
                Err(ApplyError::Unfinished { reason: Obstacle::MissingStage, .. }) => missed += 1,
                Err(error) => panic!("{n}, {nth}: {error:?}"),
                Ok(_) => {
                    let found = files(&memory);
                    assert!(is(&found, OLD) || is(&found, NEW), "{n}, {nth}: {found:?}");
                }
            }
        }
    }
    assert!(missed > 0);
}

/// Returns the stage files and second names, which are different in each run.
fn side_files(memory: &Memory) -> Vec<String> {
    let is_side_file = |path: &String| {
        let name = Utf8Path::new(path).file_name().unwrap_or_default();
        crate::apply::journal::is_side_name(name)
    };
    files(memory).into_keys().filter(is_side_file).collect()
}

#[test]
fn a_list_has_no_say_in_a_further_root_without_its_counterpart() {
    let checksum = super::super::checksum::Checksum::of(b"b\n");
    let side = ".apply-patch-0123456789abcdef";
    let step =
        format!(r#"{{"path":"/other/b.txt","was":{{"file":"{checksum}"}},"staged":null,"kept":"{side}"}}"#);
    for id in ["", r#""id":"0123456789abcdef","#] {
        for (name, has_steps) in [("journal", true), ("undo", true), ("pending", false)] {
            let steps = if has_steps { step.as_str() } else { "" };
            let list = format!(
                r#"{{"version":2,{id}"files":["/other/{side}"],"folders":["/other/empty"],"steps":[{steps}]}}"#
            );
            let memory = memory(&[("a.txt", "a\n"), (&format!(".apply-patch-{name}"), &list)]);
            memory.put("/other/b.txt".into(), b"b\n").unwrap();
            memory.put(Utf8Path::new(&format!("/other/{side}")), b"side\n").unwrap();
            memory.create_folder("/other/empty".into()).unwrap();
            let both = roots(&memory).with_further("/other".into()).unwrap();
            let recovered = both.recover();
            assert_eq!(recovered.is_err(), name == "journal" || name == "undo", "{name}: {recovered:?}");
            both.abandon().unwrap();
            let there = |path: &str| memory.look(path.into()).unwrap().is_some();
            assert!(there("/other/b.txt") && there("/other/empty"), "{name}");
            assert!(there(&format!("/other/{side}")), "{name}");
            assert_eq!(both.recover().unwrap(), Recovery::Nothing, "it is no dead end");
        }
    }
}

/// Two names of the same directory, as a mount makes.
#[test]
fn a_file_with_two_paths_is_changed_once() {
    let memory = memory(&[("x/a", "one\n"), ("x/b", "two\n")]);
    memory.link("/root/x".into(), "/root/y".into()).unwrap();
    let update = |path: &str, old: &str| {
        let mut change = changes(&[("f", old)], &[("f", "new\n")]).remove(0);
        change.path = path.into();
        change
    };
    let before = files(&memory);
    let refused = apply(&roots(&memory), &[update("x/a", "one\n"), update("y/a", "one\n")]);
    assert!(matches!(refused, Err(ApplyError::Twice { .. })), "{refused:?}");
    let new = |path: &str| Change { path: path.into(), ..changes(&[], &[("f", "new\n")]).remove(0) };
    let refused = apply(&roots(&memory), &[new("x/deep/new"), new("y/deep/new")]);
    assert!(matches!(refused, Err(ApplyError::Twice { .. })), "{refused:?}");
    assert_eq!(files(&memory), before);
    apply(&roots(&memory), &[update("x/a", "one\n"), update("y/b", "two\n")]).unwrap();
}

#[test]
fn a_patch_makes_no_more_folders_than_it_can_take_back() {
    let memory = memory(&[]);
    let deep = |nth: usize| Change {
        path: format!("{nth}/{}f", "d/".repeat(255)).into(),
        ..changes(&[], &[("f", "new\n")]).remove(0)
    };
    let many: Vec<_> = (0..400).map(deep).collect();
    let refused = apply(&roots(&memory), &many);
    assert!(matches!(refused, Err(ApplyError::Io { .. })), "{refused:?}");
    assert!(files(&memory).is_empty());
    apply(&roots(&memory), &many[..2]).unwrap();
}
