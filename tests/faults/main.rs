//! The command, killed before every call that could change something, and with every call failing.
//!
//! `strace` injects the kills and the errors; where it is missing, or may not trace, a test says that it was
//! skipped. `FAULTS=full cargo test --release --test faults -- --nocapture` makes the sweeps as wide as
//! `docs/reliability.md` has them; without it they are narrower, so that they end in seconds.
//! `-- --ignored --nocapture` does the same to other tools, and prints what happens to them: always all of it.

#![cfg(all(target_os = "linux", feature = "cli"))]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "in a test a panic is the report")]

mod other_tools;
mod place;
mod systems;

use std::collections::BTreeMap;

use place::{
    CHANGING, Case, Count, ERRORS, FAILING, Place, Tool, can_trace, fail, is_full, kill, points, points_at,
};

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
