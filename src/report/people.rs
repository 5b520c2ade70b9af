//! For a person who reads a terminal.

use std::fmt::{self, Display, Formatter, Write};

use crate::format::{ParseErrors, Repair};
use crate::locate::{Drift, Miss, NearLine, Nearest};
use crate::patch::FinalNewline;
use crate::plan::{ChunkReport, Exactness, Failure, FailureKind, Failures, HunkKind, HunkReport, Plan};
use crate::text::shown;

/// Writes a line a file, and under it every repair, drift and note.
///
/// # Errors
/// Those of `out`.
pub fn applied(plan: &Plan, repairs: &[Repair], out: &mut dyn Write) -> fmt::Result {
    let first = plan.hunks.first().map_or(usize::MAX, |hunk| hunk.number);
    let whole = |repair: &&Repair| repair.kind.is_wrapping() || repair.span.first < first;
    let (whole, inside): (Vec<_>, Vec<_>) = repairs.iter().partition(whole);
    whole.iter().try_for_each(|repair| writeln!(out, "{repair}"))?;
    let mut repairs = inside.into_iter().peekable();
    for (nth, hunk) in plan.hunks.iter().enumerate() {
        let next = plan.hunks.get(nth + 1).map_or(usize::MAX, |hunk| hunk.number);
        writeln!(out, "{}", FileLine(hunk))?;
        while let Some(repair) = repairs.next_if(|repair| repair.span.first < next) {
            writeln!(out, "    {repair}")?;
        }
        write_notes(hunk, out)?;
    }
    match plan.exactness() {
        Exactness { inexact: 0, .. } => Ok(()),
        Exactness { chunks, inexact } => {
            writeln!(out, "{inexact} of {chunks} chunks were not quoted as the file has them")
        }
    }
}

/// `M src/lib.rs +3 -1`
struct FileLine<'h>(&'h HunkReport);

impl Display for FileLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let hunk = self.0;
        let letter = match hunk.kind {
            HunkKind::Add => 'A',
            HunkKind::Update => 'M',
            HunkKind::Delete => 'D',
            HunkKind::Move => 'R',
            HunkKind::Copy => 'C',
        };
        write!(f, "{letter} {}", shown(hunk.path.as_str()))?;
        if let Some(target) = &hunk.moved_to {
            write!(f, " -> {}", shown(target.as_str()))?;
        }
        write!(f, " +{} -{}", hunk.added, hunk.removed)
    }
}

fn write_notes(hunk: &HunkReport, out: &mut dyn Write) -> fmt::Result {
    for note in &hunk.names {
        writeln!(out, "    {note}")?;
    }
    for (nth, chunk) in hunk.chunks.iter().enumerate() {
        write_drift(nth, chunk, out)?;
    }
    match hunk.properties.executable {
        Some(true) => writeln!(out, "    the file is executable")?,
        Some(false) => writeln!(out, "    the file is not executable")?,
        None => {}
    }
    match hunk.properties.final_newline {
        Some(FinalNewline::Present) => writeln!(out, "    the last line ends with a line break")?,
        Some(FinalNewline::Missing) => writeln!(out, "    the last line ends without a line break")?,
        Some(FinalNewline::Kept) | None => {}
    }
    if hunk.kind == HunkKind::Update && hunk.unchanged {
        writeln!(out, "    the file stays as it was")?;
    }
    Ok(())
}

fn write_drift(nth: usize, chunk: &ChunkReport, out: &mut dyn Write) -> fmt::Result {
    let ChunkReport { number, placement } = chunk;
    if placement.drift.is_empty() {
        return Ok(());
    }
    match number {
        0 => write!(out, "    place {}", nth + 1)?,
        _ => write!(out, "    chunk {} (patch line {number})", nth + 1)?,
    }
    if !placement.drift.contains(&Drift::AnchorMissing) {
        write!(out, " at line {}", placement.start + 1)?;
    }
    for (nth, drift) in placement.drift.iter().enumerate() {
        write!(out, "{} {drift}", if nth == 0 { ":" } else { ";" })?;
    }
    writeln!(out)
}

/// Writes why a text is not a patch.
///
/// # Errors
/// Those of `out`.
pub fn not_a_patch(errors: &ParseErrors, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "Nothing was changed: the text is not a patch.")?;
    errors.0.iter().try_for_each(|error| writeln!(out, "{error}"))
}

/// Writes why a patch does not fit the files, all of it, and what would have worked.
///
/// # Errors
/// Those of `out`.
pub fn refused(failures: &Failures, repairs: &[Repair], out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "Nothing was changed: the patch does not fit the files.")?;
    for failure in &failures.failures {
        write_failure(failure, out)?;
    }
    if !repairs.is_empty() {
        writeln!(out, "as read:")?;
    }
    repairs.iter().try_for_each(|repair| writeln!(out, "    {repair}"))?;
    for hunk in &failures.placed {
        writeln!(out, "would have worked: {}", FileLine(hunk))?;
    }
    Ok(())
}

fn write_failure(failure: &Failure, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "{failure} [{}]", failure.kind.code())?;
    match &failure.kind {
        FailureKind::Chunk { miss, .. } => write_miss(miss, out),
        _ => Ok(()),
    }
}

fn write_miss(miss: &Miss, out: &mut dyn Write) -> fmt::Result {
    for header in &miss.missing_headers {
        writeln!(out, "    the header `@@ {}` is not in the file", shown(header))?;
    }
    match &miss.nearest {
        Some(nearest) => write_nearest(nearest, out),
        None => Ok(()),
    }
}

/// How many lines of the nearest place are shown around the first difference.
const SHOWN: usize = 12;

fn write_nearest(nearest: &Nearest, out: &mut dyn Write) -> fmt::Result {
    let alike = nearest.lines.iter().filter(|line| line.alike()).count();
    write!(out, "    nearest: line {}", nearest.start + 1)?;
    if alike > 0 {
        write!(out, ", where {alike} of {} quoted lines stand", nearest.lines.len())?;
    }
    writeln!(out, "; the file has:")?;
    let from = nearest.first_difference().unwrap_or(0).saturating_sub(SHOWN / 3);
    for (nth, line) in nearest.lines.iter().enumerate().skip(from).take(SHOWN) {
        write_near_line(nearest.start + nth + 1, line, out)?;
    }
    let left = nearest.lines.len().saturating_sub(from + SHOWN);
    if left > 0 { writeln!(out, "          … {left} more") } else { Ok(()) }
}

fn write_near_line(number: usize, line: &NearLine, out: &mut dyn Write) -> fmt::Result {
    match &line.actual {
        Some(actual) => writeln!(out, "    {number:>5} | {}", cut(actual))?,
        None => writeln!(out, "    {number:>5} (the file has ended)")?,
    }
    match line.actual {
        _ if line.same() => Ok(()),
        Some(_) if line.alike() => {
            writeln!(out, "    patch | {}  (differs in white space or look-alikes only)", cut(&line.quoted))
        }
        _ => writeln!(out, "    patch | {}", cut(&line.quoted)),
    }
}

/// How many characters of a line are shown.
const WIDTH: usize = 120;

/// A line without what a terminal would act on, and not without end.
fn cut(line: &str) -> String {
    let start: String = line.chars().take(WIDTH).collect();
    let cut = if start.len() < line.len() { "…" } else { "" };
    format!("{}{cut}", shown(&start))
}
