//! The sentences below the headline of a chunk that does not match: headers, removed and added lines, and what each of two
//! explanations would change.

use super::drift::line_list;
use crate::locate::{Candidate, ChangedLine, Difference, Doubt, Miss, NearLine, Nearest, Reason};
use crate::patch::LineKind;
use crate::text::{Replacement, shown};

/// How many characters of a line a sentence contains.
const NAMED: usize = 60;

/// How many removed lines that are not at the position get a sentence; the lines of the position show all.
const MISSING: usize = 1;

/// How many changed lines one sentence names.
const CHANGED: usize = 4;

/// How many replacements of an explanation, and how many lines of a replacement, are named.
const REPLACED: usize = 3;

/// Which part of a report states where the file has a line to remove that is not at the position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::report) enum Removed {
    /// The sentences of [`notes`].
    #[default]
    InNotes,
    /// The excerpt of the nearest position, so that the sentences need not.
    InExcerpt,
}

/// Returns all sentences about a miss, without a full stop.
pub(in crate::report) fn notes(miss: &Miss, removed: Removed) -> Vec<String> {
    let mut notes: Vec<String> = header(miss).into_iter().collect();
    if is_doubt(miss, Doubt::LooksApplied) {
        notes.extend([LineKind::Remove, LineKind::Add].into_iter().filter_map(|kind| of_kind(miss, kind)));
    } else if removed == Removed::InNotes {
        notes.extend(removed_elsewhere(miss).into_iter().take(MISSING).map(|line| elsewhere(miss, line)));
    }
    notes.extend(ways(miss));
    notes
}

/// Returns how many of the lines differ that a report shows beside the file, as the end of a sentence; empty if none does.
pub(in crate::report) fn differing(nearest: &Nearest) -> String {
    let (alike, of) = nearest.alike();
    let which = if nearest.made { "lines of the result" } else { "quoted lines" };
    let differ = if of - alike == 1 { "differs" } else { "differ" };
    if alike == of { String::new() } else { format!(" ({} of {of} {which} {differ})", of - alike) }
}

fn is_doubt(miss: &Miss, wanted: Doubt) -> bool {
    matches!(miss.reason, Reason::Doubt { doubt, .. } if doubt == wanted)
}

/// Returns where the file has the header of the patch, if the position is the question.
fn header(miss: &Miss) -> Option<String> {
    let (header, lines) = miss.lines.header.as_ref().filter(|_| is_of_position(&miss.reason))?;
    let header = named(header.trim());
    let Reason::Ambiguous { places } = &miss.reason else {
        let is_found = !lines.is_empty();
        return is_found.then(|| format!("The header `@@ {header}` is at {}", line_list(lines)));
    };
    let are_several_below = |line: usize| places.iter().filter(|place| **place > line).nth(1).is_some();
    match lines[..] {
        [] => None,
        [line] if are_several_below(line) => Some(format!(
            "The header `@@ {header}` leads to {}, and several of the positions are below that line",
            line_list(lines)
        )),
        _ => Some(format!("The header `@@ {header}` does not decide: it is at {}", line_list(lines))),
    }
}

/// Returns whether the reason leaves open which position is meant.
fn is_of_position(reason: &Reason) -> bool {
    match reason {
        Reason::NotFound | Reason::NothingQuoted | Reason::Elision | Reason::Ambiguous { .. } => true,
        Reason::Doubt { doubt, .. } => matches!(
            doubt,
            Doubt::FewLines
                | Doubt::OutsideHeader
                | Doubt::OtherName
                | Doubt::SeveralWays
                | Doubt::OtherBlock
                | Doubt::ApartFromQuote
                | Doubt::FitsElsewhere
                | Doubt::PhantomBesideChange
                | Doubt::TieWithoutSign
                | Doubt::SkippedBesideAddition
                | Doubt::DividesBlock
                | Doubt::InsideLine
                | Doubt::PartOfOther
        ),
        Reason::Overlap { .. } | Reason::NotText { .. } => false,
    }
}

/// Returns the removed lines that the file does not have at the nearest position.
pub(in crate::report) fn removed_elsewhere(miss: &Miss) -> Vec<&ChangedLine> {
    let Some(nearest) = miss.nearest.as_deref().filter(|nearest| !nearest.made) else {
        let is_refused = matches!(miss.reason, Reason::NotFound);
        return removed(miss).filter(|_| is_refused).collect();
    };
    removed(miss).filter(|line| beside(nearest, line).is_some_and(|near| !is_there(near))).collect()
}

fn removed(miss: &Miss) -> impl Iterator<Item = &ChangedLine> {
    miss.lines.changed.iter().filter(|line| line.kind == LineKind::Remove)
}

/// Returns the row of the nearest position that has a removed line.
pub(in crate::report) fn beside<'n>(nearest: &'n Nearest, line: &ChangedLine) -> Option<&'n NearLine> {
    nearest.lines.iter().find(|near| {
        near.quoted.as_ref().is_some_and(|quoted| {
            quoted.kind == LineKind::Remove && quoted.number == line.number && quoted.text == line.text
        })
    })
}

/// A misspelt line is the line of the file; a line with other words may be the work of somebody else.
pub(in crate::report) fn is_there(near: &NearLine) -> bool {
    near.difference.is_equivalent() || near.difference == Difference::Misspelt
}

/// Returns the added line that the file has in place of a quoted line: the change of that line is there already. A line with few letters,
/// such as a bracket, is there by chance.
pub(in crate::report) fn added_at<'c>(
    changed: &'c [ChangedLine],
    near: &NearLine,
) -> Option<&'c ChangedLine> {
    /// The least number of letters and digits of a line that tells something.
    const LETTERS: usize = 5;
    let actual = near.actual.as_ref()?;
    let is_telling = actual.text.chars().filter(|c| c.is_alphanumeric()).count() >= LETTERS;
    let is_added = |line: &&ChangedLine| line.kind == LineKind::Add && line.lines.contains(&actual.line);
    changed.iter().find(is_added).filter(|_| is_telling)
}

/// Returns the line of the file, 0-based, in place of a removed line, if an added line is there.
pub(in crate::report) fn made_at(miss: &Miss, removed: &ChangedLine) -> Option<usize> {
    let near = beside(miss.nearest.as_deref()?, removed)?;
    added_at(&miss.lines.changed, near)?;
    Some(near.actual.as_ref()?.line)
}

/// Returns where the file has a removed line, and which line is in place of that line.
fn elsewhere(miss: &Miss, line: &ChangedLine) -> String {
    let near = miss.nearest.as_deref().and_then(|nearest| beside(nearest, line));
    let actual = near.and_then(|near| Some((near.actual.as_ref()?.line + 1, near.difference)));
    let name = name(line);
    if let Some(made) = made_at(miss, line) {
        return format!(
            "In place of the line to remove, {name}, line {} is a line that the edit adds",
            made + 1
        );
    }
    match (&line.lines[..], actual) {
        ([], Some((number, Difference::Words))) => {
            format!("The line to remove, {name}, is not in the file; line {number} has other words")
        }
        ([], _) => format!("The line to remove, {name}, is not in the file"),
        (lines, _) => format!("The line to remove, {name}, is at {}", line_list(lines)),
    }
}

/// Returns where the file has the removed or the added lines.
fn of_kind(miss: &Miss, kind: LineKind) -> Option<String> {
    let lines: Vec<&ChangedLine> = miss.lines.changed.iter().filter(|line| line.kind == kind).collect();
    let what = if kind == LineKind::Remove { "removed" } else { "added" };
    let one = |line: &&ChangedLine| {
        let place = if line.lines.is_empty() {
            "is not in the file".to_owned()
        } else {
            format!("is at {}", line_list(&line.lines))
        };
        format!("{} {place}", name(line))
    };
    let mut all: Vec<String> = lines.iter().take(CHANGED).map(one).collect();
    if lines.len() > CHANGED {
        let left = &lines[CHANGED..];
        let there = left.iter().filter(|line| !line.lines.is_empty()).count();
        all.push(format!("of the other {}, {there} are in the file", left.len()));
    }
    (!all.is_empty()).then(|| format!("Lines to be {what}: {}", all.join("; ")))
}

/// Names a changed line: by the number in the patch, if known, and by the text.
fn name(line: &ChangedLine) -> String {
    let text = named(line.text.trim());
    match line.number {
        Some(number) => format!("patch line {number} (`{text}`)"),
        None => format!("`{text}`"),
    }
}

/// Returns what each explanation would change, where two explanations of the same position compete or where the edit may be
/// made already.
fn ways(miss: &Miss) -> Vec<String> {
    let Reason::Doubt { doubt, .. } = &miss.reason else { return Vec::new() };
    let written: Vec<&[Replacement<'static>]> =
        miss.candidates.iter().filter(|candidate| !candidate.made).filter_map(result).collect();
    match (written.as_slice(), doubt) {
        ([only], Doubt::LooksApplied) => vec![format!("Applied now, the edit would {}", effect(only))],
        ([one, other], _) if one != other => {
            vec![format!("One reading would {}", effect(one)), format!("Another would {}", effect(other))]
        }
        _ => Vec::new(),
    }
}

fn result(candidate: &Candidate) -> Option<&[Replacement<'static>]> {
    candidate.result.as_deref().ok().filter(|replacements| !replacements.is_empty())
}

/// Returns what replacements do, as the end of a sentence.
fn effect(replacements: &[Replacement<'static>]) -> String {
    let one = |replacement: &Replacement<'static>| {
        let removed: Vec<usize> = (replacement.start..replacement.end()).collect();
        let mut lines: Vec<String> =
            replacement.lines.iter().take(REPLACED).map(|line| written(line)).collect();
        if replacement.lines.len() > REPLACED {
            lines.push(format!("{} more lines", replacement.lines.len() - REPLACED));
        }
        let lines = lines.join(", ");
        match (removed.is_empty(), lines.is_empty()) {
            (true, _) => format!("insert {lines} before line {}", replacement.start + 1),
            (_, true) => format!("remove {}", line_list(&removed)),
            _ => format!("replace {} by {lines}", line_list(&removed)),
        }
    };
    let mut all: Vec<String> = replacements.iter().take(REPLACED).map(one).collect();
    if replacements.len() > REPLACED {
        all.push(format!("make {} more changes", replacements.len() - REPLACED));
    }
    all.join("; ")
}

/// Returns a line that would be written, in words.
fn written(line: &str) -> String {
    if line.trim().is_empty() { "a blank line".to_owned() } else { format!("`{}`", named(line)) }
}

/// Returns a piece of a line, cut if the line is long.
fn named(text: &str) -> String {
    let start: String = text.chars().take(NAMED).collect();
    let end = if start.len() < text.len() { "…" } else { "" };
    format!("{}{end}", shown(&start))
}

/// Returns the lines of the file between quoted lines that were not quoted.
pub(in crate::report) fn unquoted(miss: &Miss) -> Vec<usize> {
    let lines = miss.nearest.iter().flat_map(|nearest| &nearest.lines);
    let unquoted = lines.filter(|line| line.quoted.is_none());
    unquoted.filter_map(|line| line.actual.as_ref()).map(|actual| actual.line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::ActualLine;

    #[test]
    fn a_bracket_in_place_of_a_line_is_no_change() {
        for (text, is_made) in [("\taudit(boat)", true), ("\t}", false), ("else:", false)] {
            let lines = vec![4];
            let added = ChangedLine { number: None, kind: LineKind::Add, text: text.to_owned(), lines };
            let actual = Some(ActualLine { line: 4, text: text.to_owned() });
            let near = NearLine { quoted: None, actual, difference: Difference::Other };
            assert_eq!(added_at(&[added], &near).is_some(), is_made, "{text}");
        }
    }
}
