//! Where the lines of a text start.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Ending;
use super::offsets::Offsets;
use super::scan::for_each_line;
use crate::parallel;

/// The lines of a content: the offset of each, and the count.
///
/// A full list of offsets takes as long as reading the content three times. An edit at a single position of a long file
/// needs only a few lines; those are found by marks, the number of line feeds before each block. The list is made as
/// soon as enough lines were requested to pay for it, or when all lines are requested. A caller that begins with all
/// lines never needs the marks.
#[derive(Debug, Default)]
pub(super) struct Lines {
    marks: OnceLock<Marks>,
    /// Where each line starts, and then the content's length.
    starts: OnceLock<Offsets>,
    usual_ending: OnceLock<Ending>,
}

/// How many line feeds occur before each block of a content.
#[derive(Debug)]
struct Marks {
    feeds: Offsets,
    /// How many lines there are.
    len: usize,
    /// How many lines may still be found by the marks.
    left: AtomicUsize,
}

/// The size of a block in bytes, small enough to be searched for a single line.
const BLOCK: usize = 1 << 10;

/// How many bytes a thread counts at a time: a whole number of blocks.
const PIECE: usize = BLOCK << 12;

/// Up to how many bytes the list is made at once.
const SHORT: usize = 1 << 16;

/// Once one in `FEW` lines was requested, the list is made: by then the lookups have cost about as much as the list.
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

/// Returns whether the last line of a content has no ending.
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

    /// Returns the offset of the 0-based line; the length of the content if there is no line `index`.
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

    /// Returns the range of the 0-based line with its ending; an empty range if there is no line `index`.
    pub(super) fn range(&self, content: &[u8], index: usize) -> Range<usize> {
        if let Ok(starts) = self.starts(content) {
            return starts.get(index)..starts.get(index.saturating_add(1));
        }
        let start = self.start(content, index);
        // The line ends at the next line feed; searching for that costs less than the marks.
        let feed = memchr::memchr(b'\n', &content[start..]);
        start..feed.map_or(content.len(), |feed| start + feed + 1)
    }

    /// Returns the line that contains a byte of the content; the number of lines for an offset at or behind the end.
    pub(super) fn at(&self, content: &[u8], offset: usize) -> usize {
        match self.starts(content) {
            // The first offset is 0, so the count is at least 1.
            Ok(starts) => starts.count_up_to(offset) - 1,
            Err(marks) if offset >= content.len() => marks.len,
            Err(marks) => {
                let block = offset / BLOCK;
                marks.feeds.get(block) + memchr::memchr_iter(b'\n', &content[block * BLOCK..offset]).count()
            }
        }
    }

    /// Returns the same line as [`at`](Self::at) for a line at or below `line`; faster if the line is near `line`.
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

    /// Returns the list if it exists or pays by now; otherwise the marks as `Err`.
    fn starts(&self, content: &[u8]) -> Result<&Offsets, &Marks> {
        if let Some(made) = self.starts.get() {
            return Ok(made);
        }
        if content.len() <= SHORT && self.marks.get().is_none() {
            return Ok(self.all(content));
        }
        let marks = self.marks(content);
        // Two threads may count a lookup twice; the limit is an estimate anyway.
        let Some(left) = marks.left.load(Ordering::Relaxed).checked_sub(1) else {
            return Ok(self.all(content));
        };
        marks.left.store(left, Ordering::Relaxed);
        Err(marks)
    }

    /// Returns the offset of each line, followed by the length of the content.
    pub(super) fn all(&self, content: &[u8]) -> &Offsets {
        self.starts.get_or_init(|| {
            let len = self.marks.get().map_or(content.len() / USUAL, |marks| marks.len) + 1;
            let starts_in = |part: &Range<usize>, len: usize| {
                let mut starts = Offsets::beginning(part.start, content.len(), len);
                let feeds = memchr::memchr_iter(b'\n', &content[part.clone()]);
                feeds.for_each(|feed| starts.push(part.start + feed + 1));
                starts
            };
            let mut starts = if content.len() <= SHORT {
                starts_in(&(0..content.len()), len)
            } else {
                let parts = parallel::ranges(content.len());
                let len = len.div_ceil(parts.len());
                Offsets::joined(parallel::map(&parts, content.len(), |part| starts_in(part, len)))
            };
            if is_open(content) {
                starts.push(content.len());
            }
            starts
        })
    }

    /// Returns the lines, 0-based and ascending, whose [hash](super::hash_line) `is_wanted` accepts, each with its
    /// hash. This has to find all lines, so the list is made on the way.
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
            // The end of a line is the offset of the next line, which was already counted.
            of_all.extend(wanted.into_iter().map(|(next, hash)| (above + next - 1, hash)));
            above += starts.len();
        }
        // A list that another thread has set meanwhile is the same.
        let _ = self.starts.set(Offsets::joined(starts));
        of_all
    }

    /// Returns the lines of a content that was made by replacing lines of another content, if the list of that content is
    /// known: the offsets of unchanged lines are moved, and only the new lines are searched. `runs` are unchanged lines that
    /// have an ending, ascending, each run with the offset of its first line in the new content.
    pub(super) fn carried(&self, content: &[u8], runs: &[(Range<usize>, usize)]) -> Option<Self> {
        let old = self.starts.get()?;
        let mut starts = Offsets::up_to(content.len(), old.len());
        starts.push(0);
        let mut behind = 0;
        for (run, offset) in runs.iter().filter(|(run, _)| !run.is_empty()) {
            let feeds = memchr::memchr_iter(b'\n', content.get(behind..*offset)?);
            feeds.for_each(|feed| starts.push(behind + feed + 1));
            // The first line of the run begins where the line before ends, which is in the list.
            let from = old.get(run.start);
            starts.extend_moved(old, run.start + 1..run.end + 1, from, *offset);
            behind = offset + old.get(run.end) - from;
        }
        let feeds = memchr::memchr_iter(b'\n', content.get(behind..)?);
        feeds.for_each(|feed| starts.push(behind + feed + 1));
        if is_open(content) {
            starts.push(content.len());
        }
        Some(Lines { starts: OnceLock::from(starts), ..Lines::default() })
    }

    /// Returns the more frequent of LF and CR LF.
    pub(super) fn usual_ending(&self, content: &[u8]) -> Ending {
        *self.usual_ending.get_or_init(|| {
            let is_ending = |at: &usize| content.get(at + 1) == Some(&b'\n');
            let returns = memchr::memchr_iter(b'\r', content).filter(is_ending).count();
            let feeds = self.len(content) - usize::from(is_open(content));
            if 2 * returns > feeds { Ending::CrLf } else { Ending::Lf }
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::hash_line;

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
