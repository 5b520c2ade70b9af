//! The single line of a report for a model that has room for nothing else.

use crate::format::ParseErrors;
use crate::plan::Failure;
use crate::text::shown;

/// Returns the file, the line in the patch and the code of the first failure, and how many more there are.
pub(in crate::report) fn of_failures(failures: &[Failure]) -> String {
    let Some(first) = failures.first() else { return String::new() };
    let line = first.line().map(|line| format!(", patch line {line}")).unwrap_or_default();
    let more = more(failures.len());
    format!("Nothing was changed: {}{line} [{}]{more}", shown(&first.path), first.code())
}

/// Returns the line and the code of the first error, and how many more there are.
pub(in crate::report) fn of_errors(errors: &ParseErrors) -> String {
    let Some(first) = errors.kept.first() else { return String::new() };
    format!("Nothing was changed: patch {} [{}]{}", first.span, first.code(), more(errors.in_all))
}

fn more(all: usize) -> String {
    if all > 1 { format!(", and {} more", all - 1) } else { String::new() }
}
