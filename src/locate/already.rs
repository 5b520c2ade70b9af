//! Whether what an edit asks for has been done before.
//!
//! The same patch twice must not double anything. An edit counts as already applied where its result stands
//! in place, whole and to the byte, and no removed line stands anywhere but where the result keeps it.

use std::borrow::Cow;
use std::ops::Range;

use super::Tier;
use super::alignment::align_with;
use super::pairing::{At, Candidate};
use super::search::Index;
use super::select::scope::Scope;
use crate::patch::LineKind;
use crate::patch::edit::{Edit, EditLine};
use crate::text::{Document, Fold, is_blank};

/// An edit whose quote was found: the lines of the document where its result stands already, around the quote.
/// `added` are its added lines as they would be written.
pub(super) fn in_place(
    candidate: &Candidate<'_>,
    added: &[Cow<'_, str>],
    document: &Document,
) -> Option<Range<usize>> {
    let removes = candidate.edit.lines.iter().any(|line| line.kind == LineKind::Remove);
    match candidate.tier {
        _ if removes => replaced(candidate, added, document),
        Tier::Alignment => inserted_between(candidate, added, document),
        _ => inserted(candidate, added, document),
    }
}

fn stands_at(document: &Document, start: usize, lines: &[Cow<'_, str>]) -> bool {
    let same = |(line, at): (&Cow<'_, str>, usize)| document.line(at) == line.as_bytes();
    start + lines.len() <= document.len() && lines.iter().zip(start..).all(same)
}

/// Whether what replaces lines stands where they stood, in place of them.
fn replaced(candidate: &Candidate<'_>, added: &[Cow<'_, str>], document: &Document) -> Option<Range<usize>> {
    let mut added = added.iter();
    let start = candidate.start();
    let mut at = start;
    for (line, quoted) in candidate.edit.lines.iter().zip(&candidate.at) {
        let same = match line.kind {
            LineKind::Remove => continue,
            LineKind::Add => {
                added.next().is_some_and(|text| at < document.len() && document.line(at) == text.as_bytes())
            }
            LineKind::Context => *quoted == At::Line(at),
        };
        if !same {
            return None;
        }
        at += 1;
    }
    Some(start..at)
}

/// Whether the quoted and the inserted lines stand together: lines that are added to a line like them may stand
/// before it or behind it.
fn inserted(candidate: &Candidate<'_>, added: &[Cow<'_, str>], document: &Document) -> Option<Range<usize>> {
    let mut added = added.iter();
    let mut new: Vec<Cow<'_, str>> = Vec::with_capacity(candidate.edit.lines.len());
    for at in &candidate.at {
        match at {
            At::Gap(_) => new.push(Cow::Borrowed(added.next()?)),
            at => new.push(String::from_utf8_lossy(document.line(at.line()?))),
        }
    }
    let start = candidate.start();
    let quotes = candidate.at.iter().any(|at| at.line().is_some());
    let starts = match quotes {
        true => (start + 1).saturating_sub(new.len())..start + 1,
        false if start == document.len() => start.checked_sub(new.len())?..start,
        false => start..start + 1,
    };
    let found = starts.rev().find(|start| stands_at(document, *start, &new))?;
    Some(found..found + new.len())
}

/// Whether each run of inserted lines stands between the quoted lines that it is to stand between, as lines that
/// were not quoted.
fn inserted_between(
    candidate: &Candidate<'_>,
    added: &[Cow<'_, str>],
    document: &Document,
) -> Option<Range<usize>> {
    let quoted = |nth: usize| candidate.at[nth].line();
    // Beside a quoted line that the document does not have, lines that stand there may be any.
    let is_open = |nth: usize| {
        let filled = |line: &EditLine<'_>| !line.text.trim().is_empty();
        candidate.at.get(nth) == Some(&At::Nowhere) && candidate.edit.lines.get(nth).is_some_and(filled)
    };
    let (mut rest, mut range) = (added, None::<Range<usize>>);
    for run in candidate.edit.runs(|kind| kind == LineKind::Add) {
        if is_open(run.end) || run.start.checked_sub(1).is_some_and(is_open) {
            return None;
        }
        let (lines, behind) = rest.split_at_checked(run.len())?;
        rest = behind;
        let before = (0..run.start).rev().find_map(quoted);
        let after = (run.end..candidate.at.len()).find_map(quoted);
        let before_it = || after.and_then(|after| after.checked_sub(run.len()));
        let first = before.map_or_else(before_it, |line| Some(line + 1))?;
        let last = if before.is_some() && after.is_some() { before_it()? } else { first };
        let start = (first..=last).find(|start| stands_at(document, *start, lines))?;
        let from = range.map_or(start, |range| range.start);
        range = Some(from..start + run.len());
    }
    range
}

/// Whether lines that are to be added stand right above or right below their place already. Of a quote that stands to the
/// letter only if the lines quoted there are some of them: what is quoted may have been above the first ones. Gives the
/// lines where they stand.
pub(super) fn stands_beside(candidate: &Candidate<'_>, document: &Document) -> Option<Range<usize>> {
    let lines = &candidate.edit.lines;
    let likeness = candidate.tier == Tier::Alignment;
    let stand_at = |start: usize, run: &[EditLine<'_>]| {
        let fold = Fold::Indentation;
        let same = |(at, line): (usize, &EditLine<'_>)| {
            fold.apply_bytes(document.line(at)) == fold.apply(&line.text).as_bytes()
        };
        start + run.len() <= document.len() && (start..).zip(run).all(same)
    };
    let mut runs = candidate.edit.runs(|kind| kind != LineKind::Context);
    runs.find_map(|run| {
        let (gap, run) = only_added(candidate, &run)?;
        let added = &lines[run.clone()];
        let quoted = |lines: &[EditLine<'_>]| lines.iter().filter(|line| line.kind != LineKind::Add).count();
        let within = |quoted: usize| likeness || (1..=added.len()).contains(&quoted);
        let above = gap.checked_sub(added.len()).filter(|_| within(quoted(&lines[..run.start])));
        let below = Some(gap).filter(|_| within(quoted(&lines[run.end..])));
        let says_something = added.iter().any(|line| line.text.contains(char::is_alphanumeric));
        let enough = likeness || added.len() > 1;
        let mut starts = [above, below].into_iter().flatten().filter(|_| enough && says_something);
        starts.find(|start| stand_at(*start, added)).map(|start| start..start + added.len())
    })
}

/// A line of the document that says what an added one does, where the quote has another: the quote may be of the time before
/// the edit, and the document of that after it.
pub(super) fn stands_in_quote(candidate: &Candidate<'_>, document: &Document) -> Option<Range<usize>> {
    if candidate.tier != Tier::Alignment {
        return None;
    }
    let fold = Fold::LookAlikes;
    let lines = || candidate.edit.lines.iter().zip(&candidate.at);
    let is_added = |text: &[u8]| {
        let mut added = lines().map(|(line, _)| line).filter(|line| line.kind == LineKind::Add);
        added.any(|line| fold.apply(&line.text).as_bytes() == text)
    };
    lines().filter(|(line, _)| line.kind == LineKind::Context).find_map(|(line, at)| {
        let at = at.line()?;
        let there = fold.apply_bytes(document.line(at));
        let says_other = !is_blank(&there) && fold.apply(&line.text).as_bytes() != &*there;
        (says_other && is_added(&there)).then_some(at..at + 1)
    })
}

/// The gap that a run of changed lines fills, and those that it fills it with, if it adds lines and removes none but what
/// it adds again at one of its ends. Of a quote that stands to the letter it is asked only if the edit removes nothing.
fn only_added(candidate: &Candidate<'_>, run: &Range<usize>) -> Option<(usize, Range<usize>)> {
    let lines = &candidate.edit.lines;
    let is_removed = |line: &EditLine<'_>| line.kind == LineKind::Remove;
    if candidate.tier < Tier::Alignment && lines.iter().any(is_removed) {
        return None;
    }
    let split = run.start + lines[run.clone()].iter().take_while(|line| is_removed(line)).count();
    let (removed, added) = (&lines[run.start..split], &lines[split..run.end]);
    if added.len() <= removed.len() || added.iter().any(is_removed) {
        return None;
    }
    let again = |part: &[EditLine<'_>]| part.iter().zip(removed).all(|(one, other)| one.text == other.text);
    match candidate.at[run.start] {
        At::Gap(gap) if removed.is_empty() => Some((gap, run.clone())),
        At::Line(first) if again(&added[..removed.len()]) => {
            Some((first + removed.len(), split + removed.len()..run.end))
        }
        At::Line(first) if again(&added[added.len() - removed.len()..]) => {
            Some((first, split..run.end - removed.len()))
        }
        _ => None,
    }
}

/// Where the result of an edit stands to the letter, if at one place, and if it shows that the edit has been made.
fn made(index: &Index, edit: &Edit<'_>) -> Option<Range<usize>> {
    let new: Vec<&str> = edit.new_lines().map(|line| &*line.text).collect();
    if !shows(edit) {
        return None;
    }
    let [start] = *index.places(Fold::Exact, &new) else { return None };
    Some(start..start + new.len())
}

/// The lines where the result of an edit stands to the letter, over those that its quote was taken for: what is only like
/// the removed lines may be what they were to leave.
pub(super) fn stands_over(candidate: &Candidate<'_>, index: &Index, edit: &Edit<'_>) -> Option<Range<usize>> {
    let removes = edit.lines.iter().any(|line| line.kind == LineKind::Remove);
    if candidate.tier == Tier::Exact || !removes {
        return None;
    }
    let found = made(index, edit)?;
    candidate.at.iter().filter_map(|at| at.line()).any(|line| found.contains(&line)).then_some(found)
}

/// An edit whose quote stands nowhere: the lines of the document where its result stands, under its headers and
/// at the end if it has to be there.
pub(super) fn stands(index: &Index, edit: &Edit<'_>, scopes: Option<&[Scope]>) -> Option<Range<usize>> {
    let result = made(index, edit)?;
    let inside = |scope: &Scope| scope.holds(result.start, result.end - 1);
    if scopes.is_some_and(|scopes| !scopes.iter().any(inside))
        || edit.end_of_file && result.end < index.document().len()
    {
        return None;
    }
    let gone = |text: &str| {
        let places = index.line_places(Fold::Indentation, text);
        text.trim().is_empty() || places.iter().all(|place| result.contains(&(*place as usize)))
    };
    let mut removed = edit.lines.iter().filter(|line| line.kind == LineKind::Remove);
    removed.all(|line| gone(&line.text)).then_some(result)
}

/// Whether the document looks no less like what an edit makes than like the quote at this candidate, which has this cost:
/// it may have been made before, and its quote read into something else. Gives the lines that look so.
pub(super) fn looks_made(
    candidate: &Candidate<'_>,
    index: &Index,
    edit: &Edit<'_>,
    cost: u32,
) -> Option<Range<usize>> {
    if cost == 0 {
        return None;
    }
    let (result, placed) = result(edit);
    let (fits, _) = align_with(index, &result, &|nth| placed[nth]);
    let made = fits.first()?;
    let says_something = |line: &EditLine<'_>| line.text.contains(char::is_alphanumeric);
    let several = result.lines.iter().filter(|line| says_something(line)).count() > 1;
    let elsewhere = several && made.at.iter().all(|at| at.line().is_none() || !candidate.at.contains(at));
    let spare = if elsewhere {
        // Of two places that fit as well, neither is known to be meant.
        0
    } else if shows(edit) {
        1
    } else if stands_off(candidate, index.document()) {
        0
    } else {
        AT_AN_END
    };
    let lines = || made.at.iter().filter_map(|at| at.line());
    let range = lines().min().unwrap_or_default()..lines().max().map_or(0, |last| last + 1);
    (made.cost + spare <= cost).then_some(range)
}

/// Whether what an edit removes stands apart from its other lines: it may be a sibling of what stood beside them.
fn stands_off(candidate: &Candidate<'_>, document: &Document) -> bool {
    let quoted = candidate.edit.lines.iter().zip(&candidate.at);
    let quoted: Vec<(LineKind, usize)> =
        quoted.filter_map(|(line, at)| Some((line.kind, at.line()?))).collect();
    let mut seams = quoted.windows(2).filter(|pair| pair[0].0 != pair[1].0).peekable();
    let is_apart =
        |pair: &[(LineKind, usize)]| (pair[0].1 + 1..pair[1].1).any(|line| !is_blank(document.line(line)));
    seams.peek().is_some() && seams.all(is_apart)
}

/// How much more an edit has to cost than its result, of which nothing shows that it was made: lines were removed at an end
/// of what it quotes. More than a skipped line.
const AT_AN_END: u32 = 40;

/// What an edit makes, as a quote, and which of its lines have to stand for some line of the document. What shows that it
/// was made are the added lines; or, where there are none, those on either side of the removed ones.
fn result<'e>(edit: &'e Edit<'_>) -> (Edit<'e>, Vec<bool>) {
    let lines = &edit.lines;
    let adds = lines.iter().any(|line| line.kind == LineKind::Add);
    // Blank lines come and go.
    let filled: Vec<_> = (0..lines.len()).filter(|nth| !lines[*nth].text.trim().is_empty()).collect();
    let at_seam = |nth: usize| {
        let is_removed = |at: Option<usize>| at.is_some_and(|at| lines[filled[at]].kind == LineKind::Remove);
        let at = filled.partition_point(|other| *other < nth);
        filled.get(at) == Some(&nth)
            && (is_removed(at.checked_sub(1)) || is_removed((at + 1 < filled.len()).then_some(at + 1)))
    };
    let kept = lines.iter().enumerate().filter(|(_, line)| line.kind != LineKind::Remove);
    let (lines, placed) = kept
        .map(|(nth, line)| {
            let kind = if line.kind == LineKind::Add { LineKind::Remove } else { LineKind::Context };
            let line = EditLine { kind, text: Cow::Borrowed(&*line.text), signed: line.signed };
            (line, !adds && at_seam(nth))
        })
        .unzip();
    (Edit { lines, ..Edit::default() }, placed)
}

/// Whether the result of an edit shows that it has been made: it has lines of its own, or a seam.
pub(super) fn shows(edit: &Edit<'_>) -> bool {
    edit.lines.iter().any(|line| line.kind == LineKind::Add) || is_framed(edit)
}

/// Whether the removed lines stand between context lines, of which one says something: then the context alone shows that
/// nothing is left to remove.
fn is_framed(edit: &Edit<'_>) -> bool {
    let is_context = |line: &EditLine<'_>| line.kind == LineKind::Context && !line.text.trim().is_empty();
    let says_something = |line: &EditLine<'_>| is_context(line) && line.text.contains(char::is_alphanumeric);
    let is_removed = |line: &EditLine<'_>| line.kind == LineKind::Remove;
    let first = edit.lines.iter().position(is_removed).unwrap_or(0);
    let last = edit.lines.iter().rposition(is_removed).unwrap_or(0);
    edit.lines[..first].iter().any(is_context)
        && edit.lines[last..].iter().any(is_context)
        && edit.lines.iter().any(says_something)
}
