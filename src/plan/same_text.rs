//! Edits of a list that quote the same old text.
//!
//! Lines that are added beside the text by several edits are all added. Other changes of the text exclude each other, although
//! the result of the first edit may contain the text.

use std::borrow::Cow;
use std::collections::HashMap;

use super::replace::line_feeds;
use crate::patch::{Target, TextEdit};

/// The edits of a list by their old text, in order; edits of every position are left out.
pub(super) struct SameText<'e> {
    by_old: HashMap<Cow<'e, str>, Vec<usize>>,
}

/// How many edits of the same text are looked for together: each copies the text of all before.
const MOST_ADDITIONS: usize = 100;

impl<'e> SameText<'e> {
    pub(super) fn of(edits: &'e [TextEdit<'_>]) -> Self {
        let mut by_old: HashMap<Cow<'e, str>, Vec<usize>> = HashMap::new();
        for (nth, edit) in edits.iter().enumerate() {
            if matches!(edit.target, Target::Only) {
                by_old.entry(line_feeds(&edit.old)).or_default().push(nth);
            }
        }
        by_old.retain(|_, edits| edits.len() > 1);
        SameText { by_old }
    }

    /// Checks whether an edit and an earlier edit change the same text in different ways.
    pub(super) fn is_changed_before(&self, edits: &[TextEdit<'_>], nth: usize) -> bool {
        let edit = &edits[nth];
        let same = self.by_old.get(&line_feeds(&edit.old)).filter(|_| !adds_lines(edit));
        // The first edit decides: a list of many edits of the same text is long.
        let first = same.and_then(|same| same.iter().find(|other| !adds_lines(&edits[**other])));
        first.is_some_and(|first| *first < nth && edits[*first].new != edit.new)
    }

    /// Returns the edits that add lines beside the same text, each group with the text that all edits of the group make.
    pub(super) fn additions(&self, edits: &[TextEdit<'_>]) -> Vec<(Vec<usize>, TextEdit<'static>)> {
        let groups = self.by_old.iter().filter(|(_, same)| {
            same.len() <= MOST_ADDITIONS && same.iter().all(|nth| adds_lines(&edits[*nth]))
        });
        let made = groups.map(|(old, same)| {
            let new = same
                .iter()
                .fold(old.to_string(), |text, nth| text.replacen(&**old, &line_feeds(&edits[*nth].new), 1));
            let whole = TextEdit {
                number: None,
                old: Cow::Owned(old.to_string()),
                new: Cow::Owned(new),
                target: Target::Only,
            };
            (same.clone(), whole)
        });
        made.collect()
    }
}

/// Checks whether an edit only adds whole lines above or below its old text.
fn adds_lines(edit: &TextEdit<'_>) -> bool {
    let (old, new) = (line_feeds(&edit.old), line_feeds(&edit.new));
    let below = new.strip_prefix(&*old).is_some_and(|added| old.ends_with('\n') || added.starts_with('\n'));
    let above = new.strip_suffix(&*old).is_some_and(|added| added.ends_with('\n'));
    below || above
}
