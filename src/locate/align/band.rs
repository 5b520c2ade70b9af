//! The bands of diagonals in which a reading may match.
//!
//! Each row of the quote votes for the diagonals (line minus row) on which the file has the row, weighted by content
//! and rarity. Votes of agreeing rows add up to peaks, and each window is the band around one or more peaks.

use std::collections::HashMap;
use std::ops::Range;

use super::file::File;
use crate::locate::reading::Reading;
use crate::text::Fold;

/// The maximum number of lines that a row votes for: a more frequent row has no information about the position.
pub(crate) const MOST_LINES: usize = 64;

/// The most windows of a reading, and of a short reading.
const MOST_WINDOWS: usize = 10;
const MOST_SHORT_WINDOWS: usize = 64;

/// The most cells of the tables of more than [`MOST_WINDOWS`] windows together: enough for a list of similar records.
const SHORT_CELLS: usize = 1 << 12;

/// The maximum distance of votes that add up to a peak, in lines.
const PEAK: isize = 4;

/// The share of the votes of the highest peak that another peak needs, as a divisor.
const LEAST_SHARE: i32 = 5;

/// The maximum distance of peaks in the same window, in lines; the same with dots; and the maximum width of a window.
const NEAR: isize = 60;
const NEAR_WITH_DOTS: isize = 500;
const WIDEST: isize = 260;
const WIDEST_WITH_DOTS: isize = 1100;

/// Returns the bands of diagonals in which a reading may match, ascending.
pub(crate) fn bands(file: &File<'_>, reading: &Reading<'_>) -> Vec<Range<isize>> {
    let votes = match votes(file, reading, 0..reading.old_len()) {
        votes if votes.is_empty() => votes_of_words(file, reading),
        votes => votes,
    };
    let rows = reading.old_len().cast_signed();
    let pad = 6 + (rows / 3).min(20);
    let cells = reading.old_len() * (2 * pad + 1).unsigned_abs();
    let most = (SHORT_CELLS / cells.max(1)).clamp(MOST_WINDOWS, MOST_SHORT_WINDOWS);
    let mut peaks = peaks(&votes, most);
    for part in reading.parts() {
        let of_part = self::peaks(&self::votes(file, reading, part), 3);
        for peak in of_part {
            if peaks.iter().all(|other| other.abs_diff(peak) > PEAK.unsigned_abs()) {
                peaks.push(peak);
            }
        }
    }
    let (near, widest) =
        if reading.has_dots() { (NEAR_WITH_DOTS, WIDEST_WITH_DOTS) } else { (NEAR, WIDEST + 2 * rows) };
    let joins_peaks = rows > 2 || reading.has_dots();
    let near = if joins_peaks { near } else { 0 };
    let bands = peaks.iter().map(|peak| around(*peak, &peaks, near, pad));
    merged(within_bound(bands, reading.old_len()), widest)
}

/// Returns the band around a peak and all peaks near it.
fn around(peak: isize, peaks: &[isize], near: isize, pad: isize) -> Range<isize> {
    let together = || peaks.iter().filter(|other| other.abs_diff(peak) <= near.unsigned_abs());
    let low = together().min().copied().unwrap_or(peak);
    let high = together().max().copied().unwrap_or(peak);
    low - pad..high + pad + 1
}

/// The most cells of all windows of a reading.
const MOST_CELLS: usize = 1 << 22;

/// Returns the first bands whose tables have at most [`MOST_CELLS`] cells together, ascending. The first band is always
/// there, and narrower if it alone has more.
fn within_bound(bands: impl Iterator<Item = Range<isize>>, rows: usize) -> Vec<Range<isize>> {
    let mut left = (MOST_CELLS / rows.max(1)).cast_signed();
    let mut kept: Vec<Range<isize>> = Vec::new();
    for band in bands {
        let width = band.end - band.start;
        let is_known = kept.iter().any(|other| other.start <= band.start && band.end <= other.end);
        if width <= left && !is_known {
            left -= width;
            kept.push(band);
        } else if kept.is_empty() {
            let middle = band.start + width / 2;
            let half = (left / 2).max(1);
            kept.push(middle - half..middle + half);
            break;
        }
    }
    kept.sort_unstable_by_key(|band| (band.start, band.end));
    kept
}

/// Merges overlapping bands, up to the maximum width.
fn merged(bands: Vec<Range<isize>>, widest: isize) -> Vec<Range<isize>> {
    let mut merged: Vec<Range<isize>> = Vec::new();
    for band in bands {
        match merged.last_mut() {
            Some(last) if band.end <= last.end => {}
            Some(last) if band.start <= last.end && band.end - last.start <= widest => last.end = band.end,
            _ => merged.push(band),
        }
    }
    merged
}

/// Returns the votes of some rows: each diagonal with its weight, ascending.
fn votes(file: &File<'_>, reading: &Reading<'_>, rows: Range<usize>) -> Vec<(isize, i32)> {
    let mut votes = Vec::new();
    for row in rows {
        let line = &reading.old(row).line;
        if line.is_blank() {
            continue;
        }
        let lines = file.index.line_places(Fold::Skeleton, line.text());
        if lines.len() > MOST_LINES {
            continue;
        }
        // A tenth less for each further line.
        let weight = 100 * file.content(line) / (10 + i32::try_from(lines.len()).unwrap_or(i32::MAX));
        votes.extend(lines.iter().map(|at| ((*at as usize).cast_signed() - row.cast_signed(), weight)));
    }
    votes.sort_unstable();
    votes
}

/// The maximum number of words of a quote that are searched for, the longest first, and of their positions.
const MOST_WORDS: usize = 32;
const MOST_POSITIONS: usize = 8;

/// The shortest word that votes, in bytes.
const SHORTEST_WORD: usize = 4;

/// Returns the votes of rare words, used if no row votes, because all lines are joined, misspelt or rewritten.
fn votes_of_words(file: &File<'_>, reading: &Reading<'_>) -> Vec<(isize, i32)> {
    if !file.index.take_search_budget() {
        return Vec::new();
    }
    let mut rows_of: HashMap<&str, Vec<usize>> = HashMap::new();
    for row in 0..reading.old_len() {
        for word in reading.old(row).line.tokens().filter(|word| word.len() >= SHORTEST_WORD) {
            rows_of.entry(word).or_default().push(row);
        }
    }
    let mut words: Vec<(&str, Vec<usize>)> = rows_of.into_iter().collect();
    words.sort_unstable_by_key(|(word, _)| (std::cmp::Reverse(word.len()), *word));
    let mut votes = Vec::new();
    for (word, rows) in words.into_iter().take(MOST_WORDS) {
        let lines = file.index.lines_with_word(word, MOST_POSITIONS + 1);
        if lines.is_empty() || lines.len() > MOST_POSITIONS {
            continue;
        }
        let weight = 100 / i32::try_from(lines.len()).unwrap_or(i32::MAX);
        for row in rows {
            votes.extend(lines.iter().map(|line| (line.cast_signed() - row.cast_signed(), weight)));
        }
    }
    votes.sort_unstable();
    votes
}

/// Returns the diagonals with the most votes, the best first.
fn peaks(votes: &[(isize, i32)], most: usize) -> Vec<isize> {
    let mut sums: Vec<(i32, isize)> = Vec::new();
    let (mut first, mut behind, mut sum) = (0, 0, 0_i32);
    let mut nth = 0;
    while nth < votes.len() {
        let diagonal = votes[nth].0;
        while behind < votes.len() && votes[behind].0 <= diagonal + PEAK {
            sum = sum.saturating_add(votes[behind].1);
            behind += 1;
        }
        while votes[first].0 < diagonal - PEAK {
            sum = sum.saturating_sub(votes[first].1);
            first += 1;
        }
        sums.push((sum, diagonal));
        while nth < votes.len() && votes[nth].0 == diagonal {
            nth += 1;
        }
    }
    sums.sort_unstable_by_key(|(sum, diagonal)| (std::cmp::Reverse(*sum), *diagonal));
    let least = sums.first().map_or(0, |(sum, _)| sum / LEAST_SHARE);
    let mut peaks: Vec<isize> = Vec::new();
    for (sum, diagonal) in sums {
        if sum < least || peaks.len() >= most {
            break;
        }
        if peaks.iter().all(|other| other.abs_diff(diagonal) > PEAK.unsigned_abs() + 1) {
            peaks.push(diagonal);
        }
    }
    peaks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_nearby_add_up() {
        let votes = [(10, 5), (12, 5), (30, 8), (90, 1)];
        assert_eq!(peaks(&votes, 10), [10, 30]);
    }

    #[test]
    fn bands_that_overlap_are_one() {
        assert_eq!(merged(vec![0..10, 5..20, 40..50, 41..45], 100), [0..20, 40..50]);
        assert_eq!(merged(vec![0..10, 5..20], 15), [0..10, 5..20]);
    }
}
