//! What joins a line to the lines around: brackets and tags that are left open, text that is left open, and the signs at its
//! ends. Lines that differ in these signs fit other neighbours.

use super::blocks::block_word;
use super::brackets::{code_of, open_brackets, open_tags};
use super::statements::separators;

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

/// The marks that begin and end a text or comment over several lines: of Python, JavaScript, C, markup. The same mark begins and ends a
/// text.
const MARKS: [(&str, &str); 5] = [("\"\"\"", ""), ("'''", ""), ("`", ""), ("/*", "*/"), ("<!--", "-->")];

impl Joint {
    /// Returns what joins a line, without whitespace at its ends, to the next line.
    pub(crate) fn of(line: &str) -> Self {
        let code = code_of(line);
        let code = code.trim_end();
        let mut open = open_brackets(code);
        open.extend(open_tags(code));
        open.extend(block_word(code));
        Joint {
            open: open.into_iter().map(str::to_owned).collect(),
            marks: MARKS.map(|(begin, end)| {
                let ends = if end.is_empty() { 0 } else { line.matches(end).count() };
                (line.matches(begin).count() + ends) % 2
            }),
            separator: separators(code).split_whitespace().collect(),
        }
    }

    /// Checks whether both lines open and end the same, whatever separates them from the next line.
    pub(crate) fn opens_same(&self, other: &Self) -> bool {
        self.open == other.open && self.marks == other.marks
    }

    /// Checks whether a round or square bracket is left open last: further items follow.
    pub(crate) fn opens_list(&self) -> bool {
        self.open.last().is_some_and(|open| open == "(" || open == "[")
    }

    /// Checks whether a curly bracket is left open last: the line begins a block.
    pub(crate) fn opens_curly(&self) -> bool {
        self.open.last().is_some_and(|open| open == "{")
    }
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
            ("check(a);", "check(a); /* done */", (true, true)),
            ("check(a);", "check(a); /* done", (false, true)),
            ("class Missing < Base", "class Missing < Base; end", (false, true)),
            ("rows.map(row => row.id)", "rows.map(item => item.id)", (true, true)),
        ] {
            assert_eq!(same(one, other), joined, "{one} / {other}");
        }
    }
}
