//! The lines that a change writes, with the numbers that they have afterwards.

use similar::DiffTag;

use crate::plan::{After, Change, Content, Precondition};
use crate::text::Replacement;
use crate::text::{Document, compare};

/// Lines that are written in place of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Changed {
    /// The first of them, counted from 1 as the file is afterwards; of a removal the line that stands there now.
    pub(super) line: usize,
    /// How many lines went.
    pub(super) removed: usize,
    /// The lines that came.
    pub(super) added: Vec<String>,
}

/// What a change does to a file that was there and is there afterwards; nothing of one that is new or gone, as that is
/// the whole file.
pub(super) fn changed(change: &Change) -> Vec<Changed> {
    let (Precondition::MustBe(before), After::File { content, .. }) = (&change.before, &change.after) else {
        return Vec::new();
    };
    match content {
        Content::Edited { document, replacements } if document.bytes() == before => {
            from_replacements(replacements)
        }
        content => by_comparison(&Document::new(before.clone()), &content.bytes()),
    }
}

fn from_replacements(replacements: &[Replacement<'_>]) -> Vec<Changed> {
    let mut shift = 0isize;
    let changed = replacements.iter().map(|replacement| {
        let line = replacement.start.saturating_add_signed(shift) + 1;
        shift += replacement.lines.len().cast_signed() - replacement.removed.cast_signed();
        let added = replacement.lines.iter().map(ToString::to_string).collect();
        Changed { line, removed: replacement.removed, added }
    });
    changed.collect()
}

fn by_comparison(before: &Document, after: &[u8]) -> Vec<Changed> {
    let after = Document::new(after.to_vec().into());
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (before.lines().collect(), after.lines().collect());
    let ops = compare(&old, &new, None);
    let changed = ops.iter().filter(|op| op.tag() != DiffTag::Equal).map(|op| Changed {
        line: op.new_range().start + 1,
        removed: op.old_range().len(),
        added: new[op.new_range()].iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect(),
    });
    changed.collect()
}
