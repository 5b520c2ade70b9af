//! What JavaScript gets.

use apply_patch::run::batch::{Changed, Given};
use apply_patch::run::{FileChange, Outcome, Report};
use camino::Utf8Path;
use napi::bindgen_prelude::{Buffer, Either3, Null};
use napi_derive::napi;

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
    /// Makes the outcome of a report, with the contents of the changed files if the report has them. `is_bytes` returns whether
    /// a file goes out as bytes, though it may be text.
    pub fn new(mut report: Report, budget: usize, is_bytes: &dyn Fn(&Utf8Path) -> bool) -> Self {
        let files = match &mut report.outcome {
            Outcome::Applied(changes) | Outcome::WouldApply(changes) => {
                let content = |file: &mut FileChange| {
                    let given = |bytes| Given { is_text: !is_bytes(&file.path), bytes };
                    Changed { path: file.path.clone(), content: file.content.take().map(given) }
                };
                changes.files.iter_mut().map(content).collect()
            }
            _ => Vec::new(),
        };
        Self::with_files(report, budget, files)
    }

    /// Makes the outcome of a report and the files that it is about.
    pub fn with_files(report: Report, budget: usize, files: Vec<Changed>) -> Self {
        let (words, json) = (report.for_model(budget), report.to_json());
        let paths = files.iter().map(|file| file.path.to_string()).collect();
        let contents = Some(files.into_iter().map(|file| content(file.content)).collect());
        Self { status: u32::from(report.status().code()), words, json, undo: report.undo, paths, contents }
    }

    /// Leaves the contents out.
    #[must_use]
    pub fn without_contents(self) -> Self {
        Self { contents: None, ..self }
    }
}

/// Returns the content of a file afterwards, as the type that it came in as.
fn content(content: Option<Given>) -> Either3<String, Buffer, Null> {
    let Some(Given { bytes, is_text }) = content else { return Either3::C(Null) };
    if !is_text {
        return Either3::B(Vec::from(bytes).into());
    }
    match String::from_utf8(bytes.into()) {
        Ok(text) => Either3::A(text),
        Err(error) => Either3::B(error.into_bytes().into()),
    }
}
