//! Context lines whose sign column was eaten.
//!
//! A model that forgets the space before its context lines, but not the `+` and `-` of the others, quotes them one
//! column short. Where the file has them to the letter, [`readings`](crate::edit) finds that out; where they differ
//! otherwise, too, it shows only once they are paired. The same column is missing where the whole chunk has been
//! moved; then the added lines have to be moved with it.

use std::borrow::Cow;

use super::doubt::Doubt;
use super::pairing::{Candidate, Pair};
use crate::edit::Edit;
use crate::patch::LineKind;
use crate::text::{Document, indentation};

/// The edit with the eaten column of its context lines put back; `None` where none was eaten.
///
/// # Errors
/// It may have been eaten or not, and the added lines do not show which.
pub(super) fn restored<'e>(
    candidate: &Candidate<'e>,
    document: &Document,
) -> Result<Option<Edit<'e>>, Doubt> {
    let pairs = candidate.related_pairs(document);
    let added = added_widths(candidate.edit);
    if added.is_empty() || pairs.iter().any(|pair| has_tab(pair)) {
        return Ok(None);
    }
    let kind = |kind| pairs.iter().filter(move |pair| pair.kind == kind);
    let is_signed = |pair: &&Pair<'_>| candidate.edit.lines.get(pair.nth).is_none_or(|line| line.signed);
    let signed: Vec<&Pair<'_>> = kind(LineKind::Context).filter(is_signed).collect();
    let unsigned = || kind(LineKind::Context).filter(|pair| !is_signed(pair));
    let even = |width: usize| width.is_multiple_of(2);
    let levels_even = pairs.iter().all(|pair| even(pair.actual_indentation().len()));
    let removes = kind(LineKind::Remove).next().is_some();
    if signed.is_empty() || !signed.iter().all(|pair| is_eaten(pair)) {
        // Moved and eaten: one of both is not known.
        let odd = |pair: &&Pair<'_>| !even(pair.quoted_indentation().len());
        let both = levels_even && !removes && !signed.is_empty() && signed.iter().all(odd);
        let off = if both { added.iter().all(|width| even(*width)) } else { false };
        // Put back already, and the added lines have lost a column, too.
        let was_eaten = unsigned().any(|pair| pair.quoted.starts_with(' ')) && pairs.iter().all(is_kept);
        let lost = was_eaten && levels_even && !removes && !added.iter().any(|width| even(*width));
        return if off || lost { Err(Doubt::NoIndentation) } else { Ok(None) };
    }
    let is_known = kind(LineKind::Remove).chain(unsigned()).next().is_some();
    let eaten = if is_known {
        kind(LineKind::Remove).chain(unsigned()).all(is_kept)
    } else {
        is_eaten_beside(&signed, &added).ok_or(Doubt::NoIndentation)?
    };
    Ok(eaten.then(|| with_column(candidate.edit)))
}

/// Whether the added lines stand on the document's levels as they are, so that only the context has lost a column;
/// `None` where it may be either.
fn is_eaten_beside(context: &[&Pair<'_>], added: &[usize]) -> Option<bool> {
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

fn is_kept(pair: &Pair<'_>) -> bool {
    pair.quoted_indentation() == pair.actual_indentation()
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
