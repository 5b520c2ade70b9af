//! No thread outlives a call of the library, unless the caller allows that. The only test of its process, because it counts
//! the threads of the process.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use apply_patch::apply::{Options, Roots};
use apply_patch::plan::{After, Change, Content, Precondition};
use apply_patch::run::Bytes;
use camino::Utf8Path;

/// Memory of the caller; counts its drops, of which each takes a moment.
struct Owned {
    bytes: Vec<u8>,
    drops: Arc<AtomicUsize>,
}

impl AsRef<[u8]> for Owned {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        std::thread::sleep(Duration::from_millis(200));
        self.drops.fetch_add(1, Ordering::Relaxed);
    }
}

fn threads() -> usize {
    fs::read_dir("/proc/self/task").unwrap().count()
}

/// Changes a file of 16 MB, and returns how many owners of its old content were dropped by the end of the commit.
fn dropped(drop_in_background: bool) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let old = b"old line\n".repeat(2 << 20);
    fs::write(folder.path().join("f"), &old).unwrap();
    let options = Options::default().with_sync(false).with_drop_in_background(drop_in_background);
    let roots = Roots::open(Utf8Path::from_path(folder.path()).unwrap()).unwrap().with_options(options);
    let drops = Arc::new(AtomicUsize::new(0));
    let before = Precondition::MustBe(Bytes::from_owner(Owned { bytes: old, drops: drops.clone() }));
    let content = Content::Bytes(b"new line\n".repeat(2 << 20).into());
    let after = After::File { content, mode_of: None, executable: None };
    let changes = vec![Change::new("f", before, after)];
    let prepared = roots.prepare(&changes).unwrap();
    drop(changes);
    prepared.commit().unwrap();
    drops.load(Ordering::Relaxed)
}

#[test]
fn no_thread_is_left_over() {
    let before = threads();
    assert_eq!(dropped(false), 1, "the content is dropped before the commit returns");
    // A thread that was joined may be listed for an instant.
    let begun = Instant::now();
    while threads() > before {
        assert!(begun.elapsed() < Duration::from_millis(100), "{} threads, {before} before", threads());
    }
    // The check above can fail: this caller allows a thread that goes on.
    if std::thread::available_parallelism().unwrap().get() > 1 {
        assert_eq!(dropped(true), 0);
        assert!(threads() > before);
    }
}
