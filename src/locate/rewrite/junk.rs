//! Characters of a wrong code page in added lines: replaced if the quoted lines show the correct characters, refused
//! otherwise.

use std::ops::Range;

use encoding_rs::WINDOWS_1252;

use crate::locate::align::code_page::{UNREADABLE, is_lost, is_misread, junk};
use crate::locate::align::file::File;
use crate::locate::explanation::Obstacle;
use crate::locate::syntax::is_word_char;

/// What quoted lines show about characters of a wrong code page.
pub(super) struct Junk<'a> {
    file: &'a File<'a>,
    pieces: Vec<Piece>,
    /// Words of the quote, and the text of the file at the same positions.
    words: Vec<(String, String)>,
}

/// Characters of a quoted line that came through a wrong code page.
struct Piece {
    line: String,
    wrong: Range<usize>,
    right: String,
}

impl<'a> Junk<'a> {
    pub(super) fn new(file: &'a File<'a>) -> Self {
        Junk { file, pieces: Vec::new(), words: Vec::new() }
    }

    /// Learns from a quoted line and its line of the file.
    pub(super) fn learn(&mut self, quoted: &str, actual: &str) {
        if !is_misread(quoted, actual) {
            return;
        }
        match junk(quoted, actual) {
            Some(pieces) => self.pieces.extend(pieces.into_iter().map(|(wrong, right)| Piece {
                line: quoted.to_owned(),
                wrong,
                right: right.to_owned(),
            })),
            None => self.learn_words(quoted, actual),
        }
    }

    fn learn_words(&mut self, quoted: &str, actual: &str) {
        let (q, f): (Vec<&str>, Vec<&str>) =
            (quoted.split_whitespace().collect(), actual.split_whitespace().collect());
        if q.len() == f.len() {
            let differing = q.iter().zip(&f).filter(|(q, f)| q != f);
            self.words.extend(differing.map(|(q, f)| ((*q).to_owned(), (*f).to_owned())));
        }
    }

    /// Returns an added line with the characters of the file; `None` if the line has no junk.
    ///
    /// # Errors
    /// Some of the junk may be intended, or is ambiguous.
    pub(super) fn mended(&self, text: &str) -> Result<Option<String>, Obstacle> {
        let mut mended = text.to_owned();
        for (wrong, right) in &self.words {
            mended = mended.replace(wrong, right);
        }
        let mut copies_vague = false;
        for piece in &self.pieces {
            let wrong = &piece.line[piece.wrong.clone()];
            let is_vague = wrong.contains(is_lost);
            // The same text may be junk at one position and intended at another.
            if !is_vague && self.file.index.holds_text(wrong) && text.contains(wrong) {
                return Err(Obstacle::Garbled);
            }
            copies_vague |= is_vague && shares_word_with_junk(text, piece);
            mended = piece.mend(&mended);
        }
        if copies_vague && mended.contains(is_lost) || is_mended_in_part(text, &mended) {
            return Err(Obstacle::Garbled);
        }
        Ok((mended != text).then_some(mended))
    }

    /// Checks that no characters of a wrong code page are left, unless the file contains the same characters.
    pub(super) fn check(&self, text: &str) -> Result<(), Obstacle> {
        if text.is_ascii() {
            return Ok(());
        }
        let words = text.split_whitespace();
        let mut words = words.filter(|word| word.contains(is_never_text) || is_misread_utf8(word, text));
        if words.all(|word| self.file.index.holds_text(word)) { Ok(()) } else { Err(Obstacle::Garbled) }
    }
}

/// Checks whether a word has placeholder characters of which only some were replaced.
fn is_mended_in_part(text: &str, mended: &str) -> bool {
    let mut words = text.split_whitespace().zip(mended.split_whitespace());
    words.any(|(word, mended)| word != mended && word.contains(is_lost) && mended.contains(is_lost))
}

/// Checks for U+FFFD and the control characters that a wrong code page leaves.
fn is_never_text(c: char) -> bool {
    c == UNREADABLE || matches!(c, '\u{80}'..='\u{9f}')
}

/// Checks whether a word of a text has UTF-8 that was read as Windows-1252: `Ã©` for `é`.
fn is_misread_utf8(word: &str, text: &str) -> bool {
    let mut run = String::new();
    word.chars().chain([' ']).any(|c| {
        if !c.is_ascii() {
            run.push(c);
            return false;
        }
        let read = std::mem::take(&mut run);
        if read.chars().count() < 2 {
            return false;
        }
        let (bytes, _, is_lossy) = WINDOWS_1252.encode(&read);
        !is_lossy && str::from_utf8(&bytes).is_ok_and(|right| !is_end_of_sentence(&read, right, text))
    })
}

/// Quotation marks that end a text, and those that begin it.
const MARKS: [(char, &[char]); 5] = [
    ('\u{201c}', &['\u{201e}']),
    ('\u{201d}', &['\u{201c}', '\u{201e}', '\u{201d}']),
    ('\u{2019}', &['\u{2018}', '\u{201a}']),
    ('\u{bb}', &['\u{ab}']),
    ('\u{ab}', &['\u{bb}']),
];

/// Checks whether characters that may be UTF-8 are a letter and signs that end a text: `Spaß“`. `right`: the characters in UTF-8. Where
/// these are a letter of Latin, or one of Chinese, the sign that begins the text has to be there, too.
fn is_end_of_sentence(read: &str, right: &str, text: &str) -> bool {
    const DOTS: char = '\u{2026}';
    let mut signs = read.chars();
    let begins_with_letter = signs.next().is_some_and(char::is_alphabetic);
    let openers = |sign: char| MARKS.iter().find(|(end, _)| *end == sign).map(|(_, openers)| *openers);
    let is_begun = signs.clone().filter_map(openers).any(|openers| text.contains(openers));
    let is_rare = |c: char| matches!(c, '\u{180}'..='\u{2000}');
    begins_with_letter
        && signs.all(|sign| sign == DOTS || openers(sign).is_some())
        && (is_begun || right.chars().all(is_rare))
}

/// How many characters around vague junk must be equal for the same replacement, and how many are compared on each
/// side.
const AROUND: usize = 3;
const EACH_SIDE: usize = 4;

impl Piece {
    /// Returns a text with this junk replaced. The surroundings identify vague junk.
    fn mend(&self, text: &str) -> String {
        let wrong = &self.line[self.wrong.clone()];
        if !wrong.contains(is_lost) {
            return text.replace(wrong, &self.right);
        }
        let (head, tail) = self.surroundings();
        if head.chars().count() + tail.chars().count() < AROUND {
            return text.to_owned();
        }
        text.replace(&format!("{head}{wrong}{tail}"), &format!("{head}{}{tail}", self.right))
    }

    /// Returns the text around the junk, up to the next vague character.
    fn surroundings(&self) -> (&str, &str) {
        let (before, behind) = (&self.line[..self.wrong.start], &self.line[self.wrong.end..]);
        let before = before.rsplit(is_lost).next().unwrap_or_default();
        let behind = &behind[..behind.find(is_lost).unwrap_or(behind.len())];
        let from = before.char_indices().rev().nth(EACH_SIDE - 1).map_or(0, |(at, _)| at);
        let until = behind.char_indices().nth(EACH_SIDE).map_or(behind.len(), |(at, _)| at);
        (&before[from..], &behind[..until])
    }
}

/// Checks whether a text has a piece of junk between the same letters; where junk is at the end of a word, the whole word, and where
/// signs are around, all up to whitespace.
fn shares_word_with_junk(text: &str, piece: &Piece) -> bool {
    let (before, behind) = (&piece.line[..piece.wrong.start], &piece.line[piece.wrong.end..]);
    let around = |before: &str, behind: &str| {
        text.contains(&piece.line[before.len()..piece.line.len() - behind.len()])
    };
    let up_to = |is_end: fn(char) -> bool| {
        around(before.trim_end_matches(|c| !is_end(c)), behind.trim_start_matches(|c| !is_end(c)))
    };
    match (before.strip_suffix(is_word_char), behind.strip_prefix(is_word_char)) {
        (Some(before), Some(behind)) => around(before, behind),
        (None, None) => up_to(char::is_whitespace),
        _ => up_to(|c| !is_word_char(c) && !is_lost(c)),
    }
}
