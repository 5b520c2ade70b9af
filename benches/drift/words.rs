//! Words of a line, and other words in their place.

use std::ops::Range;

use crate::random::Random;

/// Words that no document here holds, for lines that nobody has written yet.
const FRESH: &[&str] = &[
    "anchovy",
    "bramble",
    "cobalt",
    "dulcimer",
    "eiderdown",
    "fjord",
    "gazelle",
    "harbour",
    "isthmus",
    "juniper",
    "kestrel",
    "lantern",
    "marzipan",
    "nutmeg",
    "orchard",
    "pumice",
    "quarry",
    "rhubarb",
    "saffron",
    "tamarind",
    "umbrella",
    "vermilion",
    "walnut",
    "yarrow",
    "zeppelin",
    "almanac",
    "beeswax",
    "caravan",
    "dandelion",
    "ember",
];

/// A word that stands for something new.
pub(crate) fn fresh(random: &mut Random) -> String {
    let word = FRESH[random.below(FRESH.len())];
    match random.below(3) {
        0 => word.to_owned(),
        1 => format!("{word}_{}", FRESH[random.below(FRESH.len())]),
        _ => format!("{word}{}", random.within(2..=99)),
    }
}

/// A few such words, as prose.
pub(crate) fn sentence(random: &mut Random) -> String {
    let words: Vec<&str> = (0..random.within(4..=8)).map(|_| FRESH[random.below(FRESH.len())]).collect();
    words.join(" ")
}

/// Where the words of a line are: letters, digits and underscores, a letter first.
pub(crate) fn words(line: &str) -> Vec<Range<usize>> {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = line[from..].find(in_word).map(|at| from + at) {
        let end = line[start..].find(|c| !in_word(c)).map_or(line.len(), |at| start + at);
        if line[start..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            found.push(start..end);
        }
        from = end;
    }
    found
}

/// Where the words are that have so many characters, and only letters.
pub(crate) fn long_words(line: &str, shortest: usize) -> Vec<Range<usize>> {
    let mut found = words(line);
    found
        .retain(|at| at.len() >= shortest && line[at.clone()].bytes().all(|byte| byte.is_ascii_alphabetic()));
    found
}

/// A line with one part replaced.
pub(crate) fn replaced(line: &str, at: &Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &line[..at.start], &line[at.end..])
}

/// A word with two letters exchanged, one lost, or one doubled; never its first or last.
pub(crate) fn misspelt(word: &str, random: &mut Random) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.len() < 4 {
        return None;
    }
    let at = random.within(1..=letters.len() - 3);
    match random.below(3) {
        0 => letters.swap(at, at + 1),
        1 => drop(letters.remove(at)),
        _ => letters.insert(at, letters[at]),
    }
    let other: String = letters.into_iter().collect();
    (other != word).then_some(other)
}

/// How many letters and digits a line has.
pub(crate) fn letters(line: &str) -> usize {
    line.chars().filter(|c| c.is_alphanumeric()).count()
}

/// The spaces and tabs that a line begins with.
pub(crate) fn indentation(line: &str) -> &str {
    apply_patch::text::indentation(line)
}
