//! What joins a line to the lines around: brackets and tags that are left open, text that is left open, and the signs at its
//! ends. Lines that differ in these signs fit other neighbours.

use super::line_text::{without_comment, without_literals};

/// The signs that join a line to the next line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Joint {
    /// The brackets, tags and words of blocks without a partner in the line.
    open: Vec<String>,
    /// How many marks of a text or comment over several lines have no partner in the line.
    marks: [usize; MARKS.len()],
    /// The separators and operators at the end of the line.
    pub(crate) separator: String,
}

/// The marks that begin and end a text or comment over several lines.
const MARKS: [&str; 5] = ["\"\"\"", "'''", "`", "*/", "-->"];

/// The signs of separators and operators at the end of a line.
const SEPARATORS: [char; 9] = [',', ';', '\\', '&', '|', ':', '=', '+', '>'];

/// The words that open or end a block at the end of a line.
const BLOCK_WORDS: [&str; 6] = ["do", "then", "begin", "end", "fi", "done"];

/// The signs that a line begins with if the line continues the line above.
const CONTINUING: [char; 11] = [',', '.', '&', '|', '?', ':', ')', ']', '}', '=', '+'];

/// The words that a clause begins with: in SQL, and of operators.
const CLAUSES: &str =
    "and or where order group having limit offset join left inner set values returning union on else";

impl Joint {
    /// Returns what joins a line, without whitespace at its ends, to the next line.
    pub(crate) fn of(line: &str) -> Self {
        let code = code_of(line);
        let code = code.trim_end();
        let mut open = open_brackets(code);
        open.extend(open_tags(code));
        open.extend(block_word(code));
        let separator = &code[code.trim_end_matches(is_separator_or_space).len()..];
        Joint {
            open: open.into_iter().map(str::to_owned).collect(),
            marks: marks_of(line),
            separator: separator_of(separator, code).split_whitespace().collect(),
        }
    }

    /// Checks whether both lines open and end the same, whatever separates them from the next line.
    pub(crate) fn opens_same(&self, other: &Self) -> bool {
        self.open == other.open && self.marks == other.marks
    }
}

/// Checks whether a line, without its indentation, continues the statement of the line above.
pub(crate) fn continues_statement(body: &str) -> bool {
    let word: String = body.chars().take_while(|c| c.is_alphanumeric()).collect();
    body.starts_with(CONTINUING) || has_word(CLAUSES, &word.to_lowercase())
}

/// Checks whether a list of words has a word.
fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

fn is_separator_or_space(c: char) -> bool {
    SEPARATORS.contains(&c) || c.is_whitespace()
}

/// Returns the separators at the end of a line; a `>` that is no arrow closes a type or a tag.
fn separator_of<'c>(separator: &'c str, code: &str) -> &'c str {
    let is_arrow = ["=>", "->", "|>", "&&", "||"].iter().any(|arrow| code.ends_with(arrow));
    if separator.contains('>') && !is_arrow {
        return separator.rsplit('>').next().unwrap_or_default();
    }
    separator
}

fn marks_of(line: &str) -> [usize; MARKS.len()] {
    MARKS.map(|mark| line.matches(mark).count() % 2)
}

/// Returns a line without its number in a list, the contents of its strings, and a comment at its end.
fn code_of(line: &str) -> String {
    let behind_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = behind_number.strip_prefix(')').filter(|_| behind_number.len() < line.len());
    without_comment(&without_literals(item.unwrap_or(line))).to_owned()
}

/// Returns the brackets without a partner, in order.
fn open_brackets(code: &str) -> Vec<&str> {
    let mut open: Vec<&str> = Vec::new();
    for (_, bracket) in code.match_indices(['(', '[', '{', ')', ']', '}']) {
        let opener = match bracket {
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => "",
        };
        if !opener.is_empty() && open.last() == Some(&opener) {
            open.pop();
        } else {
            open.push(bracket);
        }
    }
    open
}

/// The tags of HTML without an end.
const VOID_TAGS: [&str; 6] = ["br", "hr", "img", "input", "meta", "link"];

/// The beginning of a tag.
const TAG: &str = "<";

/// The beginning of a tag that ends an element.
const END_TAG: &str = "</";

/// Returns the tags without a partner in a line of markup, in order. Names are not compared, because they may be misspelt.
fn open_tags(code: &str) -> Vec<&'static str> {
    let mut open: Vec<&str> = Vec::new();
    if !code.trim_start().starts_with(TAG) {
        return open;
    }
    for tag in code.split(TAG).skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let name =
            tag.trim_start_matches('/').split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let is_end = tag.starts_with('/');
        let is_void = !is_end && (tag.ends_with('/') || VOID_TAGS.contains(&name));
        // `<>` is a tag, and `<!` or `<=` is none.
        let is_tag = !name.is_empty() || tag.is_empty() || tag == "/";
        if is_end && open.last() == Some(&TAG) {
            open.pop();
        } else if is_tag && !is_void {
            open.push(if is_end { END_TAG } else { TAG });
        }
    }
    open
}

/// Returns the word at the end of a line that opens or ends a block.
fn block_word(code: &str) -> Option<&str> {
    let word = code.trim_end_matches([';', ',']).rsplit(|c: char| !c.is_alphanumeric()).next()?;
    BLOCK_WORDS.contains(&word).then_some(word)
}

/// The words at the beginning of a line that begin a block, which ends with a word.
const OPENING_WORDS: &str =
    "def class module if unless while until for case begin function defmodule defp try do";

/// The words that end a block.
const ENDING_WORDS: [&str; 4] = ["end", "fi", "done", "esac"];

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
            '<' if line.starts_with("</") => Some(Block::Tags),
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
            Block::Brackets => count(&open_brackets(&code), |part| part.starts_with([')', ']', '}'])),
            Block::Tags => count(&open_tags(&code), |part| part == END_TAG),
            Block::Words => opened_words(&code),
        }
    }
}

/// Returns by how many a line opens more blocks of words than it ends.
fn opened_words(code: &str) -> i32 {
    let is_sign = |c: char| !c.is_alphanumeric();
    let mut words = code.split(is_sign).filter(|word| !word.is_empty()).peekable();
    let begins = words.peek().is_some_and(|word| has_word(OPENING_WORDS, word));
    let (mut opens, mut ends) = (begins, 0);
    for word in words {
        opens |= word == "do" || word == "function";
        ends += i32::from(ENDING_WORDS.contains(&word));
    }
    i32::from(opens) - ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &str, other: &str) -> (bool, bool) {
        let (one, other) = (Joint::of(one), Joint::of(other));
        (one.opens_same(&other), one.separator == other.separator)
    }

    #[test]
    fn a_line_is_joined_by_its_signs() {
        for (one, other, joined) in [
            ("\"test\": \"jest\",", "\"test\": \"jest\"", (true, false)),
            ("io.c \\", "io.c", (true, false)),
            ("check(a), // remark", "check(b), // note", (true, true)),
            ("sum(a, b)", "sum(c)", (true, true)),
            ("+ shipping", "+ shipping)", (false, true)),
            ("\"files\": [", "\"files\": [],", (false, false)),
            ("<Input name=\"a\">", "<Input name=\"a\" />", (false, true)),
            ("<li>one</li>", "<li>two</lli>", (true, true)),
            ("<li>one</li>", "<li>one", (false, true)),
            ("\"\"\"The area.", "\"\"\"The area.\"\"\"", (false, true)),
            ("class Missing < Base", "class Missing < Base; end", (false, true)),
            ("rows.map(row => row.id)", "rows.map(item => item.id)", (true, true)),
        ] {
            assert_eq!(same(one, other), joined, "{one} / {other}");
        }
    }

    #[test]
    fn a_block_is_ended_by_its_own_kind() {
        for (line, kind, opened) in [
            ("if (a) {", Block::Brackets, 1),
            ("} else {", Block::Brackets, 0),
            ("</ul>", Block::Tags, -1),
            ("<br>", Block::Tags, 0),
            ("local function one(a)", Block::Words, 1),
            ("if a then b() end", Block::Words, 0),
            ("end", Block::Words, -1),
        ] {
            assert_eq!(kind.opened_by(line), opened, "{line}");
        }
    }
}
