//! Finds all positions of a run of lines, for each way of comparing lines.
//!
//! For each [`Fold`] the lines of the document are hashed, so that equal lines have equal hashes; a quote becomes a run
//! of hashes, and only the positions of its rarest line are compared. The hashes are computed on first use, once for
//! all edits of a file. For a few exact quotes in a large file a search over the bytes is faster, so the first exact
//! quotes use that search.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memchr::memmem;

use super::hashes::{Hashed, Hashes, hash_lines};
use super::multi_search::{MultiSearch, Wanted};
use crate::parallel;
use crate::patch::edit::Edit;
use crate::text::{Document, Fold};

/// Finds runs of lines in a document.
pub(crate) struct Index {
    document: Document,
    /// The hashes for each fold.
    hashes: [OnceCell<Hashes>; Fold::Skeleton as usize + 1],
    /// How many more bytes may be searched before the hashes are the better way.
    budget: Budget,
    /// How many searches of the whole document are left that the hashes cannot serve.
    searches: Cell<usize>,
    /// How many searches for the most similar line are left.
    likenesses: Cell<usize>,
    /// The places of quotes that were looked up before.
    known: RefCell<Known>,
    /// The exact positions of quotes that were searched together.
    cached: RefCell<CachedPlaces>,
}

/// The quotes of a pass with their exact positions, by the hash of all lines. Of quotes with equal hashes only one is
/// stored.
type CachedPlaces = HashMap<u64, (String, Rc<[usize]>), BuildHasherDefault<Hashed>>;

/// The positions of quotes, by fold and by the hashes of their lines.
type Known = HashMap<(Fold, Vec<u64>), Rc<[usize]>>;

/// How many lines are compared directly instead of hashed.
const FEW: usize = 512;

/// How many searches of the whole document are granted that the hashes cannot serve.
const UNINDEXED: usize = 200;

/// How many quoted lines may be compared with all lines of the document. These comparisons are only for a diagnosis,
/// and must not use the time of placing.
const LIKENESSES: usize = 12;

/// A document of so many bytes, with so many lines, is gone through line by line: to prepare a search takes longer.
const SHORT: usize = 1 << 12;
const SHORT_LINES: usize = 128;

/// How often the whole document may be searched for exact quotes. Making the hashes costs about as much as
/// this many searches.
const SEARCHES: usize = 12;

impl Index {
    pub(crate) fn new(document: &Document) -> Self {
        let budget = Budget::of(document.content().len().saturating_mul(SEARCHES));
        Index {
            document: document.clone(),
            hashes: Default::default(),
            budget,
            searches: Cell::new(UNINDEXED),
            likenesses: Cell::new(LIKENESSES),
            known: RefCell::default(),
            cached: RefCell::default(),
        }
    }

    pub(crate) fn document(&self) -> &Document {
        &self.document
    }

    /// Returns all positions of `quote`, as lines, 0-based and ascending.
    pub(crate) fn places(&self, fold: Fold, quote: &[&str]) -> Rc<[usize]> {
        if quote.is_empty() || quote.len() > self.document.len() {
            return Rc::default();
        }
        if fold == Fold::Exact
            && let Some(places) = self.cached(quote)
        {
            return places;
        }
        if fold == Fold::Exact
            && let Some(places) = self.search(quote)
        {
            return places.into();
        }
        // A looser fold equates everything that a tighter fold equates: usually the skeleton alone shows that a quote
        // matches nowhere, and a quote that matches has only a few positions.
        if fold != Fold::Skeleton {
            let loose = self.places(Fold::Skeleton, quote);
            if loose.len() * quote.len() <= FEW {
                return loose.iter().copied().filter(|start| self.stands_at(fold, quote, *start)).collect();
            }
        }
        let hashes = self.hashes(fold);
        let Some(wanted) = hashes.of_quote(quote) else { return Rc::default() };
        // A patch may repeat the same quote, and the quote may match everywhere.
        let mut known = self.known.borrow_mut();
        let places =
            known.entry((fold, wanted)).or_insert_with_key(|(_, wanted)| hashes.places(wanted).into());
        Rc::clone(places)
    }

    /// Finds the exact positions of all these quotes in a single pass over the document, if there are enough quotes for
    /// a pass to be cheaper than separate searches; afterwards [`places`](Self::places) returns the stored positions.
    pub(crate) fn seek_together(&self, edits: &[&Edit<'_>]) {
        if edits.len() <= APART {
            return;
        }
        let search =
            MultiSearch::new(edits.iter().map(|edit| edit.old_lines().map(|line| &*line.text).collect()));
        let Some(places) = self.pass(&search) else { return };
        let found = search.wanted.iter().zip(places);
        let found = found.map(|(wanted, places)| (wanted.hash, (wanted.quote.join("\n"), places.into())));
        self.cached.borrow_mut().extend(found);
    }

    /// Returns the positions of each quote of a pass. `None` if this costs too much: quotes that match, or nearly
    /// match, everywhere are not worth a comparison at each position.
    fn pass(&self, search: &MultiSearch<'_>) -> Option<Vec<Vec<usize>>> {
        let mut places = vec![Vec::new(); search.wanted.len()];
        for (line, hash) in self.document.lines_hashed(|hash| search.may_match(hash)) {
            for nth in search.candidates_for(hash) {
                let Wanted { quote, longest, .. } = &search.wanted[nth];
                self.budget.take(quote.iter().map(|line| line.len()).sum())?;
                if let Some(start) = line.checked_sub(*longest)
                    && self.stands_at(Fold::Exact, quote, start)
                {
                    places[nth].push(start);
                }
            }
        }
        Some(places)
    }

    /// Returns the positions of a quote that was searched in a pass; `None` if the quote was not part of a pass.
    fn cached(&self, quote: &[&str]) -> Option<Rc<[usize]>> {
        let cached = self.cached.borrow();
        let (text, places) = if cached.is_empty() { None } else { cached.get(&hash_lines(quote)) }?;
        text.split('\n').eq(quote.iter().copied()).then(|| Rc::clone(places))
    }

    /// Returns the hash of the skeleton of a line of the document.
    pub(crate) fn skeleton_at(&self, line: usize) -> Option<u64> {
        self.hashes(Fold::Skeleton).of_line(line)
    }

    /// Returns whether the document contains a word, as a whole word.
    pub(crate) fn holds_word(&self, word: &str) -> bool {
        let content = self.document.content();
        memmem::find_iter(content, word.as_bytes()).any(|at| {
            let before = at.checked_sub(1).is_some_and(|before| is_word_byte(content[before]));
            !before && content.get(at + word.len()).is_none_or(|behind| !is_word_byte(*behind))
        })
    }

    /// Returns `false` if a short document does not have a line, before any line is hashed.
    pub(crate) fn may_hold(&self, line: &str) -> bool {
        let is_hashed = self.hashes[Fold::Skeleton as usize].get().is_some();
        is_hashed || self.document.content().len() > SHORT || self.holds_text(line)
    }

    /// Checks whether a text is anywhere in the document, inside a line.
    pub(crate) fn holds_text(&self, text: &str) -> bool {
        memmem::find(self.document.content(), text.as_bytes()).is_some()
    }

    /// Returns the lines that contain a word, ascending, at most `most`.
    pub(crate) fn lines_with_word(&self, word: &str, most: usize) -> Vec<usize> {
        let mut lines: Vec<usize> = Vec::new();
        for found in memmem::find_iter(self.document.content(), word.as_bytes()) {
            let line = self.document.line_at(found);
            if lines.last() != Some(&line) {
                lines.push(line);
            }
            if lines.len() >= most {
                break;
            }
        }
        lines
    }

    /// Returns whether `quote` matches at a line.
    pub(crate) fn stands_at(&self, fold: Fold, quote: &[&str], start: usize) -> bool {
        stands_at(&self.document, fold, quote, start)
    }

    /// Requests another search of the whole document that no index can answer; `false` after the limit. The limit keeps
    /// a patch of ten thousand unknown headers from costing ten thousand searches.
    pub(crate) fn take_search_budget(&self) -> bool {
        let left = self.searches.get().checked_sub(1);
        self.searches.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Grants the searches of [`take_search_budget`](Self::take_search_budget) anew, for an edit that is placed by itself.
    pub(crate) fn renew_search_budget(&self) {
        self.searches.set(UNINDEXED);
    }

    /// Requests another comparison of a line with all lines of the document; `false` after the limit.
    pub(crate) fn take_similarity_budget(&self) -> bool {
        let left = self.likenesses.get().checked_sub(1);
        self.likenesses.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Runs a search whose failure is not reported: no line is compared with all lines of the document.
    pub(crate) fn without_similarity<T>(&self, search: impl FnOnce() -> T) -> T {
        let left = self.likenesses.replace(0);
        let found = search();
        self.likenesses.set(left);
        found
    }

    /// Returns the positions of a single line, ascending.
    pub(crate) fn line_places(&self, fold: Fold, line: &str) -> Cow<'_, [u32]> {
        let loose = self.lines_of(Fold::Skeleton, line);
        if fold == Fold::Skeleton {
            return Cow::Borrowed(loose);
        }
        if loose.len() <= FEW {
            let stands = |at: &u32| self.stands_at(fold, &[line], *at as usize);
            return Cow::Owned(loose.iter().copied().filter(stands).collect());
        }
        Cow::Borrowed(self.lines_of(fold, line))
    }

    /// Returns the position of a line if the line is unique; otherwise `None`.
    pub(crate) fn only_place(&self, fold: Fold, line: &str) -> Option<usize> {
        let loose = self.lines_of(Fold::Skeleton, line);
        let mut first = loose.iter().take(FEW).filter(|at| self.stands_at(fold, &[line], **at as usize));
        let only = match (first.next(), first.next()) {
            // A repeated line usually repeats early, so two hits settle the question without hashing the document.
            (_, Some(_)) => None,
            (only, None) if loose.len() <= FEW => only,
            _ => match self.lines_of(fold, line) {
                [only] => Some(only),
                _ => None,
            },
        };
        only.map(|only| *only as usize)
    }

    /// Returns the lines with the hash of a quoted line.
    fn lines_of(&self, fold: Fold, line: &str) -> &[u32] {
        let hashes = self.hashes(fold);
        hashes.lines_of(hashes.of(line))
    }

    fn hashes(&self, fold: Fold) -> &Hashes {
        self.hashes[fold as usize].get_or_init(|| Hashes::new(&self.document, fold))
    }

    /// Returns the exact positions by a byte search for the longest quoted line; `None` if the search would cost more
    /// than the hashes.
    fn search(&self, quote: &[&str]) -> Option<Vec<usize>> {
        let content = self.document.content();
        let (nth, line) = quote.iter().enumerate().max_by_key(|(_, line)| line.len())?;
        if self.hashes[Fold::Exact as usize].get().is_some() || line.is_empty() {
            return None;
        }
        self.budget.take(content.len())?;
        if content.len() <= SHORT && self.document.len() <= SHORT_LINES {
            let same = |(_, other): &(usize, &[u8])| *other == line.as_bytes();
            let found = self.document.lines().enumerate().filter(same);
            let starts = found.filter_map(|(at, _)| at.checked_sub(nth));
            return Some(starts.filter(|start| self.stands_at(Fold::Exact, quote, *start)).collect());
        }
        let (document, budget) = (&self.document, &self.budget);
        let search = |part: &Range<usize>| search_in(document, part.clone(), quote, nth, budget);
        let found = parallel::map(&parallel::ranges(content.len()), content.len(), search);
        Some(found.into_iter().collect::<Option<Vec<_>>>()?.concat())
    }
}

/// Checks whether a byte belongs to a word. Each byte of a character that is not ASCII does.
pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// How many more bytes may be searched or compared, by all processors together.
struct Budget(AtomicUsize);

impl Budget {
    fn of(bytes: usize) -> Self {
        Budget(AtomicUsize::new(bytes))
    }

    /// Takes so many bytes; `None` where fewer are left.
    fn take(&self, bytes: usize) -> Option<()> {
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.ok().map(drop)
    }
}

/// Returns the positions of a quote by a search for its longest line, given by its index, in a range of bytes. The
/// search includes the end of the previous line, because without that end an unindented line occurs within many lines.
/// `None` if the search costs too much.
fn search_in(
    document: &Document,
    range: Range<usize>,
    quote: &[&str],
    longest: usize,
    budget: &Budget,
) -> Option<Vec<usize>> {
    let content = document.content();
    let line = quote[longest].as_bytes();
    let needle = [b"\n", line].concat();
    let first = (range.start == 0 && content.starts_with(line)).then_some(0);
    let end = content.len().min(range.end + line.len());
    let below = memmem::find_iter(&content[range.start..end], &needle).map(|found| range.start + found + 1);
    let mut places = Vec::new();
    for found in first.into_iter().chain(below) {
        budget.take(quote.len() * line.len())?;
        let at = document.line_at(found);
        if document.line_start(at) == found
            && let Some(start) = at.checked_sub(longest)
            && stands_at(document, Fold::Exact, quote, start)
        {
            places.push(start);
        }
    }
    Some(places)
}

/// Returns whether `quote` matches at a line.
fn stands_at(document: &Document, fold: Fold, quote: &[&str], start: usize) -> bool {
    start + quote.len() <= document.len()
        && (start..).zip(quote).all(|(at, line)| {
            document.is_line(at, line)
                || fold != Fold::Exact && fold.apply_bytes(document.line(at)) == fold.apply(line).as_bytes()
        })
}

/// How many quotes are searched separately: a pass over all lines costs about as much.
const APART: usize = 4;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::hashes::hash_bytes;
    use super::*;

    #[test]
    fn a_quote_is_whole_lines() {
        let document = Document::from("ab\nb\r\nabc\nb");
        let index = Index::new(&document);
        assert_eq!(*index.places(Fold::Exact, &["b"]), [1, 3]);
        assert_eq!(*index.places(Fold::Exact, &["ab"]), [0]);
        assert_eq!(*index.places(Fold::Exact, &["abc", "b"]), [2]);
    }

    #[test]
    fn the_parts_of_a_long_document_hide_no_place() {
        // Quotes in each part, and on both sides of the boundaries of parts.
        let line = |nth: usize| format!("line {} of a long document", nth % 99_991);
        let lines: Vec<String> = (0..parallel::WORTH / 20).map(line).collect();
        let ended = |(nth, line): (usize, &String)| line.clone() + ["\n", "\r\n", "\n"][nth % 3];
        let document = Document::from(&*lines.iter().enumerate().map(ended).collect::<String>());
        let parts = parallel::ranges(document.content().len());
        let borders = parts.iter().map(|part| document.line_at(part.start));
        let starts = borders.flat_map(|at| at.saturating_sub(3)..at + 3).chain([40, 70_000, lines.len() - 2]);
        let quotes: Vec<String> = starts.map(|at| lines[at..at + 2].join("\n")).collect();
        let edits: Vec<_> = quotes.iter().map(|quote| Edit::diff(quote, "")).collect();
        let edits: Vec<_> = edits.iter().collect();
        let (alone, together) = (Index::new(&document), Index::new(&document));
        alone.budget.0.store(usize::MAX, Ordering::Relaxed);
        together.seek_together(&edits);
        for quote in &quotes {
            let quote: Vec<&str> = quote.lines().collect();
            let stands = |at: &usize| lines[*at] == quote[0] && lines[at + 1] == quote[1];
            let naive: Vec<usize> = (0..lines.len() - 1).filter(stands).collect();
            assert_eq!(*alone.places(Fold::Exact, &quote), *naive);
            assert_eq!(together.cached(&quote).as_deref(), Some(&*naive));
            assert_eq!(
                Hashes::new(&document, Fold::Exact).lines_of(hash_bytes(quote[0].as_bytes())).len(),
                naive.len()
            );
        }
    }

    proptest! {
        #[test]
        fn searching_and_hashing_find_the_same(text in "[ab \r\n]{0,60}", quote in prop::collection::vec("[ab ]{0,2}", 1..4)) {
            let document = Document::from(&*text);
            let quote: Vec<_> = quote.iter().map(String::as_str).collect();
            for fold in Fold::ALL {
                let searched = Index::new(&document).places(fold, &quote);
                let index = Index::new(&document);
                let naive: Vec<_> = (0..document.len()).filter(|at| index.stands_at(fold, &quote, *at)).collect();
                prop_assert_eq!(&*searched, &*naive);
                index.budget.0.store(0, Ordering::Relaxed);
                prop_assert_eq!(&*index.places(fold, &quote), &*naive);
            }
        }

        #[test]
        fn many_quotes_are_found_as_each_is(text in "[ab \r\n]{0,60}", quotes in prop::collection::vec(prop::collection::vec("[ab ]{0,2}", 1..4), 5..9)) {
            let texts: Vec<_> = quotes.iter().map(|quote| quote.join("\n")).collect();
            let edits: Vec<_> = texts.iter().map(|text| Edit::diff(text, "")).collect();
            let document = Document::from(&*text);
            let together = Index::new(&document);
            together.seek_together(&edits.iter().collect::<Vec<_>>());
            for quote in edits.iter().map(|edit| edit.old_lines().map(|line| &*line.text).collect::<Vec<_>>()) {
                let alone = Index::new(&document);
                prop_assert_eq!(together.cached(&quote).is_none(), quote.iter().all(|line| line.is_empty()));
                prop_assert_eq!(&*together.places(Fold::Exact, &quote), &*alone.places(Fold::Exact, &quote));
            }
        }
    }
}
