//! The keywords of the Python functions → the options of the library.

use std::num::NonZeroUsize;

use apply_patch::apply::{self, ApplyError, Roots};
use apply_patch::plan::Digest;
use apply_patch::run::batch::{Row, Source};
use apply_patch::run::{self, UnknownValue};
use camino::Utf8Path;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What a call asks for. The names of the keywords are those of the command.
#[pyclass(frozen, module = "apply_patch._native")]
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) run: run::Options,
    pub(crate) budget: usize,
    apply: apply::Options,
}

#[pymethods]
impl Options {
    #[new]
    #[pyo3(signature = (*, r#match, ambiguity, format, file, strict, overwrite, dry_run, diff, undo, expect, budget, sync, wait, threads))]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "they are keywords")]
    fn new(
        r#match: &str,
        ambiguity: &str,
        format: &str,
        file: Option<String>,
        strict: bool,
        overwrite: bool,
        dry_run: bool,
        diff: bool,
        undo: bool,
        expect: Vec<(String, String)>,
        budget: usize,
        sync: bool,
        wait: bool,
        threads: Option<NonZeroUsize>,
    ) -> PyResult<Self> {
        let unknown = |error: UnknownValue| PyValueError::new_err(error.to_string());
        let mut run = run::Options::default();
        run.strict = strict;
        run.file = file;
        run.level = r#match.parse().map_err(unknown)?;
        run.ambiguity = ambiguity.parse().map_err(unknown)?;
        run.overwrite = overwrite;
        run.expect = expect.into_iter().map(pin).collect::<PyResult<_>>()?;
        run.details.diff = diff;
        run.details.undo = undo;
        run.threads = threads;
        run.check = dry_run;
        let mut apply = apply::Options::default();
        apply.sync = sync;
        apply.wait = wait;
        apply.threads = threads;
        run.format = format.parse().map_err(unknown)?;
        Ok(Options { run, budget, apply })
    }
}

fn pin((path, digest): (String, String)) -> PyResult<(String, Digest)> {
    let sha256: Digest = digest
        .parse()
        .map_err(|error: UnknownValue| PyValueError::new_err(format!("expect[{path:?}]: {error}")))?;
    Ok((path, sha256))
}

impl Options {
    /// Returns a row with these options.
    pub(crate) fn row<'r>(&self, source: Source, patch: &'r str) -> Row<'r> {
        Row { source, patch: patch.into(), options: self.run.clone() }
    }

    /// Opens folders on the disk.
    pub(crate) fn roots(&self, root: &str, further: &[String]) -> Result<Roots, ApplyError> {
        let base = Roots::open(Utf8Path::new(root))?.with_options(self.apply);
        further.iter().try_fold(base, |roots, dir| roots.with_further(Utf8Path::new(dir)))
    }
}
