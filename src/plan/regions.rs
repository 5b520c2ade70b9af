//! Replaces a text that is in a file to the byte, at each of its positions.

use std::borrow::Cow;
use std::ops::Range;

use super::literal::Normal;
use super::outcome::{Made, Replaced};
use crate::locate::{Miss, Placement, Reason};
use crate::patch::FinalNewline;
use crate::text::{Document, Replacement};

/// Lines of the document, and the text that replaces these lines.
struct Region {
    /// In the normal text; begins and ends at a line.
    range: Range<usize>,
    text: Vec<u8>,
}

/// Replaces a text exactly at each of `starts`.
pub(super) fn literally(
    document: &Document,
    normal: &Normal,
    starts: &[usize],
    len: usize,
    new: &str,
) -> Result<Replaced, Miss> {
    let regions = regions(normal, starts, len, new);
    let touched = regions
        .iter()
        .flat_map(|region| normal.line_at(region.range.start)..normal.line_at(region.range.end));
    if let Some(line) = touched.into_iter().find(|line| document.text(*line).is_none()) {
        return Err(Miss::new(Reason::NotText { line }, document, &[new]));
    }
    let mut replacements = Vec::with_capacity(regions.len());
    let mut placements = Vec::with_capacity(regions.len());
    for region in &regions {
        let replacement = replacement(normal, region);
        placements.push(Placement {
            start: replacement.start,
            added: replacement.lines.len(),
            removed: replacement.removed,
            ..Placement::default()
        });
        replacements.push(replacement);
    }
    // The text itself determines whether the file ends in a line break.
    let last = regions.last().filter(|last| last.range.end == normal.text().len());
    let ending = last.and_then(|last| last.text.last()).map(|byte| match byte {
        b'\n' => FinalNewline::Present,
        _ => FinalNewline::Missing,
    });
    Ok(Replaced { made: Made::Lines { replacements, ending }, placements, places: starts.len() })
}

fn regions(normal: &Normal, starts: &[usize], len: usize, new: &str) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let mut copied = 0;
    for start in starts {
        let joins = regions.last().is_some_and(|last| *start < last.range.end);
        if !joins {
            close(normal, regions.last_mut(), copied);
            let begin = normal.line_start(normal.line_at(*start));
            regions.push(Region { range: begin..begin, text: Vec::new() });
            copied = begin;
        }
        if let Some(region) = regions.last_mut() {
            region.text.extend_from_slice(&normal.text()[copied..*start]);
            region.text.extend_from_slice(new.as_bytes());
            copied = start + len;
            let whole = copied == normal.line_start(normal.line_at(copied))
                && region.text.last().is_none_or(|byte| *byte == b'\n');
            region.range.end = if whole { copied } else { normal.line_end(copied) };
        }
    }
    close(normal, regions.last_mut(), copied);
    regions
}

fn close(normal: &Normal, region: Option<&mut Region>, copied: usize) {
    if let Some(region) = region {
        region.text.extend_from_slice(&normal.text()[copied..region.range.end]);
    }
}

/// Returns a region as lines, without unchanged lines at either end.
fn replacement(normal: &Normal, region: &Region) -> Replacement<'static> {
    let text = String::from_utf8_lossy(&region.text);
    let new: Vec<&str> = text.strip_suffix('\n').unwrap_or(&text).split('\n').collect();
    let new = if text.is_empty() { Vec::new() } else { new };
    let (first, last) = (normal.line_at(region.range.start), normal.line_at(region.range.end));
    let old = |line: usize| {
        let line = &normal.text()[normal.line_start(line)..normal.line_start(line + 1)];
        line.strip_suffix(b"\n").unwrap_or(line)
    };
    let head = new.iter().zip(first..last).take_while(|(new, line)| new.as_bytes() == old(*line)).count();
    let tails = new[head..].iter().rev().zip((first + head..last).rev());
    let tail = tails.take_while(|(new, line)| new.as_bytes() == old(*line)).count();
    Replacement {
        start: first + head,
        removed: last - first - head - tail,
        lines: new[head..new.len() - tail].iter().map(|line| Cow::Owned((*line).to_owned())).collect(),
    }
}
