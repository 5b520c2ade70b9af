//! The result of an explanation: what is replaced, and a form in which equal results are equal.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::types::{Explanation, Obstacle, Signature, State};
use crate::locate::align::file::File;
use crate::text::Replacement;

impl Explanation<'_> {
    /// Returns the replacements that the explanation makes, in order. Lines that are replaced by equal lines are left out.
    pub(crate) fn replacements(&self, file: &File<'_>) -> Vec<Replacement<'static>> {
        let Ok(effect) = &self.effect else { return Vec::new() };
        let mut replacements: Vec<Replacement<'static>> = Vec::new();
        for line in &self.removed {
            // What is added between two removed lines takes the place of the first.
            let is_parted = effect.insertions.iter().any(|insertion| insertion.at == *line);
            match replacements.last_mut() {
                Some(last) if last.end() == *line && !is_parted => last.removed += 1,
                _ => replacements.push(Replacement { start: *line, removed: 1, lines: Vec::new() }),
            }
        }
        // Insertions are in the order of the file.
        for same in effect.insertions.chunk_by(|one, other| one.at == other.at) {
            let at = same[0].at;
            let lines = same.iter().flat_map(|insertion| &insertion.lines);
            let lines: Vec<Cow<'static, str>> = lines.map(|line| Cow::Owned(line.clone())).collect();
            let touching = replacements
                .iter_mut()
                .find(|replacement| (replacement.start..=replacement.end()).contains(&at));
            match touching {
                Some(replacement) => replacement.lines.extend(lines),
                None => replacements.push(Replacement { start: at, removed: 0, lines }),
            }
        }
        replacements.retain(|replacement| !is_unchanged(file, replacement));
        replacements.sort_unstable_by_key(|replacement| replacement.start);
        replacements
    }

    /// Returns another explanation of the same alignment, without bytes.
    pub(crate) fn without_bytes(&self, file: &File<'_>, cost: i32, obstacle: Obstacle) -> Self {
        let mut other = Explanation { cost: cost.max(0), effect: Err(obstacle), ..self.clone() };
        other.signature = Signature::of(file, &other);
        other
    }
}

/// Checks whether lines are replaced by the same lines.
fn is_unchanged(file: &File<'_>, replacement: &Replacement<'_>) -> bool {
    replacement.removed == replacement.lines.len()
        && (replacement.start..).zip(&replacement.lines).all(|(line, new)| file.line(line).text() == new)
}

impl Signature {
    pub(crate) fn of(file: &File<'_>, explanation: &Explanation<'_>) -> Self {
        let effect = match &explanation.effect {
            Err(obstacle) => return Signature::Unknown(*obstacle, explanation.span.clone()),
            Ok(_) if explanation.state == State::Made => return Signature::Unchanged,
            Ok(effect) => effect,
        };
        let span = explanation.span.clone();
        let mut after: Vec<&str> = Vec::new();
        for line in span.start..=span.end {
            let here = effect.insertions.iter().filter(|insertion| insertion.at == line);
            after.extend(here.flat_map(|insertion| insertion.lines.iter().map(String::as_str)));
            if line < span.end && explanation.removed.binary_search(&line).is_err() {
                after.push(file.line(line).text());
            }
        }
        let stretch = Stretch { file, span, after };
        // A blank line that is removed counts, and so do all where nothing else is quoted.
        let quotes_text = explanation.reading.old_rows().any(|row| !row.is_blank());
        let removes_blank = !quotes_text || explanation.removed.iter().any(|line| file.is_blank(*line));
        stretch
            .signature(removes_blank)
            .or_else(|| stretch.signature(!removes_blank))
            .unwrap_or(Signature::Unchanged)
    }
}

/// The range of a file that changes, and its new lines.
struct Stretch<'s, 'd> {
    file: &'s File<'d>,
    span: Range<usize>,
    after: Vec<&'s str>,
}

impl Stretch<'_, '_> {
    /// Returns the signature; `None` if nothing changes.
    fn signature(&self, with_blanks: bool) -> Option<Signature> {
        let before = self.span.clone().map(|line| self.file.line(line).text());
        let before: Vec<&str> = counted(before, with_blanks).collect();
        let after: Vec<&str> = counted(self.after.iter().copied(), with_blanks).collect();
        let tail = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
        let (before, after) = (&before[..before.len() - tail], &after[..after.len() - tail]);
        let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let (kept, before, after) = (&before[..head], &before[head..], &after[head..]);
        if before.is_empty() && after.is_empty() {
            return None;
        }
        let mut slid = 0;
        let hash = if before.is_empty() || after.is_empty() {
            let mut block: Vec<&str> = before.iter().chain(after).copied().collect();
            let above = (0..self.span.start).rev().map(|line| self.file.line(line).text());
            let above = counted(above, with_blanks);
            // Lines with different endings are not equal.
            let is_uniform = self.has_one_ending();
            let above = kept.iter().rev().copied().chain(above).take_while(|_| is_uniform);
            slid = slide_up(&mut block, above);
            hash_of(&(before.is_empty(), block))
        } else {
            hash_of(&(before, after))
        };
        let first = self.line_behind(head.cast_signed() - slid.cast_signed(), with_blanks);
        Some(Signature::Changed { first, lines: hash, with_blanks })
    }

    /// Returns the counted line with this many counted lines between the start of the stretch and the line; a negative number is
    /// of lines above the start. The number of lines above identifies a line as well, but takes a walk over the whole file.
    fn line_behind(&self, skipped: isize, with_blanks: bool) -> usize {
        let start = self.span.start;
        let mut behind = (start..self.file.len()).filter(|line| with_blanks || !self.file.is_blank(*line));
        let mut above = (0..start).rev().filter(|line| with_blanks || !self.file.is_blank(*line));
        let line = match skipped.checked_neg() {
            Some(by @ 1..) => above.nth(by.unsigned_abs() - 1),
            _ => behind.nth(skipped.unsigned_abs()),
        };
        line.unwrap_or(self.file.len())
    }

    /// Checks whether the lines of the stretch, and the line above, end in the same way.
    fn has_one_ending(&self) -> bool {
        let document = self.file.document();
        let lines = self.span.start.saturating_sub(1)..self.span.end.min(document.len());
        let mut endings = lines.map(|line| document.ending(line));
        let first = endings.next();
        endings.all(|ending| Some(ending) == first)
    }
}

/// Returns the lines that are counted: all lines, or the lines that are not blank.
fn counted<'l>(lines: impl Iterator<Item = &'l str>, with_blanks: bool) -> impl Iterator<Item = &'l str> {
    lines.filter(move |text| with_blanks || !text.trim().is_empty())
}

/// Slides an insertion or a removal up over equal lines: the result is the same. Returns by how many lines.
fn slide_up<'l>(block: &mut [&'l str], above: impl Iterator<Item = &'l str>) -> usize {
    let mut by = 0;
    for line in above {
        if block.last() != Some(&line) {
            break;
        }
        block.rotate_right(1);
        by += 1;
    }
    by
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
