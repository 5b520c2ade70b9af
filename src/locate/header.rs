//! Where the `@@` headers of a chunk stand.

use std::borrow::Cow;

use memchr::memmem;
use nom::bytes::complete::tag;
use nom::character::complete::{digit1, space1};
use nom::combinator::opt;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::Level;
use super::drift::Drift;
use super::index::Index;

/// The old lines that a unified diff names: `@@ -12,7 +12,9 @@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineHint {
    /// The first old line, 1-based.
    pub(super) line: usize,
}

/// What a header says: a line of the file, numbers, or both.
pub(super) fn read(header: &str) -> (Option<LineHint>, &str) {
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

/// The lines that an edit's headers lead to.
#[derive(Debug, Default)]
pub(super) struct HeaderPlaces {
    /// Lines of the innermost header that was found, 0-based, ascending. `None`: nothing narrows the place.
    pub(super) lines: Option<Vec<usize>>,
    /// The headers that were not found, and those found only in part.
    pub(super) drift: Vec<Drift>,
    /// The numbers of a unified diff.
    pub(super) hint: Option<LineHint>,
}

impl HeaderPlaces {
    /// Whether a header was not found.
    pub(super) fn missing(&self) -> bool {
        self.drift.iter().any(|drift| matches!(drift, Drift::HeaderMissing { .. }))
    }
}

/// Follows the headers inwards, each found after the one before it; `from` are the lines from which the first
/// is sought, `None` for the whole document.
pub(super) fn follow(
    index: &Index,
    headers: &[Cow<'_, str>],
    from: Option<Vec<usize>>,
    level: Level,
) -> HeaderPlaces {
    let mut places = HeaderPlaces { lines: from, ..HeaderPlaces::default() };
    for header in headers {
        let (hint, text) = read(header);
        places.hint = places.hint.or(hint);
        if text.trim().is_empty() {
            continue;
        }
        let search = Search { index, level };
        match search.after(text, places.lines.as_deref()) {
            Some((lines, loose)) => {
                if loose && let [line] = lines[..] {
                    places.drift.push(Drift::HeaderInPart { header: text.to_owned(), line });
                }
                places.lines = Some(lines);
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
    /// The first lines after each of `from` that match the header, in the tightest way in which any does;
    /// and whether they match in part only.
    fn after(&self, header: &str, from: Option<&[usize]>) -> Option<(Vec<usize>, bool)> {
        let bare = header.trim_end().strip_suffix("@@").map(str::trim_end).filter(|bare| !bare.is_empty());
        [Some(header), bare].into_iter().flatten().find_map(|text| {
            self.whole(text, from)
                .map(|lines| (lines, false))
                .or_else(|| self.part(text, from).map(|lines| (lines, true)))
        })
    }

    fn whole(&self, header: &str, from: Option<&[usize]>) -> Option<Vec<usize>> {
        self.level.tiers().iter().find_map(|tier| {
            let lines = self.index.line_places(tier.fold(), header);
            let lines = if lines.len() > EVERYWHERE { &[] } else { lines };
            let lines: Vec<usize> = lines.iter().map(|line| *line as usize).collect();
            Some(first_after(&lines, from)).filter(|lines| !lines.is_empty())
        })
    }

    /// The one line that begins with the header, or else the one that holds it.
    fn part(&self, header: &str, from: Option<&[usize]>) -> Option<Vec<usize>> {
        let header = header.trim();
        if self.level == Level::Exact || header.len() < 3 || !self.index.spend() {
            return None;
        }
        let (begins, holds) = self.lines_with(header);
        [begins, holds].into_iter().find_map(|lines| match first_after(&lines, from)[..] {
            [line] if lines.len() == 1 => Some(vec![line]),
            _ => None,
        })
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

/// For each start the first line at or after it (the first start is a header's own line: it is behind it that
/// the next one comes).
fn first_after(lines: &[usize], from: Option<&[usize]>) -> Vec<usize> {
    let Some(from) = from else { return lines.to_vec() };
    let mut found: Vec<usize> = from
        .iter()
        .filter_map(|start| lines.get(lines.partition_point(|line| line <= start)).copied())
        .collect();
    found.dedup();
    found
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
