//! Statements and expressions: the separators, operators and clauses that join a line to the line above or below.

use super::brackets::is_open;
use super::comments::is_comment_behind;
use super::words::{first_word, has_word, is_word_char, last_ascii_word};

/// The separators and operators at the end of a line that is not the last of its statement or list, in most languages. Used to compare
/// the end of a quoted line with that of its line of the file.
const SEPARATORS: [char; 9] = [',', ';', '\\', '&', '|', ':', '=', '+', '>'];

/// The ends of a line in which `>` is no end of a type or a tag: arrows and pipes. Used with the separators.
const ARROWS: [&str; 5] = ["=>", "->", "|>", "&&", "||"];

/// The operators at the end of a line that need another operand, whatever the language. Of the separators, `,` and `=` may end a
/// line that is complete. Used to decide whether a line may be added behind.
const OPERATORS: [&[u8]; 4] = [b"&&", b"||", b"+", b"\\"];

/// The words of the same operators: Python, Ruby, Lua, SQL. Used with these.
const OPERATOR_WORDS: [&str; 2] = ["and", "or"];

/// The signs that a line begins with if the line continues the line above, in most languages. Used for an added line.
const CONTINUING: [char; 11] = [',', '.', '&', '|', '?', ':', ')', ']', '}', '=', '+'];

/// The words that a clause of a statement begins with: in SQL, and of operators. Used for an added line.
const CLAUSES: &str =
    "and or where order group having limit offset join left inner set values returning union on else";

/// The words that a clause of a declaration begins with, between its first line and its body: Rust, Swift, Java. Used
/// for what is between a line and its block. No clauses of SQL, because a line of SQL has no body behind these.
const DECLARATION_CLAUSES: [&str; 4] = ["where", "throws", "extends", "implements"];

/// Checks whether a line, without its indentation, continues the statement of the line above.
pub(crate) fn continues_statement(body: &str) -> bool {
    body.starts_with(CONTINUING) || has_word(CLAUSES, &first_word(body).to_lowercase())
}

/// Checks whether a line goes on with what opens a block: `where`, `: Base`, `throws E`.
pub(crate) fn continues_opener(line: &str) -> bool {
    line.trim_start().starts_with([':', '{', '(']) || begins_clause(line)
}

/// The words of statements behind which nothing of a block is run.
const LEAVING_WORDS: [&str; 8] = ["return", "break", "continue", "throw", "raise", "goto", "exit", "next"];

/// Checks whether a statement leaves a block: `break;`, `return x`.
pub(crate) fn leaves_block(line: &str) -> bool {
    LEAVING_WORDS.contains(&first_word(line.trim_start()))
}

/// Checks whether a line is the pattern of a case of a shell: `-h|--help)`.
pub(crate) fn is_pattern(line: &str) -> bool {
    line.trim_end().ends_with(')') && !line.contains('(')
}

/// Checks whether a line begins with a clause of the declaration in the line above.
pub(crate) fn begins_clause(line: &str) -> bool {
    DECLARATION_CLAUSES.contains(&first_word(line.trim_start()))
}

/// Checks whether a line is an operand or a parameter more.
pub(crate) fn continues_bracket(line: &str) -> bool {
    let line = line.trim();
    line.starts_with([',', '&', '|']) || line.ends_with(',') || ends_with_operator(line.as_bytes())
}

/// Checks whether the expression or statement of a line goes on in the next line: the line ends with an operator, or inside
/// brackets with a sign that separates operands or the parts of a `for`.
pub(crate) fn is_unfinished(line: &[u8]) -> bool {
    let is_inside = is_open(line, b'(', b')');
    let last = line.trim_ascii_end().last();
    ends_with_operator(line) || is_inside && last.is_some_and(|last| b";=<>?-*/%|&".contains(last))
}

/// Checks whether a line ends a statement or an item, or opens or ends a block: an opening bracket below is none of its own.
pub(crate) fn is_finished(line: &[u8]) -> bool {
    matches!(line.trim_ascii_end().last(), Some(b';' | b',' | b'{' | b'}' | b'(' | b'['))
}

/// Checks whether a line ends with an operator that needs another operand, whatever the language.
pub(crate) fn ends_with_operator(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    OPERATOR_WORDS.iter().any(|word| word.as_bytes() == last_ascii_word(line))
        || OPERATORS.iter().any(|sign| line.ends_with(sign))
}

/// Returns the separators at the end of a line of code; a `>` that is no arrow closes a type or a tag.
pub(super) fn separators(code: &str) -> &str {
    let is_separator = |c: char| SEPARATORS.contains(&c) || c.is_whitespace();
    let separators = &code[code.trim_end_matches(is_separator).len()..];
    match separators.rsplit_once('>') {
        Some((_, behind)) if !ARROWS.iter().any(|arrow| code.ends_with(arrow)) => behind,
        _ => separators,
    }
}

/// Returns a line without a separator at its end.
pub(crate) fn without_separator(line: &str) -> &str {
    line.trim_end().trim_end_matches([',', ';'])
}

/// Checks whether a line ends in a sign that opens or separates: a text that is quoted up to there goes on.
pub(crate) fn ends_open(line: &str) -> bool {
    line.trim_end().ends_with(['(', '[', '{', ','])
}

/// Returns what a line has behind a text that is quoted only up to the middle of the line; `None` if that is the whole line, or
/// the line has only a comment there.
pub(crate) fn rest_behind<'l>(quoted: &str, line: &'l str) -> Option<&'l str> {
    let begun = quoted.trim_end();
    let rest = line.strip_prefix(begun)?;
    let is_word_end = !begun.ends_with(is_word_char) || !rest.starts_with(is_word_char);
    let rest = rest.trim();
    (!begun.is_empty() && !rest.is_empty() && is_word_end && !is_comment_behind(rest)).then_some(rest)
}

/// The words that an import begins with.
const IMPORTS: &str = "import from use using require require_relative include";

/// Checks whether a line, without its indentation, imports a name or a file: `use std::fs;`, `#include <stdio.h>`, or `"os"` in a group
/// of Go.
pub(crate) fn imports(body: &str) -> bool {
    let is_path = body.ends_with('"') && body.matches('"').count() == 2;
    let is_in_group =
        is_path && body.split('"').next().is_some_and(|name| name.is_empty() || name.ends_with(' '));
    let word = first_word(body.trim_start_matches(['#', '@']));
    is_in_group || has_word(IMPORTS, word) && !body.ends_with(['{', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_begins_with_a_keyword_is_no_clause() {
        for (line, is_clause) in
            [("and b", true), ("SET a = 1", true), ("set_name(a);", false), ("on_open()", false)]
        {
            assert_eq!(continues_statement(line), is_clause, "{line}");
        }
        assert!(begins_clause("where T: A") && !begins_clause("where_clause();"));
        assert!(ends_with_operator(b"a or") && !ends_with_operator(b"a = either_or"));
    }
}
