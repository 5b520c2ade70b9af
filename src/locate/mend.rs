//! Writing added lines as the document writes what they replace: its look-alikes, its escapes, its characters.

use super::guard::Doubt;
use super::pairing::{Candidate, Pair};
use super::relation::junk;
use crate::patch::LineKind;
use crate::text::{Document, look_alike};

/// An added line with the look-alikes that the removed line it replaces has in the document.
///
/// What both lines begin and end with is taken from the document; in between, a character is replaced only if
/// the document's line writes all of its kind in one other way.
pub(super) fn look_alikes(
    text: &str,
    nth: usize,
    candidate: &Candidate<'_>,
    pairs: &[Pair<'_>],
) -> Option<String> {
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

/// An added line with the escapes as the document has them: a quoted `\"` that is `"` in the document, or the
/// other way round. Only where the line treats all characters of that kind alike, as the quote does: otherwise
/// a backslash may be meant.
pub(super) fn reescaped(text: &str, pairs: &[Pair<'_>]) -> Option<String> {
    let mut mended = text.to_owned();
    for character in ["\"", "'", "`", "$", "\\"] {
        let escape = format!("\\{character}");
        let bare = |line: &str| line.replace(&escape, "").contains(character);
        let is = |line: &str| (line.contains(&escape), bare(line));
        let all_escaped = (true, false);
        let shows =
            |quoted, actual| pairs.iter().any(|pair| is(pair.quoted) == quoted && is(pair.actual) == actual);
        if is(&mended) == all_escaped && shows(all_escaped, (false, true)) {
            mended = mended.replace(&escape, character);
        } else if is(&mended) == (false, true) && character != "\\" && shows((false, true), all_escaped) {
            mended = mended.replace(character, &escape);
        }
    }
    (mended != text).then_some(mended)
}

/// An added line without the junk that it copies from a quoted line: each piece of junk gives way to what the
/// document has in its place. Junk that stands for many things (`?`, `\u{fffd}`) is told by what stands around it.
///
/// # Errors
/// The line holds a `\u{fffd}` still, the quote has shown that this is junk, and the document has none of its own.
pub(super) fn ungarbled(
    text: &str,
    pairs: &[Pair<'_>],
    document: &Document,
) -> Result<Option<String>, Doubt> {
    let mut mended = text.to_owned();
    let mut unreadable = false;
    for pair in pairs {
        let (quoted, actual) = (pair.quoted.trim(), pair.actual.trim());
        for (wrong, right) in junk(quoted, actual).unwrap_or_default() {
            unreadable |= wrong.contains(UNREADABLE);
            mended = without_junk(&mended, quoted, wrong, right);
        }
    }
    let own = || memchr::memmem::find(document.content(), UNREADABLE.to_string().as_bytes()).is_some();
    if unreadable && mended.contains(UNREADABLE) && !own() {
        return Err(Doubt::GarbledAddition);
    }
    Ok((mended != text).then_some(mended))
}

/// What stands for bytes that are not text.
const UNREADABLE: char = '\u{fffd}';

/// How many characters on either side of a piece of junk have to be the same for it to stand for the same.
const AROUND: usize = 4;

/// A line with a piece of junk, a slice of `quoted`, put right.
fn without_junk(text: &str, quoted: &str, wrong: &str, right: &str) -> String {
    if !wrong.contains(['?', UNREADABLE]) {
        return text.replace(wrong, right);
    }
    let start = wrong.as_ptr() as usize - quoted.as_ptr() as usize;
    let (before, behind) = (&quoted[..start], &quoted[start + wrong.len()..]);
    let from = before.char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
    let until = behind.char_indices().nth(AROUND).map_or(behind.len(), |(at, _)| at);
    let (head, tail) = (&before[from..], &behind[..until]);
    text.replace(&format!("{head}{wrong}{tail}"), &format!("{head}{right}{tail}"))
}
