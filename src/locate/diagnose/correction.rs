//! A refused edit, quoted from the document: what may be asked for instead.
//!
//! Only where the place is clear: the lines are told from all others, they say mostly what was quoted, each line that is
//! to be removed has its counterpart, and it is known how the added lines are to be written. It is offered, and never
//! taken: what the quote got wrong, the rest of the edit may have got wrong as well.

use std::ops::Range;

use crate::locate::Tier;
use crate::locate::adapt::adapt;
use crate::locate::alignment::Aligned;
use crate::locate::comparison::MendedLine;
use crate::locate::evidence::enough_evidence;
use crate::locate::outcome::Doubt;
use crate::locate::pairing::{At, Candidate, Shown};
use crate::locate::relation::{Relation, relate};
use crate::locate::rivals::WIDE_MARGIN;
use crate::locate::search::Index;
use crate::patch::edit::{Edit, EditLine};
use crate::patch::{Gaps, LineKind};
use crate::text::Document;

/// An edit that stands nowhere, as its nearest place has it: `fits`, the cheapest first.
pub(crate) fn of_nowhere(index: &Index, edit: &Edit<'_>, fits: &[Aligned]) -> Option<Vec<MendedLine>> {
    let (best, others) = fits.split_first()?;
    let place = span(best)?;
    let is_apart = |fit: &&Aligned| span(fit).is_none_or(|s| s.end <= place.start || place.end <= s.start);
    if others.iter().filter(is_apart).any(|fit| fit.cost < best.cost + WIDE_MARGIN) {
        return None;
    }
    quoted_from(index.document(), edit, &best.at)
}

/// An edit whose place is known and in doubt, as this place has it.
pub(crate) fn of_doubt(
    document: &Document,
    edit: &Edit<'_>,
    at: &[At],
    doubt: Doubt,
) -> Option<Vec<MendedLine>> {
    // All other doubts are about the place, or about what is to be written.
    let about_the_quote =
        matches!(doubt, Doubt::MisspeltRemoval | Doubt::SkippedInRemoval | Doubt::SkippedInTexts);
    about_the_quote.then(|| quoted_from(document, edit, at)).flatten()
}

fn span(fit: &Aligned) -> Option<Range<usize>> {
    let lines = || fit.at.iter().filter_map(|at| at.line());
    Some(lines().min()?..lines().max()? + 1)
}

/// The edit with the document's lines for those that it quotes; lines between them that were not quoted stay.
fn quoted_from(document: &Document, edit: &Edit<'_>, at: &[At]) -> Option<Vec<MendedLine>> {
    let candidate = Candidate { edit, tier: Tier::Alignment, at: at.to_vec(), shown: Shown::NOTHING };
    enough_evidence(&candidate, document).ok()?;
    let mut added = adapt(&candidate, document).ok()?.lines.into_iter();
    let mut mended: Vec<MendedLine> = Vec::new();
    let mut next: Option<usize> = None;
    for (nth, (line, at)) in edit.lines.iter().zip(at).enumerate() {
        let here = match at {
            At::Line(here) | At::Gap(here) => *here,
            At::Nowhere if line.text.trim().is_empty() && line.kind == LineKind::Context => continue,
            At::Nowhere => return None,
        };
        if next.is_some_and(|next| next < here) && leaves_open(edit, nth) {
            return None;
        }
        for between in next.unwrap_or(here)..here {
            mended.push((LineKind::Context, document.text(between)?.to_owned()));
        }
        next = Some(here + usize::from(line.kind != LineKind::Add));
        let text = match line.kind {
            LineKind::Add => added.next()?.into_owned(),
            _ => document.text(here)?.to_owned(),
        };
        let blank = line.text.trim().is_empty() && text.trim().is_empty();
        if line.kind == LineKind::Remove && !blank && relate(&line.text, &text) == Relation::Other {
            return None;
        }
        mended.push((line.kind, text));
    }
    Some(mended)
}

/// Whether it is open on which side of lines that were not quoted an edit adds lines, where they stand before its `nth`
/// line.
fn leaves_open(edit: &Edit<'_>, nth: usize) -> bool {
    let kinds = |lines: &[EditLine<'_>]| lines.iter().map(|line| line.kind).collect::<Vec<_>>();
    let (before, after) = (kinds(&edit.lines[..nth]), kinds(&edit.lines[nth..]));
    let mut run_before = before.into_iter().rev().take_while(|kind| *kind != LineKind::Context).peekable();
    let mut run_after = after.into_iter().take_while(|kind| *kind != LineKind::Context);
    match run_before.peek() {
        // What is added in place of a removed line belongs to that.
        Some(LineKind::Add) => run_before.all(|kind| kind == LineKind::Add),
        // An envelope has its lines in the order in which they are meant; elsewhere a comparison of two texts made it.
        Some(_) => edit.gaps != Gaps::Anywhere && run_after.any(|kind| kind == LineKind::Add),
        None => run_after.next() == Some(LineKind::Add),
    }
}
