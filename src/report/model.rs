//! Renders a report for the model that wrote the patch.
//!
//! Plain text. The first line states whether anything was changed, the last line what to do next. Lines of files are
//! verbatim, each behind its number and a `|`, so that the model can quote the lines. If the text exceeds the budget,
//! the least useful lines are left out first, with a note.

mod near;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write};
use std::ops::Range;

use camino::Utf8PathBuf;

use self::near::{NearLines, alternative};
use super::lines::{EXCERPT, FileLine, drift, headline, matching, notes, repair_lines};
use super::model_line::{Worth, named, numbered};
use super::preview::write_preview;
use super::style::Look;
use super::words::advice;
use super::words::miss::lines;
use super::words::miss_notes::{self, Removed};
use super::words::smallest;
use super::words::stopped::UNCHANGED;
use crate::format::{ParseErrors, Repair, RepairKind};
use crate::locate::{Miss, Nearest, Reason};
use crate::plan::{Exactness, Failure, FailureKind, Failures, HunkKind, HunkReport, LineRun};
use crate::run::{Caller, Changes, FileChange, Outcome, Report, Stopped};

/// Writes the report with at most `budget` characters; 0 for no limit. A requested preview is appended, complete and in
/// the given `look`, instead of the changed lines.
///
/// # Errors
/// Returns the errors of `out`.
///
/// ```
/// # use apply_patch::report::{Look, model};
/// # use apply_patch::run::{Options, Report, Tree, run};
/// let mut tree: Tree = [("a.txt", "one\ntwo\n")].into_iter().collect();
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
/// let report = run(text, &Options::default(), &mut tree);
/// let mut words = String::new();
/// model::write(&report, Report::BUDGET, &Look::PLAIN, &mut words).unwrap();
/// assert_eq!(words, "Done: 1 file changed.\nM a.txt +1 -1\n   2|2\nNext: nothing is left to do.\n");
/// ```
pub fn write(report: &Report, budget: usize, look: &Look, out: &mut dyn Write) -> fmt::Result {
    let mut page = Page { caller: report.caller, ..Page::default() };
    match &report.outcome {
        Outcome::Applied(changes) => page.applied(changes, report, false),
        Outcome::WouldApply(changes) => page.applied(changes, report, true),
        Outcome::Refused(failures) => {
            page.smallest = smallest::of_failures(&failures.failures);
            page.refused(failures, &report.repairs, report.suggestion.as_deref());
        }
        Outcome::NotAPatch(errors) => {
            page.smallest = smallest::of_errors(errors);
            page.not_a_patch(errors);
        }
        Outcome::WrongUsage { words } => page.wrong_usage(words),
        Outcome::Stopped(stopped) => page.stopped(stopped),
    }
    out.write_str(&page.fitted(budget))?;
    write_preview(report, look, out)
}

/// Lines, with what each is worth.
#[derive(Default)]
struct Page {
    lines: Vec<(Worth, String)>,
    /// The line that is written where not even the first and the last line fit; empty for the first line.
    smallest: String,
    /// The names of options and commands.
    caller: Caller,
}

/// How many of several places are shown.
const PLACES: usize = 6;

/// Of so many places at most the lines around are shown where a header decides.
const FEW: usize = 3;

/// How many headers are named that are not in the file.
const HEADERS: usize = 3;

/// The most characters of several repairs on a single line.
const REPAIRS: usize = 160;

/// How many lines of a change are shown.
const CHANGED: usize = 40;

impl Page {
    fn push(&mut self, worth: Worth, line: impl Into<String>) {
        self.push_line(worth, line.into());
    }

    /// Adds a line. Never inlined, because many sentences are added: the binary is smaller.
    #[inline(never)]
    fn push_line(&mut self, worth: Worth, line: String) {
        self.lines.push((worth, line));
    }

    fn applied(&mut self, changes: &Changes, report: &Report, only_checked: bool) {
        let renewed = changes
            .hunks
            .iter()
            .filter(|hunk| !hunk.unchanged || matches!(hunk.kind, HunkKind::Move | HunkKind::Copy));
        let count = match renewed.map(name).collect::<HashSet<_>>().len() {
            1 => "1 file".to_owned(),
            count => format!("{count} files"),
        };
        let first = match (changes.files.is_empty(), only_checked) {
            (true, _) => "Nothing was changed: the files are already as the patch wants them.".to_owned(),
            (false, false) => format!("Done: {count} changed."),
            (false, true) => {
                format!("Nothing was changed, as this was a check: the patch fits, and would change {count}.")
            }
        };
        self.push(Worth::Frame, first);
        self.repairs(&report.repairs);
        let last: HashMap<&Utf8PathBuf, usize> =
            changes.hunks.iter().enumerate().map(|(nth, hunk)| (name(hunk), nth)).collect();
        let files: HashMap<&Utf8PathBuf, &FileChange> =
            changes.files.iter().map(|file| (&file.path, file)).collect();
        for (nth, hunk) in changes.hunks.iter().enumerate() {
            self.push(Worth::Headline, FileLine(hunk).to_string());
            self.notes(hunk);
            let is_last = last.get(name(hunk)) == Some(&nth);
            let file = files.get(name(hunk)).filter(|_| is_last && !report.preview.is_asked());
            if let Some(file) = file {
                self.lines(&file.lines);
            }
        }
        let next = match changes.exactness() {
            _ if only_checked && !changes.files.is_empty() => {
                let dry_run = |repair: &Repair| repair.kind == RepairKind::DryRun;
                self.caller.after_check(report.repairs.iter().any(dry_run))
            }
            Exactness { inexact: 0, .. } => "Next: nothing is left to do.".to_owned(),
            _ => {
                "Next: nothing is left to do; look at the places above that were not quoted exactly, and next time \
                 copy the lines from the file."
                    .to_owned()
            }
        };
        self.push(Worth::Frame, next);
    }

    /// Writes how the text was read, as notes: nothing has to be corrected there.
    fn repairs(&mut self, repairs: &[Repair]) {
        let lines = repair_lines(repairs);
        if lines.is_empty() {
            return;
        }
        let all = lines.join("; ");
        if all.chars().count() <= REPAIRS {
            self.push(Worth::Useful, format!("  Note: {all}"));
            return;
        }
        for line in lines {
            self.push(Worth::Useful, format!("  Note: {line}"));
        }
    }

    fn notes(&mut self, hunk: &HunkReport) {
        for note in notes(hunk) {
            self.push(Worth::Useful, format!("  {note}"));
        }
        for (nth, chunk) in
            hunk.chunks.iter().enumerate().filter(|(_, chunk)| !chunk.placement.drift.is_empty())
        {
            self.push(Worth::Needed, format!("  {}", drift(nth, chunk).trim_start()));
        }
    }

    /// Writes the added lines with their new numbers.
    fn lines(&mut self, runs: &[LineRun]) {
        let mut left = CHANGED;
        for changed in runs {
            if changed.added.is_empty() {
                let lines = if changed.removed == 1 {
                    "1 line".to_owned()
                } else {
                    format!("{} lines", changed.removed)
                };
                self.push(Worth::Known, format!("    |({lines} removed above line {})", changed.line));
            }
            for (nth, line) in changed.added.iter().enumerate().take(left) {
                self.push(Worth::Known, numbered(changed.line + nth, line));
            }
            if changed.added.len() > left {
                self.push(Worth::Known, format!("    |(and {} more)", changed.added.len() - left));
            }
            left = left.saturating_sub(changed.added.len());
        }
    }

    fn refused(&mut self, failures: &Failures, repairs: &[Repair], suggestion: Option<&str>) {
        self.push(Worth::Frame, headline(failures));
        // Advice for all failures is the last line.
        let has_own_advice = advice::common(failures, &self.caller).is_none();
        for failure in &failures.failures {
            self.failure(failure, failures.of_replacement(), has_own_advice);
        }
        // What is around the patch has nothing to do with the refusal.
        let around = |repair: &&Repair| !repair.kind.is_around();
        let repairs: Vec<Repair> = repairs.iter().filter(around).cloned().collect();
        self.repairs(&repairs);
        if let Some(words) = matching(failures) {
            self.push(Worth::Useful, words);
        }
        if let Some(suggestion) = suggestion {
            // A part of a suggestion would be useless.
            let suggestion = suggestion.trim_end();
            let above = advice::above_suggestion(failures.of_replacement(), &self.caller);
            self.push(Worth::Headline, format!("{above}\n{suggestion}"));
        }
        self.push(Worth::Frame, advice::next(failures, suggestion.is_some(), &self.caller));
    }

    fn failure(&mut self, failure: &Failure, of_replacement: bool, has_own_advice: bool) {
        let words = self.caller.failure(failure);
        self.push(Worth::Headline, format!("{words} [{}]", failure.kind.code()));
        if let FailureKind::Chunk { miss, .. } = &failure.kind {
            self.miss(miss, of_replacement);
        }
        if let FailureKind::NotAllQuoted { left } = &failure.kind {
            for line in left.iter().take(EXCERPT) {
                self.push(Worth::Around, numbered(line.line + 1, &line.text));
            }
        }
        if has_own_advice && let Some(advice) = advice::about(failure, of_replacement, &self.caller) {
            self.push(Worth::Needed, format!("  To correct this: {advice}."));
        }
    }

    fn miss(&mut self, miss: &Miss, of_replacement: bool) {
        let mut missing: Vec<&String> = miss.missing_headers.iter().collect();
        missing.dedup();
        for header in missing.into_iter().take(HEADERS) {
            self.push(Worth::Needed, format!("  The header `@@ {}` is not in the file.", named(header)));
        }
        let near =
            miss.nearest.as_ref().map(|nearest| NearLines::of(nearest, &miss.lines.changed, of_replacement));
        let removed = near.as_ref().map_or(Removed::InNotes, |near| near.removed);
        for note in miss_notes::notes(miss, removed) {
            self.push(Worth::Needed, format!("  {note}."));
        }
        let are_few = miss.alternatives.len() <= FEW;
        for place in miss.alternatives.iter().take(PLACES) {
            self.lines.extend(alternative(place, are_few));
        }
        if let Some(left) = miss.alternatives.len().checked_sub(PLACES + 1) {
            self.push(Worth::Needed, format!("  ({} more positions)", left + 1));
        }
        if let (Some(nearest), Some(near)) = (&miss.nearest, near) {
            let named = match &miss.reason {
                Reason::Doubt { place, .. } => Some(place),
                _ => None,
            };
            self.nearest(nearest, named);
            self.lines.extend(near.lines);
        }
    }

    /// Writes the line above the lines of a nearest place. `named`: the place that the reason of the refusal names.
    fn nearest(&mut self, nearest: &Nearest, named: Option<&Range<usize>>) {
        let place = nearest.place();
        let differing = miss_notes::differing(nearest);
        let words = if named == Some(&place) {
            format!("  The file there{differing}:")
        } else {
            format!("  Nearest: {}{differing}:", lines(&place))
        };
        self.push(Worth::Needed, words);
    }

    fn not_a_patch(&mut self, errors: &ParseErrors) {
        self.push(Worth::Frame, "Nothing was changed: the text is not a patch.");
        for error in &errors.kept {
            for line in self.caller.parse_error(error).lines() {
                self.push(Worth::Headline, line);
            }
        }
        let left = errors.in_all.saturating_sub(errors.kept.len());
        if left > 0 {
            self.push(Worth::Frame, format!("({left} more errors; {} in all)", errors.in_all));
        }
        let next = if errors.in_all == 1 {
            "Next: put that right; then send the whole patch again."
        } else {
            "Next: put all of that right; then send the whole patch again."
        };
        self.push(Worth::Frame, next);
    }

    fn wrong_usage(&mut self, words: &str) {
        self.push(Worth::Frame, format!("Nothing was changed: {words}"));
        self.push(Worth::Frame, advice::after_wrong_usage(&self.caller));
    }

    fn stopped(&mut self, stopped: &Stopped) {
        let (changed, cause) = (stopped.changed(), stopped.cause(&self.caller));
        self.push(Worth::Frame, if changed { cause } else { format!("{UNCHANGED}{cause}") });
        let next = if changed {
            "Next: report this to the user; another patch cannot correct it."
        } else {
            "Next: see whether what the message names can be put right; the patch itself may be good."
        };
        self.push(Worth::Frame, next);
    }

    /// Returns the lines that fit into so many characters. The lines that are worth least are dropped first, and of these
    /// the last ones; a sorted list of the lines is walked once, because a report may have 100,000 lines.
    fn fitted(self, budget: usize) -> String {
        let sizes: Vec<usize> = self.lines.iter().map(|(_, line)| line.chars().count() + 1).collect();
        let mut total: usize = sizes.iter().sum();
        let note = |count: usize| format!("({count} lines left out, to keep within {budget} characters)\n");
        let mut order: Vec<usize> =
            (0..self.lines.len()).filter(|nth| self.lines[*nth].0 < Worth::Frame).collect();
        order.sort_unstable_by_key(|nth| (self.lines[*nth].0, Reverse(*nth)));
        let mut is_dropped = vec![false; self.lines.len()];
        let mut dropped = 0;
        for nth in order.into_iter().filter(|_| budget > 0) {
            let note_size = if dropped > 0 { note(dropped).len() } else { 0 };
            if total + note_size <= budget {
                break;
            }
            is_dropped[nth] = true;
            total -= sizes[nth];
            dropped += 1;
        }
        if budget > 0 && total + if dropped > 0 { note(dropped).len() } else { 0 } > budget {
            let first = self.lines.first().map(|(_, line)| line.as_str()).unwrap_or_default();
            return format!("{}\n", if self.smallest.is_empty() { first } else { &self.smallest });
        }
        let last = self.lines.len().saturating_sub(1);
        let mut words = String::with_capacity(total);
        for (nth, (_, line)) in self.lines.iter().enumerate().filter(|(nth, _)| !is_dropped[*nth]) {
            if nth == last && dropped > 0 {
                words.push_str(&note(dropped));
            }
            words.extend([line, "\n"]);
        }
        words
    }
}

/// Returns the name of the file of a hunk afterwards.
fn name(hunk: &HunkReport) -> &Utf8PathBuf {
    hunk.moved_to.as_ref().unwrap_or(&hunk.path)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::format::{Options as Reading, parse};
    use crate::plan::{Options, plan};

    #[test]
    fn what_is_worth_least_goes_first_and_is_counted() {
        let mut page = Page::default();
        page.push(Worth::Frame, "first");
        page.push(Worth::Known, "k".repeat(30));
        page.push(Worth::Headline, "h".repeat(30));
        page.push(Worth::Known, "l".repeat(30));
        page.push(Worth::Frame, "last");
        let words = page.fitted(100);
        assert_eq!(words.lines().nth(1), Some(&*"h".repeat(30)));
        assert_eq!(words.lines().nth(2), Some("(2 lines left out, to keep within 100 characters)"));
        assert!(words.chars().count() <= 100, "{words}");
    }

    #[test]
    fn the_smallest_report_is_a_line_with_code_and_position() {
        let files: BTreeMap<Utf8PathBuf, Vec<u8>> = [("a.txt".into(), b"one\n".to_vec())].into();
        let refused = |text: &str| {
            let parsed = parse(text, &Reading::default());
            match parsed.into_result() {
                Ok((patch, _)) => Outcome::Refused(plan(&patch, &files, &Options::default()).unwrap_err()),
                Err(errors) => Outcome::NotAPatch(errors),
            }
        };
        let text =
            "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** Delete File: b.txt\n*** End Patch\n";
        let words = "Nothing was changed: a.txt, patch line 3 [not-found], and 1 more\n";
        assert_eq!(Report::of(refused(text)).for_model(1), words);
        let words = "Nothing was changed: patch line 1 [no-envelope]\n";
        assert_eq!(Report::of(refused("no patch")).for_model(1), words);
        let applied = Report::of(Outcome::Applied(Changes::default()));
        assert_eq!(applied.for_model(1).lines().count(), 1);
    }

    #[test]
    fn no_budget_leaves_nothing_out() {
        let mut page = Page::default();
        page.push(Worth::Known, "k".repeat(10_000));
        assert_eq!(page.fitted(0).len(), 10_001);
    }
    /// Very long lines, in a file with a different line at the position.
    #[test]
    fn one_chunk_takes_little_room_however_long_its_lines_are() {
        let line = |nth: usize, word: &str| {
            format!("{:nth$}{}{word} {}", "", "left ".repeat(60 + nth), "right ".repeat(90))
        };
        let file: String = (0..40).map(|nth| line(nth, "file") + "\n").collect();
        let files: BTreeMap<Utf8PathBuf, Vec<u8>> = [("a.txt".into(), file.into_bytes())].into();
        for (from, step) in [(0, 1), (3, 2), (10, 7)] {
            let quoted: Vec<String> =
                (from..40).step_by(step).map(|nth| format!("-{}\n", line(nth, "patch"))).collect();
            let quoted = quoted.concat();
            let headers = "@@ a header that is nowhere\n".repeat(20);
            let text =
                format!("*** Begin Patch\n*** Update File: a.txt\n{headers}{quoted}+x\n*** End Patch\n");
            let parsed = parse(&text, &Reading::default());
            let failures = plan(&parsed.patch, &files, &Options::default()).unwrap_err();
            let words = Report::of(Outcome::Refused(failures)).for_model(0);
            assert!(words.contains("   1|") || words.contains(": patch line"), "{words}");
            assert!(words.chars().count() < 1500, "{}\n{words}", words.chars().count());
        }
    }
}
