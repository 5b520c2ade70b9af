//! Renders answers to calls, in the protocol of the calls.
//!
//! The text is the report [for the model](super::model). Several calls of a text are applied together or not at all;
//! each gets an answer with its own id.

use camino::Utf8Path;
use serde_json::{Value, json};

use crate::format::{Call, Protocol, Repair};
use crate::plan::{Failure, FailureKind, Failures, HunkReport};
use crate::run::{Changes, Outcome, Report, Status, Stopped};

/// A protocol in which an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReplyStyle {
    /// OpenAI's: `apply_patch_call_output`, `function_call_output`, `custom_tool_call_output`, `local_shell_call_output` or a
    /// message of the role `tool`, as the call asks; else an object with `status` and `output`.
    OpenAi,
    /// Anthropic's: `tool_result`
    Anthropic,
    /// The Model Context Protocol's: `CallToolResult`, inside a response where the call was a request.
    Mcp,
}

/// Renders the answers that [`Report::replies`] returns.
pub(super) fn replies(report: Report, style: ReplyStyle, budget: usize) -> Vec<String> {
    let caller = report.caller;
    let mut parts = parts(report);
    for part in &mut parts {
        part.report.caller = caller;
    }
    // What was repaired is reported once.
    for part in parts.iter_mut().skip(1) {
        part.report.repairs.clear();
    }
    parts.iter().map(|part| part.reply(style, budget)).collect()
}

/// A call and its outcome.
struct Part {
    call: Call,
    report: Report,
}

/// Divides a report among the calls of its text.
fn parts(mut report: Report) -> Vec<Part> {
    let mut calls = std::mem::take(&mut report.calls);
    if calls.len() < 2 {
        let call = calls.pop().unwrap_or_default();
        return vec![Part { call, report }];
    }
    match report.outcome {
        Outcome::Applied(changes) => {
            let outcome = |call: &Call| Outcome::Applied(of_call(&changes, call));
            divided(calls, &report.repairs, outcome)
        }
        Outcome::WouldApply(changes) => {
            let outcome = |call: &Call| Outcome::WouldApply(of_call(&changes, call));
            divided(calls, &report.repairs, outcome)
        }
        Outcome::Refused(Failures { mut failures, .. }) => {
            let outcome = |call: &Call| refused(call, &mut failures);
            divided(calls, &report.repairs, outcome)
        }
        Outcome::NotAPatch(errors) => divided(calls, &report.repairs, |_| Outcome::NotAPatch(errors.clone())),
        outcome => {
            let (status, changed) = (Report { caller: report.caller, ..Report::of(outcome) }, false);
            let text = status.for_model(0);
            let status = status.status();
            let message = |_: &Call| {
                let text = text.clone();
                Outcome::Stopped(Stopped::Caller { status, changed, says_unchanged: false, text })
            };
            divided(calls, &report.repairs, message)
        }
    }
}

fn divided(calls: Vec<Call>, repairs: &[Repair], mut outcome: impl FnMut(&Call) -> Outcome) -> Vec<Part> {
    let part = |call: Call| {
        let report = Report { repairs: repairs.to_vec(), ..Report::of(outcome(&call)) };
        Part { call, report }
    };
    calls.into_iter().map(part).collect()
}

/// Returns the changes of a call.
fn of_call(changes: &Changes, call: &Call) -> Changes {
    let hunks: Vec<HunkReport> = changes.hunks.get(call.hunks.clone()).unwrap_or_default().to_vec();
    let named = |path: &Utf8Path| {
        hunks.iter().any(|hunk| hunk.path == path || hunk.moved_to.as_deref() == Some(path))
    };
    let files: Vec<_> = changes.files.iter().filter(|file| named(&file.path)).cloned().collect();
    let is_through_link = files.is_empty() && hunks.iter().any(|hunk| !hunk.unchanged);
    Changes { files: if is_through_link { changes.files.clone() } else { files }, hunks }
}

/// Returns the failures of a call; a call that would fit fails together with the rest.
fn refused(call: &Call, failures: &mut Vec<Failure>) -> Outcome {
    let (own, others): (Vec<Failure>, Vec<Failure>) =
        std::mem::take(failures).into_iter().partition(|failure| is_of(failure, call));
    *failures = others;
    if own.is_empty() {
        let text =
            "this call fits, but another call of the same answer does not, and all are applied together or \
                    not at all; send this call again with the corrected one"
                .to_owned();
        let status = Status::Refused;
        return Outcome::Stopped(Stopped::Caller { status, changed: false, says_unchanged: true, text });
    }
    Outcome::Refused(Failures { failures: own, placed: Vec::new() })
}

fn is_of(failure: &Failure, call: &Call) -> bool {
    let is_own_edit = match failure.kind {
        FailureKind::Chunk { nth, .. } if call.hunks.len() == 1 && !call.edits.is_empty() => {
            call.edits.contains(&nth)
        }
        _ => true,
    };
    call.hunks.contains(&failure.hunk) && is_own_edit
}

impl Part {
    /// Returns whether the call was carried out, or would be.
    fn is_done(&self) -> bool {
        matches!(self.report.status(), Status::Applied | Status::Unclean)
    }

    fn reply(&self, style: ReplyStyle, budget: usize) -> String {
        let words = self.report.for_model(budget);
        match style {
            ReplyStyle::OpenAi => self.openai(&words),
            ReplyStyle::Anthropic => {
                let reply = json!({ "type": "tool_result", "content": words, "is_error": !self.is_done() });
                self.with_id("tool_use_id", &reply)
            }
            ReplyStyle::Mcp => {
                let result =
                    json!({ "content": [{ "type": "text", "text": words }], "isError": !self.is_done() });
                if self.call.id.is_none() || self.call.protocol != Protocol::Mcp {
                    return result.to_string();
                }
                self.with_id("id", &json!({ "jsonrpc": "2.0", "result": result }))
            }
        }
    }

    fn openai(&self, words: &str) -> String {
        let status = if self.is_done() { "completed" } else { "failed" };
        let output = |kind: &str| json!({ "type": kind, "output": words });
        match self.call.protocol {
            Protocol::ApplyPatchCall => {
                let reply = json!({ "type": "apply_patch_call_output", "status": status, "output": words });
                self.with_id("call_id", &reply)
            }
            Protocol::FunctionCall => self.with_id("call_id", &output("function_call_output")),
            Protocol::CustomToolCall => self.with_id("call_id", &output("custom_tool_call_output")),
            Protocol::LocalShellCall => self.with_id("id", &output("local_shell_call_output")),
            Protocol::ChatCompletions => {
                self.with_id("tool_call_id", &json!({ "role": "tool", "content": words }))
            }
            _ => self.with_id("call_id", &json!({ "status": status, "output": words })),
        }
    }

    /// Returns an answer as JSON, with the id of its call. The id is not read as a value, because a number may lose digits.
    fn with_id(&self, name: &str, reply: &Value) -> String {
        let mut reply = reply.to_string();
        if let Some(id) = &self.call.id
            && reply.pop().is_some()
        {
            reply.extend([",\"", name, "\":", id, "}"]);
        }
        reply
    }
}
