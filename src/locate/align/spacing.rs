//! Whitespace that means something: between two words, before a flag or a negative number, before a dot.

use super::line_text::LineText;
use crate::locate::syntax::{CLOSING, QUOTES, is_word_char};

/// Checks whether two lines that are equal without whitespace read otherwise with it: `80 443` and `80443`, `1 -1` and `1 - 1`,
/// `.a .b` and `.a.b`.
pub(super) fn reads_otherwise(quoted: &LineText<'_>, actual: &LineText<'_>) -> bool {
    !quoted.tokens().eq(actual.tokens()) || prefixes(quoted.folded()).ne(prefixes(actual.folded()))
}

/// Returns for each `-` and each `.` of a line whether a word is right behind the sign, and no value right before. A sign at the
/// beginning of the line may be a bullet.
fn prefixes(line: &str) -> impl Iterator<Item = bool> {
    let line = line.trim_start();
    let ends_value = |c: char| is_word_char(c) || CLOSING.contains(&c) || QUOTES.contains(&c);
    line.match_indices(['-', '.']).filter(|(at, _)| *at > 0).map(move |(at, sign)| {
        !line[..at].ends_with(ends_value) && line[at + sign.len()..].starts_with(is_word_char)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitespace_between_words_and_before_a_prefix_means_something() {
        for (quoted, actual, is_other) in [
            ("EXPOSE 80 443", "EXPOSE 80443", true),
            ("(e f)", "(ef)", true),
            ("0 5 * * *", "05 * * *", true),
            ("rm -r f", "rm -rf", true),
            ("a = [1 -1]", "a = [1 - 1]", true),
            (".card .title {", ".card.title {", true),
            ("a=b+1", "a = b + 1", false),
            ("x - 1", "x-1", false),
            ("f(a,-1)", "f(a, -1)", false),
            ("{{.Name}}", "{{ .Name }}", false),
            ("-item", "- item", false),
            ("f( a , b )", "f(a, b)", false),
            ("}else{", "} else {", false),
        ] {
            let [quoted, actual] = [quoted, actual].map(LineText::new);
            assert_eq!(reads_otherwise(&quoted, &actual), is_other, "{} / {}", quoted.text(), actual.text());
        }
    }
}
