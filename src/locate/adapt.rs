//! Bringing added lines into the document's form: its indentation, its look-alikes.
//!
//! Wrong indentation is a wrong edit: where it is not known how the document would indent a line, the edit is
//! refused.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ops::Deref;

use super::Tier;
use super::entities;
use super::indentation::{IndentationMap, level, near};
use super::mend;
use super::outcome::Doubt;
use super::outcome::Drift;
use super::pairing::{At, Candidate, Pair};
use crate::patch::LineKind;
use crate::patch::edit::EditLine;
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

    /// Takes a mended line for the one that it was, if it was mended.
    fn take(&mut self, text: &mut Cow<'_, str>, mended: Option<String>, drift: Drift) {
        if let Some(mended) = mended {
            self.note(true, drift);
            *text = Cow::Owned(mended);
        }
    }
}

/// Brings the added lines of a candidate into the document's form.
pub(super) fn adapt<'e>(candidate: &Candidate<'e>, document: &Document) -> Result<Adapted<'e>, Doubt> {
    if candidate.tier == Tier::Alignment && entities::are_open(candidate, document) {
        return Err(Doubt::GarbledAddition);
    }
    // Most edits are indented as the document is, and nothing of them is mended.
    let pairs = LazyCell::new(|| candidate.filled_pairs(document));
    let related = LazyCell::new(|| candidate.with_disordered(candidate.related_pairs(document), document));
    let map = indentation_map(candidate, &related, document)?;
    let mut adapted = Adapted::default();
    for (nth, line) in candidate.edit.lines.iter().enumerate().filter(|(_, line)| line.kind == LineKind::Add)
    {
        let mut text = line.text.clone();
        if let Some(map) = map.as_ref().filter(|_| !line.text.trim().is_empty()) {
            let indented = if map.is_contradictory() {
                as_replaced(&text, nth, candidate, &related)?
            } else {
                map.indented(&text)?
            };
            adapted.note(indented != text, Drift::Reindented);
            text = Cow::Owned(indented);
        }
        if candidate.shown.beside.escaped && mend::may_be_escaped(&text, &pairs) {
            return Err(Doubt::GarbledAddition);
        }
        let loosest = candidate.loosest();
        if loosest >= Tier::Spelling {
            let mended = mend::reescaped(&text, nth, candidate, &pairs);
            adapted.take(&mut text, mended, Drift::Reescaped);
        }
        if loosest >= Tier::LookAlikes {
            let mended = mend::look_alikes(&text, nth, candidate, &pairs);
            adapted.take(&mut text, mended, Drift::LookAlikesMended);
        }
        if loosest >= Tier::Spelling {
            let mended = mend::ungarbled(&text, nth, candidate, &pairs, document)?;
            adapted.take(&mut text, mended, Drift::Ungarbled);
        }
        adapted.lines.push(text);
    }
    Ok(adapted)
}

/// How the quote's indentation maps to the document's; `None` where it is the same. `related` are the pairs that show it.
///
/// # Errors
/// There are lines to add, and the quote does not show how deep they go.
fn indentation_map<'c>(
    candidate: &Candidate<'_>,
    related: &'c impl Deref<Target = Vec<Pair<'c>>>,
    document: &Document,
) -> Result<Option<IndentationMap<'c>>, Doubt> {
    let lines = &candidate.edit.lines;
    let map = if candidate.loosest() < Tier::Indentation {
        None
    } else {
        IndentationMap::new(related, document, candidate.start())
    };
    if !adds(lines) {
        return Ok(map);
    }
    let contradictory = map.as_ref().is_some_and(IndentationMap::is_contradictory);
    let may_be_flattened = map.is_some()
        || candidate.shown.open
        || is_rewrapped_flat(candidate, document)
        || candidate.has_moved_nearby(document);
    if may_be_flattened && (lost_nesting(related) || is_flat(related) && added_flat(lines))
        || candidate.tier == Tier::Alignment && !contradictory && is_uneven(&candidate.all_pairs(document))
    {
        return Err(Doubt::LostNesting);
    }
    let shows_nothing = map.is_none()
        && (candidate.shown.open && adds_indented(lines)
            || candidate.loosest() > Tier::LookAlikes && adds_off_levels(lines, candidate, document))
        && is_flat(related);
    let may_have_slipped = map.is_some() || candidate.shown.beside.shifted;
    if shows_nothing || may_have_slipped && hangs_on_one_line(related, lines) {
        return Err(Doubt::NoIndentation);
    }
    Ok(map)
}

/// Whether a quoted line that the document does not have begins as the line in its place does, at another depth: lines were
/// joined or split, without their indentation.
fn is_rewrapped_flat(candidate: &Candidate<'_>, document: &Document) -> bool {
    let mut next = candidate.start();
    candidate.edit.lines.iter().zip(&candidate.at).any(|(line, at)| {
        next = at.line().map_or(next, |at| at + 1);
        let begins_so = |actual: &str| {
            let (quoted, there) = (line.text.trim(), actual.trim());
            let begins = |one: &str, other: &str| !other.is_empty() && one.starts_with(other);
            (begins(quoted, there) || begins(there, quoted)) && indentation(actual) != indentation(&line.text)
        };
        *at == At::Nowhere && document.text(next).is_some_and(begins_so)
    })
}

/// Whether a quote without depths has pairs at several ones in the document. Those in other words show that, too.
fn is_uneven(all: &[Pair<'_>]) -> bool {
    let mut depths = all.iter().map(Pair::actual_indentation);
    let first = depths.next();
    is_flat(all) && depths.any(|depth| Some(depth) != first)
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
    let kind = |nth: usize, kind| lines.get(nth).is_some_and(|line| line.kind == kind);
    let first = |end: usize, of| (0..end).rev().take_while(|nth| kind(*nth, of)).last().unwrap_or(end);
    let added = first(nth, LineKind::Add);
    let end = (nth..lines.len()).find(|nth| !kind(*nth, LineKind::Add)).unwrap_or(lines.len());
    let removed = first(added, LineKind::Remove);
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

/// Whether an added line is indented with spaces, and not as deep as any level of the document, or with a tab where the
/// document has none: it may be the quote's levels that are others.
fn adds_off_levels(lines: &[EditLine<'_>], candidate: &Candidate<'_>, document: &Document) -> bool {
    let Some(level) = level(document, candidate.start()).filter(|level| *level > 1) else { return false };
    let has_tabs = || near(document, candidate.start()).any(|text| text.starts_with('\t'));
    let is_off = |own: &str| match own.as_bytes().first() {
        Some(b' ') => !own.len().is_multiple_of(level),
        Some(b'\t') => !has_tabs(),
        _ => false,
    };
    lines.iter().any(|line| line.kind == LineKind::Add && is_off(indentation(&line.text)))
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

/// Whether added lines of another indentation hang on a single context line, whose own drift may be its own slip; where the
/// rest of the patch is shifted, one without drift may have slipped back. Lines at the margin do not show that a quote in
/// the same characters has levels of another width.
fn hangs_on_one_line(pairs: &[Pair<'_>], lines: &[EditLine<'_>]) -> bool {
    let is_at_both_margins = |pair: &&Pair<'_>| pair.is_at_margin() && pair.actual_indentation().is_empty();
    let mut indented = pairs.iter().filter(|pair| !is_at_both_margins(pair));
    let (Some(pair), None) = (indented.next(), indented.next()) else { return false };
    let first = |indentation: &str| indentation.chars().next();
    let same_characters = first(&pair.quoted_indentation()) == first(&pair.actual_indentation());
    let is_shown = |line: &EditLine<'_>| {
        let own = indentation(&line.text);
        pairs.iter().any(|pair| pair.quoted_indentation() == own && !pair.is_elsewhere())
    };
    let mut added = lines.iter().filter(|line| line.kind == LineKind::Add && !line.text.trim().is_empty());
    pair.kind == LineKind::Context
        && (pairs.len() == 1 || same_characters)
        && added.any(|line| !is_shown(line))
}

/// Whether all quoted lines begin at column 0.
fn is_flat(pairs: &[Pair<'_>]) -> bool {
    pairs.iter().all(Pair::is_at_margin)
}

/// Whether an added line that opens a block is followed by one at the same column that closes none, or one that closes
/// a block is preceded so by one that opens none and has no counterpart among the removed lines.
fn added_flat(lines: &[EditLine<'_>]) -> bool {
    let is_new = |line: &EditLine<'_>| line.kind != LineKind::Remove && !line.text.trim().is_empty();
    let new: Vec<_> = lines.iter().enumerate().filter(|(_, line)| is_new(line)).collect();
    new.windows(2).any(|pair| {
        let [(nth, first), (_, second)] = [pair[0], pair[1]];
        let added = [first, second].map(|line| line.kind == LineKind::Add);
        let same_column = indentation(&first.text) == indentation(&second.text);
        let opened = added.contains(&true) && opens(&first.text) && !closes(&second.text);
        let closed = added == [true, true] && closes(&second.text) && !opens(&first.text);
        same_column && (opened || closed && !replaces_one_by_one(nth, lines))
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
