//! The column of signs, lost or eaten.

use apply_patch::patch::LineKind;

use crate::judge::Expectation;
use crate::random::Random;
use crate::scene::{Item, Scene};

/// Whether a line without its sign is still no other line: no sign stands in its first column, and no marker.
fn can_lose(scene: &Scene, nth: usize) -> bool {
    !scene.quote(nth).starts_with(['-', '+', '@', '*', '\\', '`', '#', '<'])
}

/// A context line lost the space before it.
pub(crate) fn lost_one(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context()).filter(|nth| can_lose(scene, *nth))?;
    scene.items[nth].signed = false;
    Some(())
}

/// All context lines did.
pub(crate) fn lost_all(scene: &mut Scene, _: &mut Random) -> Option<()> {
    let context = scene.places(|item| item.kind == LineKind::Context && item.quote.is_some());
    if context.is_empty() || !context.iter().all(|nth| can_lose(scene, *nth)) {
        return None;
    }
    for nth in context {
        scene.items[nth].signed = false;
    }
    Some(())
}

/// Blank context lines did, which is how many models write them.
pub(crate) fn lost_blank(scene: &mut Scene, _: &mut Random) -> Option<()> {
    let blank = |item: &Item| item.kind == LineKind::Context && item.quote.as_deref() == Some("");
    let blanks = scene.places(blank);
    for nth in &blanks {
        scene.items[*nth].signed = false;
    }
    (!blanks.is_empty()).then_some(())
}

/// An added line lost its `+`, and looks like context that the file does not have: what was to be written would be
/// dropped without a word. A line that the file has is no such case, and a blank one says nothing; and without any
/// other change the patch would be an anchor, which may stand nowhere.
pub(crate) fn lost_added(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.added()).filter(|nth| can_lose(scene, *nth))?;
    if scene.added().len() + scene.removed().len() < 2 {
        return None;
    }
    let text = scene.items[nth].file.clone()?;
    let stands =
        |item: &Item| item.kind != LineKind::Add && item.file.as_deref().map(str::trim) == Some(text.trim());
    if scene.items.iter().any(stands) {
        return None;
    }
    scene.items[nth].signed = false;
    // Between two added lines it may be read as an added line.
    let is_added =
        |nth: usize| scene.items.get(nth).is_some_and(|item| item.kind == LineKind::Add && item.signed);
    let is_between = nth.checked_sub(1).is_some_and(is_added) && is_added(nth + 1);
    scene.expect(if is_between { Expectation::Open } else { Expectation::Refused });
    Some(())
}
