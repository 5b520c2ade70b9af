//! Near-twins: the quoted block stands at another place, too, almost.
//!
//! The quote is off by one slip, and the second place is off by a graded distance. As long as the slip is smaller
//! than the distance, the first place is meant; whoever cannot tell has to refuse. Only the second place is wrong.

use apply_patch::patch::LineKind;
use rapidfuzz::distance::levenshtein;

use crate::case::Case;
use crate::documents::Text;
use crate::edits::{self, Layout};
use crate::judge::{Expectation, judge, times};
use crate::random::Random;
use crate::scene::{Item, Likeness, Scene};
use crate::words::{fresh, indentation, letters, long_words, misspelt, replaced, words};

/// How far the second place is from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distance {
    Equal,
    TrailingSpace,
    Indentation,
    BlankLine,
    OneLetter,
    OneDigit,
    OneWord,
    TwoWords,
    /// So many lines say something else.
    Lines(usize),
}

impl Distance {
    /// From nothing to everything.
    pub(crate) const ALL: [(Distance, &'static str); 11] = [
        (Distance::Equal, "0 equal (to be refused)"),
        (Distance::TrailingSpace, "1 a space at a line end"),
        (Distance::Indentation, "2 indentation"),
        (Distance::BlankLine, "3 a blank line"),
        (Distance::OneLetter, "4 a letter"),
        (Distance::OneDigit, "5 a digit"),
        (Distance::OneWord, "6 a word"),
        (Distance::TwoWords, "7 two words"),
        (Distance::Lines(1), "8 a line"),
        (Distance::Lines(2), "9 two lines"),
        (Distance::Lines(3), "10 three lines"),
    ];
}

/// What is wrong with the quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slip {
    /// A misspelt word, in a context line that is the same at both places.
    Typo,
    /// A misspelt word, in a line in which the two places differ.
    TypoBeside,
    /// Another word, in a context line that is the same at both places.
    Word,
    /// A context line that is the same at both places is not quoted.
    Skipped,
}

impl Slip {
    pub(crate) const ALL: [(Slip, &'static str); 4] = [
        (Slip::Typo, "a typo in a line that both have"),
        (Slip::TypoBeside, "a typo in a line that differs"),
        (Slip::Word, "a wrong word in a line that both have"),
        (Slip::Skipped, "a line that both have is skipped"),
    ];
}

/// How often another edit is tried.
const TRIES: usize = 400;

/// A document with a near-twin of the place that is meant.
pub(crate) fn twin(texts: &[Text], distance: Distance, slip: Slip, random: &mut Random) -> Option<Case> {
    (0..TRIES).find_map(|_| try_twin(texts, distance, slip, random))
}

fn try_twin(texts: &[Text], distance: Distance, slip: Slip, random: &mut Random) -> Option<Case> {
    let mut scene = edits::scene(texts, Layout::One, random)?;
    let quoted = scene.places(Item::is_old);
    let mut copy: Vec<Item> = quoted
        .iter()
        .map(|nth| Item::of_file(scene.items[*nth].file.as_deref().unwrap_or_default()))
        .collect();
    let differing = differ(&mut copy, distance, random)?;
    let differs =
        |nth: usize| quoted.iter().zip(&differing).any(|(quoted, differs)| *quoted == nth && *differs);
    let mut lines = scene.context();
    lines.retain(|nth| letters(scene.quote(*nth)) > 4 && differs(*nth) == (slip == Slip::TypoBeside));
    let nth = random.pick(&lines)?;
    let twin = quoted.iter().position(|quoted| *quoted == nth).and_then(|at| copy[at].file.clone())?;
    misquote(&mut scene, nth, slip, random)?;
    // A slip in the very letters that tell the places apart says nothing, or points to the wrong one.
    if slip == Slip::TypoBeside && !nearer(scene.quote(nth), scene.items[nth].file.as_deref()?, &twin) {
        return None;
    }
    // Alone, the place is beyond doubt.
    if judge(&mut scene)? != Expectation::Applied {
        return None;
    }
    let at = random.below(scene.items.len() + 1);
    let patch = scene.places(|item| item.in_chunk[0]);
    if (patch.first()?.saturating_sub(2)..=patch.last()? + 3).contains(&at) {
        return None;
    }
    scene.items.splice(at..at, copy);
    // With its slip the quote may be true of the copy.
    let old = scene.places(|item| item.kind != LineKind::Add && item.quote.is_some());
    let lines: Vec<&str> = old.into_iter().map(|nth| scene.quote(nth)).collect();
    if times(&scene, &lines) > 0 {
        return None;
    }
    let expected = if distance == Distance::Equal { Expectation::Refused } else { Expectation::Applied };
    Some(Case::new(format!("{distance:?} / {slip:?}"), &scene, expected))
}

/// Whether a quote is nearer to one line than to another.
fn nearer(quote: &str, to: &str, than: &str) -> bool {
    levenshtein::distance(quote.chars(), to.chars()) < levenshtein::distance(quote.chars(), than.chars())
}

/// Makes a copy of the block differ; says which of its lines, as they were, have another text.
fn differ(copy: &mut Vec<Item>, distance: Distance, random: &mut Random) -> Option<Vec<bool>> {
    let mut differing = vec![false; copy.len()];
    let filled: Vec<usize> = (0..copy.len()).filter(|nth| !copy[*nth].is_blank()).collect();
    match distance {
        Distance::Equal => {}
        Distance::Indentation => {
            for nth in &filled {
                copy[*nth].file.as_mut()?.insert_str(0, "    ");
            }
        }
        Distance::BlankLine => {
            let at = random.within(1..=copy.len().checked_sub(1).filter(|last| *last > 0)?);
            copy.insert(at, Item::of_file(""));
        }
        Distance::Lines(count) => {
            for _ in 0..count {
                let left: Vec<usize> = filled.iter().copied().filter(|nth| !differing[*nth]).collect();
                let nth = random.pick(&left)?;
                let line = copy[nth].file.as_mut()?;
                *line = format!("{}{}({});", indentation(line), fresh(random), fresh(random));
                differing[nth] = true;
            }
        }
        Distance::TrailingSpace | Distance::OneLetter | Distance::OneDigit => {
            let nth = random.pick(&filled)?;
            let line = copy[nth].file.as_mut()?;
            *line = match distance {
                Distance::OneLetter => other_letter(line, random)?,
                Distance::OneDigit => other_digit(line, random)?,
                _ => format!("{line} "),
            };
            differing[nth] = true;
        }
        Distance::OneWord | Distance::TwoWords => {
            let count = if distance == Distance::OneWord { 1 } else { 2 };
            for _ in 0..count {
                let nth = random.pick(&filled)?;
                let line = copy[nth].file.as_mut()?;
                let at = random.pick(&words(line))?;
                *line = replaced(line, &at, &fresh(random));
                differing[nth] = true;
            }
        }
    }
    Some(differing)
}

/// The line with a letter in the middle of a word replaced.
fn other_letter(line: &str, random: &mut Random) -> Option<String> {
    let word = random.pick(&long_words(line, 4))?;
    let at = random.within(word.start + 1..=word.end - 2);
    let other = random.pick(&["a", "e", "n", "r", "s", "t"]).filter(|other| line[at..=at] != **other)?;
    Some(replaced(line, &(at..at + 1), other))
}

/// The line with a digit replaced.
fn other_digit(line: &str, random: &mut Random) -> Option<String> {
    let digits: Vec<usize> =
        line.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = random.pick(&digits)?;
    let other = (line[at..=at].parse::<usize>().ok()? + random.within(1..=9)) % 10;
    Some(replaced(line, &(at..at + 1), &other.to_string()))
}

/// Quotes a context line with a slip.
fn misquote(scene: &mut Scene, nth: usize, slip: Slip, random: &mut Random) -> Option<()> {
    let line = scene.quote(nth);
    match slip {
        Slip::Typo | Slip::TypoBeside => {
            let at = random.pick(&long_words(line, 5))?;
            let text = replaced(line, &at, &misspelt(&line[at.clone()], random)?);
            scene.items[nth].misquote(text, Likeness::Misspelt);
        }
        Slip::Word => {
            let at = random.pick(&words(line))?;
            let text = replaced(line, &at, &fresh(random));
            scene.items[nth].misquote(text, Likeness::Differs);
        }
        Slip::Skipped => {
            let quoted = scene.places(|item| item.quote.is_some() && item.kind != LineKind::Add);
            // At an end of the quote nothing is missing.
            if quoted.first() == Some(&nth) || quoted.last() == Some(&nth) {
                return None;
            }
            scene.items[nth].quote = None;
        }
    }
    Some(())
}
