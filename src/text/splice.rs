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

/// Returns the document with the replacements applied. What is known of unchanged lines is kept: where the lines start, and
/// their hashes.
pub(crate) fn replaced(document: &Document, replacements: &[Replacement<'_>]) -> Document {
    let next = Document::from(apply_replacements(document, replacements));
    next.made_from(document, &unchanged_runs(document, replacements))
}

/// Returns the unchanged lines that have an ending, ascending, each run with the offset of its first line in the content
/// of the result.
fn unchanged_runs(document: &Document, replacements: &[Replacement<'_>]) -> Vec<(Range<usize>, usize)> {
    let len = document.len();
    let last = len.checked_sub(1).filter(|last| document.ending(*last) == Ending::Missing).unwrap_or(len);
    let mut runs = Vec::with_capacity(replacements.len() + 1);
    let (mut behind, mut offset) = (0, 0);
    for replacement in replacements {
        let run = behind..replacement.start.min(last).max(behind);
        runs.push((run.clone(), offset));
        offset += document.line_start(run.end) - document.line_start(run.start);
        let lines = replacement.lines.iter().enumerate();
        offset += lines
            .map(|(nth, line)| line.len() + ending(document, replacement, nth).as_str().len())
            .sum::<usize>();
        behind = replacement.end().max(behind);
    }
    runs.push((behind..last.max(behind), offset));
    runs
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
        // Only the last line of a document may have no ending.
        self.open =
            lines.end == self.document.len() && self.document.ending(lines.end - 1) == Ending::Missing;
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
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    thread_local! {
        static CALLS: Cell<usize> = const { Cell::new(0) };
    }

    #[test]
    fn unchanged_lines_keep_their_hashes() {
        fn hash(line: &[u8]) -> u64 {
            CALLS.set(CALLS.get() + 1);
            line.len() as u64
        }
        let all = |document: &Document| document.hashes(|| document.lines().map(hash).collect(), hash);
        // A last line without an ending gets one, and is hashed again.
        for (text, hashed) in [("a\nbb\nccc\ndddd\n", 3), ("a\r\nbb\r\nccc\r\ndddd", 4)] {
            let document = Document::from(text);
            let replacements = [
                Replacement { start: 1, removed: 2, lines: vec!["five!".into()] },
                Replacement { start: 4, removed: 0, lines: vec!["sixth!".into(), String::new().into()] },
            ];
            assert_eq!(*all(&replaced(&document, &replacements)), [1, 5, 4, 6, 0], "not hashed");
            assert_eq!(*all(&document), [1, 2, 3, 4]);
            CALLS.set(0);
            let next = replaced(&document, &replacements);
            assert_eq!(next.bytes()[..], apply_replacements(&document, &replacements));
            assert_eq!((&**all(&next), CALLS.get()), (&[1, 5, 4, 6, 0][..], hashed));
        }
    }

    proptest! {
        #[test]
        fn carried_lines_are_those_of_the_new_bytes(
            text in "\u{feff}?(\u{e9}{0,2}[ab]{0,3}\r?\n){0,8}[ab]{0,2}",
            edits in prop::collection::vec((0..3_usize, 0..3_usize, prop::collection::vec("[ab\u{feff}]{0,3}(\nc)?", 0..3)), 0..4),
        ) {
            let document = Document::from(&*text);
            let mut replacements = Vec::new();
            let mut at = 0;
            for (skipped, removed, lines) in edits {
                let start = at + skipped;
                if start + removed > document.len() {
                    break;
                }
                let lines = lines.into_iter().map(Cow::Owned).collect();
                replacements.push(Replacement { start, removed, lines });
                at = start + removed;
            }
            let length = |line: &[u8]| line.len() as u64;
            let all = |document: &Document| document.hashes(|| document.lines().map(length).collect(), length);
            all(&document);
            let _ = document.lines().len();
            let (made, fresh) = (
                replaced(&document, &replacements),
                Document::from(apply_replacements(&document, &replacements)),
            );
            prop_assert_eq!(made.len(), fresh.len());
            prop_assert!((0..=fresh.len()).all(|line| made.line_start(line) == fresh.line_start(line)));
            prop_assert_eq!(all(&made), all(&fresh));
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
