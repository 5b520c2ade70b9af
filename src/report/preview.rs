//! What was asked for to show what changes.

use std::fmt::{self, Write};

use super::style::Look;
use super::{diff, stat};
use crate::run::{Preview, Report};

/// Writes the number of changed lines of each file, then the diff, if requested.
///
/// # Errors
/// Returns the errors of `out`.
pub(crate) fn write_preview(report: &Report, look: &Look, out: &mut dyn Write) -> fmt::Result {
    let Preview { stat, diff, trim } = &report.preview;
    if let (true, Some(changes)) = (stat, report.changes()) {
        stat::write(&changes.hunks, look, out)?;
    }
    diff::write_files(diff.as_deref().unwrap_or_default(), look, *trim, out)
}
