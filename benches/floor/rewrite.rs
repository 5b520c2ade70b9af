//! The least that rewriting files takes: each file of a folder is read, written anew beside it, and renamed over it. No
//! line is looked for. `benches/compare` builds it with `rustc -O`.
//!
//!     rewrite FOLDER COUNT [sync]     # the files f0 to f(COUNT - 1)

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, count) = (Path::new(&args[0]), args[1].parse::<usize>().expect("a number"));
    let sync = args.get(2).is_some_and(|word| word == "sync");
    for nth in 0..count {
        let (target, beside) = (folder.join(format!("f{nth}")), folder.join(format!(".f{nth}.new")));
        let mut file = File::create(&beside)?;
        file.write_all(&fs::read(&target)?)?;
        if sync {
            file.sync_all()?;
        }
        fs::rename(&beside, &target)?;
    }
    if sync { File::open(folder)?.sync_all() } else { Ok(()) }
}
