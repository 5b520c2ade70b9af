//! Which lines are inside of a block although they are no deeper than the line that opens the block.

use crate::locate::syntax::{
    begins_branch, closes, continues, ends_in_opener, indentation_width, is_comment, is_head_end,
};

/// Where a walk down a block is: lines as far left as the line that opens the block may be inside of the block.
pub(super) struct Inside {
    is_braced: bool,
    /// Whether a bracket as far left as the line that opens the block was passed.
    is_closed: bool,
    width: usize,
    /// The bracket that the line that opens the block begins with.
    bracket: Option<u8>,
    /// Whether the line that opens the block begins a branch: a branch ends at the next branch.
    is_branch: bool,
    /// The mark of a text of several lines that is open.
    text: Option<&'static [u8]>,
}

/// The marks that begin and end a text of several lines.
const TEXT_MARKS: [&[u8]; 2] = [b"\"\"\"", b"'''"];

impl Inside {
    pub(super) fn new(head: &[u8], is_braced: bool) -> Self {
        let bracket = first_byte(head).filter(|byte| b"({".contains(byte));
        let width = indentation_width(head);
        let is_branch = begins_branch(head);
        let mut inside = Inside { is_braced, is_closed: false, width, bracket, is_branch, text: None };
        inside.mark(head);
        inside
    }

    /// Passes a line, and returns whether the line is inside of the block if it is no deeper than the line that opens the block: it
    /// closes or continues the block, is a label (`done:`, `public:`), or is in a text of several lines. Where a bracket begins the block,
    /// as in Lisp, a bracket begins the next block as well, and a branch begins behind a branch.
    pub(super) fn pass(&mut self, line: &[u8]) -> bool {
        let was_text = self.text.is_some();
        self.mark(line);
        let text = String::from_utf8_lossy(line);
        let is_label = || self.is_braced && text.trim_end().ends_with(':');
        // In a text behind `<<END`, a line may be far left, and opens no block.
        let is_before_end = || self.is_braced && !self.is_closed && !ends_in_opener(&text);
        let is_next_branch = self.is_branch && begins_branch(line);
        let begins_next = is_next_branch || self.bracket.is_some() && self.bracket == first_byte(line);
        let goes_on = continues(line) && !begins_next;
        let is_inside = was_text || goes_on || is_head_end(text.trim()) || is_label() || is_before_end();
        self.is_closed |= !was_text && closes(line.trim_ascii()) && indentation_width(line) <= self.width;
        is_inside
    }

    /// Notes which text of several lines is open behind a line.
    fn mark(&mut self, line: &[u8]) {
        let is_odd = |mark: &[u8]| memchr::memmem::find_iter(line, mark).count() % 2 == 1;
        self.text = match self.text {
            Some(mark) => Some(mark).filter(|mark| !is_odd(mark)),
            None if is_comment(&String::from_utf8_lossy(line)) => None,
            None => TEXT_MARKS.into_iter().find(|mark| is_odd(mark)),
        };
    }
}

fn first_byte(line: &[u8]) -> Option<u8> {
    line.trim_ascii_start().first().copied()
}
