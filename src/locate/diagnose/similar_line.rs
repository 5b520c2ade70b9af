//! Finds lines of a document that are similar to quoted lines without a match: the start of a diagnosis.

use memchr::memmem;
use rapidfuzz::distance::indel;

use crate::locate::search::Index;
use crate::text::{Document, Fold};

/// How many quoted lines are compared with all lines of the document.
const COMPARED: usize = 2;

/// How many lines of the document a quoted line is compared with.
const SCANNED: usize = 50_000;

/// With so many lines at most a document is short.
const SHORT: usize = 5_000;

/// The minimum similarity of two lines that may be versions of each other.
const LIKE: f64 = 0.6;

/// Returns the lines where the quote may begin, because its longest lines are similar to lines of the document.
pub(crate) fn like(index: &Index, quote: &[&str]) -> Vec<usize> {
    let mut quote: Vec<&str> = quote.iter().map(|line| line.trim()).collect();
    let take_longest = |_| {
        // Of two that are as long, the first.
        let (nth, longest) = quote.iter_mut().enumerate().rev().max_by_key(|(_, text)| text.len())?;
        Some((nth, std::mem::take(longest))).filter(|(_, text)| !text.is_empty())
    };
    let longest = (0..COMPARED).map_while(take_longest).take_while(|_| index.take_similarity_budget());
    longest.filter_map(|(nth, text)| most_like(index, text)?.checked_sub(nth)).collect()
}

/// Returns the line of the document that is the most similar to a text.
fn most_like(index: &Index, text: &str) -> Option<usize> {
    let document = index.document();
    let text = Fold::LookAlikes.apply(text);
    let comparator = indel::BatchComparator::new(text.bytes());
    let mut best: Option<(f64, usize)> = None;
    let mut recent = Recent::default();
    for nth in comparable(document, &text) {
        let line = document.line(nth).trim_ascii();
        let least = best.map_or(LIKE, |(likeness, _)| likeness);
        // A line of a very different length cannot reach LIKE.
        let (shorter, longer) = (line.len().min(text.len()), line.len().max(text.len()));
        if line.is_empty() || 3 * longer > 7 * shorter {
            continue;
        }
        if index.skeleton_at(nth).is_none_or(|skeleton| !recent.adds(skeleton)) {
            continue;
        }
        let args = indel::Args::default().score_cutoff(least);
        if let Some(likeness) = comparator.normalized_similarity_with_args(line.iter().copied(), &args)
            && likeness > least
        {
            best = Some((likeness, nth));
        }
    }
    best.map(|(_, line)| line)
}

/// The skeletons that were compared last: equal lines need no second comparison, and are usually near.
#[derive(Default)]
struct Recent([Option<u64>; 32]);

impl Recent {
    /// Adds a skeleton; returns `false` if the skeleton was compared recently.
    fn adds(&mut self, skeleton: u64) -> bool {
        let slot = usize::try_from(skeleton % 32).unwrap_or_default();
        self.0[slot].replace(skeleton) != Some(skeleton)
    }
}

/// Returns the lines of a document that a text is compared with, ascending: all lines of a short document; in a long
/// document, where many lines are similar by chance, the lines with a piece of a long word of the text.
fn comparable(document: &Document, text: &str) -> Vec<usize> {
    let last = document.len().min(SCANNED);
    let pieces = pieces(text);
    if last <= SHORT || pieces.is_empty() {
        return (0..last).collect();
    }
    let content = &document.content()[..document.line_start(last)];
    let mut lines = Vec::new();
    for piece in pieces {
        let finder = memmem::Finder::new(piece);
        let (mut line, mut from) = (0, 0);
        while let Some(at) = finder.find(&content[from..]) {
            line = document.line_at_from(line, from + at);
            lines.push(line);
            from = document.line_start(line + 1);
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Returns pieces of each long word of a text, and of each long part of a name: the last three letters, and for longer
/// words three letters near the beginning, but not the first letter, whose case depends on the naming style. Empty if
/// the text is not ASCII.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut add = |piece| {
        if !pieces.contains(&piece) {
            pieces.push(piece);
        }
    };
    let words = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|_| text.is_ascii());
    for word in words {
        let humps = word.as_bytes().windows(2).enumerate();
        let humps = humps.filter(|(_, pair)| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
        let ends: Vec<usize> = humps.map(|(at, _)| at + 1).chain([word.len()]).collect();
        let mut start = 0;
        for end in ends {
            let part = &word[start..end];
            if part.len() > PIECE {
                add(&part[part.len() - PIECE..]);
            }
            if part.len() > 2 * PIECE {
                add(&part[1..=PIECE]);
            }
            start = end;
        }
    }
    pieces
}

/// The number of letters in a piece.
const PIECE: usize = 3;
