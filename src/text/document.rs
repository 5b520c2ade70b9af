//! A file's text taken apart into lines.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::Bytes;
use super::lines::{Lines, Offsets};
use super::{Encoding, Ending};

/// A file's text taken apart: encoding, byte-order mark, and lines each with its own ending.
///
/// A line ends with LF or CR LF, or with the text. So an empty file has no line, `"a"` and `"a\n"` have one,
/// and `"a\n\n"` has two. Lines are counted from 0, and every line is at least one byte long with its ending.
///
/// Cloning is cheap: the bytes and the table of lines are shared.
///
/// No method panics: a line out of range is empty, has no [`text`](Self::text), and its ending is
/// [`Ending::Missing`].
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
}

/// The content of a UTF-16 file.
#[derive(Debug)]
struct Decoded {
    content: Vec<u8>,
    /// Where each line starts in the source without its mark, and then that source's length.
    starts: Offsets,
}

impl Document {
    /// Takes a file's bytes apart. Never fails, whatever the bytes are; takes time linear in their number.
    ///
    /// UTF-8 is not copied: besides the shared bytes a document holds four bytes a line (eight from 4 GiB
    /// on), as soon as more than a few lines of a long text are asked for.
    pub fn new(bytes: Bytes) -> Self {
        let (encoding, mark) = Encoding::detect(&bytes);
        let source = &bytes[mark..];
        let content = encoding.content(source);
        let lines = Lines::default();
        let decoded = match content {
            Cow::Borrowed(_) => None,
            Cow::Owned(content) => Some(Arc::new(Decoded::new(encoding, source.len(), content, &lines))),
        };
        Self { encoding, mark, lines: Arc::new(lines), decoded, bytes }
    }

    /// The file's bytes as they were read, with the mark.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// How the bytes spell the text.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The bytes of the byte-order mark; empty if the file has none.
    pub fn mark(&self) -> &[u8] {
        &self.bytes[..self.mark]
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.lines.len(self.content())
    }

    /// Whether there is no line: the file is empty, or nothing but a mark.
    pub fn is_empty(&self) -> bool {
        self.content().is_empty()
    }

    /// The whole text with its line endings and without the mark, as UTF-8: made for substring searches.
    ///
    /// Bytes of a UTF-8 file are here as they are, also where they are not valid. In UTF-16 an unpaired
    /// surrogate and an odd last byte are stood for by bytes that no UTF-8 contains, so that no text is ever
    /// found there.
    pub fn content(&self) -> &[u8] {
        match &self.decoded {
            None => &self.bytes[self.mark..],
            Some(decoded) => &decoded.content,
        }
    }

    /// The 0-based line `index` of the [`content`](Self::content), without its ending; empty if there is no
    /// such line.
    pub fn line(&self, index: usize) -> &[u8] {
        without_ending(self.whole_line(index))
    }

    /// The line as text, without its ending; `None` if its bytes are not valid text or there is no such line.
    ///
    /// Checks the line's bytes at each call.
    pub fn text(&self, index: usize) -> Option<&str> {
        if index < self.len() { str::from_utf8(self.line(index)).ok() } else { None }
    }

    /// What ends the line.
    pub fn ending(&self, index: usize) -> Ending {
        Ending::of(self.whole_line(index))
    }

    /// Where the line starts: a byte offset in the [`content`](Self::content).
    ///
    /// The length of the content for `len()` and everything behind it.
    pub fn line_start(&self, index: usize) -> usize {
        self.lines.start(self.content(), index)
    }

    /// The line that holds this byte of the [`content`](Self::content); its ending belongs to it.
    ///
    /// `len()` for an offset at the end of the content or behind it: no line holds that. So this undoes
    /// [`line_start`](Self::line_start) from 0 to `len()`.
    pub fn line_at(&self, offset: usize) -> usize {
        self.lines.at(self.content(), offset)
    }

    /// The same for a line that is not above `line`: the nearer it is, the sooner it is found.
    pub(crate) fn line_at_from(&self, line: usize, offset: usize) -> usize {
        self.lines.at_from(self.content(), line, offset)
    }

    /// All lines in order, without their endings.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        self.lines_in(0..usize::MAX)
    }

    /// The lines of a range, without their endings; those that exist.
    pub(crate) fn lines_in(
        &self,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        let content = self.content();
        // Whoever goes through many of them wants the list.
        let starts = self.lines.all(content);
        let last = starts.len() - 1;
        (range.start.min(last)..range.end.min(last))
            .map(move |index| without_ending(&content[starts.get(index)..starts.get(index + 1)]))
    }

    /// The lines, 0-based and ascending, whose hash is wanted, each with its hash: that of all [`hash_line`](super::hash_line)
    /// is given, the carriage return of its ending included.
    pub(crate) fn lines_hashed(&self, is_wanted: impl Fn(u64) -> bool + Sync) -> Vec<(usize, u64)> {
        self.lines.hashed(self.content(), is_wanted)
    }

    /// The most frequent of [`Ending::Lf`] and [`Ending::CrLf`]; `Lf` if both are equally frequent or there
    /// is none.
    pub fn usual_ending(&self) -> Ending {
        self.lines.usual_ending(self.content())
    }

    /// The ending for a line that is inserted before line `index`, from 0 to `len()`. Never
    /// [`Ending::Missing`].
    ///
    /// It is that of the line before, at the top that of the first line. If that one has none, it is the last
    /// line: then it is that of the line before it, and else the [usual](Self::usual_ending) one.
    pub fn ending_beside(&self, index: usize) -> Ending {
        let neighbour = index.min(self.len()).saturating_sub(1);
        match self.ending(neighbour) {
            Ending::Missing if neighbour > 0 => self.ending(neighbour - 1),
            Ending::Missing => self.usual_ending(),
            ending => ending,
        }
    }

    /// The bytes of a range of lines as the file has them: in its encoding, with their endings, without the
    /// mark.
    ///
    /// The range is cut to the lines that exist; a reversed one is empty.
    pub fn source(&self, lines: Range<usize>) -> &[u8] {
        let start = |index| match &self.decoded {
            None => self.line_start(index),
            Some(decoded) => decoded.starts.get(index),
        };
        let source = &self.bytes[self.mark..];
        source.get(start(lines.start)..start(lines.end)).unwrap_or_default()
    }

    /// Appends `text` to `out` in this document's encoding, as [`source`](Self::source) would give it.
    pub fn encode(&self, text: &str, out: &mut Vec<u8>) {
        self.encoding.encode(text, out);
    }

    /// The line with its ending.
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
    /// Finds the lines of the source from the lines of its content.
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
