//! The least that replacing files takes if all are read before anything is made, and read again to be compared right before
//! the new ones are renamed over them; of several files each old one gets a second name meanwhile, under which it can come
//! back. Less than that no tool needs that promises as much. Two threads share all but the renames. Files go through small
//! buffers and are never held; nothing is looked for but a byte that text has not got, and nothing is changed.
//! `benches/compare` builds it with `rustc -O`.
//!
//!     careful FOLDER LIST     # the files in FOLDER that LIST names, one a line

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many bytes are read at a time; `cp` reads as many.
const BUFFER: usize = 1 << 17;

/// How much of a file one thread reads before it looks for more work.
const PART: u64 = 1 << 22;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, list] = args.as_slice() else { return Err(io::ErrorKind::InvalidInput.into()) };
    let list = fs::read_to_string(list)?;
    let targets: Vec<PathBuf> = list.lines().map(|name| Path::new(folder).join(name)).collect();
    let parts = parts(&targets)?;
    by_two(&parts, look)?;
    by_two(&targets, |target| stage(target, targets.len() > 1))?;
    by_two(&parts, look)?;
    targets.iter().try_for_each(|target| fs::rename(target.with_extension("new"), target))?;
    if targets.len() > 1 {
        targets.iter().try_for_each(|target| fs::remove_file(target.with_extension("old")))?;
    }
    Ok(())
}

/// What is read in one go: a range of a file.
type Part<'t> = (&'t Path, Range<u64>);

fn parts(targets: &[PathBuf]) -> io::Result<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    for target in targets {
        let length = fs::metadata(target)?.len();
        let part_at = |at| (target.as_path(), at..length.min(at + PART));
        parts.extend((0..length).step_by(PART as usize).map(part_at));
    }
    Ok(parts)
}

fn look((target, range): &Part<'_>) -> io::Result<()> {
    through(&File::open(target)?, range.clone(), |piece| match piece.contains(&0) {
        true => Err(io::ErrorKind::InvalidData.into()),
        false => Ok(()),
    })
}

fn stage(target: &Path, is_kept: bool) -> io::Result<()> {
    let old = File::open(target)?;
    let mut new = File::create_new(target.with_extension("new"))?;
    through(&old, 0..old.metadata()?.len(), |piece| new.write_all(piece))?;
    if is_kept { fs::hard_link(target, target.with_extension("old")) } else { Ok(()) }
}

/// Reads a range of a file and hands it on in pieces.
fn through(file: &File, range: Range<u64>, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut at = range.start;
    let mut buffer = vec![0; BUFFER.min((range.end - at) as usize)];
    while at < range.end {
        let wanted = buffer.len().min((range.end - at) as usize);
        file.read_exact_at(&mut buffer[..wanted], at)?;
        take(&buffer[..wanted])?;
        at += wanted as u64;
    }
    Ok(())
}

/// Two threads take the items in order; one does where there is one item.
fn by_two<T: Sync>(items: &[T], work: impl Fn(&T) -> io::Result<()> + Sync) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let take_turns = || {
        let mut rest = std::iter::from_fn(|| items.get(next.fetch_add(1, Ordering::Relaxed)));
        rest.try_for_each(&work)
    };
    if items.len() < 2 {
        return take_turns();
    }
    thread::scope(|scope| {
        let other = scope.spawn(take_turns);
        take_turns()?;
        other.join().expect("no work panics")
    })
}
