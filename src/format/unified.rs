//! Parses unified diffs of git, of GNU diff, and of models.
//!
//! The text of a hunk decides its position. The counts determine where the hunk ends, if they match its lines, and the
//! line numbers break ties; both may be wrong. A diff is parsed as a whole: which names are meant, and how the last
//! line of the file ends, is known only after all hunks.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use crate::format::diff_file::{self, FileDiff, Side};
use crate::format::error::{ParseError, ParseErrorKind};
use crate::format::lines::lines;
use crate::format::marker;
use crate::format::shell;
use crate::format::thoughts;
use crate::format::{Event, Options, RepairKind};
use crate::patch::{Chunk, Header, Line, LineKind, Span};

/// Parses a whole text without its wrapping.
pub(super) fn read<'a>(text: &'a str, options: &Options, out: &mut dyn FnMut(Event<'a>)) {
    let rows = lines(text).map(|(_, line, rest)| {
        let whole = &text[..text.len() - rest.len()];
        Row { text: line, cr: whole.ends_with("\r\n"), is_open: !whole.ends_with('\n') }
    });
    let rows: Vec<Row<'a>> = rows.collect();
    Reader {
        rows,
        next: 0,
        options,
        out,
        file: None,
        files: 0,
        wrong: false,
        fenced: false,
        changes_folder: false,
        heredoc: None,
    }
    .read();
}

/// Returns whether a line and the text below begin the diff of a file.
pub(super) fn is_file_header(line: &str, below: &str) -> bool {
    line.starts_with("diff --git ")
        || line.starts_with("--- ") && below.starts_with("+++ ")
        || only_name(line, below).is_some()
}

/// Returns the name in a `--- NAME` or `+++ NAME` line without the other: right above a hunk, and beyond doubt the name of a file.
fn only_name<'a>(line: &'a str, below: &str) -> Option<&'a str> {
    let name = line.strip_prefix("--- ").or_else(|| line.strip_prefix("+++ "))?.trim();
    let is_name =
        name.contains(['/', '.']) && !name.contains(char::is_whitespace) && name != diff_file::NOTHING;
    let is_above_hunk = || lines(below).next().is_some_and(|(_, next, _)| numbered_marker(next).is_some());
    (is_name && is_above_hunk()).then_some(name)
}

/// Parses the counts of old and new lines in `@@ -12,7 +12,9 @@`, and returns the text behind `@@ ` with the counts.
pub(super) fn numbered_marker(line: &str) -> Option<(usize, usize)> {
    let ranges = line.strip_prefix("@@")?.trim_start().strip_prefix('-')?;
    let (old, rest) = ranges.split_once(' ')?;
    let (new, _) = rest.trim_start().strip_prefix('+')?.split_once("@@")?;
    Some((count(old)?, count(new)?))
}

fn count(range: &str) -> Option<usize> {
    let (start, count) = range.trim().split_once(',').unwrap_or((range.trim(), "1"));
    start.parse::<usize>().ok().and(count.parse().ok())
}

#[derive(Debug, Clone, Copy)]
struct Row<'a> {
    text: &'a str,
    /// Whether a CR preceded the LF.
    cr: bool,
    /// Whether the line has no line end: the last line of a text.
    is_open: bool,
}

struct Reader<'r, 'a> {
    rows: Vec<Row<'a>>,
    /// The line that is read next, 0-based.
    next: usize,
    options: &'r Options,
    out: &'r mut dyn FnMut(Event<'a>),
    file: Option<FileDiff<'a>>,
    files: usize,
    /// Whether an error was reported.
    wrong: bool,
    /// Whether a fence is open: the lines inside belong to the diff.
    fenced: bool,
    /// Whether a line of its own is a `cd` command.
    changes_folder: bool,
    /// The heredoc that is open.
    heredoc: Option<OpenHeredoc<'a>>,
}

/// A heredoc of a shell script.
struct OpenHeredoc<'a> {
    number: usize,
    line: &'a str,
    /// The word that ends the heredoc.
    word: &'a str,
    /// Whether the script would apply the diff in a different directory, or do something else with it.
    is_unclear: bool,
}

impl<'a> Reader<'_, 'a> {
    fn line(&self, at: usize) -> Option<&'a str> {
        self.rows.get(at).map(|row| row.text)
    }

    fn error(&mut self, number: usize, kind: ParseErrorKind, found: &str) {
        self.wrong = true;
        (self.out)(Event::Error(ParseError::new(Span::line(number), kind, found)));
    }

    fn repair(&mut self, number: usize, kind: RepairKind) {
        self.wrong |= self.options.strict;
        (self.out)(Event::repaired(number, kind, self.options));
    }

    fn read(mut self) {
        while let Some(line) = self.line(self.next) {
            if self.begins_file(self.next) {
                self.file_header();
            } else if line.starts_with("@@") {
                self.hunk();
            } else {
                self.around(line);
                self.next += 1;
            }
        }
        self.close_file();
        if self.files == 0 && !self.wrong {
            let filled = self.rows.iter().position(|row| !row.text.trim().is_empty());
            let at = filled.unwrap_or_default();
            let found = self.line(at).unwrap_or_default();
            self.error(at + 1, ParseErrorKind::NoDiff, found);
        }
    }

    fn begins_file(&self, at: usize) -> bool {
        self.line(at).is_some_and(|line| is_file_header(line, self.line(at + 1).unwrap_or_default()))
    }

    /// Reads a line that belongs to no file and no hunk.
    fn around(&mut self, line: &'a str) {
        let number = self.next + 1;
        let kind = match marker::outside(line) {
            marker::Outside::Blank => RepairKind::BlankLine,
            marker::Outside::Fence => {
                self.fenced = !self.fenced;
                RepairKind::Fence
            }
            _ if marker::is_no_newline_note(line) => RepairKind::NoNewlineNote,
            _ if self.file.is_some() && line.starts_with(['+', '-']) && !is_signature(line) => {
                return self.error(number, ParseErrorKind::StrayDiffLine, line);
            }
            _ if (self.files > 0 || self.file.is_some()) && thoughts::ends(line) => {
                return self.error(number, ParseErrorKind::Thoughts, line);
            }
            _ if diff_file::is_remark(line) => return,
            marker::Outside::Heredoc(heredoc) => {
                let is_unclear = heredoc.is_unclear || !heredoc.folders.is_empty() || self.changes_folder;
                self.heredoc = Some(OpenHeredoc { number, line, word: heredoc.word, is_unclear });
                RepairKind::Heredoc
            }
            marker::Outside::Prose => {
                self.changes_folder |= shell::change_folder(line.trim()).is_some();
                if self.heredoc.take_if(|heredoc| heredoc.word == line.trim()).is_some() {
                    RepairKind::Heredoc
                } else {
                    RepairKind::Prose
                }
            }
        };
        self.repair(number, kind);
    }

    // The header of a file.

    fn file_header(&mut self) {
        self.close_file();
        if let Some(heredoc) = &mut self.heredoc
            && std::mem::take(&mut heredoc.is_unclear)
        {
            let (number, line) = (heredoc.number, heredoc.line);
            self.error(number, ParseErrorKind::UnclearSetting, line);
        }
        let mut file = FileDiff::new(self.next + 1);
        if let Some(names) = self.line(self.next).and_then(|line| line.strip_prefix("diff --git ")) {
            file.git_names = Some(names);
            self.next += 1;
            while let Some(line) = self.line(self.next).filter(|_| !self.begins_file(self.next)) {
                if !file.take_extended(self.next + 1, line) {
                    break;
                }
                self.next += 1;
            }
        }
        self.names(&mut file);
        self.file = Some(file);
    }

    /// Reads the `--- NAME` and `+++ NAME` lines.
    fn names(&mut self, file: &mut FileDiff<'a>) {
        let (Some(line), below) = (self.line(self.next), self.line(self.next + 1).unwrap_or_default()) else {
            return;
        };
        if let Some(name) = only_name(line, below) {
            self.repair(self.next + 1, RepairKind::OneName);
            let (old, new) = Side::pair(name);
            (file.old, file.new) = (Some(old), Some(new));
            self.next += 1;
        } else if self.begins_file(self.next) && !line.starts_with("diff ") {
            file.old = Some(Side::read(&line[4..]));
            file.new = Some(Side::read(&below[4..]));
            self.next += 2;
        }
    }

    fn close_file(&mut self) {
        let Some(file) = self.file.take() else { return };
        self.files += 1;
        let (number, has_error) = (file.number, file.wrong);
        match file.into_hunk(self.options) {
            Ok(hunk) => {
                (self.out)(Event::HunkBegun(hunk));
                (self.out)(Event::HunkEnded);
            }
            Err(_) if has_error => {}
            Err(wrong) => self.error(wrong.number.unwrap_or(number), wrong.kind, &wrong.found),
        }
    }

    // A hunk.

    fn hunk(&mut self) {
        let at = self.next;
        let Some(marker) = self.rows.get(at).copied() else { return };
        self.next += 1;
        if self.file.is_none() {
            if let Some(name) = self.options.file.clone() {
                self.file = Some(FileDiff::named(at + 1, name));
            } else {
                self.error(at + 1, ParseErrorKind::HunkWithoutFile, marker.text);
                self.file = Some(FileDiff::unnamed(at + 1));
            }
        }
        let counts = numbered_marker(marker.text);
        let end = self.end_of_hunk(counts);
        match counts {
            None => self.repair(at + 1, RepairKind::NoLineNumbers),
            Some(counts) if end.counted.is_none() => self.other_counts(at + 1, counts, end.seen),
            Some(_) => {}
        }
        let end = end.counted.unwrap_or(end.seen);
        let mut chunk = Chunk { number: NonZeroUsize::new(at + 1), ..Chunk::default() };
        chunk.headers = header(at + 1, marker.text).into_iter().collect();
        self.body(end, marker.cr, &mut chunk);
        self.next = end;
        if chunk.lines.is_empty() {
            if let Some(file) = &mut self.file {
                file.wrong = true;
            }
            return self.error(at + 1, ParseErrorKind::EmptyChunk, marker.text);
        }
        if let Some(file) = &mut self.file {
            file.chunks.push(chunk);
        }
    }

    /// Reads the lines of a hunk up to line `end`, 0-based. `crlf` means that the diff itself has CR LF, so that a CR
    /// does not belong to the file.
    fn body(&mut self, end: usize, crlf: bool, chunk: &mut Chunk<'a>) {
        for at in self.next..end {
            let row = self.rows[at];
            if marker::is_no_newline_note(row.text) {
                chunk.end_of_file = true;
                if let (Some(file), Some(last)) = (&mut self.file, chunk.lines.last()) {
                    file.note_open_end(last.kind);
                }
                continue;
            }
            let (kind, text) = match row.text.as_bytes().first() {
                Some(b' ') => (LineKind::Context, &row.text[1..]),
                Some(b'-') => (LineKind::Remove, &row.text[1..]),
                Some(b'+') => (LineKind::Add, &row.text[1..]),
                _ => (LineKind::Context, row.text),
            };
            let signed = text.len() < row.text.len();
            if !signed {
                let empty = text.is_empty();
                let kind = if empty { RepairKind::EmptyContext } else { RepairKind::UnsignedContext };
                self.repair(at + 1, kind);
            }
            // Without a line feed in the file, the CR is no part of a line ending.
            let is_open = self.line(at + 1).is_some_and(marker::is_no_newline_note);
            let is_new = kind == LineKind::Add && self.file.as_ref().is_some_and(FileDiff::makes_file);
            let text = if row.cr && !crlf && (is_open || is_new) {
                Cow::Owned(format!("{text}\r"))
            } else {
                Cow::Borrowed(text)
            };
            chunk.lines.to_mut().push(Line { number: NonZeroUsize::new(at + 1), kind, text, signed });
        }
    }

    /// Reports that the lines of a hunk up to line `end`, 0-based, are not as many as its counts.
    fn other_counts(&mut self, number: usize, counts: (usize, usize), end: usize) {
        match self.changed_line_at_cut(counts, end) {
            Some(_) if self.options.accept_truncated => self.repair(end, RepairKind::Truncated),
            Some(line) => self.error(end, ParseErrorKind::UnfinishedHunk, line),
            None => self.repair(number, RepairKind::WrongCounts),
        }
    }

    /// Returns the last line of the text if it is a changed line, without a line end or in a fence that is not closed, and the hunk has
    /// fewer old and fewer new lines than counted: the text may have been cut off in this line or behind it.
    fn changed_line_at_cut(&self, (old, new): (usize, usize), end: usize) -> Option<&'a str> {
        let last = self.rows.get(end.checked_sub(1)?)?;
        let is_last = self.rows[end..].iter().all(|row| row.text.trim().is_empty());
        let count =
            |other: char| self.rows[self.next..end].iter().filter(|row| !row.text.starts_with(other)).count();
        let is_short = || count('+') < old && count('-') < new;
        let is_open = is_last && (last.is_open || self.fenced);
        (is_open && last.text.starts_with(['+', '-']) && is_short()).then_some(last.text)
    }

    /// Returns the end of the hunk that begins with the next line.
    fn end_of_hunk(&self, counts: Option<(usize, usize)>) -> End {
        let counted = counts.and_then(|counts| self.counted_end(counts));
        End { counted, seen: self.seen_end() }
    }

    /// Returns the end of the hunk by its counts; `None` if the counts do not match its lines.
    fn counted_end(&self, (mut old, mut new): (usize, usize)) -> Option<usize> {
        let mut at = self.next;
        while old > 0 || new > 0 {
            let line = self.line(at)?;
            if self.begins_file(at) && self.line(at + 2).is_some_and(|line| numbered_marker(line).is_some()) {
                return None;
            }
            at += 1;
            match line.as_bytes().first() {
                Some(b' ') | None => (old, new) = (old.checked_sub(1)?, new.checked_sub(1)?),
                Some(b'-') => old = old.checked_sub(1)?,
                Some(b'+') => new = new.checked_sub(1)?,
                Some(b'\\') => {}
                _ => return None,
            }
        }
        at += usize::from(self.line(at).is_some_and(marker::is_no_newline_note));
        let behind = (at..self.rows.len()).find(|at| !self.rows[*at].text.trim().is_empty());
        let goes_on = behind.is_some_and(|behind| {
            let line = self.rows[behind].text;
            line.starts_with(['+', '-', ' ']) && !self.begins_file(behind) && !is_signature(line)
        });
        (!goes_on).then_some(at)
    }

    /// Returns the end of the hunk by the look of its lines.
    fn seen_end(&self) -> usize {
        let mut end = self.next;
        for at in self.next..self.rows.len() {
            let line = self.rows[at].text;
            let signed = line.starts_with(['+', '-', ' ', '\\']);
            if line.starts_with("@@") || self.begins_file(at) || is_fence(line) || is_signature(line) {
                break;
            }
            if diff_file::is_remark(line) || !signed && !line.trim().is_empty() && !self.fenced && end < at {
                break;
            }
            if signed || !line.trim().is_empty() {
                end = at + 1;
            }
        }
        end
    }
}

/// Where a hunk ends, 0-based, exclusive.
struct End {
    counted: Option<usize>,
    seen: usize,
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// Returns whether a line is the line above the signature of a mail with a diff.
fn is_signature(line: &str) -> bool {
    matches!(line, "-- " | "--")
}

/// Returns the position in the `@@` line: line numbers and a heading, or a line of the file.
fn header(number: usize, marker: &str) -> Option<Header<'_>> {
    let text = marker.strip_prefix("@@")?;
    let text = text.strip_prefix(' ').unwrap_or(text);
    (!text.trim().is_empty())
        .then_some(Header { number: NonZeroUsize::new(number), text: Cow::Borrowed(text) })
}

/// Returns the text behind the lines that the counts of an `@@` include; `below` is the text behind the `@@` line.
pub(super) fn behind_counted(below: &str, (mut old, mut new): (usize, usize)) -> &str {
    let mut rest = below;
    for (_, line, after) in lines(below) {
        if old == 0 && new == 0 {
            break;
        }
        let (takes_old, takes_new) = match line.as_bytes().first() {
            Some(b'-') => (1, 0),
            Some(b'+') => (0, 1),
            Some(b'\\') => (0, 0),
            _ => (1, 1),
        };
        (old, new) = (old.saturating_sub(takes_old), new.saturating_sub(takes_new));
        rest = after;
    }
    rest
}
