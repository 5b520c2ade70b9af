//! Removed lines that are not what the file has. What the model did not see is never removed: all of these are to be
//! refused, however clear the place is.

use apply_patch::patch::LineKind;

use super::wording::{other_digit, other_string};
use crate::judge::Expectation;
use crate::random::Random;
use crate::scene::{Item, Likeness, Scene};
use crate::words::{letters, long_words, replaced};

/// Quotes a removed line otherwise. A text that the file has anywhere may be what is meant, and is not taken.
fn stale(scene: &mut Scene, nth: usize, text: String) -> Option<()> {
    if scene.holds(text.trim()) {
        return None;
    }
    scene.items[nth].misquote(text, Likeness::Differs);
    scene.expect(Expectation::Refused);
    Some(())
}

/// Another word of the file stands in the place of one; one that is no misspelling of it.
pub(crate) fn word(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.removed())?;
    let other = scene.items[random.below(scene.items.len())].file.clone()?;
    let word = &other[random.pick(&long_words(&other, 3))?];
    let line = scene.quote(nth);
    let at = random.pick(&long_words(line, 3)).filter(|at| line[at.clone()] != *word)?;
    let text = replaced(line, &at, word);
    stale(scene, nth, text)
}

/// A number is another one.
pub(crate) fn digit(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.removed())?;
    let text = other_digit(scene.quote(nth), random)?;
    stale(scene, nth, text)
}

/// An operator is another one.
pub(crate) fn sign(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.removed())?;
    let swaps =
        [("==", "!="), (" < ", " > "), (" + ", " - "), ("&&", "||"), ("&", ""), ("!", ""), ("..", "..=")];
    let line = scene.quote(nth);
    let (from, to) = random.pick(&swaps).filter(|(from, _)| line.contains(from))?;
    let text = line.replacen(from, to, 1);
    stale(scene, nth, text)
}

/// A string literal has another text.
pub(crate) fn string(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.removed())?;
    let text = other_string(scene.quote(nth), random)?;
    stale(scene, nth, text)
}

/// One of the removed lines is gone from the file.
///
/// Where it was the only change, the edit has been made already; and a line that the file has elsewhere may have
/// been moved there: neither is taken.
pub(crate) fn gone(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let removed = scene.removed();
    if removed.len() < 2 && scene.added().is_empty() {
        return None;
    }
    let nth = random.pick(&removed)?;
    let text = scene.items[nth].file.take()?;
    scene.items[nth].likeness = Likeness::Differs;
    scene.expect(Expectation::Refused);
    (letters(&text) > 4 && !scene.holds(text.trim())).then_some(())
}

/// A line between two removed ones is not quoted. One at the edge would only make a smaller edit; one that is like
/// its neighbour could be that.
fn between_removed(scene: &Scene, random: &mut Random) -> Option<usize> {
    let is_removed = |nth: usize| {
        let item = scene.items.get(nth);
        item.is_some_and(|item| item.kind == LineKind::Remove && item.quote.is_some() && item.file.is_some())
    };
    let inner: Vec<usize> = (1..scene.items.len())
        .filter(|nth| [nth - 1, *nth, nth + 1].into_iter().all(is_removed))
        .filter(|nth| scene.quote(*nth) != scene.quote(nth - 1) && scene.quote(*nth) != scene.quote(nth + 1))
        .collect();
    random.pick(&inner)
}

/// The patch passes over a line in the middle of what it removes.
pub(crate) fn skipped(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = between_removed(scene, random)?;
    scene.items[nth].quote = None;
    scene.expect(Expectation::Refused);
    Some(())
}

/// Dots stand for lines in the middle of what the patch removes.
pub(crate) fn elided(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = between_removed(scene, random)?;
    let beside = scene.items[nth].clone();
    scene.items[nth].quote = None;
    let text = random.pick(&["...", "    ...", "// ... existing code ..."])?;
    if scene.holds(text) {
        return None;
    }
    let kind = if random.once_in(2) { LineKind::Remove } else { LineKind::Context };
    scene.items.insert(nth, Item { kind, ..Item::phantom(text, &beside) });
    scene.expect(Expectation::Refused);
    Some(())
}
