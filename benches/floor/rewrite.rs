//! The least that rewriting files takes: each is read, written anew beside it, and renamed over it. No line is looked for.
//! `benches/compare` builds it with `rustc -O`.
//!
//!     rewrite FOLDER LIST [sync]     # the files in FOLDER that LIST names, one a line

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, list) = (Path::new(&args[0]), fs::read_to_string(&args[1])?);
    let sync = args.get(2).is_some_and(|word| word == "sync");
    let mut folders = BTreeSet::new();
    for name in list.lines() {
        let target = folder.join(name);
        let beside = target.with_extension("new");
        let mut file = File::create(&beside)?;
        file.write_all(&fs::read(&target)?)?;
        if sync {
            file.sync_all()?;
            folders.extend(target.parent().map(Path::to_owned));
        }
        fs::rename(&beside, &target)?;
    }
    folders.iter().try_for_each(|folder| File::open(folder)?.sync_all())
}
