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

/// Returns the names and signs of a line, without quotation marks: `"cart/clear"` is one name.
pub(crate) fn names_and_signs(line: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = line.trim();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if is_word_char(first) => name_length(rest),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        if !is_quotation_mark(first) {
            tokens.push(token);
        }
        rest = behind.trim_start();
    }
    tokens
}

/// Checks whether some words are among other words, in order. `is_same`: compares a word with another.
pub(crate) fn are_among<'w, 'o>(
    words: impl IntoIterator<Item = &'w str>,
    others: impl IntoIterator<Item = &'o str>,
    is_same: impl Fn(&str, &str) -> bool,
) -> bool {
    let mut others = others.into_iter();
    words.into_iter().all(|word| others.any(|other| is_same(word, other)))
}

/// Checks for a sign around the text of a literal.
pub(crate) fn is_quotation_mark(c: char) -> bool {
    matches!(c, '"' | '\'' | '`')
}

/// Returns the length in bytes of the name that a text begins with: words joined by signs such as `::`, `.`, `-` and `/`.
fn name_length(text: &str) -> usize {
    let mut end = 0;
    loop {
        let word = text[end..].find(is_sign).map_or(text.len(), |length| end + length);
        let joint = text[word..].find(|c| !matches!(c, ':' | '.' | '-' | '/' | '\\')).unwrap_or(0);
        let is_joint = matches!(&text[word..word + joint], "::" | "." | "-" | "/" | "\\");
        if !is_joint || !text[word + joint..].starts_with(is_word_char) {
            return word;
        }
        end = word + joint;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_names_and_signs() {
        for (line, wanted) in [
            ("  has_many :likes, dependent: :destroy", "has_many|:|likes|,|dependent|:|:|destroy"),
            ("case 'cart/clear':", "case|cart/clear|:"),
            ("use std::path::Path;", "use|std::path::Path|;"),
            (".. note:: Read this.", ".|.|note|::|Read|this|."),
            ("version = \"1.0-rc\"", "version|=|1.0-rc"),
            ("key: é/ü", "key|:|é/ü"),
            ("a- b", "a|-|b"),
            ("", ""),
        ] {
            assert_eq!(names_and_signs(line).join("|"), wanted, "{line}");
        }
    }
}
