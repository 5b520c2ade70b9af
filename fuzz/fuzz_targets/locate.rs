//! Any chunks held against any file, at every level: planned without a panic, the same way each time; and a
//! change that keeps a file is none.

#![no_main]

use apply_patch::format::{self, parse};
use apply_patch::plan::{After, Options, plan};
use apply_patch_fuzz::{Tree, matching, sections, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((options, sections)) = sections(data) else { return };
    let (Some(file), Some(chunks)) = (sections.first(), text(sections.get(1))) else { return };
    let tree = Tree::from([("f".into(), file.to_vec())]);
    let text = format!("*** Begin Patch\n*** Update File: f\n{chunks}\n*** End Patch\n");
    let parsed = parse(&text, &format::Options::default());
    let options = Options::default().with_matching(matching(options));
    let (one, other) = (plan(&parsed.patch, &tree, &options), plan(&parsed.patch, &tree, &options));
    match (one, other) {
        (Ok(one), Ok(other)) => {
            assert_eq!(one.hunks, other.hunks);
            for change in &one.changes {
                if let After::File { content, .. } = &change.after {
                    let mut written = Vec::new();
                    content.write_to(&mut written).expect("a vector takes all");
                    assert_eq!(written, *content.bytes());
                }
            }
        }
        (Err(one), Err(other)) => assert_eq!(one.failures.len(), other.failures.len()),
        _ => panic!("planned in two ways"),
    }
});
