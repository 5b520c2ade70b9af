//! The hard promises, which no evidence overrides. An alignment that breaks a promise has no bytes.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::aligned::Aligned;
use super::renamed::stale_name;
use super::types::Obstacle;
use crate::locate::align::line_text::{LineText, letters};
use crate::locate::align::map::IndentMap;
use crate::locate::align::pairing::Pairing;
use crate::locate::align::relation::Class;
use crate::locate::align::words::{WordPair, is_unmistakable_slip, only_replaced_word, replaced_words};
use crate::locate::reading::{Row, is_dots, is_placeholder};
use crate::locate::search::scope::Scope;
use crate::locate::syntax::{Joint, is_comment};

/// Further rules for an edit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    /// The quote is an old text, of which a comparison with the new text found what stays.
    pub(crate) is_text: bool,
    /// No unquoted line may be inside the old text at all.
    pub(crate) is_contiguous: bool,
    /// The block that a header names.
    pub(crate) header: Option<Scope>,
}

/// The least number of letters of a row that counts as a neighbour of a misspelt line.
const LETTERS_OF_A_NEIGHBOUR: usize = 3;

/// Returns the first promise that an alignment breaks, but for the depth of removed lines.
pub(super) fn first_broken(aligned: &Aligned<'_, '_>, rules: &Rules) -> Option<Obstacle> {
    let check = Check::new(aligned);
    aligned
        .rows()
        .find_map(|row| check.row(row))
        .or_else(|| check.between_removed())
        .or_else(|| check.between_texts(rules))
        .or_else(|| lazy_addition(aligned))
        .or_else(|| dots_among_replaced(aligned, rules))
        .or_else(|| bullets_lost(aligned))
        .or_else(|| stale_name(aligned))
}

/// Dots between the removed and the added lines of a hunk: the dots may replace lines that change as well. In two texts, dots that stay
/// are in both.
fn dots_among_replaced(aligned: &Aligned<'_, '_>, rules: &Rules) -> Option<Obstacle> {
    let gap = aligned.reading.dots_among_replaced().filter(|_| !rules.is_text)?;
    Some(Obstacle::DotsBesideAddition { row: gap.old })
}

/// A line of the file that begins with a dash, quoted as if the dash were its sign: either context that lost its sign,
/// or a line to be removed. Next to removed lines, right above as many added items, and in a quote of only such lines above
/// added items, both are likely.
fn bullets_lost(aligned: &Aligned<'_, '_>) -> Option<Obstacle> {
    let rows = &aligned.reading.rows;
    let is_bullet = |row: &Row<'_>| row.is_context() && row.signed && row.raw.starts_with('-');
    let has_form = |row: &Row<'_>| row.line.text().starts_with('-') || row.line.indent() == " ";
    // A removed item next to the line has both its sign and its bullet.
    let is_bare = |row: &Row<'_>| !has_form(row);
    let is_beside_removal = (0..rows.len()).filter(|nth| is_bullet(&rows[*nth])).any(|nth| {
        let above = nth.checked_sub(1).map(|above| &*rows[above]);
        let removed = [above, rows.get(nth + 1).map(|row| &**row)].map(|row| row.filter(|row| row.removes()));
        removed.iter().all(Option::is_some) || removed.into_iter().flatten().any(is_bare)
    });
    let is_item = |row: &Row<'_>| row.signed && has_form(row);
    // Items alone, followed by added items: the added items either follow the quoted items, or replace these.
    let mut added = aligned.reading.filled_added_rows().peekable();
    let all_items = added.peek().is_some() && added.all(is_item);
    let mut quoted = aligned.reading.filled_old_rows().peekable();
    let is_alone = all_items && quoted.peek().is_some() && quoted.all(is_bullet);
    let ends_with_added = rows.iter().rev().find(|row| !row.is_blank()).is_some_and(|row| row.adds());
    (is_beside_removal || is_alone && ends_with_added || is_replaced_list(rows, is_bullet, is_item))
        .then_some(Obstacle::BulletsLost)
}

/// Checks whether equally many items are quoted without their sign and added right below: a list, or the only item without a
/// sign, is as likely to be rewritten as continued.
fn is_replaced_list(
    rows: &[Rc<Row<'_>>],
    is_bullet: impl Fn(&Row<'_>) -> bool,
    is_item: impl Fn(&Row<'_>) -> bool,
) -> bool {
    // A single item without its sign among items with theirs is rather removed.
    let is_alone = rows.iter().filter(|row| is_bullet(row)).count() == 1;
    let mut at = 0;
    while at < rows.len() {
        let bullets = rows[at..].iter().take_while(|row| is_bullet(row)).count();
        let added = rows[at + bullets..].iter().take_while(|row| row.adds() && is_item(row)).count();
        if (bullets > 1 || bullets == 1 && is_alone) && added >= bullets {
            return true;
        }
        at += bullets.max(1);
    }
    false
}

/// Dots among added lines instead of removed lines mean unknown lines, unless the file has the line of dots. So do words like
/// "existing code", if more lines are removed there than added.
fn lazy_addition(aligned: &Aligned<'_, '_>) -> Option<Obstacle> {
    let reading = aligned.reading;
    let removed = || reading.old_rows().filter(|row| row.removes());
    removed().next()?;
    let is_lazy = |row: &Row<'_>| {
        let is_removed = || removed().any(|removed| removed.line.squashed() == row.line.squashed());
        let is_kept = || aligned.file.has_squashed(&row.line) || is_removed();
        // Bare dots instead of a single line are code: the body of a stub.
        let is_stub = || row.line.body() == "..." && removed().nth(1).is_none();
        is_dots(row.line.text()) && !is_stub() && !is_kept()
    };
    let is_placeholder = |nth: usize| {
        let row = &reading.rows[nth];
        let may_follow = reading.rows.get(nth + 1).is_some_and(|next| next.adds() && !next.is_blank());
        is_placeholder(row.line.text(), may_follow)
            && !aligned.file.has_squashed(&row.line)
            && is_shortened(&reading.rows, nth)
    };
    let mut added = (0..reading.rows.len()).filter(|nth| reading.rows[*nth].adds());
    let row = added.find(|nth| is_lazy(&reading.rows[*nth]) || is_placeholder(*nth))?;
    Some(Obstacle::LazyAddition { row })
}

/// Checks whether the run of changed rows around an added row removes several lines, and more than are added apart from the row.
fn is_shortened(rows: &[Rc<Row<'_>>], nth: usize) -> bool {
    let before = rows[..nth].iter().rev().take_while(|row| !row.is_context());
    let behind = rows[nth + 1..].iter().take_while(|row| !row.is_context());
    let (added, removed): (Vec<_>, Vec<_>) =
        before.chain(behind).filter(|row| !row.is_blank()).partition(|row| row.adds());
    removed.len() > added.len().max(1)
}

struct Check<'a, 'r, 'q> {
    aligned: &'a Aligned<'r, 'q>,
    /// Whether exactly one row differs, at least two rows have text, and no unquoted line is between the rows.
    is_clean: bool,
}

impl<'a, 'r, 'q> Check<'a, 'r, 'q> {
    fn new(aligned: &'a Aligned<'r, 'q>) -> Self {
        let rows = 0..aligned.pairs.len();
        let has_text = |row: &usize| aligned.reading.old(*row).line.letters() >= LETTERS_OF_A_NEIGHBOUR;
        let differs = |row: &usize| {
            !aligned.reading.old(*row).is_blank()
                && aligned.class(*row).is_none_or(|class| class != Class::Same)
        };
        let found: Vec<Pairing> = aligned.pairs.iter().copied().filter(|pair| pair.is_found()).collect();
        let is_gap = |pair: &[Pairing]| {
            let (Some(one), Some(other)) = (pair[0].line(), pair[1].line()) else { return false };
            aligned.file.first_filled(one + 1..other.max(one + 1)).is_some()
        };
        Check {
            aligned,
            is_clean: rows.clone().filter(differs).count() == 1
                && rows.filter(has_text).count() > 1
                && !found.windows(2).any(is_gap),
        }
    }

    fn row(&self, row: usize) -> Option<Obstacle> {
        match self.aligned.reading.old(row) {
            quoted if quoted.removes() => self.removed_row(row, quoted),
            quoted if !quoted.signed && !quoted.is_blank() => {
                let is_same = self.aligned.class(row) == Some(Class::Same);
                (!is_same).then_some(Obstacle::Unsigned { row })
            }
            _ => self.is_written_again(row).then_some(Obstacle::LostPlus { row }),
        }
    }

    /// Checks whether the file does not have a kept row, and the changed rows right above or below remove its text: the row is an added
    /// line that lost its sign.
    fn is_written_again(&self, row: usize) -> bool {
        let Aligned { reading, pairs, .. } = self.aligned;
        let (at, quoted) = (reading.position_of_old(row), reading.old(row));
        let is_removed = |other: &Rc<Row<'_>>| {
            other.removes() && !other.is_blank() && other.line.squashed() == quoted.line.squashed()
        };
        let above = reading.rows[..at].iter().rev().take_while(|row| !row.is_context());
        let below = reading.rows[at + 1..].iter().take_while(|row| !row.is_context());
        pairs[row] == Pairing::Missing && above.chain(below).any(is_removed)
    }

    fn removed_row(&self, row: usize, quoted: &Row<'_>) -> Option<Obstacle> {
        match (self.aligned.pairs[row], self.aligned.class(row)) {
            (Pairing::Missing, _) if quoted.is_blank() && self.is_of_fewer(row) => None,
            (Pairing::Missing, _) => Some(Obstacle::RemovedMissing { row }),
            (Pairing::Line(_), Some(Class::Same)) => None,
            (Pairing::Line(line), Some(_))
                if is_same_comment(quoted.line.body(), self.aligned.file.line(line).body()) =>
            {
                None
            }
            (Pairing::Line(line), Some(Class::Typo)) if self.is_slip(&quoted.line, line) => None,
            (Pairing::Line(line), Some(Class::Typo | Class::Differs)) if self.is_slip_of_quote(row, line) => {
                None
            }
            _ => Some(Obstacle::RemovedDiffers { row }),
        }
    }

    /// Checks whether a removed blank row is one of several of which the file has those that are kept.
    fn is_of_fewer(&self, row: usize) -> bool {
        let Aligned { reading, pairs, .. } = self.aligned;
        let is_kept = |row: usize| reading.old(row).is_context() && pairs[row].is_found();
        reading.shrunk_blank_runs().any(|mut run| run.contains(&row) && run.any(is_kept))
    }

    /// Checks whether a removed line is misspelt beyond doubt, in a block that is quoted well otherwise. A word that the
    /// file has is another word.
    fn is_slip(&self, quoted: &LineText<'_>, line: usize) -> bool {
        let actual = self.aligned.file.line(line);
        let is_known = || {
            let pairs = replaced_words(quoted, actual);
            pairs.first().is_none_or(|pair| self.aligned.file.index.knows(pair))
        };
        self.is_clean && is_unmistakable_slip(quoted, actual) && !is_known()
    }

    /// Checks whether the added lines that replace a removed row have what the file has, and not what the quote has: the
    /// only difference is a slip of the quote, and no text of the file is lost.
    fn is_slip_of_quote(&self, row: usize, line: usize) -> bool {
        let (quoted, actual) = (&self.aligned.reading.old(row).line, self.aligned.file.line(line));
        if !self.is_clean {
            return false;
        }
        let Some(pair) = only_replaced_word(quoted, actual).filter(WordPair::is_one_letter_off) else {
            return false;
        };
        let has = |added: &Row<'_>, word: &str| added.line.tokens().any(|token| token == word);
        let is_known = self.aligned.file.index.holds_word(pair.quoted);
        !is_known
            && self.replacing(row).any(|added| has(added, pair.actual))
            && !self.replacing(row).any(|added| has(added, pair.quoted))
    }

    /// Returns the added rows of the run of changed rows that an old row belongs to.
    fn replacing(&self, row: usize) -> impl Iterator<Item = &Row<'q>> {
        let rows = &self.aligned.reading.rows;
        let at = self.aligned.reading.position_of_old(row);
        let start = rows[..at].iter().rposition(|row| row.is_context()).map_or(0, |context| context + 1);
        let end = rows[at..].iter().position(|row| row.is_context()).map_or(rows.len(), |length| at + length);
        rows[start..end].iter().map(|row| &**row).filter(|row| row.adds())
    }

    /// Returns the obstacle of an unquoted line, also a blank line, between two consecutive removed rows.
    fn between_removed(&self) -> Option<Obstacle> {
        let reading = self.aligned.reading;
        (1..self.aligned.pairs.len()).find_map(|row| {
            let follow = reading.position_of_old(row) == reading.position_of_old(row - 1) + 1;
            let both = reading.old(row - 1).removes() && reading.old(row).removes() && follow;
            let line = both.then(|| self.aligned.between(row - 1, row).next())??;
            Some(Obstacle::BetweenRemoved { line })
        })
    }

    /// Returns the obstacle of an unquoted line inside an old text: the fate of the line is unknown beside a changed line.
    fn between_texts(&self, rules: &Rules) -> Option<Obstacle> {
        if !rules.is_text {
            return None;
        }
        let found = self.aligned.found_rows();
        let says_what_stays = |above: usize, below: usize| {
            let between =
                self.aligned.reading.position_of_old(above) + 1..self.aligned.reading.position_of_old(below);
            let adds = self.aligned.reading.rows[between].iter().any(|row| row.adds());
            let keeps = |old: usize| {
                stays_surely(&self.aligned.reading.rows, self.aligned.reading.position_of_old(old))
            };
            let is_clear = !adds || self.is_replaced_line(above) && !self.aligned.leaves_block(above, below);
            !rules.is_contiguous && is_clear && (keeps(above) || keeps(below))
        };
        found.windows(2).find_map(|pair| {
            let line = self.aligned.file.first_filled(self.aligned.between(pair[0], pair[1]))?;
            (!says_what_stays(pair[0], pair[1])).then_some(Obstacle::BetweenTexts { line })
        })
    }

    /// Checks whether an old row is a single removed row that a single added row replaces.
    fn is_replaced_line(&self, row: usize) -> bool {
        let rows = &self.aligned.reading.rows;
        let at = self.aligned.reading.position_of_old(row);
        let run = rows[at..].iter().take_while(|row| !row.is_context());
        let signs: Vec<bool> = run.map(|row| row.adds()).collect();
        let is_alone = at.checked_sub(1).is_none_or(|above| rows[above].is_context());
        is_alone && signs == [false, true]
    }
}

/// Checks whether a row stays in each shortest comparison of an old and a new text: a run of removed rows that can slide
/// over the row, because equal rows are at both of its ends, may as well remove the row.
fn stays_surely(rows: &[Rc<Row<'_>>], at: usize) -> bool {
    let slides = |mut over: Range<usize>, length: usize| {
        length > 0 && over.all(|row| rows[row].line.text() == rows[row + length].line.text())
    };
    let run = |rows: &[Rc<Row<'_>>]| rows.iter().take_while(|row| row.removes()).count();
    let run_up = |rows: &[Rc<Row<'_>>]| rows.iter().rev().take_while(|row| row.removes()).count();
    let kept = rows[at..].iter().take_while(|row| row.is_context()).count();
    let kept_up = rows[..at].iter().rev().take_while(|row| row.is_context()).count();
    let (below, above) = (run(&rows[at + kept..]), run_up(&rows[..at - kept_up]));
    kept > 0 && !slides(at..at + kept, below) && !slides(at - kept_up - above..at + 1 - above, above)
}

/// Returns the obstacle of removed lines whose indentation differs from the map: an edit of indentation alone needs
/// exact indentation, and added lines would be written at an unknown depth.
pub(super) fn depth_obstacle(aligned: &Aligned<'_, '_>) -> Option<Obstacle> {
    let reading = aligned.reading;
    let mut slipped = aligned.filled_removals().filter(|row| !aligned.fits_map(*row)).peekable();
    let is_same = aligned.map == IndentMap::Same;
    if reading.only_indents() && (!is_same || slipped.peek().is_some()) {
        return Some(Obstacle::IndentationOnly);
    }
    if is_same && replaces_at_other_depth(aligned) {
        return Some(Obstacle::DepthUnknown);
    }
    if is_wrapped(aligned) {
        return Some(Obstacle::MadeSince);
    }
    let row = slipped.find(|row| !is_continuation(aligned, *row))?;
    reading.adds().then_some(Obstacle::RemovedDepth { row })
}

/// The least number of letters of a comment that is the same comment with other punctuation.
const LETTERS_OF_A_COMMENT: usize = 12;

/// Checks whether two lines are comments beyond doubt, and differ only in spaces, dashes between words and the punctuation of sentences:
/// models remember these badly, and no word is lost. Other signs may be those of code: `# define BITS (1 << 4)`.
fn is_same_comment(quoted: &str, actual: &str) -> bool {
    const PUNCTUATION: &str = ".,;:!?'";
    fn text(line: &str) -> impl Iterator<Item = char> {
        let is_dash = |word: &str| word.bytes().all(|byte| byte == b'-');
        let words =
            line.split_whitespace().enumerate().filter(move |(nth, word)| *nth == 0 || !is_dash(word));
        words.flat_map(|(_, word)| word.chars()).filter(|c| !PUNCTUATION.contains(*c))
    }
    [quoted, actual].iter().all(|line| is_comment(line))
        && letters(quoted) >= LETTERS_OF_A_COMMENT
        && text(quoted).eq(text(actual))
}

/// Checks whether a removed row is inside a bracket that the removed rows right above leave open, so that its depth shows nothing, and no
/// added line is as deep.
fn is_continuation(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let reading = aligned.reading;
    let line = |row: usize| aligned.pairs[row].line();
    let is_removed =
        |above: &usize| reading.old(*above).removes() && line(*above).map(|line| line + 1) == line(above + 1);
    let above = (0..row).rev().take_while(is_removed).last();
    let Some(first) = above.filter(|first| aligned.fits_map(*first)) else { return false };
    let statement: Vec<&str> = (first..row).map(|row| reading.old(row).line.body()).collect();
    let depth = reading.old(row).line.indent();
    Joint::of(&statement.join(" ")).opens_list()
        && reading.filled_added_rows().all(|row| row.line.indent() != depth)
}

/// Checks whether the lines of an edit that puts them into a block are as deep in the file as the edit makes them: the lines may be
/// in such a block since. Several lines that are quoted without a part of their indentation look the same, unless the line above
/// begins with the same word as the block.
fn is_wrapped(aligned: &Aligned<'_, '_>) -> bool {
    let reading = aligned.reading;
    let removed: Vec<usize> = aligned.filled_removals().collect();
    let (Some(first), Some(opener)) = (removed.first(), reading.filled_added_rows().next()) else {
        return false;
    };
    let is_block = removed.len() == reading.filled_old_rows().count()
        && opener.line.indent() == reading.old(*first).line.indent();
    if !is_block {
        return false;
    }
    let written: HashSet<(Cow<'_, str>, &str)> =
        reading.filled_added_rows().map(|row| (row.line.indent(), row.line.body())).collect();
    let line = |row: usize| aligned.pairs[row].line().map(|line| aligned.file.line(line));
    let is_as_written = |row: &usize| {
        let quoted = &reading.old(*row).line;
        let depth = line(*row).map(LineText::indent).filter(|depth| *depth != quoted.indent());
        depth.is_some_and(|depth| written.contains(&(depth, quoted.body())))
    };
    let word = |line: &LineText<'_>| line.tokens().next().map(str::to_owned);
    let is_alike = || {
        let above = aligned.pairs[*first].line().and_then(|line| aligned.file.first_filled((0..line).rev()));
        above.is_some_and(|above| word(aligned.file.line(above)) == word(&opener.line))
    };
    removed.iter().all(is_as_written) && (removed.len() == 1 || is_alike())
}

/// Checks whether the depth of a replaced line changes, although a kept line has another depth in the file: the depth
/// that is meant is that of the quote, or that of the file.
fn replaces_at_other_depth(aligned: &Aligned<'_, '_>) -> bool {
    let reading = aligned.reading;
    let first_filled = |rows: &[Rc<Row<'_>>]| {
        let filled = rows.iter().take_while(|row| !row.is_context()).find(|row| !row.is_blank());
        filled.map(|row| row.line.indent().into_owned())
    };
    let is_other = |at: usize| {
        let removed = reading.rows[..at].iter().rev().take_while(|row| row.removes()).count();
        removed > 0
            && reading.rows[at].adds()
            && first_filled(&reading.rows[at..]) != first_filled(&reading.rows[at - removed..at])
    };
    let is_lost = |row: usize| reading.old(row).is_context() && !aligned.fits_map(row);
    aligned.rows().any(is_lost) && (0..reading.rows.len()).any(is_other)
}
