//! A report as Python holds it: words and JSON are made when they are asked for.

use apply_patch::plan::Failure;
use apply_patch::run::Report;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

/// What became of a patch.
#[pyclass(frozen, name = "Report", module = "apply_patch._native")]
pub(crate) struct NativeReport {
    summary: Summary,
    body: Body,
}

/// The report itself, or its renderings if it came out of a pickle.
enum Body {
    Live { report: Box<Report>, budget: usize },
    Kept { words: String, json: String },
}

/// What is read often.
#[derive(Serialize, Deserialize)]
struct Summary {
    outcome: String,
    status: u8,
    codes: Vec<String>,
    chunks: Option<(usize, usize)>,
    tier: Option<String>,
    is_noop: bool,
    fingerprint: Option<String>,
    undo: Option<String>,
}

impl Summary {
    fn of(report: &Report) -> Self {
        let changes = report.changes();
        Summary {
            outcome: report.outcome.name().to_owned(),
            status: report.status().code(),
            codes: report.outcome.codes().into_iter().map(str::to_owned).collect(),
            chunks: changes.map(|changes| (changes.chunks(), changes.inexact_chunks())),
            tier: report.outcome.loosest_tier().map(str::to_owned),
            is_noop: changes.is_some_and(|changes| changes.files.is_empty()),
            fingerprint: fingerprint(report),
            undo: report.undo.clone(),
        }
    }
}

fn fingerprint(report: &Report) -> Option<String> {
    let fingerprint = report.failures()?.failures.iter().find_map(Failure::fingerprint)?;
    Some(format!("{fingerprint:016x}"))
}

impl NativeReport {
    pub(crate) fn new(report: Report, budget: usize) -> Self {
        NativeReport { summary: Summary::of(&report), body: Body::Live { report: Box::new(report), budget } }
    }
}

#[pymethods]
impl NativeReport {
    /// The words for a model.
    fn words(&self, py: Python<'_>) -> String {
        match &self.body {
            Body::Live { report, budget } => py.detach(|| report.for_model(*budget)),
            Body::Kept { words, .. } => words.clone(),
        }
    }

    /// The report as JSON, on one line.
    fn json(&self, py: Python<'_>) -> String {
        match &self.body {
            Body::Live { report, .. } => py.detach(|| report.to_json().trim_end().to_owned()),
            Body::Kept { json, .. } => json.clone(),
        }
    }

    #[getter]
    fn outcome(&self) -> &str {
        &self.summary.outcome
    }

    #[getter]
    fn status(&self) -> u8 {
        self.summary.status
    }

    #[getter]
    fn codes(&self) -> Vec<String> {
        self.summary.codes.clone()
    }

    #[getter]
    fn chunks(&self) -> Option<(usize, usize)> {
        self.summary.chunks
    }

    #[getter]
    fn tier(&self) -> Option<&str> {
        self.summary.tier.as_deref()
    }

    #[getter]
    fn is_noop(&self) -> bool {
        self.summary.is_noop
    }

    #[getter]
    fn fingerprint(&self) -> Option<&str> {
        self.summary.fingerprint.as_deref()
    }

    #[getter]
    fn undo(&self) -> Option<&str> {
        self.summary.undo.as_deref()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String, String))> {
        let restore = py.import("apply_patch._native")?.getattr("restore")?;
        let summary =
            serde_json::to_string(&self.summary).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((restore, (self.words(py), self.json(py), summary)))
    }
}

/// Makes a report of what a pickle kept.
#[pyfunction]
pub(crate) fn restore(words: String, json: String, summary: &str) -> PyResult<NativeReport> {
    let summary = serde_json::from_str(summary).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(NativeReport { summary, body: Body::Kept { words, json } })
}
