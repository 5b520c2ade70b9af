//! Where the `@@` headers of a chunk lead.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use nom::bytes::complete::tag;
use nom::character::complete::{digit1, space1};
use nom::combinator::opt;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::index::{Index, is_word_byte};
use crate::locate::Level;
use crate::text::{Document, is_blank};

/// The old lines that a unified diff names: `@@ -12,7 +12,9 @@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineHint {
    /// The first old line, 1-based.
    pub(crate) line: usize,
}

/// Parses a header: a line of the file, numbers, or both.
pub(crate) fn read(header: &str) -> (Option<LineHint>, &str) {
    match unified(header) {
        Ok((heading, line)) => (line.parse().ok().map(|line| LineHint { line }), heading.trim()),
        Err(_) if header.chars().all(|c| matches!(c, '@' | '.' | '…' | ' ')) => (None, ""),
        Err(_) => (None, header),
    }
}

/// Parses the numbers of a unified diff, with or without the `@@` behind.
fn unified(header: &str) -> IResult<&str, &str> {
    let (input, _) = opt(space1).parse(header)?;
    let (input, line) = preceded(tag("-"), counted).parse(input)?;
    let (input, _) = (space1, tag("+"), counted, space1, tag("@@")).parse(input)?;
    Ok((input, line))
}

/// Parses a line number and the number of lines: `12,7`. Returns the line number.
fn counted(input: &str) -> IResult<&str, &str> {
    terminated(digit1, opt(preceded(tag(","), digit1))).parse(input)
}

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
            let end = behind.find(|(_, text)| indentation_width(text) <= width && !goes_on(text));
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

/// Checks whether a line continues what is open rather than beginning something: a bracket, an `else`, a comment.
fn goes_on(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let word = line.split(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
    let words: [&[u8]; 9] =
        [b"end", b"else", b"elif", b"elsif", b"except", b"finally", b"catch", b"fi", b"done"];
    line.starts_with(b"#")
        || matches!(line.first(), Some(b'{' | b'}' | b'(' | b')' | b'[' | b']'))
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

/// Checks whether a line reads as the header of a section: `[name]`, or `## Heading`.
pub(crate) fn reads_as_section(line: &str) -> bool {
    Section::read(line.as_bytes()).is_some()
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
    if next_width > width {
        // Deeper lines go on with what is open: parameters, or the block.
        let is_label_too = is_label(text) && is_label(added.as_bytes());
        return has_open_bracket && has_block_behind(document, next, width) == Some(true)
            || depth <= width && !is_label_too;
    }
    // A sibling of a flat section is not inserted between its heading and its text.
    let section = Section::of(document, line);
    section.is_some() && Section::read(added.as_bytes()).is_some()
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
    let line = line.trim_start();
    let words = ["where", "throws", "extends", "implements"];
    line.starts_with([':', '{', '(']) || words.iter().any(|word| line.starts_with(word))
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
    let controls =
        ["if", "elif", "while", "for", "return", "switch", "match", "case", "with", "when", "until"];
    let is_condition = before.split(|c: char| !c.is_alphanumeric()).any(|word| controls.contains(&word));
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

/// How a header matches a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum HeaderMatch {
    /// The header is the line, apart from whitespace and look-alikes.
    Whole,
    /// The header is the beginning of the line, or a part of the line.
    Part,
}

/// How many lines that a header leads to are reported.
const MOST_NAMED: usize = 8;

/// The lines that an edit's headers lead to.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    /// Where the innermost header that was found leads to, ascending. `None`: no header narrows the position.
    pub(crate) scopes: Option<Vec<Scope>>,
    /// Where the headers around that header lead to, the outermost first.
    pub(crate) outer: Vec<Vec<Scope>>,
    /// The headers that were found, with how.
    pub(crate) found: Vec<(String, HeaderMatch)>,
    /// The headers that were not found.
    pub(crate) missing: Vec<String>,
    /// The numbers of a unified diff.
    pub(crate) hint: Option<LineHint>,
}

impl Headers {
    /// Returns the innermost header that was found, with the first lines that it leads to.
    pub(crate) fn innermost(&self) -> Option<(String, Vec<usize>)> {
        let (header, _) = self.found.last()?;
        let scopes = self.scopes.iter().flatten().take(MOST_NAMED);
        Some((header.clone(), scopes.map(|scope| scope.line).collect()))
    }

    /// Checks whether headers or line numbers lead to lines.
    pub(crate) fn lead_to(&self, lines: &Range<usize>) -> bool {
        let is_numbered = self.hint.is_some_and(|hint| hint.line == lines.start + 1);
        let mut scopes = self.scopes.iter().flatten();
        is_numbered || scopes.any(|scope| scope.holds(lines.start, lines.end.saturating_sub(1)))
    }

    /// Follows headers inwards, each in the scope of the previous header.
    pub(crate) fn follow(index: &Index, headers: &[Cow<'_, str>], level: Level) -> Self {
        let mut followed = Headers::default();
        for header in headers {
            let (hint, text) = read(header);
            followed.hint = followed.hint.or(hint);
            if text.trim().is_empty() {
                continue;
            }
            match (Search { index, level }).within(text, followed.scopes.as_deref()) {
                Some((scopes, how)) => {
                    followed.found.push((text.to_owned(), how));
                    followed.outer.extend(followed.scopes.replace(scopes));
                }
                None => followed.missing.push(text.to_owned()),
            }
        }
        followed
    }

    /// Checks whether each header that was found is a whole line.
    pub(crate) fn are_whole(&self) -> bool {
        self.found.iter().all(|(_, how)| *how == HeaderMatch::Whole)
    }
}

/// A header that matches more lines than this is useless, and counts as not found. Otherwise a hostile patch could
/// force a search from each of these lines.
const MOST_LINES: usize = 1000;

/// The shortest header that is searched for inside lines, in bytes.
const SHORTEST_PART: usize = 3;

struct Search<'i> {
    index: &'i Index,
    level: Level,
}

impl Search<'_> {
    /// Returns the scopes of the lines in `from` that match a header, by the tightest comparison that matches.
    fn within(&self, header: &str, from: Option<&[Scope]>) -> Option<(Vec<Scope>, HeaderMatch)> {
        let bare = header.trim_end().strip_suffix("@@").map(str::trim_end).filter(|bare| !bare.is_empty());
        [Some(header), bare].into_iter().flatten().find_map(|text| {
            let whole = self.whole(text, from).map(|scopes| (scopes, HeaderMatch::Whole));
            whole.or_else(|| self.part(text, from).map(|scopes| (scopes, HeaderMatch::Part)))
        })
    }

    fn whole(&self, header: &str, from: Option<&[Scope]>) -> Option<Vec<Scope>> {
        // Lines with equal skeletons may differ.
        let tiers = self.level.min(Level::Whitespace).tiers();
        tiers.iter().find_map(|tier| {
            let lines = self.index.line_places(tier.fold(), header);
            let most = if lines.len() > MOST_LINES { 0 } else { lines.len() };
            let lines: Vec<usize> = lines.iter().take(most).map(|line| *line as usize).collect();
            Some(self.inside(&lines, from)).filter(|scopes| !scopes.is_empty())
        })
    }

    /// Returns the lines that begin with the header, or otherwise the lines that contain the header. Words are not cut.
    fn part(&self, header: &str, from: Option<&[Scope]>) -> Option<Vec<Scope>> {
        let header = header.trim();
        if self.level == Level::Exact || header.len() < SHORTEST_PART || !self.index.take_search_budget() {
            return None;
        }
        let (begins, holds) = self.lines_with(header);
        [begins, holds].iter().map(|lines| self.inside(lines, from)).find(|scopes| !scopes.is_empty())
    }

    /// Returns the scopes of some lines, each inside an outer scope.
    fn inside(&self, lines: &[usize], from: Option<&[Scope]>) -> Vec<Scope> {
        let document = self.index.document();
        let Some(from) = from else {
            return lines.iter().map(|line| Scope::of_line(document, *line, document.len())).collect();
        };
        let mut scopes: Vec<Scope> = Vec::new();
        for outer in from {
            let behind = lines.partition_point(|line| *line <= outer.line);
            let inside = lines[behind..].iter().take_while(|line| **line < outer.end);
            scopes.extend(inside.map(|line| Scope::of_line(document, *line, outer.end)));
        }
        scopes.sort_unstable_by_key(|scope| (scope.line, scope.end));
        scopes.dedup_by_key(|scope| scope.line);
        scopes.truncate(MOST_LINES);
        scopes
    }

    /// Returns the lines that begin with a text, and all lines that contain the text, up to the limit.
    fn lines_with(&self, text: &str) -> (Vec<usize>, Vec<usize>) {
        let document = self.index.document();
        let content = document.content();
        let (mut begins, mut holds) = (Vec::new(), Vec::new());
        for found in memmem::find_iter(content, text.as_bytes()) {
            let line = document.line_at(found);
            if cuts_word(content, found, found + text.len()) || holds.last() == Some(&line) {
                continue;
            }
            holds.push(line);
            if content[document.line_start(line)..found].trim_ascii().is_empty() {
                begins.push(line);
            }
            if holds.len() > MOST_LINES {
                return (Vec::new(), Vec::new());
            }
        }
        (begins, holds)
    }
}

/// Checks whether a range of bytes begins or ends inside a word.
fn cuts_word(content: &[u8], start: usize, end: usize) -> bool {
    is_inside_word(content, start) || is_inside_word(content, end)
}

/// Checks whether the bytes on both sides of an offset belong to a word.
fn is_inside_word(content: &[u8], at: usize) -> bool {
    at > 0 && is_word_byte(content[at - 1]) && content.get(at).is_some_and(|byte| is_word_byte(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unified_numbers_are_a_hint_and_their_heading_a_header() {
        assert_eq!(read("-12,7 +12,9 @@ fn main() {"), (Some(LineHint { line: 12 }), "fn main() {"));
        assert_eq!(read("-1 +1 @@"), (Some(LineHint { line: 1 }), ""));
        assert_eq!(read("... @@"), (None, ""));
        assert_eq!(read("-1 is less"), (None, "-1 is less"));
    }

    fn scope(text: &str) -> (usize, bool) {
        let document = Document::from(text);
        let scope = Scope::of_line(&document, 0, document.len());
        (scope.end, scope.is_known)
    }

    #[test]
    fn a_scope_ends_with_its_block() {
        assert_eq!(scope("def f():\n    a\n\n    b\ndef g():\n    c\n"), (4, true));
        assert_eq!(scope("int f()\n{\n    a;\n}\n\nint g()\n{\n}\n"), (5, true));
        assert_eq!(scope("[a]\nx = 1\n\n[b]\nx = 2\n"), (3, true));
        assert_eq!(scope("## A\n\ntext\n\n### B\n\n## C\n\ntext\n"), (6, true));
        assert_eq!(scope("a = 1\nb = 2\n"), (2, false));
    }
}
