//! Comments.

use std::ops::Range;

use super::literals::literals;
use super::words::{first_word, is_word_char};

/// The signs that begin a comment wherever a line begins with one: C and its relatives, JSX, markup, Haskell. Used by all functions
/// below.
const SURE: [&str; 5] = ["//", "/*", "{/*", "<!--", "{-"];

/// The signs that begin a comment in one language and code in another: SQL and Lua, shells and Python, INI and Lisp, TeX. Used
/// by all functions below, where a space behind the sign may have to decide.
const UNSURE: [&str; 4] = ["--", "#", ";", "%"];

/// The sign that a line inside of a comment of C or Java begins with, and an item of a list or a pointer. Used where a comment
/// means to be careful.
const INNER: &str = "*";

/// The signs that end a comment: of JSX, C, markup, Haskell. Used for the text of a comment.
const CLOSERS: [&str; 4] = ["*/}", "*/", "-->", "-}"];

/// The signs that begin a comment behind code. Fewer than at the beginning of a line, because `;` ends a statement there and `%` is an
/// operator. Used for the signs that join a line to the next, and for entities in code.
const BEHIND_CODE: [&str; 4] = [" //", " # ", " -- ", " /*"];

/// Returns the text of a line without the signs of a comment, and whether the line is a comment. A property of a style sheet,
/// `--width: 1px;`, and a condition of the preprocessor are none.
pub(crate) fn uncommented(line: &str) -> (&str, bool) {
    let line = line.trim();
    if is_property(line) || ["#if", "#elif"].iter().any(|word| line.starts_with(word)) {
        return (line, false);
    }
    let open = SURE.iter().chain(&UNSURE).find_map(|opener| line.strip_prefix(opener));
    let text = open.unwrap_or(line);
    (CLOSERS.iter().find_map(|closer| text.strip_suffix(closer)).unwrap_or(text).trim(), open.is_some())
}

/// Checks for a property of a style sheet with a name of its author: `--width: 1px;`.
fn is_property(line: &str) -> bool {
    let name = line.strip_prefix("--").and_then(|rest| rest.strip_suffix(';')?.split(':').next());
    name.is_some_and(|name| {
        line.contains(':') && !name.is_empty() && name.chars().all(|c| is_word_char(c) || c == '-')
    })
}

/// Checks whether a text is only a sign that begins a comment.
pub(crate) fn is_comment_sign(text: &str) -> bool {
    SURE.iter().chain(&UNSURE).any(|sign| *sign == text)
}

/// Checks whether a line may be a comment, or a line inside of one.
pub(crate) fn may_be_comment(line: &str) -> bool {
    uncommented(line).1 || line.trim_start().starts_with(INNER)
}

/// Checks whether a line, without its indentation, is a comment that may be about the line below: beyond doubt a comment, and no end of
/// what is above: `<!-- /nav -->`, `// end of the tables`.
pub(super) fn is_remark(body: &str) -> bool {
    let is_markup = || ["<!--", "{/*"].iter().any(|sign| body.starts_with(sign));
    let ends = |text: &str| text.starts_with('/') && is_markup() || is_end_of_block(text);
    is_comment(body) && !body.starts_with(INNER) && !ends(uncommented(body).0)
}

/// Checks whether the text of a comment names the block that ends above: `end of the tables`, `end if`. A sentence such as `End the session
/// first.` is about what is below.
fn is_end_of_block(text: &str) -> bool {
    /// A longer text is a sentence.
    const MOST_WORDS: usize = 4;
    let first = first_word(text);
    if !first.eq_ignore_ascii_case("end") || text[first.len()..].starts_with('-') {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_sentence = text.ends_with('.') || text.contains(": ") || words.len() > MOST_WORDS;
    let is_name = first == "end" || words.len() <= 2 || words.get(1) == Some(&"of");
    is_name && !is_sentence
}

/// Checks whether a line is a comment beyond doubt, or a line of one: behind a sign that also begins code, a space follows.
pub(crate) fn is_comment(line: &str) -> bool {
    let body = line.trim_start();
    let is_before_space = |sign: &&str| {
        // The sign may be repeated, as in `## a`.
        let repeated = sign.chars().next().unwrap_or_default();
        body.starts_with(*sign) && body.trim_start_matches(repeated).starts_with(' ')
    };
    let is_item = || body.starts_with("* ");
    !body.is_empty() && body.bytes().all(|byte| byte == b'#')
        || is_sure(body)
        || is_item()
        || UNSURE.iter().any(is_before_space)
}

fn is_sure(text: &str) -> bool {
    SURE.iter().any(|sign| text.starts_with(sign))
}

/// Checks whether the rest of a line, behind code, is a comment, or the end of a statement. `%`, `*` and `--` are operators there.
pub(super) fn is_comment_behind(rest: &str) -> bool {
    is_sure(rest) || rest.starts_with(['#', ';']) || rest.starts_with("-- ")
}

/// Returns a line, of which the contents of string literals were left out, without a comment at its end.
pub(crate) fn without_comment(code: &str) -> &str {
    let end = BEHIND_CODE.iter().filter_map(|sign| code.find(sign)).min();
    &code[..end.unwrap_or(code.len())]
}

/// Returns a line without a comment behind its code. A sign in a string literal begins none.
pub(crate) fn before_comment(line: &str) -> &str {
    let comments = || BEHIND_CODE.iter().flat_map(|sign| line.match_indices(sign).map(|(at, _)| at));
    if comments().next().is_none() {
        return line;
    }
    let start = |literal: &str| literal.as_ptr().addr() - line.as_ptr().addr();
    let literals: Vec<Range<usize>> =
        literals(line).into_iter().map(|literal| start(literal)..start(literal) + literal.len()).collect();
    let is_in_literal = |at: usize| {
        let nth = literals.partition_point(|literal| literal.end <= at);
        literals.get(nth).is_some_and(|literal| literal.contains(&at))
    };
    let end = comments().filter(|at| !is_in_literal(*at)).min();
    line[..end.unwrap_or(line.len())].trim_end()
}

/// Returns a line, as above, without what may be a comment at its end: a `#` in front of a word also begins a color, or a macro.
pub(crate) fn without_possible_comment(code: &str) -> &str {
    let code = without_comment(code);
    &code[..code.find(" #").unwrap_or(code.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_that_ends_something_is_about_what_is_above() {
        for (line, is) in [
            ("// Reads a letter.", true),
            ("/// Reads a letter.", true),
            ("## letters", true),
            ("--- Adds two numbers.", true),
            ("<!-- /nav -->", false),
            ("// End of the tables", false),
            ("# end if", false),
            ("// end::letters[]", false),
            ("// End the round first.", true),
            ("// End-to-end", true),
            ("// End of day: all letters", true),
            ("# /letters/:id", true),
            ("#endif", false),
            ("--depth;", false),
            ("* item", false),
        ] {
            assert_eq!(is_remark(line), is, "{line}");
        }
    }

    #[test]
    fn a_sign_that_also_begins_code_is_a_comment_in_doubt() {
        for (line, may_be, is) in [
            ("// a", true, true),
            ("{/* a */}", true, true),
            ("# a", true, true),
            ("#define A", true, false),
            ("--a;", true, false),
            ("--width: 1px;", false, false),
            (" * a", true, true),
            ("*a = 1;", true, false),
            ("a // b", false, false),
        ] {
            assert_eq!((may_be_comment(line), is_comment(line)), (may_be, is), "{line}");
        }
        assert_eq!(
            (without_comment("a: #fff; /* b */"), without_possible_comment("a #b")),
            ("a: #fff;", "a")
        );
    }
}
