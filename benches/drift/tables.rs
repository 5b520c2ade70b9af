//! The tables.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::case::Verdict;

/// What came of the cases of one row, at one configuration.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) right: usize,
    pub(crate) refused: usize,
    pub(crate) wrong: usize,
    /// Right, but the same patch changes its result once more.
    pub(crate) again: usize,
}

impl Tally {
    pub(crate) fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Right => self.right += 1,
            Verdict::Refused => self.refused += 1,
            Verdict::Wrong => self.wrong += 1,
            Verdict::Again => self.again += 1,
        }
    }

    /// Adds the counts of another tally.
    pub(crate) fn add(&mut self, other: Tally) {
        self.right += other.right;
        self.refused += other.refused;
        self.wrong += other.wrong;
        self.again += other.again;
    }
}

/// A row: how many cases there are, how many of them leave the choice, and a tally for each configuration.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) cases: usize,
    pub(crate) open: usize,
    pub(crate) tallies: Vec<Tally>,
}

/// Prints rows, and their sum below them.
pub(crate) fn print(out: &mut dyn Write, title: &str, columns: &[&str], rows: &[Row]) -> io::Result<()> {
    let width = rows.iter().map(|row| row.label.len()).max().unwrap_or(0).max(title.len());
    write!(out, "\n{:width$}  {:>5} {:>5}", "", "cases", "open")?;
    for column in columns {
        write!(out, " | {column:^27}")?;
    }
    write!(out, "\n{title:width$}  {:5} {:5}", "", "")?;
    for _ in columns {
        write!(out, " | {:>6} {:>7} {:>6} {:>5}", "right", "refused", "WRONG", "AGAIN")?;
    }
    writeln!(out)?;
    let mut total =
        Row { label: "all".to_owned(), tallies: vec![Tally::default(); columns.len()], ..Row::default() };
    for row in rows {
        print_row(out, row, width)?;
        total.cases += row.cases;
        total.open += row.open;
        for (sum, tally) in total.tallies.iter_mut().zip(&row.tallies) {
            sum.add(*tally);
        }
    }
    if rows.len() > 1 { print_row(out, &total, width) } else { Ok(()) }
}

fn print_row(out: &mut dyn Write, row: &Row, width: usize) -> io::Result<()> {
    write!(out, "{:width$}  {:>5} {:>5}", row.label, row.cases, row.open)?;
    let count = |count: usize| if count == 0 { "-".to_owned() } else { count.to_string() };
    for Tally { right, refused, wrong, again } in &row.tallies {
        let percent = 100.0 * f64::from(u32::try_from(*right).unwrap_or(u32::MAX))
            / f64::from(u32::try_from(row.cases.max(1)).unwrap_or(u32::MAX));
        write!(out, " | {percent:>5.1}% {refused:>7} {:>6} {:>5}", count(*wrong), count(*again))?;
    }
    writeln!(out)
}

/// Prints why cases were refused although they are clear, the commonest first.
pub(crate) fn print_refusals(
    out: &mut dyn Write,
    refusals: &BTreeMap<(String, String), usize>,
) -> io::Result<()> {
    let mut sorted: Vec<_> = refusals.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    if !sorted.is_empty() {
        writeln!(out, "\nRefused although clear, at the default level: for which reason, and how often")?;
    }
    for ((label, reason), count) in sorted.into_iter().take(MOST_REFUSALS) {
        writeln!(out, "{count:>6}  {label}: {reason}")?;
    }
    Ok(())
}

/// How many reasons are named.
const MOST_REFUSALS: usize = 40;
