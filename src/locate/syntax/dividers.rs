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
    const WORDS: usize = 4;
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_sentence = || text.ends_with('.') || first == "region" && words.count() >= WORDS - 1;
    HEADINGS.contains(&first) && !is_sentence()
}

/// Checks whether a text is the mark of the end of a part.
fn is_end(text: &str) -> bool {
    if text.starts_with("#end") {
        return true;
    }
    let text = text.trim_start_matches(['#', '[', '@', '*', ' ']);
    let mut tokens = text.split(['=', ' ']).filter(|token| !token.is_empty());
    let (first, second) = (tokens.next().unwrap_or_default(), tokens.next().unwrap_or_default());
    let is_last = tokens.next().is_none();
    let is_among = |words: &[&str], word: &str| words.iter().any(|end| word.eq_ignore_ascii_case(end));
    let is_mark = |word: &str| word.contains([':', '-', '_', '@']);
    let (name, value) = first.split_once([':', '(']).unwrap_or((first, second));
    let parts: Vec<&str> = words_of(name).flat_map(|word| word.split('_')).collect();
    let last = parts.last().copied().unwrap_or_default();
    let has_end = is_among(&ENDS, last);
    let is_capitals = |word: &str| word.chars().all(|c| c.is_ascii_uppercase());
    let is_in_capitals = || {
        let mut words = text.split([' ', '=']).take_while(|word| is_capitals(word));
        let is_name = second.is_empty() && parts.iter().all(|part| is_capitals(part));
        let is_on = || parts.len() > 1 && is_among(&VALUES, last);
        words.any(|word| word == "END") || is_name && (last.ends_with("END") || is_on())
    };
    let is_camel_case = second.is_empty()
        && ["End", "Stop"]
            .iter()
            .any(|end| name.strip_suffix(end).is_some_and(|rest| rest.ends_with(char::is_lowercase)));
    let is_sentence = first.starts_with(char::is_uppercase);
    let is_enabled = is_mark(first)
        && !is_sentence
        && ([second, words_of(first).last().unwrap_or_default()].contains(&ENABLE));
    matches!(first, "endregion" | "tocstop")
        || is_in_capitals()
        || is_camel_case
        || is_enabled
        || is_mark(first) && has_end && (second.is_empty() || parts.len() > 2 && !is_sentence)
        || is_mark(first) && is_last && is_among(&VALUES, if second.is_empty() { value } else { second })
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
