//! For a person who reads a terminal.

use std::fmt::{self, Write};
use std::num::NonZeroUsize;

use super::excerpt::{Run, remark, runs};
use super::lines::{EXCERPT, FileLine, drift, headline, matching, notes, repair_lines};
use super::preview::write_preview;
use super::style::{Look, Tone, columns, cut, visible, visible_space};
use super::words::advice;
use super::words::miss::lines;
use super::words::miss_notes::{self, Removed};
use crate::format::{ParseErrors, Repair};
use crate::locate::{ActualLine, Alternative, Difference, Drift, Miss, NearLine, Nearest, pieces};
#[cfg(any(feature = "cli", feature = "internals"))]
use crate::plan::Plan;
use crate::plan::{Exactness, Failure, FailureKind, Failures, HunkKind, HunkReport};
use crate::run::{Caller, Outcome, Report};
use crate::text::shown;

/// Writes the report.
///
/// # Errors
/// Returns the errors of `out`.
pub fn write(report: &Report, look: &Look, out: &mut dyn Write) -> fmt::Result {
    let mut people = People { look, caller: &report.caller, out };
    match &report.outcome {
        Outcome::Applied(changes) | Outcome::WouldApply(changes) => {
            people.applied(&changes.hunks, &report.repairs)?;
            write_preview(report, look, people.out)
        }
        Outcome::Refused(failures) => people.refused(failures, &report.repairs, report.suggestion.as_deref()),
        Outcome::NotAPatch(errors) => people.not_a_patch(errors),
        Outcome::WrongUsage { words } => {
            let error = people.look.paint(Tone::Bad, "error:");
            let help = report.caller.shows_options();
            let help = help.trim_start_matches("; ");
            let help = if help.is_empty() { String::new() } else { format!("\n\n{help}.") };
            writeln!(people.out, "{error} {words}{help}")
        }
        Outcome::Stopped(stopped) => writeln!(people.out, "{}", stopped.words(&report.caller)),
    }
}

/// Writes a line for each file, followed by every repair, drift and note; without colors.
///
/// # Errors
/// Returns the errors of `out`.
#[cfg(any(feature = "cli", feature = "internals"))]
pub fn applied(plan: &Plan, repairs: &[Repair], out: &mut dyn Write) -> fmt::Result {
    People { look: &Look::PLAIN, caller: &Caller::NONE, out }.applied(&plan.hunks, repairs)
}

/// Writes why a text is not a patch; without colors.
///
/// # Errors
/// Returns the errors of `out`.
#[cfg(feature = "internals")]
pub fn not_a_patch(errors: &ParseErrors, out: &mut dyn Write) -> fmt::Result {
    People { look: &Look::PLAIN, caller: &Caller::NONE, out }.not_a_patch(errors)
}

/// Writes every reason why a patch does not fit the files, and the changes that would have worked; without colors.
///
/// # Errors
/// Returns the errors of `out`.
#[cfg(feature = "internals")]
pub fn refused(failures: &Failures, repairs: &[Repair], out: &mut dyn Write) -> fmt::Result {
    People { look: &Look::PLAIN, caller: &Caller::NONE, out }.refused(failures, repairs, None)
}

struct People<'p> {
    look: &'p Look,
    caller: &'p Caller,
    out: &'p mut dyn Write,
}

/// How many lines of the nearest place are shown.
const SHOWN: usize = 14;

/// How many of several places are shown.
const PLACES: usize = 8;

/// The maximum width of a line outside a terminal, in columns.
const WIDTH: usize = 132;

impl People<'_> {
    fn applied(&mut self, hunks: &[HunkReport], repairs: &[Repair]) -> fmt::Result {
        let line_of = |hunk: Option<&HunkReport>| {
            hunk.and_then(|hunk| hunk.number).map_or(usize::MAX, NonZeroUsize::get)
        };
        let first = line_of(hunks.first());
        let whole = |repair: &&Repair| repair.kind.is_wrapping() || repair.span.first < first;
        let (whole, inside): (Vec<_>, Vec<_>) = repairs.iter().partition(whole);
        for repair in whole {
            self.line(Tone::Faint, &repair.to_string())?;
        }
        let mut repairs = inside.into_iter().peekable();
        for (nth, hunk) in hunks.iter().enumerate() {
            let next = line_of(hunks.get(nth + 1));
            self.file(hunk)?;
            while let Some(repair) = repairs.next_if(|repair| repair.span.first < next) {
                self.line(Tone::Faint, &format!("    {repair}"))?;
            }
            self.notes(hunk)?;
        }
        match Exactness::of(hunks) {
            Exactness { inexact: 0, .. } => Ok(()),
            Exactness { chunks, inexact } => {
                let words = format!("{inexact} of {chunks} chunks were not quoted as the file has them");
                self.line(Tone::Remark, &words)
            }
        }
    }

    fn file(&mut self, hunk: &HunkReport) -> fmt::Result {
        let words = FileLine(hunk).to_string();
        let (letter, rest) = words.split_at(1);
        let tone = match hunk.kind {
            HunkKind::Add | HunkKind::Copy => Tone::Good,
            HunkKind::Delete => Tone::Bad,
            HunkKind::Update | HunkKind::Move => Tone::Remark,
        };
        writeln!(self.out, "{}{}", self.look.paint(tone, letter), self.look.paint(Tone::Head, rest))
    }

    fn notes(&mut self, hunk: &HunkReport) -> fmt::Result {
        for note in notes(hunk) {
            self.line(Tone::Faint, &format!("    {note}"))?;
        }
        for (nth, chunk) in
            hunk.chunks.iter().enumerate().filter(|(_, chunk)| !chunk.placement.drift.is_empty())
        {
            let inexact = chunk.placement.drift.iter().any(Drift::is_inexact);
            let tone = if inexact { Tone::Remark } else { Tone::Faint };
            self.line(tone, &drift(nth, chunk))?;
        }
        if hunk.kind == HunkKind::Update && hunk.unchanged {
            self.line(Tone::Faint, "    the file stays as it was")?;
        }
        Ok(())
    }

    fn not_a_patch(&mut self, errors: &ParseErrors) -> fmt::Result {
        self.line(Tone::Head, "Nothing was changed: the text is not a patch.")?;
        for error in &errors.kept {
            for (nth, line) in self.caller.parse_error(error).lines().enumerate() {
                self.line(if nth == 0 { Tone::Bad } else { Tone::Plain }, line)?;
            }
        }
        let left = errors.in_all.saturating_sub(errors.kept.len());
        if left > 0 {
            self.line(Tone::Head, &format!("… {left} more errors, {} in all", errors.in_all))?;
        }
        Ok(())
    }

    fn refused(&mut self, failures: &Failures, repairs: &[Repair], suggestion: Option<&str>) -> fmt::Result {
        let of_replacement = failures.of_replacement();
        self.line(Tone::Head, &headline(failures))?;
        for failure in &failures.failures {
            self.failure(failure, of_replacement)?;
        }
        if !repairs.is_empty() {
            self.line(Tone::Faint, "as read:")?;
        }
        for line in repair_lines(repairs) {
            self.line(Tone::Faint, &format!("    {line}"))?;
        }
        if let Some(words) = matching(failures) {
            self.line(Tone::Good, &words)?;
        }
        let Some(suggestion) = suggestion else { return Ok(()) };
        let what = advice::corrected(of_replacement);
        let words = format!("a corrected {what}, quoted from the files; check it before you apply it:");
        self.line(Tone::Head, &words)?;
        suggestion.lines().try_for_each(|line| writeln!(self.out, "{}", shown(line)))
    }

    fn failure(&mut self, failure: &Failure, of_replacement: bool) -> fmt::Result {
        self.line(Tone::Bad, &format!("{} [{}]", self.caller.failure(failure), failure.kind.code()))?;
        if let FailureKind::Chunk { miss, .. } = &failure.kind {
            self.miss(miss, of_replacement)?;
        }
        if let FailureKind::NotAllQuoted { left } = &failure.kind {
            left.iter().take(EXCERPT).try_for_each(|line| self.file_line(line))?;
        }
        match advice::about(failure, of_replacement, self.caller) {
            Some(advice) => self.line(Tone::Remark, &format!("    {advice}")),
            None => Ok(()),
        }
    }

    fn miss(&mut self, miss: &Miss, of_replacement: bool) -> fmt::Result {
        for header in &miss.missing_headers {
            self.line(Tone::Plain, &format!("    the header `@@ {}` is not in the file", shown(header)))?;
        }
        for note in miss_notes::notes(miss, Removed::InNotes) {
            self.line(Tone::Plain, &format!("    {note}"))?;
        }
        if miss.alternatives.iter().all(|place| place.above.is_none()) {
            return self.nearest(miss.nearest.as_deref(), of_replacement);
        }
        for place in miss.alternatives.iter().take(PLACES) {
            self.alternative(place)?;
        }
        if let Some(left) = miss.alternatives.len().checked_sub(PLACES + 1) {
            self.line(Tone::Faint, &format!("    … {} more", left + 1))?;
        }
        self.nearest(miss.nearest.as_deref(), of_replacement)
    }

    fn alternative(&mut self, place: &Alternative) -> fmt::Result {
        let line = place.start + 1;
        let words = match &place.above {
            None => "no line above it distinguishes this position".to_owned(),
            Some(above) if above.header => {
                format!("under line {}, the header `@@ {}`", above.line + 1, visible(above.text.trim()))
            }
            Some(above) => format!("below line {}: {}", above.line + 1, visible(above.text.trim())),
        };
        let words = format!("    line {line:>4}  {words}");
        let words = cut(&words, self.width());
        self.line(Tone::Plain, &words)
    }

    fn nearest(&mut self, nearest: Option<&Nearest>, of_replacement: bool) -> fmt::Result {
        let Some(nearest) = nearest else { return Ok(()) };
        let differing = miss_notes::differing(nearest);
        let what = match nearest.made {
            true => "the result: ",
            false if differing.is_empty() => "",
            false => "nearest: ",
        };
        self.line(Tone::Plain, &format!("    {what}{}{differing}:", lines(&nearest.place())))?;
        nearest.before.iter().try_for_each(|line| self.file_line(line))?;
        for run in runs(nearest, SHOWN) {
            match run {
                Run::Shown(range) => {
                    for line in &nearest.lines[range] {
                        self.near_line(line, of_replacement)?;
                    }
                }
                Run::Left(range) => self.line(Tone::Faint, &format!("           … {} more", range.len()))?,
            }
        }
        nearest.after.iter().try_for_each(|line| self.file_line(line))
    }

    /// Writes a line of the file where quoted lines are missing.
    fn file_line(&mut self, line: &ActualLine) -> fmt::Result {
        let room = self.width().saturating_sub(GUTTER);
        let drawn = Drawn::new(&line.text, Vec::new(), false, room);
        self.framed(&format!("file {:>4}", line.line + 1), &drawn, Tone::Faint, Tone::Faint)
    }

    /// Writes a quoted line and the line of the file: a single line if both are equal, otherwise both, with carets
    /// below the differences.
    fn near_line(&mut self, line: &NearLine, of_replacement: bool) -> fmt::Result {
        let spaces = matches!(
            line.difference,
            Difference::TrailingSpace | Difference::Indentation | Difference::Spacing
        );
        let room = self.width().saturating_sub(GUTTER);
        let texts = line.quoted.as_ref().zip(line.actual.as_ref());
        let apart = texts.map(|(quoted, actual)| pieces(&quoted.text, &actual.text)).unwrap_or_default();
        if !line.same()
            && let Some(quoted) = &line.quoted
        {
            let label = match quoted.number {
                _ if of_replacement => "old".to_owned(),
                Some(number) => format!("patch {number:>3}"),
                None => "patch".to_owned(),
            };
            let ranges = apart.iter().map(|piece| piece.quoted.clone()).collect();
            let drawn = Drawn::new(&quoted.text, ranges, spaces, room);
            self.framed(&label, &drawn, Tone::Bad, Tone::BadPart)?;
        }
        let Some(actual) = &line.actual else {
            return self.line(Tone::Remark, &format!("{:GUTTER$}{}", "", line.difference));
        };
        let label = format!("file {:>4}", actual.line + 1);
        let ranges: Vec<_> = apart.iter().map(|piece| piece.actual.clone()).collect();
        let drawn = Drawn::new(&actual.text, ranges, spaces, room);
        let (tone, part) =
            if line.same() { (Tone::Plain, Tone::Plain) } else { (Tone::Good, Tone::GoodPart) };
        self.framed(&label, &drawn, tone, part)?;
        if line.same() {
            return Ok(());
        }
        let carets = if drawn.carets.is_empty() { String::new() } else { format!("{} ", drawn.carets) };
        let words = format!("{:GUTTER$}{carets}{}", "", remark(line));
        if columns(&words) <= self.width() {
            return self.line(Tone::Remark, &words);
        }
        // Both do not fit on the same line.
        if !carets.is_empty() {
            writeln!(
                self.out,
                "{}",
                self.look.paint(Tone::Remark, format!("{:GUTTER$}{carets}", "").trim_end())
            )?;
        }
        self.line(Tone::Remark, &format!("{:GUTTER$}{}", "", remark(line)))
    }

    fn framed(&mut self, label: &str, drawn: &Drawn, tone: Tone, part: Tone) -> fmt::Result {
        let gutter = self.look.paint(Tone::Faint, &format!("{label:>12} | "));
        write!(self.out, "{gutter}")?;
        for (text, differs) in &drawn.parts {
            write!(self.out, "{}", self.look.paint(if *differs { part } else { tone }, text))?;
        }
        writeln!(self.out)
    }

    /// Writes words on a single line, or on several if the terminal is too narrow.
    fn line(&mut self, tone: Tone, words: &str) -> fmt::Result {
        let most = self.look.width.map_or(usize::MAX, |width| width.max(NARROWEST));
        // Trailing whitespace is invisible.
        for line in wrapped(words.trim_end(), most) {
            writeln!(self.out, "{}", self.look.paint(tone, &line))?;
        }
        Ok(())
    }

    fn width(&self) -> usize {
        self.look.width.unwrap_or(WIDTH).max(NARROWEST)
    }
}

/// The minimum width that is assumed for a terminal, in columns.
const NARROWEST: usize = 40;

/// Words as lines of so many columns at the most; all but the first are indented further. A word that is longer than that
/// is cut.
fn wrapped(words: &str, most: usize) -> Vec<String> {
    if columns(words) <= most {
        return vec![words.to_owned()];
    }
    let indentation = &words[..words.len() - words.trim_start().len()];
    let mut lines = vec![indentation.to_owned()];
    let mut fresh = true;
    for word in words.split_whitespace() {
        if let Some(line) = lines.last_mut() {
            let space = if fresh { "" } else { " " };
            if columns(line) + space.len() + columns(word) <= most {
                *line += space;
                *line += word;
                fresh = false;
                continue;
            }
            if fresh {
                *line += &cut(word, most - columns(line));
                fresh = false;
                continue;
            }
        }
        let start = format!("{indentation}    ");
        let word = cut(word, most - columns(&start));
        lines.push(start + &word);
    }
    lines
}

/// The width of the prefix of a line: `patch   7 | `.
const GUTTER: usize = 15;

/// A line as displayed.
struct Drawn {
    /// Pieces of text, and whether each differs.
    parts: Vec<(String, bool)>,
    /// Carets below the pieces that differ; everything left of the first caret must be kept.
    carets: String,
}

impl Drawn {
    /// `differing` are bytes of the text, ascending. Differing whitespace is made visible.
    fn new(text: &str, differing: Vec<std::ops::Range<usize>>, spaces: bool, room: usize) -> Self {
        let mut all: Vec<(String, bool)> = Vec::new();
        let mut at = 0;
        for range in differing {
            all.push((visible(&text[at..range.start]), false));
            let piece = &text[range.clone()];
            all.push((if spaces { visible_space(piece) } else { visible(piece) }, true));
            at = range.end;
        }
        all.push((visible(&text[at..]), false));
        let carets = carets(&all);
        Drawn { carets: cut(&carets, room), parts: windowed(all, room) }
    }
}

/// Returns carets below the pieces that differ, a single caret if text is missing.
fn carets(parts: &[(String, bool)]) -> String {
    let mut carets = String::new();
    for (text, differs) in parts {
        let width = if *differs { columns(text).max(1) } else { columns(text) };
        carets.extend(std::iter::repeat_n(if *differs { '^' } else { ' ' }, width));
    }
    carets.trim_end().to_owned()
}

/// Returns the pieces, cut to the available width.
fn windowed(parts: Vec<(String, bool)>, room: usize) -> Vec<(String, bool)> {
    let mut left = room;
    let mut kept = Vec::new();
    for (text, differs) in parts {
        if left == 0 {
            break;
        }
        let text = cut(&text, left);
        left = left.saturating_sub(columns(&text));
        if text.ends_with('…') {
            left = 0;
        }
        kept.push((text, differs));
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use camino::Utf8PathBuf;

    use super::*;
    use crate::format::{Options as Reading, parse};
    use crate::plan::{Options, plan};

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let file = "fn wait(&self) {\n    let most = self.configuration.retries_before_giving_up_for_good(self.now(), 1);\n\
                    \tlet pause = 日本語日本語日本語日本語日本語日本語日本語;\n}\n";
        let files: BTreeMap<Utf8PathBuf, Vec<u8>> = [("a.rs".into(), file.into())].into();
        let text = "*** Begin Patch\n*** Update File: a.rs\n@@\n fn wait(&self) {\n-  let most = self.configuration.retries_before_giving_up_for_good(self.now(), 2);\n     let pause = 日本語日本語日本語日本語日本語日本語日本語日本語;\n*** Update File: a_file_with_a_name_that_is_longer_than_any_terminal_is_wide_which_may_well_be.rs\n@@\n-a\n+b\n*** End Patch\n";
        let parsed = parse(text, &Reading::default());
        let failures = plan(&parsed.patch, &files, &Options::default()).unwrap_err();
        let report = Report::of(Outcome::Refused(failures));
        for width in 40..160 {
            let look = Look { colour: false, width: Some(width) };
            let words = report.for_human(&look);
            let widest = words.lines().map(columns).max().unwrap_or(0);
            assert!(widest <= width, "{widest} columns of {width}\n{words}");
        }
    }
}
