//! White space: indentation, spaces between words and at line ends.

use std::collections::BTreeSet;

use apply_patch::patch::LineKind;

use crate::judge::Expectation;
use crate::random::Random;
use crate::scene::{Item, Likeness, Scene};
use crate::words::{indentation, letters};

/// A quoted line has spaces at its end that the file has not.
pub(crate) fn trailing_in_quote(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let lines = [scene.context(), scene.removed()].concat();
    for _ in 0..random.within(1..=3) {
        let nth = random.pick(&lines)?;
        let spaces = " ".repeat(random.within(1..=3));
        let text = format!("{}{spaces}", scene.quote(nth));
        scene.items[nth].misquote(text, Likeness::Unseen);
    }
    Some(())
}

/// The file has spaces at line ends, and nobody quotes them. Where the line stays, they stay.
pub(crate) fn trailing_in_file(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let lines = [scene.context(), scene.removed()].concat();
    for _ in 0..random.within(1..=3) {
        let item = &mut scene.items[random.pick(&lines)?];
        item.file.as_mut()?.push_str(if random.once_in(3) { "\t" } else { "  " });
        item.likeness = item.likeness.max(Likeness::Unseen);
    }
    Some(())
}

/// A blank context line is quoted with the indentation of its neighbour.
pub(crate) fn blank_with_spaces(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let blank = |item: &Item| item.kind == LineKind::Context && item.quote.as_deref() == Some("");
    let nth = random.pick(&scene.places(blank))?;
    let spaces = " ".repeat(random.within(1..=8));
    scene.items[nth].misquote(spaces, Likeness::Unseen);
    Some(())
}

/// A context line has other spaces between its words.
pub(crate) fn inner_context(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let lines = scene.context();
    inner(scene, &lines, random)
}

/// A removed line has other spaces between its words; it says the same.
pub(crate) fn inner_removed(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let lines = scene.removed();
    inner(scene, &lines, random)
}

fn inner(scene: &mut Scene, lines: &[usize], random: &mut Random) -> Option<()> {
    let nth = random.pick(lines)?;
    let line = scene.quote(nth);
    // In a literal, space is text.
    if line.contains(['"', '\'', '`']) {
        return None;
    }
    let (lead, body) = line.split_at(indentation(line).len());
    let forms =
        [(" = ", "="), ("(", "( "), (", ", ","), (" + ", "+"), (": ", " : "), (" { ", "{ "), (" ", "  ")];
    let (from, to) = random.pick(&forms).filter(|(from, _)| body.contains(from))?;
    let text = format!("{lead}{}", body.replacen(from, to, 1));
    scene.items[nth].misquote(text, Likeness::Alike);
    Some(())
}

/// One context line is indented otherwise than the file has it; the others are right.
///
/// Where no other line of the quote stands as deep as an added one, the odd line may be the one that tells how deep
/// that is: then the edit may be refused. A line that is the only one shifts the whole patch: that is no such case. Nor is
/// a brace: at another depth it is another brace.
pub(crate) fn indent_one_line(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context()).filter(|nth| letters(scene.quote(*nth)) > 0)?;
    let line = scene.quote(nth);
    let own = indentation(line).len();
    let text = if random.once_in(2) && own >= 4 { line[4..].to_owned() } else { format!("    {line}") };
    let odd = indentation(&text).to_owned();
    scene.items[nth].misquote(text, Likeness::Unseen);
    let depths = |scene: &Scene, places: Vec<usize>| -> Vec<String> {
        places.into_iter().map(|nth| indentation(scene.quote(nth)).to_owned()).collect()
    };
    let shown = depths(scene, [scene.context(), scene.removed()].concat());
    if shown.is_empty() {
        return None;
    }
    let known = |added: &String| shown.contains(added) && *added != odd;
    if !depths(scene, scene.added()).iter().all(known) {
        scene.expect(Expectation::Open);
    }
    Some(())
}

/// Gives every line of the patch another indentation; `None` where one has none to give.
fn reindent(scene: &mut Scene, other: impl Fn(&str) -> Option<String>) -> Option<()> {
    let mut changed = false;
    for nth in scene.quoted() {
        let line = scene.quote(nth);
        let own = indentation(line);
        let new = other(own)?;
        changed |= new != own;
        let text = format!("{new}{}", &line[own.len()..]);
        scene.items[nth].misquote(text, Likeness::Unseen);
    }
    changed.then_some(())
}

/// The whole patch stands further right or left than the file has it.
///
/// One column less is also what context without its signs looks like: only a removed line shows which it is. And one column
/// more makes up for a sign that is lost, so that the quote is true of the file as it reads.
pub(crate) fn indent_shifted(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let tabs = scene.quoted().into_iter().any(|nth| scene.quote(nth).starts_with('\t'));
    let unit = if tabs { "\t".to_owned() } else { " ".repeat(random.pick(&[1, 2, 4, 4, 4, 8])?) };
    let removes = |chunk: &usize| scene.chunk(*chunk).iter().any(|(kind, _)| *kind == LineKind::Remove);
    let deeper = random.once_in(2) || unit == " " && !scene.chunks.iter().all(removes);
    let lost = |nth: &usize| !scene.items[*nth].signed && !scene.items[*nth].is_blank();
    if deeper && unit == " " && scene.quoted().iter().any(lost) {
        return None;
    }
    reindent(scene, |own| {
        if deeper { Some(format!("{unit}{own}")) } else { own.strip_prefix(&*unit).map(str::to_owned) }
    })
}

/// The patch begins at the margin, and keeps its own nesting.
pub(crate) fn indent_lost(scene: &mut Scene, _: &mut Random) -> Option<()> {
    let lines = scene.quoted();
    let common =
        lines.iter().map(|nth| indentation(scene.quote(*nth))).min_by_key(|own| own.len())?.to_owned();
    reindent(scene, |own| own.strip_prefix(&*common).map(str::to_owned))
}

/// Every line of the patch begins at the margin.
///
/// Where the file has the quoted lines of a chunk at several depths, that of an added line is not known: it may be
/// refused. Where it has them at one, nothing shows that an added line had another: the patch says something else, and
/// no case is made.
pub(crate) fn indent_flat(scene: &mut Scene, _: &mut Random) -> Option<()> {
    for chunk in scene.chunks.clone() {
        let depths = |added: bool| -> BTreeSet<String> {
            let lines = scene.chunk(chunk).into_iter().filter(|(kind, _)| (*kind == LineKind::Add) == added);
            let filled = lines.filter(|(_, nth)| !scene.items[*nth].is_blank());
            filled
                .filter_map(|(_, nth)| scene.items[nth].file.as_deref())
                .map(|text| indentation(text).to_owned())
                .collect()
        };
        let (old, added) = (depths(false), depths(true));
        if old.len() > 1 && !added.is_empty() {
            scene.expect(Expectation::Open);
        } else if !added.is_subset(&old) {
            return None;
        }
    }
    reindent(scene, |_| Some(String::new()))
}

/// Four spaces of the file are two in the patch.
///
/// That this is no shift by two is known only from lines of two depths, or where no line is added at another one.
pub(crate) fn indent_halved(scene: &mut Scene, _: &mut Random) -> Option<()> {
    depths_are_shown(scene)?;
    reindent(scene, |own| {
        let halves = own.bytes().all(|byte| byte == b' ') && own.len() % 4 == 0;
        halves.then(|| " ".repeat(own.len() / 2))
    })
}

/// Whether the quoted lines of each chunk show the depth of every line that it adds: they stand at two depths, or at
/// those of the added ones.
fn depths_are_shown(scene: &Scene) -> Option<()> {
    let shown = scene.chunks.iter().all(|chunk| {
        let lines = scene.chunk(*chunk);
        let depths = |added: bool| -> BTreeSet<usize> {
            let lines = lines.iter().filter(|(kind, nth)| {
                let item = &scene.items[*nth];
                (*kind == LineKind::Add) == added && !item.is_blank() && item.likeness < Likeness::Misspelt
            });
            lines.map(|(_, nth)| indentation(scene.quote(*nth)).len()).collect()
        };
        let old = depths(false);
        old.len() > 1 || depths(true).is_subset(&old)
    });
    shown.then_some(())
}

/// The file has tabs, the patch spaces. How many stand for a tab has to be seen from an indented line.
pub(crate) fn tabs_as_spaces(scene: &mut Scene, random: &mut Random) -> Option<()> {
    depths_are_shown(scene)?;
    let old = [scene.context(), scene.removed()].concat();
    let width = random.pick(&[2, 4, 4, 8])?;
    old.iter().any(|nth| scene.quote(*nth).starts_with('\t')).then_some(())?;
    reindent(scene, |own| own.bytes().all(|byte| byte == b'\t').then(|| " ".repeat(width * own.len())))
}

/// The file has four spaces, the patch tabs.
pub(crate) fn spaces_as_tabs(scene: &mut Scene, _: &mut Random) -> Option<()> {
    depths_are_shown(scene)?;
    let old = [scene.context(), scene.removed()].concat();
    old.iter().any(|nth| scene.quote(*nth).starts_with(' ')).then_some(())?;
    reindent(scene, |own| {
        let whole = own.bytes().all(|byte| byte == b' ') && own.len() % 4 == 0;
        whole.then(|| "\t".repeat(own.len() / 4))
    })
}
