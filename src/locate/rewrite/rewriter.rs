//! Writes the added lines of an alignment.

use std::borrow::Cow;
use std::cell::RefCell;

use super::copy::Copied;
use super::depth::{OwnMap, map_beside, shown_beside};
use super::encoded::Encoded;
use super::junk::Junk;
use super::leading::Leading;
use super::look_alikes::LookAlikes;
use super::quotation::Quotation;
use super::tabs::Columns;
use super::verbatim::Verbatim;
use crate::locate::align::line_text::{LineText, indent};
use crate::locate::align::map::IndentMap;
use crate::locate::align::relation::Class;
use crate::locate::align::words::replaced_words;
use crate::locate::explanation::{Aligned, Obstacle, Rewritten};
use crate::locate::syntax::{differs_in_marks, is_fence};

/// Writes added lines as an alignment shows.
pub(crate) struct Rewriter<'a, 'r, 'q> {
    aligned: &'a Aligned<'r, 'q>,
    copied: Copied,
    junk: Junk<'a>,
    look_alikes: LookAlikes<'a>,
    quotation: Quotation,
    encoded: Encoded,
    leading: Leading,
    columns: Columns,
    verbatim: Verbatim,
    /// Misspelt words of the quote that the file does not have.
    slips: Vec<String>,
    /// Whether the added lines already have the file's indentation, although the quote does not.
    keeps_indentation: bool,
    /// The rows on either side of the last run of added lines, and the map of the run, if it has its own.
    beside: RefCell<(Vec<usize>, OwnMap)>,
}

impl<'a, 'r, 'q> Rewriter<'a, 'r, 'q> {
    pub(crate) fn new(aligned: &'a Aligned<'r, 'q>) -> Self {
        let mut copied = Copied::default();
        let mut junk = Junk::new(aligned.file);
        let mut look_alikes = LookAlikes::new(aligned.file);
        let mut quotation = Quotation::default();
        let mut leading = Leading::default();
        let mut columns = Columns::default();
        let mut slips = Vec::new();
        let adds_signs = aligned.reading.added_rows().any(|row| !row.line.text().is_ascii());
        for row in 0..aligned.pairs.len() {
            let Some(line) = aligned.pairs[row].line() else { continue };
            let (quoted, actual) = (aligned.reading.old(row), aligned.file.line(line));
            columns.learn(quoted.line.body(), actual.body());
            if adds_signs {
                look_alikes.learn(quoted.line.body(), actual.body());
            }
            quotation.learn(quoted.line.body(), actual.body());
            leading.learn(quoted.line.body(), actual.body());
            if quoted.is_blank() || quoted.line.body() == actual.body() {
                continue;
            }
            let class = aligned.class(row);
            if class == Some(Class::Typo) {
                let words = replaced_words(&quoted.line, actual).into_iter().filter(|pair| pair.is_typo);
                let unknown = words.filter(|pair| !aligned.file.index.knows(pair));
                slips.extend(unknown.map(|pair| pair.quoted.to_owned()));
            }
            let has_other_marks = differs_in_marks(quoted.line.body(), actual.body());
            if quoted.removes() && !has_other_marks && matches!(class, Some(Class::Same | Class::Typo)) {
                copied.learn(quoted.line.body(), actual.body());
            }
            junk.learn(quoted.line.body(), actual.body());
        }
        if !copied.is_empty() {
            for row in aligned.filled_removals() {
                let quoted = aligned.reading.old(row).line.body();
                let actual = aligned.pairs[row].line().map(|line| aligned.file.line(line).body());
                if actual == Some(quoted) {
                    copied.learn_same(quoted);
                }
            }
        }
        if quotation.is_shown() {
            aligned.reading.rows.iter().for_each(|row| quotation.learn_text(row.line.body()));
            let outer = aligned.outer_lines(usize::MAX);
            outer.for_each(|line| quotation.learn_text(aligned.file.line(line).body()));
        }
        let keeps_indentation = keeps_indentation(aligned);
        let is_same = aligned.map == IndentMap::Same;
        let verbatim = if is_same { Verbatim::default() } else { Verbatim::of(aligned) };
        let beside = RefCell::new((Vec::new(), Ok(None)));
        Rewriter {
            aligned,
            copied,
            junk,
            look_alikes,
            quotation,
            encoded: Encoded::of(aligned),
            leading,
            columns,
            verbatim,
            slips,
            keeps_indentation,
            beside,
        }
    }

    /// Returns an added line as it is written. `near` are the old rows on either side of its run that are in the file.
    ///
    /// # Errors
    /// Returns why the result is unknown.
    pub(crate) fn rewrite<'l>(
        &self,
        line: &'l LineText<'_>,
        near: &[usize],
        rewritten: &mut Rewritten,
    ) -> Result<String, Obstacle> {
        rewritten.spelling |= self.aligned.reading.undone.remnants;
        if line.is_blank() {
            return Ok(line.text().to_owned());
        }
        let text = line.text();
        let (lead, written) = text.split_at(text.len() - text.trim_start().len());
        let without_junk = self.junk.mended(written)?;
        rewritten.characters |= without_junk.is_some();
        let body = without_junk.map_or(Cow::Borrowed(written), Cow::Owned);
        let mut take = |body: Cow<'l, str>, spelled: Option<String>| {
            rewritten.spelling |= spelled.is_some();
            spelled.map_or(body, Cow::Owned)
        };
        let spelled = self.copied.respelled(&body);
        let body = take(body, spelled);
        let spelled = self.quotation.mended(&body);
        let body = take(body, spelled);
        let spelled = self.look_alikes.mended(written, &body)?;
        let body = take(body, spelled);
        let spelled = self.encoded.mended(written, &body)?;
        let body = take(body, spelled);
        let spelled = self.with_sign(lead, &body)?;
        let body = take(body, spelled);
        let spelled = self.columns.with_tabs(&body)?;
        let body = take(body, spelled);
        if self.slips.iter().any(|slip| has_word(&body, slip)) {
            return Err(Obstacle::SlipRepeated);
        }
        self.junk.check(&body)?;
        let lead = if self.verbatim.has(line) {
            Cow::Borrowed(lead)
        } else {
            self.indentation(lead, near, rewritten)?
        };
        Ok(format!("{lead}{body}"))
    }

    /// Returns an added line with the sign that the file has at the beginning of quoted lines of the same depth; `None` if nothing
    /// changes.
    fn with_sign(&self, lead: &str, body: &str) -> Result<Option<String>, Obstacle> {
        let reading = self.aligned.reading;
        if !reading.filled_old_rows().any(|row| row.line.indent() == lead) {
            return Ok(None);
        }
        let spelled = self.leading.mended(body)?;
        // Lines of code in a text have signs of their own.
        if spelled.is_some() && reading.added_rows().any(|row| is_fence(row.line.body())) {
            return Err(Obstacle::Garbled);
        }
        Ok(spelled)
    }

    /// Returns the indentation of an added line. `near` are the old rows on either side of its run that are in the
    /// file.
    fn indentation<'l>(
        &self,
        lead: &'l str,
        near: &[usize],
        rewritten: &mut Rewritten,
    ) -> Result<Cow<'l, str>, Obstacle> {
        let beside = self.map_beside(near)?;
        let map = beside.unwrap_or(self.aligned.map);
        if map == IndentMap::Same || self.keeps_indentation && beside.is_none() {
            return Ok(Cow::Borrowed(lead));
        }
        if !map.is_rule() {
            let shown = shown_beside(self.aligned, &indent(lead), near).ok_or(Obstacle::DepthUnknown)?;
            rewritten.indentation |= shown != lead;
            return Ok(Cow::Owned(shown.into_owned()));
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

impl Rewriter<'_, '_, '_> {
    /// Returns the map of a run of added lines, if the run has its own; see [`map_beside`].
    fn map_beside(&self, near: &[usize]) -> OwnMap {
        let mut last = self.beside.borrow_mut();
        if last.0 != near {
            *last = (near.to_vec(), map_beside(self.aligned, near));
        }
        last.1
    }
}

/// Checks whether a text has a word, as a whole.
fn has_word(text: &str, word: &str) -> bool {
    LineText::new(text).tokens().any(|token| token == word)
}

/// Checks whether the added lines were written with the indentation characters of the file, which the quote does not
/// use: then the map of the quote does not apply.
fn keeps_indentation(aligned: &Aligned<'_, '_>) -> bool {
    let IndentMap::Linear { from, to, .. } = aligned.map else { return false };
    if from == to {
        return false;
    }
    let mut indented =
        aligned.reading.added_rows().map(|row| row.line.indent()).filter(|indent| !indent.is_empty());
    let first = indented.next();
    let has_characters =
        first.is_some_and(|indent| indent.starts_with(to)) && indented.all(|indent| indent.starts_with(to));
    has_characters && starts_at_removed_depth(aligned)
}

/// Checks whether the added lines begin as deep as the removed lines are in the file, if lines are removed.
fn starts_at_removed_depth(aligned: &Aligned<'_, '_>) -> bool {
    let added = aligned.reading.filled_added_rows().map(|row| row.line.indent().len()).min();
    let removed = aligned.filled_removals().filter_map(|row| aligned.pairs[row].line());
    let removed = removed.map(|line| aligned.file.line(line).indent().len()).min();
    removed.is_none() || added == removed
}
