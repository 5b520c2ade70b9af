//! How the lines of an edit pair with those of the document.

use std::borrow::Cow;

use super::Tier;
use crate::edit::{Edit, EditLine};
use crate::patch::LineKind;
use crate::text::{Document, indentation};

/// A place that a tier proposes for an edit, and which line of the document each old line stands for.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'e> {
    pub(super) edit: &'e Edit<'e>,
    pub(super) tier: Tier,
    /// For each line of the edit: the line of the document that it quotes, 0-based; `None` for added lines.
    pub(super) pairs: Vec<Option<usize>>,
    /// The line before which an edit comes that quotes nothing.
    pub(super) start: usize,
}

/// An old line that is not blank, and its counterpart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'c> {
    /// Where the line stands in the edit.
    pub(super) nth: usize,
    pub(super) kind: LineKind,
    pub(super) quoted: &'c str,
    pub(super) actual: &'c str,
}

impl<'c> Pair<'c> {
    pub(super) fn quoted_indentation(&self) -> Cow<'c, str> {
        plain_indentation(self.quoted)
    }

    pub(super) fn actual_indentation(&self) -> Cow<'c, str> {
        plain_indentation(self.actual)
    }
}

/// The white space that a line begins with, no-break and other odd spaces as plain ones.
pub(super) fn plain_indentation(line: &str) -> Cow<'_, str> {
    let whole = &line[..line.len() - line.trim_start().len()];
    if whole.len() == indentation(line).len() {
        return Cow::Borrowed(whole);
    }
    Cow::Owned(whole.chars().map(|c| if c == '\t' { c } else { ' ' }).collect())
}

impl<'e> Candidate<'e> {
    /// The old lines stand one after the other from `start` on.
    pub(super) fn contiguous(edit: &'e Edit<'e>, tier: Tier, start: usize) -> Self {
        let mut next = start;
        let mut pair = |line: &EditLine<'_>| {
            (line.kind != LineKind::Add).then(|| {
                next += 1;
                next - 1
            })
        };
        Candidate { edit, tier, pairs: edit.lines.iter().map(&mut pair).collect(), start }
    }

    /// The paired lines that are not blank, with their texts.
    pub(super) fn filled_pairs<'c>(&'c self, document: &'c Document) -> Vec<Pair<'c>> {
        let pair = |(nth, (line, at)): (usize, (&'c EditLine<'e>, &Option<usize>))| {
            let actual = document.text((*at)?)?;
            let filled = !line.text.trim().is_empty() && !actual.trim().is_empty();
            filled.then_some(Pair { nth, kind: line.kind, quoted: &line.text, actual })
        };
        self.edit.lines.iter().zip(&self.pairs).enumerate().filter_map(pair).collect()
    }

    /// The lines of the document, 0-based, that are not quoted to the letter.
    pub(super) fn differing(&self, document: &Document) -> Vec<usize> {
        let lines = self.edit.lines.iter().zip(&self.pairs);
        lines.filter_map(|(line, at)| at.filter(|at| document.line(*at) != line.text.as_bytes())).collect()
    }
}
