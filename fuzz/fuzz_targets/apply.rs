//! Any patch for any tree, carried out on a file system in memory: all of it or nothing, nothing left behind,
//! and nothing lost where names differ by case alone.

#![no_main]

use apply_patch::apply::{Naming, Prepared, Roots};
use apply_patch::format::{self, parse};
use apply_patch::plan::{After, Files, Node, Options, plan};
use apply_patch_fuzz::{Tree, matching, patch_and_tree, sections};
use camino::Utf8Path;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((options, sections)) = sections(data) else { return };
    let Some((text, tree)) = patch_and_tree(&sections) else { return };
    let naming = [Naming::Exact, Naming::AnyCase, Naming::AnyCaseAndForm][usize::from(options >> 4) % 3];
    let Ok(roots) = Roots::in_memory(&tree, naming) else { return };
    let parsed = parse(text, &format::Options::default());
    let options =
        Options::default().with_matching(matching(options & 0x0f)).with_overwrite(options & 0x80 != 0);
    let before = all(&roots, "".into());
    let Ok(plan) = plan(&parsed.patch, &roots, &options) else {
        assert_eq!(all(&roots, "".into()), before);
        return;
    };
    match roots.prepare(&plan.changes).and_then(Prepared::commit) {
        Ok(_) => {
            for change in &plan.changes {
                let found = roots.look_up(&change.path).expect("just written").node;
                match (&change.after, found) {
                    (After::Gone, Node::Missing) => {}
                    (After::File { content, .. }, Node::File { bytes, .. }) => {
                        assert_eq!(*bytes, *content.bytes())
                    }
                    (after, found) => panic!("{after:?}, and there is {found:?}"),
                }
            }
        }
        Err(_) => assert_eq!(all(&roots, "".into()), before),
    }
    assert!(matches!(roots.recover(), Ok(apply_patch::apply::Recovery::Nothing)));
});

/// Every file beneath a folder.
fn all(roots: &Roots, folder: &Utf8Path) -> Tree {
    let mut files = Tree::new();
    for name in roots.names(folder) {
        let path = folder.join(name);
        match roots.look_up(&path).map(|found| found.node) {
            Ok(Node::File { bytes, .. }) => drop(files.insert(path, bytes.to_vec())),
            Ok(Node::Folder) => files.extend(all(roots, &path)),
            _ => {}
        }
    }
    files
}
