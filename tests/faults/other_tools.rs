//! The same for other tools, for the table in `docs/reliability.md`. They have nothing to recover with.

use std::collections::BTreeSet;

use crate::place::{CHANGING, Case, Count, ERRORS, FAILING, Place, Tool, Tree, fail, kill, points, version};

/// The tools that are there, each with its version.
fn tools() -> Vec<(String, Tool)> {
    let all = [("GNU patch", Tool::GnuPatch), ("git apply", Tool::GitApply), ("apply-patch", Tool::Ours)];
    let version = |(name, tool)| {
        let found = version(tool);
        if found.is_none() {
            println!("skipped: there is no {name}");
        }
        found.map(|version| (version, tool))
    };
    all.into_iter().filter_map(version).collect()
}

#[test]
#[ignore = "it measures other tools"]
fn other_tools_are_killed() {
    for (version, tool) in tools() {
        let updates = [1, 5, 20].map(|n| (format!("{n} updates"), Case::updates(n)));
        for (name, case) in updates.into_iter().chain([("mixed".to_owned(), Case::mixed())]) {
            let Some(points) = points(&case, tool, CHANGING) else { return };
            let mut killed = Count::default();
            for point in &points {
                let place = Place::new(&case);
                assert_eq!(place.run(tool, &kill(point)), None, "killed at {point:?}");
                killed.add(&case, &place.tree());
            }
            println!("{version}, {name}: killed {killed:?}");
        }
    }
}

/// What a tool said after an error, and what it had done.
#[derive(Debug, Default)]
struct Said {
    /// Success, and the new tree.
    new: usize,
    /// Failure, and the old tree.
    old: usize,
    /// Success, and another tree than the new one.
    wrongly_success: usize,
    /// Failure, and another tree than the old one.
    wrongly_failure: usize,
}

impl Said {
    fn add(&mut self, is_success: bool, case: &Case, tree: &Tree) {
        *match is_success {
            true if *tree == case.new => &mut self.new,
            true => &mut self.wrongly_success,
            false if *tree == case.old => &mut self.old,
            false => &mut self.wrongly_failure,
        } += 1;
    }
}

#[test]
#[ignore = "it measures other tools"]
fn other_tools_meet_errors() {
    let names: Vec<&str> =
        CHANGING.iter().chain(FAILING).copied().collect::<BTreeSet<_>>().into_iter().collect();
    for (version, tool) in tools() {
        for (name, case) in [("5 updates", Case::updates(5)), ("mixed", Case::mixed())] {
            let Some(points) = points(&case, tool, &names) else { return };
            for errno in ERRORS {
                let mut said = Said::default();
                for point in &points {
                    let place = Place::new(&case);
                    let status = place.run(tool, &fail(point, errno)).unwrap_or(1);
                    // Ours says with a status of its own that the patch is applied, and the clean-up is not.
                    let is_success = status == 0 || (tool == Tool::Ours && status == 4);
                    said.add(is_success, &case, &place.tree().0);
                }
                println!("{version}, {name}: {errno} at {} points: {said:?}", points.len());
            }
        }
    }
}
