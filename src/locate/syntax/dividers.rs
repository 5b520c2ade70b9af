//! Comments that divide a file: the heading of a part, and the end of a part.

use super::comments::uncommented;
use super::words::words_of;

/// The words that begin the heading of a part: of Xcode, of editors that fold regions, of cells.
const HEADINGS: [&str; 4] = ["MARK:", "region", "#region", "%%"];

/// The words that end the name of a mark which ends a part: `prettier-ignore-end`, `codeCoverageIgnoreEnd`.
const ENDS: [&str; 2] = ["end", "stop"];

/// The values of a mark that turns a tool on again: `fmt: on`.
const VALUES: [&str; 3] = ["on", "end", "stop"];

/// The word of such a mark that the names of rules may follow: `rubocop:enable Metrics/MethodLength`.
const ENABLE: &str = "enable";

/// Checks whether a line is a comment that divides a file, and is not about the line below: `// ---- helpers ----`, `# region letters`,
/// `# fmt: on`, `<!-- badges: end -->`.
pub(crate) fn divides(line: &str) -> bool {
    let (text, is_comment) = uncommented(line);
    is_comment && (has_rule(text) || is_heading(text) || is_end(text))
}

/// Checks whether a text begins or ends with a line of signs.
fn has_rule(text: &str) -> bool {
    /// The signs of which lines are made. Stars in front of a text also stress it.
    const SIGNS: &[char] = &['-', '=', '#', '~', '<', '>', '/', '%', '+', '_', '\u{2500}', '\u{2550}'];
    /// Fewer signs are a sign of a comment, repeated.
    const LEAST: usize = 3;
    let has_run = |sign: char, rest: &str| text.len() - rest.len() >= LEAST * sign.len_utf8();
    let of_run = |sign: &char| *sign == '*' || SIGNS.contains(sign);
    let begin =
        text.chars().next().filter(of_run).filter(|sign| has_run(*sign, text.trim_start_matches(*sign)));
    // A format or a blank to be filled in ends with signs as well.
    let is_end = |sign: &char| {
        let rest = text.trim_end_matches(*sign);
        has_run(*sign, rest) && (begin == Some(*sign) || !"*_".contains(*sign) && rest.ends_with(' '))
    };
    let end = text.chars().next_back().filter(of_run).filter(is_end);
    end.is_some() || begin.is_some_and(|sign| !"*><_".contains(sign))
}

/// Checks whether a text begins with the mark of a part.
fn is_heading(text: &str) -> bool {
    /// A longer text is a sentence that begins with the word.
    const MOST_WORDS: usize = 3;
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_long = || first == "region" && text.split_whitespace().count() > MOST_WORDS;
    let is_sentence = || text.ends_with('.') || is_long();
    HEADINGS.contains(&first) && !is_sentence()
}

/// Checks whether a text is the mark of the end of a part.
fn is_end(text: &str) -> bool {
    let mark = Mark::read(text.trim_start_matches(['#', '[', '@', '*', ' ']));
    text.starts_with("#end")
        || matches!(mark.first, "endregion" | "tocstop")
        || mark.is_end_in_capitals()
        || mark.is_end_in_camel_case()
        || mark.has_joined_words() && (mark.enables() || mark.has_word_of_end() || mark.has_value_of_end())
}

/// The text of a comment that may be a mark: `name: value`, `name=value`, `name:value`, `name(value)`, `name`.
struct Mark<'t> {
    text: &'t str,
    /// The first two words. White space and equals signs are between words.
    first: &'t str,
    second: &'t str,
    has_more: bool,
    /// The first word up to a colon or a bracket, and its parts between hyphens and underscores.
    name: &'t str,
    parts: Vec<&'t str>,
    /// What is behind the name.
    value: &'t str,
}

impl<'t> Mark<'t> {
    fn read(text: &'t str) -> Self {
        let mut words = text.split(['=', ' ']).filter(|word| !word.is_empty());
        let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (name, behind) = first.split_once([':', '(']).unwrap_or((first, second));
        let parts = words_of(name).flat_map(|word| word.split('_')).collect();
        let value = if second.is_empty() { behind } else { second };
        Mark { text, first, second, has_more: words.next().is_some(), name, parts, value }
    }

    fn last_part(&self) -> &'t str {
        self.parts.last().copied().unwrap_or_default()
    }

    /// Checks whether signs join the words of the name.
    fn has_joined_words(&self) -> bool {
        self.first.contains([':', '-', '_', '@'])
    }

    /// Checks whether the text may be a sentence, as far as its first letter tells: `Re-enable the form`.
    fn may_be_sentence(&self) -> bool {
        self.first.starts_with(char::is_uppercase)
    }

    /// `USER CODE END`, `NOLINTEND`, `INDENT-ON`; `BACKEND of the page` is none.
    fn is_end_in_capitals(&self) -> bool {
        let is_capitals = |word: &str| word.chars().all(|c| c.is_ascii_uppercase());
        let mut words = self.text.split([' ', '=']).take_while(|word| is_capitals(word));
        let is_name = self.second.is_empty() && self.parts.iter().all(|part| is_capitals(part));
        let is_on = self.parts.len() > 1 && is_among(&VALUES, self.last_part());
        words.any(|word| word == "END") || is_name && (self.last_part().ends_with("END") || is_on)
    }

    /// `codeCoverageIgnoreEnd`.
    fn is_end_in_camel_case(&self) -> bool {
        let ends_with =
            |end: &str| self.name.strip_suffix(end).is_some_and(|rest| rest.ends_with(char::is_lowercase));
        self.second.is_empty() && ["End", "Stop"].into_iter().any(ends_with)
    }

    /// `eslint-enable no-console`, `pylint: enable=invalid-name`.
    fn enables(&self) -> bool {
        let last = words_of(self.first).last().unwrap_or_default();
        !self.may_be_sentence() && [self.second, last].contains(&ENABLE)
    }

    /// `prettier-ignore-end`, `biome-ignore-end lint: why`.
    fn has_word_of_end(&self) -> bool {
        let is_name = self.second.is_empty() || self.parts.len() > 2 && !self.may_be_sentence();
        is_name && is_among(&ENDS, self.last_part())
    }

    /// `fmt: on`, `@formatter:on`, `badges: end`.
    fn has_value_of_end(&self) -> bool {
        !self.has_more && is_among(&VALUES, self.value)
    }
}

/// Checks whether a word is one of some words in lower case.
fn is_among(words: &[&str], word: &str) -> bool {
    words.iter().any(|other| word.eq_ignore_ascii_case(other))
}

#[cfg(test)]
mod tests {
    use super::divides;

    #[test]
    fn a_comment_with_a_mark_divides_a_file() {
        for (line, is) in [
            ("// ---- letters ----", true),
            ("# -- letters --------", true),
            ("##### letters #####", true),
            ("-------- letters --------", true),
            ("/* ==== */", true),
            ("// MARK: - Letters", true),
            ("//#region letters", true),
            ("# %% letters", true),
            ("# <<< letters <<<", true),
            ("# fmt: on", true),
            ("// clang-format on", true),
            ("// @formatter:on", true),
            ("// NOLINTEND", true),
            ("# pylint: enable=invalid-name", true),
            ("# rubocop:enable Metrics/MethodLength", true),
            ("# [END letters]", true),
            ("<!-- tocstop -->", true),
            ("// eslint-disable-next-line no-console", false),
            ("// Turns the light on.", false),
            ("// region returns the part of the letters.", false),
            ("/// Reads a letter.", false),
            ("--- Reads a letter.", false),
            ("## Reads a letter.", false),
            ("// *** Reads a letter.", false),
            ("// @letterIgnoreEnd", true),
            ("// letter-ignore-end rule: why", true),
            ("/* USER CODE END letters */", true),
            ("// snippet-end:[letters]", true),
            ("// NOLINTEND(letters)", true),
            ("/* *INDENT-ON* */", true),
            ("// CHECKSTYLE:ON", true),
            ("// Back-end of the letters", false),
            ("// Re-enable the letters", false),
            ("// BACKEND of the letters", false),
            ("// SEND the letters", false),
            ("// sign-on", false),
            ("# End-to-end check of the letters", false),
            ("// region code to name", false),
            ("// Writes an amount as #,###", false),
            ("// A form with Name: ____", false),
            ("// Hides a number: 1234 ****", false),
            ("# >>> half(4)", false),
            ("---- x ----;", false),
            ("letters ---", false),
        ] {
            assert_eq!(divides(line), is, "{line}");
        }
    }
}
