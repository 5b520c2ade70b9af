//! Context lines whose sign column was eaten.
//!
//! A model that forgets the space before its context lines, but not the `+` and `-` of the others, quotes them one
//! column short. Where the file has them to the letter, [`readings`](crate::patch::edit) finds that out; where they differ
//! otherwise, too, it shows only once they are paired. The same column is missing where the whole chunk has been
//! moved; then the added lines have to be moved with it.

use std::borrow::Cow;

use super::Tier;
use super::outcome::Doubt;
use super::pairing::{Candidate, Pair};
use super::relation::relate;
use crate::patch::LineKind;
use crate::patch::edit::{Edit, EditLine};
use crate::text::{Document, indentation};

/// The edit with the eaten column of its context lines put back; `None` where none was eaten.
///
/// # Errors
/// It may have been eaten or not, and the added lines do not show which.
pub(super) fn restored<'e>(
    candidate: &Candidate<'e>,
    document: &Document,
) -> Result<Option<Edit<'e>>, Doubt> {
    // A quote that is indented as the document is, with all its signs, has lost none.
    if candidate.loosest() < Tier::Indentation && !candidate.edit.lines.iter().any(is_unsigned) {
        return Ok(None);
    }
    let added = added_widths(candidate.edit);
    if added.is_empty() {
        return Ok(None);
    }
    let pairs = candidate.related_pairs(document);
    if pairs.iter().any(has_tab) {
        let is_open = may_be_eaten_from_tabs(candidate.edit, &pairs, &added);
        return if is_open { Err(Doubt::NoIndentation) } else { Ok(None) };
    }
    let is_signed = |pair: &Pair<'_>| {
        let signed = candidate.edit.lines.get(pair.nth).is_none_or(|line| line.signed);
        pair.kind == LineKind::Context && signed
    };
    // Removed lines, and those without a sign, show themselves how the quote is indented.
    let (signed, others): (Vec<Pair<'_>>, Vec<_>) = pairs.iter().partition(|pair| is_signed(pair));
    // A line in other words may be another line, with a sign that was lost.
    let says_same = |pair: &Pair<'_>| relate(pair.quoted, pair.actual).says_same();
    if !signed.iter().any(says_same) || !signed.iter().all(is_eaten) {
        return if is_mixed(&signed, &others, &added) { Err(Doubt::NoIndentation) } else { Ok(None) };
    }
    let eaten = if others.is_empty() {
        is_eaten_beside(&signed, &added).ok_or(Doubt::NoIndentation)?
    } else {
        others.iter().all(Pair::is_kept)
    };
    Ok(eaten.then(|| with_column(candidate.edit)))
}

/// Whether context and added lines do not go together, in a document whose levels are even: the context stands in odd
/// columns and the added lines in even ones, eaten and moved at once; or the context had its column put back, and the
/// added lines have lost one, too.
fn is_mixed(signed: &[Pair<'_>], others: &[Pair<'_>], added: &[usize]) -> bool {
    let even = |width: &usize| width.is_multiple_of(2);
    let all = || signed.iter().chain(others);
    let removes = others.iter().any(|pair| pair.kind == LineKind::Remove);
    if removes || !all().all(|pair| even(&pair.actual_indentation().len())) {
        return false;
    }
    let odd_context = signed.iter().all(|pair| !even(&pair.quoted_indentation().len()));
    let was_eaten = others.iter().any(|pair| pair.quoted.starts_with(' ')) && all().all(Pair::is_kept);
    !signed.is_empty() && odd_context && added.iter().all(even) || was_eaten && !added.iter().any(even)
}

/// Whether the context of an edit, quoted with spaces where the document has tabs, is one column short of the levels on
/// which the added lines stand, and a line has no sign: then the signs may have been eaten, and the levels be others.
fn may_be_eaten_from_tabs(edit: &Edit<'_>, pairs: &[Pair<'_>], added: &[usize]) -> bool {
    let context = || edit.lines.iter().filter(|line| line.kind == LineKind::Context && line.signed);
    let widths = context().map(|line| indentation(&line.text).len()).filter(|width| *width > 0);
    let Some(level) = widths.clone().min().map(|least| least + 1) else { return false };
    let spaces = pairs.iter().all(|pair| !pair.quoted_indentation().contains('\t'));
    spaces
        && edit.lines.iter().any(is_unsigned)
        && { widths }.all(|width| (width + 1).is_multiple_of(level))
        && added.iter().any(|width| *width > 0)
        && added.iter().all(|width| width.is_multiple_of(level))
}

/// Whether a line that is not blank has no sign.
fn is_unsigned(line: &EditLine<'_>) -> bool {
    !line.signed && !line.text.trim().is_empty()
}

/// Whether the added lines stand on the document's levels as they are, so that only the context has lost a column;
/// `None` where it may be either.
fn is_eaten_beside(context: &[Pair<'_>], added: &[usize]) -> Option<bool> {
    let levels: Vec<usize> = context.iter().map(|pair| pair.actual_indentation().len()).collect();
    let all_even = levels.iter().all(|level| level.is_multiple_of(2));
    let on_level = |width: usize| if all_even { width.is_multiple_of(2) } else { levels.contains(&width) };
    if added.iter().all(|width| on_level(*width)) {
        return Some(true);
    }
    added.iter().all(|width| on_level(width + 1)).then_some(false)
}

/// Whether a line is quoted one column short.
fn is_eaten(pair: &Pair<'_>) -> bool {
    pair.actual_indentation().strip_prefix(' ') == Some(&*pair.quoted_indentation())
}

fn has_tab(pair: &Pair<'_>) -> bool {
    pair.quoted_indentation().contains('\t') || pair.actual_indentation().contains('\t')
}

/// How far the added lines are indented that are not blank.
fn added_widths(edit: &Edit<'_>) -> Vec<usize> {
    let added = edit.lines.iter().filter(|line| line.kind == LineKind::Add && !line.text.trim().is_empty());
    added.map(|line| indentation(&line.text).len()).collect()
}

fn with_column<'e>(edit: &Edit<'e>) -> Edit<'e> {
    let mut edit = edit.clone();
    for line in &mut edit.lines {
        if line.kind == LineKind::Context && line.signed && !line.text.trim().is_empty() {
            line.text = Cow::Owned(line.raw());
            line.signed = false;
        }
    }
    edit
}
