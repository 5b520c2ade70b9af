//! Answers an event of the hooks of Claude Code.
//!
//! The client makes the edit itself. Before an edit, an inexact quote is answered with the exact quote, and an edit that does
//! not fit is denied with the report for the model. The answer does not change whether the client asks the user, because
//! the answer contains no decision unless it denies. After a batch of calls, each edit that the client refused is answered in
//! the same way, as context for the model. Every other event (a different tool, a file outside the root, an edit that the
//! client can make exactly) gets no answer.

use memchr::memmem;
use serde_json::{Value, json};

use crate::format::{self, Format, parse};
use crate::patch::Action;
use crate::plan::{After, Change, FailureKind, Failures, Files, Plan, Precondition, plan};
use crate::report::quoted_again;
use crate::run::{Changes, Details, Options, Outcome, Report};

/// The event before a tool call.
const BEFORE: &str = "PreToolUse";

/// The event after a batch of tool calls, with the result of each.
const AFTER: &str = "PostToolBatch";

/// The tool whose calls are answered.
const TOOL: &str = "Edit";

/// The beginning of the result of a call that the client refused.
const REFUSED: &str = "<tool_use_error>";

/// Returns the answer to an event; `None` if the client should continue as without the hook.
pub(super) fn hook(event: &str, files: &dyn Files, options: &Options) -> Option<Value> {
    let value: Value = serde_json::from_str(event).ok()?;
    let is = |field: &str, word: &str| value.get(field).and_then(Value::as_str) == Some(word);
    if is("hook_event_name", BEFORE) && is("tool_name", TOOL) {
        let output = match answer(event, value.get("tool_input")?, files, options)? {
            Answer::Quoted(input) => json!({ "hookEventName": BEFORE, "updatedInput": input }),
            Answer::Refused(words) => json!({
                "hookEventName": BEFORE,
                "permissionDecision": "deny",
                "permissionDecisionReason": words,
            }),
        };
        return Some(json!({ "hookSpecificOutput": output }));
    }
    let calls = value.get("tool_calls").and_then(Value::as_array).filter(|_| is("hook_event_name", AFTER))?;
    let texts: Vec<String> = calls.iter().filter_map(|call| context(call, &value, files, options)).collect();
    let text = texts.join("\n\n");
    let output = json!({ "hookEventName": AFTER, "additionalContext": text });
    (!text.is_empty()).then(|| json!({ "hookSpecificOutput": output }))
}

/// Returns the context for an edit that the client refused.
fn context(call: &Value, event: &Value, files: &dyn Files, options: &Options) -> Option<String> {
    let text = |field: &str| call.get(field).and_then(Value::as_str);
    let is_refused = text("tool_response").is_some_and(|result| result.starts_with(REFUSED));
    let input = call.get("tool_input").filter(|_| is_refused && text("tool_name") == Some(TOOL))?;
    let single = json!({ "cwd": event.get("cwd"), "tool_name": TOOL, "tool_input": input });
    Some(match answer(&single.to_string(), input, files, options)? {
        Answer::Quoted(input) => quoted_again(&input),
        Answer::Refused(words) => words,
    })
}

/// The answer to an edit.
enum Answer {
    /// The edit fits with this input.
    Quoted(Value),
    /// The edit does not fit; the report for the model.
    Refused(String),
}

/// Returns the answer to an edit. `call` is the JSON text of the call, `input` the arguments.
fn answer(call: &str, input: &Value, files: &dyn Files, options: &Options) -> Option<Answer> {
    let reading = format::Options { format: Format::Edit, file: None, ..options.reading() };
    let (patch, _) = parse(call, &reading).into_result().ok()?;
    let [hunk] = patch.hunks.as_slice() else { return None };
    let Action::Replace(edits) = &hunk.action else { return None };
    let [edit] = edits.as_slice() else { return None };
    match plan(&patch, files, &options.planning()) {
        Err(failures) => refused_by(failures),
        Ok(plan) => match plan.changes.as_slice() {
            [] => Some(refused(&Report::of(Outcome::WouldApply(changes(&plan))))),
            [change] => {
                let (before, after) = texts(change)?;
                let every = edit.target.is_every();
                if is_exact(&before, &after, &edit.old, &edit.new, every) {
                    return None;
                }
                let (old, new) = region(&before, &after)?;
                Some(Answer::Quoted(updated(input, &old, &new)))
            }
            _ => None,
        },
    }
}

fn changes(plan: &Plan) -> Changes {
    Changes::of(plan, &Details::default())
}

/// Returns the refusal of an edit that does not fit its file; `None` if the cause is a different failure, which the
/// client handles better.
fn refused_by(failures: Failures) -> Option<Answer> {
    let is_about_edit = |kind: &FailureKind| {
        matches!(
            kind,
            FailureKind::Chunk { .. } | FailureKind::WrongCount { .. } | FailureKind::NoSuchFile { .. }
        )
    };
    let are_all = failures.failures.iter().all(|failure| is_about_edit(&failure.kind));
    are_all.then(|| refused(&Report::of(Outcome::Refused(failures))))
}

fn refused(report: &Report) -> Answer {
    Answer::Refused(report.for_model(Report::BUDGET).trim_end().to_owned())
}

/// Returns the input with the exact quote. The texts match at a single position, so `replace_all` is false.
fn updated(input: &Value, old: &str, new: &str) -> Value {
    let mut input = input.clone();
    if let Some(fields) = input.as_object_mut() {
        fields.insert("old_string".to_owned(), Value::from(old));
        fields.insert("new_string".to_owned(), Value::from(new));
        if fields.contains_key("replace_all") {
            fields.insert("replace_all".to_owned(), Value::from(false));
        }
    }
    input
}

/// Returns the texts of a file before and after a change, as the client compares them: with LF at the end of each line. The client
/// writes the line ends of the file again. `None` where the file is no text.
fn texts(change: &Change) -> Option<(String, String)> {
    let Precondition::MustBe(before) = &change.before else { return None };
    let After::File { content, .. } = &change.after else { return None };
    Some((with_lf(before)?, with_lf(&content.bytes())?))
}

/// Returns a text with LF at the end of each line.
fn with_lf(bytes: &[u8]) -> Option<String> {
    let text = str::from_utf8(bytes).ok()?;
    // A search for the two bytes is much faster than a copy of a text that has none.
    let has_crlf = memmem::find(bytes, b"\r\n").is_some();
    Some(if has_crlf { text.replace("\r\n", "\n") } else { text.to_owned() })
}

/// Returns whether the unchanged texts make exactly this change.
fn is_exact(before: &str, after: &str, old: &str, new: &str, every: bool) -> bool {
    let finder = memmem::Finder::new(old);
    let most = if every { usize::MAX } else { 2 };
    let (mut count, mut from, mut left) = (0, 0, after);
    for at in finder.find_iter(before.as_bytes()).take(most) {
        count += 1;
        let unchanged = left.strip_prefix(&before[from..at]);
        let Some(behind) = unchanged.and_then(|left| left.strip_prefix(new)) else { return false };
        (from, left) = (at + old.len(), behind);
    }
    (count == 1 || every && count > 0) && left == &before[from..]
}

/// Returns an old text that occurs once in the file, and the new text that makes the change: the changed lines, with as
/// many lines around as needed.
fn region(before: &str, after: &str) -> Option<(String, String)> {
    let mut head = line_start(before, common_start(before.as_bytes(), after.as_bytes()));
    let tail = common_end(&before.as_bytes()[head..], &after.as_bytes()[head..]);
    let begins_line = |text: &str| text.len() - tail == head || text[..text.len() - tail].ends_with('\n');
    let mut tail = if begins_line(before) && begins_line(after) { tail } else { below(before, tail) };
    loop {
        let (old, new) = (&before[head..before.len() - tail], &after[head..after.len() - tail]);
        if !old.is_empty() && is_exact(before, after, old, new, false) {
            return Some((old.to_owned(), new.to_owned()));
        }
        if head == 0 && tail == 0 {
            return None;
        }
        (head, tail) = (line_start(before, head.saturating_sub(1)), below(before, tail));
    }
}

/// Returns the start of the line that has a position.
fn line_start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |end| end + 1)
}

/// Returns how many bytes the last lines have, without the line that begins before them or with them.
fn below(text: &str, tail: usize) -> usize {
    let last = &text.as_bytes()[text.len() - tail..];
    memchr::memchr(b'\n', last).map_or(0, |end| tail - end - 1)
}

/// The bytes that are compared at once.
const BLOCK: usize = 1024;

/// Returns how many bytes two texts have in common at the beginning.
fn common_start(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let same = BLOCK * blocks.take_while(|(one, other)| one == other).count();
    same + one[same..].iter().zip(&other[same..]).take_while(|(one, other)| one == other).count()
}

/// Returns how many bytes two texts have in common at the end.
fn common_end(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.rchunks_exact(BLOCK).zip(other.rchunks_exact(BLOCK));
    let same = BLOCK * blocks.take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[..one.len() - same], &other[..other.len() - same]);
    let last = one.iter().rev().zip(other.iter().rev());
    same + last.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Tree;

    fn answered(old: &str, new: &str, file: &str) -> Option<Value> {
        let tree: Tree = [("a.py", file.to_owned())].into_iter().collect();
        let event = json!({ "hook_event_name": BEFORE, "cwd": ".", "tool_name": TOOL, "session_id": "s",
            "tool_input": { "file_path": "a.py", "old_string": old, "new_string": new, "replace_all": false } });
        hook(&event.to_string(), tree.files(), &Options::default())
    }

    #[test]
    fn an_exact_quote_gets_no_answer() {
        assert_eq!(answered("    return 1", "    return 2", "def f():\n    return 1\n"), None);
    }

    #[test]
    fn a_quote_without_its_indentation_is_quoted_as_the_file_has_it() {
        let file = "def f():\n    a = 1\n    return a\n";
        let answer = answered("a = 1\nreturn a", "a = 2\nreturn a", file).expect("an answer");
        let output = &answer["hookSpecificOutput"];
        assert_eq!(output["updatedInput"]["old_string"], "    a = 1\n");
        assert_eq!(output["updatedInput"]["new_string"], "    a = 2\n");
        assert_eq!(output["updatedInput"]["file_path"], "a.py");
        assert_eq!(output.get("permissionDecision"), None);
    }

    #[test]
    fn a_changed_line_that_is_there_twice_gets_lines_around_it() {
        let file = "x = 1\ny\nx = 1\nz\n";
        let answer = answered("y\nx = 1 \nz", "y\nx = 2\nz", file).expect("an answer");
        assert_eq!(answer["hookSpecificOutput"]["updatedInput"]["old_string"], "y\nx = 1\nz\n");
    }

    #[test]
    fn a_region_is_whole_lines_that_make_the_change() {
        let long = "x\n".repeat(2000);
        for (before, after, old, new) in [
            ("a\nb\nc\n", "a\nB\nc\n", "b\n", "B\n"),
            ("a\nbé\nc", "a\nbè\nc", "bé\n", "bè\n"),
            ("a\nb", "a\nb\n", "b", "b\n"),
            ("a\n", "a\nb\n", "a\n", "a\nb\n"),
            ("a\nb\n", "b\n", "a\n", ""),
            ("a\na\nb\n", "a\nb\n", "a\na\nb\n", "a\nb\n"),
            ("b\nxb\n", "b\nb\n", "xb\n", "b\n"),
        ] {
            let (before, after) = (format!("{long}{before}"), format!("{long}{after}"));
            assert_eq!(region(&before, &after), Some((old.to_owned(), new.to_owned())), "{old:?}");
        }
    }

    #[test]
    fn line_ends_are_those_that_the_client_compares() {
        let file = "def f():\r\n    a = 1\r\n    return a\r\n";
        assert_eq!(answered("    a = 1\n    return a", "    a = 2\n    return a", file), None);
        let answer = answered("a = 1\nreturn a", "a = 2\nreturn a", file).expect("an answer");
        let input = &answer["hookSpecificOutput"]["updatedInput"];
        assert_eq!(
            (&input["old_string"], &input["new_string"]),
            (&json!("    a = 1\n"), &json!("    a = 2\n"))
        );
        // A quote with CR LF is in no text that the client compares.
        let answer =
            answered("    a = 1\r\n    return a", "    a = 2\r\n    return a", file).expect("an answer");
        assert_eq!(answer["hookSpecificOutput"]["updatedInput"]["old_string"], "    a = 1\n");
    }

    #[test]
    fn an_edit_that_is_nowhere_is_denied() {
        let answer = answered("return 7", "return 8", "def f():\n    return 1\n").expect("an answer");
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
        let words = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().expect("words");
        assert!(words.starts_with("Nothing was changed: "), "{words}");
    }

    #[test]
    fn what_the_client_refused_is_context_for_the_model() {
        let tree: Tree = [("a.py", "def f():\n    a = 1\n    return a\n")].into_iter().collect();
        let call = |old: &str, result: &str| {
            let input = json!({ "file_path": "a.py", "old_string": old, "new_string": "a = 2\nreturn a" });
            json!({ "tool_name": TOOL, "tool_input": input, "tool_response": result })
        };
        let context = |calls: &[Value]| {
            let event = json!({ "hook_event_name": AFTER, "cwd": ".", "tool_calls": calls });
            let answer = hook(&event.to_string(), tree.files(), &Options::default())?;
            answer["hookSpecificOutput"]["additionalContext"].as_str().map(str::to_owned)
        };
        let refused = "<tool_use_error>String to replace not found in file.";
        let words = context(&[call("a = 1\nreturn a", refused), call("return 7", refused)]).expect("words");
        assert!(words.contains(r#""old_string":"    a = 1\n""#), "{words}");
        assert!(words.contains("[not-found]"), "{words}");
        assert_eq!(context(&[call("return 7", "The file has been updated.")]), None);
        assert_eq!(context(&[]), None);
    }

    #[test]
    fn other_events_and_tools_get_no_answer() {
        let tree: Tree = [("a.py", "x\n")].into_iter().collect();
        for event in [
            r#"{"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": {}}"#,
            r#"{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "a.py", "content": "y"}}"#,
            r#"{"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": "../a.py", "old_string": "q", "new_string": "y"}}"#,
            r#"{"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": "a.py", "old_string": "q", "new_string": "y", "new_field": 1}}"#,
            "no event",
        ] {
            assert_eq!(hook(event, tree.files(), &Options::default()), None, "{event}");
        }
    }
}
