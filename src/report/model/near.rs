//! A near match: the lines of the file beside the quoted lines.

use crate::locate::{ActualLine, Alternative, ChangedLine, Difference, NearLine, Nearest, QuotedLine};
use crate::patch::LineKind;
use crate::report::excerpt::{Run, remark, runs};
use crate::report::model_line::{Worth, cut, named, numbered};
use crate::report::words::mark;
use crate::report::words::miss_notes::{self, Removed};

/// The most characters and the most lines of a near match.
const NEAREST: usize = 900;
const SHOWN: usize = 12;

/// One of several similar positions, and the line that distinguishes the position. A header is enough to name the position,
/// so fewer lines above and below follow, and no line if there are many positions.
pub(super) fn alternative(place: &Alternative, are_few: bool) -> Vec<(Worth, String)> {
    let line = place.start + 1;
    let (mut before, mut after) = (&place.before[..], &place.after[..]);
    let words = match &place.above {
        None => format!("  line {line}: no line above it distinguishes this position"),
        Some(above) if above.header => {
            let is_exact = after.first().is_none_or(|line| line.line != place.start);
            let (above_it, below_it) = match (are_few, is_exact) {
                (false, _) => (0, 0),
                (true, true) => (1, 1),
                (true, false) => (1, after.len()),
            };
            before = &before[before.len().saturating_sub(above_it)..];
            after = &after[..after.len().min(below_it)];
            let header = cut(above.text.trim());
            format!("  line {line}: with the header `@@ {header}` (line {})", above.line + 1)
        }
        // The lines below show that line.
        Some(above) if place.before.iter().any(|line| line.line == above.line) => {
            format!("  line {line}: below line {}", above.line + 1)
        }
        Some(above) => {
            format!("  line {line}: below line {}, `{}`", above.line + 1, named(above.text.trim_end()))
        }
    };
    // Blank lines at an end show nothing.
    let is_filled = |line: &ActualLine| !line.text.trim().is_empty();
    before = &before[before.iter().position(is_filled).unwrap_or(before.len())..];
    after = &after[..after.iter().rposition(is_filled).map_or(0, |last| last + 1)];
    let mut lines = Lines::default();
    lines.push(Worth::Needed, words);
    for line in before.iter().chain(after) {
        lines.push_of_file(Worth::Around, line);
    }
    lines.all
}

/// The lines of a nearest place, as many as there is room for.
pub(super) struct NearLines {
    pub(super) lines: Vec<(Worth, String)>,
    /// Whether a line states where the file has a line to remove that is not at the position.
    pub(super) removed: Removed,
}

impl NearLines {
    pub(super) fn of(nearest: &Nearest, changed: &[ChangedLine], of_replacement: bool) -> Self {
        let shift = shift(nearest);
        let mut excerpt =
            Excerpt { changed, of_replacement, is_shifted: shift.is_some(), ..Excerpt::default() };
        // Lines beside the position are dropped before lines of the position.
        let whole = (1..=Nearest::BESIDE).rev().map(|beside| (SHOWN, beside));
        for (most, beside) in whole.chain((1..=SHOWN).rev().map(|most| (most, 0))) {
            excerpt = Excerpt { lines: Lines::default(), removed: Removed::InNotes, ..excerpt };
            excerpt.lines.all.extend(shift.clone().map(|shift| (Worth::Needed, shift)));
            excerpt.write(nearest, most, beside);
            if excerpt.lines.size() <= NEAREST {
                break;
            }
        }
        NearLines { lines: excerpt.lines.all, removed: excerpt.removed }
    }
}

/// Lines of a report, some of them lines of the file.
#[derive(Default)]
struct Lines {
    all: Vec<(Worth, String)>,
    /// The last line of the file, 0-based.
    last: Option<usize>,
}

impl Lines {
    #[inline(never)]
    fn push(&mut self, worth: Worth, words: String) {
        self.all.push((worth, words));
    }

    /// Adds a line of the file, and above the line a mark for the lines of the file that are not shown.
    #[inline(never)]
    fn push_of_file(&mut self, worth: Worth, line: &ActualLine) {
        let next = self.last.map_or(line.line, |last| last + 1);
        if line.line > next {
            self.push(worth, mark::gap(line.line - next));
        }
        self.push(worth, numbered(line.line + 1, &line.text));
        self.last = Some(line.line);
    }

    fn size(&self) -> usize {
        self.all.iter().map(|(_, line)| line.chars().count() + 1).sum()
    }
}

/// The lines of a nearest place, while they are written.
#[derive(Default)]
struct Excerpt<'m> {
    changed: &'m [ChangedLine],
    of_replacement: bool,
    /// Whether a line above states the indentation of all quoted lines.
    is_shifted: bool,
    lines: Lines,
    /// The note about the whitespace of the line above.
    said: Option<String>,
    removed: Removed,
}

impl Excerpt<'_> {
    fn write(&mut self, nearest: &Nearest, most: usize, beside: usize) {
        let above = nearest.before.len().saturating_sub(beside);
        nearest.before[above..].iter().for_each(|line| self.lines.push_of_file(Worth::Needed, line));
        for run in runs(nearest, most) {
            self.said = None;
            match run {
                Run::Shown(range) => self.write_shown(&nearest.lines[range], nearest.place().start),
                Run::Left(range) => self.leave_out(&nearest.lines[range]),
            }
        }
        nearest.after.iter().take(beside).for_each(|line| self.lines.push_of_file(Worth::Needed, line));
    }

    /// Writes how many lines are not shown.
    fn leave_out(&mut self, lines: &[NearLine]) {
        let mut actual = lines.iter().filter_map(|line| line.actual.as_ref());
        if let Some(first) = actual.next() {
            let last = actual.next_back().unwrap_or(first).line;
            let start = self.lines.last.map_or(first.line, |last| last + 1);
            self.lines.push(Worth::Needed, mark::gap(last + 1 - start));
            self.lines.last = Some(last);
        }
        let missing = lines.iter().filter(|line| line.actual.is_none()).count();
        if missing > 0 {
            self.lines.push(Worth::Around, mark::more_missing(missing));
        }
    }

    /// Writes lines in a row; lines of the file in a row that were not quoted have a single mark. `start` is the first line
    /// of the position, 0-based.
    fn write_shown(&mut self, lines: &[NearLine], start: usize) {
        let mut unquoted: Option<usize> = None;
        for (nth, line) in lines.iter().enumerate() {
            if let Some(actual) = &line.actual {
                let worth = if line.same() { Worth::Around } else { Worth::Needed };
                self.lines.push_of_file(worth, actual);
            }
            match (&line.quoted, &line.actual) {
                (None, Some(actual)) => {
                    let first = *unquoted.get_or_insert(actual.line);
                    if lines.get(nth + 1).is_none_or(|next| next.quoted.is_some()) {
                        self.lines.push(Worth::Needed, mark::not_quoted(&(first..actual.line + 1)));
                        unquoted = None;
                    }
                }
                (Some(quoted), actual) => self.mark(line, quoted, actual.as_ref(), start),
                (None, None) => {}
            }
        }
    }

    /// Writes how a quoted line differs from the line of the file.
    fn mark(&mut self, line: &NearLine, quoted: &QuotedLine, actual: Option<&ActualLine>, start: usize) {
        if line.same() || self.is_shifted && line.difference == Difference::Indentation {
            self.said = None;
            return;
        }
        let by = if self.of_replacement { mark::By::OldText } else { mark::By::Patch(quoted.number) };
        let mut words = match actual {
            None => mark::missing(by, &quoted.text, self.lines.last, start),
            Some(actual)
                if matches!(line.difference, Difference::Indentation | Difference::TrailingSpace) =>
            {
                // A line without another difference is not repeated, nor is the note of the line above.
                let remark = remark(line);
                if self.said.replace(remark.clone()) == Some(remark.clone()) {
                    return;
                }
                mark::spaces(by, &remark, actual.line)
            }
            Some(actual) => mark::differs(by, line.difference, quoted, actual),
        };
        match (self.removed_elsewhere(line, quoted), miss_notes::added_at(self.changed, line)) {
            (Some(_), Some(made)) => {
                words.push_str(&mark::added(made.number));
                self.removed = Removed::InExcerpt;
            }
            (Some(removed), _) if self.removed == Removed::InNotes || !removed.lines.is_empty() => {
                words.push_str(&mark::removed(&removed.lines));
                self.removed = Removed::InExcerpt;
            }
            _ if actual.is_none() => words.push_str(mark::NOT_HERE),
            _ => {}
        }
        self.lines.push(Worth::Needed, words);
    }

    /// Returns the line to remove that a row quotes, if the line is not at the position.
    fn removed_elsewhere(&self, line: &NearLine, quoted: &QuotedLine) -> Option<&ChangedLine> {
        if quoted.kind != LineKind::Remove || miss_notes::is_there(line) {
            return None;
        }
        self.changed.iter().find(|changed| {
            changed.kind == LineKind::Remove && changed.number == quoted.number && changed.text == quoted.text
        })
    }
}

/// Returns one line about the indentation where all quoted lines with text are indented by the same number of characters too
/// far, or too little; `None` for a single line.
fn shift(nearest: &Nearest) -> Option<String> {
    if has_no_indentation(nearest) {
        return Some("   The patch quotes these lines without indentation:".to_owned());
    }
    let mut shifts = Vec::new();
    for line in &nearest.lines {
        let (Some(quoted), Some(actual)) = (&line.quoted, &line.actual) else { continue };
        if !line.difference.is_equivalent() || quoted.text.trim().is_empty() {
            continue;
        }
        let space = |text: &str| text[..text.len() - text.trim_start().len()].to_owned();
        let (quoted, actual) = (space(&quoted.text), space(&actual.text));
        let is_spaces = |text: &str| text.bytes().all(|byte| byte == b' ');
        if !is_spaces(&quoted) || !is_spaces(&actual) {
            return None;
        }
        shifts.push(quoted.len().cast_signed() - actual.len().cast_signed());
    }
    let shift = *shifts.first()?;
    if shift == 0 || shifts.len() < 2 || shifts.iter().any(|other| *other != shift) {
        return None;
    }
    let direction = if shift > 0 { "too deep" } else { "not deep enough" };
    let spaces = if shift.abs() == 1 { "space" } else { "spaces" };
    Some(format!("   All quoted lines are {} {spaces} {direction}:", shift.abs()))
}

/// Checks whether the file has indented lines and the quote has none.
fn has_no_indentation(nearest: &Nearest) -> bool {
    let is_indented = |text: &str| text.starts_with([' ', '\t']);
    let mut quoted = nearest.lines.iter().filter_map(|line| line.quoted.as_ref());
    let differing = nearest.lines.iter().filter(|line| line.difference == Difference::Indentation);
    differing.count() > 1 && !quoted.any(|quoted| is_indented(&quoted.text))
}
