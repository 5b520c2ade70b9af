//! Lines that give way to others: the `computeReplacements` and `applyReplacements` of seed 002.

use std::borrow::Cow;
use std::io::{self, IoSlice};
use std::ops::Range;

use thiserror::Error;

use super::seek_sequence;
use crate::patch::{Chunk, Header};
use crate::text::{Document, Encoding, Ending};

/// Lines of a document that give way to new ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement<'a> {
    /// The first line that goes, 0-based; where none goes, the line before which the new ones come.
    pub start: usize,
    /// How many lines go.
    pub removed: usize,
    /// The lines that come, without endings.
    pub lines: Vec<Cow<'a, str>>,
}

impl Replacement<'_> {
    /// The line after the last one that goes, 0-based.
    pub fn end(&self) -> usize {
        self.start + self.removed
    }

    /// The same, with its own copy of every line.
    pub fn into_owned(self) -> Replacement<'static> {
        let lines = self.lines.into_iter().map(|line| Cow::Owned(line.into_owned())).collect();
        Replacement { start: self.start, removed: self.removed, lines }
    }
}

/// Why [`compute_replacements`] gives up at a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SeekError {
    /// The `@@` header does not stand at or after the cursor.
    #[error("failed to find context `{header}`")]
    Context {
        /// The chunk's place in the list, 0-based.
        chunk: usize,
        /// The header's text.
        header: String,
    },
    /// The old lines do not stand at or after the cursor.
    #[error("failed to find the expected lines of chunk {chunk}")]
    Lines {
        /// The chunk's place in the list, 0-based.
        chunk: usize,
    },
}

/// Finds each chunk in turn, the way seed 002 does it.
///
/// A cursor moves forward only: past each header, then past each chunk. A chunk without old lines is put at
/// the end, before an empty last line. Where the old lines are not found and the last of them is empty, they
/// are sought without it. The result is sorted by place.
///
/// This is the origin, kept to the letter for comparison; it takes the first match and does not ask whether it
/// is the only one. What the tool does is [`place`](super::place).
///
/// `lines` are the document's lines without the empty string behind a final newline, as the seed drops it.
///
/// # Errors
/// The first header or chunk that is not found.
///
/// ```
/// use apply_patch::format::{Options, parse};
/// use apply_patch::locate::compute_replacements;
/// use apply_patch::patch::Action;
///
/// let text = "*** Begin Patch\n*** Update File: a\n@@\n one\n-two\n+2\n*** End Patch\n";
/// let parsed = parse(text, &Options::default());
/// let Action::Update { chunks, .. } = &parsed.patch.hunks[0].action else { unreachable!() };
/// let replacements = compute_replacements(&["zero", "one", "two"], chunks).unwrap();
/// assert_eq!((replacements[0].start, replacements[0].removed), (1, 2));
/// assert_eq!(replacements[0].lines, ["one", "2"]);
/// ```
pub fn compute_replacements<'p>(
    lines: &[&str],
    chunks: &'p [Chunk<'_>],
) -> Result<Vec<Replacement<'p>>, SeekError> {
    let mut replacements = Vec::with_capacity(chunks.len());
    let mut cursor = 0;
    for (index, chunk) in chunks.iter().enumerate() {
        cursor =
            chunk.headers.iter().try_fold(cursor, |from, header| seek_header(lines, header, from, index))?;
        let mut old: Vec<&str> = chunk.old_lines().map(|line| &*line.text).collect();
        let mut new: Vec<&str> = chunk.new_lines().map(|line| &*line.text).collect();
        if old.is_empty() {
            let start = lines.len() - usize::from(lines.last().is_some_and(|last| last.is_empty()));
            replacements.push(replacement(start, 0, &new));
            continue;
        }
        let mut found = seek_sequence(lines, &old, cursor);
        if found.is_none() && old.last().is_some_and(|last| last.is_empty()) {
            old.pop();
            new.pop_if(|last| last.is_empty());
            found = seek_sequence(lines, &old, cursor);
        }
        let start = found.ok_or(SeekError::Lines { chunk: index })?;
        cursor = start + old.len();
        replacements.push(replacement(start, old.len(), &new));
    }
    in_order(&mut replacements);
    Ok(replacements)
}

/// Sorts replacements by place; of two at one place the earlier in the list stays the first.
pub(crate) fn in_order(replacements: &mut [Replacement<'_>]) {
    replacements.sort_by_key(|replacement| replacement.start);
}

/// The line after the header's.
fn seek_header(lines: &[&str], header: &Header<'_>, from: usize, chunk: usize) -> Result<usize, SeekError> {
    seek_sequence(lines, &[&*header.text], from)
        .map(|found| found + 1)
        .ok_or_else(|| SeekError::Context { chunk, header: header.text.to_string() })
}

fn replacement<'p>(start: usize, removed: usize, lines: &[&'p str]) -> Replacement<'p> {
    Replacement { start, removed, lines: lines.iter().map(|line| Cow::Borrowed(*line)).collect() }
}

/// The document's bytes with the replacements made.
///
/// The seed splices from the back, so that no place shifts before it is used. Written out to a new text, from
/// the front, nothing shifts at all; the result is the same, and what no replacement touches is copied as it
/// stood. Replacements have to be sorted by place and must not overlap; of two at one place the earlier in
/// the list comes first.
///
/// The seed ends every file with exactly one newline. Here a last line that was not touched keeps its end as
/// it was, and a last line that is new gets one (DESIGN: nothing that the patch does not name changes).
///
/// ```
/// use apply_patch::locate::{Replacement, apply_replacements};
/// use apply_patch::text::Document;
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

/// Writes what [`apply_replacements`] gives; untouched lines are written as slices of what was read.
///
/// # Errors
/// Those of `out`.
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

/// The pieces of a new text, many of which are written in one call.
struct Pieces<'d, 'o> {
    document: &'d Document,
    waiting: Vec<Cow<'d, [u8]>>,
    /// Whether the last line so far has no ending.
    open: bool,
    out: &'o mut dyn io::Write,
}

/// How many pieces wait until they are written.
const TOGETHER: usize = 256;

impl<'d> Pieces<'d, '_> {
    /// Takes lines as they are.
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
        // Passes over what is empty at the beginning: that nothing of it was written would look like a full disk.
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

/// The ending of a new line: that of the line whose place it takes, or of its neighbours.
fn ending(document: &Document, replacement: &Replacement<'_>, nth: usize) -> Ending {
    let replaced = (nth < replacement.removed).then(|| document.ending(replacement.start + nth));
    replaced
        .filter(|ending| *ending != Ending::Missing)
        .unwrap_or_else(|| document.ending_beside(replacement.start))
}

/// Replacements made on a document and then others on the result, as one list on the document.
///
/// Both lists are sorted and without overlaps; so is the result.
pub(super) fn compose(
    first: &[Replacement<'static>],
    then: &[Replacement<'static>],
) -> Vec<Replacement<'static>> {
    let mut composer = Composer { first, then, ..Composer::default() };
    composer.run();
    composer.out
}

/// Walks the lines of the result of `first`, and keeps account of where they come from.
#[derive(Default)]
struct Composer<'r> {
    first: &'r [Replacement<'static>],
    then: &'r [Replacement<'static>],
    /// The next line of the document, 0-based.
    source: usize,
    /// The next line of the first result, 0-based.
    middle: usize,
    /// The replacement that is being put together.
    open: Option<Replacement<'static>>,
    out: Vec<Replacement<'static>>,
}

impl Composer<'_> {
    fn run(&mut self) {
        while let Some((replacement, rest)) = self.first.split_first() {
            self.first = rest;
            self.keep(replacement.start - self.source);
            self.remove_source(replacement.removed);
            replacement.lines.iter().for_each(|line| self.written(line.clone()));
        }
        // What comes behind the last change of `first` stands in the document as it is.
        while let Some(replacement) = self.then.first() {
            self.keep(replacement.start.saturating_sub(self.middle) + replacement.removed);
            self.insert_here();
        }
        self.close();
    }

    /// Passes lines that `first` left alone.
    fn keep(&mut self, count: usize) {
        let end = self.middle + count;
        while self.middle < end {
            self.insert_here();
            let goes = self.then.first().is_some_and(|r| (r.start..r.end()).contains(&self.middle));
            if goes {
                self.remove_source(1);
                self.middle += 1;
            } else {
                let until = self.then.first().map_or(end, |r| r.start.clamp(self.middle + 1, end));
                self.close();
                self.source += until - self.middle;
                self.middle = until;
            }
        }
    }

    /// Passes a line that `first` wrote.
    fn written(&mut self, line: Cow<'static, str>) {
        self.insert_here();
        let goes = self.then.first().is_some_and(|r| (r.start..r.end()).contains(&self.middle));
        if !goes {
            self.open().lines.push(line);
        }
        self.middle += 1;
    }

    /// Writes the lines of every replacement of `then` whose removed lines have been passed.
    fn insert_here(&mut self) {
        while let Some((replacement, rest)) = self.then.split_first() {
            if replacement.end() > self.middle {
                return;
            }
            self.then = rest;
            self.open().lines.extend(replacement.lines.iter().cloned());
        }
    }

    fn remove_source(&mut self, count: usize) {
        if count > 0 {
            self.open().removed += count;
            self.source += count;
        }
    }

    fn open(&mut self) -> &mut Replacement<'static> {
        let start = self.source;
        self.open.get_or_insert(Replacement { start, removed: 0, lines: Vec::new() })
    }

    fn close(&mut self) {
        self.out.extend(self.open.take());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::{Options, parse};
    use crate::patch::{Action, Patch};

    fn chunks<'p>(patch: &'p Patch<'p>) -> &'p [Chunk<'p>] {
        let Action::Update { chunks, .. } = &patch.hunks[0].action else { panic!("an update") };
        chunks
    }

    fn computed(lines: &[&str], body: &str) -> Result<Vec<Replacement<'static>>, SeekError> {
        let text = format!("*** Begin Patch\n*** Update File: a\n{body}*** End Patch\n");
        let parsed = parse(&text, &Options::default());
        compute_replacements(lines, chunks(&parsed.patch))
            .map(|found| found.into_iter().map(Replacement::into_owned).collect())
    }

    fn applied(lines: &[&str], body: &str) -> String {
        let document = Document::from(&*(lines.join("\n") + "\n"));
        let replacements = computed(lines, body).expect("every chunk is found");
        String::from_utf8(apply_replacements(&document, &replacements)).expect("text")
    }

    const MAIN: [&str; 7] = [
        "import { foo } from './foo'",
        "import { bar } from './bar'",
        "",
        "export function main() {",
        "  foo()",
        "  bar()",
        "}",
    ];

    #[test]
    fn seed_002_walkthrough_header_and_pattern_overlap() {
        let body = "@@ import { bar } from './bar'\n-import { bar } from './bar'\n+import { bar } from './bar'\n+import { baz } from './baz'\n";
        assert_eq!(computed(&MAIN, body), Err(SeekError::Lines { chunk: 0 }));
    }

    #[test]
    fn seed_002_walkthrough_correct_patch() {
        // The seed's own correction quotes the header line once more as context, which its cursor has
        // passed as well; with the header one line up there is none, so the quote begins below it.
        let body = "@@ import { foo } from './foo'\n-import { bar } from './bar'\n+import { bar } from './bar'\n+import { baz } from './baz'\n";
        let found = computed(&MAIN, body).expect("found");
        assert_eq!((found[0].start, found[0].removed, found[0].lines.len()), (1, 1, 2));
    }

    #[test]
    fn seed_002_phase_1_header_moves_the_cursor_past_itself() {
        assert_eq!(computed(&["x", "h", "x"], "@@ h\n-x\n+y\n").expect("found")[0].start, 2);
        let missing = SeekError::Context { chunk: 0, header: "nowhere".into() };
        assert_eq!(computed(&["x"], "@@ nowhere\n-x\n+y\n"), Err(missing));
    }

    #[test]
    fn seed_002_phase_2_additions_go_to_the_end_before_an_empty_last_line() {
        assert_eq!(computed(&["a", "b"], "@@\n+c\n").expect("found")[0].start, 2);
        assert_eq!(computed(&["a", ""], "@@\n+c\n").expect("found")[0].start, 1);
    }

    #[test]
    fn seed_002_phase_3_retry_without_the_trailing_empty_line() {
        let found = computed(&["a", "b"], "@@\n-b\n+c\n \n").expect("found");
        assert_eq!(found, [Replacement { start: 1, removed: 1, lines: vec!["c".into()] }]);
    }

    #[test]
    fn seed_002_the_cursor_moves_past_each_chunk() {
        let found = computed(&["x", "x"], "@@\n-x\n+1\n@@\n-x\n+2\n").expect("found");
        assert_eq!(found.iter().map(|r| r.start).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(computed(&["x"], "@@\n-x\n+1\n@@\n-x\n+2\n"), Err(SeekError::Lines { chunk: 1 }));
    }

    #[test]
    fn seed_002_edge_case_empty_file_addition() {
        let found = computed(&[], "@@\n+first line\n+second line\n").expect("found");
        assert_eq!((found[0].start, found[0].removed), (0, 0));
    }

    #[test]
    fn seed_002_edge_case_complete_replacement() {
        assert_eq!(applied(&["a", "b"], "@@\n-a\n-b\n+c\n"), "c\n");
    }

    #[test]
    fn seed_002_edge_case_sorted_by_place() {
        assert_eq!(applied(&["a", "b", "c"], "@@\n+end\n@@\n-a\n+A\n"), "A\nb\nc\nend\n");
    }

    #[test]
    fn seed_002_edge_case_white_space_counts() {
        assert_eq!(computed(&["  a"], "@@\n-a\n+b\n"), Err(SeekError::Lines { chunk: 0 }));
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

    /// Sorted replacements without overlaps on a document of `len` lines.
    fn replacements(len: usize, tag: &'static str) -> impl Strategy<Value = Vec<Replacement<'static>>> {
        prop::collection::vec((0..4usize, 0..3usize, 0..3usize), 0..4).prop_map(move |pieces| {
            let mut next = 0;
            let mut all = Vec::new();
            for (index, (gap, removed, added)) in pieces.into_iter().enumerate() {
                let start = next + gap + usize::from(index > 0);
                if start + removed > len || removed + added == 0 {
                    break;
                }
                let lines = (0..added).map(|line| Cow::Owned(format!("{tag}{index}.{line}"))).collect();
                all.push(Replacement { start, removed, lines });
                next = start + removed;
            }
            all
        })
    }

    fn text(len: usize) -> String {
        let lines: Vec<_> = (0..len).map(|line| line.to_string()).collect();
        lines.join("\n") + if len > 0 { "\n" } else { "" }
    }

    proptest! {
        #[test]
        fn composing_is_applying_one_after_the_other(
            first in replacements(8, "a"), then in replacements(5, "b"),
        ) {
            let document = Document::from(&*text(8));
            let middle = Document::from(apply_replacements(&document, &first));
            prop_assume!(then.last().is_none_or(|last| last.end() <= middle.len()));
            let composed = compose(&first, &then);
            prop_assert!(composed.is_sorted_by(|a, b| a.end() <= b.start));
            prop_assert_eq!(
                String::from_utf8(apply_replacements(&document, &composed)),
                String::from_utf8(apply_replacements(&middle, &then))
            );
        }
    }
}
