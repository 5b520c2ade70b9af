//! The region of a document that a line introduces, and what belongs right behind such a line.

use crate::text::{Document, is_blank};

/// The region that a line introduces: the lines behind, up to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The line, 0-based.
    pub(crate) line: usize,
    /// The line before which the scope ends, 0-based.
    pub(crate) end: usize,
    /// Whether the end is known. If not, `end` is the end of the surrounding scope.
    pub(crate) is_known: bool,
}

impl Scope {
    /// Returns the scope of a line.
    ///
    /// If the lines behind are deeper, the scope ends with the deeper lines: at the next line as far left as the
    /// header, or farther, that does not continue the block. An opening bracket alone on a line belongs to the header.
    /// A section of a flat text (`[name]`, `## Heading`) ends at the next header of the same form.
    pub(crate) fn of_line(document: &Document, line: usize, outer_end: usize) -> Self {
        let width = indentation_width(document.line(line));
        let filled = (line + 1..outer_end).map(|next| (next, document.line(next)));
        let mut filled = filled.filter(|(_, text)| !is_blank(text));
        let mut behind = filled
            .clone()
            .skip_while(|(_, text)| indentation_width(text) == width && is_opening_bracket(text));
        if behind.next().is_some_and(|(_, text)| indentation_width(text) > width) {
            let is_braced = document.line(line).trim_ascii_end().ends_with(b"{")
                || next_filled(document, line).is_some_and(|next| is_bracket_of(document, line, next));
            // A label is far left in the block that it belongs to: `done:`, `public:`.
            let is_in_block =
                |text: &[u8]| goes_on(text) || is_braced && text.trim_ascii_end().ends_with(b":");
            let end = behind.find(|(_, text)| indentation_width(text) <= width && !is_in_block(text));
            return Scope { line, end: end.map_or(outer_end, |(end, _)| end), is_known: true };
        }
        match Section::of(document, line) {
            Some(section) => {
                let end = filled.find(|(_, text)| section.ends_at(text));
                Scope { line, end: end.map_or(outer_end, |(end, _)| end), is_known: true }
            }
            None => Scope { line, end: outer_end, is_known: false },
        }
    }

    /// Returns the scope up to the next line that begins an item: what a unified diff names in a header is the last such line
    /// above its lines, also for lines behind the block of that line, as in the comment of the next item.
    ///
    /// Source: the default of `diff.*.xfuncname` in git, a line that begins with a letter, `_` or `$`.
    pub(crate) fn up_to_next_item(self, document: &Document) -> Self {
        /// How many lines behind the block are looked at: more than a long comment.
        const REACH: usize = 1_000;
        let most = (self.end + REACH).min(document.len());
        let width = indentation_width(document.line(self.line));
        let begins_item = |line: &usize| {
            let text = document.line(*line);
            let first = text.trim_ascii_start().first();
            indentation_width(text) <= width
                && first.is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$'))
        };
        let end = (self.end..most).find(begins_item).unwrap_or(most);
        Scope { end, ..self }
    }

    /// Checks whether a line is behind the scope, and behind a line that opens another block.
    pub(crate) fn is_left_at(self, document: &Document, line: usize) -> bool {
        let width = indentation_width(document.line(self.line));
        let opens = |line: usize| {
            let text = document.line(line);
            !is_blank(text)
                && indentation_width(text) <= width
                && !goes_on(text)
                && Scope::of_line(document, line, document.len()).is_known
        };
        (self.end..line).any(opens)
    }

    /// Checks whether lines belong to the scope: the lines do not end before its line, and begin before its end.
    pub(crate) fn holds(self, start: usize, last: usize) -> bool {
        last >= self.line && start < self.end
    }
}

/// Checks whether a line continues what is open rather than beginning something: a bracket, an `else`, a comment, but no `[name]`.
fn goes_on(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let word = line.split(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
    let words: [&[u8]; 9] =
        [b"end", b"else", b"elif", b"elsif", b"except", b"finally", b"catch", b"fi", b"done"];
    let is_section = matches!(Section::read(line), Some(Section::Bracket));
    line.starts_with(b"#")
        || matches!(line.first(), Some(b'{' | b'}' | b'(' | b')' | b'[' | b']')) && !is_section
        || words.contains(&word)
}

fn indentation_width(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

/// Checks for a line that is only an opening bracket.
fn is_opening_bracket(line: &[u8]) -> bool {
    matches!(line.trim_ascii(), b"{" | b"(" | b"[")
}

/// The header of a section in a flat text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// `[name]`
    Bracket,
    /// `## Heading`, with the number of `#`.
    Heading(usize),
}

impl Section {
    /// Returns the section that a line begins: `[name]`, or a heading between blank lines; otherwise `None`.
    fn of(document: &Document, line: usize) -> Option<Self> {
        let is_filled = |line: usize| line < document.len() && !is_blank(document.line(line));
        match Section::read(document.line(line))? {
            Section::Heading(_) if is_filled(line + 1) || line.checked_sub(1).is_some_and(is_filled) => None,
            section => Some(section),
        }
    }

    fn read(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii_end();
        if line.starts_with(b"[") && line.ends_with(b"]") {
            return Some(Section::Bracket);
        }
        let signs = line.iter().take_while(|byte| **byte == b'#').count();
        (1..=6).contains(&signs).then_some(())?;
        (line.get(signs) == Some(&b' ')).then_some(Section::Heading(signs))
    }

    fn ends_at(self, line: &[u8]) -> bool {
        match (self, Section::read(line)) {
            (Section::Bracket, Some(Section::Bracket)) => true,
            (Section::Heading(own), Some(Section::Heading(other))) => other <= own,
            _ => false,
        }
    }
}

/// Checks whether a line begins a section of a flat text: `[name]`, or a heading between blank lines.
pub(crate) fn begins_section(document: &Document, line: usize) -> bool {
    Section::of(document, line).is_some()
}

/// Checks whether a line, without its indentation, continues or ends what is open: a bracket, an `end`, a closing tag.
pub(crate) fn continues(line: &str) -> bool {
    line.starts_with("</") || goes_on(line.as_bytes())
}

/// Checks whether a line begins a block or a section by its signs: `if x:`, `f(x) {`, `[name]`, `<ul>`.
pub(crate) fn begins_block(line: &str) -> bool {
    let body = line.trim();
    let is_tag = body.starts_with('<') && !body.contains("</") && !body.ends_with("/>");
    is_tag
        || body.ends_with([':', '{', '(', '['])
        || [" do", " then", "=>", "->"].iter().any(|end| body.ends_with(end))
        || Section::read(line.as_bytes()).is_some()
}

/// Returns the level of a line that reads as the header of a section: 1 for `[name]`, 2 for `## Heading`. A heading is between
/// blank lines; `is_between_blanks` tells.
pub(crate) fn section_level(line: &str, is_between_blanks: impl Fn() -> bool) -> Option<usize> {
    match Section::read(line.as_bytes())? {
        Section::Bracket => Some(1),
        Section::Heading(level) => is_between_blanks().then_some(level),
    }
}

/// Checks whether an added line, as deep as `depth` in the file, does not belong right behind a line: the line opens a
/// block, and the added line is no deeper than the line; or a bracket of the line is still open.
pub(crate) fn separates_from_body(document: &Document, line: usize, depth: usize, added: &str) -> bool {
    let text = document.line(line);
    let has_open_bracket = is_open(text, b'(', b')') || is_open(text, b'[', b']');
    let Some(next) = next_filled(document, line) else { return false };
    let next_width = indentation_width(document.line(next));
    let width = indentation_width(text);
    if opener_goes_on(document, line, next) && !continues_opener(added) {
        return true;
    }
    if next_width > width && is_unfinished(text) && !ends_with_operator(added.as_bytes()) {
        return true;
    }
    if next_width > width {
        // Deeper lines go on with what is open: parameters, or the block.
        let is_label_too = is_label(text) && is_label(added.as_bytes());
        return has_open_bracket && has_block_behind(document, next, width) == Some(true)
            || !continues_bracket(added) && closes_before_block(document, line)
            || depth <= width && !is_label_too;
    }
    // A sibling of a flat section is not inserted between its heading and its text.
    let section = Section::of(document, line);
    section.is_some() && Section::read(added.as_bytes()).is_some()
}

/// A line that is added.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Added<'t> {
    /// The width of the indentation that the line gets.
    pub(crate) depth: usize,
    /// The line without its indentation.
    pub(crate) text: &'t str,
}

/// Checks whether lines that are added between two lines divide the block that both are in: the added lines begin outside of that
/// block, and the line below is not of the block that the last added line opens. `ends`: the first and the last added line.
pub(crate) fn divides(document: &Document, above: usize, below: usize, ends: &[Added<'_>; 2]) -> bool {
    let [first, last] = ends;
    let (inside, rest) = (document.line(above), document.line(below));
    let is_directive = first.text.starts_with('#');
    if is_directive || closes(first.text.as_bytes()) || is_label(first.text.as_bytes()) {
        return false;
    }
    let width = indentation_width(rest);
    if first.depth < indentation_width(inside) {
        let is_of_last = width > last.depth && begins_block(last.text);
        return width > first.depth && !is_of_last || width == first.depth && closes(rest);
    }
    // The keys of a flat section are not parted by another section.
    let begins_section = |line: &[u8]| Section::read(line) == Some(Section::Bracket);
    below == above + 1
        && begins_section(first.text.as_bytes())
        && !begins_section(last.text.as_bytes())
        && !begins_section(rest)
}

/// Checks whether a line ends a block, or begins its next part: a closing bracket, an `end`, an `else`, a closing tag.
fn closes(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    goes_on(line) && !matches!(line.first(), Some(b'#' | b'{' | b'(' | b'[')) || line.starts_with(b"</")
}

/// Returns the line behind which a block begins that a line opens: an opening bracket alone on the next line, otherwise
/// the line itself. `added` is the first added line.
pub(crate) fn opener_end(document: &Document, line: usize, added: &str) -> usize {
    let next = next_filled(document, line);
    let bracket = next.filter(|next| is_bracket_of(document, line, *next) && !continues_opener(added));
    bracket.unwrap_or(line)
}

fn next_filled(document: &Document, line: usize) -> Option<usize> {
    (line + 1..document.len()).find(|next| !is_blank(document.line(*next)))
}

/// Checks whether a line is an opening bracket alone, as deep as the line that it belongs to.
fn is_bracket_of(document: &Document, line: usize, bracket: usize) -> bool {
    let (text, bracket) = (document.line(line), document.line(bracket));
    let is_finished = matches!(text.trim_ascii_end().last(), Some(b';' | b',' | b'{' | b'}' | b'(' | b'['));
    !is_finished && is_opening_bracket(bracket) && indentation_width(bracket) == indentation_width(text)
}

/// Checks whether what opens a block goes on in the next line: an opening bracket alone, also behind deeper lines, a
/// `where`, or further parameters.
fn opener_goes_on(document: &Document, line: usize, next: usize) -> bool {
    let (text, behind) = (document.line(line), document.line(next));
    let width = indentation_width(text);
    if indentation_width(behind) <= width {
        return is_bracket_of(document, line, next) || behind.trim_ascii() == b"where";
    }
    if starts_with_clause(&String::from_utf8_lossy(behind)) {
        return true;
    }
    let end = (next..document.len()).find(|line| {
        let line = document.line(*line);
        !is_blank(line) && indentation_width(line) <= width
    });
    let has_open_parameters =
        is_open(text, b'(', b')') && matches!(text.trim_ascii_end().last(), Some(b'(' | b','));
    has_open_parameters && has_block_behind(document, next, width) != Some(false)
        || end.is_some_and(|end| is_bracket_of(document, line, end))
}

/// Checks whether a line goes on with what opens a block: `where`, `: Base`, `throws E`.
fn continues_opener(line: &str) -> bool {
    line.trim_start().starts_with([':', '{', '(']) || starts_with_clause(line)
}

/// Checks whether a line begins with a clause of the declaration in the line above.
fn starts_with_clause(line: &str) -> bool {
    let word = line.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    ["where", "throws", "extends", "implements"].contains(&word)
}

/// Checks whether the expression or statement of a line goes on in the next line: the line ends with an operator, or inside
/// brackets with a sign that separates operands or the parts of a `for`.
fn is_unfinished(line: &[u8]) -> bool {
    let is_inside = is_open(line, b'(', b')');
    let last = line.trim_ascii_end().last();
    ends_with_operator(line) || is_inside && last.is_some_and(|last| b";=<>?-*/%|&".contains(last))
}

/// Checks whether a line is an operand or a parameter more.
fn continues_bracket(line: &str) -> bool {
    let line = line.trim();
    line.starts_with([',', '&', '|']) || line.ends_with(',') || ends_with_operator(line.as_bytes())
}

/// Checks whether a line ends with an operator that needs another operand, whatever the language.
fn ends_with_operator(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let last = line.rsplit(|byte| !byte.is_ascii_alphanumeric()).next();
    let is_word = last.is_some_and(|word| matches!(word, b"and" | b"or"));
    is_word || [&b"&&"[..], b"||", b"+", b"\\"].iter().any(|sign| line.ends_with(sign))
}

/// The words of lines that open a block without a name.
const CONTROLS: [&str; 13] = [
    "if", "elif", "unless", "while", "for", "foreach", "return", "switch", "match", "case", "with", "when",
    "until",
];

/// Checks whether a line begins with a word that opens a block without a name: `for`, `if`.
pub(crate) fn begins_control(line: &str) -> bool {
    let word = line.trim_start().split(|c: char| !c.is_alphanumeric()).next();
    word.is_some_and(|word| CONTROLS.contains(&word))
}

/// Checks whether a line that contains a header introduces a block of that name: the line opens a block or a section, and
/// the header is not inside a comment, a string, a condition or an argument.
pub(crate) fn introduces(document: &Document, line: usize, header: &str) -> bool {
    let text = String::from_utf8_lossy(document.line(line));
    let Some((before, _)) = text.split_once(header.trim_end_matches('@').trim()) else { return false };
    if Section::of(document, line).is_some() {
        return !before.contains(char::is_alphanumeric);
    }
    let before = before.trim();
    let is_comment =
        ["//", "/*", "*", "--", "#", ";", "%", "<!--"].iter().any(|sign| before.starts_with(sign));
    let is_argument = before.ends_with(['(', ',']) || before.contains(['=', '"', '\'', '`']);
    let is_condition = before.split(|c: char| !c.is_alphanumeric()).any(|word| CONTROLS.contains(&word));
    let opens = matches!(text.trim_end().as_bytes().last(), Some(b':' | b'{' | b'(' | b'['));
    (opens || Scope::of_line(document, line, document.len()).is_known)
        && !is_comment
        && !is_argument
        && !is_condition
}

/// Checks for a label of a block with several labels: `case 1:`.
fn is_label(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let word = line.split(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
    line.ends_with(b":") && matches!(word, b"case" | b"default")
}

/// Checks whether more brackets of a kind are opened than closed.
fn is_open(line: &[u8], open: u8, close: u8) -> bool {
    memchr::memchr_iter(open, line).count() > memchr::memchr_iter(close, line).count()
}

/// Returns whether a block is behind the line that closes a bracket, if that line follows the deeper lines. Without a
/// block, deeper lines can only be in the bracket.
fn has_block_behind(document: &Document, from: usize, width: usize) -> Option<bool> {
    let mut behind = (from..document.len()).filter(|line| !is_blank(document.line(*line)));
    let end = behind.find(|line| indentation_width(document.line(*line)) <= width)?;
    let (text, next) = (document.line(end).trim_ascii(), behind.next().map(|next| document.line(next)));
    let is_deep = |next: &[u8]| indentation_width(next) > width || is_opening_bracket(next);
    let has_block = matches!(text.last(), Some(b':' | b'{')) || next.is_some_and(is_deep);
    matches!(text.first(), Some(b')' | b']')).then_some(has_block)
}

/// Checks whether a deeper line closes what a line opens, and begins the block: the last parameters, and `{` or `:`.
fn closes_before_block(document: &Document, line: usize) -> bool {
    /// How many lines of parameters are looked at.
    const REACH: usize = 64;
    let width = indentation_width(document.line(line));
    let mut open = 0;
    for nth in line..document.len().min(line + REACH) {
        let text = document.line(nth);
        open += memchr::memchr_iter(b'(', text).count().cast_signed();
        open -= memchr::memchr_iter(b')', text).count().cast_signed();
        if open <= 0 {
            let begins = matches!(text.trim_ascii_end().last(), Some(b':' | b'{'));
            return nth > line && begins && indentation_width(text) > width;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(text: &str) -> (usize, bool) {
        let document = Document::from(text);
        let scope = Scope::of_line(&document, 0, document.len());
        (scope.end, scope.is_known)
    }

    #[test]
    fn a_scope_ends_with_its_block() {
        assert_eq!(scope("def f():\n    a\n\n    b\ndef g():\n    c\n"), (4, true));
        assert_eq!(scope("int f()\n{\n    a;\n}\n\nint g()\n{\n}\n"), (5, true));
        assert_eq!(scope("int f()\n{\n    a;\ndone:\n    b;\n}\n\nint g()\n{\n}\n"), (7, true));
        assert_eq!(scope("a:\n  x: {\n    y: 1 }\nb:\n  x: 2\n"), (3, true));
        assert_eq!(scope("[a]\nx = 1\n\n[b]\nx = 2\n"), (3, true));
        assert_eq!(scope("## A\n\ntext\n\n### B\n\n## C\n\ntext\n"), (6, true));
        assert_eq!(scope("a = 1\nb = 2\n"), (2, false));
    }
}
