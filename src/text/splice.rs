//! Writes a document with some lines replaced: the `applyReplacements` of seed 002.

use std::borrow::Cow;
use std::io::{self, IoSlice};
use std::ops::Range;

use super::{Document, Encoding, Ending};

/// Lines of a document and the lines that replace them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement<'a> {
    /// The first removed line, 0-based; if no line is removed, the line before which the new lines are inserted.
    pub start: usize,
    /// How many lines go.
    pub removed: usize,
    /// The lines that come, without endings.
    pub lines: Vec<Cow<'a, str>>,
}

impl Replacement<'_> {
    /// Returns the line after the last removed line, 0-based.
    pub fn end(&self) -> usize {
        self.start + self.removed
    }

    /// Returns the replacement with an owned copy of every line.
    pub fn into_owned(self) -> Replacement<'static> {
        let lines = self.lines.into_iter().map(|line| Cow::Owned(line.into_owned())).collect();
        Replacement { start: self.start, removed: self.removed, lines }
    }
}

/// Sorts replacements by position; replacements at the same position keep their order.
pub(crate) fn in_order(replacements: &mut [Replacement<'_>]) {
    replacements.sort_by_key(|replacement| replacement.start);
}

/// Returns the bytes of the document with the replacements applied.
///
/// The seed splices from the back, so that no position shifts before its use. Here the result is written from front to
/// back into a new text, so nothing shifts; the result is the same, and untouched lines are copied unchanged.
/// Replacements must be sorted by position and must not overlap; of two at the same position the earlier in the list
/// comes first.
///
/// The seed ends every file with exactly one newline. Here an untouched last line keeps its ending, and a new last line
/// gets an ending, because bytes that the patch does not name must not change.
///
/// ```
/// use apply_patch::text::{Document, Replacement, apply_replacements};
///
/// let document = Document::from("one\r\ntwo\r\nthree");
/// let two = Replacement { start: 1, removed: 1, lines: vec!["2".into(), "2½".into()] };
/// assert_eq!(apply_replacements(&document, &[two]), "one\r\n2\r\n2½\r\nthree".as_bytes());
/// ```
pub fn apply_replacements(document: &Document, replacements: &[Replacement<'_>]) -> Vec<u8> {
    let added = replacements.iter().flat_map(|r| &r.lines).map(|line| line.len() + 2).sum::<usize>();
    let mut out = Vec::with_capacity(document.bytes().len() + added);
    // Writing to a vector does not fail.
    let _ = write_replaced(document, replacements, &mut out);
    out
}

/// Returns the document with the replacements applied. The hashes of unchanged lines are kept.
pub(crate) fn replaced(document: &Document, replacements: &[Replacement<'_>]) -> Document {
    let next = Document::from(apply_replacements(document, replacements));
    let Some(hashes) = document.known_hashes() else { return next };
    let unchanged = |lines: Range<usize>| hashes.get(lines).unwrap_or_default().iter().copied().map(Some);
    let mut carried: Vec<Option<u64>> = Vec::with_capacity(hashes.len());
    let mut behind = 0;
    for replacement in replacements {
        carried.extend(unchanged(behind..replacement.start));
        carried.extend(replacement.lines.iter().map(|_| None));
        behind = replacement.end();
    }
    carried.extend(unchanged(behind..hashes.len()));
    next.with_hashes(carried)
}

/// Writes the result of [`apply_replacements`]; untouched lines are written as slices of the document.
///
/// # Errors
/// Returns the errors of `out`.
pub fn write_replaced(
    document: &Document,
    replacements: &[Replacement<'_>],
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let waiting = Vec::with_capacity(TOGETHER.min(3 * replacements.len() + 2));
    let mut pieces = Pieces { document, waiting, open: false, out };
    pieces.push(Cow::Borrowed(document.mark()))?;
    let mut next = 0;
    for replacement in replacements {
        if next < replacement.start {
            pieces.keep(next..replacement.start)?;
        }
        for (nth, line) in replacement.lines.iter().enumerate() {
            pieces.close_line(replacement.start)?;
            pieces.add(line, ending(document, replacement, nth))?;
        }
        next = replacement.end().max(next);
    }
    pieces.keep(next..document.len())?;
    pieces.write()
}

/// The pieces of a new text, many of which are written with a single call.
struct Pieces<'d, 'o> {
    document: &'d Document,
    waiting: Vec<Cow<'d, [u8]>>,
    /// Whether the last line so far has no ending.
    open: bool,
    out: &'o mut dyn io::Write,
}

/// How many pieces are collected before a write.
const TOGETHER: usize = 256;

impl<'d> Pieces<'d, '_> {
    /// Appends lines unchanged.
    fn keep(&mut self, lines: Range<usize>) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.close_line(lines.start)?;
        self.open = self.document.ending(lines.end - 1) == Ending::Missing;
        self.push(Cow::Borrowed(self.document.source(lines)))
    }

    /// Takes a line that is new.
    fn add(&mut self, line: &'d str, ending: Ending) -> io::Result<()> {
        self.open = false;
        self.push(self.encoded(line))?;
        self.push(self.encoded(ending.as_str()))
    }

    fn encoded(&self, text: &'d str) -> Cow<'d, [u8]> {
        if self.document.encoding() == Encoding::Utf8 {
            return Cow::Borrowed(text.as_bytes());
        }
        let mut bytes = Vec::new();
        self.document.encode(text, &mut bytes);
        Cow::Owned(bytes)
    }

    /// Ends a line that was the last of the file and is no longer.
    fn close_line(&mut self, place: usize) -> io::Result<()> {
        if self.open { self.add("", self.document.ending_beside(place)) } else { Ok(()) }
    }

    fn push(&mut self, piece: Cow<'d, [u8]>) -> io::Result<()> {
        self.waiting.push(piece);
        if self.waiting.len() < TOGETHER { Ok(()) } else { self.write() }
    }

    /// Writes what waits.
    fn write(&mut self) -> io::Result<()> {
        let mut slices: Vec<IoSlice<'_>> = self.waiting.iter().map(|piece| IoSlice::new(piece)).collect();
        let mut rest = &mut *slices;
        // Skips empty slices at the beginning: a write of zero bytes would look like a full disk.
        IoSlice::advance_slices(&mut rest, 0);
        while !rest.is_empty() {
            match self.out.write_vectored(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => IoSlice::advance_slices(&mut rest, count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.waiting.clear();
        Ok(())
    }
}

/// Returns the ending of a new line: that of the line at the same index of the removed lines, or of the neighbouring
/// line.
fn ending(document: &Document, replacement: &Replacement<'_>, nth: usize) -> Ending {
    let replaced = (nth < replacement.removed).then(|| document.ending(replacement.start + nth));
    replaced
        .filter(|ending| *ending != Ending::Missing)
        .unwrap_or_else(|| document.ending_beside(replacement.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_lines_keep_their_hashes() {
        let length = &mut |line: &[u8]| line.len() as u64;
        for text in ["a\nbb\nccc\ndddd\n", "a\r\nbb\r\nccc\r\ndddd"] {
            let document = Document::from(text);
            let replacements = [
                Replacement { start: 1, removed: 2, lines: vec!["five!".into()] },
                Replacement { start: 4, removed: 0, lines: vec!["sixth!".into(), String::new().into()] },
            ];
            assert_eq!(replaced(&document, &replacements).hashes(length), [1, 5, 4, 6, 0], "not hashed");
            assert_eq!(document.hashes(length), [1, 2, 3, 4]);
            let next = replaced(&document, &replacements);
            assert_eq!(next.bytes()[..], apply_replacements(&document, &replacements));
            let mut calls = 0;
            let hashes = next.hashes(&mut |line| {
                calls += 1;
                line.len() as u64
            });
            assert_eq!((hashes, calls), (vec![1, 5, 4, 6, 0], 3));
        }
    }

    #[test]
    fn a_last_line_without_newline_stays_so_unless_it_is_written() {
        let document = Document::from("a\nb");
        let first = Replacement { start: 0, removed: 1, lines: vec!["A".into()] };
        assert_eq!(apply_replacements(&document, &[first]), b"A\nb");
        let last = Replacement { start: 1, removed: 1, lines: vec!["B".into()] };
        assert_eq!(apply_replacements(&document, &[last]), b"a\nB\n");
        let behind = Replacement { start: 2, removed: 0, lines: vec!["c".into()] };
        assert_eq!(apply_replacements(&document, &[behind]), b"a\nb\nc\n");
        let gone = Replacement { start: 1, removed: 1, lines: vec![] };
        assert_eq!(apply_replacements(&document, &[gone]), b"a\n");
    }
}
