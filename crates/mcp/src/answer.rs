//! A report → the result of a tool call.

use std::num::NonZeroUsize;

use apply_patch::format::ParseError;
use apply_patch::plan;
use apply_patch::run::{Outcome, Report, Status};
use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The structured content of a result, for clients that ask for it. One shape for every outcome, because clients check the
/// schema of refusals, too.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Structured {
    /// `applied`, `would-apply`, `refused`, `not-a-patch`, `wrong-usage` or `stopped`.
    #[schemars(with = "String")]
    outcome: Value,
    /// Whether files were changed.
    changed: bool,
    /// The text of the result: some clients drop the text where structured content is present.
    report: String,
    /// The files that are changed, or would be.
    files: Vec<String>,
    /// What keeps the call from being applied.
    failures: Vec<Failure>,
    /// The patch that takes the changes back, if `undo` asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    undo: Option<String>,
}

/// One thing that keeps a call from being applied.
#[derive(Debug, Serialize, JsonSchema)]
struct Failure {
    /// A stable name of the kind of failure.
    code: String,
    /// The file, as the call spells it; empty if the failure is about the text of the patch.
    path: String,
    /// The line of the patch; 0 for `edit_file`.
    patch_line: usize,
    /// The same whenever the same quote fails in the same file; absent for a failure that is not about a quote.
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
}

/// Makes the result of a report. `budget` is the longest text for the model, in characters.
pub(crate) fn of_report(report: &Report, budget: usize, structured: bool) -> CallToolResult {
    let words = report.for_model(budget);
    let undo = report.undo.as_ref().filter(|undo| !undo.is_empty());
    let texts = [Some(&words), undo].into_iter().flatten();
    let content = texts.map(|text| ContentBlock::text(text.as_str())).collect();
    let mut result = match report.status() {
        Status::Applied | Status::Unclean => CallToolResult::success(content),
        _ => CallToolResult::error(content),
    };
    if structured {
        result.structured_content = serde_json::to_value(Structured::new(report, words)).ok();
    }
    result
}

/// Makes the result of a call whose arguments are not valid. It is a result and no protocol error, because the model can
/// correct the call.
pub(crate) fn of_wrong_arguments(tool: &str, error: &str, structured: bool) -> CallToolResult {
    let words = format!("Nothing was changed: the arguments of `{tool}` are not valid: {error}\n");
    let mut result = CallToolResult::error(vec![ContentBlock::text(words.as_str())]);
    if structured {
        result.structured_content = serde_json::to_value(Structured::of_wrong_arguments(words)).ok();
    }
    result
}

impl Structured {
    fn new(report: &Report, words: String) -> Self {
        let files = report.changes().into_iter().flat_map(|changes| &changes.files);
        let failures = match &report.outcome {
            Outcome::Refused(failures) => failures.failures.iter().map(Failure::of_failure).collect(),
            Outcome::NotAPatch(errors) => errors.kept.iter().map(Failure::of_error).collect(),
            _ => Vec::new(),
        };
        Structured {
            outcome: report.outcome.name().into(),
            changed: report.changed(),
            report: words,
            files: files.map(|file| file.path.to_string()).collect(),
            failures,
            undo: report.undo.clone(),
        }
    }

    fn of_wrong_arguments(words: String) -> Self {
        Structured {
            outcome: "wrong-usage".into(),
            changed: false,
            report: words,
            files: Vec::new(),
            failures: Vec::new(),
            undo: None,
        }
    }
}

impl Failure {
    fn of_failure(failure: &plan::Failure) -> Self {
        Failure {
            code: failure.code().to_owned(),
            path: failure.path.clone(),
            patch_line: failure.line().map_or(0, NonZeroUsize::get),
            fingerprint: failure.fingerprint().map(|fingerprint| format!("{fingerprint:016x}")),
        }
    }

    fn of_error(error: &ParseError) -> Self {
        Failure {
            code: error.code().to_owned(),
            path: String::new(),
            patch_line: *error.lines().start(),
            fingerprint: None,
        }
    }
}
