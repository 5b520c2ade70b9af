//! Texts of another language in a file, and languages in which whitespace at the margin has a meaning: heredocs, texts of YAML, code in
//! Markdown, the recipes of a Makefile.

use std::borrow::Cow;

use super::words::is_word_char;

/// The marks around code in Markdown. Used where the lines between may be of another language, or the marks of a call.
pub(crate) const FENCES: [&str; 2] = ["```", "~~~"];

/// The ends of a line of YAML below which a text is. Used where whitespace belongs to the text.
const TEXT_OPENERS: [&str; 4] = [": |", ": >", "- |", "- >"];

/// The words that a directive of a Makefile begins with. Used for lines that a tab would make commands.
const MAKE_DIRECTIVES: [&str; 8] =
    ["include", "-include", "sinclude", "export", "unexport", "override", "undefine", "vpath"];

/// The signs of an assignment of a Makefile, with spaces around: without, a shell assigns as well. Used like the directives.
const MAKE_ASSIGNMENTS: [&str; 6] = ["=", ":=", "::=", "+=", "?=", "!="];

/// Checks whether a line is a mark around code in Markdown.
pub(crate) fn is_fence(line: &str) -> bool {
    FENCES.iter().any(|fence| line.trim_start().starts_with(fence))
}

/// The marks that begin a string literal of several lines, and those that end the literal: Python, Kotlin, Lua, Rust, Go. Used where a
/// literal ends at column 0.
const LONG_LITERALS: [(&str, &str); 5] =
    [("\"\"\"", "\"\"\""), ("'''", "'''"), ("[[", "]]"), ("r#\"", "\"#"), ("`", "`")];

/// Returns the mark that ends the string literal of several lines that a line begins; for `<<<EOF` the word.
pub(crate) fn long_literal_end(line: &str) -> Option<Cow<'_, str>> {
    let of_marks = LONG_LITERALS.into_iter().find_map(|(begin, end)| {
        let behind = line.split_once(begin)?.1;
        (!behind.contains(end)).then_some(end)
    });
    of_marks
        .or_else(|| heredoc_end(&line[line.find("<<<")? + 1..]))
        .or_else(|| verbatim_end(line))
        .map(Cow::Borrowed)
        .or_else(|| raw_end(line).map(Cow::Owned))
}

/// Returns the mark that ends a literal behind `@` at the end of a line: C#, `PowerShell`.
fn verbatim_end(line: &str) -> Option<&str> {
    let opener = line.trim_end();
    let mark = opener.len().checked_sub(1)?;
    (opener.ends_with("@\"") || opener.ends_with("@'")).then(|| &opener[mark..])
}

/// Returns the end of a raw literal of C++: `)SQL"` for `R"SQL(`.
fn raw_end(line: &str) -> Option<String> {
    let (_, behind) = line.split_once("R\"")?;
    let (word, rest) = behind.split_once('(')?;
    let end = format!("){word}\"");
    (word.chars().all(is_word_char) && !rest.contains(&end)).then_some(end)
}

/// Returns the line that ends the heredoc that a line begins, if the line has to be at column 0: `EOF` for `<<EOF`, `<<-'EOF'`.
/// The end of `<<~EOF` and of `<<<EOF` may be indented.
pub(crate) fn heredoc_end(line: &str) -> Option<&str> {
    line.match_indices("<<").find_map(|(at, _)| {
        let behind = &line[at + 2..];
        let behind = behind.strip_prefix('-').unwrap_or(behind).trim_start_matches(['"', '\'', '\\']);
        let length = behind.find(|c: char| !is_word_char(c)).unwrap_or(behind.len());
        let word = &behind[..length];
        let is_word = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        (is_word && !line[..at].ends_with('<')).then_some(word)
    })
}

/// Checks whether a line of YAML opens a text, which is deeper than the line.
pub(crate) fn opens_yaml_text(body: &str) -> bool {
    let opener = body.trim_end_matches(['-', '+']);
    TEXT_OPENERS.iter().any(|end| opener.ends_with(end))
}

/// Checks for the first line of a rule of a Makefile: `target: prerequisite`.
pub(crate) fn is_make_rule(line: &str) -> bool {
    let is_name =
        |name: &str| !name.contains(['=', '#', '(', '"', '\'']) && !name.starts_with(char::is_whitespace);
    line.split_once(':').is_some_and(|(name, rest)| is_name(name) && !rest.starts_with('='))
}

/// Returns by how many a line of a Makefile opens more conditionals than it ends.
pub(crate) fn opened_conditionals(line: &str) -> isize {
    let word = line.split_whitespace().next().unwrap_or_default();
    match word {
        "ifdef" | "ifndef" | "ifeq" | "ifneq" if line.starts_with(word) => 1,
        "endif" => -1,
        _ => 0,
    }
}

/// Checks for an assignment or a directive of a Makefile, which no shell runs.
pub(crate) fn is_make_directive(body: &str) -> bool {
    let mut words = body.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    MAKE_DIRECTIVES.contains(&first) || MAKE_ASSIGNMENTS.contains(&second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heredoc_has_its_end_at_the_margin() {
        assert_eq!(heredoc_end("cat <<EOF > state"), Some("EOF"));
        assert_eq!(heredoc_end("out << <<TEXT"), Some("TEXT"));
        assert_eq!(heredoc_end("python3 - <<'END'"), Some("END"));
        for line in ["x << 4", "print <<~TEXT", "$text .= <<<TXT", "a < b"] {
            assert_eq!(heredoc_end(line), None, "{line}");
        }
    }

    #[test]
    fn a_long_literal_ends_below() {
        for (line, end) in [
            ("text = \"\"\"\\", Some("\"\"\"")),
            ("local text = [[", Some("]]")),
            ("let text = r#\"", Some("\"#")),
            ("$text = <<<TXT", Some("TXT")),
            ("var text = @\"", Some("\"")),
            ("auto text = R\"SQL(", Some(")SQL\"")),
            ("auto text = R\"(a)\";", None),
            ("text = \"\"\"a\"\"\"", None),
            ("if [[ -n $a ]]; then", None),
        ] {
            assert_eq!(long_literal_end(line).as_deref(), end, "{line}");
        }
    }

    #[test]
    fn an_assignment_has_spaces_around_its_sign() {
        assert!(is_make_directive("CFLAGS += -v") && is_make_directive("include a.mk"));
        assert!(!is_make_directive("CC=gcc make") && !is_make_directive("strip tool"));
    }

    #[test]
    fn a_rule_is_no_assignment() {
        for (line, is_rule) in [("all: a b", true), ("$@.o: x", true), ("A := b", false), ("# a: b", false)] {
            assert_eq!(is_make_rule(line), is_rule, "{line}");
        }
    }
}
