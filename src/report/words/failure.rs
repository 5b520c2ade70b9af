//! The words for what keeps a patch from fitting the files.

use std::fmt::{self, Display, Formatter};

use super::drift::line_list;
use crate::plan::{Earlier, Failure, FailureKind, Failures, HunkKind, NotAFile};
use crate::text::shown;

impl Display for Failures {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} of the patch's changes cannot be made", self.failures.len())
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Failure { path, kind, .. } = self;
        if let Some(line) = self.line() {
            write!(f, "patch line {line}: ")?;
        }
        if let Some(tool) = &self.tool {
            write!(f, "call of `{tool}`: ")?;
        }
        match kind {
            // These name the path themselves.
            FailureKind::Path(_) | FailureKind::Read(_) => write!(f, "{kind}"),
            FailureKind::Chunk { of: 2.., .. } => {
                write!(f, "{}, {kind}", shown(path))
            }
            _ => write!(f, "{}: {kind}", shown(path)),
        }
    }
}

impl Display for FailureKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            FailureKind::Path(error) => write!(f, "{error}"),
            FailureKind::Read(error) => write!(f, "{error}"),
            FailureKind::Repaired { note } => write!(f, "the name is not exact ({note})"),
            FailureKind::NoSuchFile { earlier: Some(earlier), .. }
            | FailureKind::AlreadyExists { earlier: Some(earlier) } => write!(f, "{earlier}"),
            FailureKind::NoSuchFile { similar, .. } => {
                f.write_str("there is no such file")?;
                for (nth, path) in similar.iter().enumerate() {
                    write!(
                        f,
                        "{}{}",
                        if nth == 0 { "; did you mean " } else { ", or " },
                        shown(path.as_str())
                    )?;
                }
                if similar.is_empty() { Ok(()) } else { f.write_str("?") }
            }
            FailureKind::AlreadyExists { earlier: None } => {
                f.write_str("a file of this name is there already")
            }
            FailureKind::Target { path, kind } => write!(f, "cannot move to {}: {kind}", shown(path)),
            FailureKind::NotAFile { what } => write!(f, "is not a file but a {what}"),
            FailureKind::NotAllQuoted { left } => {
                f.write_str("the diff of the file to delete does not remove all lines")?;
                let lines: Vec<usize> = left.iter().map(|line| line.line).collect();
                if lines.is_empty() { Ok(()) } else { write!(f, ": {} not quoted", line_list(&lines)) }
            }
            FailureKind::EmptyOld => {
                f.write_str("the old text is empty; quote the lines to change, or add a file with a patch")
            }
            FailureKind::SameText => {
                f.write_str("the old and the new text are the same; there is nothing to change")
            }
            FailureKind::WrongCount { expected, found } => {
                write!(
                    f,
                    "the old text is at {found} places, and {expected} were expected; quote more of the file, or correct the number"
                )
            }
            FailureKind::NoSuchLine { line, lines } => {
                write!(f, "cannot insert after line {line}: the file has {lines} lines; read the file again")
            }
            FailureKind::LineMoved { line } => {
                write!(
                    f,
                    "cannot insert after line {line}: an earlier edit of the same patch moves that line; send this edit afterwards, or quote text"
                )
            }
            FailureKind::Chunk { of: 0..=1, miss, .. } => write!(f, "{}", miss.reason),
            FailureKind::Chunk { number: None, nth, of, miss } => {
                write!(f, "edit {} of {of}: {}", nth + 1, miss.reason)
            }
            FailureKind::Chunk { nth, of, miss, .. } => {
                write!(f, "chunk {} of {of}: {}", nth + 1, miss.reason)
            }
        }
    }
}

/// What an earlier hunk does to a file, as the end of a sentence about the file.
impl Display for Earlier {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.number {
            Some(number) => write!(f, "patch line {number} ")?,
            None => f.write_str("an earlier section ")?,
        }
        match (&self.moved_to, self.kind) {
            (Some(path), _) => write!(f, "moves it to {}", shown(path.as_str())),
            (None, HunkKind::Add) => f.write_str("adds it"),
            (None, _) => f.write_str("deletes it"),
        }
    }
}

/// What is there, behind the words "is not a file but a".
impl Display for NotAFile {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotAFile::Folder => "folder",
            NotAFile::MovedLink => "symbolic link; move what it points to",
            NotAFile::RemovedLink => "symbolic link that an earlier hunk removes",
            NotAFile::Other(name) => name,
        })
    }
}
