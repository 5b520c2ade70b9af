//! A bar for work that takes long, for people.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use kdam::BarExt;

use super::output::Voice;
use crate::plan::path::Borders;
use crate::plan::{Files, Found, ReadError};

/// Nobody wants to see a bar for what is done before it is read.
const SOON: Duration = Duration::from_millis(500);

/// So many files are looked up at once, before the bar moves.
const TOGETHER: usize = 1 << 10;

/// How far one piece of work is, on standard error. It goes away when it is dropped.
pub(super) struct Bar {
    began: Instant,
    /// Where nobody looks on, there is none.
    drawn: Option<Mutex<kdam::Bar>>,
}

impl Bar {
    /// A bar that nobody sees before half a second has passed, and nobody at all but people at a terminal.
    pub(super) fn new(voice: &Voice, what: &str) -> Self {
        let drawn = voice.shows_progress().then(|| {
            let mut drawn = kdam::Bar::default();
            drawn.set_description(what);
            drawn.unit.clear();
            Mutex::new(drawn)
        });
        Bar { began: Instant::now(), drawn }
    }

    /// Shows that `done` steps of so many are made. A step may be made more than once, as a file may be read twice.
    pub(super) fn at(&self, done: usize, of: usize) {
        let Some(drawn) = &self.drawn else { return };
        if self.began.elapsed() < SOON {
            return;
        }
        let mut drawn = drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.total = of;
        // The work goes on without a bar.
        let _ = drawn.update_to(done.min(of));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        let Some(drawn) = &mut self.drawn else { return };
        let drawn = drawn.get_mut().unwrap_or_else(PoisonError::into_inner);
        if drawn.bar_length > 0 {
            let _ = drawn.clear();
            let _ = io::stderr().write_all(b"\r");
        }
    }
}

/// Files that tell how many of so many were read.
pub(super) struct Watched<'f> {
    files: &'f dyn Files,
    bar: &'f Bar,
    of: usize,
    read: AtomicUsize,
}

impl<'f> Watched<'f> {
    pub(super) fn new(files: &'f dyn Files, bar: &'f Bar, of: usize) -> Self {
        Watched { files, bar, of, read: AtomicUsize::new(0) }
    }

    fn tell(&self, more: usize) {
        let read = self.read.fetch_add(more, Ordering::Relaxed) + more;
        self.bar.at(read, self.of);
    }
}

impl Files for Watched<'_> {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        self.tell(1);
        self.files.look_up(path)
    }

    fn look_up_all(&self, paths: &[&Utf8Path]) -> Vec<Result<Found, ReadError>> {
        let mut all = Vec::with_capacity(paths.len());
        for some in paths.chunks(TOGETHER) {
            self.tell(some.len());
            all.append(&mut self.files.look_up_all(some));
        }
        all
    }

    fn names(&self, dir: &Utf8Path) -> Vec<String> {
        self.files.names(dir)
    }

    fn has_usual_mode(&self, path: &Utf8Path) -> bool {
        self.files.has_usual_mode(path)
    }

    fn borders(&self) -> Borders {
        self.files.borders()
    }
}
