//! Lines that the patch has and the file has not, and the other way round.

use apply_patch::patch::LineKind;

use crate::random::Random;
use crate::scene::{Item, Likeness, Scene};
use crate::words::{fresh, indentation, letters, sentence};

/// A context line that says so much that it is not taken for another one.
fn telling(scene: &Scene, random: &mut Random) -> Option<usize> {
    let mut lines = scene.context();
    lines.retain(|nth| letters(scene.quote(*nth)) > 4);
    random.pick(&lines)
}

/// Somebody has deleted a context line since. One that the file has elsewhere, too, may be taken for that one.
pub(crate) fn moved_on_gone(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = telling(scene, random)?;
    let text = scene.items[nth].file.take()?;
    scene.items[nth].likeness = Likeness::Differs;
    (!scene.holds(text.trim())).then_some(())
}

/// Somebody has put a line between the quoted ones since.
pub(crate) fn moved_on_new(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let quoted = scene.places(Item::is_old);
    let (first, last) = (*quoted.first()?, *quoted.last()?);
    let nth = random.within(first + 1..=last.max(first + 1));
    // Between two removed lines it is one that nobody saw: see the stale ones.
    let inside = nth <= last && quoted.contains(&nth);
    let removed = |nth: usize| scene.items[nth].kind == LineKind::Remove;
    if !inside || removed(nth - 1) && removed(nth) {
        return None;
    }
    let lead = indentation(scene.quote(nth)).to_owned();
    scene.items.insert(nth, Item::of_file(&format!("{lead}{}({});", fresh(random), fresh(random))));
    Some(())
}

/// A blank context line is not quoted. Which of two in a row that is, nobody sees.
pub(crate) fn blank_dropped(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let blank = |item: &Item| item.kind == LineKind::Context && item.quote.is_some() && item.is_blank();
    let nth = random.pick(&scene.places(blank))?;
    let lone = |nth: usize| scene.items.get(nth).is_none_or(|item| !item.is_blank());
    if !lone(nth + 1) || nth.checked_sub(1).is_some_and(|nth| !lone(nth)) {
        return None;
    }
    scene.items[nth].quote = None;
    Some(())
}

/// The patch has a blank line more. Beside another blank line it could be either, and beside a removed one more
/// would be removed than the file has.
pub(crate) fn blank_extra(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    if scene.items.get(nth + 1).is_none_or(|next| next.quote.is_none() || next.is_blank()) {
        return None;
    }
    let blank = Item::phantom("", &scene.items[nth]);
    scene.items.insert(nth + 1, blank);
    Some(())
}

/// A context line is not quoted.
pub(crate) fn skipped(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = telling(scene, random)?;
    skip(scene, nth)
}

fn skip(scene: &mut Scene, nth: usize) -> Option<()> {
    scene.items[nth].quote = None;
    let quoted = scene.places(Item::is_old);
    // At an end of the quote nothing is missing.
    (quoted.first().is_some_and(|first| *first < nth) && quoted.last().is_some_and(|last| *last > nth))
        .then_some(())
}

/// Two or three context lines in a row are not quoted.
pub(crate) fn several_skipped(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = telling(scene, random)?;
    let count = random.within(2..=3);
    for nth in nth..nth + count {
        scene.context().contains(&nth).then_some(())?;
        skip(scene, nth)?;
    }
    Some(())
}

/// The patch has a context line that the file has not.
pub(crate) fn not_there(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let lead = indentation(scene.quote(nth));
    let text = if random.once_in(2) {
        format!("{lead}// {}", sentence(random))
    } else {
        format!("{lead}{}({});", fresh(random), fresh(random))
    };
    let phantom = Item::phantom(&text, &scene.items[nth]);
    let behind = random.below(2);
    scene.items.insert(nth + behind, phantom);
    Some(())
}

/// A context line is quoted twice.
pub(crate) fn twice(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = telling(scene, random)?;
    // Which of the two is the real one matters beside a change.
    let beside = |nth: usize| scene.items.get(nth).is_none_or(|item| item.kind == LineKind::Context);
    if !beside(nth + 1) || nth.checked_sub(1).is_some_and(|nth| !beside(nth)) {
        return None;
    }
    let phantom = Item::phantom(scene.quote(nth), &scene.items[nth]);
    scene.items.insert(nth, phantom);
    Some(())
}

/// Two context lines are quoted in the wrong order. Beside a change, its place would be another.
pub(crate) fn swapped(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = telling(scene, random)?;
    let context = scene.context();
    let kept = |nth: usize| scene.items.get(nth).is_none_or(|item| item.kind == LineKind::Context);
    if !context.contains(&(nth + 1)) || scene.quote(nth) == scene.quote(nth + 1) || !kept(nth + 2) {
        return None;
    }
    if nth.checked_sub(1).is_some_and(|nth| !kept(nth)) {
        return None;
    }
    let (first, second) = (scene.quote(nth).to_owned(), scene.quote(nth + 1).to_owned());
    scene.items[nth].misquote(second, Likeness::Differs);
    scene.items[nth + 1].misquote(first, Likeness::Differs);
    Some(())
}

/// Two context lines are quoted as one, as a formatter would have them.
pub(crate) fn joined(scene: &mut Scene, random: &mut Random) -> Option<()> {
    join(scene, random, " ")
}

/// Quotes two context lines as one.
pub(super) fn join(scene: &mut Scene, random: &mut Random, by: &str) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    scene.context().contains(&(nth + 1)).then_some(())?;
    let next = scene.items[nth + 1].quote.take()?;
    scene.items[nth + 1].rewrapped = true;
    let next = if by == " " { next.trim_start() } else { &next };
    let text = format!("{}{by}{next}", scene.quote(nth));
    scene.items[nth].misquote(text, Likeness::Differs);
    Some(())
}

/// A context line is quoted as two, as a formatter would have them.
pub(crate) fn split(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let line = scene.quote(nth);
    let lead = indentation(line).to_owned();
    let spaces: Vec<usize> = line
        .match_indices(' ')
        .map(|(at, _)| at)
        .filter(|at| *at > lead.len() + 8 && at + 8 < line.len())
        .collect();
    let at = random.pick(&spaces)?;
    let (head, tail) = (line[..at].to_owned(), format!("{lead}    {}", line[at..].trim_start()));
    scene.items[nth].misquote(head, Likeness::Differs);
    let phantom = Item::phantom(&tail, &scene.items[nth]);
    scene.items.insert(nth + 1, Item { rewrapped: true, ..phantom });
    Some(())
}

const DOTS: &[&str] =
    &["...", "// ...", "# ...", "    // ... existing code ...", "// ... rest of the function ..."];

/// How many lines the dots stand for.
const ELIDED: std::ops::RangeInclusive<usize> = 2..=15;

/// The patch begins with a line further up, and dots for what lies between.
pub(crate) fn dots_above(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let first = *scene.places(|item| item.quote.is_some()).first()?;
    let far = first.checked_sub(random.within(ELIDED))?;
    dots(scene, far, first, first, random)
}

/// The patch ends with dots and a line further down.
pub(crate) fn dots_below(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let last = *scene.places(|item| item.quote.is_some()).last()?;
    let far = last + random.within(ELIDED);
    dots(scene, far, last, last + 1, random)
}

/// Quotes a line that stands far from the rest, and puts dots at `at`. Right beside what is added they would leave its
/// place open, so that the line at `beside` has to be context.
fn dots(scene: &mut Scene, far: usize, beside: usize, at: usize, random: &mut Random) -> Option<()> {
    let beside = scene.items[beside].clone();
    let item = scene.items.get_mut(far).filter(|item| item.quote.is_none())?;
    if beside.kind != LineKind::Context || letters(item.file.as_deref()?) < 5 {
        return None;
    }
    item.quote.clone_from(&item.file);
    (item.in_chunk, item.owner) = (beside.in_chunk, beside.owner);
    let dots = random.pick(DOTS).filter(|dots| !scene.holds(dots.trim()))?;
    scene.items.insert(at, Item { likeness: Likeness::Alike, ..Item::phantom(dots, &beside) });
    Some(())
}

/// The quoted lines have the numbers that a listing shows before them.
pub(crate) fn numbers_on_old(scene: &mut Scene, random: &mut Random) -> Option<()> {
    numbers(scene, false, random)
}

/// So have the added ones.
pub(crate) fn numbers_on_all(scene: &mut Scene, random: &mut Random) -> Option<()> {
    numbers(scene, true, random)
}

fn numbers(scene: &mut Scene, on_added: bool, random: &mut Random) -> Option<()> {
    let style = random.below(5);
    let numbered = |number: usize, text: &str| match style {
        0 => format!("{number}: {text}"),
        1 => format!("{number}| {text}"),
        2 => format!("{number:>6}\t{text}"),
        3 => format!("{number:>6}\u{2192}{text}"),
        _ => format!("{number:>4} | {text}"),
    };
    let (mut old, mut new) = (0, 0);
    for item in &mut scene.items {
        old += usize::from(item.kind != LineKind::Add && item.file.is_some());
        new += usize::from(item.kind != LineKind::Remove && item.file.is_some());
        let number = if item.kind == LineKind::Add { new } else { old };
        let Some(text) = item.quote.clone() else { continue };
        // A line that begins with a number of its own could do without.
        if text.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if item.kind != LineKind::Add || on_added {
            item.misquote(numbered(number, &text), Likeness::Alike);
        }
    }
    Some(())
}
