//! Where the `@@` headers of a chunk lead.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case};
use nom::character::complete::{digit1, space0, space1};
use nom::combinator::opt;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

use super::index::{Index, is_word_byte};
use super::named_block::{Likeness, NamedBlock, is_name};
use super::scope::Scope;
use crate::locate::Level;
use crate::locate::align::line_text::LineText;
use crate::locate::align::words::{has_slip, only_replaced_word};
use crate::text::Fold;

/// The lines that a unified diff names: `@@ -12,7 +12,9 @@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineHint {
    /// The first old line, 1-based.
    pub(crate) line: usize,
    /// The first new line, 1-based.
    pub(crate) new: usize,
}

impl LineHint {
    /// Checks whether the quote is to begin at a line of the file, 0-based.
    pub(crate) fn is_of_quote(self, line: usize) -> bool {
        self.line == line + 1
    }

    /// Returns how many lines below the number of the quote a line of the file is, 0-based.
    pub(crate) fn offset_of(self, line: usize) -> isize {
        (line + 1).cast_signed().saturating_sub(self.line.cast_signed())
    }

    /// Checks whether the result is to begin at a line of the file, 0-based: where the old or the new lines begin.
    pub(crate) fn is_of_result(self, line: usize) -> bool {
        self.is_of_quote(line) || self.new == line + 1
    }
}

/// Parses a header: a line of the file, numbers, or both.
pub(crate) fn read(header: &str) -> (Option<LineHint>, &str) {
    match unified(header) {
        Ok((heading, (line, new))) => {
            let hint = line.parse().ok().zip(new.parse().ok());
            (hint.map(|(line, new)| LineHint { line, new }), heading.trim())
        }
        Err(_) if header.chars().all(|c| matches!(c, '@' | '.' | '…' | ' ')) => (None, ""),
        Err(_) => (None, behind_no_numbers(header).unwrap_or(header)),
    }
}

/// Returns the header behind dots, or nothing, in place of the numbers of a unified diff: `... @@ fn main() {`, `@@ fn main() {`.
/// `@@count = 0` is a line of Ruby.
fn behind_no_numbers(header: &str) -> Option<&str> {
    let marker = header.trim_start_matches(['.', '…', ' ']);
    let sign = if marker.len() < header.len() { "@@" } else { "@@ " };
    marker.strip_prefix(sign).map(str::trim)
}

/// Checks whether a header has the line numbers of a unified diff.
pub(crate) fn has_numbers(header: &str) -> bool {
    read(header).0.is_some()
}

/// Parses the numbers of a unified diff, with or without the `@@` behind. Returns the first old and the first new line.
fn unified(header: &str) -> IResult<&str, (&str, &str)> {
    let (input, _) = opt(space1).parse(header)?;
    let (input, line) = preceded(tag("-"), counted).parse(input)?;
    let (input, new) = preceded((space1, tag("+")), counted).parse(input)?;
    let (input, _) = (space1, tag("@@")).parse(input)?;
    Ok((input, (line, new)))
}

/// Parses a line number and the number of lines: `12,7`. Returns the line number.
fn counted(input: &str) -> IResult<&str, &str> {
    terminated(digit1, opt(preceded(tag(","), digit1))).parse(input)
}

/// Reads a header that is nothing but line numbers: `line 12`, `lines 12-18`, `L12`, `12,7`. A line of the file may read so, too.
fn only_numbers(header: &str) -> Option<LineHint> {
    let word = alt((tag_no_case("lines"), tag_no_case("line"), tag_no_case("l")));
    let last = (alt((tag("-"), tag(","), tag(":"))), opt(tag_no_case("l")), digit1);
    let numbers: IResult<&str, &str> =
        delimited((opt(word), space0), digit1, (opt(last), space0, opt(tag("@@")))).parse(header.trim());
    let (_, line) = numbers.ok().filter(|(rest, _)| rest.is_empty())?;
    let line = line.parse().ok()?;
    Some(LineHint { line, new: line })
}

/// How a header matches a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum HeaderMatch {
    /// The header is the line, apart from whitespace and look-alikes.
    Whole,
    /// The header is the beginning of the only line that begins so: `fn main` of `fn main() {`.
    Beginning,
    /// The header is the beginning of several lines, a part of the line, or the line with a misspelt word.
    Part,
}

impl HeaderMatch {
    /// Checks whether the header names lines: as a whole, or as the beginning of a single line.
    pub(crate) fn names_line(self) -> bool {
        self != HeaderMatch::Part
    }
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

    /// Returns the block that the innermost header names, if the header is the line of one block.
    pub(crate) fn named_block(&self) -> Option<Scope> {
        let (_, how) = self.found.last()?;
        let mut scopes = self.scopes.iter().flatten();
        let (only, None) = (*scopes.next()?, scopes.next()) else { return None };
        (how.names_line() && self.missing.is_empty() && only.is_known).then_some(only)
    }

    /// Checks whether both chunks have headers, and these are different texts.
    pub(crate) fn are_other_than(&self, other: &Headers) -> bool {
        let (mut own, mut others) = (self.texts().peekable(), other.texts().peekable());
        own.peek().is_some() && others.peek().is_some() && own.ne(others)
    }

    /// Checks whether both chunks have the same headers.
    pub(crate) fn are_same_as(&self, other: &Headers) -> bool {
        self.texts().eq(other.texts())
    }

    /// Returns the headers: those that were found, then those that were not.
    fn texts(&self) -> impl Iterator<Item = &String> {
        self.found.iter().map(|(header, _)| header).chain(&self.missing)
    }

    /// Checks whether headers or line numbers lead to lines.
    pub(crate) fn lead_to(&self, lines: &Range<usize>) -> bool {
        let is_numbered = self.hint.is_some_and(|hint| hint.is_of_quote(lines.start));
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
                Some((mut scopes, how)) => {
                    // A heading of many lines leads nowhere in particular.
                    if hint.is_some() && scopes.len() <= MOST_NAMED {
                        for scope in &mut scopes {
                            *scope = scope.up_to_next_item(index.document());
                        }
                    }
                    followed.found.push((text.to_owned(), how));
                    followed.outer.extend(followed.scopes.replace(scopes));
                }
                None => match only_numbers(text) {
                    Some(hint) => followed.hint = followed.hint.or(Some(hint)),
                    None => followed.missing.push(text.to_owned()),
                },
            }
        }
        followed
    }

    /// Checks whether each header that was found names lines.
    pub(crate) fn name_lines(&self) -> bool {
        self.found.iter().all(|(_, how)| how.names_line())
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
        let as_written = [Some(header), bare].into_iter().flatten().find_map(|text| {
            let whole = self.whole(text, from).map(|scopes| (scopes, HeaderMatch::Whole));
            whole.or_else(|| self.part(text, from))
        });
        let text = bare.unwrap_or(header).trim();
        let names_block = |scopes: &[Scope]| !is_name(text) || scopes.iter().all(|scope| scope.is_known);
        match as_written {
            Some((_, HeaderMatch::Whole)) => as_written,
            Some((scopes, how)) if how.names_line() && names_block(&scopes) => Some((scopes, how)),
            _ => self.in_other_form(text, from).or_else(|| {
                let may_be_part =
                    || !is_name(text) || !self.opened_by(&NamedBlock::read(text), from).is_empty();
                as_written.filter(|(_, how)| how.names_line() || may_be_part())
            }),
        }
    }

    /// Returns the scope of the only line that is a header with the other quotation marks or other white space, or that opens a block
    /// of the name of the header and has all words of the header, apart from parameters, type parameters and base classes. A name may
    /// be qualified: `Store.open` is `open` in the block of `Store`. A header with a misspelt word does not contradict a position
    /// elsewhere.
    fn in_other_form(&self, header: &str, from: Option<&[Scope]>) -> Option<(Vec<Scope>, HeaderMatch)> {
        if self.level < Level::Guarded || !self.index.take_search_budget() {
            return None;
        }
        let only = |scopes: Vec<Scope>| (scopes.len() == 1).then_some((scopes, HeaderMatch::Beginning));
        let spaced = || only(self.otherwise_spaced(header, from));
        let quoted = other_quotes(header).and_then(|text| self.whole(&text, from)).and_then(only);
        let named = || only(self.opened_by(&NamedBlock::read(header), from));
        let qualified = || {
            let [outer, own] = NamedBlock::read_qualified(header)?;
            only(self.opened_by(&own, Some(&self.opened_by(&outer, from))))
        };
        let misspelt = || only(self.misspelt(header, from)).map(|(scopes, _)| (scopes, HeaderMatch::Part));
        spaced().or(quoted).or_else(named).or_else(qualified).or_else(misspelt)
    }

    /// Returns the scopes of the lines that a header is, apart from white space between its words and signs.
    fn otherwise_spaced(&self, header: &str, from: Option<&[Scope]>) -> Vec<Scope> {
        let document = self.index.document();
        let quoted = LineText::new(header);
        let lines = self.index.line_places(Fold::Skeleton, header);
        let lines = lines.iter().take(MOST_LINES).map(|line| *line as usize).filter(|line| {
            let text = String::from_utf8_lossy(document.line(*line));
            LineText::new(&*text).tokens().eq(quoted.tokens())
        });
        self.inside(&lines.collect::<Vec<_>>(), from)
    }

    /// Returns the scopes of the lines that a header is but for a word that is misspelt beyond doubt. A word that the document has is
    /// another word.
    fn misspelt(&self, header: &str, from: Option<&[Scope]>) -> Vec<Scope> {
        let header = header.trim();
        let document = self.index.document();
        let quoted = LineText::new(header);
        let is_misspelt = |line: &usize| {
            let text = document.line(*line).trim_ascii();
            // To compare bytes takes less time than to compare words.
            if !differ_in_few_bytes(header.as_bytes(), text) {
                return false;
            }
            let text = String::from_utf8_lossy(text);
            let actual = LineText::new(&*text);
            let pair = only_replaced_word(&quoted, &actual);
            has_slip(&quoted, &actual) && pair.is_some_and(|pair| !self.index.knows(&pair))
        };
        let lines: Vec<usize> = (0..document.len()).filter(is_misspelt).take(MOST_LINES).collect();
        self.inside(&lines, from)
    }

    /// Returns the scopes of the lines that open a block and are most like the line that opens the block that a header names.
    fn opened_by(&self, block: &NamedBlock<'_>, from: Option<&[Scope]>) -> Vec<Scope> {
        let Some(name) = block.name() else { return Vec::new() };
        let document = self.index.document();
        let likeness = |line: usize| block.likeness(&String::from_utf8_lossy(document.line(line)));
        let (_, lines) = self.lines_with(name);
        let alike: Vec<(usize, Likeness)> =
            lines.into_iter().filter_map(|line| Some((line, likeness(line)?))).collect();
        let scopes_of = |likeness: Likeness| {
            let lines: Vec<usize> =
                alike.iter().filter(|alike| alike.1 == likeness).map(|alike| alike.0).collect();
            let mut scopes = self.inside(&lines, from);
            scopes.retain(|scope| scope.is_known);
            scopes
        };
        let descending = [Likeness::Same, Likeness::SameParameters, Likeness::Unsure, Likeness::Akin];
        let mut scopes = descending.into_iter().map(|likeness| (likeness, scopes_of(likeness)));
        match scopes.find(|(_, scopes)| !scopes.is_empty()) {
            Some((Likeness::Unsure, _)) | None => Vec::new(),
            Some((_, scopes)) => scopes,
        }
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

    /// Returns the lines that begin with the header, or otherwise the lines that contain the header. Names are not cut.
    fn part(&self, header: &str, from: Option<&[Scope]>) -> Option<(Vec<Scope>, HeaderMatch)> {
        let header = header.trim();
        if self.level == Level::Exact || header.len() < SHORTEST_PART || !self.index.take_search_budget() {
            return None;
        }
        let (begins, holds) = self.lines_with(header);
        let begins = self.inside(&begins, from);
        match begins.len() {
            0 => {
                Some((self.inside(&holds, from), HeaderMatch::Part)).filter(|(scopes, _)| !scopes.is_empty())
            }
            1 => Some((begins, HeaderMatch::Beginning)),
            _ => Some((begins, HeaderMatch::Part)),
        }
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
            if cuts_name(content, found, found + text.len()) || holds.last() == Some(&line) {
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

/// Checks whether two texts are equal but for a few bytes in a row: those of a slip.
fn differ_in_few_bytes(one: &[u8], other: &[u8]) -> bool {
    const MOST_BYTES: usize = 8;
    let shortest = one.len().min(other.len());
    if one.len().max(other.len()) - shortest > MOST_BYTES {
        return false;
    }
    let equal = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let ends = one[equal..].iter().rev().zip(other[equal..].iter().rev());
    let equal_end = ends.take_while(|(one, other)| one == other).count();
    shortest - equal - equal_end <= MOST_BYTES
}

/// Returns a header with double quotation marks for single ones, or the other way round; `None` if it has both or none.
fn other_quotes(header: &str) -> Option<String> {
    match (header.contains('"'), header.contains('\'')) {
        (true, false) => Some(header.replace('"', "'")),
        (false, true) => Some(header.replace('\'', "\"")),
        _ => None,
    }
}

/// Checks whether a range of bytes begins or ends inside a name.
fn cuts_name(content: &[u8], start: usize, end: usize) -> bool {
    is_inside_name(content, start) || is_inside_name(content, end)
}

/// Checks whether the bytes on both sides of an offset belong to a name. Many languages join the words of a name with
/// hyphens, so a hyphen or two between words do not end a name: `save-all` is not `save`.
fn is_inside_name(content: &[u8], at: usize) -> bool {
    const MOST_HYPHENS: usize = 2;
    let (before, behind) = content.split_at(at);
    let is_word = |byte: &u8| is_word_byte(*byte);
    let hyphens_before = before.iter().rev().take(MOST_HYPHENS).take_while(|byte| **byte == b'-').count();
    let hyphens_behind = behind.iter().take(MOST_HYPHENS).take_while(|byte| **byte == b'-').count();
    before.iter().rev().nth(hyphens_before).is_some_and(is_word)
        && behind.get(hyphens_behind).is_some_and(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unified_numbers_are_a_hint_and_their_heading_a_header() {
        assert_eq!(read("-12,7 +12,9 @@ fn main() {"), (Some(LineHint { line: 12, new: 12 }), "fn main() {"));
        assert_eq!(read("-1 +1 @@"), (Some(LineHint { line: 1, new: 1 }), ""));
        assert_eq!(read("... @@"), (None, ""));
        assert_eq!(read("... @@ fn main() {"), (None, "fn main() {"));
        assert_eq!(read("@@ fn main() {"), (None, "fn main() {"));
        assert_eq!(read("@@count = 0"), (None, "@@count = 0"));
        assert_eq!(read("-1 is less"), (None, "-1 is less"));
    }
}
