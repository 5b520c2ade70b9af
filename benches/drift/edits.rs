//! True edits: what somebody means to change, quoted to the letter.

use apply_patch::patch::LineKind;

use crate::documents::Text;
use crate::random::Random;
use crate::scene::{Item, Scene, Sees};
use crate::words::{fresh, indentation, letters, replaced, words};

/// How many edits a case has, and how near they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One.
    #[default]
    One,
    /// Two, far enough from each other that neither quotes a line of the other.
    Apart,
    /// Two with a few lines between them, which the second quotes.
    Near,
    /// Two, so near that the second quotes lines that the first one changes.
    Overlapping,
}

/// How many lines an edit removes or adds at most.
const MOST_LINES: usize = 6;

/// How many lines of context it has on either side at most.
const MOST_CONTEXT: usize = 4;

/// An edit at a random place of a random document; `None` where the quote is no good there.
pub(crate) fn scene(texts: &[Text], layout: Layout, random: &mut Random) -> Option<Scene> {
    let text = random.pick(texts)?.dressed(random);
    let mut scene = Scene {
        name: text.name,
        items: text.lines.iter().map(|line| Item::of_file(line)).collect(),
        ending: text.ending,
        final_newline: text.final_newline,
        chunks: vec![0],
        ..Scene::default()
    };
    let first = random.below(scene.items.len());
    let end = edit(&mut scene, 0, first, None, random)?;
    match layout {
        Layout::One => {}
        Layout::Apart => {
            scene.chunks.push(1);
            let start = end + random.within(2 * MOST_CONTEXT + 1..=60);
            edit(&mut scene, 1, start, None, random)?;
        }
        Layout::Near | Layout::Overlapping => {
            scene.chunks.push(1);
            let between = random.within(1..=3);
            let more = if layout == Layout::Near { 0 } else { random.within(1..=2) };
            edit(&mut scene, 1, end + between, Some(between + more), random)?;
        }
    }
    scene.chunks.iter().all(|chunk| is_good(&scene, *chunk)).then_some(scene)
}

/// Makes one edit, which begins at an item; says behind which item it ends.
fn edit(
    scene: &mut Scene,
    chunk: usize,
    start: usize,
    context_before: Option<usize>,
    random: &mut Random,
) -> Option<usize> {
    let (removes, adds) = match random.below(10) {
        0..=4 => (true, true),
        5..=7 => (false, true),
        _ => (true, false),
    };
    // Most edits are small.
    let some = |random: &mut Random| random.within(1..=MOST_LINES).min(random.within(1..=MOST_LINES));
    let height = if removes { some(random) } else { 0 };
    let before = context_before.unwrap_or_else(|| random.within(0..=MOST_CONTEXT));
    let behind = random.within(0..=MOST_CONTEXT);
    let (top, bottom) = (start.checked_sub(before)?, start + height + behind);
    if bottom > scene.items.len() || !removes && before + behind == 0 {
        return None;
    }
    let lines: Vec<String> =
        scene.items[start..start + height].iter().filter_map(|item| item.file.clone()).collect();
    if removes && lines.iter().all(|line| line.trim().is_empty()) {
        return None;
    }
    let added = if adds { additions(scene, start, &lines, some(random), random)? } else { Vec::new() };
    for (nth, item) in scene.items.iter_mut().enumerate().take(bottom).skip(top) {
        // What another edit wrote is not this one's to remove.
        let changed = (start..start + height).contains(&nth);
        if changed && item.kind != LineKind::Context {
            return None;
        }
        if changed {
            item.kind = LineKind::Remove;
            item.owner = chunk;
        }
        item.in_chunk[chunk] = true;
        item.quote.clone_from(&item.file);
    }
    let end = start + height + added.len();
    let mut in_chunk = [false; 2];
    in_chunk[chunk] = true;
    let written = added.into_iter().map(|line| Item {
        kind: LineKind::Add,
        quote: Some(line.clone()),
        owner: chunk,
        in_chunk,
        ..Item::of_file(&line)
    });
    scene.items.splice(start + height..start + height, written);
    Some(end)
}

/// The lines to add: the removed ones with other words in them, or lines like those of another place.
fn additions(
    scene: &Scene,
    start: usize,
    removed: &[String],
    count: usize,
    random: &mut Random,
) -> Option<Vec<String>> {
    let mut lines: Vec<String> = removed.iter().map(|line| reworded(line, random)).collect();
    let same_height = !lines.is_empty() && random.below(3) > 0;
    if !same_height {
        lines.truncate(count);
        let more = count - lines.len();
        lines.extend(borrowed(scene, start, more, random)?);
    }
    let new = lines.iter().any(|line| !line.trim().is_empty() && !scene.holds(line.trim()));
    new.then_some(lines)
}

/// A line with a new word in it. A line without words stays as it is.
fn reworded(line: &str, random: &mut Random) -> String {
    let word = fresh(random);
    random.pick(&words(line)).map_or_else(|| line.to_owned(), |at| replaced(line, &at, &word))
}

/// Lines of another place, nested as they are there, indented as the place of the edit, with new words.
fn borrowed(scene: &Scene, start: usize, count: usize, random: &mut Random) -> Option<Vec<String>> {
    let from = random.below(scene.items.len().saturating_sub(count).max(1));
    let source: Vec<&str> =
        scene.items[from..].iter().take(count).filter_map(|item| item.file.as_deref()).collect();
    let filled = |line: &&&str| !line.trim().is_empty();
    let base = source.iter().filter(filled).map(|line| indentation(line)).min_by_key(|own| own.len());
    let beside = scene.items[..start].iter().rev().chain(&scene.items[start..]);
    let mut beside = beside.filter(|item| !item.is_blank()).filter_map(|item| item.file.as_deref());
    let target = indentation(beside.next()?);
    let line = |line: &&str| {
        if line.trim().is_empty() {
            return Some(String::new());
        }
        Some(reworded(&format!("{target}{}", line.strip_prefix(base?)?), random))
    };
    source.iter().map(line).collect()
}

/// Whether a chunk's quote has one place, has something to say, and cannot be read as anything but text.
pub(crate) fn is_good(scene: &Scene, chunk: usize) -> bool {
    let lines = scene.chunk(chunk);
    let marker = |nth: &usize| {
        let text = scene.quote(*nth).trim();
        ["***", "@@", "```", "...", "EOF"].iter().any(|marker| text.starts_with(marker))
    };
    // A blank first or last line may be no part of the chunk: it parts it from what is around it.
    let blank_end =
        |line: Option<&(LineKind, usize)>| line.is_none_or(|(_, nth)| scene.items[*nth].is_blank());
    if lines.iter().any(|(_, nth)| marker(nth)) || blank_end(lines.first()) || blank_end(lines.last()) {
        return false;
    }
    let old: Vec<&str> = lines
        .iter()
        .filter(|(kind, _)| *kind != LineKind::Add)
        .map(|(_, nth)| scene.quote(*nth).trim())
        .collect();
    if !old.iter().any(|line| letters(line) > 2) {
        return false;
    }
    let count = |holds: &dyn Fn(&Item) -> bool| {
        let file = scene.items.iter().filter(|item| holds(item));
        let file: Vec<&str> = file.filter_map(|item| Some(item.file.as_deref()?.trim())).collect();
        file.windows(old.len()).filter(|lines| **lines == old).count()
    };
    let before = count(&|item| item.kind != LineKind::Add);
    let others = |item: &Item| match item.kind {
        LineKind::Context => true,
        LineKind::Remove => item.owner == chunk,
        LineKind::Add => item.owner != chunk,
    };
    let places = match scene.sees {
        Sees::Before => before,
        // What the other chunk has left must not be what the file has elsewhere.
        Sees::After => before + count(&others),
    };
    places == 1
}
