//! Any old text sought in any file, at every level; at the level `exact` the result is what plain replacing
//! gives.

#![no_main]

use apply_patch::locate::Level;
use apply_patch::plan::{After, Options, Replace, replace};
use apply_patch_fuzz::{Tree, matching, sections, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((options, sections)) = sections(data) else { return };
    let (Some(file), Some(old), Some(new)) = (sections.first(), text(sections.get(1)), text(sections.get(2)))
    else {
        return;
    };
    let tree = Tree::from([("f".into(), file.to_vec())]);
    let request = Replace::new("f", old, new).with_all(options & 0x80 != 0);
    let matching = matching(options & 0x7f);
    let Ok(plan) = replace(&request, &tree, &Options::default().with_matching(matching)) else { return };
    for change in &plan.changes {
        let After::File { content, .. } = &change.after else { panic!("the file is gone") };
        let result = content.bytes();
        // Where the old text stands once, to the letter, there is nothing to choose.
        if let (Level::Exact, Ok(text)) = (matching.level, str::from_utf8(file))
            && text.matches(old).count() == 1
            && !text.contains('\r')
            && !new.contains('\r')
            && text.replacen(old, new, 1).as_bytes() != &*result
        {
            // Whole lines may be meant: then the ends of the lines differ, and nothing else.
            let plain = text.replacen(old, new, 1);
            let trimmed = |text: &str| {
                text.split('\n').filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(trimmed(&plain), trimmed(&String::from_utf8_lossy(&result)));
        }
    }
});
