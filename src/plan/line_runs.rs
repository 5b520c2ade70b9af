//! The lines that a change writes, with their numbers after the change.

use similar::DiffTag;

use crate::plan::{After, Change, Content, Precondition};
use crate::text::Replacement;
use crate::text::{Document, compare};

/// Added lines and the lines that they replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineRun {
    /// The number of the first line, 1-based, after the change; for a removal, of the line that follows the removed
    /// lines.
    pub line: usize,
    /// How many lines are removed.
    pub removed: usize,
    /// The added lines, without endings.
    pub added: Vec<String>,
}

impl Change {
    /// Returns the lines that the change writes, in the order of the file. Empty for a file that is new or removed, because
    /// that is the whole file.
    pub(crate) fn line_runs(&self) -> Vec<LineRun> {
        let (Precondition::MustBe(before), After::File { content, .. }) = (&self.before, &self.after) else {
            return Vec::new();
        };
        match content {
            Content::Edited { document, replacements } if document.bytes() == before => {
                from_replacements(replacements)
            }
            content => by_comparison(&Document::new(before.clone()), &content.bytes()),
        }
    }
}

fn from_replacements(replacements: &[Replacement<'_>]) -> Vec<LineRun> {
    let mut shift = 0isize;
    let runs = replacements.iter().map(|replacement| {
        let line = replacement.start.saturating_add_signed(shift) + 1;
        shift += replacement.lines.len().cast_signed() - replacement.removed.cast_signed();
        let added = replacement.lines.iter().map(ToString::to_string).collect();
        LineRun { line, removed: replacement.removed, added }
    });
    runs.collect()
}

fn by_comparison(before: &Document, after: &[u8]) -> Vec<LineRun> {
    let after = Document::new(after.to_vec().into());
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (before.lines().collect(), after.lines().collect());
    let ops = compare(&old, &new, None);
    let runs = ops.iter().filter(|op| op.tag() != DiffTag::Equal).map(|op| LineRun {
        line: op.new_range().start + 1,
        removed: op.old_range().len(),
        added: new[op.new_range()].iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect(),
    });
    runs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Options as Reading, parse};
    use crate::plan::{Options, plan};

    #[test]
    fn lines_have_their_numbers_after_the_change() {
        let files = std::collections::BTreeMap::from([("a.txt".into(), b"one\ntwo\n".to_vec())]);
        let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n+3\n*** End Patch\n";
        let plan = plan(&parse(text, &Reading::default()).patch, &files, &Options::default()).unwrap();
        let run = LineRun { line: 2, removed: 1, added: vec!["2".to_owned(), "3".to_owned()] };
        assert_eq!(plan.changes[0].line_runs(), std::slice::from_ref(&run));
        let compared = Change::of("a.txt", Some("one\ntwo\n".into()), Some("one\n2\n3\n".into()));
        assert_eq!(compared.line_runs(), [run]);
    }
}
