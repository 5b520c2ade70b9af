//! Files of another time: the patch was made for the file some commits earlier or later.
//!
//! The history is generated: each commit inserts, deletes, rewords or copies a few lines, near the edit or far from it.
//! Lines keep their identity, so that the right result is known.

use apply_patch::patch::LineKind;

use crate::case::{Case, TRIES};
use crate::documents::Text;
use crate::edits::{self, Layout};
use crate::judge::{Expectation, judge};
use crate::operators::{OPERATORS, Operator};
use crate::random::Random;
use crate::scene::{Blanks, Item, Likeness, Scene};
use crate::words::{fresh, letters, long_words, replaced, words};

/// How near to the edit a commit is that is near.
const NEAR: usize = 12;

/// Makes a case with a file that is so many commits away from the file that was quoted. Commits before the quote may
/// also lack lines that the patch removes; such a patch has to be refused.
pub(crate) fn commits(texts: &[Text], count: usize, earlier: bool, random: &mut Random) -> Option<Case> {
    (0..TRIES).find_map(|_| {
        let mut scene = edits::scene(texts, Layout::One, random)?;
        for _ in 0..count {
            commit(&mut scene, earlier, random)?;
        }
        let expected = judge(&mut scene)?;
        Some(Case::new(format!("{count} commits"), &scene, expected))
    })
}

/// Changes a few lines of the file.
fn commit(scene: &mut Scene, earlier: bool, random: &mut Random) -> Option<()> {
    let edit = *scene.places(|item| item.quote.is_some()).first()?;
    let at = if random.once_in(3) {
        (edit + random.within(0..=2 * NEAR)).checked_sub(NEAR)?
    } else {
        random.below(scene.items.len())
    };
    let at = at.min(scene.items.len().checked_sub(1)?);
    match random.below(4) {
        0 => insert(scene, at, random),
        1 => (0..random.within(1..=3)).try_for_each(|_| delete(scene, at, earlier)),
        2 => (at..scene.items.len().min(at + random.within(1..=3)))
            .try_for_each(|nth| reword(scene, nth, random)),
        _ => copy(scene, at, random),
    }
}

/// Checks whether lines that are inserted here would be between changed ones. Then the order of new lines and added
/// lines is open.
fn splits_the_change(scene: &Scene, at: usize) -> bool {
    let changed = |nth: usize| scene.items.get(nth).is_some_and(|item| item.kind != LineKind::Context);
    changed(at) && at.checked_sub(1).is_some_and(changed)
}

/// Inserts lines like those of another position, with new words.
fn insert(scene: &mut Scene, at: usize, random: &mut Random) -> Option<()> {
    let from = random.below(scene.items.len());
    let lines: Vec<Item> = scene.items[from..]
        .iter()
        .filter(|item| item.is_in_file_before())
        .filter_map(|item| item.file.as_deref())
        .take(random.within(1..=4))
        .map(|line| match random.pick(&words(line)) {
            Some(word) => Item::of_file(&replaced(line, &word, &fresh(random))),
            None => Item::of_file(line),
        })
        .collect();
    if splits_the_change(scene, at) {
        return None;
    }
    scene.items.splice(at..at, lines);
    Some(())
}

/// Deletes a line. A quoted line that the file has elsewhere may be taken for that line: no case.
fn delete(scene: &mut Scene, at: usize, earlier: bool) -> Option<()> {
    let item = scene.items.get(at)?;
    if item.kind == LineKind::Add || item.file.is_none() {
        return None;
    }
    if item.quote.is_none() {
        scene.items.remove(at);
        return Some(());
    }
    if item.kind == LineKind::Remove {
        if !earlier {
            return None;
        }
        scene.expect(Expectation::Refused);
    }
    let text = scene.items[at].file.take()?;
    scene.items[at].likeness = Likeness::Differs;
    (letters(&text) > 4 && !scene.holds(text.trim())).then_some(())
}

/// Replaces a word of a line.
fn reword(scene: &mut Scene, at: usize, random: &mut Random) -> Option<()> {
    let item = &mut scene.items[at];
    if item.kind != LineKind::Context {
        return None;
    }
    let line = item.file.as_mut()?;
    if let Some(word) = random.pick(&words(line)) {
        *line = replaced(line, &word, &fresh(random));
        if item.quote.is_some() {
            item.likeness = Likeness::Differs;
        }
    }
    Some(())
}

/// Copies a block to another position, with one name replaced, as programmers do.
fn copy(scene: &mut Scene, from: usize, random: &mut Random) -> Option<()> {
    let height = random.within(4..=12);
    let lines: Vec<String> = scene.items[from..]
        .iter()
        .filter(|item| item.is_in_file_before())
        .filter_map(|item| item.file.clone())
        .take(height)
        .collect();
    let line = random.pick(&lines)?;
    let name = line[random.pick(&long_words(&line, 4))?].to_owned();
    let new = fresh(random);
    let at = random.below(scene.items.len() + 1);
    let quoted = |nth: usize| scene.items.get(nth).is_some_and(|item| item.quote.is_some());
    if quoted(at) && at.checked_sub(1).is_some_and(quoted) {
        return None;
    }
    let copies: Vec<Item> = lines.iter().map(|line| Item::of_file(&line.replace(&name, &new))).collect();
    scene.items.splice(at..at, copies);
    Some(())
}

/// What is done with a reversed patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reversed {
    /// It is sent to the result of the patch, and takes the patch back.
    Clean,
    /// The same, with one drift.
    Drifted,
    /// It is sent to a file to which the patch was never applied: there is nothing to take back.
    NeverApplied,
}

/// Makes a case with a reversed patch.
pub(crate) fn reversed(texts: &[Text], what: Reversed, random: &mut Random) -> Option<Case> {
    (0..TRIES).find_map(|_| try_reversed(texts, what, random))
}

fn try_reversed(texts: &[Text], what: Reversed, random: &mut Random) -> Option<Case> {
    let mut scene = edits::scene(texts, Layout::One, random)?;
    let told: Vec<String> = [LineKind::Add, LineKind::Remove]
        .iter()
        .map(|kind| scene.places(|item| item.kind == *kind).iter().map(|nth| scene.quote(*nth)).collect())
        .collect();
    for item in &mut scene.items {
        item.kind = match item.kind {
            LineKind::Add => LineKind::Remove,
            LineKind::Remove => LineKind::Add,
            LineKind::Context => LineKind::Context,
        };
    }
    // The removed lines come first, as in any diff.
    let changed = scene.places(|item| item.kind != LineKind::Context);
    let (first, last) = (*changed.first()?, *changed.last()?);
    scene.items[first..=last].sort_by_key(|item| item.kind == LineKind::Add);
    if !edits::is_good(&scene, 0) {
        return None;
    }
    match what {
        Reversed::Clean => {}
        Reversed::Drifted => {
            let operators: Vec<&Operator> =
                OPERATORS[1..].iter().filter(|operator| operator.layout == Layout::One).collect();
            (random.pick(&operators)?.drift)(&mut scene, random)?;
        }
        Reversed::NeverApplied => {
            let mut case = Case::new("never applied".to_owned(), &scene, Expectation::Refused);
            case.before.clone_from(&case.after);
            // What the reversed patch adds has to say something, or the file may have the old lines by chance.
            let old: Vec<&str> =
                scene.places(Item::is_old).iter().map(|nth| scene.quote(*nth).trim()).collect();
            let file: Vec<&str> = case.before.lines().map(str::trim).collect();
            let stands = file.windows(old.len()).any(|lines| lines == old);
            let says = told.iter().any(|text| letters(text) > 12);
            return (!stands && says).then_some(case);
        }
    }
    let expected = judge(&mut scene)?;
    Some(Case::new(format!("{what:?}"), &scene, expected))
}

/// Where the only drift, a name that the file does not have, is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// In the context of the only block: renamed since, or another block is meant.
    Context,
    /// The same, and the file has two such blocks, each with a name of its own.
    TwoBlocks,
    /// In a removed line.
    Removed,
}

/// Makes a case in which the patch has one name that the file does not have.
pub(crate) fn foreign(texts: &[Text], which: Foreign, random: &mut Random) -> Option<Case> {
    (0..TRIES).find_map(|_| try_foreign(texts, which, random))
}

fn try_foreign(texts: &[Text], which: Foreign, random: &mut Random) -> Option<Case> {
    let mut scene = edits::scene(texts, Layout::One, random)?;
    let from = if which == Foreign::Removed { scene.removed() } else { scene.context() };
    let line = scene.quote(random.pick(&from)?).to_owned();
    let name = line[random.pick(&long_words(&line, 4))?].to_owned();
    // Three names of one kind, none like another.
    let [foreign, second] =
        random.pick(&[["quokka", "wombat"], ["sextant", "barometer"], ["Vostok", "Murmansk"]])?;
    if which != Foreign::Removed {
        let changed = scene.places(|item| item.kind != LineKind::Context);
        if changed.iter().any(|nth| scene.quote(*nth).contains(&name)) {
            return None;
        }
    }
    let quoted = scene.places(Item::is_old);
    let copy: Vec<Item> = quoted
        .iter()
        .filter_map(|nth| scene.items[*nth].file.as_deref())
        .map(|text| Item::of_file(&text.replace(&name, second)))
        .collect();
    for nth in scene.quoted() {
        let text = scene.quote(nth).replace(&name, foreign);
        if text != scene.quote(nth) {
            scene.items[nth].misquote(text, Likeness::Differs);
        }
    }
    scene.expect(if which == Foreign::Context { Expectation::Open } else { Expectation::Refused });
    if which == Foreign::TwoBlocks {
        let (first, last) = (*quoted.first()?, *quoted.last()?);
        let at = random.below(scene.items.len() + 1);
        if (first.saturating_sub(2)..=last + 3).contains(&at) {
            return None;
        }
        scene.items.splice(at..at, copy);
        return Some(Case::new(format!("{which:?}"), &scene, Expectation::Refused));
    }
    let expected = judge(&mut scene)?;
    Some(Case::new(format!("{which:?}"), &scene, expected))
}

/// Makes a drifted case, and leaves out one context line of the patch. Whatever comes out is the right tree or a refusal.
pub(crate) fn line_left_out(texts: &[Text], operator: &Operator, random: &mut Random) -> Option<Case> {
    (0..TRIES).find_map(|_| {
        let mut scene = edits::scene(texts, operator.layout, random)?;
        (operator.drift)(&mut scene, random)?;
        let context =
            scene.places(|item| item.kind == LineKind::Context && item.quote.is_some() && !item.rewrapped);
        let nth = random.pick(&context)?;
        // Two equal chunks with less context may well mean two positions.
        if scene.chunks.len() == 2 && scene.chunks[0] == scene.chunks[1] {
            return None;
        }
        if scene.items[nth].is_blank() {
            scene.blanks = Blanks::Ignored;
        }
        if scene.items[nth].file.is_some() {
            scene.items[nth].quote = None;
        } else {
            scene.items.remove(nth);
        }
        let ends_are_filled = scene.chunks.iter().all(|chunk| {
            let lines = scene.chunk(*chunk);
            let filled =
                |line: Option<&(LineKind, usize)>| line.is_some_and(|(_, nth)| !scene.items[*nth].is_blank());
            filled(lines.first())
                && filled(lines.last())
                && lines.iter().any(|(kind, _)| *kind != LineKind::Add)
        });
        if !ends_are_filled {
            return None;
        }
        let refused = scene.expected == Expectation::Refused;
        judge(&mut scene)?;
        // The right tree is right, however little of the quote is left.
        let expected = if refused { Expectation::Refused } else { Expectation::Open };
        Some(Case::new(format!("{} without a line", operator.name), &scene, expected))
    })
}
