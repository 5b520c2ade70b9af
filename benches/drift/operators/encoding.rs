//! The same text in other characters: look-alikes, wrong code pages, escapes.

use apply_patch::patch::LineKind;

use super::lines::join;
use crate::judge::Expectation;
use crate::random::Random;
use crate::scene::{Likeness, Scene};
use crate::words::long_words;

/// What typographers write for what programmers type.
const LOOK_ALIKES: &[(&str, &str)] =
    &[("\"", "\u{201d}"), ("'", "\u{2019}"), ("-", "\u{2013}"), ("...", "\u{2026}"), (" ", "\u{a0}")];

/// One look-alike that a line may have.
fn look_alike(line: &str, random: &mut Random) -> Option<(&'static str, &'static str)> {
    let body = line.trim();
    random.pick(LOOK_ALIKES).filter(|(plain, _)| body.contains(plain))
}

/// The line with one kind of character replaced, but for its indentation.
fn respelt(line: &str, (plain, other): (&str, &str)) -> String {
    let body = line.trim_start();
    format!("{}{}", &line[..line.len() - body.len()], body.replace(plain, other))
}

/// The file has a dash, a quote or a space in a context line that the patch types plainly.
pub(crate) fn look_alikes_in_file(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let item = &mut scene.items[nth];
    let line = item.file.as_mut()?;
    let pair = look_alike(line, random)?;
    *line = respelt(line, pair);
    item.likeness = item.likeness.max(Likeness::Unseen);
    Some(())
}

/// The patch has one in a context line that the file types plainly.
pub(crate) fn look_alikes_in_quote(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let line = scene.quote(nth);
    let text = respelt(line, look_alike(line, random)?);
    scene.items[nth].misquote(text, Likeness::Unseen);
    Some(())
}

/// The one removed line, and the one line that replaces it, where they differ by a word.
fn replaced_line(scene: &Scene) -> Option<(usize, usize)> {
    let changed = |kind| scene.places(|item| item.kind == kind);
    let ([removed], [added]) = (&changed(LineKind::Remove)[..], &changed(LineKind::Add)[..]) else {
        return None;
    };
    let untouched = scene.items[*removed].likeness == Likeness::Same;
    let words = |nth: &usize| scene.quote(*nth).split(' ').count();
    (untouched && words(removed) == words(added)).then_some((*removed, *added))
}

/// The file has look-alikes in a line that is replaced, and the patch types both plainly: the new line is to be
/// written as the old one was. Where the added line has more or fewer such characters, which of them are meant is
/// open, and no case is made.
pub(crate) fn look_alikes_in_removed(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let (removed, added) = replaced_line(scene)?;
    let pair = look_alike(scene.quote(removed), random)?;
    let count = |nth: usize| scene.quote(nth).trim().matches(pair.0).count();
    if count(removed) != count(added) {
        return None;
    }
    for nth in [removed, added] {
        let item = &mut scene.items[nth];
        let line = item.file.as_mut()?;
        *line = respelt(line, pair);
        item.likeness = item.likeness.max(Likeness::Unseen);
    }
    Some(())
}

/// What the bytes 0x80 to 0x9f are in code page 1252; the holes stay what they are.
const CP1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}',
    '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}',
    '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}',
    '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

/// A text as it looks when its UTF-8 is read as code page 1252, or when what is not ASCII was lost.
fn misread(text: &str, style: usize) -> String {
    let mut seen = String::new();
    for c in text.chars() {
        match style {
            _ if c.is_ascii() => seen.push(c),
            0 => seen.push('?'),
            1 => seen.push('\u{fffd}'),
            _ => seen.extend(c.to_string().bytes().map(|byte| match byte {
                0x80..=0x9f => CP1252[usize::from(byte - 0x80)],
                _ => char::from(byte),
            })),
        }
    }
    seen
}

/// The line with letters that are not ASCII.
fn accented(line: &str, random: &mut Random) -> Option<String> {
    let at = random.pick(&long_words(line, 4))?;
    let word: String = line[at.clone()]
        .chars()
        .map(|c| match c {
            'a' => '\u{e4}',
            'e' => '\u{e9}',
            'o' => '\u{f6}',
            'n' => '\u{f1}',
            's' => '\u{df}',
            _ => c,
        })
        .collect();
    (!word.is_ascii()).then(|| format!("{}{word}{}", &line[..at.start], &line[at.end..]))
}

/// Gives the file letters that are not ASCII, and the patch what they look like through a wrong code page.
fn through_code_page(scene: &mut Scene, nth: usize, random: &mut Random) -> Option<()> {
    let item = &mut scene.items[nth];
    let text = accented(item.file.as_deref()?, random)?;
    item.misquote(misread(&text, random.below(4)), Likeness::Alike);
    item.file = Some(text);
    Some(())
}

/// A context line was read through a wrong code page.
pub(crate) fn code_page_context(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    through_code_page(scene, nth, random)
}

/// A removed line was; what replaces it has none of its letters.
pub(crate) fn code_page_removed(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.removed())?;
    through_code_page(scene, nth, random)
}

/// A removed line was, and the line that replaces it repeats the junk. It has to be written as the file has it, or
/// not at all.
pub(crate) fn code_page_copied(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let (removed, added) = replaced_line(scene)?;
    let old = scene.items[removed].file.clone()?;
    let at = random.pick(&long_words(&old, 4))?;
    let word = old[at].to_owned();
    let new = accented(&word, random)?;
    let style = random.below(4);
    for nth in [removed, added] {
        let item = &mut scene.items[nth];
        let text = item.file.as_ref().filter(|text| text.contains(&word))?.replacen(&word, &new, 1);
        item.misquote(misread(&text, style), Likeness::Alike);
        item.file = Some(text);
    }
    scene.expect(Expectation::Open);
    Some(())
}

/// Two context lines are one, with `\n` in between.
pub(crate) fn line_feed_escaped(scene: &mut Scene, random: &mut Random) -> Option<()> {
    join(scene, random, "\\n")
}

/// Every line of the patch has its double quotes escaped. An old line of each chunk has to show it, since a `\"` that is only added
/// may be meant; and no line may have a backslash of its own, which would have been escaped, too.
pub(crate) fn quotes_escaped(scene: &mut Scene, _: &mut Random) -> Option<()> {
    let own = scene.quoted().iter().any(|nth| scene.quote(*nth).contains('\\'));
    if own { None } else { escape(scene, &[("\"", "\\\"")]) }
}

/// Every line of the patch has gone through an HTML encoder. An old line has to show that, too.
pub(crate) fn entities(scene: &mut Scene, _: &mut Random) -> Option<()> {
    escape(scene, &[("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")])
}

fn escape(scene: &mut Scene, escapes: &[(&str, &str)]) -> Option<()> {
    let encoded = |text: &str| {
        escapes.iter().fold(text.to_owned(), |text, (plain, as_one)| text.replace(plain, as_one))
    };
    let changes = |scene: &Scene, nth: usize| encoded(scene.quote(nth)) != scene.quote(nth);
    for chunk in &scene.chunks {
        let lines = scene.chunk(*chunk);
        let mut old = lines
            .iter()
            .filter(|(kind, nth)| *kind != LineKind::Add && scene.items[*nth].likeness < Likeness::Misspelt);
        old.any(|(_, nth)| changes(scene, *nth)).then_some(())?;
    }
    for nth in scene.quoted() {
        if changes(scene, nth) {
            let text = encoded(scene.quote(nth));
            scene.items[nth].misquote(text, Likeness::Alike);
        }
    }
    Some(())
}
