//! Added lines that keep their indentation: text whose end has to be at column 0, and assignments of a Makefile.

use std::borrow::Cow;
use std::cell::LazyCell;

use crate::locate::align::line_text::LineText;
use crate::locate::explanation::Aligned;
use crate::locate::reading::Row;
use crate::locate::syntax::{
    heredoc_end, is_make_directive, is_word_char, long_literal_end, opened_conditionals, opens_yaml_text,
};

/// The added lines that keep their indentation, whatever the map of the quote is.
#[derive(Debug, Default)]
pub(super) struct Verbatim {
    /// The lines, by address: an equal line elsewhere is another line.
    lines: Vec<*const ()>,
}

/// The longest text whose end is looked for, in lines.
const LONGEST: usize = 1000;

impl Verbatim {
    pub(super) fn of(aligned: &Aligned<'_, '_>) -> Self {
        let rows = &aligned.reading.rows;
        let mut verbatim = Verbatim::default();
        let mut at = 0;
        while at < rows.len() {
            let run: Vec<&Row<'_>> =
                rows[at..].iter().map(|row| &**row).take_while(|row| row.adds()).collect();
            if !run.is_empty() {
                verbatim.add_text_at_margin(aligned, &run);
                verbatim.add_assignments(&run);
            }
            at += run.len().max(1);
        }
        verbatim.lines.sort_unstable();
        verbatim
    }

    pub(super) fn has(&self, line: &LineText<'_>) -> bool {
        self.lines.binary_search(&address(line)).is_ok()
    }

    fn add(&mut self, row: &Row<'_>) {
        self.lines.push(address(&row.line));
    }

    /// Adds the text of a heredoc, of a string literal that begins on an indented line, and of a comment block of Ruby, with the line
    /// that ends the text, if that line is at column 0 in the quote. In a text of YAML all lines move together.
    fn add_text_at_margin(&mut self, aligned: &Aligned<'_, '_>, run: &[&Row<'_>]) {
        let moves = LazyCell::new(|| is_in_block_scalar(aligned));
        let mut at = 0;
        while at < run.len() {
            let text = run[at].line.text();
            let begins_at_margin = text == "=begin";
            let of_literal = || long_literal_end(text).filter(|_| !run[at].line.indent().is_empty());
            let end = if begins_at_margin {
                Some(Cow::Borrowed("=end"))
            } else {
                heredoc_end(text).map(Cow::Borrowed).or_else(of_literal)
            };
            let mut behind = run[at + 1..].iter().take(LONGEST);
            let is_end = |row: &Row<'_>, end: &str| {
                row.line.text().strip_prefix(end).is_some_and(|rest| !rest.starts_with(is_word_char))
            };
            let length = end.and_then(|end| behind.position(|row| is_end(row, &end)));
            let Some(length) = length.filter(|_| !*moves) else {
                at += 1;
                continue;
            };
            let first = if begins_at_margin { at } else { at + 1 };
            run[first..=at + 1 + length].iter().for_each(|row| self.add(row));
            at += length + 2;
        }
    }

    /// Adds the assignments and directives in a conditional of a Makefile: with a tab these would be commands of the rule above.
    fn add_assignments(&mut self, run: &[&Row<'_>]) {
        let mut depth = 0_usize;
        for row in run {
            match opened_conditionals(row.line.text()) {
                0 if depth > 0 && is_make_directive(row.line.body()) => self.add(row),
                opened => depth = depth.saturating_add_signed(opened),
            }
        }
    }
}

fn address(line: &LineText<'_>) -> *const () {
    std::ptr::from_ref(line).cast()
}

/// Checks whether the quoted lines are in a text of YAML: a line that they are deeper than ends in `|` or `>`.
fn is_in_block_scalar(aligned: &Aligned<'_, '_>) -> bool {
    let file = aligned.file;
    let Some(lines) = aligned.lines() else { return false };
    let mut outer = aligned.outer_lines(file.line(lines.start).depth());
    outer.any(|line| opens_yaml_text(file.line(line).body()))
}
