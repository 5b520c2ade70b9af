//! What a plan changes, as a unified diff.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::ChangeTag;

use super::Look;
use super::style::{Tone, visible};
use crate::locate::pieces;
use crate::plan::{After, Change, Plan, Precondition};
use crate::text::{LineDiff, indentation, shown};

/// How long the search for a small difference may take before a plain one does. A preview need not be minimal.
const PATIENCE: Duration = Duration::from_millis(500);

/// How many unchanged lines stand around each change.
const CONTEXT: usize = 3;

/// Writes the changes of a plan, path by path; paths and line numbers as `diff -u` has them.
///
/// # Errors
/// Those of `out`.
///
/// ```
/// # use std::collections::BTreeMap;
/// # use apply_patch::{format, plan, report::diff};
/// let files = BTreeMap::from([("a.txt".into(), b"one\ntwo\n".to_vec())]);
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
/// let parsed = format::parse(text, &format::Options::default());
/// let plan = plan::plan(&parsed.patch, &files, &plan::Options::default()).unwrap();
/// let mut words = String::new();
/// diff::unified(&plan, &mut words).unwrap();
/// assert_eq!(words, "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
/// ```
pub fn unified(plan: &Plan, out: &mut dyn Write) -> fmt::Result {
    write(plan, &Look::PLAIN, false, out)
}

/// The same for people: coloured, with what differs inside of a line emphasised, and, where that is wanted (`trim`),
/// without the indentation that all lines of a file's diff have. Trimmed, it is none that can be applied.
///
/// # Errors
/// Those of `out`.
///
/// ```
/// # use std::collections::BTreeMap;
/// # use apply_patch::{format, plan, report::{Look, diff}};
/// let files = BTreeMap::from([("a.py".into(), b"    def f():\n        one\n".to_vec())]);
/// let text = "*** Begin Patch\n*** Update File: a.py\n@@\n-        one\n+        1\n*** End Patch\n";
/// let parsed = format::parse(text, &format::Options::default());
/// let plan = plan::plan(&parsed.patch, &files, &plan::Options::default()).unwrap();
/// let mut words = String::new();
/// diff::write(&plan, &Look::PLAIN, true, &mut words).unwrap();
/// assert!(words.ends_with("@@ -1,2 +1,2 @@\n def f():\n-    one\n+    1\n"), "{words}");
/// ```
pub fn write(plan: &Plan, look: &Look, trim: bool, out: &mut dyn Write) -> fmt::Result {
    let mut writer = Writer { look, trim, out };
    plan.changes.iter().try_for_each(|change| writer.change(change))
}

struct Writer<'w> {
    look: &'w Look,
    trim: bool,
    out: &'w mut dyn Write,
}

/// A line of a diff.
struct DiffLine<'d> {
    tag: ChangeTag,
    /// With its ending.
    text: &'d str,
    /// The bytes that differ from the line that it replaces, or that replaces it.
    differs: Vec<Range<usize>>,
}

impl Writer<'_> {
    fn change(&mut self, change: &Change) -> fmt::Result {
        let before: Option<&[u8]> = match &change.before {
            Precondition::MustNotExist => None,
            Precondition::MustBe(bytes) => Some(bytes),
        };
        let after = match &change.after {
            After::Gone => None,
            After::File { content, .. } => Some(content.bytes()),
        };
        let name = |side: &str, there: bool| {
            if there { format!("{side}/{}", shown(change.path.as_str())) } else { "/dev/null".to_owned() }
        };
        let (old, new) = (name("a", before.is_some()), name("b", after.is_some()));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        if before == &*after {
            return self.names(&old, &new);
        }
        let (Some(before), Some(after)) = (text(before), text(&after)) else {
            return writeln!(self.out, "Binary files {old} and {new} differ");
        };
        let diff = LineDiff::new(&before, &after, Instant::now().checked_add(PATIENCE));
        self.names(&old, &new)?;
        let hunks = diff.hunks(CONTEXT);
        let hunks = hunks.iter().map(|hunk| {
            let lines =
                hunk.lines.iter().map(|(tag, text)| DiffLine { tag: *tag, text, differs: Vec::new() });
            (hunk.to_string(), lines.collect())
        });
        let hunks: Vec<(String, Vec<DiffLine<'_>>)> = hunks.collect();
        let common = if self.trim { common_indentation(&hunks) } else { 0 };
        for (header, mut lines) in hunks {
            self.line(Tone::Faint, &header)?;
            if self.look.colour {
                emphasise(&mut lines);
            }
            lines.iter().try_for_each(|line| self.diff_line(line, common))?;
        }
        Ok(())
    }

    fn names(&mut self, old: &str, new: &str) -> fmt::Result {
        self.line(Tone::Head, &format!("--- {old}"))?;
        self.line(Tone::Head, &format!("+++ {new}"))
    }

    fn diff_line(&mut self, line: &DiffLine<'_>, common: usize) -> fmt::Result {
        let (tone, part) = match line.tag {
            ChangeTag::Equal => (Tone::Plain, Tone::Plain),
            ChangeTag::Delete => (Tone::Bad, Tone::BadPart),
            ChangeTag::Insert => (Tone::Good, Tone::GoodPart),
        };
        let text = line.text.strip_suffix('\n').unwrap_or(line.text);
        let start = common.min(indentation(text).len());
        let mut words = self.look.paint(tone, &line.tag.to_string());
        let mut at = start;
        for range in line.differs.iter().filter(|range| range.start >= start && range.end <= text.len()) {
            words += &self.look.paint(tone, &self.safe(&text[at..range.start]));
            words += &self.look.paint(part, &self.safe(&text[range.clone()]));
            at = range.end;
        }
        words += &self.look.paint(tone, &self.safe(&text[at..]));
        writeln!(self.out, "{words}")?;
        if line.text.ends_with('\n') { Ok(()) } else { writeln!(self.out, "\\ No newline at end of file") }
    }

    /// A text as it is; on a screen without what that would act on.
    fn safe<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let on_screen = self.look.colour || self.look.width.is_some();
        if on_screen {
            Cow::Owned(visible(text.strip_suffix('\r').unwrap_or(text)))
        } else {
            Cow::Borrowed(text)
        }
    }

    fn line(&mut self, tone: Tone, words: &str) -> fmt::Result {
        writeln!(self.out, "{}", self.look.paint(tone, words))
    }
}

/// How many columns of white space all lines of a diff begin with, blank ones aside; where tabs and spaces do not go
/// together, as far as they do.
fn common_indentation(hunks: &[(String, Vec<DiffLine<'_>>)]) -> usize {
    let lines = hunks.iter().flat_map(|(_, lines)| lines).filter(|line| !line.text.trim().is_empty());
    let mut indentations = lines.map(|line| indentation(line.text));
    let Some(first) = indentations.next() else { return 0 };
    let shared = |one: &str, other: &str| one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    indentations.fold(first.len(), |common, other| common.min(shared(first, other)))
}

/// Marks what differs between removed lines and those that come right behind them in their place.
fn emphasise(lines: &mut [DiffLine<'_>]) {
    let mut rest = lines;
    while !rest.is_empty() {
        let removed = rest.iter().take_while(|line| line.tag == ChangeTag::Delete).count();
        let added = rest[removed..].iter().take_while(|line| line.tag == ChangeTag::Insert).count();
        let (run, behind) = rest.split_at_mut((removed + added).max(1));
        let (old, new) = run.split_at_mut(removed);
        for (old, new) in old.iter_mut().zip(new) {
            let found = pieces(old.text, new.text);
            old.differs = found.iter().map(|piece| piece.quoted.clone()).collect();
            new.differs = found.into_iter().map(|piece| piece.actual).collect();
        }
        rest = behind;
    }
}

/// What can be shown; `None` for what is not text.
fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if bytes.contains(&0) { None } else { Some(String::from_utf8_lossy(bytes)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(tag: ChangeTag, text: &str) -> DiffLine<'_> {
        DiffLine { tag, text, differs: Vec::new() }
    }

    #[test]
    fn each_removed_line_is_compared_with_the_one_in_its_place() {
        let mut lines = [
            line(ChangeTag::Equal, "same\n"),
            line(ChangeTag::Delete, "let a = 1;\n"),
            line(ChangeTag::Delete, "let b = 1;\n"),
            line(ChangeTag::Insert, "let a = 2;\n"),
            line(ChangeTag::Insert, "let b = 2;\n"),
            line(ChangeTag::Insert, "let c = 2;\n"),
        ];
        emphasise(&mut lines);
        let differs: Vec<usize> =
            lines.iter().flat_map(|line| &line.differs).map(|range| range.start).collect();
        assert_eq!(differs, [8, 8, 8, 8]);
        assert!(lines[0].differs.is_empty() && lines[5].differs.is_empty());
    }

    #[test]
    fn what_is_trimmed_is_what_all_lines_have() {
        let of = |texts: &[&'static str]| {
            let lines = texts.iter().map(|text| line(ChangeTag::Equal, text)).collect();
            common_indentation(&[(String::new(), lines)])
        };
        assert_eq!(of(&["    a\n", "\n", "      b\n"]), 4);
        assert_eq!(of(&["\ta\n", "    b\n"]), 0);
        assert_eq!(of(&["\n"]), 0);
    }
}
