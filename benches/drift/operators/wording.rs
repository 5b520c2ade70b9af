//! Context lines in other words, by the model or by whoever changed the file since.

use crate::random::Random;
use crate::scene::{Likeness, Scene};
use crate::words::{fresh, indentation, long_words, misspelt, replaced, sentence, words};

/// Somebody has changed a word of a context line since.
pub(crate) fn moved_on_word(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let item = &mut scene.items[nth];
    let line = item.file.as_mut()?;
    let at = random.pick(&words(line))?;
    *line = replaced(line, &at, &fresh(random));
    item.likeness = Likeness::Differs;
    Some(())
}

/// Somebody has renamed something in the whole file. Where the patch changes a line that has the name, it would put
/// the old one back, or remove a line that it does not know: that is another case.
pub(crate) fn moved_on_rename(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let line = scene.quote(random.pick(&scene.context())?).to_owned();
    let name = line[random.pick(&long_words(&line, 4))?].to_owned();
    let changed = scene.places(|item| item.kind != apply_patch::patch::LineKind::Context);
    if changed.iter().any(|nth| scene.quote(*nth).contains(&name)) {
        return None;
    }
    let new = fresh(random);
    for item in &mut scene.items {
        if let Some(file) = item.file.as_mut().filter(|file| file.contains(&name)) {
            *file = file.replace(&name, &new);
            if item.quote.is_some() {
                item.likeness = Likeness::Differs;
            }
        }
    }
    Some(())
}

/// Somebody has rewritten a context line since.
pub(crate) fn moved_on_line(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let item = &mut scene.items[nth];
    let line = item.file.as_mut()?;
    *line = other_line(line, random);
    item.likeness = Likeness::Differs;
    Some(())
}

/// A line that says something else in place of one: prose for prose, code for code.
fn other_line(line: &str, random: &mut Random) -> String {
    let (lead, body) = line.split_at(indentation(line).len());
    match ["///", "//!", "//", "#", "*"].iter().find(|opener| body.starts_with(**opener)) {
        Some(opener) => format!("{lead}{opener} {}", sentence(random)),
        None if body.contains(['(', '{', '=', ';']) => {
            format!("{lead}{}({}, {});", fresh(random), fresh(random), fresh(random))
        }
        None => format!("{lead}{}", sentence(random)),
    }
}

/// A context line is quoted by what it means.
pub(crate) fn paraphrase(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let text = other_line(scene.quote(nth), random);
    scene.items[nth].misquote(text, Likeness::Differs);
    Some(())
}

/// A word of a context line is misspelt.
pub(crate) fn typo_context(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let line = scene.quote(nth);
    let at = random.pick(&long_words(line, 5))?;
    let text = replaced(line, &at, &misspelt(&line[at.clone()], random)?);
    scene.items[nth].misquote(text, Likeness::Misspelt);
    Some(())
}

/// A word of a removed line is misspelt, outside string literals, and into no word of the file. The added lines are
/// as they were meant: whether a misspelling that they repeat is a name or a slip, nobody knows.
pub(crate) fn typo_removed(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.removed())?;
    let line = scene.quote(nth);
    if line.contains(['"', '\'', '`']) {
        return None;
    }
    let at = random.pick(&long_words(line, 6))?;
    let word = misspelt(&line[at.clone()], random).filter(|word| !scene.holds(word))?;
    let text = replaced(line, &at, &word);
    scene.items[nth].misquote(text, Likeness::Misspelt);
    Some(())
}

/// A word of a context line begins with the other case.
pub(crate) fn case_context(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let line = scene.quote(nth);
    let at = random.pick(&long_words(line, 3))?;
    let first = line[at.clone()].chars().next()?;
    let other = if first.is_uppercase() { first.to_ascii_lowercase() } else { first.to_ascii_uppercase() };
    let text = replaced(line, &(at.start..at.start + 1), &other.to_string());
    scene.items[nth].misquote(text, Likeness::Misspelt);
    Some(())
}

/// A context line has another word of the file in the place of one.
pub(crate) fn word_context(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let other = scene.items[random.below(scene.items.len())].file.clone()?;
    let word = &other[random.pick(&long_words(&other, 3))?];
    let line = scene.quote(nth);
    let at = random.pick(&long_words(line, 3)).filter(|at| line[at.clone()] != *word)?;
    let text = replaced(line, &at, word);
    scene.items[nth].misquote(text, Likeness::Differs);
    Some(())
}

/// A context line has another digit.
pub(crate) fn digit_context(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let text = other_digit(scene.quote(nth), random)?;
    scene.items[nth].misquote(text, Likeness::Differs);
    Some(())
}

/// The line with one digit changed.
pub(super) fn other_digit(line: &str, random: &mut Random) -> Option<String> {
    let digits: Vec<(usize, u8)> =
        line.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).collect();
    let (at, digit) = random.pick(&digits)?;
    let other = (usize::from(digit - b'0') + random.within(1..=9)) % 10;
    Some(replaced(line, &(at..at + 1), &other.to_string()))
}

/// A string literal of a context line reads otherwise.
pub(crate) fn string_context(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let text = other_string(scene.quote(nth), random)?;
    scene.items[nth].misquote(text, Likeness::Differs);
    Some(())
}

/// The line with another text in its first string literal.
pub(super) fn other_string(line: &str, random: &mut Random) -> Option<String> {
    let start = line.find('"')? + 1;
    let end = start + line[start..].find('"')?;
    (end > start && !line[start..end].contains('\\')).then(|| replaced(line, &(start..end), &fresh(random)))
}

/// A context line has lost the comma or semicolon at its end, or has got one.
pub(crate) fn punctuation_context(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let line = scene.quote(nth);
    let text = match line.strip_suffix([',', ';']) {
        Some(without) => without.to_owned(),
        None => format!("{line},"),
    };
    scene.items[nth].misquote(text, Likeness::Misspelt);
    Some(())
}

/// A long context line is quoted by its beginning, with or without dots.
pub(crate) fn cut_short(scene: &mut Scene, random: &mut Random) -> Option<()> {
    let nth = random.pick(&scene.context())?;
    let line = scene.quote(nth);
    let at = words(line).into_iter().rfind(|at| at.start > 30 && at.start * 4 > line.len() * 2)?.start;
    let dots = if random.once_in(2) { "..." } else { "" };
    let text = format!("{}{dots}", line[..at].trim_end());
    scene.items[nth].misquote(text, Likeness::Differs);
    Some(())
}
