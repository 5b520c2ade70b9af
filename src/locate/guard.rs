//! Whether a candidate is safe enough to take.
//!
//! The guard asks questions, and says which one failed ([`Doubt`]). A removed line is held to a higher standard
//! than a context line: text that the model did not see is never deleted. A context line that differs costs
//! evidence and no more: it is not rewritten.

use std::fmt::{self, Display, Formatter};

use super::Tier;
use super::indentation::IndentationMap;
use super::index::Index;
use super::pairing::{At, Candidate, Pair};
use super::relation::{Relation, relate};
use crate::edit::EditLine;
use crate::patch::LineKind;
use crate::text::{Document, indentation, is_blank};

/// Why a place that was found is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Doubt {
    /// The edit changes nothing but indentation, and its quote has another than the document.
    IndentationOnly,
    /// A removed line is indented otherwise than the quoted lines around it let expect.
    RemovedElsewhere,
    /// The quoted lines show no one indentation for an added line.
    NoIndentation,
    /// An added line would begin left of column 0.
    LeftOfMargin,
    /// The quote has lost its nesting, so that the added lines' is not known.
    LostNesting,
    /// Too few of the quoted lines are in the document.
    FewLines,
    /// A quoted line beside a changed one is not in the document: the place is open, or it is to be added.
    PhantomBesideChange,
    /// Lines of the document stand where the addition goes, and were not quoted.
    SkippedBesideAddition,
    /// Lines of the document stand between two removed ones, and were not quoted.
    SkippedInRemoval,
    /// A removed line is misspelt, and the lines around it are not quoted exactly or the word is a real one.
    MisspeltRemoval,
    /// Written as the document writes, the added lines are the removed ones.
    MendedToNothing,
    /// An added line copies text that was read through a wrong code page, and the document does not show what
    /// it should be.
    GarbledAddition,
}

impl Doubt {
    /// A stable name for programs.
    pub fn code(self) -> &'static str {
        match self {
            Doubt::IndentationOnly
            | Doubt::RemovedElsewhere
            | Doubt::NoIndentation
            | Doubt::LeftOfMargin
            | Doubt::LostNesting => "indentation",
            Doubt::FewLines => "too-little-evidence",
            Doubt::PhantomBesideChange | Doubt::SkippedBesideAddition => "place-open",
            Doubt::SkippedInRemoval => "lines-not-quoted",
            Doubt::MisspeltRemoval => "misspelt-removal",
            Doubt::MendedToNothing => "mended-to-nothing",
            Doubt::GarbledAddition => "garbled",
        }
    }
}

/// The second half of a sentence that begins with the place.
impl Display for Doubt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Doubt::IndentationOnly => {
                "the edit is about indentation alone, and the quoted lines are indented otherwise in the file"
            }
            Doubt::RemovedElsewhere => {
                "a removed line is indented otherwise in the file than the quoted lines around it say"
            }
            Doubt::NoIndentation => "the quoted lines do not show how far the added ones are to be indented",
            Doubt::LeftOfMargin => {
                "with the file's indentation an added line would begin left of the margin"
            }
            Doubt::LostNesting => {
                "the quote has lost its indentation, so that the added lines' nesting is not known; quote the lines with the file's indentation"
            }
            Doubt::FewLines => "too few of the quoted lines are in the file to be sure of the place",
            Doubt::PhantomBesideChange => {
                "a quoted line right beside a changed one is not in the file: either the place is open, or the line was to be added"
            }
            Doubt::SkippedBesideAddition => {
                "the file has lines right where the added ones go that were not quoted, so that their place is open"
            }
            Doubt::SkippedInRemoval => "the file has lines between the removed ones that were not quoted",
            Doubt::MisspeltRemoval => "a removed line reads otherwise in the file",
            Doubt::MendedToNothing => {
                "written with the file's own characters the change is none; to change those, quote them as the file has them"
            }
            Doubt::GarbledAddition => {
                "an added line copies garbled text, and the file does not show what it should be"
            }
        })
    }
}

/// Asks what has to be asked of a candidate.
pub(super) fn vet(candidate: &Candidate<'_>, index: &Index) -> Result<(), Doubt> {
    if candidate.tier == Tier::Alignment {
        vet_alignment(candidate, index)?;
    }
    if candidate.tier < Tier::Indentation {
        return Ok(());
    }
    let pairs = candidate.filled_pairs(index.document());
    let same = |pair: &Pair<'_>| pair.quoted_indentation() == pair.actual_indentation();
    if pairs.iter().all(same) {
        return Ok(());
    }
    if changes_indentation_only(candidate) {
        return Err(Doubt::IndentationOnly);
    }
    if removed_elsewhere(&pairs, index.document()) { Err(Doubt::RemovedElsewhere) } else { Ok(()) }
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
fn removed_elsewhere(pairs: &[Pair<'_>], document: &Document) -> bool {
    let (context, removed): (Vec<Pair<'_>>, Vec<_>) =
        pairs.iter().partition(|pair| pair.kind == LineKind::Context);
    if context.is_empty() {
        return false;
    }
    let map = IndentationMap::new(&context, document);
    let indented = context.iter().any(|pair| !pair.quoted_indentation().is_empty());
    removed.iter().any(|pair| {
        let (quoted, actual) = (pair.quoted_indentation(), pair.actual_indentation());
        if !indented && quoted.chars().next() != actual.chars().next() {
            // Context at the margin does not show what a tab of the quote is in the document.
            return false;
        }
        let expected = match &map {
            Some(map) => map.mapped(&quoted, pair.nth),
            None => Ok(quoted.into_owned()),
        };
        expected.is_ok_and(|expected| expected != actual)
    })
}

fn vet_alignment(candidate: &Candidate<'_>, index: &Index) -> Result<(), Doubt> {
    enough_evidence(candidate, index.document())?;
    if candidate.edit.complete
        && candidate.skipped().iter().any(|line| !is_blank(index.document().line(*line)))
    {
        return Err(Doubt::SkippedInRemoval);
    }
    phantoms_keep_away(candidate)?;
    removed_lines_stand_together(candidate)?;
    removed_blanks_are_framed(candidate)?;
    additions_have_their_place(candidate, index.document())?;
    misspelt_removals(candidate, index)
}

/// How much of the quote has to say the same as the document: of a hundred letters, so many. Below half, more
/// speaks against the place than for it.
const LEAST_SHARE: usize = 50;

/// How many letters at the least have to say the same. A lone `return x;` is anywhere.
const LEAST_LETTERS: usize = 20;

/// A long line counts no more than this many letters: one line, however long, is one piece of evidence.
const LETTERS_OF_A_LINE: usize = 30;

/// Whether enough of the quote is in the document: real lines, not braces and blanks.
fn enough_evidence(candidate: &Candidate<'_>, document: &Document) -> Result<(), Doubt> {
    let letters = |line: &str| line.chars().filter(|c| c.is_alphanumeric()).count().min(LETTERS_OF_A_LINE);
    let quoted: usize = candidate.edit.old_lines().map(|line| letters(&line.text)).sum();
    let pairs = candidate.all_pairs(document);
    let alike = |pair: &Pair<'_>| relate(pair.quoted, pair.actual).letters_alike(letters(pair.quoted));
    let same: usize = pairs.iter().map(alike).sum();
    if same >= LEAST_LETTERS && 100 * same >= LEAST_SHARE * quoted { Ok(()) } else { Err(Doubt::FewLines) }
}

/// Whether removed lines that are quoted one right after the other stand so in the document.
fn removed_lines_stand_together(candidate: &Candidate<'_>) -> Result<(), Doubt> {
    let lines: Vec<_> = candidate.edit.lines.iter().zip(&candidate.at).collect();
    let apart = lines.windows(2).any(|pair| {
        let removed = pair.iter().all(|(line, _)| line.kind == LineKind::Remove);
        removed && pair[0].1.line().map(|line| line + 1) != pair[1].1.line()
    });
    if apart { Err(Doubt::SkippedInRemoval) } else { Ok(()) }
}

/// Whether no quoted line that the document does not have, right beside changed ones, may be a line to add that has
/// lost its sign: it is like a removed line, or one column short of a changed one. Beside lines that are only added, the
/// place of these is open besides.
fn phantoms_keep_away(candidate: &Candidate<'_>) -> Result<(), Doubt> {
    let lines: Vec<_> = candidate.edit.lines.iter().zip(&candidate.at).collect();
    let mut nth = 0;
    while nth < lines.len() {
        let run = lines[nth..].iter().take_while(|(line, _)| line.kind != LineKind::Context).count();
        let beside = [phantom(lines[..nth].iter().rev()), phantom(lines[nth + run..].iter())];
        let kind = |kind| lines[nth..nth + run].iter().filter(move |(line, _)| line.kind == kind);
        let only_adds = kind(LineKind::Remove).next().is_none();
        let is_like_removed = |phantom: &str| {
            kind(LineKind::Remove).any(|(line, _)| {
                !line.text.trim().is_empty() && relate(phantom, &line.text) != Relation::Other
            })
        };
        // Where the sign was lost, the first column of the indentation was taken for it.
        let lost_column = |phantom: &str| {
            let width = indentation(phantom).len() + 1;
            lines[nth..nth + run].iter().any(|(line, _)| indentation(&line.text).len() == width)
        };
        let suspicious = |phantom: &str| only_adds || is_like_removed(phantom) || lost_column(phantom);
        if run > 0 && beside.into_iter().flatten().any(suspicious) {
            return Err(Doubt::PhantomBesideChange);
        }
        nth += run.max(1);
    }
    Ok(())
}

/// The first of some lines, if the document does not have it; blank lines that it does not have are passed over.
fn phantom<'l>(mut lines: impl Iterator<Item = &'l (&'l EditLine<'l>, &'l At)>) -> Option<&'l str> {
    let (line, at) = lines.find(|(line, at)| **at != At::Nowhere || !line.text.trim().is_empty())?;
    (**at == At::Nowhere).then_some(&*line.text)
}

/// Whether a run of removed blank lines stands right between the lines that it is quoted between: blank lines
/// are everywhere, and only their neighbours say which ones are meant.
fn removed_blanks_are_framed(candidate: &Candidate<'_>) -> Result<(), Doubt> {
    let old: Vec<_> = candidate
        .edit
        .lines
        .iter()
        .zip(&candidate.at)
        .filter(|(line, _)| line.kind != LineKind::Add)
        .collect();
    for run in old.windows(2) {
        let [(line, at), (next, after)] = [run[0], run[1]];
        let blank = |line: &EditLine<'_>| line.kind == LineKind::Remove && line.text.trim().is_empty();
        let beside = matches!((at.line(), after.line()), (Some(at), Some(after)) if at + 1 == after);
        if (blank(line) || blank(next)) && !beside {
            return Err(Doubt::SkippedInRemoval);
        }
    }
    Ok(())
}

/// Whether it is known where added lines go that replace none.
fn additions_have_their_place(candidate: &Candidate<'_>, document: &Document) -> Result<(), Doubt> {
    let lines = &candidate.edit.lines;
    let mut nth = 0;
    while nth < lines.len() {
        let run = lines[nth..].iter().take_while(|line| line.kind == LineKind::Add).count();
        if run > 0 {
            addition_has_its_place(candidate, nth, nth + run, document)?;
        }
        nth += run.max(1);
    }
    Ok(())
}

fn addition_has_its_place(
    candidate: &Candidate<'_>,
    start: usize,
    end: usize,
    document: &Document,
) -> Result<(), Doubt> {
    let old = |nth: usize| candidate.edit.lines.get(nth).zip(candidate.at.get(nth));
    let (before, behind) = (start.checked_sub(1).and_then(old), old(end));
    let sides = || [before, behind].into_iter().flatten();
    if sides().any(|(line, _)| line.kind == LineKind::Remove) {
        return Ok(());
    }
    let blank = |line: &EditLine<'_>| line.text.trim().is_empty();
    let other = |(line, at): (&EditLine<'_>, &At)| {
        let actual = at.line().and_then(|at| document.text(at)).filter(|_| !blank(line));
        actual.is_some_and(|actual| relate(&line.text, actual) == Relation::Other)
    };
    if sides().all(other) {
        return Err(Doubt::PhantomBesideChange);
    }
    // Blank lines that the document does not have are passed over.
    let quoted = |nth: usize| candidate.at.get(nth).and_then(|at| at.line());
    let before = (0..start).rev().find_map(quoted);
    let behind = (end..candidate.at.len()).find_map(quoted);
    let (Some(before), Some(behind)) = (before, behind) else { return Ok(()) };
    let skipped = (before + 1..behind).any(|line| !is_blank(document.line(line)));
    if skipped { Err(Doubt::SkippedBesideAddition) } else { Ok(()) }
}

/// Whether every removed line that is misspelt is so in an otherwise exact block, and the misspelt word is no
/// word of the document.
fn misspelt_removals(candidate: &Candidate<'_>, index: &Index) -> Result<(), Doubt> {
    let pairs = candidate.all_pairs(index.document());
    let relations: Vec<Relation> = pairs.iter().map(|pair| relate(pair.quoted, pair.actual)).collect();
    let misspelt = |relation: &Relation| matches!(relation, Relation::Misspelt(_));
    let removed = || {
        pairs
            .iter()
            .zip(&relations)
            .filter(|(pair, relation)| pair.kind == LineKind::Remove && misspelt(relation))
    };
    if removed().next().is_none() {
        return Ok(());
    }
    let others_exact = relations.iter().filter(|relation| !relation.says_same()).count() == 1;
    let whole = candidate.missing() == 0 && candidate.skipped().is_empty();
    let real_word = removed().any(|(pair, _)| {
        let mut words = pair.quoted.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| !word.is_empty() && !pair.actual.contains(word) && index.holds(word))
    });
    if others_exact && whole && pairs.len() > 1 && !real_word { Ok(()) } else { Err(Doubt::MisspeltRemoval) }
}
