//! A bar for work that takes long, for people.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::voice::Voice;
use crate::plan::path::Borders;
use crate::plan::{Files, Found, ReadError};

/// Nobody wants to see a bar for what is done before it is read.
const SOON: Duration = Duration::from_millis(500);

/// How far one piece of work is, on standard error. It goes away when it is dropped.
pub(super) struct Bar {
    drawn: ProgressBar,
    began: Instant,
    is_wanted: bool,
}

impl Bar {
    /// A bar that nobody sees before half a second has passed, and nobody at all but people at a terminal.
    pub(super) fn new(voice: &Voice, what: &'static str) -> Self {
        let drawn = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_message(what);
        Bar { drawn, began: Instant::now(), is_wanted: voice.shows_progress() }
    }

    pub(super) fn at(&self, done: usize, of: usize) {
        if !self.is_wanted || self.began.elapsed() < SOON {
            return;
        }
        if self.drawn.is_hidden() {
            let style = ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len}");
            self.drawn.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            self.drawn.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.drawn.set_length(of as u64);
        self.drawn.set_position(done as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
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
}

impl Files for Watched<'_> {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        // A name may be looked up more than once.
        let read = self.read.fetch_add(1, Ordering::Relaxed) + 1;
        self.bar.at(read.min(self.of), self.of);
        self.files.look_up(path)
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
