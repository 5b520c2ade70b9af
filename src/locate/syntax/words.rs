//! The words of a text.

/// Checks whether a character belongs to a word.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the runs of letters and digits in a text: `is_done` has two.
pub(crate) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_sign).filter(|word| !word.is_empty())
}

/// Returns the letters and digits that a text begins with.
pub(super) fn first_word(text: &str) -> &str {
    text.split(is_sign).next().unwrap_or_default()
}

/// Returns the letters and digits that a text ends with.
pub(super) fn last_word(text: &str) -> &str {
    text.rsplit(is_sign).next().unwrap_or_default()
}

fn is_sign(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Checks whether a list of words, separated by spaces, has a word.
pub(super) fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}
