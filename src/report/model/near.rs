//! A near match: the lines of the file beside the quoted lines.

use super::line::{Worth, cut, named, numbered};
use crate::locate::{ActualLine, Alternative, Difference, NearLine, Nearest, Piece, pieces};
use crate::report::excerpt::{Run, remark, runs};

/// The most characters and the most lines of a near match.
const NEAREST: usize = 900;
const SHOWN: usize = 12;

/// One of several similar positions, and the line that distinguishes the position.
pub(super) fn alternative(place: &Alternative) -> Vec<(Worth, String)> {
    let line = place.start + 1;
    let words = match &place.above {
        None => format!("  line {line}: no line above it distinguishes this position"),
        Some(above) if above.header => format!(
            "  line {line}: with the header `@@ {}` (line {})",
            cut(above.text.trim()),
            above.line + 1
        ),
        Some(above) => {
            format!("  line {line}: below line {}, `{}`", above.line + 1, named(above.text.trim_end()))
        }
    };
    let beside = place.before.iter().chain(&place.after);
    let beside = beside.map(|line| (Worth::Around, numbered(line.line + 1, &line.text)));
    [(Worth::Needed, words)].into_iter().chain(beside).collect()
}

/// The lines of a nearest place, as many as there is room for.
pub(super) fn near_lines(nearest: &Nearest, of_replacement: bool) -> Vec<(Worth, String)> {
    let mut lines = Vec::new();
    let shift = shift(nearest);
    // Lines beside the position are dropped before lines of the position.
    let whole = (1..=Nearest::BESIDE).rev().map(|beside| (SHOWN, beside));
    for (most, beside) in whole.chain((1..=SHOWN).rev().map(|most| (most, 0))) {
        lines.clear();
        lines.extend(shift.clone().map(|shift| (Worth::Needed, shift)));
        let above = nearest.before.len().saturating_sub(beside);
        lines.extend(nearest.before[above..].iter().map(beside_line));
        for run in runs(nearest, most) {
            match run {
                Run::Shown(range) => {
                    let mut said = None;
                    let is_said =
                        |line: &NearLine| shift.is_some() && line.difference == Difference::Indentation;
                    let shown = nearest.lines[range].iter();
                    shown.for_each(|line| {
                        near_line(line, of_replacement, is_said(line), &mut said, &mut lines);
                    });
                }
                Run::Left(count) => lines.push((Worth::Around, format!("    |({count} more)"))),
            }
        }
        lines.extend(nearest.after.iter().take(beside).map(beside_line));
        if lines.iter().map(|(_, line)| line.chars().count() + 1).sum::<usize>() <= NEAREST {
            break;
        }
    }
    lines
}

/// A line of the file where quoted lines are missing.
fn beside_line(line: &ActualLine) -> (Worth, String) {
    (Worth::Needed, numbered(line.line + 1, &line.text))
}

/// Returns one line about the indentation where all quoted lines with text are indented by the same number of characters too
/// far, or too little; `None` for a single line.
fn shift(nearest: &Nearest) -> Option<String> {
    if has_no_indentation(nearest) {
        return Some("   No quoted line has an indentation:".to_owned());
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

/// `said` is the note about the whitespace of the line above.
fn near_line(
    line: &NearLine,
    of_replacement: bool,
    is_shifted: bool,
    said: &mut Option<String>,
    out: &mut Vec<(Worth, String)>,
) {
    if let Some(actual) = &line.actual {
        let worth = if line.same() { Worth::Around } else { Worth::Needed };
        out.push((worth, numbered(actual.line + 1, &actual.text)));
    }
    if line.same() || is_shifted {
        *said = None;
        return;
    }
    let by = line.quoted.as_ref().map(|quoted| match quoted.number {
        _ if of_replacement => "the old text".to_owned(),
        None => "the patch".to_owned(),
        Some(number) => format!("patch line {number}"),
    });
    let spaces = matches!(line.difference, Difference::Indentation | Difference::TrailingSpace);
    let words = match (&line.quoted, &line.actual, by) {
        // A line without another difference is not repeated, nor is the note of the line above.
        (Some(_), Some(_), Some(by)) if spaces => {
            let remark = remark(line);
            if said.replace(remark.clone()) == Some(remark.clone()) {
                return;
            }
            format!("   ^ {by}: {remark}")
        }
        (Some(quoted), Some(_), Some(by)) => {
            format!("   ^ {by} has `{}` ({})", cut(&quoted.text), what_differs(line))
        }
        (Some(quoted), None, Some(by)) if quoted.text.trim().is_empty() => {
            format!("   ^ {by} has a blank line here; the file has not")
        }
        (Some(quoted), None, Some(by)) => {
            format!("   ^ {by} has `{}` here; the file has not", cut(&quoted.text))
        }
        _ => "   ^ was not quoted".to_owned(),
    };
    out.push((Worth::Needed, words));
}

/// How many pieces of a line are named.
const PIECES: usize = 3;

/// Returns the differences of a line: the words, if few words differ.
fn what_differs(line: &NearLine) -> String {
    let words = remark(line);
    let spaces = matches!(line.difference, Difference::Indentation | Difference::TrailingSpace);
    let (Some(quoted), Some(actual)) = (&line.quoted, &line.actual) else { return words };
    let (left, right) = (&*quoted.text, &*actual.text);
    let is_space = |piece: &Piece| left[piece.quoted.clone()].trim() == right[piece.actual.clone()].trim();
    let (space, apart): (Vec<Piece>, Vec<_>) = pieces(left, right).into_iter().partition(is_space);
    if spaces || apart.is_empty() || apart.len() > PIECES {
        return words;
    }
    let piece = |piece: &Piece| {
        let (quoted, actual) = (&quoted.text[piece.quoted.clone()], &actual.text[piece.actual.clone()]);
        match (quoted.is_empty(), actual.is_empty()) {
            (true, _) => format!("the file has `{}` more", named(actual)),
            (_, true) => format!("the file has no `{}`", named(quoted)),
            _ => format!("`{}` is `{}` in the file", named(quoted), named(actual)),
        }
    };
    let more = (!space.is_empty()).then(|| "white space".to_owned());
    let named: Vec<String> = apart.iter().map(piece).chain(more).collect();
    named.join(", ")
}
