//! How added lines are written: in the file's indentation, and in the file's spelling where they copy a removed line.
//!
//! New text is the model's. Nothing else of an added line is changed.

mod copy;
mod junk;

use std::borrow::Cow;

use self::copy::Copied;
use self::junk::Junk;
use super::align::line_text::{LineText, indent};
use super::align::map::IndentMap;
use super::align::relation::{Class, replaced_words};
use super::explanation::{Aligned, Obstacle};

/// What was changed in added lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rewritten {
    /// They have the file's indentation.
    pub(crate) indentation: bool,
    /// They have the file's spelling of what they copy.
    pub(crate) spelling: bool,
    /// They have the file's characters for those of a wrong code page.
    pub(crate) characters: bool,
}

/// Writes added lines as an alignment shows.
pub(crate) struct Rewriter<'a, 'r, 'q> {
    aligned: &'a Aligned<'r, 'q>,
    copied: Copied,
    junk: Junk<'a>,
    /// Misspelt words of the quote that the file does not have.
    slips: Vec<String>,
    /// Whether the added lines already have the file's indentation, although the quote does not.
    keeps_indentation: bool,
}

impl<'a, 'r, 'q> Rewriter<'a, 'r, 'q> {
    pub(crate) fn new(aligned: &'a Aligned<'r, 'q>) -> Self {
        let mut copied = Copied::default();
        let mut junk = Junk::new(aligned.file);
        let mut slips = Vec::new();
        for row in 0..aligned.pairs.len() {
            let Some(line) = aligned.pairs[row].line() else { continue };
            let (quoted, actual) = (aligned.reading.old(row), aligned.file.line(line));
            if quoted.is_blank() || quoted.line.body() == actual.body() {
                continue;
            }
            let class = aligned.class(row);
            if class == Some(Class::Typo) {
                let words = replaced_words(&quoted.line, actual).into_iter().filter(|pair| pair.is_typo);
                let unknown = words.filter(|pair| !aligned.file.index.holds_word(pair.quoted));
                slips.extend(unknown.map(|pair| pair.quoted.to_owned()));
            }
            if quoted.removes() && matches!(class, Some(Class::Same | Class::Typo)) {
                copied.learn(quoted.line.body(), actual.body(), class == Some(Class::Typo));
            }
            junk.learn(quoted.line.body(), actual.body());
        }
        Rewriter { aligned, copied, junk, slips, keeps_indentation: keeps_indentation(aligned) }
    }

    /// Returns an added line as it is to be written.
    ///
    /// # Errors
    /// What keeps that from being known.
    pub(crate) fn rewrite(&self, line: &LineText<'_>, rewritten: &mut Rewritten) -> Result<String, Obstacle> {
        if line.is_blank() {
            return Ok(line.text().to_owned());
        }
        let text = line.text();
        let (lead, body) = text.split_at(text.len() - text.trim_start().len());
        let without_junk = self.junk.mended(body)?;
        rewritten.characters |= without_junk.is_some();
        let body = without_junk.map_or(Cow::Borrowed(body), Cow::Owned);
        let spelled = self.copied.respelled(&body);
        rewritten.spelling |= spelled.is_some();
        let body = spelled.map_or(body, Cow::Owned);
        if self.slips.iter().any(|slip| has_word(&body, slip)) {
            return Err(Obstacle::SlipRepeated);
        }
        self.junk.check(&body)?;
        let lead = self.indentation(lead, rewritten)?;
        Ok(format!("{lead}{body}"))
    }

    fn indentation<'l>(&self, lead: &'l str, rewritten: &mut Rewritten) -> Result<Cow<'l, str>, Obstacle> {
        let map = self.aligned.map;
        if map == IndentMap::Same || self.keeps_indentation {
            return Ok(Cow::Borrowed(lead));
        }
        if !map.is_rule() {
            return Err(Obstacle::DepthUnknown);
        }
        let quoted = indent(lead);
        match map.apply(&quoted) {
            Some(mapped) if mapped == lead => Ok(Cow::Borrowed(lead)),
            Some(mapped) => {
                rewritten.indentation = true;
                Ok(Cow::Owned(mapped.into_owned()))
            }
            None if matches!(map, IndentMap::Shift { by: ..0, .. }) => Err(Obstacle::LeftOfMargin),
            None => Err(Obstacle::DepthUnknown),
        }
    }
}

/// Checks whether a text has a word, as a whole.
fn has_word(text: &str, word: &str) -> bool {
    LineText::new(text).tokens().any(|token| token == word)
}

/// Checks whether the added lines were written with the file's own indentation characters, which the quote does not use:
/// then the map of the quote does not apply to them.
fn keeps_indentation(aligned: &Aligned<'_, '_>) -> bool {
    let IndentMap::Linear { from, to, .. } = aligned.map else { return false };
    if from == to {
        return false;
    }
    let mut indented =
        aligned.reading.added_rows().map(|row| row.line.indent()).filter(|indent| !indent.is_empty());
    let first = indented.next();
    first.is_some_and(|indent| indent.starts_with(to)) && indented.all(|indent| indent.starts_with(to))
}
