//! Undoes the effect of an encoder on a whole patch: entities (`&lt;` for `<`), or a level of escapes (`\"` for `"`).
//!
//! Quoted lines that are in the file only when decoded are evidence for the encoder. Quoted lines that are in the file
//! with their marks, and lines with the plain character, contradict the encoder. Evidence without contradiction is
//! applied to all chunks, including added lines. Otherwise each chunk decides separately; a chunk whose added lines may
//! have intended marks is in doubt.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::numbers;
use super::quote::{Reading, Row};
use crate::locate::align::encoding::ENTITIES;
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::syntax::{literals, may_be_comment, without_literals, without_possible_comment};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoder {
    Entities,
    Escapes,
}

/// The characters that encoders put a backslash before.
const ESCAPED: &str = "\"'`$/\\";

/// A mark of an encoder in a line, in bytes, and the character of the mark.
type Mark = (Range<usize>, char);

impl Encoder {
    fn marks(self, text: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut at = 0;
        while let Some(found) = text[at..].find(self.sign()) {
            let start = at + found;
            match self.mark(&text[start..]) {
                Some((length, plain)) => {
                    marks.push((start..start + length, plain));
                    at = start + length;
                }
                None => at = start + 1,
            }
        }
        marks
    }

    /// Returns the character that each mark begins with.
    fn sign(self) -> char {
        match self {
            Encoder::Entities => '&',
            Encoder::Escapes => '\\',
        }
    }

    /// Returns the length of the mark at the beginning of a text, and its character.
    fn mark(self, text: &str) -> Option<(usize, char)> {
        match self {
            Encoder::Entities => {
                let (entity, plain) = ENTITIES.iter().find(|(entity, _)| text.starts_with(entity))?;
                Some((entity.len(), *plain))
            }
            Encoder::Escapes => {
                let escaped = text[1..].chars().next().filter(|c| ESCAPED.contains(*c))?;
                Some((1 + escaped.len_utf8(), escaped))
            }
        }
    }

    fn has_marks(self, text: &str) -> bool {
        text.contains(self.sign()) && !self.marks(text).is_empty()
    }

    /// Returns a text with its marks decoded. `only` are the characters whose marks are decoded.
    fn undo(self, text: &str, only: &HashSet<char>) -> String {
        let mut plain = String::with_capacity(text.len());
        let mut at = 0;
        for (range, character) in self.marks(text) {
            plain.push_str(&text[at..range.start]);
            if self == Encoder::Entities || only.contains(&character) {
                plain.push(character);
            } else {
                plain.push_str(&text[range.clone()]);
            }
            at = range.end;
        }
        plain.push_str(&text[at..]);
        plain
    }

    /// Checks whether a text contains a plain character that the encoder writes as a mark.
    fn is_contradicted(self, text: &str, characters: &HashSet<char>) -> bool {
        let any_tells = characters.iter().any(|c| is_telling(*c));
        let mut at = 0;
        let mut plain = String::new();
        for (range, _) in self.any_marks(text) {
            plain.push_str(&text[at..range.start]);
            at = range.end;
        }
        plain.push_str(&text[at..]);
        plain.chars().any(|c| characters.contains(&c) && (is_telling(c) || !any_tells))
    }

    /// Returns the marks, for escapes also the marks of further characters.
    fn any_marks(self, text: &str) -> Vec<Mark> {
        match self {
            Encoder::Entities => self.marks(text),
            Encoder::Escapes => {
                let mut chars = text.char_indices();
                let mut marks = Vec::new();
                while let Some((start, c)) = chars.next() {
                    if c == '\\'
                        && let Some((at, escaped)) = chars.next()
                    {
                        marks.push((start..at + escaped.len_utf8(), escaped));
                    }
                }
                marks
            }
        }
    }

    /// Checks whether a mark is where a programming language has no marks: outside comments and literals.
    fn is_in_code(self, text: &str) -> bool {
        self != Encoder::Escapes
            && !may_be_comment(text)
            && !self.marks(without_possible_comment(&without_literals(text))).is_empty()
    }

    fn note(self, reading: &mut Reading<'_>) {
        match self {
            Encoder::Entities => reading.undone.entities = true,
            Encoder::Escapes => reading.undone.escapes = true,
        }
    }
}

/// Checks whether a line has anything that an encoder writes.
pub(crate) fn has_marks(text: &str) -> bool {
    // Most lines have neither sign.
    memchr::memchr2(b'&', b'\\', text.as_bytes()).is_some()
        && [Encoder::Entities, Encoder::Escapes].iter().any(|encoder| encoder.has_marks(text))
}

/// Checks for a character that is rare in text, so that its plain form contradicts an encoder.
fn is_telling(c: char) -> bool {
    !matches!(c, '\'' | '/' | '&' | '\\')
}

/// The evidence of some chunks for an encoder.
enum Finding {
    /// No evidence.
    Nothing,
    /// The marks of these characters are decoded, in all lines or in quoted lines only.
    Undone { characters: HashSet<char>, in_quote_only: bool },
    /// Some lines are evidence, and other lines contradict or may have intended marks.
    InDoubt,
}

/// Decodes all chunks of a file. Returns for each chunk whether the chunk is in doubt.
pub(crate) fn undo(file: &File<'_>, chunks: &mut [Rc<Reading<'_>>]) -> Vec<bool> {
    let mut in_doubt = vec![false; chunks.len()];
    for encoder in [Encoder::Entities, Encoder::Escapes] {
        let bare = without_numbers(file, encoder, chunks);
        let all = Lines { file, encoder, chunks: &bare }.finding();
        match all {
            Finding::Nothing => {}
            Finding::Undone { characters, in_quote_only } => {
                for chunk in chunks.iter_mut() {
                    undo_in(file, encoder, &characters, in_quote_only, chunk);
                }
            }
            Finding::InDoubt if chunks.len() == 1 => in_doubt[0] = true,
            Finding::InDoubt => {
                for (nth, chunk) in chunks.iter_mut().enumerate() {
                    let alone = Lines { file, encoder, chunks: std::slice::from_ref(&bare[nth]) };
                    match alone.finding() {
                        Finding::Nothing => in_doubt[nth] |= !alone.has_marks_on_purpose(),
                        Finding::Undone { characters, in_quote_only } => {
                            undo_in(file, encoder, &characters, in_quote_only, chunk);
                        }
                        Finding::InDoubt => in_doubt[nth] = true,
                    }
                }
            }
        }
    }
    in_doubt
}

/// Returns the chunks without the line numbers of their lines, because the file has the lines without both.
fn without_numbers<'q>(
    file: &File<'_>,
    encoder: Encoder,
    chunks: &[Rc<Reading<'q>>],
) -> Vec<Rc<Reading<'q>>> {
    let bare = |chunk: &Rc<Reading<'q>>| {
        let has_marks = chunk.rows.iter().any(|row| encoder.has_marks(row.line.text()));
        let is_numbered = has_marks && numbers::are_numbered(file, chunk);
        let bare = is_numbered.then(|| numbers::without_numbers(file, chunk)).flatten();
        bare.map_or_else(|| Rc::clone(chunk), Rc::new)
    };
    chunks.iter().map(bare).collect()
}

/// Decodes a chunk. Lines that are in the file with their marks are unchanged.
fn undo_in(
    file: &File<'_>,
    encoder: Encoder,
    characters: &HashSet<char>,
    in_quote_only: bool,
    chunk: &mut Rc<Reading<'_>>,
) {
    if !chunk.rows.iter().any(|row| encoder.has_marks(row.line.text())) {
        return;
    }
    let mut read = chunk.mapped(file.costs.read_encoded, |row| {
        let stays = if row.is_old() { file.has_squashed(&row.line) } else { in_quote_only };
        let text = encoder.undo(row.line.text(), characters);
        (!stays && text != row.line.text()).then(|| row.with_text(text))
    });
    encoder.note(&mut read);
    *chunk = Rc::new(read);
}

/// The lines of some chunks.
struct Lines<'a, 'q> {
    file: &'a File<'a>,
    encoder: Encoder,
    chunks: &'a [Rc<Reading<'q>>],
}

impl<'a, 'q> Lines<'a, 'q> {
    fn rows(&self) -> impl Iterator<Item = &'a Row<'q>> {
        self.chunks.iter().flat_map(|chunk| &chunk.rows).map(|row| &**row).filter(|row| !row.is_blank())
    }

    fn marked(&self) -> impl Iterator<Item = &'a Row<'q>> {
        let encoder = self.encoder;
        self.rows().filter(move |row| encoder.has_marks(row.line.text()))
    }

    fn characters<'r>(&self, rows: impl Iterator<Item = &'r Row<'q>>) -> HashSet<char>
    where
        'q: 'r,
    {
        rows.flat_map(|row| self.encoder.marks(row.line.text())).map(|(_, plain)| plain).collect()
    }

    fn finding(&self) -> Finding {
        let quoted: Vec<&Row<'q>> = self.marked().filter(|row| row.is_old()).collect();
        if quoted.is_empty() {
            return if self.added_alone_are_marked() { Finding::InDoubt } else { Finding::Nothing };
        }
        let all = self.characters(quoted.iter().copied());
        let shown: Vec<&Row<'q>> =
            quoted.iter().copied().filter(|row| self.is_there_decoded(row, &all)).collect();
        if shown.is_empty() {
            return if self.are_foreign() { Finding::InDoubt } else { Finding::Nothing };
        }
        let characters = self.characters(shown.iter().copied());
        if self.is_content_of_literal(&shown, &characters) {
            return Finding::InDoubt;
        }
        // Added lines without marks, or with plain characters next to each mark, were not encoded. For quoted lines,
        // the file decides.
        let is_plain = |row: &Row<'q>| self.encoder.is_contradicted(row.line.text(), &characters);
        if self.marked().filter(|row| row.adds()).all(is_plain) {
            return Finding::Undone { characters, in_quote_only: true };
        }
        let is_contradicted = quoted.iter().any(|row| self.file.has_squashed(&row.line))
            || self.added_is_there()
            || self.rows().any(|row| self.encoder.is_contradicted(row.line.text(), &characters));
        if is_contradicted || self.may_be_meant(&shown, &characters) {
            Finding::InDoubt
        } else {
            Finding::Undone { characters, in_quote_only: false }
        }
    }

    /// Checks whether a single doubled backslash shows an encoder, and is all of a string literal: `"\\n"` may be the text of
    /// another line than `"\n"`.
    fn is_content_of_literal(&self, shown: &[&Row<'q>], characters: &HashSet<char>) -> bool {
        let [row] = shown else { return false };
        let is_escape = self.encoder == Encoder::Escapes && !characters.iter().any(|c| "\"'".contains(*c));
        let is_all = |literal: &&str| literal.contains('\\') && literal.len() <= "\"\\\\n\"".len();
        is_escape && literals(row.line.text()).iter().any(is_all)
    }

    /// Checks whether the file has a line only without its marks.
    fn is_there_decoded(&self, row: &Row<'q>, characters: &HashSet<char>) -> bool {
        let decoded = LineText::new(self.encoder.undo(row.line.text(), characters));
        !self.file.has_squashed(&row.line) && self.file.has_squashed(&decoded)
    }

    /// Checks whether the added lines have double quotes with a backslash only, and the file without one only: no quoted line
    /// shows whether an encoder wrote them.
    fn added_alone_are_marked(&self) -> bool {
        const QUOTE: char = '"';
        if self.encoder == Encoder::Entities {
            return false;
        }
        let quote = HashSet::from([QUOTE]);
        let added: Vec<&Row<'q>> = self.rows().filter(|row| row.adds()).collect();
        let marks = added.iter().flat_map(|row| self.encoder.marks(row.line.text()));
        marks.filter(|(_, plain)| *plain == QUOTE).count() > 1
            && !added.iter().any(|row| self.encoder.is_contradicted(row.line.text(), &quote))
            && !self.file.index.holds_text("\\\"")
            && self.file.index.holds_text("\"")
    }

    /// Checks whether the file has an added line with its marks: the edit was made, or such lines are intended.
    fn added_is_there(&self) -> bool {
        self.marked().any(|row| row.adds() && row.line.letters() > 0 && self.file.has_squashed(&row.line))
    }

    /// Checks whether an added line may have intended marks.
    fn may_be_meant(&self, shown: &[&Row<'q>], characters: &HashSet<char>) -> bool {
        let quoted: HashSet<&str> = shown.iter().flat_map(|row| self.marked_words(row)).collect();
        let file_has_marks = self.encoder == Encoder::Entities && self.file_has_entities();
        let leading = self.leading_marks(shown);
        let is_open = self.marked().filter(|row| row.adds()).any(|row| {
            let is_copied = self.marked_words(row).all(|word| quoted.contains(word));
            let is_code = !file_has_marks && self.encoder.is_in_code(row.line.text());
            let is_shown =
                self.encoder == Encoder::Escapes && self.characters([row].into_iter()).is_subset(characters);
            !is_copied
                && !is_code
                && !is_shown
                && !self.leading_mark(row).is_some_and(|mark| leading.contains(mark))
        });
        is_open && (shown.len() < 2 || file_has_marks)
    }

    fn file_has_entities(&self) -> bool {
        ENTITIES.iter().any(|(entity, _)| self.file.index.holds_text(entity))
    }

    /// Checks whether the file has no entities, but has the plain form of an entity in the code of added lines, with the characters
    /// on both sides: an encoder may have written these lines, although no quoted line shows the encoder.
    fn are_foreign(&self) -> bool {
        let is_plain_in_file = |text: &str| {
            self.encoder.marks(text).into_iter().any(|(range, plain)| {
                let (before, behind) =
                    (text[..range.start].chars().next_back(), text[range.end..].chars().next());
                let sides = before.zip(behind).map(|(before, behind)| format!("{before}{plain}{behind}"));
                sides.is_some_and(|sides| self.file.index.holds_text(&sides))
            })
        };
        let mut added = self.marked().filter(|row| row.adds()).map(|row| row.line.text());
        self.encoder == Encoder::Entities
            && !self.file_has_entities()
            && added.any(|text| self.encoder.is_in_code(text) && is_plain_in_file(text))
    }

    /// Returns the marks that quoted lines begin with because of the encoder, and no line of the file begins with: those of tags,
    /// where the file has the mark only inside of its text.
    fn leading_marks<'r>(&self, shown: &[&'r Row<'q>]) -> HashSet<&'r str> {
        let mut leading: HashSet<&str> = shown.iter().filter_map(|row| self.leading_mark(row)).collect();
        let begins = |line: &[u8], mark: &str| line.trim_ascii_start().starts_with(mark.as_bytes());
        leading.retain(|mark| !self.file.document().lines().any(|line| begins(line, mark)));
        leading
    }

    /// Returns the mark that a row begins with.
    fn leading_mark<'r>(&self, row: &'r Row<'q>) -> Option<&'r str> {
        let body = row.line.body();
        let (length, _) = body.starts_with(self.encoder.sign()).then(|| self.encoder.mark(body))??;
        Some(&body[..length])
    }

    /// Returns the words of a row that have marks.
    fn marked_words<'r>(&self, row: &'r Row<'q>) -> impl Iterator<Item = &'r str> {
        row.line.text().split_whitespace().filter(|word| !self.encoder.marks(word).is_empty())
    }

    /// Checks whether the marks of the added lines are intended: no quoted line is missing in the file because of its
    /// marks, and, for entities, a quoted line is in the file with its marks.
    fn has_marks_on_purpose(&self) -> bool {
        if !self.marked().any(Row::adds) {
            return true;
        }
        let mut quoted =
            self.marked().filter(|row| row.is_old()).map(|row| self.file.has_squashed(&row.line)).peekable();
        let is_any = quoted.peek().is_some();
        (self.encoder == Encoder::Escapes || is_any) && quoted.all(|is_there| is_there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_level_is_undone() {
        let quotes = HashSet::from(['"']);
        assert_eq!(Encoder::Escapes.undo(r#"say(\"a\\b\")"#, &quotes), r#"say("a\\b")"#);
        assert_eq!(Encoder::Entities.undo("a &amp;lt; b", &HashSet::new()), "a &lt; b");
    }

    #[test]
    fn the_plain_character_contradicts() {
        assert!(Encoder::Entities.is_contradicted("a < b", &HashSet::from(['<'])));
        assert!(!Encoder::Entities.is_contradicted("a &lt; b && c", &HashSet::from(['<', '&'])));
    }
}
