//! A bar for work that takes long, for people.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::voice::Voice;
use crate::plan::path::Borders;
use crate::plan::{Files, Found, ReadError};

/// Nobody wants to see a bar for what is done before it is read.
const SOON: Duration = Duration::from_millis(500);

/// So many files are looked up at once, before the bar moves.
const TOGETHER: usize = 1 << 10;

/// How far one piece of work is, on standard error. It goes away when it is dropped.
pub(super) struct Bar {
    what: &'static str,
    /// What is drawn, once it is.
    drawn: OnceLock<ProgressBar>,
    began: Instant,
    is_wanted: bool,
}

impl Bar {
    /// A bar that nobody sees before half a second has passed, and nobody at all but people at a terminal.
    pub(super) fn new(voice: &Voice, what: &'static str) -> Self {
        Bar { what, drawn: OnceLock::new(), began: Instant::now(), is_wanted: voice.shows_progress() }
    }

    pub(super) fn at(&self, done: usize, of: usize) {
        if !self.is_wanted || self.began.elapsed() < SOON {
            return;
        }
        let drawn = self.drawn.get_or_init(|| {
            let style = ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len}");
            let drawn = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            drawn.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_message(self.what)
        });
        drawn.set_length(of as u64);
        drawn.set_position(done as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.get().inspect(|drawn| drawn.finish_and_clear());
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
        // A name may be looked up more than once.
        let read = self.read.fetch_add(more, Ordering::Relaxed) + more;
        self.bar.at(read.min(self.of), self.of);
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
