//! Lines of dots in place of lines that were not quoted: `// ... existing code ...`.
//!
//! An edit with such a line among its context is two edits, one above and one below it, in this order. Where the
//! document has the line to the letter, it is text.

use std::borrow::Cow;

use super::outcome::Drift;
use super::outcome::Miss;
use super::outcome::Placement;
use super::relation::letters;
use super::search::Index;
use super::{Level, Matching};
use crate::patch::LineKind;
use crate::patch::edit::{Edit, EditLine};
use crate::text::Fold;

/// The parts of an edit between its lines of dots; the edit itself if it has none.
pub(super) fn split<'e, 'a>(index: &Index, edit: &'e Edit<'a>, matching: &Matching) -> Cow<'e, [Edit<'a>]> {
    let elided = |line: &EditLine<'a>| line.kind == LineKind::Context && is_left_out(index, &line.text);
    if matching.level < Level::Guarded || matching.literal || !edit.lines.iter().any(elided) {
        return Cow::Borrowed(std::slice::from_ref(edit));
    }
    let parts = edit.lines.split(elided).filter(|lines| !lines.is_empty());
    let mut parts: Vec<Edit<'a>> =
        parts.map(|lines| Edit { number: edit.number, lines: lines.to_vec(), ..Edit::default() }).collect();
    // Lines that are added next to nothing quoted have no place of their own, and what is not quoted is not
    // removed: the dots are taken for a line that has to be there, and is not.
    if parts.is_empty() || parts.iter().any(Edit::is_addition) || stands_for_removed(edit, &elided) {
        let vital = |line: &EditLine<'a>| EditLine { signed: line.signed && !elided(line), ..line.clone() };
        return Cow::Owned(vec![Edit { lines: edit.lines.iter().map(vital).collect(), ..edit.clone() }]);
    }
    for part in parts.iter_mut().skip(1) {
        let letters: usize = part.old_lines().map(|line| letters(&line.text)).sum();
        part.after_gap = letters < TELLING;
    }
    if let Some(first) = parts.first_mut() {
        first.headers.clone_from(&edit.headers);
    }
    if let Some(last) = parts.last_mut() {
        last.end_of_file = edit.end_of_file;
    }
    Cow::Owned(parts)
}

/// Whether a quoted line says that lines were left out, rather than being one of the document's.
pub(super) fn is_left_out(index: &Index, text: &str) -> bool {
    is_elision(text) && !index.contains(Fold::Indentation, text)
}

/// Whether a line of dots stands right between two removed lines: what it stands for may have been meant to go too.
fn stands_for_removed<'a>(edit: &Edit<'a>, elided: &impl Fn(&EditLine<'a>) -> bool) -> bool {
    let removed = |line: &EditLine<'a>| line.kind == LineKind::Remove;
    edit.lines.windows(3).any(|three| removed(&three[0]) && elided(&three[1]) && removed(&three[2]))
}

/// How many letters a part behind a line of dots has to quote for the first place behind the part before to be meant:
/// a brace alone is anywhere.
const TELLING: usize = 6;

/// Whether a line says that lines were left out: dots, alone or around words, perhaps in a comment.
fn is_elision(line: &str) -> bool {
    let line = line.trim();
    let openers = ["//", "/*", "<!--", "--", "#", ";", "%", "{/*"];
    let open = openers.iter().find_map(|opener| line.strip_prefix(opener)).unwrap_or(line);
    let closers = ["*/}", "*/", "-->"];
    let text = closers.iter().find_map(|closer| open.strip_suffix(closer)).unwrap_or(open).trim();
    let dots = |text: &str| !text.is_empty() && text.chars().all(|c| matches!(c, '.' | '…' | ' '));
    let begins = text.strip_prefix("...").or_else(|| text.strip_prefix('…'));
    let Some(rest) = begins else { return false };
    let words = rest.trim_end_matches(['.', '…']).trim();
    // `...rest` is code; `... rest of the class` and `... existing code ...` are not.
    let is_prose =
        rest.starts_with(' ') && words.chars().all(|c| c.is_alphanumeric() || " ,'-()".contains(c));
    dots(text) || is_prose
}

/// Puts the outcomes of the parts of each edit together: all of them, or the first that misses.
pub(super) fn join(outcomes: Vec<Result<Placement, Miss>>, counts: &[usize]) -> Vec<Result<Placement, Miss>> {
    let mut outcomes = outcomes.into_iter();
    let mut joined = Vec::with_capacity(counts.len());
    for count in counts {
        // All parts are taken before one of them may miss.
        let parts: Vec<_> = outcomes.by_ref().take(*count).collect();
        joined.push(parts.into_iter().collect::<Result<Vec<_>, _>>().map(whole));
    }
    joined
}

fn whole(parts: Vec<Placement>) -> Placement {
    let elided = parts.len() > 1;
    let mut parts = parts.into_iter();
    let Some(mut whole) = parts.next() else { return Placement::default() };
    for part in parts {
        whole.tier = whole.tier.max(part.tier);
        whole.cost += part.cost;
        whole.added += part.added;
        whole.removed += part.removed;
        whole.drift.extend(part.drift);
    }
    if elided {
        whole.drift.retain(|drift| *drift != Drift::NoChange);
        whole.drift.push(Drift::Elided);
    }
    whole
}
