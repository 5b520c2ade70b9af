//! A file's text taken apart into lines.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

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
    bytes: Arc<Vec<u8>>,
    encoding: Encoding,
    /// Length of the mark in bytes.
    mark: usize,
    /// Where each line starts in the content, and then the content's length.
    starts: Arc<Offsets>,
    /// What only UTF-16 needs: UTF-8 is read in place.
    decoded: Option<Arc<Decoded>>,
    usual_ending: Ending,
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
    /// on).
    pub fn new(bytes: Arc<Vec<u8>>) -> Self {
        let (encoding, mark) = Encoding::detect(&bytes);
        let source = &bytes[mark..];
        let content = encoding.content(source);
        let (starts, usual_ending) = split(&content);
        let decoded = match content {
            Cow::Borrowed(_) => None,
            Cow::Owned(content) => Some(Arc::new(Decoded::new(encoding, source.len(), content, &starts))),
        };
        Self { encoding, mark, starts: Arc::new(starts), decoded, usual_ending, bytes }
    }

    /// The file's bytes as they were read, with the mark.
    pub fn bytes(&self) -> &Arc<Vec<u8>> {
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
        self.starts.len() - 1
    }

    /// Whether there is no line: the file is empty, or nothing but a mark.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        let line = self.whole_line(index);
        &line[..line.len() - Ending::of(line).as_str().len()]
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
        self.starts.get(index)
    }

    /// The line that holds this byte of the [`content`](Self::content); its ending belongs to it.
    ///
    /// `len()` for an offset at the end of the content or behind it: no line holds that. So this undoes
    /// [`line_start`](Self::line_start) from 0 to `len()`.
    pub fn line_at(&self, offset: usize) -> usize {
        // The first start is 0, so at least one is not behind the offset.
        self.starts.count_up_to(offset) - 1
    }

    /// All lines in order, without their endings.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        (0..self.len()).map(|index| self.line(index))
    }

    /// The most frequent of [`Ending::Lf`] and [`Ending::CrLf`]; `Lf` if both are equally frequent or there
    /// is none.
    pub fn usual_ending(&self) -> Ending {
        self.usual_ending
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
            Ending::Missing => self.usual_ending,
            ending => ending,
        }
    }

    /// The bytes of a range of lines as the file has them: in its encoding, with their endings, without the
    /// mark.
    ///
    /// The range is cut to the lines that exist; a reversed one is empty.
    pub fn source(&self, lines: Range<usize>) -> &[u8] {
        let starts = self.decoded.as_ref().map_or(&*self.starts, |decoded| &decoded.starts);
        let source = &self.bytes[self.mark..];
        source.get(starts.get(lines.start)..starts.get(lines.end)).unwrap_or_default()
    }

    /// Appends `text` to `out` in this document's encoding, as [`source`](Self::source) would give it.
    pub fn encode(&self, text: &str, out: &mut Vec<u8>) {
        self.encoding.encode(text, out);
    }

    /// The line with its ending.
    fn whole_line(&self, index: usize) -> &[u8] {
        &self.content()[self.starts.get(index)..self.starts.get(index.saturating_add(1))]
    }
}

impl From<&str> for Document {
    fn from(text: &str) -> Self {
        Self::new(Arc::new(text.as_bytes().to_vec()))
    }
}

impl From<Vec<u8>> for Document {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(Arc::new(bytes))
    }
}

impl Decoded {
    /// Finds the lines of the source from the lines of its content.
    fn new(encoding: Encoding, source_len: usize, content: Vec<u8>, lines: &Offsets) -> Self {
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

/// Where each line starts in the content, then its length; and the more frequent ending.
fn split(content: &[u8]) -> (Offsets, Ending) {
    // Counting first costs little beside a table that grows, and leaves no spare memory in it.
    let feeds = memchr::memchr_iter(b'\n', content).count();
    let mut starts = Offsets::up_to(content.len(), feeds + 2);
    starts.push(0);
    let mut returns = 0;
    for feed in memchr::memchr_iter(b'\n', content) {
        returns += usize::from(content[..feed].last() == Some(&b'\r'));
        starts.push(feed + 1);
    }
    if Ending::of(content) == Ending::Missing && !content.is_empty() {
        starts.push(content.len());
    }
    (starts, if 2 * returns > feeds { Ending::CrLf } else { Ending::Lf })
}

/// A list of byte offsets that never fall, as narrow as the largest of them allows.
#[derive(Debug)]
enum Offsets {
    Narrow(Vec<u32>),
    Wide(Vec<usize>),
}

impl Offsets {
    /// An empty list with room for `capacity` offsets, none of them above `largest`.
    fn up_to(largest: usize, capacity: usize) -> Self {
        if u32::try_from(largest).is_ok() {
            Self::Narrow(Vec::with_capacity(capacity))
        } else {
            Self::Wide(Vec::with_capacity(capacity))
        }
    }

    fn push(&mut self, offset: usize) {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "`up_to` was told that all offsets fit")]
            Self::Narrow(offsets) => offsets.push(offset as u32),
            Self::Wide(offsets) => offsets.push(offset),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Narrow(offsets) => offsets.len(),
            Self::Wide(offsets) => offsets.len(),
        }
    }

    /// The offset at `index`, or the last one if there are fewer; 0 in an empty list.
    fn get(&self, index: usize) -> usize {
        match self {
            Self::Narrow(offsets) => {
                offsets.get(index).or(offsets.last()).map_or(0, |offset| *offset as usize)
            }
            Self::Wide(offsets) => offsets.get(index).or(offsets.last()).map_or(0, |offset| *offset),
        }
    }

    /// How many offsets are `limit` or less.
    fn count_up_to(&self, limit: usize) -> usize {
        match self {
            Self::Narrow(offsets) => offsets.partition_point(|offset| *offset as usize <= limit),
            Self::Wide(offsets) => offsets.partition_point(|offset| *offset <= limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No test can afford a file of 4 GiB, so the wide list is compared with the narrow one.
    #[test]
    fn wide_offsets_behave_like_narrow_ones() {
        let mut lists = [Offsets::up_to(9, 3), Offsets::Wide(Vec::new())];
        for list in &mut lists {
            for offset in [0, 4, 9] {
                list.push(offset);
            }
        }
        let [narrow, wide] = lists;
        assert!(matches!(narrow, Offsets::Narrow(_)));
        assert_eq!(narrow.len(), wide.len());
        for at in 0..12 {
            assert_eq!(narrow.get(at), wide.get(at));
            assert_eq!(narrow.count_up_to(at), wide.count_up_to(at));
        }
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn offsets_are_wide_from_four_gibibytes_on() {
        assert!(matches!(Offsets::up_to(u32::MAX as usize, 0), Offsets::Narrow(_)));
        assert!(matches!(Offsets::up_to(u32::MAX as usize + 1, 0), Offsets::Wide(_)));
    }
}
