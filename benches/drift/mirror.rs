//! Mirror images: the patch of a drifted case, and a file in which the patch is no drift at all.
//!
//! An operator of `operators/` changes a quote, and the benchmark asks for the edit at the position that was quoted before.
//! Each rule that accepts the drift has a mirror image: a file that really has the misspelt word, the entities, the dots,
//! the lines without the skipped one. There the patch has to be taken as it is written.
//!
//! - [`Mirror::Alone`]: the file has the lines of the quote, in place of the lines before the drift.
//! - [`Mirror::Beside`]: the file has both, at some distance.

use apply_patch::format;
use apply_patch::patch::{Action, LineKind};

use crate::case::{Case, TRIES};
use crate::documents::Text;
use crate::edits::{self, Layout};
use crate::judge::Expectation;
use crate::operators::Operator;
use crate::random::Random;
use crate::scene::{Blanks, Item, Scene};
use crate::words::{indentation, letters};

/// What the file has of the two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mirror {
    Alone,
    Beside,
}

/// How many lines are between two similar blocks at least: near enough to confuse, not one block.
const DISTANCE: usize = 3;

/// Operators that change no quoted line: headers, numbers, order. [`SPECIAL`] has their mirror images.
fn changes_the_quote(operator: &Operator) -> bool {
    let other = ["none", "header-", "numbers-wrong", "end-of-file-wrong", "chunk", "applied-before"];
    !other.iter().any(|name| operator.name.starts_with(name))
}

/// Makes the mirror image of a drifted case; `None` if the operator has none.
pub(crate) fn image(
    texts: &[Text],
    operator: &Operator,
    mirror: Mirror,
    random: &mut Random,
) -> Option<Case> {
    if !changes_the_quote(operator) {
        return None;
    }
    (0..TRIES).find_map(|_| try_image(texts, operator, mirror, random))
}

fn try_image(texts: &[Text], operator: &Operator, mirror: Mirror, random: &mut Random) -> Option<Case> {
    let mut scene = edits::scene(texts, Layout::One, random)?;
    (operator.drift)(&mut scene, random)?;
    let written = Written::of_patch(&scene.patch())?;
    let quoted = scene.places(|item| item.is_in_file_before() && item.in_chunk[0]);
    let (first, last) = (*quoted.first()?, *quoted.last()?);
    let number = |nth: usize| scene.items[..nth].iter().filter(|item| item.is_in_file_before()).count();
    let file: Vec<&str> = scene
        .items
        .iter()
        .filter(|item| item.is_in_file_before())
        .filter_map(|item| item.file.as_deref())
        .collect();
    let block = number(first)..number(last + 1);
    let (place, end) = match mirror {
        Mirror::Alone => (block.start, block.end),
        Mirror::Beside => {
            let at = random.below(file.len() + 1);
            let near = block.start.saturating_sub(DISTANCE)..=block.end + DISTANCE;
            if near.contains(&at) {
                return None;
            }
            (at, at)
        }
    };
    let with = |lines: &[String]| -> Vec<String> {
        let own = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        [own(&file[..place]), lines.to_vec(), own(&file[end..])].concat()
    };
    let (before, after) = (with(&written.old), with(&written.new));
    // The lines of the quote occur once, and with no other whitespace elsewhere.
    if written.count(&before) != 1 || before == after {
        return None;
    }
    // Two chunks that are the same change, or an addition that the file has there already, are other questions.
    let expected = match operator.name {
        // Characters of a wrong code page in an added line may always be refused.
        "code-page-copied" => Expectation::Open,
        _ => Expectation::Applied,
    };
    // Without a line that says something, no position is clear.
    if written.old.iter().all(|line| letters(line) < 3) {
        return None;
    }
    let text = |lines: &[String], open_end: bool| {
        let end = if open_end { "" } else { scene.ending };
        lines.join(scene.ending) + end
    };
    let open_end = !scene.final_newline;
    // A last line that is written ends.
    let open_after = open_end && (end < file.len() || written.ends_in_context);
    Some(Case {
        name: format!("{} {mirror:?}", operator.name),
        file: scene.name.clone(),
        before: text(&before, open_end),
        after: text(&after, open_after),
        patch: scene.patch(),
        blanks: Blanks::Counted,
        expected,
        lines: vec![place + 1],
    })
}

/// The lines of a patch, read without any doubt about them.
struct Written {
    old: Vec<String>,
    new: Vec<String>,
    /// Whether the last line of the chunk stays.
    ends_in_context: bool,
}

impl Written {
    /// Reads the only chunk of a patch; `None` if the text is no such patch, or quotes nothing.
    fn of_patch(patch: &str) -> Option<Self> {
        let (patch, _) = format::parse(patch, &format::Options::default()).into_result().ok()?;
        let [hunk] = &patch.hunks[..] else { return None };
        let Action::Update { chunks, .. } = &hunk.action else { return None };
        let [chunk] = &chunks[..] else { return None };
        let lines = |gone: LineKind| -> Vec<String> {
            let kept = chunk.lines.iter().filter(|line| line.kind != gone);
            kept.map(|line| line.text.to_string()).collect()
        };
        let ends_in_context = chunk.lines.last().is_some_and(|line| line.kind == LineKind::Context);
        let written = Written { old: lines(LineKind::Add), new: lines(LineKind::Remove), ends_in_context };
        let ends = [written.old.first()?, written.old.last()?];
        // A blank line at an end may be no part of the chunk.
        ends.iter().all(|line| !line.trim().is_empty()).then_some(written)
    }

    /// Counts where the old lines occur in a file, whitespace at their ends apart.
    fn count(&self, file: &[String]) -> usize {
        let same =
            |lines: &[String]| lines.iter().zip(&self.old).all(|(one, other)| one.trim() == other.trim());
        file.windows(self.old.len()).filter(|lines| same(lines)).count()
    }
}

/// Makes a case from the documents.
pub(crate) type Special = fn(&[Text], &mut Random) -> Option<Case>;

/// The mirror images of operators that change no quoted line.
pub(crate) const SPECIAL: &[(&str, Special)] = &[
    ("header decides", |texts, random| (0..TRIES).find_map(|_| header_decides(texts, random))),
    ("end of file decides", |texts, random| (0..TRIES).find_map(|_| end_decides(texts, random))),
    ("chunk twice, two blocks", |texts, random| (0..TRIES).find_map(|_| two_blocks(texts, random))),
    ("result is elsewhere", |texts, random| (0..TRIES).find_map(|_| made_elsewhere(texts, random))),
];

/// The lines that the only chunk quotes, as items that no chunk quotes.
fn copy_of_quote(scene: &Scene) -> Vec<Item> {
    let old = scene.places(Item::is_old);
    old.iter().filter_map(|nth| scene.items[*nth].file.as_deref()).map(Item::of_file).collect()
}

/// The first and the last item of the only chunk.
fn span(scene: &Scene) -> Option<(usize, usize)> {
    let quoted = scene.places(|item| item.quote.is_some());
    Some((*quoted.first()?, *quoted.last()?))
}

/// Two equal blocks: one below the line that the header names, in its block, and one outside of that block.
fn header_decides(texts: &[Text], random: &mut Random) -> Option<Case> {
    let mut scene = edits::scene(texts, Layout::One, random)?;
    let (first, last) = span(&scene)?;
    let text = |nth: usize| scene.items[nth].file.as_deref().unwrap_or_default();
    let depth = |nth: usize| indentation(text(nth)).len();
    let filled = |nth: &usize| !text(*nth).trim().is_empty();
    let shallowest = (first..=last).filter(filled).map(depth).min()?;
    let header =
        (first.saturating_sub(30)..first).rev().filter(filled).find(|nth| depth(*nth) < shallowest)?;
    let inside = |nth: usize| depth(nth) > depth(header);
    let named = text(header).trim().to_owned();
    let marker = ["@@", "***", "-", "+", "<", "#"].iter().any(|marker| named.starts_with(marker));
    let once = (0..scene.items.len()).filter(|nth| text(*nth).contains(&named)).count() == 1;
    if letters(&named) < 8 || marker || !once || !(header + 1..=last).filter(filled).all(inside) {
        return None;
    }
    // The copy is above the header, or below a line that ends its block.
    let block_end = (last + 1..scene.items.len()).filter(filled).find(|nth| !inside(*nth));
    let at = random.below(scene.items.len() + 1);
    if at + DISTANCE >= header && block_end.is_none_or(|end| at < end + DISTANCE) {
        return None;
    }
    let copy = copy_of_quote(&scene);
    scene.items.splice(at..at, copy);
    scene.headers[0] = format!(" {named}");
    Some(Case::new("header decides".to_owned(), &scene, Expectation::Applied))
}

/// Two equal blocks, the second one at the end of the file, as the patch says.
fn end_decides(texts: &[Text], random: &mut Random) -> Option<Case> {
    let mut scene = edits::scene(texts, Layout::One, random)?;
    let (first, last) = span(&scene)?;
    // A removal without a trace cannot be told from an end that is wrong.
    if last + DISTANCE > scene.items.len() || !scene.final_newline || scene.added().is_empty() {
        return None;
    }
    let block: Vec<Item> = scene.items[first..=last].to_vec();
    for item in &mut scene.items[first..=last] {
        *item = Item::of_file(item.file.as_deref().filter(|_| item.kind != LineKind::Add).unwrap_or("\0"));
    }
    scene.items.retain(|item| item.file.as_deref() != Some("\0"));
    scene.items.extend(block);
    scene.end_of_file = true;
    Some(Case::new("end of file decides".to_owned(), &scene, Expectation::Applied))
}

/// Two equal blocks, and the patch has the chunk twice: both may be changed, or the patch is refused.
fn two_blocks(texts: &[Text], random: &mut Random) -> Option<Case> {
    let mut scene = edits::scene(texts, Layout::One, random)?;
    let (first, last) = span(&scene)?;
    if scene.places(|item| item.kind == LineKind::Remove).is_empty() {
        return None;
    }
    let block: Vec<Item> = scene.items[first..=last]
        .iter()
        .map(|item| Item { owner: 1, in_chunk: [false, true], ..item.clone() })
        .collect();
    let at = random.within(last + 1..=scene.items.len().max(last + 1));
    if at <= last + DISTANCE || at > scene.items.len() {
        return None;
    }
    scene.items.splice(at..at, block);
    scene.chunks.push(1);
    Some(Case::new("chunk twice".to_owned(), &scene, Expectation::Open))
}

/// The result of the edit is at another position: the edit was made there, or the block is a copy.
fn made_elsewhere(texts: &[Text], random: &mut Random) -> Option<Case> {
    let mut scene = edits::scene(texts, Layout::One, random)?;
    let (first, last) = span(&scene)?;
    let result: Vec<Item> = scene.items[first..=last]
        .iter()
        .filter(|item| item.kind != LineKind::Remove)
        .filter_map(|item| item.file.as_deref())
        .map(Item::of_file)
        .collect();
    let at = random.below(scene.items.len() + 1);
    if (first.saturating_sub(DISTANCE)..=last + DISTANCE).contains(&at) {
        return None;
    }
    scene.items.splice(at..at, result);
    edits::is_good(&scene, 0).then(|| Case::new("result elsewhere".to_owned(), &scene, Expectation::Open))
}
