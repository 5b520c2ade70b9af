//! What a caller does while a run goes on.

use std::sync::atomic::{AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};

use super::report::Stopped;
use crate::patch::Patch;
use crate::plan::{self, Files, Found, Plan, ReadError};

/// What a caller does between the steps of a run. Every method has a default that does nothing; `()` is a caller with
/// nothing to do.
pub trait Hooks: Sync {
    /// Reports that `done` of `of` files are finished. A file may be read twice, so `done` may exceed `of`. Several
    /// threads call this method at once.
    fn progress(&self, step: Step, done: usize, of: usize) {
        let _ = (step, done, of);
    }

    /// Chooses the parts of a patch that are applied, after the whole patch was found to fit. `None` applies the whole
    /// patch.
    ///
    /// # Errors
    /// Returns why the run ends here.
    fn choose<'p>(
        &self,
        patch: &Patch<'p>,
        files: &dyn Files,
        options: &plan::Options,
    ) -> Result<Option<Patch<'p>>, Stopped> {
        let _ = (patch, files, options);
        Ok(None)
    }

    /// Sees the plan, before anything is written, with [`Options::check`](super::Options::check) too.
    ///
    /// # Errors
    /// Why the run ends here.
    fn planned(&self, plan: &Plan) -> Result<(), Stopped> {
        let _ = plan;
        Ok(())
    }

    /// Receives the undo that was requested. All new contents are written beside their files, and no file was changed
    /// yet.
    ///
    /// # Errors
    /// Returns why the run ends here; everything is then rolled back.
    fn before_commit(&self, undo: Option<&str>) -> Result<(), Stopped> {
        let _ = undo;
        Ok(())
    }
}

impl Hooks for () {}

/// What takes time in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// The files are read, and the edits are placed.
    Planning,
    /// Writing new contents beside their files.
    Writing,
    /// Renaming new contents over their files.
    Publishing,
}

/// So many files are looked up at once, before the progress is reported.
const TOGETHER: usize = 1 << 10;

/// A view that reports how many files were read.
pub(super) struct Watched<'f> {
    files: &'f dyn Files,
    hooks: &'f dyn Hooks,
    of: usize,
    read: AtomicUsize,
}

impl<'f> Watched<'f> {
    pub(super) fn new(files: &'f dyn Files, hooks: &'f dyn Hooks, of: usize) -> Self {
        Watched { files, hooks, of, read: AtomicUsize::new(0) }
    }

    fn count(&self, more: usize) {
        let read = self.read.fetch_add(more, Ordering::Relaxed) + more;
        self.hooks.progress(Step::Planning, read, self.of);
    }
}

impl Files for Watched<'_> {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        self.count(1);
        self.files.look_up(path)
    }

    fn look_up_all(&self, paths: &[&Utf8Path]) -> Vec<Result<Found, ReadError>> {
        let mut all = Vec::with_capacity(paths.len());
        for some in paths.chunks(TOGETHER) {
            self.count(some.len());
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

    fn borders(&self) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
        self.files.borders()
    }

    fn is_free_outside(&self, path: &Utf8Path) -> bool {
        self.files.is_free_outside(path)
    }
}
