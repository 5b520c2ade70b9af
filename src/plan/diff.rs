//! The change of a file as a unified diff in data: [`report::diff`](crate::report::diff) writes the diff.

use std::borrow::Cow;
use std::ops::Range;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use similar::ChangeTag;

use crate::patch::LineKind;
use crate::plan::{After, Change, Precondition};
use crate::text::LineDiff;

/// The time limit for a small diff; afterwards a coarser diff is computed, because a preview need not be minimal.
const PATIENCE: Duration = Duration::from_millis(500);

/// How many unchanged lines are on either side of a change.
const CONTEXT: usize = 3;

/// The differences of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    /// The path with links resolved.
    pub path: Utf8PathBuf,
    /// Whether a file is there before.
    pub existed: bool,
    /// Whether a file is there afterwards.
    pub exists: bool,
    /// What changes.
    pub body: DiffBody,
}

/// What changes in the content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffBody {
    /// Nothing: only the name or the mode bits do, or an empty file is added or removed.
    Same,
    /// Either content has a zero byte, so the contents are not compared line by line.
    Binary,
    /// These runs of lines, in the order of the file.
    Hunks(Vec<LineHunk>),
}

/// Changes that are close to each other, with the unchanged lines around.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineHunk {
    /// The lines of the old content, 0-based.
    pub old: Range<usize>,
    /// The lines of the new content, 0-based.
    pub new: Range<usize>,
    /// The kind of each line, and its text with its ending. Bytes that are not UTF-8 are replaced by `U+FFFD`.
    pub lines: Vec<(LineKind, String)>,
}

impl Change {
    /// Compares the content before the change with the content afterwards, line by line.
    pub(crate) fn diff(&self) -> FileDiff {
        let before: Option<&[u8]> = match &self.before {
            Precondition::MustNotExist => None,
            Precondition::MustBe(bytes) => Some(bytes),
        };
        let after = match &self.after {
            After::Gone => None,
            After::File { content, .. } => Some(content.bytes()),
        };
        let (existed, exists) = (before.is_some(), after.is_some());
        let body = body(before.unwrap_or_default(), &after.unwrap_or_default());
        FileDiff { path: self.path.clone(), existed, exists, body }
    }
}

fn body(before: &[u8], after: &[u8]) -> DiffBody {
    if before == after {
        return DiffBody::Same;
    }
    let (Some(before), Some(after)) = (text(before), text(after)) else { return DiffBody::Binary };
    let hunks = LineDiff::new(&before, &after, Instant::now().checked_add(PATIENCE)).hunks(CONTEXT);
    let lines = |lines: &[(ChangeTag, &str)]| {
        let lines = lines.iter().map(|(tag, text)| (kind(*tag), (*text).to_owned()));
        lines.collect()
    };
    let hunks = hunks.iter().map(|hunk| LineHunk {
        old: hunk.old.clone(),
        new: hunk.new.clone(),
        lines: lines(&hunk.lines),
    });
    DiffBody::Hunks(hunks.collect())
}

fn kind(tag: ChangeTag) -> LineKind {
    match tag {
        ChangeTag::Equal => LineKind::Context,
        ChangeTag::Delete => LineKind::Remove,
        ChangeTag::Insert => LineKind::Add,
    }
}

/// Returns what can be compared line by line; `None` for what is not text.
fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if bytes.contains(&0) { None } else { Some(String::from_utf8_lossy(bytes)) }
}
