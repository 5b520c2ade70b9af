//! What stands beside changed lines: whether it says where they belong.
//!
//! Context far from a change may differ, and costs evidence. The lines right beside it are its frame: where one of them is
//! not what the document has, the change may belong elsewhere, or the line may be a changed one itself.

use std::cell::OnceCell;
use std::ops::Range;

use super::doubt::{Objection, Spot};
use super::indentation;
use super::outcome::Doubt;
use super::pairing::{At, Candidate, Pair};
use super::relation::{Relation, letters, relate};
use super::search::Index;
use crate::patch::LineKind;
use crate::patch::edit::EditLine;
use crate::text::{Document, Fold, indentation, is_blank};

/// A candidate beside the document, line for line.
pub(super) struct Frame<'c> {
    candidate: &'c Candidate<'c>,
    index: &'c Index,
    /// One for each line of the edit.
    lines: Vec<Framed<'c>>,
    /// The lines of the document that are quoted, ascending.
    quoted: Vec<usize>,
    /// What is looked for once, if at all: how wide a level is, and whether all lines are quoted one column short.
    level: OnceCell<Option<usize>>,
    all_short: OnceCell<bool>,
}

/// A line of the edit, and what the document has for it.
#[derive(Debug, Clone, Copy)]
struct Framed<'c> {
    nth: usize,
    line: &'c EditLine<'c>,
    at: At,
    /// The text of the document's line; `None` where it has none, or one that is no text.
    actual: Option<&'c str>,
}

impl Framed<'_> {
    fn is_removed(&self) -> bool {
        self.line.kind == LineKind::Remove
    }

    /// Whether the document has another line right behind it.
    fn adjoins(&self, next: &Self) -> bool {
        self.at.line().is_some_and(|line| Some(line + 1) == next.at.line())
    }

    fn is_blank(&self) -> bool {
        self.line.text.trim().is_empty()
    }

    /// How the line differs from the document's; `None` for a blank one, and where there is none.
    fn relation(&self) -> Option<Relation> {
        self.actual.filter(|_| !self.is_blank()).map(|actual| relate(&self.line.text, actual))
    }

    /// Whether it says what the document says, but perhaps for a slip.
    fn is_witness(&self) -> bool {
        let both_blank = self.is_blank() && self.actual.is_some_and(|actual| actual.trim().is_empty());
        let says_same =
            |relation: Relation| relation.says_same() || matches!(relation, Relation::Misspelt(_));
        both_blank || self.relation().is_some_and(says_same)
    }

    fn is_other(&self) -> bool {
        self.relation() == Some(Relation::Other)
    }

    /// Whether it is indented otherwise than the document's line.
    fn is_moved(&self) -> bool {
        self.actual.is_some_and(|actual| indentation(actual) != indentation(&self.line.text))
    }

    /// Whether it is the document's line with more behind it or before it: two lines that were made one.
    fn is_joined(&self) -> bool {
        let (quoted, actual) = (self.line.text.trim(), self.actual.map_or("", str::trim));
        let longer = !actual.is_empty() && quoted.len() > actual.len();
        longer && (quoted.starts_with(actual) || quoted.ends_with(actual))
    }
}

impl<'c> Frame<'c> {
    pub(super) fn new(candidate: &'c Candidate<'c>, index: &'c Index) -> Self {
        let lines = candidate.edit.lines.iter().zip(&candidate.at).enumerate();
        let framed = |(nth, (line, at)): (usize, (&'c EditLine<'c>, &At))| Framed {
            nth,
            line,
            at: *at,
            actual: at.line().and_then(|at| index.document().text(at)),
        };
        let quoted = candidate.at.iter().filter_map(|at| at.line()).collect();
        Frame {
            candidate,
            index,
            lines: lines.map(framed).collect(),
            quoted,
            level: OnceCell::new(),
            all_short: OnceCell::new(),
        }
    }

    fn document(&self) -> &'c Document {
        self.index.document()
    }

    /// The quoted lines nearest to a run of changed ones, on either side; blank lines that the document does not have are
    /// passed over.
    fn sides(&self, run: &Range<usize>) -> impl Iterator<Item = Framed<'c>> {
        let counts = |framed: &&Framed<'c>| framed.at != At::Nowhere || !framed.is_blank();
        let above = self.lines[..run.start].iter().rev().find(counts);
        let below = self.lines[run.end..].iter().find(counts);
        [above, below].into_iter().flatten().copied()
    }

    /// The quoted lines, removed ones too.
    fn old(&self) -> Vec<Framed<'c>> {
        self.lines.iter().filter(|framed| framed.line.kind != LineKind::Add).copied().collect()
    }

    /// Whether removed lines that are quoted one right after the other stand so in the document; removed blank lines right
    /// between the lines that they are quoted between, since they are everywhere; and none beside a line of the same text
    /// that was not quoted, since either of the two may be meant.
    pub(super) fn removed_lines_stand_together(&self) -> Result<(), Objection> {
        // What is added between two removed lines may take the place of a line that was not quoted.
        let apart = |pair: &&[Framed<'_>]| pair.iter().all(Framed::is_removed) && !pair[0].adjoins(&pair[1]);
        let is_removed_blank = |framed: &Framed<'_>| framed.is_removed() && framed.is_blank();
        let unframed = |pair: &&[Framed<'_>]| pair.iter().any(is_removed_blank) && !pair[0].adjoins(&pair[1]);
        let old = self.old();
        let apart = self.lines.windows(2).find(apart).or_else(|| old.windows(2).find(unframed));
        if let Some(pair) = apart {
            let spot = pair[0].at.line().map(|line| Spot::Line(line + 1));
            return Err(Objection { doubt: Doubt::SkippedInRemoval, spot });
        }
        match self.lines.iter().filter(|framed| framed.is_removed()).find_map(|framed| self.double(framed)) {
            Some(line) => Err(Doubt::SkippedInRemoval.by(Spot::Line(line))),
            None => Ok(()),
        }
    }

    /// The line right beside a removed one that has its text and is not quoted, or that is quoted for another and has its
    /// depth as well.
    fn double(&self, removed: &Framed<'_>) -> Option<usize> {
        let same = |line: usize| self.document().text(line).map(str::trim) == removed.actual.map(str::trim);
        let to_the_letter = |line: usize| self.document().line(line) == removed.line.text.as_bytes();
        let line = removed.at.line()?;
        let moved = removed.is_moved() && self.keeps_depth();
        let mut beside = [Some(line + 1), line.checked_sub(1)].into_iter().flatten();
        beside.find(|line| self.is_skipped(*line) && same(*line) || moved && to_the_letter(*line))
    }

    /// Whether a line of the document stands between quoted ones and is not quoted.
    fn is_skipped(&self, line: usize) -> bool {
        let span = self.quoted.first().zip(self.quoted.last());
        span.is_some_and(|(first, last)| (*first..*last).contains(&line))
            && self.quoted.binary_search(&line).is_err()
    }

    /// Whether each run of removed lines that the document has more than once stands right beside a quoted line that
    /// says what stands there: or else nothing says which of them is meant.
    pub(super) fn removed_lines_have_a_neighbour(&self) -> Result<(), Objection> {
        let old = self.old();
        let joins = |from: Option<&Framed<'_>>, to: Option<&Framed<'_>>| {
            from.zip(to).is_some_and(|(from, to)| {
                from.adjoins(to) && [from, to].iter().all(|framed| framed.is_removed() || framed.is_witness())
            })
        };
        let mut start = 0;
        for run in old.chunk_by(|one, next| one.is_removed() == next.is_removed()) {
            let end = start + run.len();
            let before = start.checked_sub(1).and_then(|before| old.get(before));
            let has_neighbour = joins(before, run.first()) || joins(run.last(), old.get(end));
            let texts: Vec<&str> = run.iter().map(|framed| &*framed.line.text).collect();
            let stands_once = || self.index.places(Fold::Indentation, &texts).len() <= 1;
            if run[0].is_removed() && !has_neighbour && !stands_once() {
                return Err(Doubt::StandsElsewhere.by(Spot::Quoted(run[0].nth)));
            }
            start = end;
        }
        Ok(())
    }

    /// Whether no removed lines stand between a quoted line, which the document has in one place only and not here, and
    /// the place: they are nearer to it there.
    pub(super) fn phantoms_point_here(&self) -> Result<(), Objection> {
        let phantoms = self.lines.iter().filter(|framed| framed.at == At::Nowhere && !framed.is_blank());
        let only = |framed: &Framed<'_>| self.index.only_place(Fold::Indentation, &framed.line.text);
        let rare = phantoms.filter_map(|framed| Some((framed, only(framed)?)));
        let runs = self.candidate.edit.runs(|kind| kind == LineKind::Remove);
        let removed = runs.filter_map(|run| {
            let texts: Vec<&str> = self.lines[run.clone()].iter().map(|framed| &*framed.line.text).collect();
            Some((self.lines[run.start].at.line()?, self.index.places(Fold::Indentation, &texts)))
        });
        let removed: Vec<_> = removed.collect();
        let is_nearer = |only: usize| {
            removed.iter().any(|(line, places)| {
                let next = places.partition_point(|place| *place <= only.min(*line));
                places.get(next).is_some_and(|place| *place < only.max(*line))
            })
        };
        objection(
            { rare }.find(|(_, only)| is_nearer(*only)).map(|(framed, _)| *framed),
            Doubt::StandsElsewhere,
        )
    }

    /// Whether more of the quoted lines that the document has only once stand here than elsewhere. Those that are missing
    /// here and stand further above or below in their order may be parted from the others by lines that were skipped.
    pub(super) fn rare_lines_point_here(&self) -> Result<(), Objection> {
        let (Some(first), Some(last)) = (self.quoted.first(), self.quoted.last()) else { return Ok(()) };
        let is_in_order = |framed: &Framed<'_>, only: usize| {
            let here = |other: &&Framed<'_>| other.at.line().is_some();
            let (above, below) = (&self.lines[..framed.nth], &self.lines[framed.nth..]);
            (only > *last || above.iter().find(here).is_none())
                && (only < *first || below.iter().find(here).is_none())
        };
        let (mut here, mut away) = (0, Vec::new());
        for framed in self.old().into_iter().filter(|framed| framed.line.text.contains(char::is_alphanumeric))
        {
            let Some(only) = self.index.only_place(Fold::Indentation, &framed.line.text) else { continue };
            if framed.at == At::Line(only) {
                here += 1;
            } else if !(*first..=*last).contains(&only)
                && (framed.actual.is_some() || !is_in_order(&framed, only))
            {
                away.push(framed);
            }
        }
        objection(away.first().copied().filter(|_| away.len() >= here), Doubt::StandsElsewhere)
    }

    /// Whether no quoted line right beside changed ones may be a line to add that has lost its sign, or one of another
    /// place. Beside lines that are only added, the place of these is open besides.
    pub(super) fn phantoms_keep_away(&self) -> Result<(), Objection> {
        let mut runs = self.candidate.edit.runs(|kind| kind != LineKind::Context);
        let suspicious = |run: Range<usize>| self.sides(&run).find(|side| self.may_be_changed(side, &run));
        objection(runs.find_map(suspicious), Doubt::PhantomBesideChange)
    }

    /// Whether a line beside a run of changed ones may be one of them, or of another place.
    fn may_be_changed(&self, side: &Framed<'_>, run: &Range<usize>) -> bool {
        let text = &side.line.text;
        let removed = || self.lines[run.clone()].iter().filter(|framed| framed.is_removed());
        let to_removed =
            removed().filter(|other| !other.is_blank()).map(|other| relate(text, &other.line.text)).min();
        if side.actual.is_none() {
            let is_like_removed = to_removed.is_some_and(|relation| relation != Relation::Other);
            // Where the signs of the context were eaten, a line without one may have lost any.
            let unsigned = !side.line.signed;
            return removed().next().is_none()
                || is_like_removed
                || unsigned
                || self.lost_sign(side, run)
                || self.goes_on(side);
        }
        let Some(relation) = side.relation().filter(|relation| !relation.says_same()) else { return false };
        let slip = matches!(relation, Relation::Misspelt(_));
        to_removed.is_some_and(|removed| removed < relation)
            || side.is_moved() && self.lost_sign(side, run)
            || self.is_between_changes(side) && !slip
            // A line that the document has elsewhere is not what stands here in other words.
            || self.index.contains(Fold::Indentation, text)
            || self.is_quoted_beside(side)
    }

    /// Whether what the document has in the place of a line that says something else is quoted besides, joined to the
    /// line next to it.
    fn is_quoted_beside(&self, side: &Framed<'_>) -> bool {
        let actual = side.actual.map_or("", str::trim);
        let beside = [side.nth.checked_sub(1), Some(side.nth + 1)].into_iter().flatten();
        let holds = |other: &Framed<'_>| {
            let text = other.line.text.trim();
            other.is_joined() && (text.starts_with(actual) || text.ends_with(actual))
        };
        side.is_other() && !actual.is_empty() && beside.filter_map(|nth| self.lines.get(nth)).any(holds)
    }

    /// Whether an added line right above it has not come to its end.
    fn goes_on(&self, framed: &Framed<'_>) -> bool {
        let above = framed.nth.checked_sub(1).and_then(|above| self.lines.get(above));
        above.is_some_and(|above| {
            above.line.kind == LineKind::Add && above.line.text.trim_end().ends_with(['\\', '(', '[', ','])
        })
    }

    fn is_between_changes(&self, framed: &Framed<'_>) -> bool {
        let is_changed = |nth: Option<usize>| {
            nth.and_then(|nth| self.lines.get(nth)).is_some_and(|other| other.line.kind != LineKind::Context)
        };
        is_changed(framed.nth.checked_sub(1)) && is_changed(Some(framed.nth + 1))
    }

    /// Whether a quoted line that the document does not have may be one to add: where the sign was lost, the first column
    /// of the indentation was taken for it, so that the line is one column short of a changed one, of a level of the
    /// document, or of the even columns that all others stand in. Where all lines are one short, the signs were eaten.
    fn lost_sign(&self, framed: &Framed<'_>, run: &Range<usize>) -> bool {
        let width = |line: &EditLine<'_>| indentation(&line.text).len();
        let whole = width(framed.line) + 1;
        let as_a_changed_one = || self.lines[run.clone()].iter().any(|other| width(other.line) == whole);
        let on_a_level = || {
            let level =
                self.level.get_or_init(|| indentation::level(self.document(), self.candidate.start()));
            level.filter(|level| *level > 1).is_some_and(|level| whole.is_multiple_of(level))
        };
        let alone_odd = || {
            let others = self.lines.iter().filter(|other| other.nth != framed.nth && !other.is_blank());
            whole.is_multiple_of(2)
                && others.map(|other| width(other.line)).all(|width| width.is_multiple_of(2))
        };
        framed.line.signed
            && !*self.all_short.get_or_init(|| self.all_are_short())
            && (as_a_changed_one() || on_a_level() || alone_odd())
    }

    /// Whether all lines that the document has are quoted one column short, and none of them has a sign to show that this is
    /// how the quote is indented.
    fn all_are_short(&self) -> bool {
        let pairs = self.candidate.related_pairs(self.document());
        let mut same = pairs.iter().filter(|pair| relate(pair.quoted, pair.actual).says_same()).peekable();
        let is_short =
            |pair: &Pair<'_>| pair.quoted_indentation().len() + 1 == pair.actual_indentation().len();
        same.peek().is_some() && same.all(|pair| pair.kind == LineKind::Context && is_short(pair))
    }

    /// Asks of an edit that changes nothing whether it was meant to: a line of it that the document does not have may be
    /// one to add that has lost its sign.
    pub(super) fn anchor_adds_nothing(&self) -> Result<(), Objection> {
        let is_gone = |framed: &&Framed<'_>| {
            !framed.is_blank() && framed.relation().is_none_or(|relation| relation == Relation::Other)
        };
        let lost = self.lines.iter().filter(is_gone).find(|framed| self.lost_sign(framed, &(0..0)));
        objection(lost.copied().filter(|_| !self.quoted.is_empty()), Doubt::PhantomBesideChange)
    }

    /// Whether it is known where added lines go that replace none.
    pub(super) fn additions_have_their_place(&self) -> Result<(), Objection> {
        let mut runs = self.candidate.edit.runs(|kind| kind == LineKind::Add);
        runs.try_for_each(|run| self.addition_has_its_place(&run))
    }

    fn addition_has_its_place(&self, run: &Range<usize>) -> Result<(), Objection> {
        let sides = || self.sides(run);
        if sides().any(|side| side.is_removed()) {
            return Ok(());
        }
        let no_witness = |side: Framed<'_>| side.is_blank() || side.is_other();
        let other = sides().find(Framed::is_other).filter(|_| sides().all(no_witness));
        let open = |side: &Framed<'_>| {
            side.is_joined() || self.is_one_of_two(side) || self.is_of_another_depth(side)
        };
        objection(other.or_else(|| sides().find(open)), Doubt::PhantomBesideChange)?;
        // Blank lines that the document does not have are passed over.
        let before = self.lines[..run.start].iter().rev().find_map(|framed| framed.at.line());
        let behind = self.lines[run.end..].iter().find_map(|framed| framed.at.line());
        let skipped = if let Some((before, behind)) = before.zip(behind) {
            (before + 1..behind).find(|line| !is_blank(self.document().line(*line))).map(Spot::Line)
        } else {
            // A line may have been skipped where a blank one should be, or the blank one be another.
            let open = Self::open(self.lines[..run.start].iter().rev());
            open.or_else(|| Self::open(self.lines[run.end..].iter())).map(Spot::Quoted)
        };
        let skipped = skipped.or_else(|| self.skipped_behind_blanks(run).map(Spot::Line));
        let skipped = skipped.or_else(|| self.left_beside(before, behind).map(Spot::Line));
        let skipped = skipped.or_else(|| self.stands_behind_blanks(run).map(Spot::Quoted));
        skipped.map_or(Ok(()), |spot| Err(Doubt::SkippedBesideAddition.by(spot)))
    }

    /// A quoted line that blank ones part from an addition, and that the document has, but not here, nor in other words: what
    /// it has between was not quoted.
    fn stands_behind_blanks(&self, run: &Range<usize>) -> Option<usize> {
        let above = self.lines[..run.start].iter().rev().find(|framed| !framed.is_blank());
        let below = self.lines[run.end..].iter().find(|framed| !framed.is_blank());
        let stands = |framed: &&Framed<'_>| {
            (framed.at == At::Nowhere || framed.is_other())
                && self.index.contains(Fold::Indentation, &framed.line.text)
        };
        [above, below].into_iter().flatten().find(stands).map(|framed| framed.nth)
    }

    /// The line beyond an addition at an end of the quote, if a quoted line that stands nowhere is like it: the quote may begin
    /// or end there instead. `before` and `behind` are the quoted lines on either side.
    fn left_beside(&self, before: Option<usize>, behind: Option<usize>) -> Option<usize> {
        let beside = match (before, behind) {
            (None, Some(behind)) => behind.checked_sub(1),
            (Some(before), None) => Some(before + 1),
            _ => None,
        }?;
        let actual = self.document().text(beside).filter(|actual| !actual.trim().is_empty())?;
        let is_it = |framed: &Framed<'_>| {
            framed.line.kind == LineKind::Context
                && framed.at == At::Nowhere
                && !framed.is_blank()
                && relate(&framed.line.text, actual) != Relation::Other
        };
        self.lines.iter().any(is_it).then_some(beside)
    }

    /// The first line that is skipped between the blank lines beside an addition and the quoted line beyond these, where as
    /// many blank lines stand beside that one: the addition may belong there.
    fn skipped_behind_blanks(&self, run: &Range<usize>) -> Option<usize> {
        let is_blank = |line: usize| is_blank(self.document().line(line));
        let skipped = |(blanks, farthest, beyond): (usize, usize, usize)| {
            let (mut between, mut beside) = if beyond < farthest {
                (beyond + 1..farthest, beyond + 1..beyond + 1 + blanks)
            } else {
                (farthest + 1..beyond, beyond.saturating_sub(blanks)..beyond)
            };
            let as_many = between.len() > blanks && beside.all(is_blank);
            between.find(|line| as_many && !is_blank(*line))
        };
        let above = Self::beyond_blanks(self.lines[..run.start].iter().rev()).and_then(skipped);
        above.or_else(|| Self::beyond_blanks(self.lines[run.end..].iter()).and_then(skipped))
    }

    /// How many blank lines follow outwards, where the farthest of them stands, and where the line beyond it; `None` where
    /// there are none, or the document does not have one of these.
    fn beyond_blanks<'l>(outwards: impl Iterator<Item = &'l Framed<'l>>) -> Option<(usize, usize, usize)> {
        let (mut blanks, mut farthest) = (0, None);
        for framed in outwards {
            let line = framed.at.line()?;
            if !framed.is_blank() {
                return farthest.map(|farthest| (blanks, farthest, line));
            }
            (blanks, farthest) = (blanks + 1, Some(line));
        }
        None
    }

    /// Of the blank lines beside an addition, from it outwards, and the first line that is none, the first that the
    /// document does not have.
    fn open<'l>(outwards: impl Iterator<Item = &'l Framed<'l>>) -> Option<usize> {
        let mut ended = false;
        // The first line that is not blank ends the search.
        let mut near = outwards.take_while(|framed| !std::mem::replace(&mut ended, !framed.is_blank()));
        near.find(|framed| framed.at == At::Nowhere).map(|framed| framed.nth)
    }

    /// Whether the document has a line beside the one that a quoted line has in other words, which is not quoted: either
    /// of the two may be the one. Or the next line has its text, and more, or as many of its words.
    fn is_one_of_two(&self, side: &Framed<'_>) -> bool {
        let text = &side.line.text;
        let relation_to = |line: usize| {
            let actual = self.document().text(line).filter(|actual| !actual.trim().is_empty());
            actual.map(|actual| relate(text, actual))
        };
        let Some((line, relation)) = side.at.line().zip(side.relation()) else { return false };
        let contains = |line| self.document().text(line).is_some_and(|actual| actual.contains(text.trim()));
        let is_it = |line: usize| match relation {
            Relation::Other => self.is_skipped(line) || contains(line),
            Relation::Words(_) => {
                self.quoted.binary_search(&line).is_err()
                    && relation_to(line).is_some_and(|other| other <= relation)
            }
            _ => false,
        };
        is_it(line + 1) || line > 0 && is_it(line - 1)
    }

    /// Whether it is indented otherwise than in the document, among lines that are not, and has no letters in common with
    /// the line that stands there, as a brace has none: another one than this.
    fn is_of_another_depth(&self, side: &Framed<'_>) -> bool {
        let letters = letters(&side.line.text);
        let is_unlike = side.relation().is_some_and(|relation| relation.letters_alike(letters) == 0);
        is_unlike && side.is_moved() && self.keeps_depth()
    }

    /// Whether an indented line is quoted with the document's indentation.
    fn keeps_depth(&self) -> bool {
        let is_kept = |framed: &Framed<'_>| {
            framed.at.line().is_some() && !indentation(&framed.line.text).is_empty() && !framed.is_moved()
        };
        self.lines.iter().any(is_kept)
    }
}

/// The doubt that a quoted line raises, if there is one.
fn objection(framed: Option<Framed<'_>>, doubt: Doubt) -> Result<(), Objection> {
    framed.map_or(Ok(()), |framed| Err(doubt.by(Spot::Quoted(framed.nth))))
}
