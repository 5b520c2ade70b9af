//! Where the lines of a text start.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Ending;
use super::scan::for_each_line;
use crate::parallel;

/// The lines of a content: where each starts, and how many there are.
///
/// A list of all starts takes as long to make as reading the content thrice. Who edits one place of a long file asks for
/// a handful of lines; these are found by marks, the number of line feeds before each block. The list is made when so many
/// lines were asked for that it pays, or all of them; who asks for all at first needs no marks.
#[derive(Debug, Default)]
pub(super) struct Lines {
    marks: OnceLock<Marks>,
    /// Where each line starts, and then the content's length.
    starts: OnceLock<Offsets>,
    usual_ending: OnceLock<Ending>,
}

/// How many line feeds stand before each block of a content.
#[derive(Debug)]
struct Marks {
    feeds: Offsets,
    /// How many lines there are.
    len: usize,
    /// How many lines may still be found by the marks.
    left: AtomicUsize,
}

/// The bytes of a block: few enough to be searched for one line.
const BLOCK: usize = 1 << 10;

/// What one processor counts at a time: so many blocks.
const PIECE: usize = BLOCK << 12;

/// Up to how many bytes the list is made at once.
const SHORT: usize = 1 << 16;

/// One line in so many may be asked for before the list is made: finding them costs about as much as the list then.
const FEW: usize = 16;

/// As long as this a line is guessed to be before any was seen.
const USUAL: usize = 32;

impl Marks {
    /// Reads the content once, and only counts.
    fn of(content: &[u8]) -> Self {
        let mut marks = Offsets::up_to(content.len(), content.len().div_ceil(BLOCK));
        let count = |block| memchr::memchr_iter(b'\n', block).count();
        let pieces: Vec<&[u8]> = content.chunks(PIECE).collect();
        let counts =
            parallel::map(&pieces, content.len(), |piece| piece.chunks(BLOCK).map(count).collect::<Vec<_>>());
        let mut feeds = 0;
        for count in counts.into_iter().flatten() {
            marks.push(feeds);
            feeds += count;
        }
        let len = feeds + usize::from(is_open(content));
        Marks { feeds: marks, len, left: AtomicUsize::new(len / FEW) }
    }
}

/// Divides a content among the processors, each line whole.
fn parts_of_lines(content: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut part_up_to = |end: usize| {
        let rest = &content[start.max(end)..];
        let end =
            memchr::memchr(b'\n', rest).map_or(content.len(), |feed| content.len() - rest.len() + feed + 1);
        std::mem::replace(&mut start, end)..end
    };
    parallel::ranges(content.len()).into_iter().map(|range| part_up_to(range.end)).collect()
}

/// Whether a content has a last line without an ending.
fn is_open(content: &[u8]) -> bool {
    !content.is_empty() && Ending::of(content) == Ending::Missing
}

impl Lines {
    pub(super) fn len(&self, content: &[u8]) -> usize {
        match self.starts.get() {
            Some(starts) => starts.len() - 1,
            None if content.len() <= SHORT => self.all(content).len() - 1,
            None => self.marks(content).len,
        }
    }

    fn marks(&self, content: &[u8]) -> &Marks {
        self.marks.get_or_init(|| Marks::of(content))
    }

    /// Where the 0-based line starts; the content's length for a line that is not there.
    pub(super) fn start(&self, content: &[u8], index: usize) -> usize {
        match self.starts(content) {
            Ok(starts) => starts.get(index),
            Err(_) if index == 0 => 0,
            Err(marks) if index >= marks.len => content.len(),
            Err(Marks { feeds, .. }) => {
                let block = feeds.count_up_to(index - 1) - 1;
                let (from, before) = (block * BLOCK, feeds.get(block));
                let feed = memchr::memchr_iter(b'\n', &content[from..]).nth(index - 1 - before);
                feed.map_or(content.len(), |feed| from + feed + 1)
            }
        }
    }

    /// Where the 0-based line stands, with its ending; an empty range for a line that is not there.
    pub(super) fn range(&self, content: &[u8], index: usize) -> Range<usize> {
        if let Ok(starts) = self.starts(content) {
            return starts.get(index)..starts.get(index.saturating_add(1));
        }
        let start = self.start(content, index);
        // It ends where the next line feed is, which costs less than to find the next line by the marks.
        let feed = memchr::memchr(b'\n', &content[start..]);
        start..feed.map_or(content.len(), |feed| start + feed + 1)
    }

    /// The line that holds a byte of the content; the number of lines for one at the end or behind it.
    pub(super) fn at(&self, content: &[u8], offset: usize) -> usize {
        match self.starts(content) {
            // The first start is 0, so at least one is not behind the offset.
            Ok(starts) => starts.count_up_to(offset) - 1,
            Err(marks) if offset >= content.len() => marks.len,
            Err(marks) => {
                let block = offset / BLOCK;
                marks.feeds.get(block) + memchr::memchr_iter(b'\n', &content[block * BLOCK..offset]).count()
            }
        }
    }

    /// The same for a line that is not above `line`: the nearer it is, the sooner it is found.
    pub(super) fn at_from(&self, content: &[u8], line: usize, offset: usize) -> usize {
        let starts = self.all(content);
        let is_above = |line: usize| line < starts.len() && starts.get(line) <= offset;
        let (mut line, mut step) = (line, 1);
        while is_above(line + step) {
            line += step;
            step *= 2;
        }
        while step > 0 {
            line += if is_above(line + step) { step } else { 0 };
            step /= 2;
        }
        line
    }

    /// The list, where there is one or it pays by now; else the marks.
    fn starts(&self, content: &[u8]) -> Result<&Offsets, &Marks> {
        if let Some(made) = self.starts.get() {
            return Ok(made);
        }
        if content.len() <= SHORT && self.marks.get().is_none() {
            return Ok(self.all(content));
        }
        let marks = self.marks(content);
        // Two threads may count one look for both: it is a guess anyway.
        let Some(left) = marks.left.load(Ordering::Relaxed).checked_sub(1) else {
            return Ok(self.all(content));
        };
        marks.left.store(left, Ordering::Relaxed);
        Err(marks)
    }

    /// Where each line starts, and then the content's length.
    pub(super) fn all(&self, content: &[u8]) -> &Offsets {
        self.starts.get_or_init(|| {
            let len = self.marks.get().map_or(content.len() / USUAL, |marks| marks.len) + 1;
            let parts = parallel::ranges(content.len());
            let starts_in = |part: &Range<usize>| {
                let mut starts = Offsets::beginning(part.start, content.len(), len.div_ceil(parts.len()));
                let feeds = memchr::memchr_iter(b'\n', &content[part.clone()]);
                feeds.for_each(|feed| starts.push(part.start + feed + 1));
                starts
            };
            let mut starts = Offsets::joined(parallel::map(&parts, content.len(), starts_in));
            if is_open(content) {
                starts.push(content.len());
            }
            starts
        })
    }

    /// The lines, 0-based and ascending, whose hash is wanted, each with its [hash](super::hash_line). All lines have to be
    /// found for that, and so the list is made on the way.
    pub(super) fn hashed(&self, content: &[u8], is_wanted: impl Fn(u64) -> bool + Sync) -> Vec<(usize, u64)> {
        let scan = |part: &Range<usize>| {
            let mut starts = Offsets::beginning(part.start, content.len(), part.len() / USUAL);
            let mut wanted = Vec::new();
            for_each_line(&content[part.clone()], |end, hash| {
                if is_wanted(hash) {
                    wanted.push((starts.len(), hash));
                }
                starts.push(part.start + end);
            });
            (starts, wanted)
        };
        let parts = parallel::map(&parts_of_lines(content), content.len(), scan);
        let (starts, wanted): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let mut above = 0;
        let mut of_all = Vec::new();
        for (starts, wanted) in starts.iter().zip(wanted) {
            // The end of a line is the start of the next one, before which it has been counted.
            of_all.extend(wanted.into_iter().map(|(next, hash)| (above + next - 1, hash)));
            above += starts.len();
        }
        // Whoever has made the list before made the same.
        let _ = self.starts.set(Offsets::joined(starts));
        of_all
    }

    /// The more frequent one of LF and CR LF.
    pub(super) fn usual_ending(&self, content: &[u8]) -> Ending {
        *self.usual_ending.get_or_init(|| {
            let is_ending = |at: &usize| content.get(at + 1) == Some(&b'\n');
            let returns = memchr::memchr_iter(b'\r', content).filter(is_ending).count();
            let feeds = self.len(content) - usize::from(is_open(content));
            if 2 * returns > feeds { Ending::CrLf } else { Ending::Lf }
        })
    }
}

/// A list of byte offsets that never fall, as narrow as the largest of them allows.
#[derive(Debug)]
pub(super) enum Offsets {
    Narrow(Vec<u32>),
    Wide(Vec<usize>),
}

impl Offsets {
    /// An empty list with room for `capacity` offsets, none of them above `largest`.
    pub(super) fn up_to(largest: usize, capacity: usize) -> Self {
        if u32::try_from(largest).is_ok() {
            Self::Narrow(Vec::with_capacity(capacity))
        } else {
            Self::Wide(Vec::with_capacity(capacity))
        }
    }

    pub(super) fn push(&mut self, offset: usize) {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "`up_to` was told that all offsets fit")]
            Self::Narrow(offsets) => offsets.push(offset as u32),
            Self::Wide(offsets) => offsets.push(offset),
        }
    }

    /// The list of the starts in a part of a content: that of the first line is its only one that is the end of no line.
    fn beginning(part: usize, largest: usize, capacity: usize) -> Self {
        let mut starts = Self::up_to(largest, capacity);
        if part == 0 {
            starts.push(0);
        }
        starts
    }

    /// The offsets of all parts, which are as narrow as each other.
    fn joined(parts: Vec<Self>) -> Self {
        let mut parts = parts.into_iter();
        // There always is a first one.
        let mut joined = parts.next().unwrap_or_else(|| Offsets::up_to(0, 0));
        for part in parts {
            match (&mut joined, part) {
                (Self::Narrow(offsets), Self::Narrow(more)) => offsets.extend(more),
                (offsets, more) => (0..more.len()).for_each(|index| offsets.push(more.get(index))),
            }
        }
        joined
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Narrow(offsets) => offsets.len(),
            Self::Wide(offsets) => offsets.len(),
        }
    }

    /// The offset at `index`, or the last one if there are fewer; 0 in an empty list.
    pub(super) fn get(&self, index: usize) -> usize {
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
    use proptest::prelude::*;

    use super::*;
    use crate::text::hash_line;

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

    proptest! {
        #[test]
        fn the_marks_lead_where_the_list_does(text in "[a\n]{0,3}([ab\r\n]{1,9}[a-z]{0,400}){0,30}") {
            let content = text.as_bytes();
            let (marked, listed) = (Lines::default(), Lines::default());
            marked.marks(content).left.store(usize::MAX, Ordering::Relaxed);
            listed.all(content);
            prop_assert_eq!(marked.marks(content).len, listed.len(content));
            for index in 0..=listed.len(content) + 1 {
                prop_assert_eq!(marked.start(content, index), listed.start(content, index));
                prop_assert_eq!(marked.range(content, index), listed.range(content, index));
            }
            for offset in 0..=content.len() + 1 {
                prop_assert_eq!(marked.at(content, offset), listed.at(content, offset));
            }
            prop_assert!(marked.starts.get().is_none());
        }
    }

    proptest! {
        #[test]
        fn a_line_is_found_from_any_above_it(text in "[a\n]{0,60}") {
            let lines = Lines::default();
            let content = text.as_bytes();
            for offset in 0..=content.len() {
                let line = lines.at(content, offset);
                for from in 0..=line {
                    prop_assert_eq!(lines.at_from(content, from, offset), line);
                }
            }
        }
    }

    #[test]
    fn a_content_of_several_pieces_is_counted_as_a_whole() {
        let content = "a line of some length\n".repeat(3 * PIECE / 22);
        let lines = Lines::default();
        let len = lines.len(content.as_bytes());
        assert_eq!(len, 3 * PIECE / 22);
        for index in [0, 1, len / 3, len / 2, len - 1, len] {
            assert_eq!(lines.start(content.as_bytes(), index), 22 * index);
            assert_eq!(lines.at(content.as_bytes(), 22 * index), index);
        }
    }

    #[test]
    fn the_list_of_a_long_content_is_that_of_its_parts() {
        for end in ["", "\n", "open", "\n\nan open line that is the longest"] {
            let content = "a line\n\nand another\r\n".repeat(parallel::WORTH / 20) + end;
            let (lines, hashed) = (Lines::default(), Lines::default());
            let found = hashed.hashed(content.as_bytes(), |_| true);
            for starts in [lines.all(content.as_bytes()), hashed.starts.get().unwrap()] {
                let naive = content
                    .split_inclusive('\n')
                    .scan(0, |at, line| Some(std::mem::replace(at, *at + line.len())));
                assert!((0..starts.len() - 1).map(|index| starts.get(index)).eq(naive), "{end:?}");
                assert_eq!(starts.get(starts.len() - 1), content.len());
            }
            let of_line = |line: &str| hash_line(line.strip_suffix('\n').unwrap_or(line).as_bytes());
            assert!(found.into_iter().eq(content.split_inclusive('\n').map(of_line).enumerate()), "{end:?}");
        }
    }

    #[test]
    fn a_line_of_several_parts_is_in_one_of_them() {
        let content = "first\n".to_owned() + &"x".repeat(2 * parallel::WORTH) + "\nlast";
        let lines = Lines::default();
        assert_eq!(
            lines.hashed(content.as_bytes(), |hash| hash == hash_line(b"last")),
            [(2, hash_line(b"last"))]
        );
        assert_eq!(lines.starts.get().map(Offsets::len), Some(4));
    }

    #[test]
    fn the_list_is_made_once_many_lines_are_asked_for() {
        let content = "line\n".repeat(SHORT);
        let lines = Lines::default();
        let mut asked = 0;
        while lines.starts.get().is_none() {
            assert_eq!(lines.start(content.as_bytes(), 5 * asked), 25 * asked);
            asked += 1;
        }
        assert_eq!(asked, SHORT / FEW + 1);
    }
}
