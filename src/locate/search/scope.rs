//! The region of a document that a line introduces, and what belongs right behind such a line.

use super::flat::{end_of_equations, end_of_part, is_of_kind};
use super::inside::Inside;
use crate::locate::syntax::{
    Around, QUOTES, Section, begins_block, begins_clause, closes, continues, continues_bracket,
    continues_opener, ends_in_opener, ends_with_operator, has_control, indentation_width, is_about_next,
    is_attribute, is_comment, is_finished, is_head_end, is_in_brackets, is_label, is_open,
    is_opening_bracket, is_unfinished, may_be_comment, opens_body,
};
use crate::text::{Document, is_blank};

/// How many lines are looked at for a line that begins or opens a block: more than a long comment has.
const REACH: usize = 1_000;

/// The region that a line introduces: the lines behind, up to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The line, 0-based.
    pub(crate) line: usize,
    /// The line before which the scope ends, 0-based.
    pub(crate) end: usize,
    /// The line before which the block ends that the line opens or is in, 0-based. A part of a flat text ends at the next line that
    /// begins such a part. If that line is far below, the end of the surrounding scope.
    block_end: usize,
    /// Whether the end is known. If not, `end` is the end of the surrounding scope.
    pub(crate) is_known: bool,
}

impl Scope {
    /// Returns the scope of a line.
    ///
    /// If the lines behind are deeper, the scope ends with the deeper lines: at the next line as far left as the
    /// header, or farther, that does not continue the block. An opening bracket alone on a line belongs to the header.
    /// The scope of a branch (`elif b:`, `} catch {`) ends at the next branch.
    /// A section of a flat text (`[name]`, `## Heading`) ends at the next header of the same form.
    /// An attribute introduces the block below.
    pub(crate) fn of_line(document: &Document, line: usize, outer_end: usize) -> Self {
        if let Some(opener) = opener_below(document, line, outer_end) {
            return Scope { line, ..Scope::of_line(document, opener, outer_end) };
        }
        if let Some(end) = end_of_equations(document, line, outer_end) {
            return Scope::of_block(line, end);
        }
        let width = indentation_width(document.line(line));
        let filled = (line + 1..outer_end).map(|next| (next, document.line(next)));
        let mut filled = filled.filter(|(_, text)| !is_blank(text));
        let mut behind =
            filled.clone().skip_while(|(_, text)| indentation_width(text) == width && ends_head(text));
        if behind.clone().next().is_some_and(|(_, text)| indentation_width(text) > width) {
            let is_braced = document.line(line).trim_ascii_end().ends_with(b"{")
                || next_filled(document, line).is_some_and(|next| is_bracket_of(document, line, next));
            let mut inside = Inside::new(document.line(line), is_braced);
            let end = behind.find(|(_, text)| {
                let is_inside = inside.pass(text);
                indentation_width(text) <= width && !is_inside
            });
            return Scope::of_block(line, end.map_or(outer_end, |(end, _)| end));
        }
        if let Some(section) = section_at(document, line) {
            let is_end = |other: Section| section.ends_at(other);
            // A heading without blank lines around ends a section as well.
            let end = filled.find(|(next, text)| {
                Section::read(text).or_else(|| section_at(document, *next)).is_some_and(is_end)
            });
            return Scope::of_block(line, end.map_or(outer_end, |(end, _)| end));
        }
        if let Some(end) = end_of_part(document, line, outer_end) {
            return Scope::of_block(line, end);
        }
        filled.next();
        let begins_next = |next| width == 0 && !is_in_row(document, line) && is_like(document, line, next);
        let mut near = filled.take_while(|(next, _)| *next < line + REACH);
        let end = near.find(|(next, text)| indentation_width(text) < width || begins_next(*next));
        let block_end = end.map_or(outer_end, |(end, _)| end);
        Scope { line, end: outer_end, block_end, is_known: false }
    }

    fn of_block(line: usize, end: usize) -> Self {
        Scope { line, end, block_end: end, is_known: true }
    }

    /// Checks whether lines begin in the block that the line opens or is in, below the line.
    pub(crate) fn has_in_block(self, start: usize) -> bool {
        self.line <= start && start < self.block_end
    }

    /// Returns the scope up to the next line that begins an item: what a unified diff names in a header is the last such line
    /// above its lines, also for lines behind the block of that line, as in the comment of the next item.
    ///
    /// Source: the default of `diff.*.xfuncname` in git, a line that begins with a letter, `_` or `$`; other patterns are shown by
    /// the line of the scope itself.
    pub(crate) fn up_to_next_item(self, document: &Document) -> Self {
        let most = (self.end + REACH).min(document.len());
        let width = indentation_width(document.line(self.line));
        let begins_item = |line: &usize| {
            let text = document.line(*line);
            let first = text.trim_ascii_start().first();
            indentation_width(text) <= width
                && first.is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$'))
                || is_of_kind(document, self.line, *line)
        };
        let end = (self.end..most).find(begins_item).unwrap_or(most);
        Scope { end, ..self }
    }

    /// Checks whether a line is behind the scope, and behind a line that opens another block.
    pub(crate) fn is_left_at(self, document: &Document, line: usize) -> bool {
        (self.end..line).any(|line| self.is_left_with(document, line))
    }

    /// Checks whether a line behind the scope opens another block.
    fn is_left_with(self, document: &Document, line: usize) -> bool {
        let text = document.line(line);
        !is_blank(text)
            && indentation_width(text) <= indentation_width(document.line(self.line))
            && !continues(text)
            && opener_below(document, line, document.len()).is_none()
            && Scope::of_line(document, line, document.len()).is_known
    }

    /// Checks whether a line up to another line opens another block behind the scope, or begins another part of the kind of the
    /// scope, and does not count as `known`.
    pub(crate) fn is_left_before(
        self,
        document: &Document,
        line: usize,
        known: impl Fn(usize) -> bool,
    ) -> bool {
        if !self.is_known && !self.is_deep(document) && is_in_row(document, self.line) {
            return false;
        }
        // A comment inside of a block may only point at what follows.
        let is_pointer = !self.is_known && self.is_deep(document) && may_be_comment_at(document, self.line);
        let from = self.block_end;
        let is_end = |line: usize| {
            if is_pointer {
                return has_same_words(document, self.line, line);
            }
            self.is_known && self.is_left_with(document, line) || is_of_kind(document, self.line, line)
        };
        (from..line.min(from + REACH)).any(|line| is_end(line) && !known(line))
    }

    /// Checks whether the scope is a block, or a part of a text behind another part of its kind that begins above a line.
    pub(crate) fn is_part_behind(self, document: &Document, line: usize) -> bool {
        let mut above = line.saturating_sub(REACH)..line;
        self.is_known
            || !self.is_deep(document)
                && !is_in_row(document, self.line)
                && above.any(|line| is_of_kind(document, self.line, line))
    }

    /// Checks whether the line of the scope is indented.
    fn is_deep(self, document: &Document) -> bool {
        indentation_width(document.line(self.line)) > 0
    }

    /// Checks whether lines belong to the scope: the lines do not end before its line, and begin before its end.
    pub(crate) fn holds(self, start: usize, last: usize) -> bool {
        last >= self.line && start < self.end
    }
}

/// Returns the line that opens the block of an attribute: the next line as deep that is not about another.
fn opener_below(document: &Document, line: usize, end: usize) -> Option<usize> {
    let text = |line: usize| String::from_utf8_lossy(document.line(line));
    let first = text(line);
    let is_in_attribute = first.starts_with(char::is_whitespace) && is_in_brackets(first.trim());
    if !is_in_attribute && !is_attribute(first.trim()) {
        return None;
    }
    let is_as_deep =
        |next: &usize| indentation_width(document.line(*next)) == indentation_width(document.line(line));
    let below = (line + 1..end.min(line + REACH)).take_while(is_as_deep);
    below.into_iter().find(|next| !is_about_next(&text(*next)))
}

/// Checks whether two lines are of the same kind, and begin with the same word.
fn is_like(document: &Document, head: usize, line: usize) -> bool {
    fn word(text: &[u8]) -> impl Iterator<Item = u8> {
        let letters = text.iter().copied().skip_while(|byte| !byte.is_ascii_alphanumeric());
        letters.take_while(u8::is_ascii_alphanumeric)
    }
    is_of_kind(document, head, line) && word(document.line(head)).eq(word(document.line(line)))
}

/// Checks whether two lines are as deep, and have the same words, more than three, but for one.
fn has_same_words(document: &Document, one: usize, other: usize) -> bool {
    let (one, other) = (document.line(one), document.line(other));
    let words = |line: &[u8]| String::from_utf8_lossy(line).split_whitespace().map(str::to_owned).collect();
    let (own, others): (Vec<String>, Vec<String>) = (words(one), words(other));
    let differing = own.iter().zip(&others).filter(|(one, other)| one != other).count();
    indentation_width(one) == indentation_width(other)
        && own.len() == others.len()
        && own.len() > 3
        && differing <= 1
}

fn may_be_comment_at(document: &Document, line: usize) -> bool {
    may_be_comment(String::from_utf8_lossy(document.line(line)).trim())
}

/// Checks whether the next line with text is of the same kind as a line: the line is one of a row, and begins no part.
fn is_in_row(document: &Document, head: usize) -> bool {
    next_filled(document, head).is_some_and(|next| is_like(document, head, next))
}

/// Checks whether a line begins a section of a flat text: `[name]`, or a heading between blank lines.
pub(crate) fn begins_section(document: &Document, line: usize) -> bool {
    section_at(document, line).is_some()
}

/// Returns the section that a line begins: `[name]`, or a heading between blank lines; otherwise `None`.
pub(crate) fn section_at(document: &Document, line: usize) -> Option<Section> {
    let text = |line: usize| if line < document.len() { document.line(line) } else { b"" };
    let around = Around { above: line.checked_sub(1).map_or(b"", text), below: text(line + 1) };
    Section::of(document.line(line), around)
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
    let section = section_at(document, line);
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
    let is_free = is_directive(first.text) && (!is_comment(first.text) || is_comment(last.text));
    if is_free || closes(first.text.as_bytes()) || is_label(first.text.as_bytes()) {
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

/// Checks whether a line right behind a line may be as deep as an added line: as deep as the line, the next line, or a line that opens
/// a block around it; or deeper, unless the line ends a block or a statement.
pub(crate) fn fits_depth(document: &Document, line: usize, added: Added<'_>) -> bool {
    let (text, width) = (document.line(line), indentation_width(document.line(line)));
    let next = next_filled(document, line).map(|next| indentation_width(document.line(next)));
    if added.depth > width {
        let brackets = [(b'(', b')'), (b'[', b']'), (b'{', b'}')];
        let has_open_bracket = brackets.iter().any(|(open, close)| is_open(text, *open, *close));
        let is_ended = closes(text) || matches!(text.trim_ascii_end().last(), Some(b';' | b','));
        return next > Some(width) || has_open_bracket || !is_ended;
    }
    let above = (line.saturating_sub(REACH)..=line).rev().map(|line| document.line(line));
    let mut depths = above.filter(|line| !is_blank(line)).map(indentation_width);
    next == Some(added.depth)
        || is_directive(added.text)
        || depths.find(|depth| *depth <= added.depth).is_none_or(|depth| depth == added.depth)
}

/// Checks for a directive of a preprocessor, which may be at the margin in any block, or a comment.
fn is_directive(text: &str) -> bool {
    text.starts_with('#')
}

/// Returns the line behind which a block begins that a line opens: an opening bracket alone on the next line, otherwise
/// the line itself. `added` is the first added line.
pub(crate) fn opener_end(document: &Document, line: usize, added: &str) -> usize {
    let next = next_filled(document, line);
    let bracket = next.filter(|next| is_bracket_of(document, line, *next) && !continues_opener(added));
    bracket.unwrap_or(line)
}

pub(super) fn next_filled(document: &Document, line: usize) -> Option<usize> {
    (line + 1..document.len()).find(|next| !is_blank(document.line(*next)))
}

/// Checks whether a line is an opening bracket alone, as deep as the line that it belongs to.
fn is_bracket_of(document: &Document, line: usize, bracket: usize) -> bool {
    let (text, bracket) = (document.line(line), document.line(bracket));
    !is_finished(text) && is_opening_bracket(bracket) && indentation_width(bracket) == indentation_width(text)
}

/// Checks whether what opens a block goes on in the next line: an opening bracket alone, also behind deeper lines, a
/// `where`, or further parameters.
fn opener_goes_on(document: &Document, line: usize, next: usize) -> bool {
    let (text, behind) = (document.line(line), document.line(next));
    let width = indentation_width(text);
    if indentation_width(behind) <= width {
        return is_bracket_of(document, line, next) || behind.trim_ascii() == b"where";
    }
    if begins_clause(&String::from_utf8_lossy(behind)) {
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

/// Checks whether a line that a header leads to introduces a block of that name: the line opens a block or a section, and
/// the header is not inside a comment, a string, a condition or an argument. A header in another form is the line as a whole.
pub(crate) fn introduces(document: &Document, line: usize, header: &str) -> bool {
    let text = String::from_utf8_lossy(document.line(line));
    let before = text.split_once(header.trim_end_matches('@').trim()).map_or("", |(before, _)| before);
    if section_at(document, line).is_some() {
        return !before.contains(char::is_alphanumeric);
    }
    let before = before.trim();
    let is_argument = before.ends_with(['(', ',']) || before.contains('=') || before.contains(QUOTES);
    (ends_in_opener(&text) || Scope::of_line(document, line, document.len()).is_known)
        && !may_be_comment(before)
        && !is_argument
        && !has_control(before)
}

/// Returns whether a block is behind the line that closes a bracket, if that line follows the deeper lines. Without a
/// block, deeper lines can only be in the bracket.
fn has_block_behind(document: &Document, from: usize, width: usize) -> Option<bool> {
    let mut behind = (from..document.len()).filter(|line| !is_blank(document.line(*line)));
    let end = behind.find(|line| indentation_width(document.line(*line)) <= width)?;
    let (text, next) = (document.line(end).trim_ascii(), behind.next().map(|next| document.line(next)));
    let is_deep = |next: &[u8]| indentation_width(next) > width || is_opening_bracket(next);
    let has_block = opens_body(text) || next.is_some_and(is_deep);
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
            return nth > line && opens_body(text) && indentation_width(text) > width;
        }
    }
    false
}

/// Checks whether a line alone ends the head of a block: an opening bracket, `begin`.
fn ends_head(line: &[u8]) -> bool {
    is_opening_bracket(line) || is_head_end(String::from_utf8_lossy(line).trim())
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

    #[test]
    fn the_lines_of_a_block_may_be_as_deep_as_its_head() {
        assert_eq!(scope("namespace a {\n\nint f()\n{\n    x;\n}\n\n}\n\nint g();\n"), (8, true));
        assert_eq!(scope("#ifdef A\nx\n#if B\ny\n#endif\nz\n#else\nw\n#endif\n"), (6, true));
        assert_eq!(scope("package A;\nx\n\npackage B;\ny\n"), (3, true));
        assert_eq!(scope("/* A */\n\nx\n\n/* B */\n\ny\n"), (4, true));
        assert_eq!(scope("f :: A\n  -> B\nf 0 = 1\nf n\n  | n > 1 = 2\n\ng :: A\ng = 1\n"), (6, true));
        assert_eq!(scope("real :: a\nreal :: b\nc = 1\n"), (3, false));
        assert_eq!(scope("/* A */\nx\n/* B */\ny\n"), (4, false));
    }
}
