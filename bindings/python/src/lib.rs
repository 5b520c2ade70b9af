//! The native half of the Python package `apply_patch`: Python objects → rows of `apply_patch::run::batch`, and answers →
//! Python objects. What callers see is in `python/apply_patch`.
//!
//! All functions that apply something release the interpreter's lock meanwhile.

mod options;
mod report;
mod rows;

use std::ffi::OsString;
use std::num::NonZeroUsize;

use apply_patch::run::batch::{Settings, Source};
use apply_patch::run::{Report, Status, Tree, run};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use self::options::Options;
use self::report::NativeReport;
use self::rows::{Held, Native};

/// Applies a patch to files in memory. Returns the changed files, and the report.
#[pyfunction]
fn apply<'py>(
    py: Python<'py>,
    files: &Bound<'py, PyAny>,
    patch: &Bound<'py, PyAny>,
    options: &Options,
) -> PyResult<Native<'py>> {
    let text = rows::patch(patch)?;
    let run = |files| {
        let row = options.row(Source::Files(files), text);
        py.detach(|| Settings::default().answer(row))
    };
    // A refusal may name other files than the patch.
    let few = rows::named(files, text, options)?.map(run);
    let answer = match few.filter(|answer| answer.report.status() == Status::Applied) {
        Some(answer) => answer,
        None => run(rows::files(files)?),
    };
    rows::native(py, answer, options.budget)
}

/// Applies rows of any of the three kinds on so many threads. Whatever is wrong with a row is in its answer.
#[pyfunction]
fn apply_rows<'py>(
    py: Python<'py>,
    rows: Vec<Bound<'py, PyAny>>,
    threads: Option<NonZeroUsize>,
    options: &Options,
) -> PyResult<Vec<Native<'py>>> {
    let mut held: Vec<Held<'_>> = rows.iter().map(Held::of).collect::<PyResult<_>>()?;
    let ready: Vec<_> = held.iter_mut().map(|held| held.row(options)).collect();
    let threads =
        threads.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    let answers = py.detach(|| Settings::default().answers(ready, threads));
    answers.into_iter().map(|answer| rows::native(py, answer, options.budget)).collect()
}

/// Applies a patch to a folder on the disk.
#[pyfunction]
fn apply_to_disk<'py>(
    py: Python<'py>,
    root: String,
    further: Vec<String>,
    patch: &Bound<'py, PyAny>,
    options: &Options,
) -> PyResult<Native<'py>> {
    let text = rows::patch(patch)?;
    let report: Result<Report, String> = py.detach(|| {
        let roots = options.roots(&root, &further).map_err(|error| rows::words(&error))?;
        let mut options = options.run.clone();
        options.details.contents = true;
        Ok(run(text, &options, &mut Tree::Disk(roots)))
    });
    let answer = rows::on_disk(report.map_err(PyOSError::new_err)?);
    rows::native(py, answer, options.budget)
}

/// Finishes, or takes back, what an interrupted run left in a folder. Returns what was done, and the paths.
#[pyfunction]
fn recover(
    py: Python<'_>,
    root: String,
    further: Vec<String>,
    options: &Options,
) -> PyResult<(&'static str, Vec<String>)> {
    let recovered = py.detach(|| {
        let roots = options.roots(&root, &further);
        roots.and_then(|roots| roots.recover()).map_err(|error| rows::words(&error))
    });
    Ok(rows::recovery(recovered.map_err(PyOSError::new_err)?))
}

/// Runs the command with these arguments, the name of the program first. Returns the exit status.
#[pyfunction]
fn main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| apply_patch::cli::run_with(&args))
}

/// Panics: for a test that a panic is an exception.
#[pyfunction]
fn _panic(py: Python<'_>) {
    py.detach(|| panic!("asked for"));
}

/// The module.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Options>()?;
    module.add_class::<NativeReport>()?;
    module.add_function(wrap_pyfunction!(apply, module)?)?;
    module.add_function(wrap_pyfunction!(apply_rows, module)?)?;
    module.add_function(wrap_pyfunction!(apply_to_disk, module)?)?;
    module.add_function(wrap_pyfunction!(recover, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(_panic, module)?)?;
    module.add_function(wrap_pyfunction!(report::restore, module)?)?;
    Ok(())
}
