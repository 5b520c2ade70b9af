//! How much of a quote is in the document, and whether it is only there.

use super::Tier;
use super::outcome::Doubt;
use super::pairing::Candidate;
use super::relation::{letters, relate};
use super::search::Index;
use crate::patch::LineKind;
use crate::text::{Document, Fold};

/// From this cost on a place may be a sibling of the one that is meant: a line differs by more than a slip of the pen,
/// or is missing, or is too many.
pub(super) const ANOTHER_WORD: u32 = 30;

/// Whether a place that is none to the letter has a stretch of the quoted lines that stands nowhere else.
pub(super) fn is_distinct(candidate: &Candidate<'_>, index: &Index) -> bool {
    if candidate.tier < Tier::Alignment {
        return true;
    }
    let document = index.document();
    let old = candidate.edit.lines.iter().zip(&candidate.at).filter(|(line, _)| line.kind != LineKind::Add);
    let same: Vec<Option<usize>> = old
        .map(|(line, at)| {
            let at = at.line()?;
            let actual = document.text(at)?;
            let both_blank = line.text.trim().is_empty() && actual.trim().is_empty();
            (both_blank || relate(&line.text, actual).says_same()).then_some(at)
        })
        .collect();
    let stretches = same.chunk_by(|one, next| one.map(|line| line + 1) == *next && next.is_some());
    let texts = |stretch: &[Option<usize>]| -> Option<Vec<&str>> {
        stretch.iter().map(|line| document.text((*line)?)).collect()
    };
    let stands_once = |stretch: Vec<&str>| index.places(Fold::Indentation, &stretch).len() == 1;
    stretches.filter_map(texts).any(stands_once)
}

/// Whether the quoted lines have enough letters to be told from any others; twice as many where the document has them
/// only in likeness.
pub(super) fn is_telling(candidate: &Candidate<'_>) -> bool {
    let least = if candidate.tier == Tier::Alignment { 2 * LEAST_LETTERS } else { LEAST_LETTERS };
    candidate.edit.old_lines().map(|line| letters(&line.text)).sum::<usize>() >= least
}

/// How much of the quote has to say the same as the document: of a hundred letters, so many. Below half, more
/// speaks against the place than for it.
const LEAST_SHARE: usize = 50;

/// How many letters at the least have to say the same. A lone `return x;` is anywhere.
const LEAST_LETTERS: usize = 20;

/// How many lines have to say the same for lines to be removed, of those that say anything: the line that is to go and
/// its neighbour in other words are what any sibling has.
const LEAST_LINES: usize = 2;

/// A long line counts no more than this many letters: one line, however long, is one piece of evidence.
const LETTERS_OF_A_LINE: usize = 30;

/// Whether enough of the quote is in the document: real lines, not braces and blanks.
pub(super) fn enough_evidence(candidate: &Candidate<'_>, document: &Document) -> Result<(), Doubt> {
    let letters = |line: &str| letters(line).min(LETTERS_OF_A_LINE);
    let quoted: usize = candidate.edit.old_lines().map(|line| letters(&line.text)).sum();
    let says_something = |line: &str| line.contains(char::is_alphanumeric);
    let (mut same, mut lines) = (0, 0);
    for pair in candidate.all_pairs(document) {
        let relation = relate(pair.quoted, pair.actual);
        same += relation.letters_alike(letters(pair.quoted));
        lines += usize::from(says_something(pair.quoted) && relation.says_same());
    }
    let filled = candidate.edit.old_lines().filter(|line| says_something(&line.text)).count();
    let removes = candidate.edit.lines.iter().any(|line| line.kind == LineKind::Remove);
    let least_lines = if removes { LEAST_LINES } else { 1 };
    let enough = same >= LEAST_LETTERS
        && 100 * same >= LEAST_SHARE * quoted
        && lines >= least_lines
        && 2 * lines >= filled;
    if enough { Ok(()) } else { Err(Doubt::FewLines) }
}
