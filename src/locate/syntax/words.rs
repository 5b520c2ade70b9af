//! The words of a text.

/// Checks whether a character belongs to a word.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the runs of letters and digits in a text, for comparing names and prose: `is_done` has two.
pub(crate) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns the words of code, of which any may be a keyword: `is_done` is one.
pub(super) fn code_words(code: &str) -> impl Iterator<Item = &str> {
    code.split(is_sign).filter(|word| !word.is_empty())
}

/// Returns the word that a line of code begins with; empty if the line begins with a sign.
pub(super) fn first_word(code: &str) -> &str {
    code.split(is_sign).next().unwrap_or_default()
}

/// Returns the word that a line of code ends with; empty if the line ends with a sign.
pub(super) fn last_word(code: &str) -> &str {
    code.rsplit(is_sign).next().unwrap_or_default()
}

/// As [`first_word`], of bytes. Keywords are ASCII.
pub(super) fn first_ascii_word(code: &[u8]) -> &[u8] {
    code.split(is_ascii_sign).next().unwrap_or_default()
}

/// As [`last_word`], of bytes.
pub(super) fn last_ascii_word(code: &[u8]) -> &[u8] {
    code.rsplit(is_ascii_sign).next().unwrap_or_default()
}

fn is_sign(c: char) -> bool {
    !is_word_char(c)
}

fn is_ascii_sign(byte: &u8) -> bool {
    !byte.is_ascii_alphanumeric() && *byte != b'_'
}

/// Checks whether a list of words, separated by spaces, has a word.
pub(super) fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}
