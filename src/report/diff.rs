//! What a plan changes, as a unified diff.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::ops::Range;

use super::style::{Look, Tone, visible};
use crate::locate::pieces;
use crate::patch::LineKind;
#[cfg(any(feature = "cli", feature = "internals"))]
use crate::plan::Plan;
use crate::plan::{DiffBody, FileDiff, LineHunk};
use crate::text::{HunkHeader, indentation, shown};

/// Writes the changes of a plan for people, path by path; paths and line numbers as in `diff -u`. The diff is colored, with
/// the differing parts of a line emphasized, and, with `trim`, without the indentation that all lines of a file's diff have. A
/// trimmed diff cannot be applied.
///
/// # Errors
/// Returns the errors of `out`.
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
#[cfg(any(feature = "cli", feature = "internals"))]
pub fn write(plan: &Plan, look: &Look, trim: bool, out: &mut dyn Write) -> fmt::Result {
    let mut writer = Writer { look, trim, out };
    plan.changes.iter().try_for_each(|change| writer.file(&change.diff()))
}

/// Writes precomputed diffs of files, as [`write()`] does.
///
/// # Errors
/// Returns the errors of `out`.
pub fn write_files(files: &[FileDiff], look: &Look, trim: bool, out: &mut dyn Write) -> fmt::Result {
    let mut writer = Writer { look, trim, out };
    files.iter().try_for_each(|file| writer.file(file))
}

struct Writer<'w> {
    look: &'w Look,
    trim: bool,
    out: &'w mut dyn Write,
}

/// A line of a diff.
struct DiffLine<'d> {
    kind: LineKind,
    /// The line with its ending.
    text: &'d str,
    /// The bytes that differ from the replaced or replacing line.
    differs: Vec<Range<usize>>,
}

impl Writer<'_> {
    fn file(&mut self, file: &FileDiff) -> fmt::Result {
        let name = |side: &str, there: bool| {
            if there { format!("{side}/{}", shown(file.path.as_str())) } else { "/dev/null".to_owned() }
        };
        let (old, new) = (name("a", file.existed), name("b", file.exists));
        let hunks = match &file.body {
            DiffBody::Same => return self.names(&old, &new),
            DiffBody::Binary => return writeln!(self.out, "Binary files {old} and {new} differ"),
            DiffBody::Hunks(hunks) => hunks,
        };
        self.names(&old, &new)?;
        let common = if self.trim { common_indentation(hunks) } else { 0 };
        for LineHunk { old, new, lines } in hunks {
            self.line(Tone::Faint, &HunkHeader { old, new }.to_string())?;
            let lines = lines.iter().map(|(kind, text)| DiffLine { kind: *kind, text, differs: Vec::new() });
            let mut lines: Vec<DiffLine<'_>> = lines.collect();
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
        let (sign, tone, part) = match line.kind {
            LineKind::Context => (" ", Tone::Plain, Tone::Plain),
            LineKind::Remove => ("-", Tone::Bad, Tone::BadPart),
            LineKind::Add => ("+", Tone::Good, Tone::GoodPart),
        };
        let text = line.text.strip_suffix('\n').unwrap_or(line.text);
        let start = common.min(indentation(text).len());
        let mut words = self.look.paint(tone, sign);
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

    /// Returns a text unchanged; for a screen, without control characters.
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

/// Returns how many columns of whitespace all lines of a diff begin with, except blank lines; for a mixture of tabs and
/// spaces, the common part.
fn common_indentation(hunks: &[LineHunk]) -> usize {
    let texts = hunks.iter().flat_map(|hunk| &hunk.lines).map(|(_, text)| text);
    let mut indentations = texts.filter(|text| !text.trim().is_empty()).map(|text| indentation(text));
    let Some(first) = indentations.next() else { return 0 };
    let shared = |one: &str, other: &str| one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    indentations.fold(first.len(), |common, other| common.min(shared(first, other)))
}

/// Marks the differences between removed lines and the added lines that replace these.
fn emphasise(lines: &mut [DiffLine<'_>]) {
    let mut rest = lines;
    while !rest.is_empty() {
        let removed = rest.iter().take_while(|line| line.kind == LineKind::Remove).count();
        let added = rest[removed..].iter().take_while(|line| line.kind == LineKind::Add).count();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: LineKind, text: &str) -> DiffLine<'_> {
        DiffLine { kind, text, differs: Vec::new() }
    }

    #[test]
    fn each_removed_line_is_compared_with_the_one_in_its_place() {
        let mut lines = [
            line(LineKind::Context, "same\n"),
            line(LineKind::Remove, "let a = 1;\n"),
            line(LineKind::Remove, "let b = 1;\n"),
            line(LineKind::Add, "let a = 2;\n"),
            line(LineKind::Add, "let b = 2;\n"),
            line(LineKind::Add, "let c = 2;\n"),
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
            let lines = texts.iter().map(|text| (LineKind::Context, (*text).to_owned())).collect();
            common_indentation(&[LineHunk { old: 0..0, new: 0..0, lines }])
        };
        assert_eq!(of(&["    a\n", "\n", "      b\n"]), 4);
        assert_eq!(of(&["\ta\n", "    b\n"]), 0);
        assert_eq!(of(&["\n"]), 0);
    }
}
