//! What JavaScript gets.

use std::collections::BTreeSet;

use apply_patch::run::{FileChange, Outcome, Report};
use napi::bindgen_prelude::{Buffer, Either3, Null};
use napi_derive::napi;

/// Which files came in as bytes. A content goes out as the type that it came in as.
#[derive(Debug, Default)]
pub struct Inputs {
    /// The names of the files that came in as bytes.
    pub bytes: BTreeSet<String>,
    /// Whether some file came in as text.
    pub has_text: bool,
}

impl Inputs {
    /// Returns whether a file goes out as bytes. A new file is text, unless the caller has bytes only.
    fn is_bytes(&self, path: &str) -> bool {
        self.bytes.contains(path) || !self.has_text && !self.bytes.is_empty()
    }
}

/// What became of a call.
#[napi(object)]
pub struct NativeOutcome {
    /// The exit status that the command would have.
    pub status: u32,
    /// The words for the model.
    pub words: String,
    /// The report as JSON.
    pub json: String,
    /// The patch that takes the changes back.
    pub undo: Option<String>,
    /// The paths of the files that change.
    pub paths: Vec<String>,
    /// Their contents afterwards, in the same order; `null` for a file that is removed.
    pub contents: Option<Vec<Either3<String, Buffer, Null>>>,
}

impl NativeOutcome {
    /// Makes the outcome of a report. `inputs` is absent if contents are not wanted.
    pub fn new(mut report: Report, budget: usize, inputs: Option<&Inputs>) -> Self {
        let words = report.for_model(budget);
        let json = report.to_json();
        let files = match &mut report.outcome {
            Outcome::Applied(changes) | Outcome::WouldApply(changes) => std::mem::take(&mut changes.files),
            _ => Vec::new(),
        };
        let paths = files.iter().map(|file| file.path.to_string()).collect();
        let contents = inputs.map(|inputs| files.into_iter().map(|file| content(file, inputs)).collect());
        Self { status: u32::from(report.status().code()), words, json, undo: report.undo, paths, contents }
    }
}

/// Returns the content of a file afterwards.
fn content(file: FileChange, inputs: &Inputs) -> Either3<String, Buffer, Null> {
    let Some(content) = file.content else { return Either3::C(Null) };
    if inputs.is_bytes(file.path.as_str()) {
        return Either3::B(Vec::from(content).into());
    }
    match String::from_utf8(content.into()) {
        Ok(text) => Either3::A(text),
        Err(error) => Either3::B(error.into_bytes().into()),
    }
}
