//! Any text in any format, planned against any tree, and what it does written in each format: read back, that does the
//! same; and the same text a second time does not panic.

#![no_main]

use apply_patch::format::{Format, parse};
use apply_patch::generate;
use apply_patch::plan::{After, Options, Plan, plan};
use apply_patch_fuzz::{Tree, patch_and_tree, reading, sections};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((how, sections)) = sections(data) else { return };
    let Some((text, tree)) = patch_and_tree(&sections) else { return };
    let parsed = parse(text, &reading(how));
    let Ok(done) = plan(&parsed.patch, &tree, &Options::default()) else { return };
    if done.changes.is_empty() {
        return;
    }
    let after = tree_after(&tree, &done);
    let _ = plan(&parsed.patch, &after, &Options::default());
    for format in [Format::Envelope, Format::SearchReplace, Format::Edit, Format::Unified] {
        let Ok(written) = generate::text(&done, &tree, format) else { continue };
        if written.is_empty() {
            // A file that stays as it is is left out.
            assert_eq!(after, tree, "{format:?}");
            continue;
        }
        let options = apply_patch::format::Options::default().with_format(format);
        let parsed = parse(&written, &options);
        assert_eq!(parsed.errors, [], "{format:?}\n{written}");
        let again = plan(&parsed.patch, &tree, &Options::default());
        let again = again.unwrap_or_else(|failures| panic!("{format:?}\n{written}\n{failures:?}"));
        assert_eq!(tree_after(&tree, &again), after, "{format:?}\n{written}");
    }
});

/// The files once a plan is carried out.
fn tree_after(tree: &Tree, plan: &Plan) -> Tree {
    let mut tree = tree.clone();
    for change in &plan.changes {
        match &change.after {
            After::File { content, .. } => {
                drop(tree.insert(change.path.clone(), content.bytes().into_owned()))
            }
            After::Gone => drop(tree.remove(&change.path)),
        }
    }
    tree
}
