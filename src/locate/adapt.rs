//! Bringing added lines into the document's form: its indentation, its look-alikes.
//!
//! Wrong indentation is a wrong edit: where it is not known how the document would indent a line, the edit is
//! refused.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Tier;
use super::doubt::Doubt;
use super::drift::Drift;
use super::entities;
use super::indentation::IndentationMap;
use super::mend;
use super::pairing::{Candidate, Pair};
use crate::edit::EditLine;
use crate::patch::LineKind;
use crate::text::{Document, indentation};

/// The added lines as they are to be written.
#[derive(Debug, Default)]
pub(super) struct Adapted<'e> {
    /// One text for each line of the edit that is added, in order.
    pub(super) lines: Vec<Cow<'e, str>>,
    /// What was done to them.
    pub(super) drift: Vec<Drift>,
}

impl Adapted<'_> {
    fn note(&mut self, done: bool, drift: Drift) {
        if done && !self.drift.contains(&drift) {
            self.drift.push(drift);
        }
    }
}

/// Brings the added lines of a candidate into the document's form.
pub(super) fn adapt<'e>(candidate: &Candidate<'e>, document: &Document) -> Result<Adapted<'e>, Doubt> {
    let pairs = candidate.filled_pairs(document);
    let related = candidate.related_pairs(document);
    let mut adapted = Adapted::default();
    let map = (candidate.loosest() >= Tier::Indentation)
        .then(|| IndentationMap::new(&related, document, candidate.start()))
        .flatten();
    let lines = &candidate.edit.lines;
    if map.is_some() && adds(lines) && (lost_nesting(&related) || is_flat(&related) && added_flat(lines)) {
        return Err(Doubt::LostNesting);
    }
    if map.is_none() && candidate.shown.open && adds_indented(lines) && related.iter().all(is_at_margin) {
        return Err(Doubt::NoIndentation);
    }
    // Lines in other words still show that the quote has no depths where the document has several.
    let all = candidate.all_pairs(document);
    let depths: BTreeSet<Cow<'_, str>> = all.iter().map(Pair::actual_indentation).collect();
    let is_uneven = candidate.tier == Tier::Alignment && is_flat(&all) && depths.len() > 1;
    if is_uneven && map.as_ref().is_none_or(|map| !map.is_contradictory()) && adds(lines) {
        return Err(Doubt::LostNesting);
    }
    if map.is_some() && hangs_on_one_line(&related, lines) {
        return Err(Doubt::NoIndentation);
    }
    if candidate.tier == Tier::Alignment && entities::are_open(candidate, document) {
        return Err(Doubt::GarbledAddition);
    }
    for (nth, line) in candidate.edit.lines.iter().enumerate().filter(|(_, line)| line.kind == LineKind::Add)
    {
        let mut text = line.text.clone();
        if let Some(map) = &map
            && !text.trim().is_empty()
        {
            let indented = if map.is_contradictory() {
                as_replaced(&text, nth, candidate, &related)?
            } else {
                map.indented(&text)?
            };
            adapted.note(indented != text, Drift::Reindented);
            text = Cow::Owned(indented);
        }
        if candidate.loosest() >= Tier::Spelling
            && let Some(mended) = mend::reescaped(&text, nth, candidate, &pairs)
        {
            adapted.note(true, Drift::Reescaped);
            text = Cow::Owned(mended);
        }
        if candidate.loosest() >= Tier::LookAlikes
            && let Some(mended) = mend::look_alikes(&text, nth, candidate, &pairs)
        {
            adapted.note(true, Drift::LookAlikesMended);
            text = Cow::Owned(mended);
        }
        if candidate.loosest() >= Tier::Spelling
            && let Some(mended) = mend::ungarbled(&text, nth, candidate, &pairs, document)?
        {
            adapted.note(true, Drift::Ungarbled);
            text = Cow::Owned(mended);
        }
        adapted.lines.push(text);
    }
    Ok(adapted)
}

/// An added line with the indentation that the removed line in its place has in the document: where as many lines
/// are added as are removed, each opens or closes a block as its counterpart does, and is quoted at its column.
fn as_replaced(
    text: &str,
    nth: usize,
    candidate: &Candidate<'_>,
    pairs: &[Pair<'_>],
) -> Result<String, Doubt> {
    let replaced =
        mend::replaced_by(nth, candidate).filter(|_| replaces_one_by_one(nth, &candidate.edit.lines));
    let pair = replaced.and_then(|replaced| pairs.iter().find(|pair| pair.nth == replaced));
    let pair = pair.ok_or(Doubt::NoIndentation)?;
    Ok(format!("{}{}", pair.actual_indentation(), text.trim_start()))
}

/// Whether the run of added lines around this one has the form of the removed lines right before it.
fn replaces_one_by_one(nth: usize, lines: &[EditLine<'_>]) -> bool {
    let run = |from: usize, kind| {
        let before = lines[..from].iter().rev().take_while(move |line| line.kind == kind).count();
        from - before
    };
    let added = run(nth, LineKind::Add);
    let end = nth + lines[nth..].iter().take_while(|line| line.kind == LineKind::Add).count();
    let removed = run(added, LineKind::Remove);
    let form = |line: &EditLine<'_>| {
        let text = line.text.trim_start();
        (indentation(&line.text).to_owned(), opens(text), closes(text), text.starts_with('-'))
    };
    added - removed == end - added
        && lines[removed..added].iter().map(form).eq(lines[added..end].iter().map(form))
}

fn adds(lines: &[EditLine<'_>]) -> bool {
    lines.iter().any(|line| line.kind == LineKind::Add && !line.text.trim().is_empty())
}

fn adds_indented(lines: &[EditLine<'_>]) -> bool {
    lines.iter().any(|line| line.kind == LineKind::Add && !indentation(&line.text).is_empty())
}

fn is_at_margin(pair: &Pair<'_>) -> bool {
    pair.quoted_indentation().is_empty()
}

/// Whether a quoted line that opens a block is followed by one at the same column that the document has at
/// another: the quote shows no nesting, so that the added lines' cannot be known.
fn lost_nesting(pairs: &[Pair<'_>]) -> bool {
    pairs.windows(2).any(|pair| {
        opens(pair[0].quoted)
            && pair[0].quoted_indentation() == pair[1].quoted_indentation()
            && pair[0].actual_indentation() != pair[1].actual_indentation()
    })
}

/// Whether added lines of another indentation hang on a single context line, whose own drift may be its own slip.
fn hangs_on_one_line(pairs: &[Pair<'_>], lines: &[EditLine<'_>]) -> bool {
    let [pair] = pairs else { return false };
    let other = |line: &&EditLine<'_>| {
        line.kind == LineKind::Add
            && !line.text.trim().is_empty()
            && indentation(&line.text) != pair.quoted_indentation()
    };
    pair.kind == LineKind::Context && lines.iter().any(|line| other(&line))
}

/// Whether all quoted lines begin at column 0.
fn is_flat(pairs: &[Pair<'_>]) -> bool {
    pairs.iter().all(is_at_margin)
}

/// Whether an added line that opens a block is followed by one at the same column that closes none.
fn added_flat(lines: &[EditLine<'_>]) -> bool {
    let new: Vec<_> =
        lines.iter().filter(|line| line.kind != LineKind::Remove && !line.text.trim().is_empty()).collect();
    new.windows(2).any(|pair| {
        let added = pair[0].kind == LineKind::Add || pair[1].kind == LineKind::Add;
        let same_column = indentation(&pair[0].text) == indentation(&pair[1].text);
        added && same_column && opens(&pair[0].text) && !closes(&pair[1].text)
    })
}

/// Whether a line ends as one does that opens a block.
fn opens(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with(['{', '(', '[', ':'])
        || line.ends_with(" do")
        || line.ends_with(" then")
        || line.ends_with("=>")
}

/// Whether a line begins as one does that closes a block.
fn closes(line: &str) -> bool {
    let line = line.trim_start();
    let word = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    line.starts_with(['}', ')', ']'])
        || matches!(word, "end" | "else" | "elif" | "except" | "finally" | "fi" | "done")
}
