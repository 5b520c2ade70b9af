//! Headers, and chunks beside chunks.

use apply_patch::patch::LineKind;

use crate::edits::is_good;
use crate::judge::Expectation;
use crate::random::Random;
use crate::scene::{Scene, Sees};
use crate::words::{fresh, letters, long_words, misspelt, replaced};

/// Gives the first chunk of the patch a header.
fn head(scene: &mut Scene, header: &str) -> Option<()> {
    let chunk = *scene.chunks.first()?;
    scene.headers[chunk] = format!(" {header}");
    Some(())
}

/// The header names something that the file does not have.
pub(crate) fn header_nowhere(scene: &mut Scene, random: &mut Random) -> Option<()> {
    head(scene, &format!("fn {}()", fresh(random)))
}

/// The header is a line above the chunk, with a misspelt word.
pub(crate) fn header_misspelt(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let first = *scene.places(|item| item.quote.is_some()).first()?;
    let line = scene.items[first.checked_sub(random.within(1..=20))?].file.clone()?;
    let at = random.pick(&long_words(&line, 5))?;
    let header = replaced(&line, &at, &misspelt(&line[at.clone()], random)?);
    head(scene, header.trim())
}

/// The header is a line that stands below the chunk.
pub(crate) fn header_behind(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let last = *scene.places(|item| item.quote.is_some()).last()?;
    let line = scene.items.get(last + random.within(1..=20))?.file.clone()?;
    let marker = ["@@", "***", "-", "+"].iter().any(|marker| line.trim_start().starts_with(marker));
    if letters(&line) < 8 || marker {
        return None;
    }
    head(scene, line.trim())
}

/// The header has the line numbers of a unified diff, counted badly.
pub(crate) fn numbers_wrong(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let chunk = scene.chunk(*scene.chunks.first()?);
    let count = |kind: LineKind| chunk.iter().filter(|(of, _)| *of != kind).count();
    let (old, new) = (count(LineKind::Add), count(LineKind::Remove));
    let at = random.within(1..=2 * scene.items.len());
    head(scene, &format!("-{at},{old} +{at},{new} @@"))
}

/// The patch says that the chunk is at the end of the file; it is not.
pub(crate) fn end_of_file_wrong(scene: &mut Scene, _: &mut Random) -> Option<()> {
    scene.end_of_file = true;
    scene.items.last()?.quote.is_none().then_some(())
}

/// The patch has the chunk twice. To replace a line twice is to replace it; to insert twice at one point may be
/// meant.
pub(crate) fn twice(scene: &mut Scene, _: &mut Random) -> Option<()> {
    let [chunk] = scene.chunks[..] else { return None };
    scene.chunks.push(chunk);
    if scene.places(|item| item.kind == LineKind::Remove).is_empty() {
        scene.expect(Expectation::Open);
    }
    Some(())
}

/// The chunks are not in the file's order.
pub(crate) fn wrong_order(scene: &mut Scene, _: &mut Random) -> Option<()> {
    scene.chunks.reverse();
    (scene.chunks.len() > 1).then_some(())
}

/// The second chunk quotes what the first one leaves.
pub(crate) fn quote_after(scene: &mut Scene, _: &mut Random) -> Option<()> {
    scene.sees = Sees::After;
    is_good(scene, 1).then_some(())
}

/// The patch has been applied before. One that leaves the file as it was shows nothing.
pub(crate) fn applied_before(scene: &mut Scene, _: &mut Random) -> Option<()> {
    let original = scene.before();
    scene.applied = true;
    (original != scene.before()).then_some(())
}
