//! A word of the name of the block, where the quote has another word: the lines are those of a sibling, whatever else differs.
//!
//! A line that names its block in passing (`url = f"{base}/orders/{id}"`) is often quoted with a second slip: other quotation marks, a
//! comment, another indentation. The words still tell the blocks apart.

use super::aligned::Aligned;
use super::other_name::openers_above;
use crate::locate::align::line_text::letters;
use crate::locate::align::relation::Class;
use crate::locate::align::words::name_parts;
use crate::locate::syntax::{without_parameters, words_of};

/// The least number of letters of a word that may name a block.
const LETTERS_OF_A_NAME: usize = 3;

/// So many letters may be added or lost at the end of a word that is the same name: `orders` and `order`.
const ENDING: usize = 2;

/// How far the line for a row that is not in the file is looked for, in lines with text, and the rows that may be one line with the row.
const NEAR: usize = 3;

/// How far these lines are looked for, in lines and in rows, with the blank lines between.
const REACH: usize = 50;

/// The number of differing rows that are compared: with more, other rules decide.
const MOST_ROWS: usize = 100;

/// Longer texts are not compared, in words.
const MOST_WORDS: usize = 200;

/// The words by which a row and the line in its position differ.
struct Replaced {
    row: usize,
    /// The line of the file.
    line: usize,
    /// The words that only the row has.
    quoted: Vec<String>,
    /// The words that only the line has.
    actual: Vec<String>,
}

/// Returns the first context row in whose position the file has a word of the name of the block, in place of a word that the quote has.
pub(super) fn row_of_other_block(aligned: &Aligned<'_, '_>) -> Option<usize> {
    let may_name = |row: &usize| {
        let quoted = aligned.reading.old(*row);
        let may_differ = aligned.class(*row).is_none_or(|class| class >= Class::Differs);
        quoted.is_context() && quoted.line.letters() > 0 && may_differ
    };
    let rows: Vec<usize> = aligned.rows().filter(may_name).collect();
    let alike = || aligned.rows().filter(|row| aligned.is_alike(*row) && aligned.has_words(*row));
    if rows.is_empty() || alike().count() <= rows.len() {
        return None;
    }
    let replaced: Vec<Replaced> =
        rows.into_iter().take(MOST_ROWS).flat_map(|row| Replaced::at(aligned, row)).collect();
    if replaced.is_empty() {
        return None;
    }
    let file = aligned.file;
    let mut found = aligned.found_rows().into_iter().filter_map(|row| aligned.pairs[row].line());
    let depth = file.line(found.find(|line| !file.is_blank(*line))?).depth();
    let heads = openers_above(aligned).map(|line| file.line(line)).filter(|head| head.depth() < depth);
    let mut names: Vec<String> = heads.flat_map(|head| words_in(without_parameters(head.text()))).collect();
    // A quote that has the name in a line of the block knows the block.
    let known: Vec<String> = alike().flat_map(|row| words_in(aligned.reading.old(row).line.text())).collect();
    names.retain(|name| !known.iter().any(|word| word.starts_with(&**name) || has_same_stem(word, name)));
    let mut replaced = replaced.into_iter().filter(|words| file.line(words.line).depth() >= depth);
    replaced.find(|words| words.are_names(&names)).map(|words| words.row)
}

impl Replaced {
    /// Compares a row with each line that may be meant and has half of its words in the row, or in the rows beside that are not in the
    /// file. Lines that differ only on one side, or by slips, are left out.
    fn at(aligned: &Aligned<'_, '_>, row: usize) -> Vec<Self> {
        let q = words_around(aligned, row);
        if q.len() > MOST_WORDS {
            return Vec::new();
        }
        let compared = lines_for(aligned, row).into_iter().filter_map(|line| {
            let f = Some(words_in(aligned.file.line(line).text())).filter(|f| f.len() <= MOST_WORDS)?;
            let shared = f.iter().filter(|word| q.contains(word)).count();
            let (quoted, actual) = (only_in(&q, &f), only_in(&f, &q));
            let is_replaced = 2 * shared >= f.len() && !quoted.is_empty() && !actual.is_empty();
            is_replaced.then_some(Replaced { row, line, quoted, actual })
        });
        compared.collect()
    }

    /// Checks whether the line has nothing else than words of some names, and the row has a word that is none of these.
    fn are_names(&self, names: &[String]) -> bool {
        let is_name = |word: &String| names.iter().any(|name| has_same_stem(word, name));
        let is_other = |word: &String| !names.iter().any(|name| are_alike(word, name));
        self.actual.iter().all(is_name) && self.quoted.iter().any(is_other)
    }
}

/// Returns the parts of the names in a text, in lower case: `fetchOrder`, `fetch_order` and `fetch order` have two.
fn words_in(text: &str) -> Vec<String> {
    words_of(text).flat_map(name_parts).map(str::to_lowercase).collect()
}

/// Returns the words of one text for which another has no similar word.
fn only_in(words: &[String], others: &[String]) -> Vec<String> {
    let is_only = |word: &&String| {
        letters(word) >= LETTERS_OF_A_NAME && !others.iter().any(|other| are_alike(word, other))
    };
    words.iter().filter(is_only).cloned().collect()
}

/// Returns the lines that a row may be meant for: its partner, or the unquoted lines around.
fn lines_for(aligned: &Aligned<'_, '_>, row: usize) -> Vec<usize> {
    if aligned.is_related(row) {
        return aligned.pairs[row].line().into_iter().collect();
    }
    let file = aligned.file;
    let has_letters = |line: &usize| file.line(*line).letters() > 0;
    let found = |row: &usize| aligned.is_related(*row);
    let above = (0..row).rev().take(REACH).find(found).and_then(|row| aligned.pairs[row].line());
    let below =
        (row + 1..aligned.pairs.len()).take(REACH).find(found).and_then(|row| aligned.pairs[row].line());
    let from_above = above.map(|above| above + 1..below.unwrap_or(file.len()));
    let to_below = below.map(|below| above.map_or(0, |above| above + 1)..below);
    let from_above = from_above.into_iter().flatten().take(REACH).filter(has_letters).take(NEAR);
    from_above
        .chain(to_below.into_iter().flatten().rev().take(REACH).filter(has_letters).take(NEAR))
        .collect()
}

/// Returns the words of a row. Rows beside each other that are not in the file may be one line of the file, broken or joined.
fn words_around(aligned: &Aligned<'_, '_>, row: usize) -> Vec<String> {
    let is_lost = |row: &usize| !aligned.is_related(*row) && aligned.reading.old(*row).is_context();
    let above = (0..row).rev().take(NEAR).take_while(is_lost).count();
    let below = (row + 1..aligned.pairs.len()).take(NEAR).take_while(is_lost).count();
    let rows = if is_lost(&row) { row - above..row + below + 1 } else { row..row + 1 };
    rows.flat_map(|row| words_in(aligned.reading.old(row).line.text())).collect()
}

/// Checks whether two words are one name but for an ending.
fn has_same_stem(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    long.starts_with(short) && long.len() - short.len() <= ENDING && letters(short) >= LETTERS_OF_A_NAME
}

/// Checks whether two words may be one, misspelt or with another ending: but for two letters, one begins or ends as the other.
fn are_alike(one: &str, other: &str) -> bool {
    let begin = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let end = one.chars().rev().zip(other.chars().rev()).take_while(|(one, other)| one == other).count();
    begin + end + ENDING >= one.chars().count().max(other.chars().count())
}
