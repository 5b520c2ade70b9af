//! Blocks: what opens, continues and ends a block.

use super::brackets::{CLOSING, END_TAG, code_of, ends_in_opener, open_brackets, open_tags};
use super::comments::{before_comment, is_remark};
use super::heads::{name_words, without_parameters};
use super::literals::without_literals;
use super::sections::Section;
use super::statements::without_separator;
use super::words::{code_words, first_ascii_word, first_word, has_word, is_word_char, last_word};

/// The words that open a block at the end of a line, or alone in a line: shells, Lua, Pascal, SQL. Used for what joins a line to the
/// next, and for the depth of a quoted line.
const HEAD_ENDS: [&str; 4] = ["do", "then", "begin", "declare"];

/// The words that end a block: Ruby, Lua and SQL, Vim script and Makefiles, shells. Used wherever a block
/// ends.
const ENDING_WORDS: [&str; 5] = ["end", "endif", "fi", "done", "esac"];

/// The words that begin the next part of a block in most languages: a branch, or what is done after an error. Used for the region of
/// a header, and for what an added line may divide.
const NEXT_PARTS: [&str; 7] = ["else", "elif", "elsif", "except", "rescue", "finally", "catch"];

/// The words at the beginning of a line that begin a block, which ends with a word: Ruby, Lua, Elixir, shells. Used to count the
/// blocks that added lines leave open, so words of blocks with brackets are missing.
const OPENING_WORDS: &str =
    "def class module if unless while until for case begin function defmodule defp try do";

/// The words of lines that open a block without a name, in most languages. Used for what a line names, so `def` and `class` are
/// missing, and `return` and `with`, which open nothing in many languages, are not.
const CONTROLS: [&str; 13] = [
    "if", "elif", "unless", "while", "for", "foreach", "return", "switch", "match", "case", "with", "when",
    "until",
];

/// The words before the name of a function in languages in which a name has one function: Rust, JavaScript, PHP, Lua, Perl. Used for
/// whether other parameters make another function, so words that other languages have as well (`def`, `fun`, `func`) are missing.
const SOLE_FUNCTIONS: &str = "fn function sub";

/// The words that a statement begins with which may be in a block several times.
const STATEMENTS: &str = "assert await break continue defer echo go print raise return throw yield";

/// The kinds of blocks: each kind has openings and ends of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block {
    Brackets,
    Tags,
    Words,
}

impl Block {
    /// Returns the kind of block that a line ends, if it does nothing else.
    pub(crate) fn ended_by(line: &str) -> Option<Self> {
        let word = line.trim_end_matches([';', ',', ')']);
        match line.chars().next()? {
            '}' | ')' | ']' => Some(Block::Brackets),
            '<' if line.starts_with(END_TAG) => Some(Block::Tags),
            _ if ENDING_WORDS.contains(&word) => Some(Block::Words),
            _ => None,
        }
    }

    /// Returns the kind of block that a line opens by its signs.
    pub(crate) fn begun_by(line: &str) -> Option<Self> {
        [Block::Brackets, Block::Tags].into_iter().find(|block| block.opened_by(line) > 0)
    }

    /// Returns by how many a line opens more blocks than it ends.
    pub(crate) fn opened_by(self, line: &str) -> i32 {
        let code = code_of(line);
        let count = |parts: &[&str], is_end: fn(&str) -> bool| {
            parts.iter().map(|part| if is_end(part) { -1 } else { 1 }).sum()
        };
        match self {
            Block::Brackets => count(&open_brackets(&code), |part| part.starts_with(CLOSING)),
            Block::Tags => count(&open_tags(&code), |part| part == END_TAG),
            Block::Words => opened_words(&code),
        }
    }
}

/// Returns by how many a line opens more blocks of words than it ends.
fn opened_words(code: &str) -> i32 {
    let mut words = code_words(code).peekable();
    let begins = words.peek().is_some_and(|word| has_word(OPENING_WORDS, word));
    let (mut opens, mut ends) = (begins, 0);
    for word in words {
        opens |= word == "do" || word == "function";
        ends += i32::from(ENDING_WORDS.contains(&word));
    }
    i32::from(opens) - ends
}

/// Returns the word at the end of a line that opens or ends a block.
pub(super) fn block_word(code: &str) -> Option<&str> {
    let word = last_word(without_separator(code));
    (HEAD_ENDS.contains(&word) || ENDING_WORDS.contains(&word)).then_some(word)
}

/// Checks whether a line, without its indentation, ends the head of a block that a line above begins: a word that opens the block,
/// alone, `where`, or the bracket behind parameters, `) -> bool {`.
pub(crate) fn is_head_end(body: &str) -> bool {
    let is_behind_parameters = body.starts_with(')') && begins_block(body);
    is_behind_parameters || body == "where" || HEAD_ENDS.iter().any(|word| body.eq_ignore_ascii_case(word))
}

/// Checks whether a line ends a block, or begins its next part: a closing bracket, an `end`, an `else`, a closing tag. The rest of
/// the line may begin a block.
pub(crate) fn closes(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    matches!(line.first(), Some(b'}' | b')' | b']'))
        || line.starts_with(END_TAG.as_bytes())
        || begins_with_any(line, &ENDING_WORDS)
        || begins_branch(line)
}

/// Checks whether a line begins a branch, or what is done after an error: `elif b:`, `} catch (e) {`.
pub(crate) fn begins_branch(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    begins_with_any(line.strip_prefix(b"}").unwrap_or(line).trim_ascii_start(), &NEXT_PARTS)
}

/// Checks whether the first word of a line is one of several words, and no variable.
fn begins_with_any(line: &[u8], words: &[&str]) -> bool {
    let word = first_ascii_word(line);
    words.iter().any(|other| other.as_bytes() == word) && !is_assigned(&line[word.len()..])
}

/// Checks whether what is behind a name assigns to the name: `end = now()`, `done := true`.
fn is_assigned(behind: &[u8]) -> bool {
    let sign = behind.trim_ascii_start();
    let sign = match sign {
        [b':' | b'+' | b'-' | b'*' | b'/' | b'|' | b'&' | b'?', rest @ ..] => rest,
        _ => sign,
    };
    sign.starts_with(b"=") && !sign.starts_with(b"==") && !sign.starts_with(b"=>")
}

/// Checks whether a line continues what is open rather than beginning something: the line ends a block, begins its next part,
/// is an opening bracket of the line above, or a comment or directive. `[name]` begins a section.
pub(crate) fn continues(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    closes(line)
        || matches!(line.first(), Some(b'{' | b'('))
        || line.starts_with(b"#") && !is_name_with_hash(line)
        || line.starts_with(b"[") && Section::read(line) != Some(Section::Bracket)
}

/// Checks whether a line that begins with `#` opens the block of a name: a private method of JavaScript, a selector of CSS.
fn is_name_with_hash(line: &[u8]) -> bool {
    let is_name = line.get(1).is_some_and(u8::is_ascii_alphabetic) && !line.starts_with(b"#define");
    is_name && line.trim_ascii_end().ends_with(b"{")
}

/// Checks whether a line begins a block or a section by its signs: `if x:`, `f(x) {`, `[name]`, `<ul>`.
pub(crate) fn begins_block(line: &str) -> bool {
    let body = line.trim();
    let is_tag = body.starts_with('<') && !body.contains(END_TAG) && !body.ends_with("/>");
    is_tag
        || ends_in_opener(body)
        || [" do", " then", "=>", "->"].iter().any(|end| body.ends_with(end))
        || Section::read(line.as_bytes()).is_some()
}

/// Checks whether deeper lines may be below a line: it ends in a sign that opens a block or a list, a tag or an assignment.
pub(crate) fn may_hold_deeper(line: &str) -> bool {
    ends_in_opener(line) || line.ends_with(['>', '='])
}

/// Checks whether a line ends in a sign that opens the body of a declaration or a statement.
pub(crate) fn opens_body(line: &[u8]) -> bool {
    matches!(line.trim_ascii_end().last(), Some(b':' | b'{'))
}

/// Checks whether a line begins with a word that opens a block without a name: `for`, `if`.
pub(crate) fn begins_control(line: &str) -> bool {
    CONTROLS.contains(&first_word(line.trim_start()))
}

/// Checks whether a line, without its indentation, is a statement that may be in a block several times, such as a call. The line may
/// also be a definition that begins with its name.
pub(crate) fn is_statement(body: &str) -> bool {
    begins_statement(body) || name_words(without_parameters(body)).len() == 1 && !body.contains(['{', '='])
}

/// Checks whether a line, without its indentation, begins with the word of a statement that may be in a block several times.
pub(super) fn begins_statement(body: &str) -> bool {
    begins_control(body) || has_word(STATEMENTS, first_word(body))
}

/// Checks whether a text has a word that opens a block without a name.
pub(crate) fn has_control(text: &str) -> bool {
    code_words(text).any(|word| CONTROLS.contains(&word))
}

/// Checks for a label of a block with several labels: `case 1:`.
pub(crate) fn is_label(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.ends_with(b":") && matches!(first_ascii_word(line), b"case" | b"default")
}

/// Checks whether a line is about the line below: an attribute or a comment. At the margin, square brackets are a section.
pub(crate) fn is_about_next(line: &str) -> bool {
    let body = line.trim_start();
    let is_indented = body.len() < line.len();
    is_attribute(body) || is_remark(body) || is_indented && is_in_brackets(body.trim_end())
}

/// The names of attributes of Elixir that have their value behind a space, and are about the function below.
const ATTRIBUTES_WITH_VALUE: &str = "doc spec impl typedoc deprecated since tag dialyzer";

/// Checks whether a line, without its indentation, is an attribute of the block below: `#[test]`, `#pragma omp for`, or `@app.get("/")`
/// with nothing behind. `@media x {` begins a block of its own, `@count = 1` is a statement, and `@end` ends a block.
pub(crate) fn is_attribute(body: &str) -> bool {
    if ["#[", "#pragma omp "].iter().any(|sign| body.starts_with(sign)) {
        return true;
    }
    if !body.starts_with('@') {
        return false;
    }
    // Several attributes may be on a line.
    let code = without_literals(before_comment(body));
    let mut rest = &*code;
    while let Some(behind) = rest.strip_prefix('@').and_then(behind_attribute) {
        if behind.is_empty() {
            return true;
        }
        rest = behind;
    }
    false
}

/// Returns what is behind an attribute without its `@`; `None` if that is none: `@end` ends a block.
fn behind_attribute(attribute: &str) -> Option<&str> {
    let is_of_name = |c: char| is_word_char(c) || matches!(c, '.' | ':');
    let name = &attribute[..attribute.find(|c| !is_of_name(c)).unwrap_or(attribute.len())];
    let behind = &attribute[name.len()..];
    let is_end = matches!(name, "else" | "elseif") || name.starts_with("end") && !behind.starts_with('(');
    if is_end || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let behind = behind.strip_prefix('(').map_or(behind, behind_arguments).trim();
    let has_value = has_word(ATTRIBUTES_WITH_VALUE, name) && !behind.starts_with('=');
    Some(if has_value { "" } else { behind })
}

/// Returns what is behind the arguments of an attribute; nothing if the arguments go on in the next line.
fn behind_arguments(arguments: &str) -> &str {
    let mut depth = 1;
    let end = arguments.find(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    end.map_or("", |end| &arguments[end + 1..])
}

/// Checks whether a line begins a function in a language in which a name has one function, such as a `def` that ends with a colon.
pub(crate) fn defines_alone(line: &str) -> bool {
    let head = line.split('(').next().unwrap_or_default();
    let is_python = line.trim_end().ends_with(':') && code_words(head).any(|word| word == "def");
    is_python || code_words(head).any(|word| has_word(SOLE_FUNCTIONS, word))
}

/// Checks whether a line, without its indentation, is in square brackets: an attribute of C#, or the beginning of a section at the margin.
pub(crate) fn is_in_brackets(body: &str) -> bool {
    body.starts_with('[') && body.ends_with(']')
}

/// Checks whether a line right above a line that opens a block, without its indentation, belongs to that line: an attribute, or a
/// condition of the preprocessor.
pub(crate) fn is_about_opener(body: &str) -> bool {
    is_attribute(body) || begins_condition(body) || is_in_brackets(body)
}

/// Checks whether a line, without its indentation, begins a condition of the preprocessor, or another branch of one.
pub(crate) fn begins_condition(body: &str) -> bool {
    ["#if", "#elif", "#else"].iter().any(|word| body.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_ended_by_its_own_kind() {
        for (line, kind, opened) in [
            ("if (a) {", Block::Brackets, 1),
            ("} else {", Block::Brackets, 0),
            ("</ul>", Block::Tags, -1),
            ("<br>", Block::Tags, 0),
            ("<source src=\"a.webm\">", Block::Tags, 0),
            ("<source>1.8</source>", Block::Tags, 0),
            ("local function one(a)", Block::Words, 1),
            ("if a then b() end", Block::Words, 0),
            ("end", Block::Words, -1),
            ("to_do = week_end", Block::Words, 0),
        ] {
            assert_eq!(kind.opened_by(line), opened, "{line}");
        }
    }

    #[test]
    fn a_name_has_one_function_in_some_languages() {
        for (line, alone) in [
            ("pub fn post(letter: Letter) {", true),
            ("async function post(letter) {", true),
            ("def post(letter):", true),
            ("def post(letter) do", false),
            ("fun post(letter: Letter) {", false),
            ("void post(Letter letter) {", false),
            ("void post(Letter fn) {", false),
        ] {
            assert_eq!(defines_alone(line), alone, "{line}");
        }
    }

    #[test]
    fn an_attribute_is_about_the_line_below() {
        for (line, is_about) in [
            ("#[test]", true),
            ("@app.get(\"/\")  # letters", true),
            ("@Override @Deprecated(since = \"2\")", true),
            ("@doc \"Reads a letter.\"", true),
            ("@letters = []", false),
            ("@Input() count = 0;", false),
            ("@endif", false),
            ("@elseif(ready)", false),
            ("@endpoint(\"/letters (all)\")", true),
            ("[HttpGet(\"/\")]", true),
            ("#ifdef HAVE_POLL", true),
            ("# a comment", false),
            ("[1, 2],", false),
        ] {
            assert_eq!(is_about_opener(line), is_about, "{line}");
        }
    }

    #[test]
    fn what_ends_a_block_continues_what_is_open() {
        for (line, ends, closes_block, is_continued) in [
            ("end", true, true, true),
            ("esac", true, true, true),
            ("});", true, true, true),
            ("</ul>", true, true, true),
            ("end if", false, true, true),
            ("end_of_day = 18", false, false, false),
            ("else:", false, true, true),
            ("rescue IOError => error", false, true, true),
            ("end = now()", false, false, false),
            ("done |= ready", false, false, false),
            ("{", false, false, true),
            ("# a", false, false, true),
            ("[1, 2],", false, false, true),
            ("[name]", false, false, false),
            ("a = 1", false, false, false),
        ] {
            let is = (Block::ended_by(line).is_some(), closes(line.as_bytes()), continues(line.as_bytes()));
            assert_eq!(is, (ends, closes_block, is_continued), "{line}");
        }
    }
}
