//! The rules that can be counted.

use std::fmt;

use crate::extract::Words;

/// Words and phrases that have a plainer one from the field. A `*` at the end matches any ending.
///
/// `take * in` is not among the phrases: `takes the value in` and `takes a place in` cannot be told apart here.
const UNWANTED: &[&str] = &[
    "stand",
    "stands",
    "stood",
    "standing",
    "to the letter",
    "let go",
    "lets go",
    "letting go",
    "give way",
    "gives way",
    "given way",
    "gave way",
    "take in",
    "takes in",
    "taken in",
    "took in",
    "taking in",
    "told",
    "say",
    "says",
    "said",
    "saying",
    "nobody",
    "whoever",
    "whomever",
    "likeness*",
    "mend",
    "mends",
    "mended",
    "mending",
    "sought",
    "in other words",
    "besides",
    "brings along",
    "bring along",
];

/// What may follow `take in` because the phrase then has another meaning: `take in turn`.
const AFTER_TAKE_IN: &[&str] = &["turn", "order", "account"];

/// Words for a thing of another sentence.
const PRONOUNS: &[&str] =
    &["it", "its", "they", "them", "their", "those", "one", "ones", "none", "other", "others", "such"];

/// The words of the field for the main steps. They are counted, not limited.
const FIELD: &[&str] = &[
    "match",
    "matches",
    "matched",
    "matching",
    "return",
    "returns",
    "returned",
    "candidate",
    "candidates",
    "position",
    "positions",
    "parse",
    "parses",
    "parsed",
    "parser",
    "parsing",
];

/// Returns the unwanted words with their lines, 1-based.
pub(crate) fn unwanted(words: &Words) -> impl Iterator<Item = (usize, &'static str)> + '_ {
    (0..words.len()).filter_map(|at| {
        let hit = UNWANTED.iter().find(|phrase| begins_with(words, at, phrase))?;
        let follower = words.word(at + hit.split(' ').count());
        let harmless = hit.ends_with(" in") && follower.is_some_and(|word| AFTER_TAKE_IN.contains(&word));
        (!harmless).then(|| (words.line(at), *hit))
    })
}

/// Checks whether the words from `at` on are those of a phrase, all of the same phrase.
fn begins_with(words: &Words, at: usize, phrase: &str) -> bool {
    let mut parts = phrase.split(' ').enumerate();
    parts.all(|(offset, part)| {
        let word = words.word(at + offset).filter(|_| words.phrase(at + offset) == words.phrase(at));
        word.is_some_and(|word| match part.strip_suffix('*') {
            Some(stem) => word.starts_with(stem),
            None => word == part,
        })
    })
}

/// Returns the pronouns with their lines, 1-based.
pub(crate) fn pronouns(words: &Words) -> impl Iterator<Item = (usize, &str)> {
    let all = (0..words.len()).filter_map(|at| Some((words.line(at), words.word(at)?)));
    all.filter(|(_, word)| PRONOUNS.contains(word))
}

/// How many words of each kind a text has.
#[derive(Debug, Default)]
pub(crate) struct Rates {
    words: usize,
    pronouns: usize,
    unwanted: usize,
    field: usize,
}

impl Rates {
    /// Adds the words of a file.
    pub(crate) fn count(&mut self, words: &Words) {
        self.words += words.len();
        self.pronouns += pronouns(words).count();
        self.unwanted += unwanted(words).count();
        self.field +=
            (0..words.len()).filter(|at| words.word(*at).is_some_and(|word| FIELD.contains(&word))).count();
    }

    /// Returns the words of the field in 10,000 words.
    pub(crate) fn of_field(&self) -> usize {
        per_10_000(self.field, self.words)
    }

    /// Returns the pronouns in 10,000 words.
    pub(crate) fn of_pronouns(&self) -> usize {
        per_10_000(self.pronouns, self.words)
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [pronouns, unwanted, field] =
            [self.pronouns, self.unwanted, self.field].map(|count| per_10_000(count, self.words));
        let Self { words, .. } = self;
        write!(
            f,
            "{words:6} words; in 10,000: {pronouns:4} pronouns, {unwanted:4} unwanted, {field:4} of the field"
        )
    }
}

fn per_10_000(count: usize, words: usize) -> usize {
    count * 10_000 / words.max(1)
}

#[test]
fn a_phrase_is_found_over_a_line_break_and_not_over_a_paragraph() {
    let words = crate::extract::markdown(
        "Quoted to the\nletter. It stands.\n\nLet\n\ngo. Takes in turn, takes\nin all, takes, in.\n",
    );
    assert_eq!(unwanted(&words).collect::<Vec<_>>(), [(1, "to the letter"), (2, "stands"), (6, "takes in")]);
    assert_eq!(pronouns(&words).collect::<Vec<_>>(), [(2, "it")]);
}
