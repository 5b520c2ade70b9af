//! Comments that divide a file: the heading of a part, and the end of a part.

use super::comments::uncommented;
use super::words::words_of;

/// The words that begin the heading of a part: of Xcode, of editors that fold regions, of cells.
const HEADINGS: [&str; 4] = ["MARK:", "region", "#region", "%%"];

/// The words that end the name of a mark which ends a part or turns a tool on again: `fmt: on`, `prettier-ignore-end`.
const ENDS: [&str; 3] = ["on", "end", "stop"];

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
    let end =
        text.chars().next_back().filter(of_run).filter(|sign| has_run(*sign, text.trim_end_matches(*sign)));
    end.is_some() || begin.is_some_and(|sign| sign != '*')
}

/// Checks whether a text begins with the mark of a part.
fn is_heading(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    HEADINGS.contains(&first) && !text.ends_with('.')
}

/// Checks whether a text is the mark of the end of a part.
fn is_end(text: &str) -> bool {
    let text = text.trim_start_matches(['#', '[', '@', ' ']);
    let mut tokens = text.split(['=', ' ']).filter(|token| !token.is_empty());
    let (first, second) = (tokens.next().unwrap_or_default(), tokens.next().unwrap_or_default());
    let is_last = tokens.next().is_none();
    let is_end = |word: &str| ENDS.iter().any(|end| word.eq_ignore_ascii_case(end));
    let is_mark = |word: &str| word.contains([':', '-', '_', '@']);
    let last = words_of(first).last().unwrap_or_default();
    let is_capital = |word: &str| word.ends_with("END") && word.chars().all(|c| c.is_ascii_uppercase());
    matches!(first, "endregion" | "tocstop")
        || is_capital(first)
        || is_mark(first) && [last, second].contains(&ENABLE)
        || is_mark(first) && is_last && (is_end(second) || second.is_empty() && is_end(last))
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
            ("// Back-end of the letters", false),
            ("---- x ----;", false),
            ("letters ---", false),
        ] {
            assert_eq!(divides(line), is, "{line}");
        }
    }
}
