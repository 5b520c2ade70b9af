//! A file's text taken apart into lines.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::Bytes;
use super::lines::Lines;
use super::offsets::Offsets;
use super::{Encoding, Ending};

/// The text of a file, split: encoding, byte-order mark, and lines, each with the line ending of the file.
///
/// A line ends with LF or CR LF, or with the text. So an empty file has no line, `"a"` and `"a\n"` have a single line,
/// and `"a\n\n"` has two. Lines are counted from 0, and every line is at least one byte long, ending included.
///
/// Cloning is cheap: the bytes and the table of lines are shared.
///
/// No method panics: a line out of range is empty, has no [`text`](Self::text), and its ending is [`Ending::Missing`].
///
/// ```
/// use apply_patch::text::{Document, Ending};
///
/// let document = Document::from("one\r\ntwo");
/// assert_eq!(document.len(), 2);
/// assert_eq!(document.text(0), Some("one"));
/// assert_eq!(document.ending(0), Ending::CrLf);
/// assert_eq!(document.source(0..1), b"one\r\n");
/// assert_eq!(document.ending_beside(2), Ending::CrLf);
/// ```
#[derive(Debug, Clone)]
pub struct Document {
    bytes: Bytes,
    encoding: Encoding,
    /// Length of the mark in bytes.
    mark: usize,
    /// The lines of the content.
    lines: Arc<Lines>,
    /// What only UTF-16 needs: UTF-8 is read in place.
    decoded: Option<Arc<Decoded>>,
    /// A hash of each line, as soon as the lines were hashed; only of a short document.
    hashes: Arc<OnceLock<LineHashes>>,
}

/// A hash of each line.
#[derive(Debug)]
struct LineHashes {
    of_line: Arc<Vec<u64>>,
    /// The function that made the hashes.
    hash: fn(&[u8]) -> u64,
}

/// Up to how many bytes the hashes of the lines are kept for the next document.
const HASHED: usize = 1 << 20;

/// The content of a UTF-16 file.
#[derive(Debug)]
struct Decoded {
    content: Vec<u8>,
    /// The offset of each line in the source without the mark, followed by the length of that source.
    starts: Offsets,
}

impl Document {
    /// Splits the bytes of a file. Never fails, and takes time linear in the number of bytes.
    ///
    /// UTF-8 is not copied. A document needs four bytes a line (eight from 4 GiB on) in addition to the shared bytes,
    /// as soon as more than a few lines of a long text were requested.
    pub fn new(bytes: Bytes) -> Self {
        let (encoding, mark) = Encoding::detect(&bytes);
        let source = &bytes[mark..];
        let content = encoding.content(source);
        let lines = Lines::default();
        let decoded = match content {
            Cow::Borrowed(_) => None,
            Cow::Owned(content) => Some(Arc::new(Decoded::new(encoding, source.len(), content, &lines))),
        };
        Self { encoding, mark, lines: Arc::new(lines), decoded, bytes, hashes: Arc::default() }
    }

    /// Returns the document with what is known of its lines because it was made by replacing lines of `before`: where the
    /// lines start, and the hashes of unchanged lines. `runs` are the unchanged lines, ascending, each run with the offset
    /// of its first line in the new content.
    pub(super) fn made_from(mut self, before: &Document, runs: &[(Range<usize>, usize)]) -> Self {
        let is_alike = self.encoding == before.encoding && self.mark == before.mark;
        if !is_alike || self.decoded.is_some() {
            return self;
        }
        if let Some(lines) = before.lines.carried(self.content(), runs) {
            self.lines = Arc::new(lines);
        }
        if let Some(hashes) = before.hashes.get().and_then(|hashes| self.carried_hashes(hashes, runs)) {
            self.hashes = Arc::new(OnceLock::from(hashes));
        }
        self
    }

    fn carried_hashes(&self, before: &LineHashes, runs: &[(Range<usize>, usize)]) -> Option<LineHashes> {
        let mut of_line = Vec::with_capacity(self.len());
        for (run, offset) in runs.iter().filter(|(run, _)| !run.is_empty()) {
            let new = of_line.len()..self.line_at(*offset);
            of_line.extend(new.map(|line| (before.hash)(self.line(line))));
            of_line.extend_from_slice(before.of_line.get(run.clone())?);
        }
        of_line.extend((of_line.len()..self.len()).map(|line| (before.hash)(self.line(line))));
        (of_line.len() == self.len()).then(|| LineHashes { of_line: Arc::new(of_line), hash: before.hash })
    }

    /// Returns a hash of each line: what `all` returns, unless the hashes are known. `hash` returns the same hash of a line,
    /// and has to be the same function for all documents.
    pub(crate) fn hashes(&self, all: impl FnOnce() -> Vec<u64>, hash: fn(&[u8]) -> u64) -> Arc<Vec<u64>> {
        let hashed = || LineHashes { of_line: Arc::new(all()), hash };
        if self.content().len() > HASHED {
            return hashed().of_line;
        }
        Arc::clone(&self.hashes.get_or_init(hashed).of_line)
    }

    /// Returns the bytes of the file as read, with the mark.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Returns the encoding of the bytes.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the bytes of the byte-order mark; empty if the file has no mark.
    pub fn mark(&self) -> &[u8] {
        &self.bytes[..self.mark]
    }

    /// Returns the number of lines.
    pub fn len(&self) -> usize {
        self.lines.len(self.content())
    }

    /// Returns whether the document has no lines: the file is empty, or contains only a mark.
    pub fn is_empty(&self) -> bool {
        self.content().is_empty()
    }

    /// Returns the whole text with line endings and without the mark, as UTF-8 for substring searches.
    ///
    /// Bytes of a UTF-8 file are unchanged, also if invalid. In UTF-16 an unpaired surrogate and an odd last byte are
    /// replaced by bytes that never occur in UTF-8, so no search for text matches there.
    pub fn content(&self) -> &[u8] {
        match &self.decoded {
            None => &self.bytes[self.mark..],
            Some(decoded) => &decoded.content,
        }
    }

    /// Returns the 0-based line `index` of the [`content`](Self::content) without its ending; empty if there is no line
    /// `index`.
    pub fn line(&self, index: usize) -> &[u8] {
        without_ending(self.whole_line(index))
    }

    /// Checks whether the line has exactly this text, without its ending.
    pub(crate) fn is_line(&self, index: usize, text: &str) -> bool {
        let line = self.whole_line(index);
        // The length decides about most lines.
        line.len().wrapping_sub(text.len()) <= 2 && without_ending(line) == text.as_bytes()
    }

    /// Returns the line as text without its ending; `None` if the bytes are not valid text or there is no line `index`.
    ///
    /// Validates the bytes of the line on each call.
    pub fn text(&self, index: usize) -> Option<&str> {
        if index < self.len() { str::from_utf8(self.line(index)).ok() } else { None }
    }

    /// Returns the ending of the line.
    pub fn ending(&self, index: usize) -> Ending {
        Ending::of(self.whole_line(index))
    }

    /// Returns the position of the line: a byte offset in the [`content`](Self::content).
    ///
    /// For `len()` and every larger index, returns the length of the content.
    pub fn line_start(&self, index: usize) -> usize {
        self.lines.start(self.content(), index)
    }

    /// Returns the line that contains this byte of the [`content`](Self::content). A line contains its ending.
    ///
    /// Returns `len()` for an offset at or behind the end of the content. So this is the inverse of
    /// [`line_start`](Self::line_start) from 0 to `len()`.
    pub fn line_at(&self, offset: usize) -> usize {
        self.lines.at(self.content(), offset)
    }

    /// Returns the same line as [`line_at`](Self::line_at) for a line at or below `line`; faster if the line is near
    /// `line`.
    pub(crate) fn line_at_from(&self, line: usize, offset: usize) -> usize {
        self.lines.at_from(self.content(), line, offset)
    }

    /// Returns all lines in order, without endings.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        self.lines_in(0..usize::MAX)
    }

    /// Returns the lines of a range, without endings. Lines that do not exist are left out.
    pub(crate) fn lines_in(
        &self,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        let content = self.content();
        // A caller that iterates over many lines needs the list anyway.
        let starts = self.lines.all(content);
        let last = starts.len() - 1;
        (range.start.min(last)..range.end.min(last))
            .map(move |index| without_ending(&content[starts.get(index)..starts.get(index + 1)]))
    }

    /// Returns the lines, 0-based and ascending, whose hash `is_wanted` accepts, each with its hash. The hash is that
    /// of [`hash_line`](super::hash_line) over the line with the carriage return of its ending.
    pub(crate) fn lines_hashed(&self, is_wanted: impl Fn(u64) -> bool + Sync) -> Vec<(usize, u64)> {
        self.lines.hashed(self.content(), is_wanted)
    }

    /// Returns the most frequent of [`Ending::Lf`] and [`Ending::CrLf`]; `Lf` if both are equally frequent or the
    /// document has no ending.
    pub fn usual_ending(&self) -> Ending {
        self.lines.usual_ending(self.content())
    }

    /// Returns the ending for a line that is inserted before line `index`, from 0 to `len()`. Never
    /// [`Ending::Missing`].
    ///
    /// The inserted line gets the ending of the line before, at the top that of the first line. If the line before is
    /// the last line and has no ending, the second last line decides, and without a second last line the
    /// [usual](Self::usual_ending) ending.
    pub fn ending_beside(&self, index: usize) -> Ending {
        let neighbour = index.min(self.len()).saturating_sub(1);
        match self.ending(neighbour) {
            Ending::Missing if neighbour > 0 => self.ending(neighbour - 1),
            Ending::Missing => self.usual_ending(),
            ending => ending,
        }
    }

    /// Returns the bytes of a range of lines as the file contains them: in the encoding of the file, with endings,
    /// without the mark.
    ///
    /// The range is cut to the lines that exist; a reversed range is empty.
    pub fn source(&self, lines: Range<usize>) -> &[u8] {
        let start = |index| match &self.decoded {
            None => self.line_start(index),
            Some(decoded) => decoded.starts.get(index),
        };
        let source = &self.bytes[self.mark..];
        source.get(start(lines.start)..start(lines.end)).unwrap_or_default()
    }

    /// Appends `text` to `out` in the encoding of this document, the encoding of [`source`](Self::source).
    pub fn encode(&self, text: &str, out: &mut Vec<u8>) {
        self.encoding.encode(text, out);
    }

    /// Returns the line with its ending.
    fn whole_line(&self, index: usize) -> &[u8] {
        let content = self.content();
        &content[self.lines.range(content, index)]
    }
}

fn without_ending(line: &[u8]) -> &[u8] {
    &line[..line.len() - Ending::of(line).as_str().len()]
}

impl From<&str> for Document {
    fn from(text: &str) -> Self {
        Self::new(Bytes::copy_from_slice(text.as_bytes()))
    }
}

impl From<Vec<u8>> for Document {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(bytes.into())
    }
}

impl Decoded {
    /// Computes the lines of the source from the lines of the content.
    fn new(encoding: Encoding, source_len: usize, content: Vec<u8>, lines: &Lines) -> Self {
        let lines = lines.all(&content);
        let mut starts = Offsets::up_to(source_len, lines.len());
        let mut start = 0;
        starts.push(start);
        for index in 1..lines.len() {
            start += encoding.source_len(&content[lines.get(index - 1)..lines.get(index)]);
            // An odd last byte counts as two.
            starts.push(start.min(source_len));
        }
        Self { content, starts }
    }
}
