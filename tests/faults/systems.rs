//! Sweeps on other file systems and kernels, over two roots, over many files, and errors in recovery.

use std::collections::BTreeMap;
use std::fs;

use crate::place::{
    CHANGING, Case, Count, ERRORS, FAILING, Ground, Place, Point, Tool, fail, is_full, kill, points,
    points_at,
};

/// A system, and the calls that it does not have, each with its error.
struct System {
    name: &'static str,
    ground: Ground,
    without: &'static [(&'static str, &'static str)],
}

const SYSTEMS: &[System] = &[
    System { name: "overlayfs, old files in the lower layer", ground: Ground::Overlay, without: &[] },
    System { name: "no RENAME_NOREPLACE", ground: Ground::Plain, without: &[("renameat2", "EINVAL")] },
    System { name: "no second names", ground: Ground::Plain, without: &[("linkat", "EPERM")] },
    System {
        name: "no RENAME_NOREPLACE, no second names",
        ground: Ground::Plain,
        without: &[("renameat2", "EINVAL"), ("linkat", "EPERM")],
    },
    System { name: "no openat2", ground: Ground::Plain, without: &[("openat2", "ENOSYS")] },
];

impl System {
    fn place(&self, case: &Case) -> Option<Place> {
        let mut place = Place::on(case, self.ground)?;
        place.without = self.without;
        Some(place)
    }

    /// The changing calls that the system has.
    fn calls(&self) -> Vec<&'static str> {
        let has = |call: &&&str| self.without.iter().all(|(other, _)| other != *call);
        CHANGING.iter().filter(has).copied().collect()
    }
}

/// Kills before every changing call, or before each `step`-th; after recovery on the same system the tree is old or new.
fn sweep(name: &str, system: &System, case: &Case, step: usize) {
    let Some(place) = system.place(case) else {
        println!("skipped: may not mount for {name}");
        return;
    };
    let Some(points) = points_at(&place, Tool::Ours, &system.calls()) else { return };
    assert_eq!(place.tree(), (case.new.clone(), 0), "{name}: without a kill");
    let trace = fs::read_to_string(place.beside("trace")).unwrap();
    assert!(system.without.is_empty() || trace.contains("(INJECTED)"), "{name}: {trace}");
    let (mut raw, mut recovered) = (Count::default(), Count::default());
    for point in points.iter().step_by(step) {
        let place = system.place(case).unwrap();
        assert_eq!(place.run(Tool::Ours, &kill(point)), None, "{name}: killed at {point:?}");
        raw.add(case, &place.tree());
        place.recover();
        recovered.add(case, &place.tree());
        let whole = recovered.old + recovered.new;
        assert_eq!(
            (whole, recovered.side_files),
            (recovered.points, 0),
            "{name}, {point:?}: {:?}",
            place.tree()
        );
    }
    println!(
        "{name}: killed at {} of {} points: {raw:?}\n    after recover: {recovered:?}",
        raw.points,
        points.len()
    );
    assert!(recovered.old > 0 && recovered.new > 0, "{name}: {recovered:?}");
}

#[test]
fn a_kill_on_another_system_leaves_the_old_or_the_new_tree_after_recovery() {
    for system in SYSTEMS {
        sweep(system.name, system, &Case::mixed(), if is_full() { 1 } else { 9 });
    }
}

const PLAIN: System = System { name: "plain", ground: Ground::Plain, without: &[] };

#[test]
fn a_kill_of_a_patch_over_two_roots_leaves_both_old_or_both_new_after_recovery() {
    sweep("two roots", &PLAIN, &Case::two_roots(), if is_full() { 1 } else { 5 });
}

/// From 200 files on, all contents are synced at once.
#[test]
fn a_kill_of_a_patch_to_very_many_files_leaves_the_old_or_the_new_tree_after_recovery() {
    sweep("230 updates", &PLAIN, &Case::updates(230), if is_full() { 11 } else { 400 });
}

/// Returns the options that make a call fail, and all later calls of all names.
fn fail_from(points: &[Point], nth: usize, errno: &str) -> Vec<String> {
    let mut options = Vec::new();
    for name in FAILING {
        let before = points[..nth].iter().rev().find(|(other, _)| other == name);
        let later = points[nth..].iter().find(|(other, _)| other == name);
        let first = match (before, later) {
            (_, Some((_, count))) => *count,
            (Some((_, count)), None) => count + 1,
            (None, None) => 1,
        };
        options.extend(["-e".to_owned(), format!("inject=?{name}:error={errno}:when={first}+")]);
    }
    options
}

/// A call fails, and all later calls too: nothing can be taken back, but nothing is lost.
#[test]
fn if_all_later_calls_fail_recovery_makes_the_tree_old_or_new() {
    let errors = if is_full() { &ERRORS[..2] } else { &ERRORS[..1] };
    for (name, case) in [("5 updates", Case::updates(5)), ("mixed", Case::mixed())] {
        let Some(points) = points(&case, Tool::Ours, FAILING) else { return };
        let mut ends: BTreeMap<i32, usize> = BTreeMap::new();
        for (errno, nth) in errors.iter().flat_map(|errno| (0..points.len()).map(move |nth| (errno, nth))) {
            if !is_full() && nth % 9 != 0 {
                continue;
            }
            let place = Place::new(&case);
            let status = place.run(Tool::Ours, &fail_from(&points, nth, errno)).unwrap();
            let (tree, _) = place.tree();
            let point = &points[nth];
            let is_true = match status {
                0 | 4 => tree == case.new,
                1..=3 => tree == case.old,
                status => status == 5,
            };
            assert!(is_true, "{name}, from {point:?} {errno}: status {status}, {tree:?}");
            place.recover();
            let (tree, side_files) = place.tree();
            assert!(tree == case.old || tree == case.new, "{name}, from {point:?} {errno}: {tree:?}");
            assert_eq!(side_files, 0, "{name}, from {point:?} {errno}, status {status}");
            *ends.entry(status).or_default() += 1;
        }
        println!(
            "{name}: all calls fail from each of {} points, {errors:?}: status and times {ends:?}",
            points.len()
        );
        assert!(ends.len() > 1, "{ends:?}");
    }
}

/// Returns whether a run had seen the list of the interrupted run before it met the error.
fn had_found_list(place: &Place) -> bool {
    let trace = fs::read_to_string(place.beside("trace")).unwrap();
    let before = trace.split("(INJECTED)").next().unwrap();
    let lines = before.lines().collect::<Vec<_>>();
    // The last line is the call that fails.
    lines[..lines.len() - 1].iter().any(|line| line.contains(".apply-patch-") && !line.contains(" = -1 "))
}

/// Killed half-way, then one call of `recover` fails: where the tree is half changed, the status reports that.
#[test]
fn an_error_at_any_call_of_recovery_is_reported_and_recovered_from() {
    let case = if is_full() { Case::mixed() } else { Case::updates(2) };
    let Some(first) = points(&case, Tool::Ours, CHANGING) else { return };
    let errors = if is_full() { &ERRORS[..2] } else { &ERRORS[..1] };
    let mut ends: BTreeMap<(i32, bool), usize> = BTreeMap::new();
    for point in first.iter().rev().step_by(if is_full() { 13 } else { 20 }) {
        let begin = || {
            let place = Place::new(&case);
            place.run(Tool::Ours, &kill(point));
            place
        };
        let Some(second) = points_at(&begin(), Tool::Recover, FAILING) else { return };
        for (errno, again) in errors.iter().flat_map(|errno| second.iter().map(move |again| (errno, again))) {
            let place = begin();
            // All calls are in the trace.
            let Some(status) = place.run(Tool::Recover, &fail(again, errno)[2..]) else {
                // The loader of the program met the error.
                continue;
            };
            let (tree, _) = place.tree();
            let is_whole = tree == case.old || tree == case.new;
            let is_reported = status == 5 || !had_found_list(&place);
            assert!(is_whole || is_reported, "{point:?}, {again:?} {errno}: status {status}, {tree:?}");
            place.recover();
            let (tree, side_files) = place.tree();
            assert!(tree == case.old || tree == case.new, "{point:?}, {again:?} {errno}: {tree:?}");
            assert_eq!(side_files, 0, "{point:?}, {again:?} {errno}, status {status}");
            *ends.entry((status, is_whole)).or_default() += 1;
        }
    }
    println!(
        "killed, then an error in recovery, {errors:?}: status, whether the tree is whole, and times {ends:?}"
    );
    assert!(ends.keys().any(|(status, _)| *status == 5), "{ends:?}");
    assert!(!is_full() || ends.contains_key(&(5, false)), "{ends:?}");
}
