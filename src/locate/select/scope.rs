//! Where the `@@` headers of a chunk stand.

use std::borrow::Cow;

use memchr::memmem;
use nom::bytes::complete::tag;
use nom::character::complete::{digit1, space1};
use nom::combinator::opt;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::locate::Level;
use crate::locate::outcome::Drift;
use crate::locate::search::Index;
use crate::text::{Document, is_blank};

/// The old lines that a unified diff names: `@@ -12,7 +12,9 @@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineHint {
    /// The first old line, 1-based.
    pub(crate) line: usize,
}

/// What a header says: a line of the file, numbers, or both.
pub(crate) fn read(header: &str) -> (Option<LineHint>, &str) {
    match unified(header) {
        Ok((heading, line)) => (line.parse().ok().map(|line| LineHint { line }), heading.trim()),
        Err(_) if header.chars().all(|c| matches!(c, '@' | '.' | '…' | ' ')) => (None, ""),
        Err(_) => (None, header),
    }
}

/// The numbers of a unified diff, with or without the `@@` behind them.
fn unified(header: &str) -> IResult<&str, &str> {
    let counted = |input| -> IResult<&str, &str> {
        let (input, line) = digit1(input)?;
        let (input, _) = opt(preceded(tag(","), digit1)).parse(input)?;
        Ok((input, line))
    };
    let (input, _) = opt(space1).parse(header)?;
    let (input, line) = preceded(tag("-"), counted).parse(input)?;
    let (input, _) = (space1, tag("+"), counted, space1, tag("@@")).parse(input)?;
    Ok((input, line))
}

/// Where something belongs that a line introduces: behind the line, and before the end of what it introduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The line, 0-based.
    pub(crate) line: usize,
    /// The line before which the scope ends, 0-based.
    pub(crate) end: usize,
    /// The line before which the scope around it ends, 0-based.
    pub(crate) outer_end: usize,
}

impl Scope {
    /// What a header introduces. If the lines under it are deeper than it is, the scope ends with them: at the
    /// next line as far left as the header, or farther, that does not go on with the same thing.
    fn of_header(document: &Document, line: usize, outer_end: usize) -> Self {
        let width = |line: usize| indentation_width(document.line(line));
        let mut behind = (line + 1..outer_end).filter(|line| !is_blank(document.line(*line)));
        let deeper = behind.next().is_some_and(|next| width(next) > width(line));
        let ends = |next: &usize| width(*next) <= width(line) && !goes_on(document.line(*next));
        let end = if deeper { behind.find(ends).unwrap_or(outer_end) } else { outer_end };
        Scope { line, end, outer_end }
    }

    /// The same, to the end of the scope around it.
    pub(crate) fn widened(self) -> Self {
        Scope { end: self.outer_end, ..self }
    }

    /// Whether a place belongs here: it does not end before the line, and begins before the end.
    pub(crate) fn holds(self, start: usize, last: usize) -> bool {
        last >= self.line && start < self.end
    }
}

fn indentation_width(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

/// Whether a line goes on with what is open rather than beginning something: a bracket, an `else`, a comment.
fn goes_on(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let word = line.split(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
    let words: [&[u8]; 9] =
        [b"end", b"else", b"elif", b"elsif", b"except", b"finally", b"catch", b"fi", b"done"];
    line.starts_with(b"#")
        || matches!(line.first(), Some(b'{' | b'}' | b'(' | b')' | b'[' | b']'))
        || words.contains(&word)
}

/// The lines that an edit's headers lead to.
#[derive(Debug, Default)]
pub(crate) struct HeaderPlaces {
    /// Where the innermost header that was found leads to, ascending. `None`: nothing narrows the place.
    pub(crate) scopes: Option<Vec<Scope>>,
    /// The headers that were not found, and those found only in part.
    pub(crate) drift: Vec<Drift>,
    /// The numbers of a unified diff.
    pub(crate) hint: Option<LineHint>,
}

impl HeaderPlaces {
    /// Whether a header was not found.
    pub(crate) fn missing(&self) -> bool {
        self.drift.iter().any(|drift| matches!(drift, Drift::HeaderMissing { .. }))
    }
}

/// Follows the headers inwards, each found in the scope of the one before it; the first is sought in `from`,
/// `None` for the whole document.
pub(crate) fn follow(
    index: &Index,
    headers: &[Cow<'_, str>],
    from: Option<Vec<Scope>>,
    level: Level,
) -> HeaderPlaces {
    let mut places = HeaderPlaces { scopes: from, ..HeaderPlaces::default() };
    for header in headers {
        let (hint, text) = read(header);
        places.hint = places.hint.or(hint);
        if text.trim().is_empty() {
            continue;
        }
        let search = Search { index, level };
        match search.within(text, places.scopes.as_deref()) {
            Some((scopes, loose)) => {
                if loose && let [Scope { line, .. }] = scopes[..] {
                    places.drift.push(Drift::HeaderInPart { header: text.to_owned(), line });
                }
                places.scopes = Some(scopes);
            }
            None => places.drift.push(Drift::HeaderMissing { header: text.to_owned() }),
        }
    }
    places
}

/// A header that stands at more lines than this narrows nothing, and is taken as not found: following every
/// one of them is what a hostile patch would want.
const EVERYWHERE: usize = 1000;

struct Search<'i> {
    index: &'i Index,
    level: Level,
}

impl Search<'_> {
    /// The scopes of the first lines in each of `from` that match the header, in the tightest way in which any
    /// does; and whether they match in part only.
    fn within(&self, header: &str, from: Option<&[Scope]>) -> Option<(Vec<Scope>, bool)> {
        let bare = header.trim_end().strip_suffix("@@").map(str::trim_end).filter(|bare| !bare.is_empty());
        [Some(header), bare].into_iter().flatten().find_map(|text| {
            self.whole(text, from)
                .map(|lines| (lines, false))
                .or_else(|| self.part(text, from).map(|lines| (lines, true)))
        })
    }

    fn whole(&self, header: &str, from: Option<&[Scope]>) -> Option<Vec<Scope>> {
        // Lines of one skeleton may be different ones.
        let tiers = self.level.min(Level::Whitespace).tiers();
        tiers.iter().find_map(|tier| {
            let lines = self.index.line_places(tier.fold(), header);
            let most = if lines.len() > EVERYWHERE { 0 } else { lines.len() };
            let lines: Vec<usize> = lines.iter().take(most).map(|line| *line as usize).collect();
            Some(self.first_in(&lines, from)).filter(|scopes| !scopes.is_empty())
        })
    }

    /// The one line that begins with the header, or else the one that holds it.
    fn part(&self, header: &str, from: Option<&[Scope]>) -> Option<Vec<Scope>> {
        let header = header.trim();
        if self.level == Level::Exact || header.len() < 3 || !self.index.spend() {
            return None;
        }
        let (begins, holds) = self.lines_with(header);
        [begins, holds].into_iter().find_map(|lines| match self.first_in(&lines, from)[..] {
            [scope] if lines.len() == 1 => Some(vec![scope]),
            _ => None,
        })
    }

    /// For each outer scope that of the first line in it; the outer one's own line is behind.
    fn first_in(&self, lines: &[usize], from: Option<&[Scope]>) -> Vec<Scope> {
        let document = self.index.document();
        let Some(from) = from else {
            return lines.iter().map(|line| Scope::of_header(document, *line, document.len())).collect();
        };
        let first = |outer: &Scope| {
            let line = *lines.get(lines.partition_point(|line| *line <= outer.line))?;
            (line < outer.end).then(|| Scope::of_header(document, line, outer.end))
        };
        let mut found: Vec<Scope> = from.iter().filter_map(first).collect();
        found.dedup();
        found
    }

    /// The lines that begin with a text, and all that hold it; words are not cut.
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
        }
        (begins, holds)
    }
}

/// Whether a range of bytes begins or ends inside a word.
fn cuts_word(content: &[u8], start: usize, end: usize) -> bool {
    let word =
        |at: usize| content.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80);
    let before = start > 0 && word(start - 1) && word(start);
    before || (word(end - 1) && word(end))
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
}
