//! Whether a candidate is safe enough to take.
//!
//! The guard asks questions, and says which one failed ([`Doubt`]). A removed line is held to a higher standard
//! than a context line: text that the model did not see is never deleted. A context line that differs costs
//! evidence and no more: it is not rewritten.

use std::borrow::Cow;
use std::ops::Range;

use super::Tier;
use super::beside::Frame;
use super::doubt::{Objection, Spot};
use super::evidence::enough_evidence;
use super::indentation::IndentationMap;
use super::kept;
use super::outcome::Doubt;
use super::pairing::{At, Candidate, Pair};
use super::relation::{Relation, misspelt_words, relate};
use super::search::Index;
use crate::patch::edit::{Edit, EditLine};
use crate::patch::{Gaps, LineKind};
use crate::text::{Document, Fold, is_blank};

/// Asks what has to be asked of a candidate.
pub(super) fn vet(candidate: &Candidate<'_>, index: &Index) -> Result<(), Objection> {
    if candidate.tier == Tier::Alignment {
        vet_alignment(candidate, index)?;
    }
    kept::vet(candidate, index.document())?;
    if candidate.loosest() < Tier::Indentation {
        return Ok(());
    }
    let pairs = candidate.related_pairs(index.document());
    if pairs.iter().all(Pair::is_kept) {
        return Ok(());
    }
    // Braces that are indented otherwise are other braces.
    let says_something = |line: &EditLine<'_>| line.text.contains(char::is_alphanumeric);
    let tabs = |pair: &Pair<'_>| {
        let first = |indentation: Cow<'_, str>| indentation.chars().next();
        let kinds = first(pair.quoted_indentation()).zip(first(pair.actual_indentation()));
        kinds.is_some_and(|(quoted, actual)| quoted != actual)
    };
    if !candidate.edit.old_lines().any(says_something) && !pairs.iter().any(tabs) {
        return Err(Doubt::FewLines.into());
    }
    let moved = |kind: LineKind| {
        let mut moved = pairs.iter().filter(|pair| pair.kind == kind && !pair.is_kept());
        // Pairs of other parts of the edit are none of its lines.
        moved.find(|pair| pair.nth < candidate.edit.lines.len()).map(|pair| Spot::Quoted(pair.nth))
    };
    if changes_indentation_only(candidate) {
        let spot = moved(LineKind::Remove).or_else(|| moved(LineKind::Context));
        return Err(Objection { doubt: Doubt::IndentationOnly, spot });
    }
    if removed_elsewhere(&pairs, index.document(), candidate.start()) {
        Err(Objection { doubt: Doubt::RemovedElsewhere, spot: moved(LineKind::Remove) })
    } else {
        Ok(())
    }
}

/// Where the lines of an edit stand, each by itself, that has no place as a whole.
pub(super) fn nearby(edit: &Edit<'_>, index: &Index) -> Vec<At> {
    let place = |line: &EditLine<'_>| index.line_places(Fold::Indentation, &line.text).first().copied();
    edit.lines.iter().map(|line| place(line).map_or(At::Nowhere, |at| At::Line(at as usize))).collect()
}

fn changes_indentation_only(candidate: &Candidate<'_>) -> bool {
    let texts = |kind| {
        let of_kind = candidate.edit.lines.iter().filter(move |line| line.kind == kind);
        of_kind.map(|line| line.text.trim_start()).filter(|text| !text.is_empty())
    };
    texts(LineKind::Remove).next().is_some() && texts(LineKind::Remove).eq(texts(LineKind::Add))
}

/// Whether a removed line is indented otherwise than the context around it lets expect: it may be another
/// line of the same text.
fn removed_elsewhere(pairs: &[Pair<'_>], document: &Document, line: usize) -> bool {
    let (context, removed): (Vec<Pair<'_>>, Vec<_>) =
        pairs.iter().partition(|pair| pair.kind == LineKind::Context);
    if levels_are_gone(&removed) {
        return true;
    }
    if context.is_empty() {
        return braces_elsewhere(&removed, document, line);
    }
    let map = IndentationMap::new(&context, document, line);
    let indented = context.iter().any(|pair| !pair.quoted_indentation().is_empty());
    removed.iter().any(|pair| {
        let (quoted, actual) = (pair.quoted_indentation(), pair.actual_indentation());
        if !indented && quoted.chars().next() != actual.chars().next() {
            // Context at the margin does not show what a tab of the quote is in the document.
            return false;
        }
        let expected = match &map {
            Some(map) => map.mapped(&quoted),
            None => Ok(quoted.into_owned()),
        };
        // A brace is told from another one by its indentation alone.
        expected.map_or(!pair.quoted.contains(char::is_alphanumeric), |expected| expected != actual)
    })
}

/// Whether a brace among removed lines is indented otherwise than the other removed lines let expect. Of a quote that has
/// lost its indentation they say nothing.
fn braces_elsewhere(removed: &[Pair<'_>], document: &Document, line: usize) -> bool {
    let (braces, others): (Vec<Pair<'_>>, Vec<_>) =
        removed.iter().partition(|pair| !pair.quoted.contains(char::is_alphanumeric));
    if others.is_empty() || removed.iter().all(Pair::is_at_margin) {
        return false;
    }
    let map = IndentationMap::new(&others, document, line);
    braces.iter().any(|brace| {
        let quoted = brace.quoted_indentation();
        let expected = map.as_ref().map_or(Ok(quoted.to_string()), |map| map.mapped(&quoted));
        expected.is_ok_and(|expected| expected != brace.actual_indentation())
    })
}

/// Whether removed lines that are quoted at several depths stand at one, or the other way round.
fn levels_are_gone(removed: &[Pair<'_>]) -> bool {
    let width = |pair: &Pair<'_>| (pair.quoted_indentation().len(), pair.actual_indentation().len());
    removed.windows(2).any(|pair| {
        let ((quoted, actual), (next_quoted, next_actual)) = (width(&pair[0]), width(&pair[1]));
        quoted != next_quoted && quoted.cmp(&next_quoted) != actual.cmp(&next_actual)
    })
}

/// The first line that says something and stands, not quoted, where none may be that was not quoted.
fn forbidden_gap(candidate: &Candidate<'_>, document: &Document) -> Option<usize> {
    if candidate.edit.gaps == Gaps::Anywhere {
        return None;
    }
    let line = |nth: usize| &candidate.edit.lines[nth];
    let filled = |nth: usize| !line(nth).text.trim().is_empty();
    let stays = |nth: usize| line(nth).kind == LineKind::Context;
    // With added lines between, it would be open on which side of them the line stands. A blank line may be any that is
    // not quoted.
    let may_part = |a: usize, b: usize, between: Range<usize>| {
        let all_filled = || filled(a) && filled(b) && (stays(a) || stays(b));
        let beside_blank = || {
            (filled(a) || filled(b))
                && stays(a)
                && stays(b)
                && !between.clone().any(|at| is_blank(document.line(at)))
        };
        candidate.edit.gaps == Gaps::InContext && b == a + 1 && (all_filled() || beside_blank())
    };
    let quoted = candidate.at.iter().enumerate().filter_map(|(nth, at)| Some((nth, at.line()?)));
    let quoted: Vec<(usize, usize)> = quoted.collect();
    quoted.windows(2).find_map(|pair| {
        let ((a, above), (b, below)) = (pair[0], pair[1]);
        (above + 1..below).find(|at| !may_part(a, b, above + 1..below) && !is_blank(document.line(*at)))
    })
}

fn vet_alignment(candidate: &Candidate<'_>, index: &Index) -> Result<(), Objection> {
    enough_evidence(candidate, index.document())?;
    if let Some(line) = forbidden_gap(candidate, index.document()) {
        return Err(Doubt::SkippedInTexts.by(Spot::Line(line)));
    }
    let frame = Frame::new(candidate, index);
    frame.removed_lines_stand_together()?;
    frame.removed_lines_have_a_neighbour()?;
    frame.phantoms_point_here()?;
    frame.phantoms_keep_away()?;
    frame.additions_have_their_place()?;
    frame.rare_lines_point_here()?;
    misspelt_removals(candidate, index)
}

/// Whether every removed line that is misspelt is so in an otherwise exact block, and the misspelt word is no
/// word of the document.
fn misspelt_removals(candidate: &Candidate<'_>, index: &Index) -> Result<(), Objection> {
    let pairs = candidate.all_pairs(index.document());
    let relations: Vec<Relation> = pairs.iter().map(|pair| relate(pair.quoted, pair.actual)).collect();
    let misspelt = |relation: &Relation| matches!(relation, Relation::Misspelt(_));
    let removed = || {
        pairs
            .iter()
            .zip(&relations)
            .filter(|(pair, relation)| pair.kind == LineKind::Remove && misspelt(relation))
    };
    let Some((first, _)) = removed().next() else { return Ok(()) };
    let others_exact = relations.iter().filter(|relation| !relation.says_same()).count() == 1;
    let whole = candidate.missing() == 0 && candidate.skipped().is_empty();
    let real_word = removed().any(|(pair, _)| {
        misspelt_words(pair.quoted, pair.actual).into_iter().any(|word| index.holds_word(word))
    });
    if others_exact && whole && pairs.len() > 1 && !real_word {
        Ok(())
    } else {
        Err(Doubt::MisspeltRemoval.by(Spot::Quoted(first.nth)))
    }
}
