//! A crash at every instant, with everything lost that was not synced.

use super::*;
use crate::fs::crash_trees;

/// Checks every tree that a crash may leave while `old` becomes `new`; returns the number of trees.
fn crash_everywhere(old: Tree<'_>, new: Tree<'_>) -> usize {
    crash_with(old, new, |_| {})
}

/// Checks the same with custom roots.
fn crash_with(old: Tree<'_>, new: Tree<'_>, set_up: impl Fn(&mut Roots)) -> usize {
    let memory = memory(old);
    let watch = memory.watch();
    let mut applying = roots(&memory);
    set_up(&mut applying);
    apply(&applying, &changes(old, new)).unwrap();
    assert!(is(&files(&memory), new));
    crash_trees(&watch, |memory, asked, all| {
        roots(&memory).recover().unwrap();
        let mut found = files(&memory);
        // Names that were lost before a sync cannot be found again; these are side files, and ignorable.
        found.retain(|path, _| !path.contains(".apply-patch-"));
        let (is_old, is_new) = (is(&found, old), is(&found, new));
        assert!(is_old || is_new, "{asked} of {all}: {found:?}");
        assert!(is_new || asked < all, "it said that it was applied: {found:?}");
        assert_eq!(roots(&memory).recover().unwrap(), Recovery::Nothing);
    })
}

#[test]
fn a_crash_never_tears_a_patch_of_one_file() {
    let old = [("a", "one\n"), ("b", "two\n")];
    let trees = [
        crash_everywhere(&old, &[("a", "ONE\n"), ("b", "two\n")]),
        crash_everywhere(&old, &[("a", "one\n"), ("b", "two\n"), ("new/deep/c", "three\n")]),
        crash_everywhere(&old, &old[1..]),
    ];
    assert!(trees.iter().sum::<usize>() > 50, "{trees:?}");
}

#[test]
fn a_crash_never_tears_a_patch_of_up_to_three_files() {
    let old = [("a", "one\n"), ("b", "two\n"), ("sub/c", "three\n"), (NAME, "four\n")];
    let new: [Tree<'_>; 6] = [
        &[("a", "ONE\n"), ("b", "TWO\n"), ("sub/c", "THREE\n"), (NAME, "four\n")],
        &[("a", "one\n"), ("b", "two\n"), ("sub/c", "three\n"), (MOVED, "FOUR\n")],
        &[("a", "ONE\n"), ("sub/c", "three\n"), (NAME, "four\n"), ("new/deep/d", "five\n")],
        &[("sub/c", "three\n"), (NAME, "four\n"), ("d", "five\n")],
        &[(NAME, "four\n")],
        &[("a", "two\n"), ("b", "one\n"), ("sub/c", "THREE\n"), (NAME, "four\n")],
    ];
    let trees: Vec<usize> = new.iter().map(|new| crash_everywhere(&old, new)).collect();
    println!("{} trees that a crash may leave, each recovered", trees.iter().sum::<usize>());
    assert!(trees.iter().sum::<usize>() > 1000, "{trees:?}");
}

/// Very many files are synced with a single wait.
#[test]
fn a_crash_never_tears_a_patch_whose_contents_are_synced_at_once() {
    let old = [("a", "one\n"), ("b", "two\n"), ("sub/c", "three\n")];
    let new: [Tree<'_>; 2] = [
        &[("a", "ONE\n"), ("b", "TWO\n"), ("sub/c", "THREE\n")],
        &[("a", "ONE\n"), ("sub/c", "three\n"), ("new/deep/d", "five\n")],
    ];
    let trees = new.map(|new| crash_with(&old, new, |roots| roots.together = 2));
    assert!(trees.iter().sum::<usize>() > 300, "{trees:?}");
}

/// A crash during recovery, and then recovery again.
#[test]
fn a_crash_during_recovery_never_tears_either() {
    let old = [("a", "one\n"), ("b", "two\n"), (NAME, "four\n")];
    let new = [("a", "ONE\n"), (MOVED, "FOUR\n")];
    let memory = memory(&old);
    let watch = memory.watch();
    apply(&roots(&memory), &changes(&old, &new)).unwrap();
    let mut trees = 0;
    crash_trees(&watch, |memory, asked, _| {
        let again = memory.watch();
        roots(&memory).recover().unwrap();
        trees += crash_trees(&again, |memory, second, _| {
            roots(&memory).recover().unwrap();
            let mut found = files(&memory);
            found.retain(|path, _| !path.contains(".apply-patch-"));
            assert!(is(&found, &old) || is(&found, &new), "{asked}, then {second}: {found:?}");
        });
    });
    println!("{trees} trees that two crashes may leave, each recovered");
    assert!(trees > 1000, "{trees}");
}

/// The check can fail: without syncing, a crash tears a patch.
#[test]
fn without_sync_a_crash_may_tear() {
    let old = [("a", "one\n"), ("b", "two\n")];
    let new = [("a", "ONE\n"), ("b", "TWO\n")];
    let memory = memory(&old);
    let watch = memory.watch();
    let roots_without = roots(&memory).with_options(Options { sync: false, ..Options::default() });
    // Fewer operations, because each may be lost: a patch of a single file.
    apply(&roots_without, &changes(&old[..1], &new[..1])).unwrap();
    let mut torn = 0;
    crash_trees(&watch, |memory, _, _| {
        let _ = roots(&memory).recover();
        let found = files(&memory);
        torn += usize::from(found.get("a").is_none_or(|text| text != "one\n" && text != "ONE\n"));
    });
    assert!(torn > 0);
}
