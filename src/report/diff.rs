//! What a plan changes, as a unified diff.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::time::Duration;

use similar::TextDiff;

use crate::plan::{After, Change, Plan, Precondition};
use crate::text::shown;

/// How long the search for a small difference may take before a plain one does. A preview need not be minimal.
const PATIENCE: Duration = Duration::from_millis(500);

/// How many unchanged lines stand around each change.
const CONTEXT: usize = 3;

/// Writes the changes of a plan, path by path; paths and line numbers as `diff -u` has them.
///
/// # Errors
/// Those of `out`.
///
/// ```
/// # use std::collections::BTreeMap;
/// # use apply_patch::{format, plan, report::diff};
/// let files = BTreeMap::from([("a.txt".into(), b"one\ntwo\n".to_vec())]);
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
/// let parsed = format::parse(text, &format::Options::default());
/// let plan = plan::plan(&parsed.patch, &files, &plan::Options::default()).unwrap();
/// let mut words = String::new();
/// diff::unified(&plan, &mut words).unwrap();
/// assert_eq!(words, "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
/// ```
pub fn unified(plan: &Plan, out: &mut dyn Write) -> fmt::Result {
    plan.changes.iter().try_for_each(|change| unified_change(change, out))
}

fn unified_change(change: &Change, out: &mut dyn Write) -> fmt::Result {
    let before: Option<&[u8]> = match &change.before {
        Precondition::MustNotExist => None,
        Precondition::MustBe(bytes) => Some(bytes),
    };
    let after = match &change.after {
        After::Gone => None,
        After::File { content, .. } => Some(content.bytes()),
    };
    let name = |side: &str, there: bool| {
        if there { format!("{side}/{}", shown(change.path.as_str())) } else { "/dev/null".to_owned() }
    };
    let (old, new) = (name("a", before.is_some()), name("b", after.is_some()));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    if before == &*after {
        return writeln!(out, "--- {old}\n+++ {new}");
    }
    let (Some(before), Some(after)) = (text(before), text(&after)) else {
        return writeln!(out, "Binary files {old} and {new} differ");
    };
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(&*before, &*after);
    write!(out, "{}", diff.unified_diff().context_radius(CONTEXT).header(&old, &new))
}

/// What can be shown; `None` for what is not text.
fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if bytes.contains(&0) { None } else { Some(String::from_utf8_lossy(bytes)) }
}
