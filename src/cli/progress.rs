//! A bar for work that takes long, for people.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use kdam::BarExt;

use super::output::Voice;
use crate::run::Step;

/// A bar appears only after this delay.
const SOON: Duration = Duration::from_millis(500);

/// The progress of a piece of work, on standard error. The bar disappears on drop.
pub(super) struct Bar {
    began: Instant,
    /// `None` if there is no terminal.
    drawn: Option<Mutex<kdam::Bar>>,
}

impl Bar {
    /// Returns a bar that appears after half a second, and only for people at a terminal.
    pub(super) fn new(voice: &Voice, what: &str) -> Self {
        if voice.shows_progress() { Bar::shown(what) } else { Bar { began: Instant::now(), drawn: None } }
    }

    /// Returns a bar that appears after half a second.
    fn shown(what: &str) -> Self {
        let mut drawn = kdam::Bar::default();
        drawn.set_description(what);
        drawn.unit.clear();
        Bar { began: Instant::now(), drawn: Some(Mutex::new(drawn)) }
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

impl Bar {
    /// Shows how many steps are made of a number that is not known.
    pub(super) fn count(&self, done: usize) {
        let Some(drawn) = &self.drawn else { return };
        if self.began.elapsed() < SOON {
            return;
        }
        let mut drawn = drawn.lock().unwrap_or_else(PoisonError::into_inner);
        // The work goes on without a bar.
        let _ = drawn.update_to(done);
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

/// The bars of a run: a bar for planning and a bar for writing.
pub(super) struct Bars {
    shown: bool,
    /// The bar of the step that is under way.
    at: Mutex<Option<(&'static str, Bar)>>,
}

impl Bars {
    pub(super) fn new(voice: &Voice) -> Self {
        Bars { shown: voice.shows_progress(), at: Mutex::new(None) }
    }

    /// Updates the progress of a step. Writing fills the first half of its bar, publishing the second half.
    pub(super) fn at(&self, step: Step, done: usize, of: usize) {
        if !self.shown {
            return;
        }
        let (what, done, of) = match step {
            Step::Planning => ("Planning", done, of),
            Step::Writing => ("Writing", done, 2 * of),
            _ => ("Writing", of + done, 2 * of),
        };
        let mut at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        if at.as_ref().is_none_or(|(other, _)| *other != what) {
            // Removes the old bar before the new bar appears.
            drop(at.take());
            *at = Some((what, Bar::shown(what)));
        }
        if let Some((_, bar)) = &*at {
            bar.at(done, of);
        }
    }

    /// Removes the bar.
    pub(super) fn clear(&self) {
        drop(self.at.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}
