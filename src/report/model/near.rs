//! Where there nearly was a place: its lines beside those that were quoted.

use super::{Worth, cut, named, numbered};
use crate::locate::{Alternative, Difference, NearLine, Nearest, Piece, pieces};
use crate::report::excerpt::{Run, remark, runs};

/// How many characters the lines of one nearest place take, and how many lines there are at the most.
const NEAREST: usize = 850;
const SHOWN: usize = 12;

/// One of several places that are alike, and what tells it from the others.
pub(super) fn alternative(place: &Alternative) -> String {
    let line = place.start + 1;
    match &place.above {
        None => format!("  line {line}: no line near above it tells it from the others"),
        Some(above) if above.header => {
            format!(
                "  line {line}: under line {}, as a header `@@ {}`",
                above.line + 1,
                cut(above.text.trim())
            )
        }
        Some(above) => {
            format!("  line {line}: below line {}, `{}`", above.line + 1, named(above.text.trim_end()))
        }
    }
}

/// The lines of a nearest place, as many as there is room for.
pub(super) fn near_lines(nearest: &Nearest, of_replacement: bool) -> Vec<(Worth, String)> {
    let mut lines = Vec::new();
    for most in (1..=SHOWN).rev() {
        lines.clear();
        for run in runs(nearest, most) {
            match run {
                Run::Shown(range) => {
                    let mut said = None;
                    let shown = nearest.lines[range].iter();
                    shown.for_each(|line| near_line(line, of_replacement, &mut said, &mut lines));
                }
                Run::Left(count) => lines.push((Worth::Around, format!("    |({count} more)"))),
            }
        }
        if lines.iter().map(|(_, line)| line.chars().count() + 1).sum::<usize>() <= NEAREST {
            break;
        }
    }
    lines
}

/// `said` is what was said of the white space of the line above.
fn near_line(
    line: &NearLine,
    of_replacement: bool,
    said: &mut Option<String>,
    out: &mut Vec<(Worth, String)>,
) {
    if let Some(actual) = &line.actual {
        let worth = if line.same() { Worth::Around } else { Worth::Needed };
        out.push((worth, numbered(actual.line + 1, &actual.text)));
    }
    if line.same() {
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
        // What differs in nothing else need not be repeated, nor what is said of the line above.
        (Some(_), Some(_), Some(by)) if spaces => {
            let remark = format!("({})", remark(line));
            if said.replace(remark.clone()) == Some(remark.clone()) {
                return;
            }
            format!("   ^ {by} has it otherwise {remark}")
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

/// How many pieces of a line are named one by one.
const PIECES: usize = 3;

/// What differs in a line, the very words where they are few.
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
