//! How much a plan changes, a line a file.

use std::fmt::{self, Write};

use super::style::{Look, Tone, columns, cut};
use crate::plan::HunkReport;
use crate::text::shown;

/// The width of the lines outside a terminal, in columns.
const WIDTH: usize = 80;

/// How many columns there are for the plus and minus signs, at the most.
const BAR: usize = 40;

/// Writes the files with the numbers of added and removed lines, and the totals.
///
/// # Errors
/// Returns the errors of `out`.
///
/// ```
/// # use std::collections::BTreeMap;
/// # use apply_patch::{format, plan, report::{Look, stat}};
/// let files = BTreeMap::from([("a.txt".into(), b"one\ntwo\n".to_vec())]);
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n+3\n*** End Patch\n";
/// let parsed = format::parse(text, &format::Options::default());
/// let plan = plan::plan(&parsed.patch, &files, &plan::Options::default()).unwrap();
/// let mut words = String::new();
/// stat::write(&plan.hunks, &Look::PLAIN, &mut words).unwrap();
/// assert_eq!(words, " a.txt | 3 ++-\n 1 file, 2 lines added, 1 line removed\n");
/// ```
pub fn write(hunks: &[HunkReport], look: &Look, out: &mut dyn Write) -> fmt::Result {
    let rows = rows(hunks);
    let width = look.width.unwrap_or(WIDTH).max(40);
    let names = rows.iter().map(|row| columns(&row.name)).max().unwrap_or(0).min(width / 2);
    let most = rows.iter().map(Row::lines).max().unwrap_or(0);
    let digits = most.to_string().len();
    let bar = width.saturating_sub(names + digits + 6).clamp(1, BAR);
    for row in &rows {
        let name = cut(&row.name, names);
        let space = " ".repeat(names - columns(&name));
        let (plus, minus) = row.bar(most, bar);
        let plus = look.paint(Tone::Good, &"+".repeat(plus));
        let minus = look.paint(Tone::Bad, &"-".repeat(minus));
        writeln!(out, " {name}{space} | {:>digits$} {plus}{minus}", row.lines())?;
    }
    let count = |number: usize, what: &str| {
        if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
    };
    let added = rows.iter().map(|row| row.added).sum();
    let removed = rows.iter().map(|row| row.removed).sum();
    let (files, added, removed) = (count(rows.len(), "file"), count(added, "line"), count(removed, "line"));
    writeln!(out, " {files}, {added} added, {removed} removed")
}

/// A file, and the size of its change.
struct Row {
    name: String,
    added: usize,
    removed: usize,
}

impl Row {
    fn lines(&self) -> usize {
        self.added + self.removed
    }

    /// Returns the numbers of plus and minus signs, scaled so that the longest bar represents `most` lines. Every
    /// change has at least a sign.
    fn bar(&self, most: usize, width: usize) -> (usize, usize) {
        let scaled = |lines: usize| match lines {
            0 => 0,
            lines if most <= width => lines,
            lines => (lines * width / most).max(1),
        };
        (scaled(self.added), scaled(self.removed))
    }
}

/// Returns the files in the order of their first hunk; several hunks of a file are a single row.
fn rows(hunks: &[HunkReport]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for hunk in hunks {
        let name = name(hunk);
        match rows.iter_mut().find(|row| row.name == name) {
            Some(row) => {
                row.added += hunk.added;
                row.removed += hunk.removed;
            }
            None => rows.push(Row { name, added: hunk.added, removed: hunk.removed }),
        }
    }
    rows
}

fn name(hunk: &HunkReport) -> String {
    match &hunk.moved_to {
        Some(target) => format!("{} -> {}", shown(hunk.path.as_str()), shown(target.as_str())),
        None => shown(hunk.path.as_str()).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_bar_is_scaled_and_a_short_one_stays() {
        let row = |added, removed| Row { name: String::new(), added, removed };
        assert_eq!(row(3, 1).bar(4, 40), (3, 1));
        assert_eq!(row(1000, 1).bar(1001, 40), (39, 1));
    }
}
