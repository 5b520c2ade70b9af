//! The lines of the file that are nearest to a quote, side by side with the quote.

use std::rc::Rc;

use memchr::memmem;
use rapidfuzz::distance::indel;

use crate::locate::align::file::File;
use crate::locate::align::pairing::Pairing;
use crate::locate::comparison::{ActualLine, Difference, NearLine, Nearest, QuotedLine};
use crate::locate::explanation::{Aligned, Explanation, State};
use crate::locate::reading::{Reading, Row, is_dots};
use crate::locate::search::Index;
use crate::patch::edit::Edit;
use crate::patch::{Line, LineKind};
use crate::text::{Document, Fold};

impl Nearest {
    /// Returns the rows of an alignment with their lines.
    pub(in crate::locate) fn of(aligned: &Aligned<'_, '_>) -> Self {
        let mut lines: Vec<NearLine> = Vec::new();
        let mut next: Option<usize> = None;
        for row in 0..aligned.pairs.len() {
            if let Some(line) = aligned.pairs[row].line() {
                let skipped = next.unwrap_or(line)..line;
                lines.extend(skipped.map(|line| not_quoted(aligned.file, line)));
                next = Some(line + 1);
            }
            lines.push(beside(aligned, row));
        }
        let near = Nearest {
            lines,
            before: Vec::new(),
            after: Vec::new(),
            in_doubt: None,
            made: false,
            mended: None,
        };
        let ends = [near.lines.first(), near.lines.last()];
        let [first, last] = ends.map(|line| line.is_some_and(|line| line.actual.is_none()));
        near.with_lines_beside(aligned.file, first, last)
    }

    /// Adds the lines of the document above the first line (`above`) and below the last line (`below`).
    pub(in crate::locate) fn with_lines_beside(mut self, file: &File<'_>, above: bool, below: bool) -> Self {
        let place = self.place();
        if above {
            let lines = place.start.saturating_sub(Nearest::BESIDE)..place.start;
            self.before = lines.map(|line| actual(file, line)).collect();
        }
        if below {
            let lines = place.end..file.len().min(place.end + Nearest::BESIDE);
            self.after = lines.map(|line| actual(file, line)).collect();
        }
        self
    }

    /// Returns the result of an edit with the lines where the edit seems to be already made.
    pub(in crate::locate) fn made(file: &File<'_>, explanation: &Explanation<'_>) -> Self {
        let result = Rc::new(explanation.reading.result());
        let aligned = Aligned { file, reading: &result, map: explanation.map, pairs: &explanation.pairs };
        let mut nearest = Nearest { made: true, ..Nearest::of(&aligned) };
        let kinds =
            explanation.reading.rows.iter().map(|row| row.kind).filter(|kind| *kind != LineKind::Remove);
        let quoted = nearest.lines.iter_mut().filter_map(|line| line.quoted.as_mut());
        quoted.zip(kinds).for_each(|(quoted, kind)| quoted.kind = kind);
        // A removed line that is still there is beside the result.
        let ends = [explanation.reading.rows.first(), explanation.reading.rows.last()];
        let [first, last] = ends.map(|row| row.is_some_and(|row| row.removes()));
        nearest.with_lines_beside(file, first, last)
    }

    /// Returns whether lines of dots are all that the document does not have of the quote, apart from lines without a word.
    pub(in crate::locate) fn lacks_only_dots(&self) -> bool {
        let quoted = self.lines.iter().filter(|line| !line.difference.is_equivalent());
        let mut lacking = quoted.filter_map(|line| Some(&*line.quoted.as_ref()?.text));
        lacking.clone().any(is_dots)
            && lacking.all(|text| is_dots(text) || !text.contains(char::is_alphanumeric))
    }

    /// Returns lines of the document from a header on, of which none is quoted.
    pub(in crate::locate) fn below_header(file: &File<'_>, header: usize) -> Self {
        let lines = (header..file.len().min(header + BELOW)).map(|line| not_quoted(file, line)).collect();
        Nearest { lines, before: Vec::new(), after: Vec::new(), in_doubt: None, made: false, mended: None }
    }

    /// Returns the index of a row of the quote among the lines.
    pub(crate) fn quoted_at(&self, row: usize) -> Option<usize> {
        let quoted = self.lines.iter().enumerate().filter(|(_, line)| line.quoted.is_some());
        quoted.map(|(at, _)| at).nth(row)
    }

    /// Returns the index of a line of the document among the lines.
    pub(crate) fn position(&self, line: usize) -> Option<usize> {
        self.lines.iter().position(|near| near.actual.as_ref().is_some_and(|actual| actual.line == line))
    }
}

/// How many lines are shown from a header on, if no line of the quote is in the document.
const BELOW: usize = 10;

fn actual(file: &File<'_>, line: usize) -> ActualLine {
    ActualLine { line, text: file.line(line).text().to_owned() }
}

fn not_quoted(file: &File<'_>, line: usize) -> NearLine {
    NearLine { quoted: None, actual: Some(actual(file, line)), difference: Difference::NotQuoted }
}

fn beside(aligned: &Aligned<'_, '_>, row: usize) -> NearLine {
    let quoted = quoted_line(aligned.reading.old(row));
    let actual = aligned.pairs[row].line().map(|line| actual(aligned.file, line));
    let difference = actual.as_ref().map_or(Difference::NotInFile, |actual| {
        // For text that is not valid, equality means equal bytes.
        match Difference::between(&quoted.text, &actual.text) {
            Difference::Same if aligned.file.document().text(actual.line).is_none() => Difference::CodePage,
            difference => difference,
        }
    });
    NearLine { quoted: Some(quoted), actual, difference }
}

fn quoted_line(row: &Row<'_>) -> QuotedLine {
    QuotedLine { number: row.number, kind: row.kind, text: row.line.text().to_owned() }
}

/// Returns the lines of the document that are nearest to the quoted lines; `None` if no lines are similar.
pub(crate) fn nearest<'q>(
    file: &File<'_>,
    plain: &Rc<Reading<'q>>,
    explanations: &[Explanation<'q>],
) -> Option<Nearest> {
    let to_make = explanations.iter().filter(|explanation| explanation.state == State::ToMake);
    let alike: Vec<&Explanation<'q>> =
        to_make.filter(|explanation| is_alike(&explanation.aligned(file))).collect();
    let cheapest = alike.first().map(|explanation| explanation.cost);
    // Of several with the same cost, the explanation with the most letters in common.
    let equals = alike.into_iter().take_while(|explanation| Some(explanation.cost) == cheapest);
    match equals.min_by_key(|explanation| different_letters(&explanation.aligned(file))) {
        Some(explanation) => Some(Nearest::of(&explanation.aligned(file))),
        None => most_similar(file, plain),
    }
}

/// Returns the number of letters in which the rows of an alignment differ from their lines.
fn different_letters(aligned: &Aligned<'_, '_>) -> usize {
    let mut letters = 0;
    for (row, pair) in aligned.reading.old_rows().zip(aligned.pairs.iter()) {
        let quoted = row.line.body();
        letters += pair.line().map_or(quoted.len(), |line| {
            let actual = aligned.file.line(line).body();
            if quoted.len().min(actual.len()) > LONGEST {
                return quoted.len().abs_diff(actual.len());
            }
            // The comparator of `most_like`, because each kind of comparator is compiled separately.
            indel::BatchComparator::new(quoted.bytes()).distance(actual.as_bytes().iter().copied())
        });
    }
    letters
}

/// Checks whether a row with letters is paired with a line that is not completely different.
fn is_alike(aligned: &Aligned<'_, '_>) -> bool {
    aligned.rows().any(|row| aligned.reading.old(row).line.letters() > 0 && aligned.is_related(row))
}

/// Returns the quote, line by line, from the position where its longest lines are similar to lines of the file.
fn most_similar(file: &File<'_>, plain: &Rc<Reading<'_>>) -> Option<Nearest> {
    let quote: Vec<&str> = plain.old_rows().map(|row| row.line.text()).collect();
    let start = like(file.index, &quote).into_iter().next()?;
    let line = |row: usize| Some(start + row).filter(|line| *line < file.len());
    let pairs: Rc<[Pairing]> =
        (0..quote.len()).map(|row| line(row).map_or(Pairing::Missing, Pairing::Line)).collect();
    let aligned =
        Aligned { file, reading: plain, map: crate::locate::align::map::IndentMap::Free, pairs: &pairs };
    Some(Nearest::of(&aligned))
}

/// Returns the line that is quoted as displayed although its bytes are not valid text.
pub(crate) fn line_not_text(document: &Document, edit: &Edit<'_>) -> Option<usize> {
    let garbled = |line: &&Line<'_>| line.text.contains(char::REPLACEMENT_CHARACTER);
    let quoted: Vec<&str> = edit.old_lines().filter(garbled).map(|line| &*line.text).collect();
    if quoted.is_empty() {
        return None;
    }
    (0..document.len()).find(|line| {
        document.text(*line).is_none() && quoted.contains(&&*String::from_utf8_lossy(document.line(*line)))
    })
}

/// How many quoted lines are compared with all lines of the document.
const COMPARED: usize = 2;

/// How many lines of the document a quoted line is compared with.
const SCANNED: usize = 50_000;

/// With so many lines at most a document is short.
const SHORT: usize = 5_000;

/// The longest line that is compared letter by letter, in bytes: the time grows with the product of both lengths.
const LONGEST: usize = 10_000;

/// The minimum similarity of two lines that may be versions of each other.
const LIKE: f64 = 0.6;

/// Returns the lines where the quote may begin, because its longest lines are similar to lines of the document.
fn like(index: &Index, quote: &[&str]) -> Vec<usize> {
    let mut longest: Vec<(usize, &str)> = quote.iter().map(|line| line.trim()).enumerate().collect();
    longest.sort_unstable_by_key(|(nth, text)| (std::cmp::Reverse(text.len()), *nth));
    let compared = longest.into_iter().take(COMPARED).filter(|(_, text)| !text.is_empty());
    let compared = compared.take_while(|_| index.take_similarity_budget());
    compared.filter_map(|(nth, text)| most_like(index, text)?.checked_sub(nth)).collect()
}

/// Returns the line of the document that is the most similar to a text.
fn most_like(index: &Index, text: &str) -> Option<usize> {
    let document = index.document();
    let text = Fold::LookAlikes.apply(text);
    if text.len() > LONGEST {
        return None;
    }
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
    let mut pieces: Vec<&str> = Vec::new();
    let words = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|_| text.is_ascii());
    for word in words {
        let humps = word.as_bytes().windows(2).enumerate();
        let humps = humps.filter(|(_, pair)| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
        let ends: Vec<usize> = humps.map(|(at, _)| at + 1).chain([word.len()]).collect();
        let mut start = 0;
        for end in ends {
            let part = &word[start..end];
            if part.len() > PIECE {
                pieces.push(&part[part.len() - PIECE..]);
            }
            if part.len() > 2 * PIECE {
                pieces.push(&part[1..=PIECE]);
            }
            start = end;
        }
    }
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

/// The number of letters in a piece.
const PIECE: usize = 3;
