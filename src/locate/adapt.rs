//! Bringing added lines into the document's form: its indentation, its look-alikes.
//!
//! Wrong indentation is a wrong edit: where it is not known how the document would indent a line, the edit is
//! refused.

use std::borrow::Cow;

use super::Tier;
use super::guard::Doubt;
use super::indentation::IndentationMap;
use super::pairing::{Candidate, Pair};
use crate::edit::EditLine;
use crate::patch::LineKind;
use crate::text::{Document, indentation, look_alike};

/// The added lines as they are to be written, and what was done to them.
#[derive(Debug, Default)]
pub(super) struct Adapted<'e> {
    /// One text for each line of the edit that is added, in order.
    pub(super) lines: Vec<Cow<'e, str>>,
    pub(super) reindented: bool,
    pub(super) look_alikes: bool,
    pub(super) unescaped: bool,
}

/// Brings the added lines of a candidate into the document's form.
pub(super) fn adapt<'e>(candidate: &Candidate<'e>, document: &Document) -> Result<Adapted<'e>, Doubt> {
    let pairs = candidate.filled_pairs(document);
    let mut adapted = Adapted::default();
    let map = (candidate.tier >= Tier::Indentation).then(|| IndentationMap::new(&pairs, document)).flatten();
    let lines = &candidate.edit.lines;
    if map.is_some() && adds(lines) && (lost_nesting(&pairs) || is_flat(&pairs) && added_flat(lines)) {
        return Err(Doubt::LostNesting);
    }
    for (nth, line) in candidate.edit.lines.iter().enumerate().filter(|(_, line)| line.kind == LineKind::Add)
    {
        let mut text = line.text.clone();
        if let Some(map) = &map
            && !text.trim().is_empty()
        {
            let indented = map.indented(&text, nth)?;
            adapted.reindented |= indented != text;
            text = Cow::Owned(indented);
        }
        if candidate.tier >= Tier::LookAlikes
            && let Some(mended) = mended(&text, nth, candidate, &pairs)
        {
            adapted.look_alikes = true;
            text = Cow::Owned(mended);
        }
        if candidate.tier == Tier::Alignment
            && let Some(plain) = unescaped(&text, &pairs)
        {
            adapted.unescaped = true;
            text = Cow::Owned(plain);
        }
        adapted.lines.push(text);
    }
    Ok(adapted)
}

fn adds(lines: &[EditLine<'_>]) -> bool {
    lines.iter().any(|line| line.kind == LineKind::Add && !line.text.trim().is_empty())
}

/// Whether a quoted line that opens a block is followed by one at the same column that the document has at
/// another: the quote shows no nesting, so that the added lines' cannot be known.
fn lost_nesting(pairs: &[Pair<'_>]) -> bool {
    pairs.windows(2).any(|pair| {
        opens(pair[0].quoted)
            && pair[0].quoted_indentation() == pair[1].quoted_indentation()
            && pair[0].actual_indentation() != pair[1].actual_indentation()
    })
}

/// Whether all quoted lines begin at column 0.
fn is_flat(pairs: &[Pair<'_>]) -> bool {
    pairs.iter().all(|pair| pair.quoted_indentation().is_empty())
}

/// Whether an added line that opens a block is followed by one at the same column that closes none.
fn added_flat(lines: &[EditLine<'_>]) -> bool {
    let new: Vec<_> =
        lines.iter().filter(|line| line.kind != LineKind::Remove && !line.text.trim().is_empty()).collect();
    new.windows(2).any(|pair| {
        let added = pair[0].kind == LineKind::Add || pair[1].kind == LineKind::Add;
        let same_column = indentation(&pair[0].text) == indentation(&pair[1].text);
        added && same_column && opens(&pair[0].text) && !closes(&pair[1].text)
    })
}

/// Whether a line ends as one does that opens a block.
fn opens(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with(['{', '(', '[', ':'])
        || line.ends_with(" do")
        || line.ends_with(" then")
        || line.ends_with("=>")
}

/// Whether a line begins as one does that closes a block.
fn closes(line: &str) -> bool {
    let line = line.trim_start();
    let word = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    line.starts_with(['}', ')', ']'])
        || matches!(word, "end" | "else" | "elif" | "except" | "finally" | "fi" | "done")
}

/// An added line with the look-alikes that the removed line it replaces has in the document.
///
/// What both lines begin and end with is taken from the document; in between, a character is replaced only if
/// the document's line writes all of its kind in one other way.
fn mended(text: &str, nth: usize, candidate: &Candidate<'_>, pairs: &[Pair<'_>]) -> Option<String> {
    let removed = replaced_by(nth, candidate)?;
    let pair = pairs.iter().find(|pair| pair.nth == removed)?;
    let (quoted, actual) = (pair.quoted.trim(), pair.actual.trim());
    let spelling = spelling(quoted, actual)?;
    let head = text.len() - text.trim_start().len();
    let (lead, body) = text.split_at(head);
    let prefix: Vec<_> =
        body.chars().zip(&spelling).take_while(|(c, (q, _))| c == q).map(|(_, (_, d))| *d).collect();
    let rest: Vec<char> = body.chars().skip(prefix.len()).collect();
    let tail = rest
        .iter()
        .rev()
        .zip(spelling[prefix.len()..].iter().rev())
        .take_while(|(c, (q, _))| *c == q)
        .count();
    let middle = rest[..rest.len() - tail].iter().map(|c| uniform(*c, &spelling).unwrap_or(*c));
    let suffix = spelling[spelling.len() - tail..].iter().map(|(_, d)| *d);
    let mended: String = lead.chars().chain(prefix).chain(middle).chain(suffix).collect();
    (mended != text).then_some(mended)
}

/// The removed line that an added line stands for: the one as far down in the removed lines before it as the
/// added line is in the added ones.
fn replaced_by(nth: usize, candidate: &Candidate<'_>) -> Option<usize> {
    let kind = |at: usize| candidate.edit.lines[at].kind;
    let first_added = (0..=nth).rev().take_while(|at| kind(*at) == LineKind::Add).last()?;
    let first_removed = (0..first_added).rev().take_while(|at| kind(*at) == LineKind::Remove).last()?;
    let removed = first_removed + (nth - first_added);
    (removed < first_added).then_some(removed)
}

/// The characters of a quoted line beside those of the document; `None` where they do not go one to one.
fn spelling(quoted: &str, actual: &str) -> Option<Vec<(char, char)>> {
    let alike = |q: char, d: char| {
        let plain = |c: char| look_alike(c).map_or_else(|| c.to_string(), str::to_owned);
        q == d || plain(q) == plain(d)
    };
    let pairs: Vec<_> = quoted.chars().zip(actual.chars()).collect();
    let whole = quoted.chars().count() == actual.chars().count();
    (whole && pairs.iter().all(|(q, d)| alike(*q, *d))).then_some(pairs)
}

/// The one way in which the document writes a character of the quote, if it is another one.
fn uniform(c: char, spelling: &[(char, char)]) -> Option<char> {
    let mut ways = spelling.iter().filter(|(q, _)| *q == c).map(|(_, d)| *d);
    let first = ways.next()?;
    ways.all(|d| d == first).then_some(first)
}

/// An added line without the escapes that the quoted lines have and the document has not: a quoted `\"` that is
/// `"` in the document. A character is unescaped only if the line has it nowhere without its backslash:
/// otherwise the backslash may be meant.
fn unescaped(text: &str, pairs: &[Pair<'_>]) -> Option<String> {
    let mut plain = text.to_owned();
    for escape in ["\\\"", "\\'", "\\`"] {
        let shown = pairs.iter().any(|pair| pair.quoted.contains(escape) && !pair.actual.contains(escape));
        let bare = plain.replace(escape, "").contains(&escape[1..]);
        if shown && !bare {
            plain = plain.replace(escape, &escape[1..]);
        }
    }
    (plain != text).then_some(plain)
}
